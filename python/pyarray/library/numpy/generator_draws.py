"""How the methods of NumPy's Generator draw: one deviate, an array of a size, or of what parameters broadcast to.

What draws one deviate is a C function of NumPy's, by its name, and by how many parameters it has.
"""

import numpy as np

from .._intrinsics import c_contiguous, draw, draw_into, f_contiguous, known, literal, raise_if, writeable
from .random import _every, _float, _some, shape_of, spread

# -- Parameters ------------------------------------------------------------------------------------


def number(x):
    """A parameter: a float, or an array of them."""
    return _float(x)


def are_arrays(a, b=0.0, c=0.0):
    """Whether one of the parameters is an array."""
    return isinstance(a, np.ndarray) or isinstance(b, np.ndarray) or isinstance(c, np.ndarray)


def is_negative(x):
    """Whether a parameter has a sign, zero among them, but NaN not."""
    return _some(np.signbit(x) & (x == x))


def is_outside(x, least, most):
    """Whether a parameter is not from ``least`` to ``most``, or no number."""
    return not _every((x >= least) & (x <= most))


def is_no_share(x):
    """Whether a parameter is not above 0 and at most 1."""
    return not _every((x > 0.0) & (x <= 1.0))


def need_not_negative(x, text: known):
    """ValueError for a parameter with a sign; no branch, so that loops which draw have straight bodies."""
    raise_if(is_negative(x), "ValueError", text)


def need_positive(x, name: known):
    """ValueError for a parameter of 0 or less."""
    if _some(x <= 0.0):
        raise ValueError(name + " <= 0")


# -- Deviates --------------------------------------------------------------------------------------


def one(rng, name: known, count: literal, a, b, c):
    """One deviate."""
    if count == 0:
        return draw(rng, name)
    elif count == 1:
        return draw(rng, name, a)
    elif count == 2:
        return draw(rng, name, a, b)
    else:
        return draw(rng, name, a, b, c)


def drawn(rng, name: known, count: literal, size, dtype, a=0.0, b=0.0, c=0.0):
    """What a distribution gives for its parameters, of which there are ``count``."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray) or isinstance(c, np.ndarray):
        return _drawn_for_each(rng, name, count, size, dtype, np.asarray(a), np.asarray(b), np.asarray(c))
    elif size is None:
        return one(rng, name, count, a, b, c)
    else:
        made = np.empty(size, dtype)
        fill(rng, name, count, made.reshape(-1), a, b, c)
        return made


def fill(rng, name: known, count: literal, flat, a, b, c):
    """The same in an array that is there, of one dimension."""
    for i in range(len(flat)):
        flat[i] = one(rng, name, count, a, b, c)


def in_parts(flat):
    """Views of a line, short enough to stay near while they are drawn and scaled."""
    for start in range(0, len(flat), 1024):
        yield flat[start : start + 1024]


def _drawn_for_each(rng, name: known, count: literal, size, dtype, a, b, c):
    made = np.empty(shape_of(size, a.shape, b.shape, c.shape), dtype)
    fill_for_each(rng, name, count, made, a, b, c)
    return made


def fill_for_each(rng, name: known, count: literal, made, a, b, c):
    """A deviate for each of the parameters, arrays that broadcast to ``made``."""
    flat, x = made.reshape(-1), spread(a, made)
    y = spread(b, made) if count > 1 else x
    z = spread(c, made) if count > 2 else x
    for i in range(len(flat)):
        flat[i] = one(rng, name, count, x[i], y[i], z[i])


# -- Outputs ---------------------------------------------------------------------------------------


def check_output(out, dtype, size, c_order: literal):
    """Raise where an array given as output does not serve."""
    if not writeable(out) or not (c_contiguous(out) or (c_order == 0 and f_contiguous(out))):
        order = "C-" if c_order else ""
        raise ValueError(
            f"Supplied output array must be {order}contiguous, writable, aligned, and in machine byte-order."
        )
    if out.dtype != dtype:
        raise TypeError(
            f"Supplied output array has the wrong type. Expected {np.dtype(dtype).name}, got {out.dtype.name}"
        )
    if size is not None:
        if (size if isinstance(size, tuple) else (size,)) != out.shape:
            raise ValueError("size must match out.shape when used together")


def standard(rng, size, dtype, out, name: known, filling: known):
    """What a distribution without parameters gives; ``filling`` is the function that fills arrays."""
    if out is not None:
        check_output(out, dtype, size, 0)
        draw_into(rng, filling, out.size, out)
        return out
    elif size is None:
        return float(draw(rng, name))
    else:
        made = np.empty(size, dtype)
        draw_into(rng, filling, made.size, made)
        return made
