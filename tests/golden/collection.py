"""The golden files as they are collected, and the writers of others: fpack and Astropy."""

import io
import subprocess
import tempfile
import types
import warnings
import zlib
from pathlib import Path

import numpy as np

from fits_cards import BLOCK, EMPTY_PRIMARY
from fits_writer import plain, tiled, tiles_of

NUMPY_OF = {8: "u1", 16: "i2", 32: "i4", 64: "i8", -32: "f4", -64: "f8"}


class Collection:
    """name -> bytes and what must come of each HDU."""

    def __init__(self):
        self.files = {}

    def accept(self, name, data, notes=None, refused=(), names=(), threads=None):
        """Every image HDU gives the slow decoder's values, but those in `refused`: {hdu: (code, reason)}. `notes`: a
        pattern that the receipt's notes must match. `names`: selectors ("NAME" or "NAME,2") and the HDU they mean."""
        self.add(name, {"data": data, "notes": notes, "refused": dict(refused), "names": dict(names)})

    def refuse(self, name, data, code, reason=None, says=None, hdu=1):
        """HDU `hdu` is refused with this code, reason and a text that matches `says`."""
        self.add(name, {"data": data, "only": hdu, "refused": {hdu: (code, reason, says)}})

    def add(self, name, entry):
        if name in self.files:
            raise AssertionError(f"two files are called {name}")
        self.files[name] = entry


def random_of(name):
    return np.random.default_rng(zlib.crc32(name.encode()))


def in_file(*extensions, primary=EMPTY_PRIMARY):
    return primary + b"".join(extensions)


def fpack(array, *options, cards=()):
    """The extension that fpack makes of `array`; nothing where it refuses."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.fits"
        path.write_bytes(plain(array, cards))
        done = subprocess.run(["fpack", "-C", *map(str, options), path], capture_output=True, timeout=20, check=False)
        packed = path.with_name("a.fits.fz")
        if done.returncode or not packed.exists():
            return None
        return packed.read_bytes()[BLOCK:]


def fpack_tile(tile):
    return ["-t", ",".join(str(extent) for extent in reversed(tile))]


def still_clock():
    """Python's gzip writes the time into each member; here it is always 0."""
    import gzip  # pylint: disable=import-outside-toplevel

    gzip.time = types.SimpleNamespace(time=lambda: 0)


def astropy_hdu(array, codec, tile, **options):
    """The extension that Astropy makes of `array`; nothing where it refuses."""
    from astropy.io import fits  # pylint: disable=import-outside-toplevel

    out = io.BytesIO()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            unit = fits.CompImageHDU(array, compression_type=codec, tile_shape=tile, **options)
            fits.HDUList([fits.PrimaryHDU(), unit]).writeto(out)
    except Exception:  # any refusal is an answer
        return None
    return out.getvalue()[BLOCK:]


def table(array, codec, tile, encode, column="COMPRESSED_DATA", bitpix=None, **options):
    """Each tile of `array` encoded into `column`."""
    rows = [{column: encode(part)} for part in tiles_of(array, tile)]
    bitpix = bitpix or {v: k for k, v in NUMPY_OF.items()}[array.dtype.str[1:]]
    return tiled(array.shape, bitpix, codec, tile, rows, **options)
