"""Compares compiled functions with CPython: results, exceptions, and what arguments hold afterwards."""

import copy
import functools
import itertools
import linecache
import math
import struct
import traceback

import numpy as np
from pyarray import _pyarray, njit, typeof

_numbers = itertools.count()

strict = njit(error_model="strict")  # raises all that CPython raises


def define(source, name="f", decorator=njit, **names):
    """A compiled function from source text, which linecache keeps so that the compiler finds it."""
    filename = f"<test program {next(_numbers)}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    module = {"math": math, "np": np, **names}
    exec(compile(source, filename, "exec"), module)
    return decorator(module[name])


@functools.cache
def expression(text, parameters="x", decorator=njit):
    """A compiled function that returns an expression; one per text, however often it is asked for."""
    return define(f"def f({parameters}):\n    return {text}\n", decorator=decorator)


def return_type(function, *arguments):
    """The type of what a compiled function returns for such arguments, in whatever order it was called."""
    types = tuple(typeof(value) for value in arguments)
    (found,) = [each.return_type for each in function.nopython_signatures if each.args == types]
    return found


def copied(arguments):
    """The arguments with arrays copied, strides and all."""
    return [_copied_array(value) if isinstance(value, np.ndarray) else value for value in arguments]


def _copied_array(array):
    if array.size == 0 or array.ndim == 0:
        return array.copy()
    low = sum(min(0, (n - 1) * step) for n, step in zip(array.shape, array.strides))
    high = sum(max(0, (n - 1) * step) for n, step in zip(array.shape, array.strides))
    memory = np.zeros(high - low + array.itemsize, np.uint8)
    result = np.ndarray(array.shape, array.dtype, memory, -low, array.strides)
    result[...] = array
    result.flags.writeable = array.flags.writeable
    return result


def outcome(function, arguments):
    """("returned", value), or ("raised", type, arguments of the exception)."""
    with np.errstate(all="ignore"):
        try:
            return "returned", function(*arguments)
        except Exception as error:
            return "raised", type(error), error.args


def check_alike(function, *arguments):
    """A compiled function does what the plain one does, by the texts of results and exceptions.

    So NaN is like NaN, and 1 is not like 1.0.
    """
    ours, theirs = copy.deepcopy(arguments), copy.deepcopy(arguments)
    assert repr(outcome(function, ours)) == repr(outcome(function.py_func, theirs)), arguments


COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>")  # frames that Python 3.12 has no more


def description(error, seen=()):
    """Class, arguments, traceback, and the same of cause and context."""
    if error is None or any(error is other for other in seen):
        return error and "seen"
    frames = traceback.extract_tb(error.__traceback__)
    frames = [frame for frame in frames if frame.filename.startswith("<test")]
    places = [(frame.name, frame.lineno) for frame in frames if frame.name not in COMPREHENSIONS]
    more = [description(other, (*seen, error)) for other in (error.__cause__, error.__context__)]
    return type(error).__name__, error.args, places, error.__suppress_context__, *more


def _bits(value):
    return struct.unpack("<q", struct.pack("<d", value))[0]


def ulps_between(a, b):
    """How many float64 lie between two; 0 for two NaNs, infinity for NaN and a number."""
    if math.isnan(a) or math.isnan(b):
        return 0 if math.isnan(a) and math.isnan(b) else math.inf
    x, y = (bits if bits >= 0 else -(bits & 0x7FFFFFFFFFFFFFFF) for bits in (_bits(a), _bits(b)))
    return abs(x - y) if x or y else abs(_bits(a) - _bits(b))  # 0.0 and -0.0 are far from each other


def is_same(a, b, ulps=0):
    """Equality of results of one type: floats bit for bit (any NaN equals any other) or within some ulps."""
    if isinstance(a, tuple) or isinstance(b, tuple):
        return type(a) is type(b) and len(a) == len(b) and all(is_same(x, y, ulps) for x, y in zip(a, b))
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return is_same_array(a, b)
    if isinstance(a, list) or isinstance(b, list):
        return type(a) is type(b) and is_same(tuple(a), tuple(b), ulps)
    if isinstance(a, dict) and isinstance(b, dict):
        return is_same(list(a.items()), list(b.items()), ulps)
    if isinstance(b, np.generic):
        b = b.item()
    if type(a) is not type(b):
        return False
    if isinstance(a, complex):
        return is_same(a.real, b.real, ulps) and is_same(a.imag, b.imag, ulps)
    return ulps_between(a, b) <= ulps if isinstance(a, float) else a == b


def is_same_array(a, b):
    """Equality of type, shape and elements; NaNs are equal, zeros of different sign are not."""
    if type(a) is not type(b) or a.dtype != b.dtype or a.shape != b.shape:
        return False
    with np.errstate(all="ignore"):
        same = (a == b) & (np.signbit(a.real) == np.signbit(b.real)) if a.dtype.kind in "fc" else a == b
        return bool(np.all(same | ((a != a) & (b != b))))


def assert_same(function, *arguments, ulps=0, oracle=None):
    """Call compiled and plain function with the same arguments; nothing may differ, and nothing may leak.

    ``oracle`` replaces the plain function. Returns the result of the compiled one.
    """
    ours, theirs = copied(arguments), copied(arguments)
    before = arrays_alive()
    result = outcome(function, ours)
    wanted = outcome(oracle or function.py_func, theirs)
    shown = f"{getattr(function, '__name__', function)}{tuple(arguments)}: {result}, but CPython {wanted}"
    assert result[0] == wanted[0], shown
    if result[0] == "raised":
        assert result == wanted, shown
    else:
        assert is_same(result[1], wanted[1], ulps), shown
    mine = other = None
    for mine, other in zip(ours, theirs):
        assert not isinstance(mine, np.ndarray) or is_same_array(mine, other), f"{shown}\nargument {mine}, but {other}"
    del mine, other
    value = result[1] if result[0] == "returned" else None
    del result, wanted, shown
    if not _holds_array(value):
        del ours
        assert arrays_alive() == before, "an array leaked"
    return value


def _holds_array(value):
    if isinstance(value, tuple):
        return any(map(_holds_array, value))
    return isinstance(value, np.ndarray)


def arrays_alive():
    """How many arrays made by compiled code are not freed yet."""
    allocated, freed = _pyarray.allocation_counts()
    return allocated - freed


@functools.lru_cache(64)
def compiled_once(function):
    """One of each function, which many arguments come to."""
    return njit(function)


def agrees(function, *arguments, output=None):
    """Asserts that the compiled function returns or raises what the plain one does, and leaks nothing.

    ``output``: pytest's capsys, where what both print is compared too.
    """
    compiled = function if hasattr(function, "py_func") else compiled_once(function)
    ours, theirs = copy.deepcopy(arguments), copy.deepcopy(arguments)
    before = _pyarray.allocation_counts()
    got = outcome(compiled, ours)
    printed = output.readouterr().out if output else None
    wanted = outcome(compiled.py_func, theirs)
    assert repr(got) == repr(wanted)
    assert _types(got) == _types(wanted)
    assert repr(ours) == repr(theirs)
    if output:
        assert printed == output.readouterr().out
    del got
    after = _pyarray.allocation_counts()
    assert after[0] - before[0] == after[1] - before[1]


def _types(value):
    """The type of a value, and of what it holds."""
    if isinstance(value, dict):
        return dict, [(_types(key), _types(item)) for key, item in value.items()]
    if isinstance(value, (tuple, list)):
        return type(value), [_types(item) for item in value]
    return type(value)
