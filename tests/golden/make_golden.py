#!/usr/bin/env python3
"""Makes the golden files, and what must come of each image, in a folder that git ignores.

usage: make_golden.py FOLDER [CUPHOTON]      run by Python with Astropy 8; fpack must be installed
FOLDER/files/*.fits, FOLDER/expected/FILE.HDU.{stored,scaled} (native little-endian pixels) and FOLDER/manifest.json, which
golden_test.py reads. The values come from slow_decoder.py and are compared with Astropy and, where the command CUPHOTON is
given, with CFITSIO. Deterministic; does nothing where the folder is up to date. GOLDEN_SHOW=1 makes it anyway and prints
every difference, excepted or not.
"""
import fcntl
import hashlib
import json
import os
import shutil
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent


def sources_digest():
    """Changes with any file that decides what is made."""
    digest = hashlib.sha256()
    for path in sorted(HERE.glob("*.*")):
        if path.suffix in (".py", ".tsv") and path.name not in ("golden_test.py", "large_test.py"):
            digest.update(path.read_bytes())
    import astropy  # pylint: disable=import-outside-toplevel
    import numpy  # pylint: disable=import-outside-toplevel

    return hashlib.sha256(f"{digest.hexdigest()} {astropy.__version__} {numpy.__version__}".encode()).hexdigest()


def collect():
    """All families."""
    import collection  # pylint: disable=import-outside-toplevel
    import containers  # pylint: disable=import-outside-toplevel
    import dimensions  # pylint: disable=import-outside-toplevel
    import hostile  # pylint: disable=import-outside-toplevel
    import plain_files  # pylint: disable=import-outside-toplevel
    import product  # pylint: disable=import-outside-toplevel

    collection.still_clock()
    golden = collection.Collection()
    for family in (product, dimensions, containers, plain_files, hostile):
        family.add_all(golden)
    return golden.files


def rows_of(name, entry, expected):
    """The manifest's rows of one file; fills `expected`."""
    import slow_decoder  # pylint: disable=import-outside-toplevel

    file, rows = f"{name}.fits", []
    if "only" not in entry:
        for hdu, unit in enumerate(slow_decoder.walk(entry["data"])):
            if hdu in entry["refused"] or not unit.is_image or not (unit.compressed or unit["NAXIS"]):
                continue
            item = slow_decoder.Expected(entry["data"], unit)
            expected[file, hdu] = item
            row = {"file": file, "hdu": hdu, "shape": list(item.stored.shape), "exact": item.exact,
                   "stored": item.stored.dtype.name, "scaled": item.scaled.dtype.name}
            row["same"] = item.scaled.dtype == item.stored.dtype and item.scaled.tobytes() == item.stored.tobytes()
            if entry["notes"]:
                row["notes"] = entry["notes"]
            rows.append(row)
            rows += [{**row, "select": text} for text, number in entry["names"].items() if number == hdu]
    for hdu, refusal in entry["refused"].items():
        code, reason, says = (*refusal, None, None)[:3]
        rows.append({"file": file, "hdu": hdu, "code": code, "reason": reason, "says": says})
    if not rows:
        raise AssertionError(f"{file} tests nothing")
    return rows


def write(folder, files):
    """Files, expected values and the rows of the manifest."""
    expected, rows, digest = {}, [], hashlib.sha256()
    for name, entry in files.items():
        (folder / "files" / f"{name}.fits").write_bytes(entry["data"])
        digest.update(name.encode() + entry["data"])
        rows += rows_of(name, entry, expected)
    for (file, hdu), item in expected.items():
        stem = folder / "expected" / f"{file}.{hdu}"
        Path(f"{stem}.stored").write_bytes(item.stored.tobytes())
        if item.scaled.dtype != item.stored.dtype or item.scaled.tobytes() != item.stored.tobytes():
            Path(f"{stem}.scaled").write_bytes(item.scaled.tobytes())
    return expected, rows, digest.hexdigest()


def make(folder, cfitsio):
    """Makes everything anew; the manifest comes last and only where nothing is wrong."""
    import oracles  # pylint: disable=import-outside-toplevel

    begin = time.monotonic()
    shutil.rmtree(folder, ignore_errors=True)
    for part in ("files", "expected"):
        (folder / part).mkdir(parents=True)
    files = collect()
    expected, rows, digest = write(folder, files)
    counts, problems = oracles.compare_all(folder / "files", expected, cfitsio)
    for problem in problems:
        print("FAIL", problem)
    told = ", ".join(f"{key} {value}" for key, value in counts.items())
    print(f"golden files: {len(files)} with {len(expected)} images, {sum('code' in row for row in rows)} refusals, in "
          f"{time.monotonic() - begin:.0f} s; equal to {told}; digest {digest[:16]}")
    if problems:
        return 1
    manifest = {"sources": sources_digest(), "cfitsio": bool(cfitsio), "digest": digest, "rows": rows}
    text = ",\n".join(json.dumps(row) for row in rows)
    head = json.dumps({**manifest, "rows": []})[:-2]
    (folder / "manifest.json").write_text(f"{head}\n{text}\n]}}\n")
    return 0


def main():
    folder = Path(sys.argv[1]).resolve()
    cfitsio = sys.argv[2] if len(sys.argv) > 2 else ""
    if not shutil.which("fpack"):
        sys.exit("make_golden.py needs fpack (Debian: libcfitsio-bin)")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(folder.parent / f"{folder.name}.lock", "w") as lock:  # two presets may test at once
        fcntl.flock(lock, fcntl.LOCK_EX)
        manifest = folder / "manifest.json"
        if manifest.exists() and not os.environ.get("GOLDEN_SHOW"):
            found = json.loads(manifest.read_text())
            if found["sources"] == sources_digest() and (found["cfitsio"] or not cfitsio):
                print(f"golden files: up to date, digest {found['digest'][:16]}")
                return 0
        return make(folder, cfitsio)


if __name__ == "__main__":
    sys.exit(main())
