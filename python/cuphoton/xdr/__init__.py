"""FITS images, plain and tile-compressed, straight into GPU or host arrays.

    from cuphoton import xdr
    pixels = xdr.read("exposure.fits")        # the first image, on the GPU if there is one
    with xdr.open("exposure.fits") as file:
        box = file["SCI"].read((slice(0, 100), slice(0, 100))).numpy()

Importing this needs neither GPU nor CuPy nor Astropy, and touches no CUDA.
"""
import os
from importlib import import_module

# Mock storage as it was asked for when the package was imported (mock_storage.py).
_MOCK_STORAGE = os.environ.get("CUPHOTON_XDR_MOCK_STORAGE", "")

# Name -> module that holds it, imported when the name is first used.
_HOMES = {
    "Array": "_ext",
    "Capabilities": "_ext",
    "Reason": "_ext",
    "__version__": "_version",
    "File": "_file",
    "Hdu": "_file",
    "Header": "_header",
    "open": "_file",
    "read": "_file",
    "capabilities": "_ext",
    "doctor": "_doctor",
    "XdrError": "errors",
    "UnsupportedError": "errors",
    "CorruptImageError": "errors",
    "FitsFileError": "errors",
    "gpu_available": "convenience",
    "is_gds_active": "convenience",
    "warn_if_gds_fallback": "convenience",
    "GpuImageReader": "convenience",
    "GpuCompImageReader": "convenience",
    "open_gpu": "convenience",
    "batch_to_device": "convenience",
    "batch_to_device_stream": "convenience",
    "mock_storage": "mock_storage",
    "storage_cache": "mock_storage",
}
__all__ = sorted(_HOMES)


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(f"module 'cuphoton.xdr' has no attribute {name!r}")
    home = _HOMES[name]
    if home == "_ext":
        from cuphoton.xdr import _native

        module = _native.load()
    else:
        module = import_module(f"cuphoton.xdr.{home}")
    value = module if name == home else getattr(module, name)  # mock_storage is a module that can be called
    globals()[name] = value
    return value


def __dir__():
    return sorted(set(globals()) | set(_HOMES))
