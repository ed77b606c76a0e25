"""Files, HDUs and reading: names and Python's manners over the extension module, which does the work."""
import json
import logging
import os

from cuphoton.xdr import _native
from cuphoton.xdr._controls import check_controls
from cuphoton.xdr._header import Header
from cuphoton.xdr.errors import make_error

_log = logging.getLogger("cuphoton.xdr")


def open_source(source):
    """The native source of a path, URL, bytes-like object or file object; of a File, its own; a native one as it is."""
    if isinstance(source, File):
        return source._source_open()
    if isinstance(source, _native.load().Source):
        return source
    if isinstance(source, str) and "://" in source and not os.path.exists(source):
        try:
            import fsspec
        except ImportError as absent:
            raise ImportError(f"{source}: URLs need fsspec: pip install 'cuphoton-xdr[remote]'") from absent
        source = fsspec.open(source, "rb").open()
    return _native.load().open_source(source)


def stream_number(stream):
    """cudaStream_t of a CuPy or torch stream, of anything with `__cuda_stream__`, of a number; None: the null stream."""
    if stream is None:
        return 0
    if hasattr(stream, "__cuda_stream__"):
        return int(stream.__cuda_stream__()[1])
    for attribute in ("ptr", "cuda_stream"):
        if hasattr(stream, attribute):
            return int(getattr(stream, attribute))
    if isinstance(stream, int) and not isinstance(stream, bool):
        return stream
    raise ValueError(f"stream must be None, a CUDA stream or its address, not {type(stream).__name__}")


def selector(hdu):
    """Words of `Request` for an HDU: None, a number, a name, or (name, version)."""
    if hdu is None:
        return {}
    if isinstance(hdu, str):
        return {"name": hdu}
    if isinstance(hdu, tuple) and len(hdu) == 2 and isinstance(hdu[0], str) and not isinstance(hdu[1], (bool, str)):
        return {"name": hdu[0], "version": _number(hdu[1])}
    return {"index": _number(hdu)}


def _number(value):
    """An HDU's number from anything that counts (NumPy's integers too), but no bool."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise ValueError(f"an HDU is named by a number from 0 on, a name, or (name, version), not {value!r}")
    number = value.__index__()
    if number < 0:
        raise ValueError("HDU numbers start at 0")
    return number


def run(source, which, section, shape, *, values, engine, device, out, stream, controls):
    """One read: the pixels as an Array, or `out` itself."""
    native = _native.load()
    if out is not None and device is not None:
        raise ValueError("out decides where the pixels go: leave device away")
    request = native.Request(**which, values=values, engine=engine, device=device, stream=stream_number(stream),
                             **check_controls(controls))
    if section is not None:
        request.set_section(section, shape())
    if out is None:
        array = native.read(source, request)
        if _log.isEnabledFor(logging.DEBUG):
            _tell(array.receipt)
        return array
    receipt = native.read_to(source, request, out)
    if _log.isEnabledFor(logging.DEBUG):
        _tell(json.loads(receipt))
    return out


def _tell(receipt):
    """One line for each reason why something better was not used."""
    for reason in receipt["reasons"]:
        _log.debug("%s: HDU %s: %s: %s", receipt["file"], receipt["hdu"], reason["code"], reason["detail"])


def read(source, hdu=None, section=None, *, values="scaled", engine="auto", device=None, out=None, stream=None,
         **controls):
    """Reads one image: the first with pixels, or `hdu` (number, name or (name, version)).

    Returns an `Array`, complete and native-endian; with `out` (any writable C-ordered array of the right shape and dtype)
    that object. `section`: a slice for each axis, slowest first. `values="stored"`: without BSCALE, BZERO and BLANK.
    `engine`: "auto" (GPU, else host), "gpu" or "host". `device`: None (where the engine left it), "cpu" or "cuda:N".
    `stream`: what it holds is done before a byte of `out` is written; None is the null stream. `controls`: `postprocess`,
    `gzip_decoder`, `decompression_backend`, `gzip_crc32`.
    """
    opened = open_source(source)

    def shape():
        file = source if isinstance(source, File) else File(opened)  # opened once: a packed file is unpacked once
        return file._which(hdu).shape

    return run(opened, selector(hdu), section, shape, values=values, engine=engine, device=device, out=out,
               stream=stream, controls=controls)


class Hdu:
    """One HDU of a File; headers only until it is read."""

    def __init__(self, file, info):
        self._file, self._info = file, info
        self._header = None

    index = property(lambda self: self._info.index)
    name = property(lambda self: self._info.name)
    version = property(lambda self: self._info.version)
    kind = property(lambda self: self._info.kind)
    shape = property(lambda self: self._info.shape)
    codec = property(lambda self: self._info.codec or None, doc="ZCMPTYPE, None for a plain image")
    tile_shape = property(lambda self: self._info.tile_shape if self._info.codec else None)
    reasons = property(lambda self: self._info.reasons, doc="why no engine can read it")
    is_image = property(lambda self: self._info.kind in ("image", "compressed_image"))

    @property
    def dtype(self):
        """numpy.dtype of `read()`."""
        import numpy

        return numpy.dtype(self._info.dtype)

    @property
    def stored_dtype(self):
        """numpy.dtype of `read(values="stored")`."""
        import numpy

        return numpy.dtype(self._info.stored_dtype)

    @property
    def header(self):
        """Read-only mapping of keywords to values; of a compressed image its own, not the table's (`Header`)."""
        if self._header is None:
            cards = self._info.cards
            if self.kind == "compressed_image":
                cards = _native.load().image_header(cards)
            self._header = Header(cards)
        return self._header

    def plan(self, section=None, *, values="scaled"):
        """What reading would do, as a dict (docs/life-of-an-image.md)."""
        native = _native.load()
        request = native.Request(index=self.index, values=values)
        if section is not None:
            request.set_section(section, self.shape)
        return json.loads(native.plan_json(self._file._source_open(), request))

    def read(self, section=None, *, values="scaled", engine="auto", device=None, out=None, stream=None, **controls):
        """The pixels; see `cuphoton.xdr.read`."""
        return run(self._file._source_open(), {"index": self.index}, section, lambda: self.shape, values=values,
                   engine=engine, device=device, out=out, stream=stream, controls=controls)

    def __repr__(self):
        name = f" {self.name!r}" if self.name else ""
        if not self.is_image:
            return f"<Hdu {self.index}{name}: {self.kind}>"
        return f"<Hdu {self.index}{name}: {self._info.dtype} {self.shape}, {self.codec or 'plain'}>"


class File:
    """An opened FITS file: a sequence of HDUs. Headers are read when they are first asked for, pixels by `read`."""

    def __init__(self, source, *, io=None):
        if io is not None and not (isinstance(io, dict) and set(io) <= {"max_header_bytes"}):
            raise ValueError("io must be None or a dict with max_header_bytes")
        self._source = open_source(source)
        self._io = dict(io or {})
        self._listed = None

    def _source_open(self):
        if self._source is None:
            raise ValueError("the file is closed")
        return self._source

    @property
    def info(self):
        """The listing: `.hdus`, `.notes`, `.problem`, `.file_bytes`."""
        if self._listed is None:
            self._listed = _native.load().inspect(self._source_open(), **self._io)
        return self._listed

    @property
    def name(self):
        """Path or label."""
        return os.fspath(self._source_open().name)

    @property
    def images(self):
        """Every image HDU that holds pixels."""
        return [hdu for hdu in self if hdu.is_image and hdu.shape and 0 not in hdu.shape]

    def _which(self, hdu):
        words = selector(hdu)
        if not words:
            if not self.images:
                raise ValueError(f"{self.name}: there is no image with pixels; the file holds: {self}")
            return self.images[0]
        return self[hdu]

    def __getitem__(self, which):
        words = selector(which)
        for unit in self.info.hdus:
            if words.get("index") == unit.index:
                return Hdu(self, unit)
            wanted = words.get("name", "").upper().rstrip()
            if wanted and (unit.index == 0 if wanted == "PRIMARY" else unit.name.upper() == wanted):
                if words.get("version", unit.version) == unit.version:
                    return Hdu(self, unit)
        _native.load().raise_problem(self.info, -1)
        listing = ", ".join(f"{unit.index} {unit.kind} {unit.name}".rstrip() for unit in self.info.hdus[:20])
        text = f"there is no HDU {which!r}; the file holds: {listing}"
        raise make_error("hdu_not_found", f"{self.name}: {text}", text, self.name, None, None, (), 0)

    def __len__(self):
        return len(self.info.hdus)

    def __iter__(self):
        return (Hdu(self, unit) for unit in self.info.hdus)

    def close(self):
        """Lets go of the source. HDUs already listed keep their facts; arrays stay."""
        self._source = None

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def _rows(self):
        return [("hdu", "name", "kind", "shape", "dtype", "codec")] + [
            (str(unit.index), unit.name, unit.kind, str(unit.shape) if unit.shape else "",
             unit.dtype if unit.shape else "", unit.codec) for unit in self.info.hdus]

    def __repr__(self):
        if self._source is None:
            return "<closed File>"
        rows = self._rows()
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        lines = ["  ".join(word.ljust(width) for word, width in zip(row, widths)).rstrip() for row in rows]
        return f"<File {self.name}>\n" + "\n".join(lines)

    def _repr_html_(self):
        from html import escape

        head, *rows = self._rows() if self._source is not None else [("closed",)]
        cells = "".join(f"<th>{escape(word)}</th>" for word in head)
        body = "".join("<tr>" + "".join(f"<td>{escape(word)}</td>" for word in row) + "</tr>" for row in rows)
        return f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"


def open(source, *, io=None):  # noqa: A001: the name of the contract
    """Opens a path, bytes-like object, or object with `read` and `seek`. Returns a `File`, a context manager."""
    return File(source, io=io)
