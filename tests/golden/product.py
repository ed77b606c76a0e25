"""Every codec x ZBITPIX x {row, block, whole} x {2-D, 3-D}, and every quantisation x nulls x codec x ZBITPIX."""

import numpy as np

from collection import astropy_hdu, fpack, fpack_tile, in_file, random_of

FPACK = {"RICE_1": "-r", "GZIP_1": "-g1", "GZIP_2": "-g2", "HCOMPRESS_1": "-h", "PLIO_1": "-p", "NOCOMPRESS": "-d"}
SHAPES = {"2d": (17, 22), "3d": (3, 12, 14)}
TILES = {("2d", "row"): (1, 22), ("2d", "block"): (5, 8), ("2d", "whole"): (17, 22),
         ("3d", "row"): (1, 1, 14), ("3d", "block"): (2, 5, 6), ("3d", "whole"): (3, 12, 14)}
# HCOMPRESS needs two extents of 4 and more, also in the last tile.
PLANES = {("2d", "row"): (6, 22), ("2d", "block"): (6, 9), ("2d", "whole"): (17, 22),
          ("3d", "row"): (1, 4, 14), ("3d", "block"): (1, 6, 7), ("3d", "whole"): (1, 12, 14)}
KINDS = ("u1", "i1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8")
BITPIX = {"u1": "8", "i1": "s8", "i2": "16", "u2": "u16", "i4": "32", "u4": "u32", "i8": "64", "u8": "u64", "f4": "-32",
          "f8": "-64"}
CODECS = {"RICE_1": KINDS[:6], "GZIP_1": KINDS, "GZIP_2": KINDS, "PLIO_1": ("u1", "i2", "u2", "i4"),
          "HCOMPRESS_1": KINDS[:6], "NOCOMPRESS": KINDS}


def integers(random, kind, shape, codec):
    """Noise with both ends of the range; masks for PLIO, which knows no negative numbers."""
    limits = np.iinfo(kind)
    if codec == "PLIO_1":
        mask = np.repeat(random.integers(0, 5, shape[:-1] + (-(-shape[-1] // 4),)), 4, axis=-1)[..., :shape[-1]]
        # Room as fpack needs it: its encoder overruns its buffer on noise.
        return (mask * (50 if kind == "u1" else 1300)).astype(kind)
    if codec == "HCOMPRESS_1":
        spread = min(200, int(limits.max) // 8)
        middle = (int(limits.max) + int(limits.min)) // 2 if limits.min == 0 else 0
        return (middle + random.integers(-spread, spread, shape)).astype(kind)
    wide = random.integers(limits.min, limits.max, shape, kind, endpoint=True)
    narrow = random.integers(0, 100, shape).astype(kind)
    values = np.where(np.arange(shape[-1]) < shape[-1] // 2, narrow, wide)
    values[..., 1], values[..., -1] = limits.min, limits.max
    return values


def floats(random, kind, shape):
    """Normal numbers, then what only lossless tiles keep."""
    values = random.normal(100, 30, shape).astype(kind)
    special = np.array([np.nan, np.inf, -np.inf, -0.0, 0.0, np.finfo(kind).tiny / 8, np.finfo(kind).max], kind)
    values.ravel()[3:3 + len(special)] = special
    return values


def convention(values):
    """The stored integers of an array and the cards that say how they are shifted."""
    kind = values.dtype.str[1:]
    if kind == "i1":
        return values.view("u1") ^ np.uint8(128), [("BZERO", -128)]
    if kind in ("u2", "u4", "u8"):
        top = 1 << 8 * values.itemsize - 1
        return (values ^ values.dtype.type(top)).view(f"i{values.itemsize}"), [("BZERO", top)]
    return values, []


def by_fpack(values, codec, tile, lossless=("-q", "0")):
    stored, cards = convention(values)
    return fpack(stored, FPACK[codec], *fpack_tile(tile), *(lossless if stored.dtype.kind == "f" else ()), cards=cards)


def by_astropy(values, codec, tile, **options):
    if values.dtype.kind == "f" and "quantize_level" not in options:
        options["quantize_level"] = 0
    return astropy_hdu(values, codec, tile, **options)


def first_of(makers):
    """What the first willing writer makes."""
    for maker in makers:
        if (made := maker()) is not None:
            return made
    raise AssertionError("no writer makes this file")


def add_product(golden):
    for codec, kinds in CODECS.items():
        for kind in kinds:
            units = []
            for number, (key, tile) in enumerate((PLANES if codec == "HCOMPRESS_1" else TILES).items()):
                random = random_of(f"{codec} {kind} {key}")
                shape = SHAPES[key[0]]
                values = floats(random, kind, shape) if kind[0] == "f" else integers(random, kind, shape, codec)
                makers = [lambda v=values, t=tile: by_fpack(v, codec, t), lambda v=values, t=tile: by_astropy(v, codec, t)]
                units.append(first_of(makers[::-1] if number % 2 and codec != "PLIO_1" else makers))
            golden.accept(f"product-{codec}-{BITPIX[kind]}", in_file(*units))


METHODS = {"no_dither": ("-q0", -1), "dither_1": ("-q7", 1), "dither_2": ("-qz7", 2)}


def with_nulls(random, kind, nulls, method):
    values = random.normal(1000, 30, (14, 22)).astype(kind)
    if method == "dither_2":
        values[2, 3:9] = values[9] = 0
    if nulls == "some":
        values[random.random(values.shape) < 0.1] = np.nan
    elif nulls == "all":
        values[:7] = np.nan
    return values


def add_quantised(golden):
    for codec in ("RICE_1", "GZIP_1", "GZIP_2", "HCOMPRESS_1"):
        rows, block = ((7, 22), (7, 11)) if codec == "HCOMPRESS_1" else ((1, 22), (7, 9))
        for kind in ("f4", "f8"):
            for method, (option, number) in METHODS.items():
                units = []
                for tile in (rows, block):
                    for nulls in ("none", "some", "all"):
                        values = with_nulls(random_of(f"{codec} {kind} {method} {tile} {nulls}"), kind, nulls, method)
                        makers = [lambda v=values, t=tile: by_fpack(v, codec, t, (option, "4")),
                                  lambda v=values, t=tile: by_astropy(v, codec, t, quantize_level=4.0,
                                                                      quantize_method=number, dither_seed=7)]
                        units.append(first_of(makers[::-1] if nulls == "some" else makers))
                golden.accept(f"quantised-{codec}-{BITPIX[kind]}-{method}", in_file(*units))
    for name, level in (("absolute", "-0.5"), ("relative_1", "1"), ("relative_16", "16")):
        for kind in ("f4", "f8"):
            values = random_of(name).normal(50, 10, (14, 22)).astype(kind)
            made = [fpack(values, FPACK[codec], *fpack_tile((7, 11)), "-q3", level) for codec in ("RICE_1", "GZIP_2")]
            golden.accept(f"quantised-level_{name}-{BITPIX[kind]}", in_file(*made))


def add_all(golden):
    add_product(golden)
    add_quantised(golden)
