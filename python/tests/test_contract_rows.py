"""Every row of the contract has a test, an issue that builds it, or a reason: dev/make_contract_rows.py."""
import importlib.util

import pytest
from conftest import REPOSITORY

_spec = importlib.util.spec_from_file_location("make_contract_rows", REPOSITORY / "dev/make_contract_rows.py")
contract = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(contract)
TESTS = contract.python_tests()


def rows_here():
    if contract.contract_path().is_file():
        return contract.rows_of(contract.contract_path().read_text())
    return list(dict.fromkeys(line[0] for line in contract.read_table(contract.TABLE.read_text())))


def test_every_row_is_covered():
    problems = contract.check(contract.TABLE.read_text(), rows_here(), TESTS)
    assert not problems, "\n".join(problems)


def test_the_table_has_the_rows_of_the_contract():
    if not contract.contract_path().is_file():
        pytest.skip(f"the contract is not at {contract.contract_path()}")
    rows = rows_here()
    assert len(rows) > 190 and {"BTS-1", "X-25", "CLI-6", "ENV-PYTHON", "API-open", "API-shard", "API-errors"} <= set(rows)


@pytest.mark.parametrize("line, complaint", [
    ("BTS-1\tnone\t", "neither a test nor an issue"),
    ("BTS-1\thand\tpython/tests/test_nowhere.py::test_x", "no such test"),
    ("BTS-1\thand\ttests/unit/io/source_test.cpp::suite.absent", "no such test"),
    ("BTS-1\thand\tissue 5 of 7", "no such test"),
    ("BTS-1\thand\tdocs/compatibility.md: so", "no such test"),
    ("BTS-1\tmarker\tpython/tests/test_contract_rows.py::test_every_row_is_covered", "has no such marker"),
    ("BTS-999\thand\tlater", "is no row of the contract"),
    ("BTS-1\tlater", "malformed line"),
])
def test_a_planted_fault_is_seen(line, complaint):
    problems = contract.check(f"BTS-2\thand\tlater\n{line}\n", ["BTS-1", "BTS-2"], {})
    assert any(complaint in problem for problem in problems), problems


def test_a_marker_with_an_unknown_row_is_seen(tmp_path, monkeypatch):
    (tmp_path / "python/tests/deep").mkdir(parents=True)
    (tmp_path / "python/tests/deep/test_x.py").write_text(
        'import pytest\npytestmark = pytest.mark.rows("A-1")\n\n\n@pytest.mark.rows("B-2", "C-3")\ndef test_y():\n    pass\n')
    monkeypatch.setattr(contract, "ROOT", tmp_path)
    tests = contract.python_tests(tmp_path)
    assert tests == {"python/tests/deep/test_x.py::test_y": ["A-1", "B-2", "C-3"]}
    text = contract.render(["A-1", "B-2", "D-4"], {"D-4": ["later"]}, tests)
    assert contract.check(text, ["A-1", "B-2", "D-4"], tests) == [
        "python/tests/deep/test_x.py::test_y names C-3, which is no row of the contract"]
    assert "B-2: python/tests/deep/test_x.py::test_y is not listed" in "\n".join(
        contract.check("A-1\thand\tlater\nB-2\thand\tlater\nC-3\thand\tlater\n", ["A-1", "B-2", "C-3"], tests))
