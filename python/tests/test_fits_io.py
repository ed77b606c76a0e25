"""cuphoton.core.fits_io: arguments in their order, listings, policies, receipts. Values: test_fits_io_values.py."""
import dataclasses
import inspect as signatures
import json
import os
import pathlib
import pickle

import numpy
import pytest

from cuphoton import xdr
from cuphoton.core import fits_io
from cuphoton.core.fits_io import inspect_fits_image, inspect_fits_images, read_fits_images, validate_fits_reader
from fits_bytes import block, card, image_hdu, ramp

CUBE = numpy.arange(2 * 3 * 4, dtype="f4").reshape(2, 3, 4)


def has_gpu():
    return xdr.capabilities().device is None


def table_hdu():
    return block([card("XTENSION", "BINTABLE"), card("BITPIX", 8), card("NAXIS", 2), card("NAXIS1", 4), card("NAXIS2", 2),
                  card("PCOUNT", 0), card("GCOUNT", 1), card("TFIELDS", 1), card("TFORM1", "1J")]) + bytes(2880)


def empty_primary():
    return block([card("SIMPLE", True), card("BITPIX", 8), card("NAXIS", 0)])


@pytest.fixture()
def path(tmp_path):
    """An empty primary, an image, a table, a cube, an image without pixels, unsigned pixels, a line."""
    file = tmp_path / "several.fits"
    no_pixels = block([card("XTENSION", "IMAGE"), card("BITPIX", 16), card("NAXIS", 2), card("NAXIS1", 0),
                       card("NAXIS2", 5), card("PCOUNT", 0), card("GCOUNT", 1)])
    file.write_bytes(empty_primary() + image_hdu(ramp((5, 7)), [card("EXTNAME", "SCI")], extension=True) + table_hdu()
                     + image_hdu(CUBE, extension=True) + no_pixels
                     + image_hdu(ramp((5, 7)), [card("BZERO", 32768)], extension=True)
                     + image_hdu(ramp((9,), "i4"), extension=True))
    return file


@pytest.fixture(params=["xdr", "astropy"])
def listed_by(request, monkeypatch):
    """Listings by the library, and by Astropy, which is what an install without the native module has."""
    if request.param == "astropy":
        pytest.importorskip("astropy", reason="Astropy is not installed")
        monkeypatch.setattr("cuphoton.xdr._native.load", missing)
    return request.param


def missing():
    raise RuntimeError("the native module cuphoton.xdr._ext is missing; build it: pip install cuphoton-xdr")


@pytest.mark.rows("NAME-3", "RFI-1")
def test_names_and_signatures():
    assert fits_io.__all__ == ["FitsImageInfo", "FitsReadResult", "inspect_fits_image", "inspect_fits_images",
                               "read_fits_images", "validate_fits_reader"]
    assert str(signatures.signature(inspect_fits_images)) == "(path)"
    assert str(signatures.signature(inspect_fits_image)) == "(path, hdu=None)"
    assert str(signatures.signature(read_fits_images)) == (
        "(path, hdus, *, reader='astropy', device=False, section=None, stream=None, xdr_options=None)")


# --- Listings ------------------------------------------------------------------------------------------------------------


@pytest.mark.rows("INS-1", "INS-3", "INS-5")
def test_listing(path, listed_by):
    infos = inspect_fits_images(path)
    assert [(info.hdu, info.shape, info.dtype, info.compression, info.xdr_unsupported_reason) for info in infos] == [
        (1, (5, 7), numpy.dtype("i2"), None, None), (3, (2, 3, 4), numpy.dtype("f4"), None, None),
        (5, (5, 7), numpy.dtype("u2"), None, None), (6, (9,), numpy.dtype("i4"), None, None)]
    assert {info.path for info in infos} == {path.resolve()} and isinstance(infos[0].path, pathlib.Path)
    assert infos[0].header["extname"] == "SCI" and infos[0].header["NAXIS1"] == 7
    assert infos[2].header["BZERO"] == 32768 and "BZERO" not in infos[0].header
    with pytest.raises(TypeError):
        infos[0].header["EXTNAME"] = "X"
    with pytest.raises(dataclasses.FrozenInstanceError):
        infos[0].hdu = 2
    assert [field.name for field in dataclasses.fields(infos[0])] == [
        "path", "hdu", "shape", "dtype", "header", "compression", "xdr_unsupported_reason"]
    travelled = pickle.loads(pickle.dumps(infos))
    assert travelled == infos and travelled[0].header["EXTNAME"] == "SCI"


@pytest.mark.rows("INS-5")
@pytest.mark.filterwarnings("ignore:Invalid 'BLANK' keyword")
@pytest.mark.parametrize("stored, cards, dtype", [
    ("u1", {}, "u1"), ("i2", {}, "i2"), ("i4", {}, "i4"), ("i8", {}, "i8"), ("f4", {}, "f4"), ("f8", {}, "f8"),
    ("u1", {"BZERO": -128}, "i1"), ("i2", {"BZERO": 32768}, "u2"), ("i4", {"BZERO": 2147483648}, "u4"),
    ("i8", {"BZERO": 9223372036854775808}, "u8"), ("i2", {"BZERO": 32768, "BSCALE": 2}, "f4"), ("u1", {"BZERO": 1}, "f4"),
    ("i2", {"BSCALE": 0.5}, "f4"), ("i4", {"BSCALE": 0.5}, "f8"), ("i8", {"BZERO": 7}, "f8"), ("u1", {"BLANK": 0}, "f4"),
    ("i2", {"BLANK": -1}, "f4"), ("i4", {"BLANK": 3}, "f8"), ("i8", {"BLANK": 3}, "f8"), ("f4", {"BSCALE": 2}, "f4"),
    ("f8", {"BZERO": 2}, "f8"), ("f4", {"BLANK": 3}, "f4"), ("i2", {"BZERO": 32768, "BLANK": 5}, "u2"),
])
def test_logical_type(stored, cards, dtype, listed_by, tmp_path):
    file = tmp_path / "a.fits"
    file.write_bytes(image_hdu(ramp((2, 3), stored), [card(*one) for one in cards.items()]))
    assert inspect_fits_image(file).dtype == numpy.dtype(dtype)


@pytest.mark.rows("INS-2")
def test_no_pixels_are_read(listed_by, tmp_path):
    file = tmp_path / "sparse.fits"
    extent = 60000  # 28.8 GB of pixels that were never written
    with open(file, "wb") as out:
        out.write(block([card("SIMPLE", True), card("BITPIX", -64), card("NAXIS", 2), card("NAXIS1", extent),
                         card("NAXIS2", extent)]))
        out.truncate(2880 + extent * extent * 8)  # whole blocks
    (info,) = inspect_fits_images(file)
    assert (info.shape, info.dtype) == ((extent, extent), numpy.dtype("f8"))


@pytest.mark.rows("INS-1", "RFI-10")
def test_paths(path, listed_by, monkeypatch):
    monkeypatch.setenv("HOME", str(path.parent))
    monkeypatch.chdir(path.parent)
    listed = inspect_fits_images(path)
    for same in (str(path), os.fsencode(path), "~/several.fits", "several.fits", f"../{path.parent.name}/several.fits"):
        assert inspect_fits_images(same) == listed
    odd = path.parent / "odd[1]+2.fits"  # no extended syntax
    path.rename(odd)
    assert inspect_fits_image(odd, 3).shape == (2, 3, 4)
    with pytest.raises(FileNotFoundError):
        inspect_fits_images(path)
    odd.write_bytes(b"hello")
    with pytest.raises(OSError):
        inspect_fits_images(odd)


@pytest.mark.rows("INS-4")
def test_one_image(path, listed_by):
    assert inspect_fits_image(path) == inspect_fits_images(path)[0]
    assert inspect_fits_image(path, 3) == inspect_fits_image(path, numpy.int16(3)) == inspect_fits_images(path)[1]
    for hdu in (True, False, numpy.True_, 1.0, "1", "SCI", (1,), None.__class__, numpy.float64(1), numpy.arange(2)):
        with pytest.raises(ValueError, match="selected by its number"):
            inspect_fits_image(path, hdu)
    for hdu, said in ((-1, "start at 0"), (numpy.int8(-3), "start at 0"), (7, "no HDU 7: the file holds 7"),
                      (2, "HDU 2 holds no image"), (0, "HDU 0 holds no image"),
                      (4, r"HDU 4 holds an image without pixels, shape \(5, 0\)")):
        with pytest.raises(ValueError, match=said):
            inspect_fits_image(path, hdu)
    path.write_bytes(empty_primary() + table_hdu())
    assert inspect_fits_images(path) == ()
    with pytest.raises(ValueError, match="no image with pixels"):
        inspect_fits_image(path)


@pytest.mark.rows("INS-1", "INS-4", "RFI-10")
def test_a_file_that_breaks_off(path):
    whole = path.read_bytes()
    path.write_bytes(whole[:-2880])
    with pytest.raises(xdr.FitsFileError, match="incomplete"):
        inspect_fits_images(path)
    # What comes before the break is there.
    assert inspect_fits_image(path).hdu == 1
    assert read_fits_images(path, [5], reader="auto").arrays[0][0, 1] == 32769
    with pytest.raises(xdr.FitsFileError):
        read_fits_images(path, [6], reader="auto")


@pytest.mark.rows("INS-4", "RFI-10")
def test_an_unreadable_header_after_the_image(path):
    path.write_bytes(path.read_bytes() + b"XTENSION= 'IMAGE   '".ljust(2880))  # no END
    assert xdr.open(path).info.problem
    assert inspect_fits_image(path, 3).shape == (2, 3, 4)
    assert read_fits_images(path, [1], reader="auto").arrays[0].shape == (5, 7)
    for ask in (lambda: inspect_fits_images(path), lambda: inspect_fits_image(path, 7)):
        with pytest.raises(xdr.FitsFileError):
            ask()


@pytest.mark.rows("INS-3")
def test_headers_are_the_same_whoever_listed(tmp_path):
    pytest.importorskip("astropy", reason="Astropy is not installed")
    file = tmp_path / "a.fits"
    file.write_bytes(image_hdu(ramp(), [
        "OBJECT  = 'O''Hara  '           / the name", "EXPTIME =                 12.5 / [s]", "TWICE   = 1 / first",
        "TWICE   = 2 / second", "HIERARCH ESO DET ID = 'ccd' / chip", "NOTHING =                      / none",
        "COMMENT one", "HISTORY h1", "COMMENT two", "FLAG    =                    T"]))
    ours = inspect_fits_image(file).header
    theirs = read_fits_images(file, [0], reader="astropy").infos[0].header
    for header in (ours, theirs):
        assert [header[key] for key in ("object", "EXPTIME", "TWICE", "ESO DET ID", "hierarch eso det id", "NOTHING",
                                        "COMMENT", "HISTORY", "FLAG", "NAXIS1")] == [
            "O'Hara", 12.5, 2, "ccd", "ccd", None, "one\ntwo", "h1", True, 30]
        assert header.comments["twice"] == "second" and header.comments["ESO DET ID"] == "chip"
        assert "ABSENT" not in header and header.get("ABSENT", 5) == 5 and "Object" in header
        assert header.to_astropy()["OBJECT"] == "O'Hara"
        with pytest.raises(KeyError):
            header["ABSENT"]
        with pytest.raises(TypeError):
            header[0]
    assert list(ours) == list(theirs) and len(ours) == len(theirs)
    assert [card[:3] for card in ours.cards] == [card[:3] for card in theirs.cards]


# --- Arguments -----------------------------------------------------------------------------------------------------------


@pytest.mark.rows("RFI-2")
@pytest.mark.parametrize("reader", ["fitsio", "", "XDR", None, 1, ["xdr"], b"xdr"])
def test_no_such_reader(reader):
    with pytest.raises(ValueError, match="reader must be one of astropy, auto, xdr"):
        validate_fits_reader(reader)
    with pytest.raises(ValueError, match="reader must be one of"):
        read_fits_images("/nowhere", [], reader=reader, xdr_options=3, section=3)


@pytest.mark.rows("RFI-2", "RFI-3", "RFI-6", "OPT-2")
def test_order_of_validation():
    """Each fault is found although all later ones, and the missing file, are there too."""
    faults = {"reader": "no", "xdr_options": {"no": "auto"}, "hdus": [], "section": (3,)}
    right = {"reader": "auto", "xdr_options": {}, "hdus": [1], "section": None}
    words = ["reader must be", "unknown xdr option", "hdus is empty", "section must hold slices"]
    for said in words:
        given = {**faults}
        for name in list(faults)[:words.index(said)]:
            given[name] = right[name]
        hdus = given.pop("hdus")
        with pytest.raises(ValueError, match=said):
            read_fits_images("/nowhere/a.fits", hdus, **given)
    with pytest.raises(FileNotFoundError):
        read_fits_images("/nowhere/a.fits", right.pop("hdus"), **right)
    assert [validate_fits_reader(reader) for reader in ("astropy", "auto", "xdr")] == ["astropy", "auto", "xdr"]


@pytest.mark.rows("RFI-3")
@pytest.mark.parametrize("hdus", [[], (), 1, "1", b"1", None, [True], ["1"], [-1], [1.0], [1, None]])
def test_no_selectors(hdus):
    with pytest.raises(ValueError):
        read_fits_images("/nowhere/a.fits", hdus)


@pytest.mark.rows("RFI-3", "RFI-2")
@pytest.mark.parametrize("reader", ["astropy", "auto"])
def test_selectors_of_the_file(path, reader):
    if reader == "astropy":
        pytest.importorskip("astropy", reason="Astropy is not installed")
    result = read_fits_images(path, iter([6, numpy.int64(1), 5, 1]), reader=reader)
    assert [info.hdu for info in result.infos] == [6, 1, 5, 1]
    assert result.arrays[1] is result.arrays[3] and result.infos[1] is result.infos[3]
    assert [array.shape for array in result.arrays] == [(9,), (5, 7), (5, 7), (5, 7)]
    for hdu in (0, 2, 4, 7):
        with pytest.raises(ValueError, match=f"HDU {hdu}"):
            read_fits_images(path, [1, hdu], reader=reader)


@pytest.mark.rows("RFI-6")
@pytest.mark.parametrize("reader", ["astropy", "auto"])
@pytest.mark.parametrize("section", [
    [slice(0, 2), slice(0, 2)], slice(0, 2), (), (slice(0, 2),), (slice(0, 2),) * 3, (0, slice(0, 2)), (..., slice(0, 2)),
    (slice(0, 2), slice(None, 2)), (slice(0, 2), slice(0, None)), (slice(0, 2), slice(0.0, 2)), (slice(0, 2), slice(0, "2")),
    (slice(False, 2), slice(0, 2)), (slice(0, numpy.True_), slice(0, 2)), (slice(0, 2, 0), slice(0, 2)),
    (slice(0, 2, -1), slice(0, 2)), (slice(0, 2, True), slice(0, 2)), (slice(0, 2, 1.0), slice(0, 2)),
    (slice(-2, 2), slice(0, 2)), (slice(0, -1), slice(0, 2)), (slice(2, 2), slice(0, 2)), (slice(3, 2), slice(0, 2)),
    (slice(0, 6), slice(0, 2)), (slice(0, 2), slice(0, 8)), (slice(0, 2), slice(7, 8)),
], ids=str)
def test_no_section(path, reader, section):
    if reader == "astropy":
        pytest.importorskip("astropy", reason="Astropy is not installed")
    with pytest.raises(ValueError, match="section"):
        read_fits_images(path, [1], reader=reader, section=section)


@pytest.mark.rows("RFI-6", "FB-7", "POL-2")
@pytest.mark.parametrize("reader", ["astropy", "auto"])
def test_sections(path, reader):
    if reader == "astropy":
        pytest.importorskip("astropy", reason="Astropy is not installed")
    for section in ((slice(1, 4), slice(2, 7)), (slice(0, 5), slice(6, 7)), (slice(0, 5, 2), slice(1, 7, 3)),
                    (slice(numpy.int16(4), numpy.uint8(5), None), slice(0, 1, numpy.int64(1)))):
        result = read_fits_images(path, [1, 5], reader=reader, section=section)
        assert numpy.array_equal(result.arrays[0], ramp((5, 7))[section])
        assert numpy.array_equal(result.arrays[1], (ramp((5, 7)).astype("i4") + 32768)[section])
        assert result.infos[0].shape == (5, 7)
        assert result.metadata()["hdus"][0]["shape"] == list(ramp((5, 7))[section].shape)
    box = (slice(1, 2), slice(0, 3, 2), slice(1, 4))
    assert numpy.array_equal(read_fits_images(path, [3], reader=reader, section=box).arrays[0], CUBE[box])
    line = read_fits_images(path, [6], reader=reader, section=(slice(2, 9, 3),)).arrays[0]
    assert line.tolist() == [2, 5, 8]
    with pytest.raises(ValueError, match="HDU 3: section has 2 slices"):
        read_fits_images(path, [1, 3], reader=reader, section=(slice(0, 2), slice(0, 2)))


# --- Arrays and receipts -------------------------------------------------------------------------------------------------


@pytest.mark.rows("RFI-4")
@pytest.mark.parametrize("reader", ["astropy", "auto"])
def test_arrays_are_native_and_owned(path, reader):
    if reader == "astropy":
        pytest.importorskip("astropy", reason="Astropy is not installed")
    result = read_fits_images(path, [1, 3, 5, 6], reader=reader)
    path.unlink()
    for array, info in zip(result.arrays, result.infos):
        assert type(array) is numpy.ndarray and array.dtype == info.dtype and array.dtype.isnative
        assert array.flags.owndata and array.flags.c_contiguous and array.flags.writeable
        array += 1
    assert numpy.array_equal(result.arrays[1], CUBE + 1)


@pytest.mark.rows("REC-1", "REC-2", "REC-3", "REC-4", "POL-4")
@pytest.mark.parametrize("reader", ["astropy", "auto"])
def test_receipt(path, reader):
    if reader == "astropy":
        pytest.importorskip("astropy", reason="Astropy is not installed")
    result = read_fits_images(path, [1, 3, 1], reader=reader)
    facts = result.metadata()
    assert list(facts) == ["reader", "requested_reader", "engine", "location", "fallback_reason", "hdus", "decoded_bytes"]
    assert json.loads(json.dumps(facts)) == facts
    assert not any(claim in json.dumps(facts).lower() for claim in ("gds", "direct", "bytes_read", "storage"))
    image = {"hdu": 1, "shape": [5, 7], "dtype": "<i2", "compression": None}
    assert facts["hdus"] == [image, {"hdu": 3, "shape": [2, 3, 4], "dtype": "<f4", "compression": None}, image]
    assert facts["decoded_bytes"] == 2 * 70 + 96
    assert (facts["requested_reader"], facts["location"]) == (reader, "host")
    assert (facts["reader"], result.device, result.xdr_options) == (result.reader, False, {})
    if reader == "astropy":
        assert (facts["reader"], facts["engine"], facts["fallback_reason"]) == ("astropy", "astropy", None)
        assert result.receipts == ()
    else:
        assert facts["reader"] == "xdr" and facts["engine"] == ("gpu" if has_gpu() else "host")
        assert len(result.receipts) == 3 and result.receipts[1]["hdu"] == 3
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.reader = "xdr"
    assert [field.name for field in dataclasses.fields(result)][:7] == [
        "arrays", "infos", "reader", "requested_reader", "fallback_reason", "device", "xdr_options"]
    assert pickle.loads(pickle.dumps(result)).metadata() == facts


@pytest.mark.rows("REC-3", "RC-4", "RC-12", "OPT-3")
@pytest.mark.parametrize("reader", ["astropy", "auto"])
def test_options_are_recorded_whoever_reads(path, reader):
    """Nothing is compressed here: every request is accepted, and recorded as it was made."""
    if reader == "astropy":
        pytest.importorskip("astropy", reason="Astropy is not installed")
    for options in ({"postprocess": "separate"}, {"gzip_decoder": "auto"}, {"decompression_backend": "hardware"},
                    {"postprocess": "native", "gzip_decoder": "deflate", "decompression_backend": "cuda"}):
        result = read_fits_images(path, [1], reader=reader, xdr_options=options)
        assert result.xdr_options == result.metadata()["xdr_options"] == options
        assert result.xdr_options is not options
        assert numpy.array_equal(result.arrays[0], ramp((5, 7)))
    assert "xdr_options" not in read_fits_images(path, [1], reader=reader, xdr_options={}).metadata()
