"""Sums at the command: what `verify` says of DATASUM and CHECKSUM, what `load --checksum` makes of them, exit codes.

The sums are written here from FITS 4.0 appendix J; the C++ tests compare the library with CFITSIO.
"""

import pathlib
import shutil
import struct
import sys
import tempfile
import unittest

from command import run, run_json

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

from small_fits import block, hdu, table_cards  # noqa: E402

ALL_ONES = 0xFFFFFFFF


def add_up(data):
    """Ones' complement sum of big-endian words."""
    total = sum(struct.unpack(f">{len(data) // 4}I", data))
    while total > ALL_ONES:
        total = (total >> 32) + (total & ALL_ONES)
    return total


def letters_of(total):
    """The 16 characters that bring `total` to all ones."""
    letters = [""] * 16
    for place, byte in enumerate(struct.pack(">I", ~total & ALL_ONES)):
        part = [byte // 4 + 48 + byte % 4, *[byte // 4 + 48] * 3]
        while not all(chr(letter).isalnum() for letter in part):
            for pair in (0, 2):
                if not (chr(part[pair]).isalnum() and chr(part[pair + 1]).isalnum()):
                    part[pair], part[pair + 1] = part[pair] + 1, part[pair + 1] - 1
        for row, letter in enumerate(part):
            letters[4 * row + place] = chr(letter)
    return "".join(letters[-1:] + letters[:-1])


def summed(cards, data=b""):
    """An HDU with both sums."""
    whole = hdu((*cards, f"DATASUM='{add_up(block(data)):<8}'", f"CHECKSUM='{'0' * 16}'"), data)
    return whole.replace(b"0" * 16, letters_of(add_up(whole)).encode())


PRIMARY = ("SIMPLE=T", "BITPIX=16", "NAXIS=2", "NAXIS1=3", "NAXIS2=2")
IMAGE = ("XTENSION='IMAGE   '", "BITPIX=8", "NAXIS=1", "NAXIS1=2", "PCOUNT=0", "GCOUNT=1")


class ChecksumTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="xdr-sums-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.right = (summed(PRIMARY, struct.pack(">6h", 1, 2, 3, 4, 5, 6))
                      + summed(table_cards(4, 2, ("1J", )), bytes(range(8))) + hdu(IMAGE, b"\1\2"))
        self.path = self.folder / "sums.fits"
        self.path.write_bytes(self.right)

    def flip(self, offset):
        data = bytearray(self.right)
        data[offset] ^= 1
        self.path.write_bytes(data)

    def states(self, *words):
        """[(DATASUM, CHECKSUM)] of each HDU, and the exit code."""
        report, exit_code = run_json("verify", self.path, "--peer", "none", *words)
        self.assertEqual(report["exit"], exit_code)
        return [tuple(row["sums"][word]["state"] for word in ("datasum", "checksum"))
                for row in report["rows"]], exit_code

    def test_good_and_absent(self):
        self.assertEqual(self.states(), ([("good", "good"), ("good", "good"), ("absent", "absent")], 0))
        text = run("verify", self.path, "--peer", "none").stdout
        self.assertRegex(text, r"(?m)datasum +checksum +result$")
        self.assertRegex(text, r"(?m)0 +- +\S+ +good +good +ok")
        self.assertRegex(text, r"(?m)1 +- +- +good +good +no image")
        self.assertRegex(text, r"(?m)2 +- +\S+ +absent +absent +ok")

    def test_bad_data(self):
        self.flip(2880 + 1)
        self.assertEqual(self.states(), ([("bad", "bad"), ("good", "good"), ("absent", "absent")], 1))
        result = run("verify", self.path, "--peer", "none")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"(?m)0 +- +\S+ +bad +bad +ok.*; DATASUM bad \(the words of the data unit add up "
                                        r"to 524300, expected 589836\), CHECKSUM bad \(")

    def test_bad_table(self):
        self.flip(2 * 2880 + 2880 + 5)
        self.assertEqual(self.states(), ([("good", "good"), ("bad", "bad"), ("absent", "absent")], 1))

    def test_bad_header(self):
        self.flip(2879)
        self.assertEqual(self.states(), ([("good", "bad"), ("good", "good"), ("absent", "absent")], 1))

    def test_json_has_both_sums(self):
        self.flip(2880 + 1)
        report, _ = run_json("verify", self.path, "--peer", "none")
        data, whole = (report["rows"][0]["sums"][word] for word in ("datasum", "checksum"))
        self.assertEqual((data["written"], data["expected"], data["actual"]), ("589836", 589836, 524300))
        self.assertEqual((whole["expected"], len(whole["written"])), (ALL_ONES, 16))
        absent = report["rows"][2]["sums"]["checksum"]
        self.assertEqual((absent["written"], absent["expected"]), (None, None))

    def test_an_hdu_that_the_file_cuts_off_has_no_sums(self):
        self.path.write_bytes(self.right[:3 * 2880 + 5])
        report, exit_code = run_json("verify", self.path, "--peer", "none")
        self.assertEqual((report["rows"][1]["sums"], report["rows"][1]["result"], exit_code), (None, "corrupt", 4))

    def test_load(self):
        for hdu_number, checks in ((0, ["DATASUM", "CHECKSUM"]), (2, [])):
            report, exit_code = run_json("load", self.path, "--checksum", "--hdu", hdu_number)
            self.assertEqual((report["receipt"]["checks"], exit_code), (checks, 0))
        self.assertEqual(sum("is absent" in note for note in report["receipt"]["notes"]), 2)
        report, _ = run_json("load", self.path)
        self.assertEqual((report["receipt"]["checks"], report["receipt"]["requested"]["checksum"]), ([], False))

    def test_load_of_a_bad_hdu(self):
        self.flip(2880 + 1)
        saved = self.folder / "out.npy"
        result = run("load", self.path, "--checksum", "--save", saved)
        self.assertEqual((result.returncode, result.stdout, saved.exists()), (4, "", False))
        self.assertIn(f"ERROR: {self.path}: HDU 0: DATASUM bad", result.stderr)
        self.assertIn("get the file again", result.stderr)
        self.assertEqual(run("load", self.path).returncode, 0)
        self.assertEqual(run("load", self.path, "--checksum", "--hdu", "2").returncode, 0)


if __name__ == "__main__":
    unittest.main()
