"""Loops over prange in functions whose arrays are a GPU's: kernels, where they only read, write and compute."""

import numpy as np
import pytest
from pyarray import cuda, njit, prange

pytestmark = pytest.mark.real
RNG = np.random.default_rng(11)
X, Y = RNG.normal(size=1000), RNG.normal(size=1000)
M = RNG.normal(size=(40, 30))
K = RNG.integers(-50, 50, size=1000)


def loops(compiled):
    text = compiled.inspect_mlir("optimized", compiled.signatures[0])
    launches = [line for line in text.splitlines() if "pyarray.launch" in line and ".loop" in line]
    return len({line.split("@")[1].split("(")[0] for line in launches})


def both(function, *arguments, count=1):
    """Results and arguments of a GPU, and NumPy's: CPython runs prange as range."""
    own, other = [copied(a) for a in arguments], [copied(a) for a in arguments]
    expected = function(*other)
    compiled = njit(target="cuda")(function)
    got = compiled(*own)
    for a, b in zip((got, *own), (expected, *other)):
        check(a, b)
    assert loops(compiled) == count
    on_device = [cuda.to_device(a) if isinstance(a, np.ndarray) else a for a in arguments]
    check(compiled(*on_device), expected)
    for a, b in zip(on_device, other):
        check(a, b)
    return compiled


def copied(a):
    return a.copy() if isinstance(a, np.ndarray) else a


def check(a, b):
    if isinstance(b, tuple):
        for one, other in zip(a, b):
            check(one, other)
    elif b is not None:
        np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=1e-12, atol=1e-12)


def elementwise(a, b, out):
    for i in prange(len(a)):
        if a[i] > 0:
            out[i] = a[i] * b[i] + 1
        else:
            out[i] = np.sin(b[i])


def rows(m, out):
    for i in prange(m.shape[0]):
        total = 0.0
        for j in range(m.shape[1]):
            total += m[i, j] ** 2
        out[i] = np.sqrt(total)


def views(m, out):
    for i in prange(len(m)):
        row = m[i]
        least = row[0]
        for j in range(1, len(row)):
            least = min(least, row[j])
        out[i] = least


def rows_by_items(m, out):
    for i in prange(len(m)):
        square = 0.0
        for x in m[i]:
            square += x * x
        out[i] = np.sqrt(square)


def until(a, out):
    for i in prange(len(a)):
        x, n = abs(a[i]) + 1, 0
        while x < 100:
            x *= 1.5
            n += 1
        out[i] = n


def stencil(u, v):
    for i in prange(1, u.shape[0] - 1):
        for j in prange(1, u.shape[1] - 1):
            v[i, j] = (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]) / 4


def strided(a, out):
    for i in prange(len(a) - 1, 2, -3):
        out[i] = a[i - 1]


def with_number(a, out):
    mean = a.mean()
    for i in prange(len(a)):
        out[i] = a[i] - mean


def of_fused(a, b):
    c = a * 2 + b
    d = np.empty_like(c)
    for i in prange(len(c)):
        d[i] = c[len(c) - 1 - i]
    return d.sum()


FILLED = {
    "elementwise": (elementwise, X, Y, np.zeros(1000)),
    "rows": (rows, M, np.zeros(40)),
    "views": (views, M, np.zeros(40)),
    "rows_by_items": (rows_by_items, M, np.zeros(40)),
    "until": (until, X, np.zeros(1000, np.int32)),
    "stencil": (stencil, M, np.zeros((40, 30))),
    "strided": (strided, X, np.zeros(1000)),
    "with_number": (with_number, X, np.zeros(1000)),
    "of_fused": (of_fused, X, Y),
    "float32": (elementwise, X.astype("f4"), Y.astype("f4"), np.zeros(1000, np.float32)),
    "transposed": (stencil, M.T, np.zeros((30, 40))),
}


@pytest.mark.parametrize("name", FILLED)
def test_elements_are_computed_by_a_kernel(name):
    function, *arguments = FILLED[name]
    if name == "float32":
        out, other = np.zeros(1000, np.float32), np.zeros(1000, np.float32)
        function(*arguments[:2], other)
        njit(target="cuda")(function)(*arguments[:2], out)
        np.testing.assert_allclose(out, other, rtol=1e-5)
    else:
        both(function, *arguments)


def total(a):
    s = 0.0
    for i in prange(len(a)):
        s += a[i] * a[i]
    return s


def several(a):
    s, p, low, high, n = 1.0, 2.0, 1000.0, -1000.0, 0
    for i in prange(len(a)):
        s -= a[i]
        p *= 1 + a[i] / 1e4
        low = min(low, a[i])
        high = max(high, a[i])
        if a[i] > 0:
            n += 1
    return s, p, low, high, n


def searched(a):
    most = a[0]
    for i in prange(len(a)):
        if a[i] > most:
            most = a[i]
    return most


def bits(k):
    a, o, x = -1, 0, 5
    for i in prange(len(k)):
        a &= k[i] | 0xF0
        o |= k[i]
        x ^= k[i]
    return a, o, x


def both_kinds(a, out):
    s = 0.0
    for i in prange(len(a)):
        t = a[i] * 2
        out[i] = t
        s += t
    return s


@pytest.mark.parametrize("function, arguments", [(total, (X,)), (several, (X,)), (searched, (X,)), (bits, (K,)),
                                                 (both_kinds, (X, np.zeros(1000))), (total, (X[::3],)),
                                                 (total, (np.empty(0),)), (bits, (K.astype(np.int16),))])  # fmt: skip
def test_reductions(function, arguments):
    both(function, *arguments)


def steps(u, v, n):
    for _ in range(n):
        for i in prange(1, len(u) - 1):
            v[i] = (u[i - 1] + u[i + 1]) / 2
        u, v = v, u
    return u


def test_the_host_loops_around_kernels():
    both(steps, X, np.zeros(1000), 7)


def test_functions_are_inlined():
    @njit
    def weight(x, y):
        return x * y if x > y else x + y

    def pairs(a, out):
        for i in prange(len(a)):
            s = 0.0
            for j in range(len(a)):
                s += weight(a[i], a[j])
            out[i] = s

    both(pairs, X[:50].copy(), np.zeros(50))

    @njit(parallel=True)
    def scale(a, s):
        for i in prange(len(a)):
            a[i] *= s

    def twice(a):
        scale(a, 2.0)
        scale(a, 3.0)

    compiled = njit(target="cuda")(twice)
    a = X.copy()
    compiled(a)
    np.testing.assert_allclose(a, X * 6)
    assert "pyarray.launch" in compiled.inspect_mlir("optimized", compiled.signatures[0])


def last_value(a):
    s = 0.0
    for i in prange(len(a)):
        s = a[i]
    return s


def histogram(k, bins):
    for i in prange(len(k)):
        bins[k[i] + 50] += 1


def new_arrays(a):
    out = np.zeros(len(a))
    for i in prange(len(a)):
        t = np.empty(3)
        t[0] = a[i]
        out[i] = t[0]
    return out


@pytest.mark.parametrize("function, arguments", [(last_value, (X[:20],)), (new_arrays, (X[:20],))])
def test_other_loops_are_the_hosts(function, arguments):
    both(function, *arguments, count=0)


def subtracted(k, a, sums):
    for i in prange(len(k)):
        sums[0, k[i] % 7] -= a[i]
        sums[1, k[i] % 7] += 1


@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.uint32, np.float64, np.float32, np.int8])
def test_what_several_iterations_add_to_is_changed_atomically(dtype):
    bins, other = np.zeros(100, dtype), np.zeros(100, dtype)
    histogram(K % 40, other)
    compiled = njit(target="cuda")(histogram)
    compiled(K % 40, bins)
    np.testing.assert_array_equal(bins, other)
    assert loops(compiled) == (dtype is not np.int8)  # for which there are no atomics


def test_sums_of_several_iterations():
    both(subtracted, K, X, np.zeros((2, 7)))
    compiled = njit(target="cuda")(histogram)
    with pytest.raises(IndexError):
        compiled(K + 51, np.zeros(100, np.int64))


def test_errors_come_from_kernels():
    def outside(a, out):
        for i in prange(len(a)):
            out[i + 1] = a[i]

    compiled = njit(target="cuda")(outside)
    with pytest.raises(IndexError, match="index 20 is out of bounds for axis 0 with size 20"):
        compiled(X[:20].copy(), np.zeros(20))

    def divided(a, out):
        for i in prange(len(a)):
            out[i] = 1 / a[i]

    with pytest.raises(ZeroDivisionError):
        njit(target="cuda")(divided)(np.zeros(5), np.zeros(5))
    out = np.zeros(5)
    njit(target="cuda", error_model="numpy")(divided)(np.zeros(5), out)
    assert np.isinf(out).all()


def test_sums_have_the_same_bits_each_time():
    compiled = njit(target="cuda")(total)
    many = RNG.normal(size=300_000)
    first = compiled(many)
    np.testing.assert_allclose(first, (many * many).sum(), rtol=1e-12)
    assert all(compiled(many) == first for _ in range(3))


def test_in_a_graph():
    compiled = njit(target="cuda")(elementwise)
    a, b, out = cuda.to_device(X), cuda.to_device(Y), cuda.device_array(1000)
    compiled(a, b, out)
    expected = out.copy_to_host()
    out[:] = 0
    with cuda.graph() as graph:
        compiled(a, b, out)
    graph.launch()
    np.testing.assert_array_equal(out.copy_to_host(), expected)
