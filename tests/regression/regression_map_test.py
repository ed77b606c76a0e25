#!/usr/bin/env python3
"""README.md of this folder answers every known fault, and with tests that exist.

usage: regression_map_test.py REGRESSION_BINARY

A row is `| number | kind of fault | answer |`. An answer is one or more `suite.name` in backticks, or "not here: why"
(which may name tests too), or "issue N" where LATER has the number. `suite.name` is a test of the binary (without the
parts of a parameter), or of FILE_test.py here: FILE.method, the method without its test_. Lessons of the Python package are
`python/tests/FILE.py::test_name`.

Where ../shared (or $XDR_SHARED) holds the two tables of faults, each of their rows must be in the map and no others.
Before it looks at the map it plants each kind of fault into a small one and sees it found.
"""
import ast
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SHARED = Path(os.environ.get("XDR_SHARED") or HERE.parents[2] / "shared")
REPORTED, SECURITY = "## Reported by people who read images", "## Security reports"
# What comes with a later issue may wait for it, nothing else.
LATER = {"issue 8": {"42", "44", "45", "49", "51", "52", "58"}}


def rows_of(text):
    """[(heading, number, answer)] of a map."""
    heading, rows = "", []
    for line in text.splitlines():
        if line.startswith("#"):
            heading = line.strip()
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] if line.startswith("|") else []
        if cells and not re.fullmatch(r":?-+:?|#|row|number", cells[0]):
            rows.append((heading, cells[0], cells[1] if len(cells) > 1 else "", cells[2] if len(cells) == 3 else ""))
    return rows


def faults_of(text, binary_tests, script_tests, known):
    """What is wrong with a map, one line each. `known`: heading -> row numbers, or None where nobody can say."""
    rows, faults, seen, named = rows_of(text), [], set(), set()
    for heading, number, kind, answer in rows:
        if number in seen:
            faults.append(f"row {number} appears twice")
        seen.add(number)
        if (heading == SECURITY) != number.startswith("B") or not re.fullmatch(r"[BM]?[1-9]\d*", number):
            faults.append(f"row {number} stands under '{heading}'")
        if not kind:
            faults.append(f"row {number} names no kind of fault")
        tests = re.findall(r"`(\w+\.\w+)`", answer)
        named.update(tests)
        faults += [f"row {number} names {test}, which does not exist"
                   for test in tests if test not in binary_tests | script_tests]
        of_python = re.findall(r"`(python/tests/[\w/]+\.py)::(test_\w+)`", answer)
        faults += [f"row {number} names {file}::{test}, which does not exist"
                   for file, test in of_python if not is_python_test(file, test)]
        later = LATER.get(answer)
        if later is not None and number not in later:
            faults.append(f"row {number} may not wait for {answer}")
        if not tests and not of_python and later is None and not re.match(r"not here: \w+ \w+", answer):
            faults.append(f"row {number} has no answer: '{answer}'")
    faults += [f"no row names {test}" for test in sorted((binary_tests | script_tests) - named)]
    for heading, numbers in known.items():
        found = {number for place, number, _, _ in rows if place == heading}
        faults += [f"row {number} is missing" for number in numbers if number not in found]
        faults += [f"row {number} is in no table of faults" for number in sorted(found - set(numbers))]
    return faults


def is_python_test(file, test):
    path = HERE.parents[1] / file
    return path.is_file() and re.search(rf"^def {test}\(", path.read_text(), re.M) is not None


def known_faults():
    """heading -> numbers by the shared tables; {} where they are not there."""
    reports, security = SHARED / "bug-cases.md", SHARED / "reliability.md"
    if not reports.is_file() or not security.is_file():
        return {}
    before, _, after = reports.read_text().partition("\n## B.")
    numbers = re.findall(r"^\| (\d+) \|", before, re.M)
    measured = [f"M{number}" for number in re.findall(r"^(\d+)\. ", after, re.M)]
    section = re.search(r"^## 2\..*?(?=^## 3\.)", security.read_text(), re.M | re.S)
    known = {REPORTED: numbers + measured,
             SECURITY: re.findall(r"^\s*- (B\d+) ", section[0] if section else "", re.M)}
    # A table that changed its form must not pass for an empty one.
    if len(numbers) < 40 or len(measured) < 6 or len(known[SECURITY]) < 36:
        sys.exit(f"FAIL regression_map_test: the tables in {SHARED} are not in the form that this test reads: "
                 f"{len(numbers)}, {len(measured)} and {len(known[SECURITY])} rows")
    return known


def tests_of_binary(program):
    listing = subprocess.run([program, "--gtest_list_tests"], capture_output=True, text=True, timeout=60, check=True)
    tests, suite = set(), ""
    for line in listing.stdout.splitlines():
        word = line.split("#")[0].rstrip()
        if line.startswith("  "):
            tests.add(f"{suite}.{word.strip().split('/')[0]}")
        elif word.endswith("."):
            parts = word[:-1].split("/")  # PREFIX/SUITE of values, SUITE/0 of types
            suite = parts[1] if len(parts) > 1 and not parts[1].isdigit() else parts[0]
    if not tests:
        sys.exit(f"FAIL regression_map_test: {program} lists no tests")
    return tests


def tests_of_scripts():
    tests = set()
    for path in sorted(HERE.glob("*_test.py")):
        if path.name == Path(__file__).name:
            continue
        methods = [node.name for node in ast.walk(ast.parse(path.read_text()))
                   if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
        tests.update(f"{path.stem.removesuffix('_test')}.{method.removeprefix('test_')}" for method in methods)
    return tests


GOOD = f"""{REPORTED}
| # | kind | tests |
| --- | --- | --- |
| 1 | a | `s.one`, `f.two` |
| 29 | e | `python/tests/test_array.py::test_torch` |
| 42 | b | issue 8 |
| M1 | c | not here: nothing like it, `s.one` |
{SECURITY}
| B1 | d | `s.three` |
"""
PLANTED = [  # what is changed in GOOD into what, what must be said
    ("`s.three`", "`s.four`", "row B1 names s.four, which does not exist"),
    ("`s.three`", "`s.four`", "no row names s.three"),
    (", `f.two`", "", "no row names f.two"),
    ("| M1 |", "| 1 |", "row 1 appears twice"),
    ("| M1 |", "| 1 |", "row M1 is missing"),
    ("| M1 |", "| 2 |", "row 2 is in no table of faults"),
    ("| B1 |", "| B2 |", "row B1 is missing"),
    ("| B1 |", "| 3 |", f"row 3 stands under '{SECURITY}'"),
    ("| 42 |", "| 43 |", "row 43 may not wait for issue 8"),
    ("issue 8", "issue 9", "row 42 has no answer: 'issue 9'"),
    ("::test_torch", "::test_none", "row 29 names python/tests/test_array.py::test_none, which does not exist"),
    ("test_array.py", "test_none.py", "row 29 names python/tests/test_none.py::test_torch, which does not exist"),
    ("not here: nothing like it, `s.one`", "later", "row M1 has no answer: 'later'"),
    ("not here: nothing like it, `s.one`", "not here:", "row M1 has no answer: 'not here:'"),
    ("| a |", "|  |", "row 1 names no kind of fault"),
]


def check_itself():
    known = {REPORTED: ["1", "29", "42", "M1"], SECURITY: ["B1"]}
    for old, new, message in [("", "", "")] + PLANTED:
        found = faults_of(GOOD.replace(old, new) if old else GOOD, {"s.one", "s.three"}, {"f.two"}, known)
        if (message not in found) if message else found:
            sys.exit(f"FAIL regression_map_test: '{old}' -> '{new}' gives {found}, not '{message}'")


def main():
    check_itself()
    known = known_faults()
    binary, scripts = tests_of_binary(sys.argv[1]), tests_of_scripts()
    text = (HERE / "README.md").read_text()
    faults = faults_of(text, binary, scripts, known)
    for fault in faults:
        print(f"FAIL {fault}")
    print(f"regression_map_test: {len(rows_of(text))} rows, {len(binary)} tests of the binary, {len(scripts)} of scripts, "
          f"{len(faults)} faults in the map; {len(PLANTED)} planted faults found")
    if not known:
        print(f"SKIPPED whether every known fault has its row: the tables bug-cases.md and reliability.md are not in {SHARED}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
