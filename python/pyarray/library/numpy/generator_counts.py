"""Counts that NumPy's Generator draws."""

import numpy as np

from .._intrinsics import draw_into
from .generator_draws import (
    are_arrays,
    drawn,
    is_no_share,
    is_outside,
    number,
)
from .random import _every, _int, _some, check_population, shape_of, spread

_MOST = 9.223372006484771e18  # that the mean of a Poisson distribution may be


def _of_nan(arrays):
    # What messages say of a parameter that is no number.
    return "contains NaNs" if arrays else "is NaN"


def poisson(self, lam=1.0, size=None):
    """Counts of the Poisson distribution."""
    lam = number(lam)
    # Of an array NumPy asks first whether it is too large, which NaN is.
    if are_arrays(lam) and not _every(lam <= _MOST):
        raise ValueError("lam value too large")
    if not _every(lam >= 0.0):
        raise ValueError(f"lam < 0 or lam {_of_nan(are_arrays(lam))}")
    if _some(lam > _MOST):
        raise ValueError("lam value too large")
    return drawn(self, "random_poisson", 1, size, np.int64, lam)


def zipf(self, a, size=None):
    """Integers of Zipf's distribution."""
    a = number(a)
    if not _every(a > 1.0):
        raise ValueError(f"a <= 1 or a {_of_nan(are_arrays(a))}")
    return drawn(self, "random_zipf", 1, size, np.int64, a)


def geometric(self, p, size=None):
    """How many trials it takes to the first success."""
    p = number(p)
    if is_no_share(p):
        raise ValueError("p <= 0, p > 1 or p contains NaNs")
    return drawn(self, "random_geometric", 1, size, np.int64, p)


def logseries(self, p, size=None):
    """Integers of the logarithmic distribution."""
    p = number(p)
    if not _every((p >= 0.0) & (p < 1.0)):
        raise ValueError(f"p < 0, p >= 1 or p {_of_nan(are_arrays(p))}")
    return drawn(self, "random_logseries", 1, size, np.int64, p)


def negative_binomial(self, n, p, size=None):
    """How many trials fail before ``n`` succeed."""
    n, p = number(n), number(p)
    if _some(n != n):
        raise ValueError("n must not be NaN")
    if _some(n <= 0.0):
        raise ValueError("n <= 0")
    if is_no_share(p):
        raise ValueError("p <= 0, p > 1 or p contains NaNs")
    if _some((1 - p) / p * (n + 10 * np.sqrt(n)) > _MOST):
        raise ValueError("n too large or p too small, see Generator.negative_binomial Notes")
    return drawn(self, "random_negative_binomial", 2, size, np.int64, n, p)


def hypergeometric(self, ngood, nbad, nsample, size=None):
    """How many of ``nsample`` draws without replacement are good."""
    good, bad, sample = _int(ngood), _int(nbad), _int(nsample)
    if _some(good >= 1000000000) or _some(bad >= 1000000000):
        raise ValueError("both ngood and nbad must be less than 1000000000")
    check_population(good, bad, sample)
    if _some(sample < 0):
        raise ValueError("nsample < 0")
    return drawn(self, "random_hypergeometric", 3, size, np.int64, good, bad, sample)


def binomial(self, n, p, size=None):
    """How many of ``n`` trials succeed."""
    n, p = _int(n), number(p)
    if isinstance(n, np.ndarray) or isinstance(p, np.ndarray):
        if is_outside(p, 0.0, 1.0):
            raise ValueError("p < 0, p > 1 or p contains NaNs")
        if _some(n < 0):
            raise ValueError("n < 0")
        return _binomial_for_each(self, np.asarray(n), np.asarray(p), size)
    else:
        if is_outside(p, 0.0, 1.0):
            raise ValueError("p < 0, p > 1 or p is NaN")
        if n < 0:
            raise ValueError("n < 0")
        work = np.zeros(32, np.int64)
        if size is None:
            return draw_into(self, "random_binomial", p, n, work)
        else:
            made = np.empty(size, np.int64)
            flat = made.reshape(-1)
            for i in range(len(flat)):
                flat[i] = draw_into(self, "random_binomial", p, n, work)
            return made


def _binomial_for_each(rng, n, p, size):
    made, work = np.empty(shape_of(size, n.shape, p.shape, ()), np.int64), np.zeros(32, np.int64)
    flat, counts, shares = made.reshape(-1), spread(n, made), spread(p, made)
    for i in range(len(flat)):
        flat[i] = draw_into(rng, "random_binomial", shares[i], counts[i], work)
    return made
