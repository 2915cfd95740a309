"""try, finally and raise: compiled functions against CPython, with tracebacks, causes, contexts and side effects."""

import linecache
import sys
import traceback
import types

import numpy as np
import pytest
from compare import arrays_alive, define, description, strict
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarray import cuda, njit, prange, vectorize
from pyarray.errors import TypingError, UnsupportedError
from random_exceptions import HEADER, program

pytestmark = pytest.mark.real
MODULE = "exceptions_under_test"  # where compiled code finds the classes that it raises


def run(source, compiled, never_inlined):
    """The function f of the source. Both versions have one file name, so that their tracebacks are alike."""
    filename = f"<test exceptions {len(source)} {hash(source)}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    names = {"np": np, "__name__": MODULE, "compiled": compiled, "never_inlined": never_inlined}
    exec(compile(source, filename, "exec"), names)
    return names


def plain_function(source):
    """f as CPython runs it; a new one, for code that has run a few times gives lines before those of unbound names."""
    return run(source, lambda f: f, lambda f: f)["f"]


def load(source):
    """f, compiled and as CPython runs it."""
    names = run(source, njit, njit(inline="never"))
    module = sys.modules.setdefault(MODULE, types.ModuleType(MODULE))
    vars(module).update(MyError=names["MyError"], Sub=names["Sub"])
    return names["f"], plain_function(source)


def outcome(function, *arguments):
    arguments = [value.copy() if isinstance(value, np.ndarray) else value for value in arguments]
    try:
        result = "returned", function(*arguments)
    except Exception as error:
        result = "raised", description(error)
    return result, [value.tolist() for value in arguments if isinstance(value, np.ndarray)]


def check(source, numbers):
    compiled = load(source)[0]
    for n in numbers:
        a = np.array([1.0, 0.0, 2.0, 4.0])
        plain = plain_function(source)
        before = arrays_alive()
        got, expected = outcome(compiled, a, n), outcome(plain, a, n)
        assert repr(got) == repr(expected), f"n = {n}\n{source}"
        assert arrays_alive() == before, f"n = {n}\n{source}"


CLASSES = HEADER[: HEADER.index("@compiled")]
PROGRAMS = {
    "caught": """
@compiled
def f(a, n):
    try:
        a[0] = 1.0
        x = float(a[n])
        return x
    except IndexError:
        return -1.0
""",
    "bare_raise_with_finally": """
@compiled
def f(a, n):
    try:
        return 1.0 / float(a[n])
    except IndexError:
        raise
    finally:
        a[0] += 1
""",
    "raise_again_and_from": """
@compiled
def f(a, n):
    try:
        return 1.0 / float(a[n])
    except IndexError as e:
        raise e
    except ZeroDivisionError as e:
        raise ValueError(n, float(a[0])) from e
""",
    "from_none_and_new_cause": """
@compiled
def f(a, n):
    try:
        return 1.0 / float(a[n])
    except IndexError as e:
        raise KeyError("x") from None
    except ZeroDivisionError as e:
        raise Sub(n) from TypeError(n, (float(a[0]), 3))
""",
    "return_in_try_and_nested_handlers": """
@compiled
def f(a, n):
    try:
        try:
            return 1.0 / float(a[n])
        finally:
            a[1] = 5.0
            b = np.ones(n + 3)
            a[2] = b[n]
    except (KeyError, LookupError):
        b = np.zeros(3)
        try:
            raise Sub(n, 3.5)
        except MyError:
            a[3] = 7.0
            if n == 100: return float(b[0])
            raise
    return 2.0
""",
    "loop_with_callees": """
@compiled
def h(a, n):
    return 1.0 / float(a[n])
@never_inlined
def k(a, n):
    try:
        return h(a, n)
    except ZeroDivisionError:
        raise ValueError("zero")
@compiled
def f(a, n):
    s = 0.0
    for i in range(n):
        try:
            s += k(a, i)
        except ValueError:
            s -= 1
            continue
        except IndexError:
            break
        else:
            s += 10
        finally:
            a[0] += 1
    return s
""",
    "inlined_callee_raises_again": """
@compiled
def h(a, n):
    try:
        return 1.0 / float(a[n])
    except ZeroDivisionError:
        raise
@compiled
def f(a, n):
    try:
        x = h(a, n)
    except ZeroDivisionError:
        x = 3.0
        raise
    finally:
        a[1] = x if n > 0 else 2.0
    return x
""",
    "break_and_return_in_finally": """
@compiled
def f(a, n):
    i = 0
    while True:
        try:
            i += 1
            a[i] = i
            if i > n: return float(i)
        except IndexError as e:
            while i > 5:
                try:
                    i -= 1
                    if i == 6: raise MyError()
                except MyError:
                    break
            return -float(i)
        finally:
            a[0] += 1
            if i == 3 and n == 50: break
            if i == 2 and n == 51: return 77.0
            if i == 2: continue
    return 0.5
""",
    "arrays_in_variables": """
@compiled
def f(a, n):
    try:
        b = np.ones(n)
        c = np.zeros(n)
        c[n + 1] = 3
    except IndexError:
        b = b[::-1]
        return float(b[0]) + c.size
    finally:
        try:
            d = np.zeros(5)
            assert n > 3, (n, "small")
        except AssertionError:
            a[0] = d.size
            if n == 2: raise
    return 1.0
""",
    "nothing_to_raise": """
@compiled
def f(a, n):
    raise
""",
    "unbound": """
@compiled
def f(a, n):
    try:
        x = 1 // n
        del x
        return float(a[n]) + x
    except UnboundLocalError:
        return -1.0
    except ZeroDivisionError:
        raise RuntimeError("a") from Sub
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name):
    check(CLASSES + PROGRAMS[name], (0, 1, 2, 3, 5, 50, 51, 100))


@given(st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_random_program(seed):
    check(program(seed), (0, 1, 2, 3))


@pytest.mark.parametrize("seed", [125, 19, 2150334559])
def test_random_program_again(seed):
    check(program(seed), (0, 1, 2, 3))


CATCHES = [
    ("a[9]", "IndexError"), ("a[9]", "LookupError"), ("1 // n", "ZeroDivisionError"), ("1 // n", "ArithmeticError"),
    ("2 ** (n - 1)", "ValueError"), ("math.sqrt(n - 1.0)", "ValueError"), ("math.exp(1e4 + n)", "OverflowError"),
    ("np.empty(10**15 + n).size", "MemoryError"), ("deep(n)", "RecursionError"), ("deep(n)", "RuntimeError"),
    ("len(range(n, n, n))", "(KeyError, ValueError)"), ("a[9]", "Exception"), ("a[9]", "BaseException"),
    ("(1, 2)[n + 5]", "IndexError"),
]  # fmt: skip


@pytest.mark.parametrize("expression, caught", CATCHES)
def test_errors_of_operations(expression, caught):
    deep = define("def deep(n):\n    return deep(n + 1) + 1\n", "deep")
    handlers = f"    except KeyError:\n        return 1\n    except {caught}:\n        return 2\n    return 3\n"
    f = define(f"def f(a, n):\n    try:\n        {expression}\n{handlers}", decorator=strict, deep=deep)
    assert f(np.zeros(3), 0) == 2


def test_classes_of_a_frozen_tuple():
    source = "def f(n):\n    try:\n        return 1 // n\n    except ERRORS:\n        return -1\n"
    f = define(source, ERRORS=(KeyError, ZeroDivisionError))
    assert f(0) == -1 and f(1) == 1


def test_an_uncaught_exception_passes():
    f = define("def f(n):\n    try:\n        return 1 // n\n    except (KeyError, IndexError):\n        return -1\n")
    with pytest.raises(ZeroDivisionError):
        f(0)


ARGUMENTS = [True, 3, -1.5, 2 + 3j, np.uint64(2**64 - 1), np.float32(0.5), (1, (2.5, True)), None]


@pytest.mark.parametrize("argument", ARGUMENTS)
def test_computed_arguments(argument):
    f = define("def f(x):\n    raise ValueError('was', x, ('in', x))\n")
    with pytest.raises(ValueError) as caught:
        f(argument)
    assert caught.value.args == ("was", argument, ("in", argument))


def test_braces_in_a_message_stay():
    f = define("def f(x):\n    raise ValueError('{0} of {1}', x)\n")
    with pytest.raises(ValueError) as caught:
        f(5)
    assert caught.value.args == ("{0} of {1}", 5)


def test_handlers_end():
    body = "    try:\n        raise KeyError\n    except KeyError:\n        n += 1\n    return 1 // (n - 1)\n"
    source = "def f(n):\n" + body
    with pytest.raises(ZeroDivisionError) as caught:
        define(source)(0)
    assert caught.value.__context__ is None


def test_reduction_in_prange_with_try():
    source = """
def f(a, n):
    total, failed = 0, 0
    for i in prange(n):
        b = np.ones(3)
        try:
            if i % 3 == 1:
                raise ValueError(i)
            total += a[i] + int(b[i % 5])
        except ValueError:
            failed += 1
        except IndexError:
            total += 7
    return total, failed
"""
    compiled = define(source, decorator=njit(parallel=True), prange=prange)
    plain = define(source, decorator=lambda f: f, prange=range)
    a, before = np.arange(100_000), arrays_alive()
    for n in (0, 1, 10, 100_000, 100_007):
        assert compiled(a, n) == plain(a, n)
    assert arrays_alive() == before


def test_prange_in_try():
    source = """
def f(a, n):
    try:
        for i in prange(n):
            a[i] = 100 // (n - 5 - i)
    except ZeroDivisionError as error:
        for i in prange(n):
            a[i] = 1
        raise KeyError(n) from error
    finally:
        a[0] = -1
"""
    f = define(source, decorator=njit(parallel=True), prange=prange)
    a = np.zeros(5000, np.int64)
    f(a, 4)
    with pytest.raises(KeyError) as caught:
        f(a, 5000)
    assert caught.value.args == (5000,) and isinstance(caught.value.__cause__, ZeroDivisionError)
    assert [frame.lineno for frame in traceback.extract_tb(caught.value.__cause__.__traceback__)] == [5]
    assert a[0] == -1 and (a[1:] == 1).all()


def test_try_around_prange_whose_variable_the_handler_reads():
    source = """
def f(n):
    x = -1
    try:
        for i in prange(n):
            x = i
            x // (n - 5 - i)
    except ZeroDivisionError:
        return x
    return -2
"""
    f = define(source, decorator=njit(parallel=True), prange=prange)
    assert [f(n) for n in (0, 6, 5000)] == [-2, 1, 4995]


def test_try_in_vectorize_and_around_a_ufunc():
    @vectorize
    def divided(x, y):
        try:
            if x < 0:
                raise ValueError("negative")
            if y == 0:
                raise KeyError(x)
            return x // y
        except KeyError:
            return -1

    x, y = np.arange(6), np.array([0, 1, 2, 0, 1, 2])
    assert divided(x, y).tolist() == [-1, 1, 1, -1, 4, 2]
    with pytest.raises(ValueError, match="negative"):
        divided(x - 3, y)
    source = "def f(a, b):\n    try:\n        return v(a, b)[1]\n    except ValueError:\n        return -100\n"
    f = define(source, v=divided)
    before = arrays_alive()
    assert f(x, y) == 1 and f(x - 3, y) == -100 and arrays_alive() == before


def test_deep_recursion_of_handlers():
    source = """
def f(n):
    try:
        if n == 0:
            raise ValueError("bottom")
        return f(n - 1)
    except ValueError:
        if n == 300:
            return n
        raise
"""
    f = define(source)
    assert f(300) == 300
    with pytest.raises(ValueError) as caught:
        f(40)
    assert len([x for x in traceback.extract_tb(caught.value.__traceback__) if x.name == "f"]) == 41


REFUSED = [
    ("return type(e)", "exception"), ("return e.__notes__", "__notes__"), ("return e", "handler|exception"),
    ("x = e", "handler|unify"),
    ("raise x", "class|exception"), ("raise ValueError(a)", "array"), ("raise ValueError from 3", "class|cause"),
    ("raise ValueError(k=3)", "keyword"),
]  # fmt: skip


@pytest.mark.parametrize("statement, word", REFUSED)
def test_refused(statement, word):
    body = f"    x = 1\n    try:\n        a[7]\n    except IndexError as e:\n        {statement}\n    return x\n"
    source = "def f(a):\n" + body
    with pytest.raises((UnsupportedError, TypingError), match=word):
        define(source)(np.zeros(3))


def test_refused_on_a_gpu():
    source = "def f(a):\n    try:\n        a[0] = 1\n    except IndexError:\n        a[1] = 2\n"
    kernel = define(source, decorator=cuda.jit)
    with pytest.raises(UnsupportedError, match="'try' on a GPU"):
        kernel[1, 1](np.zeros(3))


def test_raises_that_are_remembered():
    """Arguments of exceptions and code objects of frames are made once, and are right each time."""

    @njit
    def f(x, y):
        if x < 0:
            raise ValueError("negative", 1, (2.5, None))
        if x == 0:
            raise KeyError(x, y)
        if x == 1:
            raise KeyError(y, x)
        return [1.0, float("inf")][x]

    def seen(*arguments):
        with pytest.raises((ValueError, KeyError, IndexError)) as caught:
            f(*arguments)
        return type(caught.value), caught.value.args, caught.traceback[-1].lineno

    for _ in range(3):
        for y in (2.5, 3.5):
            kind, args, first = seen(-1, y)
            assert (kind, args) == (ValueError, ("negative", 1, (2.5, None)))
            assert seen(0, y) == (KeyError, (0, y), first + 2)
            assert seen(1, y) == (KeyError, (y, 1), first + 4)
            assert seen(5, y)[::2] == (IndexError, first + 5)


def test_more_places_than_are_remembered():
    functions = []
    for k in range(40):
        text = f"def f(x):\n    raise ValueError(x, {k}, 'place {k}')\n"
        name = f"<remembered {k}>"
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        space = {}
        exec(compile(text, name, "exec"), space)
        functions.append(njit(space["f"]))
    for x in (1, 2):
        for k, f in enumerate(functions):
            with pytest.raises(ValueError) as caught:
                f(x)
            assert caught.value.args == (x, k, f"place {k}")
            assert str(caught.traceback[-1].path).endswith(f"<remembered {k}>")


@njit
def raised_again(x):
    if x:
        raise
    return 1


@njit
def raised_further_out(x):
    try:
        return raised_again(x)
    except Exception:
        raised_again(0)
        raise


class Unusual(BaseException):
    pass


@pytest.mark.parametrize("f", [raised_again, raised_further_out])
@pytest.mark.parametrize("error", [ValueError("a"), KeyError(1), Unusual("b"), KeyboardInterrupt()])
def test_raise_of_what_python_handles(f, error):
    with pytest.raises(type(error)) as caught:
        try:
            raise error
        except BaseException:
            assert f(0) == 1
            f(1)
    assert caught.value is error and error.__context__ is None
    with pytest.raises(RuntimeError, match="No active exception to reraise"):
        f(1)
