"""Where nvCOMP is, for the options that name it. The only place that reads CUPHOTON_XDR_NVCOMP_LIB_DIR."""
import importlib.util
import os

LIB_DIR_VARIABLE = "CUPHOTON_XDR_NVCOMP_LIB_DIR"


def nvcomp_folder():
    """CUPHOTON_XDR_NVCOMP_LIB_DIR, else the folder of the wheel nvidia-libnvcomp-cu13, else "" (where the loader looks).

    Opens nothing: whether a library is there turns out when a gzip tile is to be decoded by it (docs/nvcomp.md).
    """
    given = os.environ.get(LIB_DIR_VARIABLE)
    if given:
        return os.path.abspath(given)
    try:
        wheel = importlib.util.find_spec("nvidia.libnvcomp")
    except ImportError:  # not even a package `nvidia`
        return ""
    return wheel.submodule_search_locations[0] if wheel is not None and wheel.submodule_search_locations else ""
