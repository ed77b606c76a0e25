"""Writes FITS files by hand, rules and all breaches of them included: every card, row and heap byte is the caller's.

A compressed image is made by `tiled`: tiles are given as {column: value}, bytes for arrays, numbers for scalars.
"""

import struct

import numpy as np

from fits_cards import axis_cards, header, padded, replaced

SCALARS = {"B": ">B", "I": ">h", "J": ">i", "K": ">q", "E": ">f", "D": ">d"}
ELEMENT_BYTES = {"B": 1, "I": 2, "J": 4, "E": 4, "K": 8, "D": 8}
BITPIX = {"u1": 8, "i2": 16, "i4": 32, "i8": 64, "f4": -32, "f8": -64}


def big_endian(array):
    return np.ascontiguousarray(array).astype(array.dtype.newbyteorder(">")).tobytes()


def plain(array, cards=(), primary=True, shape=None, bitpix=None, changes=(), data=None, pad=True):
    """An image HDU; `shape` (), no data."""
    shape = array.shape if shape is None else shape
    first = [("SIMPLE", True)] if primary else [("XTENSION", "IMAGE")]
    counts = [] if primary else [("PCOUNT", 0), ("GCOUNT", 1)]
    bitpix = bitpix or BITPIX[array.dtype.str[1:]]
    texts = header(replaced([*first, ("BITPIX", bitpix), *axis_cards("NAXIS", shape), *counts, *cards], changes))
    data = (big_endian(array) if len(shape) else b"") if data is None else data
    return texts + (padded(data) if pad else data)


def lay_heap(rows, order, overlap):
    """Heap bytes, and for each (row, column) the offset of its array. Equal arrays share bytes where `overlap`."""
    heap, places, known = b"", {}, {}
    arrays = [(r, name) for r, row in enumerate(rows) for name, value in row.items() if isinstance(value, bytes)]
    for r, name in (arrays if order is None else [arrays[i] for i in order(len(arrays))]):
        value = rows[r][name]
        if overlap and value in known:
            places[r, name] = known[value]
            continue
        places[r, name] = known[value] = len(heap)
        heap += value
    return heap, places


def table_row(row, r, columns, places):
    out = b""
    for name, form in columns:
        letters = form.lstrip("0123456789").upper()
        value = row.get(name)
        if letters[0] in "PQ":
            if form.startswith("0"):
                continue
            length, offset = 0, 0
            if isinstance(value, tuple):  # a descriptor of the caller's
                length, offset = value
            elif value:
                length, offset = len(value) // ELEMENT_BYTES[letters[1]], places[r, name]
            out += struct.pack(">II" if letters[0] == "P" else ">QQ", length, offset)
        elif isinstance(value, bytearray):  # bytes of a user's column
            out += value
        else:
            out += struct.pack(SCALARS[letters[0]], value)
    return out


def tiled(shape, bitpix, codec, tile, rows, columns=None, cards=(), changes=(), order=None, overlap=False, gap=None,
          after_heap=b"", pcount=None, pad=True, parameters=True):
    """A compressed image as a binary table HDU. Rice's parameters are added where `cards` holds none, since CFITSIO wants
    them, unless `parameters` is false."""
    if parameters and codec.startswith("RICE") and not any(item[0] == "ZNAME1" for item in cards):
        cards = [("ZNAME1", "BLOCKSIZE"), ("ZVAL1", 32), ("ZNAME2", "BYTEPIX"), ("ZVAL2", 4), *cards]
    columns = columns or [("COMPRESSED_DATA", "1PB")]
    heap, places = lay_heap(rows, order, overlap)
    table = b"".join(table_row(row, r, columns, places) for r, row in enumerate(rows))
    body = table + (gap or b"") + heap + after_heap
    texts = [("XTENSION", "BINTABLE"), ("BITPIX", 8), ("NAXIS", 2), ("NAXIS1", len(table) // max(len(rows), 1)),
             ("NAXIS2", len(rows)), ("PCOUNT", len(body) - len(table) if pcount is None else pcount), ("GCOUNT", 1),
             ("TFIELDS", len(columns))]
    for i, (name, form) in enumerate(columns):
        texts += [(f"TTYPE{i + 1}", name), (f"TFORM{i + 1}", form)]
    if gap is not None:
        texts.append(("THEAP", len(table) + len(gap)))
    texts += [("ZIMAGE", True), ("ZBITPIX", bitpix), *axis_cards("ZNAXIS", shape)]
    texts += [(f"ZTILE{i + 1}", extent) for i, extent in enumerate(reversed(tile))]
    texts += [("ZCMPTYPE", codec), *cards]
    return header(replaced(texts, changes)) + (padded(body) if pad else body)


def tiles_of(array, tile):
    """The tiles of `array` in the order of the table's rows."""
    counts = [-(-extent // step) for extent, step in zip(array.shape, tile)]
    for place in np.ndindex(*counts):
        yield array[tuple(slice(k * step, k * step + step) for k, step in zip(place, tile))]
