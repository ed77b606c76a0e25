#!/usr/bin/env python3
"""Compares the documents with the tree: what nothing checks is wrong within a release.

usage: check_docs.py [ROOT]        exit 1 and file:line (or file) for each thing that is not so

 - links and file paths in README, docs/ and the other documents exist; anchors too
 - docs/errors-and-receipts.md lists each errc, reason_code, tile_status, XDR_FILE_ID and field of the receipt, no more
 - docs/settings.md lists each option of options.hpp and each --flag of the command, no more
 - ```cpp snippets of README.md stand word for word in a file of examples/
 - the table of verbs in CONTRIBUTING.md is dev/verbs.tsv
"""
import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`\n]+)`")
# A path in backticks is one that starts with a folder of the tree, or is a document or build file at its top.
PATH = re.compile(r"(?:src|include|tests|fuzz|bench|docs|dev|cmake|examples|python|\.ci)/[\w./*{},<>-]*$")


def braces(path):
    """"a.{hpp,cpp}" -> ["a.hpp", "a.cpp"]"""
    found = re.search(r"\{([^{}]*)\}", path)
    if not found:
        return [path]
    return [p for word in found[1].split(",") for p in braces(path[:found.start()] + word + path[found.end():])]


def slug(heading):
    """GitHub's anchor of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def without_fences(text):
    """The text with fenced code blanked, so that line numbers stay."""
    return re.sub(r"^```.*?^```", lambda m: "\n" * m[0].count("\n"), text, flags=re.S | re.M)


def check_paths(root, problems):
    documents = sorted(root.glob("*.md")) + sorted((root / "docs").rglob("*.md")) + sorted((root / "fuzz").glob("*.md"))
    for document in documents:
        if document.name == "THIRD_PARTY_NOTICES.md":
            continue  # licence texts
        name = document.relative_to(root).as_posix()
        for number, line in enumerate(without_fences(document.read_text()).splitlines(), 1):
            for link in LINK.findall(line):
                if re.match(r"[a-z]+:", link):
                    continue
                path, _, anchor = link.partition("#")
                target = (document.parent / path).resolve() if path else document
                if not target.exists():
                    problems.append(f"{name}:{number}: link to {link}: no such file")
                elif anchor and anchor not in [slug(h) for h in re.findall(r"^#+ (.*)$", target.read_text(), re.M)]:
                    problems.append(f"{name}:{number}: link to {link}: no such heading")
            for code in CODE.findall(line):
                if not PATH.match(code) or "<" in code:
                    continue
                for path in braces(code):
                    if not any(root.glob(path.rstrip("/"))):
                        problems.append(f"{name}:{number}: `{path}` does not exist")


def enumerators(root, header, name):
    text = re.sub(r"//.*", "", (root / "include/cuphoton/xdr" / header).read_text())
    body = re.search(rf"enum class {name}\b[^{{]*\{{(.*?)\}}", text, re.S)[1]
    return {word.split("=")[0].strip() for word in body.split(",") if word.strip()}


def fields(root, header, name):
    text = re.sub(r"//.*", "", (root / "include/cuphoton/xdr" / header).read_text())
    body = re.search(rf"struct {name} \{{(.*?)\n\}};", text, re.S)[1]
    return set(re.findall(r"(\w+)(?:\s*=[^;]*)?;", body))


def first_cells(text, heading):
    """`names` in the first cells of the table rows below the heading that ends with `heading`."""
    found = re.search(rf"^(#+) .*{re.escape(heading)}\s*$(.*?)(?=^#{{1,6}} |\Z)", text, re.S | re.M)
    if not found:
        return None
    return [n for row in re.findall(r"^\|([^|]*)\|", found[2], re.M) for n in CODE.findall(row)]


def compare(problems, document, heading, text, wanted):
    listed = first_cells(text, heading)
    if listed is None:
        problems.append(f"{document}: no heading that ends with {heading}")
        return
    for word in sorted(wanted - set(listed)):
        problems.append(f"{document}: {heading}: {word} is missing")
    for word in sorted(set(listed) - wanted):
        problems.append(f"{document}: {heading}: {word} does not exist in the code")
    for word in sorted({w for w in listed if listed.count(w) > 1}):
        problems.append(f"{document}: {heading}: {word} stands there twice")


def check_tables(root, problems):
    document = "docs/errors-and-receipts.md"
    text = (root / document).read_text()
    compare(problems, document, "`errc`", text, enumerators(root, "error.hpp", "errc"))
    compare(problems, document, "`reason_code`", text, enumerators(root, "reason.hpp", "reason_code"))
    compare(problems, document, "`tile_status`", text, enumerators(root, "status.hpp", "tile_status"))
    compare(problems, document, "`receipt`", text, fields(root, "receipt.hpp", "receipt"))

    ids = {}
    for file in sorted((root / "src").rglob("*.[ch]pp")):
        for number in re.findall(r"^\s*#\s*define XDR_FILE_ID (\d+)", file.read_text(), re.M):
            path = file.relative_to(root).as_posix()
            if number in ids:
                problems.append(f"{path}: XDR_FILE_ID {number} is already that of {ids[number]}")
            ids[number] = path
    rows = re.findall(r"^\| (\d+) \| `([^`]+)` \|$", text, re.M)
    for number, path in sorted(set(rows) ^ set(ids.items())):
        where = "the code" if (number, path) in rows else document
        problems.append(f"{document}: `XDR_FILE_ID`: {number} {path} is not in {where}")

    document = "docs/settings.md"
    text = (root / document).read_text()
    wanted = fields(root, "options.hpp", "read_options") | fields(root, "options.hpp", "limits")
    compare(problems, document, "`read_options`", text, wanted)
    arguments = re.sub(r"//.*", "", (root / "src/cli/args.cpp").read_text())
    strings = " ".join(re.findall(r'"((?:[^"\\]|\\.)*)"', arguments))
    flags = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", strings))
    compare(problems, document, "Flags of the command", text, flags)


def check_snippets(root, problems):
    examples = [file.read_text() for file in (root / "examples").rglob("*.cpp")]
    for snippet in re.findall(r"^```cpp\n(.*?)^```", (root / "README.md").read_text(), re.S | re.M):
        if not any(snippet in example for example in examples):
            problems.append(f"README.md: the snippet that begins with '{snippet.splitlines()[0]}' stands in no file of examples/")


def check_verbs(root, problems):
    table = [line.split("\t") for line in (root / "dev/verbs.tsv").read_text().splitlines() if not line.startswith("#")]
    text = (root / "CONTRIBUTING.md").read_text()
    for verb, budget, what in table:
        if f"| `make {verb}` | {budget} | {what} |" not in text:
            problems.append(f"CONTRIBUTING.md: no row '| `make {verb}` | {budget} | {what} |' as dev/verbs.tsv has it")
    verbs = set(re.search(r"^\.PHONY: (.*)$", (root / "Makefile").read_text(), re.M)[1].split()) - {"astropy-env"}
    for verb in sorted(verbs ^ {row[0] for row in table}):
        problems.append(f"Makefile and dev/verbs.tsv do not agree on the verb {verb}")


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    problems = []
    for check in (check_paths, check_tables, check_snippets, check_verbs):
        check(root, problems)
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"docs: {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
