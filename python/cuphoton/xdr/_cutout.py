"""Keywords of a cut-out: where its pixels lie on the sky and in the image they came from."""
import re

from cuphoton.xdr.errors import UnsupportedError

# A pixel p of the image (FITS counts from 1) is pixel (p - 1 - start) / step + 1 of a cut-out. Everything below follows:
# reference pixels move like that, and what multiplies pixels along an axis grows by its step.
_TABLES = re.compile(r"(CPDIS|CQDIS|D2IMDIS)\d+[A-Z]?|D2IM\d+|AXISCORR")
_OF_AXIS = re.compile(r"(CTYPE|CRPIX|CRVAL|CDELT|CUNIT|CROTA)(\d+)([A-Z]?)|(CD|PC)(\d+)_(\d+)([A-Z]?)")
_SIP = re.compile(r"(AP?|BP?)_(\d+)_(\d+)")


def _wcs_of(values):
    """Letters ("" and A to Z) of the coordinate systems that a header has."""
    found = (_OF_AXIS.fullmatch(keyword) for keyword in values)
    return sorted({match[3] or match[7] or "" for match in found if match})


def _number(values, keyword, otherwise):
    value = values.get(keyword, otherwise)
    return otherwise if isinstance(value, (str, bool)) or value is None else value


def _linear_axis(values, axis, letter, start, step):
    """New values of one axis of one coordinate system."""
    changed = {f"CRPIX{axis}{letter}": (_number(values, f"CRPIX{axis}{letter}", 0.0) - 1 - start) / step + 1}
    if step == 1:
        return changed
    columns = {kind: [key for key in values if re.fullmatch(rf"{kind}\d+_{axis}{letter}", key)] for kind in ("CD", "PC")}
    if any(re.fullmatch(rf"CD\d+_\d+{letter}", key) for key in values):
        changed.update({key: _number(values, key, 0.0) * step for key in columns["CD"]})
    elif any(re.fullmatch(rf"PC\d+_\d+{letter}", key) for key in values):
        # With a rotation the pixel's scale belongs to the column; CDELT is the scale of the world axis.
        diagonal = f"PC{axis}_{axis}{letter}"
        changed.update({key: _number(values, key, 0.0) * step for key in {*columns["PC"], diagonal} - {diagonal}})
        changed[diagonal] = _number(values, diagonal, 1.0) * step
    else:
        changed[f"CDELT{axis}{letter}"] = _number(values, f"CDELT{axis}{letter}", 1.0) * step
    return changed


def _distortion(values, steps):
    """SIP coefficients are for pixels of the image: a power of each step more, one of their own axis less."""
    changed = {}
    for key in values:
        match = _SIP.fullmatch(key)
        if match:
            own = steps[0] if match[1].startswith("A") else steps[1]
            changed[key] = _number(values, key, 0.0) * steps[0] ** int(match[2]) * steps[1] ** int(match[3]) / own
    return changed


def _physical_axis(values, axis, start, step):
    """IRAF's way back to the pixels of the image: cut-out = LTM * image + LTV."""
    changed = {f"LTV{axis}": (_number(values, f"LTV{axis}", 0.0) - 1 - start) / step + 1}
    if step != 1:
        rows = {key for key in values if re.fullmatch(rf"LTM{axis}_\d+", key)} | {f"LTM{axis}_{axis}"}
        for key in rows:
            changed[key] = _number(values, key, 1.0 if key == f"LTM{axis}_{axis}" else 0.0) / step
    return changed


def cutout_keywords(values, ranges):
    """Keyword -> new value for the cut-out `ranges`, (start, step, pixels) of each axis, slowest first."""
    axes = list(reversed(ranges))
    moved = any(start or step != 1 for start, step, _ in axes)
    tables = [key for key in values if _TABLES.fullmatch(key)]
    if moved and tables:
        raise UnsupportedError(f"for_section: {tables[0]} names a distortion table for pixels of the whole image, which "
                               "the header of a cut-out cannot move; use astropy.wcs on the whole image's header")
    changed = {}
    for number, (start, step, pixels) in enumerate(axes, 1):
        changed[f"NAXIS{number}"] = pixels
        if start == 0 and step == 1:
            continue
        for letter in _wcs_of(values):
            changed.update(_linear_axis(values, number, letter, start, step))
        changed.update(_physical_axis(values, number, start, step))
    steps = [step for _, step, _ in axes] + [1]
    if any(step != 1 for step in steps[:2]):
        changed.update(_distortion(values, steps))
    return changed


def _written(value):
    if isinstance(value, float):
        text = repr(value).upper()
        return text if "." in text or "E" in text or "N" in text else text + ".0"
    return str(value)


def _card(keyword, value, comment):
    text = f"{keyword:<8}= {_written(value):>20}"
    return (text + (f" / {comment}" if comment else ""))[:80].ljust(80)


def with_keywords(cards, changed):
    """Texts of `cards` (of a Header) with new values; new keywords at the end. Sums of the data do not hold any more."""
    left = dict(changed)
    texts = []
    for card in cards:
        keyword = card.keyword.upper()
        if keyword in changed:
            left.pop(keyword, None)
            texts.append(_card(keyword, changed[keyword], card.comment))
        elif keyword not in ("CHECKSUM", "DATASUM"):
            texts.extend(card.text[at:at + 80] for at in range(0, len(card.text), 80))
    return texts + [_card(keyword, value, "") for keyword, value in left.items()]
