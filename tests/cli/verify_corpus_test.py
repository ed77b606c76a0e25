"""`cuphoton xdr verify` over the shared corpus: the exit code of every file is the one its content calls for.

0 for files whose images all decode, 3 for files with an image that must be refused (.Z, random groups), 4 for the three
below that are no FITS files, 1 for the three whose sums are wrong. CFITSIO says the same of these, and that all other
sums of the corpus are right.
"""

import collections
import concurrent.futures
import csv
import os
import pathlib
import sys

from command import run

# Text, HTML and ANA under names of FITS files.
DAMAGED = {
    "astropy+astropy/idcompspec.fits": 4,
    "sunpy+sunpy/not_actually_fits.fits": 4,
    "sunpy+sunpy/test_ana.fz": 4,
}
BAD_SUMS = {
    "astropy+astropy/checksum_false.fits",  # on purpose
    "astropy+astropy/header_newlines.fits",  # the header was changed afterwards
    "panoptes+panoptes-utils/unsolved.fits",
}
# Has no row in expected.tsv, since no other reader opens it: GCOUNT is written "12151.".
RANDOM_GROUPS = {"JuliaAstro+FITSFiles.jl/file004.fits"}


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def expected_exit(entry, refused):
    name = entry["file"]
    if name in DAMAGED:
        return DAMAGED[name]
    if name in BAD_SUMS:
        return 1
    return 3 if name.endswith(".Z") or name in refused or name in RANDOM_GROUPS else 0


def main():
    shared = pathlib.Path(os.environ.get("XDR_SHARED") or pathlib.Path(os.environ["XDR_SOURCE_DIR"]) / ".." / "shared")
    corpus = shared / "corpus"
    if not (corpus / "MANIFEST.tsv").is_file():
        print(f"SKIPPED: no corpus at {corpus} (XDR_SHARED names the folder that holds it)")
        return 0
    # scaled_dtype "-": the HDU must be refused (random groups).
    refused = {row["file"] for row in rows_of(corpus / "expected.tsv") if row["scaled_dtype"] == "-"}
    manifest = rows_of(corpus / "MANIFEST.tsv")
    wrong = []
    exits = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda entry: run("verify", corpus / entry["file"]), manifest)
        for entry, result in zip(manifest, results):
            exits[result.returncode] += 1
            wanted = expected_exit(entry, refused)
            if result.returncode != wanted:
                wrong.append(entry["file"])
                print(f"{entry['file']}: exit {result.returncode}, expected {wanted}")
                print(result.stdout + result.stderr)
    print(f"{len(manifest)} files, exit codes {dict(sorted(exits.items()))}, {len(wrong)} not as expected")
    return 1 if wrong or not manifest else 0


if __name__ == "__main__":
    sys.exit(main())
