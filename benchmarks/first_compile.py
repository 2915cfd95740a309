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
    """Growth from 100 to 1000 statements against growth from 10 to 100: 10 if linear, 12 allows for noise.

    Differences of times are sensitive to noise: least times here, all lengths interleaved. Numba takes half a minute
    for the last, so it is measured once.
    """
    times = {}
    for package in PACKAGES:
        candidates = {
            count: compile_time(
                folder, package, ("warm up", sources.WARM_UP), (f"{count} statements", sources.statements(count))
            )
            for count in LENGTHS
        }
        times[package] = interleave(candidates, rounds if package == "pyarray" else 1, min)
    rows = [
        Row("compile", f"{count} statements", {package: times[package][count] for package in PACKAGES})
        for count in LENGTHS
    ]
    growth = {
        package: (t[LENGTHS[2]] - t[LENGTHS[1]]) / (t[LENGTHS[1]] - t[LENGTHS[0]]) for package, t in times.items()
    }
    rows[-1].bars.append(Bar("growth of pyarray per tenfold length", growth["pyarray"], 12.0))
    rows[-1].note = f"growth of numba {growth['numba']:.1f}"
    yield from rows


def measure(quick):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        yield from measure_tasks(folder, 2 if quick else 5)
        yield from measure_lengths(folder, 3 if quick else 9)
