"""The three runtime controls and gzip_crc32, checked before any file is touched."""
from cuphoton.core.fits_options import normalize_xdr_options
from cuphoton.xdr._nvcomp import nvcomp_folder


def check_controls(controls):
    """Words of `Request` for a caller's controls. ValueError for a name or value that is none, or a pair that cannot be."""
    options = dict(controls)
    words = {}
    if "gzip_crc32" in options:
        words["gzip_crc32"] = options.pop("gzip_crc32")
        if not isinstance(words["gzip_crc32"], bool):
            raise ValueError(f"gzip_crc32 must be True or False, not {words['gzip_crc32']!r}")
    options = normalize_xdr_options(options)
    words.update(options)
    if options.get("gzip_decoder") in ("gzip", "deflate") or options.get("decompression_backend") == "hardware":
        words["nvcomp_folder"] = nvcomp_folder()
    return words
