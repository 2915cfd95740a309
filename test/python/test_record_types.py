"""Dtypes of records: odd ones, refused ones, globals, types, containers, declared signatures, the disk cache."""

import pickle
import subprocess
import sys

import numpy as np
import pyarray
import pytest
from compare import arrays_alive
from pyarray import from_dtype, njit, types
from pyarray.errors import TypingError, UnsupportedError
from records import ALIGNED, PACKED, SIMPLE, check, filled, same

pytestmark = pytest.mark.real

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
    (lambda a: a[0][len(a) - 2], "named by a literal"),
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
