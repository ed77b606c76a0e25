"""FITS images of one file as NumPy or CuPy arrays, by a reader of the caller's choice.

    from cuphoton.core.fits_io import read_fits_images
    result = read_fits_images("exposure.fits", [1], reader="auto")
    pixels, about = result.arrays[0], result.metadata()

Three policies. "astropy" reads with Astropy and never imports `cuphoton.xdr`. "xdr" needs the GPU engine of xDR and raises
with every reason where it cannot run. "auto" takes the GPU engine, else xDR's host engine; Astropy only where the native
module cannot be imported, or where the whole file is compressed in a way that xDR does not unpack. Whichever reads, values
and types are the same, and no second reader is tried once the first has started.

This is the only module of the project that reads with Astropy, which it imports when it is needed.
"""
import logging

from cuphoton.core import _fits_arguments as arguments
from cuphoton.core._fits_header import AstropyHeader
from cuphoton.core._fits_memory import Memory
from cuphoton.core._fits_types import FitsImageInfo, FitsReadResult
from cuphoton.core._fits_xdr import XdrFile, unsupported
from cuphoton.core.fits_options import normalize_xdr_options

__all__ = ["FitsImageInfo", "FitsReadResult", "inspect_fits_image", "inspect_fits_images", "read_fits_images",
           "validate_fits_reader"]

READERS = ("astropy", "auto", "xdr")
_log = logging.getLogger("cuphoton.xdr")


def validate_fits_reader(reader):
    """The name of a reader, as given. ValueError for anything else."""
    if not isinstance(reader, str) or reader not in READERS:
        raise ValueError(f"reader must be one of {', '.join(READERS)}, not {reader!r}")
    return reader


def inspect_fits_images(path):
    """Every image HDU with at least one axis and no axis of length 0, in file order, as a tuple of `FitsImageInfo`.

    Reads headers only. OSError where the file cannot be read; FitsFileError (an OSError and ValueError) where it is no
    FITS file or its structure breaks before the end, since then the list would not be whole.
    """
    with _opened(arguments.resolved(path)) as file:
        return file.images()


def inspect_fits_image(path, hdu=None):
    """The image HDU with this number, counted from 0, or the first. ValueError where it holds no image with pixels."""
    if hdu is not None:
        hdu = arguments.number_of(hdu)
    with _opened(arguments.resolved(path)) as file:
        return file.first() if hdu is None else file.image(hdu)


def read_fits_images(path, hdus, *, reader="astropy", device=False, section=None, stream=None, xdr_options=None):
    """Reads image HDUs of one file, by their numbers counted from 0. Returns a `FitsReadResult`.

    Arrays are native-endian and own their memory: NumPy's, or with `device=True` CuPy's from the caller's current CuPy
    allocator and device, complete on return whichever engine decoded. `stream` (default: CuPy's current one) is where
    they are allocated and what they are ordered after; it has no meaning for host arrays.
    `section`: a slice with numbers, 0 <= start < stop <= size, for each axis, slowest first, the same box in every HDU.
    `xdr_options`: see `cuphoton.core.fits_options`; checked and recorded, but without effect where Astropy reads.

    ValueError for a wrong argument, checked in the order reader, xdr_options, hdus, section, and before any pixel is read;
    UnsupportedError (a RuntimeError and ValueError) with `.reasons` where the reader cannot read an image, or where
    `device=True` finds no CuPy or GPU; CorruptImageError and OSError from the reading itself, as they are.
    """
    validate_fits_reader(reader)
    options = normalize_xdr_options(xdr_options)
    numbers = arguments.numbers_of(hdus)
    arguments.check_slices(section)
    path = arguments.resolved(path)
    file, reason = (_AstropyFile(path), None) if reader == "astropy" else _policy(path, required=reader == "xdr")
    with file:
        infos = {number: file.image(number) for number in numbers}
        shapes = {number: arguments.section_shape(info, section) for number, info in infos.items()}
        file.prepare(infos.values(), section, reader == "xdr", options)
        with Memory(device, stream) as memory:
            read = {number: file.read(info, shapes[number], memory) for number, info in infos.items()}
    receipts = tuple(read[number][1] for number in numbers) if file.reader == "xdr" else ()
    return FitsReadResult(
        arrays=tuple(read[number][0] for number in numbers), infos=tuple(infos[number] for number in numbers),
        reader=file.reader, requested_reader=reader, fallback_reason=reason or _reasons_of(receipts),
        device=bool(device), xdr_options=options, receipts=receipts)


def _policy(path, required):
    """The file with the reader that reads it under "auto", or under "xdr" if `required`, and why it is not xDR."""
    try:
        from cuphoton.xdr import _native

        _native.load()
    except (ImportError, RuntimeError) as problem:
        reason = f"unavailable: {problem}"
        if required:
            raise unsupported(f"{path}: reader='xdr': {reason}", path) from problem
    else:
        file, refused = XdrFile.open(path)
        if file is not None:
            return file, None
        if required:
            raise refused
        reason = str(refused)
        _log.debug("%s: read by Astropy: %s", path, reason)
        return _AstropyFile(path, refused), reason
    _log.debug("%s: read by Astropy: %s", path, reason)
    return _AstropyFile(path), reason


def _opened(path):
    return _policy(path, required=False)[0]


def _reasons_of(receipts):
    """Why better engines were passed over, each reason once; None where none was."""
    said = {f"{reason['code']}: {reason['detail']}": None for receipt in receipts for reason in receipt["reasons"]}
    return "; ".join(said) or None


class _AstropyFile:
    """Astropy's view of the file."""

    reader = "astropy"

    def __init__(self, path, refused=None):
        from astropy.io import fits

        self.path, self.refused, self.fits = path, refused, fits
        try:
            self.file = fits.open(path, memmap=False)
        except ModuleNotFoundError as missing:  # what Astropy unpacks .Z with
            if refused is None:
                raise
            raise unsupported(f"{refused}; or let Astropy read it: {missing}", path, None, refused.reasons) from missing

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.file.close()

    def _is_image(self, hdu):
        kinds = (self.fits.PrimaryHDU, self.fits.ImageHDU, self.fits.CompImageHDU)
        return isinstance(hdu, kinds) and not isinstance(hdu, self.fits.GroupsHDU) and len(hdu.shape) > 0 \
            and 0 not in hdu.shape

    def _info(self, number):
        hdu = self.file[number]
        compressed = isinstance(hdu, self.fits.CompImageHDU)
        return FitsImageInfo(
            path=self.path, hdu=number, shape=tuple(int(extent) for extent in hdu.shape), dtype=_scaled_dtype(hdu.header),
            header=AstropyHeader(hdu.header), compression=str(hdu.compression_type).upper() if compressed else None,
            xdr_unsupported_reason=str(self.refused) if self.refused else None)

    def images(self):
        return tuple(self._info(number) for number, hdu in enumerate(self.file) if self._is_image(hdu))

    def first(self):
        for number, hdu in enumerate(self.file):
            if self._is_image(hdu):
                return self._info(number)
        raise arguments.no_image(self.path)

    def image(self, number):
        try:
            hdu = self.file[number]
        except IndexError:
            raise arguments.no_hdu(self.path, number, len(self.file)) from None
        if not self._is_image(hdu):
            raise arguments.not_an_image(self.path, number, type(hdu).__name__, getattr(hdu, "shape", ()))
        return self._info(number)

    def prepare(self, infos, section, required, options):
        """Nothing is known to be refused before it is read, and the options say nothing to Astropy."""
        self.section = section

    def read(self, info, shape, memory):
        """(array, None), in native byte order and bit for bit what the library makes of the image."""
        import numpy

        hdu = self.file[info.hdu]
        has_blank_0 = hdu.header["BITPIX"] > 0 and info.dtype.kind == "f" and _last(hdu.header, "BLANK", None) == 0
        pixels = self._cut(hdu)  # takes the scaling out of the header
        if not pixels.dtype.isnative:
            pixels = pixels.byteswap().view(pixels.dtype.newbyteorder("="))  # bits, not values: NaNs keep theirs
        pixels = numpy.require(pixels, requirements=["C", "OWNDATA", "WRITEABLE"])
        if has_blank_0:
            self._apply_blank_0(info, pixels)
        if pixels.shape != shape or pixels.dtype != info.dtype:
            raise RuntimeError(f"{self.path}: HDU {info.hdu}: Astropy gave {pixels.dtype} {pixels.shape}, the header says "
                               f"{info.dtype} {shape}")
        return memory.holding(pixels), None

    def _cut(self, hdu):
        """The section as Astropy gives it, in any byte order.

        Steps are taken by NumPy, since Astropy gives other types for some of them; and of a plain image whole rows are
        read, at once, since Astropy would fetch the rows of a box one by one.
        """
        import numpy

        if self.section is None:
            return numpy.asarray(hdu.data)
        if isinstance(hdu, self.fits.CompImageHDU):
            box = tuple(slice(part.start, part.stop) for part in self.section)
            steps = tuple(slice(None, None, part.step) for part in self.section)
        else:
            first, *others = self.section
            box, steps = slice(first.start, first.stop), (slice(None, None, first.step), *others)
        return numpy.asarray(hdu.section[box])[steps]

    def _apply_blank_0(self, info, pixels):
        """Astropy makes room for NaN where BLANK is 0, but does not write it: it takes 0 for "no BLANK"."""
        with self.fits.open(self.path, memmap=False, do_not_scale_image_data=True) as stored:
            pixels[self._cut(stored[info.hdu]) == 0] = float("nan")


def _last(header, keyword, otherwise):
    """Where a keyword appears more than once, Astropy scales by the last card and its header gives the first."""
    return header[keyword, header.count(keyword) - 1] if keyword in header else otherwise


def _scaled_dtype(header):
    """numpy.dtype of scaled pixels by the keywords of an image."""
    import numpy

    bitpix, scale, zero = header["BITPIX"], _last(header, "BSCALE", 1), _last(header, "BZERO", 0)
    if bitpix < 0:
        return numpy.dtype(f"f{-bitpix // 8}")
    if scale == 1 and bitpix == 8 and zero == -128:
        return numpy.dtype("i1")
    if scale == 1 and bitpix > 8 and zero == 1 << (bitpix - 1):
        return numpy.dtype(f"u{bitpix // 8}")
    if scale != 1 or zero != 0 or type(_last(header, "BLANK", None)) is int:
        return numpy.dtype("f4" if bitpix <= 16 else "f8")
    return numpy.dtype("u1" if bitpix == 8 else f"i{bitpix // 8}")
