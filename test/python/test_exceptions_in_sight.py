"""Which raises a handler can see, for the types of e.args: those that no handler between takes."""

import types

import pytest
from pyarray import errors, njit

D = {1: 2}


@njit
def checked(d, k):
    try:
        return d[k]
    except KeyError:
        raise ValueError("no", k) from None


@njit
def quiet(d, k):
    try:
        return d[k]
    except KeyError:
        return 0


@njit
def deep(n):
    if n == 0:
        raise ValueError("deep", 3)
    try:
        return deep(n - 1)
    except KeyError:
        return 1


def end_of_an_iterator():
    out = []
    it = iter([1, 2])
    while True:
        try:
            out.append(next(it))
        except StopIteration as e:
            return out, e.args, str(e), repr(e)


def end_of_a_generator():
    g = (x for x in [1])
    next(g)
    try:
        next(g)
    except Exception as e:
        return e.args, e.args == (), len(e.args)


def taken_within():
    try:
        try:
            D[5]
        except KeyError:
            pass
        raise ValueError("a", 1)
    except Exception as e:
        return e.args


def taken_within_by_a_base():
    try:
        try:
            D[5]
        except (IndexError, LookupError):
            pass
        1 // (len(D) - 1)
    except Exception as e:
        return e.args


def an_operation_after_it():
    try:
        try:
            D[5]
        except KeyError:
            pass
        next(iter([1][1:]))
    except Exception as e:
        return e.args


def another_instead():
    try:
        try:
            D[5]
        except KeyError:
            raise ValueError("instead", 5) from None
    except Exception as e:
        return e.args


def raised_again():
    try:
        try:
            D[5]
        except KeyError:
            raise
    except Exception as e:
        return e.args


def passed_by():
    try:
        try:
            D[5]
        except ValueError:
            pass
        finally:
            len(D)
    except Exception as e:
        return e.args


def an_earlier_clause():
    try:
        D[5]
        raise ValueError("b")
    except KeyError:
        return ("key",)
    except Exception as e:
        return e.args


def taken_by_functions():
    out = []
    try:
        checked(D, 9)
    except Exception as e:
        out.append(e.args)
    try:
        deep(3)
    except Exception as e:
        out.append(e.args)
    try:
        1 // quiet(D, 9)
    except Exception as e:
        return out, e.args


PROGRAMS = [
    end_of_an_iterator,
    end_of_a_generator,
    taken_within,
    taken_within_by_a_base,
    an_operation_after_it,
    another_instead,
    raised_again,
    passed_by,
    an_earlier_clause,
    taken_by_functions,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_as_in_python(program):
    names = dict(globals())
    for name, value in globals().items():
        if hasattr(value, "py_func"):
            names[name] = types.FunctionType(value.py_func.__code__, names)
    assert njit(program)() == types.FunctionType(program.__code__, names)()


def test_what_may_be_raised_again_is_in_sight():
    @njit
    def f(d, again):
        try:
            try:
                d[5]
            except KeyError:
                if again:
                    raise
            raise ValueError("text")
        except Exception as e:
            return e.args

    with pytest.raises(errors.TypingError, match="several types"):
        f({1: 2}, True)
