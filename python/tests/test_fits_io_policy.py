"""Which reader reads, and why: every reason of the contract that is left, and those that are gone."""
import contextlib
import gzip
import logging
import pathlib
import sys
import types

import numpy
import pytest

from cuphoton import xdr
from cuphoton.core import fits_io
from cuphoton.core.fits_io import inspect_fits_image, inspect_fits_images, read_fits_images
from fits_bytes import card, image_hdu, ramp


def has_gpu():
    return xdr.capabilities().device is None


needs_no_gpu = pytest.mark.skipif("has_gpu()", reason="this machine has a GPU: the GPU engine reads")


@pytest.fixture()
def path(tmp_path):
    file = tmp_path / "a.fits"
    file.write_bytes(image_hdu(ramp()) + image_hdu(ramp((4, 5), "f4"), [card("BSCALE", 2)], extension=True))
    return file


@pytest.fixture()
def astropy_fits():
    return pytest.importorskip("astropy.io.fits", reason="Astropy is not installed")


@pytest.fixture()
def no_native(monkeypatch, astropy_fits):
    """An install without the native module. Astropy, if it is asked, works."""
    def missing():
        raise RuntimeError("the native module cuphoton.xdr._ext is missing; build it: pip install cuphoton-xdr")

    monkeypatch.setattr("cuphoton.xdr._native.load", missing)


@pytest.fixture()
def no_astropy(monkeypatch):
    """Whoever opens a file with Astropy fails."""
    class Forbidden:
        def __init__(self, *arguments):
            raise AssertionError("Astropy was asked to read")

    monkeypatch.setattr(fits_io, "_AstropyFile", Forbidden)


def tiled(astropy_fits, file, pixels, **words):
    astropy_fits.CompImageHDU(pixels, **words).writeto(file)
    return file


@pytest.mark.rows("FB-1", "FB-2", "FB-3", "FB-4", "FB-5", "FB-7", "POL-2")
def test_reasons_that_are_gone(tmp_path, astropy_fits, no_astropy):
    """What used to send a file to Astropy is read by xDR itself, whichever engine it has here."""
    sky = numpy.random.default_rng(1).normal(100, 5, (20, 30)).astype("f4")
    sky[3, 4] = numpy.nan
    blank = tmp_path / "blank.fits"
    blank.write_bytes(image_hdu(ramp(), [card("BLANK", 7), card("BSCALE", 2)]))
    files = [tiled(astropy_fits, tmp_path / f"{codec}.fits", ramp(), compression_type=codec)
             for codec in ("RICE_1", "HCOMPRESS_1", "PLIO_1", "GZIP_1", "GZIP_2")]
    files += [tiled(astropy_fits, tmp_path / f"dither{method}.fits", sky, quantize_method=method, quantize_level=8)
              for method in (-1, 1, 2)]
    files += [tiled(astropy_fits, tmp_path / "unsigned.fits", ramp().astype("u2")), blank]
    for file in files:
        number = inspect_fits_images(file)[0].hdu
        assert inspect_fits_image(file).xdr_unsupported_reason is None
        for section in (None, (slice(2, 9), slice(3, 30, 4))):
            result = read_fits_images(file, [number], reader="auto", section=section)
            assert result.reader == "xdr" and result.engine == ("gpu" if has_gpu() else "host"), file


@pytest.mark.rows("FB-8", "POL-1", "RFI-9")
@needs_no_gpu
def test_no_gpu(path, no_astropy):
    result = read_fits_images(path, [0, 1], reader="auto")
    assert result.metadata()["engine"] == "host"
    assert result.fallback_reason.startswith("device_unavailable: ")
    assert result.fallback_reason.count("unavailable") == 1  # said once, though two HDUs were read
    with pytest.raises(xdr.UnsupportedError, match="reader='xdr' needs the GPU engine.*unavailable") as refused:
        read_fits_images(path, [0], reader="xdr")
    assert isinstance(refused.value, ValueError) and isinstance(refused.value, RuntimeError)
    assert [reason.code for reason in refused.value.reasons] == ["device_unavailable"]
    assert pathlib.Path(refused.value.path) == path.resolve()


@pytest.mark.rows("FB-8", "REC-2", "REC-3", "RC-12", "RC-14")
def test_no_native_module(path, no_native, caplog):
    with caplog.at_level(logging.DEBUG, "cuphoton.xdr"):
        result = read_fits_images(path, [1], reader="auto", xdr_options={"gzip_decoder": "gzip"})
    assert numpy.array_equal(result.arrays[0], 2 * ramp((4, 5), "f4"))
    facts = result.metadata()
    assert (facts["reader"], facts["engine"], facts["requested_reader"]) == ("astropy", "astropy", "auto")
    assert facts["fallback_reason"].startswith("unavailable: the native module")
    assert "pip install" in facts["fallback_reason"]
    assert facts["xdr_options"] == {"gzip_decoder": "gzip"}
    assert [record.levelname for record in caplog.records] == ["DEBUG"] and "unavailable" in caplog.text
    with pytest.raises(xdr.UnsupportedError, match="reader='xdr': unavailable: the native module.*build it"):
        read_fits_images(path, [1], reader="xdr")


@pytest.mark.rows("FB-6")
def test_outer_compression_that_only_astropy_unpacks(path, astropy_fits, no_gzip_in_xdr):
    """Found by content, whatever the name says."""
    path.write_bytes(gzip.compress(path.read_bytes()))
    result = read_fits_images(path, [0, 1], reader="auto", section=(slice(0, 2), slice(1, 5)))
    assert result.reader == "astropy" and "externally compressed" in result.fallback_reason
    assert numpy.array_equal(result.arrays[0], ramp()[0:2, 1:5])
    assert "externally compressed" in inspect_fits_image(path).xdr_unsupported_reason
    with pytest.raises(xdr.UnsupportedError, match="externally compressed"):
        read_fits_images(path, [0], reader="xdr")
    assert read_fits_images(path, [0], reader="astropy").fallback_reason is None


@pytest.fixture()
def no_gzip_in_xdr(monkeypatch):
    """The library's refusal of a .Z, said of a gzip file, since few installs of Astropy can unpack .Z."""
    from cuphoton.xdr import _file, errors

    def refuse(source):
        text = "the file is externally compressed by compress (.Z); unpack it with uncompress"
        raise errors.make_error("unsupported", text, text, str(source), None, None, [ExternallyCompressed], 0)

    monkeypatch.setattr(_file, "open_source", refuse)


class ExternallyCompressed:
    code, detail, hdu = "externally_compressed", "the file is externally compressed", -1


@pytest.mark.rows("FB-6")
def test_compress_file_of_the_corpus(corpus, astropy_fits):
    pytest.importorskip("uncompresspy", reason="uncompresspy, by which Astropy unpacks .Z, is not installed")
    file = corpus / "astropy+astropy" / "lzw.fits.Z"
    result = read_fits_images(file, [0], reader="auto")
    assert result.reader == "astropy" and "externally compressed by compress (.Z)" in result.fallback_reason
    assert numpy.array_equal(result.arrays[0], read_fits_images(file, [0]).arrays[0])


@pytest.mark.rows("POL-1", "RFI-9", "RC-15")
def test_what_xdr_refuses_is_not_given_to_astropy(path, no_astropy):
    """Two bad HDUs and a good one: nothing is read, and everything is said."""
    path.write_bytes(image_hdu(ramp()) + 2 * image_hdu(ramp(), extension=True).replace(
        b"GCOUNT  =                    1", b"GCOUNT  =                    2").ljust(2880, b"\0"))
    infos = inspect_fits_images(path)
    assert infos[0].xdr_unsupported_reason is None and "GCOUNT" in infos[1].xdr_unsupported_reason
    for reader in ("auto", "xdr"):
        with pytest.raises(xdr.UnsupportedError, match="array_parameters.*array_parameters") as refused:
            read_fits_images(path, [0, 1, 2], reader=reader)
        assert [(reason.code, reason.hdu) for reason in refused.value.reasons] == [("array_parameters", 1),
                                                                                  ("array_parameters", 2)]


@pytest.mark.rows("POL-1", "RFI-9", "RC-15")
def test_damage_is_no_reason_to_try_another_reader(tmp_path, astropy_fits, no_astropy):
    file = tiled(astropy_fits, tmp_path / "a.fits", ramp((64, 64)), compression_type="GZIP_1")
    data = bytearray(file.read_bytes())
    at = data.rindex(b"\x1f\x8b\x08")  # the last tile
    data[at] ^= 0xFF
    file.write_bytes(data)
    with pytest.raises(xdr.CorruptImageError) as damage:
        read_fits_images(file, [1], reader="auto")
    assert (damage.value.code, damage.value.hdu, damage.value.tile) == ("tile_corrupt", 1, 63)


@pytest.mark.rows("RFI-7", "REC-3")
def test_what_xdr_is_asked_for(path, monkeypatch):
    """The explicit options and no others."""
    checked = []
    check = sys.modules["cuphoton.xdr._file"].check_controls
    monkeypatch.setattr("cuphoton.xdr._controls.check_controls",
                        lambda given: (checked.append(dict(given)), check(given))[1])
    for options in ({}, {"postprocess": "auto"}, {"postprocess": "separate", "gzip_decoder": "builtin"}):
        checked.clear()
        result = read_fits_images(path, [1], reader="auto", xdr_options=options)
        assert checked and all(given == options for given in checked)
        requested = result.receipts[0]["requested"]
        assert (requested["section"], requested["values"]) == (None, "scaled")


@pytest.mark.rows("RFI-9")
def test_every_image_is_planned_before_one_is_read(path, monkeypatch):
    native = sys.modules["cuphoton.xdr._native"].load()
    order = []

    class Counting:
        def __getattr__(self, name):
            value = getattr(native, name)
            if name not in ("plan", "read_to"):
                return value
            return lambda *arguments: (order.append(name), value(*arguments))[1]

    monkeypatch.setattr("cuphoton.xdr._native.load", Counting)
    read_fits_images(path, [0, 1, 0], reader="auto")
    assert order == ["plan", "plan", "read_to", "read_to"]


@pytest.mark.rows("RFI-8")
def test_a_header_that_says_something_else(path, monkeypatch, astropy_fits):
    wrong = numpy.dtype("f8")
    monkeypatch.setattr(fits_io, "_scaled_dtype", lambda header: wrong)
    with pytest.raises(RuntimeError, match="Astropy gave int16.*the header says float64"):
        read_fits_images(path, [0], reader="astropy")
    monkeypatch.setattr("cuphoton.xdr._file.Hdu.dtype", wrong)
    with pytest.raises(RuntimeError, match="not what its header said"):
        read_fits_images(path, [0], reader="auto")


# --- Device arrays, with a CuPy that keeps its arrays in host memory -------------------------------------------------------


class HostCupy(types.ModuleType):
    """As much of CuPy as the reader uses. Says on which stream what was allocated, and what was waited for."""

    def __init__(self, devices=1):
        super().__init__("cupy")
        self.said = []
        here = self

        class Array(numpy.ndarray):
            def set(self, pixels, stream=None):
                here.said.append(("set", stream.ptr))
                self[...] = pixels

        class Stream(contextlib.AbstractContextManager):
            current = [0]

            def __init__(self, ptr=5):
                self.ptr = ptr

            def __enter__(self):
                self.current.append(self.ptr)
                return self

            def __exit__(self, *exception):
                self.current.pop()

            def synchronize(self):
                here.said.append(("synchronize", self.ptr))

        def empty(shape, dtype):
            here.said.append(("empty", Stream.current[-1]))
            return numpy.empty(shape, dtype).view(Array)

        self.empty, self.ndarray = empty, Array
        self.cuda = types.SimpleNamespace(
            Stream=Stream, ExternalStream=type("ExternalStream", (Stream,), {}),
            get_current_stream=lambda: Stream(Stream.current[-1]),
            runtime=types.SimpleNamespace(getDeviceCount=lambda: devices))


@pytest.fixture()
def cupy(monkeypatch):
    made = HostCupy()
    monkeypatch.setitem(sys.modules, "cupy", made)
    return made


@pytest.fixture(params=["GPU", "no GPU"])
def library(request, monkeypatch):
    """The library says that it can use a GPU, or that it cannot. It writes to HostCupy's arrays either way."""
    native = sys.modules["cuphoton.xdr._native"].load()
    said = types.SimpleNamespace(device=None if request.param == "GPU" else "built without CUDA")

    class Saying:
        def __getattr__(self, name):
            return (lambda: said) if name == "capabilities" else getattr(native, name)

    monkeypatch.setattr("cuphoton.xdr._native.load", Saying)
    return request.param


@pytest.mark.rows("RFI-5", "RFI-3")
@pytest.mark.parametrize("reader", ["astropy", "auto"])
def test_device_arrays_come_from_the_callers_cupy(path, reader, cupy, library):
    if reader == "astropy":
        pytest.importorskip("astropy", reason="Astropy is not installed")
    for stream, number in ((None, 0), (cupy.cuda.Stream(7), 7), (9, 9), (types.SimpleNamespace(cuda_stream=11), 11)):
        cupy.said.clear()
        result = read_fits_images(path, [0, 1, 0], reader=reader, device=True, stream=stream)
        assert {where for _, where in cupy.said} == {number}
        assert [what for what, _ in cupy.said] == (
            ["empty"] * 2 if (reader, library) == ("auto", "GPU") else ["empty", "set", "synchronize"] * 2)
        assert cupy.cuda.Stream.current == [0]
        assert result.device is True and result.metadata()["location"] == "device"
        assert result.arrays[0] is result.arrays[2] and numpy.array_equal(result.arrays[0], ramp())
        assert all(isinstance(array, cupy.ndarray) for array in result.arrays)


@pytest.mark.rows("RFI-5")
@pytest.mark.parametrize("reader", ["astropy", "auto"])
@pytest.mark.parametrize("trouble", ["absent", "broken", "no device", "driver"])
def test_device_arrays_need_cupy_and_a_device(path, reader, trouble, monkeypatch):
    if reader == "astropy":
        pytest.importorskip("astropy", reason="Astropy is not installed")
    if trouble == "absent":
        monkeypatch.setitem(sys.modules, "cupy", None)
    elif trouble == "no device":
        monkeypatch.setitem(sys.modules, "cupy", HostCupy(devices=0))
    else:
        class Broken(types.ModuleType):
            def __getattr__(self, name):
                raise OSError("libcudart.so.13: cannot open") if trouble == "broken" else RuntimeError("cudaErrorNoDevice")

        monkeypatch.setitem(sys.modules, "cupy", Broken("cupy"))
    with pytest.raises(xdr.UnsupportedError, match=r"unavailable: device=True needs CuPy.*'cuphoton-xdr\[gpu\]'"):
        read_fits_images(path, [0], reader=reader, device=True)
    assert read_fits_images(path, [0], reader=reader).device is False


@pytest.mark.rows("RFI-5")
def test_no_stream(path, cupy):
    for stream in ("default", 1.5, True):
        with pytest.raises(ValueError, match="stream must be"):
            read_fits_images(path, [0], reader="auto", device=True, stream=stream)
