"""Small arrays that loops carry, whose memory is the loop's own where nobody can tell, against NumPy."""

import re

import numpy as np
import pytest
from pyarray import njit


def filtered(z, n):
    x, p = np.zeros(2), np.eye(2)
    f = np.array([[1.0, 1.0], [0.0, 1.0]])
    out = np.empty(z.size)
    for i in range(n):
        x = f @ x
        p = f @ p @ f.T + 0.1 * np.eye(2)
        gain = p[:, 0] / (p[0, 0] + 0.5)
        x = x + gain * (z[i] - x[0])
        p = p - np.outer(gain, p[0])
        out[i] = x[0]
    return out[:n], x, p


def in_place(z, n):
    x = np.zeros(3)
    for i in range(n):
        x += z[i]
        x[1] *= 2
    return x


def known_before(z, n):
    x = np.zeros(2)
    y = x
    for i in range(n):
        x[0] += z[i]
        x = x + 1
    return x, y


def known_in_the_loop(z, n):
    start = np.ones(2)
    x = start
    for i in range(n):
        x = x + start * z[i]
        start[0] += 1
    return x, start


def exchanged(z, n):
    a, b = np.zeros(2), np.ones(2)
    for i in range(n):
        a, b = b, a
        a[0] += z[i]
    return a, b


def one_for_two(z, n):
    a, b = np.zeros(2), np.zeros(2)
    for i in range(n):
        t = a + z[i]
        a = t
        b = t
        b[1] = 5
    return a, b


def views(z, n):
    x = np.zeros((2, 3))
    row = x[0]
    for i in range(n):
        x = x + z[i]
        row[1] += 1
        row = x[1]
    return x, row


def turned(z, n):
    x = np.arange(4.0).reshape(2, 2)
    for i in range(n):
        x = (x + z[i]).T
    return x


def kept(z, n):
    x, all = np.zeros(2), []
    for i in range(n):
        x = x + z[i]
        all.append(x)
    return x, np.array([a[0] for a in all]) if n else np.zeros(0)


def other_extents(z, n):
    x = np.zeros(2)
    for i in range(n):
        x = np.ones(3) if i == 1 else x * 2 + z[i]
    return x


def nested(z, n):
    total = np.zeros(3)
    for i in range(n):
        x = np.full(3, z[i])
        for k in range(i):
            x = x * 0.5 + k
        total = total + x
    return total


def through_loops(z, n):
    x = np.ones(2)
    for i in range(n):
        for k in range(2):
            x = x * 0.5 + z[i] * k
    return x


def left_early(z, n):
    x = np.zeros(2)
    for i in range(n):
        x = x + z[i]
        if x[0] > 1:
            break
    return x


def in_a_while(z, n):
    x, i = np.zeros(2), 0
    while i < n:
        x = x + z[i]
        i += 1
    return x


def after_an_error(z, n):
    x = np.zeros(2)
    try:
        for i in range(n + 1):
            x = x + z[i] * 1.0
            if i == n:
                raise ValueError
    except ValueError:
        x = x * 2
    return x


def sliced(z, n):
    x = np.zeros(6)
    for i in range(n):
        x = np.concatenate((x[1:], x[:1])) + z[i]
        x[1:-1] = x[2:] + x[:-2]
        x[::2] += x[1::2]
    return x


def large(z, n):
    x = np.zeros((15, 15))
    for i in range(n):
        x = x * 0.5 + z[i]
    return x


def integers(z, n):
    x, seen = np.zeros(2, np.int32), np.zeros(4, np.bool_)
    for i in range(n):
        x = x + np.int32(i)
        seen = seen | (x[0] > i)
    return x, seen


def identities(z, n):
    total = np.zeros((3, 3))
    for i in range(n):
        total += np.eye(3) * z[i] + np.identity(3) - np.eye(3, 3, 1) + np.eye(3, k=-2)
    return total, np.eye(2, 5, 3), np.eye(0), np.eye(4, 2, -9)


def never_another(z, n):
    x, other = np.zeros(z.size), np.ones(z.size)
    y = x
    for i in range(n):
        for k in range(i):
            if z[k] > 0.5:
                x += z * k
            else:
                x -= other
        y[i] *= 2
        other *= x
    x += 1
    return x, y, other


def another_by_chance(z, n):
    x = np.zeros(z.size)
    y = x
    for i in range(n):
        if z[i] > 0.7:
            x = x + z
        else:
            x += z
        y[0] += 1
    return x, y


PROGRAMS = [
    never_another, another_by_chance,
    filtered, in_place, known_before, known_in_the_loop, exchanged, one_for_two, views, turned, kept, nested,
    through_loops, left_early, in_a_while, after_an_error, sliced, large, integers, identities, other_extents,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("parallel", [False, True], ids=["", "parallel"])
def test_carried(program, parallel):
    z = np.random.default_rng(4).random(9)
    compiled = njit(parallel=parallel)(program)
    for n in (0, 1, 2, 7):
        expected, got = program(z, n), compiled(z, n)
        for a, b in zip(
            got if isinstance(got, tuple) else (got,),
            expected if isinstance(expected, tuple) else (expected,),
            strict=True,
        ):
            assert a.dtype == b.dtype
            np.testing.assert_allclose(a, b, rtol=1e-13)


def test_identity_of_what_is_returned():
    z = np.random.default_rng(4).random(9)
    x, y = njit(known_before)(z, 0)
    assert x is y or np.shares_memory(x, y)
    x, y = njit(known_before)(z, 3)
    assert not np.shares_memory(x, y)
    a, b = njit(one_for_two)(z, 2)
    assert np.shares_memory(a, b)


def test_they_are_in_stack_memory():
    text = njit(filtered).inspect_mlir("optimized", "(float64[::1], int64)")
    assert text.count("pyarray.stack") > 8
    assert not re.search(r"pyarray.for .*!pyarray.array.* in %\d+ : !pyarray.range iter", text)


def test_what_is_never_another_is_not_carried():
    text = njit(never_another).inspect_mlir("optimized", "(float64[::1], int64)")
    assert "pyarray.retain" not in text.split("pyarray.for", 1)[1].split("return")[0].rsplit("}", 1)[0]
