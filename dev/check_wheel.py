#!/usr/bin/env python3
"""Judges a wheel by what lies in it: what its machine code asks of a system, and how large it is.

usage: check_wheel.py [--tag] [--release] WHEEL
  --tag      renames it to the manylinux tag that its symbols earn (also inside), if it is not one yet
  --release  the limits of a wheel for every GPU; without: those for one architecture

Fails where a symbol is newer than glibc 2.34, a library is needed that not every Linux has, libstdc++ is not inside, the GPU
code is missing, or the file is too large. Reads with objdump, nothing else.
"""
import argparse
import base64
import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

NEWEST_GLIBC = (2, 34)
LIMIT_BYTES = {"one architecture": 15_000_000, "release": 50_000_000}
# What PEP 600 lets every Linux have, as far as we need it. Not libstdc++: an older one lacks what g++ 12 uses.
SYSTEM = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libpthread.so.0", "libdl.so.2", "librt.so.1", "ld-linux-x86-64.so.2",
          "ld-linux-aarch64.so.1", "libz.so.1"}


def objdump(option, file):
    return subprocess.run(["objdump", option, str(file)], check=True, capture_output=True, text=True).stdout


def asked_of_glibc(dynamic_symbols):
    """Newest GLIBC_x.y among undefined symbols of `objdump -T`."""
    versions = [tuple(map(int, found)) for line in dynamic_symbols.splitlines() if "*UND*" in line
                for found in re.findall(r"GLIBC_(\d+)\.(\d+)", line)]
    return max(versions, default=(0, 0))


def problems_of(module, dynamic_symbols, headers, beside=()):
    """What is wrong with a shared object, from objdump -T and -p; `beside`: libraries in the same folder of the wheel."""
    problems = []
    glibc = asked_of_glibc(dynamic_symbols)
    if glibc > NEWEST_GLIBC or glibc == (0, 0):
        problems.append(f"{module} asks for GLIBC_{glibc[0]}.{glibc[1]}, the limit is {NEWEST_GLIBC[0]}.{NEWEST_GLIBC[1]}")
    needed = re.findall(r"^\s*NEEDED\s+(\S+)", headers, re.M)
    for library in sorted(set(needed) - SYSTEM - set(beside)):
        problems.append(f"{module} needs {library}, which not every Linux has")
    return problems


def retag(wheel, glibc):
    """The same wheel under the tag manylinux_x_y; returns its new path."""
    machine = re.search(r"linux_(\w+)\.whl$", wheel.name)[1].removeprefix(f"{glibc[0]}_{glibc[1]}_")
    tag = f"manylinux_{glibc[0]}_{glibc[1]}_{machine}"
    if tag in wheel.name:
        return wheel
    target = wheel.with_name(re.sub(r"linux_\w+\.whl$", tag + ".whl", wheel.name))
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        lines = {}
        for entry in old.infolist():
            content = old.read(entry)
            if entry.filename.endswith(".dist-info/WHEEL"):
                content = re.sub(rb"(?m)^(Tag: \S+-)linux_\w+$", rb"\g<1>" + tag.encode(), content)
                digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                lines[entry.filename] = f"{entry.filename},sha256={digest},{len(content)}"
            if entry.filename.endswith(".dist-info/RECORD"):
                content = "\n".join(lines.get(line.split(",")[0], line) for line in content.decode().splitlines()).encode() + b"\n"
            new.writestr(entry, content)
    wheel.unlink()
    return target


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tag", action="store_true")
    parser.add_argument("--release", action="store_true")
    parser.add_argument("wheel", type=pathlib.Path)
    words = parser.parse_args()
    problems, glibc = [], (0, 0)
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(words.wheel) as archive:
            modules = [name for name in archive.namelist() if re.search(r"\.so(\.|$)", name)]
            archive.extractall(folder, modules)
        if not any(name.startswith("cuphoton/xdr/_ext.") for name in modules):
            problems.append("there is no extension module in it")
        for name in modules:
            file = pathlib.Path(folder) / name
            symbols = objdump("-T", file)
            glibc = max(glibc, asked_of_glibc(symbols))
            beside = [other.rsplit("/", 1)[-1] for other in modules if other.rsplit("/", 1)[0] == name.rsplit("/", 1)[0]]
            problems += problems_of(name, symbols, objdump("-p", file), beside)
            if "/_ext." in name and b".nv_fatbin" not in file.read_bytes():
                problems.append(f"{name} holds no GPU code")
    kind = "release" if words.release else "one architecture"
    size = words.wheel.stat().st_size
    if size > LIMIT_BYTES[kind]:
        problems.append(f"{size} bytes, the limit of a wheel for {kind} is {LIMIT_BYTES[kind]}")
    for problem in problems:
        print(f"{words.wheel.name}: {problem}", file=sys.stderr)
    if problems:
        sys.exit(1)
    wheel = retag(words.wheel, glibc) if words.tag else words.wheel
    print(f"wheel: {wheel}: {size / 1e6:.1f} MB, "
          f"glibc {glibc[0]}.{glibc[1]}, {len(modules)} shared object(s), no other library needed")


if __name__ == "__main__":
    main()
