#!/usr/bin/env python3
"""Sees dev/check_docs.py fail: plants one fault at a time into a copy of the documents and the code they describe."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent

# (file, text to replace, with what, part of the message)
PLANTED = [
    ("README.md", "](docs/README.md)", "](docs/nowhere.md)", "no such file"),
    ("docs/README.md", "# ", "`src/nowhere.cpp`\n# ", "does not exist"),
    ("include/cuphoton/xdr/error.hpp", "  internal,\n", "  internal,\n  planted,\n", "`errc`: planted is missing"),
    ("include/cuphoton/xdr/reason.hpp", "  random_groups, ", "  ", "random_groups does not exist in the code"),
    ("include/cuphoton/xdr/status.hpp", "  ok,\n", "  ok,\n  planted,\n", "`tile_status`: planted is missing"),
    ("include/cuphoton/xdr/receipt.hpp", "  std::string engine; ", "  int planted; std::string engine; ", "planted is missing"),
    ("include/cuphoton/xdr/options.hpp", "  limits caps;\n", "  limits caps;\n  int planted = 1;\n", "planted is missing"),
    ("src/cli/args.cpp", '"--hdu', '"--planted --hdu', "--planted is missing"),
    ("src/codecs/gzip/inflate_core.hpp", "#define XDR_FILE_ID 2", "#define XDR_FILE_ID 1", "is already that of"),
    ("README.md", "```cpp\n", "```cpp\n// planted\n", "stands in no file of examples/"),
    ("dev/verbs.tsv", "layers\t10", "layers\t11", "as dev/verbs.tsv has it"),
    ("Makefile", ".PHONY: ", ".PHONY: planted ", "do not agree on the verb planted"),
]


def run(tree):
    return subprocess.run([sys.executable, str(root / "dev/check_docs.py"), str(tree)], capture_output=True, text=True)


with tempfile.TemporaryDirectory() as folder:
    tree = pathlib.Path(folder) / "tree"
    shutil.copytree(root, tree, ignore=shutil.ignore_patterns(".git", "build", ".venv", "__pycache__"))
    if run(tree).returncode != 0:
        sys.exit("check_docs_test: the documents are not clean to begin with: run `make docs-check`")
    seen = 0
    for path, old, new, message in PLANTED:
        file = tree / path
        original = file.read_text()
        file.write_text(original.replace(old, new, 1))
        result = run(tree)
        if old in original and result.returncode == 1 and message in result.stderr:
            seen += 1
        else:
            print(f"planted in {path}: expected '...{message}', got exit {result.returncode}\n{result.stderr}")
        file.write_text(original)
print(f"check_docs_test: {seen} of {len(PLANTED)} planted faults were seen")
sys.exit(0 if seen == len(PLANTED) else 1)
