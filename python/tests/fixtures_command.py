"""The installed command as a fixture, and a small FITS file made by hand."""
import os
import pathlib
import subprocess
import sys

import pytest


def small_fits(pixels=b"\x00\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00\x06"):
    """A primary image of 2 rows of 3 big-endian int16."""
    cards = ["SIMPLE  =                    T", "BITPIX  =                   16", "NAXIS   =                    2",
             "NAXIS1  =                    3", "NAXIS2  =                    2", "END"]
    header = "".join(card.ljust(80) for card in cards).encode().ljust(2880)
    return header + pixels.ljust(2880, b"\0")


@pytest.fixture
def small_file(tmp_path):
    path = tmp_path / "small.fits"
    path.write_bytes(small_fits())
    return path


@pytest.fixture(scope="session")
def command():
    """Runs the installed `cuphoton`; a skip where the package runs from a source tree."""
    program = pathlib.Path(sys.prefix) / "bin/cuphoton"
    if not program.is_file():
        pytest.skip(f"the command is not installed at {program}: run make python")

    def run(*words, path=None, folder=None):
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
        if path is not None:
            environment["PYTHONPATH"] = str(path)
        return subprocess.run([program, *map(str, words)], capture_output=True, text=True, timeout=120, env=environment,
                              cwd=folder)
    return run
