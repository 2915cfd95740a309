"""Checks of compute-sanitizer and cuda-gdb on programs of ours: they name files and lines of Python."""

import re

from checking import EXAMPLES, check, run, tool

OFF_BY_ONE = """\
import sys

import numpy as np
from pyarray import cuda

margin = int(sys.argv[1])


@cuda.jit(lineinfo=True)
def add_one(x):
    i = cuda.grid(1)
    if i > x.shape[0] - margin:
        return
    x[i] = i  # here


x = cuda.to_device(np.zeros(1000))
add_one[8, 128](x)
cuda.synchronize()
"""

RACE = """\
import sys

import numpy as np
from pyarray import cuda, float64

barrier = bool(int(sys.argv[1]))


@cuda.jit(lineinfo=True)
def reverse(x):
    tile = cuda.shared.array(128, float64)
    t = cuda.threadIdx.x
    tile[t] = x[t]  # written here
    if barrier:
        cuda.syncthreads()
    x[t] = tile[127 - t]  # read here


x = cuda.to_device(np.zeros(128))
reverse[1, 128](x)
cuda.synchronize()
"""

STOP = """\
import numpy as np
from pyarray import cuda


@cuda.jit(debug=True)
def halve(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = x[i] / 2  # here


x = cuda.to_device(np.ones(10))
halve[1, 32](x)
print("sum", x.copy_to_host().sum())
"""


def line_of(text, comment):
    """The number of the line with a comment."""
    return 1 + [comment in line for line in text.splitlines()].index(True)


@check
def memcheck_names_the_line():
    before = [tool("compute-sanitizer"), "--tool", "memcheck"]
    report = run(OFF_BY_ONE, 0, before=before, name="off_by_one.py")
    line = line_of(OFF_BY_ONE, "# here")
    for part in (
        r"Invalid __global__ write of size 8 bytes",
        rf"off_by_one\.py:{line}\b",
        r"by thread \(104,0,0\) in block \(7,0,0\)",
    ):
        assert re.search(part, report), f"the report lacks {part}"
    clean = run(OFF_BY_ONE, 1, before=before, name="in_bounds.py")
    assert "ERROR SUMMARY: 0 errors" in clean, "errors in a program without any"
    return f"off_by_one.py:{line}, thread (104,0,0) of block (7,0,0); none in a right program"


@check
def racecheck_names_the_lines():
    before = [tool("compute-sanitizer"), "--tool", "racecheck"]
    report = run(RACE, 0, before=before, name="race.py")
    lines = {int(number) for number in re.findall(r"race\.py:(\d+)", report)}
    wanted = {line_of(RACE, "# written here"), line_of(RACE, "# read here")}
    assert re.search("Race reported|hazard", report) and wanted <= lines, f"lines {wanted} wanted, {lines} reported"
    clean = run(RACE, 1, before=before, name="no_race.py")
    assert "RACECHECK SUMMARY: 0 hazards" in clean, "hazards in a program with a barrier"
    return f"lines {sorted(wanted)} of race.py; none with a barrier"


@check
def sanitizer_of_the_runtime():
    """No leak, no uninitialised or misused memory in what pyarray itself does."""
    text = (EXAMPLES / "cuda_prefix_sum.py").read_text() + "    cuda.get_current_device().reset()\n"
    said = []
    for options in (["memcheck", "--leak-check", "full"], ["initcheck"], ["synccheck"]):
        report = run(text, before=[tool("compute-sanitizer"), "--tool", *options])
        assert "all are squares: True" in report, options
        summaries = re.findall(r"(?:ERROR|LEAK) SUMMARY: (\d+)", report)
        assert summaries and not any(map(int, summaries)), f"{options[0]}: {report[-600:]}"
        said.append(options[0])
    return ", ".join(said) + ": nothing"


@check
def cuda_gdb_stops_at_a_line():
    line = line_of(STOP, "# here")
    commands = ["set breakpoint pending on", f"break stop.py:{line}", "run", "bt 1", "print i", "delete", "continue"]
    options = [option for command in commands for option in ("-ex", command)]
    report = run(STOP, before=[tool("cuda-gdb"), "-q", "-batch", *options, "--args"], name="stop.py")
    assert re.search("hit .*[Bb]reakpoint", report), f"no stop: {report[-400:]}"
    assert re.search(rf"#0 .*halve.*stop\.py:{line}", report), f"no frame at stop.py:{line}: {report[-400:]}"
    value = re.search(r"\$1 = (\S+)", report)
    assert "sum 5" in report, "the program did not go on"
    assert value and value[1].isdigit(), f"cuda-gdb does not show i: {report[-400:]}"
    return f"stop.py:{line}, i = {value[1]}"
