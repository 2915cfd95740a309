"""Arrays as sets, how often values occur, and covariances, against NumPy."""

import warnings

import numpy as np
import pyarray
import pytest
from arrays import DTYPES, check
from compare import expression, outcome
from pyarray import njit
from test_sorting import shuffled

NUMBERS = ["i1", "u2", "i8", "u8", "f2", "f4", "f8"]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("flags", ["", "True", "False, True", "False, False, True", "True, True, True"])
def test_unique(flags, dtype):
    check(expression(f"np.unique(a, {flags})", "a"), shuffled((3, 20), dtype, spread=5))


@pytest.mark.parametrize("dtype", ["?", "i1", "u8", "f4"])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_unique_along_an_axis(axis, dtype):
    a = np.nan_to_num(shuffled((6, 4), dtype, spread=2)).clip(0, 1).astype(dtype)
    a[3], a[:, 2] = a[1], a[:, 0]
    check(expression(f"np.unique(a, axis={axis}), np.unique(a, True, True, True, axis={axis})", "a"), a)


@pytest.mark.parametrize("dtype", DTYPES)
def test_sets(dtype):
    a, b = shuffled((12,), dtype, 1, 6), shuffled((9,), dtype, 2, 6)
    check(expression("np.union1d(a, b), np.intersect1d(a, b), np.setdiff1d(a, b), np.setxor1d(a, b)", "a, b"), a, b)
    check(expression("np.intersect1d(a, b, return_indices=True)", "a, b"), a, b)
    check(expression("np.isin(a, b), np.isin(a, b, invert=True), np.isin(a, b[:0])", "a, b"), a.reshape(3, 4), b)


def test_names_of_the_array_api():
    a = np.array([3, 1, 3])
    check(expression("np.unique_values(a), np.unique_inverse(a), np.unique_counts(a), np.unique_all(a)", "a"), a)
    check(expression("np.isin(3, a), np.isin(a, [1, 2], kind='sort'), np.isin(a, a, kind='odd')", "a"), a)
    check(expression("np.unique(a), np.unique(a, True, True, True)", "a"), np.zeros(0))


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i8", "u8"])
def test_bincount(dtype):
    a = np.abs(np.random.default_rng(0).integers(0, 7, 30)).astype(dtype)
    check(expression("np.bincount(a), np.bincount(a, minlength=9), np.bincount(a, a), np.bincount(a, a / 2)", "a"), a)


@pytest.mark.parametrize(
    "text",
    [
        "np.bincount(a)", "np.bincount(a - 1)", "np.bincount(a[0] - 5)", "np.bincount(a[0] / 2)",
        "np.bincount(a[0], a)", "np.bincount(a[0], minlength=-1)", "np.bincount([1, 2, 1])", "np.histogram(a, 0)",
        "np.histogram(a, [1, 0])", "np.histogram(a, a)", "np.histogram(a, 3, (2, 1))",
        "np.histogram(a, 3, (2, np.inf))", "np.histogram(a / 0)",
        "np.histogram(a[:0])", "np.histogram(a[:1, :1])", "np.histogram(a, weights=a[0])", "np.histogram([1, 2, 3], 2)",
    ],
)  # fmt: skip
def test_arguments(text):
    check(expression(text, "a"), np.arange(1, 13).reshape(3, 4))


@pytest.mark.parametrize("dtype", NUMBERS)
def test_histogram(dtype):
    a = np.nan_to_num(shuffled((5, 9), dtype), neginf=-3)
    edges = np.array([-3.0, 0, 1, 2.5, 9])
    check(expression("np.histogram(a), np.histogram(a, 7, (-2, 3)), np.histogram(a, e)", "a, e"), a, edges)
    check(expression("np.histogram_bin_edges(a, 4), np.histogram(a, 3, density=True)", "a"), a)
    check(expression("np.histogram(a, 4, weights=w), np.histogram(a, e, weights=w)", "a, e, w"), a, edges,
          np.arange(45).reshape(5, 9))  # fmt: skip


def test_a_long_histogram():
    rng = np.random.default_rng(0)
    check(expression("np.histogram(a, 100), np.histogram(a, 100, weights=w)", "a, w"), *rng.random((2, 200000)))


@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "i2", "i8", "u8", "f2", "f4", "f8"])
def test_histograms_of_many(dtype):
    """More than a strip; values of bytes are counted first; among them all that lie at an edge or beside one."""
    rng = np.random.default_rng(1)
    if dtype == "?":
        a = rng.random(3000) < 0.3
    elif dtype[0] == "f":
        edges = np.linspace(-3, 5, 8).astype(dtype)
        a = np.concatenate((rng.normal(0, 3, 1531).astype(dtype), edges, np.nextafter(edges, edges.dtype.type(9))))
        a = np.concatenate((a, np.nextafter(edges, edges.dtype.type(-9)), np.array([-0.0, 1e4, -1e4], dtype)))
    else:
        a = rng.integers(-128, 128, 1700).astype(dtype)
    text = "np.histogram(a, 7, (-3.0, 5.0)), np.histogram(a, 10, (0, 256)), np.histogram(a), np.histogram(a, e)"
    check(expression(text, "a, e"), a, np.array([-100.0, -3, 0, 1, 2.5, 90]))
    if dtype[0] == "f":
        a[7], a[800], a[1200] = np.nan, np.inf, -np.inf
        check(expression("np.histogram(a, 7, (-3.0, 5.0)), np.histogram(a, e)", "a, e"), a, np.array([-3.0, 0, 9]))


@pytest.mark.parametrize("dtype", ["i4", "f4", "f8", "c8", "c16"])
@pytest.mark.parametrize(
    "text",
    [
        "np.cov(a)", "np.cov(a[0])", "np.cov(a, b)", "np.cov(a, rowvar=False)", "np.cov(a, bias=True)",
        "np.cov(a, ddof=3)", "np.cov(a, fweights=w)", "np.cov(a, aweights=w / 3)", "np.cov(a, fweights=w, aweights=w)",
        "np.corrcoef(a)", "np.corrcoef(a[0], a[1])", "np.cov(a, fweights=w[1:])", "np.cov(a, aweights=-w)",
    ],
)  # fmt: skip
def test_covariances(text, dtype):
    a = np.nan_to_num(shuffled((3, 6), dtype), neginf=0)
    arguments = a, a[::-1], np.arange(6)
    f = expression(text, "a, b, w")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours, theirs = outcome(f, arguments), outcome(f.py_func, arguments)
    assert ours[0] == theirs[0], (ours, theirs)
    if ours[0] == "raised":
        assert ours[1:] == theirs[1:]
        return
    assert ours[1].dtype == theirs[1].dtype and ours[1].shape == theirs[1].shape
    np.testing.assert_allclose(ours[1], theirs[1], rtol=1e-5 if dtype in ("f4", "c8") else 1e-12, atol=1e-6)


RULES = ["auto", "fd", "doane", "scott", "stone", "rice", "sturges", "sqrt"]


@pytest.mark.parametrize("dtype", ["?", "u1", "i2", "i8", "f2", "f4", "f8"])
@pytest.mark.parametrize("rule", RULES)
def test_numbers_of_bins_by_rules(rule, dtype):
    rng = np.random.default_rng(2)
    a = rng.normal(20, 6, 300).astype(dtype)
    check(expression(f"np.histogram(a, '{rule}'), np.histogram_bin_edges(a, bins='{rule}', range=(9, 30))", "a"), a)
    check(expression(f"np.histogram(a, '{rule}')", "a"), rng.exponential(3.0, (40, 40)).astype(dtype))
    for few in (a[:0], a[:1], a[:2], a[:40] * 0):
        check(expression(f"np.histogram(a, '{rule}')", "a"), few)


@pytest.mark.parametrize(
    "text",
    [
        "np.histogram(a, s)", "np.histogram(a, 'many')", "np.histogram(a, 'fd', weights=a)",
        "np.histogram(a, 'auto', (3, 1))", "np.histogram(a, 'auto', (20, 30))", "np.histogram(a, 'auto', density=True)",
        "np.histogram(a / 0, 'auto')",
    ],
)  # fmt: skip
def test_rules_that_are_given(text):
    check(expression(text, "a, s"), np.arange(1.0, 13.0), "sqrt")


def test_bins_are_no_floats():
    with pytest.raises(TypeError, match="`bins` must be an integer, a string, or an array"):
        expression("np.histogram(a, 2.5)", "a")(np.arange(3.0))


@pytest.mark.parametrize("dtype", ["i1", "i8", "u8", "f2", "f4", "f8"])
def test_bins_of_any_width(dtype):
    """Many values in any order, for which a table of the edges is made; and edges of which most lie close together."""
    rng = np.random.default_rng(3)
    a = rng.normal(50, 40, 3000).astype(dtype)
    for edges in (np.linspace(0, 100, 30), np.geomspace(1e-9, 1e9, 60), np.array([0.0, 1, 1, 2, 2, 2, 50, 60, 70, 80])):
        a[: len(edges)] = edges.astype(dtype) if dtype[0] == "f" else edges.clip(0, 100).astype(dtype)
        check(expression("np.histogram(a, e), np.digitize(a, e), np.digitize(a, e, right=True)", "a, e"), a, edges)
        check(expression("np.interp(a, e, v)", "a, e, v"), a, np.unique(edges), np.unique(edges) ** 2)


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i8", "u8"])
def test_members_by_a_table(dtype):
    """Of integers that lie close together."""
    rng = np.random.default_rng(4)
    low = 0 if dtype[0] == "u" else -100
    a, b = rng.integers(low, 100, (20, 30)).astype(dtype), rng.integers(low // 3, 40, 15).astype(dtype)
    check(expression("np.isin(a, b), np.isin(a, b, invert=True), np.isin(a, b[:1]), np.isin(a, b[:0])", "a, b"), a, b)
    check(expression("np.isin(a, b, kind='sort'), np.isin(a, b, kind='table')", "a, b"), a, b)
    wide = np.array([np.iinfo("i8").min, 3, np.iinfo("i8").max])
    check(expression("np.isin(a, b), np.isin(b, b)", "a, b"), a, wide)


@pytest.mark.parametrize("name", ["unique_all", "unique_counts", "unique_inverse"])
def test_unique_results_have_names(name):
    f = expression(f"np.{name}(a)", "a")
    ours, theirs = f(np.array([3, 1, 3])), f.py_func(np.array([3, 1, 3]))
    assert type(ours) is type(theirs)
    for mine, expected in zip(ours, theirs):
        np.testing.assert_array_equal(mine, expected)


@pytest.mark.parametrize(
    "function",
    [
        lambda a, b: a.union(b),
        lambda a, b: a.difference(b),
        lambda a, b: a.symmetric_difference(b),
        lambda a, b: a.issubset(b),
        lambda a, b: a.isdisjoint(b),
        lambda a, b: a | b,
        lambda a, b: a <= b,
        lambda a, b: a > b,
    ],
)
def test_items_that_never_become_the_same(function):
    with pytest.raises(pyarray.TypingError, match="set\\(int64\\) and set\\(unicode_type\\)"):
        njit(function)({1, 2}, {"a"})
