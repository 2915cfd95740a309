"""Runs the C tests (ctest), the IR tests (lit) and the Python tests (pytest), and prints one total.

Usage: test/run.py [--build build] [--fast] [--sanitize] [--jobs n] [capi|lit|pytest ...]

--fast leaves out the files of test/python/slow_files.txt, which has the slowest first: those whose tests take more
than SLOW seconds together.
"""

import argparse
import collections
import importlib.util
import os
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SLOW = 3  # seconds
SLOW_FILES = ROOT / "test" / "python" / "slow_files.txt"


def counts(report):
    """Returns (tests, failures, skipped) of a JUnit report, all its suites together."""
    tests = failures = skipped = 0
    for case in ElementTree.parse(report).iter("testcase"):
        tests += 1
        failures += any(case.find(kind) is not None for kind in ("failure", "error"))
        skipped += case.find("skipped") is not None
    return tests, failures, skipped


def sanitizer_environment(python):
    """Returns variables for a build with sanitizers; Python, not built with them, needs the library loaded first."""
    environment = {
        "ASAN_OPTIONS": f"detect_leaks={int(not python)}:allocator_may_return_null=1",  # Python itself leaks at exit
        "LSAN_OPTIONS": f"suppressions={ROOT}/test/leaks.supp:print_suppressions=0",
        "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
        "PYTHONMALLOC": "malloc",
    }
    if python:
        # ASan looks up what throws C++ exceptions when it starts; matplotlib brings it only later.
        names = ("libasan.so", "libstdc++.so.6")
        paths = [subprocess.check_output(["gcc", f"-print-file-name={name}"], text=True).strip() for name in names]
        environment["LD_PRELOAD"] = " ".join(paths)
    return environment


def commands(build, reports, arguments):
    """Returns {part: command} of the parts in the order they run; each writes a JUnit report."""
    lit = shutil.which("lit", path=str(Path(sys.executable).parent)) or str(llvm_tools(build) / "lit")
    jobs = ["-j", str(arguments.jobs)]
    ctest = ["ctest", "--test-dir", str(build), "--output-on-failure", "--no-tests=ignore", *jobs]
    lit = [lit, "-s", "-v", *jobs, "--param", f"build={build}", str(ROOT / "test")]
    pytest = [sys.executable, "-m", "pytest", "-q", str(ROOT / "test" / "python")]
    if arguments.fast:
        pytest += ["--fast"]
    if arguments.jobs > 1 and importlib.util.find_spec("xdist") and not arguments.sanitize:  # which takes much memory
        # Each process takes whole files. One that dies ends the run: with another in its place it may never end.
        # They are taken in the order of conftest.py, the slowest first, so that all processes end together.
        pytest += ["-n", str(arguments.jobs), "--dist", "loadfile", "--no-loadscope-reorder"]
        pytest += ["--max-worker-restart", "0"]
    return {
        "capi": [*ctest, "--output-junit", str(reports / "capi.xml")],
        "lit": [*lit, "--xunit-xml-output", str(reports / "lit.xml")],
        "pytest": [*pytest, "--junit-xml", str(reports / "pytest.xml")],
    }


def llvm_tools(build):
    """Returns the folder of FileCheck and LLVM's other tools, which CMake wrote down."""
    return Path((build / "llvm-tools.txt").read_text().strip())


def slow_files(report):
    """Returns the files of a report of pytest, if there is one, whose tests took long, and are not known for it."""
    if not report.exists():
        return []
    seconds = collections.Counter()
    for case in ElementTree.parse(report).iter("testcase"):
        seconds[case.get("classname").split(".")[-1] + ".py"] += float(case.get("time"))
    known = SLOW_FILES.read_text().split()
    return [f"{name} ({taken:.0f} s)" for name, taken in seconds.most_common() if taken > SLOW and name not in known]


def run(part, command, report, environment):
    """Runs one part and returns its (tests, failures, skipped)."""
    print(f"\033[1m-- {part}: {' '.join(command[:1])}\033[0m", flush=True)
    report.unlink(missing_ok=True)
    started = time.monotonic()
    keep = {"PYTHONDONTWRITEBYTECODE": ""}  # of what more than a thousand processes import
    code = subprocess.run(command, cwd=ROOT, env={**os.environ, **keep, **environment}).returncode
    if part == "pytest" and code == 5:  # no tests collected
        code = 0
    tests, failures, skipped = counts(report) if report.exists() else (0, 0, 0)
    if code and not failures:
        failures = 1  # the runner itself failed
    print(f"-- {part}: {tests} tests, {failures} failed, {skipped} skipped, {time.monotonic() - started:.0f} s")
    return tests, failures, skipped


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build", type=Path)
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("--sanitize", action="store_true")
    parser.add_argument("--jobs", default=len(os.sched_getaffinity(0)), type=int)
    parser.add_argument("parts", nargs="*", choices=["capi", "lit", "pytest", []])
    arguments = parser.parse_args()
    build = (ROOT / arguments.build).resolve()
    reports = build / "reports"
    reports.mkdir(exist_ok=True)

    total = [0, 0, 0]
    for part, command in commands(build, reports, arguments).items():
        if arguments.parts and part not in arguments.parts:
            continue
        environment = sanitizer_environment(part == "pytest") if arguments.sanitize else {}
        if arguments.sanitize:
            environment["PYTHONPATH"] = str(build / "python")
            environment["PYARRAY_VERIFY"] = "passes"  # Python tests by themselves verify behind each stage
            environment["PYARRAY_TEST_TOOLS"] = str(build / "bin")
            environment["PYARRAY_TEST_BUILD"] = str(build)
        result = run(part, command, reports / f"{part}.xml", environment)
        total = [a + b for a, b in zip(total, result)]
    tests, failures, skipped = total
    if arguments.fast and (slow := slow_files(reports / "pytest.xml")):
        print(f"-- too slow for --fast, and not in {SLOW_FILES.relative_to(ROOT)}: {', '.join(slow)}")
    print(f"\033[1m== {tests} tests: {tests - failures - skipped} passed, {failures} failed, {skipped} skipped\033[0m")
    return 1 if failures or not tests else 0


if __name__ == "__main__":
    sys.exit(main())
