"""cuphoton.xdr.nvcomp_batch: names of old, and many gzip members of one buffer. CuPy is played by fake_cupy."""
import gzip
import inspect
import os
import random
import subprocess
import sys
import zlib

import numpy
import pytest
from fake_cupy import cupy  # noqa: F401
from fixtures_images import images  # noqa: F401

from cuphoton.xdr import CorruptImageError, _gpu, _gzip_members, batch_to_device_stream, nvcomp_batch

decode = nvcomp_batch.gpu_gzip_decompress_batch


def payloads(sizes, seed=1):
    chooser = random.Random(seed)
    return [bytes(chooser.choice(b"abcdefgh\0\1") for _ in range(size)) for size in sizes]


def member(payload, flags=0, extra=b"xy", name=b"n", comment=b"c"):
    """A gzip member with any of the optional fields of RFC 1952."""
    head = bytes([0x1F, 0x8B, 8, flags, 0, 0, 0, 0, 0, 3])
    if flags & 4:
        head += len(extra).to_bytes(2, "little") + extra
    head += (name + b"\0" if flags & 8 else b"") + (comment + b"\0" if flags & 16 else b"")
    head += zlib.crc32(head).to_bytes(4, "little")[:2] if flags & 2 else b""
    body = zlib.compressobj(wbits=-15)
    return (head + body.compress(payload) + body.flush() + zlib.crc32(payload).to_bytes(4, "little")
            + (len(payload) % 2**32).to_bytes(4, "little"))


def packed(members, gap=3):
    """(bytes on the device, offsets, lengths): members at odd places, with bytes between them."""
    data, offsets = bytearray(b"\xEE"), []
    for one in members:
        offsets.append(len(data))
        data += one + b"\xEE" * gap
    return to_device(bytes(data)), offsets, [len(one) for one in members]


def to_device(data):
    from fake_cupy import make

    return make().asarray(numpy.frombuffer(data, dtype="u1"))


@pytest.mark.rows("NAME-6", "DEC-1")
def test_signatures():
    assert str(inspect.signature(decode)) == (
        "(d_concat, rel_offsets, lengths, uncompressed_sizes, *, gzip_wrapped=True, gzip_decoder='auto', "
        "decompression_backend='auto', use_cpp_helper='auto', use_native_pool=False, keepalive=None, header_sizes=None)")
    for name, words in [("cpp_helper_available", "()"), ("get_native_batch_builder", "(required=False)"),
                        ("get_native_plan_files", "(required=False)"), ("native_batch_builder_available", "()"),
                        ("native_plan_files_available", "()"), ("native_device_pool_stats", "(device_id=-1)"),
                        ("clear_native_device_pool", "(device_id=-1)")]:
        assert str(inspect.signature(getattr(nvcomp_batch, name))) == words
        assert name in nvcomp_batch.__all__


@pytest.mark.rows("NAME-6", "BLD-10", "STR-13")
def test_names_of_the_native_module(images):
    assert nvcomp_batch.cpp_helper_available() is True
    assert nvcomp_batch.native_batch_builder_available() is nvcomp_batch.native_plan_files_available() is True
    assert nvcomp_batch.get_native_batch_builder(required=True) is batch_to_device_stream
    plans = nvcomp_batch.get_native_plan_files()(images, [2, 1])
    assert [[plan["hdu"] for plan in file] for file in plans] == [[2, 1]] * 3
    assert [plan["file"] for plan, _ in plans] == images
    stats = nvcomp_batch.native_device_pool_stats()
    assert set(stats) == {"allocations", "reuses", "releases", "frees", "idle_buffers", "idle_bytes", "checked_out_bytes",
                          "max_idle_bytes"}
    assert stats["checked_out_bytes"] == 0 and nvcomp_batch.clear_native_device_pool() is None


@pytest.mark.rows("NAME-6", "BTS-17", "DEC-8", "ENV-CUPHOTON_XDR_SILENCE_CPP_FALLBACK")
def test_without_the_native_module(cupy, monkeypatch):
    monkeypatch.setitem(sys.modules, "cuphoton.xdr._ext", None)
    monkeypatch.delattr("cuphoton.xdr._ext", raising=False)
    assert nvcomp_batch.cpp_helper_available() is False
    assert nvcomp_batch.get_native_batch_builder() is None is nvcomp_batch.get_native_plan_files()
    assert nvcomp_batch.native_device_pool_stats() is None is nvcomp_batch.clear_native_device_pool()
    for get in (nvcomp_batch.get_native_batch_builder, nvcomp_batch.get_native_plan_files):
        with pytest.raises(RuntimeError, match="pip install"):
            get(required=True)
    data = payloads([40])
    monkeypatch.setattr(_gpu, "load", lambda: cupy)  # the answer of a process in which CuPy works
    monkeypatch.setattr(_gzip_members, "_warned", False)
    tables = (*packed([member(one) for one in data]), [40])
    for forced in (tables, (to_device(b""), [], [], [])):
        with pytest.raises(RuntimeError, match="pip install"):
            decode(*forced, use_cpp_helper=True)
    with pytest.warns(RuntimeWarning, match="native module is missing"):
        out, _ = decode(*tables)
    assert out.tobytes() == data[0]
    assert decode(*tables)[0].tobytes() == data[0]  # said once; a second warning would be an error here
    monkeypatch.setattr(_gzip_members, "_warned", False)
    monkeypatch.setenv("CUPHOTON_XDR_SILENCE_CPP_FALLBACK", "Yes")
    assert decode(*tables)[0].tobytes() == data[0]
    monkeypatch.setattr(_gzip_members, "_warned", False)
    with pytest.raises(NotImplementedError, match="gzip_decoder='gzip'"):
        decode(*tables, gzip_decoder="gzip")


@pytest.mark.rows("DEC-1", "DEC-6", "RC-17")
@pytest.mark.parametrize("helper", ["auto", True, False])
@pytest.mark.parametrize("sizes", [[100], [300] * 9, [300] * 4 + [77] * 2 + [300, 300, 5], [1, 2, 4, 8, 2, 0, 3],
                                   [2880 * 40, 7]])
def test_members_come_dense_and_in_order(cupy, sizes, helper):
    data = payloads(sizes)
    out, offsets = decode(*packed([member(one) for one in data]), sizes, use_cpp_helper=helper)
    assert isinstance(out, cupy.ndarray) and out.dtype == "u1" and out.tobytes() == b"".join(data)
    assert offsets.dtype == numpy.int64 and offsets.tolist() == [sum(sizes[:i]) for i in range(len(sizes))]


@pytest.mark.rows("DEC-1")
def test_empty_tables(cupy, monkeypatch):
    monkeypatch.setattr(_gzip_members, "_decode_natively", None)
    for buffer in (to_device(b""), to_device(b"abc")):
        out, offsets = decode(buffer, [], [], [])
        assert out.size == offsets.size == 0 and (out.dtype, offsets.dtype) == ("u1", "i8")
        decode(buffer, [], [], [], gzip_wrapped=False)


@pytest.mark.rows("DEC-1", "DEC-2")
def test_the_native_engine_is_what_decodes(cupy, monkeypatch):
    """zlib is for what the engine cannot: raw streams, padding behind a trailer, members without bytes."""
    calls = []
    monkeypatch.setattr(_gzip_members, "_decode_by_zlib", lambda *_: calls.append(1) or numpy.zeros(100, "u1"))
    one = payloads([100])[0]
    decode(*packed([gzip.compress(one)]), [100])
    assert calls == []
    decode(*packed([gzip.compress(one) + b"\xff" * 4]), [100])
    assert calls == [1]


@pytest.mark.rows("DEC-2")
@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("bad", [[[1]], [True], [1.5], [float("nan")], [float("inf")], [-1], [2**63], [2.0**63], [2**70],
                                   ["1"], [None], [1, 2], 5, [numpy.bool_(True)], numpy.array([True])])
def test_wrong_tables(cupy, place, bad):
    good = [[1], [100], [100]]
    buffer, good[0], good[1] = packed([member(payloads([100])[0])])
    good[place] = bad
    with pytest.raises(ValueError):
        decode(buffer, *good)


@pytest.mark.rows("DEC-2")
def test_a_truth_value_among_numbers(cupy):
    buffer, offsets, lengths = packed([member(payloads([100])[0]), member(b"x")])
    for wrong in ([100, True], (100, numpy.bool_(True))):
        with pytest.raises(ValueError, match="uncompressed_sizes must hold whole numbers"):
            decode(buffer, offsets, lengths, wrong)
    assert decode(buffer, offsets, lengths, [100, 1])[0].size == 101


@pytest.mark.rows("DEC-2")
def test_right_tables_of_any_kind(cupy):
    data = payloads([100, 50])
    buffer, offsets, lengths = packed([member(one) for one in data])
    for kind in (tuple, numpy.array, lambda values: numpy.array(values, "f8"), lambda values: numpy.array(values, "u8"),
                 lambda values: cupy.asarray(numpy.array(values, "i4"))):
        out, _ = decode(buffer, kind(offsets), kind(lengths), kind([100, 50]))
        assert out.tobytes() == b"".join(data)


@pytest.mark.rows("DEC-2", "PLN-12", "X-25")
def test_ranges_outside_the_buffer(cupy):
    buffer, offsets, lengths = packed([member(payloads([100])[0])], gap=0)
    for offset, length in [(offsets[0] + 1, lengths[0]), (offsets[0], lengths[0] + 1), (2**62, lengths[0]),
                           (2**63 - 1, 2**63 - 1)]:
        with pytest.raises(ValueError, match="member 0 ends at byte"):
            decode(buffer, [offset], [length], [100])
    with pytest.raises(ValueError, match="longer than an array"):
        decode(buffer, offsets * 2, lengths * 2, [2**62] * 2)
    for wrong in (buffer.reshape(1, -1), buffer.view("i1"), numpy.zeros(4, "u1"), b"1234"):
        with pytest.raises(ValueError, match="d_concat"):
            decode(wrong, offsets, lengths, [100])


@pytest.mark.rows("DEC-3")
def test_too_short_for_a_member(cupy):
    whole = member(b"")
    for length in range(20):
        with pytest.raises(ValueError, match="too short"):
            decode(to_device(whole.ljust(30, b"\0")), [0], [length], [1])


@pytest.mark.rows("DEC-4", "DEC-5")
def test_every_kind_of_header(cupy):
    data = payloads([60] * 33)
    members = [member(one, flags) for flags, one in enumerate(data[:32])]
    members.append(member(data[32], 16, comment=b"#" * 70_000))
    members = [one for one in members if not one[3] & 0xE0]
    out, _ = decode(*packed(members), [60] * len(members))
    assert out.tobytes() == b"".join(data)
    sizes = []
    for one in members:
        probe = zlib.decompressobj(-15)
        sizes.append(next(at for at in range(10, 70_100) if tries(probe.copy(), one[at:])))
    assert decode(*packed(members), [60] * len(members), header_sizes=sizes)[0].tobytes() == b"".join(data)


def tries(decoder, data):
    try:
        return len(decoder.decompress(data)) == 60 and decoder.eof and len(decoder.unused_data) == 8
    except zlib.error:
        return False


@pytest.mark.rows("DEC-4")
def test_wrong_headers(cupy):
    good = member(payloads([100])[0])
    cases = {"begin": [b"\x1e" + good[1:], good[:1] + b"\x8a" + good[2:]],
             "method or reserved": [good[:2] + b"\7" + good[3:]] + [good[:3] + bytes([1 << bit]) + good[4:]
                                                                    for bit in (5, 6, 7)],
             "does not end": [good[:3] + bytes([flag]) + b"\1" * (len(good) - 4) for flag in (8, 16)],
             "leaves no": [good[:3] + b"\4" + good[4:10] + b"\xff\xff" + good[12:],
                           good[:3] + b"\2" + good[4:10] + good[-10:]],
             "1 MiB": [member(b"x" * 100, 8, name=b"n" * (1 << 20))]}
    for why, members in cases.items():
        for one in members:
            with pytest.raises(ValueError, match=f"member 1.*{why}" if "1 MiB" not in why else "member 1"):
                decode(*packed([good, one]), [100, 100])


@pytest.mark.rows("DEC-5")
def test_wrong_header_sizes(cupy):
    one = member(payloads([100])[0])
    tables = (*packed([one]), [100])
    for wrong in ([9], [len(one) - 9], [10, 10], [], [[10]], [10.5], [True], [11]):
        with pytest.raises(ValueError, match="header_sizes"):
            decode(*tables, header_sizes=wrong)
    with pytest.raises(ValueError, match="header_sizes"):
        decode(*tables, header_sizes=[10], gzip_wrapped=False)
    with pytest.raises(ValueError, match="header_sizes"):
        decode(to_device(b""), [], [], [], header_sizes=[10])


@pytest.mark.rows("RC-6", "RC-7", "RC-8", "DEC-1")
def test_raw_deflate(cupy):
    data = payloads([100, 30, 100])
    raw = [member(one)[10:-8] for one in data]
    out, _ = decode(*packed(raw), [100, 30, 100], gzip_wrapped=False)
    assert out.tobytes() == b"".join(data)
    with pytest.raises(ValueError, match="raw DEFLATE"):
        decode(*packed(raw), [100, 30, 100], gzip_wrapped=False, gzip_decoder="gzip")
    with pytest.raises(NotImplementedError, match="gzip_decoder='deflate'"):
        decode(*packed(raw), [100, 30, 100], gzip_wrapped=False, gzip_decoder="deflate")


@pytest.mark.rows("RC-17", "RC-18", "X-17", "X-18")
@pytest.mark.parametrize("helper", [True, False])
@pytest.mark.parametrize("wrapped", [True, False])
def test_damage_is_seen_and_named(cupy, helper, wrapped):
    """A wrong size, cut streams, a flipped bit: never silent, never another member's bytes."""
    good = payloads([100, 100])
    members = [member(one)[0 if wrapped else 10:None if wrapped else -8] for one in good]
    bad = [(members[1], 99), (members[1], 101), (members[1], 200), (members[1], 50), (members[1], 0)]
    if wrapped:
        for place in (12, 30, len(members[1]) - 5, len(members[1]) - 1):
            bad.append((members[1][:place] + bytes([members[1][place] ^ 4]) + members[1][place + 1:], 100))
    bad += [(members[1][:-cut], 100) for cut in (range(1, 10) if wrapped else range(1, 4))]
    zeros = member(bytes(200))[0 if wrapped else 10:None if wrapped else -8]
    bad.append((zeros, 100))  # 200 zero bytes are no 100 wider pixels
    for broken, size in bad:
        with pytest.raises(CorruptImageError, match="member 1") as caught:
            decode(*packed([members[0], broken]), [100, size], gzip_wrapped=wrapped, use_cpp_helper=helper)
        assert caught.value.tile == 1 and caught.value.code == "tile_corrupt"


@pytest.mark.rows("DEC-7")
def test_the_current_stream_is_waited_for(cupy):
    data = payloads([100])[0]
    with cupy.cuda.Stream(33):
        out, _ = decode(*packed([member(data)]), [100], keepalive=[], use_native_pool=True)
    assert out.born_on == 33 and out.tobytes() == data


@pytest.mark.rows("DEC-8", "OPT-2", "OPT-6")
def test_wrong_words_come_first(cupy):
    for words in ({"gzip_decoder": "zstd"}, {"decompression_backend": "cpu"}, {"use_cpp_helper": "yes"},
                  {"use_cpp_helper": 1}, {"gzip_decoder": "deflate", "decompression_backend": "hardware"}):
        with pytest.raises(ValueError):
            decode(None, None, None, None, **words)


@pytest.mark.rows("STR-13", "ENV-CUPHOTON_XDR_DEVICE_POOL_MAX_BYTES")
@pytest.mark.parametrize("text, wanted", [("1000", 1000), ("0", 1), ("lots", 0), ("-5", 0), ("", 0), ("9" * 30, 0),
                                          (None, 0), ("12 ", 0)])
def test_cap_of_the_device_pool(text, wanted):
    """CUPHOTON_XDR_DEVICE_POOL_MAX_BYTES, read when the module is loaded; 0 before a device is used: the default."""
    environment = {name: value for name, value in os.environ.items() if name != "CUPHOTON_XDR_DEVICE_POOL_MAX_BYTES"}
    if text is not None:
        environment["CUPHOTON_XDR_DEVICE_POOL_MAX_BYTES"] = text
    code = "from cuphoton.xdr import nvcomp_batch as n; print(n.native_device_pool_stats(0)['max_idle_bytes'])"
    done = subprocess.run([sys.executable, "-c", code], env=environment, check=True, capture_output=True, text=True,
                          timeout=60)
    assert int(done.stdout) == wanted


def test_adapters_stay_thin():
    """Issue 7: both together under 400 lines."""
    from cuphoton.xdr import convenience

    assert sum(len(inspect.getsource(module).splitlines()) for module in (convenience, nvcomp_batch)) < 400
