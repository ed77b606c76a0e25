"""FITS images, plain and tile-compressed, straight into GPU or host arrays.

    from cuphoton import xdr
    pixels = xdr.read("exposure.fits")        # the first image, on the GPU if there is one
    with xdr.open("exposure.fits") as file:
        box = file["SCI"].read((slice(0, 100), slice(0, 100))).numpy()

Importing this needs neither GPU nor CuPy nor Astropy, and touches no CUDA.
"""
from importlib import import_module

# Name -> module that holds it, imported when the name is first used.
_HOMES = {
    "Array": "_ext",
    "Capabilities": "_ext",
    "Reason": "_ext",
    "__version__": "_version",
    "File": "_file",
    "Hdu": "_file",
    "open": "_file",
    "read": "_file",
    "capabilities": "_ext",
    "doctor": "_doctor",
    "XdrError": "errors",
    "UnsupportedError": "errors",
    "CorruptImageError": "errors",
    "FitsFileError": "errors",
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
    value = getattr(module, name)
    globals()[name] = value
    return value


def __dir__():
    return sorted(set(globals()) | set(_HOMES))
