"""An independent reader of FITS images, plain and tile-compressed: slow, obvious, for valid files only.

It gives the expected values of the golden files, so it shares nothing with src/: bits are characters of a string, integers
are Python's, tiles are decoded one pixel at a time. Where readers disagree it follows the project's decisions
(docs/architecture.md, tests/golden/exceptions.tsv).
"""

import itertools
import re
import zlib

import numpy as np

STORED = {8: "u1", 16: "i2", 32: "i4", 64: "i8", -32: "f4", -64: "f8"}
LETTERS = {"L": 1, "A": 1, "B": 1, "I": 2, "J": 4, "K": 8, "E": 4, "D": 8, "C": 8, "M": 16}
ELEMENTS = {"B": ">u1", "I": ">i2", "J": ">i4", "K": ">i8", "E": ">f4", "D": ">f8"}
RESERVED_ZERO = -2147483646


class Unreadable(Exception):
    """The file breaks a rule of the format."""


# --- headers -----------------------------------------------------------------------------------------------------------


def parse_value(text):
    """The value of the 70 bytes behind '= ', and whether it was written as an integer."""
    text = text.strip(" \0")
    if text.startswith("'"):
        return re.match(r"'((?:[^']|'')*)", text).group(1).replace("''", "'").rstrip()
    text = text.split("/")[0].strip()
    if text in ("T", "F"):
        return text == "T"
    if re.fullmatch(r"[+-]?\d+", text):
        return int(text)
    try:
        return float(re.sub("[dD]", "E", text)) if text else None
    except ValueError:
        return text


class Hdu:
    """Cards and place of one HDU; `get` returns the last card's value."""

    def __init__(self, data, at):
        self.start, self.values = at, {}
        while True:
            card = data[at:at + 80].decode("latin-1")
            at += 80
            if at > len(data):
                raise Unreadable("no END card")
            if card.strip(" \0") == "END":
                break
            if card[8:10] == "= " and card[:8].strip() not in ("COMMENT", "HISTORY", ""):
                self.values[card[:8].strip()] = parse_value(card[10:])
        self.data_at = self.start + -(-(at - self.start) // 2880) * 2880
        axes = self.axes("NAXIS")
        elements = int(np.prod(axes, dtype=object)) if axes else 0
        self.data_bytes = abs(self["BITPIX"]) // 8 * self.get("GCOUNT", 1) * (self.get("PCOUNT", 0) + elements)
        self.end = self.data_at + -(-self.data_bytes // 2880) * 2880
        kind = self.get("XTENSION", "IMAGE")
        self.compressed = kind in ("BINTABLE", "A3DTABLE", "3DTABLE") and self.get("ZIMAGE") is True
        self.is_image = self.compressed or kind in ("IMAGE", "IUEIMAGE")

    def __getitem__(self, key):
        return self.values[key]

    def get(self, key, default=None):
        value = self.values.get(key)
        return default if value is None else value

    def axes(self, stem):
        return [self[f"{stem}{i + 1}"] for i in range(self[stem])]

    def null(self):
        """The null value of the keywords; BLANK that is no integer is ignored."""
        found = [self.get(key) for key in (("ZBLANK", "BLANK") if self.compressed else ("BLANK",))]
        return next((value for value in found if isinstance(value, int)), None)

    def number(self, key, default):
        value = self.get(key, default)
        return float(value) if isinstance(value, str) else value


def walk(data):
    """All HDUs of the file."""
    found, at = [], 0
    while at < len(data) and (at == 0 or data[at:at + 8] == b"XTENSION"):
        found.append(Hdu(data, at))
        at = found[-1].end
    return found


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


# --- tile tables -------------------------------------------------------------------------------------------------------


class Column:
    def __init__(self, form, at):
        repeat, self.letter, self.element = re.match(r"(\d*)([A-Z])([A-Z]?)", form.strip().upper()).groups()
        repeat = int(repeat or 1)
        width = {"P": 8, "Q": 16}.get(self.letter) or LETTERS.get(self.letter)
        self.width = -(-repeat // 8) if self.letter == "X" else repeat * width
        self.at = at


class TiledImage:
    """One compressed image: `stored` (native order), `null` (where its integers are undefined), `exact` (no quantised
    tile: NaN patterns count)."""

    def __init__(self, data, hdu):
        self.data, self.hdu, self.exact = data, hdu, True
        self.bitpix, self.codec = hdu["ZBITPIX"], hdu["ZCMPTYPE"]
        axes = hdu.axes("ZNAXIS")
        shape = axes[::-1]
        tile = [min(hdu.get(f"ZTILE{i + 1}", axes[0] if i == 0 else 1), axes[i]) for i in range(len(axes))][::-1]
        self.read_columns()
        self.read_parameters()
        self.stored = np.zeros(shape, STORED[self.bitpix])
        self.null = np.zeros(shape, bool)
        if self.stored.size == 0:
            return
        counts = [-(-extent // step) for extent, step in zip(shape, tile)]
        for row, place in enumerate(np.ndindex(*counts)):
            box = tuple(slice(k * step, min(k * step + step, extent)) for k, step, extent in zip(place, tile, shape))
            pixels, null = self.tile(row, self.stored[box].shape)
            self.stored[box], self.null[box] = pixels.reshape(self.stored[box].shape), null.reshape(self.stored[box].shape)

    def read_columns(self):
        self.columns, at = {}, 0
        for i in range(self.hdu["TFIELDS"]):
            column = Column(self.hdu[f"TFORM{i + 1}"], at)
            if column.width:
                self.columns[self.hdu.get(f"TTYPE{i + 1}", "").upper()] = column
            at += column.width
        self.row_bytes = at

    def read_parameters(self):
        self.parameters = {}
        for i in itertools.count(1):
            name = self.hdu.get(f"ZNAME{i}")
            if name is None:
                break
            self.parameters[name.upper()] = self.hdu.get(f"ZVAL{i}")
        self.quantised = self.bitpix < 0 and "ZSCALE" in self.columns
        self.method = self.hdu.get("ZQUANTIZ", "NO_DITHER")
        self.seed = int(self.hdu.get("ZDITHER0", 1))

    def field(self, name, row):
        column = self.columns[name]
        start = self.hdu.data_at + row * self.row_bytes + column.at
        return self.data[start:start + column.width], column

    def array(self, name, row):
        """Bytes of the tile in this column, b'' where it has none."""
        if name not in self.columns:
            return b""
        field, column = self.field(name, row)
        length, offset = (int(word) for word in np.frombuffer(field, ">u4" if column.letter == "P" else ">u8"))
        heap = self.hdu.data_at + self.hdu.get("THEAP", self.row_bytes * self.hdu["NAXIS2"])
        size = length * LETTERS[column.element]
        found = self.data[heap + offset:heap + offset + size]
        if len(found) != size:
            raise Unreadable("a tile lies outside the file")
        return found

    def scalar(self, name, row):
        field, column = self.field(name, row)
        return np.frombuffer(field, ELEMENTS[column.letter])[0].item()

    def null_value(self, row):
        if "ZBLANK" in self.columns:
            return self.scalar("ZBLANK", row)
        return self.hdu.null()

    def tile(self, row, shape):
        count = int(np.prod(shape))
        stream = self.array("COMPRESSED_DATA", row)
        if not stream:
            return self.fallback(row, count)
        raw = self.raw_tile(stream, count, shape)
        null_value = self.null_value(row)
        integers = self.quantised or self.bitpix > 0
        null = raw.astype("i8") == null_value if integers and null_value is not None else np.zeros(count, bool)
        if not self.quantised:
            return self.to_stored(raw), null
        self.exact = False
        values = dequantised(raw, self.scalar("ZSCALE", row), self.scalar("ZZERO", row), self.method, row, self.seed)
        values[null] = np.nan
        with np.errstate(all="ignore"):
            return values.astype(STORED[self.bitpix]), null

    def fallback(self, row, count):
        plain = self.array("UNCOMPRESSED_DATA", row)
        if plain:
            raw = np.frombuffer(plain, ELEMENTS[self.columns["UNCOMPRESSED_DATA"].element])
        else:
            raw = typed(inflate(self.array("GZIP_COMPRESSED_DATA", row)), count, self.bitpix < 0)
        null_value = self.null_value(row)
        known = self.bitpix > 0 and null_value is not None
        return self.to_stored(raw), raw.astype("i8") == null_value if known else np.zeros(count, bool)

    def raw_tile(self, stream, count, shape):
        floats = self.bitpix < 0 and not self.quantised
        if self.codec in ("RICE_1", "RICE_ONE"):
            return rice(stream, count, self.parameters.get("BYTEPIX", 4), self.parameters.get("BLOCKSIZE", 32))
        if self.codec == "GZIP_1":
            return typed(inflate(stream), count, floats)
        if self.codec == "GZIP_2":
            return typed(unshuffle(inflate(stream), count), count, floats)
        if self.codec == "NOCOMPRESS":
            return typed(stream, count, floats)
        if self.codec == "PLIO_1":
            unsigned = self.bitpix == 16 and self.hdu.number("BZERO", 0) == 32768
            return plio(stream, count) - (32768 if unsigned else 0)
        if self.codec == "HCOMPRESS_1":
            found = np.array(Hcompress(stream, self.parameters.get("SMOOTH", 0)).a, "i8").ravel()
            if found.size != count:
                raise Unreadable("HCOMPRESS: shape")
            return found.clip(-32768, 32767) if self.bitpix == 16 else found.astype("i4")
        raise Unreadable(f"codec {self.codec}")

    def to_stored(self, raw):
        with np.errstate(all="ignore"):
            stored = raw.astype(STORED[self.bitpix])
        if self.bitpix > 0 and not np.array_equal(stored.astype("i8"), raw.astype("i8")):
            raise Unreadable("an integer does not fit")
        return stored


# --- both kinds --------------------------------------------------------------------------------------------------------


def plain_image(data, hdu):
    shape = hdu.axes("NAXIS")[::-1]
    count = int(np.prod(shape))
    stored = np.frombuffer(data, np.dtype(STORED[hdu["BITPIX"]]).newbyteorder(">"), count, hdu.data_at).reshape(shape)
    blank = hdu.null()
    null = stored == blank if hdu["BITPIX"] > 0 and blank is not None else np.zeros(shape, bool)
    return stored.astype(STORED[hdu["BITPIX"]]), null


def scaled(hdu, stored, null, has_null):
    """Physical values in Astropy's type and arithmetic."""
    scale, zero = hdu.number("BSCALE", 1), hdu.number("BZERO", 0)
    kind = stored.dtype.name
    # With a point, -128.0 is an ordinary shift for Astropy, whose words count here.
    signed_byte = kind == "uint8" and scale == 1 and zero == -128 and isinstance(zero, int)
    unsigned = kind in ("int16", "int32", "int64") and scale == 1 and zero == 2 ** (8 * stored.itemsize - 1)
    if signed_byte or unsigned:
        bits = stored.view(f"u{stored.itemsize}") ^ np.array(1 << 8 * stored.itemsize - 1, f"u{stored.itemsize}")
        return bits.view("i1") if signed_byte else bits
    floating = stored.dtype.kind == "f"
    if scale == 1 and zero == 0 and (floating or not has_null):
        return stored
    out = stored.astype("f4" if kind in ("uint8", "int16", "float32") else "f8")
    with np.errstate(all="ignore"):
        if scale != 1:
            out = out * out.dtype.type(scale)
        if zero != 0:
            out = out + out.dtype.type(zero)
    if not floating:
        out[null] = np.nan
    return out


class Expected:
    """Stored and scaled values of one image HDU; `exact`: NaN patterns count in the stored values."""

    def __init__(self, data, hdu):
        if hdu.compressed:
            image = TiledImage(data, hdu)
            self.stored, null, self.exact = image.stored, image.null, image.exact
            has_null = "ZBLANK" in image.columns or hdu.null() is not None
        else:
            self.stored, null = plain_image(data, hdu)
            self.exact, has_null = True, hdu.null() is not None
        self.scaled = scaled(hdu, self.stored, null, has_null)
