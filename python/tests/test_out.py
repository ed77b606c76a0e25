"""out=: what is taken, and what is refused before a byte is written."""
import array as std_array
import mmap
import sys
import types

import numpy
import pytest

from cuphoton import xdr
from fits_bytes import image_hdu, ramp

PIXELS = ramp((6, 8), "i2")


@pytest.fixture()
def hdu():
    return xdr.open(image_hdu(PIXELS))[0]


def test_an_array_is_filled_and_returned(hdu):
    out = numpy.zeros((6, 8), "i2")
    assert hdu.read(out=out) is out
    numpy.testing.assert_array_equal(out, PIXELS)


def test_of_a_section_and_of_one_of_ours(hdu):
    out = xdr.read(image_hdu(PIXELS * 0), section=(slice(0, 3), slice(0, 4)), device="cpu")
    assert hdu.read((slice(0, 6, 2), slice(4, 8)), out=out.numpy()) is not None
    numpy.testing.assert_array_equal(out.numpy(), PIXELS[::2, 4:])


def test_rows_of_a_larger_array(hdu):
    batch = numpy.zeros((3, 6, 8), "i2")
    hdu.read(out=batch[1])
    numpy.testing.assert_array_equal(batch[1], PIXELS)
    assert not batch[0].any() and not batch[2].any()


@pytest.mark.parametrize("memory", [bytearray(48), std_array.array("B", bytes(48)), mmap.mmap(-1, 4096)],
                         ids=lambda memory: type(memory).__name__)
def test_any_writable_buffer(memory):
    view = memoryview(memory)[:48].cast("B", (6, 8))
    xdr.read(image_hdu(ramp((6, 8), "u1")), out=view)
    assert bytes(memory[:48]) == bytes(range(48))
    view.release()


def read_only():
    out = numpy.full((6, 8), 7, "i2")
    out.flags.writeable = False
    return out


def jax_like():
    kind = type("ArrayImpl", (), {"__module__": "jaxlib._jax", "__dlpack__": lambda self: None})
    return kind()


def full(shape=(6, 8), dtype="i2", **words):
    return numpy.full(shape, 7, dtype, **words)


REFUSED = {
    "shape": (lambda: full((8, 6)), "out has shape 8x6, the image has 6x8"),
    "rank": (lambda: full((1, 6, 8)), "out has shape 1x6x8, the image has 6x8"),
    "dtype": (lambda: full(dtype="f4"), "out holds float32, the image is int16"),
    "sign": (lambda: full(dtype="u2"), "out holds uint16, the image is int16"),
    "fortran order": (lambda: full(order="F"), "out: the array is not C-contiguous"),
    "strides": (lambda: full((6, 16))[:, ::2], "out: the array is not C-contiguous"),
    "reversed": (lambda: full()[::-1], "out: the array is not C-contiguous"),
    "big-endian": (lambda: full(dtype=">i2"), "none that an image has in memory (big-endian?)"),
    "complex": (lambda: full(dtype="c8"), "none that an image has in memory"),
    "bool": (lambda: full(dtype="?"), "none that an image has in memory"),
    "read-only": (read_only, "out: the array is read-only"),
    "bytes": (lambda: bytes(96), "out: the array is read-only"),
    "jax": (jax_like, "out: JAX arrays are immutable: leave `out` away and call .jax() on the result"),
    "no array": (lambda: [[0] * 8] * 6, "out: expected a NumPy, CuPy, torch or any other array"),
    "a word": (lambda: "out", "out: expected a NumPy, CuPy, torch or any other array"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_refused_with_nothing_written(hdu, kind):
    make, message = REFUSED[kind]
    out = make()
    with pytest.raises(ValueError) as caught:
        hdu.read(out=out)
    assert message in str(caught.value)
    assert caught.value.code in ("invalid_argument", "shape_mismatch")
    if isinstance(out, numpy.ndarray):
        assert (out == 7).all() or out.dtype == bool


def test_real_jax_is_refused(hdu):
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    with pytest.raises(ValueError, match="JAX arrays are immutable"):
        hdu.read(out=jax.numpy.zeros((6, 8), "int16"))


def test_out_decides_the_device(hdu):
    with pytest.raises(ValueError, match="out decides where the pixels go: leave device away"):
        hdu.read(out=full(), device="cpu")


def test_a_cuda_array_interface_is_judged_like_an_array(hdu):
    def described(**other):
        about = {"shape": (6, 8), "typestr": "<i2", "data": (4096, False), "version": 3, "strides": None, **other}
        return types.SimpleNamespace(__cuda_array_interface__=about)

    for other, message in [({"typestr": ">i2"}, "pixels of type >i2"), ({"data": (4096, True)}, "read-only"),
                           ({"strides": (2, 12)}, "not C-contiguous"), ({"shape": (8, 6)}, "out has shape 8x6")]:
        with pytest.raises(ValueError, match=message):
            hdu.read(out=described(**other))


def test_the_target_is_let_go(hdu):
    out = bytearray(96)
    view = numpy.frombuffer(out, "i2").reshape(6, 8)
    before = sys.getrefcount(view)
    hdu.read(out=view)
    with pytest.raises(ValueError):
        hdu.read((slice(0, 2), slice(None)), out=view)
    assert sys.getrefcount(view) == before
