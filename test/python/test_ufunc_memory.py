"""Ufuncs on every kind of memory: python/ext/ufunc/ufunc_loop.c."""

import math
import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarray import vectorize

if "fake_core" in os.environ.get("PYARRAY_CORE_LIBRARY", ""):
    pytest.skip("functions are compiled when the module is imported", allow_module_level=True)
pytestmark = pytest.mark.real


@vectorize(["int64(int64, int64)", "float64(float64, float64)"], identity=0)
def add(a, b):
    return a + b


def test_odd_memory():
    values = np.arange(10.0)
    expected = values + 1
    for other in (
        values.astype(">f8"),
        np.frombuffer(b"x" + values.tobytes(), np.uint8)[1:].view(np.float64),
        np.repeat(values, 3)[::3],
        np.array([(v, 1) for v in values], [("v", "f8"), ("b", "i1")])["v"],
    ):
        np.testing.assert_array_equal(add(other, 1.0), expected)
    np.testing.assert_array_equal(add(values[::-1], 1.0), expected[::-1])
    frozen = values.copy()
    frozen.flags.writeable = False
    np.testing.assert_array_equal(add(frozen, 1.0), expected)


def test_steps_that_are_no_multiple_of_the_item_size():
    record = np.zeros(5, np.dtype([("x", "f8"), ("z", "c16")], align=True))
    assert record["z"].strides[0] % 16
    record["z"] = np.arange(5) * (1 + 2j)
    twice = vectorize(["complex128(complex128)"])(lambda z: z + z)
    np.testing.assert_array_equal(twice(record["z"]), np.arange(5) * (2 + 4j))
    twice(np.arange(5), out=record["z"])
    np.testing.assert_array_equal(record["z"], 2 * np.arange(5))
    assert not record["x"].any()


def test_overlap():
    for first, second in [(slice(1, None), slice(None, -1)), (slice(None, -1), slice(1, None))]:
        a = np.arange(2000.0)
        expected = a.copy()
        np.add(expected[first], expected[second], out=expected[first])
        add(a[first], a[second], out=a[first])
        np.testing.assert_array_equal(a, expected)
    a = np.arange(20.0)
    add(a[::2], a[1::2], out=a[::2])
    np.testing.assert_array_equal(a[::2], np.arange(20.0)[::2] + np.arange(20.0)[1::2])
    b = np.arange(5.0)
    add(b, b, out=b)
    assert b.tolist() == [0, 2, 4, 6, 8]


def python_add(a, b):
    return a + b


reference = np.frompyfunc(python_add, 2, 1)


@st.composite
def operands(draw):
    """Two broadcastable arrays with odd strides, and an output or None."""
    shape = tuple(draw(st.lists(st.integers(0, 5), max_size=3)))

    def one():
        own = tuple(1 if draw(st.integers(0, 4)) == 0 else n for n in shape[draw(st.integers(0, len(shape))) :])
        steps = [draw(st.sampled_from([1, 2, -1, -3])) for _ in own]
        dtype = draw(st.sampled_from(["f8", "i8", "i4", "u1", "f4", "?", ">f8", "f2"]))
        whole = np.arange(math.prod(n * abs(s) for n, s in zip(own, steps, strict=True)))
        whole = (whole % 7).astype(dtype).reshape([n * abs(s) for n, s in zip(own, steps, strict=True)])
        return whole[(..., *(slice(None, None, s) for s in steps))]

    a, b = one(), one()
    shape = np.broadcast_shapes(a.shape, b.shape)
    out = None
    if draw(st.booleans()):
        out = np.zeros([2 * n for n in shape], draw(st.sampled_from(["f8", "f4", ">f8"])))
        out = out[(..., *(slice(None, None, draw(st.sampled_from([2, -2]))) for _ in shape))]
    where = True
    if draw(st.booleans()):
        where = np.arange(math.prod(shape)).reshape(shape) % 2 == 0
    return a, b, out, where


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(operands())
def test_like_frompyfunc(drawn):
    a, b, out, where = drawn
    out = np.zeros(np.broadcast_shapes(a.shape, b.shape)) if out is None and where is not True else out
    expected = np.asarray(reference(a.astype(float), b.astype(float)), float)
    result = add(a, b, out=out, where=where)
    np.testing.assert_array_equal(result, np.where(where, expected, 0))


@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(operands(), st.sampled_from(["reduce", "accumulate"]), st.integers(0, 2))
def test_reductions_like_numpy(drawn, method, axis):
    a = drawn[0].astype(float) if drawn[0].dtype.kind == "b" else drawn[0]
    if a.dtype == np.float16 or axis >= a.ndim:
        return
    np.testing.assert_array_equal(
        getattr(add, method)(a, axis, dtype=float), getattr(np.add, method)(a, axis, dtype=float)
    )
