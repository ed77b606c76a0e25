#!/usr/bin/env bash
# Runs the host benchmarks of a build folder and keeps their figures: bench/run.sh BUILD. docs/performance.md is made from
# bench/results/*.json by dev/make_tables.py.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
commit=$(git describe --always --dirty 2>/dev/null || echo unknown)
mkdir -p bench/results
"$build/bench/host_bench" bench/results/host.json "$commit"
"$build/bench/micro_codecs" --benchmark_min_time=0.05 --benchmark_out="$build/micro_codecs.json" --benchmark_out_format=json
python3 dev/make_tables.py
