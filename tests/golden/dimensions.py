"""One file for each value of the remaining dimensions of compressed images: codecs' parameters, quantisation, nulls, axes,
columns, heaps, and whole files."""

import struct

import numpy as np

import encoders as E
from collection import astropy_hdu, fpack, in_file, random_of, table
from fits_cards import Raw
from fits_writer import BITPIX, big_endian, tiled, tiles_of

QUANTISED = [("COMPRESSED_DATA", "1PB"), ("ZSCALE", "1D"), ("ZZERO", "1D")]
RICE_CARDS = [("ZNAME1", "BLOCKSIZE"), ("ZVAL1", 32), ("ZNAME2", "BYTEPIX"), ("ZVAL2", 4)]


def noise(name, shape=(6, 10), kind="i2", spread=100):
    return random_of(name).integers(0 if kind == "u1" else -spread, spread, shape).astype(kind)


def rice_cards(block, width):
    return [("ZNAME1", "BLOCKSIZE"), ("ZVAL1", block), ("ZNAME2", "BYTEPIX"), ("ZVAL2", width)]


# --- codecs ------------------------------------------------------------------------------------------------------------


def add_rice(golden):
    for width, kind in ((1, "u1"), (2, "i2"), (4, "i4")):
        for block in (16, 32, 7, 32768):
            values = noise(f"rice {width} {block}", (3, 70), kind)
            golden.accept(f"rice-bytepix{width}-block{block}", in_file(table(
                values, "RICE_1", (1, 70), lambda part, w=width, b=block: E.rice(part, w, b),
                cards=rice_cards(block, width))))
    for width, kind, bound in ((1, "i4", 200), (2, "i4", 30000), (4, "u1", 200), (4, "i2", 30000), (2, "u1", 200),
                               (1, "i2", 90)):
        values = np.abs(noise(f"rice {width} {kind}", (4, 40), "i4", bound)).astype(kind)
        golden.accept(f"rice-bytepix{width}-in-{BITPIX[kind]}", in_file(table(
            values, "RICE_1", (2, 20), lambda part, w=width: E.rice(part, w), cards=rice_cards(32, width))))
    for width, kind, top in ((1, "u1", 6), (2, "i2", 14), (4, "i4", 25)):
        edges = np.resize(np.array([np.iinfo(kind).min, np.iinfo(kind).max, 0, 1, 5], kind), (3, 40))
        for split in (0, 1, top - 1, top) if width < 4 else (12, top - 1, top):
            values = edges if split >= top - 1 else noise(f"split {split}", (3, 40), kind, 50)
            golden.accept(f"rice-bytepix{width}-split{split}", in_file(table(
                values, "RICE_1", (1, 40), lambda part, w=width, s=split: E.rice(part, w, 32, s),
                cards=rice_cards(32, width))))
    values = noise("rice", kind="i4")
    rice = lambda part: E.rice(part)  # noqa: E731

    def variant(name, cards, encode=rice, **options):
        golden.accept(f"rice-{name}", in_file(table(values, "RICE_1", (1, 10), encode, cards=cards, **options)))

    variant("no-parameters", [], parameters=False)
    variant("no-bytepix", RICE_CARDS[:2])
    variant("parameters-swapped", [("ZNAME1", "BYTEPIX"), ("ZVAL1", 4), ("ZNAME2", "BLOCKSIZE"), ("ZVAL2", 32)])
    variant("parameters-lower-case", [("ZNAME1", "blocksize"), ("ZVAL1", 16), ("ZNAME2", "BytePix"), ("ZVAL2", 4)],
            lambda part: E.rice(part, 4, 16))
    variant("noisebit", [*RICE_CARDS[:2], ("ZNAME2", "NOISEBIT"), ("ZVAL2", 4)])
    variant("gap-in-parameters", [*RICE_CARDS[:2], ("ZNAME3", "BYTEPIX"), ("ZVAL3", 2)])
    golden.accept("rice-trailing-bytes", in_file(table(values, "RICE_1", (1, 10), lambda part: E.rice(part) + b"\xff" * 5)),
                  notes="Rice|bytes")
    golden.accept("rice-one", in_file(table(values, "RICE_ONE", (1, 10), rice, cards=RICE_CARDS)))
    golden.accept("rice-constant", in_file(table(values * 0 - 7, "RICE_1", (2, 10), rice, cards=RICE_CARDS)))


def add_gzip(golden):
    for codec, encode in (("GZIP_1", E.gzip_1), ("GZIP_2", E.gzip_2)):
        for kind in ("u1", "i2", "i4", "i8"):
            for element in ("u1", "i2", "i4", "i8"):
                values = np.abs(noise(f"{kind} {element}", (4, 12), "i8", 120)).astype(kind)
                golden.accept(f"gzip-{codec}-{BITPIX[kind]}-elements-{element}", in_file(table(
                    values, codec, (2, 12), lambda part, e=element: encode(part.astype(e)))))
    values = noise("gzip", kind="i4")
    fields = {"text": (1, b""), "extra": (4, b"\5\0extra"), "name": (8, b"a.fits\0"), "comment": (16, b"for you\0")}
    for name, (flags, optional) in fields.items():
        golden.accept(f"gzip-header-{name}", in_file(table(
            values, "GZIP_1", (3, 10), lambda part, f=flags, o=optional: E.gzip_1(part, flags=f, optional=o))))

    def all_fields(part):
        import zlib  # pylint: disable=import-outside-toplevel

        start = struct.pack("<BBBBIBB", 31, 139, 8, 30, 0, 0, 255) + b"\5\0extraa.fits\0for you\0"
        checksum = struct.pack("<H", zlib.crc32(start) & 0xFFFF)
        return E.gzip_1(part, flags=30, optional=start[10:] + checksum)

    golden.accept("gzip-header-everything", in_file(table(values, "GZIP_1", (3, 10), all_fields)))
    for level in (0, 1, 9):
        golden.accept(f"gzip-level{level}", in_file(table(
            np.tile(values, (20, 10)), "GZIP_2", (60, 100), lambda part, k=level: E.gzip_2(part, level=k))))
    golden.accept("gzip-trailing-garbage", in_file(table(
        values, "GZIP_1", (3, 10), lambda part: E.gzip_1(part) + b"garbage")), notes="bytes")
    golden.accept("gzip-trailing-zeros", in_file(table(values, "GZIP_1", (3, 10), lambda part: E.gzip_1(part) + b"\0\0")),
                  notes="bytes")
    golden.accept("gzip-second-member", in_file(table(
        values, "GZIP_1", (3, 10), lambda part: E.gzip_1(part) + E.gzip_1(part))), notes="bytes")
    for kind, other in (("f4", "f8"), ("f8", "f4")):
        floats = values.astype(kind) / 4
        for codec, encode in (("GZIP_1", E.gzip_1), ("GZIP_2", E.gzip_2)):
            golden.accept(f"gzip-float-{kind}-elements-{other}-{codec}", in_file(table(
                floats, codec, (3, 10), lambda part, o=other, e=encode: e(part.astype(o)))))


def add_plio(golden):
    form = [("COMPRESSED_DATA", "1PI")]
    mask = random_of("plio").integers(0, 4, (8, 30)).repeat(3, axis=1)
    cases = {"mask": mask, "large": mask * 4000000, "zero": mask * 0, "steps": np.arange(720).reshape(8, 90) * 7 % 60,
             "ends": np.resize(np.array([0, 0, 5, 2**24 - 1, 1, 0], "i4"), (8, 90)),
             "long-runs": np.zeros((1, 9000), "i4") + 3}
    for name, values in cases.items():
        values = values.astype("i4")
        for old in (False, True):
            golden.accept(f"plio-{name}-{'old' if old else 'new'}", in_file(table(
                values, "PLIO_1", (max(len(values) // 4, 1), values.shape[1]), lambda part, o=old: E.plio(part, o),
                columns=form)))
    values = (mask * 9000 - 32768).astype("i2")
    physical = lambda part: E.plio(part.astype("i4") + 32768)  # noqa: E731
    for name, form_text in (("1pi", "1PI"), ("1qi", "1QI")):
        golden.accept(f"plio-unsigned-{name}", in_file(table(
            values, "PLIO_1", (4, 90), physical, columns=[("COMPRESSED_DATA", form_text)], cards=[("BZERO", 32768)])))
    # Every instruction, runs that pass the tile's end, a last one of 5 outside, and words that are never reached.
    words = [4096 + 10, 0, 4 * 4096 + 3, 5 * 4096 + 4, 2 * 4096 + 5, 6 * 4096 + 1, 7 * 4096 + 2, 3 * 4096 + 4, 5 * 4096, 0,
             4 * 4096 + 2, 5, 5 * 4096 + 3]
    for name, tail in (("run", [4 * 4096 + 100]), ("zeros", [100]), ("last-outside", [5 * 4096 + 100]),
                       ("short", []), ("words-after", [4 * 4096 + 100, 7 * 4096 + 4095])):
        rows = [{"COMPRESSED_DATA": E.plio_words(words + tail)}, {"COMPRESSED_DATA": E.plio_words(words + tail, True)}]
        golden.accept(f"plio-instructions-{name}", in_file(tiled((2, 40), 32, "PLIO_1", (1, 40), rows, form)))
    longer = E.plio_words([4 * 4096 + 20]) + b"\x7f\xff" * 3
    golden.accept("plio-words-beyond-length", in_file(tiled((1, 20), 32, "PLIO_1", (1, 20), [{"COMPRESSED_DATA": longer}],
                                                            form)))


def add_hcompress(golden):
    cards = [("ZNAME1", "SCALE"), ("ZVAL1", 0), ("ZNAME2", "SMOOTH"), ("ZVAL2", 0)]

    def stream(name, shape, bits, **options):
        random = random_of(name)
        depth = random.integers(0, bits, shape)
        return E.hcompress((random.integers(-2**30, 2**30, shape) >> (31 - depth)).astype(object), **options)

    def add(name, shape, data, bitpix=32, smooth=0):
        golden.accept(f"hcompress-{name}", in_file(tiled(shape, bitpix, "HCOMPRESS_1", shape, [{"COMPRESSED_DATA": data}],
                                                         cards=[*cards[:3], ("ZVAL2", smooth)])))

    for shape in ((4, 4), (5, 4), (4, 7), (7, 5), (16, 16), (17, 33), (64, 3), (2, 2), (2, 31), (33, 2)):
        add(f"shape-{shape[0]}x{shape[1]}", shape, stream(f"h {shape}", shape, 12))
    forms = {"direct": lambda plane: False, "tree": lambda plane: True, "mixed": lambda plane: np.sum(plane) % 2 == 0}
    for name, tree in forms.items():
        add(f"planes-{name}", (13, 18), stream(name, (13, 18), 9, tree=tree))
    add("more-planes-than-needed", (9, 9), stream("planes", (9, 9), 6, planes=[20, 9, 14]))
    add("zero", (8, 8), E.hcompress(np.zeros((8, 8), int), total=0))
    add("sum-only", (8, 9), E.hcompress(np.zeros((8, 9), int), total=123456))
    for scale in (1, 2, 7, 300):
        for smooth in (0, 1):
            add(f"scale{scale}-smooth{smooth}", (21, 26), stream(f"s{scale}", (21, 26), 10, scale=scale), smooth=smooth)
    add("clipped-16", (12, 12), stream("clip", (12, 12), 20), bitpix=16)
    add("in-16", (12, 12), stream("in16", (12, 12), 9), bitpix=16)
    add("wide-32", (12, 12), stream("wide", (12, 12), 30))
    values = (random_of("lossy").normal(1000, 20, (40, 44))).astype("i2")
    for scale in ("-3", "2", "-20"):
        golden.accept(f"hcompress-fpack-scale{scale}", in_file(fpack(values, "-h", "-s", scale)))
    for smooth in (False, True):
        golden.accept(f"hcompress-astropy-smooth{int(smooth)}", in_file(astropy_hdu(
            values.astype("i4"), "HCOMPRESS_1", (20, 22), hcomp_scale=3, hcomp_smooth=smooth)))
    golden.accept("hcompress-astropy-float-smooth", in_file(astropy_hdu(
        values.astype("f4"), "HCOMPRESS_1", (20, 22), hcomp_scale=2, hcomp_smooth=True, quantize_level=8.0,
        quantize_method=1, dither_seed=5)))


def add_nocompress(golden):
    for kind, letter in (("u1", "B"), ("i2", "I"), ("i4", "J"), ("i8", "K"), ("f4", "E"), ("f8", "D")):
        values = noise(f"plain {kind}", kind=kind) if kind[0] != "f" else noise("plain").astype(kind) / 3
        columns = [("COMPRESSED_DATA", "1PB"), ("UNCOMPRESSED_DATA", f"1P{letter}")]
        golden.accept(f"nocompress-uncompressed-{letter}", in_file(table(
            values, "NOCOMPRESS", (2, 10), big_endian, "UNCOMPRESSED_DATA", columns=columns)))
        golden.accept(f"nocompress-compressed-P{letter}", in_file(table(
            values, "NOCOMPRESS", (2, 10), big_endian, columns=[("COMPRESSED_DATA", f"1P{letter}")])))
    values = noise("narrow", kind="i2")
    golden.accept("nocompress-narrow", in_file(table(values.astype("i4"), "NOCOMPRESS", (2, 10),
                                                     lambda part: big_endian(part.astype("i2")))))
    golden.accept("nocompress-uncompressed-narrow", in_file(table(
        values.astype("i4"), "NOCOMPRESS", (2, 10), lambda part: big_endian(part.astype("i2")), "UNCOMPRESSED_DATA",
        columns=[("COMPRESSED_DATA", "1PB"), ("UNCOMPRESSED_DATA", "1PI")])))


# --- quantised floats --------------------------------------------------------------------------------------------------


def quantised_rows(integers, tile, encode, scale=0.25, zero=-3.5, **scalars):
    return [{"COMPRESSED_DATA": encode(part), "ZSCALE": scale * (r + 1), "ZZERO": zero + r, **scalars}
            for r, part in enumerate(tiles_of(integers, tile))]


def quantised(integers, kind="f4", codec="GZIP_1", tile=(1, 10), encode=E.gzip_1, columns=QUANTISED, cards=(), changes=(),
              rows=None, **scalars):
    rows = rows or quantised_rows(integers, tile, encode, **scalars)
    return in_file(tiled(integers.shape, BITPIX[kind], codec, tile, rows, list(columns), list(cards), changes))


def add_seeds(golden):
    integers = noise("seeds", kind="i4")
    for method in ("SUBTRACTIVE_DITHER_1", "SUBTRACTIVE_DITHER_2"):
        for seed in (1, 2, 9999, 10000, None, 20001, 10001, Raw("                 17.")):
            cards = [("ZQUANTIZ", method)] + ([] if seed is None else [("ZDITHER0", seed)])
            name = "absent" if seed is None else "point" if isinstance(seed, Raw) else seed
            golden.accept(f"seed-{method[-1]}-{name}", quantised(integers, cards=cards))
        for seed in (0, -5):
            golden.refuse(f"seed-{method[-1]}-{seed}", quantised(integers,
                                                                 cards=[("ZQUANTIZ", method), ("ZDITHER0", seed)]),
                          "header_invalid", says="ZDITHER0")
    for kind in ("f4", "f8"):
        big = noise("large tile", (205, 200), "i4")
        golden.accept(f"seed-tile-over-10000-pixels-{kind}", quantised(
            big, kind, "RICE_1", big.shape, E.rice, cards=[("ZQUANTIZ", "SUBTRACTIVE_DITHER_1"), ("ZDITHER0", 9998)]))
    many = noise("many tiles", (101, 100), "i4")
    golden.accept("seed-over-10000-tiles", quantised(
        many, "f4", "RICE_1", (1, 1), E.rice, cards=[("ZQUANTIZ", "SUBTRACTIVE_DITHER_1"), ("ZDITHER0", 5)]))


def add_methods(golden):
    integers = noise("methods", kind="i4")
    for name, cards in (("absent", []), ("NO_DITHER", [("ZQUANTIZ", "NO_DITHER"), ("ZDITHER0", 3)])):
        for kind in ("f4", "f8"):
            golden.accept(f"zquantiz-{name}-{kind}", quantised(integers, kind, cards=cards))
    golden.refuse("zquantiz-unknown", quantised(integers, cards=[("ZQUANTIZ", "DITHER_3")]), "header_invalid",
                  says="ZQUANTIZ")
    golden.refuse("zquantiz-NONE-with-columns", quantised(integers, cards=[("ZQUANTIZ", "NONE")]), "unsupported",
                  "quantization_unsupported", "NONE")
    floats = noise("lossless").astype("f4") / 7
    for name in ("NONE", "NO_DITHER", "SUBTRACTIVE_DITHER_1"):
        golden.accept(f"zquantiz-{name}-without-columns", in_file(table(floats, "GZIP_2", (2, 10), E.gzip_2,
                                                                        cards=[("ZQUANTIZ", name)])))
    golden.accept("zquantiz-ignored-for-integers", in_file(table(integers, "GZIP_2", (2, 10), E.gzip_2,
                                                                 cards=[("ZQUANTIZ", "DITHER_3"), ("ZDITHER0", -1)])))
    for column in ("ZSCALE", "ZZERO"):
        columns = [item for item in QUANTISED if item[0] != column]
        golden.refuse(f"zquantiz-no-{column}", quantised(integers, columns=columns), "unsupported",
                      "quantization_unsupported", column)
    golden.refuse("zquantiz-keywords", quantised(integers, columns=QUANTISED[:1], cards=[("ZSCALE", 2.0), ("ZZERO", 1.0)]),
                  "unsupported", "quantization_unsupported", "keyword")
    golden.refuse("zquantiz-rice-without-columns", quantised(integers, "f4", "RICE_1", encode=E.rice,
                                                             columns=QUANTISED[:1]),
                  "unsupported", "quantization_unsupported")
    floats = [("COMPRESSED_DATA", "1PB"), ("ZSCALE", "1E"), ("ZZERO", "E")]
    golden.accept("zscale-float32-columns", quantised(integers, "f8", columns=floats, scale=0.1, zero=0.3))
    for name, scale, zero in (("nan", np.nan, 0.0), ("inf", np.inf, 1.0), ("overflow", 1e38, 1e38), ("zero", 0.0, 2.5),
                              ("negative", -0.5, 1e-30), ("cancel", 1e-3, 2147483.646)):
        golden.accept(f"zscale-{name}", quantised(integers - (2147483000 if name == "cancel" else 0), scale=scale,
                                                  zero=zero))
    for kind in ("f4", "f8"):
        for method in ("NO_DITHER", "SUBTRACTIVE_DITHER_1", "SUBTRACTIVE_DITHER_2"):
            edges = np.resize(np.array([-2147483648, -2147483647, -2147483646, -2147483645, 0, 2147483647, 1, -1], "i4"),
                              (4, 10))
            golden.accept(f"edges-{method}-{kind}", quantised(
                edges, kind, cards=[("ZQUANTIZ", method), ("ZDITHER0", 1), ("ZBLANK", -2147483648)]),
                notes="-2147483647" if method.endswith("2") else None)
    for codec, encode in (("GZIP_1", E.gzip_1), ("GZIP_2", E.gzip_2), ("NOCOMPRESS", big_endian)):
        for element in ("u1", "i2"):
            narrow = np.abs(noise(f"narrow {element}")).astype(element)
            golden.accept(f"quantised-{codec}-elements-{element}", quantised(
                narrow, "f4", codec, encode=encode, cards=[("ZQUANTIZ", "SUBTRACTIVE_DITHER_1"), ("ZDITHER0", 8)]))
    for width, element in ((1, "u1"), (2, "i2")):
        narrow = np.abs(noise(f"narrow {element}")).astype(element)
        golden.accept(f"quantised-rice-bytepix{width}", quantised(
            narrow, "f4", "RICE_1", encode=lambda part, w=width: E.rice(part, w), cards=rice_cards(32, width)))
    golden.accept("quantised-plio", quantised(np.abs(integers), "f4", "PLIO_1", encode=E.plio,
                                              columns=[("COMPRESSED_DATA", "1PI"), *QUANTISED[1:]]))
    golden.accept("quantised-nocompress-i4", quantised(integers, "f8", "NOCOMPRESS", encode=big_endian))


def add_nulls(golden):
    integers = noise("nulls", kind="i4", spread=4)
    dither = [("ZQUANTIZ", "SUBTRACTIVE_DITHER_1"), ("ZDITHER0", 4)]
    column = [*QUANTISED, ("ZBLANK", "1J")]
    golden.accept("null-keyword", quantised(integers, cards=[*dither, ("ZBLANK", 2)]))
    golden.accept("null-keyword-zero", quantised(integers, cards=[*dither, ("ZBLANK", 0)]))
    golden.accept("null-column", quantised(integers, columns=column, cards=dither, ZBLANK=-1))
    golden.accept("null-column-and-keyword", quantised(integers, columns=column, cards=[*dither, ("ZBLANK", 2)], ZBLANK=-1))
    rows = quantised_rows(integers, (1, 10), E.gzip_1)
    golden.accept("null-column-varies", quantised(integers, "f8", columns=column, cards=dither,
                                                  rows=[{**row, "ZBLANK": r - 3} for r, row in enumerate(rows)]))
    golden.accept("null-blank-only", quantised(integers, cards=[*dither, ("BLANK", 3)]))
    golden.accept("null-blank-and-zblank", quantised(integers, cards=[*dither, ("BLANK", 3), ("ZBLANK", 1)]))
    golden.accept("null-none", quantised(integers - 2147483644, cards=dither))
    for letter, element in (("B", 1), ("I", -2), ("K", -2)):
        golden.accept(f"null-column-{letter}", quantised(integers, columns=[*QUANTISED, ("ZBLANK", f"1{letter}")],
                                                         cards=dither,
                                                         ZBLANK=element))
    for width, element in ((1, "u1"), (2, "i2")):
        narrow = np.abs(integers).astype(element)
        golden.accept(f"null-outside-bytepix{width}", quantised(
            narrow, "f4", "RICE_1", encode=lambda part, w=width: E.rice(part, w),
            cards=[*rice_cards(32, width), *dither, ("ZBLANK", -2147483647)]))
    for kind in ("u1", "i2", "i4", "i8"):
        values = np.abs(integers).astype(kind)
        for name, cards in (("zblank", [("ZBLANK", 2)]), ("blank", [("BLANK", 2)]), ("blank-zero", [("BLANK", 0)]),
                            ("both", [("ZBLANK", 1), ("BLANK", 2)]), ("none-blank", [("ZBLANK", 99)]),
                            ("scaled", [("ZBLANK", 1), ("BSCALE", 0.1), ("BZERO", 3.3)])):
            golden.accept(f"integer-null-{name}-{BITPIX[kind]}",
                          in_file(table(values, "GZIP_1", (2, 10), E.gzip_1, cards=cards)))
    rows = [{"COMPRESSED_DATA": E.rice(part), "ZBLANK": r - 2} for r, part in enumerate(tiles_of(integers, (1, 10)))]
    golden.accept("integer-null-column", in_file(tiled(integers.shape, 32, "RICE_1", (1, 10), rows,
                                                       [("COMPRESSED_DATA", "1PB"), ("ZBLANK", "1J")])))
    golden.accept("integer-null-unsigned", in_file(table(integers.astype("i2"), "GZIP_1", (2, 10), E.gzip_1,
                                                         cards=[("ZBLANK", 2), ("BZERO", 32768)])))
    golden.accept("integer-null-out-of-range", in_file(table(integers.astype("i2"), "GZIP_1", (2, 10), E.gzip_1,
                                                             cards=[("BLANK", 70000)])))
    floats = integers.astype("f4")
    golden.accept("lossless-zblank", in_file(table(floats, "GZIP_1", (2, 10), E.gzip_1, cards=[("ZBLANK", 2)])))
    golden.accept("lossless-blank", in_file(table(floats, "GZIP_2", (2, 10), E.gzip_2, cards=[("BLANK", 2)])))
    mask = [("COMPRESSED_DATA", "1PB"), ("NULL_PIXEL_MASK", "1PB")]
    values = integers.astype("i2")
    golden.accept("null-mask-empty", in_file(table(values, "GZIP_1", (2, 10), E.gzip_1, columns=mask)))
    rows = [{"COMPRESSED_DATA": E.gzip_1(part), "NULL_PIXEL_MASK": E.gzip_1(part.astype("u1")) if r else None}
            for r, part in enumerate(tiles_of(values, (2, 10)))]
    golden.refuse("null-mask", in_file(tiled(values.shape, 16, "GZIP_1", (2, 10), rows, mask)), "unsupported",
                  "null_mask_unsupported", "NULL_PIXEL_MASK")


SPECIAL = [np.nan, np.inf, -np.inf, -0.0, 0.0, 1e-40, 1e38, 3.25]


def add_fallbacks(golden):
    for kind, letter in (("f4", "E"), ("f8", "D")):
        floats = np.resize(np.array(SPECIAL, kind), (6, 10))
        floats.ravel().view(f"u{floats.itemsize}")[11] += 12345  # a NaN, an infinity or a number with an odd pattern
        integers = noise(f"fallback {kind}", kind="i4")
        for codec, encode in (("GZIP_1", E.gzip_1), ("GZIP_2", E.gzip_2), ("RICE_1", E.rice)):
            rows = quantised_rows(integers, (1, 10), encode)
            for r in (1, 4):
                rows[r] = {"ZSCALE": 0.0, "ZZERO": 0.0, "GZIP_COMPRESSED_DATA": E.gzip_1(floats[r])}
            columns = [*QUANTISED, ("GZIP_COMPRESSED_DATA", "1PB")]
            cards = [("ZQUANTIZ", "SUBTRACTIVE_DITHER_2"), ("ZDITHER0", 11), ("ZBLANK", -2147483647)]
            golden.accept(f"fallback-gzip-{codec}-{kind}", quantised(integers, kind, codec, columns=columns, cards=cards,
                                                                     rows=rows))
        for r in (0, 5):
            rows[r] = {"ZSCALE": 0.0, "ZZERO": 0.0, "UNCOMPRESSED_DATA": big_endian(floats[r])}
        both = [("UNCOMPRESSED_DATA", f"1P{letter}"), *columns]
        golden.accept(f"fallback-both-{kind}", quantised(integers, kind, "RICE_1", columns=both, cards=cards, rows=rows))
        for r in (2, 3):
            rows[r] = {"ZSCALE": 1.0, "ZZERO": 0.0, "GZIP_COMPRESSED_DATA": E.gzip_1(floats[r]),
                       "UNCOMPRESSED_DATA": big_endian(np.ones_like(floats[r]))}
        golden.accept(f"fallback-both-filled-{kind}", quantised(integers, kind, "RICE_1", columns=both, cards=cards,
                                                                rows=rows))
        golden.accept(f"fallback-uncompressed-only-{kind}", quantised(
            integers, kind, "RICE_1", columns=both, cards=cards,
            rows=[{"ZSCALE": 0.0, "ZZERO": 0.0, "UNCOMPRESSED_DATA": big_endian(part)} for part in floats]))
        scaled = [*cards, ("BSCALE", 1.1), ("BZERO", 0.3)]
        golden.accept(f"fallback-scaled-{kind}", quantised(integers, kind, "RICE_1", columns=both, cards=scaled, rows=rows))
        golden.accept(f"quantised-scaled-{kind}", quantised(integers, kind, cards=[("BSCALE", 1.1), ("BZERO", 0.3)]))
        golden.accept(f"lossless-scaled-{kind}", in_file(table(noise("scaled").astype(kind), "GZIP_1", (2, 10), E.gzip_1,
                                                               cards=[("BSCALE", 1.1), ("BZERO", 0.3)])))
        constant = np.zeros((6, 30), kind) + 5
        constant[3] = random_of("range").normal(0, 1e30, 30)
        golden.accept(f"fallback-by-fpack-{kind}", in_file(fpack(constant, "-r", "-q3", "4")))
        golden.accept(f"fallback-by-astropy-{kind}", in_file(astropy_hdu(constant, "RICE_1", (1, 30), quantize_level=4.0,
                                                                         quantize_method=2, dither_seed=3)))
    integers = noise("fallback integers", kind="i4")
    rows = [{"COMPRESSED_DATA": E.rice(part)} if r % 3 else {"UNCOMPRESSED_DATA": big_endian(part)}
            for r, part in enumerate(integers)]
    golden.accept("fallback-integers", in_file(tiled((6, 10), 32, "RICE_1", (1, 10), rows,
                                                     [("COMPRESSED_DATA", "1PB"), ("UNCOMPRESSED_DATA", "1PJ")])))
    rows = [{"COMPRESSED_DATA": E.rice(part)} if r % 3 else {"GZIP_COMPRESSED_DATA": E.gzip_1(part)}
            for r, part in enumerate(integers)]
    golden.accept("fallback-gzip-integers", in_file(tiled((6, 10), 32, "RICE_1", (1, 10), rows,
                                                          [("COMPRESSED_DATA", "1PB"), ("GZIP_COMPRESSED_DATA", "1PB")])))
    for name, cards in (("unsigned", [("BZERO", 2**31)]), ("scaled", [("BSCALE", 0.5), ("BZERO", 10.0)])):
        golden.accept(f"compressed-integers-{name}", in_file(table(integers, "RICE_1", (3, 7), E.rice, cards=cards)))
        golden.accept(f"nocompress-{name}", in_file(table(
            integers, "NOCOMPRESS", (2, 10), big_endian, "UNCOMPRESSED_DATA", cards=cards,
            columns=[("COMPRESSED_DATA", "1PB"), ("UNCOMPRESSED_DATA", "1PJ")])))


def add_all(golden):
    for add in (add_rice, add_gzip, add_plio, add_hcompress, add_nocompress, add_seeds, add_methods, add_nulls,
                add_fallbacks):
        add(golden)
