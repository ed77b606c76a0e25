"""Mistakes that users make, each with its whole message: user_mistakes.txt is what they see, and is compared as it stands.

After a change of wording: XDR_WRITE_MISTAKES=1 pytest python/tests/test_user_mistakes.py, then read the difference.
"""
import io
import os
import pathlib
import pickle
import sys

import numpy
import pytest

from cuphoton import xdr
from fits_bytes import block, card, image_hdu, ramp

EXPECTED = pathlib.Path(__file__).with_name("user_mistakes.txt")
DATA = (block([card("SIMPLE", True), card("BITPIX", 8), card("NAXIS", 0)])
        + image_hdu(ramp((4, 5), "i2"), [card("EXTNAME", "SCI")], extension=True))


def closed():
    with xdr.open(DATA) as file:
        pass
    return file[1].read()


MISTAKES = {
    "a path with a typing error": lambda: xdr.read("m31.fitz"),
    "a folder": lambda: xdr.open(os.sep).info,
    "a picture that is no FITS file": lambda: xdr.read(b"\x89PNG\r\n\x1a\n" + bytes(4000)),
    "a download that stopped": lambda: xdr.read(DATA[:-2880 + 20]),
    "a file that somebody zipped": lambda: xdr.read(b"PK\3\4" + DATA),
    "a file opened as text": lambda: xdr.open(io.StringIO("SIMPLE  =")),
    "the primary HDU, which has no pixels": lambda: xdr.read(DATA, 0),
    "an HDU number behind the last": lambda: xdr.open(DATA)[2],
    "the same in a read": lambda: xdr.read(DATA, 2),
    "an HDU counted from the end": lambda: xdr.open(DATA)[-1],
    "a name that no HDU has": lambda: xdr.open(DATA)["ERR"],
    "the same in a read with a version": lambda: xdr.read(DATA, ("ERR", 1)),
    "a number where a slice belongs": lambda: xdr.read(DATA, 1, (0, slice(None))),
    "one slice for two axes": lambda: xdr.read(DATA, 1, slice(0, 2)),
    "x before y": lambda: xdr.read(DATA, 1, (slice(0, 5), slice(0, 4))),
    "a step backwards": lambda: xdr.read(DATA, 1, (slice(None, None, -1), slice(None))),
    "out= with x before y": lambda: xdr.read(DATA, 1, out=numpy.empty((5, 4), "i2")),
    "out= of another type": lambda: xdr.read(DATA, 1, out=numpy.empty((4, 5), "f4")),
    "out= from Astropy, big-endian": lambda: xdr.read(DATA, 1, out=numpy.empty((4, 5), ">i2")),
    "out= in Fortran order": lambda: xdr.read(DATA, 1, out=numpy.empty((4, 5), "i2", order="F")),
    "out= that may not be written": lambda: xdr.read(DATA, 1, out=bytes(40)),
    "out= and device=": lambda: xdr.read(DATA, 1, out=numpy.empty((4, 5), "i2"), device="cpu"),
    "a device of other libraries": lambda: xdr.read(DATA, 1, device="gpu"),
    "an engine that is none": lambda: xdr.read(DATA, 1, engine="cuda"),
    "a stream that is none": lambda: xdr.read(DATA, 1, stream="default"),
    "a control with a typing error": lambda: xdr.read(DATA, 1, postproces="fused"),
    "a control's value": lambda: xdr.read(DATA, 1, postprocess="fast"),
    "a read after close": closed,
    "a changed header": lambda: xdr.open(DATA)[1].header.__setitem__("OBJECT", "M 31"),
    "a path that is None": lambda: xdr.read(None),
}


def told(mistake):
    with pytest.raises(Exception) as caught:
        mistake()
    return f"{type(caught.value).__name__}: {caught.value}"


def blocks(messages):
    return "".join(f"# {name}\n{message}\n\n" for name, message in messages.items())


def expected():
    parts = (part.strip() for part in EXPECTED.read_text().split("\n\n"))
    return dict(part.removeprefix("# ").split("\n", 1) for part in parts if part)


def test_the_list_is_the_list():
    if os.environ.get("XDR_WRITE_MISTAKES") == "1":
        EXPECTED.write_text(blocks({name: told(mistake) for name, mistake in MISTAKES.items()}))
    assert list(expected()) == list(MISTAKES)
    assert len(MISTAKES) >= 12


@pytest.mark.parametrize("name", MISTAKES)
def test_whole_message(name):
    assert told(MISTAKES[name]) == expected()[name]


@pytest.mark.parametrize("ask", [lambda: xdr.open(DATA)[2], lambda: xdr.read(DATA, 2), lambda: xdr.open(DATA)["ERR"],
                                 lambda: xdr.read(DATA, "ERR")])
def test_a_missing_hdu_is_one_exception_however_it_was_asked(ask):
    with pytest.raises(ValueError) as caught:
        ask()
    assert isinstance(caught.value, IndexError) and isinstance(caught.value, KeyError)
    assert caught.value.code == "hdu_not_found" and caught.value.path == "<bytes>"


def test_the_gpu_where_there_is_none():
    if xdr.capabilities().device is None:
        pytest.skip("there is a GPU here")
    for words in ({"engine": "gpu"}, {"device": "cuda:0"}):
        with pytest.raises(xdr.UnsupportedError) as caught:
            xdr.read(DATA, 1, **words)
        assert xdr.capabilities().device.detail in str(caught.value)
        assert [reason.code for reason in caught.value.reasons] == ["device_unavailable"]


def test_a_url_without_fsspec(monkeypatch):
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(ImportError) as caught:
        xdr.read("https://example.org/a.fits")
    assert str(caught.value) == "https://example.org/a.fits: URLs need fsspec: pip install 'cuphoton-xdr[remote]'"


@pytest.mark.parametrize("name", ["an HDU number behind the last", "a download that stopped", "a file that somebody zipped",
                                  "out= of another type", "a path with a typing error"])
def test_exceptions_travel(name):
    with pytest.raises(Exception) as caught:
        MISTAKES[name]()
    there = pickle.loads(pickle.dumps(caught.value))
    assert type(there) is type(caught.value) and str(there) == str(caught.value)
    for fact in ("code", "path", "hdu", "tile"):
        assert getattr(there, fact) == getattr(caught.value, fact)
    assert [str(reason) for reason in there.reasons] == [str(reason) for reason in caught.value.reasons]
