"""read_fits_images gives Astropy 8's values and types, whoever reads; and fitsio's, where those two agree."""
import fnmatch
import os
import pathlib
import warnings

import numpy
import pytest

from cuphoton import xdr
from cuphoton.core import fits_io
from cuphoton.core.fits_io import inspect_fits_images, read_fits_images
from fits_bytes import card, image_hdu, ramp

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


def difference(got, wanted):
    """Text of the first difference in type, shape or bits; NaNs count by place, since arithmetic makes either sign."""
    if (got.dtype, got.shape) != (wanted.dtype, wanted.shape):
        return f"{got.dtype} {got.shape}, expected {wanted.dtype} {wanted.shape}"
    if got.tobytes() == wanted.tobytes():
        return ""
    words = f"u{got.itemsize}"
    unequal = got.view(words) != wanted.view(words)
    if got.dtype.kind == "f":
        unequal &= ~(numpy.isnan(got) & numpy.isnan(wanted))
    return f"{numpy.count_nonzero(unequal)} pixels differ" if unequal.any() else ""


def astropy_8():
    astropy = pytest.importorskip("astropy", reason="Astropy is not installed")
    if int(astropy.__version__.split(".")[0]) < 8:
        pytest.skip(f"Astropy {astropy.__version__} is older than 8, whose values are the reference")


def exceptions():
    """Where Astropy differs on purpose (tests/golden/exceptions.tsv), except BLANK = 0, which its reader here repairs."""
    rows = [line.rstrip("\n").split("\t") for line in (REPOSITORY / "tests/golden/exceptions.tsv").read_text().splitlines()
            if line.strip() and not line.startswith("#")]
    return [place for reader, place, values, why in rows
            if reader == "astropy" and values != "stored" and not why.startswith("BLANK = 0")]


def box_of(shape):
    return tuple(slice(extent // 3, max(extent - extent // 4, extent // 3 + 1), 1 + axis % 3)
                 for axis, extent in enumerate(shape))


def compare_file(path, excepted, failures):
    """How many images of a file are equal by both readers, whole and in part."""
    try:
        infos = inspect_fits_images(path)
    except (xdr.FitsFileError, xdr.CorruptImageError, xdr.UnsupportedError):
        return 0
    equal = 0
    for info in infos:
        place = f"{path.name}/{info.hdu}"
        try:
            ours = read_fits_images(path, [info.hdu], reader="auto")
        except (xdr.CorruptImageError, xdr.UnsupportedError):
            continue
        if any(fnmatch.fnmatchcase(place, pattern) for pattern in excepted):
            continue
        theirs = read_fits_images(path, [info.hdu], reader="astropy")
        said = difference(ours.arrays[0], theirs.arrays[0])
        listed = theirs.infos[0]
        if (listed.shape, listed.dtype, listed.compression) != (info.shape, info.dtype, info.compression):
            said = said or f"listed as {listed} and {info}"
        box = box_of(info.shape)
        for reader in ("auto", "astropy"):
            part = read_fits_images(path, [info.hdu], reader=reader, section=box).arrays[0]
            said = said or difference(part, ours.arrays[0][box])
        if said:
            failures.append(f"{place}: {said}")
        equal += not said
    return equal


def compare_files(paths, excepted, at_least):
    failures = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Astropy's, about files that are odd on purpose
        equal = sum(compare_file(path, excepted, failures) for path in sorted(paths))
    assert failures == []
    assert equal >= at_least


@pytest.mark.rows("RFI-4", "RFI-8", "INS-3", "INS-5", "RC-13")
def test_corpus(corpus):
    astropy_8()
    paths = [path for path in corpus.glob("*/*") if ".fi" in path.name and path.suffix != ".Z"]
    compare_files(paths, ["tile_hcompress_clip16.fits/1"], 290)


@pytest.mark.rows("RFI-4", "RFI-8", "INS-3", "INS-5")
def test_golden_files():
    astropy_8()
    folder = pathlib.Path(os.environ.get("XDR_GOLDEN", REPOSITORY / "build" / "golden")) / "files"
    if not folder.is_dir():
        pytest.skip(f"the golden files are not at {folder} (tests/golden/golden_test.py makes them; XDR_GOLDEN names them)")
    compare_files([path for path in folder.iterdir() if not path.name.startswith("hostile")], exceptions(), 1000)


@pytest.mark.rows("RFI-4", "INS-5")
@pytest.mark.parametrize("stored", ["u1", "i2", "i4", "i8"])
@pytest.mark.parametrize("compressed", [False, True])
def test_blank_0_is_nan_whoever_reads(tmp_path, stored, compressed):
    astropy_8()
    from astropy.io import fits

    file = tmp_path / "a.fits"
    pixels = ramp((4, 5), stored)
    if compressed:
        fits.CompImageHDU(pixels, fits.Header([("BLANK", 0)]), compression_type="GZIP_1").writeto(file)
    else:
        file.write_bytes(image_hdu(pixels, [card("BLANK", 0), card("BSCALE", 2)]))
    for section in (None, (slice(0, 3), slice(0, 4, 3))):
        for reader in ("auto", "astropy"):
            got = read_fits_images(file, [int(compressed)], reader=reader, section=section).arrays[0]
            wanted = (1 if compressed else 2) * pixels[section or ...].astype("f4" if stored in ("u1", "i2") else "f8")
            wanted[0, 0] = numpy.nan
            assert difference(got, wanted) == "", (reader, section)


@pytest.mark.rows("RFI-4")
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_bit_patterns_of_floats(tmp_path, dtype):
    """Signalling and quiet NaNs with payloads, zeros of both signs, subnormals, infinities."""
    words = {"f4": [0x7F800001, 0xFFC12345, 0x7FC00000, 0x80000000, 1, 0x7F800000, 0xFF800000, 0xFFFFFFFF],
             "f8": [0x7FF0000000000001, 0xFFF8123456789ABC, 0x7FF8000000000000, 1 << 63, 1, 0x7FF << 52, 0xFFF << 52,
                    (1 << 64) - 1]}[dtype]
    file = tmp_path / "a.fits"
    pixels = numpy.array(words, f"u{dtype[1]}").view(dtype).reshape(2, 4)
    file.write_bytes(image_hdu(pixels))
    readers = ["auto"]
    try:
        import astropy  # noqa: F401

        readers.append("astropy")
    except ImportError:
        pass
    for reader in readers:
        assert read_fits_images(file, [0], reader=reader).arrays[0].tobytes() == pixels.tobytes()


# What fitsio writes.
FITSIO_TYPES = {None: "u1 i2 u2 i4 u4 i8 f4 f8", "GZIP": "u1 i2 u2 i4 u4 f4 f8", "GZIP_2": "u1 i2 u2 i4 u4 f4 f8",
                "RICE": "u1 i2 u2 i4 u4 f4 f8", "HCOMPRESS": "u1 i2 i4 f4 f8", "PLIO": "u1 i2 i4"}


@pytest.mark.rows("RFI-4")
@pytest.mark.parametrize("codec, dtype",
                         [(codec, dtype) for codec, types in FITSIO_TYPES.items() for dtype in types.split()])
def test_fitsio(tmp_path, codec, dtype):
    fitsio = pytest.importorskip("fitsio", reason="fitsio is not installed")
    noise = numpy.random.default_rng(3).normal(1000, 40, (33, 47))
    pixels = (noise.clip(0, 200 if dtype == "u1" else 30000)).astype(dtype)
    file = tmp_path / "a.fits"
    words = {"compress": codec, "tile_dims": (8, 16)} if codec else {}
    methods = ["NO_DITHER", "SUBTRACTIVE_DITHER_1", "SUBTRACTIVE_DITHER_2"] if codec and dtype[0] == "f" else [None]
    with fitsio.FITS(str(file), "rw") as out:
        for method in methods:
            out.write(pixels, **words, **({"qlevel": 4.0, "qmethod": method, "dither_seed": 77} if method else {}))
    with fitsio.FITS(str(file)) as theirs:
        infos = inspect_fits_images(file)
        assert len(infos) == len(methods)
        ours = read_fits_images(file, [info.hdu for info in infos], reader="auto")
        for info, array in zip(infos, ours.arrays):
            assert difference(array, theirs[info.hdu].read()) == ""
            part = read_fits_images(file, [info.hdu], reader="auto", section=(slice(5, 30), slice(7, 40))).arrays[0]
            assert difference(part, theirs[info.hdu][5:30, 7:40]) == ""


@pytest.mark.rows("RC-1", "RC-3", "RC-4", "RC-13")
def test_controls_change_no_pixel(tmp_path):
    astropy_8()
    from astropy.io import fits

    file = tmp_path / "a.fits"
    sky = numpy.random.default_rng(5).normal(size=(40, 30)).astype("f4")
    fits.HDUList([fits.PrimaryHDU(ramp()), fits.CompImageHDU(ramp(), compression_type="GZIP_2"),
                  fits.CompImageHDU(sky, compression_type="GZIP_1")]).writeto(file)
    wanted = read_fits_images(file, [0, 1, 2]).arrays
    for mode in ("auto", "fused", "separate", "native"):
        for backend in ("auto", "cuda"):
            options = {"postprocess": mode, "gzip_decoder": "builtin", "decompression_backend": backend}
            result = read_fits_images(file, [0, 1, 2], reader="auto", xdr_options=options)
            assert [difference(*pair) for pair in zip(result.arrays, wanted)] == ["", "", ""]
            assert result.metadata()["xdr_options"] == options


def test_the_exceptions_are_known():
    """The table that excuses differences is read, and leaves BLANK = 0 without an excuse."""
    patterns = exceptions()
    assert len(patterns) > 30 and not any("blank-zero" in pattern for pattern in patterns)
    assert fits_io.READERS == ("astropy", "auto", "xdr")
