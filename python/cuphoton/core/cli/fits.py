"""Flags by which a command lets its user choose the FITS reader, and xDR's three runtime controls.

For argparse, the flags are added to a parser and the options come out of its namespace:

    parser = argparse.ArgumentParser()
    FitsReaderOptions.add_arguments(parser)
    command = parser.parse_args()
    read_fits_images(path, [1], reader=command.fits_reader, xdr_options=xdr_options_from_cli(command))

Commands that are classes inherit from one of the two dataclasses instead, which have the same four attributes. Both keep
apart what was said and what was left out: a flag that nobody gave is None, so that a manifest's value stays, while an
explicit "auto" replaces it (`cuphoton.core.fits_options.merge_xdr_options`). The command `cuphoton` takes the same flags.
"""
from dataclasses import dataclass

from cuphoton.core.fits_options import XDR_OPTION_CHOICES, normalize_xdr_options

__all__ = ["FitsReaderOptions", "XdrOptionsMixin", "xdr_option_cli_args", "xdr_options_from_cli"]

_READERS = ("astropy", "auto", "xdr")
_HELP = {
    "postprocess": "how pixels are restored on the GPU; the values are the same",
    "gzip_decoder": "decoder of gzip tiles: builtin is xDR's own, gzip and deflate are nvCOMP's",
    "decompression_backend": "what nvCOMP decompresses with",
}


def _attribute(key):
    """"postprocess" -> "xdr_postprocess"; its flag is --xdr-postprocess."""
    return f"xdr_{key}"


def _flag(key):
    return "--" + _attribute(key).replace("_", "-")


@dataclass(kw_only=True)
class XdrOptionsMixin:
    """The three controls as attributes of a command; None for a flag that was not given."""

    xdr_postprocess: str | None = None
    xdr_gzip_decoder: str | None = None
    xdr_decompression_backend: str | None = None

    @classmethod
    def add_arguments(cls, parser):
        """Adds the flags to an argparse parser or group, which refuses other words by itself. Returns the parser."""
        for key, choices in XDR_OPTION_CHOICES.items():
            parser.add_argument(_flag(key), choices=sorted(choices), default=None, help=_HELP[key])
        return parser

    @property
    def xdr_options(self):
        """What was given, as for `read_fits_images`. ValueError for words that are none, or that contradict each other."""
        return xdr_options_from_cli(self)


@dataclass(kw_only=True)
class FitsReaderOptions(XdrOptionsMixin):
    """The reader and the three controls. The controls take effect once a reader is chosen; they choose none."""

    fits_reader: str = "astropy"

    @classmethod
    def add_arguments(cls, parser):
        """--fits-reader and the flags of the controls."""
        parser.add_argument("--fits-reader", choices=_READERS, default="astropy",
                            help="astropy reads on the CPU, xdr needs the GPU, auto takes xDR wherever it can run")
        return super().add_arguments(parser)


def xdr_options_from_cli(command):
    """The options that were given, from an argparse namespace or any object with the attributes above.

    A missing attribute is a flag that was not given. ValueError as in `normalize_xdr_options`.
    """
    given = {key: getattr(command, _attribute(key), None) for key in XDR_OPTION_CHOICES}
    return normalize_xdr_options({key: value for key, value in given.items() if value is not None})


def xdr_option_cli_args(options):
    """The flags that say the same as `options`, as words for a command line; [] for None. The way back is a parser's."""
    checked = normalize_xdr_options(options)
    return [word for key in XDR_OPTION_CHOICES if key in checked for word in (_flag(key), checked[key])]
