"""The version: that of the extension module, else of the installed distribution."""
from cuphoton.xdr import _native


def _version():
    if _native.available():
        return _native.load().__version__
    from importlib.metadata import version

    return version("cuphoton-xdr")


__version__ = _version()
