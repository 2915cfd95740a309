"""Records: structured dtypes, text of a fixed length, and arrays at any address, in compiled functions."""

import pickle
import re
import subprocess
import sys

import numpy as np
import pyarray
import pytest
from compare import arrays_alive
from pyarray import cuda, from_dtype, njit, prange, types
from pyarray.errors import TypingError, UnsupportedError

pytestmark = pytest.mark.real

INNER = np.dtype([("u", "i2"), ("v", "f4")])
FIELDS = [
    ("n", INNER),
    ("m", "f8", (2, 3)),
    ("c", "c16"),
    ("s", "S5"),
    ("t", "U4"),
    ("d", "M8[D]"),
    ("b", "?"),
    ("h", "f2"),
    ("q", "u8"),
    ("z", "c8"),
]
PACKED = np.dtype(FIELDS)
ALIGNED = np.dtype(FIELDS, align=True)
SIMPLE = np.dtype([("x", "f8"), ("y", "i8")])


def filled(dtype, count=4):
    a = np.zeros(count, dtype)
    numbers = np.arange(count)
    a["n"]["u"], a["n"]["v"] = numbers % 100, numbers * 0.5
    a["m"] = np.arange(count * 6).reshape(count, 2, 3)
    a["c"], a["z"] = numbers + 2j, 1j - numbers
    a["s"] = [(b"ab", b"abcde", b"", b"x")[i % 4] for i in numbers]
    a["t"] = [("a", "bcd", "", "\u20ac\U0001f600")[i % 4] for i in numbers]
    a["d"], a["b"], a["h"] = numbers.astype("M8[D]"), numbers % 2, numbers
    a["q"] = 2**63 + numbers.astype("u8")
    return a


def same(got, expected):
    """Equal in value and kind; NumPy's scalars count as Python's."""
    if isinstance(expected, (tuple, list)):
        return len(got) == len(expected) and all(map(same, got, expected))
    if isinstance(expected, np.ndarray):
        return (
            isinstance(got, np.ndarray)
            and got.dtype == expected.dtype
            and got.shape == expected.shape
            and got.tolist() == expected.tolist()
        )
    if isinstance(expected, np.void):
        return isinstance(got, np.void) and got.dtype == expected.dtype and str(got) == str(expected)
    return got == expected


def as_python(a):
    """What a NumPy program would use for the same syntax: attributes need np.recarray."""
    return a.view(np.recarray) if isinstance(a, np.ndarray) and a.dtype.names else a


def check(function, *arguments):
    own = [np.array(a) if isinstance(a, np.ndarray) else a for a in arguments]
    expected = function(*map(as_python, own))
    got = njit(function)(*arguments)
    assert same(got, expected), (got, expected)
    for a, b in zip(arguments, own):
        if isinstance(a, np.ndarray):
            assert a.tobytes() == b.tobytes()


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


def test_odd_dtypes():
    overlapping = np.dtype({"names": ["a", "b"], "formats": ["i4", "u2"], "offsets": [0, 1], "itemsize": 6})
    a = np.zeros(2, overlapping)
    a["a"] = 0x12345678
    assert njit(lambda a: a[1].b)(a) == a[1]["b"]
    titled = np.dtype([(("the title", "x"), "f8"), ("odd name!%", "i4"), ("\u00e9", "i2")])
    b = np.zeros(2, titled)
    b["odd name!%"] = 3
    b["\u00e9"] = 4
    assert njit(lambda a: (a[0].x, a[0]["odd name!%"], a[1]["\u00e9"]))(b) == (0.0, 3, 4)
    empty = np.dtype([("e", "S0"), ("f", "f8", (0,)), ("x", "i4"), ("n", np.dtype([]))])
    c = np.ones(3, empty)
    assert njit(lambda a: (a[1].e, a[1].f.shape, a[2].x))(c) == (b"", (0,), 1)
    assert njit(lambda a: (len(a), a.itemsize, a))(np.zeros(3, np.dtype([])))[:2] == (3, 0)
    wide = np.dtype([(f"f{i}", "f8") for i in range(1000)])
    d = np.zeros(2, wide)
    d["f999"] = 2.5
    assert njit(lambda a: a[1].f999 + a[0]["f0"])(d) == 2.5
    deep = np.dtype([("x", "i4")])
    for _ in range(12):
        deep = np.dtype([("r", deep), ("p", "i1")])
    e = np.zeros(2, deep)
    assert njit(lambda a: a[1].r.r.r.r.p)(e) == 0
    for _ in range(12):
        deep = np.dtype([("r", deep), ("p", "i1")])
    with pytest.raises(TypingError, match="nested more than 16 levels"):
        njit(lambda a: len(a))(np.zeros(2, deep))


@pytest.mark.parametrize(
    "dtype, message",
    [
        ([("x", "O")], "fields that hold Python objects"),
        ([("x", ">f8")], "foreign byte order"),
        ([("x", "f8"), ("y", [("z", ">i4")])], "foreign byte order"),
        ([("x", "g")], "fields of (float128|longdouble)"),
    ],
)
def test_refused_dtypes(dtype, message):
    with pytest.raises(TypingError, match=message):
        njit(lambda a: len(a))(np.zeros(2, np.dtype(dtype)))


REFUSALS = [
    (lambda a: a[0].w, "has no field 'w'"),
    (lambda a: a["w"], "has no field 'w'"),
    (lambda a: a[0]["w"], "has no field 'w'"),
    (lambda a: a[0][5], "has 2 fields"),
    (lambda a, n="x": a[0][len(n)], "named by a literal"),
    (lambda a: a[0, 0], "too many indices"),
    (lambda a: a + 1, "record"),
    (lambda a: a[0] + 1, "record"),
    (lambda a: a.sum(), "unknown method 'sum'"),
    (lambda a: np.ones(3, SIMPLE), "of records is not compiled"),
]


@pytest.mark.parametrize("number", range(len(REFUSALS)))
def test_refusals(number):
    function, message = REFUSALS[number]
    with pytest.raises((TypingError, UnsupportedError), match=message):
        njit(function)(np.zeros(3, SIMPLE))


def test_refused_stores():
    def tuple_of_three(a):
        a[0] = (1, 2, 3)

    def number(a):
        a[0] = 1

    def text(a):
        a[0].x = "a"

    for function, message in (
        (tuple_of_three, "of length 3 to a record with 2 fields"),
        (number, "cannot store a value of type int64"),
        (text, "unicode_type"),
    ):
        with pytest.raises(TypingError, match=message):
            njit(function)(np.zeros(3, SIMPLE))


def test_records_of_two_dtypes():
    other = np.dtype([("a", "i4"), ("b", "f4")])

    def f(a, b):
        a[0] = b[1]

    check(f, np.zeros(2, SIMPLE), np.array([(1, 2.5), (3, 4.5)], other))


FROZEN = np.array([(1.5, 2), (3.0, 4)], SIMPLE)
WORDS = np.array(["one", "three"])


def test_globals():
    @njit
    def f(i):
        return FROZEN[i].x, FROZEN["y"][i], WORDS[i], FROZEN

    assert f(1)[:3] == (3.0, 4, "three") and same(f(0)[3], FROZEN) and not f(0)[3].flags.writeable


def test_classes_and_containers():
    @pyarray.jitclass([("a", pyarray.from_dtype(SIMPLE)[:]), ("r", pyarray.from_dtype(SIMPLE))])
    class Holder:
        def __init__(self, a):
            self.a = a
            self.r = a[1]

        def total(self):
            return self.a["x"][0] + self.r.x

    a = np.array([(1.5, 2), (3.0, 4)], SIMPLE)
    holder = Holder(a)
    assert holder.total() == 4.5 and holder.a is a and holder.r == a[1]
    holder.r["y"] = 7
    assert a["y"][1] == 7
    holder.a = a[:1]
    assert holder.a.tolist() == [(1.5, 2)]
    assert njit(lambda a: [r for r in a])(a) == [a[0], a[1]]
    assert njit(lambda rows: rows[0][1].x + rows[1]["x"][0])([a, a]) == 4.5
    assert njit(lambda rows: rows[1].y)([a[0], a[1]]) == 7
    assert njit(lambda a: {"k": a[0]})(a)["k"] == a[0]
    assert njit(lambda a: isinstance(a, np.ndarray))(a)
    before = arrays_alive()
    for _ in range(20):
        Holder(a).total()
    assert arrays_alive() == before


def test_types():
    kind = pyarray.from_dtype(SIMPLE)
    assert (
        isinstance(kind, types.Record)
        and kind.size == 16
        and kind.offset("y") == 8
        and kind.typeof("x") == types.float64
    )
    assert pyarray.as_dtype(kind) == SIMPLE and len(kind) == 2 and list(kind.fields) == ["x", "y"]
    assert pyarray.typeof(np.zeros(2, SIMPLE)) == kind[::1] and str(kind).startswith("Record(x[type=float64;offset=0]")
    assert pyarray.typeof(np.zeros(1, SIMPLE)[0]) == kind
    assert pyarray.from_dtype(np.dtype("f4")) == types.float32 and pyarray.as_dtype(types.int8) == np.int8
    assert pickle.loads(pickle.dumps(kind)) == kind and pickle.loads(pickle.dumps(kind[:])) == kind[:]
    for dtype in (PACKED, ALIGNED, np.dtype((np.record, SIMPLE)), np.dtype("S3"), np.dtype("U2")):
        back = types.from_code(pyarray.from_dtype(dtype).code)
        assert pyarray.as_dtype(back) == dtype and pyarray.as_dtype(back).type is dtype.type

    f = njit(types.float64(kind[:], types.int64))(lambda a, i: a[i].x)
    a = np.zeros(3, SIMPLE)
    a["x"] = 2
    assert f(a, 1) == 2.0 and f(a[::2], 0) == 2.0
    with pytest.raises(TypeError):
        f(np.zeros(2, PACKED), 0)


@pytest.mark.parametrize("dtype", [PACKED, ALIGNED], ids=["packed", "aligned"])
def test_kernels(dtype):
    fields = np.dtype([name for name in FIELDS if name[0] not in "st"], align=dtype.isalignedstruct)

    @cuda.jit
    def kernel(a, out):
        i = cuda.grid(1)
        if i < len(a):
            r = a[i]
            out[i] = r.n.u + r.m[1, 2] + a["h"][i]
            r.c = 2j
            a[i].q += 1
            r.m[0, 0] = i
            if i == 1:
                a[0] = a[1]

    def expected(a):
        out = a["n"]["u"] + a["m"][:, 1, 2] + a["h"]
        a["c"], a["m"][:, 0, 0] = 2j, range(len(a))
        a["q"] += 1
        return out

    for view in (slice(None), slice(None, None, 2)):
        a, b = (np.zeros(8, fields)[view] for _ in range(2))
        for x in (a, b):
            x["n"]["u"], x["m"], x["h"], x["q"] = 3, np.arange(len(x) * 6).reshape(-1, 2, 3), np.arange(len(x)), 7
        out = np.zeros(len(a))
        device = cuda.to_device(np.ascontiguousarray(a))
        kernel[1, 32](a, out)
        assert out.tolist() == expected(b).tolist()
        assert (a[1:] == b[1:]).all()  # not the padding
        kernel[1, 32](device, out)
        assert (device.copy_to_host()[1:] == b[1:]).all() and device.dtype == fields
        kernel[1, 32](device[1:], out)
    with pytest.raises(TypingError, match="fields that hold Python objects"):
        kernel[1, 1](np.zeros(2, [("x", "O")]), out)
    with pytest.raises(TypingError, match="cannot determine the type"):
        kernel[1, 1](a[0], out)


DEEP_FIELDS = [("p", "i1"), ("q", [("i", "i4"), ("x", "f4")]), ("m", "f8", (2, 2)), ("z", "c8"), ("h", "f2")]


@pytest.mark.parametrize("how", ["dtype", "from_dtype"])
@pytest.mark.parametrize("aligned", [False, True])
def test_shared_and_local_memory(aligned, how):
    dtype = np.dtype(DEEP_FIELDS, align=aligned)
    item = dtype if how == "dtype" else from_dtype(dtype)

    @cuda.jit
    def kernel(a, out):
        room, own = cuda.shared.array(8, item), cuda.local.array((2, 3), dtype=item)
        i = cuda.threadIdx.x
        room[i] = a[i]
        cuda.syncthreads()
        own[1, i % 3] = room[(i + 1) % len(room)]
        r = own[1, i % 3]
        r.q.x *= 2
        r.m[1, 0] = r.m[0, 1] + own.shape[1]
        r.z += 1j
        own["h"][1, i % 3] /= 2
        out[i] = r

    a, out = np.zeros(8, dtype), np.zeros(8, dtype)
    a["p"], a["h"], a["q"]["i"], a["q"]["x"], a["z"] = range(8), range(8), range(8), range(8), np.arange(8) * (1 + 2j)
    a["m"] = np.arange(32).reshape(8, 2, 2)
    kernel[1, 8](a, out)
    wanted = np.roll(a, -1)
    wanted["q"]["x"] *= 2
    wanted["m"][:, 1, 0] = wanted["m"][:, 0, 1] + 3
    wanted["z"] += 1j
    wanted["h"] /= 2
    assert (out == wanted).all()


def test_dynamic_shared_memory():
    pair = np.dtype([("i", "i4"), ("x", "f4")])

    @cuda.jit
    def kernel(out):
        room = cuda.shared.array(0, pair)
        i = cuda.threadIdx.x
        room[i].i = i
        cuda.syncthreads()
        out[i] = room[len(room) - 1 - i].i

    out = np.zeros(8, np.int64)
    kernel[1, 8, 0, 8 * pair.itemsize](out)
    assert out.tolist() == list(range(8))[::-1]


def test_shapes_of_shared_records():
    pair = np.dtype([("i", "i4"), ("x", "f4")])

    @cuda.jit
    def of_any_length(n):
        cuda.shared.array(n, pair)[0].i = 1

    @cuda.jit
    def of_many_dimensions():
        cuda.local.array((1,) * 32, pair)

    with pytest.raises(UnsupportedError, match="must be made of positive ints"):
        of_any_length[1, 1](3)
    with pytest.raises(TypingError, match="maximum supported dimension for an array of records is 31"):
        of_many_dimensions[1, 1]()


WIDE = np.dtype([(f"f{i}", "f4") for i in range(64)] + [("d", "f8")])
TABLE = np.zeros((2, 3), WIDE)
TABLE["f3"], TABLE["f63"], TABLE["d"] = np.arange(6).reshape(2, 3), 7, np.arange(6).reshape(2, 3) / 4
ALIGNED_TABLE = TABLE.astype(np.dtype(WIDE.descr, align=True))


def test_constant_memory():
    @cuda.jit
    def kernel(out):
        table, aligned = cuda.const.array_like(TABLE), cuda.const.array_like(ALIGNED_TABLE)
        i = cuda.grid(1)
        if i < 3:
            out[i] = table[1, i].f3 + table.shape[0] * 100 + aligned["d"][1, i] + ALIGNED_TABLE[0, i].d

    out = np.zeros(3)
    kernel[1, 4](out)
    assert out.tolist() == [203.75, 205.25, 206.75]
    ptx = cuda.compile_ptx(kernel, "void(float64[:])", cc=(9, 0))[0]
    assert set(re.findall(r"\.align (\d+) \.b8 \S*frozen", ptx)) == {"16"}


def test_local_records_are_aligned():
    pair = np.dtype([("i", "i8"), ("x", "f8")])

    def kernel(out, i):
        own = cuda.local.array(4, pair)
        own[i].x = i
        out[0] = own[3 - i].x

    assert ".local .align 16" in cuda.compile_ptx(kernel, "float64[:], int64", cc=(9, 0))[0]


def test_types_of_records_are_dtypes():
    pair = np.dtype([("i", "i4"), ("x", "f4")])
    kind = from_dtype(pair)

    @njit
    def f():
        a = np.zeros(3, kind)
        a[1].x = 2.5
        return a

    assert f().tolist() == [(0, 0.0), (0, 2.5), (0, 0.0)] and f().dtype == pair


def unmoved_stores(ptx):
    """Stores of PTX that write less than the whole of a register which no move of its bits precedes."""
    bits = {"%rs": 16, "%r": 32, "%rd": 64}
    moved, found = set(), []
    for line in ptx.split("\n"):
        if move := re.match(r"\tmov\.b\d+ \t(%\w+), \1;", line):
            moved.add(move[1])
        elif store := re.match(r"\tst\.\S*\.b(\d+) .*\](.*);", line):
            stored = re.findall(r"(%r[sd]?)(\d+)", store[2])
            narrow = [kind + number for kind, number in stored if bits[kind] > int(store[1])]
            found += [line for register in narrow if register not in moved]
            moved = set()
    return found


def doubled(a):
    a[cuda.grid(1)].x *= 2


def converted(a):
    a[cuda.grid(1)].x = cuda.grid(1)


def added(a):
    i = cuda.grid(1)
    for j in range(3):
        a[i].x[j] += a[i].x[2]


def in_a_record(a):
    a[cuda.grid(1)].r.x *= 2


@pytest.mark.parametrize("opt", [True, False])
@pytest.mark.parametrize("pad", ["i1", "i2", "S3", "i4"])
@pytest.mark.parametrize("number", ["f2", "f4", "f8", "c8", "c16"])
def test_ptx_moves_what_it_stores_in_parts(number, pad, opt):
    item = np.dtype(number)
    packed = [("p", pad), ("x", item)]
    fields = {
        doubled: packed,
        converted: packed,
        added: [("p", pad), ("x", item, 3)],
        in_a_record: [("p", pad), ("r", packed)],
    }
    for kernel, dtype in fields.items():
        ptx = cuda.compile_ptx(kernel, (from_dtype(np.dtype(dtype))[::1],), cc=(9, 0), opt=opt)[0]
        assert not unmoved_stores(ptx) and (pad != "i1" or re.search(r"\tst\.(global\.)?b8 ", ptx))


def test_ptx_moves_low_bits_of_a_float():
    def kernel(a, out):
        i = cuda.grid(1)
        out[i] = np.float32(a[i] * 2).view(np.int32)

    ptx = cuda.compile_ptx(kernel, "float32[::1], uint8[::1]", cc=(9, 0))[0]
    assert re.search(r"\tmov\.b32 \t(%\w+), \1;\n\tst\.global\.b8 \t\S+ \1;", ptx) and not unmoved_stores(ptx)


def test_nothing_leaks():
    a = filled(PACKED, 100)

    @njit
    def f(a):
        out = np.zeros(len(a), a.dtype)
        for i, r in enumerate(a):
            out[i] = r
            out[i].t = r.t + "x"
            out[i].s = r.s + b"y"
        return out, out[1], out["s"], a[2]

    f(a)
    before = arrays_alive()
    for _ in range(50):
        f(a)
    assert arrays_alive() == before
    f(np.zeros(3, a.dtype))

    @njit
    def fails(a, i):
        b = a.copy()
        r = b[i]
        return r.x

    fails(np.zeros(3, SIMPLE), 0)
    before = arrays_alive()
    for _ in range(10):
        with pytest.raises(IndexError):
            fails(np.zeros(3, SIMPLE), 7)
    assert arrays_alive() == before


def test_references_to_arrays_and_dtypes():
    a = np.zeros(3, SIMPLE)
    f = njit(lambda a: (a[1], a["x"], a[1:]))
    f(a)
    before = sys.getrefcount(a), sys.getrefcount(a.dtype)
    for _ in range(20):
        f(a)
    assert (sys.getrefcount(a), sys.getrefcount(a.dtype)) == before


def test_cache(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import numpy as np\nfrom pyarray import njit\n"
        "DT = np.dtype([('x', 'f8'), ('y', 'i4')])\n"
        "@njit\ndef f(a):\n    out = np.zeros(len(a), DT)\n    out[0] = a[1]\n    return out\n"
        "a = np.array([(1, 2), (3, 4)], DT)\n"
        "print(f(a)[0], f.stats.cache_hits)\n"
    )
    import os

    environment = {**os.environ, "PYARRAY_CACHE_DIR": str(tmp_path / "cache"), "PYARRAY_CACHE": "1"}
    run = lambda: (
        subprocess.run([sys.executable, program], env=environment, capture_output=True, text=True, check=True).stdout
    )  # noqa: E731
    assert run() == "(3.0, 4) 0\n" or run().startswith("(3.0, 4)")
    assert run().startswith("(3.0, 4)")
    program.write_text(program.read_text().replace("'i4')])", "'i8')])"))
    assert run().startswith("(3.0, 4)")


@pytest.mark.parametrize("array", [np.zeros(3, [("k", "i1"), ("f", "f8")])["f"], np.array(["b", "aa", ""])])
def test_lists_of_elements_that_are_bytes(array):
    @njit
    def made(a):
        extended = [a[0]]
        extended.extend(a)
        first, *rest = a
        return list(a), sorted(a), extended, [*a], first, rest

    expected = array.tolist()
    found = made(array)
    assert found == (expected, sorted(expected), expected[:1] + expected, expected, expected[0], expected[1:])


declared_pair = np.dtype([("a", np.int32), ("b", np.float64)], align=True)
other_pair = np.dtype([("a", np.float64), ("b", np.float64)], align=True)
declared_nest = np.dtype([("p", declared_pair), ("q", np.int64)], align=True)


def test_record_arrays_for_declared_signatures():
    kind = from_dtype(declared_pair)

    @njit((kind[:],))
    def of_array(r):
        r[0].a = 9
        return r[0].a + r[1].b

    @njit((kind,))
    def of_record(r):
        return r.a + r.b

    @njit((from_dtype(np.dtype((np.record, declared_pair)))[:],))
    def of_record_array(r):
        return r[0].a

    @njit((from_dtype(declared_nest)[:],))
    def nested(r):
        return r[0].p.a + r[0].q

    @njit
    def caller(r):
        return of_array(r) + of_record(r[0])

    for view in (lambda r: r, lambda r: r.view(np.recarray), lambda r: r[::2], lambda r: r[::2].view(np.recarray)):
        plain = np.zeros(4, declared_pair)
        plain["b"] = 2
        r = view(plain)
        assert of_array(r) == 11 and plain["a"][0] == 9 and of_record(r[0]) == 11 and of_record_array(r) == 9
        assert caller(r) == 22
    records = np.zeros(2, declared_nest)
    records["p"]["a"] = 3
    assert nested(records) == nested(records.view(np.recarray)) == 3


def test_other_layouts_are_refused_by_declared_signatures():
    @njit((from_dtype(declared_pair),))
    def of_record(r):
        return r.a

    @njit((from_dtype(declared_pair)[:],))
    def of_array(r):
        return r[0].a

    for dtype in (
        other_pair,
        np.dtype([("a", np.int32), ("b", np.float64)]),
        np.dtype([("x", np.int32), ("b", "f8")], align=True),
    ):
        records = np.ones(2, dtype)
        for view in (records, records.view(np.recarray)):
            with pytest.raises(TypeError, match="No matching definition"):
                of_array(view)
            with pytest.raises(TypeError, match="No matching definition"):
                of_record(view[0])
