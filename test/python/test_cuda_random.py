"""Random kernels give in the emulator, and on a GPU, what an interpreter of their threads gives (random_kernels.py).

PYARRAY_TEST_PROFILE=thorough runs many more.
"""

import os

import numpy as np
import pytest
from compare import define
from hypothesis import HealthCheck, Phase, given, settings
from pyarray import cuda, float64, int32
from random_kernels import Missing, arguments, interpret, kernels, run_block

pytestmark = pytest.mark.real

_common = dict(deadline=None, suppress_health_check=list(HealthCheck), database=None, report_multiple_bugs=False)
_moderate = settings(max_examples=15, derandomize=True, phases=[Phase.generate], **_common)
_thorough = settings(max_examples=3000, **_common)
profile = _thorough if os.environ.get("PYARRAY_TEST_PROFILE") == "thorough" else _moderate


def compiled(source):
    return define(source, name="kernel", decorator=cuda.jit(fma=False), cuda=cuda, float64=float64, int32=int32)


@profile
@given(kernels())
def test_random_kernels(drawn):
    source, model, grid, block, n = drawn
    expected, found = arguments(grid, block, n), arguments(grid, block, n)
    interpret(model, grid, block, expected)
    compiled(source)[grid, block](*found)
    for number, (value, reference) in enumerate(zip(found, expected)):
        np.testing.assert_array_equal(value, reference, err_msg=f"argument {number} of\n{source}\n{grid} {block} {n}")


def test_the_interpreter_knows_a_barrier_that_threads_miss():
    def model(t, nt, block, shared, flags):
        if t < 3:
            yield (1,), "syncthreads", ()
        yield (2,), "syncthreads", ()

    with pytest.raises(Missing):
        run_block(model, 0, 5, [])
