"""A second process, with the disk cache filled by the first: from after the imports to the result of the first call."""

import pathlib
import tempfile

import sources
from measure import PACKAGES, Row, child, interleave

LIMIT = 0.015


def cached_call(folder, package, task):
    path = sources.write(folder, package, *task, cached=True)
    variables = {"PYARRAY_CACHE_DIR": folder / "cache", "NUMBA_CACHE_DIR": folder / "cache"}
    candidate = lambda: child("call", package, path, **variables)[0]
    candidate()  # fills the cache
    return candidate


def measure(quick):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for task in sources.tasks().items():
            candidates = {package: cached_call(folder, package, task) for package in PACKAGES}
            row = Row("cache", task[0], interleave(candidates, 3 if quick else 9))
            row.add_time_bar("pyarray", LIMIT)
            yield row
