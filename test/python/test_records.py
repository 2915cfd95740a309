"""Records: structured dtypes, text of a fixed length, and arrays at any address, in compiled functions."""


import numpy as np
import pyarray
import pytest
from pyarray import njit, prange
from pyarray.errors import TypingError
from records import ALIGNED, PACKED, SIMPLE, check, filled

pytestmark = pytest.mark.real

READS = {
    "nested": lambda a: (a[1].n.u, a[1]["n"]["v"], a[2].n.v, a[-1]["n"].u),
    "sub_array": lambda a: (a[2].m[1, 2], a[3].m.shape, a[1].m[1][0], len(a[0].m)),
    "complex": lambda a: (a[1].c + a["c"][2], a[3].z, a["z"][1]),
    "text": lambda a: (a[0].s, a[1].s, a[2].s, a[0].t, a[3].t, a[1]["t"] + "!", a["s"][1], len(a["t"][3])),
    "times": lambda a: (a[2].d, a[3].d - a[0].d, a["d"][1]),
    "numbers": lambda a: (a[1].b, a[2].h, a[3].q, a["h"][3], a.q[0]),
    "by_number": lambda a: (a[1][0], a[1][-2], a[2][2]),
    "columns": lambda a: (a["n"]["u"], a["m"], a["m"][1], a["s"], a["t"], a["d"], a.q, a["c"], a["b"]),
    "slices": lambda a: (a[1:3]["q"], a[::-2]["n"]["v"], a["q"][::-1], a[1:]["m"][:, 1]),
    "attributes": lambda a: (a.shape, a.ndim, a.size, a.itemsize, a.nbytes, len(a), a["m"].shape),
    "iteration": lambda a: [(r.q, r.n.u) for r in a],
    "enumerate": lambda a: [(i, r.h) for i, r in enumerate(a)],
    "zip": lambda a: [(r.q, s) for r, s in zip(a, a["s"])],
    "reversed": lambda a: [r.q for r in reversed(a)],
    "texts": lambda a: [s for s in a["s"]] + [s for s in a[1:]["s"]],
    "columns_iterated": lambda a: [x for x in a["h"]] + [x for x in a["q"][:1]],
    "records": lambda a: (a[1]["n"], a[0]),
    "copies": lambda a: (a.copy()[2].q, a[::2].copy()["n"]["u"], a[1].copy().q),
}


@pytest.mark.parametrize("dtype", [PACKED, ALIGNED], ids=["packed", "aligned"])
@pytest.mark.parametrize("name", READS)
def test_reads(name, dtype):
    check(READS[name], filled(dtype))
    check(READS[name], filled(dtype, 8)[::2])


def test_strides():
    a = filled(PACKED)
    f = njit(lambda a: (a.strides, a["n"]["u"].strides, a["m"].strides))
    for view in (a, a[::2], a[::-1]):
        assert f(view) == (view.strides, view["n"]["u"].strides, view["m"].strides)


def store_fields(a):
    a[0].s = b"hello world"
    a[1].t = "xyzzy"
    a[0].n.u = 5
    a[0].m[1, 1] = 3.5
    a[2].c = 1j
    a[2].b = 1 > 0
    a[2].h = 2.5
    a[3]["q"] = 7
    a[3].d = a[2].d
    a[1].z = 2


def store_records(a):
    a[0] = a[3]
    a[1].n = (3, 4.5)
    a[2]["n"] = a[1].n
    a[3] = a[3]


def store_columns(a):
    a["q"] = 3
    a.h = 1.5
    a["n"]["v"] = 2.5
    a["s"] = b"same"
    a["n"] = (1, 2.0)
    a[1:]["b"] = 1
    a["q"][2] += 5


def store_views(a):
    a[1].m[0] = 7.0
    a[1:3]["c"] = 2j
    a[2:] = a[0]


STORES = [store_fields, store_records, store_columns, store_views]


@pytest.mark.parametrize("dtype", [PACKED, ALIGNED], ids=["packed", "aligned"])
@pytest.mark.parametrize("function", STORES, ids=lambda f: f.__name__)
def test_stores(function, dtype):
    check(function, filled(dtype))
    check(function, filled(dtype, 8)[1::2])


def test_a_record_is_a_view():
    @njit
    def f(a):
        r = a[1]
        r.x = 5.0
        a[1].y = 9
        return r, r.x, r.y

    a = np.zeros(3, SIMPLE)
    record, x, y = f(a)
    assert (x, y) == (5.0, 9) and isinstance(record, np.void)
    record["x"] = 6.0
    assert a[1]["x"] == 6.0
    del a
    assert record["y"] == 9


def test_array_assignment_to_a_column():
    def f(a, b):
        a["x"] = b
        a["y"] = b[::-1]

    check(f, np.zeros(3, SIMPLE), np.array([1.0, 2.0, 3.0]))
    with pytest.raises(ValueError, match="could not broadcast"):
        njit(f)(np.zeros(3, SIMPLE), np.zeros(2))


def test_several_dimensions():
    a = np.zeros((3, 4), SIMPLE)
    a["x"] = np.arange(12).reshape(3, 4)

    def f(a):
        return a[1, 2].x, a[1], a[:, 1], a.T["x"], a["x"], a.T[2, 1].x, a[1:, ::2][1, 1].x, a[-1][-1].x, a.shape

    check(f, a)
    check(f, np.asfortranarray(a))
    check(f, a.T[:, ::-1][:3, :3])

    def g(a):
        total = 0.0
        for row in a:
            for r in row:
                total += r.x
        return total

    check(g, a)

    def tuple_index(a):
        at = (1, 2)
        a[at].y = 3
        return a[at]

    check(tuple_index, a)
    zero = np.array((1.5, 2), SIMPLE)
    assert njit(lambda a: a["x"])(zero) == 1.5


def test_index_errors():
    f = njit(lambda a, i: a[i].x)
    with pytest.raises(IndexError, match="index 3 is out of bounds for axis 0 with size 3"):
        f(np.zeros(3, SIMPLE), 3)
    assert f(np.zeros(3, SIMPLE), -3) == 0.0


def test_new_arrays():
    @njit
    def f(n):
        a = np.zeros(n, dtype=ALIGNED)
        b = np.empty((2, n), SIMPLE)
        c = np.zeros_like(b)
        for i in range(n):
            a[i].q = i
            b[1, i] = (i, 2 * i)
            b[0, i] = b[1, i]
        c[0, 0] = b[1, 2]
        d = np.empty_like(a)
        d[0] = a[1]
        return a, b, c, d[0].q, np.zeros(2, TEXT)

    a, b, c, q, s = f(3)
    assert a.dtype == ALIGNED and a["q"].tolist() == [0, 1, 2] and q == 1
    assert b.tolist() == [[(0.0, 0), (1.0, 2), (2.0, 4)]] * 2 and c[0, 0].item() == (2.0, 4)
    assert s.dtype == "S3"
    a["q"][0] = 4
    with pytest.raises(ValueError, match="negative dimensions"):
        f(-1)


TEXT = np.dtype("S3")


def test_dtype_of_an_array():
    @njit
    def f(a):
        out = np.zeros(len(a), a.dtype)
        out[0] = a[1]
        return out

    assert f(filled(PACKED))[0] == filled(PACKED)[1]


def test_recarray_and_np_record():
    a = np.rec.array([(1.5, 2), (3.0, 4)], dtype=SIMPLE)
    assert njit(lambda a: a.x)(a).tolist() == [1.5, 3.0]
    record = njit(lambda a: a[1])(a)
    assert isinstance(record, np.record) and record.y == 4
    view = njit(lambda a: a[:1])(a)
    assert isinstance(view, np.recarray) and view.x[0] == 1.5
    assert njit(lambda a: a)(a) is a


def test_scalars_as_arguments():
    a = filled(PACKED)
    f = njit(lambda r: (r.n.v, r.s, r["q"], r.m[1, 2]))
    assert f(a[2]) == (1.0, b"", 2**63 + 2, 17.0)

    @njit
    def store(r):
        r.q = 4
        r.n.u = 3

    store(a[1])
    assert a[1]["q"] == 4 and a[1]["n"]["u"] == 3
    record = a[3]
    assert njit(lambda r: r)(record) is record
    assert njit(lambda r: (r, 1))(record)[0] is record
    assert f.signatures
    a.flags.writeable = False
    with pytest.raises(TypingError, match="cannot store to readonly"):
        store(a[1])
    with pytest.raises(TypingError, match="cannot store to readonly"):
        njit(store_fields)(a)


def test_records_in_tuples_lists_and_functions():
    @njit
    def largest(a):
        best = a[0]
        for r in a:
            if r.x > best.x:
                best = r
        return best

    @njit
    def parts(a):
        kept = [r for r in a if r.y > 1]
        pair = (kept[0], kept[-1])
        return pair[1].y, len(kept), helper(pair[0])

    a = np.array([(1.0, 1), (5.0, 2), (3.0, 3)], SIMPLE)
    assert largest(a).item() == (5.0, 2)
    assert largest(a[::-1]).item() == (5.0, 2)
    assert parts(a) == (3, 2, 7.0)

    @njit
    def maybe(a, x):
        found = None
        for r in a:
            if r.x == x:
                found = r
        return -1 if found is None else found.y

    assert maybe(a, 3.0) == 3 and maybe(a, 4.0) == -1


@njit
def helper(r):
    return r.x + r.y


@pytest.mark.parametrize("dtype", [PACKED, ALIGNED], ids=["packed", "aligned"])
def test_parallel(dtype):
    @njit(parallel=True)
    def f(a):
        total = 0.0
        for i in prange(len(a)):
            a[i].h = 1
            a[i].m[0, 1] = i
            total += a[i].n.u
        return total

    a = filled(dtype, 10_000)
    assert f(a) == a["n"]["u"].sum()
    assert a["m"][:, 0, 1].tolist() == list(range(10_000)) and (a["h"] == 1).all()


def test_ufuncs_take_columns():
    @pyarray.vectorize
    def plus(x, y):
        return x + y

    a = np.zeros(4, SIMPLE)
    a["x"], a["y"] = np.arange(4), 2
    assert plus(a["x"], a["y"]).tolist() == [2.0, 3.0, 4.0, 5.0]
    assert njit(lambda a: plus(a.x, a.y))(a).tolist() == [2.0, 3.0, 4.0, 5.0]


def test_arrays_at_any_address():
    raw = np.zeros(41, np.uint8)
    odd = raw[1:41].view(np.float64)
    assert not odd.flags.aligned
    column = np.zeros(5, np.dtype([("a", "i1"), ("x", "f8")]))["x"]
    assert column.strides == (9,)

    def f(a):
        total = 0.0
        for i in range(len(a)):
            a[i] = i + 0.5
        for x in a:
            total += x
        a[1:] = 2
        return total, a[2], a.shape, a.itemsize, a[::-1].copy(), a

    for a in (odd, column):
        got = njit(f)(a)
        assert got[:4] == (12.5, 2.0, (5,), 8) and got[4].tolist() == [2.0] * 4 + [0.5] and got[5] is a
        assert a.tolist() == [0.5] + [2.0] * 4
    times = np.zeros(3, np.dtype([("a", "i1"), ("x", "m8[s]")]))["x"]
    times[1] = 5
    assert njit(lambda a: a[1])(times) == np.timedelta64(5, "s")
    assert "unaligned array(float64, 1d, A)" in str(pyarray.typeof(odd))


def test_arrays_of_text():
    @njit
    def f(a):
        n = 0
        for s in a:
            n += len(s)
        a[0] = a[1]
        return n, a[2], a[0] == a[1]

    assert f(np.array([b"ab", b"c", b"def"])) == (6, b"def", True)
    assert f(np.array(["ab", "c", "d\u00e9f"])) == (6, "d\u00e9f", True)
