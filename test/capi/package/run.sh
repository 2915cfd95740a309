#!/bin/sh
# Installs the library from the build folder $1, builds the project beside this script with it, and runs that.
set -eu
here="$(cd "$(dirname "$0")" && pwd)"
work="$1/test-output/package"
rm -rf "$work"
cmake --install "$1" --component library --prefix "$work/prefix" >/dev/null
cmake -S "$here" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build "$work/build"
"$work/build/package"
