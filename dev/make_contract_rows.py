#!/usr/bin/env python3
"""Maps every row of the contract to the tests that cover it: tests/contract_rows.tsv.

usage: make_contract_rows.py           rewrites the lines that come from markers, keeps those written by hand
       make_contract_rows.py --check   says what is wrong; exit 1 if anything is

A line is ROW, BY, WHERE, split by tabs. BY is
  marker   WHERE is a Python test that says @pytest.mark.rows("ROW"): made by this script, never typed
  hand     WHERE is a test without marker (tests/unit/io/memory_test.cpp::suite.name, python/tests/...::test, tests/cli/x.py),
           `issue N of 7` or `later` for what comes later, or `docs/compatibility.md: why` for a difference on purpose
  none     nobody covers the row: the check fails

Rows are the identifiers of the contract's tables (sections 1 to 8, X rows of 10), ENV-NAME for each environment variable of
section 7 and API-NAME for each line of section 13. The contract lies beside the clone; where it is absent, the rows are those
that the file holds.
"""
import ast
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "tests/contract_rows.tsv"
HEAD = "# row\tby\twhere (dev/make_contract_rows.py)"
LATER = re.compile(r"issue [67] of 7|later")


def contract_path():
    return pathlib.Path(os.environ.get("XDR_SHARED", ROOT.parent / "shared")) / "contract.md"


def rows_of(text):
    """Identifiers in the contract's order."""
    sections = {int(number): body for number, body in re.findall(r"^## (\d+)\. .*?$(.*?)(?=^## |\Z)", text, re.S | re.M)}
    rows = []
    for number in (1, 2, 3, 4, 5, 6, 8, 10):
        rows += re.findall(r"^\| ([A-Z]+-\d+) \|", sections[number], re.M)
    names = re.findall(r"`([A-Z][A-Z0-9_*]{3,})[=`]", sections[7])
    rows += [f"ENV-{name}" for name in dict.fromkeys(names)]
    for line in re.findall(r"^\| (.*?) \|", sections[13], re.M)[2:]:
        found = re.findall(r"`(?:xdr\.)?([A-Za-z_.]+)", line) or [line]
        rows += [f"API-{name}" for name in found if name != "File"]
    return list(dict.fromkeys(rows))


def marked(decorators):
    """Rows named by @pytest.mark.rows(...) among decorators."""
    rows = []
    for item in decorators:
        if isinstance(item, ast.Call) and ast.unparse(item.func) == "pytest.mark.rows":
            rows += [ast.literal_eval(word) for word in item.args]
    return rows


def tests_of(file):
    """{node: rows} of every test in a file; markers of the module and of a class count for each test inside."""
    tree = ast.parse(file.read_text())
    name = file.relative_to(ROOT).as_posix()
    module = []
    for item in tree.body:
        if isinstance(item, ast.Assign) and ast.unparse(item.targets[0]) == "pytestmark":
            module += marked(item.value.elts if isinstance(item.value, (ast.List, ast.Tuple)) else [item.value])
    tests = {}
    for item in tree.body:
        if isinstance(item, ast.FunctionDef) and item.name.startswith("test"):
            tests[f"{name}::{item.name}"] = module + marked(item.decorator_list)
        if isinstance(item, ast.ClassDef) and item.name.startswith("Test"):
            for inner in item.body:
                if isinstance(inner, ast.FunctionDef) and inner.name.startswith("test"):
                    tests[f"{name}::{item.name}::{inner.name}"] = (
                        module + marked(item.decorator_list) + marked(inner.decorator_list))
    return tests


def python_tests(root=ROOT):
    tests = {}
    for file in sorted((root / "python/tests").rglob("test_*.py")):
        tests.update(tests_of(file))
    return tests


def read_table(text):
    """[(row, by, where)]"""
    return [tuple(line.split("\t")) for line in text.splitlines() if line and not line.startswith("#")]


def render(rows, hand, tests):
    lines = [HEAD]
    for row in rows:
        found = [(row, "hand", where) for where in hand.get(row, ())]
        found += [(row, "marker", node) for node, names in tests.items() if row in names]
        lines += ["\t".join(line) for line in found or [(row, "none", "")]]
    return "\n".join(lines) + "\n"


def exists(where, tests):
    """Whether a hand-written place is one."""
    if LATER.fullmatch(where):
        return True
    if where.startswith("docs/compatibility.md: ") and len(where) > 30:
        return True
    if where in tests:
        return True
    path, _, name = where.partition("::")
    if not (ROOT / path).is_file() or not path.startswith(("tests/", "dev/")):
        return False
    if path.endswith(".cpp"):
        suite, _, test = name.partition(".")
        return bool(re.search(rf"^TEST(_F|_P)?\({re.escape(suite)}, {re.escape(test)}\)", (ROOT / path).read_text(), re.M))
    return not name


def check(text, rows, tests):
    """What is wrong with the table."""
    problems, table = [], read_table(text)
    for line in table:
        if len(line) != 3 or line[1] not in ("hand", "marker", "none"):
            problems.append(f"malformed line: {line}")
    if problems:
        return problems
    known = set(rows)
    for row, by, where in table:
        if row not in known:
            problems.append(f"{row} is no row of the contract")
        elif by == "none":
            problems.append(f"{row} has neither a test nor an issue that builds it")
        elif by == "hand" and not exists(where, tests):
            problems.append(f"{row}: {where}: no such test, issue or document")
        elif by == "marker" and row not in tests.get(where, ()):
            problems.append(f"{row}: {where} has no such marker: run dev/make_contract_rows.py")
    listed = {(row, where) for row, by, where in table}
    for row in known - {line[0] for line in table}:
        problems.append(f"{row} of the contract is missing: run dev/make_contract_rows.py")
    for node, names in tests.items():
        for row in names:
            if row not in known:
                problems.append(f"{node} names {row}, which is no row of the contract")
            elif (row, node) not in listed:
                problems.append(f"{row}: {node} is not listed: run dev/make_contract_rows.py")
    return problems


def main():
    text = TABLE.read_text() if TABLE.is_file() else ""
    table, tests = read_table(text), python_tests()
    there = contract_path().is_file()
    rows = rows_of(contract_path().read_text()) if there else list(dict.fromkeys(line[0] for line in table))
    if "--check" in sys.argv[1:]:
        problems = check(text, rows, tests)
        for problem in problems:
            print(problem, file=sys.stderr)
        print(f"contract: {len(rows)} rows, {len(problems)} problems" + ("" if there else "; the contract itself is not here"))
        sys.exit(1 if problems else 0)
    hand = {}
    for row, by, where in table:
        if by == "hand":
            hand.setdefault(row, []).append(where)
    made = render(rows, hand, tests)
    TABLE.write_text(made)
    lacking = [row for row, by, _ in read_table(made) if by == "none"]
    print(f"contract: {len(rows)} rows, {len(lacking)} that nothing covers: {' '.join(lacking)}")


if __name__ == "__main__":
    main()
