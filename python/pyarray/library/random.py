"""Python's distributions: the streams are CPython's."""

import math
from bisect import bisect_right
from random import random

from ._intrinsics import python_bits32, python_gauss

LOG_4 = math.log(4.0)
GAMMA_CONSTANT = 1.0 + math.log(4.5)
NORMAL_CONSTANT = 4 * math.exp(-0.5) / math.sqrt(2.0)
TWO_PI = 2.0 * math.pi


def _bits(count):
    # |count| bits, 1 to 64, as a uint64; the first word drawn is the low one.
    low = python_bits32() + 0
    if count <= 32:
        return low >> (32 - count)
    high = python_bits32() + 0
    return low | (high >> (64 - count)) << 32


def _below(limit):
    # An integer from 0 to limit - 1; limit is positive.
    count = 0
    rest = limit
    while rest:
        rest >>= 1
        count += 1
    drawn = _bits(count)
    while drawn >= limit:
        drawn = _bits(count)
    return drawn


def getrandbits(k, /):
    """An integer of ``k`` random bits, at most 63."""
    if k < 0:
        raise ValueError("number of bits must be non-negative")
    if k > 63:
        raise OverflowError("the result exceeds int64")
    return _bits(k) if k else 0


def randrange(start, stop=None, step=1):
    """An item of ``range(start, stop, step)``."""
    if stop is None:
        if start <= 0:
            raise ValueError("empty range for randrange()")
        return _below(start)
    width = stop - start
    if step == 1:
        if width <= 0:
            raise ValueError("empty range for randrange()")
        return start + _below(width)
    if step == 0:
        raise ValueError("zero step for randrange()")
    count = (width + step - 1) // step if step > 0 else (width + step + 1) // step
    if count <= 0:
        raise ValueError("empty range for randrange()")
    return start + step * _below(count)


def randint(a, b):
    """An integer from ``a`` to ``b``."""
    if b < a:
        raise ValueError("empty range for randrange()")
    return a + _below(b - a + 1)


def choice(seq):
    """An item of a sequence."""
    if len(seq) == 0:
        raise IndexError("Cannot choose from an empty sequence")
    return seq[_below(len(seq))]


def shuffle(x):
    """Brings the items of a list or array into a random order."""
    for i in range(len(x) - 1, 0, -1):
        j = _below(i + 1)
        x[i], x[j] = x[j], x[i]


def _add_new(table, value):
    # Whether |value| was not in the table yet: open addressing, -1 where nothing is.
    at = value % len(table)
    while table[at] >= 0:
        if table[at] == value:
            return False
        at = (at + 1) % len(table)
    table[at] = value
    return True


def sample(population, k):
    """``k`` different items of a sequence."""
    count = len(population)
    if not 0 <= k <= count:
        raise ValueError("Sample larger than population or is negative")
    direct = 21  # where a list of the population is as small as a set of what was drawn
    if k > 5:
        direct += 4 ** int(math.ceil(math.log(k * 3, 4)))
    result = list(population[:0])
    if count <= direct:
        pool = list(population)
        for i in range(k):
            j = _below(count - i)
            result.append(pool[j])
            pool[j] = pool[count - i - 1]
        return result
    table = [-1] * (2 * k + 1)
    for _ in range(k):
        j = _below(count)
        while not _add_new(table, j):
            j = _below(count)
        result.append(population[j])
    return result


def choices(population, weights=None, *, cum_weights=None, k=1):
    """``k`` items of a sequence, each drawn from all."""
    count = len(population)
    result = list(population[:0])
    if weights is None and cum_weights is None:
        for _ in range(k):
            result.append(population[int(random() * float(count))])
        return result
    ends = [0.0]
    ends.clear()
    if cum_weights is None:
        total = 0 * weights[0]
        for weight in weights:
            total += weight
            ends.append(float(total))
    elif weights is None:
        for end in cum_weights:
            ends.append(float(end))
    else:
        raise TypeError("Cannot specify both weights and cumulative weights")
    if len(ends) != count:
        raise ValueError("The number of weights does not match the population")
    total = ends[-1]
    if total <= 0.0:
        raise ValueError("Total of weights must be greater than zero")
    if not math.isfinite(total):
        raise ValueError("Total of weights must be finite")
    for _ in range(k):
        result.append(population[bisect_right(ends, random() * total, 0, count - 1)])
    return result


def uniform(a, b):
    """A float between ``a`` and ``b``."""
    return a + (b - a) * random()


def triangular(low=0.0, high=1.0, mode=None):
    """A float between ``low`` and ``high``, most often near ``mode``."""
    share = random()
    if mode is None:
        peak = 0.5
    else:
        if high == low:
            return float(low)
        peak = (mode - low) / (high - low)
    if share > peak:
        return high + (low - high) * math.sqrt((1.0 - share) * (1.0 - peak))
    return low + (high - low) * math.sqrt(share * peak)


def normalvariate(mu=0.0, sigma=1.0):
    """A float of the normal distribution, by the ratio of uniforms."""
    while True:
        first = random()
        second = 1.0 - random()
        deviate = NORMAL_CONSTANT * (first - 0.5) / second
        if deviate * deviate / 4.0 <= -math.log(second):
            return mu + deviate * sigma


def gauss(mu=0.0, sigma=1.0):
    """A float of the normal distribution; every second one was computed with the one before."""
    return mu + python_gauss() * sigma


def lognormvariate(mu, sigma):
    """A float whose logarithm is of the normal distribution."""
    return math.exp(normalvariate(mu, sigma))


def expovariate(lambd=1.0):
    """A float of the exponential distribution."""
    return -math.log(1.0 - random()) / lambd


def vonmisesvariate(mu, kappa):
    """An angle near ``mu``."""
    if kappa <= 1e-6:
        return TWO_PI * random()
    half = 0.5 / kappa
    ratio = half + math.sqrt(1.0 + half * half)
    while True:
        cosine = math.cos(math.pi * random())
        distance = cosine / (ratio + cosine)
        accept = random()
        if accept < 1.0 - distance * distance or accept <= (1.0 - distance) * math.exp(distance):
            break
    inverse = 1.0 / ratio
    angle = math.acos((inverse + cosine) / (1.0 + inverse * cosine))
    if random() > 0.5:
        return (mu + angle) % TWO_PI
    return (mu - angle) % TWO_PI


def gammavariate(alpha, beta):
    """A float of the gamma distribution: Cheng 1977, and Ahrens and Dieter 1974 where ``alpha`` is below 1."""
    if alpha <= 0.0 or beta <= 0.0:
        raise ValueError("gammavariate: alpha and beta must be > 0.0")
    if alpha > 1.0:
        root = math.sqrt(2.0 * alpha - 1.0)
        offset = alpha - LOG_4
        slope = alpha + root
        while True:
            first = random()
            if not 1e-7 < first < 0.9999999:
                continue
            second = 1.0 - random()
            logit = math.log(first / (1.0 - first)) / root
            x = alpha * math.exp(logit)
            z = first * first * second
            r = offset + slope * logit - x
            if r + GAMMA_CONSTANT - 4.5 * z >= 0.0 or r >= math.log(z):
                return x * beta
    if alpha == 1.0:
        return -math.log(1.0 - random()) * beta
    while True:
        b = (math.e + alpha) / math.e
        p = b * random()
        x = p ** (1.0 / alpha) if p <= 1.0 else -math.log((b - p) / alpha)
        accept = random()
        if p > 1.0:
            if accept <= x ** (alpha - 1.0):
                return x * beta
        elif accept <= math.exp(-x):
            return x * beta


def betavariate(alpha, beta):
    """A float of the beta distribution."""
    y = gammavariate(alpha, 1.0)
    return y / (y + gammavariate(beta, 1.0)) if y else 0.0


def paretovariate(alpha):
    """A float of the Pareto distribution."""
    return (1.0 - random()) ** (-1.0 / alpha)


def weibullvariate(alpha, beta):
    """A float of the Weibull distribution."""
    return alpha * (-math.log(1.0 - random())) ** (1.0 / beta)
