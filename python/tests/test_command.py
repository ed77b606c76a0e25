"""The command of the wheel: the program that the C++ build installs, started by Python."""
import json
import os
import subprocess
import sys

import pytest
from fixtures_command import command, small_file, small_fits  # noqa: F401: fixtures

from cuphoton import xdr

ABSENT = "CFITSIO (second opinion of verify, writer of make-demo): no"


@pytest.mark.rows("API-doctor")
def test_doctor_says_what_can_run(command):
    result = command("xdr", "doctor")
    assert (result.returncode, result.stderr) == (0, "")
    assert "host engine: yes" in result.stdout and "GPU engine: " in result.stdout and "RICE_1" in result.stdout
    assert "\nPython 3." in result.stdout and "\npackage: " in result.stdout and "\nCuPy: " in result.stdout
    assert "foreign" not in result.stdout


def test_doctor_as_json_is_the_programs_alone(command):
    assert json.loads(command("xdr", "doctor", "--json").stdout)["codecs"]


def test_info_lists_a_file(command, small_file):
    result = command("xdr", "info", small_file)
    assert result.returncode == 0 and "int16" in result.stdout and "2x3" in result.stdout, result


def test_load_saves_the_pixels(command, small_file, tmp_path):
    import numpy

    result = command("xdr", "load", small_file, "--engine", "host", "--save", tmp_path / "out.npy")
    assert result.returncode == 0, result.stderr
    saved = numpy.load(tmp_path / "out.npy")
    assert saved.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert (saved == numpy.asarray(xdr.read(small_file, engine="host"))).all()


def test_exit_codes_are_the_programs(command, tmp_path):
    assert command("xdr", "load", tmp_path / "absent.fits").returncode == 5
    assert command("xdr", "load", "--engine", "abacus", tmp_path).returncode == 2
    (tmp_path / "short.fits").write_bytes(small_fits()[:2885])
    broken = command("xdr", "load", tmp_path / "short.fits")
    assert broken.returncode in (4, 5) and broken.stderr.startswith("ERROR: ") and "short.fits" in broken.stderr


def test_version_and_help(command):
    assert command("--version").stdout.split()[-1] == xdr.__version__
    assert command("--help").returncode == 0


@pytest.mark.rows("BLD-4")
def test_verify_asks_cfitsio_in_a_process_of_its_own(command, tmp_path):
    if ABSENT in command("xdr", "doctor").stdout:
        pytest.skip("this build has no CFITSIO (CUPHOTON_XDR_CFITSIO_ROOT names one)")
    made = command("xdr", "make-demo", tmp_path / "files", "--codec", "RICE_1")
    assert made.returncode == 0, made.stderr
    files = sorted((tmp_path / "files").glob("*.fits*"))
    # A module of that name in the working directory must not be what the child becomes.
    (tmp_path / "_cuphoton_xdr.py").write_text("raise SystemExit(9)\n")
    result = command("xdr", "verify", "--json", *files, folder=tmp_path)
    assert result.returncode == 0, result.stderr
    images = [row for row in json.loads(result.stdout)["rows"] if row["codec"]]
    # Where the child cannot be asked, the detail says so.
    assert [(row["result"], row["detail"]) for row in images] == [("same", "")] * len(files) and files


def test_a_reader_that_has_gone_is_an_exit_code():
    code = ("from cuphoton.xdr import _command, _native\n"
            "class Native:\n    command_main = staticmethod(lambda words, starter: 0)\n"
            "_native.load = Native\nraise SystemExit(_command.run(['xdr', 'doctor']))")
    with open("/dev/full", "w") as full:
        result = subprocess.run([sys.executable, "-c", code], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60,
                                env=os.environ | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)})
    assert result.returncode == 5 and result.stderr == "ERROR: stdout: No space left on device\n"


def test_a_foreign_package_hides_ours_but_not_the_command(command, tmp_path):
    (tmp_path / "cuphoton").mkdir()
    (tmp_path / "cuphoton/__init__.py").write_text("")
    result = command("xdr", "doctor", path=tmp_path)
    assert result.returncode == 0, result.stderr
    assert f"foreign package: {tmp_path / 'cuphoton/__init__.py'}" in result.stdout and "cure: uninstall" in result.stdout


def test_the_function_names_a_foreign_package_too(tmp_path, monkeypatch):
    assert "foreign" not in xdr.doctor()
    (tmp_path / "cuphoton").mkdir()
    (tmp_path / "cuphoton/__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    assert f"foreign package: {tmp_path / 'cuphoton/__init__.py'}" in xdr.doctor()


def test_the_function_names_a_foreign_distribution(tmp_path, monkeypatch):
    folder = tmp_path / "cuphoton-0.1.3.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: cuphoton\nVersion: 0.1.3\n")
    other = tmp_path / "else_where-1.dist-info"
    other.mkdir()
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: else-where\nVersion: 1\n")
    (other / "entry_points.txt").write_text("[console_scripts]\ncuphoton = else_where:main\n")
    monkeypatch.syspath_prepend(tmp_path)
    text = xdr.doctor()
    assert "foreign distribution: cuphoton\n" in text and "foreign distribution: else-where\n" in text


def test_doctor_without_the_extension_module(monkeypatch):
    from cuphoton.xdr import _native

    def absent():
        raise RuntimeError("the native module cuphoton.xdr._ext is missing")
    monkeypatch.setattr(_native, "load", absent)
    assert xdr.doctor().startswith("native part: no\n  the native module cuphoton.xdr._ext is missing")
