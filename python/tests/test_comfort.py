"""What an opened file shows of itself, and what the library tells logging; it prints nothing."""
import logging

import numpy
import pytest

from cuphoton import xdr
from fits_bytes import block, card, image_hdu, ramp

DATA = (block([card("SIMPLE", True), card("BITPIX", 8), card("NAXIS", 0)])
        + image_hdu(ramp((4, 5), "i2"), [card("EXTNAME", "A<B&C"), card("BZERO", 32768)], extension=True)
        + image_hdu(ramp((2, 3, 4), "f4"), extension=True))


def test_repr_is_the_table_of_hdus():
    with xdr.open(DATA) as file:
        assert repr(file) == ("<File <bytes>>\n"
                              "hdu  name   kind   shape      dtype    codec\n"
                              "0           empty\n"
                              "1    A<B&C  image  (4, 5)     uint16\n"
                              "2           image  (2, 3, 4)  float32")
        assert repr(file[1]) == "<Hdu 1 'A<B&C': uint16 (4, 5), plain>"
        assert repr(file[0]) == "<Hdu 0: empty>"
    assert repr(file) == "<closed File>"


def test_html_repr_is_the_same_table_with_marks_escaped():
    with xdr.open(DATA) as file:
        page = file._repr_html_()
        assert page.startswith("<table><thead><tr><th>hdu</th><th>name</th>") and page.endswith("</tbody></table>")
        assert page.count("<tr>") == 4 and "<td>A&lt;B&amp;C</td>" in page and "A<B" not in page
        assert "<td>(2, 3, 4)</td><td>float32</td>" in page
    assert "closed" in file._repr_html_()


def test_images_are_those_with_pixels():
    with xdr.open(DATA) as file:
        assert [hdu.index for hdu in file.images] == [1, 2]
        assert len(file) == 3 and [hdu.kind for hdu in file] == ["empty", "image", "image"]


@pytest.mark.parametrize("into_out", [False, True])
def test_one_debug_line_for_each_reason(caplog, into_out):
    with caplog.at_level(logging.DEBUG, "cuphoton.xdr"):
        if into_out:
            xdr.read(DATA, 1, out=numpy.empty((4, 5), "u2"))
        array = xdr.read(DATA, 1, device="cpu")
        reasons = array.receipt["reasons"]
        lines = [record for record in caplog.records if record.name == "cuphoton.xdr"]
        assert len(lines) == len(reasons) * (2 if into_out else 1)
        for reason, line in zip(reasons, lines):
            assert line.levelno == logging.DEBUG
            assert line.getMessage() == f"<bytes>: HDU {reason['hdu']}: {reason['code']}: {reason['detail']}"
    if array.receipt["engine"] == "host":
        assert reasons  # without a GPU there is one to tell


def test_no_reason_no_line(caplog):
    with caplog.at_level(logging.DEBUG, "cuphoton.xdr"):
        assert xdr.read(DATA, 1, engine="host", device="cpu").receipt["reasons"] == []
    assert not caplog.records


def test_nothing_is_printed(capfd):
    with xdr.open(DATA) as file:
        repr(file), file._repr_html_(), file[1].read(device="cpu"), file[1].plan(), repr(file[1].header)
    with pytest.raises(ValueError):
        xdr.read(b"no FITS file")
    assert capfd.readouterr() == ("", "")
