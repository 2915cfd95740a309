"""Exceptions in the handlers that caught them: their text (str, repr, print, format), and isinstance."""

import contextlib
import io
import subprocess
import sys
import threading

import numpy as np
import pytest
from compare import agrees, arrays_alive
from pyarray import errors, njit, objmode, prange

pytestmark = pytest.mark.real


class Plain(Exception):
    pass


class Worded(ValueError):
    def __init__(self, code, what):
        super().__init__(code, what)
        self.code, self.what = code, what

    def __str__(self):
        return f"{self.what} with code {self.code}"

    def __repr__(self):
        return f"<Worded {self.code}>"


def of_all_kinds(x):
    try:
        if x == 0:
            raise ValueError(f"text {x}")
        if x == 1:
            raise KeyError("k")
        if x == 2:
            raise IndexError
        if x == 3:
            raise TypeError("a", x, 2.5, None, True, 1 + x * 1j)
        if x == 4:
            raise Plain("plain ünïcödé €")
        if x == 5:
            raise Worded(x, "failure")
        if x == 6:
            return str([0][x])
        if x == 7:
            return str(1 // (x - 7))
        if x == 8:
            return str(int("not a number"))
        if x == 9:
            return str({1: 2}[x])
        if x == 10:
            return str(np.zeros(3)[x])
        if x == 11:
            raise Worded(1, "one") from KeyError("cause")
        return "none"
    except Exception as e:
        return str(e) + "|" + repr(e) + "|" + f"{e}|{e!r}|{e!s:>40}|" + "{} {}".format(e, x)  # noqa: UP032


@pytest.mark.parametrize("x", range(13))
def test_text_is_that_of_cpython(x):
    before = arrays_alive()
    assert njit(of_all_kinds)(x) == of_all_kinds(x)
    assert arrays_alive() == before


def test_print():
    @njit
    def f(n):
        for i in range(n):
            try:
                if i % 2:
                    raise ValueError("odd", i)
                raise KeyError(i)
            except (ValueError, KeyError) as e:
                print("caught:", e, repr(e), sep=" / ")

    outputs = []
    for function in (f, f.py_func):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            function(5)
        outputs.append(out.getvalue())
    assert outputs[0] == outputs[1] and outputs[0].count("caught") == 5


def test_nested_handlers_have_each_its_own():
    def f(x):
        log = []
        try:
            raise ValueError("outer", x)
        except ValueError as a:
            try:
                raise KeyError("inner")
            except KeyError as b:
                log.append(str(a))
                log.append(repr(b))
            log.append(repr(a))
        return log

    agrees(f, 3)


def test_an_exception_goes_on_after_its_text():
    @njit
    def f(x):
        try:
            raise ValueError("first", x)
        except ValueError as e:
            text = repr(e)
            if x:
                raise
            raise KeyError(text) from e

    for x in (0, 1):
        raised = []
        for function in (f, f.py_func):
            with pytest.raises(Exception) as caught:
                function(x)
            error, lines = caught.value, []
            traceback = error.__traceback__.tb_next
            while traceback:
                lines.append(traceback.tb_lineno)
                traceback = traceback.tb_next
            raised.append((repr(error), repr(error.__cause__), repr(error.__context__), lines))
        assert raised[0] == raised[1]


@njit
def raises_and_tells(x):
    try:
        raise IndexError(x)
    except IndexError as e:
        return repr(e)


class Compiled(Exception):
    def __str__(self):
        try:
            return raises_and_tells(5) + handled_elsewhere(2)
        except ZeroDivisionError as error:
            return f"{error} in the context of {error.__context__!r}"


@njit
def handled_elsewhere(x):
    return str(x // (x - 2))


def test_a_method_may_run_compiled_code_with_errors_of_its_own():
    @njit
    def f(x):
        try:
            raise Compiled(x)
        except Compiled as e:
            text = str(e)
            return text + repr(e)

    assert f(1) == f.py_func(1)


class Failing(Exception):
    def __str__(self):
        raise LookupError("no text")

    def __repr__(self):
        return 3


def test_a_method_that_fails():
    @njit
    def f(represent):
        try:
            raise Failing(1)
        except Failing as e:
            return repr(e) if represent else str(e)

    with pytest.raises(LookupError, match="no text"):
        f(False)
    with pytest.raises(TypeError, match="returned non-string"):
        f(True)


def test_exceptions_of_the_interpreter():
    @njit
    def f(x):
        try:
            with objmode(y="int64"):
                y = {1: 2}[x]
            return str(y)
        except Exception as e:
            return repr(e)

    assert f(1) == "2" and f(5) == "KeyError(5)"


def test_callee_and_generator():
    @njit(inline="never")
    def callee(x):
        if x > 2:
            raise ValueError("deep", x)
        return x

    @njit
    def generate(n):
        for i in range(n):
            try:
                yield str(callee(i))
            except ValueError as e:
                yield repr(e)

    @njit
    def f(x):
        try:
            return str(callee(x))
        except ValueError as e:
            return str(e)

    assert list(generate(5)) == ["0", "1", "2", "ValueError('deep', 3)", "ValueError('deep', 4)"]
    assert [f(1), f(3)] == ["1", "('deep', 3)"]


def test_threads():
    @njit(nogil=True)
    def f(x, n):
        length = 0
        for i in range(n):
            try:
                raise ValueError("number", x, i)
            except ValueError as e:
                length += len(str(e))
        return length

    f(0, 1)
    results = {}
    threads = [threading.Thread(target=lambda k=k: results.update({k: f(k, 2000)})) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = sum(len(str(("number", 1, i))) for i in range(2000))
    assert [results[k] for k in range(4)] == [expected] * 4


def test_parallel_loops_have_no_text():
    @njit(parallel=True)
    def f(n):
        a = np.zeros(n)
        for i in prange(n):
            try:
                if i >= 0:
                    raise ValueError("a", i)
            except ValueError as e:
                a[i] = len(str(e))
        return a

    with pytest.raises(RuntimeError, match="text and the arguments of an exception cannot be read in a parallel loop"):
        f(100_000)


def test_what_leaves_the_handler_is_text():
    @njit
    def kept(n):
        texts = []
        for i in range(n):
            try:
                raise ValueError(i)
            except ValueError as e:
                texts.append(str(e))
        return texts

    assert kept(4) == ["0", "1", "2", "3"]

    @njit
    def notes():
        try:
            raise ValueError(1)
        except ValueError as e:
            return e.__notes__

    with pytest.raises(errors.UnsupportedError, match="the attribute '__notes__' of an exception"):
        notes()


def test_cached_code_knows_its_sites(tmp_path):
    source = tmp_path / "cached_text.py"
    source.write_text(
        "from pyarray import njit\n\n\n"
        "class Own(Exception):\n    pass\n\n\n"
        "@njit(cache=True)\ndef f(x):\n    try:\n        raise Own('own', x)\n"
        "    except Own as e:\n        return repr(e)\n\n\n"
        "print(f(3), sum(f.stats.cache_hits.values()))\n"
    )
    runs = [subprocess.run([sys.executable, source], capture_output=True, text=True, check=True) for _ in range(2)]
    assert [run.stdout for run in runs] == ["Own('own', 3) 0\n", "Own('own', 3) 1\n"]


CLASSES = (KeyError, Worded)


def which(x):
    try:
        if x == 0:
            raise KeyError(x)
        if x == 1:
            raise Worded(x, "y")
        if x == 2:
            raise Plain
        if x == 3:
            return [1][x] > 0, False, False, False, False
        return np.ones(2)[x] > 0, isinstance(x, ValueError), isinstance(x, CLASSES), False, False
    except Exception as e:
        try:
            raise TypeError(x)
        except TypeError as inner:
            both = isinstance(e, TypeError) or not isinstance(inner, TypeError)
        known = isinstance(e, (LookupError, Plain)), isinstance(e, CLASSES)
        return isinstance(e, ValueError), known[0], known[1], isinstance(e, Exception), both


def test_isinstance():
    agrees(which, 0)
    for x in range(6):
        assert njit(which)(x) == which(x)


def test_isinstance_of_several_callees():
    @njit(inline="never")
    def callee(x):
        if x == 0:
            raise Worded(1, "w")
        return 1 // (x - 1)

    @njit
    def f(x):
        try:
            return callee(x)
        except Exception as e:
            return -1 if isinstance(e, ArithmeticError) else -2 if isinstance(e, Worded) else -3

    assert [f(x) for x in range(3)] == [-2, -1, 1]
