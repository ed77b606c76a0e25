"""What importing and reading must not need: run where the packages really are absent."""
import subprocess
import sys
import textwrap

import pytest

from fits_bytes import image_hdu, ramp

# Every import of these names, and of what is inside them, fails as if they were not installed.
BLOCK = """
import importlib.abc, sys

class Absent(importlib.abc.MetaPathFinder):
    names = {names!r}
    def find_spec(self, name, path=None, target=None):
        if any(name == absent or name.startswith(absent + ".") for absent in self.names):
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Absent())
"""
GPU_PACKAGES = ("cupy", "kvikio", "nvidia", "torch", "jax")


def run(absent, text, *words):
    """The program's output; its text runs where `absent` cannot be imported, with all warnings as errors."""
    program = BLOCK.format(names=tuple(absent)) + textwrap.dedent(text)
    done = subprocess.run([sys.executable, "-W", "error", "-c", program, *map(str, words)], text=True, timeout=120,
                          capture_output=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


@pytest.fixture()
def path(tmp_path):
    file = tmp_path / "a.fits"
    file.write_bytes(image_hdu(ramp()))
    return file


@pytest.mark.rows("NAME-8")
def test_import_of_the_package():
    absent = (*GPU_PACKAGES, "astropy", "numpy")
    run(absent, """
        import cuphoton.xdr
        assert not any(name.split(".")[0] in Absent.names for name in sys.modules)
        import pathlib
        mapped = pathlib.Path("/proc/self/maps").read_text()
        assert "cuda" not in mapped and "_ext" not in mapped
    """)


@pytest.mark.rows("NAME-8", "NAME-4", "NAME-5", "OPT-5")
def test_options_and_flags_need_nothing():
    run((*GPU_PACKAGES, "astropy", "numpy", "cuphoton.xdr"), """
        from cuphoton.core.fits_options import XDR_OPTION_CHOICES, merge_xdr_options, normalize_xdr_options
        from cuphoton.core.cli import fits
        assert merge_xdr_options({"postprocess": "native"}, {"gzip_decoder": "gzip"})
        assert fits.xdr_option_cli_args({"postprocess": "native"})
        third_party = {name.split(".")[0] for name in sys.modules} - set(sys.stdlib_module_names) - {"cuphoton", "__main__"}
        assert not {name for name in third_party if not name.startswith(("_", "sitecustomize"))} & {
            "click", "typer", "cappa", "tyro", "pydantic", "attrs", "msgspec"}, third_party
    """)


@pytest.mark.rows("NAME-8", "RFI-1")
def test_the_cpu_reader_imports_no_gpu_package_and_no_xdr(path):
    pytest.importorskip("astropy", reason="Astropy is not installed")
    assert run((*GPU_PACKAGES, "cuphoton.xdr"), """
        from cuphoton.core import fits_io
        assert "astropy" not in sys.modules and "numpy" not in sys.modules
        result = fits_io.read_fits_images(sys.argv[1], [0], section=(slice(0, 3), slice(1, 9)))
        assert result.infos[0].header["NAXIS1"] == 30 and result.infos[0].header.cards
        result.metadata()
        print(result.reader, result.arrays[0].shape, "cuphoton.xdr" in sys.modules)
    """, path) == "astropy (3, 8) False\n"


@pytest.mark.rows("NAME-8", "INS-3")
def test_xdr_reads_without_astropy(path):
    assert run((*GPU_PACKAGES, "astropy"), """
        from cuphoton.core import fits_io
        info = fits_io.inspect_fits_image(sys.argv[1])
        result = fits_io.read_fits_images(sys.argv[1], [info.hdu], reader="auto")
        print(info.header["naxis2"], result.reader, int(result.arrays[0].sum()))
    """, path) == f"20 xdr {int(ramp().sum())}\n"


@pytest.mark.rows("NAME-8", "FB-8")
def test_auto_without_the_native_module(path):
    pytest.importorskip("astropy", reason="Astropy is not installed")
    text = run((*GPU_PACKAGES, "cuphoton.xdr._ext"), """
        from cuphoton.core import fits_io
        info, = fits_io.inspect_fits_images(sys.argv[1])
        result = fits_io.read_fits_images(sys.argv[1], [info.hdu], reader="auto")
        print(result.metadata()["reader"], result.fallback_reason)
        try:
            fits_io.read_fits_images(sys.argv[1], [0], reader="xdr")
        except ValueError as refused:
            print(isinstance(refused, RuntimeError), refused)
    """, path)
    first, second = text.splitlines()
    assert first.startswith("astropy unavailable: the native module cuphoton.xdr._ext is missing")
    assert second.startswith("True ") and "unavailable" in second and "pip install" in second


@pytest.mark.rows("NAME-8", "RFI-5")
def test_device_arrays_without_cupy(path):
    assert run((*GPU_PACKAGES, "astropy"), """
        from cuphoton.core import fits_io
        try:
            fits_io.read_fits_images(sys.argv[1], [0], reader="auto", device=True)
        except RuntimeError as refused:
            print(type(refused).__name__, "No module named 'cupy'" in str(refused))
    """, path) == "UnsupportedError True\n"


@pytest.mark.rows("FB-6")
def test_compress_file_that_nothing_here_unpacks(corpus):
    pytest.importorskip("astropy", reason="Astropy is not installed")
    text = run(GPU_PACKAGES, """
        sys.modules["uncompresspy"] = None  # Astropy asks importlib for it, which says "no" to this
        from cuphoton.core import fits_io
        for reader in ("auto", "xdr"):
            try:
                fits_io.read_fits_images(sys.argv[1], [0], reader=reader)
            except ValueError as refused:
                print(type(refused).__name__, [reason.code for reason in refused.reasons], refused)
    """, corpus / "astropy+astropy" / "lzw.fits.Z")
    automatic, required = text.splitlines()
    start = "UnsupportedError ['externally_compressed'] "
    assert automatic.startswith(start) and required.startswith(start)
    assert "externally compressed by compress (.Z)" in automatic and "externally compressed by compress (.Z)" in required
    assert "or let Astropy read it" in automatic and "uncompresspy" in automatic and "Astropy" not in required
