"""NumPy's Generator: how one is made, and the floats that it draws. The streams are those of NumPy."""

import numpy as np

from .._intrinsics import draw, draw_into, known, python_function
from .generator_draws import (
    are_arrays,
    check_output,
    drawn,
    fill,
    fill_for_each,
    in_parts,
    need_not_negative,
    need_positive,
    number,
    standard,
)
from .random import _every, check_triangle

# -- Objects, which the interpreter makes: ORDER PYTHON FUNCTIONS ----------------------------------


def default_rng(seed=None):
    """A Generator with the stream of a PCG64."""
    return python_function(0, "rg", seed)


def of_bits(bit_generator):
    """A Generator with the stream of a BitGenerator."""
    return python_function(1, "rg", bit_generator)


def spawn(self, n_children):
    """A list of Generators whose streams are independent of each other."""
    return python_function(2, "Lrg", self, n_children)


def jumped(self, jumps=1):
    """A BitGenerator of the same class, which is as many jumps further."""
    return python_function(3, "rb", self, jumps)


def bit_generator(self):
    """The BitGenerator of a Generator."""
    return python_function(4, "rb", self)


def pcg64(seed=None):
    """A BitGenerator."""
    return python_function(5, "rb", seed)


def pcg64dxsm(seed=None):
    """A BitGenerator."""
    return python_function(6, "rb", seed)


def mt19937(seed=None):
    """A BitGenerator."""
    return python_function(7, "rb", seed)


def philox(seed=None):
    """A BitGenerator."""
    return python_function(8, "rb", seed)


def sfc64(seed=None):
    """A BitGenerator."""
    return python_function(9, "rb", seed)


# -- Without parameters ----------------------------------------------------------------------------


def random(self, size=None, dtype=np.float64, out=None):
    """Floats from 0 to 1."""
    if np.dtype(dtype) == np.float64:
        return standard(self, size, np.float64, out, "random_standard_uniform", "random_standard_uniform_fill")
    elif np.dtype(dtype) == np.float32:
        return standard(self, size, np.float32, out, "random_standard_uniform_f", "random_standard_uniform_fill_f")
    else:
        raise TypeError(f"Unsupported dtype dtype('{np.dtype(dtype).name}') for random")


def standard_normal(self, size=None, dtype=np.float64, out=None):
    """Floats of the normal distribution with mean 0 and deviation 1."""
    if np.dtype(dtype) == np.float64:
        return standard(self, size, np.float64, out, "random_standard_normal", "random_standard_normal_fill")
    elif np.dtype(dtype) == np.float32:
        return standard(self, size, np.float32, out, "random_standard_normal_f", "random_standard_normal_fill_f")
    else:
        raise TypeError(f"Unsupported dtype dtype('{np.dtype(dtype).name}') for standard_normal")


def standard_exponential(self, size=None, dtype=np.float64, method: known = "zig", out=None):
    """Floats of the exponential distribution with scale 1, by Marsaglia and Tsang's tables, or by its inverse."""
    if np.dtype(dtype) == np.float64:
        if method == "zig":
            return standard(
                self, size, np.float64, out, "random_standard_exponential", "random_standard_exponential_fill"
            )
        return _inverse(self, size, np.float64, out, "random_standard_exponential_inv_fill")
    elif np.dtype(dtype) == np.float32:
        if method == "zig":
            return standard(
                self, size, np.float32, out, "random_standard_exponential_f", "random_standard_exponential_fill_f"
            )
        return _inverse(self, size, np.float32, out, "random_standard_exponential_inv_fill_f")
    else:
        raise TypeError(f"Unsupported dtype dtype('{np.dtype(dtype).name}') for standard_exponential")


def _inverse(rng, size, dtype, out, filling: known):
    if size is None and out is None:
        # There is no function of one.
        return float(standard(rng, 1, dtype, None, "random_standard_uniform", filling)[0])
    return standard(rng, size, dtype, out, "random_standard_uniform", filling)


def standard_cauchy(self, size=None):
    """Floats of the Cauchy distribution."""
    return drawn(self, "random_standard_cauchy", 0, size, np.float64)


# -- With parameters -------------------------------------------------------------------------------


def uniform(self, low=0.0, high=1.0, size=None):
    """Floats from ``low`` to ``high``."""
    low, high = number(low), number(high)
    width = high - low
    if not _every(np.isfinite(width)):
        if are_arrays(low, high):
            raise OverflowError("Range exceeds valid bounds")
        raise OverflowError("high - low range exceeds valid bounds")
    need_not_negative(width, "high - low < 0")
    return drawn(self, "random_uniform", 2, size, np.float64, low, width)


def normal(self, loc=0.0, scale=1.0, size=None):
    """Floats of the normal distribution."""
    loc, scale = number(loc), number(scale)
    need_not_negative(scale, "scale < 0")
    if isinstance(loc, np.ndarray) or isinstance(scale, np.ndarray):
        return drawn(self, "random_normal", 2, size, np.float64, loc, scale)
    if size is None:
        return loc + scale * float(draw(self, "random_standard_normal"))  # as NumPy has it, and small enough to inline
    made = np.empty(size)
    for part in in_parts(made.reshape(-1)):
        draw_into(self, "random_standard_normal_fill", len(part), part)
        for i in range(len(part)):
            part[i] = loc + scale * part[i]
    return made


def lognormal(self, mean=0.0, sigma=1.0, size=None):
    """Floats whose logarithm is of the normal distribution."""
    mean, sigma = number(mean), number(sigma)
    need_not_negative(sigma, "sigma < 0")
    return drawn(self, "random_lognormal", 2, size, np.float64, mean, sigma)


def exponential(self, scale=1.0, size=None):
    """Floats of the exponential distribution."""
    scale = number(scale)
    need_not_negative(scale, "scale < 0")
    if isinstance(scale, np.ndarray):
        return drawn(self, "random_exponential", 1, size, np.float64, scale)
    if size is None:
        return scale * float(draw(self, "random_standard_exponential"))
    made = np.empty(size)
    for part in in_parts(made.reshape(-1)):
        draw_into(self, "random_standard_exponential_fill", len(part), part)
        for i in range(len(part)):
            part[i] *= scale
    return made


def gamma(self, shape, scale=1.0, size=None):
    """Floats of the gamma distribution."""
    shape, scale = number(shape), number(scale)
    need_not_negative(shape, "shape < 0")
    need_not_negative(scale, "scale < 0")
    return drawn(self, "random_gamma", 2, size, np.float64, shape, scale)


def standard_gamma(self, shape, size=None, dtype=np.float64, out=None):
    """Floats of the gamma distribution with scale 1."""
    shape = number(shape)
    if np.dtype(dtype) == np.float64:
        return _standard_gamma(self, shape, size, np.float64, out, "random_standard_gamma")
    elif np.dtype(dtype) == np.float32:
        return _standard_gamma(self, shape, size, np.float32, out, "random_standard_gamma_f")
    else:
        raise TypeError(f"Unsupported dtype dtype('{np.dtype(dtype).name}') for standard_gamma")


def _standard_gamma(rng, shape, size, dtype, out, name: known):
    if out is not None:
        check_output(out, dtype, size, 1)
    need_not_negative(shape, "shape < 0")
    if out is None:
        made = drawn(rng, name, 1, size, dtype, shape)
        return made if isinstance(made, np.ndarray) else float(made)
    elif isinstance(shape, np.ndarray):
        fill_for_each(rng, name, 1, out, shape, shape, shape)
        return out
    else:
        fill(rng, name, 1, out.reshape(-1), shape, shape, shape)
        return out


def beta(self, a, b, size=None):
    """Floats of the beta distribution."""
    a, b = number(a), number(b)
    need_positive(a, "a")
    need_positive(b, "b")
    return drawn(self, "random_beta", 2, size, np.float64, a, b)


def chisquare(self, df, size=None):
    """Floats of the chi-square distribution."""
    df = number(df)
    need_positive(df, "df")
    return drawn(self, "random_chisquare", 1, size, np.float64, df)


def noncentral_chisquare(self, df, nonc, size=None):
    """Floats of the chi-square distribution of deviates whose mean is not 0."""
    df, nonc = number(df), number(nonc)
    need_positive(df, "df")
    need_not_negative(nonc, "nonc < 0")
    return drawn(self, "random_noncentral_chisquare", 2, size, np.float64, df, nonc)


def f(self, dfnum, dfden, size=None):
    """Floats of Fisher's F distribution."""
    dfnum, dfden = number(dfnum), number(dfden)
    need_positive(dfnum, "dfnum")
    need_positive(dfden, "dfden")
    return drawn(self, "random_f", 2, size, np.float64, dfnum, dfden)


def noncentral_f(self, dfnum, dfden, nonc, size=None):
    """Floats of Fisher's F distribution of deviates whose mean is not 0."""
    dfnum, dfden, nonc = number(dfnum), number(dfden), number(nonc)
    need_positive(dfnum, "dfnum")
    need_positive(dfden, "dfden")
    need_not_negative(nonc, "nonc < 0")
    return drawn(self, "random_noncentral_f", 3, size, np.float64, dfnum, dfden, nonc)


def standard_t(self, df, size=None):
    """Floats of Student's t distribution."""
    df = number(df)
    need_positive(df, "df")
    return drawn(self, "random_standard_t", 1, size, np.float64, df)


def vonmises(self, mu, kappa, size=None):
    """Angles of von Mises' distribution on the circle."""
    mu, kappa = number(mu), number(kappa)
    need_not_negative(kappa, "kappa < 0")
    return drawn(self, "random_vonmises", 2, size, np.float64, mu, kappa)


def pareto(self, a, size=None):
    """Floats of the Lomax distribution, Pareto's moved to 0."""
    a = number(a)
    need_positive(a, "a")
    return drawn(self, "random_pareto", 1, size, np.float64, a)


def weibull(self, a, size=None):
    """Floats of the Weibull distribution."""
    a = number(a)
    need_not_negative(a, "a < 0")
    return drawn(self, "random_weibull", 1, size, np.float64, a)


def power(self, a, size=None):
    """Floats from 0 to 1 of the power distribution."""
    a = number(a)
    need_positive(a, "a")
    return drawn(self, "random_power", 1, size, np.float64, a)


def laplace(self, loc=0.0, scale=1.0, size=None):
    """Floats of the Laplace distribution."""
    loc, scale = number(loc), number(scale)
    need_not_negative(scale, "scale < 0")
    return drawn(self, "random_laplace", 2, size, np.float64, loc, scale)


def gumbel(self, loc=0.0, scale=1.0, size=None):
    """Floats of the Gumbel distribution."""
    loc, scale = number(loc), number(scale)
    need_not_negative(scale, "scale < 0")
    return drawn(self, "random_gumbel", 2, size, np.float64, loc, scale)


def logistic(self, loc=0.0, scale=1.0, size=None):
    """Floats of the logistic distribution."""
    loc, scale = number(loc), number(scale)
    need_not_negative(scale, "scale < 0")
    return drawn(self, "random_logistic", 2, size, np.float64, loc, scale)


def rayleigh(self, scale=1.0, size=None):
    """Floats of the Rayleigh distribution."""
    scale = number(scale)
    need_not_negative(scale, "scale < 0")
    return drawn(self, "random_rayleigh", 1, size, np.float64, scale)


def wald(self, mean, scale, size=None):
    """Floats of the inverse Gaussian distribution."""
    mean, scale = number(mean), number(scale)
    need_positive(mean, "mean")
    need_positive(scale, "scale")
    return drawn(self, "random_wald", 2, size, np.float64, mean, scale)


def triangular(self, left, mode, right, size=None):
    """Floats between ``left`` and ``right``, of which those at ``mode`` are the most frequent."""
    left, mode, right = number(left), number(mode), number(right)
    check_triangle(left, mode, right)
    return drawn(self, "random_triangular", 3, size, np.float64, left, mode, right)
