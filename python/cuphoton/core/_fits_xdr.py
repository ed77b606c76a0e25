"""xDR as a reader of `fits_io`. Nothing of `cuphoton.xdr` is imported before it is used."""
import json
import os

from cuphoton.core import _fits_arguments as arguments
from cuphoton.core._fits_types import FitsImageInfo


# Two spellings of one codec; Astropy says the standard's.
_CODEC_NAMES = {"RICE_ONE": "RICE_1"}


def unsupported(text, path=None, hdu=None, reasons=()):
    from cuphoton.xdr import errors

    return errors.make_error("unsupported", text, text, None if path is None else os.fspath(path), hdu, None, reasons, 0)


class XdrFile:
    """The library's view of the file."""

    reader = "xdr"

    def __init__(self, path, file):
        self.path, self.file, self.plans = path, file, {}

    @classmethod
    def open(cls, path):
        """(file, None), or (None, the error) where the whole file is compressed in a way that xDR does not unpack."""
        from cuphoton.xdr import _file, errors

        try:
            file = _file.File(path)
            file.info
        except errors.UnsupportedError as refused:
            if [reason.code for reason in refused.reasons] != ["externally_compressed"]:
                raise
            return None, refused
        return cls(path, file), None

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.file.close()

    def _info(self, hdu):
        codec = (hdu.codec or "").upper() or None
        return FitsImageInfo(
            path=self.path, hdu=hdu.index, shape=tuple(hdu.shape), dtype=hdu.dtype, header=hdu.header,
            compression=_CODEC_NAMES.get(codec, codec),
            xdr_unsupported_reason="; ".join(reason.detail for reason in hdu.reasons) or None)

    def _raise_problem(self, index=-1):
        from cuphoton.xdr import _native

        _native.load().raise_problem(self.file.info, index)

    def images(self):
        for hdu in self.file:
            self._raise_problem(hdu.index)
        self._raise_problem()
        return tuple(self._info(hdu) for hdu in self.file.images)

    def first(self):
        for hdu in self.file.images:
            return self._info(hdu)
        self._raise_problem()
        raise arguments.no_image(self.path)

    def image(self, number):
        if number >= len(self.file):
            self._raise_problem()
            raise arguments.no_hdu(self.path, number, len(self.file))
        hdu = self.file[number]
        self._raise_problem(number)
        if hdu.index not in [image.index for image in self.file.images]:
            raise arguments.not_an_image(self.path, number, hdu.kind, hdu.shape)
        return self._info(hdu)

    def _request(self, info, stream=0):
        from cuphoton.xdr import _native
        from cuphoton.xdr._controls import check_controls

        request = _native.load().Request(index=info.hdu, engine=self.engine, stream=stream, **check_controls(self.options))
        if self.section is not None:
            request.set_section(self.section, info.shape)
        return request

    def prepare(self, infos, section, required, options):
        """Plans every image, before a pixel of any is read.

        UnsupportedError with all that stands against one of them, and if the GPU engine is `required` what stands against
        that.
        """
        from cuphoton.xdr import _native

        native = _native.load()
        self.section, self.engine, self.options = section, "gpu" if required else "auto", options
        for info in infos:
            self.plans[info.hdu] = native.plan(self.file._source_open(), self._request(info))
        reasons = [reason for plan in self.plans.values() for reason in plan.reasons]
        if required and not reasons:
            unavailable = native.capabilities().device
            reasons = [] if unavailable is None else [unavailable]
        if reasons:
            said = "; ".join(f"{reason.code}: {reason.detail}" for reason in reasons)
            what = "reader='xdr' needs the GPU engine of xDR" if required else "xDR cannot read what is asked for"
            raise unsupported(f"{self.path}: {what}: {said}", self.path, reasons[0].hdu, reasons)

    def read(self, info, shape, memory):
        """(array, receipt). Memory comes first, then the library fills it.

        A library that cannot use the GPU (built without CUDA, or for others) fills host memory, which CuPy copies.
        """
        from cuphoton.xdr import _native

        native = _native.load()
        pixels = memory.empty(shape, info.dtype, native.capabilities().device is None)
        request, plan = self._request(info, memory.stream_number), self.plans[info.hdu]
        try:
            receipt = json.loads(native.read_to(self.file._source_open(), request, pixels, plan))
            return memory.holding(pixels), receipt
        except ValueError as fault:
            if getattr(fault, "code", None) != "shape_mismatch":
                raise
            raise RuntimeError(f"{self.path}: HDU {info.hdu} is not what its header said: {fault}") from fault
