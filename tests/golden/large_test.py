#!/usr/bin/env python3
"""Images of more than 2 GiB and 2^31 pixels, and heaps beyond 2 and 4 GiB, as sparse files.

usage: large_test.py CORPUS_DUMP FOLDER [ENGINE]     needs about 5 GB of memory; the files take a few MB of disk
Every pixel of two whole images is compared, and sections around each limit of 31 and 32 bits.
"""
import os
import shutil
import sys
import time
from pathlib import Path

from fits_cards import EMPTY_PRIMARY, axis_cards, header
from golden_test import Reader, cut

CHUNK = 1 << 22


class Sparse:
    """A file that is written in places; everything else is zero."""

    def __init__(self, path):
        self.file = open(path, "wb")

    def put(self, at, data):
        self.file.seek(at)
        self.file.write(data)
        return at + len(data)

    def close(self, size):
        self.file.truncate(-(-size // 2880) * 2880)
        self.file.close()


def plain(path, bitpix, shape, marks):
    """A plain primary image of zeros but for `marks`: {pixel number: bytes}."""
    text = header([("SIMPLE", True), ("BITPIX", bitpix), *axis_cards("NAXIS", shape)])
    file, width = Sparse(path), abs(bitpix) // 8
    file.put(0, text)
    for pixel, data in marks.items():
        file.put(len(text) + pixel * width, data)
    file.close(len(text) + shape[0] * shape[1] * width)


ROWS, COLUMNS, TILE_ROWS = 33000, 65536, 64  # 2 162 688 000 pixels; tile 512 begins at pixel 2^31


def rice_tile(rows, value, structured):
    """BYTEPIX 1: a constant, or one whose first 32 pixels count up from `value` and whose rest stays."""
    blocks = rows * COLUMNS // 32
    if not structured:
        return bytes([value]) + bytes(-(-3 * blocks // 8))
    first = "111" + "00000000" + f"{2:08b}" * 31  # raw differences: 0, then +1 each
    used = len(first)
    first += "0" * (-used % 8)
    bits = int(first, 2).to_bytes(len(first) // 8, "big")
    return bytes([value]) + bits + bytes(-(-(used + 3 * (blocks - 1)) // 8) - len(bits))


def tile_value(tile):
    return tile * 7 % 200 + 1


def compressed(path, form, heap_at):
    """The whole large image; its heap begins `heap_at` bytes behind the table, and its tiles share streams."""
    tiles, width = -(-ROWS // TILE_ROWS), 8 if form == "1PB" else 16
    streams, places, at = [], {}, heap_at
    rows = b""
    for tile in range(tiles):
        key = min(TILE_ROWS, ROWS - tile * TILE_ROWS), tile_value(tile), tile in (0, 511, 512, tiles - 1)
        if key not in places:
            stream = rice_tile(*key)
            places[key] = len(stream), at
            streams.append((at, stream))
            at += len(stream)
        rows += b"".join(word.to_bytes(width // 2, "big") for word in places[key])
    text = header([("XTENSION", "BINTABLE"), ("BITPIX", 8), ("NAXIS", 2), ("NAXIS1", width), ("NAXIS2", tiles),
                   ("PCOUNT", at),
                   ("GCOUNT", 1), ("TFIELDS", 1), ("TTYPE1", "COMPRESSED_DATA"), ("TFORM1", form), ("ZIMAGE", True),
                   ("ZBITPIX", 8), *axis_cards("ZNAXIS", (ROWS, COLUMNS)), ("ZTILE1", COLUMNS), ("ZTILE2", TILE_ROWS),
                   ("ZCMPTYPE", "RICE_1"), ("ZNAME1", "BLOCKSIZE"), ("ZVAL1", 32), ("ZNAME2", "BYTEPIX"), ("ZVAL2", 1)])
    file = Sparse(path)
    table = file.put(file.put(0, EMPTY_PRIMARY), text)
    heap = file.put(table, rows)
    for offset, stream in streams:
        file.put(heap + offset, stream)
    file.close(heap + at)


def tile_bytes(tile):
    """The pixels of one tile of the large image."""
    count, value = min(TILE_ROWS, ROWS - tile * TILE_ROWS) * COLUMNS, tile_value(tile)
    if tile not in (0, 511, 512, -(-ROWS // TILE_ROWS) - 1):
        return bytes([value]) * count
    counting = bytes(value + i for i in range(32))
    return counting + counting[-1:] * (count - 32)


class Judge:
    """Questions to the reader, and how many answers were right."""

    def __init__(self, program, engine):
        self.reader, self.right, self.wrong = Reader(program, engine), 0, 0

    def say(self, ok, text):
        self.right += ok
        self.wrong += not ok
        if not ok:
            print("FAIL", text)

    def section(self, path, hdu, first, last, wanted):
        text = ",".join(f"{start}:{stop}" for start, stop in zip(first, last))
        answer = self.reader.read(path, hdu, "stored", text)
        self.say(answer[0] == "ok" and answer[4] == wanted, f"{path.name} [{text}]: {answer[:4]}")

    def whole(self, path, hdu, pieces):
        """Compares piece by piece; `pieces` gives the expected bytes in order."""
        process = self.reader.process
        process.stdin.write(f"{path}\t{hdu}\tstored\t{self.reader.engine}\t\n".encode())
        process.stdin.flush()
        line = process.stdout.readline().decode()
        if not line.startswith("ok "):
            self.say(False, f"{path.name}: {line}")
            return
        left = int(line.split(" ")[3])
        same = True
        for piece in pieces:
            got = process.stdout.read(min(len(piece), left))
            left -= len(got)
            same = same and got == piece
        while left > 0:
            left -= len(process.stdout.read(min(left, CHUNK)))
            same = False
        self.say(same, f"{path.name}: the pixels differ")


def check_plain(judge, folder):
    """u8 beyond 2^31 pixels as a whole; i16 and f64 beyond 2^32 bytes by sections."""
    rows, columns = 44000, 50000
    last = rows * columns - 1
    marks = {0: b"\1", 2**31 - 1: b"\2", 2**31: b"\3", 2**31 + 1: b"\4", last: b"\5"}
    path = folder / "plain-u8.fits"
    plain(path, 8, (rows, columns), marks)

    def pieces():
        for start in range(0, last + 1, CHUNK):
            piece = bytearray(min(CHUNK, last + 1 - start))
            for pixel, data in marks.items():
                if start <= pixel < start + len(piece):
                    piece[pixel - start:pixel - start + 1] = data
            yield bytes(piece)

    judge.whole(path, 0, pieces())
    for bitpix, width in ((16, 2), (-64, 8)):
        path = folder / f"plain-{bitpix}.fits"
        value = {2: b"\x12\x34", 8: b"\x40\x09\x21\xfb\x54\x44\x2d\x18"}[width]
        places = sorted({0, 2**31 // width, 2**32 // width - 1, 2**32 // width, 2**31 - 1, 2**31, last})
        plain(path, bitpix, (rows, columns), {pixel: value for pixel in places})
        for pixel in places:
            row, column = divmod(pixel, columns)
            begin = max(column - 1, 0)
            end = min(column + 2, columns)
            wanted = b"".join(value[::-1] if row * columns + i in places else bytes(width) for i in range(begin, end))
            judge.section(path, 0, (row, begin), (row + 1, end), wanted)


def check_compressed(judge, folder):
    """2^31 pixels and more in tiles, once as a whole; heaps beyond 2 GiB by P and beyond 4 GiB by Q descriptors."""
    tiles = -(-ROWS // TILE_ROWS)
    for form, heap_at, whole in (("1PB", 2**31 + 12345, True), ("1QB", 2**32 + 12345, False)):
        path = folder / f"compressed-{form}.fits"
        compressed(path, form, heap_at)
        if whole:
            judge.whole(path, 1, (tile_bytes(tile) for tile in range(tiles)))
        for tile in (0, 300, 511, 512, tiles - 1):
            pixels = tile_bytes(tile)
            section = [(0, 2, 1), (5, 40, 1)]
            wanted = cut(pixels, [len(pixels) // COLUMNS, COLUMNS], section, 1)
            first = tile * TILE_ROWS
            judge.section(path, 1, (first, 5), (first + 2, 40), wanted)


def main():
    folder, begin = Path(sys.argv[2]), time.monotonic()
    judge = Judge(sys.argv[1], sys.argv[3] if len(sys.argv) > 3 else "host")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        for check in (check_plain, check_compressed):
            check(judge, folder)
        disk = sum(os.stat(path).st_blocks for path in folder.iterdir()) // 2048
    finally:
        shutil.rmtree(folder)
    print(f"large: {judge.right} right, {judge.wrong} wrong, {disk} MB of disk, {time.monotonic() - begin:.0f} s")
    return 1 if judge.wrong or not judge.right else 0


if __name__ == "__main__":
    sys.exit(main())
