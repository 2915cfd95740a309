"""Loops over prange for the tests, and what the report says of them."""

import pytest
from compare import define
from hypothesis import HealthCheck, settings
from pyarray import (
    config,
    njit,
    prange,
    set_num_threads,
    set_parallel_chunksize,
)

LARGE = 40_000  # so that copies pay

parallel = njit(parallel=True)
checked = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(autouse=True)
def many_parts():
    """Loops of a few iterations are cut into parts too."""
    set_parallel_chunksize(3)
    yield
    set_parallel_chunksize(0)
    set_num_threads(config.NUM_THREADS)


def loop(body, start="s = 0", result="s", over="prange(len(a))", decorator=parallel, parameters="a", **names):
    lines = "\n".join(f"        {line}" for line in body.split("\n"))
    source = f"def f({parameters}):\n    {start}\n    for i in {over}:\n{lines}\n    return {result}\n"
    return define(source, decorator=decorator, prange=prange, **names)


def serial_reasons(f):
    """Text of the report for loops that run in order."""
    (text,) = f.inspect_parallel().values()
    return [line.split("runs in order: ")[1] for line in text.splitlines() if "runs in order: " in line]


def is_parallel(f):
    (text,) = f.inspect_parallel().values()
    return "runs on several threads" in text


def reduced(f):
    (found,) = {"each thread reduces in a copy" in text for text in f.inspect_parallel().values()}
    return found
