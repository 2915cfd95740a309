"""Floats that NumPy's legacy distributions draw, one deviate each: of ``numpy/random.py``, which checks parameters and
fills arrays.

Where a distribution has fewer than two parameters, its draw takes others that are not used: arrays are filled with two.
"""

import math

from numpy.random import random_sample, standard_normal

from .random_counts import draw_poisson


def draw_uniform(low, high):
    """From ``low`` to ``high``."""
    return low + (high - low) * random_sample()


def draw_normal(mean, deviation):
    """The normal distribution."""
    return mean + deviation * standard_normal()


def draw_lognormal(mean, sigma):
    """The exponential of it."""
    return math.exp(draw_normal(mean, sigma))


def draw_exponential(scale, unused):
    """The exponential distribution, by its inverse."""
    return scale * -math.log(1.0 - random_sample())


def draw_gamma(shape, scale):
    """The gamma distribution."""
    # Marsaglia and Tsang 2000; below 1 by rejection from two parts.
    if shape == 1.0:
        return scale * draw_exponential(1.0, 0.0)
    if shape == 0.0:
        return scale * 0.0
    if shape < 1.0:
        while True:
            share = random_sample()
            bound = draw_exponential(1.0, 0.0)
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


def draw_f(dfnum, dfden):
    """Fisher's F distribution."""
    numerator = draw_gamma(dfnum / 2.0, 2.0) * dfden
    return numerator / (draw_gamma(dfden / 2.0, 2.0) * dfnum)


def draw_noncentral(df, nonc):
    """The chi-square distribution of deviates with a mean."""
    if math.isnan(nonc):
        return nonc
    if nonc == 0.0:
        return draw_gamma(df / 2.0, 2.0)
    if df > 1.0:
        square = draw_gamma((df - 1.0) / 2.0, 2.0)
        x = standard_normal() + math.sqrt(nonc)
        return square + x * x
    more = draw_poisson(nonc / 2.0, 0.0)
    return draw_gamma((df + 2.0 * more) / 2.0, 2.0)


def draw_noncentral_f(both, nonc):
    """Fisher's F distribution of such."""
    dfnum, dfden = both
    numerator = draw_noncentral(dfnum, nonc) * dfden
    return numerator / (draw_gamma(dfden / 2.0, 2.0) * dfnum)


def draw_vonmises(mu, kappa):
    """The von Mises distribution."""
    # Best and Fisher 1979.
    if math.isnan(kappa):
        return math.nan
    if kappa < 1e-8:
        return math.pi * (2.0 * random_sample() - 1.0)
    if kappa < 1e-5:
        s = 1.0 / kappa + kappa
    else:
        r = 1.0 + math.sqrt(1.0 + 4.0 * kappa * kappa)
        rho = (r - math.sqrt(2.0 * r)) / (2.0 * kappa)
        s = (1.0 + rho * rho) / (2.0 * rho)
    while True:
        z = math.cos(math.pi * random_sample())
        w = (1.0 + s * z) / (s + z)
        y = kappa * (s - w)
        v = random_sample()
        if y * (2.0 - y) - v >= 0.0 or math.log(y / v) + 1.0 - y >= 0.0:
            break
    share = random_sample()
    angle = math.acos(w)
    return _wrapped(mu - angle if share < 0.5 else mu + angle)


def _wrapped(angle):
    size = math.fmod(abs(angle) + math.pi, 2.0 * math.pi) - math.pi
    return -size if angle < 0.0 else size


def draw_beta(a, b):
    """The beta distribution."""
    # Johnk 1964 where both are at most 1.
    if a > 1.0 or b > 1.0:
        first = draw_gamma(a, 1.0)
        return first / (first + draw_gamma(b, 1.0))
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


def draw_standard_t(df, unused):
    """Student's t distribution."""
    numerator = standard_normal()
    return math.sqrt(df / 2.0) * numerator / math.sqrt(draw_gamma(df / 2.0, 1.0))


def draw_cauchy(unused, also_unused):
    """The Cauchy distribution, a quotient of two normal ones."""
    first = standard_normal()
    return first / standard_normal()


def draw_pareto(a, unused):
    """The Lomax distribution."""
    return math.exp(draw_exponential(1.0, 0.0) / a) - 1.0


def draw_weibull(a, unused):
    """The Weibull distribution."""
    if a == 0.0:
        return 0.0
    return draw_exponential(1.0, 0.0) ** (1.0 / a)


def draw_power(a, unused):
    """The power distribution."""
    return (1.0 - math.exp(-draw_exponential(1.0, 0.0))) ** (1.0 / a)


def draw_rayleigh(scale, unused):
    """The Rayleigh distribution."""
    return scale * math.sqrt(-2.0 * math.log1p(-random_sample()))


def draw_laplace(loc, scale):
    """The Laplace distribution."""
    share = random_sample()
    while share <= 0.0:
        share = random_sample()
    if share >= 0.5:
        return loc - scale * math.log(2.0 - share - share)
    return loc + scale * math.log(share + share)


def draw_gumbel(loc, scale):
    """The Gumbel distribution."""
    share = 1.0 - random_sample()
    while share >= 1.0:
        share = 1.0 - random_sample()
    return loc - scale * math.log(-math.log(share))


def draw_logistic(loc, scale):
    """The logistic distribution."""
    share = random_sample()
    while share <= 0.0:
        share = random_sample()
    return loc + scale * math.log(share / (1.0 - share))


def draw_triangular(ends, mode):
    """Between two ends."""
    left, right = ends
    base = right - left
    share = random_sample()
    if share <= (mode - left) / base:
        return left + math.sqrt(share * ((mode - left) * base))
    return right - math.sqrt((1.0 - share) * ((right - mode) * base))


def draw_wald(mean, scale):
    """The inverse Gaussian distribution."""
    # Michael, Schucany and Haas 1976.
    y = standard_normal()
    y = mean * y * y
    x = mean + mean / (2.0 * scale) * (y - math.sqrt(4.0 * scale * y + y * y))
    if random_sample() <= mean / (mean + x):
        return x
    return mean * mean / x
