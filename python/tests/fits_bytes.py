"""Small FITS files by hand, for tests that must not depend on Astropy."""
import numpy

_BITPIX = {"u1": 8, "i2": 16, "i4": 32, "i8": 64, "f4": -32, "f8": -64}


def card(keyword, value, comment=""):
    """One card: a bool, number, str (gets quotes) or None."""
    if isinstance(value, bool):
        text = "T" if value else "F"
    elif isinstance(value, str):
        text = "'" + value.replace("'", "''").ljust(8) + "'"
    else:
        text = "" if value is None else str(value).upper()
    made = f"{keyword:<8}= {text:>20}" if not isinstance(value, str) else f"{keyword:<8}= {text:<20}"
    return (made + (f" / {comment}" if comment else "")).ljust(80)


def block(cards):
    """A header of whole cards (shorter ones are padded), END added."""
    text = "".join(one.ljust(80) for one in cards) + "END".ljust(80)
    return text.ljust(-(-len(text) // 2880) * 2880).encode("latin-1")


def image_hdu(pixels, cards=(), *, extension=False):
    """The bytes of one image HDU of `pixels` in C order."""
    pixels = numpy.asarray(pixels)
    kind = pixels.dtype.kind + str(pixels.dtype.itemsize)
    first = card("XTENSION", "IMAGE") if extension else card("SIMPLE", True)
    head = [first, card("BITPIX", _BITPIX[kind]), card("NAXIS", pixels.ndim)]
    head += [card(f"NAXIS{n + 1}", extent) for n, extent in enumerate(reversed(pixels.shape))]
    if extension:
        head += [card("PCOUNT", 0), card("GCOUNT", 1)]
    data = pixels.astype(pixels.dtype.newbyteorder(">")).tobytes()
    return block([*head, *cards]) + data.ljust(-(-len(data) // 2880) * 2880, b"\0")


def ramp(shape=(20, 30), dtype="i2"):
    """Pixels that are all different as far as the type allows."""
    count = 1
    for extent in shape:
        count *= extent
    return numpy.arange(count).astype(dtype).reshape(shape)
