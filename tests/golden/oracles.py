"""Compares the slow decoder's values with Astropy and CFITSIO, but for what exceptions.tsv lists.

An exception must be needed by every image that it matches, so that none is wider than its fault.
"""

import fnmatch
import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent


class Exceptions:
    """Rows: reader, pattern of file/hdu, values (stored, scaled or both), why."""

    def __init__(self):
        lines = (HERE / "exceptions.tsv").read_text().splitlines()
        self.rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
        self.used = [0] * len(self.rows)
        self.needless = []

    def judge(self, reader, name, values, difference):
        """Whether `difference` ("" if there is none) is as it should be."""
        rows = [i for i, row in enumerate(self.rows)
                if row[0] == reader and fnmatch.fnmatchcase(name, row[1]) and row[2] in (values, "both")]
        for i in rows:
            self.used[i] += bool(difference)
            if not difference:
                self.needless.append(f"exceptions.tsv: '{' '.join(self.rows[i][:3])}' is not needed for {name} {values}")
        return bool(rows) or not difference

    def problems(self):
        return self.needless + [f"exceptions.tsv: '{' '.join(row[:3])}' was never used"
                                for row, used in zip(self.rows, self.used) if not used]


def difference_of(got, wanted, exact):
    """Text of the first difference. NaNs are compared by place, and by pattern too where `exact`."""
    if got.dtype.newbyteorder("=") != wanted.dtype or got.shape != wanted.shape:
        return f"{got.shape} {got.dtype}, expected {wanted.shape} {wanted.dtype}"
    got = np.ascontiguousarray(got).astype(wanted.dtype)
    same = got.view(f"u{got.itemsize}") == np.ascontiguousarray(wanted).view(f"u{got.itemsize}")
    if not exact and wanted.dtype.kind == "f":
        same |= np.isnan(got) & np.isnan(wanted)
    if same.all():
        return ""
    place = tuple(int(i) for i in np.argwhere(~same)[0])
    return f"{int((~same).sum())} of {same.size} pixels differ, the first at {place}: {got[place]!r}, {wanted[place]!r}"


def ask_astropy(path, hdus):
    """{(hdu, values): array or text of the refusal}, each HDU on its own."""
    from astropy.io import fits  # pylint: disable=import-outside-toplevel

    answers = {}
    for hdu in hdus:
        for values in ("stored", "scaled"):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    with fits.open(path, do_not_scale_image_data=values == "stored", memmap=False) as units:
                        data = units[hdu].data
                        answers[hdu, values] = "no data" if data is None else np.array(data)
            except Exception as problem:  # any refusal is an answer
                answers[hdu, values] = f"{type(problem).__name__}: {problem}"
    return answers


TYPES = {"u1": "uint8", "i2": "int16", "i4": "int32", "i8": "int64", "f4": "float32", "f8": "float64"}


def ask_cfitsio(command, path, hdu, wanted, null_is_nan):
    """Stored values by a child process with limits of its own, or the text of its refusal."""
    kind = wanted.dtype.str[1:]
    try:
        done = subprocess.run([command, "xdr", "peer-read", path, str(hdu), TYPES[kind], "nan" if null_is_nan else "null",
                               str(wanted.nbytes)], capture_output=True, timeout=20, check=False)
    except subprocess.TimeoutExpired:
        return "no answer in 20 s"
    if done.returncode:
        return f"status {done.returncode}: {done.stderr.decode(errors='replace').strip()[:200]}"
    if len(done.stdout) != wanted.nbytes:
        return f"{len(done.stdout)} bytes"
    return np.frombuffer(done.stdout, kind).reshape(wanted.shape)


def compare_all(folder, expected, cfitsio):
    """`expected`: (file, hdu) -> Expected. Returns the counts and the texts of all problems."""
    exceptions, problems = Exceptions(), []
    counts = {"astropy": 0, "astropy excepted": 0, "cfitsio": 0, "cfitsio excepted": 0}

    def judge(reader, name, values, answer, wanted, exact):
        difference = answer if isinstance(answer, str) else difference_of(answer, wanted, exact)
        if os.environ.get("GOLDEN_SHOW") and difference:
            print(f"{reader} {name} {values}: {difference}", file=sys.stderr)
        if not exceptions.judge(reader, name, values, difference):
            problems.append(f"{reader} {name} {values}: {difference}")
        counts[f"{reader} excepted" if difference else reader] += 1

    hdus = {}
    for file, hdu in expected:
        hdus.setdefault(file, []).append(hdu)
    for file, numbers in hdus.items():
        for (hdu, values), answer in ask_astropy(folder / file, numbers).items():
            item = expected[file, hdu]
            judge("astropy", f"{file}/{hdu}", values, answer, getattr(item, values), False)
        for hdu in numbers if cfitsio else []:
            item = expected[file, hdu]
            if item.stored.size:  # CFITSIO has no empty arrays
                answer = ask_cfitsio(cfitsio, folder / file, hdu, item.stored, not item.exact)
                judge("cfitsio", f"{file}/{hdu}", "stored", answer, item.stored, item.exact)
    if not cfitsio:
        exceptions.rows = [row for row in exceptions.rows if row[0] != "cfitsio"]
    return counts, problems + exceptions.problems()
