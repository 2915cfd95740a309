"""NumPy's legacy distributions: the streams are those of ``np.random.RandomState``.

A function of one deviate takes its parameters; with a ``size`` it fills an array, in C order.
"""

import math

import numpy as np
from numpy.random import random_sample, standard_normal

from .._intrinsics import numpy_bits32

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


# -- Counts ----------------------------------------------------------------------------------------


def _log_gamma(x):
    # Zhang and Jin 1996, of whole numbers; the last bits decide which deviates are drawn.
    if x == 1.0 or x == 2.0:
        return 0.0
    steps = int(7.0 - x) if x < 7.0 else 0
    far = x + float(steps)
    square = (1.0 / far) * (1.0 / far)
    series = -1.39243221690590e00
    for term in (
        1.796443723688307e-01, -2.955065359477124e-02, 6.410256410256410e-03, -1.917526917526918e-03,
        8.417508417508418e-04,
        -5.952380952380952e-04, 7.936507936507937e-04, -2.777777777777778e-03, 8.333333333333333e-02,
    ):  # fmt: skip
        series = series * square + term
    result = series / far + 0.5 * 1.8378770664093453e00 + (far - 0.5) * math.log(far) - far
    for _ in range(steps):
        result -= math.log(far - 1.0)
        far -= 1.0
    return result


def _poisson(mean, unused):
    # Hormann's PTRS 1993 from 10 on, else by products of uniform numbers.
    if mean == 0.0:
        return 0
    if mean < 10.0:
        end = math.exp(-mean)
        count = 0
        product = random_sample()
        while product > end:
            count += 1
            product *= random_sample()
        return count
    root = math.sqrt(mean)
    log_mean = math.log(mean)
    b = 0.931 + 2.53 * root
    a = -0.059 + 0.02483 * b
    inverse = 1.1239 + 1.1328 / (b - 3.4)
    inside = 0.9277 - 3.6224 / (b - 2.0)
    while True:
        u = random_sample() - 0.5
        v = random_sample()
        distance = 0.5 - abs(u)
        count = math.floor((2.0 * a / distance + b) * u + mean + 0.43)
        if distance >= 0.07 and v <= inside:
            return count
        if count < 0 or (distance < 0.013 and v > distance):
            continue
        left = math.log(v) + math.log(inverse) - math.log(a / (distance * distance) + b)
        if left <= -mean + count * log_mean - _log_gamma(float(count + 1)):
            return count


def poisson(lam=1.0, size=None):
    """Counts of the Poisson distribution."""
    if lam < 0:
        raise ValueError("lam < 0 or lam is NaN")
    return _integers(size, _poisson, float(lam), 0.0)


def _geometric(p, unused):
    if p >= 0.333333333333333333333333:
        count = 1
        total = p
        term = p
        share = random_sample()
        while share > total:
            term *= 1.0 - p
            total += term
            count += 1
        return count
    return int(math.ceil(math.log(1.0 - random_sample()) / math.log(1.0 - p)))


def geometric(p, size=None):
    """How many trials it takes to the first success."""
    if not 0.0 < p <= 1.0:
        raise ValueError("p <= 0, p > 1 or p contains NaNs")
    return _integers(size, _geometric, float(p), 0.0)


def _correction(x):
    # Of Stirling's approximation.
    square = x * x
    return (13680.0 - (462.0 - (132.0 - (99.0 - 140.0 / square) / square) / square) / square) / x / 166320.0


def _few_successes(n, p):
    # By inversion.
    q = 1.0 - p
    start = math.exp(float(n) * math.log(q))
    mean = float(n) * p
    bound = int(min(float(n), mean + 10.0 * math.sqrt(mean * q + 1.0)))
    count = 0
    term = start
    share = random_sample()
    while share > term:
        count += 1
        if count > bound:
            count = 0
            term = start
            share = random_sample()
        else:
            share -= term
            term = (float(n - count + 1) * p * term) / (float(count) * q)
    return count


def _many_successes(n, p):
    # BTPE, Kachitvichyanukul and Schmeiser 1988: a triangle, parallelograms and exponential tails around the density.
    q = 1.0 - p
    spread = float(n) * p * q
    center = float(n) * p + p
    mode = int(math.floor(center))
    half = math.floor(2.195 * math.sqrt(spread) - 4.6 * q) + 0.5
    middle = float(mode) + 0.5
    left = middle - half
    right = middle + half
    height = 0.134 + 20.5 / (15.3 + float(mode))
    slope = (center - left) / (center - left * p)
    left_rate = slope * (1.0 + slope / 2.0)
    slope = (right - center) / (right * q)
    right_rate = slope * (1.0 + slope / 2.0)
    second = half * (1.0 + 2.0 * height)
    third = second + height / left_rate
    whole = third + height / right_rate
    odds = p / q
    while True:
        u = random_sample() * whole
        v = random_sample()
        if u <= half:
            return int(math.floor(middle - half * v + u))
        if u <= second:
            x = left + (u - half) / height
            v = v * height + 1.0 - abs(float(mode) - x + 0.5) / half
            if v > 1.0:
                continue
            y = int(math.floor(x))
        elif u <= third:
            if v == 0.0:
                continue
            y = int(math.floor(left + math.log(v) / left_rate))
            if y < 0:
                continue
            v = v * (u - second) * left_rate
        else:
            if v == 0.0:
                continue
            y = int(math.floor(right - math.log(v) / right_rate))
            if y > n:
                continue
            v = v * (u - third) * right_rate
        distance = abs(y - mode)
        if distance <= 20 or float(distance) >= spread / 2.0 - 1.0:
            ratio = 1.0
            top = odds * float(n + 1)
            for i in range(mode + 1, y + 1):
                ratio *= top / float(i) - odds
            for i in range(y + 1, mode + 1):
                ratio /= top / float(i) - odds
            if v <= ratio:
                return y
            continue
        k = float(distance)
        bound = (k / spread) * ((k * (k / 3.0 + 0.625) + 0.16666666666666666) / spread + 0.5)
        normal_log = -k * k / (2.0 * spread)
        log_v = math.log(v)
        if log_v < normal_log - bound:
            return y
        if log_v > normal_log + bound:
            continue
        x1 = float(y + 1)
        f1 = float(mode + 1)
        z = float(n + 1 - mode)
        w = float(n - y + 1)
        exact = (
            middle * math.log(f1 / x1)
            + (float(n - mode) + 0.5) * math.log(z / w)
            + float(y - mode) * math.log(w * p / (x1 * q))
            + _correction(f1)
            + _correction(z)
            + _correction(x1)
            + _correction(w)
        )
        if log_v <= exact:
            return y


def _binomial(n, p):
    if n == 0 or p == 0.0:
        return 0
    rarer = p if p <= 0.5 else 1.0 - p
    count = _few_successes(n, rarer) if rarer * float(n) <= 30.0 else _many_successes(n, rarer)
    return count if p <= 0.5 else n - count


def binomial(n, p, size=None):
    """How many of ``n`` trials succeed."""
    if n < 0:
        raise ValueError("n < 0")
    if not 0.0 <= p <= 1.0:
        raise ValueError("p < 0, p > 1 or p is NaN")
    return _integers(size, _binomial, int(n), float(p))


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


def _zipf(a, unused):
    # Devroye 1986, by rejection.
    power = a - 1.0
    bound = 2.0**power
    while True:
        u = 1.0 - random_sample()
        v = random_sample()
        x = np.floor(u ** (-1.0 / power))
        if x > 9223372036854775807.0 or x < 1.0:
            continue
        t = (1.0 + 1.0 / x) ** power
        if v * x * (t - 1.0) / (bound - 1.0) <= t / bound:
            return int(x)


def zipf(a, size=None):
    """Counts of Zipf's distribution."""
    if not a > 1.0:
        raise ValueError("a <= 1 or a is NaN")
    return _integers(size, _zipf, float(a), 0.0)


def _logseries(p, unused):
    # Kemp 1981.
    rate = math.log(1.0 - p)
    while True:
        v = random_sample()
        if v >= p:
            return 1
        u = random_sample()
        q = 1.0 - math.exp(rate * u)
        if v <= q * q:
            result = int(math.floor(1.0 + math.log(v) / math.log(q))) if v > 0.0 else 0
            if result >= 1:
                return result
            continue
        return 1 if v >= q else 2


def logseries(p, size=None):
    """Counts of the logarithmic distribution."""
    if not 0.0 <= p < 1.0:
        raise ValueError("p < 0, p >= 1 or p is NaN")
    return _integers(size, _logseries, float(p), 0.0)


def _few_of_good(good, bad, sample):
    # One after the other.
    rest, fewer = float(bad + good - sample), float(min(bad, good))
    left, k = fewer, sample
    while left > 0.0:
        left -= math.floor(random_sample() + left / (rest + float(k)))
        k -= 1
        if k == 0:
            break
    found = int(fewer - left)
    return sample - found if good > bad else found


def _many_of_good(good, bad, sample):
    # Stadlober's HRUA 1990.
    fewer, more, whole = min(good, bad), max(good, bad), good + bad
    m = min(sample, whole - sample)
    share = float(fewer) / float(whole)
    center = float(m) * share + 0.5
    spread = math.sqrt(float(whole - m) * float(sample) * share * (1.0 - share) / float(whole - 1) + 0.5)
    width = 1.7155277699214135 * spread + 0.8989161620588988
    mode = int(math.floor(float(m + 1) * float(fewer + 1) / float(whole + 2)))
    at_mode = _log_ways(mode, fewer, more, m)
    bound = min(float(min(m, fewer)) + 1.0, math.floor(center + 16.0 * spread))
    while True:
        x = random_sample()
        y = random_sample()
        w = center + width * (y - 0.5) / x
        if w < 0.0 or w >= bound:
            continue
        z = int(math.floor(w))
        t = at_mode - _log_ways(z, fewer, more, m)
        if x * (4.0 - x) - 3.0 <= t:
            break
        if x * (x - t) >= 1.0:
            continue
        if 2.0 * math.log(x) <= t:
            break
    if good > bad:
        z = m - z
    return good - z if m < sample else z


def _log_ways(found, fewer, more, m):
    return (
        _log_gamma(float(found + 1))
        + _log_gamma(float(fewer - found + 1))
        + _log_gamma(float(m - found + 1))
        + _log_gamma(float(more - m + found + 1))
    )


def _hypergeometric(both, sample):
    good, bad = both
    if sample > 10:
        return _many_of_good(good, bad, sample)
    return _few_of_good(good, bad, sample) if sample > 0 else 0


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
    return _integers(size, _hypergeometric, (int(ngood), int(nbad)), int(nsample))


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
        counts[j] = _binomial(left, shares[j] / rest)
        left -= counts[j]
        if left <= 0:
            break
        rest -= shares[j]
    if left > 0:
        counts[len(shares) - 1] = left
