#!/usr/bin/env python3
"""Writes the tables of docs/performance.md from bench/results/*.json: no figure is typed by hand.

make_tables.py           rewrites what stands between <!-- table: NAME --> and <!-- end -->
make_tables.py --check   fails where the document and the results differ
"""
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs/performance.md"


def host_table(report):
    machine = report["machine"]
    lines = [
        f"{machine['processor']}, {machine['cores']} cores; commit {report['commit']}; CFITSIO {report['cfitsio']:.2f}. "
        f"Method: {report['method']}.",
        "",
        "| codec | pixels | compression | xDR GB/s | CFITSIO GB/s | times |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for row in report["rows"]:
        kind = row["type"] + (", quantised, dithered" if row["quantized"] else "")
        lines.append(f"| {row['codec']} | {kind} | {row['compression_ratio']:.2f} | {row['xdr_gb_s']:.3f} | "
                     f"{row['cfitsio_gb_s']:.3f} | {row['speedup']:.2f} |")
    return "\n".join(lines)


def device_table(report):
    machine = report["machine"]
    lines = [
        f"{machine['gpu']}; pinned copy {machine['pinned_copy_gb_s']:.1f} GB/s, copy inside the device "
        f"{machine['device_copy_gb_s']:.0f} GB/s (read and written); commit {report['commit']}. Method: {report['method']}.",
        "",
        "| case | amount | compression | GB/s | must | % of floor | what binds |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in report["rows"]:
        must = f"{row['must_gb_s']:.0f}" if row["must_gb_s"] else ""
        missed = " **missed**" if row["gb_s"] < row["must_gb_s"] else ""
        lines.append(f"| {row['case']} | {row['amount']} | {row['compression_ratio']:.2f} | {row['gb_s']:.1f}{missed} | "
                     f"{must} | {row['percent_of_floor']:.1f} | {row['binds']} |")
    return "\n".join(lines)


TABLES = {"host": host_table, "device": device_table}


def render(text):
    def fill(match):
        name = match.group(1)
        report = json.loads((ROOT / f"bench/results/{name}.json").read_text())
        return f"<!-- table: {name} -->\n{TABLES[name](report)}\n<!-- end -->"
    return re.sub(r"<!-- table: (\w+) -->\n.*?<!-- end -->", fill, text, flags=re.S)


def main():
    before = DOCUMENT.read_text()
    after = render(before)
    if "--check" in sys.argv[1:]:
        if before != after:
            print("docs/performance.md differs from bench/results: run dev/make_tables.py")
            return 1
        print(f"docs/performance.md: {after.count('<!-- table:')} tables equal bench/results")
        return 0
    DOCUMENT.write_text(after)
    return 0


if __name__ == "__main__":
    sys.exit(main())
