"""What must be refused, by code and reason: damaged headers, tables and tiles. No other reader is asked about these: they
crash, loop or read out of bounds."""

import bz2
import gzip
import struct
import zlib

import numpy as np

import encoders as E
from collection import in_file, table
from dimensions import QUANTISED, noise, quantised_rows
from fits_writer import BITPIX, big_endian, plain, tiled, tiles_of


def add_headers(golden):
    values = noise("hostile")

    def primary(name, changes, code="header_invalid", reason=None, says=None):
        golden.refuse(f"hostile-primary-{name}", plain(values, changes=changes), code, reason, says, hdu=0)

    for value in (0, 7, 12, -8, -16, 128, 2**40):
        primary(f"bitpix-{value}", [("BITPIX", value)], says="BITPIX")
    primary("bitpix-text", [("BITPIX", "16")], says="BITPIX")
    primary("bitpix-absent", [("BITPIX", None)], says="BITPIX")
    for value in (-1, 1000, 2**40):
        primary(f"naxis-{value}", [("NAXIS", value)], says="NAXIS")
    primary("naxis-absent", [("NAXIS", None)], says="NAXIS")
    primary("naxis2-absent", [("NAXIS2", None)], says="NAXIS2")
    primary("naxis2-negative", [("NAXIS2", -6)], says="NAXIS2")
    primary("naxis2-fraction", [("NAXIS2", 6.5)], says="NAXIS2")
    primary("product-over-63-bits", [("NAXIS1", 2**40), ("NAXIS2", 2**30)], says="2\\^63")
    primary("product-wraps", [("NAXIS1", 2**32), ("NAXIS2", 2**32)], says="2\\^63")
    primary("larger-than-file", [("NAXIS2", 2**30)], "file_truncated")
    primary("pcount-negative", [("PCOUNT", -1)], says="PCOUNT")
    primary("gcount-negative", [("GCOUNT", -1)], says="GCOUNT")
    primary("pcount-huge", [("PCOUNT", 2**63 - 1)], says="2\\^63")
    golden.refuse("hostile-no-end", plain(values)[:2880].replace(b"END", b"   "), "header_invalid", says="END", hdu=0)
    golden.refuse("hostile-short-block", plain(values)[:1000], "not_fits", hdu=0)
    golden.refuse("hostile-not-fits", b"not a FITS file at all".ljust(2880), "not_fits", hdu=0)
    golden.refuse("hostile-empty-file", b"", "not_fits", hdu=0)
    for name, magic, reason in (("Z", b"\x1f\x9d", ".Z"), ("pack", b"\x1f\x1e", "pack"), ("xz", b"\xfd7zXZ", ".xz"),
                                ("zip", b"PK\3\4", "ZIP"), ("zst", b"\x28\xb5\x2f\xfd", "Zstandard")):
        golden.refuse(f"hostile-outer-{name}", magic.ljust(2880, b"\1"), "unsupported", "externally_compressed", reason,
                      hdu=0)
    for name, file in (("gz", gzip.compress(plain(values), mtime=0)), ("bz2", bz2.compress(plain(values)))):
        golden.refuse(f"hostile-outer-{name}-cut", file[:-9], "file_truncated", says="get the whole file", hdu=0)
        golden.refuse(f"hostile-outer-{name}-damaged", file[:-7] + bytes(7), "tile_corrupt", says="get the file again", hdu=0)
        golden.refuse(f"hostile-outer-{name}-text", (gzip if name == "gz" else bz2).compress(b"no FITS".ljust(2880)),
                      "not_fits", hdu=0)
    golden.refuse("hostile-outer-gz-twice", gzip.compress(gzip.compress(plain(values), mtime=0), mtime=0), "unsupported",
                  "externally_compressed", "gunzip FILE", hdu=0)


def add_compressed_headers(golden):
    values = noise("hostile z", kind="i4")

    def compressed(name, changes, code="header_invalid", reason=None, says=None, cards=(), codec="RICE_1", encode=E.rice):
        golden.refuse(f"hostile-{name}", in_file(table(values, codec, (2, 4), encode, changes=changes, cards=cards)), code,
                      reason, says)

    for value in (0, 24, -16, 64 * 2):
        compressed(f"zbitpix-{value}", [("ZBITPIX", value)], says="ZBITPIX")
    for keyword in ("ZBITPIX", "ZNAXIS", "ZNAXIS1", "ZNAXIS2", "ZCMPTYPE"):
        compressed(f"{keyword}-absent", [(keyword, None)], says=keyword)
    compressed("zcmptype-empty", [("ZCMPTYPE", "")], says="ZCMPTYPE")
    compressed("zcmptype-number", [("ZCMPTYPE", 1)], says="ZCMPTYPE")
    for name in ("BZIP2_1", "rice_1", "RICE_2", "JPEGXL_1", "ZSTD_1"):
        compressed(f"codec-{name}", [("ZCMPTYPE", name)], "unsupported", "codec_unsupported", name)
    compressed("znaxis-0", [("ZNAXIS", 0)], "unsupported", "rank_unsupported")
    compressed("znaxis-negative", [("ZNAXIS", -1)], says="ZNAXIS")
    compressed("znaxis1-negative", [("ZNAXIS1", -10)], says="ZNAXIS1")
    compressed("zproduct-over-63-bits", [("ZNAXIS1", 2**62)], says="2\\^63")
    for value in (0, -4):
        compressed(f"ztile1-{value}", [("ZTILE1", value)], says="ZTILE1")
    compressed("zbitpix-64-rice", [("ZBITPIX", 64)], "unsupported", "pixel_width_unsupported")
    for value in (0, -32, 32769):
        compressed(f"blocksize-{value}", [], says="BLOCKSIZE", cards=[("ZNAME1", "BLOCKSIZE"), ("ZVAL1", value)])
    for value in (8, 3, 0, -1):
        compressed(f"bytepix-{value}", [], "unsupported", "pixel_width_unsupported", "BYTEPIX",
                   [("ZNAME1", "BYTEPIX"), ("ZVAL1", value)])
    compressed("parameters-contradict", [], says="BLOCKSIZE", cards=[("ZNAME1", "BLOCKSIZE"), ("ZVAL1", 32),
                                                                     ("ZNAME2", "BLOCKSIZE"), ("ZVAL2", 16)])
    compressed("znaxis1-twice", [], says="ZNAXIS1", cards=[("ZNAXIS1", 11)])
    compressed("zblank-text", [], says="ZBLANK", cards=[("ZBLANK", "none")])
    huge = in_file(tiled((2**31,), 8, "GZIP_1", (2**31,), [{"COMPRESSED_DATA": E.gzip_1(values)}]))
    golden.refuse("hostile-tile-of-2-31-pixels", huge, "unsupported")
    bomb = in_file(tiled((2**15, 2**15), 32, "GZIP_1", (2**15, 2**15), [{"COMPRESSED_DATA": E.gzip_1(values)}]))
    golden.refuse("hostile-gzip-too-short-for-tile", bomb, "tile_table_invalid", says="cannot hold")


def add_tables(golden):
    values = noise("hostile table", kind="i4")
    rows = [{"COMPRESSED_DATA": E.rice(part)} for part in tiles_of(values, (1, 10))]

    def bad(name, code="tile_table_invalid", says=None, reason=None, rows=rows, shape=(6, 10), **options):
        golden.refuse(f"hostile-table-{name}", in_file(tiled(shape, 32, "RICE_1", (1, 10), rows, **options)), code, reason,
                      says)

    bad("rows-missing", rows=rows[:-1], says="NAXIS2")
    bad("rows-surplus", rows=rows + rows[:1], says="NAXIS2")
    bad("naxis1-small", changes=[("NAXIS1", 7)])
    bad("naxis1-large", changes=[("NAXIS1", 9)])
    bad("naxis2-negative", "header_invalid", changes=[("NAXIS2", -6)])
    bad("bitpix-16", changes=[("BITPIX", 16), ("PCOUNT", 0)], after_heap=b"x" * 600)
    bad("naxis-3", changes=[("NAXIS", 3), ("NAXIS3", 1)])
    bad("gcount-2", changes=[("GCOUNT", 2), ("PCOUNT", 0)], after_heap=b"x" * 600)
    bad("pcount-negative", "header_invalid", changes=[("PCOUNT", -1)])
    bad("tfields-0", changes=[("TFIELDS", 0)])
    bad("tfields-1000", "header_invalid", changes=[("TFIELDS", 1000)])
    bad("tfields-2", changes=[("TFIELDS", 2)])
    bad("theap-before-end-of-rows", changes=[("THEAP", 20)])
    bad("theap-beyond-pcount", changes=[("THEAP", 10**6)])
    bad("theap-negative", changes=[("THEAP", -1)])
    for form in ("2PB", "B", "1B", "1PP", "P", "", "1ZB", "99999999999999999999PB", "1PJ"):
        bad(f"form-{form or 'empty'}", changes=[("TFORM1", form)])
    bad("form-absent", changes=[("TFORM1", None)])
    bad("form-number", "header_invalid", changes=[("TFORM1", 8)])
    bad("no-compressed-data", changes=[("TTYPE1", "OTHER")])
    twice = [("COMPRESSED_DATA", "1PB")] * 2
    bad("column-twice", columns=twice, says="twice")
    bad("plio-of-bytes", changes=[("ZCMPTYPE", "PLIO_1")], reason=None)
    scale = [{**row, "ZSCALE": 1.0, "ZZERO": 0.0} for row in rows]
    for form in ("2D", "1J", "1PD"):
        columns = [("COMPRESSED_DATA", "1PB"), ("ZSCALE", form), ("ZZERO", "1D")]
        entries = [{**row, "ZSCALE": bytearray(16) if form == "2D" else (0, 0) if form == "1PD" else 1} for row in scale]
        bad(f"zscale-{form}", rows=entries, columns=columns, says="ZSCALE")
    for tile, name, entry in ((0, "length-outside", (10**6, 0)), (5, "offset-outside", (5, 10**7)),
                              (2, "both-huge", (2**32 - 1,) * 2),
                              (3, "end-outside", (20, 0xFFFFFFF0))):
        changed = [{"COMPRESSED_DATA": entry} if r == tile else row for r, row in enumerate(rows)]
        bad(f"descriptor-{name}", rows=changed, says=f"tile {tile}")
    wide = [("COMPRESSED_DATA", "1QB")]
    for name, entry in (("negative-length", (2**64 - 5, 0)), ("negative-offset", (5, 2**64 - 8)), ("wraps", (2**63, 2**63)),
                        ("sum-wraps", (16, 2**64 - 16))):
        changed = [{"COMPRESSED_DATA": entry} if r == 4 else row for r, row in enumerate(rows)]
        bad(f"descriptor-q-{name}", rows=changed, columns=wide, says="tile 4")
    empty = [{} if r == 1 else row for r, row in enumerate(rows)]
    bad("empty-tile", rows=empty, says="tile 1")
    three = [("COMPRESSED_DATA", "1PB"), ("GZIP_COMPRESSED_DATA", "1PB"), ("UNCOMPRESSED_DATA", "1PJ")]
    bad("empty-tile-in-three-columns", rows=empty, columns=three, says="tile 1")
    bad("all-tiles-empty", rows=[{}] * 6, says="tile 0")
    bad("rice-length-over-cap", rows=[{"COMPRESSED_DATA": b"\0" * 4177}] + rows[1:], says="tile 0")
    floats = [{"UNCOMPRESSED_DATA": big_endian(part.astype("f4"))} for part in values]
    bad("float-pixels-of-integers", rows=floats, columns=[("COMPRESSED_DATA", "1PB"), ("UNCOMPRESSED_DATA", "1PE")],
        says="tile 0")


def add_tiles(golden):
    values = noise("hostile tiles", kind="i4")
    whole = E.gzip_1(values[2])

    def bad(name, codec, stream, bitpix=32, tile=2, columns=None, cards=(), column="COMPRESSED_DATA", encode=None,
            says=None):
        encode = encode or {"GZIP_1": E.gzip_1, "GZIP_2": E.gzip_2, "RICE_1": E.rice, "NOCOMPRESS": big_endian}[codec]
        rows = [{column: stream if r == tile else encode(part)} for r, part in enumerate(values)]
        golden.refuse(f"hostile-{codec}-{name}", in_file(tiled((6, 10), bitpix, codec, (1, 10), rows, columns, cards)),
                      "tile_corrupt", says=says or f"tile {tile}")

    raw = big_endian(values[2])
    cases = {"magic": b"\x1f\x8c" + whole[2:], "method": whole[:2] + b"\7" + whole[3:],
             "flags": whole[:3] + b"\xe0" + whole[4:],
             "zlib": zlib.compress(raw), "deflate": whole[10:-8], "crc": E.gzip_member(raw, crc=5),
             "size": E.gzip_member(raw, size=41), "one-byte": b"\x1f", "header-only": whole[:10], "truncated": whole[:-9],
             "no-trailer": whole[:-8], "half-a-trailer": whole[:-3], "one-pixel-short": E.gzip_1(values[2][:9]),
             "one-pixel-long": E.gzip_1(np.resize(values[2], 11)), "three-bytes-a-pixel": E.gzip_member(raw[:30]),
             "sixteen-bytes-a-pixel": E.gzip_member(raw * 4), "nothing": E.gzip_member(b""),
             "bomb": E.gzip_member(b"\0" * 10**7),
             "two-short-members": E.gzip_1(values[2][:7]) + E.gzip_1(values[2][7:]),
             "name-without-end": whole[:3] + b"\x08" + whole[4:10] + b"a" * 60,
             "extra-too-long": whole[:3] + b"\4" + whole[4:10] + b"\xff\xff" + whole[10:],
             "block-type-3": whole[:10] + b"\7" + whole[11:], "stored-length": whole[:10] + b"\1\5\0\5\0" + whole[15:],
             "distance-too-far": whole[:10] + bytes([0x4B, 0x04, 0x42, 0x00]) + whole[-8:]}
    for name, stream in cases.items():
        for codec in ("GZIP_1", "GZIP_2") if name in ("crc", "truncated", "one-pixel-short",
                                                      "three-bytes-a-pixel") else ("GZIP_1",):
            bad(name, codec, stream)
    good = E.rice(values[2])
    for length in (0, 1, 3, 4, 5, len(good) // 2, len(good) - 1):
        if length:
            bad(f"length-{length}", "RICE_1", good[:length])
    for split in (26, 27, 30):
        bad(f"split-{split}", "RICE_1", good[:4] + E.bytes_of(f"{split + 1:05b}" + "1" * 400))
    bad("unary-without-end", "RICE_1", good[:4] + E.bytes_of("00001" + "0" * 800))
    for name, bitpix, number in (("16-from-32", 16, 40000), ("16-below", 16, -32769), ("8-negative", 8, -1),
                                 ("8-above", 8, 256)):
        row = np.zeros(10, "i4")
        row[7] = number
        bad(f"out-of-range-{name}", "RICE_1", E.rice(row), bitpix, encode=lambda part: E.rice(np.abs(part)))
        bad(f"out-of-range-{name}", "GZIP_1", E.gzip_1(row), bitpix, encode=lambda part: E.gzip_1(np.abs(part)))
    wide = np.array([2**31] * 10, "i8")
    bad("out-of-range-32-from-64", "GZIP_1", E.gzip_1(wide))
    bad("short", "NOCOMPRESS", raw[:-1])
    bad("long", "NOCOMPRESS", raw + b"\0")
    plain_columns = [("COMPRESSED_DATA", "1PB"), ("UNCOMPRESSED_DATA", "1PJ")]
    bad("uncompressed-short", "NOCOMPRESS", raw[:-4], columns=plain_columns, column="UNCOMPRESSED_DATA")
    bad("uncompressed-long", "NOCOMPRESS", raw + raw, columns=plain_columns, column="UNCOMPRESSED_DATA")
    for kind, other in (("f4", "f8"), ("f8", "f4")):
        rows = quantised_rows(values, (1, 10), E.rice)
        rows[3] = {"ZSCALE": 1.0, "ZZERO": 0.0, "GZIP_COMPRESSED_DATA": E.gzip_1(values[3].astype(other))}
        golden.refuse(f"hostile-fallback-{kind}-of-{other}", in_file(tiled(
            (6, 10), BITPIX[kind], "RICE_1", (1, 10), rows, [*QUANTISED, ("GZIP_COMPRESSED_DATA", "1PB")])), "tile_corrupt",
            says="tile 3")
    rows = quantised_rows(values, (1, 10), lambda part: E.gzip_1(part.astype("i8")))
    golden.refuse("hostile-quantised-of-int64", in_file(tiled((6, 10), -32, "GZIP_1", (1, 10), rows, QUANTISED)),
                  "tile_corrupt",
                  says="tile 0")


def add_plio(golden):
    good = [4 * 4096 + 20]
    form = [("COMPRESSED_DATA", "1PI")]
    header = lambda *words: struct.pack(">7h", *words)  # noqa: E731
    body = struct.pack(">h", good[0])
    cases = {"length-0": header(0, 7, -100, 0, 0, 0, 0) + body, "length-negative": header(0, 7, -100, -8, 0, 0, 0) + body,
             "length-beyond-stream": header(0, 7, -100, 300, 0, 0, 0) + body,
             "length-huge": header(0, 7, -100, 0, 32767, 0, 0) + body,
             "first-before-header": header(0, 1, -100, 8, 0, 0, 0) + body,
             "first-negative": header(0, -5, -100, 8, 0, 0, 0) + body,
             "two-words": struct.pack(">2h", 0, 7), "six-words": header(0, 7, -100, 8, 0, 0, 0)[:12],
             "old-length-beyond-stream": struct.pack(">3h", 0, 0, 90) + body,
             "level-without-word": E.plio_words([4096 + 5]),
             "negative-word": E.plio_words([-3, *good]), "negative-opcode": E.plio_words([-30000, *good])}
    for name, stream in cases.items():
        rows = [{"COMPRESSED_DATA": E.plio_words(good)}, {"COMPRESSED_DATA": stream}]
        golden.refuse(f"hostile-PLIO_1-{name}", in_file(tiled((2, 20), 32, "PLIO_1", (1, 20), rows, form)), "tile_corrupt",
                      says="tile 1")
    rows = [{"COMPRESSED_DATA": E.plio_words([0] * 300)}]
    golden.refuse("hostile-PLIO_1-over-cap", in_file(tiled((1, 20), 32, "PLIO_1", (1, 20), rows, form)),
                  "tile_table_invalid",
                  says="tile 0")
    for bitpix, number in ((8, 300), (16, 40000)):
        rows = [{"COMPRESSED_DATA": E.plio(np.full(20, number))}]
        golden.refuse(f"hostile-PLIO_1-out-of-range-{bitpix}",
                      in_file(tiled((1, 20), bitpix, "PLIO_1", (1, 20), rows, form)),
                      "tile_corrupt", says="tile 0")


def add_hcompress(golden):
    coefficients = noise("hostile hcompress", (8, 9), "i4", 300)
    good = E.hcompress(coefficients)
    cases = {"magic": b"\xdd\x98" + good[2:], "rows-0": good[:2] + bytes(4) + good[6:],
             "columns-0": good[:6] + bytes(4) + good[10:],
             "rows-negative": good[:2] + b"\xff" * 4 + good[6:], "more-pixels": good[:2] + struct.pack(">ii", 9,
                                                                                                       9) + good[10:],
             "fewer-pixels": good[:2] + struct.pack(">ii", 4, 9) + good[10:],
             "transposed": good[:2] + struct.pack(">ii", 9, 8) + good[10:],
             "one-row": good[:2] + struct.pack(">ii", 1, 72) + good[10:],
             "product-wraps": good[:2] + struct.pack(">ii", 2**16, 2**16) + good[10:],
             "scale-negative": good[:10] + struct.pack(">i", -2) + good[14:], "planes-63": good[:22] + b"\x3f" + good[23:],
             "planes-255": good[:22] + b"\xff" * 3 + good[25:], "form-of-plane": good[:25] + b"\x7f" + good[26:],
             "end-mark": E.hcompress(coefficients, end="0001"), "no-bits": good[:25], "header-short": good[:24],
             "half": good[:len(good) // 2], "one-byte-short": good[:-1]}
    for name, stream in cases.items():
        golden.refuse(f"hostile-HCOMPRESS_1-{name}",
                      in_file(tiled((8, 9), 32, "HCOMPRESS_1", (8, 9), [{"COMPRESSED_DATA": stream}])),
                      "tile_corrupt", says="tile 0")
    rows = [{"COMPRESSED_DATA": good + bytes(5000)}]
    golden.refuse("hostile-HCOMPRESS_1-over-cap", in_file(tiled((8, 9), 32, "HCOMPRESS_1", (8, 9), rows)),
                  "tile_table_invalid",
                  says="tile 0")
    rows = [{"COMPRESSED_DATA": E.hcompress(coefficients, total=10**6)}]
    golden.refuse("hostile-HCOMPRESS_1-out-of-range-8", in_file(tiled((8, 9), 8, "HCOMPRESS_1", (8, 9), rows)),
                  "tile_corrupt",
                  says="tile 0")
    golden.refuse("hostile-HCOMPRESS_1-zbitpix-64",
                  in_file(tiled((8, 9), 64, "HCOMPRESS_1", (8, 9), [{"COMPRESSED_DATA": good}])),
                  "unsupported", "pixel_width_unsupported")


def add_all(golden):
    for add in (add_headers, add_compressed_headers, add_tables, add_tiles, add_plio, add_hcompress):
        add(golden)
