"""batch_to_device* on a GPU: pixels, out=, sections, allocator, devices, pool."""
import gc

import numpy
import pytest
from fixtures_device import cupy, delay, torch  # noqa: F401
from fixtures_images import HDUS, expected, images, same, write  # noqa: F401

from cuphoton.xdr import batch_to_device, batch_to_device_stream, gpu_available, mock_storage, nvcomp_batch, storage_cache

IMAGES = [number for name, number in HDUS.items() if name not in ("empty", "table")]


@pytest.mark.rows("FN-2", "BTS-1", "BTS-2", "BTS-3", "BTS-4", "BTS-5", "BTS-6", "BTD-1", "X-01", "X-02", "X-04",
                  "X-06", "X-07", "X-09", "X-10", "RC-1", "RC-2", "RC-3")
@pytest.mark.parametrize("variant", ["auto", "separate", "native"])
def test_pixels_of_every_kind(cupy, images, variant):
    assert gpu_available() is True
    paths = [images[2], images[0], images[2]]
    found = batch_to_device(paths, IMAGES + [1], postprocess=variant)
    for array, hdu in zip(found, IMAGES + [1], strict=True):
        assert isinstance(array, cupy.ndarray)
        assert same(array, numpy.stack([expected(path, hdu) for path in paths])), hdu


@pytest.mark.rows("BTS-11", "PLN-9", "X-11")
def test_sections(cupy, images):
    for hdu in (1, 2, 3, 5, 6):
        section = (slice(3, 17, 2), slice(5, 29))
        found, = batch_to_device_stream(images, [hdu], section=section)
        assert same(found, numpy.stack([expected(path, hdu)[section] for path in images])), hdu


@pytest.mark.rows("BTS-9", "BTS-8", "X-03")
def test_out_is_the_callers_memory(cupy, images, tmp_path):
    out = [cupy.full((3, 20, 30), 77, "u2"), cupy.full((3, 20, 30), 77, "i4")]
    addresses = [array.data.ptr for array in out]
    found = batch_to_device_stream(images, [1, 2], out=out)
    assert [array.data.ptr for array in found] == addresses and found[0] is out[0] and found[1] is out[1]
    for array, hdu in zip(out, (1, 2)):
        assert same(array, numpy.stack([expected(path, hdu) for path in images]))
    guarded = cupy.full((5, 20, 30), 77, "i4")  # the slices beside it stay as they are
    batch_to_device(images, [2], out=guarded[1:4])
    assert (guarded[0] == 77).all() and (guarded[4] == 77).all() and (guarded[1:4] == out[1]).all()
    odd = write(tmp_path / "odd.fits", 9, 40)
    untouched = cupy.full((2, 20, 30), 77, "i4")
    with pytest.raises(ValueError, match="odd.fits"):
        batch_to_device([images[0], odd], [2], out=untouched)
    assert (untouched == 77).all()
    with pytest.raises(ValueError, match="C-contiguous"):
        batch_to_device(images, [2], out=cupy.empty((30, 20, 3), "i4").T)


@pytest.mark.rows("BTS-9")
def test_out_of_torch(cupy, torch, images):
    out = torch.zeros((3, 20, 30), dtype=torch.int32, device="cuda")
    found, = batch_to_device(images, [2], out=out)
    assert found is out
    assert same(out.cpu().numpy(), numpy.stack([expected(path, 2) for path in images]))


@pytest.mark.rows("BTS-19")
def test_the_callers_allocator_is_used(cupy, images):
    asked = []
    pool = cupy.cuda.MemoryPool()

    def allocate(length):
        asked.append(length)
        return pool.malloc(length)

    with cupy.cuda.using_allocator(allocate):
        batch_to_device(images, [2])
    assert asked == [3 * 20 * 30 * 4]


@pytest.mark.rows("BTS-19")
def test_the_current_device_is_used(cupy, images):
    if cupy.cuda.runtime.getDeviceCount() < 2:
        pytest.skip("one GPU only")
    elsewhere = cupy.empty((3, 20, 30), "i4")
    with cupy.cuda.Device(1):
        found, = batch_to_device(images, [2])
        assert found.device.id == 1 and cupy.cuda.Device().id == 1
        assert same(found, numpy.stack([expected(path, 2) for path in images]))
        with pytest.raises(ValueError, match="device 0"):
            batch_to_device(images, [2], out=elsewhere)


@pytest.mark.rows("BTS-21", "NAME-6", "STR-13")
def test_nothing_stays_checked_out(cupy, images):
    before = nvcomp_batch.native_device_pool_stats()
    found = batch_to_device(images, [2, 3, 1])
    kept = [array.get() for array in found]
    del found
    gc.collect()
    cupy.cuda.Device().synchronize()
    stats = nvcomp_batch.native_device_pool_stats()
    made = stats["allocations"] - before["allocations"]
    assert stats["checked_out_bytes"] == before["checked_out_bytes"] and made > 0
    assert stats["releases"] - before["releases"] == made and stats["max_idle_bytes"] > 0
    nvcomp_batch.clear_native_device_pool()
    again = batch_to_device(images, [2, 3, 1])
    assert all(same(array, pixels) for array, pixels in zip(again, kept))


@pytest.mark.rows("RC-13", "STR-7")
@pytest.mark.parametrize("batcher", ["auto", True, False])
def test_the_gpu_decodes_whatever_the_batcher(cupy, images, batcher):
    """Its scratch comes from the library's pool, which the host engine does not touch."""
    before = nvcomp_batch.native_device_pool_stats()["allocations"]
    found, = batch_to_device(images, [2], native_batcher=batcher)
    assert nvcomp_batch.native_device_pool_stats()["allocations"] > before
    assert same(found, numpy.stack([expected(path, 2) for path in images]))


@pytest.mark.rows("ERR-3", "X-12", "X-17", "X-18", "X-19")
def test_one_damaged_file_poisons_nothing(cupy, images, tmp_path):
    from cuphoton import xdr

    with xdr.open(images[1]) as file:
        offset, length, tile = file[2].plan()["groups"][0]["tiles"][1]
    data = bytearray(open_bytes(images[1]))
    data[offset + length - 6] ^= 1
    (tmp_path / "damaged.fits").write_bytes(data)
    for _ in range(3):
        with pytest.raises(xdr.CorruptImageError, match="damaged.fits") as caught:
            batch_to_device([images[0], tmp_path / "damaged.fits"], [2])
        assert (caught.value.hdu, caught.value.tile) == (2, tile)
        assert same(batch_to_device(images[:1], [2])[0][0], expected(images[0], 2))


def open_bytes(path):
    with open(path, "rb") as file:
        return file.read()


@pytest.mark.rows("FN-5", "FN-6", "FN-9")
@pytest.mark.parametrize("location", ["device", "host"])
def test_mock_storage(cupy, images, location):
    with mock_storage(location) as cache:
        for path in images:
            cache.preload(path)
        found, = batch_to_device(images, [2])
        buffer = cache.get_buffer(images[0])
        assert isinstance(buffer, cupy.ndarray) is (location == "device") and same(
            buffer, numpy.frombuffer(open_bytes(images[0]), "u1"))
    assert same(found, numpy.stack([expected(path, 2) for path in images])) and not storage_cache.cached_paths()


@pytest.mark.rows("DEC-1", "DEC-6", "DEC-7", "RC-17")
def test_gzip_members_of_one_buffer(cupy, delay):
    """Behind a busy stream, at odd addresses, in runs of several sizes."""
    import gzip

    data = [bytes(range(256)) * 40, bytes(300), bytes(300), b"x", b"odd" * 7, bytes(range(256)) * 40]
    members = [gzip.compress(one) for one in data]
    offsets = [1 + sum(len(member) + 3 for member in members[:number]) for number in range(len(members))]
    packed = numpy.frombuffer(b"\0" + b"".join(member + b"\0\0\0" for member in members), "u1")
    on_device = cupy.zeros(packed.size, "u1")
    cupy.cuda.Device().synchronize()
    stream = cupy.cuda.Stream(non_blocking=True)
    delay(stream)
    with stream:
        on_device[...] = cupy.asarray(packed)
        out, starts = nvcomp_batch.gpu_gzip_decompress_batch(
            on_device, offsets, [len(member) for member in members], [len(one) for one in data])
    assert out.get().tobytes() == b"".join(data)
    assert starts.tolist() == [sum(len(one) for one in data[:number]) for number in range(len(data))]
