#!/usr/bin/env bash
# Packs what a GPU host without network needs into .carry (ignored by git): headers and static libraries of Debian's packages,
# the shared test corpus where it is here, the golden files where `make golden` made them, and wheels: the release wheel where
# `make wheel` made one, else one for sm_90 built now, nanobind's backend for the host's Python, and Astropy, which
# writes the files of the Python tests. Run on a Debian 12 machine
# after `make setup`, then carry the folder along. XDR_CARRY_PYTHON: the host's Python, 3.12 unless it says otherwise.
#   dev/carry.sh
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD/.carry/root
rm -rf .carry
mkdir -p "$root/usr/lib/x86_64-linux-gnu" .carry/shared

for package in libcfitsio-dev libdeflate-dev libdeflate0 libbz2-dev zlib1g-dev nlohmann-json3-dev libcli11-dev libgtest-dev; do
  dpkg -L "$package" | while read -r path; do
    case "$path" in
      /usr/include/* | /usr/lib/* | /usr/share/cmake/*) [ -d "$path" ] || install -D -m 644 "$path" "$root$path" ;;
    esac
  done
done
# Only archives: the shared CFITSIO alone would pull in 35 libraries, libcurl's among them.
find "$root" -name '*.so*' -delete
# But for libbz2: Debian's archive of it is not position-independent, and the shared one needs libc only. Under both names,
# the linker's and the loader's, since links may not travel.
lib=$root/usr/lib/x86_64-linux-gnu
rm "$lib/libbz2.a"
for name in libbz2.so libbz2.so.1.0; do install -m 644 "$(readlink -f /usr/lib/x86_64-linux-gnu/libbz2.so)" "$lib/$name"; done

# One archive for CFITSIO: itself, zlib, and stubs for the network and bzip2 calls that no test makes. The stubs of bzip2 get
# names of their own: our calls of libbz2 must not meet them.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for symbol in $(nm -u "$lib/libcfitsio.a" 2>/dev/null | sed -n 's/^ *U \(curl_[a-z_]*\|BZ2_[A-Za-z]*\)$/\1/p' | sort -u); do
  echo "void no_$symbol(void) { __builtin_trap(); }" >>"$work/stubs.c"
  echo "$symbol no_$symbol" >>"$work/renamed"
done
objcopy --redefine-syms="$work/renamed" "$lib/libcfitsio.a"
gcc -fPIC -c "$work/stubs.c" -o "$work/stubs.o"
printf 'create %s/all.a\naddlib %s/libcfitsio.a\naddlib %s/libz.a\naddmod %s/stubs.o\nsave\nend\n' "$work" "$lib" "$lib" "$work" | ar -M
mv "$work/all.a" "$lib/libcfitsio.a"

corpus=${SHARED:-../shared}/corpus
[ ! -d "$corpus" ] || cp -rL "$corpus" .carry/shared/corpus
[ ! -f build/golden/manifest.json ] || tar -C build --sort=name -czf .carry/golden.tar.gz golden

# The release wheel only where it is of this source: an old one would be tested in place of what was changed.
wheels=.carry/wheels
mkdir -p "$wheels"
newest=$(find src include python cmake pyproject.toml VERSION -type f -not -name '*.so' -not -path '*__pycache__*' \
  -not -path 'python/tests/*' -printf '%T@\n' | sort -n | tail -n 1)
release=$(find build/wheels/release -name 'cuphoton_xdr-*.whl' -newermt "@$newest" 2>/dev/null | head -n 1 || true)
[ -n "$release" ] || { dev/python.sh carry; release=$(echo build/wheels/carry/cuphoton_xdr-*.whl); }
cp "$release" "$wheels"
.venv/build/bin/python -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --implementation cp \
  --python-version "${XDR_CARRY_PYTHON:-3.12}" --platform manylinux_2_28_x86_64 --platform manylinux_2_27_x86_64 \
  --platform manylinux_2_17_x86_64 \
  --dest "$wheels" 'nanobind-backend==1.*' 'astropy==8.*' pyerfa astropy-iers-data pyyaml packaging
chmod -R u+w .carry
[ "$(du -sm .carry | cut -f1)" -lt 64 ] || { echo "carry: over 64 MB" >&2; exit 1; }
du -sh .carry | sed 's/^/carry: /'
