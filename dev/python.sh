#!/usr/bin/env bash
# Builds the wheel with one interpreter, or builds and tests it in a fresh environment.
#   dev/python.sh test [PYTEST-ARGUMENT...]   after `make all`: wheel from build/host, environment .venv/python, pytest
#   dev/python.sh wheel                       release wheel from build/release, judged by dev/check_wheel.py
#   dev/python.sh carry                       the same for sm_90 alone, for a test on such a GPU (dev/carry.sh)
#   dev/python.sh which                       says which interpreter it would be
# The interpreter: $PYTHON, else the active $VIRTUAL_ENV's, else the checkout's .venv/bin/python, else python3. A named one
# that cannot be used, an empty PYTHON too, ends this before anything is installed.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() { echo "python: $*" >&2; exit 2; }

choose() {
  local from
  if [ -n "${PYTHON+set}" ]; then
    from=PYTHON python=$PYTHON
    [ -n "$python" ] || fail "PYTHON is set, but empty: name an interpreter, or unset it"
  elif [ -n "${VIRTUAL_ENV:-}" ]; then
    from=VIRTUAL_ENV python=$VIRTUAL_ENV/bin/python
  elif [ -x .venv/bin/python ]; then
    from=.venv python=$PWD/.venv/bin/python
  else
    from=PATH python=python3
  fi
  local found
  found=$(command -v "$python") || fail "$from names $python, which is no program"
  # Absolute, but a link stays: an environment's interpreter is one.
  case "$found" in /*) python=$found ;; *) python=$PWD/$found ;; esac
  about=$("$python" -c '
import os, sys, sysconfig
if sys.version_info < (3, 11): sys.exit(f"Python {sys.version.split()[0]} is too old: 3.11 or newer")
import ensurepip, venv
if not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")):
    sys.exit("Python.h is missing (Debian: python3-dev)")
print(sys.version.split()[0], sys.implementation.cache_tag)') || fail "$from names $python, which cannot build the wheel"
  echo "python: $python ($from), Python ${about% *}"
}

# The environment that builds; made anew where the list or the interpreter is another one.
build_venv() {
  local stamp
  stamp=$(printf '%s %s\n' "$python" "$about"; cat dev/python-requirements.txt)
  [ "$(cat .venv/build/requirements.stamp 2>/dev/null)" != "$stamp" ] || return 0
  echo "python: making .venv/build"
  rm -rf .venv/build
  "$python" -m venv .venv/build
  .venv/build/bin/python -m pip install --quiet --disable-pip-version-check --requirement dev/python-requirements.txt
  echo "$stamp" >.venv/build/requirements.stamp
}

# wheel FOLDER SETTING...: one wheel into FOLDER, with settings of scikit-build-core; its log is shown on failure.
wheel() {
  local folder=$1 log=build/wheel.log
  shift
  rm -rf "$folder"
  mkdir -p build
  local settings=()
  for setting in "$@"; do settings+=(--config-settings "$setting"); done
  # The variables are users': here the settings say what is built.
  env -u CUPHOTON_XDR_BUILD_EXT -u CUPHOTON_XDR_CFITSIO_ROOT .venv/build/bin/python -m pip wheel . --quiet \
    --disable-pip-version-check --no-build-isolation --no-deps --wheel-dir "$folder" "${settings[@]}" >"$log" 2>&1 ||
    { tail -n 80 "$log" >&2; exit 1; }
  built=$(echo "$folder"/cuphoton_xdr-*.whl)
  echo "python: $built, $(($(stat -c %s "$built") / 1000)) kB"
}

test_wheel() {
  # The tree of `make all` with one option more: its objects are linked, and only the binding is compiled. No hints: they
  # would also choose the interpreter of the C++ tests, and outlive it; nor modules in place of CMake's own.
  wheel build/wheels/test build-dir=build/host cmake.args=--preset=host \
    cmake.python-hints=false backport.find-python=0 \
    "cmake.define.Python_EXECUTABLE=$PWD/.venv/build/bin/python" \
    cmake.define.XDR_TESTS=ON cmake.define.XDR_BENCH=ON cmake.define.XDR_CFITSIO=AUTO
  rm -rf .venv/python
  "$python" -m venv --without-pip .venv/python
  .venv/build/bin/python -m pip --python .venv/python/bin/python install --quiet --disable-pip-version-check --no-compile \
    "$built" --requirement python/tests/requirements.txt
  # Isolated: neither this folder nor PYTHONPATH may lend a module that the wheel lacks.
  XDR_BUILD_PYTHON=$PWD/.venv/build/bin/python .venv/python/bin/python -I -m pytest python/tests -W error \
    -p no:cacheprovider -q -rs "$@"
}

# Every GPU that CUDA 13 knows and text for newer ones; system libraries inside wherever their archives can be linked.
portable_wheel() {
  local name=$1 architectures=$2
  shift 2
  wheel "build/wheels/$name" "build-dir=build/$name" "cmake.define.CMAKE_CUDA_ARCHITECTURES=$architectures" \
    cmake.define.XDR_CUDA=ON cmake.define.XDR_STATIC=ON cmake.define.XDR_CFITSIO=OFF
  .venv/build/bin/python dev/check_wheel.py --tag "$@" "$built"
}

choose
what=${1:-test}
shift || true
[ "$what" != which ] || exit 0
build_venv
case "$what" in
  test) test_wheel "$@" ;;
  wheel) portable_wheel release '75-real;80-real;86-real;89-real;90-real;100-real;120' --release ;;
  carry) portable_wheel carry 90-real ;;
  *) sed -n '3,8p' "$0" >&2; exit 2 ;;
esac
