"""Runs both fuzzers, programs.py and ir.py, for half of the time each."""

import argparse
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).parent
FUZZERS = ("programs.py", "ir.py")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    shared = [
        "--seconds",
        str(options.seconds / len(FUZZERS)),
        "--seed",
        str(options.seed),
        "--jobs",
        str(options.jobs),
    ]
    return max([subprocess.run([sys.executable, HERE / name, *shared]).returncode for name in FUZZERS])


if __name__ == "__main__":
    sys.exit(main())
