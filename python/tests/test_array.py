"""Array on the host: NumPy, DLPack, JAX; who keeps the memory alive, and when it goes."""
import gc
import os
import sys
import weakref

import numpy
import pytest

from cuphoton import xdr
from fits_bytes import image_hdu, ramp

DTYPES = ["u1", "i2", "i4", "i8", "f4", "f8"]


def read(pixels=None, **words):
    return xdr.read(image_hdu(ramp() if pixels is None else pixels), device="cpu", **words)


@pytest.mark.parametrize("dtype", DTYPES)
def test_numpy_shares_the_memory(dtype):
    pixels = ramp((7, 5), dtype)
    array = read(pixels)
    view = array.numpy()
    assert type(view) is numpy.ndarray and view.dtype == pixels.dtype and view.dtype.isnative
    numpy.testing.assert_array_equal(view, pixels)
    view[0, 0] = 99
    assert array.numpy()[0, 0] == 99 and numpy.asarray(array)[0, 0] == 99
    assert numpy.from_dlpack(array)[0, 0] == 99
    assert view.flags.writeable and view.flags.c_contiguous and not view.flags.owndata
    assert array.__array_interface__["data"][0] == view.ctypes.data


def test_conversions_of_numpy():
    array = read()
    assert numpy.asarray(array).base is not None
    assert numpy.shares_memory(numpy.asarray(array), array.numpy())
    assert not numpy.shares_memory(numpy.array(array), array.numpy())
    assert numpy.asarray(array, dtype="f8").dtype == "f8"
    assert numpy.array(array, dtype="i2", copy=False).dtype == "i2"
    with pytest.raises(ValueError):
        numpy.array(array, dtype="f8", copy=False)
    assert numpy.sum(array) == ramp().sum()
    numpy.testing.assert_array_equal(array, ramp())


def test_the_array_method_itself():
    array = read()
    assert numpy.shares_memory(array.__array__(), array.numpy())
    assert not numpy.shares_memory(array.__array__(copy=True), array.numpy())
    assert array.__array__("f4").dtype == "f4"
    with pytest.raises(ValueError, match="needs a copy, which copy=False forbids"):
        array.__array__("f4", copy=False)


@pytest.mark.parametrize("version", [None, (0, 8), (1, 0), (1, 1)])
def test_dlpack_versions(version):
    capsule = read().__dlpack__(max_version=version)
    wanted = "dltensor_versioned" if version and version[0] >= 1 else "dltensor"
    assert f'"{wanted}"' in repr(capsule)


@pytest.mark.parametrize("dtype", DTYPES)
def test_dlpack_to_numpy(dtype):
    pixels = ramp((3, 4, 5), dtype)
    array = read(pixels)
    assert array.__dlpack_device__() == (1, 0)
    view = numpy.from_dlpack(array)
    numpy.testing.assert_array_equal(view, pixels)
    assert view.dtype == pixels.dtype and numpy.shares_memory(view, array.numpy())


def test_dlpack_copies_where_asked():
    array = read()
    copy = numpy.from_dlpack(array, copy=True)
    assert not numpy.shares_memory(copy, array.numpy())
    numpy.testing.assert_array_equal(copy, ramp())
    assert numpy.shares_memory(numpy.from_dlpack(array, copy=False), array.numpy())
    assert numpy.shares_memory(numpy.from_dlpack(array, device="cpu"), array.numpy())


def test_dlpack_refuses_other_devices():
    with pytest.raises(BufferError, match="another device"):
        read().__dlpack__(dl_device=(2, 0))
    with pytest.raises(AttributeError, match="host memory"):
        read().__cuda_array_interface__


def test_jax():
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    pixels = ramp((7, 5), "f4")
    array = read(pixels).jax()
    assert isinstance(array, jax.Array)
    numpy.testing.assert_array_equal(numpy.asarray(array), pixels)


def test_torch():
    torch = pytest.importorskip("torch", reason="torch is not installed; device/ runs the same where it is")
    array = read(ramp((7, 5), "f4"))
    tensor = array.torch()
    tensor[0, 0] = 99
    assert tensor.device == torch.device("cpu") and array.numpy()[0, 0] == 99


def test_a_missing_library_is_named(monkeypatch):
    for name in ("cupy", "torch", "jax"):
        monkeypatch.setitem(sys.modules, name, None)
        monkeypatch.delitem(sys.modules, "jax.dlpack", raising=False)
        with pytest.raises(ImportError, match=name):
            getattr(read(), name)()


def test_empty_arrays():
    array = read(section=(slice(3, 3), slice(None)))
    assert array.shape == (0, 30) and array.numpy().shape == (0, 30) and len(array) == 0
    assert numpy.from_dlpack(array).shape == (0, 30)


def test_facts():
    array = read()
    assert (array.shape, array.ndim, array.nbytes) == ((20, 30), 2, 1200)
    assert (array.dtype, array.device) == (numpy.dtype("i2"), "cpu")
    assert array.receipt["engine"] == "host" and len(array) == 20
    assert repr(array) == "<cuphoton.xdr.Array int16 20x30 on cpu, decoded by host>"


# --- ownership ---


def test_arrays_outlive_file_and_source(tmp_path):
    path = tmp_path / "image.fits"
    path.write_bytes(image_hdu(ramp()))
    with xdr.open(path) as file:
        array = file[0].read(device="cpu")
    path.unlink()
    del file
    gc.collect()
    numpy.testing.assert_array_equal(array.numpy(), ramp())


@pytest.mark.parametrize("view_of", [lambda array: array.numpy(), numpy.asarray, numpy.from_dlpack,
                                     lambda array: array.numpy()[::2, 1:], lambda array: memoryview(array.numpy())])
def test_views_outlive_the_array(view_of):
    array = read()
    expected = numpy.array(view_of(array))
    view = view_of(array)
    del array
    gc.collect()
    [read(ramp((20, 30)) * 0) for _ in range(20)]  # would reuse memory that was freed
    numpy.testing.assert_array_equal(numpy.asarray(view), expected)


def test_weak_references():
    array = read()
    reference = weakref.ref(array)
    view = array.numpy()
    del array
    gc.collect()
    assert reference() is not None  # the view's base
    del view
    gc.collect()
    assert reference() is None


def resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="counts resident memory by /proc")
@pytest.mark.parametrize("use", [lambda array: None, lambda array: array.numpy(), numpy.from_dlpack,
                                 lambda array: array.__dlpack__(), lambda array: array.__dlpack__(max_version=(1, 0)),
                                 lambda array: numpy.from_dlpack(array, copy=True), lambda array: array.receipt])
def test_memory_is_freed_with_the_last_view(use):
    data = image_hdu(ramp((1024, 1024), "f4"))  # 4 MiB
    use(xdr.read(data, device="cpu"))
    gc.collect()
    before = resident_bytes()
    for _ in range(50):
        use(xdr.read(data, device="cpu"))
    gc.collect()
    assert resident_bytes() - before < 40 << 20  # 200 MiB would have stayed


def test_no_references_are_lost():
    data = image_hdu(ramp())
    opened = xdr.open(data)
    hdu = opened[0]

    def everything():
        array = hdu.read(device="cpu")
        numpy.asarray(array), numpy.from_dlpack(array), array.receipt, array.dtype, repr(array), hdu.header["NAXIS"]
        hdu.read(out=numpy.empty((20, 30), "i2"))
        xdr.open(data)[0].header.for_section((slice(1, 3), slice(None)))
        for wrong in (numpy.empty((3, 3), "i2"), numpy.empty((20, 30), "f4"), numpy.empty((20, 30), ">i2")):
            with pytest.raises(ValueError):
                hdu.read(out=wrong)

    everything()
    gc.collect()
    references, objects = sys.getrefcount(data), len(gc.get_objects())
    for _ in range(100):
        everything()
    gc.collect()
    assert sys.getrefcount(data) == references
    assert len(gc.get_objects()) - objects < 100
