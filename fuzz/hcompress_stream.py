"""Writes HCOMPRESS_1 streams from coefficients, for seeds: FITS 4.0 10.4.4 with a free choice of formats."""
import struct

CODES = ("111110", "000", "001", "1000", "010", "1001", "11010", "11011",
         "011", "11100", "1010", "11101", "1011", "11110", "111111", "1100")


def halved(extent, times):
    return -(-extent // (1 << times))


def nybble(bits, row, column, level):
    """Which quarters of a cell of 2^level x 2^level hold a one."""
    half, found = 1 << level - 1, 0
    for y in range(2 * half * row, min(2 * half * (row + 1), len(bits))):
        for x in range(2 * half * column, min(2 * half * (column + 1), len(bits[y]))):
            if bits[y][x]:
                found |= 8 >> 2 * (y // half % 2) + x // half % 2
    return found


def plane(bits, rows, columns, quadtree):
    if not quadtree:
        return "0000" + "".join(format(nybble(bits, i, j, 1), "04b")
                                for i in range(halved(rows, 1)) for j in range(halved(columns, 1)))
    levels = max((max(rows, columns) - 1).bit_length(), 1)
    text = "1111" + CODES[nybble(bits, 0, 0, levels)]
    for level in range(levels - 1, 0, -1):
        for i in reversed(range(halved(rows, level))):
            for j in reversed(range(halved(columns, level))):
                found = nybble(bits, i, j, level)
                text += CODES[found] if found else ""
    return text


def hcompress(rows, columns, coefficients, total, scale=0, quadtrees=0):
    """coefficients: row after row; bit b of `quadtrees` chooses the format of plane b."""
    upper, left = halved(rows, 1), halved(columns, 1)
    grid = [[abs(value) for value in coefficients[i * columns:(i + 1) * columns]] for i in range(rows)]
    quadrants = [[line[:left] for line in grid[:upper]], [line[left:] for line in grid[:upper]],
                 [line[:left] for line in grid[upper:]], [line[left:] for line in grid[upper:]]]
    tops = [max((value for line in part for value in line), default=0).bit_length() for part in quadrants]
    planes = (tops[0], max(tops[1:3]), tops[3])
    text = ""
    for number, part in enumerate(quadrants):
        height = upper if number < 2 else rows - upper
        width = left if number % 2 == 0 else columns - left
        for b in reversed(range(planes[number // 2 + number % 2])):
            text += plane([[value >> b & 1 for value in line] for line in part], height, width, quadtrees >> b & 1)
    text += "0000"
    text += "0" * (-len(text) % 8)
    text += "".join("1" if value < 0 else "0" for value in coefficients if value)
    text += "0" * (-len(text) % 8)
    return (struct.pack(">HiiiqBBB", 0xDD99, rows, columns, scale, total, *planes)
            + bytes(int(text[i:i + 8], 2) for i in range(0, len(text), 8)))
