"""Twelve mistakes that people make at the command: each whole message is a text in expected/, seen as they see it.

A message names file, HDU and tile where they apply and ends in what to do. What differs from machine to machine is
replaced: the path of the input, the number of a check in the source, CUDA's version and CUDA's own words. After a
message was changed on purpose, USER_ERRORS_WRITE=1 writes the texts anew; read the difference.
"""

import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "cli"), str(HERE.parent / "support")]

from command import command_path, run  # noqa: E402
from small_fits import EMPTY, hdu, header, table_cards  # noqa: E402

ROWS, COLUMNS = 4, 6
PLACES = {"file": r"<file>: ", "hdu": r"HDU \d+: ", "tile": r"tile \d+: "}
CURES = ("; ", ": install ", ": build ", ": update ")


def gzip_stored(data):
    """A gzip member with one stored block: the same bytes from every zlib."""
    return (b"\x1f\x8b\x08\0\0\0\0\0\0\xff\x01" + struct.pack("<HH", len(data), len(data) ^ 0xFFFF) + data
            + struct.pack("<II", zlib.crc32(data), len(data)))


def compressed_file(codec="GZIP_1", cut_tile=None, zbitpix="16"):
    """Rows of 16-bit pixels as tiles; of tile `cut_tile` the descriptor gives 9 bytes less than it has."""
    rows, heap = b"", b""
    for tile in range(ROWS):
        stream = gzip_stored(struct.pack(f">{COLUMNS}h", *range(tile, tile + COLUMNS)))
        rows += struct.pack(">II", len(stream) - (9 if tile == cut_tile else 0), len(heap))
        heap += stream
    cards = (*table_cards(8, ROWS, ("1PB", ), len(heap)), "TTYPE1='COMPRESSED_DATA'", "ZIMAGE=T", f"ZCMPTYPE='{codec:<8}'",
             f"ZBITPIX={zbitpix}", "ZNAXIS=2", f"ZNAXIS1={COLUMNS}", f"ZNAXIS2={ROWS}", f"ZTILE1={COLUMNS}", "ZTILE2=1")
    return header(EMPTY) + hdu(cards, rows + heap)


def table_file():
    return header(EMPTY) + hdu(table_cards(4, 2, ("1J", )), bytes(8))


def normal(text, path):
    text = text.replace(str(path), "<file>")
    text = re.sub(r"\(check \d+:\d+\)", "(check <number>)", text)
    text = re.sub(r"CUDA \d+\.\d+", "CUDA <version>", text)
    return re.sub(r"visible to this process: [^;\n]*;", "visible to this process: <CUDA's words>;", text)


class UserErrors(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="xdr-user-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.path = self.folder / "image.fits"

    def expect(self, names, exit_code, *words, content=compressed_file(), places=("file", "hdu"), **options):
        """Runs `load` with the file and `words`; `names` are the texts of expected/ that may come."""
        if content is not None:
            self.path.write_bytes(content)
        result = run("load", self.path, *words, **options)
        self.assertEqual((result.returncode, result.stdout), (exit_code, ""), result.stderr)
        message = normal(result.stderr, self.path)
        names = (names, ) if isinstance(names, str) else names
        if os.environ.get("USER_ERRORS_WRITE") and len(names) == 1:
            (HERE / "expected" / f"{names[0]}.txt").write_text(message)
        texts = {name: (HERE / "expected" / f"{name}.txt").read_text() for name in names}
        if message not in texts.values():
            self.assertEqual(message, next(iter(texts.values())), f"none of {names}")
        sentence = message.split("\n")[0]
        self.assertTrue(sentence.startswith("ERROR: "), message)
        for place, form in PLACES.items():
            self.assertEqual(bool(re.search(form, sentence)), place in places, f"{place}: {message}")
        self.assertTrue(any(cure in sentence for cure in CURES), f"does not say what to do: {message}")

    def test_missing_file(self):
        self.expect("missing_file", 5, content=None, places=("file", ))

    def test_directory(self):
        self.path.mkdir()
        self.expect("directory", 5, content=None, places=("file", ))

    def test_table(self):
        self.expect("table", 3, "--hdu", "1", content=table_file())

    def test_hdu_out_of_range(self):
        self.expect("hdu_out_of_range", 2, "--hdu", "7", places=("file", ))

    def test_truncated_tile(self):
        self.expect("truncated_tile", 4, "--engine", "host", content=compressed_file(cut_tile=2),
                    places=("file", "hdu", "tile"))

    def test_damaged_header(self):
        self.expect("damaged_header", 4, content=compressed_file(zbitpix="17"))

    def test_unknown_codec(self):
        self.expect("unknown_codec", 3, content=compressed_file(codec="BZIP2_1"))

    def test_wrong_option(self):
        self.expect("wrong_option", 2, "--sections", "0:1,0:1", places=())
        self.expect("wrong_value", 2, "--engine", "tpu", places=())

    def test_section_outside(self):
        self.expect("section_outside", 2, "--section", "0:3,2:9")

    def test_gpu_without_gpu(self):
        # A GPU that is there is hidden; the message depends on what of the rest this machine has.
        self.expect(("no_gpu_engine", "no_gpu_driver", "no_gpu_visible"), 3, "--engine", "gpu",
                    env={**os.environ, "CUDA_VISIBLE_DEVICES": ""})

    def test_compress(self):
        self.expect("compress_z", 3, content=b"\x1f\x9d\x90" + bytes(100), places=("file", ))

    def test_without_read_permission(self):
        self.path.write_bytes(compressed_file())
        self.path.chmod(0)
        self.folder.chmod(0o755)
        options = {}
        if os.geteuid() == 0:  # whom no permission stops
            options = {"user": "nobody", "group": "nogroup", "extra_groups": []}
            try:
                subprocess.run([command_path(), "--version"], check=True, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, timeout=60, **options)
            except (OSError, KeyError, ValueError, subprocess.SubprocessError) as fault:
                self.skipTest(f"runs as root, and the command does not run as nobody: {fault}")
        elif os.access(self.path, os.R_OK):
            self.skipTest("this user may read files of mode 0")
        self.expect("no_permission", 5, content=None, places=("file", ), **options)

    def test_every_text_is_used(self):
        here = pathlib.Path(__file__).read_text()
        for text in (HERE / "expected").iterdir():
            self.assertIn(f'"{text.stem}"', here)


if __name__ == "__main__":
    unittest.main()
