"""``engine=pyarray.jit`` of pandas' ``Series.map`` and ``DataFrame.apply(raw=True)``: the protocol ``__pandas_udf__``.

Functions get numbers and arrays. Of a Series they would mean something else (``s.std()`` divides by n - 1), so that
functions of Series are refused.
"""

import inspect

import numpy as np

from . import errors, types
from ._pyarray import Dispatcher
from .decorators import njit, typeof


def _compiled(function, decorator):
    if isinstance(function, Dispatcher):
        return function
    if not inspect.isfunction(function):
        raise TypeError(f"pyarray compiles functions, not {function!r}")
    return decorator(function)


def _positional(function, args, kwargs):
    """The arguments behind the first, in the order of the parameters."""
    bound = inspect.signature(getattr(function, "py_func", function)).bind(None, *args, **kwargs)
    bound.apply_defaults()
    if bound.kwargs:
        raise TypeError("functions with parameters that are given by name alone are not compiled for pandas")
    return bound.args[1:]


def _result_dtype(function, first, rest):
    """The dtype of what a function gives for such arguments, or None where that is no number."""
    kinds = tuple(typeof(value) for value in (first, *rest))
    function.compile(kinds)
    (found,) = [one.return_type for one in function.nopython_signatures if tuple(one.args) == kinds]
    return types.as_dtype(found) if isinstance(found, types.Number) else None


def _loop_over(function):
    @njit
    def loop(items, out, rest):
        for i in range(len(items)):
            out[i] = function(items[i], *rest)

    return loop


def _each(function, items, rest):
    """What the function gives for each item, as an array."""
    if len(items) == 0:
        return np.empty(0)
    dtype = _result_dtype(function, items[0], rest)
    if dtype is not None:
        out = np.empty(len(items), dtype)
        _loop_over(function)(items, out, rest)
        return out
    results = [function(item, *rest) for item in items]
    if all(isinstance(result, np.ndarray) for result in results):
        return np.stack(results)
    out = np.empty(len(items), object)
    out[:] = results
    return out


def _numbers(values):
    array = np.asarray(values)
    if array.dtype.kind not in "biufc":
        raise errors.TypingError(f"pyarray compiles functions of numbers for pandas, not of {array.dtype}")
    return array


class Engine:
    """What pandas calls."""

    @staticmethod
    def map(data, func, args, kwargs, decorator, skip_na):
        """The function of each element of a Series, a DataFrame or an array."""
        function = _compiled(func, decorator)
        rest = _positional(function, args, kwargs)
        if getattr(data, "columns", None) is not None:
            done = {name: Engine.map(data[name], function, rest, {}, decorator, skip_na) for name in data.columns}
            return type(data)(done, index=data.index)
        values = _numbers(data)
        flat = values.ravel()
        missing = np.isnan(flat) if skip_na and values.dtype.kind in "fc" else None
        if missing is None or not missing.any():
            return _each(function, flat, rest).reshape(values.shape)
        found = _each(function, flat[~missing], rest)
        out = np.full(flat.shape, np.nan, np.result_type(found.dtype, np.float64) if found.dtype != object else object)
        out[~missing] = found
        return out.reshape(values.shape)

    @staticmethod
    def apply(data, func, args, kwargs, decorator, axis):
        """The function of each column (axis 0) or row of a matrix."""
        if not isinstance(data, np.ndarray):
            raise NotImplementedError("compiled functions take arrays and no Series: pass raw=True")
        function = _compiled(func, decorator)
        rest = _positional(function, args, kwargs)
        by_rows = axis in (1, "columns")
        matrix = np.ascontiguousarray(_numbers(data) if by_rows else _numbers(data).T)
        done = _each(function, matrix, rest)
        return done if by_rows or done.ndim == 1 else done.T


def engine():
    """Of a decorator with options."""
    return Engine
