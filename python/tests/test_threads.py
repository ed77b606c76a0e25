"""Threads, forks and the end of the process: the interpreter's lock, locks a child would inherit, daemon threads."""
import io
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import warnings

import numpy
import pytest

from cuphoton import xdr
from fits_bytes import image_hdu, ramp

PIXELS = ramp((64, 64), "i2")
DATA = image_hdu(PIXELS)
HELPERS = f"import sys; sys.path.insert(0, {os.path.dirname(os.path.abspath(__file__))!r})\n"


class Waiting(io.BytesIO):
    """A file whose reads wait until they are let go."""

    def __init__(self):
        super().__init__(DATA)
        self.entered, self.go = threading.Event(), threading.Event()

    def read(self, count=-1):
        self.entered.set()
        assert self.go.wait(20), "nobody let the read go: was the interpreter's lock held?"
        return super().read(count)


@pytest.mark.parametrize("work", [lambda source: xdr.read(source, device="cpu").numpy(),
                                  lambda source: xdr.open(source).info.hdus[0].shape,
                                  lambda source: xdr.read(source, out=numpy.empty((64, 64), "i2")),
                                  lambda source: xdr.open(source)[0].plan()["hdu"]])
def test_other_threads_run_while_a_call_waits(work):
    source, results = Waiting(), []
    thread = threading.Thread(target=lambda: results.append(work(source)))
    thread.start()
    assert source.entered.wait(20)
    source.go.set()  # this thread runs although that one is in the call
    thread.join(20)
    assert not thread.is_alive() and len(results) == 1


def test_the_lock_is_free_while_tiles_are_decoded():
    data = image_hdu(ramp((4000, 4000), "f4"))
    running, counted = threading.Event(), []

    def work():
        running.set()
        for _ in range(8):
            xdr.read(data, device="cpu")
        counted.append(None)

    thread = threading.Thread(target=work)
    thread.start()
    running.wait()
    turns = 0
    while not counted:
        turns += 1
        time.sleep(0)
    thread.join()
    assert turns > 100


def test_threads_that_start_together_get_the_same_pixels():
    start = threading.Barrier(12)
    file, objects = xdr.open(DATA), xdr.open(io.BytesIO(DATA))
    wrong = []

    def work(number):
        opened = [file, objects, xdr.open(DATA)][number % 3]
        start.wait()
        for _ in range(20):
            rows = slice(number, 64, 2)
            if not numpy.array_equal(opened[0].read((rows, slice(None)), device="cpu"), PIXELS[rows]):
                wrong.append(number)
            if opened[0].header["NAXIS1"] != 64:
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


# --- fork ---


def in_a_fork(work):
    """What `work` says in a forked child, which is killed after 30 seconds."""
    end, start = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python's and JAX's own opinion of threads and fork
        child = os.fork()
    if child == 0:
        signal.alarm(30)
        try:
            text = str(work())
        except BaseException as fault:  # noqa: BLE001: told to the parent
            text = f"{type(fault).__name__}: {fault}"
        os.write(start, text.encode())
        os._exit(0)
    os.close(start)
    with os.fdopen(end, "rb") as pipe:
        told = pipe.read().decode()
    _, status = os.waitpid(child, 0)
    assert os.WIFEXITED(status), f"the child was killed by signal {os.WTERMSIG(status)}"
    return told


SPAWN = "create worker processes by the 'spawn' start method (in Python multiprocessing.get_context('spawn'))"


@pytest.mark.parametrize("words", [{"engine": "host"}, {}, {"engine": "host", "out": numpy.empty((64, 64), "i2")}], ids=str)
def test_a_read_in_a_forked_child_is_a_clear_error(words):
    xdr.read(DATA, engine="host")
    told = in_a_fork(lambda: xdr.read(DATA, **words))
    assert told == ("UnsupportedError: <bytes>: HDU 0: this process was forked from one that had used the library, and the "
                    f"threads of the host engine did not come along; {SPAWN}, or fork before the first read")
    numpy.testing.assert_array_equal(xdr.read(DATA, device="cpu"), PIXELS)  # the parent goes on


def test_headers_of_new_sources_are_read_in_a_child():
    xdr.read(DATA, engine="host")
    assert in_a_fork(lambda: xdr.open(DATA)[0].header["NAXIS1"]) == "64"
    assert in_a_fork(lambda: xdr.open(io.BytesIO(DATA))[0].shape) == "(64, 64)"


def test_a_file_object_of_the_parent_is_refused_in_a_child():
    file = xdr.open(io.BytesIO(DATA))
    told = in_a_fork(lambda: file.info)
    assert told.startswith("UnsupportedError: <file object>: this process was forked from one that opened the file object, "
                           "whose position it shares; open the file in the child")


def test_arrays_of_the_parent_stay_readable_in_a_child():
    array = xdr.read(DATA, device="cpu")
    assert in_a_fork(lambda: array.numpy().sum()) == str(PIXELS.sum())


def run(program, **words):
    return subprocess.run([sys.executable, "-W", "ignore", "-c", HELPERS + program], capture_output=True, text=True,
                          timeout=60, **words)


def test_a_child_that_forked_before_the_first_read_may_read():
    done = run("import os\nfrom cuphoton import xdr\nfrom fits_bytes import image_hdu, ramp\n"
               "data = image_hdu(ramp((64, 64)))\nchild = os.fork()\n"
               "pixels = xdr.read(data, device='cpu').numpy().sum()\n"
               "if child: assert os.waitpid(child, 0)[1] == 0\nprint(pixels)")
    assert done.returncode == 0 and done.stdout == f"{ramp((64, 64)).sum()}\n" * 2 and done.stderr == ""


def test_a_forked_child_ends_by_sys_exit():
    done = run("import os, sys, signal\nfrom cuphoton import xdr\nfrom fits_bytes import image_hdu, ramp\n"
               "xdr.read(image_hdu(ramp((64, 64))), engine='host')\nchild = os.fork()\n"
               "if not child: signal.alarm(20); sys.exit(5)\nprint(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))")
    assert (done.returncode, done.stdout, done.stderr) == (0, "5\n", "")


def read_sum(data):
    return int(xdr.read(data, device="cpu").numpy().sum())


def test_spawned_workers_read():
    xdr.read(DATA, device="cpu")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(read_sum, (DATA,)) == PIXELS.sum()


# --- the end of the process ---

ENDS = {
    "while tiles are decoded": """
data = image_hdu(ramp((3000, 3000), "f4"))
def work():
    while True: xdr.read(data, engine="host")
""",
    "while a file object is read": """
import io, time
class Slow(io.BytesIO):
    def read(self, count=-1):
        time.sleep(0.002)
        return super().read(min(count, 4096))
data = image_hdu(ramp((300, 300), "f4"))
def work():
    while True: xdr.read(Slow(data), engine="host")
""",
    "while headers are read": """
data = image_hdu(ramp((30, 30), "f4"))
def work():
    while True: xdr.open(data)[0].header["NAXIS1"]
""",
}


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("when", ENDS)
def test_the_process_ends_while_daemon_threads_read(when, turn):
    done = run(f"import threading, time\nfrom cuphoton import xdr\nfrom fits_bytes import image_hdu, ramp\n{ENDS[when]}\n"
               "for _ in range(3): threading.Thread(target=work, daemon=True).start()\n"
               f"time.sleep(0.2 + {turn} * 0.013)\nprint('end')")
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")


def test_exit_hooks_may_still_read():
    done = run("import atexit, io, threading\nfrom fits_bytes import image_hdu, ramp\n"
               "data = image_hdu(ramp((64, 64)))\n"
               "atexit.register(lambda: print(xdr.read(io.BytesIO(data), device='cpu').numpy().sum(), flush=True))\n"
               "from cuphoton import xdr\nxdr.read(data, device='cpu')\n"  # its own hook runs first
               "def work():\n    while True: xdr.read(data, device='cpu')\n"
               "threading.Thread(target=work, daemon=True).start()\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{ramp((64, 64)).sum()}\n", "")


def test_exit_hooks_may_wait_for_threads_that_read():
    done = run("import atexit, threading\nfrom fits_bytes import image_hdu, ramp\ndata = image_hdu(ramp((64, 64)))\n"
               "end, sums = threading.Event(), []\n"
               "def work():\n    while not end.is_set(): sums.append(xdr.read(data, device='cpu').numpy().sum())\n"
               "thread = threading.Thread(target=work, daemon=True)\n"
               "atexit.register(lambda: (end.set(), thread.join(), print(set(map(int, sums)))))\n"
               "from cuphoton import xdr\nthread.start()\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{{{ramp((64, 64)).sum()}}}\n", "")


def test_a_read_that_never_comes_back_does_not_keep_the_process():
    start = time.monotonic()
    done = run("import io, threading, time\nfrom cuphoton import xdr\nfrom fits_bytes import image_hdu, ramp\n"
               "class Stuck(io.BytesIO):\n    def read(self, count=-1): time.sleep(1000)\n"
               "threading.Thread(target=lambda: xdr.read(Stuck(b' ' * 9000)), daemon=True).start()\n"
               "time.sleep(0.2); print('end')")
    assert (done.returncode, done.stdout) == (0, "end\n") and time.monotonic() - start < 40
