"""Exceptions that their own function catches without asking for them: branches, not recorded (lower_plain_raises.c)."""


import numpy as np
import pytest
from compare import agrees
from pyarray import njit


class Mine(ValueError):
    pass


def counts(n):
    good = bad = 0
    for i in range(n):
        try:
            if i % 3 == 0:
                raise ValueError(f"text {i}")
            good += 1
        except ValueError:
            bad += 1
    return good, bad


def clauses(n):
    out = []
    for i in range(n):
        kind = 0
        try:
            if i % 5 == 0:
                raise Mine(i)
            if i % 5 == 1:
                raise KeyError(i)
            if i % 5 == 2:
                raise ZeroDivisionError
            if i % 5 == 3:
                raise ArithmeticError("x", i)
        except ValueError:
            kind = 1
        except (KeyError, ZeroDivisionError):
            kind = 2
        except:  # noqa: E722
            kind = 3
        else:
            kind = 4
        out.append(kind)
    return out


def operations(a, d, n):
    caught = 0
    for i in range(n):
        try:
            a[i] += 1
            d[i] = 10 // (i - 3)
        except IndexError:
            caught += 1
        except ZeroDivisionError:
            caught += 100
    return caught, a[0], len(d)


def jumps(n):
    for i in range(n):
        try:
            if i == 1:
                raise KeyError
            if i == 3:
                raise IndexError
            if i == 5:
                raise ValueError
        except KeyError:
            continue
        except IndexError:
            break
        except ValueError:
            return -1
    else:
        return -2
    return i


def nested(n):
    total = 0
    for i in range(n):
        try:
            try:
                if i % 2:
                    raise KeyError(i)
                raise OSError(i)
            except ValueError:
                total += 1000
        except KeyError:
            total += 1
        except OSError:
            total += 10
    return total


def mixed(n):
    total = 0
    for i in range(n):
        try:
            if i % 2:
                raise KeyError(i)
            raise ValueError(str(i))
        except KeyError:
            total += 1
        except ValueError as error:
            try:
                raise error
            except ValueError:
                total += 10
    return total


def with_finally(n):
    total = 0
    for i in range(n):
        try:
            try:
                if i % 2:
                    raise KeyError(i)
            finally:
                total += 100
        except KeyError:
            total += 1
    return total


def holds_memory(n):
    words = ["a"]
    for i in range(n):
        try:
            words.append("word " + str(i))
            rows = [words.copy(), ["b"]]
            if i % 2:
                raise ValueError("no " + words[-1])
            words = rows[1]
        except ValueError:
            words = ["c", "d"]
    return words


@njit
def half(x):
    if x % 2:
        raise ValueError("odd")
    return x // 2


def callees(n):
    total = 0
    for i in range(n):
        try:
            total += half(i)
        except ValueError:
            total -= 1
    return total


def uncaught(n):
    try:
        if n:
            raise KeyError(n)
    except ValueError:
        return 1
    return 0


def in_a_handler(n):
    try:
        raise KeyError(n)
    except KeyError:
        try:
            raise ValueError(n)
        except ValueError:
            n += 1
        raise IndexError(n)  # noqa: B904


def caused(n):
    try:
        raise KeyError(n) from None
    except KeyError:
        n += 1
    return n


CASES = [
    (counts, (10,)),
    (clauses, (11,)),
    (operations, (np.arange(4.0), {0: 0}, 7)),
    (jumps, (9,)),
    (jumps, (1,)),
    (nested, (6,)),
    (mixed, (6,)),
    (with_finally, (6,)),
    (holds_memory, (7,)),
    (callees, (9,)),
    (uncaught, (0,)),
    (uncaught, (3,)),
    (in_a_handler, (3,)),
    (caused, (3,)),
]


@pytest.mark.parametrize("function, arguments", CASES, ids=lambda value: getattr(value, "__name__", ""))
def test_as_cpython(function, arguments):
    if function is operations:
        compiled = njit(function)
        assert compiled(arguments[0].copy(), {0: 0}, 7) == function(arguments[0].copy(), {0: 0}, 7)
    else:
        agrees(function, *arguments)


def test_contexts_of_what_follows():
    def f(n):
        try:
            raise KeyError(n)
        except KeyError:
            n += 1
        raise ValueError(n)

    with pytest.raises(ValueError) as raised:
        njit(f)(1)
    assert raised.value.__context__ is None


def plain(n, out):
    for i in range(n):
        try:
            raise ValueError("x")
        except ValueError:
            i += 1


def recorded(n, out):
    for _ in range(n):
        try:
            raise ValueError("x")
        except ValueError:
            out[0] += 1  # which could raise, and have a context


def test_they_are_branches():
    for function in (plain, recorded):
        compiled = njit(function)
        compiled(1, np.zeros(1))
        (code,) = compiled.inspect_llvm().values()
        assert ("@pyarray_rt_catch" in code) == (function is recorded)
