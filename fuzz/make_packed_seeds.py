#!/usr/bin/env python3
"""Writes the seeds of the target packed: a limit in two bytes, then a file that is compressed as a whole."""
import bz2
import gzip

from make_image_seeds import plain, save
from make_seeds import member, noise

LIMIT = (1 << 14).to_bytes(2, "little")  # times 64: 1 MiB


def main():
    fits = plain(16, (6, 2), bytes(range(24)))
    pixels = b"".join(value.to_bytes(2, "big", signed=True) for value in noise(200, -300, 300))
    files = {
        "gzip": gzip.compress(fits, 6, mtime=0),
        "gzip_stored": gzip.compress(pixels, 0, mtime=0),
        "gzip_members_and_padding": member(pixels, 6) + bytes(9) + member(fits, 9) + bytes(40),
        "gzip_garbage": member(pixels, 1) + b"garbage",
        "gzip_cut": gzip.compress(fits, 6, mtime=0)[:-5],
        "bzip2": bz2.compress(fits, 1),
        "bzip2_streams": bz2.compress(pixels, 9) + bz2.compress(b"") + bz2.compress(fits, 1) + bytes(5),
        "bzip2_cut": bz2.compress(pixels, 9)[:-20],
        "not_packed": fits[:80],
    }
    for name, file in files.items():
        save("packed", name, LIMIT + file)
    save("packed", "gzip_over_its_limit", b"\1\0" + files["gzip"])
    save("packed", "bzip2_over_its_limit", b"\1\0" + files["bzip2"])


if __name__ == "__main__":
    main()
