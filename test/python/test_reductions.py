"""Reductions of whole arrays, against NumPy: values to the bit, dtypes, shapes, errors."""

import warnings

import numpy as np
import pytest
from compare import copied, define, expression, outcome
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarray import get_num_threads, njit, set_num_threads
from pyarray.errors import PyArrayError, TypingError

DTYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
IN_VECTORS = ["?", "u1", "i4", "f4", "f8", "c16"]  # a dtype of each kind: the others are optimised little
REAL = ["sum", "prod", "min", "max", "any", "all", "argmin", "argmax", "mean", "var", "std", "ptp", "count_nonzero"]
METHODS = [name for name in REAL if name not in ("ptp", "count_nonzero")]
NO_TIE = ("min", "max", "ptp")  # 0.0 and -0.0 are equal: which one is kept is not said


def sample(dtype, seed=0, shape=(7,)):
    """Numbers whose sums are not exact, with a few that are equal."""
    rng, dtype = np.random.default_rng(seed), np.dtype(dtype)
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(dtype)
    if dtype.kind in "iu":
        return rng.integers(0 if dtype.kind == "u" else -100, 100, shape).astype(dtype)
    values = rng.normal(size=shape) * 3
    if dtype.kind == "c":
        values = values + 1j * rng.normal(size=shape)
    return values.astype(dtype)


def bits(value):
    """What two equal arrays have in common: NaN is like NaN."""
    value = np.array(value)
    if value.dtype.kind in "fc":
        value = np.where(np.isnan(value), np.array(np.nan, value.dtype), value)
    return value.dtype, value.shape, value.tobytes()


def is_inexact(name, dtype):
    """Products of complex numbers, which NumPy contracts to fused operations."""
    return name == "prod" and np.dtype(dtype).kind == "c"


def same(function, *arguments, zeros_alike=False):
    """As NumPy to the bit; or the same class and text of the exception."""
    ours = outcome(function, copied(arguments))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        theirs = outcome(function.py_func, copied(arguments))
    assert ours[0] == theirs[0], (ours, theirs)
    if ours[0] != "returned":
        assert issubclass(theirs[1], ours[1]) and str(theirs[2][0]).strip() in str(ours[2][0]), (ours, theirs)
        return
    ours, theirs = ours[1], theirs[1]
    if not isinstance(ours, np.ndarray):  # numbers come to Python as Python's
        theirs = np.asarray(theirs).astype(np.asarray(ours).dtype)
    if zeros_alike:
        ours, theirs = np.asarray(ours) + 0, np.asarray(theirs) + 0
    assert bits(ours) == bits(theirs), (ours, theirs)


# -- Functions, axes, dtypes -----------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", REAL)
def test_functions(name, dtype, request):
    if dtype not in IN_VECTORS:
        request.getfixturevalue("little_optimised")
    if name == "ptp" and dtype == "?":
        pytest.skip("NumPy has no differences of bools")
    if is_inexact(name, dtype):
        f = expression("np.prod(a, axis=1)", "a")
        a = sample(dtype, 1, (13, 4))
        np.testing.assert_allclose(f(a), np.prod(a, axis=1), rtol=20 * np.finfo(dtype).eps)
        return
    for axis in (None, 0, 1):
        f = expression(f"np.{name}(a, axis={axis})", "a")
        same(f, sample(dtype, 1, (13, 300)), zeros_alike=name in NO_TIE)
        same(f, sample(dtype, 2, (300, 3)), zeros_alike=name in NO_TIE)


@pytest.mark.parametrize("name", METHODS)
def test_methods(name):
    for text in ("", "1", "axis=0", "axis=None"):
        same(expression(f"a.{name}({text})", "a"), sample("f8", 3, (17, 40)))
    same(expression(f"a.{name}()", "a"), sample("i4", 3, (40,)))


@pytest.mark.parametrize("name", ["amin", "amax"])
def test_old_names(name):
    same(expression(f"np.{name}(a, 0)", "a"), sample("f4", 3, (17, 40)))


@pytest.mark.usefixtures("little_optimised")
@pytest.mark.parametrize("axes", ["(0, 2)", "(1, 2)", "(0, 1)", "(2,)", "(-1, 0)", "()", "(0, 1, 2)", "1"])
@pytest.mark.parametrize("name", ["sum", "max", "mean", "var", "any", "prod"])
def test_several_axes(name, axes):
    for keepdims in (False, True):
        f = expression(f"np.{name}(a, axis={axes}, keepdims={keepdims})", "a")
        for a in (sample("f8", 4, (5, 6, 7)), sample("f8", 4, (1, 40, 1)), sample("f8", 5, (7, 6, 5)).T):
            if name == "var" and not a.flags.c_contiguous:
                continue  # its deviations lie in another order than NumPy's
            same(f, a)


@pytest.mark.parametrize("name", ["sum", "min", "argmax", "all", "mean", "std"])
def test_keepdims(name):
    for axis in (None, 0, -1):
        same(expression(f"np.{name}(a, axis={axis}, keepdims=True)", "a"), sample("f8", 6, (9, 30)))
    same(expression(f"np.{name}(a, keepdims=True)", "a"), sample("f8", 6, ()))


@pytest.mark.parametrize("name", ["sum", "max", "argmin", "mean", "var", "std", "ptp", "count_nonzero", "cumsum"])
def test_axis_of_run_time(name):
    f = expression(f"np.{name}(a, axis=k)", "a, k")
    for k in (0, 1, 2, -1, -3):
        same(f, sample("i8", 7, (3, 4, 5)), k)
    for k in (3, -4):
        same_error(f, sample("f8", 7, (3, 4, 5)), k)
    for k in (0, -1, 1):
        same(f, np.array(2.5), k)
    known = expression(f"np.{name}(a, axis=5)", "a")
    same_error(known, sample("f8", 7, (3, 4, 5)))


def same_error(function, *arguments):
    """The same class and text."""
    with pytest.raises(ValueError) as theirs:
        function.py_func(*arguments)
    with pytest.raises(theirs.type) as ours:
        function(*arguments)
    assert str(ours.value).split("\n")[0] == str(theirs.value)


@pytest.mark.usefixtures("little_optimised")
@pytest.mark.usefixtures("little_optimised")
@pytest.mark.parametrize("name", ["sum", "prod", "min", "any", "mean", "ptp", "count_nonzero"])
def test_axes_of_run_time(name):
    for keepdims in (False, True):
        f = expression(f"np.{name}(a, axis=k, keepdims={keepdims})", "a, k")
        for k in (0, 1, 2, -2, (0, 1), (2, 0), (-1,), (-1, 1, 0)):
            same(f, sample("i8", 7, (3, 4, 5)), k)
    same(expression(f"np.{name}(a, axis=(k, 0))", "a, k"), sample("i8", 7, (3, 4, 5)), 2)
    same_error(expression(f"np.{name}(a, axis=(k, 0))", "a, k"), sample("i8", 7, (3, 4, 5)), 3)
    same_error(expression(f"np.{name}(a, axis=(k, 0))", "a, k"), sample("i8", 7, (3, 4, 5)), -3)


@pytest.mark.usefixtures("little_optimised")
@pytest.mark.parametrize("name", ["sum", "prod", "all", "mean"])
def test_masks_beside_axes_of_run_time(name):
    a = sample("i4", 7, (3, 4, 5))
    for mask in (a > 0, a[0] > 0):
        f = expression(f"np.{name}(a, axis=k, where=m)", "a, k, m")
        for k in (1, -1, (0, 2)):
            same(f, a, k, mask)


@pytest.mark.usefixtures("little_optimised")
@pytest.mark.parametrize("name", ["sum", "prod", "mean", "var", "std", "ptp"])
def test_outputs(name):
    """The output takes part in the dtype in which is computed."""
    for dtype, out in (
        ("f8", "f8"),
        ("f8", "f4"),
        ("f4", "f8"),
        ("i4", "f8"),
        ("f2", "f4"),
        ("c8", "c16"),
        ("?", "f8"),
    ):
        if name == "ptp" and dtype in ("?", "c8") or name == "prod" and is_inexact(name, dtype):
            continue
        a, room = sample(dtype, 3, (3, 4, 5)), np.empty((3, 5), out)
        same(expression(f"np.{name}(a, axis=1, out=out)", "a, out"), a, room)
        same(expression(f"np.{name}(a, axis=k, out=out, keepdims=True)", "a, k, out"), a, 1, room[:, None])
        same(expression(f"np.{name}(a, out=out)", "a, out"), a, np.empty((), out))
    out = np.empty(3)
    assert expression(f"np.{name}(a, axis=1, out=out)", "a, out")(sample("f8", 3, (3, 4)), out) is out


@pytest.mark.usefixtures("little_optimised")
def test_variances_along_axes_of_run_time():
    """Their deviations lie in another order than NumPy's."""
    a = sample("i8", 7, (3, 4, 5))
    for axis in (1, (0, 2), (-1,)):
        f = expression("np.var(a, axis=k, where=m, ddof=1), np.std(a, axis=k)", "a, k, m")
        for ours, theirs in zip(f(a, axis, a > -50), f.py_func(a, axis, a > -50), strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-14)
        g = expression("np.var(a, axis=k, mean=np.mean(a, axis=k, keepdims=True))", "a, k")
        np.testing.assert_allclose(g(a, axis), g.py_func(a, axis), rtol=1e-14)


def test_outputs_of_positions():
    a = sample("f8", 3, (3, 4))
    for dtype in ("?", "i2", "u4", "i8"):
        same(expression("np.argmax(a, axis=1, out=out)", "a, out"), a, np.empty(3, dtype))
    for dtype in ("f8", "u8"):
        with pytest.raises(TypingError, match="to dtype\\('int64'\\) according to the rule 'safe'"):
            expression("np.argmax(a, axis=1, out=out)", "a, out")(a, np.empty(3, dtype))
    with pytest.raises(TypingError, match="the axis is one integer"):
        expression("np.argmax(a, axis=(0, 1))", "a")(a)


@pytest.mark.usefixtures("little_optimised")
@pytest.mark.parametrize("to", ["f4", "f8", "i8", "i2", "c16"])
@pytest.mark.parametrize("dtype", ["?", "i1", "u4", "f2", "f4", "f8"])
def test_dtype(dtype, to):
    if np.dtype(dtype).kind == "f" and np.dtype(to).kind == "i":
        pytest.skip("floats out of range")
    for name in ("sum", "prod", "mean"):
        if name == "mean" and np.dtype(to).kind == "i":
            continue
        f = expression(f"np.{name}(a, axis=0, dtype='{to}')", "a")
        same(f, sample(dtype, 8, (20, 7)))
        same(expression(f"np.{name}(a, dtype='{to}')", "a"), sample(dtype, 8, (20000,)))


def test_initial():
    for text in (
        "np.sum(a, initial=3)",
        "np.prod(a, axis=0, initial=0.5)",
        "a.max(initial=7)",
        "np.min(a, 1, initial=-1.5)",
    ):
        same(expression(text, "a"), sample("f8", 9, (6, 11)))
    same(expression("np.max(a, initial=7)", "a"), np.zeros(0))
    same(expression("np.min(a, axis=0, initial=7)", "a"), np.zeros((0, 3)))


@pytest.mark.parametrize("mask", ["a > 0", "m", "True"])
def test_where(mask):
    m = np.array([True, False, True, True, False, False, True, True, False, True, True])
    for text in (
        "np.sum(a, axis=0, where={})",
        "np.prod(a, where={})",
        "a.any(axis=1, where={})",
        "np.all(a, where={})",
    ):
        same(expression(text.format(mask), "a, m"), sample("i8", 10, (6, 11)), m)
    same(expression(f"np.max(a, axis=1, initial=-50, where={mask})", "a, m"), sample("i8", 10, (6, 11)), m)
    same(expression(f"np.mean(a, axis=0, where={mask})", "a, m"), sample("i8", 10, (6, 11)), m)


def test_where_needs_an_identity():
    with pytest.raises(PyArrayError, match="does not have an identity"):
        expression("np.max(a, where=a > 0)", "a")(np.ones(3))
    with pytest.raises(PyArrayError, match="where has 2 dimensions"):
        expression("np.sum(a, where=np.ones((2, 3)) > 0)", "a")(np.ones(3))


def test_out():
    f = define("def f(a, o):\n    r = np.sum(a, axis=0, out=o)\n    return r, o\n")
    for dtype in ("f8", "f4", "i8"):
        r, o = f(np.ones((3, 4)), np.zeros(4, dtype))
        assert r is o and o.dtype == dtype and list(o) == [3, 3, 3, 3]
    same(expression("np.max(a, axis=1, out=o)", "a, o"), sample("f8", 3, (3, 4)), np.zeros(3))
    same(expression("a.argmin(0, o)", "a, o"), sample("f8", 3, (3, 4)), np.zeros(4, int))
    same(expression("np.sum(a, out=o)", "a, o"), sample("f8", 3, (3, 4)), np.zeros(()))
    same(expression("np.sum(a[:3], axis=1, out=a[0])", "a"), sample("f8", 3, (4, 3)))  # it overlaps
    with pytest.raises(PyArrayError, match="wrong number of dimensions: Found 2 but expected 1"):
        expression("np.sum(a, axis=0, out=o)", "a, o")(np.ones((3, 4)), np.zeros((1, 4)))
    ours = outcome(expression("np.sum(a, axis=0, out=o)", "a, o"), (np.ones((3, 4)), np.zeros(3)))
    assert ours[0] == "raised" and ours[1] is ValueError
    with pytest.raises(PyArrayError, match="read-only"):
        o = np.zeros(4)
        o.flags.writeable = False
        expression("np.sum(a, axis=0, out=o)", "a, o")(np.ones((3, 4)), o)


def test_ddof():
    for text in ("np.var(a, ddof=1)", "np.std(a, 0, ddof=2)", "a.std(ddof=1)", "np.var(a, axis=1, correction=1)"):
        same(expression(text, "a"), sample("f8", 12, (5, 9)))
    same(expression("np.var(a, ddof=k)", "a, k"), sample("f8", 12, (5, 9)), 3)
    same(expression("np.var(a, ddof=12)", "a"), sample("f8", 12, (5,)))
    same(expression("np.var(a, axis=0, mean=np.mean(a, axis=0, keepdims=True))", "a"), sample("f8", 12, (5, 9)))


# -- Order of summation ----------------------------------------------------------------------------

COUNTS = [
    *range(0, 20),
    100,
    127,
    128,
    129,
    135,
    136,
    200,
    249,
    255,
    256,
    257,
    511,
    1000,
    2047,
    8191,
    8192,
    8193,
    20000,
    100003,
]


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c8", "c16"])
def test_sums_are_pairwise(dtype):
    f, g = expression("np.sum(a)", "a"), expression("np.sum(a + a)", "a")
    for count in COUNTS:
        a = sample(dtype, count, (count,))
        same(f, a)
        same(f, np.repeat(a, 2)[::2])
        same(f, a[::-1])
        same(g, a)


@pytest.mark.parametrize(
    "shape", [(3, 5), (40, 60), (50, 300), (300, 700), (3, 8200), (2, 5000), (2000, 10), (1, 300), (300, 1)]
)
def test_sums_of_views(shape):
    f, g, h = (expression(f"np.sum(a{axis})", "a") for axis in ("", ", axis=0", ", axis=1"))
    a = sample("f8", 1, (shape[0] * 2, shape[1] + 5))
    for view in (a[: shape[0], 3:-2], a[::2, 3:-2], a[::-2, -3:2:-1], a[::2, 3:-2].T, a[: shape[0], 3:-2].T):
        for function in (f, g, h):
            same(function, view)


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
def test_rows_are_added_to_a_row_in_order(dtype):
    f = expression("np.sum(a, axis=0)", "a")
    g = define("def f(a, out):\n    np.sum(a, axis=0, out=out)\n    return out\n")
    for shape in ((3, 5), (50, 3), (41, 37), (4, 16), (7, 1)):
        a = sample(dtype, 3, (shape[0] * 2, shape[1] * 2))
        for view in (a[: shape[0], : shape[1]], a[::2, : shape[1]], a[::-2, ::-2], a[: shape[0], ::2]):
            same(f, view)
            out = np.zeros((shape[1], 2), dtype)[:, 0]
            assert np.array_equal(g(view, out), np.sum(view, axis=0))


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
def test_short_rows(dtype):
    f = expression("np.sum(a, axis=1), np.sum(a, axis=1, initial=0.1)", "a")
    for count in (0, 1, 2, 3, 4, 5, 7, 8, 9, 130):
        a = sample(dtype, 3, (14, 2 * count))
        a[0] = -0.0
        for view in (a[:7, :count], a[::2, ::-2], a[:7, :count].copy(order="F")):
            for ours, theirs in zip(f(view), f.py_func(view), strict=True):
                assert bits(ours) == bits(theirs), (ours, theirs)


def test_sums_of_more_dimensions():
    a = sample("f8", 2, (6, 7, 8, 9))
    for axes in ("0", "1", "(0, 1)", "(1, 2)", "(0, 3)", "(1, 3)", "(0, 1, 2)", "(1, 2, 3)", "None"):
        f = expression(f"np.sum(a, axis={axes})", "a")
        for view in (a, np.asfortranarray(a), a.transpose(2, 0, 3, 1), a[:, :1, :, :1]):
            same(f, view)


def test_integers_that_are_summed_as_floats():
    a = np.random.default_rng(0).integers(-(2**62), 2**62, 100000)
    same(expression("np.mean(a)", "a"), a)
    same(expression("np.sum(a, dtype='f8')", "a"), a)
    same(expression("np.mean(a, axis=0)", "a"), a.reshape(-1, 4))
    same(expression("np.mean(a, axis=1)", "a"), a.reshape(4, -1))
    same(expression("np.var(a)", "a"), a)


THREADED = [
    "np.sum(a)",
    "np.sum(a, axis=0)",
    "np.sum(a, axis=1)",
    "np.sum(a * a)",
    "np.max(a, axis=0)",
    "np.min(a)",
    "np.argmin(a)",
    "np.mean(a)",
    "np.any(a > 9)",
]


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "c16"])
@pytest.mark.parametrize("text", THREADED)
def test_threads_change_nothing(text, dtype):
    if "9" in text and dtype == "c16":
        return
    f = define(f"def f(a):\n    return {text}\n", parallel=True)
    before = get_num_threads()
    try:
        for threads in range(1, before + 1):
            set_num_threads(threads)
            same(f, sample(dtype, 3, (1000, 301)))
            same(f, sample(dtype, 3, (301, 2000)).T)
    finally:
        set_num_threads(before)


# -- Values that are no numbers --------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c8", "c16"])
def test_nan(dtype):
    for name in ("sum", "min", "max", "argmin", "argmax", "any", "all", "mean"):
        f = expression(f"np.{name}(a)", "a")
        for place in (0, 5, 700, 1999):
            a = sample(dtype, 1, (2000,))
            a[place] = np.nan
            same(f, a)
    a = sample(dtype, 1, (30, 40))
    a[3, 4] = a[3, 8] = np.nan
    for name in ("min", "max", "argmin", "argmax", "sum"):
        for axis in (0, 1):
            same(expression(f"np.{name}(a, axis={axis})", "a"), a)


@pytest.mark.parametrize("dtype", ["i1", "u2", "i4", "u8", "f4", "f8", "c16", "?"])
def test_first_of_equals(dtype):
    for name in ("argmin", "argmax"):
        f = expression(f"np.{name}(a)", "a")
        for count in (1, 2, 511, 512, 513, 1024, 3000):
            a = np.random.default_rng(count).integers(0, 3, count).astype(dtype)
            same(f, a)
            same(f, np.repeat(a, 2)[::2])
            same(expression(f"np.{name}(a, axis=0)", "a"), np.stack([a, a[::-1]], axis=1))


@pytest.mark.parametrize("dtype", ["i1", "u2", "i4", "u8", "f2", "f4", "f8", "c8", "?"])
def test_positions_in_short_rows(dtype):
    """Many rows side by side; NaN goes before all, and of equals the first."""
    f = expression("np.argmin(a, axis=1), np.argmax(a, axis=1), np.argmin(a, axis=0)", "a")
    for rows, count in ((1, 3), (9, 1), (70, 2), (67, 5), (40, 16), (5, 17)):
        a = np.random.default_rng(count).integers(0, 4, (2 * rows, 2 * count)).astype(dtype)
        if a.dtype.kind in "fc":
            a[np.random.default_rng(rows).random(a.shape) < 0.1] = np.nan
        for view in (a[:rows, :count], a[::2, ::-2], a[:rows, :count].copy(order="F")):
            for ours, theirs in zip(f(view), f.py_func(view), strict=True):
                assert np.array_equal(ours, theirs)


def test_times():
    d = np.array(["2020-01-05", "2019-07-01", "NaT", "2021-01-01"], "M8[D]")
    t = np.array([5, -3, 7, 11], "m8[s]")
    for a in (d[:2], t):
        for name in ("min", "max", "argmin", "argmax", "ptp"):
            same(expression(f"np.{name}(a)", "a"), a)
    for name in ("min", "max", "argmin", "argmax"):
        same(expression(f"np.{name}(a)", "a"), d)
    same(expression("np.sum(a)", "a"), t)
    same(expression("np.sum(a, axis=0)", "a"), np.array([[5, 7], [1, "NaT"]], "m8[ms]"))
    same(expression("np.mean(a)", "a"), t)
    same(expression("np.cumsum(a)", "a"), t)
    with pytest.raises(PyArrayError, match="cannot use operands"):
        expression("np.sum(a)", "a")(d)
    with pytest.raises(PyArrayError, match="cannot use operands"):
        expression("np.prod(a)", "a")(t)


# -- Sizes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", REAL)
def test_no_elements(name):
    for shape, axis in (((0,), None), ((0, 3), 0), ((0, 3), 1), ((3, 0), 0), ((0, 0), 0), ((2, 0, 3), 1)):
        same(expression(f"np.{name}(a, axis={axis})", "a"), np.zeros(shape))


@pytest.mark.parametrize("name", REAL)
def test_single_elements(name):
    if name != "ptp":
        same(expression(f"np.{name}(a)", "a"), np.array(2.5))
        same(expression(f"np.{name}(a)", "a"), 2.5)
    same(expression(f"np.{name}(a)", "a"), np.array([[2.5]]))
    same(expression(f"np.{name}(a, axis=0)", "a"), np.array([[2.5]]))


@pytest.mark.usefixtures("little_optimised")
def test_many_dimensions():
    a = sample("f8", 1, (2, 3) + (1,) * 28 + (2, 3))
    for name in ("sum", "max", "argmin"):
        same(expression(f"np.{name}(a)", "a"), a)
    same(expression("np.sum(a, axis=0)", "a"), a)
    same(expression("np.sum(a, axis=(0, 31))", "a"), a)


def test_lists():
    for text in ("[1, 2, 3]", "[1.5, 2.5]", "(3, 1, 2)", "[[1, 2], [3, 4]]", "range(5)", "7", "2.5", "True"):
        for name in ("sum", "max", "mean", "argmin", "all"):
            same(expression(f"np.{name}({text})", ""))


def test_python_functions_keep_their_meaning():
    for name in ("sum", "min", "max", "any", "all"):
        same(expression(f"{name}(a)", "a"), sample("i8", 1, (9,)))
    assert expression("sum(a)", "a")(np.array([200, 100], np.uint8).astype("i8")) == 300


# -- Errors ----------------------------------------------------------------------------------------


def test_errors():
    a = np.ones((2, 3))
    for text, message in (
        ("np.sum(a, axis=1.0)", "expected an integer"),
        ("np.sum(a, axis=(0, 1.0))", "expected an integer"),
        ("np.sum(a, keepdims=k > a[0, 0])", "keepdims must be known"),
        ("np.sum()", "missing a required argument: 'a'"),
        ("np.sum(a, foo=1)", "unexpected keyword argument 'foo'"),
        ("a.sum(0, np.float64, None, False, 0, True, 1)", "takes"),
        ("np.sum('x')", "expected an array of numbers"),
    ):
        with pytest.raises(TypingError, match="(?i)" + message.replace("(", r"\(")):
            expression(text, "a, k")(a, 1)


def test_errors_of_axes():
    a = np.ones((2, 3))
    for axis in (2, -3, (0, 0), (0, -2), (0, 2)):
        for name in ("sum", "max", "std"):
            same_error(expression(f"np.{name}(a, axis={axis})", "a"), a)
    caught = "    try:\n        return np.sum(a, axis=2)\n    except np.exceptions.AxisError:\n        return a[0]\n"
    f = define(f"def f(a):\n{caught}")
    assert f(a).tolist() == [1, 1, 1]


def test_errors_tell_the_line():
    f = define("def f(a):\n    b = a[:0]\n    return np.max(b)\n")
    try:
        f(np.ones(3))
    except ValueError as error:
        assert error.__traceback__.tb_next.tb_lineno == 3
    else:
        raise AssertionError("no error")


# -- Scans and methods of ufuncs -------------------------------------------------------------------


@pytest.mark.usefixtures("little_optimised")
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["cumsum", "cumprod"])
def test_scans(name, dtype):
    for text in ("a", "a, axis=0", "a, 1", "a, axis=-1"):
        same(expression(f"np.{name}({text})", "a"), sample(dtype, 1, (4, 5)))
    same(expression(f"a.{name}()", "a"), sample(dtype, 1, (50,)))
    same(expression(f"np.{name}(a)", "a"), sample(dtype, 1, (0,)))
    same(expression(f"np.{name}(a)", "a"), sample(dtype, 1, (12, 5)).T)
    same(expression(f"np.{name}(a, dtype=np.float64)", "a"), sample("i4", 1, (50,)))
    same(expression(f"np.{name}(a, axis=0, out=o)", "a, o"), sample("f4", 1, (5, 3)), np.zeros((5, 3)))


@pytest.mark.usefixtures("little_optimised")
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["cumsum", "cumprod"])
def test_scans_of_planes(name, dtype):
    """Along an axis across which many elements follow each other."""
    for shape, axis in (((5, 40), 0), ((3, 4, 40), 1), ((3, 4, 40), 0), ((0, 40), 0)):
        same(expression(f"np.{name}(a, axis={axis})", "a"), sample(dtype, 1, shape))
    same(expression(f"np.{name}(a, axis=1)", "a"), sample(dtype, 1, (5, 40)).T)
    same(expression(f"np.{name}(a, axis=0, out=o)", "a, o"), sample(dtype, 1, (5, 40)), sample(dtype, 2, (5, 40)))


@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "minimum", "logical_or", "logical_and"])
def test_reduce_of_ufuncs(name):
    for text in ("a", "a, 1", "a, axis=None", "a, axis=(0, 1)", "a, keepdims=True"):
        same(expression(f"np.{name}.reduce({text})", "a"), sample("i4", 1, (4, 5)))
    same(expression(f"np.{name}.reduce(a)", "a"), sample("?", 1, (4, 5)))


@pytest.mark.parametrize("name", ["bitwise_or", "bitwise_and", "bitwise_xor"])
def test_reduce_of_bits(name):
    for dtype in ("?", "i1", "u2", "i8"):
        same(expression(f"np.{name}.reduce(a)", "a"), sample(dtype, 1, (4, 5)))


@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "minimum"])
def test_accumulate_of_ufuncs(name):
    for text in ("a", "a, 1", "a, axis=-1"):
        same(expression(f"np.{name}.accumulate({text})", "a"), sample("f8", 1, (4, 5)))


# -- Drawn -----------------------------------------------------------------------------------------


@st.composite
def views(draw, dtypes=DTYPES, most=9):
    """An array of up to four dimensions in any order, with steps of either sign, and an axis or several."""
    rank = draw(st.integers(1, 4))
    shape = tuple(draw(st.integers(0, most)) for _ in range(rank))
    base = sample(draw(st.sampled_from(dtypes)), draw(st.integers(0, 99)), tuple(2 * n + 3 for n in shape))
    index = []
    for n in shape:
        first, step = draw(st.integers(0, 2)), draw(st.sampled_from([1, 2, -1, -2]))
        stop = first + n * abs(step)
        part = slice(first, stop, abs(step))
        index.append(part if step > 0 else part)
        if step < 0:
            index[-1] = slice(stop - 1, None if first == 0 else first - 1, step) if n else slice(0, 0)
    view = base[tuple(index)].transpose(draw(st.permutations(range(rank))))
    if draw(st.booleans()):
        view = np.array(view, order=draw(st.sampled_from("CF")))
    axis = draw(
        st.one_of(
            st.none(), st.integers(-rank, rank - 1), st.permutations(range(rank)).map(lambda p: tuple(p[: len(p) // 2]))
        )
    )
    return view, axis


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    views(),
    st.sampled_from(["sum", "prod", "min", "max", "any", "all", "mean", "count_nonzero", "argmin", "argmax"]),
    st.booleans(),
)
def test_drawn(drawn, name, keepdims):
    view, axis = drawn
    if is_inexact(name, view.dtype.str[1:]):
        name = "sum"
    if view.dtype == "f2" and name in ("sum", "mean", "prod"):
        name = "max"  # NumPy folds several rows at a time
    if name in ("argmin", "argmax") and isinstance(axis, tuple):
        axis = axis[0] if axis else None
    more = f", keepdims={keepdims}"
    same(expression(f"np.{name}(a, axis={axis}{more})", "a"), view, zeros_alike=name in NO_TIE)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(views(["f4", "f8", "c8", "c16"], 40))
def test_drawn_sums(drawn):
    view, axis = drawn
    same(expression(f"np.sum(a, axis={axis})", "a"), view)


def test_in_functions():
    @njit
    def softmax(x):
        e = np.exp(x - np.max(x, axis=-1, keepdims=True))
        return e / np.sum(e, axis=-1, keepdims=True)

    x = sample("f8", 1, (8, 33))
    np.testing.assert_allclose(softmax(x), softmax.py_func(x), rtol=4e-16 * 8)


@pytest.mark.parametrize("dtype", ["i8", "u2", "f8", "f4"])
def test_whole_on_threads(dtype):
    """Folds of all dimensions whose order changes nothing, of views that are no single row."""
    a = (np.random.default_rng(5).random((6, 40, 30)) * 9).astype(dtype)
    texts = ["a.min()", "a.max()", "(a * 2 - v).max()", "np.count_nonzero(a > 3)", "a.min(initial=2)"]
    for text in texts if dtype[0] == "f" else [*texts, "a.sum()", "a.prod()"]:
        f = expression(text, "a, v", decorator=njit(parallel=True))
        for view in (a, a[::2], a[:, ::3], a[..., ::-2], a.transpose(1, 0, 2)[1:], a[0], a[:1, ::2]):
            same(f, view, view[..., 0, :], zeros_alike=True)
    f = expression("a.max()", "a, v", decorator=njit(parallel=True))
    with pytest.raises(ValueError, match="zero-size array"):
        f(a[:, :0], a[0, 0])
    if dtype[0] == "f":
        a[3, 20, 7] = np.nan
        for view in (a, a[:, ::2]):
            assert np.isnan(f(view, a[0, 0]))


@pytest.mark.parametrize("name", ["sum", "max", "any", "mean", "std", "argmax"])
def test_a_result_is_not_broadcast_to_out(name):
    f = expression(f"np.{name}(a, axis=1, out=out)", "a, out")
    out = np.empty(2, {"any": "?", "argmax": "i8"}.get(name, "f8"))
    for function in (f.py_func, f):
        with pytest.raises(ValueError):
            function(np.ones((1, 3)), out)
    assert f(np.ones((2, 3)), out) is out
