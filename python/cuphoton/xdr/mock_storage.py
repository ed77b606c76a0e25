"""Mock storage: whole files kept in memory, so that decoding can be timed without disks.

    from cuphoton.xdr import mock_storage, storage_cache
    with mock_storage("host"):
        storage_cache.preload(path)          # otherwise the first read goes to the disk
        batch_to_device([path])

`batch_to_device*`, `GpuImageReader`, `GpuCompImageReader` and `open_gpu` read what is cached. "host" keeps a file in pinned
memory (plain where CuPy is missing); "device" also keeps a copy on the GPU, for `get_buffer`. A file that changed on the
disk is read again. The environment variable CUPHOTON_XDR_MOCK_STORAGE (device or host) turns it on when the package is
imported. The switch is one for the process, not one for each thread.
"""
import contextlib
import os
import sys
import threading
import types

from cuphoton import xdr

_LOCATIONS = ("device", "host")


def _checked(location):
    if location not in _LOCATIONS:
        raise ValueError(f"location must be 'device' or 'host', not {location!r}")
    return location


def _host_bytes(path):
    """Every byte of a file as a uint8 array that carries its path as `name`. OSError where the file ends early."""
    import numpy

    class CachedFile(numpy.ndarray):
        name = path  # what errors and receipts call it

    with open(path, "rb", buffering=0) as file:
        length = os.fstat(file.fileno()).st_size
        try:
            import cupyx

            memory = cupyx.empty_pinned((length,), dtype=numpy.uint8)
        except Exception:  # no CuPy, or one without a GPU: plain memory serves as well, slower
            memory = numpy.empty(length, dtype=numpy.uint8)
        done = 0
        while done < length:
            got = file.readinto(memoryview(memory)[done:])
            if not got:
                raise OSError(f"{path}: expected {length} bytes, the file ended after {done}")
            done += got
    return memory.view(CachedFile)


class StorageCache:
    """What mock storage holds: one entry for each path string and location."""

    def __init__(self):
        self._lock = threading.RLock()
        self._enabled = False
        self._location = "device"
        self._entries = {}  # (path, location) -> (mark of the file, bytes on the host, what get_buffer gives)

    def enable(self, location="device"):
        """Files are served from the cache from now on."""
        self._location, self._enabled = _checked(location), True

    def disable(self):
        """Files are read from the disk again; what is cached stays until `clear`."""
        self._enabled = False

    def clear(self):
        with self._lock:
            self._entries.clear()

    def active(self):
        return self._enabled

    @property
    def location(self):
        return self._location

    def cached_paths(self):
        """Paths that are cached for the present location."""
        return tuple(path for path, location in self._entries if location == self._location)

    def preload(self, path):
        """Reads a file into the cache. OSError where it cannot be read whole."""
        self._entry(path)

    def get_buffer(self, path):
        """The whole file as a uint8 array: CuPy's for "device", NumPy's for "host". The cache owns it."""
        return self._entry(path)[2]

    def source(self, path):
        """The bytes as the readers take them."""
        return self._entry(path)[1]

    def _entry(self, path):
        path = os.fsdecode(path)
        about = os.stat(path)
        mark = (about.st_size, about.st_mtime_ns, about.st_ino)
        with self._lock:
            key = (path, self._location)
            if key not in self._entries or self._entries[key][0] != mark:
                on_host = _host_bytes(path)
                given = on_host
                if self._location == "device":
                    from cuphoton.xdr import _gpu

                    cupy = _gpu.load()
                    given = cupy.asarray(on_host)
                    cupy.cuda.get_current_stream().synchronize()  # whoever takes it may use another stream
                self._entries[key] = (mark, on_host, given)
            return self._entries[key]


storage_cache = StorageCache()


@contextlib.contextmanager
def mock_storage(location="device"):
    """Mock storage for the length of a `with`; yields `storage_cache`. At the end what was cached is dropped and what was
    set before is set again.
    """
    _checked(location)
    before = (storage_cache._enabled, storage_cache._location)
    storage_cache.enable(location)
    try:
        yield storage_cache
    finally:
        storage_cache.clear()
        storage_cache._enabled, storage_cache._location = before


class _CallableModule(types.ModuleType):
    """`cuphoton.xdr.mock_storage` names this module and, in `cuphoton.xdr.__all__`, the function: it is both."""

    def __call__(self, location="device"):
        return mock_storage(location)


sys.modules[__name__].__class__ = _CallableModule

_ambient = xdr._MOCK_STORAGE.strip().lower()
if _ambient in _LOCATIONS:
    storage_cache.enable(_ambient)
