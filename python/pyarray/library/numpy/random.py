"""NumPy's legacy distributions: the streams are those of ``np.random.RandomState``.

A function of one deviate takes its parameters; with a ``size`` it fills an array, in C order.
"""

import numpy as np
from numpy.random import random_sample, standard_normal

from .._intrinsics import numpy_bits32
from .random_counts import (
    draw_binomial,
    draw_geometric,
    draw_hypergeometric,
    draw_logseries,
    draw_poisson,
    draw_zipf,
)
from .random_floats import (
    draw_beta,
    draw_cauchy,
    draw_exponential,
    draw_f,
    draw_gamma,
    draw_gumbel,
    draw_laplace,
    draw_logistic,
    draw_lognormal,
    draw_noncentral,
    draw_noncentral_f,
    draw_normal,
    draw_pareto,
    draw_power,
    draw_rayleigh,
    draw_standard_t,
    draw_triangular,
    draw_uniform,
    draw_vonmises,
    draw_wald,
    draw_weibull,
)

# -- Arrays ----------------------------------------------------------------------------------------


def _fill(out, draw, a, b):
    if out.ndim == 0:
        out[()] = draw(a, b)
    else:
        for i in range(len(out)):
            if out.ndim == 1:
                out[i] = draw(a, b)
            else:
                _fill(out[i], draw, a, b)


def _floats(size, draw, a, b):
    return _drawn(size, draw, a, b, np.float64)


def integers(size, draw, a, b):
    """What is drawn of integers with two parameters, one or many."""
    return _drawn(size, draw, a, b, np.int64)


def _drawn(size, draw, a, b, dtype):
    """One deviate, or an array of ``size``, or of the shape that the parameters, arrays, broadcast to."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return _drawn_for_each(size, draw, np.asarray(a), np.asarray(b), dtype)
    if size is None:
        return draw(a, b)
    out = np.empty(size, dtype)
    _fill(out, draw, a, b)
    return out


def _drawn_for_each(size, draw, a, b, dtype):
    out = np.empty(shape_of(size, a.shape, b.shape, ()), dtype)
    flat, first, second = out.reshape(-1), spread(a, out), spread(b, out)
    for i in range(len(flat)):
        flat[i] = draw(first[i], second[i])
    return out


def _of_three(size, draw, a, b, c, dtype):
    """The same of three parameters, of which a draw takes the first two as a pair."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray) or isinstance(c, np.ndarray):
        return _of_three_for_each(size, draw, np.asarray(a), np.asarray(b), np.asarray(c), dtype)
    return _drawn(size, draw, (a, b), c, dtype)


def _of_three_for_each(size, draw, a, b, c, dtype):
    out = np.empty(shape_of(size, a.shape, b.shape, c.shape), dtype)
    flat, first, second, third = out.reshape(-1), spread(a, out), spread(b, out), spread(c, out)
    for i in range(len(flat)):
        flat[i] = draw((first[i], second[i]), third[i])
    return out


def shape_of(size, x, y, z):
    """The shape of the result, given those of the parameters."""
    # One after the other, since messages name two.
    if size is None:
        return np.broadcast_shapes(np.broadcast_shapes(x, y), z)
    elif not isinstance(size, tuple):
        return shape_of((size,), x, y, z)
    else:
        whole = np.broadcast_shapes(np.broadcast_shapes(np.broadcast_shapes(size, x), y), z)
        if whole != size:
            raise ValueError(f"Output size {size} is not compatible with broadcast dimensions of inputs {whole}.")
        return size


def spread(a, out):
    """A parameter as an array of one dimension for the elements of ``out``."""
    return np.broadcast_to(a, out.shape).ravel()


def _float(x):
    """A parameter: a float, or an array of them."""
    if isinstance(x, (np.ndarray, list, tuple)):
        return _number_or_array(np.asarray(x, np.float64))
    return float(x)


def _int(x):
    """The same of integers."""
    if isinstance(x, (np.ndarray, list, tuple)):
        return _number_or_array(np.asarray(x, np.int64))
    return int(x)


def _number_or_array(a):
    if a.ndim == 0:
        return a.item()
    return a


def _some(condition):
    """Whether it holds for the parameter, or for an element of it."""
    if isinstance(condition, np.ndarray):
        return np.any(condition)
    return condition


def _every(condition):
    if isinstance(condition, np.ndarray):
        return np.all(condition)
    return condition


def _with_nan(x, other=0.0):
    """What messages say of a parameter that is no number, alone or beside another one."""
    if isinstance(x, np.ndarray) or isinstance(other, np.ndarray):
        return "contains NaNs"
    return "is NaN"


def rand(*shape):
    """Floats from 0 to 1 in an array of this shape."""
    if len(shape) == 0:
        return random_sample()
    return _floats(shape, draw_uniform, 0.0, 1.0)


def randn(*shape):
    """Floats of the normal distribution in an array of this shape."""
    if len(shape) == 0:
        return standard_normal()
    return _floats(shape, draw_normal, 0.0, 1.0)


def samples(size=None):
    """Floats from 0 to 1."""
    return _floats(size, draw_uniform, 0.0, 1.0)


# -- Integers --------------------------------------------------------------------------------------


def _mask(most):
    # As many bits as it has.
    mask = most
    for shift in (1, 2, 4, 8, 16, 32):
        mask |= mask >> shift
    return mask


def up_to(most):
    """An integer from 0 to ``most``: as many bits as it has are drawn until they are no more than it."""
    if most == 0:
        return 0
    mask = _mask(most)
    while True:
        drawn = numpy_bits32() + 0
        if most > 0xFFFFFFFF:
            drawn = (drawn << 32) | (numpy_bits32() + 0)
        drawn &= mask
        if drawn <= most:
            return drawn


def draw_integer(low, most):
    """An integer from ``low`` to ``low + most``."""
    return low + up_to(most)


def randint(low, high=None, size=None, dtype=np.int64):
    """Integers from ``low``, or 0, to below ``high``, or ``low``."""
    first = _int(0 if high is None else low)
    end = _int(low if high is None else high)
    kind = np.dtype(dtype)
    if kind.kind == "b":
        _check_bounds(first, end, 0, 1, "bool")
        return _narrow(size, first, end, dtype, 1)
    elif kind.kind == "u" and kind.itemsize < 8:
        _check_bounds(first, end, 0, 256**kind.itemsize - 1, f"uint{8 * kind.itemsize}")
        return _of_kind(size, first, end, dtype)
    elif kind.kind == "i" and kind.itemsize < 8:
        half = 256**kind.itemsize // 2
        _check_bounds(first, end, -half, half - 1, f"int{8 * kind.itemsize}")
        return _of_kind(size, first, end, dtype)
    elif kind.kind == "u" or kind.kind == "i":
        _check_order(first, end)
        return _of_kind(size, first, end, dtype)
    else:
        raise TypeError("Unsupported dtype for randint")


def _check_order(low, high):
    if _some(low >= high):
        raise ValueError("low >= high" if _some(low != 0) else "high <= 0")


def _check_bounds(low, high, least, most, name):
    if _some(low < least):
        raise ValueError(f"low is out of bounds for {name}")
    if _some(high > most + 1):
        raise ValueError(f"high is out of bounds for {name}")
    _check_order(low, high)


def _of_kind(size, low, high, dtype):
    if np.dtype(dtype).itemsize < 4:
        return _narrow(size, low, high, dtype, 8 * np.dtype(dtype).itemsize)
    drawn = integers(size, draw_integer, low, high - low - 1)
    if np.dtype(dtype) == np.int64:
        return drawn
    elif isinstance(drawn, np.ndarray):
        return drawn.astype(dtype)
    else:
        return dtype(drawn)


def _narrow(size, low, high, dtype, bits):
    """Integers of so many bits, of which several are taken from each draw of 32."""
    if isinstance(low, np.ndarray) or isinstance(high, np.ndarray):
        raise NotImplementedError("randint() with arrays as bounds and a dtype of 8 or 16 bits is not compiled yet")
    elif size is None:
        return _narrow(1, low, high, dtype, bits)[0]
    else:
        out = np.full(size, low, dtype)
        flat, most, drawn, left = out.reshape(-1), high - low - 1, 0, 0
        mask = _mask(most)
        for i in range(len(flat) if most > 0 else 0):
            while True:
                drawn, left = (numpy_bits32() + 0, 32 - bits) if left == 0 else (drawn >> bits, left - bits)
                if drawn & mask <= most:
                    break
            flat[i] = low + (drawn & mask)
        return out


def random_integers(low, high=None, size=None):
    """Integers from ``low``, or 1, to ``high``, or ``low``."""
    if high is None:
        return randint(1, low + 1, size)
    return randint(low, high + 1, size)


# -- Floats ----------------------------------------------------------------------------------------


def uniform(low=0.0, high=1.0, size=None):
    """Floats from ``low`` to ``high``."""
    low, high = _float(low), _float(high)
    return _floats(size, draw_uniform, low, high)


def normal(loc=0.0, scale=1.0, size=None):
    """Floats of the normal distribution."""
    loc, scale = _float(loc), _float(scale)
    if _some(scale < 0):
        raise ValueError("scale < 0")
    return _floats(size, draw_normal, loc, scale)


def normals(size=None):
    """Floats of the normal distribution with mean 0 and deviation 1."""
    return _floats(size, draw_normal, 0.0, 1.0)


def lognormal(mean=0.0, sigma=1.0, size=None):
    """Floats whose logarithm is of the normal distribution."""
    mean, sigma = _float(mean), _float(sigma)
    if _some(sigma < 0):
        raise ValueError("sigma < 0")
    return _floats(size, draw_lognormal, mean, sigma)


def exponential(scale=1.0, size=None):
    """Floats of the exponential distribution."""
    scale = _float(scale)
    if _some(scale < 0):
        raise ValueError("scale < 0")
    return _floats(size, draw_exponential, scale, 0.0)


def standard_exponential(size=None):
    """Floats of the exponential distribution with scale 1."""
    return _floats(size, draw_exponential, 1.0, 0.0)


def gamma(shape, scale=1.0, size=None):
    """Floats of the gamma distribution."""
    shape, scale = _float(shape), _float(scale)
    if _some(shape < 0):
        raise ValueError("shape < 0")
    if _some(scale < 0):
        raise ValueError("scale < 0")
    return _floats(size, draw_gamma, shape, scale)


def standard_gamma(shape, size=None):
    """Floats of the gamma distribution with scale 1."""
    shape = _float(shape)
    if _some(shape < 0):
        raise ValueError("shape < 0")
    return _floats(size, draw_gamma, shape, 1.0)


def chisquare(df, size=None):
    """Floats of the chi-square distribution."""
    df = _float(df)
    if _some(df <= 0):
        raise ValueError("df <= 0")
    return _floats(size, draw_gamma, df / 2.0, 2.0)


def f(dfnum, dfden, size=None):
    """Floats of Fisher's F distribution."""
    dfnum, dfden = _float(dfnum), _float(dfden)
    if _some(dfnum <= 0):
        raise ValueError("dfnum <= 0")
    if _some(dfden <= 0):
        raise ValueError("dfden <= 0")
    return _floats(size, draw_f, dfnum, dfden)


def noncentral_chisquare(df, nonc, size=None):
    """Floats of the chi-square distribution of deviates whose mean is not 0."""
    df, nonc = _float(df), _float(nonc)
    if _some(df <= 0):
        raise ValueError("df <= 0")
    if _some(nonc < 0):
        raise ValueError("nonc < 0")
    return _floats(size, draw_noncentral, df, nonc)


def noncentral_f(dfnum, dfden, nonc, size=None):
    """Floats of Fisher's F distribution of deviates whose mean is not 0."""
    dfnum, dfden, nonc = _float(dfnum), _float(dfden), _float(nonc)
    if _some(dfnum <= 0):
        raise ValueError("dfnum <= 0")
    if _some(dfden <= 0):
        raise ValueError("dfden <= 0")
    if _some(nonc < 0):
        raise ValueError("nonc < 0")
    return _of_three(size, draw_noncentral_f, dfnum, dfden, nonc, np.float64)


def vonmises(mu, kappa, size=None):
    """Angles of von Mises' distribution on the circle."""
    mu, kappa = _float(mu), _float(kappa)
    if _some(kappa < 0):
        raise ValueError("kappa < 0")
    return _floats(size, draw_vonmises, mu, kappa)


def beta(a, b, size=None):
    """Floats of the beta distribution."""
    a, b = _float(a), _float(b)
    if _some(a <= 0):
        raise ValueError("a <= 0")
    if _some(b <= 0):
        raise ValueError("b <= 0")
    return _floats(size, draw_beta, a, b)


def standard_t(df, size=None):
    """Floats of Student's t distribution."""
    df = _float(df)
    if _some(df <= 0):
        raise ValueError("df <= 0")
    return _floats(size, draw_standard_t, df, 0.0)


def standard_cauchy(size=None):
    """Floats of the Cauchy distribution."""
    return _floats(size, draw_cauchy, 0.0, 0.0)


def pareto(a, size=None):
    """Floats of the Lomax distribution, Pareto's moved to 0."""
    a = _float(a)
    if _some(a <= 0):
        raise ValueError("a <= 0")
    return _floats(size, draw_pareto, a, 0.0)


def weibull(a, size=None):
    """Floats of the Weibull distribution."""
    a = _float(a)
    if _some(a < 0):
        raise ValueError("a < 0")
    return _floats(size, draw_weibull, a, 0.0)


def power(a, size=None):
    """Floats from 0 to 1 of the power distribution."""
    a = _float(a)
    if _some(a <= 0):
        raise ValueError("a <= 0")
    return _floats(size, draw_power, a, 0.0)


def rayleigh(scale=1.0, size=None):
    """Floats of the Rayleigh distribution."""
    scale = _float(scale)
    if _some(scale < 0):
        raise ValueError("scale < 0")
    return _floats(size, draw_rayleigh, scale, 0.0)


def laplace(loc=0.0, scale=1.0, size=None):
    """Floats of the Laplace distribution."""
    loc, scale = _float(loc), _float(scale)
    if _some(scale < 0):
        raise ValueError("scale < 0")
    return _floats(size, draw_laplace, loc, scale)


def gumbel(loc=0.0, scale=1.0, size=None):
    """Floats of the Gumbel distribution."""
    loc, scale = _float(loc), _float(scale)
    if _some(scale < 0):
        raise ValueError("scale < 0")
    return _floats(size, draw_gumbel, loc, scale)


def logistic(loc=0.0, scale=1.0, size=None):
    """Floats of the logistic distribution."""
    loc, scale = _float(loc), _float(scale)
    if _some(scale < 0):
        raise ValueError("scale < 0")
    return _floats(size, draw_logistic, loc, scale)


def check_triangle(left, mode, right):
    """Raise for parameters of a triangular distribution that are none."""
    if _some(left > mode):
        raise ValueError("left > mode")
    if _some(mode > right):
        raise ValueError("mode > right")
    if _some(left == right):
        raise ValueError("left == right")


def triangular(left, mode, right, size=None):
    """Floats between ``left`` and ``right``, of which those at ``mode`` are the most frequent."""
    left, mode, right = _float(left), _float(mode), _float(right)
    check_triangle(left, mode, right)
    return _of_three(size, draw_triangular, left, right, mode, np.float64)


def wald(mean, scale, size=None):
    """Floats of the inverse Gaussian distribution."""
    mean, scale = _float(mean), _float(scale)
    if _some(mean <= 0):
        raise ValueError("mean <= 0")
    if _some(scale <= 0):
        raise ValueError("scale <= 0")
    return _floats(size, draw_wald, mean, scale)


# -- Counts ----------------------------------------------------------------------------------------


def poisson(lam=1.0, size=None):
    """Counts of the Poisson distribution."""
    lam = _float(lam)
    if not _every(lam >= 0):
        raise ValueError(f"lam < 0 or lam {_with_nan(lam)}")
    if _some(lam > 9.223372006484771e18):
        raise ValueError("lam value too large")
    return integers(size, draw_poisson, lam, 0.0)


def _draw_negative_binomial(n, p):
    return draw_poisson(draw_gamma(n, (1.0 - p) / p), 0.0)


def negative_binomial(n, p, size=None):
    """How many trials fail before ``n`` succeed."""
    n, p = _float(n), _float(p)
    if _some(n <= 0):
        raise ValueError("n <= 0")
    if not _every((p >= 0.0) & (p <= 1.0)):
        raise ValueError(f"p < 0, p > 1 or p {_with_nan(n, p)}")
    return integers(size, _draw_negative_binomial, n, p)


def geometric(p, size=None):
    """How many trials it takes to the first success."""
    p = _float(p)
    if not _every((p > 0.0) & (p <= 1.0)):
        raise ValueError("p <= 0, p > 1 or p contains NaNs")
    return integers(size, draw_geometric, p, 0.0)


def binomial(n, p, size=None):
    """How many of ``n`` trials succeed."""
    n, p = _int(n), _float(p)
    if not _every((p >= 0.0) & (p <= 1.0)):
        raise ValueError(f"p < 0, p > 1 or p {_with_nan(n, p)}")
    if _some(n < 0):
        raise ValueError("n < 0")
    return integers(size, draw_binomial, n, p)


def zipf(a, size=None):
    """Counts of Zipf's distribution."""
    a = _float(a)
    if not _every(a > 1.0):
        raise ValueError(f"a <= 1 or a {_with_nan(a)}")
    return integers(size, draw_zipf, a, 0.0)


def logseries(p, size=None):
    """Counts of the logarithmic distribution."""
    p = _float(p)
    if not _every((p >= 0.0) & (p < 1.0)):
        raise ValueError(f"p < 0, p >= 1 or p {_with_nan(p)}")
    return integers(size, draw_logseries, p, 0.0)


def check_population(good, bad, sample):
    """Raise where so many cannot be drawn without replacement."""
    if _some(good + bad < sample):
        raise ValueError("ngood + nbad < nsample")
    if _some(good < 0):
        raise ValueError("ngood < 0")
    if _some(bad < 0):
        raise ValueError("nbad < 0")


def hypergeometric(ngood, nbad, nsample, size=None):
    """How many of ``nsample`` draws without replacement are good."""
    good, bad, sample = _int(ngood), _int(nbad), _int(nsample)
    check_population(good, bad, sample)
    if _some(sample < 1):
        other = good if isinstance(good, np.ndarray) else bad
        raise ValueError(f"nsample < 1 or nsample {_with_nan(sample, other)}")
    return _of_three(size, draw_hypergeometric, good, bad, sample, np.int64)


def multinomial(n, pvals, size=None):
    """How often each of several results comes in ``n`` trials: they are the last axis."""
    shares = np.asarray(pvals, np.float64)
    if n < 0:
        raise ValueError("n < 0")
    for i in range(len(shares)):
        if not 0.0 <= shares[i] <= 1.0:
            raise ValueError("pvals < 0, pvals > 1 or pvals contains NaNs")
    if compensated_sum(shares[: len(shares) - 1]) > 1.0 + 1e-12:
        raise ValueError("sum(pvals[:-1]) > 1.0")
    out = np.zeros(behind(size, len(shares)), np.int64)
    rows = out.reshape((-1, len(shares)))
    for i in range(len(rows)):
        _share_out(n, shares, rows[i])
    return out


def behind(size, count):
    """The shape with another axis."""
    if size is None:
        return (count,)
    elif isinstance(size, tuple):
        return (*size, count)
    else:
        return (size, count)


def compensated_sum(values):
    """Kahan's sum."""
    total, lost = values[0] if len(values) > 0 else 0.0, 0.0
    for i in range(1, len(values)):
        y = values[i] - lost
        t = total + y
        lost = (t - total) - y
        total = t
    return total


def _share_out(n, shares, counts):
    left, rest = int(n), 1.0
    for j in range(len(shares) - 1):
        counts[j] = draw_binomial(left, shares[j] / rest)
        left -= counts[j]
        if left <= 0:
            break
        rest -= shares[j]
    if left > 0:
        counts[len(shares) - 1] = left


# -- Several at once -------------------------------------------------------------------------------


def dirichlet(alpha, size=None):
    """Shares of the Dirichlet distribution, which sum up to 1: they are the last axis."""
    weights = np.asarray(alpha, np.float64)
    if weights.ndim != 1:
        raise ValueError("alpha must be 1-dimensional")
    else:
        if np.any(weights <= 0):
            raise ValueError("alpha <= 0")
        out = np.zeros(behind(size, len(weights)))
        for row in out.reshape((-1, len(weights))):
            total = 0.0
            for j in range(len(weights)):
                row[j] = draw_gamma(weights[j], 1.0)
                total += row[j]
            row *= 1.0 / total
        return out


def multivariate_normal(mean, cov, size=None, check_valid="warn", tol=1e-8):
    """Deviates of several variables with these means and covariances: they are the last axis.

    What ``check_valid`` warns of is not said.
    """
    means, spread = np.asarray(mean, np.float64), np.asarray(cov, np.float64)
    if means.ndim != 1:
        raise ValueError("mean must be 1 dimensional")
    elif spread.ndim != 2:
        raise ValueError("cov must be 2 dimensional and square")
    else:
        if spread.shape[0] != spread.shape[1]:
            raise ValueError("cov must be 2 dimensional and square")
        if len(means) != len(spread):
            raise ValueError("mean and cov must have same length")
        if check_valid != "warn" and check_valid != "raise" and check_valid != "ignore":
            raise ValueError("check_valid must equal 'warn', 'raise', or 'ignore'")
        shape = behind(size, len(means))
        x = normals(shape).reshape((-1, len(means)))
        u, s, v = np.linalg.svd(spread)
        if check_valid == "raise" and not np.allclose(np.dot(v.T * s, v), spread, tol, tol):
            raise ValueError("covariance is not symmetric positive-semidefinite.")
        drawn = np.dot(x, np.sqrt(s)[:, None] * v)
        drawn += means
        return drawn.reshape(shape)


def bytes(length, /):
    """Random bytes."""
    # NumPy's division is that of C: one word is drawn for no bytes.
    words = np.empty((length + 3) // 4 if length > 0 else 1 - (1 - length) // 4, np.uint32)
    for i in range(len(words)):
        words[i] = numpy_bits32()
    return words.tobytes()[:length]
