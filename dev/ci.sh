#!/usr/bin/env bash
# Runs the verbs named, each with its log in build/ci/, goes on after a failure, and closes with a table of measured
# against budgeted seconds and one line that counts: each test of ctest, and each verb that runs no ctest as one check.
# Over budget is a warning, since machines differ; a failure is a failure.
set -uo pipefail
cd "$(dirname "$0")/.."
mkdir -p build/ci
rm -f build/ci/*
passed=0 failed=0 rows=() warnings=()

for verb in "$@"; do
  echo "=== make $verb"
  begin=$(date +%s%N)
  make "$verb" </dev/null 2>&1 | tee "build/ci/$verb.log"
  status=${PIPESTATUS[0]}
  tenths=$((($(date +%s%N) - begin) / 100000000))
  budget=$(awk -F'\t' -v verb="$verb" '$1 == verb {print $2}' dev/verbs.tsv)

  # ctest closes with: 93% tests passed, 2 tests failed out of 28
  read -r bad all < <(sed -n 's/.*tests passed, \([0-9]*\) tests failed out of \([0-9]*\)$/\1 \2/p' "build/ci/$verb.log" |
    awk '{bad += $1; all += $2} END {print bad + 0, all + 0}')
  # pytest closes with: 1 failed, 12 passed, 3 skipped, 2 errors in 4.56s
  read -r fails oks < <(grep -E '^(=+ )?([0-9]+ [a-z]+(, )?)+ in [0-9.]+s' "build/ci/$verb.log" |
    grep -oE '[0-9]+ (failed|passed|errors?)' |
    awk '$2 == "passed" {good += $1} $2 != "passed" {bad += $1} END {print bad + 0, good + 0}')
  bad=$((bad + fails)) all=$((all + fails + oks))
  if [ "$all" -gt 0 ]; then
    what="$((all - bad)) of $all tests"
  else
    all=1 bad=$((status != 0))
    what=check
  fi
  # A verb can fail beside its tests (a build, a check after them); that must not hide behind "0 failed".
  [ "$status" -eq 0 ] || [ "$bad" -gt 0 ] || { all=$((all + 1)) bad=1; }
  passed=$((passed + all - bad)) failed=$((failed + bad))

  result=ok
  [ "$status" -eq 0 ] || result=FAILED
  if [ "$tenths" -gt $((budget * 10)) ]; then
    warnings+=("WARNING: make $verb took $((tenths / 10)) s, its budget is $budget s")
  fi
  rows+=("$(printf '%-12s %7d.%d %9d  %-16s %s' "$verb" $((tenths / 10)) $((tenths % 10)) "$budget" "$what" "$result")")
done

printf '\n%-12s %9s %9s  %-16s %s\n' verb measured budget ran result
printf '%s\n' "${rows[@]}"
[ ${#warnings[@]} -eq 0 ] || printf '%s\n' "${warnings[@]}"
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
