#!/usr/bin/env python3
"""Compares every image HDU of the shared corpus with its expected shape, type and hash, scaled and stored.

usage: corpus_test.py CORPUS_DUMP [ENGINE]. Fails on any difference, and on any HDU that is not read. What must be refused
(random groups, .Z) must be refused as unsupported. Prints SKIPPED and exits 77 without the corpus.
"""
import csv
import hashlib
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))

from dumper import Reader  # noqa: E402

SHARED = Path(os.environ.get("XDR_SHARED") or HERE.parents[2] / "shared")
NUMPY = {"uint8": "u1", "int8": "i1", "int16": "i2", "uint16": "u2", "int32": "i4", "uint32": "u4",
         "int64": "i8", "uint64": "u8", "float32": "f4", "float64": "f8"}


def quiet_nans(pixels, dtype):
    """Every NaN becomes the quiet NaN 7fc0...: hardware differs in the sign bit of NaNs that it makes itself."""
    if dtype == "f4":
        words = memoryview(bytearray(pixels)).cast("I")
        for i, word in enumerate(words):
            if word & 0x7FFFFFFF > 0x7F800000:
                words[i] = 0x7FC00000
    elif dtype == "f8":
        words = memoryview(bytearray(pixels)).cast("Q")
        for i, word in enumerate(words):
            if word & 0x7FFFFFFFFFFFFFFF > 0x7FF0000000000000:
                words[i] = 0x7FF8000000000000
    else:
        return pixels
    return words.tobytes()


def counting_rows():
    """The row that counts for each (file, hdu): one whose note starts with TRUTH, else Astropy's."""
    rows = {}
    with open(SHARED / "corpus/expected.tsv", newline="") as table:
        for row in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE):
            key = row["file"], int(row["hdu"])
            truth = row["note"].startswith("TRUTH")
            if truth or (row["reader"].startswith("astropy") and key not in rows):
                if truth and key in rows and row["raw_dtype"] == "-":
                    row = {**row, "raw_dtype": "", "raw_sha256": ""}  # only the scaled values have a truth
                rows[key] = row
    return rows


def compare(reader, path, hdu, row, values):
    """Text of the first difference, "" if there is none; (code, text) where the reader refused."""
    dtype, digest = row["scaled_dtype"], row["scaled_sha256_nan7fc0"]
    if values == "stored":
        dtype, digest = row["raw_dtype"], row["raw_sha256"]
        if not dtype:
            return ""
    answer = reader.read(path, hdu, values)
    if answer[0] == "error":
        return answer[1], answer[3]
    got = "x".join(map(str, answer[1])) or "-", NUMPY[answer[2]]
    if got != (row["shape"], dtype):
        return f"{values}: got {got}, expected {(row['shape'], dtype)}"
    data = quiet_nans(answer[4], dtype) if values == "scaled" else answer[4]
    return "" if hashlib.sha256(data).hexdigest() == digest else f"{values}: the pixels differ"


def main():
    if not (SHARED / "corpus/expected.tsv").exists():
        print("SKIPPED: the shared corpus is not here (set XDR_SHARED)")
        return 77
    reader = Reader(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "host")
    same = refused = 0
    failures = []
    for (file, hdu), row in counting_rows().items():
        path = SHARED / "corpus" / file
        must_refuse = row["scaled_dtype"] == "-"
        for values in ("scaled", "stored"):
            result = compare(reader, path, hdu, row, values)
            if result == "" and not must_refuse:
                same += 1
            elif isinstance(result, str):
                failures.append(f"{file} HDU {hdu} {result or 'should be refused'}")
            elif result[0] == "unsupported" and must_refuse:
                refused += 1
            else:
                failures.append(f"{file} HDU {hdu} {values}: {result[0]}: {result[1]}")
    for name in ("astropy+astropy/lzw.fits.Z", "nom-tam-fits+nom-tam-fits/test.fits.Z"):
        answer = reader.read(SHARED / "corpus" / name, 0, "scaled")
        if answer[:2] != ("error", "unsupported") or ".Z" not in answer[3]:
            failures.append(f"{name}: must be refused by name, got {answer[:4]}")
        refused += 1
    for failure in failures:
        print("FAIL", failure)
    print(f"corpus: {same} same, {len(failures)} different, {refused} refused as they must")
    return 1 if failures or same == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
