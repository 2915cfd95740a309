"""Blocks of compiled functions that the interpreter runs: with objmode(y="float64[:]")."""

import ctypes
import json
import os
import re
import subprocess
import sys
import threading

import numpy as np
import pyarray
import pytest
from compare import arrays_alive
from pyarray import cfunc, jitclass, njit, objmode, prange, types
from pyarray.errors import PyArrayError, TypingError, UnsupportedError

pytestmark = pytest.mark.real

point = np.dtype([("x", "f8"), ("n", "i4")], align=True)


@njit
def spectrum(x):
    with objmode(y="complex128[::1]"):
        y = np.fft.fft(x)
    return y[0].real + x[0], y


def test_arrays():
    x = np.arange(8.0)
    total, y = spectrum(x)
    assert total == 28.0 and (y == np.fft.fft(x)).all()
    before = arrays_alive()
    for _ in range(20):
        spectrum(x)
    assert arrays_alive() == before


def test_the_array_is_the_callers():
    @njit
    def f(x):
        with objmode():
            x[0] = 5
            x.sort()
        return x[0]

    x = np.array([3.0, 2.0, 1.0])
    assert f(x) == 1.0 and x.tolist() == [1, 2, 5]


seen = []


def note(*values):
    seen.append(values)


@njit
def report(n, text, flag, pair):
    total = 0
    for i in range(n):
        with objmode():
            note(i, text, flag, pair)
        total += i
    return total


def test_no_outputs():
    seen.clear()
    assert report(3, "é", True, (1, 2.5)) == 3
    assert seen == [(i, "é", True, (1, 2.5)) for i in range(3)]
    assert [type(v) for v in seen[0]] == [int, str, bool, tuple]


@pytest.mark.parametrize(
    "kind, value",
    [
        ("int64", 3),
        ("int8", -3),
        ("uint64", 2**64 - 1),
        ("float64", 2.5),
        ("float32", np.float32(2.5)),
        ("complex128", 1 - 2j),
        ("complex64", np.complex64(1 - 2j)),
        ("boolean", True),
        ("unicode_type", "aé"),
        ("float64[:,:]", np.arange(6.0).reshape(2, 3)),
        ("int32[::1]", np.arange(6, dtype=np.int32)),
        (types.Tuple((types.int64, types.unicode_type)), (1, "x")),
        (types.ListType(types.int64), [1, 2, 3]),
        (types.DictType(types.unicode_type, types.float64), {"a": 1.5}),
        (types.Optional(types.int64), None),
        (types.Optional(types.int64), 4),
        (types.from_dtype(point)[::1], np.ones(3, point)),
        (types.Optional(types.float64[::1]), np.ones(3)),
        (types.Tuple((types.Optional(types.unicode_type), types.float64)), ("a", 1)),
        (types.NPDatetime("D"), np.datetime64("2020-02-29")),
    ],
    ids=str,
)
def test_types(kind, value):
    def make():
        return value

    @njit
    def f():
        with objmode(y=kind):
            y = make()
        return y

    before = arrays_alive()
    for _ in range(3):
        got = f()
        if isinstance(value, np.ndarray):
            assert got.dtype == value.dtype and (got == value).all()
        else:
            assert got == value
    del got
    assert arrays_alive() == before


def test_several_outputs_and_inputs():
    @njit
    def f(a, b):
        c = a * 2
        with objmode(s="unicode_type", n="int64", c="float64"):
            s = f"{a}-{b}-{c}"
            n = len(s)
            c += 0.5
            unused = {}  # noqa: F841
        return s, n, c

    assert f(1, 2.5) == ("1-2.5-2", 7, 2.5)


def test_names_of_the_surroundings():
    offset = 10

    @njit
    def f(n):
        with objmode(y="int64"):
            y = offset + sum(k for k in range(n)) + len(json.dumps([n]))
        return y

    assert f(4) == 10 + 6 + 3


@njit
def factorial(n):
    with objmode(y="int64"):
        y = factorial(n - 1) if n > 1 else 1
    return y * n


@njit
def make(n):
    with objmode(y="boolean"):
        y = make is the_compiled_make
    return y


the_compiled_make = make


def test_its_own_name():
    assert factorial(5) == 120 and make(1)

    @njit
    def inner(n):
        with objmode(y="int64"):
            block = inner.py_func.__name__
            y = (lambda k: inner(k) if k else len(block))(n - 1)
        return y + 1

    assert inner(3) == 8


def test_its_own_name_before_it_is_bound():
    @njit("int64(int64)")
    def inner(n):
        with objmode(y="int64"):
            y = inner(n - 1) if n > 0 else 0
        return y + 2

    assert inner(3) == 8


def test_names_that_change():
    step = 1

    @njit
    def f(n):
        with objmode(y="int64"):
            y = n + step
        return y

    assert f(1) == 2
    step = 5
    assert f(1) == 6


def test_the_name_in_tracebacks():
    @njit
    def fails(n):
        with objmode(y="int64"):
            y = 1 // n
        return y

    with pytest.raises(ZeroDivisionError) as raised:
        fails(0)
    assert raised.traceback[-1].name == "fails"


def test_control_flow_in_the_block():
    @njit
    def f(n):
        with objmode(y="int64"):
            y = 0
            for k in range(100):
                if k == n:
                    break
                try:
                    y += {0: 5}[k]
                except KeyError:
                    y += 1
            with open(os.devnull) as file:
                y += len(file.read())
            match [n, y]:
                case [first, *rest] if first > 2:
                    y += rest[0]
            if y > 0:
                last = 1
            else:
                last = 2
            import math as mathematics

            def more(k, step=n):
                return mathematics.floor(k + 0.5) + step - n

            y += last + more(1) + [n for n in [n]][0] - n
        return y

    assert f(3) == 16


def fail(x):
    raise x


def test_exceptions_are_the_same_objects():
    @njit
    def f(x, k):
        a = np.ones(5)
        with objmode(y="float64"):
            y = fail(errors[k]) if k else x + a[0]
        return y + a[1]

    errors = [None, ValueError("v", 1), KeyboardInterrupt(), OSError(2, "no"), type("Mine", (Exception,), {})("m")]
    before = arrays_alive()
    assert f(1.0, 0) == 3.0
    for k in range(1, len(errors)):
        with pytest.raises(type(errors[k])) as raised:
            f(1.0, k)
        assert raised.value is errors[k]
        functions = [entry.name for entry in raised.traceback]
        assert functions[-3:] == ["f", "f", "fail"], functions
        errors[k].__traceback__ = None
        del raised
    assert arrays_alive() == before


def test_handlers_around():
    @njit
    def f(k):
        n = 0
        try:
            with objmode():
                fail(ValueError("x"))
        except Exception:
            n = 1
        try:
            if k:
                raise ValueError
        except ValueError:
            with objmode(n="int64"):
                n = 2
        return n

    assert f(0) == 1
    with pytest.raises(
        RuntimeError, match="an objmode block runs neither in a parallel loop nor in an exception handler"
    ):
        f(1)


def test_a_parallel_loop_refuses():
    @njit(parallel=True)
    def f(a):
        for i in prange(len(a)):
            with objmode(y="float64"):
                y = 1.0
            a[i] = y

    with pytest.raises(RuntimeError, match="an objmode block runs neither in a parallel loop"):
        f(np.zeros(1000))

    @njit(parallel=True)
    def outside(a):
        with objmode(k="float64"):
            k = float(len(a))
        for i in prange(len(a)):
            a[i] = k
        return a[5]

    assert outside(np.zeros(1000)) == 1000.0


@pytest.mark.parametrize(
    "kind, value, message",
    [
        ("int64", 1.5, "the objmode block gave 1.5, of type 'float', where int64 is declared"),
        ("int64", "x", "of type 'str', where int64 is declared"),
        ("float64", 1j, "where float64 is declared"),
        (types.Tuple((types.Optional(types.int64), types.int64)), (1.5, 1), r"of type Tuple\(float64, int64\), where"),
        ("int8", 300, "where int8 is declared"),
        ("float64[:]", np.zeros((2, 2)), r"where array\(float64, 1d, A\) is declared"),
        ("float64[::1]", np.zeros(4, np.float32), "where array"),
        ("float64[::1]", np.zeros(4)[::2], "where array"),
        ("float64", object, "of type 'type', where float64 is declared"),
        ("unicode_type", b"x", "of type 'bytes'"),
        (types.Tuple((types.int64, types.int64)), (1, 2, 3), r"of type UniTuple\(int64 x 3\), where"),
    ],
    ids=str,
)
def test_wrong_results(kind, value, message):
    @njit
    def f():
        with objmode(y=kind):
            y = value
        return y

    with pytest.raises(TypeError, match=message):
        f()


def twice(x):
    with objmode(y="int64"):
        y = x * 2
    return y


def test_within_compiled_callees_and_back():
    inner = njit(twice)

    @njit
    def outer(x):
        with objmode(y="int64"):
            y = int(inner(x)) + 1 if x < 100 else -1
        return y + inner(x)

    assert outer(5) == 21
    assert njit(lambda x: inner(x) + inner(x + 1))(3) == 14

    @njit
    def depth(n):
        with objmode(y="int64"):
            y = 0 if n == 0 else depth(n - 1) + 1
        return y

    assert depth(30) == 30


@pytest.mark.filterwarnings("ignore")
def test_threads_and_callbacks():
    f = njit(nogil=True)(twice)
    results = []
    threads = [threading.Thread(target=lambda k=k: results.append(f(k) - 2 * k)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [0] * 8
    assert cfunc("int64(int64)")(twice).ctypes(21) == 42
    assert isinstance(cfunc("int64(int64)")(twice).ctypes, ctypes._CFuncPtr)


@jitclass([("n", types.int64)])
class Counter:
    def __init__(self):
        self.n = 0

    def step(self):
        self.n += 1
        return self.n


def test_instances_and_records():
    @njit
    def f(counter, r):
        with objmode(y="int64"):
            counter.step()
            r["x"] = 4.5
            y = counter.n
        return y + counter.step(), r.x

    counter = Counter()
    a = np.zeros(1, point)
    assert f(counter, a[0]) == (3, 4.5) and a["x"][0] == 4.5


def returns(x):
    with objmode(y="int64"):
        y = 1
        return y


def breaks(x):
    for _ in range(x):
        with objmode():
            break


def unbound(x):
    with objmode(y="int64"):
        x = 1
    return x


def positional(x):
    with objmode("int64"):
        pass


def unpacked(x):
    with objmode(**{"y": "int64"}):
        y = 1
    return y


def no_type(x):
    with objmode(y="integer"):
        y = 1
    return y


def more_than_a_type(x):
    with objmode(y="int64 )"):
        y = 1
    return y


def named(x):
    with objmode(y="int64") as z:  # noqa: F841
        y = 1
    return y


def nested(x):
    def inner(k):
        with objmode(y="int64"):
            y = k
        return y

    return inner(x)


def other(x):
    with open("x") as f:
        return f


def later(x):
    with objmode(y="int64"):
        y = z = x
    return y + z


def a_function(x):
    with objmode(y="int64"):
        y = later.__name__ and helper(x)
    return y + (lambda k: k)(x)


def helper(x):
    return x


@pytest.mark.parametrize(
    "function, error, message",
    [
        (returns, TypingError, "'return' in an objmode block is not supported"),
        (breaks, TypingError, "'break' in an objmode block is not supported"),
        (unbound, TypingError, "the block does not bind 'y'"),
        (positional, TypingError, "takes the types of variables by their names"),
        (unpacked, TypingError, "takes the types of variables by their names, not in a dict"),
        (no_type, PyArrayError, "integer"),
        (more_than_a_type, PyArrayError, "nothing may follow a type"),
        (named, TypingError, "objmode has no 'as'"),
        (nested, UnsupportedError, "'with' in a nested function"),
        (other, UnsupportedError, "'with' is not supported in compiled code; open and close the resource"),
        (later, PyArrayError, "z"),
    ],
)
def test_refusals(function, error, message):
    with pytest.raises(error, match=re.escape(message)) as refused:
        njit(function)(3)
    assert f'{os.path.basename(__file__)}", line' in str(refused.value)


def test_a_function_beside():
    assert njit(a_function)(3) == 6


def test_inputs_that_python_cannot_have():
    @njit
    def f(x):
        def g(k):
            return k + x

        with objmode(y="int64"):
            y = g(1)
        return y

    with pytest.raises(TypingError, match="cannot be used in an objmode block"):
        f(1)


PROGRAM = """
import sys
from pyarray import njit, objmode

@njit(cache=True)
def f(x):
    with objmode(y="int64"):
        y = x + {}
    return y

print(f(1))
"""


def test_blocks_are_not_kept_on_disk(tmp_path):
    program = tmp_path / "program.py"
    for offset in (1, 2):
        program.write_text(PROGRAM.format(offset))
        for _ in range(2):
            environment = {
                **os.environ,
                "PYARRAY_CACHE_DIR": str(tmp_path / "cache"),
                "PYARRAY_CACHE": "1",
                "PYARRAY_WARN": "0",
            }
            out = subprocess.run(
                [sys.executable, str(program)], env=environment, capture_output=True, text=True, check=True
            ).stdout
            assert out == f"{1 + offset}\n"


def test_plain_python():
    assert pyarray.objmode is objmode and twice(4) == 8


def test_what_is_no_exception_passes_handlers():
    def stop(kind):
        raise kind

    @njit
    def f(n):
        try:
            with objmode():
                stop((ValueError, KeyboardInterrupt, SystemExit)[n])
        except Exception:
            return 1
        return 2

    assert f(0) == 1
    with pytest.raises(KeyboardInterrupt):
        f(1)
    with pytest.raises(SystemExit):
        f(2)


def test_without_a_call():
    seen = []

    @njit
    def f(x):
        with objmode:
            seen.append(x)
        with pyarray.objmode:
            seen.append(-x)
        return x

    assert f(3) == 3 and seen == [3, -3]
