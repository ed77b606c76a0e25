"""Prints one JSON line for each HDU of the FITS files below a folder, as Astropy describes them without reading pixels.

Called by header_differential_test with the corpus folder and relative paths on standard input, one a line.
"""

import json
import sys
import warnings

from astropy.io import fits


def describe(index, hdu):
    """The fields that the test compares, as plain JSON values."""
    header = hdu.header
    compressed = isinstance(hdu, fits.CompImageHDU)
    is_image = compressed or isinstance(hdu, (fits.PrimaryHDU, fits.ImageHDU))
    is_groups = isinstance(hdu, fits.GroupsHDU)
    line = {
        "index": index,
        "class": type(hdu).__name__,
        "name": header.get("EXTNAME", "").strip() if not compressed else hdu.name,
        "version": header.get("EXTVER", 1),
        "offset": hdu.fileinfo()["datLoc"] if not compressed else hdu._bintable.fileinfo()["datLoc"],
    }
    if is_image and not is_groups:
        line["shape"] = list(hdu.shape)
        line["bitpix"] = header["BITPIX"]
        for key, default in (("BSCALE", 1.0), ("BZERO", 0.0), ("BLANK", None)):
            line[key.lower()] = header.get(key, default)
    return line


def main():
    """Reads paths, writes lines; a file that Astropy refuses gives one line with its error."""
    warnings.simplefilter("ignore")
    folder = sys.argv[1]
    for path in sys.stdin.read().splitlines():
        try:
            with fits.open(f"{folder}/{path}", do_not_scale_image_data=True, memmap=True) as hdus:
                lines = [describe(index, hdu) for index, hdu in enumerate(hdus)]
        except Exception as problem:  # any refusal is an answer
            lines = [{"error": f"{type(problem).__name__}: {problem}"}]
        for line in lines:
            print(json.dumps({"file": path, **line}, default=str))


if __name__ == "__main__":
    main()
