"""Where the pixels of `fits_io` go: NumPy's memory, or CuPy's. CuPy is imported when device memory is asked for."""
from cuphoton.core._fits_xdr import unsupported


class Memory:
    """Host memory from NumPy, or device memory from CuPy on the stream that it is used on; a context manager."""

    def __init__(self, device, stream):
        self.cupy = self.stream = None
        if not device:
            return
        from cuphoton.xdr._file import stream_number

        self.cupy = _load_cupy()
        if stream is None:
            self.stream = self.cupy.cuda.get_current_stream()
        elif isinstance(stream, self.cupy.cuda.Stream):
            self.stream = stream
        else:
            self.stream = self.cupy.cuda.ExternalStream(stream_number(stream))

    @property
    def stream_number(self):
        """cudaStream_t as a number; 0 for host memory."""
        return 0 if self.stream is None else int(self.stream.ptr)

    def __enter__(self):
        if self.stream is not None:
            self.stream.__enter__()
        return self

    def __exit__(self, *exception):
        if self.stream is not None:
            self.stream.__exit__(*exception)

    def empty(self, shape, dtype, on_device):
        """Memory for a reader to fill: where the result goes, or host memory if the reader cannot write to a device."""
        import numpy

        return (self.cupy if self.cupy is not None and on_device else numpy).empty(shape, dtype)

    def holding(self, pixels):
        """The array itself where it is where it should be; of a host array its copy on the device, complete."""
        if self.cupy is None or isinstance(pixels, self.cupy.ndarray):
            return pixels
        copied = self.cupy.empty(pixels.shape, pixels.dtype)
        copied.set(pixels, stream=self.stream)
        self.stream.synchronize()
        return copied


def _load_cupy():
    """CuPy with a device to work on. UnsupportedError with the cure where one of the two is missing."""
    cure = "install them with `pip install 'cuphoton-xdr[gpu]'` on a machine with an NVIDIA GPU, or read with device=False"
    try:
        import cupy

        if cupy.cuda.runtime.getDeviceCount() > 0:
            return cupy
        problem = "CuPy finds no device"
    except Exception as fault:  # a missing package, a missing or broken library, a driver that refuses
        problem = f"{type(fault).__name__}: {fault}"
    raise unsupported(f"unavailable: device=True needs CuPy and a usable CUDA device ({problem}); {cure}")
