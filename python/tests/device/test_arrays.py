"""Arrays on a GPU: shared memory and copies, ownership, forks. Skips with its reason; XDR_REQUIRE_DEVICE=1 forbids that."""
import gc
import os
import subprocess
import sys

import numpy
import pytest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from cuphoton import xdr  # noqa: E402
from fits_bytes import image_hdu, ramp  # noqa: E402

PIXELS = ramp((256, 300), "f4")
DATA = image_hdu(PIXELS)


def missing(reason):
    if os.environ.get("XDR_REQUIRE_DEVICE") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(autouse=True)
def gpu():
    why = xdr.capabilities().device
    if why is not None:
        missing(why.detail)


def need(name):
    try:
        return __import__(name)
    except ImportError as absent:
        missing(f"{name} cannot be imported: {absent}")


@pytest.fixture()
def array():
    return xdr.read(DATA, engine="gpu", device="cuda:0")


def test_numpy_copies(array):
    first, second = array.numpy(), array.numpy()
    numpy.testing.assert_array_equal(first, PIXELS)
    assert not numpy.shares_memory(first, second)
    first[:] = 0
    numpy.testing.assert_array_equal(array.numpy(), PIXELS)


def test_silent_copies_are_refused(array):
    with pytest.raises(TypeError, match="the array lies on a GPU: .numpy.. copies it to the host"):
        numpy.asarray(array)
    with pytest.raises(AttributeError):
        array.__array_interface__


def test_cupy_shares(array):
    cupy = need("cupy")
    view = array.cupy()
    assert isinstance(view, cupy.ndarray)
    assert view.data.ptr == array.__cuda_array_interface__["data"][0] == cupy.asarray(array).data.ptr
    view[0, 0] = 99
    assert array.numpy()[0, 0] == 99  # .numpy() waits for the null stream


def test_a_host_array_goes_up_to_cupy():
    cupy = need("cupy")
    view = xdr.read(DATA, engine="host", device="cpu").cupy()
    assert isinstance(view, cupy.ndarray) and view.dtype == PIXELS.dtype
    numpy.testing.assert_array_equal(cupy.asnumpy(view), PIXELS)


@pytest.mark.parametrize("dtype", ["u1", "i2", "i4", "i8", "f4", "f8"])
def test_torch_shares(dtype):
    torch = need("torch")
    pixels = ramp((33, 47), dtype)
    array = xdr.read(image_hdu(pixels), engine="gpu", device="cuda:0")
    tensor = array.torch()
    assert tensor.device == torch.device("cuda:0") and tensor.data_ptr() == array.__cuda_array_interface__["data"][0]
    numpy.testing.assert_array_equal(tensor.cpu().numpy(), pixels)
    host = xdr.read(image_hdu(pixels), engine="host", device="cpu")
    assert host.torch().data_ptr() == host.numpy().ctypes.data


def test_numpy_by_dlpack_copies_where_it_is_asked_to(array):
    copy = numpy.from_dlpack(array, device="cpu")
    numpy.testing.assert_array_equal(copy, PIXELS)
    with pytest.raises(BufferError):
        array.__dlpack__(dl_device=(1, 0), copy=False)
    with pytest.raises(BufferError):
        array.__dlpack__(copy=True)
    assert array.__dlpack_device__() == (2, 0)


def test_views_outlive_the_array(array):
    cupy = need("cupy")
    view = array.cupy()
    expected = array.numpy()
    del array
    gc.collect()
    for _ in range(8):
        xdr.read(image_hdu(PIXELS * 0), engine="gpu", device="cuda:0")
    numpy.testing.assert_array_equal(cupy.asnumpy(view), expected)


def test_memory_goes_with_the_last_view():
    cupy = need("cupy")
    data = image_hdu(ramp((2048, 2048), "f4"))  # 16 MiB
    for _ in range(3):
        xdr.read(data, engine="gpu", device="cuda:0").cupy()
    gc.collect()
    free = cupy.cuda.runtime.memGetInfo()[0]
    for _ in range(64):
        xdr.read(data, engine="gpu", device="cuda:0").cupy()
    gc.collect()
    assert free - cupy.cuda.runtime.memGetInfo()[0] < 256 << 20  # 1 GiB would have stayed


FORK = """
import os, sys
sys.path.insert(0, {tests!r})
from cuphoton import xdr
from fits_bytes import image_hdu, ramp
data = image_hdu(ramp((64, 64)))
{before}
child = os.fork()
if child == 0:
    import signal; signal.alarm(60)
    try: print(xdr.read(data, engine={engine!r}, device={device!r}).receipt["engine"], flush=True)
    except xdr.UnsupportedError as fault: print("refused:", fault, flush=True)
    sys.exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.parametrize("before, engine, device, told", [
    ("xdr.read(data, engine='gpu')", "gpu", None, "'spawn' start method"),
    ("xdr.read(data, engine='gpu')", "auto", "cpu", "'spawn' start method"),
    ("xdr.capabilities()", "gpu", None, "'spawn' start method"),
    ("xdr.capabilities()", "auto", "cpu", "host"),
    ("", "gpu", None, "gpu"),
])
def test_a_fork_after_the_gpu_was_used(before, engine, device, told):
    tests = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    program = FORK.format(tests=tests, before=before, engine=engine, device=device)
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, timeout=120)
    lines = done.stdout.splitlines()
    assert len(lines) == 2 and told in lines[0] and lines[1] == "7", done.stdout + done.stderr
    assert lines[0].startswith("refused:") == ("spawn" in told)


def test_the_process_ends_while_daemon_threads_read():
    tests = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    program = (f"import sys, threading, time; sys.path.insert(0, {tests!r})\nfrom cuphoton import xdr\n"
               "from fits_bytes import image_hdu, ramp\ndata = image_hdu(ramp((2000, 2000), 'f4'))\n"
               "def work():\n    while True: xdr.read(data, engine='gpu')\n"
               "xdr.read(data, engine='gpu')\n"
               "for _ in range(3): threading.Thread(target=work, daemon=True).start()\ntime.sleep(0.3)\nprint('end')")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "end\n"), done.stderr
