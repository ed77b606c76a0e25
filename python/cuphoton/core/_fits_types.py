"""The plain data that `fits_io` hands out."""
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class FitsImageInfo:
    """One image HDU, known from headers alone.

    `dtype` is that of the pixels as they are read, BSCALE, BZERO and BLANK applied; `shape` has the slowest axis first.
    `header` describes the image (of a compressed one: not its table), a read-only mapping with `.comments`, `.cards` and
    `.to_astropy()`. `compression` is ZCMPTYPE or None. `xdr_unsupported_reason` says why xDR refuses the image; None where
    it does not, and where Astropy listed the file, since then nobody asked xDR.
    """

    path: Path
    hdu: int
    shape: tuple
    dtype: object
    header: object = field(repr=False, compare=False)
    compression: str | None
    xdr_unsupported_reason: str | None


@dataclass(frozen=True, eq=False)
class FitsReadResult:
    """Arrays in the order of the selectors, and how they came to be. An HDU selected twice is the same array twice.

    `reader` is the one that read, "astropy" or "xdr"; `fallback_reason` says why nothing better did, None where nothing
    better was asked for. `receipts` holds xDR's receipt of each array, as a dict; it is empty where Astropy read.
    """

    arrays: tuple
    infos: tuple
    reader: str
    requested_reader: str
    fallback_reason: str | None
    device: bool
    xdr_options: dict
    receipts: tuple = ()

    @property
    def engine(self):
        """"gpu", "host", "gpu+host" where HDUs differ, or "astropy"."""
        return "+".join(sorted({receipt["engine"] for receipt in self.receipts})) or "astropy"

    def metadata(self):
        """The receipt as plain data for JSON. Makes no claim about physical I/O.

        `xdr_options` is there only if some were given, and holds what was asked for, whoever read. The shapes are those
        of the arrays; `decoded_bytes` counts an array as often as it was selected.
        """
        facts = {
            "reader": self.reader,
            "requested_reader": self.requested_reader,
            "engine": self.engine,
            "location": "device" if self.device else "host",
            "fallback_reason": self.fallback_reason,
            "hdus": [{"hdu": info.hdu, "shape": [int(extent) for extent in array.shape], "dtype": array.dtype.str,
                      "compression": info.compression} for info, array in zip(self.infos, self.arrays)],
            "decoded_bytes": sum(int(array.nbytes) for array in self.arrays),
        }
        if self.xdr_options:
            facts["xdr_options"] = dict(self.xdr_options)
        return facts
