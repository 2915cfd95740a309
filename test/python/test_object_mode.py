"""jit(forceobj=True), and declared signatures whose functions cannot be compiled."""

import warnings

import pyarray
import pytest
from pyarray import config, float64, jit, njit


def seen_by(make):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        return make(), seen


def kinds(x):
    return {"value": x, "kind": type(x).__name__}


DECORATORS = [jit(forceobj=True), jit("int64(int64)", forceobj=True), jit(forceobj=True, nopython=False)]


@pytest.mark.parametrize("decorator", DECORATORS)
def test_forceobj(decorator):
    made, seen = seen_by(lambda: decorator(kinds))
    assert made("a") == {"value": "a", "kind": "str"} and made(1)["kind"] == "int"
    (warning,) = seen
    assert "kinds() is not compiled" in str(warning.message) and warning.filename == __file__
    assert warning.lineno == kinds.__code__.co_firstlineno


def test_forceobj_without_parentheses_and_of_others():
    assert seen_by(lambda: jit(kinds, forceobj=True))[0].py_func is kinds
    assert seen_by(lambda: jit(forceobj=True)(njit(kinds)))[0].py_func is kinds
    with pytest.raises(TypeError, match="takes a function"):
        jit(forceobj=True)(3)
    with pytest.raises(TypeError, match="Unrecognized options: 'no_such_option'"):
        jit(forceobj=True, no_such_option=1)
    with pytest.raises(pyarray.UnsupportedError, match="option of jit alone"):
        pyarray.vectorize(forceobj=True)(kinds)


def test_njit_ignores_forceobj():
    made, seen = seen_by(lambda: njit(forceobj=True)(lambda x: x + 1))
    assert made(1) == 2 and isinstance(made, pyarray.core.registry.CPUDispatcher)
    assert [str(one.message) for one in seen] == ["forceobj is set for njit and is ignored"]
    assert seen[0].filename == __file__


def refused(x):
    return pyarray.no_such_function(x)


def test_declared_errors_are_raised():
    with pytest.raises(pyarray.TypingError, match="no_such_function"):
        njit("float64(float64)")(refused)


def test_declared_errors_become_warnings(monkeypatch):
    monkeypatch.setattr(config, "DECLARED_ERRORS", "warn")
    made, seen = seen_by(lambda: njit(["float64(float64)", float64(float64, float64)][:1])(refused))
    (warning,) = seen
    assert "refused() cannot be compiled for its declared signatures" in str(warning.message)
    assert "no_such_function" in str(warning.message) and warning.filename == __file__
    for _ in range(2):
        with pytest.raises(pyarray.TypingError, match="no_such_function"):
            made(1.0)

    @njit
    def calls(x):
        return made(x)

    with pytest.raises(pyarray.NumbaError, match="no_such_function"):
        calls(1.0)
    good, seen = seen_by(lambda: njit("float64(float64)")(lambda x: x + 1))
    assert good(1) == 2.0 and not seen
    with pytest.raises(TypeError):  # no refusal of the compiler
        njit("float64(float64)")(3)


def test_modules_that_name_the_package_numba(monkeypatch):
    monkeypatch.setitem(globals(), "numba", pyarray)
    _, seen = seen_by(lambda: njit("float64(float64)")(refused))
    assert "no_such_function" in str(seen[0].message)
    monkeypatch.setattr(config, "DECLARED_ERRORS", "raise")
    with pytest.raises(pyarray.TypingError, match="no_such_function"):
        njit("float64(float64)")(refused)


def test_a_warning_that_is_an_error(monkeypatch):
    monkeypatch.setattr(config, "DECLARED_ERRORS", "warn")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(pyarray.errors.NumbaWarning, match="no_such_function"):
            njit("float64(float64)")(refused)


def test_what_is_not_compiled_has_what_compiled_functions_have():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")

        @jit(forceobj=True)
        def spread(x, y=2, *, z=3):
            """Text."""
            return x, y, z

    assert spread(1) == (1, 2, 3) and spread.py_func(1, z=0) == (1, 2, 0)
    assert (spread.__name__, spread.__doc__, spread.overloads, spread.signatures) == ("spread", "Text.", {}, [])
    spread.disable_compile()
