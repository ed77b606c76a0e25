"""nvCOMP through Python on a GPU: the wheel is found, its pixels are ours, its absence is said. In a process of its own
where the library must be absent: the first that was loaded stays.

XDR_REQUIRE_DEVICE=1 and XDR_REQUIRE_NVCOMP=1 turn skips into failures.
"""
import os
import pathlib
import subprocess
import sys

import pytest

import cuphoton.xdr as xdr
from cuphoton.xdr import _native
from cuphoton.xdr.errors import UnsupportedError

GZIP_FILE = pathlib.Path(__file__).resolve().parents[3] / "fuzz" / "seeds" / "image" / "gzip_1"
PLAIN_FILE = GZIP_FILE.with_name("plain_i16")


def absent(what, variable):
    (pytest.fail if os.environ.get(variable) == "1" else pytest.skip)(what)


@pytest.fixture(scope="module")
def gpu():
    if not _native.available():
        pytest.skip("the extension module is not built")
    try:
        xdr.read(PLAIN_FILE, engine="gpu", device="cpu")
    except UnsupportedError as problem:
        absent(f"no GPU: {problem}", "XDR_REQUIRE_DEVICE")


@pytest.mark.rows("RC-6", "RC-7", "RC-10", "RC-17")
@pytest.mark.parametrize("words", [{"gzip_decoder": "gzip"}, {"gzip_decoder": "gzip", "decompression_backend": "cuda"},
                                   {"gzip_decoder": "deflate"}], ids=lambda words: "-".join(words.values()))
def test_pixels_are_those_of_the_host_engine(gpu, words):
    numpy = pytest.importorskip("numpy", reason="pixels are compared as NumPy arrays")
    wanted = numpy.asarray(xdr.read(GZIP_FILE, engine="host"))
    try:
        got = xdr.read(GZIP_FILE, engine="gpu", device="cpu", **words)
    except UnsupportedError as problem:
        absent(str(problem), "XDR_REQUIRE_NVCOMP")
    assert numpy.asarray(got).tobytes() == wanted.tobytes()
    assert got.receipt["gzip_decoder"] == "nvcomp " + words["gzip_decoder"]
    assert any("trusted files only" in note for note in got.receipt["notes"])


@pytest.mark.rows("RC-6", "RC-12")
def test_absence_names_the_wheel_and_concerns_gzip_tiles_only(gpu, tmp_path):
    code = """
import sys, cuphoton.xdr as xdr
from cuphoton.xdr.errors import UnsupportedError
for words in ({"gzip_decoder": "gzip"}, {"gzip_decoder": "deflate"}):
    for engine in ("gpu", "auto"):
        try:
            xdr.read(sys.argv[1], engine=engine, **words)
        except UnsupportedError as problem:
            assert isinstance(problem, RuntimeError), type(problem)
            assert "nvidia-libnvcomp-cu13" in str(problem) and sys.argv[3] in str(problem), problem
            continue
        raise SystemExit("read without nvCOMP")
    assert xdr.read(sys.argv[2], engine="gpu", **words).receipt["gzip_decoder"] == ""
"""
    done = subprocess.run([sys.executable, "-c", code, GZIP_FILE, PLAIN_FILE, tmp_path], capture_output=True, text=True,
                          env={**os.environ, "CUPHOTON_XDR_NVCOMP_LIB_DIR": str(tmp_path)}, timeout=120)
    assert done.returncode == 0, done.stderr
