"""Functions with declared signatures that compiled code calls: which one is taken, and what arguments become."""

import numpy as np
import pytest
from pyarray import float32, float64, int32, int64, njit, types
from pyarray.errors import TypingError


@njit("int32(int64)")
def low(x):
    return x


@njit([float32(float32), int64(int64)])
def double(x):
    return x + x


@njit(float64(float64))
def factorial(n):
    return 1.0 if n < 2 else n * factorial(n - 1)


@njit("Tuple((float32, int8))(float64)")
def parts(x):
    return x, 300


@njit(types.UniTuple(float64, 2)(types.Tuple((float64, float64))))
def swapped(pair):
    return pair[1], pair[0]


@njit("float64(float64, optional(float64))")
def scaled(x, factor):
    return x if factor is None else x * factor


@njit("float64(float64[::1])")
def first(a):
    return a[0]


@njit("void(float64[:], float64)")
def fill(a, value):
    for i in range(len(a)):
        a[i] = value


@njit("int64(List(int64))")
def pushed(xs):
    xs.append(7)
    return len(xs)


@njit("float64(float64, float64)")
def with_default(x, y=2.5):
    return x * y


def test_results_and_arguments_become_those_of_the_signature():
    @njit
    def f(x, y):
        return low(x), low(x) // 2, double(y), double(1), double(np.float32(0.1)), factorial(20)

    result = f(2**31 + 6, 0.1)
    assert result == (
        6 - 2**31,
        (6 - 2**31) // 2,
        float(np.float32(0.1)) * 2,
        2,
        float(np.float32(0.1)) * 2,
        2432902008176640000.0,
    )
    assert [type(x) for x in result] == [int, int, float, int, float, float]


def test_it_is_what_python_gets():
    @njit
    def f(x):
        return double(x)

    for x in (3, np.float32(0.1), np.int32(3), np.int8(4), np.uint16(5)):
        assert f(x) == double(x) and type(f(x)) is type(double(x))


def test_tuples_and_optionals():
    @njit
    def f(x, none):
        return parts(x), swapped((1, 2)), scaled(3, none), scaled(3, 2), swapped((x, 1))

    assert f(0.1, None) == ((float(np.float32(0.1)), 44), (2.0, 1.0), 3.0, 6.0, (1.0, 0.1))


def test_arrays_stay_as_they_are():
    @njit
    def f(a):
        fill(a[::2], 1)
        fill(a, True)
        return first(a), first(a[1:])

    a = np.zeros((3, 4))
    assert f(a[1]) == (1.0, 1.0)
    assert a.sum() == 4


def test_lists_that_are_made_here():
    @njit
    def f():
        xs = []
        return pushed(xs), pushed(xs), xs

    assert f() == (1, 2, [7, 7])


def test_defaults():
    @njit
    def f():
        return with_default(2), with_default(2, 1), with_default(y=3, x=1)

    assert f() == (5.0, 2.0, 3.0)


def test_it_is_a_function_like_others():
    @njit
    def apply(g, x):
        return g(x)

    @njit
    def f(x):
        return apply(low, x), [low, low][0](x)

    assert f(2**32 + 1) == (1, 1) and apply(low, 2**32 + 1) == 1


def test_no_signature_fits():
    @njit
    def f(x):
        return double(x)

    with pytest.raises(TypingError, match=r"double\(\): no declared signature takes arguments of types \(complex128\)"):
        f(1j)
    with pytest.raises(TypingError, match=r"Hint: it is compiled for \(float32\); \(int64\)"):
        f("a")

    @njit
    def g(a):
        return first(a)

    with pytest.raises(TypingError, match="no declared signature"):
        g(np.zeros((2, 2)))


def test_int32_results_wrap_in_the_loop():
    @njit("int32(int64[:])")
    def step(state):
        state[0] = (state[0] * 1103515245 + 12345) & 0xFFFFFFFF
        return state[0]

    @njit
    def draw(state, n):
        return [step(state) for _ in range(n)]

    a, b = np.array([1]), np.array([1])
    assert draw(a, 20) == [step(b) for _ in range(20)] and min(draw(a, 20)) < 0


def test_declared_types_are_in_the_cache_key(tmp_path):
    import subprocess
    import sys

    def run(signature):
        (tmp_path / "one.py").write_text(
            f"from pyarray import njit\n@njit('{signature}')\ndef f(x):\n    return x\n"
            "@njit\ndef g(x):\n    return f(x)\nprint(g(3))\n"
        )
        return subprocess.run([sys.executable, tmp_path / "one.py"], capture_output=True, text=True, check=True).stdout

    assert run("int64(int64)") == "3\n" and run("float64(float64)") == "3.0\n" and run("int64(int64)") == "3\n"


def test_int32_arguments():
    @njit
    def f(x):
        return double(x)

    assert f(np.int32(2**31 - 1)) == 2**32 - 2
    assert f.nopython_signatures == [int64(int32)]


def test_what_is_always_inlined_has_the_types_of_its_caller():
    """As in Numba: signatures are for calls alone."""

    @njit(["int64(int64)", "int32[:](int32[:])"], inline="always")
    def twice(x):
        return x * 2

    @njit
    def f(x):
        return twice(x)

    assert f(1.5) == 3.0 and f(np.array([1.5])).tolist() == [3.0]
    assert twice(1.5) == 2
