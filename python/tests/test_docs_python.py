"""The Python of docs/python.md, run as it stands."""
import io
import pathlib
import re
import warnings

import numpy
import pytest

from cuphoton import xdr
from fits_bytes import block, card, image_hdu, ramp

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs" / "python.md"
SNIPPETS = [(match[1].strip(), match[2]) for match in
            re.finditer(r"^```python([^\n]*)\n(.*?)^```", DOCUMENT.read_text(), re.S | re.M)]
CARDS = [card("EXTNAME", "SCI"), card("EXPTIME", 30.0), card("CTYPE1", "RA---TAN"), card("CTYPE2", "DEC--TAN"),
         card("CRVAL1", 150.25), card("CRVAL2", 2.5), card("CRPIX1", 70.5), card("CRPIX2", 90.0),
         card("CD1_1", -1e-4), card("CD1_2", 2e-5), card("CD2_1", 2e-5), card("CD2_2", 1e-4)]
PIXELS = ramp((200, 150), "i2")


@pytest.fixture()
def path(tmp_path):
    name = tmp_path / "image.fits"
    primary = block([card("SIMPLE", True), card("BITPIX", 8), card("NAXIS", 0)])
    name.write_bytes(primary + image_hdu(PIXELS, CARDS, extension=True))
    return name


def run(text, path):
    names = {"path": path}
    exec(compile("from cuphoton import xdr\n" + text, str(DOCUMENT), "exec"), names)  # noqa: S102: our own document
    return names


def test_every_snippet_is_known():
    assert [tag for tag, _ in SNIPPETS] == ["", "", "", "no-test", "astropy"]


def test_open_and_read(path, capsys):
    names = run(SNIPPETS[0][1], path)
    numpy.testing.assert_array_equal(names["pixels"].numpy(), PIXELS)
    assert "(200, 150) int16 None 30.0" in capsys.readouterr().out


def test_sections(path):
    names = run(SNIPPETS[1][1], path)
    numpy.testing.assert_array_equal(names["cutout"].numpy(), PIXELS[100:150, 20:120:2])
    assert (names["header"]["NAXIS1"], names["header"]["LTV2"]) == (50, -100.0)


def test_memory_of_your_own(path):
    numpy.testing.assert_array_equal(run(SNIPPETS[2][1], path)["batch"], [PIXELS, PIXELS])


def test_ccddata_with_wcs(path):
    pytest.importorskip("astropy.nddata", reason="CCDData is Astropy's")
    from astropy.io import fits
    from astropy.wcs import WCS

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ccd = run(SNIPPETS[4][1], path)["ccd"]
        with fits.open(io.BytesIO(path.read_bytes())) as file:
            whole = WCS(file["SCI"].header)
    numpy.testing.assert_array_equal(ccd.data, PIXELS[100:150, 20:120])
    sky, expected = ccd.wcs.pixel_to_world(30, 40), whole.pixel_to_world(20 + 30, 100 + 40)
    assert sky.separation(expected).arcsec < 1e-6 and str(ccd.unit) == "adu"
    memory = io.BytesIO()
    ccd.to_hdu().writeto(memory)  # and it travels: what is read back is the same place
    assert xdr.read(memory.getvalue(), device="cpu").shape == (50, 100)
