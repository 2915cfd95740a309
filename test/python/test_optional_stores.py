"""Stores of values that may be None to places that hold no None: the value is stored, and None is a TypeError."""

import numpy as np
import pytest
from pyarray import cuda, float64, int64, njit, types
from pyarray.experimental import jitclass
from pyarray.typed import Dict, List


@njit
def find(n):
    if n > 0:
        return n
    return None


@njit
def half(n):
    if n > 0:
        return n / 2
    return None


@njit
def array_of(n):
    if n > 0:
        return np.full(3, n)
    return None


@jitclass([("x", int64), ("y", float64)])
class Place:
    def __init__(self):
        self.x = 0
        self.y = 0.0


pair = np.dtype([("x", np.int32), ("y", np.float64)])
packed = np.dtype([("flag", np.int8), ("x", np.int64), ("y", np.float64)])


def element(out, n):
    v = find(n)
    if v is not None:
        out[0] = v
    return out[0]


def element_of_another_type(out, n):
    v = half(n)
    if v is not None:
        out[1] = v
    return out[1]


def slice_of(out, n):
    v = find(n)
    if v is not None:
        out[1:3] = v
    return out[2]


def whole(out, n):
    v = array_of(n)
    if v is not None:
        out[:3] = v
    return out[1]


def at_optional_index(out, n):
    v = find(n)
    if v is not None:
        out[v] = v
        out[v] += v
    return out[1]


@pytest.mark.parametrize("body", [element, element_of_another_type, slice_of, whole, at_optional_index])
@pytest.mark.parametrize("dtype", [np.int64, np.float64, np.int8])
def test_arrays(body, dtype):
    f = njit(body)
    for n in (1, 0):
        out, wanted = np.zeros(5, dtype), np.zeros(5, dtype)
        assert f(out, n) == f.py_func(wanted, n)
        assert out.tolist() == wanted.tolist()


def fields(r, n):
    v = find(n)
    if v is not None:
        r[0].x = v
        r[1]["x"] = v
        r["y"][2] = v
        r[1].y = half(n)
    return r[0].x


@pytest.mark.parametrize("dtype", [pair, packed])
def test_records(dtype):
    for n in (3, 0):
        got, wanted = (np.zeros(3, dtype).view(np.recarray) for _ in range(2))
        assert njit(fields)(got, n) == fields(wanted, n)
        assert got.tobytes() == wanted.tobytes()


def items(xs, d, p, n):
    v = find(n)
    if v is not None:
        xs[0] = v
        xs.append(v)
        xs.insert(0, v)
        d[5] = v
        d[v] = v
        p.x = v
        p.y = v
    return len(xs)


def test_containers_and_fields():
    for n in (4, 0):
        xs, d, p = List([1, 2]), Dict.empty(int64, int64), Place()
        assert njit(items)(xs, d, p, n) == (4 if n else 2)
        if n:
            assert list(xs) == [4, 4, 2, 4] and dict(d) == {5: 4, 4: 4} and (p.x, p.y) == (4, 4.0)


def store_none(out, n):
    out[0] = find(n)


def append_none(xs, n):
    xs.append(find(n))


def test_none_is_refused():
    f, g = njit(store_none), njit(append_none)
    out, xs = np.zeros(1, np.int64), List([1])
    f(out, 2)
    g(xs, 3)
    assert out[0] == 2 and list(xs) == [1, 3]
    for call in (lambda: f(out, 0), lambda: g(xs, 0)):
        with pytest.raises(TypeError, match="None cannot be stored"):
            call()
    assert out[0] == 2 and list(xs) == [1, 3]


def test_lists_of_values_that_may_be_none_stay_so():
    @njit
    def f(n):
        xs = [find(1), find(n)]
        xs[0] = find(n)
        xs.append(find(n))
        return xs

    assert f(0) == [None, None, None] and f(2) == [2, 2, 2]


def test_kernels():
    @cuda.jit(device=True)
    def search(n):
        if n > 0:
            return n
        return None

    @cuda.jit
    def kernel(out, n):
        v = search(n)
        if v is not None:
            out[0] = v
            cuda.atomic.add(out, 1, v)

    @cuda.jit
    def plain(out, n):
        out[0] = search(n)

    out = np.zeros(2)
    kernel[1, 1](out, 3)
    kernel[1, 1](out, 0)
    assert out.tolist() == [3, 3]
    with pytest.raises(TypeError, match="None cannot be stored"):
        plain[1, 1](out, 0)


def test_types():
    @njit(types.none(types.float64[:], types.optional(types.float64)))
    def f(out, v):
        if v is not None:
            out[0] = v

    out = np.zeros(1)
    f(out, 2.5)
    f(out, None)
    assert out[0] == 2.5
