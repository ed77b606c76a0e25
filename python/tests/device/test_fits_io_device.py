"""cuphoton.core.fits_io with a GPU: arrays in CuPy's memory, ordered after the caller's stream, complete on return."""
import os

import numpy
import pytest

from cuphoton import xdr
from cuphoton.core.fits_io import read_fits_images

DELAY = r"""
extern "C" __global__ void spoil(short* pixels, long long count, long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {}
  for (long long i = threadIdx.x; i < count; i += blockDim.x) pixels[i] = -1;
}
"""


@pytest.fixture(scope="module")
def cupy():
    try:
        import cupy

        cupy.cuda.runtime.getDeviceCount()
        reason = xdr.capabilities().device
        problem = None if reason is None else str(reason)
    except Exception as fault:
        problem = f"{type(fault).__name__}: {fault}"
    if problem is None:
        return cupy
    if os.environ.get("XDR_REQUIRE_DEVICE") == "1":
        pytest.fail(f"XDR_REQUIRE_DEVICE=1, but: {problem}")
    pytest.skip(problem)


def card(keyword, value):
    return f"{keyword:<8}= {value:>20}".ljust(80)


def plain_file(path, count=3, extent=256):
    """`count` images of int16 as unsigned 16-bit integers; returns what they hold."""
    data, pixels = b"", []
    for number in range(count):
        first = "SIMPLE  =                    T".ljust(80) if number == 0 else "XTENSION= 'IMAGE   '".ljust(80)
        cards = [first, card("BITPIX", 16), card("NAXIS", 2), card("NAXIS1", extent), card("NAXIS2", extent)]
        cards += [card("PCOUNT", 0), card("GCOUNT", 1)] if number else []
        text = "".join([*cards, card("BZERO", 32768), "END".ljust(80)])
        stored = (numpy.arange(extent * extent) * (number + 3) % 60000 - 30000).astype(">i2")
        pixels.append((stored.astype("i4") + 32768).astype("u2").reshape(extent, extent))
        data += text.ljust(2880).encode() + stored.tobytes().ljust(-(-stored.nbytes // 2880) * 2880, b"\0")
    path.write_bytes(data)
    return pixels


def compressed_file(path):
    fits = pytest.importorskip("astropy.io.fits", reason="Astropy, which writes the compressed images, is not installed")
    ramp = numpy.arange(200 * 300).astype("i2").reshape(200, 300)
    sky = numpy.random.default_rng(1).normal(100, 5, (200, 300)).astype("f4")
    images = [fits.CompImageHDU(ramp, compression_type=codec, tile_shape=(16, 300))
              for codec in ("GZIP_1", "GZIP_2", "RICE_1", "HCOMPRESS_1")]
    images.append(fits.CompImageHDU(sky, compression_type="RICE_1", quantize_method=1, dither_seed=7))
    fits.HDUList([fits.PrimaryHDU(), *images]).writeto(path)
    return list(range(1, 1 + len(images)))


@pytest.mark.rows("RFI-5", "RFI-3", "REC-2", "POL-2", "FB-7")
@pytest.mark.parametrize("reader", ["auto", "xdr"])
def test_device_arrays(cupy, tmp_path, reader):
    wanted = plain_file(tmp_path / "a.fits")
    result = read_fits_images(tmp_path / "a.fits", [2, 0, 2], reader=reader, device=True)
    facts = result.metadata()
    assert (facts["reader"], facts["engine"], facts["location"], facts["fallback_reason"]) == ("xdr", "gpu", "device", None)
    assert result.arrays[0] is result.arrays[2]
    for array, number in zip(result.arrays, (2, 0, 2)):
        assert type(array) is cupy.ndarray and array.dtype == numpy.dtype("u2") and array.flags.c_contiguous
        assert array.device.id == cupy.cuda.Device().id
        assert numpy.array_equal(array.get(), wanted[number])
    box = (slice(3, 200, 2), slice(17, 31))
    part = read_fits_images(tmp_path / "a.fits", [1], reader=reader, device=True, section=box).arrays[0]
    assert numpy.array_equal(part.get(), wanted[1][box])


@pytest.mark.rows("RFI-4", "RFI-5", "FB-1", "FB-2")
def test_every_engine_gives_the_same(cupy, tmp_path):
    hdus = compressed_file(tmp_path / "a.fits")
    wanted = read_fits_images(tmp_path / "a.fits", hdus, reader="astropy")
    for box in (None, (slice(5, 150), slice(250, 300, 3))):
        for device in (True, False):
            result = read_fits_images(tmp_path / "a.fits", hdus, reader="xdr", device=device, section=box)
            assert result.engine == "gpu"
            for array, expected in zip(result.arrays, wanted.arrays):
                got = array.get() if device else array
                assert type(got) is numpy.ndarray and got.dtype == expected.dtype
                assert got.tobytes() == numpy.ascontiguousarray(expected[box or ...]).tobytes()


@pytest.mark.rows("RFI-5")
@pytest.mark.parametrize("reader", ["astropy", "auto"])
def test_memory_is_of_the_callers_allocator(cupy, tmp_path, reader):
    if reader == "astropy":
        pytest.importorskip("astropy", reason="Astropy is not installed")
    (wanted,) = plain_file(tmp_path / "a.fits", 1)
    pool, sizes = cupy.cuda.MemoryPool(), []

    def allocate(size):
        sizes.append(size)
        return pool.malloc(size)

    with cupy.cuda.using_allocator(allocate):
        result = read_fits_images(tmp_path / "a.fits", [0], reader=reader, device=True)
    assert wanted.nbytes in sizes
    assert numpy.array_equal(result.arrays[0].get(), wanted)
    assert (result.reader, result.metadata()["location"]) == ("xdr" if reader == "auto" else "astropy", "device")


@pytest.mark.rows("RFI-5")
@pytest.mark.parametrize("reader", ["astropy", "auto"])
@pytest.mark.parametrize("how", ["argument", "current"])
def test_what_the_stream_holds_is_done_before(cupy, tmp_path, reader, how):
    """Memory whose last kernel still runs comes back from the pool: that kernel must not write over the pixels."""
    if reader == "astropy":
        pytest.importorskip("astropy", reason="Astropy is not installed")
    (wanted,) = plain_file(tmp_path / "a.fits", 1)
    spoil = cupy.RawKernel(DELAY, "spoil")
    stream, pool = cupy.cuda.Stream(non_blocking=True), cupy.cuda.MemoryPool()
    with cupy.cuda.using_allocator(pool.malloc):
        with stream:
            old = cupy.empty(wanted.shape, "u2")
            spoil((1,), (256,), (old, old.size, 1))  # compiled, loaded
            stream.synchronize()
            address = old.data.ptr
            spoil((1,), (256,), (old, old.size, 400_000_000))  # a fifth of a second
            del old
        if how == "argument":
            result = read_fits_images(tmp_path / "a.fits", [0], reader=reader, device=True, stream=stream)
        else:
            with stream:
                result = read_fits_images(tmp_path / "a.fits", [0], reader=reader, device=True)
        array = result.arrays[0]
        assert array.data.ptr == address
        other = cupy.cuda.Stream(non_blocking=True)
        host = cupy.cuda.alloc_pinned_memory(wanted.nbytes)
        array.data.copy_to_host_async(host.ptr, wanted.nbytes, other)  # complete on return, for every stream
        other.synchronize()
        assert numpy.array_equal(numpy.frombuffer(host, "u2", wanted.size).reshape(wanted.shape), wanted)
        stream.synchronize()
        assert numpy.array_equal(array.get(), wanted)


@pytest.mark.rows("RC-1", "RC-2", "RC-3", "RC-13", "REC-3")
def test_controls_change_no_pixel(cupy, tmp_path):
    hdus = compressed_file(tmp_path / "a.fits")
    wanted = read_fits_images(tmp_path / "a.fits", hdus, reader="xdr").arrays
    for mode in ("auto", "fused", "separate", "native"):
        options = {"postprocess": mode, "gzip_decoder": "builtin"}
        result = read_fits_images(tmp_path / "a.fits", hdus, reader="xdr", xdr_options=options)
        assert result.metadata()["xdr_options"] == options
        assert [array.tobytes() for array in result.arrays] == [array.tobytes() for array in wanted]
        assert {receipt["restore"] for receipt in result.receipts} == {"separate" if mode == "separate" else "fused"}
