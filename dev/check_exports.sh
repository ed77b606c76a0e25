#!/usr/bin/env bash
# The shared library shows cuphoton::xdr and nothing else: a second copy of a bundled library in one process must not
# bind to ours, nor ours to it.
#   dev/check_exports.sh LIBRARY
set -euo pipefail
symbols=$(nm --dynamic --defined-only --demangle --format=posix "$1" | sed -E 's/ [A-Za-z]( [0-9a-f]+)*$//')

strangers=$(grep -vE '^((typeinfo|typeinfo name|vtable|non-virtual thunk) (for|to) )?cuphoton::xdr::' <<<"$symbols" || true)
if [ -n "$strangers" ]; then
  printf 'exports: symbols that are not cuphoton::xdr in %s:\n%s\n' "$1" "$strangers" >&2
  exit 1
fi
# An empty list would pass the test above: these must be there, the last two for `catch` and dynamic_cast in user code.
for needed in 'cuphoton::xdr::read(' 'cuphoton::xdr::inspect(' 'cuphoton::xdr::open_source(' 'cuphoton::xdr::image::image(' \
    'typeinfo for cuphoton::xdr::error' 'typeinfo for cuphoton::xdr::byte_source'; do
  grep -qF "$needed" <<<"$symbols" || { echo "exports: $needed is missing from $1" >&2; exit 1; }
done
echo "exports: $(wc -l <<<"$symbols") symbols, all cuphoton::xdr"
