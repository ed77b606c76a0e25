#!/usr/bin/env python3
"""Writes the seeds of the codec targets: small tiles of each kind behind the six parameter bytes of fuzz_tile.cpp."""
import gzip
import pathlib
import random
import struct
import zlib

from hcompress_stream import hcompress

FOLDER = pathlib.Path(__file__).parent / "seeds"


def save(target, name, row=0, pixels=0, width=3, pixel_bytes=4, block=32, wrap=False, tile=b""):
    """width: log2 of the room's bytes per pixel."""
    folder = FOLDER / target
    folder.mkdir(parents=True, exist_ok=True)
    prefix = struct.pack("<BHBBB", row | wrap << 3 | width << 4, pixels, pixel_bytes, block, 1)
    (folder / name).write_bytes(prefix + tile)


def noise(count, low, high, seed=1):
    generator = random.Random(seed)
    return [generator.randint(low, high) for _ in range(count)]


def deflate(raw, level, strategy=zlib.Z_DEFAULT_STRATEGY):
    packer = zlib.compressobj(level, zlib.DEFLATED, -15, 8, strategy)
    return packer.compress(raw) + packer.flush()


def member(raw, level=6, flags=0, fields=b""):
    return (bytes([0x1F, 0x8B, 8, flags, 0, 0, 0, 0, 0, 255]) + fields + deflate(raw, level)
            + struct.pack("<II", zlib.crc32(raw), len(raw)))


class Bits:
    """Most significant bit first."""

    def __init__(self):
        self.text = ""

    def put(self, value, count):
        self.text += format(value, "b").zfill(count)[-count:] if count else ""

    def bytes(self):
        text = self.text + "0" * (-len(self.text) % 8)
        return bytes(int(text[i:i + 8], 2) for i in range(0, len(text), 8))


def rice(pixels, pixel_bytes, block, plain=False):
    """FITS 4.0 10.4.1 with a plain choice of f."""
    field_bits, largest = {1: (3, 6), 2: (4, 14), 4: (5, 25)}[pixel_bytes]
    width = 8 * pixel_bytes
    bits = Bits()
    bits.put(pixels[0], width)
    last = pixels[0]
    for start in range(0, len(pixels), block):
        mapped = []
        for pixel in pixels[start:start + block]:
            difference = (pixel - last + (1 << width - 1)) % (1 << width) - (1 << width - 1)
            mapped.append(2 * difference if difference >= 0 else -2 * difference - 1)
            last = pixel
        f = max(sum(mapped) // len(mapped), 1).bit_length() - 1
        if not any(mapped):
            bits.put(0, field_bits)
        elif plain or f >= largest:
            bits.put(largest + 1, field_bits)
            for value in mapped:
                bits.put(value, width)
        else:
            bits.put(f + 1, field_bits)
            for value in mapped:
                bits.put(0, value >> f)
                bits.put(1, 1)
                bits.put(value, f)
    return bits.bytes()


def main():
    for width in range(4):
        save("none", f"width_{1 << width}", pixels=5, tile=bytes(range(5 << width)))
    save("none", "no_pixels")
    save("none", "length_that_fits_no_width", pixels=5, tile=bytes(13))

    pixels16 = struct.pack(">200H", *noise(200, 990, 1010))
    planes = pixels16[0::2] + pixels16[1::2]
    save("gzip", "noise_level_1", pixels=200, tile=member(pixels16, 1))
    save("gzip", "noise_level_9_planes", row=1, pixels=200, tile=member(planes, 9))
    save("gzip", "stored", pixels=40, width=0, tile=member(bytes(noise(40, 0, 255)), 0))
    save("gzip", "equal_pixels_overlap", pixels=4000, width=0, tile=member(b"\7" * 4000))
    save("gzip", "all_header_fields", pixels=9, width=0,
         tile=member(b"123456789", 6, 31, b"\3\0abc" + b"name\0" + b"comment\0" + b"\1\2"))
    save("gzip", "two_members", pixels=9, width=0, tile=gzip.compress(b"123456789", 6, mtime=0) * 2)
    save("gzip", "payload_fixed", pixels=60, width=0, wrap=True, tile=deflate(b"abcabcabcd" * 6, 6, zlib.Z_FIXED))
    save("gzip", "payload_dynamic", pixels=200, wrap=True, tile=deflate(pixels16, 6))
    save("gzip", "payload_huffman_only", pixels=200, wrap=True, tile=deflate(pixels16, 6, zlib.Z_HUFFMAN_ONLY))
    save("gzip", "payload_many_distances", pixels=2000, width=0, wrap=True,
         tile=deflate(bytes(noise(600, 0, 3, 2)) + bytes(noise(800, 0, 255, 3)) + bytes(noise(600, 0, 3, 2)), 9))
    save("gzip", "cut", pixels=200, tile=member(pixels16, 1)[:100])

    for pixel_bytes in (1, 2, 4):
        top = (1 << 8 * pixel_bytes) - 1
        save("rice", f"noise_{pixel_bytes}", pixels=100, pixel_bytes=pixel_bytes,
             tile=rice(noise(100, 100, 130), pixel_bytes, 32))
        save("rice", f"plain_{pixel_bytes}", pixels=20, pixel_bytes=pixel_bytes,
             tile=rice(noise(20, 0, top), pixel_bytes, 32, plain=True))
        save("rice", f"equal_{pixel_bytes}", pixels=100, pixel_bytes=pixel_bytes, tile=rice([9] * 100, pixel_bytes, 32))
    save("rice", "spikes", pixels=90, pixel_bytes=2, block=16,
         tile=rice([5 + (300 if i % 17 == 3 else i % 3) for i in range(90)], 2, 16))
    save("rice", "odd_blocks", pixels=50, pixel_bytes=2, block=7, tile=rice(noise(50, 0, 40), 2, 7))
    save("rice", "surplus", pixels=10, pixel_bytes=4, tile=rice(noise(10, 0, 40), 4, 32) + b"more")

    masks = {"runs": [0x0005, 0x4003, 0x2004, 0x4002, 0x5006, 0x3002, 0x4FFF], "singles": [0x6005, 0x7003, 0x6001] * 90,
             "sets": [0x1123, 0x0FFF, 0x4002, 0x1001, 0x0001, 0x5004] * 40, "nothing": [], "no_operand": [0x4002, 0x1001],
             "unknown": [0x4002, 0x8001], "too_low": [0x4002, 0x3002], "operands_like_sets": [0x1005, 0x0FFF] * 100}
    for name, data in masks.items():
        for form, header in (("long", [0, 7, 0xFF9C, len(data) + 7, 0, 0, 0]), ("short", [0, 0, len(data) + 3])):
            words = header + data
            save("plio", f"{name}_{form}", pixels=700, width=2, pixel_bytes=128 * (form == "long"),
                 tile=struct.pack(f">{len(words)}H", *words))
    save("plio", "surplus", pixels=2, width=2, pixel_bytes=0, tile=struct.pack(">5H", 0, 0, 5, 0x4007, 0x8000) + b"x")

    # pixel_bytes: smoothing 1, clipping 2; block: rows.
    for name, rows, columns, low, high, scale, flags, formats in (
            ("direct", 4, 6, -40, 40, 0, 0, 0), ("quadtrees", 8, 8, -3, 3, 0, 0, -1), ("mixed", 5, 7, -200, 200, 1, 0, 0x15),
            ("smooth", 9, 11, -9, 9, 60, 1, 3), ("clipped", 3, 4, -4000, 4000, 99, 3, 1), ("line", 1, 17, -5, 5, 0, 0, 2),
            ("wide", 2, 6, -1 << 40, 1 << 40, 5, 1, 0)):
        save("hcompress", name, pixels=rows * columns, pixel_bytes=flags, block=rows,
             tile=hcompress(rows, columns, [0] + noise(rows * columns - 1, low, high), 1000 * rows, scale, formats))
    sparse = [9 if i in (5, 77) else 0 for i in range(256)]
    save("hcompress", "sparse_and_surplus", pixels=256, pixel_bytes=0, block=16,
         tile=hcompress(16, 16, sparse, 70000, 0, -1) + b"more")
    save("hcompress", "equal", pixels=256, pixel_bytes=0, block=16, tile=hcompress(16, 16, [0] * 256, 1 << 10))


if __name__ == "__main__":
    main()
