"""CuPy and its streams, found when they are first needed."""
import functools

from cuphoton.xdr import _native
from cuphoton.xdr._file import stream_number

CURE = "pip install 'cuphoton-xdr[gpu]' where there is an NVIDIA GPU; `cuphoton xdr doctor` says what is missing"


@functools.cache
def problem():
    """Why no CuPy array can be filled here; None where one can. Asked once for each process."""
    try:
        import cupy

        cupy.cuda.runtime.getDeviceCount()
    except ImportError as missing:
        return f"CuPy cannot be imported ({missing})"
    except Exception as broken:  # a shared library that does not load is an OSError, a driver's no an error of CuPy
        return f"CuPy does not work here ({type(broken).__name__}: {broken})"
    return _device_problem()


def _device_problem():
    if not _native.available():
        return "the native module is missing"
    here = _native.load().capabilities()
    return None if here.devices else str(here.device)


def load():
    """The module cupy. RuntimeError with the cure where it or a GPU is missing."""
    _native.load()
    if problem() is not None:
        raise RuntimeError(f"GPU arrays cannot be made: {problem()}; {CURE}. Host arrays come from cuphoton.xdr.read")
    import cupy

    return cupy


class _Address:
    """A stream as CuPy takes one of other people's."""

    def __init__(self, number):
        self._number = number

    def __cuda_stream__(self):
        return 0, self._number


def on(stream):
    """A context in which CuPy allocates for `stream`: its memory pool gives out what earlier work of that stream only
    may still use, so pixels that are written after that stream's work harm nobody. None is the null stream.
    """
    streams = load().cuda
    if stream is None:
        return streams.Stream.null
    if hasattr(stream, "ptr"):
        return stream
    if hasattr(streams.Stream, "from_external"):  # newer than ExternalStream, which it replaces
        return streams.Stream.from_external(_Address(stream_number(stream)))
    return streams.ExternalStream(stream_number(stream))


def empty(shape, dtype, stream):
    """An array of the caller's current CuPy allocator, on the current device."""
    with on(stream):
        return load().empty(shape, dtype=dtype)


def target(out, shape, dtype, slot):
    """`out` as a CuPy array over the same memory. ValueError that names the slot where it is not one of this shape and
    dtype, in C order, on the current device.
    """
    cupy = load()
    if isinstance(out, cupy.ndarray):
        view = out
    elif hasattr(out, "__cuda_array_interface__"):
        view = cupy.asarray(out)
    else:
        raise ValueError(f"{slot} must be an array in GPU memory, not {type(out).__name__}")
    if view.shape != tuple(shape):
        raise ValueError(f"{slot} has shape {view.shape}, the pixels have {tuple(shape)}")
    if view.dtype != dtype or not view.dtype.isnative:
        raise ValueError(f"{slot} holds {view.dtype}, the pixels are {dtype}")
    if not view.flags.c_contiguous:
        raise ValueError(f"{slot} is not C-contiguous")
    current = cupy.cuda.Device().id
    if view.device.id != current:
        raise ValueError(f"{slot} lies on device {view.device.id}, the current one is {current}")
    return view
