"""The programs on whole arrays of benchmarks/arrays, compiled and equal to NumPy, on one core and on all."""

import pathlib
import sys

import numpy as np
import pytest
from pyarray import njit

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "benchmarks/arrays"))
from array_programs import PROGRAMS  # noqa: E402

SCALE = 0.03


def parts(result):
    return result if isinstance(result, tuple) else (result,)


@pytest.mark.parametrize("parallel", [False, True], ids=["serial", "parallel"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_program_equals_numpy(name, parallel):
    function, inputs = PROGRAMS[name]
    given, expected_given = inputs(SCALE), inputs(SCALE)
    expected = parts(function(*expected_given))
    got = parts(njit(parallel=parallel)(function)(*given))
    for a, b in zip(expected, got, strict=True):
        assert np.asarray(a).dtype == np.asarray(b).dtype
        np.testing.assert_allclose(b, a, rtol=1e-11, atol=1e-13)
    for a, b in zip(expected_given, given, strict=True):  # what a program writes to its arguments
        np.testing.assert_allclose(b, a, rtol=1e-11, atol=1e-13)
