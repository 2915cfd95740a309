#!/bin/bash
# Runs programs built with ThreadSanitizer; fails where one reports a race, or where tsan_parallel's deliberate race is
# not reported.
#
# Usage: tsan.sh <libarcher.so> <program>...   in the folder of the programs
set -euo pipefail
export OMP_TOOL_LIBRARIES="$1"
shift
if [ ! -f "$OMP_TOOL_LIBRARIES" ]; then
  echo "LLVM's libarcher.so is missing (Debian: libomp-22-dev)" >&2
  exit 1
fi
# libomp and Archer are not instrumented; a fork of several threads is something the tests do on purpose.
export TSAN_OPTIONS="ignore_noninstrumented_modules=1:die_after_fork=0:exitcode=66"

for program in "$@"; do
  echo "-- $program"
  "./$program"
done

echo "-- tsan_parallel race"
status=0
./tsan_parallel race >/dev/null 2>&1 || status=$?
if [ "$status" != 66 ]; then
  echo "the deliberate race was not reported (status $status)" >&2
  exit 1
fi
