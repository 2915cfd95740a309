"""Warnings about code that compiles but is likely not what was meant."""

import linecache
import warnings

import numpy as np
import pytest
from pyarray import errors, njit, vectorize

pytestmark = pytest.mark.real


def caught(function, *arguments):
    """What calling a function for the first time warns of: (class, text, line from the function's first)."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        function(*arguments)
    first = function.py_func.__code__.co_firstlineno
    return [(w.category, str(w.message), w.lineno - first) for w in found]


EXCESSIVE = ["10**20 + x", "x + 9223372036854775807 * 3", "(1 << 64) + x", "x - 4611686018427387904 * 4"]


@pytest.mark.parametrize("expression", EXCESSIVE)
def test_overflow_of_constants(expression, monkeypatch):
    namespace = {}
    lines = f"def f(x):\n    return {expression}\n"
    exec(compile(lines, "<overflow>", "exec"), namespace)
    monkeypatch.setitem(linecache.cache, "<overflow>", (len(lines), None, lines.splitlines(True), "<overflow>"))
    found = caught(njit(cache=False)(namespace["f"]), 1)
    assert [(category, line) for category, _, line in found] == [(errors.OverflowWarning, 1)]
    assert "exceeds int64 and wraps" in found[0][1]


def test_no_overflow():
    @njit
    def f(x):
        return x + 2**62 + (1 << 62) - 2**62 * 1 + 10**18

    assert caught(f, 1) == []


def test_unreachable_statements():
    @njit
    def f(x):
        for _ in range(x):
            if x > 2:
                break
                x += 1
            else:
                continue
            x += 2
        while True:
            x += 1
            if x > 100:
                return x
        return -1

    found = [(category, line) for category, _, line in caught(f, 1)]
    assert found == [(errors.UnreachableCodeWarning, at) for at in (5, 8, 13)]


def test_branches_that_constants_decide_are_reachable():
    debug = False

    @njit
    def f(x):
        if debug:
            return 0
        if isinstance(x, float):
            return 1
        return 2

    assert caught(f, 1) == []


def test_performance_is_opt_in(monkeypatch):
    def half(x, i):
        return x * 0.5 + i

    x = np.float32(3)
    assert caught(njit(cache=False)(half), x, 1) == []
    monkeypatch.setenv("PYARRAY_WARN", "performance")
    found = caught(njit(cache=False)(half), x, 1)
    assert [category for category, _, _ in found] == [errors.NumbaPerformanceWarning]
    assert "float32 * float64 is computed in float64" in found[0][1] and "hint: write float32(...)" in found[0][1]
    assert caught(njit(cache=False)(half), 3.0, 1) == []
    found = caught(njit(cache=False)(lambda x, i: x + i), x, 1)
    assert "float32 + int64" in found[0][1]


def test_warnings_can_be_errors():
    @njit
    def f(x):
        return x
        x += 1

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(errors.UnreachableCodeWarning):
            f(1)
    with pytest.warns(errors.UnreachableCodeWarning):
        assert f(1) == 1


def test_ufuncs_warn_too():
    with pytest.warns(errors.UnreachableCodeWarning):

        @vectorize(["float64(float64)"])
        def f(x):
            return x
            return -x

    assert f(2.0) == 2.0


def test_warnings_come_once_for_each_variant():
    @njit(cache=False)
    def f(x):
        return x
        x += 1

    assert len(caught(f, 1)) == 1 and caught(f, 2) == [] and len(caught(f, 2.0)) == 1
