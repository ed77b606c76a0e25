#!/usr/bin/env bash
# Loads FITS files and compares each with CFITSIO's pixels: the user's own, or a small set written here.
#   dev/demo.sh BUILD-FOLDER [FILE...]
set -euo pipefail
cd "$(dirname "$0")/.."
cuphoton=$1/src/cli/cuphoton
shift
if [ $# -eq 0 ]; then
  rm -rf build/demo
  "$cuphoton" xdr make-demo build/demo
  set -- build/demo/*.fits*
fi
exec "$cuphoton" xdr demo "$@"
