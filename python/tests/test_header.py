"""hdu.header: values of every form, manners of a mapping, and what Astropy 8 shows for the same cards."""
import collections.abc
import copy
import io
import pickle
import subprocess
import sys
import warnings

import pytest

from cuphoton import xdr
from fits_bytes import image_hdu, ramp

CARDS = [
    "OBJECT  = 'O''Hara / b  '      / the / name",
    "EXPTIME =            1.5D+03 / [s] time", "BIG     = 12345678901234567890",
    "NEGATIVE= -98765432109876543210", "Z       = (1.5, -2D1) / complex", "ON      =                    T",
    "OFF     = F", "NOTHING =                      / no value", "EMPTY   = ''", "BLANKS  = '    '", "LEADING = '  x '",
    "HIERARCH ESO DET Chip1 ID = 'ccd' / first chip", "HIERARCH ESO TEL ALT = 45.5",
    "LONG    = 'abc&' / one", "CONTINUE  'd''ef &' / two", "CONTINUE  'ghi' / three", "AMPER   = 'x&'",
    "OPEN    = 'a&'", "CONTINUE  'b&'",
    "TWICE   = 1 / first", "TWICE   = 2 / second", "COMMENT  one", "HISTORY h1", "COMMENT two", "", "        free text",
    "lower   = 7", "NOVALUE   5", "ILL     = 1 2 3 / kept", "HUGE    = 1E400",
]


@pytest.fixture()
def header():
    with xdr.open(image_hdu(ramp(), CARDS)) as file:
        return file[0].header


@pytest.mark.rows("INS-3")
@pytest.mark.parametrize("key, value", [
    ("SIMPLE", True), ("NAXIS1", 30), ("object", "O'Hara / b"), ("EXPTIME", 1500.0), ("BIG", 12345678901234567890),
    ("NEGATIVE", -98765432109876543210), ("Z", 1.5 - 20j), ("ON", True), ("OFF", False), ("NOTHING", None), ("EMPTY", ""),
    ("BLANKS", ""), ("LEADING", "  x"), ("ESO DET CHIP1 ID", "ccd"), ("HIERARCH eso tel alt", 45.5),
    ("LONG", "abcd'ef ghi"), ("AMPER", "x&"), ("OPEN", "ab&"), ("TWICE", 2), ("COMMENT", " one\ntwo"), ("HISTORY", "h1"),
    ("", "\nfree text"), ("LOWER", 7), ("NOVALUE", "  5"), ("ILL", "1 2 3"), ("HUGE", "1E400"),
])
def test_value(header, key, value):
    assert header[key] == value and type(header[key]) is type(value)
    assert key in header and header.get(key) == value


@pytest.mark.rows("INS-3")
def test_comments(header):
    assert header.comments["object"] == "the / name"
    assert header.comments["LONG"] == "one two three"
    assert header.comments["TWICE"] == "second"
    assert header.comments["EMPTY"] == ""
    assert header.comments["NOTHING"] == "no value"
    with pytest.raises(KeyError):
        header.comments["ABSENT"]


@pytest.mark.rows("INS-3")
def test_cards_show_everything_in_order(header):
    assert [each.value for each in header.cards if each.keyword == "TWICE"] == [1, 2]
    long = next(each for each in header.cards if each.keyword == "LONG")
    assert len(long.text) == 240 and long.text.startswith("LONG    = 'abc&'")
    assert "".join(each.text for each in header.cards) == header.tostring("")
    assert header.tostring("")[:30] == "SIMPLE  =                    T"


@pytest.mark.rows("INS-3")
def test_manners_of_a_mapping(header):
    assert isinstance(header, collections.abc.Mapping)
    assert len(header) == len(list(header)) == len(set(header)) and "TWICE" in list(header)
    assert not isinstance(header, collections.abc.MutableMapping)
    with pytest.raises(TypeError):
        header["NEW"] = 1
    with pytest.raises(KeyError, match="ABSENT"):
        header["ABSENT"]
    assert header.get("ABSENT", 5) == 5 and 3 not in header
    with pytest.raises(TypeError, match="asked by keyword"):
        header[0]
    assert dict(pickle.loads(pickle.dumps(header))) == dict(header) == dict(copy.deepcopy(header))
    assert repr(header).splitlines()[0] == "SIMPLE  =                    T"


def test_bytes_outside_ascii_survive():
    with xdr.open(image_hdu(ramp(), ["NAME    = 'caf\xe9'"])) as file:
        assert file[0].header["NAME"] == "caf\xe9"


@pytest.mark.rows("INS-3")
def test_needs_no_astropy():
    program = (f"import sys; sys.modules['astropy'] = None; from cuphoton import xdr\n"
               f"data = bytes.fromhex('{image_hdu(ramp((1, 2))).hex()}')\n"
               "header = xdr.open(data)[0].header\nassert header['NAXIS1'] == 2\n"
               "try: header.to_astropy()\nexcept ImportError as fault: print(fault)")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert "to_astropy() needs Astropy" in done.stdout


@pytest.mark.rows("INS-3")
def test_to_astropy(header, fits):
    theirs = header.to_astropy()
    assert theirs["EXPTIME"] == 1500.0 and theirs["LONG"] == "abcd'ef ghi" and theirs["ESO TEL ALT"] == 45.5
    theirs["NEW"] = 1  # a copy, and a header that can change
    assert "NEW" not in header


# --- against Astropy ---

# On purpose: of duplicates Astropy gives the first, we the last; a string whose last CONTINUE ends in "&" keeps it
# (FITS 4.0, 4.2.1.2); cards that Astropy changes or adds (groups, EXTEND, BLANK of a ZBLANK column, comments of BZERO)
# and that it removes (BZERO = 0, BSCALE = 0) stay as the file has them.
KNOWN = {("issue-38.fits", "DUP"), ("double_ext.fits", "EXTNAMX"), ("file-img2-bitpix+64.fits", "EXTEND"),
         ("group_invalid.fits", "NAXIS"), ("group_invalid.fits", "NAXIS1"), ("resampled_hmi.fits", "SOURCE"),
         ("header_newlines.fits", "DATE"), ("header_newlines.fits", "PMASKPTH"), ("header_newlines.fits", "PMASKFIL"),
         ("header_newlines.fits", "CHECKSUM"), ("header_newlines.fits", "DATASUM"),
         ("WFPC2u5780205r_c0fx.fits", "ORIGIN"), ("testUI.fits.fz", "BZERO"), ("testUL.fits.fz", "BZERO"),
         ("testUS.fits.fz", "BZERO"), ("test_cubeUI.fits.fz", "BZERO"),
         ("test_cubeUS.fits.fz", "BZERO")}


def differences(ours, theirs):
    """Keywords whose presence, value, type or comment differ."""
    found = {key.upper() for key in ours} ^ {key.upper() for key in theirs}
    for each in theirs.cards:
        key = each.keyword
        if key in ("COMMENT", "HISTORY", "") or key.upper() in found:
            continue
        try:
            value, comment = each.value, each.comment
        except Exception:  # noqa: BLE001: what Astropy cannot parse is text here
            if not isinstance(ours[key], str):
                found.add(key)
            continue
        if type(value).__name__ == "Undefined":
            value = None
        same = ours[key] == value or (value != value and ours[key] != ours[key])
        if not same or type(ours[key]) is not type(value) or ours.comments[key].split() != comment.split():
            found.add(key)
    for key in ("COMMENT", "HISTORY"):
        if ours.get(key, "") != "\n".join(str(line) for line in theirs.get(key, [])):
            found.add(key)
    return found


@pytest.fixture()
def fits():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Astropy's opinion of the cards is not the subject
        yield pytest.importorskip("astropy.io.fits", reason="compares with Astropy")


@pytest.mark.rows("INS-3")
def test_cards_of_every_form_equal_astropy(header, fits):
    theirs = fits.Header.fromstring(header.tostring(""))
    assert differences(header, theirs) == {"TWICE", "HUGE", "OPEN"}  # the last one; text, not inf; keeps its last "&"
    assert theirs["TWICE"] == 1 and header["TWICE"] == 2 and theirs["OPEN"] == "ab" and header["OPEN"] == "ab&"


def compressed_file(fits, pixels, **words):
    head = fits.Header([("OBJECT", "M 31", "name"), ("BUNIT", "adu"), ("CRPIX1", 3.5), ("ZOOM", 4, "no Z keyword of FITS")])
    head["LONG"] = "long " * 30
    head.add_comment("written by a test")
    head.add_history("then compressed")
    memory = io.BytesIO()
    hdus = [fits.PrimaryHDU(), fits.CompImageHDU(pixels, header=head, name="SCI", **words)]
    fits.HDUList(hdus).writeto(memory, checksum=True)
    return memory.getvalue()


@pytest.mark.rows("INS-3")
@pytest.mark.parametrize("dtype", ["u1", "i2", "u2", "i4", "u4", "f4", "f8"])
@pytest.mark.parametrize("codec", ["RICE_1", "GZIP_1", "GZIP_2", "HCOMPRESS_1"])
def test_a_compressed_image_shows_its_own_header(fits, dtype, codec):
    data = compressed_file(fits, ramp((20, 30), dtype), compression_type=codec)
    with fits.open(io.BytesIO(data), do_not_scale_image_data=True) as opened, xdr.open(data) as file:
        ours, theirs = file["SCI"].header, opened["SCI"].header
        assert differences(ours, theirs) <= {"BZERO"}  # unsigned: Astropy drops the comment
        assert ours["NAXIS1"] == 30 and ours["XTENSION"] == "IMAGE" and "ZCMPTYPE" not in ours and "TFORM1" not in ours
        assert ours["ZOOM"] == 4 and ours["LONG"] == theirs["LONG"] and ours["COMMENT"] == "written by a test"
        assert [each.keyword for each in ours.cards][:3] == ["XTENSION", "BITPIX", "NAXIS"]


@pytest.mark.rows("INS-3")
def test_headers_of_the_corpus_equal_astropy(corpus, fits):
    compared, wrong = 0, []
    for path in sorted(corpus.rglob("*")):
        if not path.name.endswith((".fits", ".fit", ".fits.fz", ".imfits")):
            continue
        try:
            opened = fits.open(path, do_not_scale_image_data=True)
            theirs = [unit.header for unit in opened]
        except Exception:  # noqa: BLE001: not the subject
            continue
        with opened, xdr.open(path) as file:
            for unit in file:
                compared += 1
                wrong += [(path.name, unit.index, key) for key in differences(unit.header, theirs[unit.index])
                          if (path.name, key) not in KNOWN]
    assert not wrong
    assert compared > 350
