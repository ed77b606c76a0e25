"""The command and names that are traps: links in the way of --save, and names that CFITSIO would take for programs,
URLs or filters, also where CFITSIO itself is asked (verify)."""

import os
import pathlib
import shutil
import struct
import tempfile
import unittest

from command import run, run_json

PIXELS = [1, -2, 300, -400]


def fits_file(values):
    cards = ["SIMPLE  =                    T", "BITPIX  =                   16", "NAXIS   =                    1",
             f"NAXIS1  = {len(values):20d}", "END"]
    header = "".join(card.ljust(80) for card in cards).encode()
    data = struct.pack(f">{len(values)}h", *values)
    return header.ljust(2880, b" ") + data.ljust(2880, b"\0")


class LinksTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="xdr-links-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.image = self.folder / "image.fits"
        self.image.write_bytes(fits_file(PIXELS))

    def save(self, name):
        return run("load", self.image, "--save", name, cwd=self.folder)

    def expect_pixels(self, path):
        self.assertEqual(path.read_bytes()[-8:], struct.pack("<4h", *PIXELS))

    def test_a_link_in_the_way_is_replaced_and_what_it_points_at_is_not_touched(self):
        victim = self.folder / "victim"
        victim.write_bytes(b"precious")
        link = self.folder / "out.npy"
        link.symlink_to(victim)
        self.assertEqual(self.save(link).returncode, 0)
        self.assertEqual(victim.read_bytes(), b"precious")
        self.assertFalse(link.is_symlink())
        self.expect_pixels(link)
        # A hard link is another name of the same file: replaced, the file under its other name is whole.
        other = self.folder / "other.npy"
        os.link(victim, other)
        self.assertEqual(self.save(other).returncode, 0)
        self.assertEqual(victim.read_bytes(), b"precious")
        self.expect_pixels(other)

    def test_a_link_to_nothing_makes_nothing_where_it_points(self):
        link = self.folder / "out.npy"
        link.symlink_to(self.folder / "absent")
        self.assertEqual(self.save(link).returncode, 0)
        self.assertFalse((self.folder / "absent").exists())
        self.expect_pixels(link)

    def test_what_is_no_file_is_not_replaced(self):
        os.mkfifo(self.folder / "pipe")
        (self.folder / "inner").mkdir()
        (self.folder / "to_inner").symlink_to(self.folder / "inner")
        (self.folder / "to_null").symlink_to("/dev/null")
        before = sorted(path.name for path in self.folder.iterdir())
        for name in ("pipe", "inner", "to_inner", "to_null"):
            result = self.save(self.folder / name)
            self.assertEqual(result.returncode, 5, name)
            self.assertIn("exists and is no regular file", result.stderr)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), before)
        self.assertTrue((self.folder / "to_null").is_symlink())

    def test_a_load_that_fails_leaves_the_old_file_and_nothing_else(self):
        old = self.folder / "out.npy"
        old.write_bytes(b"old")
        self.image.write_bytes(fits_file(PIXELS)[:2884])
        self.assertEqual(self.save(old).returncode, 4)
        self.assertEqual(old.read_bytes(), b"old")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["image.fits", "out.npy"])

    def test_names_are_names_for_every_verb_and_for_cfitsio(self):
        with_cfitsio = run_json("doctor")[0]["cfitsio"]["available"]
        names = ["image.fits[0]", "image.fits(out.fits)", "!image.fits", "image.fits+0", "image.fits[1:2]", "|cat image.fits",
                 "image.fits;touch made", "$(touch made)", "`touch made`", "@image.fits", "image.fits,0", "*.fits",
                 "copy of 'image'.fits", 'image".fits', "image.fits ", "mem:image.fits"]
        for name in names:
            for verb in (("info",), ("load",), ("verify",), ("plan",)):
                result = run(*verb, "--", name, cwd=self.folder)
                self.assertEqual(result.returncode, 5, f"{verb} {name}: {result.stdout}{result.stderr}")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["image.fits"])
        for name in names:
            (self.folder / name).write_bytes(fits_file([7, 7, 7, 8]))
        content = {path.name: path.read_bytes() for path in self.folder.iterdir()}
        for name in names:
            if with_cfitsio:
                self.assertEqual(run("verify", "--", name, cwd=self.folder).returncode, 0, name)
            self.assertIn("int16 4", run("load", "--", name, cwd=self.folder).stdout)
        self.assertEqual({path.name: path.read_bytes() for path in self.folder.iterdir()}, content)


if __name__ == "__main__":
    unittest.main()
