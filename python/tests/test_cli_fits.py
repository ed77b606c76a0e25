"""cuphoton.core.cli.fits: flags of commands, with argparse and with commands that are classes."""
import argparse
from dataclasses import dataclass

import pytest

from cuphoton.core.cli.fits import FitsReaderOptions, XdrOptionsMixin, xdr_option_cli_args, xdr_options_from_cli
from cuphoton.core.fits_options import XDR_OPTION_CHOICES, merge_xdr_options
from test_fits_options import EVERY_SET, contradicts


def parser_of(options=FitsReaderOptions):
    parser = argparse.ArgumentParser(exit_on_error=False)
    parser.add_argument("path")
    assert options.add_arguments(parser) is parser
    return parser


@pytest.mark.rows("NAME-5")
def test_every_set_makes_the_round_trip():
    parser = parser_of()
    for options in EVERY_SET:
        if contradicts(options):
            with pytest.raises(ValueError):
                xdr_option_cli_args(options)
            continue
        words = xdr_option_cli_args(options)
        assert all(isinstance(word, str) for word in words) and len(words) == 2 * len(options)
        assert xdr_options_from_cli(parser.parse_args(["a.fits", *words])) == options


@pytest.mark.rows("NAME-5", "OPT-1")
def test_the_flags():
    options = {"decompression_backend": "cuda", "gzip_decoder": "auto", "postprocess": "native"}
    assert xdr_option_cli_args(options) == ["--xdr-postprocess", "native", "--xdr-gzip-decoder", "auto",
                                            "--xdr-decompression-backend", "cuda"]
    assert xdr_option_cli_args(None) == xdr_option_cli_args({}) == []
    with pytest.raises(ValueError, match="unknown xdr option"):
        xdr_option_cli_args({"engine": "gpu"})


@pytest.mark.rows("NAME-5", "OPT-3", "OPT-4")
def test_only_flags_that_were_given():
    parser = parser_of()
    assert xdr_options_from_cli(parser.parse_args(["a.fits"])) == {}
    given = xdr_options_from_cli(parser.parse_args(["a.fits", "--xdr-gzip-decoder", "auto"]))
    assert given == {"gzip_decoder": "auto"}
    manifest = {"gzip_decoder": "gzip", "postprocess": "separate"}
    assert merge_xdr_options(manifest, given) == {"gzip_decoder": "auto", "postprocess": "separate"}


@pytest.mark.rows("NAME-5", "POL-3")
def test_the_reader_is_a_flag_of_its_own():
    parser = parser_of()
    assert parser.parse_args(["a.fits"]).fits_reader == "astropy"
    for reader in ("auto", "astropy", "xdr"):
        assert parser.parse_args(["a.fits", "--fits-reader", reader]).fits_reader == reader
    # The controls choose no reader.
    assert parser.parse_args(["a.fits", "--xdr-postprocess", "native"]).fits_reader == "astropy"
    assert not hasattr(parser_of(XdrOptionsMixin).parse_args(["a.fits"]), "fits_reader")


@pytest.mark.rows("NAME-5", "POL-3")
@pytest.mark.parametrize("words", [["--fits-reader", "fitsio"], ["--xdr-postprocess", "slow"], ["--xdr-gzip-decoder", ""],
                                   ["--xdr-decompression-backend", "HARDWARE"], ["--xdr-postprocess"]])
def test_other_words_are_refused_by_the_parser(words):
    with pytest.raises(argparse.ArgumentError):
        parser_of().parse_args(["a.fits", *words])


@pytest.mark.rows("NAME-5", "OPT-6")
def test_a_pair_that_cannot_be():
    words = ["a.fits", "--xdr-gzip-decoder", "deflate", "--xdr-decompression-backend", "hardware"]
    with pytest.raises(ValueError, match="hardware"):
        xdr_options_from_cli(parser_of().parse_args(words))


@pytest.mark.rows("NAME-5")
def test_commands_that_are_classes():
    @dataclass
    class Stack(FitsReaderOptions):
        paths: list
        sigma: float = 3.0

    assert [field for field in Stack.__dataclass_fields__ if field.startswith("xdr_")] == [
        f"xdr_{key}" for key in XDR_OPTION_CHOICES]
    command = Stack(["a.fits"], xdr_postprocess="separate", fits_reader="auto")
    assert (command.sigma, command.fits_reader) == (3.0, "auto")
    assert command.xdr_options == xdr_options_from_cli(command) == {"postprocess": "separate"}
    assert xdr_options_from_cli(Stack([])) == {}
    with pytest.raises(ValueError, match="postprocess must be one of"):
        Stack([], xdr_postprocess="slow").xdr_options
    assert xdr_options_from_cli(object()) == {}  # a command without the flags
