"""The way to the extension module: a Python-only install says how to build it, and says it again at every call."""
BUILD_COMMAND = "pip install --force-reinstall cuphoton-xdr (from a checkout: pip install .), with CUPHOTON_XDR_BUILD_EXT unset or 1"

_failure = None


def load():
    """cuphoton.xdr._ext. RuntimeError that names the module and the build command where it cannot be imported."""
    global _failure
    try:
        from cuphoton.xdr import _ext
    except ImportError as problem:
        _failure = problem
        raise RuntimeError(f"the native module cuphoton.xdr._ext is missing ({problem}); build it: {BUILD_COMMAND}") from problem
    return _ext


def available():
    """Whether the module can be imported; never raises."""
    try:
        load()
    except RuntimeError:
        return False
    return True
