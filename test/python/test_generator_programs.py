"""Random programs of generators do what CPython does: the same items, errors, and order of what runs."""

import itertools
import linecache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarray import njit
from random_generators import program

_numbers = itertools.count()

# CPython's own, where a program drops a generator that raises.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


def load(source, compiled):
    filename = f"<test generators {next(_numbers)}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    module = {"compiled": compiled}
    exec(compile(source, filename, "exec"), module)
    return module


def outcome(run, module, n, stop):
    log = np.zeros(70, np.int64)
    try:
        result = run(module, n, stop, log)
    except (ValueError, ZeroDivisionError, RuntimeError) as error:
        result = type(error), error.args
    return result, log.tolist()


def called(module, n, stop, log):
    return module["f"](n, stop, log)


def iterated(module, n, stop, log):
    """Some items of a generator, which is closed then."""
    items, generator = [], module["gen"](n, log)
    try:
        items.extend(itertools.islice(generator, stop))
    except (ValueError, ZeroDivisionError, RuntimeError) as error:
        items.append((type(error), error.args))
    generator.close()
    return items


def check(source):
    ours, theirs = load(source, njit), load(source, lambda function: function)
    for n, stop in itertools.product((0, 1, 3, 6), (1, 3, 100)):
        for run in called, iterated:
            assert outcome(run, ours, n, stop) == outcome(run, theirs, n, stop), source


@given(st.integers(0, 2**32))
@settings(max_examples=10, deadline=None)
def test_random_program(seed):
    check(program(seed))


@pytest.mark.parametrize("seed", range(6))
def test_program(seed):
    check(program(seed))
