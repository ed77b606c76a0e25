"""Which interpreter `make python` takes, and that a wrong one ends it before anything is installed (dev/python.sh)."""
import os
import shutil
import subprocess
import sys

import pytest
from conftest import REPOSITORY

pytestmark = pytest.mark.rows("BLD-5", "ENV-PYTHON", "ENV-VIRTUAL_ENV")


@pytest.fixture
def checkout(tmp_path):
    """A folder with the script, and python3 on its PATH."""
    for folder in ("dev", "programs", "env/bin", "broken/bin"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(REPOSITORY / "dev/python.sh", tmp_path / "dev")
    shutil.copy(REPOSITORY / "dev/python-requirements.txt", tmp_path / "dev")
    real = os.path.realpath(sys.executable)
    for place in ("programs/python3", "programs/mine", "env/bin/python"):
        (tmp_path / place).write_text(f'#!/bin/sh\nexec {real} "$@"\n')
        (tmp_path / place).chmod(0o755)
    return tmp_path


def run(checkout, *words, **environment):
    clean = {key: value for key, value in os.environ.items() if key not in ("PYTHON", "VIRTUAL_ENV")}
    clean["PATH"] = f"{checkout}/programs:/usr/bin:/bin"
    result = subprocess.run([checkout / "dev/python.sh", *(words or ["which"])], capture_output=True, text=True, cwd=checkout,
                            env=clean | {key: str(value) for key, value in environment.items()}, timeout=60)
    return result


def chosen(result):
    assert result.returncode == 0, result.stderr
    return result.stdout.split()[1:3]


def test_the_order(checkout):
    environment = checkout / "env"
    assert chosen(run(checkout)) == [f"{checkout}/programs/python3", "(PATH),"]
    (checkout / ".venv/bin").mkdir(parents=True)
    shutil.copy(checkout / "programs/mine", checkout / ".venv/bin/python")
    assert chosen(run(checkout)) == [f"{checkout}/.venv/bin/python", "(.venv),"]
    assert chosen(run(checkout, VIRTUAL_ENV=environment)) == [f"{environment}/bin/python", "(VIRTUAL_ENV),"]
    assert chosen(run(checkout, VIRTUAL_ENV=environment, PYTHON="mine")) == [f"{checkout}/programs/mine", "(PYTHON),"]


def test_a_relative_one_is_made_absolute(checkout):
    assert chosen(run(checkout, PYTHON="programs/mine")) == [f"{checkout}/programs/mine", "(PYTHON),"]


@pytest.mark.parametrize("wrong, complaint", [
    ({"PYTHON": ""}, "PYTHON is set, but empty"),
    ({"PYTHON": "no-such-python"}, "PYTHON names no-such-python, which is no program"),
    ({"PYTHON": "/bin/false"}, "PYTHON names /bin/false, which cannot build the wheel"),
    ({"VIRTUAL_ENV": "broken"}, "VIRTUAL_ENV names broken/bin/python, which is no program"),
    ({"PYTHON": "old"}, "which cannot build the wheel")])
def test_a_wrong_choice_fails_before_anything_is_installed(checkout, wrong, complaint):
    (checkout / "programs/old").write_text("#!/bin/sh\necho 'Python 3.9 is too old' >&2; exit 1\n")
    (checkout / "programs/old").chmod(0o755)
    for mode in ("test", "wheel", "which"):
        result = run(checkout, mode, **wrong)
        assert result.returncode == 2 and complaint in result.stderr
    assert not (checkout / ".venv").exists() and not (checkout / "build").exists()
