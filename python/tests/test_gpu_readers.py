"""GpuImageReader, GpuCompImageReader, open_gpu and the questions about the machine; CuPy is played by fake_cupy."""
import inspect
import io
import pathlib
import subprocess
import sys
import warnings

import numpy
import pytest
from fake_cupy import cupy, make  # noqa: F401
from fixtures_images import HDUS, expected, images, same, write  # noqa: F401

import cuphoton.xdr as xdr
from cuphoton.xdr import GpuCompImageReader, GpuImageReader, _gpu, convenience, mock_storage, open_gpu, storage_cache

fits = pytest.importorskip("astropy.io.fits", reason="the readers take Astropy's HDUs")
PLAIN = [HDUS[name] for name in ("plain unsigned", "cube", "blank", "line")]
TILED = [HDUS[name] for name in ("gzip", "rice float", "gzip unsigned")]


@pytest.fixture
def opened(images):
    with fits.open(images[0]) as file:
        yield file


@pytest.mark.rows("GIR-5", "GCR-8", "BTD-3")
def test_signatures():
    assert str(inspect.signature(GpuImageReader)) == "(hdu)" == str(inspect.signature(GpuCompImageReader))
    assert str(inspect.signature(GpuImageReader.read)) == "(self, *, out=None, stream=None, loader=None)"
    assert str(inspect.signature(GpuCompImageReader.read)) == (
        "(self, *, out=None, stream=None, section=None, loader=None, postprocess='auto', gzip_decoder='auto', "
        "decompression_backend='auto')")
    assert str(inspect.signature(open_gpu)) == "(path, **kw)"
    assert str(inspect.signature(mock_storage)) == "(location='device')"
    for name in ("gpu_available", "is_gds_active", "warn_if_gds_fallback"):
        assert str(inspect.signature(getattr(xdr, name))) == "()"


@pytest.mark.rows("GIR-1", "GIR-2")
def test_attributes_of_plain_images(opened, images):
    """No GPU is needed to look."""
    for hdu, (dtype_char, itemsize, bzero) in zip(PLAIN, [("i2", 2, 32768), ("f8", 8, 0), ("i2", 2, 0), ("u1", 1, 0)]):
        reader = GpuImageReader(opened[hdu])
        assert reader.path == images[0] and reader.shape == opened[hdu].shape
        assert (reader.dtype_char, reader.itemsize, reader.bzero, reader.bscale) == (dtype_char, itemsize, bzero, 1)
        assert reader.nbytes == itemsize * numpy.prod(opened[hdu].shape)
        assert reader.file_offset == opened[hdu].fileinfo()["datLoc"]
        assert reader.dtype == expected(images[0], hdu).dtype


@pytest.mark.rows("GIR-1", "GIR-2", "GIR-3", "BTS-4", "X-01", "X-04", "X-22")
def test_plain_images(cupy, opened, images):
    for hdu in PLAIN:
        wanted = expected(images[0], hdu)
        reader = GpuImageReader(opened[hdu])
        assert same(reader.read(), wanted)
        out = cupy.empty(wanted.shape, wanted.dtype)
        assert reader.read(out=out) is out and same(out, wanted)
        for bad in (cupy.empty(wanted.shape[::-1] + (1,), wanted.dtype), cupy.empty(wanted.shape, ">c8")):
            with pytest.raises(ValueError, match="^out "):
                reader.read(out=bad)
    with pytest.raises(ValueError, match="C-contiguous"):
        GpuImageReader(opened[1]).read(out=cupy.empty((30, 20), "u2").T)


@pytest.mark.rows("GIR-4")
def test_out_takes_the_scaled_pixels(cupy, tmp_path):
    """Integers with BSCALE: `out` has the promoted type, and one of the stored type is refused untouched."""
    path = tmp_path / "scaled.fits"
    image = fits.PrimaryHDU(numpy.arange(12, dtype="i2").reshape(3, 4))
    data = image.data
    image.writeto(path)
    with fits.open(path, mode="update", do_not_scale_image_data=True) as file:
        file[0].header["BSCALE"], file[0].header["BZERO"] = 0.5, 7
    with fits.open(path) as file:
        reader = GpuImageReader(file[0])
        stored = cupy.empty((3, 4), "i2")
        with pytest.raises(ValueError, match="out holds int16, the pixels are float32"):
            reader.read(out=stored)
        assert set(stored.tobytes()) == {0xA5}
        out = cupy.empty((3, 4), "f4")
        assert reader.read(out=out) is out and same(out, (data * 0.5 + 7).astype("f4"))
        assert (reader.bscale, reader.bzero, reader.dtype_char) == (0.5, 7, "i2")


@pytest.mark.rows("GIR-1", "GIR-2", "GCR-1")
def test_what_cannot_be_built(opened, tmp_path):
    for reader in (GpuImageReader, GpuCompImageReader):
        for memory in (fits.ImageHDU(numpy.zeros((2, 2))), fits.CompImageHDU(numpy.zeros((20, 20), "i2"))):
            with pytest.raises(RuntimeError, match="no file on the disk"):
                reader(memory)
        with pytest.raises(ValueError, match="HDU 0 holds no pixels"):
            reader(opened[0])
    with pytest.raises(ValueError, match="GpuCompImageReader"):
        GpuImageReader(opened[2])
    with pytest.raises(ValueError, match="GpuImageReader"):
        GpuCompImageReader(opened[1])
    buffer = io.BytesIO()
    fits.PrimaryHDU(numpy.zeros((2, 2))).writeto(buffer)
    buffer.seek(0)
    with fits.open(buffer) as file, pytest.raises(RuntimeError, match="no file on the disk"):
        GpuImageReader(file[0])


@pytest.mark.rows("GCR-1", "GCR-3", "X-10")
def test_unsupported_codec_at_construction(images, tmp_path):
    assert GpuCompImageReader.SUPPORTED_GZIP == {"GZIP_1", "GZIP_2"}
    path = tmp_path / "odd.fits"
    path.write_bytes(pathlib.Path(images[0]).read_bytes().replace(b"'GZIP_1  '", b"'GZIP_9  '"))

    class Hdu:  # what the readers look at; Astropy itself would refuse the file
        def fileinfo(self):
            return {"file": open_file, "hdrLoc": place}

    with xdr.open(path) as file:
        place = file[2]._info.header_offset_bytes
    with open(path, "rb") as open_file, pytest.raises(NotImplementedError, match="odd.fits: HDU 2.*GZIP_9"):
        GpuCompImageReader(Hdu())


@pytest.mark.rows("GCR-2", "GCR-3", "GCR-4", "GCR-5", "X-02", "X-06", "X-10", "X-16")
def test_compressed_images(cupy, opened, images):
    for hdu in TILED:
        wanted = expected(images[0], hdu)
        reader = GpuCompImageReader(opened[hdu])
        assert same(reader.read(), wanted)
        for section in [(slice(3, 11), slice(5, 6)), (slice(None, None, 3), slice(2, 30, 5))]:
            out = cupy.empty(wanted[section].shape, wanted.dtype)
            assert reader.read(out=out, section=section, stream=7) is out and same(out, wanted[section])
            with pytest.raises(ValueError, match="out has shape"):
                reader.read(out=out)
        for section in [(slice(0, 21), slice(0, 3)), (slice(4, 4), slice(0, 3)), (slice(0, 3),), 5]:
            with pytest.raises(ValueError, match="image 0.fits: HDU"):
                reader.read(section=section)


@pytest.mark.rows("GCR-7", "RC-11", "OPT-2")
def test_controls_of_a_compressed_image(cupy, opened):
    reader = GpuCompImageReader(opened[2])
    for name in ("postprocess", "gzip_decoder", "decompression_backend"):
        with pytest.raises(ValueError, match=name):
            reader.read(**{name: "best"}, section="nonsense", out=3)
    with pytest.raises(NotImplementedError, match="stream"):
        reader.read(decompression_backend="hardware")
    with pytest.raises(ValueError, match="stream must be"):
        reader.read(stream="mine")


@pytest.mark.rows("GCR-8")
def test_loader_is_an_opened_file(cupy, opened, images):
    reader = GpuCompImageReader(opened[2])
    with xdr.open(images[0]) as file, xdr.open(images[1]) as other:
        assert same(reader.read(loader=file), expected(images[0], 2))
        assert len(file) == 9  # still open
        for wrong in (other, images[0], object()):
            with pytest.raises(ValueError, match="loader"):
                reader.read(loader=wrong)


@pytest.mark.rows("GCR-6", "GCR-7", "BTS-10")
def test_memory_is_born_on_the_stream_of_the_call(cupy, opened):
    for reader in (GpuImageReader(opened[1]), GpuCompImageReader(opened[2])):
        with cupy.cuda.Stream(3):
            assert reader.read().born_on == 0
        assert reader.read(stream=cupy.cuda.Stream(44)).born_on == 44


@pytest.mark.rows("GIR-1")
def test_file_that_changed_since_astropy_opened_it(tmp_path):
    path = write(tmp_path / "first.fits", 1)
    with fits.open(path) as file:
        pathlib.Path(write(tmp_path / "other.fits", 1, rows=400)).replace(path)
        with pytest.raises(ValueError, match="changed"):
            GpuImageReader(file[4])


@pytest.mark.rows("FN-1")
def test_open_gpu_reads_on_access(cupy, images):
    with open_gpu(images[0], postprocess="separate") as file:
        assert len(file) == 9 and repr(file).startswith("<GpuFile") and "RAW" in repr(file)
        assert file["raw"].shape == (20, 30) and file["raw"].dtype == "u2"
        for hdu in PLAIN + TILED:
            assert same(file[hdu].read(), expected(images[0], hdu))
        assert same(file[3][2:7], expected(images[0], 3)[2:7])
        assert same(file[4][1:, :, ::2], expected(images[0], 4)[1:, :, ::2])
        out = cupy.empty((5, 30), "i4")
        assert file[2].read((slice(0, 5), slice(None)), out=out, stream=5) is out
        for wrong in (99, "NONE", 0):
            with pytest.raises(ValueError, match="image 0.fits"):
                file[wrong]
        for box in (3, (slice(0, 2),) * 3, slice(5, 5)):
            with pytest.raises(ValueError):
                file[2][box]
    with pytest.raises(ValueError, match="closed"):
        file[1]
    with pytest.raises(FileNotFoundError):
        open_gpu("/nowhere.fits")
    for words in ({"mode": "w"}, {"postprocess": "best"}):
        with pytest.raises(ValueError):
            open_gpu("/nowhere.fits", **words)


@pytest.mark.rows("FN-1", "FN-2")
def test_no_gpu_no_handle(images, opened, monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    _gpu.problem.cache_clear()
    try:
        for call in (lambda: open_gpu(images[0]), GpuImageReader(opened[1]).read, GpuCompImageReader(opened[2]).read):
            with pytest.raises(RuntimeError, match="cuphoton-xdr.gpu"):
                call()
    finally:
        _gpu.problem.cache_clear()


@pytest.mark.rows("FN-2")
def test_gpu_available_asks_once_and_never_raises(monkeypatch):
    asked = []

    class Odd(type(sys)):
        def __getattr__(self, name):
            asked.append(name)
            raise fault

    for fault in (ImportError("no libcudart"), OSError("libnvrtc.so: cannot open"), RuntimeError("no driver")):
        monkeypatch.setitem(sys.modules, "cupy", Odd("cupy"))
        _gpu.problem.cache_clear()
        assert xdr.gpu_available() is False
        count = len(asked)
        assert xdr.gpu_available() is False and len(asked) == count
    monkeypatch.setitem(sys.modules, "cupy", make())
    for devices, wanted in [([], False), ([object()], True)]:
        _gpu.problem.cache_clear()
        here = type("Capabilities", (), {"devices": devices, "device": "this build has no code for it"})
        monkeypatch.setattr(_gpu._native, "load", lambda: type("Native", (), {"capabilities": lambda: here}))  # noqa: B023
        assert xdr.gpu_available() is wanted
    _gpu.problem.cache_clear()


@pytest.mark.rows("FN-3", "FN-4", "X-20")
def test_gds_probe_and_its_warning(monkeypatch):
    kvikio = type(sys)("kvikio")
    kvikio.defaults = type(sys)("kvikio.defaults")
    for gpu, driver, compatible, wanted in [(True, True, False, True), (True, True, True, False),
                                            (True, False, False, False), (False, True, False, False),
                                            (True, True, None, False)]:
        convenience.is_gds_active.cache_clear()
        monkeypatch.setattr(convenience, "gpu_available", lambda: gpu)  # noqa: B023
        monkeypatch.setattr(convenience.os.path, "exists", lambda path: driver)  # noqa: B023
        kvikio.defaults.is_compat_mode_preferred = lambda: compatible  # noqa: B023
        for name, module in (("kvikio", kvikio), ("kvikio.defaults", kvikio.defaults)):
            monkeypatch.setitem(sys.modules, name, None if compatible is None else module)
        assert xdr.is_gds_active() is wanted
        kvikio.defaults.is_compat_mode_preferred = None  # cached: not asked again
        assert xdr.is_gds_active() is wanted
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            xdr.warn_if_gds_fallback()
        assert [warning.category for warning in heard] == ([RuntimeWarning] if gpu and not wanted else [])
    convenience.is_gds_active.cache_clear()


@pytest.mark.rows("NAME-1", "NAME-7", "NAME-8")
def test_names_and_a_bare_import():
    for name in ("__version__", "gpu_available", "is_gds_active", "warn_if_gds_fallback", "GpuImageReader",
                 "GpuCompImageReader", "open_gpu", "batch_to_device", "batch_to_device_stream", "mock_storage",
                 "storage_cache"):
        assert name in xdr.__all__ and getattr(xdr, name) is not None
    assert not hasattr(xdr, "load_hdf5")
    code = """if True:
        import sys
        for name in ("cupy", "cupyx", "kvikio", "nvidia", "astropy", "torch"):
            sys.modules[name] = None
        import cuphoton.xdr, cuphoton.xdr.mock_storage, cuphoton.xdr.nvcomp_batch, cuphoton.xdr.convenience
        assert cuphoton.xdr.gpu_available() is False
        assert cuphoton.xdr.is_gds_active() is False
        cuphoton.xdr.warn_if_gds_fallback()
        assert "numpy" not in sys.modules and "cuphoton.xdr._file" in sys.modules
        with cuphoton.xdr.mock_storage("host") as cache:
            assert cache is cuphoton.xdr.storage_cache is cuphoton.xdr.mock_storage.storage_cache
        from cuphoton.xdr import mock_storage
        with mock_storage(): pass
        from cuphoton.xdr.mock_storage import mock_storage, storage_cache
        with mock_storage("device"): assert storage_cache.active()
    """
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, timeout=60)
    code = """if True:
        from cuphoton.xdr import mock_storage
        with mock_storage() as cache: assert cache is mock_storage.storage_cache
        import cuphoton.xdr.mock_storage as other
        assert other is mock_storage
    """
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, timeout=60)


def test_the_cache_is_off():
    assert not storage_cache.active()
