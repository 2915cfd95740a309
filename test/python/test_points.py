"""math.dist and math.sumprod of lists, arrays and other iterables."""

import fractions
import math
import random

import numpy as np
import pytest
from pyarray import njit

try:
    from math import sumprod
except ImportError:  # Python 3.11: the library's own
    from pyarray.library.math import sumprod_of as sumprod


@njit
def dist(p, q):
    return math.dist(p, q)


@njit
def products(p, q):
    return sumprod(p, q)


def points():
    random.seed(5)
    for size in (1, 2, 3, 10, 100):
        for scale in (1.0, 1e-3, 1e160, 1e-170, 1e-310):
            yield (
                [random.uniform(-scale, scale) for _ in range(size)],
                [random.uniform(-scale, scale) for _ in range(size)],
            )


def test_dist_as_cpython():
    for p, q in points():
        assert math.isclose(dist(p, q), math.dist(p, q), rel_tol=3e-16, abs_tol=5e-324), (p, q)
        assert dist(np.array(p), q) == dist(p, np.array(q)) == dist(p, q)


@pytest.mark.parametrize(
    "p, q",
    [
        ([1.0, math.inf], [math.nan, 2.0]),
        ([1.0, math.nan], [2.0, 3.0]),
        ([1, 2], [1, 2]),
        ([1, 2], (4.0, 6.0)),
        ((1, 2, 3), [1, 2, 4]),
        ([math.inf], [math.inf]),
    ],
)
def test_odd_points(p, q):
    found, expected = dist(p, q), math.dist(p, q)
    assert found == expected or (math.isnan(found) and math.isnan(expected))


def test_other_iterables():
    def f(xs):
        return math.dist((x for x in xs), xs), math.dist(range(3), xs), math.perm(5, None)

    assert njit(f)([1, 5, 2]) == (0.0, math.dist(range(3), [1, 5, 2]), 120)


def test_lengths_that_differ():
    with pytest.raises(ValueError, match="both points must have the same number of dimensions"):
        dist([1.0], [1.0, 2.0])
    with pytest.raises(ValueError, match="Inputs are not the same length"):
        products([1.0], [1.0, 2.0])


def test_sumprod():
    assert products([1, 2, 3], [4, 5, 6]) == 32 and type(products([1, 2], [3, 4])) is int
    assert products([1, 2, 3], [0.5, 0.25, 2.0]) == 7.0 and products((1, 2), [3, 4]) == 11
    assert products([10.0, 1e100, -1e100], [0.1, 1.0, 1.0]) == math.fsum([10.0 * 0.1, 1e100, -1e100])
    for p, q in points():
        exact = sum(fractions.Fraction(x) * fractions.Fraction(y) for x, y in zip(p, q))
        if 1e-290 < abs(exact) < 1e290:
            assert math.isclose(products(p, q), float(exact), rel_tol=1e-15)
    assert products([1e308], [10.0]) == math.inf
