"""Products of matrices and vectors that are computed where they are read, against NumPy."""

import numpy as np
import pytest
from compare import define, outcome
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarray import njit

TOLERANCE = {"f4": 1e-5, "f8": 1e-12}
MATRICES = [
    "(s * a) @ x",
    "np.dot(a - b, x)",
    "(a + x) @ x",
    "np.exp(a) @ x",
    "(a.T * s) @ a[:, 0]",
    "(a * b) @ (x * s)",
]
VECTORS = ["(x * s) @ a[0]", "np.dot(x, a[0] - x)", "(x - s) @ (x + s)", "np.inner(x * x, a[0])"]


@pytest.fixture(scope="module", params=MATRICES + VECTORS)
def functions(request):
    text = f"def f(a, b, x, s):\n    return {request.param}\n"
    return define(text), define(text, decorator=njit(parallel=True))


@pytest.mark.parametrize("dtype", TOLERANCE)
@given(data=st.data())
@settings(max_examples=8, deadline=None)
def test_as_numpy(functions, dtype, data):
    rows, columns = data.draw(st.sampled_from([(1, 1), (3, 7), (5, 130), (2, 1000), (40, 9), (9, 300)]))
    rng = np.random.default_rng(rows)
    order, step = data.draw(st.sampled_from("CF")), data.draw(st.sampled_from([2, 1]))
    a, b = (np.asarray(rng.random((rows, columns)), dtype, order=order) for _ in range(2))
    x = rng.random(2 * columns).astype(dtype)[::step][:columns]
    s = np.dtype(dtype).type(1.5)
    for function in functions:
        want, got = function.py_func(a, b, x, s), function(a, b, x, s)
        if np.ndim(want):
            assert got.dtype == want.dtype
        np.testing.assert_allclose(got, want, rtol=TOLERANCE[dtype] * 10)


def test_level_3_has_sums():
    function = define("def f(a, x):\n    return (2 * a) @ x\n")
    function(np.ones((3, 3)), np.ones(3))
    text = "".join(function.inspect_mlir(3).values())
    assert "pyarray.reduce" in text and "pyarray.contract" not in text


@pytest.mark.parametrize("shape", [3, 1, 5, 0])
def test_extents_that_differ(shape):
    function = define("def f(a, x):\n    return (2 * a) @ x\n")
    arguments = np.ones((2, 4)), np.ones(shape)
    assert outcome(function, arguments) == outcome(function.py_func, arguments)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0)])
def test_nothing_to_add_up(shape):
    function = define("def f(a, x):\n    return (2 * a) @ x\n")
    got = function(np.ones(shape), np.ones(shape[1]))
    np.testing.assert_array_equal(got, np.zeros(shape[0]))


def test_what_is_written_in_between():
    """The matrix is what it was when it was computed."""
    function = define("def f(a, x):\n    t = a * 2\n    a[:] = 0\n    x[0] = 5\n    return t @ x\n")
    a = np.arange(12.0).reshape(3, 4)
    want, got = function.py_func(a.copy(), np.ones(4)), function(a.copy(), np.ones(4))
    np.testing.assert_array_equal(got, want)


def test_what_is_not_finite():
    function = define("def f(a, x):\n    return (a * 1e300) @ x\n")
    a = np.array([[1e10, 1.0], [np.nan, 1.0], [1.0, np.inf]])
    with np.errstate(all="ignore"):
        want = function.py_func(a, np.array([0.5, 1.0]))
    np.testing.assert_array_equal(function(a, np.array([0.5, 1.0])), want)
