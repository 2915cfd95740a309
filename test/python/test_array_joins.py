"""Arrays that are put together of others, or cut into parts, against NumPy."""

import numpy as np
import pytest
from arrays import DTYPES, RECORD, check, filled, laid_out
from compare import define, expression
from hypothesis import given, settings
from hypothesis import strategies as st

LAYOUTS = ["C", "F", "sliced", "backwards", "transposed"]


@st.composite
def parts(draw, count=2, dtypes=DTYPES):
    """Arrays that differ in one axis, which is given too."""
    ndim = draw(st.integers(1, 3))
    axis = draw(st.integers(-ndim, ndim - 1))
    shape = [draw(st.integers(0, 3)) for _ in range(ndim)]
    arrays = []
    dtype = draw(st.sampled_from(dtypes))
    for _ in range(count):
        shape[axis] = draw(st.integers(0, 3))
        arrays.append(laid_out(filled(tuple(shape), dtype), draw(st.sampled_from(LAYOUTS))))
    return arrays, axis


@settings(max_examples=60, deadline=None)
@given(parts(3))
def test_concatenate(drawn):
    arrays, axis = drawn
    check(expression(f"np.concatenate((a, b, c), {axis})", "a, b, c"), *arrays)


@settings(max_examples=20, deadline=None)
@given(parts(2))
def test_concatenate_along_an_axis_that_is_not_known(drawn):
    arrays, axis = drawn
    check(expression("np.concatenate((a, b), axis)", "a, b, axis"), *arrays, axis)


def test_concatenate_with_more():
    a, b = filled((2, 3), "i4"), filled((2, 3), "f4")
    check(
        expression(
            "np.concatenate((a, b)), np.concatenate([a, a[:1]], axis=0), np.concatenate((a, b), axis=None)", "a, b"
        ),
        a,
        b,
    )
    check(
        expression("np.concatenate((a, b), dtype=np.float32), np.concatenate((a[0], [1, 2], (x,)))", "a, b, x"),
        a,
        b,
        1.5,
    )
    check(define("def f(a, b, o):\n    r = np.concatenate((a, b), out=o)\n    return r\n"), b, b, np.zeros((4, 3)))
    check(expression("np.concatenate((a, a))", "a"), filled((2,), RECORD))


@pytest.mark.parametrize(
    "text",
    [
        "np.concatenate((a, b))",
        "np.concatenate((a, b), 1)",
        "np.concatenate((a, a), 5)",
        "np.concatenate((a[0, 0], a[0, 0]))",
        "np.stack((a, b))",
        "np.vstack((a, b))",
        "np.split(a, 3, 1)",
    ],
)
def test_errors(text):
    if "[0, 0]" in text:
        text = "np.concatenate((a[0, 0, ...], a[0, 0, ...]))"
    check(expression(text, "a, b"), filled((2, 4), "f8"), filled((3, 3), "f8"))


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_stack(data):
    shape = data.draw(st.sampled_from([(), (3,), (2, 3), (0, 2)]))
    dtype = data.draw(st.sampled_from(DTYPES))
    arrays = [laid_out(filled(shape, dtype), data.draw(st.sampled_from(LAYOUTS))) for _ in range(2)]
    axis = data.draw(st.integers(-len(shape) - 1, len(shape)))
    check(expression(f"np.stack((a, b), axis={axis})", "a, b"), *arrays)


@pytest.mark.parametrize("function", ["vstack", "hstack", "dstack", "column_stack"])
@pytest.mark.parametrize("shape", [(3,), (2, 3), (2, 3, 2)])
def test_stacks(function, shape):
    check(
        expression(f"np.{function}((a, b)), np.{function}([a, a, a])", "a, b"), filled(shape, "f8"), filled(shape, "i2")
    )


def test_append():
    check(
        expression("np.append(a, b), np.append(a, a, axis=0), np.append(a, [7, 8]), np.append(a[0], x)", "a, b, x"),
        filled((2, 3), "f8"),
        filled((2,), "f8"),
        3.0,
    )


# Parts ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "np.split(a, 2)",
        "np.array_split(a, 4)",
        "np.array_split(a, [1, 3])",
        "np.split(a, (2,), axis=1)",
        "np.array_split(a, 2, -1)",
        "np.hsplit(a, 3)",
        "np.vsplit(a, 2)",
        "np.array_split(a, 7)",
    ],
)
def test_split(text):
    check(expression(text, "a"), filled((4, 3), "f8"))


def test_dsplit():
    check(expression("np.dsplit(a, 2)", "a"), filled((2, 3, 4), "i4"))


# Again and again ------------------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_roll(data):
    shape = data.draw(st.sampled_from([(5,), (0,), (2, 3), (3, 2, 2)]))
    a = laid_out(filled(shape, data.draw(st.sampled_from(DTYPES))), data.draw(st.sampled_from(LAYOUTS)))
    axis = data.draw(st.sampled_from([None, *range(-len(shape), len(shape))]))
    check(expression(f"np.roll(a, n, axis={axis})", "a, n"), a, data.draw(st.integers(-7, 7)))


def test_roll_along_several_axes():
    check(expression("np.roll(a, (1, 2), (0, 1)), np.roll(a, 1, axis=(0, 1))", "a"), filled((3, 4), "f8"))


@pytest.mark.parametrize("shape", [(3, 4, 5), (1, 4, 2), (0, 2, 3)])
@pytest.mark.parametrize("layout", ["C", "F", "backwards"])
def test_roll_by_several_shifts(shape, layout):
    a = laid_out(filled(shape, "i4"), layout)
    check(expression("np.roll(a, (1, n), (2, 0)), np.roll(a, (1, n), (1, 1)), np.roll(a, n, (0, 1, 2))", "a, n"), a, -5)
    check(expression("np.roll(a, (1, n, 2), axis=-1), np.roll(a, (n,), (0, 1)), np.roll(a, (1, n))", "a, n"), a, 2)
    check(expression("np.roll(a, n, n)", "a, n"), a, 2)


def test_roll_refuses():
    a = filled((2, 3), "f8")
    check(expression("np.roll(a, (1, 2, 3), (0, 1))", "a"), a)
    check(expression("np.roll(a, 1, 2)", "a"), a)
    check(expression("np.roll(a, (1, 1), (0, -3))", "a"), a)


@pytest.mark.parametrize(
    "text",
    [
        "np.repeat(a, 2)",
        "np.repeat(a, 3, axis=0)",
        "np.repeat(a, 2, 1)",
        "np.repeat(a, [1, 2, 0], axis=1)",
        "a.repeat(2)",
        "np.repeat(7, 3)",
        "np.repeat(a, np.array([2, 1]), 0)",
        "np.repeat(a, -1)",
    ],
)
def test_repeat(text):
    check(expression(text, "a"), filled((2, 3), "f4"))


@pytest.mark.parametrize(
    "text",
    [
        "np.tile(a, 2)",
        "np.tile(a, (2, 1))",
        "np.tile(a, (3, 1, 2))",
        "np.tile(a[0], 3)",
        "np.tile(5, 3)",
        "np.tile(a, 0)",
    ],
)
def test_tile(text):
    check(expression(text, "a"), filled((2, 3), "i4"))


@pytest.mark.parametrize("keywords", ["", ", indexing='ij'", ", sparse=True"])
def test_meshgrid(keywords):
    check(expression(f"tuple(np.meshgrid(a, b{keywords}))", "a, b"), np.arange(3.0), np.arange(4))
    check(expression(f"tuple(np.meshgrid(a, b, a{keywords}))", "a, b"), np.arange(3.0), np.arange(2))
    check(expression(f"tuple(np.meshgrid(a{keywords}))", "a"), np.arange(3.0))
