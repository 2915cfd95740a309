"""Medians and quantiles against NumPy: dtypes, axes, methods, NaN."""

import warnings

import numpy as np
import pytest
from arrays import check
from compare import expression
from test_sorting import shuffled

DTYPES = ["?", "i1", "u2", "i8", "u8", "f2", "f4", "f8"]
METHODS = (
    "linear lower higher nearest midpoint inverted_cdf averaged_inverted_cdf closest_observation "
    "interpolated_inverted_cdf hazen weibull median_unbiased normal_unbiased"
).split()


@pytest.fixture(autouse=True)
def _no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def numbers(shape, dtype, nan):
    array = shuffled(shape, dtype)
    if array.dtype.kind in "fc":
        array[~np.isfinite(array)] = 1
        if nan:
            array[0, 1] = np.nan
    return array


@pytest.mark.parametrize("dtype", [*DTYPES, "c8", "c16"])
@pytest.mark.parametrize("shape", [(4, 7), (3, 8), (1, 2)])
@pytest.mark.parametrize("name", ["median", "nanmedian"])
def test_median(name, shape, dtype):
    text = f"np.{name}(a), np.{name}(a, 0), np.{name}(a, axis=-1, keepdims=True), np.{name}(a[0])"
    for nan in (False, True):
        check(expression(text, "a"), numbers(shape, dtype, nan))
    check(expression(f"np.{name}(a, (0, 1)), np.{name}(a, (0, 1), keepdims=True)", "a"), numbers(shape, dtype, False))


@pytest.mark.parametrize("dtype", DTYPES[1:])
@pytest.mark.parametrize("name", ["percentile", "nanpercentile"])
def test_percentile(name, dtype):
    shares = np.array([0, 25.0, 50, 99, 100])
    for nan in (False, True):
        a = numbers((3, 8), dtype, nan)
        check(expression(f"np.{name}(a, 30), np.{name}(a, q), np.{name}(a, 12.5, 0)", "a, q"), a, shares)
        check(expression(f"np.{name}(a, q, axis=1), np.{name}(a, (5, 95), 1, keepdims=True)", "a, q"), a, shares)


@pytest.mark.parametrize("dtype", ["i4", "f4", "f8"])
@pytest.mark.parametrize("method", METHODS)
def test_methods(method, dtype):
    a = numbers((3, 4, 5), dtype, False)
    text = f"np.quantile(a, q, method='{method}'), np.quantile(a, 0.37, 1, method='{method}')"
    check(expression(text, "a, q"), a, np.linspace(0, 1, 17))
    a.reshape(-1)[::7] = 0
    check(expression(f"np.nanquantile(a, q, 2, method='{method}')", "a, q"), a, np.linspace(0, 1, 9))


@pytest.mark.parametrize(
    "text",
    [
        "np.median(a, 3)", "np.median(a, (0, 0))", "np.percentile(a, 101)", "np.quantile(a, -0.1)", "np.quantile(a, 1)",
        "np.quantile(a, 0.5, method='odd')", "np.quantile(a, [[0.5, 0.1]])", "np.quantile(a, [[0.5, 0.1]], 1)",
        "np.percentile(a, 50, 0, np.empty((3, 4)))", "np.median(a, 0, np.empty((3, 4)))", "np.median([3, 1, 2])",
        "np.percentile([3, 1, 2], 50)", "np.percentile(a * 1j, 50)", "np.median(a[:0])", "np.median(a[:0], 0)",
        "np.percentile(a[:0], 50)", "np.nanmedian(a, (0, 2))", "np.percentile(a, [10, 20], (1, 2), keepdims=True)",
        "np.median(a, keepdims=True)",
    ],
)  # fmt: skip
def test_arguments(text):
    check(expression(text, "a"), np.arange(24.0).reshape(2, 3, 4) % 7)


def test_the_argument_keeps_its_order():
    check(expression("np.median(a), np.percentile(a, 20), a", "a"), shuffled((21,), "i8"))
