"""Planning rules of the contract (section 4), through the batch function: headers and tables that Astropy wrote, changed."""
import gzip

import numpy
import pytest
from fake_cupy import cupy  # noqa: F401

from cuphoton import xdr
from cuphoton.xdr import CorruptImageError, FitsFileError, batch_to_device

fits = pytest.importorskip("astropy.io.fits", reason="Astropy writes the test files")
PIXELS = numpy.arange(20 * 30, dtype="i4").reshape(20, 30) * 7 - 99
FLOATS = (numpy.arange(20 * 30).reshape(20, 30) * 0.37 + 5).astype("f4")


def tiled(path, change=None, pixels=PIXELS, table=None, **words):
    """Writes `pixels` in tiles; `change` gets the table's header, `table` gives other rows (a BinTableHDU of them)."""
    words = {"compression_type": "GZIP_1", "tile_shape": (7, 30), "quantize_level": 0, **words}
    whole = path.with_suffix(".whole")
    fits.HDUList([fits.PrimaryHDU(), fits.CompImageHDU(pixels, **words)]).writeto(whole, overwrite=True)
    with fits.open(whole, disable_image_compression=True) as file:
        hdu = table(file[1]) if table is not None else file[1]
        if change is not None:
            change(hdu.header)
        fits.HDUList([fits.PrimaryHDU(), hdu]).writeto(path, output_verify="ignore", overwrite=True)
    return str(path)


def set_card(path, name, value, hdu=1):
    """Overwrites one card in the file's bytes: nothing mends what it says."""
    with open(path, "rb") as file:
        data = file.read()
    place = [data.index(f"{name:8}=".encode(), begin) for begin in (0, 2880)][hdu]
    text = f"{name:8}= {value!s:>20}".ljust(80).encode()
    with open(path, "wb") as file:
        file.write(data[:place] + text + data[place + 80:])
    return path


def without(path, name):
    with open(path, "rb") as file:
        data = file.read()
    place = data.index(f"{name:8}=".encode(), 2880)
    with open(path, "wb") as file:
        file.write(data[:place] + b"COMMENT".ljust(80) + data[place + 80:])
    return path


def load(path, hdu=1):
    return numpy.asarray(batch_to_device([path], [hdu])[0][0])


@pytest.mark.rows("PLN-2", "PLN-1", "PLN-3")
def test_what_is_an_image(cupy, tmp_path):
    path = str(tmp_path / "units.fits")
    fits.HDUList([fits.PrimaryHDU(PIXELS[0]), fits.BinTableHDU.from_columns([fits.Column("A", "J", array=[1])]),
                  fits.ImageHDU(numpy.zeros((1,) * 17, "i2")), fits.ImageHDU(numpy.ones((1,) * 16, "i2"))]).writeto(path)
    assert (load(path, 0) == PIXELS[0]).all()  # one axis is enough
    assert load(path, 3).shape == (1,) * 16
    with pytest.raises(ValueError, match="units.fits: HDU 1 holds no pixels"):
        load(path, 1)
    with pytest.raises(NotImplementedError, match="units.fits"):
        load(path, 2)
    with pytest.raises(ValueError, match="units.fits.*no HDU 4"):
        load(path, 4)


@pytest.mark.rows("PLN-4", "GCR-3")
@pytest.mark.parametrize("name, value", [("ZNAXIS1", -30), ("ZNAXIS", -1), ("ZBITPIX", 24), ("ZTILE1", 0), ("ZTILE2", -7)])
def test_wrong_numbers_in_a_table(cupy, tmp_path, name, value):
    path = set_card(tiled(tmp_path / "wrong.fits"), name, value)
    with pytest.raises(ValueError, match="wrong.fits") as caught:
        load(path)
    assert isinstance(caught.value, (FitsFileError, ValueError))


@pytest.mark.rows("PLN-4", "X-09")
def test_tiled_cubes(cupy, tmp_path):
    cube = PIXELS.reshape(4, 5, 30)
    path = tiled(tmp_path / "cube.fits", pixels=cube, tile_shape=(2, 3, 16))
    assert (load(path) == cube).all()


@pytest.mark.rows("PLN-5")
def test_fewer_rows_than_tiles(cupy, tmp_path):
    path = set_card(tiled(tmp_path / "short.fits"), "NAXIS2", 2)
    with pytest.raises((CorruptImageError, FitsFileError), match="short.fits"):
        load(path)


@pytest.mark.rows("PLN-6")
@pytest.mark.parametrize("letter", ["P", "Q"])
def test_both_kinds_of_descriptors(cupy, tmp_path, letter):
    def other(hdu):
        column = fits.Column("compressed_data", f"1{letter}B", array=hdu.data["COMPRESSED_DATA"])  # PLN-7: any case
        made = fits.BinTableHDU.from_columns([column])
        made.header.extend([card for card in hdu.header.cards if card.keyword.startswith("Z")])
        return made

    path = tiled(tmp_path / "descriptors.fits", table=other)
    assert fits.getheader(path, 1, disable_image_compression=True)["TFORM1"].startswith(f"1{letter}B")
    assert (load(path) == PIXELS).all()


@pytest.mark.rows("PLN-6")
def test_a_gap_before_the_heap(cupy, tmp_path):
    """THEAP behind the rows: the bytes between belong to nobody."""
    path = tiled(tmp_path / "gap.fits")
    with open(path, "rb") as file:
        data = file.read()
    with fits.open(path, disable_image_compression=True) as file:
        header, begin = file[1].header, file[1].fileinfo()["datLoc"]
        rows, heap = header["NAXIS1"] * header["NAXIS2"], header["PCOUNT"]
    body = data[begin:begin + rows] + b"\xEE" * 40 + data[begin + rows:begin + rows + heap]
    with open(path, "wb") as file:
        file.write(data[:begin] + body.ljust(-(-len(body) // 2880) * 2880, b"\0"))
    set_card(path, "PCOUNT", heap + 40)
    place = data.index(b"END ", 2880, begin)
    with open(path, "r+b") as file:
        file.seek(place)
        file.write(f"THEAP   = {rows + 40:>20}".ljust(80).encode() + b"END".ljust(80))
    assert (load(path) == PIXELS).all()


@pytest.mark.rows("PLN-7")
def test_columns(cupy, tmp_path):
    quantized = {"pixels": FLOATS, "quantize_level": 16, "quantize_method": 1, "dither_seed": 3}
    path = tiled(tmp_path / "dithered.fits", **quantized)
    assert (load(path) == fits.getdata(path, 1)).all()
    path = tiled(tmp_path / "no zero.fits", **quantized)
    for name in ("ZZERO", "COMPRESSED_DATA"):
        broken = str(tmp_path / f"without {name}.fits")
        with open(path, "rb") as file:
            data = file.read()
        with open(broken, "wb") as file:
            file.write(data.replace(f"'{name}".encode(), f"'{name[:-1]}_".encode(), 1))
        with pytest.raises((RuntimeError, ValueError), match=f"without {name}.fits"):
            load(broken)


@pytest.mark.rows("PLN-8")
def test_zquantiz_without_zscale_is_lossless(cupy, tmp_path):
    for method in ("SUBTRACTIVE_DITHER_1", "NO_DITHER"):
        path = tiled(tmp_path / "lossless.fits", lambda header: header.set("ZQUANTIZ", method), pixels=FLOATS)  # noqa: B023
        found = load(path)
        assert found.tobytes() == FLOATS.tobytes() and found.dtype == "f4"


@pytest.mark.rows("X-05", "X-06", "X-07", "GCR-2", "PLN-7")
@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("method", [-1, 1, 2])
@pytest.mark.parametrize("codec", ["GZIP_1", "GZIP_2", "RICE_1"])
def test_quantized_floats_with_a_tile_that_fell_back(cupy, tmp_path, dtype, method, codec):
    """Tile 0 has no noise, so Astropy stores it in GZIP_COMPRESSED_DATA: an empty descriptor in COMPRESSED_DATA."""
    pixels = numpy.random.default_rng(5).normal(50, 3, (21, 30)).astype(dtype)
    pixels[:7] = 3.25
    path = tiled(tmp_path / "quantized.fits", pixels=pixels, quantize_level=16, quantize_method=method, dither_seed=9,
                 compression_type=codec)
    with fits.open(path, disable_image_compression=True) as file:
        assert len(file[1].data["GZIP_COMPRESSED_DATA"][0]) > 0 == len(file[1].data["COMPRESSED_DATA"][0])
        assert len(file[1].data["COMPRESSED_DATA"][1]) > 0
    wanted, found = fits.getdata(path, 1), load(path)
    assert found.dtype == dtype and found.tobytes() == numpy.ascontiguousarray(wanted, dtype).tobytes()


@pytest.mark.rows("X-08")
def test_scale_as_a_keyword_is_refused_not_ignored(cupy, tmp_path):
    path = tiled(tmp_path / "keyword.fits", lambda header: header.update(ZSCALE=0.5, ZZERO=3.0), pixels=FLOATS)
    with pytest.raises((NotImplementedError, ValueError), match="keyword.fits"):
        load(path)


@pytest.mark.rows("X-10")
@pytest.mark.parametrize("codec", ["GZIP_1", "GZIP_2", "RICE_1", "HCOMPRESS_1", "PLIO_1", "NOCOMPRESS"])
def test_every_codec(cupy, tmp_path, codec):
    words = {"tile_shape": (20, 30)} if codec == "HCOMPRESS_1" else {}
    pixels = numpy.abs(PIXELS).astype("i2") if codec == "PLIO_1" else PIXELS
    assert (load(tiled(tmp_path / "codec.fits", pixels=pixels, compression_type=codec, **words)) == pixels).all()


@pytest.mark.rows("X-12")
def test_tiles_of_wider_integers(cupy, tmp_path):
    """ZBITPIX is 16, the gzip tiles hold 32-bit integers, as older writers stored them."""
    pixels = PIXELS.astype("i2")

    def wider(hdu):
        tiles = [numpy.frombuffer(gzip.compress(pixels[row:row + 7].astype(">i4").tobytes()), "u1") for row in (0, 7, 14)]
        column = fits.Column("COMPRESSED_DATA", "1PB", array=numpy.array(tiles, dtype=object))
        made = fits.BinTableHDU.from_columns([column])
        made.header.extend([card for card in hdu.header.cards if card.keyword.startswith("Z")])
        return made

    found = load(tiled(tmp_path / "wider.fits", pixels=pixels, table=wider))
    assert found.dtype == "i2" and (found == pixels).all()


@pytest.mark.rows("PLN-9", "PLN-5")
def test_only_tiles_of_the_section_are_planned(tmp_path):
    path = tiled(tmp_path / "tiles.fits", tile_shape=(7, 10))
    with xdr.open(path) as file:
        plan = file[1].plan((slice(8, 9), slice(12, 25)))
        assert [tile[2] for group in plan["groups"] for tile in group["tiles"]] == [4, 5]
        assert [tile[2] for group in file[1].plan()["groups"] for tile in group["tiles"]] == list(range(9))


@pytest.mark.rows("PLN-12", "X-25")
@pytest.mark.parametrize("word, value", [(0, -1), (0, 2**31 - 1), (1, 2**31 - 1), (1, -5), (1, 100_000)])
def test_descriptors_outside_the_heap(cupy, tmp_path, word, value):
    path = tiled(tmp_path / "outside.fits")
    with fits.open(path, disable_image_compression=True) as file:
        begin = file[1].fileinfo()["datLoc"]
        assert file[1].header["TFORM1"].startswith("1P")
        row = file[1].header["NAXIS1"]
    with open(path, "r+b") as file:
        file.seek(begin + row + 4 * word)  # the second tile
        file.write(value.to_bytes(4, "big", signed=True))
    with pytest.raises(RuntimeError, match="outside.fits") as caught:
        load(path)
    assert isinstance(caught.value, CorruptImageError) and caught.value.tile == 1


@pytest.mark.rows("PLN-16")
def test_tile_shape_left_out(cupy, tmp_path):
    path = tiled(tmp_path / "rows.fits", tile_shape=(1, 30))
    for name in ("ZTILE1", "ZTILE2"):
        without(path, name)
    assert (load(path) == PIXELS).all()


@pytest.mark.rows("GCR-9")
def test_the_files_bytes_stay_as_they_are(cupy, tmp_path):
    path = tiled(tmp_path / "kept.fits")
    with xdr.mock_storage("host") as cache:
        before = cache.get_buffer(path).tobytes()
        for variant in ("fused", "separate", "native"):
            assert (numpy.asarray(batch_to_device([path], [1], postprocess=variant)[0][0]) == PIXELS).all()
        assert cache.get_buffer(path).tobytes() == before


@pytest.mark.rows("PLN-11")
def test_the_first_fault_is_the_one_raised(cupy, tmp_path):
    good = tiled(tmp_path / "good.fits")
    first, second = (set_card(tiled(tmp_path / name), "ZBITPIX", 24) for name in ("b.fits", "a.fits"))
    with pytest.raises(ValueError, match="b.fits"):
        batch_to_device([good, first, second], [1], native_plan_threads=4)
