#!/usr/bin/env bash
# Installs a build into a prefix of its own, builds the examples against it and as a subproject, and runs both on a file
# that the installed command wrote: what a user of the C++ library does, from the outside.
#   examples/run.sh BUILD-FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
work=$1/examples
rm -rf "$work"
mkdir -p "$work"

cmake --install "$1" --prefix "$work/prefix" >"$work/install.log"
for codec in raw GZIP_2 RICE_1; do
  "$work/prefix/bin/cuphoton" xdr make-demo "$work/files" --codec "$codec" >>"$work/make-demo.log"
done
files=("$work"/files/*.fits*)

cmake -S examples/find_package -B "$work/find_package" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/find_package.log"
cmake --build "$work/find_package" >>"$work/find_package.log"
cmake -S examples/subproject -B "$work/subproject" -G Ninja >"$work/subproject.log"
cmake --build "$work/subproject" >>"$work/subproject.log"
# As a subproject we add no test and build neither command nor tests.
if ctest --test-dir "$work/subproject" --show-only | grep -q 'Test *#' || [ -n "$(find "$work/subproject" -name 'cuphoton')" ]; then
  echo "examples: the subproject brought more than the library" >&2
  exit 1
fi

for file in "${files[@]}"; do
  first=$("$work/find_package/mean" "$file")
  second=$("$work/subproject/mean" "$file")
  [ -n "$first" ] && [ "$first" = "$second" ] || { echo "examples: '$first' and '$second' for $file" >&2; exit 1; }
done
echo "examples: ${#files[@]} files, last: $first"
