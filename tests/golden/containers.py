"""Axes and tiles, columns, heaps and whole files of compressed images."""

import encoders as E
from collection import fpack, in_file, random_of, table
from dimensions import QUANTISED, noise, quantised_rows
from fits_cards import EMPTY_PRIMARY, header, padded
from fits_writer import big_endian, plain, tiled, tiles_of


def add_geometry(golden):
    def add(name, shape, tile, kind="i2", **options):
        golden.accept(f"tiles-{name}", in_file(table(noise(f"tiles {name}", shape, kind), "RICE_1", tile, E.rice,
                                                     **options)))

    add("one-pixel", (5, 7), (1, 1))
    add("width-one", (5, 7), (5, 1))
    add("column-pieces", (9, 7), (4, 1))
    add("larger-than-axes", (5, 7), (50, 70))
    add("across-1-and-3", (5, 4, 9), (5, 1, 4))
    add("short-edges", (11, 13), (4, 5))
    add("default", (5, 7), (1, 7), kind="i4", changes=[("ZTILE1", None), ("ZTILE2", None)])
    golden.accept("tiles-default-3d", in_file(table(noise("d3", (3, 4, 6)), "GZIP_1", (1, 1, 6), E.gzip_1, changes=[
        ("ZTILE1", None), ("ZTILE2", None), ("ZTILE3", None)])))
    golden.accept("tiles-partly-default", in_file(table(noise("pd", (4, 6)), "GZIP_1", (2, 6), E.gzip_1,
                                                        changes=[("ZTILE1", None)])))
    add("1d", (40,), (7,))
    add("1d-whole", (40,), (40,))
    add("one-pixel-image", (1, 1), (1, 1))
    for rank in (4, 5, 6, 7, 9, 12, 16):
        shape = tuple([1, 2, 3, 2][i % 4] if i < 9 else 1 for i in range(rank - 1)) + (5,)
        tile = tuple(max(extent - 1, 1) for extent in shape)
        add(f"{rank}d", shape, tile)
    for rank in (17, 40):
        golden.refuse(f"tiles-{rank}d", in_file(table(noise("too many", (1,) * (rank - 1) + (5,)), "RICE_1", (1,) * rank,
                                                      E.rice)),
                      "unsupported", "rank_unsupported", str(rank))
    for place in range(3):
        shape = tuple(1 if i == place else 5 for i in range(3))
        add(f"axis-of-one-{place}", shape, tuple(min(extent, 3) for extent in shape))
        shape = tuple(0 if i == place else 5 for i in range(3))
        golden.accept(f"tiles-axis-of-zero-{place}", in_file(tiled(shape, 16, "RICE_1", (1, 1, 5), [],
                                                                   changes=[("NAXIS1", 8)])))
    golden.accept("tiles-axis-of-zero-float", in_file(tiled((0, 5), -32, "GZIP_1", (1, 5), [], QUANTISED,
                                                            changes=[("NAXIS1", 24)])))


def add_columns(golden):
    values = noise("columns", kind="i4")
    rows = [{"COMPRESSED_DATA": E.rice(part)} for part in values]

    def add(name, columns, rows=rows, bitpix=32, codec="RICE_1", **options):
        golden.accept(f"columns-{name}", in_file(tiled((6, 10), bitpix, codec, (1, 10), rows, columns, **options)))

    for form in ("1PB", "PB", "1PB(99)", "PB(99)", "1QB", "QB", "QB(99)", "1QB(123456)", "1pb", " 1PB"):
        text = form.strip()
        add(f"form-{form.replace(' ', 'blank-').replace('(', '-').replace(')', '')}-{'lower' if form.islower() else 'upper'}",
            [("COMPRESSED_DATA", text)], changes=[("TFORM1", form)])
    for name in ("compressed_data", "Compressed_Data", "COMPRESSED_DATA  "):
        add(f"name-{'blanks' if name.endswith(' ') else name[:2]}", [("COMPRESSED_DATA", "1PB")],
            changes=[("TTYPE1", name)])
    every = [("L", "3L", 3), ("X", "11X", 2), ("A", "5A", 5), ("B", "2B", 2), ("I", "1I", 2), ("J", "J", 4), ("K", "1K", 8),
             ("E", "2E", 8), ("D", "1D", 8), ("C", "1C", 8), ("M", "1M", 16), ("N", "0D", 0)]
    users = [(f"USER_{name}", form) for name, form, _ in every]
    filled = [{**row, **{f"USER_{name}": bytearray(b"\xa5" * width) for name, _, width in every}} for row in rows]
    add("users-after", [("COMPRESSED_DATA", "1PB"), *users], filled)
    add("users-before", [*users, ("COMPRESSED_DATA", "1PB")], filled)
    add("users-between", [*users[:5], ("COMPRESSED_DATA", "1QB"), *users[5:], ("USER_P", "1PJ")],
        [{**row, "USER_P": b"\0\1\2\3" * 5} for row in filled])
    add("no-name", [("COMPRESSED_DATA", "1PB"), ("", "1J")], [{**row, "": 7} for row in rows])
    integers = noise("permuted", kind="i4")
    quantised = quantised_rows(integers, (1, 10), E.rice, ZBLANK=3)
    for name, order in (("reversed", (3, 2, 1, 0)), ("mixed", (1, 3, 0, 2))):
        columns = [*QUANTISED, ("ZBLANK", "1I")]
        add(f"order-{name}", [columns[i] for i in order], quantised, -32)
    add("zero-repeat-fallback", [("COMPRESSED_DATA", "1PB"), ("UNCOMPRESSED_DATA", "0PJ"), ("GZIP_COMPRESSED_DATA", "0PB")])
    lower = [("compressed_data", "1PB"), ("zscale", "1D"), ("zzero", "1D")]
    add("lower-case", lower, [{key.lower(): value for key, value in row.items()} for row in quantised], -64)
    mixed = [("COMPRESSED_DATA", "1QB"), ("UNCOMPRESSED_DATA", "1PJ")]
    add("p-and-q", mixed, [row if r % 2 else {"UNCOMPRESSED_DATA": big_endian(values[r])} for r, row in enumerate(rows)])
    add("integers-with-zscale", QUANTISED, quantised_rows(values, (1, 10), E.rice))


def add_heaps(golden):
    values = noise("heaps", (8, 10), "i4")
    values[5] = values[2]
    second = plain(noise("second"), primary=False)
    options = {"codec": "RICE_1", "tile": (1, 10), "encode": E.rice}
    for gap in (1, 2880, 5000):
        golden.accept(f"heap-gap-{gap}", in_file(table(values, **options, gap=b"\xee" * gap), second))
    golden.accept("heap-theap-without-gap", in_file(table(values, **options, gap=b""), second))
    golden.accept("heap-shuffled", in_file(table(values, **options, order=random_of("order").permutation)))
    golden.accept("heap-reversed", in_file(table(values, **options, order=lambda count: range(count)[::-1])))
    golden.accept("heap-shared", in_file(table(values, **options, overlap=True)))
    golden.accept("heap-dead-data", in_file(table(values, **options, after_heap=b"dead" * 900), second))
    # Streams that lie inside one another: a Rice tile may be followed by any bytes.
    whole = E.rice(values[0]) + E.rice(values[1])
    rows = [(len(whole), 0), (len(whole) - 3, 0), (len(whole) - len(E.rice(values[0])), len(E.rice(values[0])))]
    golden.accept("heap-overlapping", in_file(tiled((3, 10), 32, "RICE_1", (1, 10),
                                                    [{"COMPRESSED_DATA": row} for row in rows],
                                                    after_heap=whole)))
    golden.accept("heap-pcount-short", in_file(table(values, **options, pcount=30)), notes="PCOUNT")
    golden.accept("heap-pcount-zero", in_file(table(values, **options, pcount=0)), notes="PCOUNT")
    golden.accept("heap-padding-missing", in_file(table(values, **options, pad=False)), notes="2880")
    cut = in_file(table(values, **options, pad=False))
    golden.refuse("heap-truncated", cut[:-5], "file_truncated")
    golden.refuse("heap-truncated-table", cut[:len(EMPTY_PRIMARY) + 2880 + 30], "file_truncated")


def add_files(golden):
    floats = random_of("files").normal(0, 1, (9, 20)).astype("f4")
    lossless = fpack(floats, "-g1", "-q", "0")
    quantised = [fpack(floats, option, "-q9", "4") for option in ("-r", "-g2", "-h")]
    mixed = [lossless, quantised[0], table(noise("m1"), "RICE_1", (1, 10), E.rice), lossless, *quantised[1:],
             plain(noise("m2"), primary=False), table(noise("m3", kind="u1"), "GZIP_2", (6, 10), E.gzip_2)]
    golden.accept("file-lossless-and-quantised", in_file(*mixed))
    golden.accept("file-plain-primary-with-compressed", in_file(*mixed[:2], primary=plain(noise("m4"))))
    golden.accept("file-compressed-primary", in_file(table(
        noise("m5"), "RICE_1", (1, 10), E.rice, cards=[("ZSIMPLE", True), ("ZEXTEND", True), ("ZPCOUNT", 0),
                                                       ("ZGCOUNT", 1)])))
    golden.accept("file-compressed-extension", in_file(table(
        noise("m6"), "RICE_1", (1, 10), E.rice, cards=[("ZTENSION", "IMAGE"), ("ZPCOUNT", 0), ("ZGCOUNT", 1)])))
    many = [("HISTORY   line %d" % i).ljust(80) for i in range(100)] + [("ZZ%d" % i, i) for i in range(50)]
    golden.accept("file-long-header", in_file(table(noise("m7"), "RICE_1", (1, 10), E.rice, cards=many),
                                              primary=plain(noise("m8"), many)))
    exact = [("FILL%d" % i, i) for i in range(36 - 6)]  # END is the last card of the first block, then of none
    golden.accept("file-end-card-places", in_file(
        *(plain(noise("m9"), [*exact, *[("MORE%d" % i, i) for i in range(extra)]], primary=False) for extra in range(5))))
    named = [plain(noise(f"n{i}", kind="i4"), [("EXTNAME", name)] + ([("EXTVER", version)] if version else []),
                   primary=False)
             for i, (name, version) in enumerate((("SCI", 1), ("ERR", None), ("sci", 2), ("SCI", 2), (" SCI", 3),
                                                  ("DQ", 7)))]
    named.append(table(noise("n6"), "RICE_1", (1, 10), E.rice, cards=[("EXTNAME", "COMPRESSED_IMAGE")]))
    named.append(table(noise("n7"), "RICE_1", (1, 10), E.rice, cards=[("EXTNAME", "COMPRESSED_IMAGE"), ("EXTNAME", "WHT")]))
    golden.accept("file-names", in_file(*named, primary=plain(noise("n8"))),
                  names={"SCI": 1, "sci": 1, "SCI,1": 1, "ERR": 2, "ERR,1": 2, "SCI,2": 3, "DQ": 6, "DQ,7": 6, "PRIMARY": 0,
                         "COMPRESSED_IMAGE": 7, "wht": 8})
    golden.refuse("file-names-absent", in_file(named[0]), "hdu_not_found", hdu="NOSUCH")
    golden.refuse("file-version-absent", in_file(named[0]), "hdu_not_found", hdu="SCI,9")
    golden.refuse("file-number-absent", in_file(named[0]), "hdu_not_found", hdu=5)
    table_unit = header([("XTENSION", "BINTABLE"), ("BITPIX", 8), ("NAXIS", 2), ("NAXIS1", 4), ("NAXIS2", 3), ("PCOUNT", 0),
                         ("GCOUNT", 1), ("TFIELDS", 1), ("TFORM1", "1J")]) + padded(b"\0" * 12)
    golden.accept("file-tables-between", in_file(table_unit, table(noise("t1"), "RICE_1", (1, 10), E.rice), table_unit,
                                                 plain(noise("t2"), primary=False)),
                  refused={1: ("unsupported", "not_an_image"), 0: ("unsupported", "not_an_image")})
    ztable = table_unit.replace(b"TFORM1", b"ZTABLE").replace(b"'1J      '", b"T         ")
    golden.refuse("file-ztable", in_file(ztable), "unsupported", "not_an_image")
    golden.accept("file-special-records", in_file(plain(noise("t3"), primary=False)) + b"special" * 300)
    for name in ("A3DTABLE", "3DTABLE"):
        golden.accept(f"file-{name}", in_file(table(noise(name), "RICE_1", (1, 10), E.rice, changes=[("XTENSION", name)])))
    golden.accept("file-IUEIMAGE", in_file(plain(noise("iue"), primary=False, changes=[("XTENSION", "IUEIMAGE")])))


def add_all(golden):
    for add in (add_geometry, add_columns, add_heaps, add_files):
        add(golden)
