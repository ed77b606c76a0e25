#!/usr/bin/env bash
# Installs what is missing on a Debian 12 machine: what the demo needs, or everything (default).
#   dev/setup.sh [all|demo|cuda|astropy-env|aarch64]
# A second run finds everything there, asks no network and takes well under a second.
# Without root it prints the one apt line and exits 2.
set -euo pipefail
cd "$(dirname "$0")/.."
what=${1:-all}

# One place for every package by name. `demo`: to build and run the command; `all` adds tests, fuzzers and checks.
packages=(g++ make cmake ninja-build pkg-config git ca-certificates
          libdeflate-dev libbz2-dev zlib1g-dev nlohmann-json3-dev libcli11-dev libcfitsio-dev)
[ "$what" = demo ] || packages+=(
          python3 python3-venv python3-dev libcfitsio-bin libgtest-dev libbenchmark-dev
          clang-19 libclang-rt-19-dev clang-tidy-19 clang-format)
[ "$what" != aarch64 ] || packages=(g++-aarch64-linux-gnu qemu-user cmake ninja-build python3)

debian() {
  command -v dpkg-query >/dev/null || { echo "setup: this script knows Debian 12; you need: ${packages[*]}" >&2; exit 2; }
  local missing
  missing=$(comm -23 <(printf '%s\n' "${packages[@]}" | sort) \
    <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null | sed -n 's/^installed //p' | sort))
  [ -n "$missing" ] || return 0
  # shellcheck disable=SC2086
  set -- $missing
  if [ "$(id -u)" != 0 ]; then
    echo "setup: packages are missing and this is not root. Run, then repeat:" >&2
    echo "  sudo apt-get install -y --no-install-recommends $*" >&2
    exit 2
  fi
  echo "setup: installing $*"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends "$@" >/dev/null
}

# venv FOLDER REQUIREMENTS-FILE: a virtual environment with exactly that list; its stamp tells whether it is still right.
venv() {
  cmp -s "$2" "$1/requirements.stamp" && return 0
  echo "setup: making $1 ($(grep -vc '^#' "$2") requirements)"
  rm -rf "$1"
  # Debian's own interpreter: the one whose venv module we installed.
  "$(PATH=/usr/bin:$PATH command -v python3)" -m venv "$1"
  "$1/bin/python3" -m pip install --quiet --disable-pip-version-check --requirement "$2"
  cp "$2" "$1/requirements.stamp"
}

# nvcc compiles .cu files on every machine, GPU or not: the toolkit's own, else NVIDIA's wheels.
cuda() {
  ! PATH=$PATH:/usr/local/cuda/bin command -v nvcc >/dev/null || return 0
  venv .venv/cuda dev/cuda-requirements.txt
  # The wheels keep the static runtime in lib, their nvcc looks in lib64.
  for toolkit in .venv/cuda/lib/python3*/site-packages/nvidia/cu13; do ln -sfn lib "$toolkit/lib64"; done
}

# A GPU that the demo could run on: then the build needs nvcc.
driver() { [ -e /proc/driver/nvidia/version ] || ldconfig -p 2>/dev/null | grep -q 'libcuda\.so\.1'; }

case "$what" in
  demo) debian; ! driver || cuda ;;
  aarch64) debian ;;
  cuda) cuda ;;
  astropy-env) venv .venv/test tests/requirements.txt ;;
  all) debian; cuda; venv .venv/test tests/requirements.txt ;;
  *) sed -n '2,5p' "$0" >&2; exit 2 ;;
esac
echo "setup: $what is ready"
