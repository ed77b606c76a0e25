"""The compatible GPU names: batches and readers that give CuPy arrays. Each is a thin layer over `cuphoton.xdr.open`.

All of them need CuPy and a GPU (RuntimeError with the cure); pixels have Astropy's type and bits, whatever the codec. New
arrays come from the caller's current CuPy allocator on the current device. `stream` is a CuPy or torch stream, anything
with `__cuda_stream__`, or an address: nothing is written before what it holds at the time of the call is done. None means
the null stream's order. The pixels are complete when a call returns, so any stream may use them at once.
"""
import contextlib
import functools
import logging
import math
import os
import warnings

from cuphoton.xdr import _gpu, _native
from cuphoton.xdr._controls import check_controls
from cuphoton.xdr._file import File, selector, stream_number
from cuphoton.xdr.errors import UnsupportedError
from cuphoton.xdr.mock_storage import storage_cache

_log = logging.getLogger("cuphoton.xdr")


def gpu_available():
    """Whether CuPy works and there is a GPU for which this build has code. Asked once for each process."""
    return _gpu.problem() is None


@functools.cache
def is_gds_active():
    """Whether KvikIO would read by GPUDirect Storage: NVIDIA's file system driver is there and KvikIO does not prefer its
    compatible mode. A legacy probe: it does not see peer-to-peer storage, and says nothing of this library's own reader.
    """
    if not gpu_available() or not os.path.exists("/proc/driver/nvidia-fs/stats"):
        return False
    try:
        import kvikio.defaults

        return not kvikio.defaults.is_compat_mode_preferred()
    except Exception:  # not installed, or without libcuda
        return False


def warn_if_gds_fallback():
    """RuntimeWarning where there is a GPU but `is_gds_active` says no."""
    if gpu_available() and not is_gds_active():
        warnings.warn("GPUDirect Storage was not found: files travel through host memory", RuntimeWarning, stacklevel=2)


def _open(path):
    """A File; from the cache where mock storage is on."""
    path = os.fsdecode(path)
    return File(storage_cache.source(path) if storage_cache.active() else path)


def _image(file, which):
    """An HDU that holds pixels and that some engine can read; otherwise the error that says why not."""
    try:
        image = file[which]
    except ValueError:
        raise
    except LookupError as missing:
        raise ValueError(str(missing.args[0])) from None
    if image._info.problem is not None:
        _native.load().raise_problem(file.info, image.index)
    if not image.is_image or (not image.reasons and (not image.shape or 0 in image.shape)):
        raise ValueError(f"{file.name}: HDU {image.index} holds no pixels ({image.kind})")
    corner = (slice(0, 1),) * len(image.shape) or None  # too many axes: no shape, but a reason
    if image.plan(corner)["reasons"]:
        image.read(corner, device="cpu")  # raises UnsupportedError, with the reasons
    return image


def _extents(name, image, section):
    """Shape of what a read gives. ValueError that names the file for a section that is none, lies outside or is empty."""
    if section is None:
        return image.shape
    try:
        shape = tuple(pixels for _, _, pixels in _native.load().section_ranges(section, image.shape))
        if 0 in shape:
            raise ValueError("section: there are no pixels in it")
    except ValueError as wrong:
        raise ValueError(f"{name}: HDU {image.index}: {wrong}") from None
    return shape


def _listed(name, values):
    if isinstance(values, (str, bytes, os.PathLike)) or not hasattr(values, "__iter__"):
        raise ValueError(f"{name} must be a list, not {type(values).__name__}: write [{values!r}]")
    values = tuple(values)
    if not values:
        raise ValueError(f"{name} must not be empty")
    return values


def _check_batch_words(native_batcher, counts):
    """The controls that steer a pipeline; here one loop reads file after file, so they are checked and have no effect."""
    if not (native_batcher is True or native_batcher is False or native_batcher == "auto"):
        raise ValueError(f"native_batcher must be 'auto', True or False, not {native_batcher!r}")
    for name, value in counts.items():
        if value is None and name.endswith("_threads"):
            continue
        if isinstance(value, bool) or not hasattr(value, "__index__") or value.__index__() < 1:
            raise ValueError(f"{name} must be a whole number of at least 1, not {value!r}")
    if storage_cache.active() and native_batcher is True:
        raise RuntimeError("native_batcher=True is not for mock storage: use 'auto' or False")
    _log.debug("a loop reads file after file; without effect: native_batcher=%r, %s", native_batcher, counts)


def _plan(paths, hdus, section):
    """(shape, dtype) of every HDU's pixels, which must be the same in all files."""
    found = [None] * len(hdus)
    for path in dict.fromkeys(paths):
        with _open(path) as file:
            for slot, which in enumerate(hdus):
                image = _image(file, which)
                facts = (image.shape, image.dtype, _extents(file.name, image, section))
                if found[slot] is None:
                    found[slot] = facts
                elif facts != found[slot]:
                    raise ValueError(f"{file.name}: HDU {image.index} is {facts[1]} {facts[0]}, in the first file it is "
                                     f"{found[slot][1]} {found[slot][0]}: a batch needs the same in all files")
    return [(shape, dtype) for _, dtype, shape in found]


def batch_to_device_stream(paths, hdu_indices=(1,), *, out=None, prefetch_depth=2, decode_batch_files=1,
                           batch_queue_depth=2, native_read_threads=None, native_plan_threads=None,
                           native_batcher="auto", postprocess="auto", gzip_decoder="auto",
                           decompression_backend="auto", section=None, stream=None):
    """The same HDUs of many files, stacked: a tuple of CuPy arrays of shape (files, *image), one for each of `hdu_indices`.

    Files and HDUs stay in the given order and may be named twice. `section` is a slice for each axis, steps of 1 or more.
    `out`: an array for each HDU (a bare one where one HDU is named), of exactly that shape and dtype, in C order, on the
    current device; the same objects are returned. ValueError before the first pixel is written for a wrong argument or
    for files whose shapes or dtypes differ; the reader's errors name the file, and `out` is undefined after them.
    `stream`: see the module. The other words are checked and have no effect on the pixels.
    """
    controls = {"postprocess": postprocess, "gzip_decoder": gzip_decoder, "decompression_backend": decompression_backend}
    check_controls(controls)
    _check_batch_words(native_batcher, {
        "prefetch_depth": prefetch_depth, "decode_batch_files": decode_batch_files, "batch_queue_depth": batch_queue_depth,
        "native_read_threads": native_read_threads, "native_plan_threads": native_plan_threads})
    paths = [os.fsdecode(path) for path in _listed("paths", paths)]
    hdus = _listed("hdu_indices", hdu_indices)
    for which in hdus:
        selector(which)
    stream_number(stream)
    cupy = _gpu.load()
    if out is not None:
        given = (out,) if len(hdus) == 1 and not isinstance(out, (tuple, list)) else tuple(out)
        if len(given) != len(hdus):
            raise ValueError(f"out holds {len(given)} arrays, {len(hdus)} HDUs are named")
    facts = [((len(paths), *shape), dtype) for shape, dtype in _plan(paths, hdus, section)]
    if out is None:
        given = tuple(_gpu.empty(shape, dtype, stream) for shape, dtype in facts)
    targets = [_gpu.target(array, *fact, f"out[{slot}] (HDU {hdus[slot]})")
               for slot, (array, fact) in enumerate(zip(given, facts))]
    for place, path in enumerate(paths):
        with _open(path) as file:
            for which, target in zip(hdus, targets):
                file[which].read(section, out=target[place], stream=stream, **controls)
    return given


def batch_to_device(paths, hdu_indices=(1,), *, out=None, stream=None, section=None, parallel=True, prefetch_depth=2,
                    decode_batch_files=1, batch_queue_depth=2, native_read_threads=None, native_plan_threads=None,
                    native_batcher="auto", postprocess="auto", gzip_decoder="auto", decompression_backend="auto"):
    """`batch_to_device_stream` under its older name. `parallel=False` asks for depths of 1 and no native batcher."""
    if not parallel:
        prefetch_depth = decode_batch_files = batch_queue_depth = 1
        native_batcher = False
    return batch_to_device_stream(
        paths, hdu_indices, out=out, stream=stream, section=section, prefetch_depth=prefetch_depth,
        decode_batch_files=decode_batch_files, batch_queue_depth=batch_queue_depth,
        native_read_threads=native_read_threads, native_plan_threads=native_plan_threads, native_batcher=native_batcher,
        postprocess=postprocess, gzip_decoder=gzip_decoder, decompression_backend=decompression_backend)


class _Reader:
    """One HDU of a file on the disk. `path`, `hdu_index`, `shape` and `dtype` (of what is read), `file_offset` (of its
    data), `dtype_char`, `itemsize` and `nbytes` (of the array in the file), `bzero`, `bscale`.
    """

    def __init__(self, file, image):
        info, stored = image._info, image.stored_dtype
        self.path, self.hdu_index, self.shape, self.dtype = file.name, image.index, image.shape, image.dtype
        self.file_offset, self.bzero, self.bscale = info.data_offset_bytes, info.zero, info.scale
        self.dtype_char, self.itemsize = stored.str[1:], stored.itemsize
        self.nbytes = self.itemsize * math.prod(self.shape)
        self.compression, self.tile_shape = image.codec, image.tile_shape
        self._image = image

    def _read(self, out, stream, section=None, loader=None, **controls):
        check_controls(controls)
        stream_number(stream)
        if loader is not None and not (isinstance(loader, File) and loader.name == self.path):
            raise ValueError(f"loader must be None or cuphoton.xdr.open({self.path!r}), opened")
        shape = _extents(self.path, self._image, section)
        if out is None:
            out = _gpu.empty(shape, self.dtype, stream)
        target = _gpu.target(out, shape, self.dtype, "out")
        with contextlib.nullcontext(loader) if loader is not None else _open(self.path) as file:
            file[self.hdu_index].read(section, out=target, stream=stream, **controls)
        return out

    def __repr__(self):
        return f"<{type(self).__name__} {self.path} HDU {self.hdu_index}: {self.dtype} {self.shape}>"


class _AstropyReader(_Reader):
    def __init__(self, hdu):
        about = hdu.fileinfo()
        path = about and about["file"].name
        if not isinstance(path, str) or not os.path.exists(path):
            raise RuntimeError("the HDU has no file on the disk: open it with astropy.io.fits.open(path)")
        with _open(path) as file:
            index = next((one.index for one in file if one._info.header_offset_bytes == about["hdrLoc"]), None)
            if index is None:
                raise ValueError(f"{path}: no HDU begins at byte {about['hdrLoc']}: the file changed since it was opened")
            image = _image(file, index)
            if (image.codec is not None) != self._compressed:
                raise ValueError(f"{path}: HDU {index} is {image.kind}: the other of GpuImageReader and "
                                 "GpuCompImageReader reads it")
            super().__init__(file, image)


class GpuImageReader(_AstropyReader):
    """A plain image of an Astropy HDU that was opened from a file: RuntimeError without one, ValueError without pixels."""

    _compressed = False

    def read(self, *, out=None, stream=None, loader=None):
        """All pixels as a CuPy array, or `out` itself (exact shape and dtype, C order). `loader`: the file, opened by
        `cuphoton.xdr.open`, to save opening it again."""
        return self._read(out, stream, loader=loader)


class GpuCompImageReader(_AstropyReader):
    """A tile-compressed image, of any codec, of an Astropy HDU that was opened from a file."""

    SUPPORTED_GZIP = frozenset({"GZIP_1", "GZIP_2"})  # what nvCOMP can be asked for
    _compressed = True

    def read(self, *, out=None, stream=None, section=None, loader=None, postprocess="auto", gzip_decoder="auto",
             decompression_backend="auto"):
        """Pixels, or a section of them, as `GpuImageReader.read` gives them. `decompression_backend="hardware"` needs a
        stream."""
        controls = {"postprocess": postprocess, "gzip_decoder": gzip_decoder,
                    "decompression_backend": decompression_backend}
        check_controls(controls)
        if stream is None and decompression_backend == "hardware":
            raise UnsupportedError("decompression_backend='hardware' needs an explicit stream")
        return self._read(out, stream, section, loader, **controls)


class GpuImage(_Reader):
    """An HDU of `open_gpu`: read by `read()` or by slices, `image[10:20, :]`."""

    def __init__(self, file, image, words):
        super().__init__(file, image)
        self._file, self._words = file, words

    def read(self, section=None, *, out=None, stream=None):
        return self._read(out, stream, section, self._file, **self._words)

    def __getitem__(self, box):
        box = box if isinstance(box, tuple) else (box,)
        return self.read(box + (slice(None),) * (len(self.shape) - len(box)))


class GpuFile:
    """A file whose HDUs are read to the GPU on access: `f[1][0:100, 0:100]`, `f["SCI"].read()`. A context manager."""

    def __init__(self, path, words):
        check_controls(words)
        _gpu.load()
        self._file, self._words = _open(path), words
        self.close = self._file.close

    def __getitem__(self, which):
        return GpuImage(self._file, _image(self._file, which), self._words)

    def __len__(self):
        return len(self._file)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def __repr__(self):
        return repr(self._file).replace("<File", "<GpuFile", 1)


def open_gpu(path, **kw):
    """Opens a file for reading HDUs and sections to the GPU: a `GpuFile`. `kw`: the runtime controls of its reads."""
    return GpuFile(path, kw)
