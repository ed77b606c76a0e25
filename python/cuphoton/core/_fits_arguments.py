"""What the functions of `fits_io` accept: HDU numbers, sections, and what they say to everything else."""
import operator
import os
from pathlib import Path


def resolved(path):
    return Path(os.fsdecode(path)).expanduser().resolve()


def _integer(value):
    """The int of anything that counts; None for what does not, bools included (NumPy's too)."""
    if type(value).__name__ in ("bool", "bool_"):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def number_of(hdu):
    number = _integer(hdu)
    if number is None:
        raise ValueError(f"an HDU is selected by its number, counted from 0, not by {hdu!r}")
    if number < 0:
        raise ValueError(f"HDU numbers start at 0, not {number}")
    return number


def numbers_of(hdus):
    if isinstance(hdus, (str, bytes)) or not hasattr(hdus, "__iter__"):
        raise ValueError(f"hdus must be a sequence of HDU numbers, not {hdus!r}")
    numbers = tuple(number_of(hdu) for hdu in hdus)
    if not numbers:
        raise ValueError("hdus is empty: name at least one HDU")
    return numbers


def _bound(value, what):
    number = _integer(value)
    if number is None:
        raise ValueError(f"section: {what} must be an integer, not {value!r}")
    return number


def _axis(part):
    """(start, stop, step) of one slice."""
    if not isinstance(part, slice):
        raise ValueError(f"section must hold slices, not {part!r}")
    step = 1 if part.step is None else _bound(part.step, "the step")
    if step < 1:
        raise ValueError(f"section: the step must be 1 or more, not {step}; reverse the array afterwards")
    return _bound(part.start, "the start"), _bound(part.stop, "the stop"), step


def check_slices(section):
    """What can be said of a section before any image is known."""
    if section is None:
        return
    if not isinstance(section, tuple) or not section:
        raise ValueError("section must be None or a tuple with a slice for each axis, such as "
                         f"(slice(0, 100), slice(50, 150)), not {section!r}")
    for part in section:
        _axis(part)


def section_shape(info, section):
    """Shape of what is read; ValueError where the section does not lie inside the image."""
    if section is None:
        return info.shape
    where = f"{info.path}: HDU {info.hdu}"
    if len(section) != len(info.shape):
        raise ValueError(f"{where}: section has {len(section)} slices, the image has the shape {info.shape}")
    shape = []
    for axis, (part, extent) in enumerate(zip(section, info.shape)):
        start, stop, step = _axis(part)
        if not 0 <= start < stop <= extent:
            raise ValueError(f"{where}: section: axis {axis}: 0 <= start < stop <= {extent} does not hold for "
                             f"{start}:{stop}")
        shape.append(len(range(start, stop, step)))
    return tuple(shape)


def no_image(path):
    return ValueError(f"{path}: there is no image with pixels in the file")


def no_hdu(path, number, count):
    return ValueError(f"{path}: there is no HDU {number}: the file holds {count}, counted from 0")


def not_an_image(path, number, kind, shape):
    held = f"an image without pixels, shape {tuple(shape)}" if shape else f"no image but {kind}"
    return ValueError(f"{path}: HDU {number} holds {held}; inspect_fits_images lists the images")
