"""Small FITS files card by card, for tests that run the command. Standard library only."""


def block(data, fill=b"\0"):
    """Filled up to a multiple of 2880 bytes."""
    return data + fill * (-len(data) % 2880)


def header(cards):
    """A card is KEYWORD=VALUE; values end in column 30, texts in quotes begin in column 11."""
    lines = []
    for card in cards:
        key, value = card.split("=", 1)
        lines.append(f"{key:<8}= " + (value if value.startswith("'") else value.rjust(20)))
    return block("".join(line.ljust(80) for line in (*lines, "END")).encode(), b" ")


def hdu(cards, data=b""):
    return header(cards) + block(data)


EMPTY = ("SIMPLE=T", "BITPIX=8", "NAXIS=0")


def table_cards(row_bytes, rows, forms, heap_bytes=0):
    """A binary table; forms are TFORM values."""
    return ("XTENSION='BINTABLE'", "BITPIX=8", "NAXIS=2", f"NAXIS1={row_bytes}", f"NAXIS2={rows}", f"PCOUNT={heap_bytes}",
            "GCOUNT=1", f"TFIELDS={len(forms)}", *(f"TFORM{n}='{form:<8}'" for n, form in enumerate(forms, 1)))
