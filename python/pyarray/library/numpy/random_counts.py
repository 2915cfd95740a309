"""Counts that NumPy's legacy distributions draw, one deviate each: of ``numpy/random.py``, which checks parameters and
fills arrays.

Where a distribution has one parameter, its draw takes a second one that is not used: arrays are filled with two.
"""

import math

import numpy as np
from numpy.random import random_sample


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


def draw_poisson(mean, unused):
    """The Poisson distribution: Hormann's PTRS 1993 from 10 on, else by products of uniform numbers."""
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


def draw_geometric(p, unused):
    """How many trials it takes to the first success."""
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


def draw_binomial(n, p):
    """How many of ``n`` trials succeed."""
    if n == 0 or p == 0.0:
        return 0
    rarer = p if p <= 0.5 else 1.0 - p
    count = _few_successes(n, rarer) if rarer * float(n) <= 30.0 else _many_successes(n, rarer)
    return count if p <= 0.5 else n - count


def draw_zipf(a, unused):
    """Zipf's distribution: Devroye 1986, by rejection."""
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


def draw_logseries(p, unused):
    """The logarithmic distribution: Kemp 1981."""
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


def draw_hypergeometric(both, sample):
    """How many of ``sample`` draws without replacement are good; ``both`` is how many there are, good and bad."""
    good, bad = both
    if sample > 10:
        return _many_of_good(good, bad, sample)
    return _few_of_good(good, bad, sample) if sample > 0 else 0
