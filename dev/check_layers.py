#!/usr/bin/env python3
"""Compares every #include of the project with the allowed direction of dependencies (docs/architecture.md).

usage: check_layers.py [ROOT]        exit 1 and file:line for each include that points the wrong way

Three tables decide: which folder of src/ may include which, through which doors a third-party header may enter, and
which system headers need no door. A folder or a header that no table knows is an error: add it to a table, on purpose.
"""
import fnmatch
import pathlib
import re
import sys

# Folder of src/ -> what it may include there: folders, or single files. Public headers may be included by everyone.
ALLOW = {
    "base": (),
    "device": ("base",),
    "io": ("device", "base", "codecs/gzip/frame_core.hpp"),
    "fits": ("io", "base"),
    "restore": ("device", "base"),
    "codecs": ("device", "base"),
    "plan": ("fits", "base", "codecs/codec.hpp"),
    "engine": ("plan", "codecs", "restore", "io", "device", "base"),
    "pipeline": ("engine", "plan", "io", "device", "base"),
    "reader": ("pipeline", "engine", "plan", "fits", "io", "device", "base", "codecs/codec.hpp"),
    "cli": (),
}
# A kernel may end in the stages of restore, so that raw pixels never visit memory: these headers, in these files.
KERNEL_EPILOGUE = ("restore/device_group.hpp", "restore/device_run.hpp", "restore/dither_device.hpp",
                   "restore/epilogue.hpp", "restore/findings_device.hpp", "restore/placement.hpp", "restore/stages.hpp",
                   "restore/tile_queue.hpp")
KERNELS = ("src/codecs/*_cuda.cu", "src/codecs/*_sink.hpp")

# The Python module sees what users see, and the command as one function.
BINDINGS = "python/bindings/"
BINDINGS_MAY = ("cli/command.hpp",)

# Third-party header -> the files in which it may be included.
CFITSIO_TESTS = ("tests/support/cfitsio_*", "tests/conformance/cfitsio_headers.hpp")
DOORS = {
    "fitsio.h": ("src/cli/cfitsio_peer.cpp", "dev/make_golden.cpp", "bench/host_bench.cpp", *CFITSIO_TESTS),
    "fitsio2.h": CFITSIO_TESTS,
    "libdeflate.h": ("src/codecs/gzip/gzip_host.cpp", "src/io/gunzip.cpp", "tests/*", "bench/*", "fuzz/*"),
    "zlib.h": ("tests/*", "bench/*"),
    "bzlib.h": ("src/io/bunzip2.cpp", "tests/*", "bench/*", "fuzz/*"),
    "nlohmann/*": ("src/plan/serialize.cpp", "src/reader/receipt.cpp", "src/cli/report.cpp", "tests/*", "bench/*"),
    "CLI/*": ("src/cli/args.cpp",),
    "gtest/*": ("tests/*",),
    "benchmark/*": ("bench/*",),
    "cuda*": ("src/device/*", "*.cu"),
    "nanobind/*": ("python/bindings/*",),
    "Python.h": ("python/bindings/*",),
}
# Standard C++ headers have no suffix and no folder; these belong to the system.
SYSTEM = ("sys/*.h", "linux/*.h", "dirent.h", "dlfcn.h", "errno.h", "fcntl.h", "immintrin.h", "malloc.h", "poll.h", "pthread.h",
          "sched.h", "signal.h", "spawn.h", "unistd.h")

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
SUFFIXES = {".hpp", ".cpp", ".h", ".cu", ".cuh"}


def matches(path, patterns):
    return any(fnmatch.fnmatchcase(path, pattern) for pattern in patterns)


def judge_quoted(root, path, target):
    """What is wrong with `#include "target"` in the file `path`, or nothing."""
    if path.startswith(BINDINGS):
        if target in BINDINGS_MAY or ("/" not in target and (root / BINDINGS / target).is_file()):
            return None
        return f"python/bindings may include itself, public headers and {', '.join(BINDINGS_MAY)}"
    if not path.startswith("src/"):
        beside = (root / path).parent / target
        home = path.split("/")[0]
        if (root / "src" / target).is_file() or beside.is_file() or (root / home / target).is_file() \
                or (root / "tests" / target).is_file():
            return None  # tests, bench and fuzz may include anything of the project
        return "no such file in src/, tests/ or beside it"
    folder = path.split("/")[1]
    if not (root / "src" / target).is_file():
        return "no such file in src/ (write folder/file, as seen from src/)"
    other = target.split("/")[0]
    if folder not in ALLOW:
        return f"folder src/{folder} has no row in the table of dev/check_layers.py"
    if path.endswith("_core.hpp"):
        beside = target.endswith("_core.hpp") and target.rsplit("/", 1)[0] == path[len("src/"):].rsplit("/", 1)[0]
        return None if other == "base" or beside else \
            "a _core.hpp is shared with the device: it includes base/ and the cores beside it only"
    if other == folder or other in ALLOW[folder] or target in ALLOW[folder]:
        return None
    if matches(path, KERNELS) and target in KERNEL_EPILOGUE:
        return None
    allowed = ", ".join(ALLOW[folder]) or "nothing but itself and public headers"
    return f"{folder} may include {allowed}"


def judge_angled(root, path, target):
    """What is wrong with `#include <target>` in the file `path`, or nothing."""
    if target.startswith("cuphoton/"):
        return None if (root / "include" / target).is_file() else "no such public header"
    if re.fullmatch(r"[a-z_]+", target):
        return None
    public = path.startswith("include/")
    for pattern, files in DOORS.items():
        if fnmatch.fnmatchcase(target, pattern):
            if public:
                return "a public header includes no third-party header"
            return None if matches(path, files) else f"its doors are {', '.join(files)}"
    if matches(target, SYSTEM):
        return "a public header includes no system header" if public else None
    return "a header without a door: dev/check_layers.py names third-party headers and where they may enter"


def check(root):
    problems, count = [], 0
    for folder in ("include", "src", "tests", "fuzz", "bench", "examples", "dev", "python"):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in SUFFIXES:
                continue
            path = file.relative_to(root).as_posix()
            count += 1
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                found = INCLUDE.match(line)
                if not found:
                    continue
                quoted, angled = found.groups()
                if quoted and path.startswith("include/"):
                    problem = "a public header includes public headers, as <cuphoton/xdr/...>"
                elif quoted:
                    problem = judge_quoted(root, path, quoted)
                else:
                    problem = judge_angled(root, path, angled)
                if problem:
                    problems.append(f"{path}:{number}: includes {quoted or angled}: {problem}")
    return problems, count


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    problems, count = check(root)
    for problem in problems:
        print(problem, file=sys.stderr)
    if count == 0:
        sys.exit("layers: no source file found")
    print(f"layers: {count} files, {len(problems)} includes that point the wrong way")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
