#!/usr/bin/env bash
# Configures and builds one preset. Quiet where all is well: a configure log is shown on failure, its summary always.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
mkdir -p "build/$preset"
log=build/$preset/configure.log
options=()
# `make python` leaves its option in the tree of the preset host; where its environment is gone, so is nanobind.
[ -x .venv/build/bin/python ] || options=(-DXDR_PYTHON=OFF)
cmake --preset "$preset" "${options[@]}" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
sed -n '/^-- cuphoton_xdr/,/^-- Configuring done/{/^-- Configuring/d;p}' "$log"
cmake --build --preset "$preset"
