"""Vectors that NumPy's Generator draws: they are the last axis."""

import numpy as np

from .._intrinsics import draw, draw_into, known
from .generator import standard_normal
from .random import _some, behind, compensated_sum, shape_of


def multivariate_normal(self, mean, cov, size=None, check_valid="warn", tol=1e-8, *, method: known = "svd"):
    """Deviates of several variables with these means and covariances.

    What ``check_valid`` warns of is not said.
    """
    means, spread = np.asarray(mean, np.float64), np.asarray(cov, np.float64)
    if method != "svd" and method != "eigh" and method != "cholesky":
        raise ValueError("method must be one of {'eigh', 'svd', 'cholesky'}")
    if means.ndim != 1:
        raise ValueError("mean must be 1 dimensional")
    elif spread.ndim != 2:
        raise ValueError("cov must be 2 dimensional and square")
    else:
        if spread.shape[0] != spread.shape[1]:
            raise ValueError("cov must be 2 dimensional and square")
        if len(means) != len(spread):
            raise ValueError("mean and cov must have same length")
        shape = behind(size, len(means))
        x = standard_normal(self, shape).reshape((-1, len(means)))
        factor = _factor(spread, check_valid, tol, method)
        return (means + x @ factor.T).reshape(shape)


def _factor(spread, check_valid, tol, method: known):
    """A matrix whose product with its transpose is ``spread``."""
    if method == "cholesky":
        return np.linalg.cholesky(spread)
    elif method == "eigh":
        s, u = np.linalg.eigh(spread)
        _need_valid(check_valid, not np.any(s < -tol))
        return u * np.sqrt(abs(s))
    else:
        u, s, v = np.linalg.svd(spread)
        _need_valid(check_valid, check_valid != "raise" or np.allclose(np.dot(v.T * s, v), spread, tol, tol))
        return u * np.sqrt(s)


def _need_valid(check_valid, valid):
    if check_valid != "warn" and check_valid != "raise" and check_valid != "ignore":
        raise ValueError("check_valid must equal 'warn', 'raise', or 'ignore'")
    if check_valid == "raise" and not valid:
        raise ValueError("covariance is not symmetric positive-semidefinite.")


def multinomial(self, n, pvals, size=None):
    """How often each of several results comes in ``n`` trials."""
    counts, shares = np.asarray(n, np.int64), np.ascontiguousarray(np.asarray(pvals, np.float64))
    _check_shares(shares.reshape((-1, shares.shape[-1])), shares.ndim)
    if _some(counts < 0):
        raise ValueError("n < 0")
    if counts.ndim == 0 and shares.ndim == 1:
        made = np.zeros(behind(size, shares.shape[-1]), np.int64)
        _share_out(self, np.broadcast_to(counts, made.shape[:-1]), np.broadcast_to(shares, made.shape), made)
        return made
    else:
        whole = shape_of(size, counts.shape, shares.shape[:-1], ())
        made = np.zeros((*whole, shares.shape[-1]), np.int64)
        _share_out(self, np.broadcast_to(counts, whole), np.broadcast_to(shares, made.shape), made)
        return made


def _check_shares(rows, rank):
    if rows.shape[1] == 0:
        raise ValueError("pvals must have at least 1 dimension and the last dimension of pvals must be greater than 0.")
    if not np.all((rows >= 0.0) & (rows <= 1.0)):
        raise ValueError("pvals < 0, pvals > 1 or pvals contains NaNs")
    for row in rows:
        if compensated_sum(row[: len(row) - 1]) > 1.0 + 1e-12:
            raise ValueError("sum(pvals[:-1]) > 1.0" if rank == 1 else "sum(pvals[...,:-1]) > 1.0")


def _share_out(rng, counts, shares, made):
    number, work = counts.ravel(), np.zeros(32, np.int64)
    rows, of_rows = made.reshape((-1, made.shape[-1])), np.ascontiguousarray(shares).reshape((-1, made.shape[-1]))
    for i in range(len(rows)):
        draw_into(rng, "random_multinomial", number[i], rows[i], of_rows[i], len(rows[i]), work)


def multivariate_hypergeometric(self, colors, nsample, size=None, method: known = "marginals"):
    """How many of each color are among ``nsample`` items that are drawn without replacement."""
    if method != "count" and method != "marginals":
        raise ValueError('method must be "count" or "marginals".')
    if nsample < 0:
        raise ValueError("nsample must be nonnegative.")
    numbers = np.ascontiguousarray(np.asarray(colors, np.int64))
    if numbers.ndim != 1 or np.any(numbers < 0):
        raise ValueError(
            "colors must be a one-dimensional sequence of nonnegative integers not exceeding 9223372036854775807."
        )
    total = _total(numbers)
    if method == "marginals" and total >= 1000000000:
        raise ValueError('When method is "marginals", sum(colors) must be less than 1000000000.')
    if method == "count" and total > 1152921504606846975:
        raise ValueError("When method is 'count', sum(colors) must not exceed 1152921504606846975")
    if nsample > total:
        raise ValueError("nsample > sum(colors)")
    made = np.zeros(behind(size, len(numbers)), np.int64)
    if len(numbers) == 0:
        return made
    rows = made.size // len(numbers)
    if method == "marginals":
        draw_into(
            self, "random_multivariate_hypergeometric_marginals", total, len(numbers), numbers, nsample, rows, made
        )
    elif (
        draw_into(self, "random_multivariate_hypergeometric_count", total, len(numbers), numbers, nsample, rows, made)
        & 1
    ):
        raise MemoryError(
            f"Insufficient memory for multivariate_hypergeometric with method='count' and sum(colors)={total}"
        )
    return made


def _total(numbers):
    total = 0
    for count in numbers:
        if count > 9223372036854775807 - total:
            raise ValueError(
                "sum(colors) must not exceed the maximum value of a 64 bit signed integer (9223372036854775807)"
            )
        total += count
    return total


def dirichlet(self, alpha, size=None):
    """Shares of the Dirichlet distribution, which sum up to 1."""
    weights = np.asarray(alpha, np.float64)
    if weights.ndim != 1:
        raise ValueError("object too deep for desired array")
    else:
        if np.any(weights < 0):
            raise ValueError("alpha < 0")
        made = np.zeros(behind(size, len(weights)))
        if len(weights) > 0:
            small = weights.max() < 0.1
            for row in made.reshape((-1, len(weights))):
                if small:
                    _break_stick(self, weights, row)
                else:
                    _share_gammas(self, weights, row)
        return made


def _break_stick(rng, weights, row):
    # Of small weights all gamma deviates may be 0.
    last = len(weights) - 1
    behind_each = np.cumsum(weights[::-1])[::-1]
    left = 1.0
    if behind_each[0] > 0.0:
        for j in range(last):
            share = draw(rng, "random_beta", weights[j], behind_each[j + 1])
            row[j] = left * share
            left *= 1.0 - share
            if behind_each[j + 1] == 0.0:
                break
        row[last] = left


def _share_gammas(rng, weights, row):
    total = 0.0
    for j in range(len(weights)):
        row[j] = draw(rng, "random_standard_gamma", weights[j])
        total += row[j]
    row *= 1.0 / total
