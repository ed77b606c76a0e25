#!/usr/bin/env python3
"""Writes the stubs of cuphoton.xdr: _ext.pyi from the extension module (nanobind's generator), __init__.pyi from the table of names
that __init__.py finds lazily, which no type checker could follow.

usage: make_stub.py                     with an interpreter that has the built package and nanobind, for example
                                        .venv/python/bin/python dev/make_stub.py
       make_stub.py --check [FOLDER]    fails where the stubs in FOLDER (default: those checked in) are others
"""
import difflib
import pathlib
import sys

from nanobind.stubgen import StubGen

HOME = pathlib.Path(__file__).resolve().parent.parent / "python/cuphoton/xdr"


def of_the_module():
    from cuphoton.xdr import _native

    generator = StubGen(_native.load())
    generator.put(_native.load())
    return "# Made by dev/make_stub.py from the module itself.\n" + generator.get()


def of_the_names():
    from cuphoton import xdr

    lines = ["# Made by dev/make_stub.py from the table in __init__.py.", "__all__: list[str]", "__version__: str"]
    for name, home in sorted(xdr._HOMES.items(), key=lambda pair: (pair[1], pair[0])):
        if name == home:
            lines.append(f"from cuphoton.xdr import {name} as {name}")
        elif name != "__version__":
            lines.append(f"from cuphoton.xdr.{home} import {name} as {name}")
    return "\n".join(lines) + "\n"


def main():
    words = [word for word in sys.argv[1:] if word != "--check"]
    folder = pathlib.Path(words[0]) if words else HOME
    same = True
    for name, made in (("_ext.pyi", of_the_module()), ("__init__.pyi", of_the_names())):
        stub = folder / name
        if "--check" not in sys.argv[1:]:
            stub.write_text(made)
        elif stub.read_text() != made:
            same = False
            sys.stderr.writelines(difflib.unified_diff(stub.read_text().splitlines(True), made.splitlines(True), str(stub), "made"))
    if not same:
        sys.exit("stub: run dev/make_stub.py")
    print("stub: the same" if "--check" in sys.argv[1:] else f"stub: written to {folder}")


if __name__ == "__main__":
    main()
