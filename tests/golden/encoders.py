"""Encoders of single tiles, for tables made by hand. Plain, and able to write what no ordinary writer does."""

import struct
import zlib

import numpy as np

from fits_writer import big_endian


def gzip_member(data, level=6, flags=0, optional=b"", crc=None, size=None, method=8):
    """One gzip member; `optional` holds the fields that `flags` announce."""
    machine = zlib.compressobj(level, zlib.DEFLATED, -15)
    body = machine.compress(data) + machine.flush()
    crc = zlib.crc32(data) if crc is None else crc
    size = len(data) if size is None else size
    return struct.pack("<BBBBIBB", 31, 139, method, flags, 0, 0, 255) + optional + body + struct.pack("<II", crc, size)


def shuffled(data, width):
    return bytes(data[i + plane] for plane in range(width) for i in range(0, len(data), width))


def gzip_1(array, **options):
    return gzip_member(big_endian(array), **options)


def gzip_2(array, **options):
    return gzip_member(shuffled(big_endian(array), array.itemsize), **options)


def bytes_of(bits):
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))


RICE = {1: (3, 6, 8), 2: (4, 14, 16), 4: (5, 25, 32)}


def rice(array, width=4, block=32, force=None):
    """`force`: the split to use for every block, top (raw) included; else the shortest."""
    field, top, size = RICE[width]
    values = [int(value) % 2**size for value in array.ravel()]
    bits, last = "", values[0]
    for start in range(0, len(values), block):
        codes = []
        for value in values[start:start + block]:
            difference = (value - last + 2 ** (size - 1)) % 2**size - 2 ** (size - 1)
            codes.append(2 * difference if difference >= 0 else -2 * difference - 1)
            last = value
        choices = [force] if force is not None else range(top)
        if force is None and not any(codes):
            bits += f"{0:0{field}b}"
            continue
        split = min(choices, key=lambda k: sum((code >> k) + 1 + k for code in codes))
        if split == top or (force is None and sum((code >> split) + 1 + split for code in codes) >= size * len(codes)):
            bits += f"{top + 1:0{field}b}" + "".join(f"{code:0{size}b}" for code in codes)
            continue
        bits += f"{split + 1:0{field}b}"
        for code in codes:
            low = f"{code % 2**split:0{split}b}" if split else ""
            bits += "0" * (code >> split) + "1" + low
    return values[0].to_bytes(width, "big") + bytes_of(bits)


def plio_words(words, old_header=False):
    """A line list of the instructions `words`."""
    if old_header:
        return struct.pack(">3h", 0, 0, len(words) + 3) + struct.pack(f">{len(words)}h", *words)
    length = len(words) + 7
    return struct.pack(">7h", 0, 7, -100, length % 32768, length // 32768, 0, 0) + struct.pack(f">{len(words)}h", *words)


def plio(array, old_header=False):
    """Runs of equal values; each change of level as an increment, a decrement or, where too far, as 28 bits."""
    words, level = [], 1
    values = [int(value) for value in array.ravel()]
    at = 0
    while at < len(values):
        run = 1
        while at + run < len(values) and values[at + run] == values[at] and run < 4095:
            run += 1
        value = values[at]
        at += run
        if value == 0:
            words.append(run)
            continue
        step = value - level
        if abs(step) > 4095:
            words += [4096 + value % 4096, value // 4096]
        elif step and run == 1:
            words.append((6 if step > 0 else 7) * 4096 + abs(step))
            level = value
            continue
        elif step:
            words.append((2 if step > 0 else 3) * 4096 + abs(step))
        level = value
        words.append(4 * 4096 + run)
    return plio_words(words, old_header)


SYMBOLS = ["111110", "000", "001", "1000", "010", "1001", "11010", "11011", "011", "11100", "1010", "11101", "1011",
           "11110", "111111", "1100"]


def plane_bits(plane, tree):
    """One bit plane of a quadrant: 2x2 nybbles, direct or as a quadtree."""
    levels, grid = [], np.asarray(plane)
    while True:
        grid = np.pad(grid, [(0, extent % 2) for extent in grid.shape])
        grid = 8 * grid[::2, ::2] + 4 * grid[::2, 1::2] + 2 * grid[1::2, ::2] + grid[1::2, 1::2]
        levels.append(grid)
        if not tree or grid.size == 1:
            break
        grid = (grid != 0).astype(int)
    if not tree:
        return "0000" + "".join(f"{value:04b}" for value in levels[0].ravel())
    bits = "1111" + SYMBOLS[levels[-1][0, 0]]
    for grid in levels[-2::-1]:
        bits += "".join(SYMBOLS[value] for value in grid.ravel()[::-1] if value)
    return bits


def hcompress(coefficients, scale=0, total=None, planes=None, tree=lambda plane: True, end="0000"):
    """A stream of these coefficients of the H transform (quadrants as stored), whatever pixels they give. `tree` says
    for each bit plane which of the two forms it takes."""
    a = np.array(coefficients, object)
    rows, columns = a.shape
    total = int(a[0, 0]) if total is None else total
    a[0, 0] = 0
    half_rows, half_columns = (rows + 1) // 2, (columns + 1) // 2
    quadrants = [(a[:half_rows, :half_columns], 0), (a[:half_rows, half_columns:], 1),
                 (a[half_rows:, :half_columns], 1), (a[half_rows:, half_columns:], 2)]
    if planes is None:
        planes = [max([int(abs(v)).bit_length() for q, k in quadrants if k == depth for v in q.ravel()] + [0])
                  for depth in range(3)]
    bits = ""
    for quadrant, depth in quadrants:
        for plane in reversed(range(planes[depth])):
            if quadrant.size:
                bits += plane_bits([[int(abs(v)) >> plane & 1 for v in row] for row in quadrant], tree(plane))
    signs = "".join("1" if v < 0 else "0" for v in a.ravel() if v)
    return (b"\xdd\x99" + struct.pack(">iiiq3B", rows, columns, scale, total, *planes) + bytes_of(bits + end) +
            bytes_of(signs))
