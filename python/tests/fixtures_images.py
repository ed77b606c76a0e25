"""Files with an image of each kind, written by Astropy, and what Astropy says of them."""
import numpy
import pytest

HDUS = {"empty": 0, "plain unsigned": 1, "gzip": 2, "rice float": 3, "cube": 4, "gzip unsigned": 5, "blank": 6, "line": 7,
        "table": 8}


def write(path, seed, rows=20):
    """One file; `seed` makes the pixels, `rows` the height of the images with two axes."""
    fits = pytest.importorskip("astropy.io.fits", reason="Astropy writes the test files")
    random = numpy.random.default_rng(seed)
    unsigned = random.integers(0, 65536, (rows, 30)).astype("u2")
    wide = random.integers(-2**31, 2**31, (rows, 30)).astype("i4")
    floats = random.normal(100, 5, (rows, 30)).astype("f4")
    blank = fits.ImageHDU(random.integers(-4, 4, (rows, 30)).astype("i2"))
    blank.header["BLANK"] = 3
    fits.HDUList([
        fits.PrimaryHDU(), fits.ImageHDU(unsigned, name="RAW"),
        fits.CompImageHDU(wide, compression_type="GZIP_1", tile_shape=(7, 30)),
        fits.CompImageHDU(floats, compression_type="RICE_1", quantize_method=1, dither_seed=7),
        fits.ImageHDU(random.normal(size=(3, 4, 5))),
        fits.CompImageHDU(unsigned[::-1], compression_type="GZIP_2", tile_shape=(8, 16)), blank,
        fits.ImageHDU(random.integers(0, 255, 50).astype("u1")),
        fits.BinTableHDU.from_columns([fits.Column("A", "J", array=[1, 2])])]).writeto(path)
    return str(path)


def expected(path, hdu):
    """Astropy's pixels, native-endian."""
    from astropy.io import fits

    with fits.open(path, memmap=False) as file:
        pixels = file[hdu].data
        return numpy.ascontiguousarray(pixels.astype(pixels.dtype.newbyteorder("=")))


def same(found, wanted):
    """Equal in shape, type and every bit."""
    found = numpy.asarray(found.get() if hasattr(found, "get") else found)
    return found.shape == wanted.shape and found.dtype == wanted.dtype and found.tobytes() == wanted.tobytes()


@pytest.fixture(scope="session")
def images(tmp_path_factory):
    """Paths of three files of equal layout."""
    folder = tmp_path_factory.mktemp("images")
    return [write(folder / f"image {number}.fits", number) for number in range(3)]
