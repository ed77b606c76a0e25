"""GpuImageReader, GpuCompImageReader and open_gpu on a GPU."""
import numpy
import pytest
from fixtures_device import cupy  # noqa: F401
from fixtures_images import expected, images, same  # noqa: F401

from cuphoton import xdr
from cuphoton.xdr import GpuCompImageReader, GpuImageReader, open_gpu

PLAIN, TILED = (1, 4, 6, 7), (2, 3, 5)


@pytest.fixture
def opened(images):
    fits = pytest.importorskip("astropy.io.fits", reason="the readers take Astropy's HDUs")
    with fits.open(images[0]) as file:
        yield file


@pytest.mark.rows("GIR-1", "GIR-2", "GIR-3", "GIR-4", "GIR-5")
def test_plain_images(cupy, opened, images):
    for hdu in PLAIN:
        wanted, reader = expected(images[0], hdu), GpuImageReader(opened[hdu])
        assert isinstance(reader.read(), cupy.ndarray) and same(reader.read(), wanted)
        out = cupy.empty(wanted.shape, wanted.dtype)
        assert reader.read(out=out) is out and same(out, wanted)


@pytest.mark.rows("GCR-1", "GCR-2", "GCR-4", "GCR-5", "GCR-6", "GCR-8", "RC-4")
def test_compressed_images(cupy, opened, images):
    with xdr.open(images[0]) as loader:
        for hdu in TILED:
            wanted, reader = expected(images[0], hdu), GpuCompImageReader(opened[hdu])
            assert same(reader.read(loader=loader), wanted)
            section = (slice(2, 19, 3), slice(7, 23))
            out = cupy.empty(wanted[section].shape, wanted.dtype)
            stream = cupy.cuda.Stream(non_blocking=True)
            for variant in ("auto", "separate", "native"):
                assert reader.read(out=out, section=section, stream=stream, postprocess=variant) is out
                assert same(out, wanted[section])


@pytest.mark.rows("FN-1")
def test_open_gpu(cupy, images):
    with open_gpu(images[0]) as file:
        for hdu in PLAIN + TILED:
            assert isinstance(file[hdu].read(), cupy.ndarray) and same(file[hdu].read(), expected(images[0], hdu))
        assert same(file[4][1:, :, ::2], expected(images[0], 4)[1:, :, ::2])


@pytest.mark.rows("GIR-3", "GCR-5")
def test_out_on_the_host_is_refused(cupy, opened):
    for reader, dtype in ((GpuImageReader(opened[1]), "u2"), (GpuCompImageReader(opened[2]), "i4")):
        with pytest.raises(ValueError, match="GPU memory"):
            reader.read(out=numpy.empty((20, 30), dtype))
