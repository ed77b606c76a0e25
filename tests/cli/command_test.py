"""Every verb of `cuphoton xdr` on files of make-demo: what it prints and saves, and the exit code of each fault."""

import ast
import bz2
import gzip
import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile
import unittest

from command import command_path, run, run_json

SIZE = (90, 110)


def block(data, fill):
    return data + fill * (-len(data) % 2880)


def fits_header(*cards):
    """One header block; a card is KEYWORD=VALUE."""
    lines = []
    for card in cards:
        key, value = card.split("=")
        # Texts start in column 11, everything else ends in column 30.
        lines.append(f"{key:<8}= " + (value.ljust(20) if value.startswith("'") else value.rjust(20)))
    return block("".join(line.ljust(80) for line in (*lines, "END")).encode(), b" ")


def table_file():
    """An empty primary and a binary table of two 4-byte rows: no image anywhere."""
    primary = fits_header("SIMPLE=T", "BITPIX=8", "NAXIS=0")
    table = fits_header("XTENSION='BINTABLE'", "BITPIX=8", "NAXIS=2", "NAXIS1=4", "NAXIS2=2", "PCOUNT=0", "GCOUNT=1",
                        "TFIELDS=1", "TFORM1='1J      '")
    return primary + table + block(bytes(8), b"\0")


def read_npy(path):
    """(descr, shape, bytes) of a .npy file of version 1.0."""
    data = pathlib.Path(path).read_bytes()
    assert data[:8] == b"\x93NUMPY\x01\x00", data[:8]
    (length,) = struct.unpack("<H", data[8:10])
    assert (10 + length) % 64 == 0
    header = ast.literal_eval(data[10:10 + length].decode())
    assert header["fortran_order"] is False
    return header["descr"], header["shape"], data[10 + length:]


class CommandTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        report, _ = run_json("doctor")
        if not report["cfitsio"]["available"]:
            raise unittest.SkipTest("make-demo writes the files of this test: " + report["cfitsio"]["detail"])
        cls.codecs = {row["codec"] for row in report["codecs"] if row["host"]["available"]}
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="xdr-cli-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.rice = cls.make("RICE_1", "uint16")
        cls.raw = cls.make("raw", "int16")
        cls.hcompress = cls.make("HCOMPRESS_1", "int16")
        cls.table = cls.folder / "table.fits"
        cls.table.write_bytes(table_file())

    @classmethod
    def make(cls, codec, pixel_type, *more):
        size = "x".join(map(str, SIZE))
        words = ("make-demo", cls.folder, "--codec", codec, "--type", pixel_type, "--size", size, *more)
        report, exit_code = run_json(*words)
        assert exit_code == 0, report
        return pathlib.Path(report["files"][0]["file"])

    def expect(self, exit_code, *words, text="", **options):
        result = run(*words, **options)
        self.assertEqual(result.returncode, exit_code, f"{words}: {result.stdout}{result.stderr}")
        if exit_code > 1 and words[:1] != ("verify",):  # verify says it in a row
            self.assertIn("ERROR: ", result.stderr)
        self.assertIn(text, (result.stdout or "") + (result.stderr or ""))
        return result

    # What each verb prints.

    def test_every_json_has_schema_and_command(self):
        verbs = ("info", "load", "verify", "demo")
        for words in (*((verb, self.rice) for verb in verbs), ("doctor",)):
            report, exit_code = run_json(*words)
            self.assertEqual((report["schema"], report["command"], exit_code), (1, words[0], 0))
        report, exit_code = run_json("plan", self.rice)
        self.assertEqual((report["schema"], exit_code), (1, 0))

    def test_info(self):
        report, _ = run_json("info", self.rice)
        image = report["files"][0]["hdus"][1]
        self.assertEqual((image["kind"], image["shape"], image["codec"]), ("compressed_image", list(SIZE), "RICE_1"))
        self.assertEqual((image["stored_type"], image["scaled_type"]), ("int16", "uint16"))
        self.assertEqual(image["tile_shape"], [1, 110])
        self.assertNotIn("cards", image)
        self.assertIn("uint16", self.expect(0, "info", self.rice).stdout)

    def test_info_cards(self):
        self.expect(0, "info", self.rice, "--cards", text="ZCMPTYPE= 'RICE_1")
        report, _ = run_json("info", self.rice, "--cards")
        self.assertTrue(all(len(line) == 80 for line in report["files"][0]["hdus"][1]["cards"]))

    def test_info_goes_on_after_a_bad_file(self):
        result = self.expect(5, "info", self.folder / "absent.fits", self.raw)
        self.assertIn("int16", result.stdout)

    def test_plan_summary_and_section(self):
        self.expect(0, "plan", self.rice, "--summary", text="90 tiles")
        result = self.expect(0, "plan", self.rice, "--summary", "--section", "10:20,:")
        self.assertIn("10 tiles", result.stdout)

    def test_load_names_engine_and_shape(self):
        result = self.expect(0, "load", self.rice)
        self.assertRegex(result.stdout, r"engine +host")
        self.assertIn("uint16 90x110", result.stdout)
        report, _ = run_json("load", self.rice, "--values", "stored")
        self.assertEqual((report["type"], report["zero"], report["receipt"]["schema"]), ("int16", 32768.0, 1))

    def test_hdu_by_number_and_first_with_pixels(self):
        for words in ((), ("--hdu", "1")):
            report, _ = run_json("load", self.rice, *words)
            self.assertEqual(report["receipt"]["hdu"], 1)

    def test_verify_and_demo_agree_with_cfitsio(self):
        for pixel_type, dither in (("float32", "1"), ("float64", "2"), ("int32", None), ("uint8", None)):
            path = self.make("GZIP_2", pixel_type, *(("--dither", dither) if dither else ()), "--seed", "7")
            self.assertRegex(self.expect(0, "verify", path).stdout, r"\bok\n")
            self.assertIn("same", self.expect(0, "demo", path).stdout)
        self.expect(0, "verify", self.rice, "--peer", "none", text="peer: no (--peer none)")

    def test_verify_lists_tables(self):
        self.expect(0, "verify", self.table, text="no image (binary_table)")

    def test_known_fault_of_cfitsio_is_no_difference(self):
        """CFITSIO 4.2 takes ZVAL1 for Rice's block size whatever ZNAME1 says, and dies (bug-cases B3)."""
        data = bytearray(self.make("RICE_1", "float32", "--seed", "5").read_bytes())
        for keyword, value in ((b"ZNAME1  =", b"'NOISEBIT'"), (b"ZVAL1   =", b"16".rjust(20)),
                               (b"ZNAME2  =", b"'OTHER   '")):
            at = data.index(keyword) + 10
            data[at:at + len(value)] = value
        path = self.folder / "noisebit.fits"
        path.write_bytes(data)
        self.expect(0, "verify", path, text="known fault bug-cases B3")

    def test_unsupported_codec(self):
        """BZIP2_1 has a name and no decoder anywhere."""
        path = self.folder / "bzip2.fits"
        path.write_bytes(self.rice.read_bytes().replace(b"'RICE_1  '", b"'BZIP2_1 '"))
        self.expect(3, "verify", path, self.rice, text="unsupported: ")
        self.expect(3, "load", path)
        self.expect(0, "demo", path, self.rice, text="unsupported: ")

    def test_doctor_gives_reasons(self):
        report, _ = run_json("doctor")
        self.assertTrue({"NOCOMPRESS", "GZIP_1", "GZIP_2", "RICE_1"} <= self.codecs)
        rows = {row["codec"]: row for row in report["codecs"]}
        self.assertTrue({"HCOMPRESS_1", "PLIO_1"} <= set(rows))
        for row in rows.values():
            for engine in (row["host"], row["gpu"]):
                self.assertEqual(engine["available"], engine["reason"] is None)
        text = self.expect(0, "doctor").stdout
        self.assertEqual("cure: " in text, not report["gpu"]["available"] or not report["cfitsio"]["available"])

    def test_version_and_help(self):
        version = (pathlib.Path(os.environ["XDR_SOURCE_DIR"]) / "VERSION").read_text().strip()
        self.expect(0, "--version", text=version)
        for words in ((), ("info",), ("plan",), ("load",), ("verify",), ("doctor",), ("make-demo",), ("demo",)):
            self.assertIn("Usage", self.expect(0, *words, "--help").stdout)
        self.assertNotIn("peer-read", self.expect(0, "--help").stdout)

    # Files written.

    def test_save_is_what_numpy_expects(self):
        target = self.folder / "saved.npy"
        self.expect(0, "load", self.rice, "--save", target)
        descr, shape, pixels = read_npy(target)
        self.assertEqual((descr, shape, len(pixels)), ("<u2", SIZE, 2 * SIZE[0] * SIZE[1]))
        self.assertEqual(list(self.folder.glob("*.tmp.*")), [])

    def test_section_is_the_slice_of_the_whole(self):
        for path, code in ((self.rice, "H"), (self.raw, "h")):
            self.expect(0, "load", path, "--save", self.folder / "whole.npy")
            _, _, data = read_npy(self.folder / "whole.npy")
            whole = struct.unpack(f"<{SIZE[0] * SIZE[1]}{code}", data)
            for section, rows, columns in (("10:20,5:50", (10, 20), (5, 50)), ("-3:,:7", (87, 90), (0, 7)),
                                           (":,109:", (0, 90), (109, 110)), ("1:90:7,3::11", (1, 90, 7), (3, 110, 11))):
                self.expect(0, "load", path, "--section", section, "--save", self.folder / "part.npy")
                _, shape, data = read_npy(self.folder / "part.npy")
                self.assertEqual(shape, (len(range(*rows)), len(range(*columns))))
                wanted = [whole[y * SIZE[1] + x] for y in range(*rows) for x in range(*columns)]
                self.assertEqual(list(struct.unpack(f"<{len(wanted)}{code}", data)), wanted, (path, section))

    def test_save_replaces_a_link_and_spares_its_target(self):
        target, link = self.folder / "target.txt", self.folder / "link.npy"
        target.write_text("old")
        link.symlink_to(target)
        self.expect(0, "load", self.raw, "--save", link)
        self.assertEqual(target.read_text(), "old")
        self.assertFalse(link.is_symlink())

    def test_make_demo_is_deterministic(self):
        sums = []
        for name in ("one", "two"):
            self.expect(0, "make-demo", self.folder / name, "--seed", "3")
            sums.append({path.name: path.read_bytes() for path in (self.folder / name).iterdir()})
        self.assertEqual(sums[0], sums[1])
        self.assertGreater(len(sums[0]), 25)
        for name, data in sums[0].items():
            self.assertIsNone(re.search(rb"(DATE|CHECKSUM|DATASUM) *=", data[:8640]), name)
        self.expect(0, "make-demo", self.folder / "other", "--seed", "4")
        self.assertNotEqual((self.folder / "other" / "raw_int16.fits").read_bytes(), sums[0]["raw_int16.fits"])
        self.expect(0, "demo", *sorted((self.folder / "one").iterdir()))

    def test_make_demo_count(self):
        report, _ = run_json("make-demo", self.folder / "many", "--codec", "GZIP_1", "--size", "20x30", "--tile", "7x9",
                             "--count", "3", "--sigma", "2.5")
        self.assertEqual(len({pathlib.Path(file["file"]).read_bytes() for file in report["files"]}), 3)
        self.expect(0, "verify", *[file["file"] for file in report["files"]])

    # Exit codes.

    def test_usage_errors(self):
        for words in (("load",), ("load", self.rice, "--nonsense"), ("nonsense",), (),
                      ("load", self.rice, "--hdu", "9"),
                      ("load", self.rice, "--hdu", "-1"), ("load", self.rice, "--hdu", "NAME"),
                      ("load", self.rice, "--section", "0:91,:"), ("load", self.rice, "--section", "0:1"),
                      ("load", self.rice, "--section", ":,:,:"), ("load", self.rice, "--section", "5:4,:"),
                      ("load", self.rice, "--section", "::0,:"), ("load", self.rice, "--values", "raw"),
                      ("load", self.rice, "--engine", "tpu"), ("load", self.rice, "--threads", "-1"),
                      ("load", self.rice, "--max-bytes", "1T"), ("load", self.rice, self.raw),
                      ("verify", self.rice, "--peer", "astropy"), ("make-demo", self.folder, "--codec", "ZIP"),
                      ("make-demo", self.folder, "--type", "uint17"), ("make-demo", self.folder, "--size", "0x5"),
                      ("make-demo", self.folder, "--codec", "RICE_1", "--dither", "1")):
            self.expect(2, *words)

    def test_tables_are_refused_by_name(self):
        self.assertIn(run("load", self.table, "--hdu", "1").returncode, (2, 3))
        self.assertIn(run("load", self.table).returncode, (2, 3))

    def test_gpu_engine_absent(self):
        report, _ = run_json("doctor")
        if report["gpu"]["available"]:
            self.skipTest("this machine has a GPU engine")
        self.expect(3, "load", self.rice, "--engine", "gpu", text="device_unavailable")

    def test_fits_reader_is_an_engine(self):
        for verb in ("load", "verify"):
            self.expect(0, verb, self.rice, "--fits-reader", "auto")
            # Refused by code, also where the file is not there: nothing is opened for it.
            self.expect(3, verb, self.folder / "absent.fits", "--fits-reader", "astropy", text="only the Python package")
            self.expect(2, verb, self.rice, "--fits-reader", "fitsio", text="astropy, auto, xdr")
        self.expect(2, "load", self.rice, "--fits-reader", "xdr", "--engine", "host", text="leave one of the two out")
        report, _ = run_json("doctor")
        if not report["gpu"]["available"]:
            self.expect(3, "load", self.rice, "--fits-reader", "xdr", text="device_unavailable")
            self.expect(3, "verify", self.rice, "--fits-reader", "xdr", text="the GPU engine is required")
            return
        self.assertRegex(self.expect(0, "load", self.rice, "--fits-reader", "xdr").stdout, r"engine +gpu")
        self.assertRegex(self.expect(0, "verify", self.rice, "--fits-reader", "xdr").stdout, r"\bgpu +ok")

    def test_runtime_controls(self):
        for verb in ("load", "verify"):
            for mode in ("auto", "fused", "separate", "native"):
                self.expect(0, verb, self.rice, "--xdr-postprocess", mode)
            self.expect(0, verb, self.rice, "--xdr-gzip-decoder", "builtin", "--xdr-decompression-backend", "cuda")
            for flag, word, known in (("postprocess", "slow", "auto, fused, native, separate"),
                                      ("gzip-decoder", "zlib", "auto, builtin, deflate, gzip"),
                                      ("decompression-backend", "CUDA", "auto, cuda, hardware")):
                self.expect(2, verb, self.folder / "absent.fits", f"--xdr-{flag}", word, text=known)
            for decoder in ("deflate", "builtin"):
                self.expect(2, verb, self.rice, "--xdr-gzip-decoder", decoder, "--xdr-decompression-backend", "hardware",
                            text="gzip members only")
        self.expect(2, "plan", self.rice, "--xdr-postprocess", "auto")  # nothing is restored there

    def test_memory_cap(self):
        result = run("load", self.rice, "--max-bytes", "1K")
        self.assertIn(result.returncode, (1, 2, 3))
        self.assertIn("ERROR: ", result.stderr)
        self.expect(0, "load", self.rice, "--max-bytes", "1K", "--section", "0:1,0:10")

    def test_corrupt_files(self):
        whole = self.rice.read_bytes()
        cut = self.folder / "cut.fits"
        for length in (100, 2880 + 1000, len(whole) - 2880 - 500):
            cut.write_bytes(whole[:length])
            for verb in ("load", "verify"):
                result = run(verb, cut)
                self.assertEqual(result.returncode, 4, f"{verb}, {length} bytes: {result.stdout}{result.stderr}")
        cut.write_bytes(b"no FITS file at all\n" * 200)
        for verb in ("info", "load", "verify"):
            self.assertEqual(run(verb, cut).returncode, 4)
        cut.write_bytes(b"")
        self.assertEqual(run("load", cut).returncode, 4)

    def test_files_compressed_as_a_whole(self):
        whole = self.rice.read_bytes()
        for pack, packer in ((gzip.compress, "gzip"), (bz2.compress, "bzip2")):
            packed = self.folder / f"{packer}.fits"  # the name says nothing
            packed.write_bytes(pack(whole))
            size = f"{len(whole)} bytes, unpacked from {packed.stat().st_size} bytes of {packer}"
            self.assertIn(size, self.expect(0, "info", packed).stdout)
            self.expect(0, "verify", packed)
            self.assertIn("unpacked bytes", self.expect(0, "plan", packed).stdout)
            shown = {"packer": packer, "packed_bytes": packed.stat().st_size, "unpacked_bytes": len(whole)}
            self.assertEqual(run_json("info", packed)[0]["files"][0]["outer"], shown)
            self.assertEqual(run_json("load", packed)[0]["receipt"]["outer"], shown)
            self.assertIn(packer, self.expect(0, "load", packed, "--save", self.folder / "packed.npy").stdout)
            self.expect(0, "load", self.rice, "--save", self.folder / "plain.npy")
            self.assertEqual(read_npy(self.folder / "packed.npy"), read_npy(self.folder / "plain.npy"))
            for verb in ("info", "plan", "load", "verify", "demo"):
                self.expect(0, verb, packed, "--max-unpacked-bytes", str(len(whole)))
                result = run(verb, packed, "--max-unpacked-bytes", "4K")
                self.assertEqual(result.returncode, 0 if verb == "demo" else 3, verb)
                self.assertIn("more than 4096 bytes", result.stdout + result.stderr)
            packed.write_bytes(pack(whole)[:-100])
            self.expect(4, "load", packed, text="get the whole file")
            packed.write_bytes(pack(whole)[:-6] + b"damage")
            self.expect(4, "info", packed, text="get the file again")
        packed.write_bytes(b"\x1f\x9d\x90" + whole)
        self.expect(3, "load", packed, text="is externally compressed by compress (.Z); unpack it first: uncompress FILE")

    def test_worst_exit_wins(self):
        cut = self.folder / "worst.fits"
        cut.write_bytes(b"x" * 2880)
        self.assertEqual(run("verify", cut, self.folder / "absent", self.hcompress, self.rice).returncode, 4)
        self.assertEqual(run("verify", self.folder / "absent", self.hcompress, self.rice).returncode, 5)

    def test_io_errors(self):
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        for path in (self.folder / "absent.fits", self.folder, fifo, "/dev/zero"):
            self.expect(5, "load", path)
            self.assertEqual(run("verify", path).returncode, 5)
        self.expect(5, "load", self.rice, "--save", self.folder / "absent" / "out.npy")
        self.expect(5, "load", self.rice, "--save", self.folder)
        self.expect(5, "load", self.rice, "--save", "/dev/null")
        self.expect(5, "make-demo", self.raw)
        self.assertTrue(pathlib.Path("/dev/null").is_char_device())

    def test_output_that_cannot_be_written(self):
        for words in (("info", self.rice), ("load", self.rice, "--json"), ("--help",), ("doctor",),
                      ("verify", self.rice)):
            with open("/dev/full", "w") as full:
                self.expect(5, *words, stdout=full)
            line = 'exec "$0" xdr "$@" >&-'
            shell = ["sh", "-c", line, command_path(), *map(str, words)]
            closed = subprocess.run(shell, stderr=subprocess.PIPE, timeout=60)
            self.assertEqual(closed.returncode, 5, words)
        reading, writing = os.pipe()
        os.close(reading)
        with os.fdopen(writing, "w") as broken:
            self.expect(5, "info", self.rice, stdout=broken)

    def test_closed_stdout_never_reaches_the_saved_file(self):
        target = self.folder / "closed.npy"
        line = f'exec "$0" xdr load "{self.raw}" --save "{target}" >&- 2>&-'
        subprocess.run(["sh", "-c", line, command_path()], timeout=60)
        _, _, pixels = read_npy(target)
        self.assertEqual(len(pixels), 2 * SIZE[0] * SIZE[1])

    def test_file_names_are_literal(self):
        odd = self.folder / "a b[1:2,3:4]+1 \x1b(x).fits"
        odd.write_bytes(self.raw.read_bytes())
        result = self.expect(0, "verify", odd)
        self.assertRegex(result.stdout, r"\bok\n")
        self.assertNotIn("\x1b", result.stdout)
        dashed = self.folder / "-x.fits"
        dashed.write_bytes(self.raw.read_bytes())
        result = subprocess.run([command_path(), "xdr", "verify", "--", "-x.fits"], cwd=self.folder, timeout=60,
                                stdout=subprocess.PIPE, text=True)
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout, r"\bok\n")


if __name__ == "__main__":
    unittest.main()
