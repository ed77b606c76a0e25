#!/usr/bin/env bash
# Runs every libFuzzer target of build/fuzz for some seconds, two at a time.
#   dev/fuzz.sh SECONDS
# Starts from fuzz/seeds and fuzz/regressions; what it learns stays in build/fuzz-corpus, what it finds is written to
# build/fuzz-findings and belongs, made small, into fuzz/regressions (docs/fuzzing.md).
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=$1
mkdir -p build/fuzz-findings
mapfile -t targets < <(find build/fuzz/fuzz -maxdepth 1 -type f -executable -name 'fuzz_*' | sort)
[ ${#targets[@]} -gt 0 ] || { echo "fuzz: no target was built" >&2; exit 1; }

run() {
  local target=$1 name folders
  name=$(basename "$target"); name=${name#fuzz_}
  mkdir -p "build/fuzz-corpus/$name"
  folders=("build/fuzz-corpus/$name")
  for kept in "fuzz/seeds/$name" "fuzz/regressions/$name"; do [ ! -d "$kept" ] || folders+=("$kept"); done
  if "$target" -max_total_time="$2" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
      -artifact_prefix="build/fuzz-findings/$name-" "${folders[@]}" >"build/fuzz-findings/$name.log" 2>&1; then
    echo "$name: no finding, $(sed -n 's/^stat::number_of_executed_units: *//p' "build/fuzz-findings/$name.log") runs in $2 s"
  else
    echo "$name: FINDING"; tail -n 40 "build/fuzz-findings/$name.log"; return 1
  fi
}
export -f run
printf '%s\0' "${targets[@]}" | xargs -0 -P 2 -I{} bash -c 'run "$1" "$2"' fuzz {} "$seconds"
