#!/usr/bin/env python3
"""Writes the seeds of the targets image (small FITS files of every kind) and plan (plans of such files as JSON)."""
import json
import pathlib
import struct

from hcompress_stream import hcompress
from make_seeds import FOLDER, member, noise, rice


def card(keyword, value):
    if isinstance(value, bool):
        value = "T" if value else "F"
    elif isinstance(value, str):
        value = f"'{value:<8}'"
    return f"{keyword:<8}= {value!s:>20}".ljust(80)


def unit(cards, data=b""):
    header = "".join(cards) + "END".ljust(80)
    return (header + " " * (-len(header) % 2880)).encode() + data + bytes(-len(data) % 2880)


def plain(bitpix, axes, data, extra=()):
    cards = [card("SIMPLE", True), card("BITPIX", bitpix), card("NAXIS", len(axes))]
    return unit(cards + [card(f"NAXIS{i}", axis) for i, axis in enumerate(axes, 1)] + list(extra), data)


def compressed(codec, bitpix, axes, tiles, columns, extra=()):
    """columns: (name, form, cells); bytes go to the heap as 1P, numbers into the row."""
    heap = b""
    rows = [b""] * len(columns[0][2])
    for name, form, cells in columns:
        for i, cell in enumerate(cells):
            if isinstance(cell, bytes):
                width = {"B": 1, "I": 2, "J": 4, "E": 4, "D": 8}[form[-1]]
                rows[i] += struct.pack(">II", len(cell) // width, len(heap))
                heap += cell
            else:
                rows[i] += struct.pack({"1D": ">d", "1J": ">i"}[form], cell)
    cards = [card("XTENSION", "BINTABLE"), card("BITPIX", 8), card("NAXIS", 2), card("NAXIS1", len(rows[0])),
             card("NAXIS2", len(rows)), card("PCOUNT", len(heap)), card("GCOUNT", 1), card("TFIELDS", len(columns))]
    for i, (name, form, _) in enumerate(columns, 1):
        cards += [card(f"TTYPE{i}", name), card(f"TFORM{i}", form)]
    cards += [card("ZIMAGE", True), card("ZCMPTYPE", codec), card("ZBITPIX", bitpix), card("ZNAXIS", len(axes))]
    cards += [card(f"ZNAXIS{i}", axis) for i, axis in enumerate(axes, 1)]
    cards += [card(f"ZTILE{i}", tile) for i, tile in enumerate(tiles, 1)]
    return plain(8, (), b"") + unit(cards + list(extra), b"".join(rows) + heap)


def shuffled(data, width):
    return b"".join(data[i::width] for i in range(width))


def save(target, name, data):
    folder = FOLDER / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


def images():
    words = struct.pack(">12h", *noise(12, -300, 300))
    longs = struct.pack(">6i", *noise(6, -3000, 3000))
    gz = [member(struct.pack(">6h", *noise(6, 0, 99, row)), 1) for row in range(2)]
    quantized = [("ZSCALE", "1D", [0.5, 0.25]), ("ZZERO", "1D", [1.0, -7.0])]
    yield "plain_i16", plain(16, (4, 3), words)
    yield "plain_u16", plain(16, (4, 3), words, [card("BZERO", 32768)])
    yield "plain_scaled_blank", plain(16, (4, 3), words, [card("BSCALE", 0.1), card("BZERO", 3.3), card("BLANK", 7)])
    yield "plain_f32_cube", plain(-32, (2, 3, 1), longs)
    yield "plain_u8_as_i8", plain(8, (5,), b"\0\1\2\3\4", [card("BZERO", -128)])
    yield "gzip_1", compressed("GZIP_1", 16, (6, 2), (6, 1), [("COMPRESSED_DATA", "1PB", gz)])
    yield "gzip_1_null_column", compressed("GZIP_1", 16, (6, 2), (6, 1), [
        ("COMPRESSED_DATA", "1PB", gz), ("ZBLANK", "1J", [5, 9])])
    yield "gzip_2_blocks", compressed("GZIP_2", 16, (6, 4), (3, 4), [
        ("COMPRESSED_DATA", "1PB", [member(shuffled(words, 2), 9)] * 2)])
    yield "rice_i16", compressed("RICE_1", 16, (20, 1), (20, 1), [
        ("COMPRESSED_DATA", "1PB", [rice(noise(20, 0, 40), 2, 16)])],
        [card("ZNAME1", "BLOCKSIZE"), card("ZVAL1", 16), card("ZNAME2", "BYTEPIX"), card("ZVAL2", 2)])
    yield "rice_dithered", compressed("RICE_1", -32, (9, 2), (9, 1), [
        ("COMPRESSED_DATA", "1PB", [rice(noise(9, 0, 40), 4, 32), rice(noise(9, 5, 9), 4, 32)])] + quantized,
        [card("ZQUANTIZ", "SUBTRACTIVE_DITHER_2"), card("ZDITHER0", 42), card("ZBLANK", 7)])
    yield "hcompress_i16", compressed("HCOMPRESS_1", 16, (6, 9), (6, 5), [
        ("COMPRESSED_DATA", "1PB", [hcompress(5, 6, [0] + noise(29, -30, 30), 5000, 20, 5),
                                    hcompress(4, 6, [0] + noise(23, -30, 30), 4000, 20)])],
        [card("ZNAME1", "SCALE"), card("ZVAL1", 20), card("ZNAME2", "SMOOTH"), card("ZVAL2", 1)])
    yield "gzip_quantized_fallback", compressed("GZIP_1", -32, (3, 2), (3, 1), [
        ("COMPRESSED_DATA", "1PB", [member(longs[:12], 1), b""]),
        ("GZIP_COMPRESSED_DATA", "1PB", [b"", member(longs[12:], 1)])] + quantized)
    mask = [struct.pack(f">{n + 3}H", 0, 0, n + 3, *data) for n, data in ((3, [0x4003, 0x6005, 0x5002]), (1, [0x0006]))]
    yield "plio", compressed("PLIO_1", 16, (6, 2), (6, 1), [("COMPRESSED_DATA", "1PI", mask)], [card("BZERO", 32768)])
    yield "nocompress", compressed("NOCOMPRESS", 16, (6, 2), (6, 1), [
        ("COMPRESSED_DATA", "1PB", [words[:12], b""]), ("UNCOMPRESSED_DATA", "1PI", [b"", words[12:]])])


def plans():
    recipe = {"stored_type": "int16", "output_type": "int16", "either_float": False, "quantized": False, "dither": "none",
              "dither_seed": 1,
              "has_null": False, "null_value": 0, "flip_sign": False, "multiply": False, "add": False, "scale": 1.0,
              "zero": 0.0}
    group = {"codec": "gzip_1", "rice_block_pixels": 32, "rice_pixel_bytes": 2,
             "capacity_bytes_per_pixel": 4,
             "recipe": recipe, "tiles": [[0, 40, 0], [40, 40, 1], [20, 40, 2]], "null_values": []}
    plan = {"schema": 1, "kind": "image_plan", "file": "f", "file_bytes": 100, "hdu": 1, "image_shape": [6, 10],
            "section": {"start": [0, 2], "extent": [3, 4], "step": [2, 1]},
            "grid": {"area": {"start": [0, 0], "extent": [6, 10]}, "tile_shape": [2, 10]}, "stored_type": "int16",
            "output_type": "int16", "scale": 1.0, "zero": 0.0, "null_value": None, "codec_name": "GZIP_1",
            "groups": [group], "reasons": [], "notes": []}
    yield "gzip_1", plan
    yield "plio_1", {**plan, "groups": [{**group, "codec": "plio_1", "plio_zero": 32768}]}
    yield "hcompress_1", {**plan, "groups": [{**group, "codec": "hcompress_1", "hcompress_smooth": True,
                                              "hcompress_clip_16": False}]}
    for codec in ("none", "gzip_2", "rice_1"):
        yield codec, {**plan, "groups": [{**group, "codec": codec}]}
    floats = {**recipe, "stored_type": "float32", "output_type": "float32", "quantized": True, "dither": "subtractive_2",
              "dither_seed": 9999, "has_null": True, "null_value": -5, "multiply": True, "scale": "nan"}
    tiles = [[0, 40, 0, 0.5, "inf"], [40, 40, 1, "nan", 2], [20, 40, 2, 1, 1e300]]
    yield "quantized", {**plan, "stored_type": "float32", "output_type": "float32", "null_value": -5, "groups": [
        {**group, "codec": "rice_1", "rice_pixel_bytes": 4, "recipe": floats, "tiles": tiles, "null_values": [1, 2, 3]}]}
    scaled = {**recipe, "output_type": "float32", "multiply": True, "add": True, "scale": 0.1}
    yield "two_groups", {**plan, "output_type": "float32", "notes": ["a note"], "groups": [
        {**group, "recipe": scaled, "tiles": group["tiles"][:2]},
        {**group, "codec": "none", "recipe": scaled, "tiles": [[0, 40, 2]]}]}
    yield "refused", {**plan, "groups": [], "reasons": [{"code": "null_mask_unsupported", "hdu": 1, "detail": "d"}]}


def main():
    for name, data in images():
        save("image", name, data)
    for name, plan in plans():
        save("plan", name, json.dumps(plan).encode())


if __name__ == "__main__":
    main()
