"""Rows of the table, and ways to time things side by side on a noisy machine.

Candidates are always interleaved (A, B, C, A, B, C, ...), so that a slow stretch of the machine hits all of them.
"""

import dataclasses
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = ("pyarray", "numba")


@dataclasses.dataclass
class Bar:
    """A figure that has to be reached: value is at most limit."""

    text: str
    value: float
    limit: float

    @property
    def is_met(self):
        return self.value <= self.limit


@dataclasses.dataclass
class Row:
    """Times of one task in seconds by candidate, in the order of the table's columns; then its bars."""

    group: str
    name: str
    times: dict = dataclasses.field(default_factory=dict)
    bars: list = dataclasses.field(default_factory=list)
    note: str = ""

    def ratio(self, a, b):
        return self.times[a] / self.times[b]

    def add_ratio_bar(self, a, b, limit):
        self.bars.append(Bar(f"{a}/{b}", self.ratio(a, b), limit))

    def add_time_bar(self, candidate, limit):
        self.bars.append(Bar(f"{candidate} in ms", self.times[candidate] * 1e3, limit * 1e3))


def interleave(candidates, rounds, summary=statistics.median):
    """Summary of the times that each candidate reports over some rounds.

    candidates : dict of name to function without arguments that returns seconds
    """
    times = {name: [] for name in candidates}
    for _ in range(rounds):
        for name, candidate in candidates.items():
            times[name].append(candidate())
    return {name: summary(values) for name, values in times.items()}


def timed(function, make_arguments=tuple, clock=time.thread_time):
    """Candidate that times one call; making the arguments is not counted, freeing the result is.

    The clock of the thread does not count what other processes take; work on other threads needs time.perf_counter.
    """

    def candidate():
        arguments = make_arguments()
        start = clock()
        function(*arguments)
        return clock() - start

    return candidate


def child(*arguments, **variables):
    """Run child.py in a fresh process with environment variables added; returns what it prints as JSON."""
    command = [sys.executable, str(HERE / "child.py"), *map(str, arguments)]
    environment = {**os.environ, **{name: str(value) for name, value in variables.items()}}
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed:\n{result.stderr}")
    return json.loads(result.stdout)
