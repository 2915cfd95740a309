"""Runs the fuzzers, FUZZERS, for a part of the time each; with --sanitize on a build with sanitizers."""

import argparse
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from run import sanitizer_environment  # noqa: E402

FUZZERS = ("programs.py", "growing.py", "ir.py")


def environment(build, fuzzer):
    """Variables for a fuzzer on a build with sanitizers: programs run in this interpreter, IR in a tool."""
    variables = sanitizer_environment(fuzzer != "ir.py")
    variables["ASAN_OPTIONS"] += ":detect_leaks=0:hard_rss_limit_mb=6000"
    variables |= {"PYTHONPATH": str(build / "python"), "PYARRAY_TEST_TOOLS": str(build / "bin")}
    return {**os.environ, **variables}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--sanitize", type=pathlib.Path, metavar="BUILD", help="a build with sanitizers")
    parser.add_argument("fuzzers", nargs="*", default=FUZZERS, help=" ".join(FUZZERS))
    options = parser.parse_args()
    seconds = options.seconds / len(options.fuzzers)
    shared = ["--seconds", str(seconds), "--seed", str(options.seed), "--jobs", str(options.jobs)]
    status = 0
    for name in options.fuzzers:
        variables = environment(options.sanitize.resolve(), name) if options.sanitize else None
        status = max(status, subprocess.run([sys.executable, HERE / name, *shared], env=variables).returncode)
    return status


if __name__ == "__main__":
    sys.exit(main())
