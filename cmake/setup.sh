#!/bin/bash
# Sets up a bare Debian 12 for building and testing: apt packages, then the virtual environment .venv. Does nothing where
# everything is in place. PYTHON selects the interpreter of .venv (default python3).
#
# Usage: setup.sh [--no-venv] [apt package...]   the packages are installed too
set -euo pipefail
cd "$(dirname "$0")/.."
python="${PYTHON:-python3}"

say() { printf '\033[1m-- %s\033[0m\n' "$*"; }

packages=(
  build-essential cmake ninja-build
  libmlir-22-dev llvm-22-dev mlir-22-tools llvm-22-tools lld-22
  clang-22    # compiles lib/device for GPUs
  libomp5-19  # threads of parallel loops; Debian 12 has no libomp5-22, and its libomp-22-dev takes this one
  zlib1g-dev libzstd-dev libxxhash-dev
  python3-dev python3-venv
)

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

missing_packages() {
  dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null | awk '$2 == "installed" { print $1 }' | sort -u \
    | comm -13 - <(printf '%s\n' "$@" | sort -u)
}

# apt_install <package>...: installs those that are missing.
apt_install() {
  local missing
  mapfile -t missing < <(missing_packages "$@")
  [ ${#missing[@]} = 0 ] && return
  if ! command -v apt-get >/dev/null; then
    echo "These Debian packages are missing; install their equivalents: ${missing[*]}" >&2
    return 1
  fi
  say "Installing from Debian: ${missing[*]}"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
}

stamp() { cat "$1" <("$python" -c 'import sys; print(sys.version, sys.base_prefix)') | sha256sum; }

# Without PyPI: the distribution's Python, which sees python3-numpy and python3-pytest.
make_offline_environment() {
  say "PyPI cannot be reached: using Debian's NumPy and pytest"
  apt_install python3-numpy python3-pytest python3-pytest-xdist python3-hypothesis
  rm -rf .venv
  /usr/bin/python3 -m venv --system-site-packages .venv
}

make_environment() {
  say "Making .venv with $("$python" --version)"
  "$python" -m venv --clear .venv
  rm -f build*/CMakeCache.txt  # which remembers the Python that .venv had before
  say "Installing into .venv: $(grep -v '^#' requirements.txt | tr '\n' ' ')"
  .venv/bin/python -m pip install --disable-pip-version-check --retries 2 -r requirements.txt || make_offline_environment
}

# NVIDIA's libdevice, which kernels need for mathematical functions; the build copies it into the package. Everything else does
# without.
install_libdevice() {
  .venv/bin/python -m pip install -q --disable-pip-version-check --retries 2 nvidia-nvvm \
    || say "nvidia-nvvm could not be installed: no mathematical functions on GPUs"
}

# `import pyarray` finds the package in the source tree, with the built libraries beside it.
add_path_file() {
  local site
  site="$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
  echo "$PWD/python" > "$site/pyarray-source.pth"
}

environment=yes
if [ "${1:-}" = --no-venv ]; then
  environment=no
  shift
fi
apt_install "${packages[@]}" "$@"
if [ $environment = yes ] && [ "$(cat .venv/.stamp 2>/dev/null)" != "$(stamp requirements.txt)" ]; then
  make_environment
  install_libdevice
  add_path_file
  stamp requirements.txt > .venv/.stamp
fi
