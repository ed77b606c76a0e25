"""README's examples in Python run as they stand there."""
import os
import re
import subprocess
import sys

import pytest
from conftest import REPOSITORY
from fixtures_command import small_fits

from cuphoton import xdr

BLOCKS = re.findall(r"^```python\n(.*?)^```", (REPOSITORY / "README.md").read_text(), re.S | re.M)


@pytest.fixture
def exposure(tmp_path):
    """exposure.fits: 100 rows of 50 pixels 0, 1, 2, ..."""
    cards = small_fits()[:2880].replace(b"NAXIS1  =                    3", b"NAXIS1  =                   50")
    cards = cards.replace(b"NAXIS2  =                    2", b"NAXIS2  =                  100")
    pixels = b"".join(number.to_bytes(2, "big") for number in range(5000))
    (tmp_path / "exposure.fits").write_bytes(cards + pixels.ljust(-(-len(pixels) // 2880) * 2880, b"\0"))
    return tmp_path


def run(block, folder):
    result = subprocess.run([sys.executable, "-W", "error", "-c", block], capture_output=True, text=True, cwd=folder, timeout=300,
                            env=os.environ | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)})
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.rows("API-open", "API-read", "API-hdu.read", "API-Array")
def test_the_example_on_any_machine(exposure):
    out = run(BLOCKS[0], exposure)
    assert "int16" in out and "(100, 50)" in out
    assert float(out.split()[-1]) == sum(50 * y + x for y in range(10) for x in (5, 8, 11, 14, 17)) / 50


@pytest.mark.rows("API-Array")
def test_the_example_on_a_gpu(exposure):
    able = xdr.capabilities()
    if able.device is not None:
        if os.environ.get("XDR_REQUIRE_DEVICE"):
            pytest.fail(str(able.device))
        pytest.skip(f"no GPU: {able.device.detail}")
    out = run(BLOCKS[1], exposure).split()
    assert float(out[0]) == 2499.5 and "2499.5" in out[1] and "cuda" in out[2]


def test_there_are_two():
    assert len(BLOCKS) == 2 and "device=" in BLOCKS[1]
