"""What is installed: names, stub, namespaces, cost of an import, and installs without the native part."""
import ast
import importlib.metadata
import os
import pathlib
import subprocess
import sys
import tomllib
import zipfile

import pytest
from conftest import REPOSITORY

import cuphoton.xdr

HOME = pathlib.Path(cuphoton.xdr.__file__).parent


def python(code, *flags):
    return subprocess.run([sys.executable, *flags, "-W", "error", "-c", code], capture_output=True, text=True, timeout=120,
                          env=os.environ | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)})


@pytest.mark.rows("NAME-8")
def test_importing_costs_little_and_loads_nothing_else():
    """Under 50 ms on a quiet machine; here the best of five must stay under four times that."""
    code = ("import sys, time; begin = time.perf_counter(); import cuphoton.xdr; cost = time.perf_counter() - begin; "
            "import re; loud = [m for m in sys.modules if re.match('astropy|numpy|cupy|torch|kvikio|nvidia|cuphoton.xdr._ext', m)]; "
            "print(cost, loud, 'libcuda' in open('/proc/self/maps').read())")
    costs = []
    for _ in range(5):
        result = python(code)
        assert result.returncode == 0, result.stderr
        cost, rest = result.stdout.split(" ", 1)
        assert rest.strip() == "[] False"
        costs.append(float(cost))
    assert min(costs) < 0.2


def test_the_packages_are_namespaces():
    assert not (HOME.parent / "__init__.py").exists() and not (HOME.parent / "core/__init__.py").exists()
    assert (HOME / "py.typed").is_file()


def test_every_public_name_resolves_and_is_listed():
    for name in cuphoton.xdr.__all__:
        assert getattr(cuphoton.xdr, name) is not None and name in dir(cuphoton.xdr)
    assert {"doctor", "capabilities", "open", "read"} <= set(cuphoton.xdr.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'load_hdf5'"):
        cuphoton.xdr.load_hdf5


@pytest.mark.rows("API-capabilities")
def test_capabilities_name_every_codec_and_say_why_not():
    able = cuphoton.xdr.capabilities()
    assert {codec.name for codec in able.codecs} >= {"GZIP_1", "GZIP_2", "RICE_1", "HCOMPRESS_1", "PLIO_1"}
    assert able.host_threads >= 1 and (able.device is None) == bool(able.devices)
    assert able.device is None or able.device.detail


def make_stub(*words):
    return subprocess.run([sys.executable, REPOSITORY / "dev/make_stub.py", *words], capture_output=True, text=True,
                          env=os.environ | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)})


def test_the_stubs_are_those_of_the_module(tmp_path):
    pytest.importorskip("nanobind", reason="nanobind writes the stub")
    result = make_stub("--check")
    assert result.returncode == 0, result.stdout + result.stderr
    assert "stub: the same" in result.stdout
    # A name more or less in either is seen.
    for name, there, planted in (("_ext.pyi", "def doctor_text", "def doctor_words"),
                                 ("__init__.pyi", "import read as read", "import read")):
        for stub in ("_ext.pyi", "__init__.pyi"):
            text = (REPOSITORY / "python/cuphoton/xdr" / stub).read_text()
            ast.parse(text)
            (tmp_path / stub).write_text(text.replace(there, planted) if stub == name else text)
        result = make_stub("--check", tmp_path)
        assert result.returncode == 1 and planted in result.stderr, result.stderr


def installed(name):
    try:
        return importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        pytest.skip(f"{name} runs from a source tree: run make python")


@pytest.mark.rows("BLD-7")
def test_the_extras():
    about = installed("cuphoton-xdr")
    assert set(about.metadata.get_all("Provides-Extra")) == {"io", "gpu", "dask", "torch", "remote", "viz", "all"}
    needs = about.requires
    io = {need.split(";")[0].strip() for need in needs if "extra == 'io'" in need or 'extra == "io"' in need}
    assert {"cupy-cuda13x", "kvikio-cu13"} <= io
    assert any(need.startswith("cuphoton-xdr[io]") for need in needs)
    assert sorted(need for need in needs if "extra" not in need) == ["nanobind-backend==1.*", "numpy>=1.23"]


@pytest.fixture(scope="session")
def builder():
    """The interpreter with scikit-build-core that built the wheel under test (dev/python.sh)."""
    interpreter = os.environ.get("XDR_BUILD_PYTHON", "")
    if not interpreter:
        pytest.skip("XDR_BUILD_PYTHON is not set: run make python")
    return interpreter


def settings(builder, **environment):
    """(wheel.cmake, fail, XDR_CFITSIO_ROOT) that scikit-build-core makes of the environment."""
    code = ("from scikit_build_core.settings.skbuild_read_settings import SettingsReader; import sys; "
            "s = SettingsReader.from_file('pyproject.toml').settings; "
            "print(s.wheel.cmake, bool(s.fail), s.cmake.define.get('XDR_CFITSIO_ROOT'), sep='|')")
    clean = {key: value for key, value in os.environ.items() if not key.startswith("CUPHOTON")}
    result = subprocess.run([builder, "-c", code], capture_output=True, text=True, cwd=REPOSITORY, env=clean | environment)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip().split("|")


@pytest.mark.rows("BLD-1", "BLD-2", "ENV-CUPHOTON_XDR_BUILD_EXT")
@pytest.mark.parametrize("word, native, fails", [
    (None, True, False), ("1", True, False), ("true", True, False), ("Yes", True, False), (" on ", True, False),
    ("0", False, False), ("FALSE", False, False), ("no", False, False), ("off", False, False),
    ("", True, True), ("2", True, True), ("maybe", True, True), ("10", True, True), ("off, please", True, True)])
def test_the_switch_of_the_native_part(builder, word, native, fails):
    environment = {} if word is None else {"CUPHOTON_XDR_BUILD_EXT": word}
    cmake, fail, _ = settings(builder, **environment)
    assert fail == str(fails)
    assert fails or cmake == str(native)


def wheel(builder, folder, word):
    return subprocess.run([builder, "-m", "pip", "wheel", ".", "-q", "--no-build-isolation", "--no-deps", "-w", folder],
                          capture_output=True, text=True, cwd=REPOSITORY, env=os.environ | {"CUPHOTON_XDR_BUILD_EXT": word})


@pytest.mark.rows("BLD-2", "ENV-CUPHOTON_XDR_BUILD_EXT")
def test_a_wrong_switch_fails_the_build(builder, tmp_path):
    result = wheel(builder, tmp_path, "perhaps")
    assert result.returncode != 0
    assert "CUPHOTON_XDR_BUILD_EXT must be 1, true, yes, on, 0, false, no or off" in result.stdout + result.stderr


@pytest.mark.rows("BTS-17", "BLD-1")
def test_an_install_without_the_native_part_says_how_to_build_it(builder, tmp_path):
    result = wheel(builder, tmp_path, "0")
    assert result.returncode == 0, result.stderr
    made, = tmp_path.glob("*.whl")
    assert made.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(made) as archive:
        assert not [name for name in archive.namelist() if name.endswith(".so")]
        archive.extractall(tmp_path / "site")
    code = f"""
import sys
sys.path = [p for p in sys.path if "site-packages" not in p] + [{str(tmp_path / "site")!r}]
from cuphoton import xdr
from cuphoton.core import fits_options
assert fits_options.normalize_xdr_options(None) == {{}}
for call in (lambda: xdr.read(b""), lambda: xdr.open("x.fits"), lambda: xdr.capabilities(), lambda: xdr.Array):
    try:
        call()
    except RuntimeError as absent:
        text = str(absent)
    else:
        raise AssertionError("no error")
    assert "cuphoton.xdr._ext" in text and "pip install" in text and "CUPHOTON_XDR_BUILD_EXT" in text, text
for name in ("batch_to_device", "batch_to_device_stream"):
    if name in xdr.__all__:
        for words in ({{}}, {{"native_batcher": False}}):
            try:
                getattr(xdr, name)(["x.fits"], **words)
            except RuntimeError as absent:
                assert "cuphoton.xdr._ext" in str(absent) and "pip install" in str(absent), absent
            else:
                raise AssertionError(name)
assert xdr.doctor().startswith("native part: no") and xdr.__version__ == {(REPOSITORY / "VERSION").read_text().strip()!r}
from _cuphoton_xdr import main
sys.argv = ["cuphoton", "xdr", "doctor"]
main()
"""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    result = subprocess.run([sys.executable, "-I", "-W", "error", "-c", code], capture_output=True, text=True, env=environment)
    assert result.returncode == 1 and "Traceback" not in result.stderr, result.stderr
    assert result.stderr.startswith("ERROR: the native module cuphoton.xdr._ext is missing")


@pytest.mark.rows("BLD-4", "ENV-CUPHOTON_XDR_CFITSIO_ROOT")
def test_the_root_of_cfitsio_is_used_and_nothing_else(builder, tmp_path):
    assert settings(builder, CUPHOTON_XDR_CFITSIO_ROOT="/opt/cfitsio")[2] == "/opt/cfitsio"
    assert settings(builder)[2] == ""

    def configure(root):
        return subprocess.run(["cmake", "-S", REPOSITORY, "-B", tmp_path / "tree", "-G", "Ninja", f"-DXDR_CFITSIO_ROOT={root}",
                               "-DXDR_CFITSIO=OFF", "-DXDR_CUDA=OFF", "-DXDR_TESTS=OFF", "-DXDR_BENCH=OFF"],
                              capture_output=True, text=True)
    (tmp_path / "root/include").mkdir(parents=True)
    result = configure(tmp_path / "root")
    assert result.returncode != 0 and "there is no include/fitsio.h, or no library in lib or lib64" in result.stderr
    (tmp_path / "root/lib64").mkdir()
    (tmp_path / "root/include/fitsio.h").write_text("")
    (tmp_path / "root/lib64/libcfitsio.so").write_text("")
    result = configure(tmp_path / "root")
    assert result.returncode == 0, result.stderr
    assert "CFITSIO (verify, make-demo, tests): yes" in result.stdout
    cache = (tmp_path / "tree/CMakeCache.txt").read_text()
    assert f"cfitsio_LIBRARY:FILEPATH={tmp_path}/root/lib64/libcfitsio.so" in cache


@pytest.mark.rows("BLD-3", "BLD-8")
def test_what_the_package_says_it_needs():
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())
    assert project["project"]["requires-python"] == ">=3.11"
    lists = {line for line in (REPOSITORY / "dev/python-requirements.txt").read_text().splitlines() if line[0] != "#"}
    assert lists == set(project["build-system"]["requires"]), "isolated and unisolated builds use the same tools"


@pytest.mark.rows("API-errors")
def test_errors_are_what_old_code_catches():
    from cuphoton import xdr

    assert issubclass(xdr.UnsupportedError, (xdr.XdrError,)) and issubclass(xdr.UnsupportedError, NotImplementedError)
    assert issubclass(xdr.UnsupportedError, ValueError) and issubclass(xdr.CorruptImageError, xdr.XdrError)
    assert issubclass(xdr.FitsFileError, OSError) and issubclass(xdr.FitsFileError, ValueError)
    assert issubclass(xdr.XdrError, RuntimeError)
    with pytest.raises(xdr.FitsFileError) as caught:
        xdr.read(b"no FITS file at all")
    assert caught.value.code == "not_fits" and caught.value.path and caught.value.tile is None
    assert list(caught.value.reasons) == [] and caught.value.hdu is None


@pytest.mark.rows("API-Hdu")
def test_an_hdu_has_the_decided_attributes():
    from fixtures_command import small_fits

    with cuphoton.xdr.open(small_fits()) as file:
        hdu = file[0]
        assert (hdu.index, hdu.name, hdu.shape, str(hdu.dtype), str(hdu.stored_dtype)) == (0, "", (2, 3), "int16", "int16")
        assert hdu.codec is None and hdu.tile_shape is None and hdu.version == 1
        assert hdu.plan()["output_type"] == "int16" and hdu.plan((slice(0, 1), slice(0, 2)))["section"]
