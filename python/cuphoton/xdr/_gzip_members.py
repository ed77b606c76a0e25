"""`gpu_gzip_decompress_batch`: many gzip members that lie in one device buffer, decoded into one dense device buffer.

The members become tiles of tile-compressed images in memory, so that the engines and their checks decode them. That costs
a download of the compressed bytes and one launch for each run of members of equal size: correct on every GPU, and meant
for code that already calls it. Files are read without the detour, by `cuphoton.xdr.read`.
"""
import itertools
import os
import warnings
import zlib

from cuphoton.xdr import _gpu, _native
from cuphoton.xdr._controls import check_controls
from cuphoton.xdr.errors import CorruptImageError, UnsupportedError, make_error

_MOST_HEADER_BYTES = 1 << 20
_HEADER, _TRAILER = 10, 8
_warned = False


def gpu_gzip_decompress_batch(d_concat, rel_offsets, lengths, uncompressed_sizes, *, gzip_wrapped=True,
                              gzip_decoder="auto", decompression_backend="auto", use_cpp_helper="auto",
                              use_native_pool=False, keepalive=None, header_sizes=None):
    """Decodes the members d_concat[offset : offset + length]. Returns (uint8 CuPy array, int64 NumPy offsets): decoded
    members one after another in the order of the tables, and where each begins.

    `d_concat`: one axis of uint8 in GPU memory; work that CuPy's current stream holds is waited for, the result is
    complete. Tables: one axis, whole numbers. ValueError for wrong tables and gzip headers, CorruptImageError for
    a member that does not give exactly its size. `gzip_wrapped=False` (raw DEFLATE) and `use_cpp_helper=False` decode with
    Python's zlib, and so does "auto" without the native module, with one RuntimeWarning; True is a RuntimeError there.
    `use_native_pool` and `keepalive` have no effect: the result is CuPy's, and nothing is in flight on return.
    """
    controls = {"gzip_decoder": gzip_decoder, "decompression_backend": decompression_backend}
    check_controls(controls)
    if not (use_cpp_helper is True or use_cpp_helper is False or use_cpp_helper == "auto"):
        raise ValueError(f"use_cpp_helper must be 'auto', True or False, not {use_cpp_helper!r}")
    if not gzip_wrapped and (gzip_decoder == "gzip" or header_sizes is not None):
        raise ValueError("gzip_decoder='gzip' and header_sizes are for gzip members, not for raw DEFLATE")
    offsets, counts, sizes = (_table(name, values) for name, values in (
        ("rel_offsets", rel_offsets), ("lengths", lengths), ("uncompressed_sizes", uncompressed_sizes)))
    if not len(offsets) == len(counts) == len(sizes):
        raise ValueError(f"tables differ in length: {len(offsets)} offsets, {len(counts)} lengths, {len(sizes)} sizes")
    if sum(sizes) >= 1 << 63:
        raise ValueError("the decoded members together are longer than an array can be")
    native = _use_native(use_cpp_helper, gzip_wrapped)
    cupy = _gpu.load()
    if not isinstance(d_concat, cupy.ndarray):
        if not hasattr(d_concat, "__cuda_array_interface__"):
            raise ValueError(f"d_concat must lie in GPU memory, not {type(d_concat).__name__}")
        d_concat = cupy.asarray(d_concat)
    if d_concat.ndim != 1 or d_concat.dtype != "uint8":
        raise ValueError(f"d_concat must have one axis of uint8, not {d_concat.dtype} of shape {d_concat.shape}")
    for tile, (offset, length) in enumerate(zip(offsets, counts)):
        if offset + length > d_concat.size:
            raise ValueError(f"member {tile} ends at byte {offset + length}, the buffer has {d_concat.size}")
    starts = list(itertools.accumulate(sizes, initial=0))
    stream = cupy.cuda.get_current_stream()
    out = cupy.empty(starts[-1], dtype="uint8")
    if sizes:
        data = memoryview(cupy.asnumpy(d_concat))
        members = [data[offset:offset + length] for offset, length in zip(offsets, counts)]
        if gzip_wrapped:
            _check_headers(members, header_sizes)
        # A trailer with another size, or bytes behind the trailer: zlib judges that member by itself.
        plain = all(int.from_bytes(member[-4:], "little") == size for member, size in zip(members, sizes))
        if native and plain and 0 not in sizes:
            _decode_natively(members, sizes, starts, out, stream, controls)
        else:
            _require_builtin(controls)
            out.set(_decode_by_zlib(members, sizes, gzip_wrapped))
            stream.synchronize()
    elif header_sizes is not None:
        _check_headers([], header_sizes)
    return out, _numpy().array(starts[:-1], dtype="int64")


def _numpy():
    import numpy

    return numpy


def _table(name, values):
    """Whole numbers from 0 to 2^63 - 1 as a list of Python's."""
    numpy = _numpy()
    values = values.get() if hasattr(values, "get") else values  # a table on the GPU
    if isinstance(values, (list, tuple)) and any(isinstance(value, (bool, numpy.bool_)) for value in values):
        raise ValueError(f"{name} must hold whole numbers, not truth values")
    table = numpy.asarray(values)
    if table.ndim != 1:
        raise ValueError(f"{name} must have one axis, not {table.ndim}")
    if table.size == 0:
        return []
    if table.dtype.kind not in "iuf" or (table.dtype.kind == "f" and not (numpy.isfinite(table).all()
                                                                          and (table == numpy.floor(table)).all())):
        raise ValueError(f"{name} must hold whole numbers")
    numbers = [int(value) for value in table]
    if min(numbers) < 0 or max(numbers) >= 1 << 63:
        raise ValueError(f"{name} must hold numbers from 0 to 2^63 - 1")
    return numbers


def _use_native(use_cpp_helper, gzip_wrapped):
    global _warned
    if use_cpp_helper is True:
        _native.load()
    if use_cpp_helper is False or not gzip_wrapped:
        return False
    if not _native.available() and not _warned:
        _warned = True
        if os.environ.get("CUPHOTON_XDR_SILENCE_CPP_FALLBACK", "").strip().lower() not in ("1", "true", "yes"):
            warnings.warn("the native module is missing: gzip members are decoded by Python's zlib", RuntimeWarning,
                          stacklevel=3)
    return _native.available()


def _require_builtin(controls):
    asked = [f"{name}={value!r}" for name, value in controls.items() if value not in ("auto", "builtin", "cuda")]
    if asked:
        raise UnsupportedError(f"{', '.join(asked)} needs gzip members whose trailers give the sizes, and the native module")


def _header_bytes(tile, member):
    """Length of a member's header (RFC 1952); ValueError where it is none."""
    def refuse(why):
        raise ValueError(f"member {tile}: {why}")

    if len(member) < _HEADER + 2 + _TRAILER:
        refuse(f"{len(member)} bytes are too short for a gzip member")
    if member[0] != 0x1F or member[1] != 0x8B:
        refuse("it does not begin as a gzip member")
    if member[2] != 8 or member[3] & 0xE0:
        refuse("unknown compression method or reserved flags in its gzip header")
    flags, end, limit = member[3], _HEADER, min(len(member), _MOST_HEADER_BYTES + 1)
    if flags & 4:
        end += 2 + int.from_bytes(member[end:end + 2], "little")
    for text in (8, 16):  # name, comment: each ends with a zero
        while flags & text:
            if end >= limit:
                refuse("its gzip header does not end")
            end += 1
            if member[end - 1] == 0:
                break
    end += 2 if flags & 2 else 0
    if end > _MOST_HEADER_BYTES:
        refuse("its gzip header is longer than 1 MiB")
    if end + 2 + _TRAILER > len(member):
        refuse("its gzip header leaves no bytes to decode")
    return end


def _check_headers(members, header_sizes):
    if header_sizes is None:
        for tile, member in enumerate(members):
            _header_bytes(tile, member)
        return
    given = _table("header_sizes", header_sizes)
    if len(given) != len(members):
        raise ValueError(f"header_sizes has {len(given)} entries for {len(members)} members")
    for tile, (size, member) in enumerate(zip(given, members)):
        if not _HEADER <= size <= len(member) - _HEADER:
            raise ValueError(f"header_sizes: {size} of member {tile} is not from 10 to its length - 10")
        if size != _header_bytes(tile, member):
            raise ValueError(f"header_sizes: member {tile} has a header of {_header_bytes(tile, member)} bytes, not {size}")


def _image_of(members, size):
    """A file whose only image has the members as its tiles: `size` uint8 pixels each (FITS 4.0, section 10)."""
    numpy = _numpy()
    lengths = numpy.array([len(member) for member in members], dtype=">i8")
    rows = numpy.stack([lengths, numpy.cumsum(lengths) - lengths], axis=1).astype(">i8")
    cards = [("XTENSION", "'BINTABLE'"), ("BITPIX", 8), ("NAXIS", 2), ("NAXIS1", 16), ("NAXIS2", len(members)),
             ("PCOUNT", lengths.sum()), ("GCOUNT", 1), ("TFIELDS", 1), ("TTYPE1", "'COMPRESSED_DATA'"),
             ("TFORM1", "'1QB'"), ("ZIMAGE", "T"), ("ZCMPTYPE", "'GZIP_1'"), ("ZBITPIX", 8), ("ZNAXIS", 1),
             ("ZNAXIS1", size * len(members)), ("ZTILE1", size)]
    primary = [("SIMPLE", "T"), ("BITPIX", 8), ("NAXIS", 0), ("EXTEND", "T")]
    return b"".join([_header(primary), _header(cards), rows.tobytes(), *members])


def _header(cards):
    text = "".join(f"{name:8}= {value!s:>20}".ljust(80) for name, value in cards) + "END".ljust(80)
    return text.ljust(-(-len(text) // 2880) * 2880).encode()


def _decode_natively(members, sizes, starts, out, stream, controls):
    from cuphoton.xdr._file import File

    first = 0
    for size, run in itertools.groupby(sizes):
        count = len(list(run))
        with File(_image_of(members[first:first + count], size)) as file:
            try:
                file[1].read(out=out[starts[first]:starts[first + count]], stream=stream, **controls)
            except CorruptImageError as fault:
                tile = first + (fault.tile or 0)
                text = f"member {tile}: {fault}"
                raise make_error("tile_corrupt", text, text, None, None, tile, fault.reasons, 0) from fault
        first += count


def _decode_by_zlib(members, sizes, gzip_wrapped):
    decoded = []
    for tile, (member, size) in enumerate(zip(members, sizes)):
        decoder = zlib.decompressobj(31 if gzip_wrapped else -15)
        try:
            pixels = decoder.decompress(member, size + 1)  # one more than there may be, so that too many are seen
            why = None if decoder.eof and len(pixels) == size else f"it does not hold exactly {size} bytes"
        except zlib.error as fault:
            why = str(fault)
        if why:
            raise make_error("tile_corrupt", f"member {tile}: {why}", why, None, None, tile, (), 0)
        decoded.append(pixels)
    return _numpy().frombuffer(b"".join(decoded), dtype="uint8")
