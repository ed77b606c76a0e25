"""Plain images: every type and scaling x {primary, extension} x NAXIS 0..3, nulls, odd cards, odd ends."""

import numpy as np

from collection import in_file, random_of
from fits_cards import EMPTY_PRIMARY, Raw
from fits_writer import plain

TOP = {"i2": 2**15, "i4": 2**31, "i8": 2**63}


def pixels(name, kind, shape):
    random = random_of(name)
    if kind[0] == "f":
        values = random.normal(0, 1e3, shape).astype(kind)
        special = np.array([np.nan, np.inf, -np.inf, -0.0, 1e-40, np.finfo(kind).max], kind)
    else:
        limits = np.iinfo(kind)
        values = random.integers(limits.min, limits.max, shape, kind, endpoint=True)
        special = np.array([limits.min, limits.max, 0, 1], kind)
    values.ravel()[:len(special)] = special[:values.size]
    return values


SHAPES = [(), (11,), (5, 7), (3, 2, 9)]
SCALINGS = [("u1", "none", []), ("u1", "int8", [("BZERO", -128)]), ("u1", "int8-with-point", [("BZERO", -128.0)]),
            ("i2", "none", []), ("i2", "unsigned", [("BZERO", 2**15)]), ("i2", "unsigned-float", [("BZERO", 32768.0)]),
            ("i4", "none", []), ("i4", "unsigned", [("BZERO", 2**31), ("BSCALE", 1.0)]),
            ("i8", "none", []), ("i8", "unsigned", [("BZERO", 2**63)]), ("i8", "unsigned-real", [("BZERO", float(2**63))]),
            ("f4", "none", []), ("f8", "none", [])]
SCALINGS += [(kind, name, cards) for kind in ("u1", "i2", "i4", "i8", "f4", "f8") for name, cards in (
    ("whole", [("BSCALE", 2), ("BZERO", 10)]), ("fraction", [("BSCALE", 0.1), ("BZERO", 3.3)]))]


def add_types(golden):
    for kind, name, cards in SCALINGS:
        for axes, shape in enumerate(SHAPES):
            label = f"plain-{kind}-{name}-{axes}d"
            other = SHAPES[3 - axes]
            first = plain(pixels(label, kind, shape or (1,)), cards, shape=shape)
            second = plain(pixels(label + "x", kind, other or (1,)), cards, False, shape=other)
            refused = {unit: ("unsupported", "not_an_image") for unit, extents in ((0, shape), (1, other)) if not extents}
            golden.accept(label, in_file(second, primary=first), refused=refused)


def add_scaling(golden):
    for kind in ("i2", "i4", "i8", "f4", "f8"):
        values = pixels(f"scaling {kind}", kind, (4, 9))
        top = TOP.get(kind, 2**15)
        for name, cards in (("zero-scale", [("BSCALE", 0.0)]), ("zero-scale-shift", [("BSCALE", 0), ("BZERO", 7)]),
                            ("negative", [("BSCALE", -1.0)]), ("shift-only", [("BZERO", 100)]),
                            ("huge", [("BSCALE", 1e300)]),
                            ("tiny", [("BSCALE", 1e-50), ("BZERO", -1e-3)]),
                            ("unsigned-scaled", [("BSCALE", 2.0), ("BZERO", top)]),
                            ("signed", [("BZERO", -top)])):
            golden.accept(f"scaling-{name}-{kind}", plain(values, cards))
    values = pixels("number forms", "i2", (4, 9))
    for name, text in (("exponent", "            3.2768E+04"), ("d-exponent", "              3.2768D4"),
                       ("plus", "                +32768"),
                       ("free", "32768"), ("point", "                32768."), ("comment", "32768/unsigned")):
        golden.accept(f"scaling-form-{name}", plain(values, [("BZERO", Raw(text))]))
    golden.accept("scaling-form-quoted", plain(values, [("BZERO", Raw("'32768   '"))]), notes="quoted")
    golden.accept("scaling-form-undefined", plain(values, [("BZERO", Raw("                     / none"))]),
                  notes="no value")
    golden.accept("scaling-duplicate", plain(values, [("BZERO", 5), ("BZERO", 32768)]), notes="more than once")
    golden.refuse("scaling-form-text", plain(values, [("BZERO", Raw("'high'"))]), "header_invalid", says="BZERO", hdu=0)


def add_blanks(golden):
    for kind in ("u1", "i2", "i4", "i8"):
        values = np.arange(36).reshape(4, 9).astype(kind) % 5
        top = TOP.get(kind)
        cases = [("used", [("BLANK", 3)]), ("unused", [("BLANK", 77)]), ("zero", [("BLANK", 0)]),
                 ("negative", [("BLANK", -1)]),
                 ("out-of-range", [("BLANK", -99999 if kind in ("u1", "i2") else -2**40)]),
                 ("scaled", [("BLANK", 3), ("BSCALE", 0.1), ("BZERO", 3.3)]), ("text", [("BLANK", "three")]),
                 ("duplicate", [("BLANK", 1), ("BLANK", 3)])]
        cases += [("unsigned", [("BLANK", 3), ("BZERO", top)])] if top else [("int8", [("BLANK", 3), ("BZERO", -128)])]
        for name, cards in cases:
            golden.accept(f"blank-{name}-{kind}", plain(values, cards))
    golden.accept("blank-on-float", plain(np.arange(12).reshape(3, 4).astype("f4"), [("BLANK", 3)]), notes="BLANK")


def add_headers(golden):
    values = pixels("headers", "i2", (4, 9))
    long_text = "'" + "it''s a long text " * 3 + "&'"
    odd = [f"LONG    = {long_text}", "CONTINUE  'and its end' / with a comment",
           "HIERARCH ESO TEL ALT = 45.3 / not a keyword",
           "COMMENT BZERO   = 32768", "HISTORY = 'BSCALE'", "        = 5", "NOVALUE", "lower   = 7",
           "STRING  = 'no closing quote",
           "CPLX    = (1.0, 2.0)"]
    golden.accept("header-odd-cards", plain(values, odd))
    golden.accept("header-simple-f", plain(values, changes=[("SIMPLE", False)]), notes="SIMPLE")
    golden.accept("header-free-format", plain(values, changes=[("NAXIS", Raw("2 / axes")), ("BITPIX", Raw("16"))]))
    golden.accept("header-repeated-equal", plain(values, [("NAXIS1", 9)]))
    golden.refuse("header-repeated-different", plain(values, [("NAXIS1", 8)]), "header_invalid", says="NAXIS1", hdu=0)
    golden.accept("header-padding-of-nul", plain(values).replace(b" " * 2000, b"\0" * 2000), notes="pad|blank|END")
    golden.accept("header-pcount-0", plain(values, [("PCOUNT", 0), ("GCOUNT", 1)]))
    golden.accept("header-extension-without-counts",
                  in_file(plain(values, primary=False, changes=[("PCOUNT", None), ("GCOUNT", None)])),
                  notes="PCOUNT")
    for name, changes in (("pcount", [("PCOUNT", 2)]), ("gcount", [("GCOUNT", 2)])):
        golden.refuse(f"header-{name}-2", in_file(plain(np.zeros((4, 18), "i2"), primary=False, shape=(2, 9),
                                                        changes=changes)),
                      "unsupported", "array_parameters", name.upper())
    golden.refuse("header-random-groups", plain(np.zeros(40, "f4"), [("GROUPS", True), ("PCOUNT", 2), ("GCOUNT", 3)],
                                                shape=(4, 0)),
                  "unsupported", "random_groups", hdu=0)
    golden.accept("header-ranks-16", plain(pixels("r", "i2", (2,) * 4 + (1,) * 11 + (3,))))
    for rank in (17, 99):
        golden.refuse(f"header-rank-{rank}", plain(pixels("r", "i2", (3,) + (1,) * 15 + (2,)),
                                                   shape=(3,) + (1,) * (rank - 2) + (2,)),
                      "unsupported", "rank_unsupported", str(rank), hdu=0)
    for name, shape in (("1d", (0,)), ("first", (4, 0)), ("last", (0, 4)), ("middle", (2, 0, 3)),
                        ("huge", (2**30, 2**30, 0))):
        golden.accept(f"header-zero-axis-{name}", plain(values, shape=shape, data=b""))
        golden.accept(f"header-zero-axis-{name}-extension", in_file(
            plain(values, primary=False, shape=shape, data=b""), plain(values, primary=False)))


def add_ends(golden):
    values = pixels("ends", "i4", (4, 9))
    golden.accept("end-padding-missing", plain(values, pad=False), notes="2880")
    golden.accept("end-padding-half", plain(values)[:-1000], notes="2880")
    golden.accept("end-padding-not-zero", plain(values, pad=False) + b"x" * (2880 - values.nbytes))
    golden.accept("end-special-records", plain(values) + b"tape mark" * 320)
    golden.refuse("end-one-byte-short", plain(values, pad=False)[:-1], "file_truncated", hdu=0)
    golden.refuse("end-no-data", plain(values)[:2880], "file_truncated", hdu=0)
    cut = in_file(plain(values, primary=False, pad=False)[:-7], primary=plain(values))
    golden.accept("end-second-hdu-short", cut, refused={1: ("file_truncated", None)})
    golden.accept("end-empty-primary-only", EMPTY_PRIMARY, refused={0: ("unsupported", "not_an_image")})


def add_all(golden):
    for add in (add_types, add_scaling, add_blanks, add_headers, add_ends):
        add(golden)
