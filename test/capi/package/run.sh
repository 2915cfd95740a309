#!/bin/sh
# Installs the library from the build folder $1, builds the projects beside this script and examples/toolkit with it, and runs them.
set -eu
here="$(cd "$(dirname "$0")" && pwd)"
work="$1/test-output/package"
rm -rf "$work"
cmake --install "$1" --component library --prefix "$work/prefix" >/dev/null
configure() {
  source="$1"
  shift
  cmake -S "$source" -B "$work/$(basename "$source")" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$work/prefix" "$@" >/dev/null
}
configure "$here/quiet"
configure "$here"
cmake --build "$work/package"
"$work/package/package"
# libMLIR.so is shared where there is one: the program is small then.
if ldd "$work/package/package" | grep -q libMLIR; then
  test "$(stat -c %s "$work/package/package")" -lt 20000000
fi
# No linker is forced on the project.
if grep -q -e '-fuse-ld' "$work/package/build.ninja"; then
  echo "the package chooses its user's linker" >&2
  exit 1
fi
configure "$here/../../../examples/toolkit"
cmake --build "$work/toolkit"
"$work/toolkit/wave" "$here/../../../examples/toolkit/ring.mlir" >"$work/ring.txt"
diff - "$work/ring.txt" <<'EXPECTED'
ring(0.0) = 0.000000
ring(1.0) = 1.682942
ring(2.0) = 1.818595
EXPECTED
