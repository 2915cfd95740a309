#!/bin/bash
# Builds a self-contained wheel for the interpreter PYTHON (default python3) into dist/.
set -euo pipefail
cd "$(dirname "$0")/.."
python="${PYTHON:-python3}"

cmake/setup.sh --no-venv
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
  echo "PYTHON=$python is missing or older than 3.11" >&2
  exit 1
fi

# The interpreter's own environment for building: pip, and no package of the user's.
environment="build-wheel/environment-$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')"
[ -x "$environment/bin/python" ] || "$python" -m venv "$environment"
"$environment/bin/python" -m pip install --disable-pip-version-check -q 'wheel>=0.40'

# LLVM's OpenMP runtime of the Debian package, which needs only glibc. THIRD-PARTY-NOTICES.txt has its terms, and those of all
# else that a wheel holds.
libomp="$PWD/build-wheel/libomp"
mkdir -p "$libomp"
cp -L /usr/lib/x86_64-linux-gnu/libomp.so.5 "$libomp/libomp.so.5"

# NVIDIA's libdevice, whose licence allows passing it on. Without it, kernels have no mathematical functions until the user
# installs nvidia-nvvm.
libdevice="$PWD/build-wheel/libdevice"
packages=$("$environment/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
if "$environment/bin/python" -m pip install --disable-pip-version-check -q --no-deps nvidia-nvvm; then
  mkdir -p "$libdevice"
  cp "$packages"/nvidia/*/nvvm/libdevice/libdevice.10.bc "$libdevice/"
  cmp "$packages"/nvidia_nvvm-*.dist-info/licenses/License.txt licenses/NVIDIA-CUDA-EULA.txt \
    || echo "NVIDIA's terms have changed: read them and replace licenses/NVIDIA-CUDA-EULA.txt before passing the wheel on" >&2
else
  libdevice=
  echo 'nvidia-nvvm could not be had from PyPI: the wheel is made without libdevice' >&2
fi

rm -rf build-wheel/out
"$environment/bin/python" -m pip wheel --disable-pip-version-check --no-deps -v -w build-wheel/out . \
  --config-settings=cmake.define.PYARRAY_BUNDLED_OPENMP="$libomp" \
  ${libdevice:+--config-settings=cmake.define.PYARRAY_BUNDLED_LIBDEVICE="$libdevice"} \
  ${MLIR_DIR:+--config-settings=cmake.define.MLIR_DIR="$MLIR_DIR"}

# Built on Debian 12, but needing no more than glibc 2.34 (python/old_glibc.c).
mkdir -p dist
"$environment/bin/python" -m wheel tags --remove --platform-tag manylinux_2_34_x86_64 build-wheel/out/*.whl >/dev/null
if cmake/setup.sh --no-venv advancecomp; then
  advzip -z -2 -q build-wheel/out/*.whl
else
  echo 'advzip could not be had from Debian: the wheel is compressed less well' >&2
fi
mv build-wheel/out/*.whl dist/
ls -lh dist/
