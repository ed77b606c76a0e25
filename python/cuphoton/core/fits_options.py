"""The three runtime controls of xDR as options that travel through JSON, manifests and pickles. Needs no GPU package."""
from collections.abc import Mapping

XDR_OPTION_CHOICES = {
    "postprocess": frozenset({"auto", "fused", "separate", "native"}),
    "gzip_decoder": frozenset({"auto", "builtin", "gzip", "deflate"}),
    "decompression_backend": frozenset({"auto", "cuda", "hardware"}),
}


def normalize_xdr_options(options=None):
    """A dict of the explicit options, checked; a missing key means "auto". ValueError for what is no option."""
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
        checked[key] = value
    if checked.get("decompression_backend") == "hardware" and checked.get("gzip_decoder") in ("deflate", "builtin"):
        raise ValueError("decompression_backend='hardware' needs gzip_decoder 'auto' or 'gzip'")
    return checked


def merge_xdr_options(base, overrides):
    """Key by key: an override wins, also an explicit "auto"; what it does not name stays."""
    return normalize_xdr_options({**normalize_xdr_options(base), **normalize_xdr_options(overrides)})
