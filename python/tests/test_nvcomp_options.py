"""gzip_decoder and decompression_backend on their way to the library: words, folder, and what the host engine makes of them."""
import pathlib
import sys

import pytest

from cuphoton import xdr
from cuphoton.xdr import _native
from cuphoton.xdr._controls import check_controls
from cuphoton.xdr._nvcomp import LIB_DIR_VARIABLE, nvcomp_folder

GZIP_FILE = pathlib.Path(__file__).resolve().parents[2] / "fuzz" / "seeds" / "image" / "gzip_1"


@pytest.fixture
def no_wheel(monkeypatch):
    """No folder from the environment, and no wheel whatever is installed here."""
    monkeypatch.delenv(LIB_DIR_VARIABLE, raising=False)
    monkeypatch.setitem(sys.modules, "nvidia", None)


@pytest.mark.rows("OPT-1", "RC-9")
def test_words_travel_and_the_folder_only_where_nvcomp_is_named(monkeypatch):
    monkeypatch.setenv(LIB_DIR_VARIABLE, "/somewhere")
    assert check_controls({}) == {}
    assert check_controls({"gzip_decoder": "builtin", "decompression_backend": "cuda"}) == {
        "gzip_decoder": "builtin", "decompression_backend": "cuda"}
    for named in ({"gzip_decoder": "gzip"}, {"gzip_decoder": "deflate"}, {"decompression_backend": "hardware"}):
        assert check_controls(named) == {**named, "nvcomp_folder": "/somewhere"}


@pytest.mark.rows("ENV-CUPHOTON_XDR_NVCOMP_LIB_DIR")
def test_the_folder_is_the_variable_else_the_wheel_else_the_loaders(monkeypatch, tmp_path, no_wheel):
    assert nvcomp_folder() == ""
    (tmp_path / "nvidia" / "libnvcomp").mkdir(parents=True)
    (tmp_path / "nvidia" / "libnvcomp" / "__init__.py").write_text("raise RuntimeError('must not be imported')")
    monkeypatch.delitem(sys.modules, "nvidia")
    monkeypatch.syspath_prepend(tmp_path)
    # Other wheels of `nvidia` may come first on the path: the package of namespace portions finds all of them.
    assert nvcomp_folder() == str(tmp_path / "nvidia" / "libnvcomp")
    monkeypatch.setenv(LIB_DIR_VARIABLE, str(tmp_path / "other"))
    assert nvcomp_folder() == str(tmp_path / "other")
    monkeypatch.setenv(LIB_DIR_VARIABLE, "")
    assert nvcomp_folder() == str(tmp_path / "nvidia" / "libnvcomp")


@pytest.mark.rows("OPT-6", "RC-11")
def test_pairs_that_cannot_be_are_refused_before_a_file_is_touched():
    for decoder in ("deflate", "builtin"):
        with pytest.raises(ValueError, match="hardware"):
            check_controls({"gzip_decoder": decoder, "decompression_backend": "hardware"})


@pytest.mark.rows("RC-5")
def test_auto_is_our_own_decoder():
    """Also on the GPU (device/test_nvcomp.py): nvCOMP runs only where it is named."""
    assert check_controls({"gzip_decoder": "auto"}) == {"gzip_decoder": "auto"}
    receipt = xdr.read(GZIP_FILE, 1, gzip_decoder="auto").receipt
    assert receipt["gzip_decoder"] in ("host", "builtin")
    assert receipt["requested"]["gzip_decoder"] in ("auto", "automatic")


def test_the_library_takes_each_word_and_no_other():
    native = _native.load()
    for decoder in ("auto", "builtin", "gzip", "deflate"):
        for backend in ("auto", "cuda", "hardware"):
            native.Request(gzip_decoder=decoder, decompression_backend=backend, nvcomp_folder="/x")
    with pytest.raises(ValueError, match="gzip_decoder must be 'auto', 'builtin', 'gzip' or 'deflate', not 'nvcomp'"):
        native.Request(gzip_decoder="nvcomp")
    with pytest.raises(ValueError, match="decompression_backend must be 'auto', 'cuda' or 'hardware', not 'gpu'"):
        native.Request(decompression_backend="gpu")


@pytest.mark.rows("RC-12")
def test_the_host_engine_accepts_and_ignores_the_request(no_wheel):
    numpy = pytest.importorskip("numpy", reason="pixels are compared as NumPy arrays")
    import cuphoton.xdr as xdr

    wanted = numpy.asarray(xdr.read(GZIP_FILE, engine="host"))
    for words in ({"gzip_decoder": "gzip"}, {"gzip_decoder": "deflate"}, {"decompression_backend": "hardware"}):
        got = xdr.read(GZIP_FILE, engine="host", **words)
        assert numpy.array_equal(numpy.asarray(got), wanted)
        assert got.receipt["gzip_decoder"] == "host"
        for key, word in words.items():
            assert got.receipt["requested"][key] == word
