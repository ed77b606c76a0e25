"""Mock storage: whole files from memory instead of the disk."""
import os
import subprocess
import sys

import numpy
import pytest
from fake_cupy import cupy  # noqa: F401
from fixtures_images import expected, images, same, write  # noqa: F401

from cuphoton import xdr
from cuphoton.xdr import batch_to_device, mock_storage, open_gpu, storage_cache


@pytest.fixture(autouse=True)
def clean():
    yield
    assert not storage_cache.active() and storage_cache.location == "device" and not storage_cache.cached_paths()


@pytest.mark.rows("FN-5")
def test_the_context_restores_what_was(cupy, images):
    with mock_storage() as cache:
        assert cache is storage_cache and cache.active() and cache.location == "device"
        cache.preload(images[0])
        with mock_storage("host") as inner:
            assert inner is cache and inner.location == "host" and inner.cached_paths() == ()
        assert cache.active() and cache.location == "device" and cache.cached_paths() == ()
        with pytest.raises(KeyError), mock_storage("host"):
            raise KeyError
        assert cache.location == "device"
    for wrong in ("disk", None, "Device"):
        with pytest.raises(ValueError, match="location"):
            mock_storage(wrong).__enter__()
        with pytest.raises(ValueError, match="location"):
            storage_cache.enable(wrong)
    assert not storage_cache.active()


@pytest.mark.rows("FN-6", "FN-10")
@pytest.mark.parametrize("location", ["device", "host"])
def test_whole_files_for_each_location(cupy, images, location):
    content = open_bytes(images[0])
    with mock_storage(location) as cache:
        buffer = cache.get_buffer(images[0])
        assert buffer.tobytes() == content and buffer.dtype == "u1"
        assert isinstance(buffer, cupy.ndarray) is (location == "device")
        assert cache.get_buffer(images[0]) is buffer and cache.cached_paths() == (images[0],)
        other = "host" if location == "device" else "device"
        with_other = cache.location
        cache.enable(other)
        assert cache.cached_paths() == () and cache.get_buffer(images[0]) is not buffer
        cache.enable(with_other)
        assert cache.get_buffer(images[0]) is buffer
        cache.disable()
        assert not cache.active() and cache.cached_paths() == (images[0],)
        cache.clear()
        assert cache.cached_paths() == ()


def open_bytes(path):
    with open(path, "rb") as file:
        return file.read()


@pytest.mark.rows("FN-9", "FN-7", "X-14", "GIR-1", "FN-1")
@pytest.mark.parametrize("location", ["device", "host"])
def test_readers_are_served_from_the_cache(cupy, images, tmp_path, location):
    """The file is overwritten in place, with its time set back: what comes is what was cached."""
    fits = pytest.importorskip("astropy.io.fits", reason="a reader takes Astropy's HDU")
    path = write(tmp_path / "cached.fits", 1)
    wanted = {hdu: expected(path, hdu) for hdu in (1, 2)}
    with fits.open(path) as opened, mock_storage(location) as cache:
        cache.preload(path)
        plain, tiled = opened[1], opened[2]  # Astropy looks while the file is whole
        about = os.stat(path)
        with open(path, "r+b") as file:
            file.write(bytes(about.st_size))
        os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
        found = batch_to_device([path, path], [1, 2])
        for array, hdu in zip(found, (1, 2)):
            assert same(array, numpy.stack([wanted[hdu]] * 2))
        assert same(xdr.GpuImageReader(plain).read(), wanted[1])
        assert same(xdr.GpuCompImageReader(tiled).read(), wanted[2])
        with open_gpu(path) as file:
            assert same(file[2].read(), wanted[2])
    with pytest.raises(OSError, match="cached.fits"):
        batch_to_device([path])


@pytest.mark.rows("FN-10")
def test_a_changed_file_is_read_again(cupy, tmp_path):
    path = write(tmp_path / "one.fits", 1)
    with mock_storage("host"):
        assert same(batch_to_device([path])[0][0], expected(path, 1))
        os.replace(write(tmp_path / "two.fits", 2), path)
        assert same(batch_to_device([path])[0][0], expected(path, 1))


@pytest.mark.rows("FN-6")
def test_files_that_cannot_be_cached(cupy, images, tmp_path, monkeypatch):
    with mock_storage("host") as cache:
        with pytest.raises(FileNotFoundError):
            cache.preload(tmp_path / "missing.fits")
        real = os.fstat
        monkeypatch.setattr(os, "fstat", lambda number: type("Facts", (), {"st_size": real(number).st_size + 9}))
        with pytest.raises(OSError, match="image 0.fits: expected .* ended"):
            cache.preload(images[0])
        assert cache.cached_paths() == ()


@pytest.mark.rows("FN-6")
def test_without_cupy_the_host_copy_still_works(images, monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    monkeypatch.setitem(sys.modules, "cupyx", None)
    with mock_storage("host") as cache:
        assert cache.get_buffer(images[0]).tobytes() == open_bytes(images[0])


@pytest.mark.rows("FN-9", "ERR-3")
def test_errors_still_name_the_file(cupy, images):
    with mock_storage("host"), pytest.raises(ValueError, match="image 0.fits: HDU 0"):
        batch_to_device(images, [0])


@pytest.mark.rows("ENV-CUPHOTON_XDR_MOCK_STORAGE")
@pytest.mark.parametrize("text, location", [("device", "device"), (" HOST\n", "host"), ("disk", None), ("", None),
                                            (None, None)])
def test_ambient_default(text, location):
    """Section 7.1: read when the package is imported, and what a context goes back to."""
    code = """if True:
        import os, sys
        import cuphoton.xdr
        os.environ["CUPHOTON_XDR_MOCK_STORAGE"] = "device"
        from cuphoton.xdr import storage_cache, mock_storage
        with mock_storage("host"): pass
        print(storage_cache.location if storage_cache.active() else None)
    """
    environment = {**os.environ, "CUPHOTON_XDR_MOCK_STORAGE": text or ""}
    if text is None:
        del environment["CUPHOTON_XDR_MOCK_STORAGE"]
    done = subprocess.run([sys.executable, "-c", code], env=environment, check=True, capture_output=True, text=True,
                          timeout=60)
    assert done.stdout.strip() == str(location)
