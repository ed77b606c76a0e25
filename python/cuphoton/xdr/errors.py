"""Errors of the library as Python exceptions. One table says which class a code becomes."""


class XdrError(RuntimeError):
    """What is neither a wrong argument nor the file system's: device failures and the library's own.

    Every exception that the library raises carries `.code` (docs/errors-and-receipts.md), `.path`, `.hdu`, `.tile` (None
    where they do not apply) and `.reasons`.
    """

    code = "internal"
    path = hdu = tile = None
    reasons = ()


class UnsupportedError(XdrError, NotImplementedError, ValueError):
    """A codec, layout, engine or option that this build or machine cannot serve; `.reasons` says why."""


class CorruptImageError(XdrError):
    """A damaged tile or tile table."""


class FitsFileError(OSError, XdrError, ValueError):
    """No FITS file, a damaged header, or a file that ends too early."""


class HduNotFoundError(ValueError, IndexError, KeyError):
    """No HDU of that number or name: the one exception for every way of asking."""

    __str__ = Exception.__str__  # KeyError would show the message in quotes


_CLASSES = {
    "invalid_argument": ValueError,
    "hdu_not_found": HduNotFoundError,
    "shape_mismatch": ValueError,
    "unsupported": UnsupportedError,
    "file_truncated": FitsFileError,
    "not_fits": FitsFileError,
    "header_invalid": FitsFileError,
    "tile_table_invalid": CorruptImageError,
    "tile_corrupt": CorruptImageError,
    "io_failed": OSError,
    "device_failed": XdrError,
    "device_lost": XdrError,
    "out_of_memory": MemoryError,
    "internal": XdrError,
}


def make_error(code, text, message, path, hdu, tile, reasons, errno):
    """The exception for an error of the library; called by the extension module."""
    kind = _CLASSES.get(code, XdrError)
    if kind is OSError and errno:
        fault = OSError(errno, message, path)  # Python picks FileNotFoundError, PermissionError, ...
    else:
        fault = kind(text)
    fault.code, fault.path, fault.hdu, fault.tile, fault.reasons = code, path, hdu, tile, tuple(reasons)
    return fault


def make_reason(code, hdu, detail):
    """A Reason from its words: what pickles name, since functions of the extension module do not travel."""
    from cuphoton.xdr import _native

    return _native.load()._make_reason(code, hdu, detail)
