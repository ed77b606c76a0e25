"""The three runtime controls of xDR as options that travel through JSON, manifests and pickles. Needs no GPU package.

Options are a plain dict of plain strings that holds only what somebody asked for: a missing key means "auto", and an
explicit "auto" is kept, so that it can replace what a manifest says.
"""
from collections.abc import Mapping

XDR_OPTION_CHOICES = {
    "postprocess": frozenset({"auto", "fused", "separate", "native"}),
    "gzip_decoder": frozenset({"auto", "builtin", "gzip", "deflate"}),
    "decompression_backend": frozenset({"auto", "cuda", "hardware"}),
}


def normalize_xdr_options(options=None):
    """A new dict of the explicit options, checked. ValueError for what is no mapping, key, value or pair that can be."""
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise ValueError(f"xdr_options must be a mapping, not {type(options).__name__}")
    checked = {}
    for key, value in options.items():
        if key not in XDR_OPTION_CHOICES:
            raise ValueError(f"unknown xdr option {key!r}; known: {', '.join(sorted(XDR_OPTION_CHOICES))}")
        if not isinstance(value, str) or value not in XDR_OPTION_CHOICES[key]:
            raise ValueError(f"{key} must be one of {', '.join(sorted(XDR_OPTION_CHOICES[key]))}, not {value!r}")
        checked[str.__str__(key)] = str.__str__(value)  # of a NumPy or enum string, the string itself
    if checked.get("decompression_backend") == "hardware" and checked.get("gzip_decoder") in ("deflate", "builtin"):
        raise ValueError("decompression_backend='hardware' needs gzip_decoder 'auto' or 'gzip'")
    return checked


def merge_xdr_options(base, overrides):
    """A new dict, key by key: an override wins, also an explicit "auto"; what it does not name stays.

    Both are checked, and so is the result: two harmless halves may contradict each other.
    """
    return normalize_xdr_options({**normalize_xdr_options(base), **normalize_xdr_options(overrides)})
