"""corpus_dump from Python: one question after the other (tests/corpus/corpus_dump.cpp says how they are asked)."""
import os
import subprocess
import sys

# What runs a program of another processor (dev/aarch64.sh), in front of the program.
EMULATOR = os.environ.get("XDR_EMULATOR", "").split()


class Reader:
    """The dumper, one question after the other, on one engine."""

    def __init__(self, program, engine):
        self.engine = engine
        self.process = subprocess.Popen([*EMULATOR, program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def read(self, path, hdu, values, section=""):
        """("ok", shape, type, notes, pixels) or ("error", code, reasons, text)."""
        self.process.stdin.write(f"{path}\t{hdu}\t{values}\t{self.engine}\t{section}\n".encode())
        self.process.stdin.flush()
        line = self.process.stdout.readline().decode(errors="replace").rstrip("\n")
        if not line:
            sys.exit(f"FAIL {path} HDU {hdu} {values} {section}: the reader died")
        if line.startswith("error "):
            _, code, reasons, text = line.split(" ", 3)
            return "error", code, reasons.split(","), text
        _, shape, dtype, size, notes = line.split(" ", 4)
        extents = [] if shape == "-" else [int(extent) for extent in shape.split("x")]
        return "ok", extents, dtype, notes, self.process.stdout.read(int(size))
