#!/usr/bin/env bash
# The one command for a GPU host, with or without network: builds, runs every device test with skips forbidden, the corpus and
# the golden files on the GPU engine, the demo, compute-sanitizer on a small set, then the benchmarks; a short table last.
#   dev/device_check.sh OUT [PART...]      PARTs: build tests corpus golden python demo sanitize bench profile (all but profile if none)
# What the host lacks is taken from .carry (dev/carry.sh). Fails where a tool, the GPU or the expected number of tests is
# missing. Logs and results go to the folder OUT.
set -uo pipefail
cd "$(dirname "$0")/.."
out=${1:?usage: dev/device_check.sh OUT [PART...]}
shift
mkdir -p "$out"
out=$(cd "$out" && pwd)
parts=("$@")
[ ${#parts[@]} -gt 0 ] || parts=(build tests corpus golden python demo sanitize bench)
build=build/device
export XDR_REQUIRE_DEVICE=1
rows=() failed=0

# part NAME FUNCTION: runs it with its log and adds a row; the function's last line is what the row says.
part() {
  local begin=$SECONDS status=0
  echo "=== $1"
  "$2" >"$out/$1.log" 2>&1 || status=$?
  local last
  last=$(tail -n 1 "$out/$1.log" | cut -c1-90)
  if [ "$status" -ne 0 ]; then
    failed=1
    tail -n 40 "$out/$1.log"
  fi
  rows+=("$(printf '%-9s %5d s  %-6s %s' "$1" $((SECONDS - begin)) "$([ "$status" -eq 0 ] && echo ok || echo FAILED)" "$last")")
  return "$status"
}

do_build() {
  nvidia-smi --query-gpu=name,driver_version,clocks.sm --format=csv,noheader || { echo "no GPU: nvidia-smi failed"; return 1; }
  command -v nvcc && command -v compute-sanitizer || { echo "nvcc or compute-sanitizer is missing"; return 1; }
  local options=(-G Ninja -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DXDR_CUDA=ON -DXDR_CFITSIO=ON)
  [ ! -d .carry/root ] || options+=(-DCMAKE_PREFIX_PATH="$PWD/.carry/root/usr" -DCMAKE_LIBRARY_ARCHITECTURE=x86_64-linux-gnu
    -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF)
  cmake "${options[@]}" && cmake --build "$build" && echo "built"
}

do_tests() {
  ctest --test-dir "$build" -L device --output-on-failure --no-tests=error || return 1
  local ran
  ran=$(for test in "$build"/tests/*_device_test; do "$test" --gtest_list_tests; done | grep -c '^  ')
  [ "$ran" -ge 20 ] || { echo "only $ran device tests exist"; return 1; }
  # The tests of the other layers on this host too: some of them meet the driver here.
  ctest --test-dir "$build" -L host -LE static --output-on-failure -j 8 -E 'header_differential|corpus|golden|cli_' || return 1
  echo "$ran device tests passed, none skipped"
}

do_corpus() {
  export XDR_SHARED=${XDR_SHARED:-$PWD/.carry/shared}
  [ -d "$XDR_SHARED/corpus" ] || { echo "no corpus at $XDR_SHARED"; return 1; }
  python3 tests/corpus/corpus_test.py "$build/tests/corpus_dump" gpu-separate &&
    python3 tests/corpus/corpus_test.py "$build/tests/corpus_dump" gpu
}

do_golden() {
  [ ! -f .carry/golden.tar.gz ] || { rm -rf build/golden && mkdir -p build && tar -C build -xzf .carry/golden.tar.gz; } || return 1
  [ -f build/golden/manifest.json ] || { echo "no golden files: make golden, then dev/carry.sh, on a Debian 12 machine"; return 1; }
  python3 tests/golden/golden_test.py "$build/tests/corpus_dump" build/golden gpu-separate &&
    python3 tests/golden/golden_test.py "$build/tests/corpus_dump" build/golden gpu
}

# The carried wheel as a user without network installs it, beside the host's CuPy and torch: its device tests, and README's
# example in each of its parts.
do_python() {
  local wheel environment=$PWD/build/python-device
  wheel=$(echo .carry/wheels/cuphoton_xdr-*.whl)
  [ -f "$wheel" ] || { echo "no wheel: dev/carry.sh on a Debian 12 machine"; return 1; }
  rm -rf "$environment"
  # The host's python3 may itself be an environment, whose packages --system-site-packages would not see.
  python3 -m venv --without-pip "$environment" &&
    python3 -m pip --python "$environment/bin/python" install --quiet --no-index --no-deps .carry/wheels/*.whl &&
    python3 -c 'import sysconfig; print(sysconfig.get_path("purelib"))' >"$(echo "$environment"/lib/python3*/site-packages)/host.pth" ||
    return 1
  cuobjdump --list-elf "$(find "$environment" -name '_ext.abi3.so')" | tee "$out/python-elf.txt" || return 1
  local wanted=(90) architecture
  [ "$(grep -oE 'sm_[0-9]+' "$out/python-elf.txt" | sort -u | wc -l)" -eq 1 ] || wanted=(75 80 86 89 90 100 120)
  for architecture in "${wanted[@]}"; do
    grep -q "sm_$architecture" "$out/python-elf.txt" || { echo "the wheel holds no code for sm_$architecture"; return 1; }
  done
  "$environment/bin/cuphoton" xdr doctor >"$out/doctor.txt" && grep 'GPU engine: yes' "$out/doctor.txt" || return 1
  PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 "$environment/bin/python" -I -m pytest python/tests/device python/tests/test_readme.py \
    -W error -p no:cacheprovider -q -rs || return 1
  echo "$(basename "$wheel"): code for ${wanted[*]}, device tests passed"
}

do_demo() {
  "$build/src/cli/cuphoton" xdr doctor
  dev/demo.sh "$build" | tee "$out/demo.txt"
  ! grep -q different "$out/demo.txt" || { echo "a file differs"; return 1; }
  # Every file that is read at all names the GPU engine.
  ! grep ' same$' "$out/demo.txt" | grep -v ' gpu' && grep -q ' gpu.* same$' "$out/demo.txt" ||
    { echo "the demo did not run on the GPU"; return 1; }
  echo "$(grep -c ' gpu.* same$' "$out/demo.txt") files same on the GPU, $(grep -c unsupported "$out/demo.txt") unsupported"
}

# The small set: short streams of every codec, damaged ones too, and images of odd shapes.
do_sanitize() {
  local tool test tools=${XDR_SANITIZE_TOOLS:-memcheck synccheck initcheck racecheck}
  for tool in $tools; do
    for test in codec_device_test engine_device_test; do
      XDR_SMALL=1 timeout 240 compute-sanitizer --tool "$tool" --error-exitcode 99 "$build/tests/$test" \
        --gtest_filter="${XDR_SANITIZE_FILTER:--*loads_leave*}" || { echo "$tool: $test failed"; return 1; }
    done
  done
  echo "clean: $tools"
}

do_bench() {
  "$build/bench/device_bench" "$out/device.json" "${XDR_COMMIT:-$(git describe --always --dirty 2>/dev/null || echo unknown)}" |
    tee "$out/bench.txt"
  local status=${PIPESTATUS[0]}
  echo "$(grep -c 'GB/s' "$out/bench.txt") rows, $(grep -c MISSED "$out/bench.txt") missed"
  return "$status"
}

do_profile() {
  local kernel
  for kernel in decode_tiles inflate restore_stored; do
    timeout 120 ncu --clock-control none -k regex:"$kernel" -c 2 --section SpeedOfLight --section SchedulerStats \
      --section WarpStateStats --section Occupancy "$build/bench/device_bench" /dev/null x || true
  done
}

for name in "${parts[@]}"; do
  part "$name" "do_$name" || [ "$name" != build ] || break
done
printf '\n%-9s %7s  %-6s %s\n' part time result what
printf '%s\n' "${rows[@]}"
exit "$failed"
