"""float16 in arrays, globals, parallel loops, callbacks and ufuncs (operators and functions: test_float16.py)."""

import ctypes
import subprocess

import numpy as np
import pyarray
import pytest
from pyarray import carray, cfunc, float16, guvectorize, njit, prange, vectorize

pytestmark = pytest.mark.real

# Arrays and other values --------------------------------------------------------------------------

TABLE = np.array([[1, 2.5], [3, -0.1]], np.float16)
TENTH, THREE_HALVES = np.float16(0.1), np.float16(1.5)


def test_globals_and_defaults():
    def f(i, j, scale=THREE_HALVES):
        return TABLE[i, j], TENTH, TABLE[i, j] * scale

    assert njit(f)(1, 1) == (float(TABLE[1, 1]), float(TENTH), float(TABLE[1, 1] * np.float16(1.5)))


def test_arrays():
    def make(n):
        return np.full(n, 1.1, np.float16), np.zeros(n, "float16"), np.ones((n, 2), float16), np.empty_like(TABLE)

    full, zeros, ones, like = njit(make)(3)
    assert [a.dtype for a in (full, zeros, ones, like)] == [np.float16] * 4 and like.shape == (2, 2)
    assert full.tolist() == [np.float16(1.1)] * 3 and zeros.tolist() == [0] * 3 and ones.sum() == 6

    def views(a):
        b = a[::2]
        b[0] = 5
        return b, a.T, a.copy(), a.itemsize

    a = np.arange(12, dtype=np.float16).reshape(3, 4)[:, ::2]
    b, transposed, copy, size = njit(views)(a)
    assert np.shares_memory(a, b) and transposed.shape == (2, 3) and size == 2
    np.testing.assert_array_equal(copy, a)
    assert a[0].tolist() == [5, 5]


def test_readonly_and_tuples():
    a = np.ones(3, np.float16)
    a.flags.writeable = False
    first = njit(lambda pair: (pair[0][0], pair[1], pair))
    value, scalar, pair = first((a, np.float16(2)))
    assert (value, scalar) == (1, 2) and pair[0] is a
    assert str(first.nopython_signatures[0].args[0].types[1]) == "float16"


@njit(parallel=True)
def reductions(a):
    total, largest = float16(0), float16(-1000)
    counts = np.zeros(4, np.float16)
    for i in prange(a.size):
        total += a[i]
        largest = max(largest, a[i])
        counts[i % 4] += a[i]
    return total, largest, counts


def test_parallel_reductions():
    a = np.tile(np.array([1, 0, 1, 0.5], np.float16), 400)
    total, largest, counts = reductions(a)
    assert (total, largest, counts.tolist()) == (1000, 1, [400, 0, 400, 200])


def test_callbacks():
    add = cfunc("float16(float16, float16)")(lambda a, b: a + b)
    assert njit(lambda x, y: add(x, y))(np.float16(2048), np.float16(1)) == 2048
    with pytest.raises(pyarray.UnsupportedError, match="ctypes has no type for float16"):
        print(add.ctypes)


def test_callbacks_from_c(tmp_path):
    @cfunc("float16(float16, CPointer(float16), int32)")
    def store(x, p, n):
        p[0] = x
        return x + carray(p, n)[1] * p[2]

    (tmp_path / "caller.c").write_text(
        "typedef _Float16 half; double call(half (*f)(half, half *, int), half *p) { return f((half)1.5, p, 3); }"
    )
    library = tmp_path / "caller.so"
    subprocess.run(["cc", "-shared", "-fPIC", tmp_path / "caller.c", "-o", library], check=True)
    call = ctypes.CDLL(str(library)).call
    call.restype, call.argtypes = ctypes.c_double, [ctypes.c_void_p] * 2
    a = np.array([0, 2, 3], np.float16)
    assert call(store.address, a.ctypes.data) == 7.5 and a.tolist() == [1.5, 2, 3]


# Ufuncs -------------------------------------------------------------------------------------------


@vectorize(["float16(float16, float16)", "float32(float32, float32)"])
def ufunc_add(a, b):
    return a + b


def test_ufunc_loops():
    generator = np.random.default_rng(7)
    x, y = (generator.standard_normal(3001).astype(np.float16) for _ in range(2))
    assert ufunc_add.types == ["ee->e", "ff->f"]
    result = ufunc_add(x, y)
    assert result.dtype == np.float16
    np.testing.assert_array_equal(result, x + y)
    np.testing.assert_array_equal(ufunc_add(x[::3], y[1::3][: len(x[::3])][0]), x[::3] + y[1])
    np.testing.assert_array_equal(ufunc_add.outer(x[:9], y[:9]), np.add.outer(x[:9], y[:9]))
    np.testing.assert_array_equal(ufunc_add.accumulate(x), np.add.accumulate(x))
    assert ufunc_add.reduce(np.ones(100, np.float16)) == 100
    assert ufunc_add(np.int8(1), x).dtype == np.float16 and ufunc_add(np.int16(1), x).dtype == np.float32
    out = np.zeros(3, np.float16)
    ufunc_add.at(out, [0, 0, 2], np.float16(1.5))
    assert out.tolist() == [3, 0, 1.5]


def test_dufunc():
    made = vectorize(lambda a, b: a * b + a)
    generator = np.random.default_rng(8)
    x, y = (generator.standard_normal(501).astype(np.float16) for _ in range(2))
    np.testing.assert_array_equal(made(x, y), x * y + x)
    assert made(x, y).dtype == made(x, np.int8(2)).dtype == np.float16
    assert made(x, np.int16(2)).dtype == np.float32 and made(x, np.float32(2)).dtype == np.float32
    if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
        assert made(x, 2).dtype == made(x, 2.5).dtype == np.float16 and made(x, 1j).dtype == np.complex64
    assert made(np.float16(3), np.float16(2)) == 9


@guvectorize(["void(float16[:], float16[:], float16[:])"], "(n),(n)->()")
def dot(a, b, out):
    total = float16(0)
    for i in range(a.size):
        total += a[i] * b[i]
    out[0] = total


def test_gufunc():
    a = np.arange(12, dtype=np.float16).reshape(3, 4)
    result = dot(a, a[0])
    assert result.dtype == np.float16 and result.tolist() == [14, 38, 62]


def test_in_compiled_code():
    def f(x, y):
        return ufunc_add(x, y), ufunc_add(x[0], y[0])

    a = np.array([2048, 1], np.float16)
    sums, one = njit(f)(a, a[::-1])
    assert sums.dtype == np.float16 and sums.tolist() == [2048, 2048] and one == 2048
