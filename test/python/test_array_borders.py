"""Arrays with other extents, of a rule, and views of windows, against NumPy."""

import warnings

import numpy as np
import pytest
from arrays import LAYOUTS, check, filled, laid_out
from compare import expression
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarray import njit

MODES = "constant edge linear_ramp maximum mean median minimum reflect symmetric wrap".split()


@pytest.mark.parametrize(
    ("dtype", "mode"), [("i4", mode) for mode in MODES] + [("u1", "mean"), ("f8", "mean"), ("f8", "linear_ramp")]
)
def test_pad(dtype, mode):
    f = expression(f"np.pad(a, w, '{mode}')", "a, w")
    if (mode, dtype) == ("linear_ramp", "f8"):  # the last bits depend on whether one of all steps is 0
        a = filled((3, 4), dtype)
        np.testing.assert_allclose(f(a, (1, 7)), np.pad(a, (1, 7), mode), rtol=1e-14)
        return
    for shape in [(5,), (3, 4), (1, 2)]:
        a = filled(shape, dtype)[::-1]
        for widths in [2, (1, 7), ((3, 0),)]:
            check(f, a, widths)
    check(f, filled((2, 3), dtype), ((1, 2), (3, 0)))


@pytest.mark.parametrize("dtype", ["?", "f2", "c8", "M8[D]"])
@pytest.mark.parametrize("mode", ["edge", "wrap", "symmetric"])
def test_pad_with_copies_of_any_dtype(mode, dtype):
    check(expression(f"np.pad(a, 3, '{mode}')", "a"), filled((2, 3), dtype))


@pytest.mark.parametrize(
    "text",
    [
        "np.pad(a, 1, constant_values=(7, 8))", "np.pad(a, (1, 2), constant_values=((7, 8), (1, 2)))",
        "np.pad(a, 1, 'linear_ramp', end_values=5)", "np.pad(a, 2, 'mean', stat_length=2)",
        "np.pad(a, 2, 'maximum', stat_length=((1, 2), (2, 1)))", "np.pad(a, 8, 'reflect', reflect_type='odd')",
        "np.pad(a, 9, 'symmetric', reflect_type='odd')", "np.pad(a, -1)", "np.pad(a, 1, 'odd')",
        "np.pad(a[:0], 1, 'edge')", "np.pad(a[:0], 1)", "np.pad(a, [1, 2])", "np.pad([1, 2], 1)", "np.pad(a, 1.5)",
        "np.pad(a, 1, 'empty')[1:-1, 1:-1]", "np.pad(a, 1, 'maximum', stat_length=0)",
        "np.resize(a, 5)", "np.resize(a, (4, 7))", "np.resize(a, (2, 0))", "np.resize(a[:0], 3)",
        "np.resize([1, 2], (2, 2))", "np.resize(a, -1)",
        "np.trim_zeros(np.array([0, 0, 1, 0, 2, 0]))", "np.trim_zeros(np.array([0, 1, 0]), 'f')",
        "np.trim_zeros(np.array([0, 1, 0]), 'B')", "np.trim_zeros(np.zeros(3))", "np.trim_zeros(a, 'x')",
        "np.trim_zeros(np.array([[0, 0, 0], [0, 1, 0], [0, 2, 0]]))", "np.trim_zeros(a * 0)",
        "np.trim_zeros(np.array([[0, 0, 0], [0, 1, 0], [0, 2, 0]]), axis=1)",
    ],
)  # fmt: skip
def test_borders(text):
    check(expression(text, "a"), np.arange(12.0).reshape(3, 4) + 0.25)


@pytest.mark.parametrize(
    "text",
    [
        "np.insert(a, 1, 7)", "np.insert(a, 1, 7, axis=0)", "np.insert(a, 2, [1, 2, 3], axis=1)",
        "np.insert(a, -1, a[:2] * 2, axis=0)", "np.insert(a, [1, 3], [7, 8])", "np.insert(a, [0, 2], 9, axis=1)",
        "np.insert(a, slice(1, 3), 8, 0)", "np.insert(a, 5, 7, axis=0)", "np.insert(a[0], 9, 7)",
        "np.insert(a[0], [1, 1, 0], [7, 8, 9])", "np.insert(a, [1], [[1], [2], [3]], axis=1)", "np.insert(a, 0, 7, 2)",
        "np.insert(a, [0, 9], 1)", "np.insert(a.T, 1, 0, 1)",
        "np.delete(a, 1)", "np.delete(a, 1, 0)", "np.delete(a, -1, 1)", "np.delete(a, slice(0, 3, 2), 1)",
        "np.delete(a, [0, 2], 1)", "np.delete(a, [True, False, True], 0)", "np.delete(a, 7, 0)",
        "np.delete(a, [0, 99])", "np.delete(a, slice(None, None, -2))", "np.delete(a, [0, 0, 1])",
        "np.delete(a, [True], 0)", "np.delete(a.T, np.array([1]), 0)",
    ],
)  # fmt: skip
@pytest.mark.parametrize("dtype", ["i4", "c16"])
def test_insert_and_delete(dtype, text):
    check(expression(text, "a"), np.arange(12).reshape(3, 4).astype(dtype))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(-5, 5), max_size=6), st.integers(0, 1), st.sampled_from(LAYOUTS))
def test_any_places(places, axis, layout):
    a, places = laid_out(filled((5, 5), "f8"), layout), np.array(places, int)
    check(expression(f"np.insert(a, k, 7, {axis})", "a, k"), a, places)
    check(expression(f"np.delete(a, k, {axis})", "a, k"), a, places[places < 5])


@pytest.mark.parametrize(
    "text",
    [
        "np.geomspace(1, 1000, 4)", "np.geomspace(-1, -1000, 4)", "np.geomspace(1, 256, num=9, dtype=np.int64)",
        "np.geomspace(a[0], a[1], 3)", "np.geomspace(a[0], a[1], 3, axis=1)", "np.geomspace(0, 1)",
        "np.geomspace(1, 10, 4, endpoint=False)", "np.geomspace(1000, 1, 0)", "np.geomspace(2, 7, 1)",
        "np.i0(a)", "np.i0(5)", "np.i0([1, 2, 30])", "np.i0(1j)", "np.kaiser(7, 14.0)", "np.kaiser(1, 3)",
        "np.kaiser(12, 0)",
    ],
)  # fmt: skip
def test_functions_of_numbers(text):
    a = np.arange(12.0).reshape(3, 4) + 0.25
    f = expression(text, "a")
    try:
        theirs = f.py_func(a)
    except (TypeError, ValueError):
        check(f, a)
        return
    ours = f(a)
    assert np.asarray(ours).dtype == np.asarray(theirs).dtype
    np.testing.assert_allclose(ours, theirs, rtol=1e-14)


@pytest.mark.parametrize(
    "text",
    [
        "np.fromfunction(lambda i, j: i + j, (2, 3))", "np.fromfunction(lambda i: i * 2, (4,))",
        "np.fromfunction(lambda i, j: i == j, (3, 3), dtype=np.int64)",
        "np.tril_indices(4)", "np.tril_indices(4, 1, 5)", "np.triu_indices(4, -1, 3)", "np.tril_indices_from(a)",
        "np.triu_indices_from(a, k=1)", "np.diag_indices(3)", "np.diag_indices(3, 3)", "np.triu_indices_from(a[0])",
        "np.diag_indices_from(a[:, :3])", "np.diag_indices_from(a)", "np.diag_indices_from(a[0])",
    ],
)  # fmt: skip
def test_functions_of_indices(text):
    check(expression(text, "a"), np.arange(12.0).reshape(3, 4))


@pytest.mark.parametrize(
    "text",
    [
        "np.sum, 1, a", "np.sum, 0, a[0]", "lambda v: v[::-1] * 2, 0, c", "lambda v: v > v[0], 1, c",
        "lambda v: np.outer(v, v), 1, c", "lambda v, k: v.sum() * k, -1, c, 3", "np.sum, 2, a", "np.sum, 0, a[:, :0]",
        "np.sum, 0, c[:0]",
    ],
)  # fmt: skip
def test_apply_along_axis(text):
    check(expression(f"np.apply_along_axis({text})", "a, c"), filled((3, 4), "f8"), filled((2, 3, 4), "i4"))


@pytest.mark.parametrize(
    "text",
    [
        "sliding_window_view(a, (2, 2))", "sliding_window_view(a, 3, axis=1)", "sliding_window_view(a[0], 2)",
        "sliding_window_view(a, (2, 2), (1, 1))", "sliding_window_view(a, 5, axis=0)", "sliding_window_view(a, 2)",
        "sliding_window_view(a, (1, 2), 0)", "sliding_window_view(a[0], -1)",
        "sliding_window_view(a[::-1, ::2], 2, 0, writeable=True)",
        "as_strided(a, (2, 2), (8, 32))", "as_strided(a, shape=(2,), strides=(64,), writeable=False)", "as_strided(a)",
        "as_strided(a[0], (3, 2), (8, 8)).sum(axis=1)", "sliding_window_view(a[0], 3).mean(axis=-1)",
    ],
)  # fmt: skip
def test_windows(text):
    check(expression(f"np.lib.stride_tricks.{text}", "a"), np.arange(12.0).reshape(3, 4))


def test_windows_between_elements_are_refused():
    with pytest.raises(ValueError, match="no strides of 12 bytes for items of 8"):
        njit(lambda a: np.lib.stride_tricks.as_strided(a, (2,), (12,)))(np.arange(4.0))


@pytest.mark.parametrize("name", ["nanmax", "nanmin"])
def test_nan_forms_of_nothing(name):
    check(expression(f"np.{name}(a)", "a"), np.zeros(0))


@pytest.mark.parametrize("axis", ["", "axis=0, ", "axis=1, keepdims=True, "])
@pytest.mark.parametrize("name", ["nansum", "nanprod", "nanmax", "nanmin", "nanmean", "nanvar", "nanstd"])
def test_nan_forms_of_some_elements(name, axis):
    a = np.arange(12.0).reshape(3, 4)
    a[0, 1] = a[2] = np.nan
    mask = np.random.default_rng(0).random((3, 4)) > 0.4
    start = "" if name in ("nanmean", "nanvar", "nanstd") else "initial=5, "
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(expression(f"np.{name}(a, {axis}{start}where=m)", "a, m"), a, mask)
        if start:
            check(expression(f"np.{name}(a, {axis}{start})", "a"), a)
            check(expression(f"np.{name}(a, {axis}{start}where=m)", "a, m"), a.astype("i4"), mask)
        if name in ("nanvar", "nanstd"):
            check(expression(f"np.{name}(a, {axis}correction=1), np.{name}(a, mean=1.5)", "a"), a[:2])
