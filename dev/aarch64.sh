#!/usr/bin/env bash
# The host core on another processor: cross-built for aarch64, its codec, conformance and unit tests and the golden files
# under qemu. There a compiler fuses multiply and add unless it is told not to; that ours does not is read from the machine
# code, next to the same file compiled the other way, which must contain such instructions.
#   dev/aarch64.sh        after `make golden`; asks for packages on a Debian 12 machine, as dev/setup.sh does
set -euo pipefail
cd "$(dirname "$0")/.."
dev/setup.sh aarch64
folder=$PWD/build/aarch64
root=$folder/root

# Packages of the other processor, unpacked and not installed: the machine's own list of architectures stays as it is.
foreign() {
  local packages=(libdeflate-dev libdeflate0 libbz2-dev libbz2-1.0 zlib1g-dev zlib1g libgtest-dev nlohmann-json3-dev libcli11-dev)
  [ "$(cat "$root/packages" 2>/dev/null)" != "${packages[*]}" ] || return 0
  rm -rf "$root" "$folder/apt"
  mkdir -p "$root" "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial"
  touch "$folder/apt/status"
  local options=(-qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State::Lists="$folder/apt/lists"
    -o Dir::State::Status="$folder/apt/status" -o Dir::Cache="$folder/apt/cache" -o APT::Sandbox::User=root)
  apt-get "${options[@]}" update
  (cd "$folder/apt" && apt-get "${options[@]}" download "${packages[@]}")
  for package in "$folder"/apt/*.deb; do dpkg-deb --extract "$package" "$root"; done
  rm -rf "$folder/apt"
  echo "${packages[*]}" >"$root/packages"
}

# How many instructions of an object file or library multiply and add in one step (scalar and vector).
fused() { aarch64-linux-gnu-objdump --disassemble "$@" | grep -cE '\sf(n?m(add|sub)|ml[as])\s' || true; }

no_fused_arithmetic() {
  local ours=0 object contrary=$folder/contrary.o
  while read -r object; do ours=$((ours + $(fused "$object"))); done < <(find "$folder/src" -name '*.o')
  aarch64-linux-gnu-g++ -std=c++20 -O3 -DNDEBUG -ffp-contract=fast -Isrc -Iinclude -c src/restore/host_loops.cpp -o "$contrary"
  local theirs
  theirs=$(fused "$contrary")
  echo "fused multiply-add: $ours instructions in src/, $theirs in restore/host_loops.cpp where the compiler may"
  [ "$ours" -eq 0 ] && [ "$theirs" -gt 0 ]
}

foreign
dev/build.sh aarch64
no_fused_arithmetic
export XDR_EMULATOR="qemu-aarch64 -L /usr/aarch64-linux-gnu"
[ -f build/golden/manifest.json ] || { echo "no golden files: make golden first" >&2; exit 1; }
# The command's own scripts compare with a CFITSIO that is not built for this processor.
ctest --test-dir "$folder" -L '^host$' -LE static -E '^(cli_|user_errors|regression_|golden)' --output-on-failure --no-tests=error -j "$(nproc)"
[ ! -d "${SHARED:-../shared}/corpus" ] || python3 tests/corpus/corpus_test.py "$folder/tests/corpus_dump"
python3 tests/golden/golden_test.py "$folder/tests/corpus_dump" build/golden host
