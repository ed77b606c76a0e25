#!/usr/bin/env python3
"""Reads every golden file with the library and compares pixels bit by bit, refusals by code and reason.

usage: golden_test.py CORPUS_DUMP FOLDER [ENGINE [CUPHOTON]]
Needs no module beyond Python's own where FOLDER holds a manifest (make_golden.py). With CUPHOTON, and Astropy in
XDR_ASTROPY_PYTHON or .venv/test, the folder is made or brought up to date first. Without either it is skipped (exit 77).
"""
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))

from dumper import Reader  # noqa: E402

BYTES = {"uint8": 1, "int8": 1, "int16": 2, "uint16": 2, "int32": 4, "uint32": 4, "int64": 8, "uint64": 8, "float32": 4,
         "float64": 8}


def words_of(pixels, width):
    return memoryview(pixels).cast({1: "B", 2: "H", 4: "I", 8: "Q"}[width])


def is_nan(word, width):
    return word & 0x7FFFFFFF > 0x7F800000 if width == 4 else word & (1 << 63) - 1 > 0x7FF << 52


def difference_of(got, wanted, dtype, exact):
    """Text of the first difference; NaNs by place, and by pattern too where `exact`."""
    if got == wanted:
        return ""
    if len(got) != len(wanted):
        return f"{len(got)} bytes, expected {len(wanted)}"
    width = BYTES[dtype]
    for place, (a, b) in enumerate(zip(words_of(got, width), words_of(wanted, width))):
        if a != b and (exact or not dtype.startswith("float") or not is_nan(a, width) or not is_nan(b, width)):
            return f"pixel {place} is {a:0{2 * width}x}, expected {b:0{2 * width}x}"
    return ""


def sections_of(shape):
    """A pixel, a row, a column, a box across tiles, steps, nothing at all: lists of (start, stop, step), slowest axis
    first."""
    whole = [(0, extent, 1) for extent in shape]
    middle = [(extent // 2, extent // 2 + 1, 1) for extent in shape]
    inner = [(extent // 3, max(extent - extent // 4, extent // 3 + 1), 1) for extent in shape]
    steps = [(min(1, extent - 1), extent, 2 + axis % 3) for axis, extent in enumerate(shape)]
    nothing = whole[:-1] + [(shape[-1] // 2, shape[-1] // 2, 1)]
    return [middle, middle[:-1] + whole[-1:], whole[:1] + middle[1:], inner, steps, nothing]


def cut(pixels, shape, section, width):
    """The bytes of a section of the whole image's bytes."""
    out = []
    first, last, step = section[-1]
    for place in itertools.product(*(range(*axis) for axis in section[:-1])):
        row = 0
        for index, extent in zip(place, shape):
            row = row * extent + index
        row *= shape[-1]
        if step == 1:
            out.append(pixels[(row + first) * width:(row + last) * width])
        else:
            out += [pixels[i * width:(i + 1) * width] for i in range(row + first, row + last, step)]
    return b"".join(out)


class Judge:
    """Counts and failures of all rows of the manifest."""

    def __init__(self, reader, folder):
        self.reader, self.folder = reader, folder
        self.counts = {"equal": 0, "different": 0, "refused as expected": 0}

    def count(self, row, what, text=""):
        self.counts[what] += 1
        if what == "different":
            print(f"FAIL {row['file']} HDU {row.get('select', row['hdu'])} {text}")

    def ask(self, row, values, section=""):
        return self.reader.read(self.folder / "files" / row["file"], row.get("select", row["hdu"]), values, section)

    def refusal(self, row):
        for values in ("scaled", "stored"):
            answer = self.ask(row, values)
            if answer[0] == "ok":
                self.count(row, "different", f"{values}: was read, expected {row['code']} {row['reason'] or ''}")
                continue
            wanted = row["code"], [row["reason"] or "-"]
            if answer[1:3] != wanted or not re.search(row["says"] or "", answer[3]):
                self.count(row, "different", f"{values}: {answer[1:]}, expected {wanted} {row['says'] or ''}")
            else:
                self.count(row, "refused as expected")

    def image(self, row):
        for values in ("stored", "scaled"):
            file = "stored" if row["same"] else values
            wanted = (self.folder / "expected" / f"{row['file']}.{row['hdu']}.{file}").read_bytes()
            exact = row["exact"] and (values == "stored" or row["same"])
            answer = self.ask(row, values)
            if answer[0] == "error":
                self.count(row, "different", f"{values}: {answer[1:]}")
                continue
            text = difference_of(answer[4], wanted, row[values], exact) if answer[1:3] == (row["shape"], row[values]) \
                else f"{answer[1:3]}, expected {row['shape']}, {row[values]}"
            if not text and not re.search(row.get("notes", ""), answer[3]):
                text = f"notes '{answer[3]}', expected '{row['notes']}'"
            self.count(row, "different" if text else "equal", f"{values}: {text}")
            if len(wanted):
                self.sections(row, values, wanted, exact)

    def sections(self, row, values, whole, exact):
        for section in sections_of(row["shape"]):
            text = ",".join(f"{start}:{stop}:{step}" for start, stop, step in section)
            answer = self.ask(row, values, text)
            wanted = cut(whole, row["shape"], section, BYTES[row[values]])
            shape = [len(range(*axis)) for axis in section]
            if answer[:3] != ("ok", shape, row[values]):
                self.count(row, "different", f"{values} [{text}]: {answer[:4]}")
            else:
                found = difference_of(answer[4], wanted, row[values], exact)
                self.count(row, "different" if found else "equal", f"{values} [{text}]: {found}")


def make_files(folder, command):
    """Why the files cannot be made; nothing where they are up to date."""
    python = os.environ.get("XDR_ASTROPY_PYTHON") or HERE.parents[1] / ".venv/test/bin/python3"
    if not Path(python).exists():
        return "Astropy is not here: make astropy-env, or set XDR_ASTROPY_PYTHON"
    if not shutil.which("fpack"):
        return "fpack is not here: install libcfitsio-bin"
    if subprocess.run([python, HERE / "make_golden.py", folder, command], check=False).returncode:
        sys.exit("FAIL make_golden.py")
    return ""


def main():
    folder = Path(sys.argv[2]).resolve()
    engine = sys.argv[3] if len(sys.argv) > 3 else "host"
    missing = make_files(folder, sys.argv[4]) if len(sys.argv) > 4 else ""
    if missing or not (folder / "manifest.json").exists():
        print(f"SKIPPED: {missing or f'no golden files at {folder}'}")
        return 77
    manifest = json.loads((folder / "manifest.json").read_text())
    judge = Judge(Reader(sys.argv[1], engine), folder)
    for row in manifest["rows"]:
        (judge.refusal if "code" in row else judge.image)(row)
    files = len({row["file"] for row in manifest["rows"]})
    print(f"golden: {files} files on the {engine} engine: " +
          ", ".join(f"{count} {what}" for what, count in judge.counts.items()))
    return 1 if judge.counts["different"] or not judge.counts["equal"] else 0


if __name__ == "__main__":
    sys.exit(main())
