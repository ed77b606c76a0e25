"""An independent reader of FITS images, plain and tile-compressed: slow, obvious, for valid files only.

It gives the expected values of the golden files, so it shares nothing with src/: tiles are decoded one pixel at a time
(slow_codecs.py). Where readers disagree it follows the project's decisions
(docs/architecture.md, tests/golden/exceptions.tsv).
"""

import itertools
import re

import numpy as np

from slow_codecs import Hcompress, Unreadable, dequantised, inflate, plio, rice, typed, unshuffle

STORED = {8: "u1", 16: "i2", 32: "i4", 64: "i8", -32: "f4", -64: "f8"}
LETTERS = {"L": 1, "A": 1, "B": 1, "I": 2, "J": 4, "K": 8, "E": 4, "D": 8, "C": 8, "M": 16}
ELEMENTS = {"B": ">u1", "I": ">i2", "J": ">i4", "K": ">i8", "E": ">f4", "D": ">f8"}


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
        order = ("ZBLANK", "BLANK") if self["ZBITPIX" if self.compressed else "BITPIX"] < 0 else ("BLANK", "ZBLANK")
        found = [self.get(key) for key in (order if self.compressed else ("BLANK",))]
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
