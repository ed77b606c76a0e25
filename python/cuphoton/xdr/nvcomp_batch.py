"""Names of the nvCOMP module that older code asks for. What they stood for is in the native module, always built."""
from cuphoton.xdr import _native
from cuphoton.xdr._gzip_members import gpu_gzip_decompress_batch

__all__ = ["clear_native_device_pool", "cpp_helper_available", "get_native_batch_builder", "get_native_plan_files",
           "gpu_gzip_decompress_batch", "native_batch_builder_available", "native_device_pool_stats",
           "native_plan_files_available"]


def cpp_helper_available():
    """Whether the native module can be imported. Never raises."""
    return _native.available()


def _if_native(value, required):
    if required:
        _native.load()
    return value if _native.available() else None


def get_native_batch_builder(required=False):
    """`batch_to_device_stream`, which builds batches natively; None without the native module (`required`: RuntimeError)."""
    from cuphoton.xdr.convenience import batch_to_device_stream

    return _if_native(batch_to_device_stream, required)


def get_native_plan_files(required=False):
    """`plan_files(paths, hdu_indices=(1,), section=None)`; None without the native module (`required`: RuntimeError)."""
    return _if_native(plan_files, required)


native_batch_builder_available = native_plan_files_available = cpp_helper_available


def plan_files(paths, hdu_indices=(1,), section=None):
    """What reading would do: for each file a list of plans (dicts), one for each HDU. Reads headers and tile tables."""
    from cuphoton.xdr._file import open as open_file

    plans = []
    for path in paths:
        with open_file(path) as file:
            plans.append([file[hdu].plan(section) for hdu in hdu_indices])
    return plans


def _device_number(device_id):
    if device_id >= 0:
        return device_id
    from cuphoton.xdr import _gpu

    return _gpu.load().cuda.Device().id if _gpu.problem() is None else 0


def native_device_pool_stats(device_id=-1):
    """Counters of the library's memory pool of a device (-1: the current one), or None without the native module. The
    driver keeps the idle memory and does not tell how: those counts are None.
    """
    if not _native.available():
        return None
    facts = _native.load().device_pool(_device_number(device_id))
    return {"allocations": facts["allocations"], "reuses": None, "releases": facts["releases"], "frees": None,
            "idle_buffers": None, "idle_bytes": None, "checked_out_bytes": facts["bytes_in_use"],
            "max_idle_bytes": facts["keep_bytes"]}


def clear_native_device_pool(device_id=-1):
    """Gives idle memory of the pool back to the driver; what is in use stays. Nothing to do without the native module."""
    if _native.available():
        _native.load().trim_device_pool(_device_number(device_id))
