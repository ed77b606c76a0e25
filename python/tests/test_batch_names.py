"""batch_to_device and batch_to_device_stream without a GPU: CuPy is played by fake_cupy, the host engine decodes."""
import errno
import gzip
import inspect
import logging
import pathlib
import sys

import numpy
import pytest
from fake_cupy import cupy  # noqa: F401
from fixtures_images import HDUS, expected, images, same, write  # noqa: F401

from cuphoton import xdr
from cuphoton.xdr import UnsupportedError, _gpu, batch_to_device, batch_to_device_stream, mock_storage

BOTH = pytest.mark.parametrize("load", [batch_to_device, batch_to_device_stream])


@pytest.mark.rows("BTD-3", "RFI-7")
def test_signatures():
    assert str(inspect.signature(batch_to_device)) == (
        "(paths, hdu_indices=(1,), *, out=None, stream=None, section=None, parallel=True, prefetch_depth=2, "
        "decode_batch_files=1, batch_queue_depth=2, native_read_threads=None, native_plan_threads=None, "
        "native_batcher='auto', postprocess='auto', gzip_decoder='auto', decompression_backend='auto')")
    assert str(inspect.signature(batch_to_device_stream)) == (
        "(paths, hdu_indices=(1,), *, out=None, prefetch_depth=2, decode_batch_files=1, batch_queue_depth=2, "
        "native_read_threads=None, native_plan_threads=None, native_batcher='auto', postprocess='auto', "
        "gzip_decoder='auto', decompression_backend='auto', section=None, stream=None)")


@pytest.mark.rows("BTS-1", "BTS-2", "BTD-1", "BTS-3", "BTS-4", "BTS-5", "BTS-6", "X-01", "X-02", "X-04", "X-06", "X-09",
                  "X-10", "X-16")
@BOTH
def test_stacks_in_the_given_order_with_astropys_types(cupy, images, load):
    """Every kind of image at once; a path and an HDU twice; integers with BZERO stay exact, BLANK becomes NaN."""
    paths = [images[0], images[2], images[0]]
    hdus = [2, 1, 2] + [HDUS[name] for name in ("rice float", "cube", "gzip unsigned", "blank", "line")]
    found = load(paths, hdus)
    assert type(found) is tuple and len(found) == len(hdus)
    for array, hdu in zip(found, hdus):
        assert isinstance(array, cupy.ndarray)
        assert same(array, numpy.stack([expected(path, hdu) for path in paths])), hdu
    assert found[1].dtype == "u2" and numpy.isnan(found[6]).any()


@pytest.mark.rows("BTS-11", "BTS-12", "X-11", "GCR-4", "PLN-9")
def test_sections_of_every_kind(cupy, images):
    for hdu, section in [(1, (slice(2, 9), slice(1, 30, 3))), (2, (slice(numpy.int64(3), 12), slice(None))),
                         (3, (slice(-5, None), slice(4, 8))), (4, (slice(1, 3), slice(0, 4), slice(2, 5, 2))),
                         (7, (slice(3, 40, 9),)), (7, slice(3, 4))]:
        found, = batch_to_device_stream(images, [hdu], section=section)
        assert same(found, numpy.stack([expected(path, hdu)[section] for path in images])), (hdu, section)


@pytest.mark.rows("BTS-12", "X-16")
@pytest.mark.parametrize("section", [
    (slice(0, 5),), (slice(0, 5), 3), [slice(0, 5), slice(0, 5)], (slice(0, 21), slice(0, 5)), (slice(3, 3), slice(0, 5)),
    (slice(5, 3), slice(0, 5)), (slice(0, 5, 0), slice(0, 5)), (slice(0, 5, -1), slice(0, 5)),
    (slice(0.0, 5), slice(0, 5)), (slice(True, 5), slice(0, 5)), "0:5,0:5"])
@pytest.mark.parametrize("hdu", [1, 2])
def test_wrong_sections_name_the_file(cupy, images, section, hdu):
    with pytest.raises(ValueError, match=f"image 0.fits: HDU {hdu}: section") as caught:
        batch_to_device_stream(images, [hdu], section=section)
    assert not isinstance(caught.value, OSError)


@pytest.mark.rows("BTS-9", "STR-8")
def test_out_is_filled_and_returned(cupy, images):
    first, second = cupy.empty((3, 20, 30), "u2"), cupy.empty((3, 20, 30), "i4")
    found = batch_to_device(images, [1, 2], out=[first, second])
    assert found[0] is first and found[1] is second
    assert same(second, numpy.stack([expected(path, 2) for path in images]))
    bare = cupy.empty((3, 20, 30), "i4")
    assert batch_to_device(images, [2], out=bare)[0] is bare and same(bare, second.get())
    assert batch_to_device(images, [2], out=(bare,))[0] is bare


@pytest.mark.rows("BTS-9")
def test_wrong_out_names_the_slot_and_is_not_touched(cupy, images):
    good, other = cupy.empty((3, 20, 30), "u2"), cupy.empty((3, 20, 30), "i4")
    elsewhere = cupy.empty((3, 20, 30), "i4")
    elsewhere.device_id = 1
    for bad, why in [(cupy.empty((3, 30, 20), "i4"), "shape"), (cupy.empty((2, 20, 30), "i4"), "shape"),
                     (cupy.empty((3, 20, 30), "u4"), "uint32"), (cupy.empty((3, 20, 30), ">i4"), ">i4"),
                     (cupy.empty((30, 20, 3), "i4").T, "C-contiguous"), (numpy.empty((3, 20, 30), "i4"), "GPU memory"),
                     (elsewhere, "device 1")]:
        with pytest.raises(ValueError, match=rf"out\[1\] \(HDU 2\).*{why}"):
            batch_to_device(images, [1, 2], out=[good, bad])
    for wrong in ([good], [good, other, other], good):
        with pytest.raises(ValueError, match="out holds"):
            batch_to_device(images, [1, 2], out=wrong)
    assert set(good.tobytes()) == {0xA5}


@pytest.mark.rows("BTS-7", "BTS-8", "X-03", "X-23")
@pytest.mark.parametrize("rows", [19, 21, 40])
def test_files_that_differ_raise_before_the_first_write(cupy, images, tmp_path, rows):
    odd = write(tmp_path / "odd.fits", 9, rows)
    for hdu, dtype in [(1, "u2"), (2, "i4")]:
        out = cupy.empty((2, 20, 30), dtype)
        with pytest.raises(ValueError, match=rf"odd.fits: HDU {hdu} is {numpy.dtype(dtype)} \({rows}, 30\).*\(20, 30\)"):
            batch_to_device_stream([images[0], odd], [hdu], out=out)
        assert set(out.tobytes()) == {0xA5}
        with pytest.raises(ValueError, match="odd.fits"):  # also where the section lies inside both
            batch_to_device_stream([images[0], odd], [hdu], section=(slice(0, 5), slice(0, 5)))


@pytest.mark.rows("BTS-13", "BTS-14", "BTS-15", "INS-4", "PLN-1")
@BOTH
def test_wrong_arguments(cupy, images, load):
    for words in ({"paths": []}, {"hdu_indices": ()}, {"paths": images[0]}, {"hdu_indices": 1}, {"hdu_indices": [True]},
                  {"hdu_indices": [-1]}, {"hdu_indices": [1.0]}, {"hdu_indices": [99]}, {"hdu_indices": [0]},
                  {"hdu_indices": [HDUS["table"]]}, {"native_batcher": "yes"}, {"native_batcher": 1},
                  {"native_batcher": None}, {"stream": "default"}, {"stream": True}):
        with pytest.raises(ValueError):
            load(**{"paths": images, "hdu_indices": (1,), **words})
    for name in ("prefetch_depth", "decode_batch_files", "batch_queue_depth", "native_read_threads",
                 "native_plan_threads"):
        for value in (0, -1, 1.5, True, "2"):
            with pytest.raises(ValueError, match=name):
                load(images, **{name: value})
        load(images, **{name: numpy.int32(3)})
    for name in ("prefetch_depth", "decode_batch_files", "batch_queue_depth"):
        with pytest.raises(ValueError, match=name):
            load(images, **{name: None})


@pytest.mark.rows("BTD-2")
def test_not_parallel_overrides_the_depths_and_keeps_the_rest(cupy, images, caplog):
    caplog.set_level(logging.DEBUG, "cuphoton.xdr")
    batch_to_device(images, parallel=False, prefetch_depth=-7, native_batcher="nonsense", native_read_threads=5)
    text = caplog.text
    for word in ("native_batcher=False", "'prefetch_depth': 1", "'decode_batch_files': 1", "'batch_queue_depth': 1",
                 "'native_read_threads': 5"):
        assert word in text
    with pytest.raises(ValueError, match="native_plan_threads"):
        batch_to_device(images, parallel=False, native_plan_threads=0)
    with pytest.raises(ValueError, match="postprocess"):
        batch_to_device(images, parallel=False, postprocess="best")


@pytest.mark.rows("BTS-16", "OPT-6", "OPT-2")
@BOTH
def test_controls_come_before_everything_else(load):
    """No CuPy, no such file, wrong counts: the control is what is named."""
    for words in ({"postprocess": "fast"}, {"gzip_decoder": 3}, {"decompression_backend": "cpu"}):
        with pytest.raises(ValueError, match=next(iter(words))):
            load(["/nowhere.fits"], prefetch_depth=0, native_batcher=7, **words)
    with pytest.raises(ValueError, match="hardware"):
        load(["/nowhere.fits"], gzip_decoder="deflate", decompression_backend="hardware")


@pytest.mark.rows("RC-1", "RC-2", "RC-3", "RC-4", "RC-12")
@pytest.mark.parametrize("variant", ["auto", "fused", "separate", "native"])
def test_pixels_do_not_depend_on_postprocess(cupy, images, variant):
    for hdu in (1, 2, 3):
        found, = batch_to_device(images[:1], [hdu], postprocess=variant)
        assert same(found[0], expected(images[0], hdu))
    found, = batch_to_device(images[:1], [1], decompression_backend="hardware", stream=0)  # a plain image ignores it
    assert same(found[0], expected(images[0], 1))


@pytest.mark.rows("BTS-17", "RC-14")
@pytest.mark.parametrize("batcher", ["auto", False, True])
@BOTH
def test_without_the_native_module(cupy, images, monkeypatch, load, batcher):
    monkeypatch.setitem(sys.modules, "cuphoton.xdr._ext", None)
    monkeypatch.delattr("cuphoton.xdr._ext", raising=False)
    with pytest.raises(RuntimeError, match="cuphoton.xdr._ext.*pip install"):
        load(images, native_batcher=batcher)


@pytest.mark.rows("BTS-17", "FN-2")
def test_without_cupy_or_gpu_the_cure_is_named(images, monkeypatch):
    for module, why in [(None, "CuPy cannot be imported"), (Broken("cupy"), "libcuda.so.1")]:
        monkeypatch.setitem(sys.modules, "cupy", module)
        _gpu.problem.cache_clear()
        with pytest.raises(RuntimeError, match=rf"{why}.*pip install 'cuphoton-xdr\[gpu\]'"):
            batch_to_device(images)
    _gpu.problem.cache_clear()


class Broken(type(sys)):
    def __getattr__(self, name):
        raise OSError("libcuda.so.1: cannot open shared object file")


@pytest.mark.rows("BTS-18", "X-15", "PLN-13", "PLN-15", "PLN-4")
def test_names_of_files_mean_nothing(cupy, images, tmp_path):
    """Brackets and codec names in a path: it is read as it stands, and a fault of another kind stays of that kind."""
    path = write(tmp_path / "RICE_1[1] unsupported.fits", 5)
    assert same(batch_to_device([path], [1])[0][0], expected(path, 1))
    with pytest.raises(FileNotFoundError) as caught:
        batch_to_device([path + " NotImplemented"], [1])
    assert caught.value.errno == errno.ENOENT and not isinstance(caught.value, NotImplementedError)
    data = pathlib.Path(path).read_bytes()
    assert data.count(b"'GZIP_1  '") == 1
    pathlib.Path(path).write_bytes(data.replace(b"'GZIP_1  '", b"'GZIP_9  '"))
    with pytest.raises(NotImplementedError, match="GZIP_9") as caught:
        batch_to_device([path], [2])
    assert isinstance(caught.value, UnsupportedError) and caught.value.path == path and caught.value.hdu == 2
    assert [reason.code for reason in caught.value.reasons] == ["codec_unsupported"]


@pytest.mark.rows("ERR-3", "RC-15", "RC-17", "X-17", "X-18", "STR-11")
def test_damage_names_file_hdu_and_tile(cupy, images, tmp_path):
    damaged = tmp_path / "damaged.fits"
    path, data = str(damaged), bytearray(pathlib.Path(images[1]).read_bytes())
    with xdr.open(images[1]) as file:
        offset, length, tile = file[2].plan()["groups"][0]["tiles"][1]
    data[offset + length - 6] ^= 1  # a byte of the CRC32
    damaged.write_bytes(data)
    with pytest.raises(RuntimeError, match="damaged.fits") as caught:
        batch_to_device([images[0], path], [2])
    assert (caught.value.path, caught.value.hdu, caught.value.tile) == (path, 2, tile)
    batch_to_device(images, [2])  # one bad file poisons nothing
    damaged.write_bytes(data[:9000])
    with pytest.raises(OSError, match="damaged.fits"):
        batch_to_device([path], [2])


@pytest.mark.rows("BTS-10", "BTS-19")
def test_arrays_are_born_on_the_stream_of_the_call(cupy, images):
    assert batch_to_device(images)[0].born_on == 0  # None is the null stream, whatever is current
    with cupy.cuda.Stream(77):
        assert batch_to_device(images)[0].born_on == 0
    assert batch_to_device(images, stream=cupy.cuda.Stream(99))[0].born_on == 99

    class Foreign:
        def __cuda_stream__(self):
            return 0, 55

    assert batch_to_device(images, stream=Foreign())[0].born_on == 55


@pytest.mark.rows("BTS-13", "INS-1")
def test_hdus_by_name(cupy, images):
    found, = batch_to_device(images, ["raw"])
    assert same(found[0], expected(images[0], 1))


@pytest.mark.rows("PLN-14", "X-13")
def test_file_compressed_as_a_whole(cupy, images, tmp_path):
    """Unpacked and read, or refused by a reason: never raw bytes as pixels."""
    path = tmp_path / "whole.fits.gz"
    path.write_bytes(gzip.compress(pathlib.Path(images[0]).read_bytes()))
    try:
        found, = batch_to_device([path], [1])
    except ValueError as refused:
        assert "whole.fits.gz" in str(refused)
    else:
        assert same(found[0], expected(images[0], 1))


@pytest.mark.rows("FN-8")
def test_native_batcher_and_mock_storage(cupy, images):
    with mock_storage("host"):
        with pytest.raises(RuntimeError, match="mock storage"):
            batch_to_device(images, native_batcher=True)
        for other in ("auto", False):
            assert same(batch_to_device(images, native_batcher=other)[0][0], expected(images[0], 1))
    batch_to_device(images, native_batcher=True)
