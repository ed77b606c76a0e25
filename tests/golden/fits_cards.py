"""Cards and headers of FITS files, legal or not. Needs no module beyond Python's own."""

BLOCK = 2880


class Raw(str):
    """The value field of a card, byte for byte."""


def card(key, value, comment=""):
    if isinstance(value, Raw):
        text = f"{key:<8}= {value}"
    elif isinstance(value, bool):
        text = f"{key:<8}= {'T' if value else 'F':>20}"
    elif isinstance(value, str):
        text = f"{key:<8}= '{value:<8}'"
    elif isinstance(value, float):
        text = f"{key:<8}= {repr(value).upper():>20}"
    else:
        text = f"{key:<8}= {value:>20}"
    return f"{text} / {comment}" if comment else text


def padded(data, fill=b"\0"):
    return bytes(data) + fill * (-len(data) % BLOCK)


def header(cards):
    """`cards`: (key, value) pairs, or whole cards as text. A key that comes again replaces nothing: both are written."""
    texts = [item if isinstance(item, str) else card(*item) for item in cards] + ["END"]
    return padded("".join(f"{text:<80}"[:80] for text in texts).encode("latin-1"), b" ")


def replaced(cards, changes):
    """`cards` with the values of `changes` in place; None drops a card, new keys come last."""
    changes = dict(changes)
    out = []
    for item in cards:
        if isinstance(item, str) or item[0] not in changes:
            out.append(item)
        elif (value := changes.pop(item[0])) is not None:
            out.append((item[0], value))
    return out + [item for item in changes.items() if item[1] is not None]


EMPTY_PRIMARY = header([("SIMPLE", True), ("BITPIX", 8), ("NAXIS", 0), ("EXTEND", True)])


def axis_cards(stem, shape):
    return [(stem, len(shape))] + [(f"{stem}{i + 1}", extent) for i, extent in enumerate(reversed(shape))]
