#!/usr/bin/env python3
"""Says how many .cu files the cuda build compiled and fails where one was left out.

usage: check_cuda.py BUILD_FOLDER
A run that compiled nothing is right only while the project has no .cu file: a build that quietly lost
its device code would otherwise look green on machines without a GPU, that is in CI.
"""
import json
import pathlib
import re
import shlex
import sys

root = pathlib.Path(__file__).resolve().parent.parent
build = pathlib.Path(sys.argv[1]).resolve()

# The release wheel starts at sm_75; what only newer GPUs have would be found when it is made, late.
for file in sorted(p for p in (root / "src").rglob("*") if p.suffix in (".cu", ".hpp") and p.name != "gpu_arch.hpp"):
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if re.search(r"\b__reduce_\w+_sync\b", line):
            sys.exit(f"{file.relative_to(root)}:{number}: sm_75 has no such instruction: use src/base/gpu_arch.hpp")
        if re.search(r"\bblocks_per_multiprocessor = \d", line):
            sys.exit(f"{file.relative_to(root)}:{number}: not every GPU holds that many: resident_blocks() of src/base/gpu_arch.hpp")

sources = {p for folder in ("src", "bench", "tests") for p in (root / folder).rglob("*.cu")}
built = {}
for entry in json.loads((build / "compile_commands.json").read_text()):
    if entry["file"].endswith(".cu"):
        words = shlex.split(entry["command"])
        built[pathlib.Path(entry["file"]).resolve()] = build / words[words.index("-o") + 1]

probe = root / "cmake/cuda_probe/probe.cu"
if not (probe in built and built[probe].is_file()):
    sys.exit("cuda: FAILED, not even cmake/cuda_probe/probe.cu was compiled")
missing = sorted(p for p in sources if not (p in built and built[p].is_file()))
for path in missing:
    print(f"{path.relative_to(root)}: not compiled by the cuda build", file=sys.stderr)
if missing:
    sys.exit(1)
print("cuda: the compiler works (cmake/cuda_probe/probe.cu)")
if sources:
    print(f"{len(sources)} .cu files in the project: all compiled")
else:
    print("0 .cu files in the project: nothing compiled")
