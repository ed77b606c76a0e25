"""Markers and what all Python tests share. Tests of GPU functions live in device/ and run where there is a GPU."""
import os
import pathlib

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


def pytest_configure(config):
    config.addinivalue_line("markers", "rows(*ids): the rows of the contract that a test covers")
    config.addinivalue_line("filterwarnings", "error")


@pytest.fixture(scope="session")
def corpus():
    """Folder of the shared corpus; a skip with its reason where it is absent."""
    folder = pathlib.Path(os.environ.get("XDR_SHARED", REPOSITORY.parent / "shared")) / "corpus"
    if not folder.is_dir():
        pytest.skip(f"the shared corpus is not at {folder}")
    return folder


# What a GPU host may lack although XDR_REQUIRE_DEVICE=1 forbids skips there.
MAY_LACK = ("one GPU only", "needs nvCOMP")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """A skipped device test is a failure where XDR_REQUIRE_DEVICE=1."""
    report = (yield).get_result()
    if os.environ.get("XDR_REQUIRE_DEVICE") != "1" or not report.skipped or "device" not in item.path.parts:
        return
    if not any(words in str(report.longrepr) for words in MAY_LACK):
        report.outcome = "failed"
