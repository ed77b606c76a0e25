#!/usr/bin/env python3
"""Writes python/cuphoton/xdr/_ext.pyi, the stub of the extension module, by nanobind's stub generator.

usage: make_stub.py             with an interpreter that has the built package and nanobind, for example
                                .venv/python/bin/python dev/make_stub.py
       make_stub.py --check [STUB]   fails where STUB (default: the one checked in) is another one
"""
import difflib
import pathlib
import sys

from nanobind.stubgen import StubGen

STUB = pathlib.Path(__file__).resolve().parent.parent / "python/cuphoton/xdr/_ext.pyi"


def generate():
    from cuphoton.xdr import _native

    generator = StubGen(_native.load())
    generator.put(_native.load())
    return "# Made by dev/make_stub.py from the module itself.\n" + generator.get()


def main():
    words = [word for word in sys.argv[1:] if word != "--check"]
    stub = pathlib.Path(words[0]) if words else STUB
    made = generate()
    if "--check" not in sys.argv[1:]:
        stub.write_text(made)
        return
    there = stub.read_text()
    if there != made:
        sys.stderr.writelines(difflib.unified_diff(there.splitlines(True), made.splitlines(True), str(stub), "the module"))
        sys.exit("stub: run dev/make_stub.py")
    print("stub: the same")


if __name__ == "__main__":
    main()
