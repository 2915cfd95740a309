"""New arrays, against NumPy: dtypes, values, orders, errors."""

import numpy as np
import pytest
from arrays import DTYPES, RECORD, check, drawn, filled
from compare import define, expression
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarray import njit
from pyarray.errors import PyArrayError

NUMBERS = ["?", "i1", "u2", "i4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]


@pytest.mark.parametrize("function", ["zeros", "ones"])
@pytest.mark.parametrize(
    "arguments",
    ["n", "(n, 2)", "()", "a.shape", "(n, m), np.int8", "(n, m), order='F'", "(2, 0), 'f4'", "a.shape[1:], a.dtype"],
)
def test_new_arrays(function, arguments):
    check(expression(f"np.{function}({arguments})", "n, m, a"), 3, 2, filled((2, 3), "i2"))


@pytest.mark.parametrize(
    "text",
    ["np.empty((n, 3)).shape", "np.empty(n, 'c8', 'F').dtype.char", "np.empty((n, 2), order='F').flags.f_contiguous"],
)
def test_empty(text):
    check(expression(text, "n"), 4)


@pytest.mark.parametrize(
    "text",
    [
        "np.full(n, 7)",
        "np.full((n, 2), 0.5)",
        "np.full((2, n), a)",
        "np.full(n, 3, 'f4')",
        "np.full((2, n), [1, 2, 3])",
        "np.full(n, 1j)",
        "np.full((2, n), 1.5, order='F')",
    ],
)
def test_full(text):
    check(expression(text, "n, a"), 3, np.arange(3.0))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_like_arrays(data):
    a = data.draw(drawn(dtypes=NUMBERS))
    text = data.draw(
        st.sampled_from(
            [
                "np.zeros_like(a)",
                "np.ones_like(a)",
                "np.full_like(a, 1)",
                "np.zeros_like(a, np.float32)",
                "np.ones_like(a, order='F')",
                "np.zeros_like(a, shape=(2, 3))",
            ]
        )
    )
    check(expression(text, "a"), a)


def test_like_arrays_of_what_is_no_array():
    check(
        expression("np.zeros_like(x), np.ones_like([1, 2]), np.full_like((1.5, 2), x), np.empty_like(x).shape", "x"),
        2.5,
    )
    check(expression("np.zeros_like(a), np.zeros_like(a, shape=3)", "a"), filled((2,), RECORD))


@pytest.mark.parametrize(
    "text", ["np.zeros((n, m))", "np.ones(n - 4)", "np.full((2, n), 1)", "np.arange(3, 5, m)", "np.linspace(0, 1, n)"]
)
def test_errors_of_new_arrays(text):
    check(expression(text, "n, m"), -1, 0)


# np.arange ------------------------------------------------------------------------------------------------------------


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_arange_of_numbers(data):
    numbers = data.draw(
        st.sampled_from(
            [
                st.integers(-20, 20),
                st.integers(-40, 40).map(lambda n: n / 8),
                st.integers(-30, 30).map(lambda n: n * 0.1),
            ]
        )
    )
    count = data.draw(st.integers(1, 3))
    arguments = [data.draw(numbers) for _ in range(count)]
    if count == 3 and arguments[2] == 0:
        arguments[2] = type(arguments[2])(1)
    names = ["x", "y", "z"][:count]
    check(expression(f"np.arange({', '.join(names)})", ", ".join(names)), *arguments)


@pytest.mark.parametrize("dtype", ["i1", "u2", "i8", "f2", "f4", "f8", "c8", "c16"])
def test_arange_with_a_dtype(dtype):
    for text in ("np.arange(n, dtype='{}')", "np.arange(2, n, 3, dtype='{}')", "np.arange(n, 0, -2, '{}')"):
        check(expression(text.format(dtype), "n"), 17)
    if dtype[0] == "f":
        check(expression(f"np.arange(0, x, 0.1, dtype='{dtype}')", "x"), 2.05)


def test_arange_of_other_dtypes():
    check(expression("np.arange(np.float32(3.5)), np.arange(np.int16(2), np.int16(9))", ""))
    check(expression("np.arange(np.float32(0), np.float32(1), np.float32(0.3)), np.arange(np.int8(4))", ""))
    check(expression("np.arange(2.0, 1.0), np.arange(0), np.arange(-3), np.arange(5, 5, 2)", ""))


def test_arange_fills_a_slice():
    check(
        define("def f(a, n):\n    a[1:n] = np.arange(n - 1) * 2\n    a[n:] += np.arange(len(a) - n)\n    return a\n"),
        np.zeros(9),
        4,
    )


# np.linspace ----------------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_linspace(data):
    ends = (
        data.draw(st.tuples(st.integers(-9, 9), st.integers(-9, 9)))
        if data.draw(st.booleans())
        else data.draw(st.tuples(st.floats(-10, 10, width=16), st.floats(-10, 10, width=16)))
    )
    num, endpoint = data.draw(st.integers(0, 12)), data.draw(st.booleans())
    check(expression("np.linspace(x, y, n, endpoint=e)", "x, y, n, e"), *ends, num, endpoint)


def test_linspace_with_more():
    check(expression("np.linspace(x, 3, 7, retstep=True)", "x"), 0.5)
    check(expression("np.linspace(x, 9, 5, dtype=np.int64), np.linspace(x, 9, 5, dtype='f4')", "x"), 0.5)
    check(expression("np.linspace(x, 9, 4)", "x"), 1 + 2j)
    check(expression("np.linspace(a, b, 4)", "a, b"), np.arange(3.0), np.arange(3.0) + 2)
    check(expression("np.linspace(a, 5, 4, axis=-1)", "a"), np.arange(3.0))
    check(expression("np.linspace(0, 1)", ""))


# Matrices -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [-4, -1, 0, 1, 2, 5])
def test_eye_and_diag(k):
    check(expression("np.eye(3, 4, k), np.eye(4, k=k, dtype=np.int8), np.eye(2, k=k, order='F')", "k"), k)
    check(expression("np.diag(a, k)", "a, k"), filled((3,), "c8"), k)
    check(expression("np.diag(a, k)", "a, k"), filled((3, 4), "i4"), k)
    check(expression("np.tri(3, 4, k), np.tril(a, k), np.triu(a, k)", "a, k"), filled((3, 4), "f4"), k)


def test_identity():
    check(expression("np.identity(n), np.identity(2, np.bool_), np.diagflat([[1, 2], [3, 4]])", "n"), 3)


# np.array -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "np.array([x, 2, 3])",
        "np.array([[x, y], [1, 2]])",
        "np.array(((1, x), (y, 4)), 'f4')",
        "np.array(x)",
        "np.array([a, a + 1])",
        "np.array((a, 2 * a))",
        "np.array([1, 2], ndmin=3)",
        "np.array(a, order='F')",
        "np.array(a, dtype=np.int32)",
        "np.array([])",
        "np.array([[x, y]], order='F')",
        "np.array(a, copy=False)",
        "np.asarray(a)",
        "np.asarray(a, np.float32)",
        "np.asarray([1.5, x])",
        "np.asarray(x)",
        "np.asarray(a, order='F')",
        "np.array(range(3))",
        "np.array([(1, 2), (x, y)])",
        "np.array([True, False])",
    ],
)
def test_array_of_anything(text):
    check(expression(text, "x, y, a"), 1.5, 2, filled((2, 3), "f8"))


@pytest.mark.parametrize("dtype", DTYPES)
def test_array_copies(dtype):
    check(expression("np.array(a), np.asarray(a)", "a"), filled((2, 3), dtype))


def test_parts_of_different_lengths():
    check(define("def f(n):\n    return np.array([[1, 2], [3] * n])\n"), 3)


def test_what_has_no_dtype():
    with pytest.raises(PyArrayError):
        expression("np.array([[1], 2])", "")()


def test_function_of_several_new_arrays():
    @njit
    def f(n):
        grid = np.zeros((n, n))
        grid[np.arange(2)[0], :] = np.linspace(0, 1, n)
        grid[:, -1] += np.arange(n)
        return grid, np.eye(n)[1:], np.full(n, grid[0, 1])

    check(f, 5)


@pytest.mark.parametrize(
    "start, stop, step",
    [
        (-(2**63), 2**63 - 1, 2**62),
        (-(2**63), 0, 2**62),
        (2**62, -(2**62) - 1, -(2**62)),
        (0.0, 1.0, np.inf),
        (0.0, 1.0, -np.inf),
        (0.0, 5e-324, 1e300),
    ],
)
def test_ranges_wider_than_their_type(start, stop, step):
    given = njit(lambda a, b, c: np.arange(a, b, c))(start, stop, step)
    assert given.tolist() == np.arange(start, stop, step).tolist()


def test_triangles_and_repeats_at_the_edge():
    assert njit(lambda a: np.triu(a))(np.ones((0, 3))).shape == (0, 3)
    assert njit(lambda a: np.tril(a))(np.ones((2, 0, 3))).shape == (2, 0, 3)
    with pytest.raises(ValueError, match="Maximum allowed dimension exceeded"):
        njit(lambda x, k: np.repeat(x, k))(np.arange(4.0), 2**62 + 1)


@pytest.mark.parametrize(
    "call",
    [
        "np.zeros([n, 2])", "np.ones([n])", "np.full([n, n], 1.5)", "np.empty([0, n])", "np.zeros([n, 2], dtype='i1')",
        "a.reshape([2, n])", "a.reshape([-1])", "np.reshape(a, [n, 2])", "np.broadcast_to(a[0], [n, 3])",
        "np.transpose(a, [1, 0])", "a.transpose([1, 0])", "np.tile(a, [2, n])",
    ],
)  # fmt: skip
def test_shapes_that_are_lists(call):
    check(expression(call, "n, a"), 3, filled((2, 3), "i2"))
