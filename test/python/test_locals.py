"""``locals={...}``: variables that are numbers of a declared type."""

import subprocess
import sys

import numpy as np
import pyarray
import pytest
from pyarray import cfunc, float32, float64, int64, njit, types, uint8, vectorize
from pyarray.extending import register_jitable


def test_what_is_assigned_is_converted():
    @njit(locals={"total": float32, "i": types.uint8, "n": int64})
    def f(x, n):
        total = 0.0
        for i in range(n, n + 3):  # noqa: B007
            total += x
        return total, i

    total, i = f(0.1, 255.9)
    expected = np.float32(0)
    for _ in range(3):
        expected = np.float32(expected + 0.1)
    assert total == expected and i == 1


def test_all_ways_to_assign():
    @njit(locals={name: float32 for name in "abcdefgh"})
    def f(x, h):
        a, (b, *_) = x, (x, x)
        c = d = x
        d += 0
        if (e := x) > 0:
            pass
        for g in (x, x):  # noqa: B007
            pass
        try:
            k = x
        finally:
            a = x
        return [a, b, c, d, e, g, h], k

    rounded = float(np.float32(0.1))
    assert f(0.1, 0.1) == ([rounded] * 7, 0.1)


def test_bools_and_complex():
    @njit(locals={"flag": types.boolean, "z": types.complex64})
    def f(x):
        flag = x
        z = x
        return flag, z

    assert f(2) == (True, 2 + 0j) and f(2)[0] is True


def test_types_that_are_no_numbers_are_not_looked_at():
    @njit(locals={"a": float64[:], "s": types.unicode_type, "xs": types.ListType(int64), "unused": float32})
    def f(n):
        a = np.zeros(n)
        s = "s"
        xs = [1]
        return len(a), s, xs

    assert f(3) == (3, "s", [1])


def test_it_belongs_to_the_function_alone():
    @njit(locals={"x": float32})
    def g(x):
        return x

    @njit
    def f(x):
        def h():
            x = 0.1
            return x

        return g(x), x, h()

    @njit(locals={"x": float32})
    def nested(y):
        x = 0.1

        def h(x):
            return x + 0.0

        return h(y), x, [x for x in (y,)]

    rounded = float(np.float32(0.1))
    assert f(0.1) == (rounded, 0.1, 0.1)
    assert nested(0.1) == (0.1, rounded, [0.1])


def test_other_decorators():
    @register_jitable(locals={"x": float32})
    def g(y):
        x = y
        return x

    @njit
    def f(y):
        return g(y)

    @cfunc("float64(float64)", locals={"x": float32})
    def c(y):
        x = y
        return x

    @vectorize(locals={"x": uint8})
    def v(y):
        x = y
        return x

    assert f(0.1) == c.ctypes(0.1) == float(np.float32(0.1))
    assert v(np.array([257, 3])).tolist() == [1, 3]


def test_values_that_become_no_number():
    @njit(locals={"x": float32})
    def f(y):
        x = y
        return x

    with pytest.raises(pyarray.PyArrayError, match="float32"):
        f(np.zeros(2))


@pytest.mark.parametrize("given", [{"x": 1}, {1: float32}, ["x"], {"x": "float32"}])
def test_no_types(given):
    with pytest.raises(TypeError, match="locals is a dict of variables' names and types"):
        njit(locals=given)


def test_locals_are_in_the_cache_key(tmp_path):
    def run(kind):
        (tmp_path / "one.py").write_text(
            "import pyarray\n"
            f"@pyarray.njit(locals={{'y': pyarray.{kind}}})\ndef f(x):\n    y = x\n    return y\n"
            "@pyarray.njit\ndef g(x):\n    return f(x)\nprint(f(2.5), g(2.5))\n"
        )
        return subprocess.run([sys.executable, tmp_path / "one.py"], capture_output=True, text=True, check=True).stdout

    assert run("int64") == "2 2\n" and run("float64") == "2.5 2.5\n" and run("int64") == "2 2\n"


@pytest.mark.parametrize("n", [0, 3, 255, 256, 257, 300])
def test_indices_that_wrap(n):
    @njit(locals={"i": uint8})
    def f(a, n):
        total = 0.0
        for i in range(n):
            total += a[i]
            a[i] += 1
        return total

    @njit(locals={"i": types.int8})
    def signed(a, start, n):
        total = 0.0
        for i in range(start, n):
            total += a[i]
        return total

    def plain(a, n):
        total = 0.0
        for i in range(n):
            total += a[i % 256]
            a[i % 256] += 1
        return total

    a, b = np.arange(256.0), np.arange(256.0)
    assert f(a, n) == plain(b, n) and (a == b).all()
    if n > 3:
        with pytest.raises(IndexError):
            f(np.zeros(3), n)
    assert signed(b, 0, n) == sum(b[(i + 128) % 256 - 128] for i in range(n))
    assert signed(b, -5, 5) == sum(b[i] for i in range(-5, 5))
