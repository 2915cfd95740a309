"""Medians and quantiles, by selection."""

import numpy as np

from .._intrinsics import gufunc, known, numpy_loop
from .axes import axes_of, axis_of, last_axes, moved_axes, picked

_LETTERS = "?bBhHiIqQefdFD"


def _codes(pattern, letters, results):
    """Type codes of loops: ``*`` stands for the dtype of a line, ``+`` for that of the result."""
    return [pattern.replace("*", x).replace("+", y) for x, y in zip(letters, results, strict=True)]


_MEANS = "ddddddddd" + "efdFD"


# Lines ----------------------------------------------------------------------------------------------------------------


def _lines(a, axis: known):
    """A copy in C order whose last axis is this one, or are all these axes one behind the other."""
    if axis is None:
        return a.flatten()
    elif isinstance(axis, tuple):
        found = axes_of(axis, a.ndim)
        if len(axis) == a.ndim:
            return a.flatten()
        else:
            view = moved_axes(a, found, last_axes(found, a.ndim))
            return view.copy().reshape(view.shape[: a.ndim - len(axis)] + (-1,))
    else:
        axis_of(axis, a.ndim)
        if a.ndim == 1:
            return a.copy()
        return np.moveaxis(a, axis, -1).copy()


def _kept(result, ndim: known, axis: known, keepdims: known):
    """The result with the axes that were folded, of extent 1."""
    if keepdims:
        if axis is None:
            return np.asarray(result).reshape((1,) * ndim)
        return np.expand_dims(result, axis)
    return result


def _kept_behind(result, ndim: known, axis: known, keepdims: known):
    """The same of what has one more axis in front."""
    if keepdims:
        if axis is None:
            return result.reshape(result.shape[:1] + (1,) * ndim)
        if isinstance(axis, tuple):
            return np.expand_dims(result, _behind(axes_of(axis, ndim)))
        return np.expand_dims(result, axis + 1 if axis >= 0 else axis)
    return result


def _behind(axes):
    if len(axes) == 0:
        return ()
    return (axes[0] + 1,) + _behind(axes[1:])


def _stored(result, out):
    if out is None:
        return result
    out[...] = result
    return out


def has_nan(line):
    """Whether one of a line's elements is NaN."""
    found = False
    if np.issubdtype(line.dtype, np.inexact):
        for i in range(len(line)):
            found = found or line[i] != line[i]
    return found


def _without_nan(line):
    """How many of a line's elements are not NaN; they come to its front."""
    count = 0
    for i in range(len(line)):
        x = line[i]
        if x == x:
            line[count] = x
            count += 1
    return count


# Medians --------------------------------------------------------------------------------------------------------------


def _halfway(a, b):
    """Their mean in the dtype that NumPy's means have."""
    if a.dtype == np.float16:
        return np.float16((np.float32(a) + np.float32(b)) / np.float32(2))
    if np.issubdtype(a.dtype, np.inexact):
        return (a + b) / a.dtype.type(2)
    return (np.float64(a) + np.float64(b)) / 2.0


def _middle(line):
    """The mean of the one or two in the middle; the line's elements get another order."""
    n = len(line)
    if line.dtype.kind != "c" and n <= _FEW:
        _sort_few(line)
    else:
        ranks = np.empty(2, np.int64)
        ranks[0], ranks[1] = (n - 1) // 2, n // 2
        if numpy_loop("partition", "(p)->(n)", ranks, line):
            raise MemoryError()
    return _halfway(line[(n - 1) // 2], line[n // 2])


_FEW = 32


def _sort_few(line):
    """Of so few elements that it takes less time than a selection does to begin."""
    for i in range(1, len(line)):
        x, k = line[i], i - 1
        while k >= 0 and x < line[k]:
            line[k + 1] = line[k]
            k -= 1
        line[k + 1] = x


@gufunc("->(n),()", *_codes("[A1*[A1+>", _LETTERS, _MEANS))
def _median_line(line, out):
    if len(line) == 0 or has_nan(line):
        out[0] = np.nan
    else:
        out[0] = _middle(line)


@gufunc("->(n),()", *_codes("[A1*[A1+>", "efdFD", "efdFD"))
def _nanmedian_line(line, out):
    count = _without_nan(line)
    if count == 0:
        out[0] = np.nan
    else:
        out[0] = _middle(line[:count])


_NAT = -(2**63)


def _has_nat(line):
    found = False
    for i in range(len(line)):
        found = found or line[i] == _NAT
    return found


def _toward_zero(x):
    """An integer from a float, as NumPy's timedeltas round."""
    return np.int64(x)


@gufunc("->(n),()", "[A1q[A1q>")
def _median_of_times(line, out):
    """The median of timedeltas: half of the sum of the two in the middle, toward zero."""
    n = len(line)
    if n == 0 or _has_nat(line):
        out[0] = _NAT
    else:
        ranks = np.empty(2, np.int64)
        ranks[0], ranks[1] = (n - 1) // 2, n // 2
        if numpy_loop("partition", "(p)->(n)", ranks, line):
            raise MemoryError()
        both = line[(n - 1) // 2] + line[n // 2]
        out[0] = line[n // 2] if n % 2 else both // 2 + (1 if both < 0 and both % 2 else 0)


@gufunc("->(n),()", "[A1q[A1q>")
def _nanmedian_of_times(line, out):
    """The same of those that are not NaT."""
    count = 0
    for i in range(len(line)):
        if line[i] != _NAT:
            line[count] = line[i]
            count += 1
    _median_of_times(line[:count], out)


def _medians_of_times(a, axis: known, skips: known):
    if a.dtype.kind == "M":
        raise TypeError("ufunc 'add' cannot use operands with types dtype('datetime64') and dtype('datetime64')")
    else:
        lines = _lines(a, axis).view(np.int64)
        result = np.empty(lines.shape[:-1], np.int64)
        if skips:
            _nanmedian_of_times(lines, result)
        else:
            _median_of_times(lines, result)
        if result.ndim == 0:
            return result.view(a.dtype)[()]
        return result.view(a.dtype)


def _mean_dtype(a):
    """What stands for the dtype of a mean."""
    if np.issubdtype(a.dtype, np.inexact):
        return np.empty(0, a.dtype)
    return np.empty(0, np.float64)


def _medians(a, axis: known, skips: known):
    lines, kind = _lines(a, axis), _mean_dtype(a)
    if lines.ndim == 1:
        out = np.empty(1, kind.dtype)
        if skips:
            _nanmedian_line(lines, out[0, ...])
        else:
            _median_line(lines, out[0, ...])
        return out[0]
    result = np.empty(lines.shape[:-1], kind.dtype)
    if skips:
        _nanmedian_line(lines, result)
    else:
        _median_line(lines, result)
    return result


def median(a, axis: known = None, out=None, overwrite_input=False, keepdims: known = False):
    """``np.median``."""
    x = np.asarray(a)
    if x.dtype.kind == "m" or x.dtype.kind == "M":
        return _stored(_kept(_medians_of_times(x, axis, False), x.ndim, axis, keepdims), out)
    return _stored(_kept(_medians(x, axis, False), x.ndim, axis, keepdims), out)


def nanmedian(a, axis: known = None, out=None, overwrite_input=False, keepdims: known = False):
    """``np.nanmedian``."""
    x = np.asarray(a)
    if np.issubdtype(x.dtype, np.inexact):
        return _stored(_kept(_medians(x, axis, True), x.ndim, axis, keepdims), out)
    if x.dtype.kind == "m" or x.dtype.kind == "M":
        return _stored(_kept(_medians_of_times(x, axis, True), x.ndim, axis, keepdims), out)
    return median(x, axis, out, overwrite_input, keepdims)


# Quantiles ------------------------------------------------------------------------------------------------------------


def _position(n, q, method: known):
    """Where between the elements in order the quantile lies, of which methods that interpolate take a share."""
    if method == "linear":
        return (n - 1) * q
    if method == "averaged_inverted_cdf":
        return n * q - 1
    if method == "interpolated_inverted_cdf":
        return n * q + (0 + q * (1 - 0 - 1)) - 1
    if method == "hazen":
        return n * q + (0.5 + q * (1 - 0.5 - 0.5)) - 1
    if method == "weibull":
        return n * q + (0 + q * (1 - 0 - 0)) - 1
    if method == "median_unbiased":
        return n * q + (1 / 3.0 + q * (1 - 1 / 3.0 - 1 / 3.0)) - 1
    if method == "normal_unbiased":
        return n * q + (3 / 8.0 + q * (1 - 3 / 8.0 - 3 / 8.0)) - 1
    return 0.5 * (np.floor((n - 1) * q) + np.ceil((n - 1) * q))


def _share(position, whole, method: known):
    """The share of the second element."""
    share = position - whole
    if method == "averaged_inverted_cdf":
        return 0.5 if share == 0 else 1.0
    if method == "midpoint":
        return 0.0 if position == whole else 0.5
    return share


def _rank(n, q, method: known):
    """The rank of the element that a method takes which does not interpolate."""
    if method == "lower":
        return np.floor((n - 1) * q)
    if method == "higher":
        return np.ceil((n - 1) * q)
    if method == "nearest":
        return np.rint((n - 1) * q)
    position = n * q - 1 if method == "inverted_cdf" else n * q - 1 - 0.5
    whole = np.floor(position)
    exact = position == whole
    if method == "closest_observation":
        exact = exact and whole % 2 == 1
    return max(whole if exact else whole + 1, 0.0)


def _put_ranks(n, q, ranks, shares, method: known):
    """Of each quantile the rank of its first element, and the share of the second one."""
    for i in range(len(q)):
        if method in _OF_ELEMENTS:
            ranks[i], shares[i] = min(np.int64(_rank(n, float(q[i]), method)), n - 1), 0.0
        else:
            position = float(_position(n, q[i], method))
            if position >= n - 1:
                ranks[i], shares[i] = n - 1, _share(position, -1.0, method)
            elif position < 0:
                ranks[i], shares[i] = -1, _share(position, 0.0, method)
            else:
                ranks[i] = np.int64(np.floor(position))
                shares[i] = _share(position, np.floor(position), method)


def _between(a, b, share, out):
    """From ``a`` to ``b``, in the dtype of ``out``."""
    number = out.dtype.type
    distance = number(np.subtract(b, a))
    if share >= 0.5:
        return number(b) - distance * number(1 - share)
    return number(a) + distance * number(share)


def _select(line, ranks):
    if line.dtype.kind != "c" and len(line) <= _FEW:
        _sort_few(line)
    else:
        _select_of_many(line, ranks)


def _select_of_many(line, ranks):
    both = np.empty(2 * len(ranks), np.int64)
    for i in range(len(ranks)):
        both[2 * i], both[2 * i + 1] = max(ranks[i], 0), min(max(ranks[i] + 1, 0), len(line) - 1)
    if len(ranks) > 1:
        numpy_loop("sort", "->(n)", both)
    if numpy_loop("partition", "(p)->(n)", both, line):
        raise MemoryError()


def _quantiles_of_line(line, ranks, shares, out):
    n = len(line)
    _select(line, ranks)
    for i in range(len(ranks)):
        first, second = line[max(ranks[i], 0)], line[min(max(ranks[i] + 1, 0), n - 1)]
        if ranks[i] < 0:
            second = first
        out[i] = _between(first, second, shares[i], out)


def _elements_of_line(line, ranks, out):
    _select(line, ranks)
    for i in range(len(ranks)):
        out[i] = line[ranks[i]]


@gufunc("(p),(p)->(n),(p)", *_codes("[A1q[A1d[A1*[A1+>", _LETTERS[:9] + "eeffd", "d" * 9 + "edfdd"))
def _quantile_line(ranks, shares, line, out):
    if has_nan(line):
        for i in range(len(out)):
            out[i] = np.nan
    else:
        _quantiles_of_line(line, ranks, shares, out)


@gufunc("(p),(p)->(n),(p)", "[A1q[A1d[A1q[A1q>")
def _quantile_of_times(ranks, shares, line, out):
    """The same of times."""
    if _has_nat(line):
        for i in range(len(out)):
            out[i] = _NAT
    else:
        n = len(line)
        _select(line, ranks)
        for i in range(len(ranks)):
            first, second = line[max(ranks[i], 0)], line[min(max(ranks[i] + 1, 0), n - 1)]
            distance = 0 if ranks[i] < 0 else second - first
            if shares[i] >= 0.5:
                out[i] = first + distance - _toward_zero(distance * (1 - shares[i]))
            else:
                out[i] = first + _toward_zero(distance * shares[i])


@gufunc("(p)->(n),(p)", "[A1q[A1q[A1q>")
def _time_line(ranks, line, out):
    if _has_nat(line):
        for i in range(len(out)):
            out[i] = _NAT
    else:
        _elements_of_line(line, ranks, out)


@gufunc("(p)->(n),(p)", *_codes("[A1q[A1*[A1+>", _LETTERS[:12], _LETTERS[:12]))
def _element_line(ranks, line, out):
    if has_nan(line):
        for i in range(len(out)):
            out[i] = np.nan
    else:
        _elements_of_line(line, ranks, out)


#: Methods that give one of the elements, so that the result has their dtype.
_OF_ELEMENTS = ("lower", "higher", "nearest", "inverted_cdf", "closest_observation")


def _nan_lines(q, lines, out, method: known, ranks, shares):
    """The same of what is not NaN in each line, of which there are as many as there are."""
    if lines.ndim > 1:
        for i in range(len(lines)):
            _nan_lines(q, lines[i], out[i], method, ranks, shares)
    else:
        count = _without_nan(lines)
        if count == 0:
            for i in range(len(out)):
                out[i] = np.nan
        else:
            _put_ranks(count, q, ranks, shares, method)
            if method in _OF_ELEMENTS:
                _elements_of_line(lines[:count], ranks, out)
            else:
                _quantiles_of_line(lines[:count], ranks, shares, out)


def _check_method(method: known):
    if (
        method != "linear"
        and method != "lower"
        and method != "higher"
        and method != "nearest"
        and method != "midpoint"
        and method != "inverted_cdf"
        and method != "averaged_inverted_cdf"
        and method != "closest_observation"
        and method != "interpolated_inverted_cdf"
        and method != "hazen"
        and method != "weibull"
        and method != "median_unbiased"
        and method != "normal_unbiased"
    ):
        raise ValueError(
            f"'{method}' is not a valid method. Use one of: dict_keys(['inverted_cdf', 'averaged_inverted_cdf', "
            "'closest_observation', 'interpolated_inverted_cdf', 'hazen', 'weibull', 'linear', 'median_unbiased', "
            "'normal_unbiased', 'lower', 'higher', 'midpoint', 'nearest'])"
        )


def _quantiles(a, q, unit, axis: known, method: known, skips: known):
    """Quantiles of each line, the last axis; ``unit`` has the dtype of what is interpolated."""
    _check_method(method)
    lines = _lines(a, axis)
    n = lines.shape[-1]
    if n == 0:
        raise IndexError("index -1 is out of bounds for axis 0 with size 0")
    ranks, shares = np.empty(len(q), np.int64), np.empty(len(q), np.float64)
    if method in _OF_ELEMENTS:
        out = np.empty((*lines.shape[:-1], len(q)), a.dtype)
        if skips:
            _nan_lines(q, lines, out, method, ranks, shares)
        else:
            _put_ranks(n, q, ranks, shares, method)
            _element_line(ranks, lines, out)
        return out
    result = np.empty((*lines.shape[:-1], len(q)), unit.dtype)
    if skips:
        _nan_lines(q, lines, result, method, ranks, shares)
    else:
        _put_ranks(n, q, ranks, shares, method)
        _quantile_line(ranks, shares, lines, result)
    return result


def _quantiles_of_times(a, q, axis: known, method: known):
    """Quantiles of each line of times, which have the dtype of the times."""
    _check_method(method)
    lines = _lines(a, axis).view(np.int64)
    n = lines.shape[-1]
    if n == 0:
        raise IndexError("index -1 is out of bounds for axis 0 with size 0")
    ranks, shares = np.empty(len(q), np.int64), np.empty(len(q), np.float64)
    out = np.empty((*lines.shape[:-1], len(q)), np.int64)
    _put_ranks(n, q, ranks, shares, method)
    if method in _OF_ELEMENTS:
        _time_line(ranks, lines, out)
    else:
        _quantile_of_times(ranks, shares, lines, out)
    return out.view(a.dtype)


def _check_share(q, text: known):
    for i in range(len(q)):
        if not (q[i] >= 0 and q[i] <= 1):
            raise ValueError(text)


def _unit(a, q):
    """What stands for the dtype of interpolated elements; Python's numbers count for little there."""
    return np.empty(0, a.dtype) * q * 1.0


# Quantiles with weights -----------------------------------------------------------------------------------------------


def _whole_weights(a, w, axis: known):
    """A weight for each element: of all, or of those along the axes."""
    whole = np.empty(a.shape, w.dtype)
    if w.ndim == a.ndim:
        if w.shape == a.shape:
            whole[...] = w
            return whole
    if axis is None:
        raise TypeError("Axis must be specified when shapes of a and weights differ.")
    else:
        axes = axes_of(axis, a.ndim, "axis")
        if picked(a.shape, axes) != w.shape:
            raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
        if w.ndim == len(axes):
            moved_axes(whole, axes, last_axes(axes, a.ndim))[...] = w
        return whole


def _check_weights(w):
    if np.any(w < 0):
        raise ValueError("Weights must be non-negative.")


def _shares_of_weights(weights, order):
    """The share of all weights up to each element in order; what has none in front of it counts for nothing."""
    shares, total = np.empty(len(order), np.float64), 0.0
    for i in range(len(order)):
        total += weights[order[i]]
        shares[i] = total
    if total == 0 or total - total != 0:
        raise ValueError("Weights included NaN, inf or were all zero.")
    for i in range(len(order)):
        shares[i] /= total
    for i in range(len(order)):
        if shares[i] == 0:
            shares[i] = -1
    return shares


def _weighted_line(line, weights, q, out):
    order = np.argsort(line)
    shares = _shares_of_weights(weights, order)
    if has_nan(line):
        out[...] = line[order[len(line) - 1]]
    elif q.dtype.kind == "f":
        _put_weighted(line, order, shares.astype(q.dtype), q, out)
    else:
        _put_weighted(line, order, shares, q, out)


def _put_weighted(line, order, shares, q, out):
    for k in range(len(q)):
        low, high = 0, len(shares)
        while low < high:
            middle = (low + high) // 2
            if shares[middle] < q[k]:
                low = middle + 1
            else:
                high = middle
        out[k] = line[order[min(low, len(line) - 1)]]


def _weighted_nan_line(line, weights, q, out):
    kept = line == line
    if np.any(kept):
        _weighted_line(line[kept], weights[kept], q, out)
    else:
        out[...] = np.nan


def _weighted(a, q, weights, axis: known, method: known, skips: known):
    """The same of elements that have weights, for each line and share."""
    if method != "inverted_cdf":
        raise ValueError(f"Only method 'inverted_cdf' supports weights. Got: {method}.")
    w = np.asarray(weights)
    lines, heavy = _lines(a, axis), _lines(_whole_weights(a, w, axis), axis)
    _check_weights(w)
    n = lines.shape[-1]
    if n == 0:
        raise IndexError("index -1 is out of bounds for axis 0 with size 0")
    out = np.empty((*lines.shape[:-1], len(q)), a.dtype)
    flat, flat_weights, flat_out = lines.reshape((-1, n)), heavy.reshape((-1, n)), out.reshape((-1, len(q)))
    for i in range(len(flat)):
        if skips:
            _weighted_nan_line(flat[i], flat_weights[i], q, flat_out[i])
        else:
            _weighted_line(flat[i], flat_weights[i], q, flat_out[i])
    return out


def _of_lines(a, q, unit, axis: known, method: known, skips: known, weights):
    if weights is None:
        return _quantiles(a, q, unit, axis, method, skips)
    return _weighted(a, q, weights, axis, method, skips)


def _at_shares(a, given, q, axis: known, out, method: known, keepdims: known, skips: known, weights):
    """Quantiles at the shares ``q``, an array with one dimension; ``given`` is what they were given as."""
    if a.dtype.kind == "m" or a.dtype.kind == "M":
        return _times_at_shares(a, given, q, axis, out, method, keepdims, weights)
    elif np.ndim(given) == 0:
        result = _of_lines(a, q, _unit(a, given), axis, method, skips, weights)[..., 0]
        if result.ndim == 0:
            return _stored(_kept(result[()], a.ndim, axis, keepdims), out)
        return _stored(_kept(result, a.ndim, axis, keepdims), out)
    elif np.ndim(given) > 2:
        raise ValueError("q must be a scalar or 1d")
    else:
        found = _of_lines(a, q, np.empty(0, a.dtype) * (q[:0] * 1.0), axis, method, skips, weights)
        front = _kept_behind(np.moveaxis(found, -1, 0), a.ndim, axis, keepdims)
        if np.ndim(given) == 2:
            return _stored(front.reshape(np.asarray(given).shape + front.shape[1:]), out)
        return _stored(front.copy(), out)


def _times_at_shares(a, given, q, axis: known, out, method: known, keepdims: known, weights):
    """The same of times."""
    if weights is not None:
        raise NotImplementedError("quantiles of times with weights are not compiled")
    elif np.ndim(given) == 0:
        result = _quantiles_of_times(a, q, axis, method)[..., 0]
        if result.ndim == 0:
            return _stored(_kept(result[()], a.ndim, axis, keepdims), out)
        return _stored(_kept(result, a.ndim, axis, keepdims), out)
    else:
        found = np.moveaxis(_quantiles_of_times(a, q, axis, method), -1, 0)
        front = _kept_behind(found, a.ndim, axis, keepdims)
        return _stored(front.reshape(np.asarray(given).shape + front.shape[1:]), out)


def _at_share(a, q, axis: known, out, method: known, keepdims: known, skips: known, weights):
    """Quantiles at shares from 0 to 1."""
    if a.dtype.kind == "c":
        raise TypeError("a must be an array of real numbers")
    else:
        shares = np.ravel(np.asarray(q))
        _check_share(shares, "Quantiles must be in the range [0, 1]")
        return _at_shares(a, q, shares, axis, out, method, keepdims, skips and a.dtype.kind == "f", weights)


def _at_percentage(a, q, axis: known, out, method: known, keepdims: known, skips: known, weights):
    """Quantiles at shares from 0 to 100."""
    if a.dtype.kind == "c":
        raise TypeError("a must be an array of real numbers")
    else:
        shares = np.true_divide(np.ravel(np.asarray(q)), 100)
        _check_share(shares, "Percentiles must be in the range [0, 100]")
        return _at_shares(a, q, shares, axis, out, method, keepdims, skips and a.dtype.kind == "f", weights)


def quantile(
    a,
    q,
    axis: known = None,
    out=None,
    overwrite_input=False,
    method: known = "linear",
    keepdims: known = False,
    *,
    weights=None,
):
    """``np.quantile``."""
    return _at_share(np.asarray(a), q, axis, out, method, keepdims, False, weights)


def percentile(
    a,
    q,
    axis: known = None,
    out=None,
    overwrite_input=False,
    method: known = "linear",
    keepdims: known = False,
    *,
    weights=None,
):
    """``np.percentile``."""
    return _at_percentage(np.asarray(a), q, axis, out, method, keepdims, False, weights)


def nanquantile(
    a,
    q,
    axis: known = None,
    out=None,
    overwrite_input=False,
    method: known = "linear",
    keepdims: known = False,
    *,
    weights=None,
):
    """``np.nanquantile``."""
    return _at_share(np.asarray(a), q, axis, out, method, keepdims, True, weights)


def nanpercentile(
    a,
    q,
    axis: known = None,
    out=None,
    overwrite_input=False,
    method: known = "linear",
    keepdims: known = False,
    *,
    weights=None,
):
    """``np.nanpercentile``."""
    return _at_percentage(np.asarray(a), q, axis, out, method, keepdims, True, weights)
