"""cuphoton.core.fits_options: what is an option, how two sets are merged, and that they survive travelling."""
import enum
import itertools
import json
import pickle

import numpy
import pytest

from cuphoton.core.fits_options import XDR_OPTION_CHOICES, merge_xdr_options, normalize_xdr_options

EVERY_SET = [{key: value for key, value in zip(XDR_OPTION_CHOICES, values) if value is not None}
             for values in itertools.product(*([None, *sorted(words)] for words in XDR_OPTION_CHOICES.values()))]


def contradicts(options):
    return options.get("decompression_backend") == "hardware" and options.get("gzip_decoder") in ("deflate", "builtin")


@pytest.mark.rows("NAME-4", "OPT-1")
def test_the_choices():
    assert XDR_OPTION_CHOICES == {
        "postprocess": frozenset({"auto", "fused", "separate", "native"}),
        "gzip_decoder": frozenset({"auto", "builtin", "gzip", "deflate"}),
        "decompression_backend": frozenset({"auto", "cuda", "hardware"}),
    }
    assert all(isinstance(words, frozenset) for words in XDR_OPTION_CHOICES.values())


@pytest.mark.rows("OPT-1", "OPT-3", "OPT-6", "RC-11")
def test_every_set_is_kept_as_it_is_or_contradicts_itself():
    refused = 0
    for options in EVERY_SET:
        if contradicts(options):
            with pytest.raises(ValueError, match="hardware.*needs gzip_decoder 'auto' or 'gzip'"):
                normalize_xdr_options(options)
            refused += 1
        else:
            assert normalize_xdr_options(options) == options
    assert refused == 2 * 5


@pytest.mark.rows("OPT-2")
@pytest.mark.parametrize("options, said", [
    ("auto", "must be a mapping, not str"), ([("postprocess", "auto")], "must be a mapping, not list"),
    (3, "must be a mapping"), ({"preprocess": "auto"}, "unknown xdr option 'preprocess'; known: decompression_backend"),
    ({7: "auto"}, "unknown xdr option 7"), ({"postprocess": None}, "postprocess must be one of auto, fused"),
    ({"postprocess": True}, "not True"), ({"postprocess": "Fused"}, "not 'Fused'"),
    ({"gzip_decoder": "zlib"}, "one of auto, builtin, deflate, gzip"), ({"gzip_decoder": b"gzip"}, "not b'gzip'"),
    ({"decompression_backend": "cpu"}, "one of auto, cuda, hardware"), ({"postprocess": ["auto"]}, "postprocess must be"),
])
def test_what_is_no_option(options, said):
    with pytest.raises(ValueError, match=said):
        normalize_xdr_options(options)
    with pytest.raises(ValueError, match=said):
        merge_xdr_options({}, options)
    with pytest.raises(ValueError, match=said):
        merge_xdr_options(options, {})


@pytest.mark.rows("OPT-2", "OPT-3")
def test_nothing_is_nothing():
    assert normalize_xdr_options() == normalize_xdr_options(None) == normalize_xdr_options({}) == {}
    assert merge_xdr_options(None, None) == {}


@pytest.mark.rows("OPT-4", "OPT-3")
def test_every_merge():
    for base, override in itertools.product(EVERY_SET, EVERY_SET):
        if contradicts(base) or contradicts(override):
            continue
        wanted = {key: override.get(key, base.get(key)) for key in XDR_OPTION_CHOICES if key in base or key in override}
        if contradicts(wanted):
            with pytest.raises(ValueError):
                merge_xdr_options(base, override)
        else:
            assert merge_xdr_options(base, override) == wanted


@pytest.mark.rows("OPT-3", "OPT-4")
def test_an_explicit_auto_replaces():
    assert merge_xdr_options({"gzip_decoder": "gzip", "postprocess": "native"}, {"gzip_decoder": "auto"}) == {
        "gzip_decoder": "auto", "postprocess": "native"}


@pytest.mark.rows("OPT-3", "OPT-4")
def test_arguments_are_left_alone():
    base, override = {"postprocess": "fused"}, {"postprocess": "native"}
    merged = merge_xdr_options(base, override)
    merged["postprocess"] = normalize_xdr_options(base)["postprocess"] = "separate"
    assert (base, override) == ({"postprocess": "fused"}, {"postprocess": "native"})
    assert normalize_xdr_options(base) is not base


class Word(str, enum.Enum):
    NATIVE = "native"


@pytest.mark.rows("OPT-1", "OPT-3")
@pytest.mark.parametrize("travel", [lambda options: json.loads(json.dumps(options)),
                                    lambda options: pickle.loads(pickle.dumps(options))])
def test_options_travel(travel):
    for options in EVERY_SET:
        if not contradicts(options):
            assert normalize_xdr_options(travel(normalize_xdr_options(options))) == options
    odd = normalize_xdr_options({numpy.str_("postprocess"): Word.NATIVE, "gzip_decoder": numpy.str_("gzip")})
    assert [type(word) for word in (*odd.keys(), *odd.values())] == [str] * 4
    assert travel(odd) == {"postprocess": "native", "gzip_decoder": "gzip"}
