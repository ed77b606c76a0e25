"""Order of streams and threads on a GPU: a producer is held up, so that whoever does not wait gives wrong bytes."""
import threading

import numpy
import pytest
from fixtures_device import cupy, delay, torch  # noqa: F401
from fixtures_images import expected, images, same  # noqa: F401

from cuphoton import xdr
from cuphoton.xdr import GpuCompImageReader, _gpu, batch_to_device, batch_to_device_stream


def make_stream(cupy):
    return cupy.cuda.Stream(non_blocking=True)  # not ordered by the null stream: nothing waits by chance


@pytest.mark.rows("BTS-10", "GCR-6", "DEC-7")
def test_out_is_written_after_the_streams_work(cupy, images, delay):
    """A late fill of `out` on the caller's stream must not land on the pixels."""
    fits = pytest.importorskip("astropy.io.fits", reason="a reader takes Astropy's HDU")
    wanted = expected(images[0], 2)
    with fits.open(images[0]) as file:
        reader = GpuCompImageReader(file[2])
    loads = [lambda out, stream: batch_to_device(images[:1], [2], out=out[None], stream=stream),
             lambda out, stream: batch_to_device_stream(images[:1], [2], out=[out[None]], stream=stream),
             lambda out, stream: reader.read(out=out, stream=stream),
             lambda out, stream: xdr.read(images[0], 2, out=out, stream=stream)]
    for load in loads:
        out, stream = cupy.zeros((20, 30), "i4"), make_stream(cupy)
        cupy.cuda.Device().synchronize()
        delay(stream)
        with stream:
            out.fill(-1)
        load(out, stream)
        with make_stream(cupy):  # complete on return: any stream may use it at once
            assert same(cupy.asnumpy(out), wanted)


@pytest.mark.rows("BTS-10", "GCR-7")
def test_none_is_the_null_streams_order(cupy, images, delay):
    out = cupy.zeros((1, 20, 30), "i4")
    delay(cupy.cuda.Stream.null)
    with cupy.cuda.Stream.null:
        out.fill(-1)
    batch_to_device(images[:1], [2], out=out)
    with make_stream(cupy):
        assert same(cupy.asnumpy(out)[0], expected(images[0], 2))


@pytest.mark.rows("BTS-10")
def test_memory_of_a_busy_stream_is_not_reused_too_early(cupy, images, delay):
    """CuPy's pool hands out, on a stream, memory that this stream still writes to: pixels come after that."""
    stream = make_stream(cupy)
    wanted = numpy.stack([expected(path, 2) for path in images])
    with cupy.cuda.using_allocator(cupy.cuda.MemoryPool().malloc):
        with stream:
            late = cupy.empty((3, 20, 30), "i4")
        address = late.data.ptr
        delay(stream)
        with stream:
            late.fill(-1)
        del late
        found, = batch_to_device(images, [2], stream=stream)
        assert found.data.ptr == address, "the pool did not give the same memory: the test shows nothing"
        with make_stream(cupy):
            assert same(cupy.asnumpy(found), wanted)


@pytest.mark.rows("BTS-10")
def test_streams_of_torch_and_addresses(cupy, torch, images, delay):
    side = torch.cuda.Stream()
    for given in (side, side.cuda_stream):
        out = torch.zeros((3, 20, 30), dtype=torch.int32, device="cuda")
        torch.cuda.synchronize()
        delay(_gpu.on(side))
        with torch.cuda.stream(side):
            out.fill_(-1)
        batch_to_device(images, [2], out=out, stream=given)
        assert same(out.cpu().numpy(), numpy.stack([expected(path, 2) for path in images]))
        new, = batch_to_device(images, [2], stream=given)
        assert same(new, numpy.stack([expected(path, 2) for path in images]))


@pytest.mark.rows("BTS-10")
def test_dlpack_both_ways_with_cupy(cupy, images, delay):
    wanted = expected(images[0], 2)
    array = xdr.read(images[0], 2, device="cuda:0")
    stream = make_stream(cupy)
    with stream:
        taken = cupy.from_dlpack(array)
        doubled = taken.astype("i8") * 2
    assert taken.data.ptr == array.__cuda_array_interface__["data"][0]
    del array  # the view owns the pixels
    stream.synchronize()
    assert same(taken, wanted) and (doubled.get() == wanted.astype("i8") * 2).all()
    delay(stream)
    with stream:
        taken.fill(-1)
        xdr.read(images[0], 2, out=taken, stream=stream)
        assert same(taken, wanted)


@pytest.mark.rows("BTS-10")
def test_dlpack_both_ways_with_torch(cupy, torch, images, delay):
    wanted = expected(images[0], 2)
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        taken = torch.from_dlpack(xdr.read(images[0], 2, device="cuda:0"))
        doubled = taken.to(torch.int64) * 2
    side.synchronize()
    assert taken.is_cuda and same(taken.cpu().numpy(), wanted)
    assert (doubled.cpu().numpy() == wanted.astype("i8") * 2).all()
    with torch.cuda.stream(side):
        torch.cuda._sleep(500_000_000)
        taken.fill_(-1)
    xdr.read(images[0], 2, out=taken, stream=side)
    assert same(taken.cpu().numpy(), wanted)
    with torch.cuda.stream(side):
        batch, = batch_to_device(images, [2], stream=side)
        assert same(torch.from_dlpack(batch).cpu().numpy(), numpy.stack([expected(path, 2) for path in images]))


@pytest.mark.rows("BTS-20", "GCR-6", "X-22")
def test_threads_with_their_own_streams(cupy, images):
    """Eight threads start at once; what each kept from earlier rounds stays as it was."""
    threads, rounds = 8, 6
    wanted = {hdu: numpy.stack([expected(path, hdu) for path in images]) for hdu in (1, 2, 3)}
    barrier, wrong = threading.Barrier(threads), []

    def work(number):
        try:
            stream, kept = make_stream(cupy), []
            barrier.wait(timeout=60)
            for turn in range(rounds):
                hdu = 1 + (number + turn) % 3
                kept.append((hdu, batch_to_device(images, [hdu], stream=stream)[0]))
            with stream:
                wrong.extend((number, hdu) for hdu, array in kept if not same(cupy.asnumpy(array), wanted[hdu]))
        except BaseException as problem:  # noqa: BLE001: said by the main thread
            wrong.append((number, repr(problem)))

    running = [threading.Thread(target=work, args=(number,)) for number in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join(timeout=120)
    assert not any(thread.is_alive() for thread in running) and wrong == []
