"""The programs on whole arrays of benchmarks/arrays, compiled and equal to NumPy, on one core and on all."""

import pathlib
import sys

import numpy as np
import pytest
from pyarray import njit, prange

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "benchmarks/arrays"))
import analysis_programs  # noqa: E402
from array_programs import PROGRAMS  # noqa: E402

analysis_programs.prange = prange  # range, where Python runs it

SCALE = 0.03


def parts(result):
    return result if isinstance(result, tuple) else (result,)


def assert_close(got, expected):
    """Sums in another order, of single or double precision."""
    got, expected = np.asarray(got), np.asarray(expected)
    assert got.dtype == expected.dtype
    assert got.shape == expected.shape
    relative, absolute = (1e-5, 1e-6) if got.dtype == np.float32 else (1e-11, 1e-13)
    np.testing.assert_allclose(got, expected, rtol=relative, atol=absolute)


def drawn_from(argument):
    """A number of what goes on where the program stopped, in place of Generators."""
    if isinstance(argument, np.random.Generator):
        return argument.random()
    if isinstance(argument, tuple):
        return [drawn_from(each) for each in argument]
    return argument


@pytest.mark.parametrize("parallel", [False, True], ids=["serial", "parallel"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_program_equals_numpy(name, parallel):
    function, inputs = PROGRAMS[name]
    given, expected_given = inputs(SCALE), inputs(SCALE)
    expected = parts(function(*expected_given))
    got = parts(njit(parallel=parallel)(function)(*given))
    for a, b in zip(expected, got, strict=True):
        assert_close(b, a)
    for a, b in zip(expected_given, given, strict=True):  # what a program writes to its arguments
        assert_close(drawn_from(b), drawn_from(a))
