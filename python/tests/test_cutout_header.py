"""header.for_section: the pixels of a cut-out stay where they were on the sky, by astropy.wcs."""
import io
import warnings

import numpy
import pytest

from cuphoton import xdr
from fits_bytes import card, image_hdu, ramp

SHAPE = (40, 60)  # y, x
SECTIONS = [
    (slice(0, 40), slice(0, 60)), (slice(10, 30), slice(5, 55)), (slice(-20, None), slice(None, -7)),
    (slice(10, 30, 2), slice(5, 55, 2)), (slice(3, 40, 3), slice(1, 60, 5)), (slice(0, 40, 4), slice(0, 60)),
]
SKY = [card("CTYPE1", "RA---TAN"), card("CTYPE2", "DEC--TAN"), card("CRVAL1", 150.25), card("CRVAL2", -33.5),
       card("CRPIX1", 31.25), card("CRPIX2", 18.5)]
CD = [card("CD1_1", -1.1e-4), card("CD1_2", 2.2e-5), card("CD2_1", 1.9e-5), card("CD2_2", 1.2e-4)]
CDELT = [card("CDELT1", -1.1e-4), card("CDELT2", 1.2e-4)]
SIP = [card("CTYPE1", "RA---TAN-SIP"), card("CTYPE2", "DEC--TAN-SIP"), *SKY[2:], *CD, card("A_ORDER", 3),
       card("B_ORDER", 2), card("A_2_0", 2e-5), card("A_1_1", -3e-5), card("A_0_3", 1e-7), card("B_0_2", 4e-5),
       card("B_1_1", 1e-5), card("AP_ORDER", 2), card("BP_ORDER", 2), card("AP_2_0", -2e-5), card("AP_1_1", 3e-5),
       card("BP_0_2", -4e-5)]
HEADERS = {
    "cd": SKY + CD,
    "cdelt": SKY + CDELT,
    "crota": SKY + CDELT + [card("CROTA2", 30.0)],
    "pc": SKY + CDELT + [card("PC1_1", 0.8), card("PC1_2", -0.6), card("PC2_1", 0.6), card("PC2_2", 0.8)],
    "pc without diagonal": SKY + CDELT + [card("PC1_2", -0.25)],
    "no scale at all": SKY,
    "no reference pixel": SKY[:4] + CD,
    "sip": SIP,
}


def wcs_of(header, key=" "):
    wcs = pytest.importorskip("astropy.wcs", reason="compares positions on the sky with Astropy")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return wcs.WCS(header.to_astropy(), key=key)


def header_of(cards, shape=SHAPE):
    return xdr.open(image_hdu(ramp(shape), cards))[0].header


def expect_same_sky(whole, cut, section, key=" "):
    ranges = [range(*part.indices(extent)) for part, extent in zip(section, SHAPE)]
    rows, columns = (numpy.array(each) for each in ranges)
    y, x = numpy.meshgrid(numpy.arange(len(rows)), numpy.arange(len(columns)), indexing="ij")
    expected = wcs_of(whole, key).all_pix2world(columns[x], rows[y], 0)
    found = wcs_of(cut, key).all_pix2world(x, y, 0)
    numpy.testing.assert_allclose(found, expected, rtol=0, atol=1e-11)
    return wcs_of(cut, key), (x, y), expected


@pytest.mark.rows("INS-3")
@pytest.mark.parametrize("section", SECTIONS, ids=str)
@pytest.mark.parametrize("name", HEADERS)
def test_a_cut_out_keeps_its_place_on_the_sky(name, section):
    whole = header_of(HEADERS[name])
    cut = whole.for_section(section)
    expect_same_sky(whole, cut, section)
    assert (cut["NAXIS2"], cut["NAXIS1"]) == xdr.read(image_hdu(ramp(SHAPE)), section=section, device="cpu").shape


def test_inverse_distortion_moves_too():
    whole, section = header_of(SIP), (slice(4, 40, 3), slice(2, 60, 2))
    cut = whole.for_section(section)
    focal = numpy.array([[3.0, 4.0], [7.0, 2.0]])
    back = wcs_of(cut).sip_foc2pix(focal - wcs_of(cut).wcs.crpix, 1)
    there = wcs_of(whole).sip_foc2pix((focal - wcs_of(cut).wcs.crpix) * [2, 3], 1)
    numpy.testing.assert_allclose((there - [1 + 2, 1 + 4]) / [2, 3] + 1, back, atol=1e-9)


def test_alternate_coordinates_move_too():
    alternate = [(each[:8].rstrip() + "A").ljust(8) + each[8:] for each in SKY + CD]
    whole = header_of(SKY + CDELT + alternate)
    section = (slice(10, 30, 2), slice(5, 55, 3))
    cut = whole.for_section(section)
    expect_same_sky(whole, cut, section)
    expect_same_sky(whole, cut, section, key="A")


def test_a_cut_out_of_a_cut_out():
    whole = header_of(SKY + CD + [card("LTV1", -100.0), card("LTV2", 0.0), card("LTM1_1", 0.5), card("LTM2_2", 1.0)])
    first, second = (slice(4, 40, 2), slice(3, 60)), (slice(1, 15), slice(10, 50, 4))
    twice = whole.for_section(first).for_section(second)
    once = whole.for_section((slice(6, 34, 2), slice(13, 53, 4)))
    for keyword in ("NAXIS1", "NAXIS2", "CRPIX1", "CRPIX2", "CD1_1", "CD2_1", "CD1_2", "LTV1", "LTV2", "LTM1_1", "LTM2_2"):
        assert twice[keyword] == pytest.approx(once[keyword], rel=1e-14), keyword


@pytest.mark.parametrize("section", SECTIONS, ids=str)
def test_ltv_leads_back_to_the_image(section):
    cut = header_of([]).for_section(section)
    for axis, part, extent in ((2, section[0], 40), (1, section[1], 60)):
        pixels = range(*part.indices(extent))
        factor, shift = cut.get(f"LTM{axis}_{axis}", 1), cut.get(f"LTV{axis}", 0)
        for place in (0, len(pixels) - 1):
            assert factor * (pixels[place] + 1) + shift == pytest.approx(place + 1)


def test_what_is_no_coordinate_stays(cards=("OBJECT  = 'M 31'", "COMMENT  kept", "DATASEC = '[1:60,1:40]'", "A_VALUE =  5")):
    whole = header_of([*cards, card("CHECKSUM", "abc"), card("DATASUM", "1")])
    cut = whole.for_section((slice(5, 10), slice(0, 60)))
    assert "CRPIX1" not in cut and "CDELT1" not in cut and "LTV1" not in cut and cut["LTV2"] == -5.0
    assert "CHECKSUM" not in cut and "DATASUM" not in cut and "CHECKSUM" in whole
    for keyword in ("OBJECT", "COMMENT", "DATASEC", "A_VALUE"):
        assert cut[keyword] == whole[keyword]
    assert whole["NAXIS2"] == 40 and cut["NAXIS2"] == 5  # the old header is as it was


def test_cubes_move_every_axis():
    whole = header_of([card("CRPIX3", 2.0), card("CDELT3", 0.5), card("CRVAL3", 5.0)], shape=(8, 9, 10))
    cut = whole.for_section((slice(3, 8, 2), slice(0, 9), slice(4, 10)))
    assert [cut[key] for key in ("NAXIS3", "NAXIS2", "NAXIS1", "CRPIX3", "CDELT3", "CRPIX1")] == [3, 9, 6, 0.0, 1.0, -4.0]


def test_mistakes():
    whole = header_of(SKY + CD + [card("CPDIS1", "LOOKUP")])
    assert whole.for_section((slice(None), slice(None)))["NAXIS1"] == 60
    with pytest.raises(xdr.UnsupportedError, match="for_section: CPDIS1 names a distortion table"):
        whole.for_section((slice(1, None), slice(None)))
    with pytest.raises(ValueError, match="expected 2 slices"):
        whole.for_section(slice(1, 3))
    with pytest.raises(ValueError, match="lies outside 0:40"):
        header_of([]).for_section((slice(0, 41), slice(None)))


def test_of_a_compressed_image():
    fits = pytest.importorskip("astropy.io.fits", reason="writes a compressed image")
    head = fits.Header.fromstring("".join(SKY + CD))
    memory = io.BytesIO()
    fits.HDUList([fits.PrimaryHDU(), fits.CompImageHDU(ramp(SHAPE), header=head)]).writeto(memory)
    whole = xdr.open(memory.getvalue())[1].header
    section = (slice(10, 30), slice(5, 55))
    expect_same_sky(whole, whole.for_section(section), section)
