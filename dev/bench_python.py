#!/usr/bin/env python3
"""What Python adds: `import cuphoton.xdr`, and `read` of a 64 x 64 image from bytes beside the same in C++.

usage: .venv/python/bin/python -I dev/bench_python.py [BUILD_FOLDER]     after `make python`; BUILD_FOLDER: build/host

Limits: import 50 ms, read 30 us more than C++ (medians; several alternating rounds, the best pair counts, since other work on
the machine slows both). Exit 1 where one is missed.
"""
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROUNDS = 4000


def small_image():
    cards = ["SIMPLE  =                    T", "BITPIX  =                   16", "NAXIS   =                    2",
             "NAXIS1  =                   64", "NAXIS2  =                   64", "END"]
    header = "".join(card.ljust(80) for card in cards).encode().ljust(2880)
    return header + bytes(range(256)) * 32 + bytes(-8192 % 2880)


def import_seconds():
    code = "import time; begin = time.perf_counter(); import cuphoton.xdr; print(time.perf_counter() - begin)"
    return float(subprocess.run([sys.executable, "-I", "-c", code], check=True, capture_output=True, text=True).stdout)


def python_seconds(data):
    from cuphoton import xdr

    costs = []
    for _ in range(ROUNDS + ROUNDS // 10):
        begin = time.perf_counter_ns()
        pixels = xdr.read(data, engine="host")
        costs.append(time.perf_counter_ns() - begin)
        del pixels
    return statistics.median(costs[ROUNDS // 10:]) / 1e9


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent / "build/host")
    cost = statistics.median(import_seconds() for _ in range(15))
    data = small_image()
    with tempfile.NamedTemporaryFile(suffix=".fits") as file:
        file.write(data)
        file.flush()
        pairs = []
        for _ in range(5):
            plain = subprocess.run([build / "bench/small_read", file.name, str(ROUNDS)], check=True, capture_output=True, text=True)
            pairs.append((python_seconds(data), int(plain.stdout) / 1e9))
    python, plain = min(pairs, key=sum)
    print(f"import cuphoton.xdr: {cost * 1e3:.1f} ms (limit 50)")
    print(f"read 64 x 64 from bytes: Python {python * 1e6:.1f} us, C++ {plain * 1e6:.1f} us, "
          f"difference {(python - plain) * 1e6:.1f} us (limit 30)")
    sys.exit(0 if cost < 0.05 and python - plain < 30e-6 else 1)


if __name__ == "__main__":
    main()
