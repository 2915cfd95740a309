"""NumPy's legacy distributions: the streams are those of ``np.random.RandomState``.

A function of one deviate takes its parameters; with a ``size`` it fills an array, in C order.
"""

import math

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

# -- Arrays ----------------------------------------------------------------------------------------


def _fill(out, draw, a, b):
    for i in range(len(out)):
        if out.ndim == 1:
            out[i] = draw(a, b)
        else:
            _fill(out[i], draw, a, b)


def _floats(size, draw, a, b):
    if size is None:
        return draw(a, b)
    out = np.empty(size)
    _fill(out, draw, a, b)
    return out


def _integers(size, draw, a, b):
    if size is None:
        return draw(a, b)
    out = np.empty(size, np.int64)
    _fill(out, draw, a, b)
    return out


def rand(*shape):
    """Floats from 0 to 1 in an array of this shape."""
    if len(shape) == 0:
        return random_sample()
    return _floats(shape, _uniform, 0.0, 1.0)


def randn(*shape):
    """Floats of the normal distribution in an array of this shape."""
    if len(shape) == 0:
        return standard_normal()
    return _floats(shape, _normal, 0.0, 1.0)


def samples(size=None):
    """Floats from 0 to 1."""
    return _floats(size, _uniform, 0.0, 1.0)


# -- Integers --------------------------------------------------------------------------------------


def _up_to(most):
    # An integer from 0 to |most|: as many bits as it has are drawn until they are no more than it.
    if most == 0:
        return 0
    mask = most
    for shift in (1, 2, 4, 8, 16, 32):
        mask |= mask >> shift
    while True:
        drawn = numpy_bits32() + 0
        if most > 0xFFFFFFFF:
            drawn = (drawn << 32) | (numpy_bits32() + 0)
        drawn &= mask
        if drawn <= most:
            return drawn


def _integer(low, most):
    return low + _up_to(most)


def randint(low, high=None, size=None):
    """Integers from ``low``, or 0, to below ``high``, or ``low``."""
    first = 0 if high is None else low
    end = low if high is None else high
    if first >= end:
        raise ValueError("low >= high")
    return _integers(size, _integer, first, end - first - 1)


def random_integers(low, high=None, size=None):
    """Integers from ``low``, or 1, to ``high``, or ``low``."""
    first = 1 if high is None else low
    last = low if high is None else high
    if first > last:
        raise ValueError("low > high")
    return _integers(size, _integer, first, last - first)


def shuffle(x, /):
    """Brings the items of an array along its first axis, or of a list, into a random order."""
    for i in range(len(x) - 1, 0, -1):
        j = _up_to(i)
        if isinstance(x, np.ndarray) and x.ndim > 1:
            row = x[i].copy()
            x[i] = x[j]
            x[j] = row
        else:
            x[i], x[j] = x[j], x[i]


def permutation(x, /):
    """The integers below ``x``, or a copy of ``x``, in a random order."""
    if isinstance(x, int):
        order = np.empty(x, np.int64)
        for i in range(x):
            order[i] = i
    else:
        order = x.copy()
    shuffle(order)
    return order


def _pick(count, ends):
    # The first position whose end is greater than what is drawn.
    drawn = random_sample()
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if ends[middle] <= drawn:
            low = middle + 1
        else:
            high = middle
    return low


def choice(a, size=None, replace=True, p=None):
    """Items of ``a``, or integers below it."""
    count = a if isinstance(a, int) else len(a)
    if count <= 0:
        raise ValueError("'a' cannot be empty unless no samples are taken")
    if p is None:
        if size is None:
            return _item(a, _up_to(count - 1))
        if replace:
            return _items(a, _integers(size, _integer, 0, count - 1))
        if size > count:
            raise ValueError("Cannot take a larger sample than population when 'replace=False'")
        return _items(a, permutation(count)[:size])
    if len(p) != count:
        raise ValueError("'a' and 'p' must have same size")
    ends = np.empty(count)
    total = 0.0
    for i in range(count):
        if p[i] < 0.0:
            raise ValueError("probabilities are not non-negative")
        total += p[i]
        ends[i] = total
    if not abs(total - 1.0) <= 1.4901161193847656e-08:
        raise ValueError("probabilities do not sum to 1")
    for i in range(count):
        ends[i] /= total
    if size is None:
        return _item(a, _pick(count, ends))
    if not replace:
        raise NotImplementedError("choice() with p and replace=False is not compiled yet")
    return _items(a, _integers(size, _pick, count, ends))


def _item(a, index):
    return index if isinstance(a, int) else a[index]


def _items(a, order):
    if isinstance(a, int):
        return order
    out = np.empty(len(order), a.dtype)
    for i in range(len(order)):
        out[i] = a[order[i]]
    return out


# -- Floats ----------------------------------------------------------------------------------------


def _uniform(low, high):
    return low + (high - low) * random_sample()


def uniform(low=0.0, high=1.0, size=None):
    """Floats from ``low`` to ``high``."""
    return _floats(size, _uniform, float(low), float(high))


def _normal(mean, deviation):
    return mean + deviation * standard_normal()


def normal(loc=0.0, scale=1.0, size=None):
    """Floats of the normal distribution."""
    if scale < 0:
        raise ValueError("scale < 0")
    return _floats(size, _normal, float(loc), float(scale))


def normals(size=None):
    """Floats of the normal distribution with mean 0 and deviation 1."""
    return _floats(size, _normal, 0.0, 1.0)


def _lognormal(mean, sigma):
    return math.exp(_normal(mean, sigma))


def lognormal(mean=0.0, sigma=1.0, size=None):
    """Floats whose logarithm is of the normal distribution."""
    if sigma < 0:
        raise ValueError("sigma < 0")
    return _floats(size, _lognormal, float(mean), float(sigma))


def _exponential(scale, unused):
    return scale * -math.log(1.0 - random_sample())


def exponential(scale=1.0, size=None):
    """Floats of the exponential distribution."""
    if scale < 0:
        raise ValueError("scale < 0")
    return _floats(size, _exponential, float(scale), 0.0)


def standard_exponential(size=None):
    """Floats of the exponential distribution with scale 1."""
    return _floats(size, _exponential, 1.0, 0.0)


def _gamma(shape, scale):
    # Marsaglia and Tsang 2000; below 1 by rejection from two parts.
    if shape == 1.0:
        return scale * _exponential(1.0, 0.0)
    if shape == 0.0:
        return scale * 0.0
    if shape < 1.0:
        while True:
            share = random_sample()
            bound = _exponential(1.0, 0.0)
            if share <= 1.0 - shape:
                x = share ** (1.0 / shape)
                if x <= bound:
                    return scale * x
            else:
                tail = -math.log((1.0 - share) / shape)
                x = (1.0 - shape + shape * tail) ** (1.0 / shape)
                if x <= bound + tail:
                    return scale * x
    b = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * b)
    while True:
        x = standard_normal()
        v = 1.0 + c * x
        while v <= 0.0:
            x = standard_normal()
            v = 1.0 + c * x
        v = v * v * v
        share = random_sample()
        if share < 1.0 - 0.0331 * (x * x) * (x * x):
            return scale * (b * v)
        if math.log(share) < 0.5 * x * x + b * (1.0 - v + math.log(v)):
            return scale * (b * v)


def gamma(shape, scale=1.0, size=None):
    """Floats of the gamma distribution."""
    if shape < 0:
        raise ValueError("shape < 0")
    if scale < 0:
        raise ValueError("scale < 0")
    return _floats(size, _gamma, float(shape), float(scale))


def standard_gamma(shape, size=None):
    """Floats of the gamma distribution with scale 1."""
    if shape < 0:
        raise ValueError("shape < 0")
    return _floats(size, _gamma, float(shape), 1.0)


def chisquare(df, size=None):
    """Floats of the chi-square distribution."""
    if df <= 0:
        raise ValueError("df <= 0")
    return _floats(size, _gamma, df / 2.0, 2.0)


def _beta(a, b):
    # Johnk 1964 where both are at most 1.
    if a > 1.0 or b > 1.0:
        first = _gamma(a, 1.0)
        return first / (first + _gamma(b, 1.0))
    while True:
        first = random_sample()
        second = random_sample()
        x = first ** (1.0 / a)
        y = second ** (1.0 / b)
        if x + y <= 1.0 and first + second > 0.0:
            if x + y > 0.0:
                return x / (x + y)
            log_x = math.log(first) / a
            log_y = math.log(second) / b
            greater = max(log_x, log_y)
            log_x -= greater
            log_y -= greater
            return math.exp(log_x - math.log(math.exp(log_x) + math.exp(log_y)))


def beta(a, b, size=None):
    """Floats of the beta distribution."""
    if a <= 0:
        raise ValueError("a <= 0")
    if b <= 0:
        raise ValueError("b <= 0")
    return _floats(size, _beta, float(a), float(b))


def _standard_t(df, unused):
    numerator = standard_normal()
    return math.sqrt(df / 2.0) * numerator / math.sqrt(_gamma(df / 2.0, 1.0))


def standard_t(df, size=None):
    """Floats of Student's t distribution."""
    if df <= 0:
        raise ValueError("df <= 0")
    return _floats(size, _standard_t, float(df), 0.0)


def _cauchy(unused, also_unused):
    first = standard_normal()
    return first / standard_normal()


def standard_cauchy(size=None):
    """Floats of the Cauchy distribution."""
    return _floats(size, _cauchy, 0.0, 0.0)


def _pareto(a, unused):
    return math.exp(_exponential(1.0, 0.0) / a) - 1.0


def pareto(a, size=None):
    """Floats of the Lomax distribution, Pareto's moved to 0."""
    if a <= 0:
        raise ValueError("a <= 0")
    return _floats(size, _pareto, float(a), 0.0)


def _weibull(a, unused):
    if a == 0.0:
        return 0.0
    return _exponential(1.0, 0.0) ** (1.0 / a)


def weibull(a, size=None):
    """Floats of the Weibull distribution."""
    if a < 0:
        raise ValueError("a < 0")
    return _floats(size, _weibull, float(a), 0.0)


def _power(a, unused):
    return (1.0 - math.exp(-_exponential(1.0, 0.0))) ** (1.0 / a)


def power(a, size=None):
    """Floats from 0 to 1 of the power distribution."""
    if a <= 0:
        raise ValueError("a <= 0")
    return _floats(size, _power, float(a), 0.0)


def _rayleigh(scale, unused):
    return scale * math.sqrt(-2.0 * math.log1p(-random_sample()))


def rayleigh(scale=1.0, size=None):
    """Floats of the Rayleigh distribution."""
    if scale < 0:
        raise ValueError("scale < 0")
    return _floats(size, _rayleigh, float(scale), 0.0)


def _laplace(loc, scale):
    share = random_sample()
    while share <= 0.0:
        share = random_sample()
    if share >= 0.5:
        return loc - scale * math.log(2.0 - share - share)
    return loc + scale * math.log(share + share)


def laplace(loc=0.0, scale=1.0, size=None):
    """Floats of the Laplace distribution."""
    if scale < 0:
        raise ValueError("scale < 0")
    return _floats(size, _laplace, float(loc), float(scale))


def _gumbel(loc, scale):
    share = 1.0 - random_sample()
    while share >= 1.0:
        share = 1.0 - random_sample()
    return loc - scale * math.log(-math.log(share))


def gumbel(loc=0.0, scale=1.0, size=None):
    """Floats of the Gumbel distribution."""
    if scale < 0:
        raise ValueError("scale < 0")
    return _floats(size, _gumbel, float(loc), float(scale))


def _logistic(loc, scale):
    share = random_sample()
    while share <= 0.0:
        share = random_sample()
    return loc + scale * math.log(share / (1.0 - share))


def logistic(loc=0.0, scale=1.0, size=None):
    """Floats of the logistic distribution."""
    if scale < 0:
        raise ValueError("scale < 0")
    return _floats(size, _logistic, float(loc), float(scale))


def _triangular(ends, mode):
    left, right = ends
    base = right - left
    share = random_sample()
    if share <= (mode - left) / base:
        return left + math.sqrt(share * ((mode - left) * base))
    return right - math.sqrt((1.0 - share) * ((right - mode) * base))


def triangular(left, mode, right, size=None):
    """Floats between ``left`` and ``right``, of which those at ``mode`` are the most frequent."""
    if left > mode:
        raise ValueError("left > mode")
    if mode > right:
        raise ValueError("mode > right")
    if left == right:
        raise ValueError("left == right")
    return _floats(size, _triangular, (float(left), float(right)), float(mode))


def _wald(mean, scale):
    # Michael, Schucany and Haas 1976.
    y = standard_normal()
    y = mean * y * y
    x = mean + mean / (2.0 * scale) * (y - math.sqrt(4.0 * scale * y + y * y))
    if random_sample() <= mean / (mean + x):
        return x
    return mean * mean / x


def wald(mean, scale, size=None):
    """Floats of the inverse Gaussian distribution."""
    if mean <= 0.0:
        raise ValueError("mean <= 0")
    if scale <= 0.0:
        raise ValueError("scale <= 0")
    return _floats(size, _wald, float(mean), float(scale))


# -- Counts ----------------------------------------------------------------------------------------


def poisson(lam=1.0, size=None):
    """Counts of the Poisson distribution."""
    if lam < 0:
        raise ValueError("lam < 0 or lam is NaN")
    return _integers(size, draw_poisson, float(lam), 0.0)


def geometric(p, size=None):
    """How many trials it takes to the first success."""
    if not 0.0 < p <= 1.0:
        raise ValueError("p <= 0, p > 1 or p contains NaNs")
    return _integers(size, draw_geometric, float(p), 0.0)


def binomial(n, p, size=None):
    """How many of ``n`` trials succeed."""
    if n < 0:
        raise ValueError("n < 0")
    if not 0.0 <= p <= 1.0:
        raise ValueError("p < 0, p > 1 or p is NaN")
    return _integers(size, draw_binomial, int(n), float(p))


def zipf(a, size=None):
    """Counts of Zipf's distribution."""
    if not a > 1.0:
        raise ValueError("a <= 1 or a is NaN")
    return _integers(size, draw_zipf, float(a), 0.0)


def logseries(p, size=None):
    """Counts of the logarithmic distribution."""
    if not 0.0 <= p < 1.0:
        raise ValueError("p < 0, p >= 1 or p is NaN")
    return _integers(size, draw_logseries, float(p), 0.0)


def hypergeometric(ngood, nbad, nsample, size=None):
    """How many of ``nsample`` draws without replacement are good."""
    if ngood + nbad < nsample:
        raise ValueError("ngood + nbad < nsample")
    if ngood < 0:
        raise ValueError("ngood < 0")
    if nbad < 0:
        raise ValueError("nbad < 0")
    if nsample < 1:
        raise ValueError("nsample < 1 or nsample is NaN")
    return _integers(size, draw_hypergeometric, (int(ngood), int(nbad)), int(nsample))


def multinomial(n, pvals, size=None):
    """How often each of several results comes in ``n`` trials: they are the last axis."""
    shares = np.asarray(pvals, np.float64)
    if n < 0:
        raise ValueError("n < 0")
    for i in range(len(shares)):
        if not 0.0 <= shares[i] <= 1.0:
            raise ValueError("pvals < 0, pvals > 1 or pvals contains NaNs")
    if _compensated_sum(shares[: len(shares) - 1]) > 1.0 + 1e-12:
        raise ValueError("sum(pvals[:-1]) > 1.0")
    out = _zeros_behind(size, len(shares))
    rows = out.reshape((-1, len(shares)))
    for i in range(len(rows)):
        _share_out(n, shares, rows[i])
    return out


def _zeros_behind(size, count):
    if size is None:
        return np.zeros(count, np.int64)
    if isinstance(size, tuple):
        return np.zeros((*size, count), np.int64)
    return np.zeros((size, count), np.int64)


def _compensated_sum(values):
    # Kahan's.
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
