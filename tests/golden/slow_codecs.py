"""The tile codecs and the dequantisation of slow_decoder.py: bits are characters of a string, integers are Python's."""

import itertools
import zlib

import numpy as np

RESERVED_ZERO = -2147483646


class Unreadable(Exception):
    """The file breaks a rule of the format."""


# --- codecs: bytes of one tile to a list or array of integers (or floats, where lossless) ------------------------------


def bits_of(data):
    return bin(int.from_bytes(b"\1" + bytes(data), "big"))[3:]


def inflate(stream):
    """The first gzip member."""
    machine = zlib.decompressobj(wbits=31)
    data = machine.decompress(bytes(stream))
    if not machine.eof:
        raise Unreadable("gzip ends early")
    return data


def typed(data, count, floating):
    """Big-endian elements whose width is what the length says."""
    if count == 0 or len(data) % count or len(data) // count not in (1, 2, 4, 8):
        raise Unreadable(f"{len(data)} bytes for {count} pixels")
    width = len(data) // count
    return np.frombuffer(data, ("u1" if width == 1 else ">" + ("f" if floating and width > 2 else "i") + str(width)))


def unshuffle(data, count):
    width = len(data) // count
    return b"".join(bytes(data[plane * count + i] for plane in range(width)) for i in range(count))


def rice(stream, count, width, block):
    field, top, size = {1: (3, 6, 8), 2: (4, 14, 16), 4: (5, 25, 32)}[width]
    value, bits, at, out = int.from_bytes(stream[:width], "big"), bits_of(stream[width:]), 0, []

    def take(length):
        nonlocal at
        if at + length > len(bits):
            raise Unreadable("Rice ends early")
        at += length
        return int(bits[at - length:at] or "0", 2)

    while len(out) < count:
        pixels = min(block, count - len(out))
        split = take(field) - 1
        if split > top:
            raise Unreadable("Rice split")
        for _ in range(pixels):
            if split >= 0:
                if split == top:
                    code = take(size)
                else:
                    one = bits.find("1", at)
                    if one < 0:
                        raise Unreadable("Rice ends early")
                    high, at = one - at, one + 1
                    code = (high << split) + take(split)
                value = (value + (code // 2 if code % 2 == 0 else -(code // 2) - 1)) % 2**size
            out.append(value)
    return np.array(out, f"u{width}").view(f"{'u' if width == 1 else 'i'}{width}")


def plio(stream, count):
    words = [int(word) for word in np.frombuffer(stream, ">i2")]
    length, at = (words[2], 3) if words[2] > 0 else (words[4] * 32768 + words[3], words[1])
    out, level = [], 1
    while at < length and len(out) < count:
        operation, amount = divmod(words[at], 4096)
        at += 1
        if operation == 1:
            level = words[at] * 4096 + amount
            at += 1
        elif operation in (2, 6):
            level += amount
        elif operation in (3, 7):
            level -= amount
        if operation in (6, 7):
            out.append(level)
        elif operation == 4:
            out += [level] * amount
        elif operation in (0, 5):
            run = [0] * amount
            if operation == 5 and amount:
                run[-1] = level
            out += run
    return np.array((out + [0] * count)[:count], "i8")


HUFFMAN = {"000": 1, "001": 2, "010": 4, "011": 8, "1000": 3, "1001": 5, "1010": 10, "1011": 12, "1100": 15, "11010": 6,
           "11011": 7, "11100": 9, "11101": 11, "11110": 13, "111110": 0, "111111": 14}
CORNERS = {(0, 0): 8, (0, 1): 4, (1, 0): 2, (1, 1): 1}


def levels_for(extent):
    return (extent - 1).bit_length()


class Hcompress:
    """One HCOMPRESS_1 tile; a[row][column] are Python integers, so that no width matters."""

    def __init__(self, stream, smooth):
        self.rows, self.columns, self.scale = (int.from_bytes(stream[i:i + 4], "big", signed=True) for i in (2, 6, 10))
        total = int.from_bytes(stream[14:22], "big", signed=True)
        planes = stream[22:25]
        self.a = [[0] * self.columns for _ in range(self.rows)]
        self.bits, self.at = bits_of(stream[25:]), 0
        half_rows, half_columns = (self.rows + 1) // 2, (self.columns + 1) // 2
        top, bottom = range(half_rows), range(half_rows, self.rows)
        left, right = range(half_columns), range(half_columns, self.columns)
        for rows, columns, depth in ((top, left, 0), (top, right, 1), (bottom, left, 1), (bottom, right, 2)):
            self.quadrant(rows, columns, planes[depth])
        if self.take(4) != 0:
            raise Unreadable("HCOMPRESS: no end mark")
        self.at = -(-self.at // 8) * 8
        for row, column in itertools.product(range(self.rows), range(self.columns)):
            if self.a[row][column] and self.take(1):
                self.a[row][column] *= -1
        self.a[0][0] = total
        if self.scale > 1:
            self.a = [[value * self.scale for value in row] for row in self.a]
        self.invert(smooth)

    def take(self, length):
        if self.at + length > len(self.bits):
            raise Unreadable("HCOMPRESS ends early")
        self.at += length
        return int(self.bits[self.at - length:self.at], 2)

    def symbol(self):
        for length in (3, 4, 5, 6):
            word = self.bits[self.at:self.at + length]
            if len(word) == length and word in HUFFMAN:
                self.at += length
                return HUFFMAN[word]
        raise Unreadable("HCOMPRESS ends early")

    def quadrant(self, rows, columns, planes):
        if not rows or not columns:
            return
        height, width = (len(rows) + 1) // 2, (len(columns) + 1) // 2
        for plane in reversed(range(planes)):
            form = self.take(4)
            if form == 0:
                grid = {(i, j): self.take(4) for i in range(height) for j in range(width)}
            elif form == 15:
                grid = self.tree(len(rows), len(columns))
            else:
                raise Unreadable("HCOMPRESS: form of a bit plane")
            for i, row in enumerate(rows):
                for j, column in enumerate(columns):
                    if grid[i // 2, j // 2] & CORNERS[i % 2, j % 2]:
                        self.a[row][column] |= 1 << plane

    def tree(self, height, width):
        depth = levels_for(max(height, width))
        grid = {(0, 0): self.symbol()}
        for k in range(1, depth):
            size = 2 ** (depth - k)
            finer = {}
            for i in reversed(range(-(-height // size))):
                for j in reversed(range(-(-width // size))):
                    finer[i, j] = self.symbol() if grid[i // 2, j // 2] & CORNERS[i % 2, j % 2] else 0
            grid = finer
        return grid

    def invert(self, smooth):
        a, depth = self.a, levels_for(max(self.rows, self.columns))
        a[0][0] = rounded(a[0][0], 2 ** (depth + 1))
        for s in reversed(range(depth)):
            height, width = -(-self.rows // 2**s), -(-self.columns // 2**s)
            for i in range(height):
                a[i][:width] = interleaved(a[i][:width])
            for j in range(width):
                for i, value in enumerate(interleaved([a[i][j] for i in range(height)])):
                    a[i][j] = value
            if smooth:
                self.smooth(height, width)
            for i in range(0, height, 2):
                for j in range(0, width, 2):
                    self.block(i, j, i + 1 < height, j + 1 < width, s)

    def block(self, i, j, below, right, s):
        a, small, large, shift = self.a, 2**s, 2 ** (s + 1), 2 if s == 0 else 1
        h = a[i][j]
        if below and right:
            x, y, c = rounded(a[i + 1][j], large), rounded(a[i][j + 1], large), rounded(a[i + 1][j + 1], small)
            low = c & small
            x, y = (v - low if v >= 0 else v + low for v in (x, y))
            high = (c ^ x ^ y) & large
            if h >= 0:
                h += low - high
            else:
                h += high if low == 0 else low - high
            a[i][j], a[i][j + 1] = (h - x - y + c) >> shift, (h - x + y - c) >> shift
            a[i + 1][j], a[i + 1][j + 1] = (h + x - y - c) >> shift, (h + x + y + c) >> shift
        elif below or right:
            di, dj = int(below), int(right)
            x = rounded(a[i + di][j + dj], large)
            high = x & large
            h += -high if h >= 0 else high
            a[i][j], a[i + di][j + dj] = (h - x) >> shift, (h + x) >> shift
        else:
            a[i][j] = h >> shift

    def smooth(self, height, width):
        a, most = self.a, self.scale >> 1
        if most <= 0:
            return

        def clamp(value, low, high):
            return max(low, min(high, value))

        def quotient(value, divisor):  # towards zero
            return value // divisor if value >= 0 else -(-value // divisor)

        def line(before, here, after, old):
            high = 4 * max(min(after - here, here - before), 0)
            low = 4 * min(max(after - here, here - before), 0)
            if low >= high:
                return old
            return old + clamp(quotient(clamp(after - before, low, high) - 8 * old, 8), -most, most)

        for i in range(2, height - 2, 2):
            for j in range(0, width, 2):
                a[i + 1][j] = line(a[i - 2][j], a[i][j], a[i + 2][j], a[i + 1][j])
        for i in range(0, height, 2):
            for j in range(2, width - 2, 2):
                a[i][j + 1] = line(a[i][j - 2], a[i][j], a[i][j + 2], a[i][j + 1])
        for i in range(2, height - 2, 2):
            for j in range(2, width - 2, 2):
                mm, pm, mp, pp = a[i - 2][j - 2], a[i + 2][j - 2], a[i - 2][j + 2], a[i + 2][j + 2]
                h, x, y, old = a[i][j], 2 * a[i + 1][j], 2 * a[i][j + 1], a[i + 1][j + 1]
                high = 16 * min(max(pp - h, 0) - x - y, max(h - pm, 0) + x - y, max(h - mp, 0) - x + y,
                                max(mm - h, 0) + x + y)
                low = 16 * max(min(pp - h, 0) - x - y, min(h - pm, 0) + x - y, min(h - mp, 0) - x + y,
                               min(mm - h, 0) + x + y)
                if low < high:
                    a[i + 1][j + 1] += clamp(quotient(clamp(pp + mm - mp - pm, low, high) - 64 * old, 64), -most, most)


def rounded(value, unit):
    if unit == 1:
        return value
    return (value + (unit // 2 if value >= 0 else unit // 2 - 1)) & -unit


def interleaved(values):
    half = (len(values) + 1) // 2
    out = [0] * len(values)
    out[0::2], out[1::2] = values[:half], values[half:]
    return out


# --- quantised floats --------------------------------------------------------------------------------------------------


def random_numbers():
    seed, table = 1, []
    for _ in range(10000):
        seed = seed * 16807 % 2147483647
        table.append(seed / 2147483647.0)
    if seed != 1043618065:
        raise AssertionError("the random numbers are wrong")
    return np.array(table, "f4")


RANDOM = random_numbers()


def dither_sequence(row, seed, count):
    i = (row + seed - 1) % 10000
    pieces, left = [], count
    while left > 0:
        piece = RANDOM[int(RANDOM[i] * np.float32(500)):][:left]
        pieces.append(piece)
        left -= len(piece)
        i = (i + 1) % 10000
    return np.concatenate(pieces).astype("f8")


def dequantised(integers, scale, zero, method, row, seed):
    x, scale, zero = integers.astype("f8"), np.float64(scale), np.float64(zero)
    if method.startswith("SUBTRACTIVE"):
        x = (x - dither_sequence(row, seed, len(x))) + 0.5
    with np.errstate(all="ignore"):
        y = x * scale + zero
    if method == "SUBTRACTIVE_DITHER_2":
        y[integers == RESERVED_ZERO] = 0.0
    return y
