#!/usr/bin/env python3
"""Sees dev/check_layers.py fail: plants one wrong include at a time into a copy of the sources."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent

# (file that gets the include as its first line, the include, part of the message); files that do not exist are made.
PLANTED = [
    ("src/base/planted.hpp", '"codecs/codec.hpp"', "base may include nothing"),
    ("src/fits/planted.cpp", '"plan/planted.hpp"', "fits may include"),
    ("src/plan/planted.cpp", '"codecs/planted.hpp"', "plan may include"),
    ("src/cli/planted.cpp", '"base/hd.hpp"', "cli may include nothing but itself"),
    ("src/codecs/rice/planted_core.hpp", '"codecs/codec.hpp"', "it includes base/ and the cores beside it only"),
    ("src/novel/planted.cpp", '"base/hd.hpp"', "has no row"),
    ("src/base/planted.cpp", '"hd.hpp"', "write folder/file"),
    ("src/plan/planted.cpp", "<fitsio.h>", "its doors are"),
    ("src/base/planted.cpp", "<boost/any.hpp>", "a header without a door"),
    ("include/cuphoton/xdr/types.hpp", "<nlohmann/json.hpp>", "no third-party header"),
    ("include/cuphoton/xdr/types.hpp", '"base/hd.hpp"', "public headers, as <cuphoton"),
    ("python/bindings/planted.cpp", '"plan/planted.hpp"', "python/bindings may include itself"),
    ("python/bindings/planted.cpp", '"cli/args.hpp"', "python/bindings may include itself"),
    ("python/bindings/planted.cpp", "<fitsio.h>", "its doors are"),
    ("src/reader/planted.cpp", "<nanobind/nanobind.h>", "its doors are"),
    ("src/reader/planted.cpp", "<Python.h>", "its doors are"),
]


def run(tree):
    return subprocess.run([sys.executable, str(root / "dev/check_layers.py"), str(tree)], capture_output=True, text=True)


with tempfile.TemporaryDirectory() as folder:
    tree = pathlib.Path(folder)
    for part in ("include", "src", "python/bindings"):
        shutil.copytree(root / part, tree / part)
    for extra in ("src/plan/planted.hpp", "src/codecs/planted.hpp"):  # what the includes above point at
        (tree / extra).write_text("#pragma once\n")
    if run(tree).returncode != 0:
        sys.exit("check_layers_test: the sources are not clean to begin with: run `make layers`")
    seen = 0
    for path, include, message in PLANTED:
        file = tree / path
        file.parent.mkdir(parents=True, exist_ok=True)
        original = file.read_text() if file.exists() else None
        file.write_text(f"#include {include}\n{original or ''}")
        result = run(tree)
        place = f"{path}:1: includes {include[1:-1]}: "
        if result.returncode == 1 and result.stderr.startswith(place) and message in result.stderr:
            seen += 1
        else:
            print(f"planted {include}: expected '{place}...{message}', got exit {result.returncode}\n{result.stderr}")
        if original is None:
            file.unlink()
        else:
            file.write_text(original)
print(f"check_layers_test: {seen} of {len(PLANTED)} planted includes were seen")
sys.exit(0 if seen == len(PLANTED) else 1)
