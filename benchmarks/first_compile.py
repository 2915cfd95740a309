"""From the first line of a program to the result of its first call when nothing is cached."""

import pathlib
import tempfile

import sources
from measure import PACKAGES, Bar, Row, child, interleave

LENGTHS = (10, 100, 1000)


def compile_time(folder, package, *tasks):
    """Candidate: time of the last task in a fresh process with an empty cache."""
    paths = [sources.write(folder, package, name, source) for name, source in tasks]

    def candidate():
        with tempfile.TemporaryDirectory() as cache:
            return child("call", package, *paths, PYARRAY_CACHE_DIR=cache, NUMBA_CACHE_DIR=cache)[-1]

    return candidate


def measure_tasks(folder, rounds):
    warm_up = "warm up", sources.WARM_UP
    for state, before in {"first of process": [], "second of process": [warm_up]}.items():
        for task in sources.tasks().items():
            candidates = {package: compile_time(folder, package, *before, task) for package in PACKAGES}
            row = Row("compile", f"{task[0]}, {state}", interleave(candidates, rounds))
            row.add_ratio_bar("pyarray", "numba", 0.25)
            row.note = f"goal 0.10: {'met' if row.ratio('pyarray', 'numba') <= 0.1 else 'missed'}"
            yield row


def measure_lengths(folder, rounds):
    """Growth from 100 to 1000 statements against growth from 10 to 100: 10 if linear, 12 allows for noise."""
    warm_up = "warm up", sources.WARM_UP
    rows = []
    for count in LENGTHS:
        task = f"{count} statements", sources.statements(count)
        candidates = {package: compile_time(folder, package, warm_up, task) for package in PACKAGES}
        times = interleave(candidates, 1 if count == LENGTHS[-1] else rounds)  # the last takes Numba half a minute
        times |= interleave({"pyarray": candidates["pyarray"]}, rounds)
        rows.append(Row("compile", task[0], times))
    for package in PACKAGES:
        short, middle, long = (row.times[package] for row in rows)
        growth = (long - middle) / (middle - short)
        if package == "pyarray":
            rows[-1].bars.append(Bar("growth of pyarray per tenfold length", growth, 12.0))
        else:
            rows[-1].note = f"growth of {package} {growth:.1f}"
    yield from rows


def measure(quick):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        yield from measure_tasks(folder, 2 if quick else 5)
        yield from measure_lengths(folder, 1 if quick else 3)
