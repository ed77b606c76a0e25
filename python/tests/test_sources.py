"""Where bytes may come from. Every kind gives what the path gives; failing reads are errors, never wrong pixels."""
import errno
import io
import mmap
import os
import pathlib
import tempfile

import numpy
import pytest

from cuphoton import xdr
from fits_bytes import block, card, image_hdu, ramp

PIXELS = ramp((300, 500), "i4")
DATA = block([card("SIMPLE", True), card("BITPIX", 8), card("NAXIS", 0)]) + image_hdu(
    PIXELS, [card("EXTNAME", "SCI")], extension=True)


class Trickle(io.BytesIO):
    """Gives at most 1000 bytes a call, as pipes and sockets do."""

    def read(self, count=-1):
        return super().read(min(count, 1000) if count >= 0 else 1000)


class Pathlike:
    def __init__(self, path):
        self.path = path

    def __fspath__(self):
        return self.path


class Minimal:
    """`read` and `seek` and nothing else; bytes come as a memoryview."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def seek(self, offset, whence=0):
        self.at = offset if whence == 0 else len(self.data) + offset
        return self.at

    def read(self, count):
        piece = self.data[self.at:self.at + count]
        self.at += len(piece)
        return memoryview(piece)


@pytest.fixture(scope="module")
def path():
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "image.fits")
        pathlib.Path(name).write_bytes(DATA)
        yield name


def mapped(path):
    with open(path, "rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def fsspec_file(path):
    fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed")
    memory = fsspec.filesystem("memory")
    memory.pipe("/image.fits", DATA)
    return memory.open("/image.fits", "rb")


SOURCES = {
    "path": lambda path: path,
    "pathlib": pathlib.Path,
    "os.PathLike": Pathlike,
    "bytes": lambda path: DATA,
    "bytearray": lambda path: bytearray(DATA),
    "memoryview": lambda path: memoryview(DATA),
    "numpy": lambda path: numpy.frombuffer(DATA, "u1"),
    "mmap": mapped,
    "BytesIO": lambda path: io.BytesIO(DATA),
    "open file": lambda path: open(path, "rb"),
    "raw file": lambda path: open(path, "rb", buffering=0),
    "short reads": lambda path: Trickle(DATA),
    "read and seek": lambda path: Minimal(DATA),
    "fsspec": fsspec_file,
    "temporary file": lambda path: _temporary(),
}


def _temporary():
    file = tempfile.TemporaryFile()
    file.write(DATA)
    file.seek(100)  # where it stands does not matter
    return file


@pytest.mark.parametrize("kind", SOURCES)
def test_every_source_equals_the_path(path, kind):
    source = SOURCES[kind](path)
    with xdr.open(path) as file, xdr.open(source) as other:
        assert len(other) == len(file) == 2 and other["SCI"].shape == (300, 500)
        assert dict(other["SCI"].header) == dict(file["SCI"].header)
        numpy.testing.assert_array_equal(other["SCI"].read(device="cpu"), PIXELS)
        section = (slice(10, 200, 3), slice(400, 500))
        numpy.testing.assert_array_equal(other["SCI"].read(section, device="cpu"), PIXELS[section])
    numpy.testing.assert_array_equal(xdr.read(source, "SCI", device="cpu"), PIXELS)
    if hasattr(source, "close"):
        source.close()


def test_names_in_messages_and_receipts(path):
    assert xdr.open(path).name == path and xdr.open(DATA).name == "<bytes>"
    assert xdr.open(io.BytesIO(DATA)).name == "<file object>"
    with open(path, "rb") as file:
        assert xdr.open(file).name == path
    assert xdr.read(path, device="cpu").receipt["io"] == "posix"
    assert xdr.read(DATA, device="cpu").receipt["io"] == "memory"
    assert xdr.read(io.BytesIO(DATA), device="cpu").receipt["io"] == "python"


def test_names_of_any_bytes(tmp_path):
    name = os.fsencode(tmp_path) + b"/caf\xe9 \xff.fits"
    try:
        with open(name, "wb") as file:
            file.write(DATA)
    except OSError:
        pytest.skip("the file system wants UTF-8 names")
    assert os.fsencode(xdr.open(os.fsdecode(name)).name) == name
    array = xdr.read(os.fsdecode(name), device="cpu")
    numpy.testing.assert_array_equal(array, PIXELS)
    assert array.receipt["engine"] == "host"
    assert xdr.open(os.fsdecode(name))["SCI"].plan()["hdu"] == 1


def test_bytes_that_a_file_uses_cannot_be_resized():
    data = bytearray(DATA)
    file = xdr.open(data)
    with pytest.raises(BufferError):
        data.clear()
    file.close()
    del file
    data.clear()


class Faulty(io.BytesIO):
    """Fails when bytes behind `good` are read."""

    def __init__(self, fault, good=0):
        super().__init__(DATA)
        self.fault, self.good = fault, good

    def read(self, count=-1):
        if self.tell() + count > self.good:
            raise self.fault
        return super().read(count)


def test_a_failing_read_is_an_os_error_with_its_words():
    with pytest.raises(OSError, match="read.. of the file object failed: ConnectionResetError: peer went away") as caught:
        xdr.read(Faulty(ConnectionResetError("peer went away")), device="cpu")
    assert caught.value.code == "io_failed" and caught.value.errno == errno.EIO
    file = xdr.open(Faulty(ZeroDivisionError("odd"), good=5760))
    assert file[1].shape == (300, 500)
    with pytest.raises(OSError, match="ZeroDivisionError: odd"):
        file[1].read(device="cpu")


class Ending(io.BytesIO):
    """Claims its length, but ends earlier: a file that shrank."""

    def read(self, count=-1):
        return super().read(max(0, min(count, 50000 - self.tell())))


def test_a_file_that_ends_early_is_said_to():
    with pytest.raises(xdr.FitsFileError, match="expected .* bytes from byte .*, the file object gave") as caught:
        xdr.read(Ending(DATA), device="cpu")
    assert caught.value.code == "file_truncated"


class Generous(io.BytesIO):
    """Gives more than it was asked for."""

    def read(self, count=-1):
        return super().read(count) + b"more"


@pytest.mark.parametrize("answer, kind", [("text", OSError), (None, OSError)])
def test_a_read_that_gives_no_bytes(answer, kind):
    class Odd(io.BytesIO):
        def read(self, count=-1):
            return answer

    with pytest.raises(kind, match="read.. of the file object failed: TypeError"):
        xdr.open(Odd(DATA)).info


def test_a_read_that_gives_too_much():
    with pytest.raises(xdr.FitsFileError, match="the file object gave"):
        xdr.open(Generous(DATA)).info


@pytest.mark.parametrize("source", [None, 5, 5.0, [1], {"path": "x"}, object()], ids=repr)
def test_what_is_no_source(source):
    with pytest.raises(TypeError, match="expected str, bytes or os.PathLike object"):
        xdr.open(source)


def test_a_missing_file_and_a_folder(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        xdr.read(tmp_path / "absent.fits")
    assert caught.value.errno == errno.ENOENT and caught.value.filename == str(tmp_path / "absent.fits")
    with pytest.raises(OSError):
        xdr.read(tmp_path)


def test_urls_go_through_fsspec():
    fsspec_file("").close()
    with xdr.open("memory://image.fits") as file:
        numpy.testing.assert_array_equal(file["SCI"].read(device="cpu"), PIXELS)


def test_bytes_of_the_corpus_equal_the_path(corpus):
    """Bug case 59: in-memory files that fail, or fail only for tiled images."""
    compared = 0
    for path in sorted(corpus.rglob("*")):
        if not path.name.endswith((".fits", ".fit", ".fits.fz", ".imfits")) or path.stat().st_size > 4 << 20:
            continue
        data = path.read_bytes()
        results = []
        for source in (path, data, io.BytesIO(data)):
            try:
                with xdr.open(source) as file:
                    results.append([answer(hdu) for hdu in file])
            except xdr.XdrError as fault:
                results.append(fault.code)
        assert results[0] == results[1] == results[2], path.name
        compared += len(results[0])
    assert compared > 300


def answer(hdu):
    """The bytes of an image, or how reading it fails."""
    try:
        return hdu.read(device="cpu").numpy().tobytes()
    except xdr.XdrError as fault:
        return fault.code
