"""Records as values, comparisons, text, tuples, and stores of whole arrays to fields at any address, against NumPy."""

import numpy as np
import pytest
from compare import define
from pyarray import TypingError, UnsupportedError, njit, vectorize
from pyarray._pyarray import allocation_counts
from records import check

SIMPLE = np.dtype([("n", "i4"), ("v", "f8")])
FIELDS = [
    ("a", "i1"),
    ("x", "f8"),
    ("m", "i2", (2, 3)),
    ("t", "S3", (2,)),
    ("u", "U2"),
    ("n", [("p", "f4"), ("q", "c16")]),
]
PACKED, ALIGNED = np.dtype(FIELDS), np.dtype(FIELDS, align=True)


def filled(dtype, count=4):
    a = np.zeros(count, dtype)
    a["x"] = np.arange(count) + 0.5
    a["m"] = np.arange(6 * count).reshape(count, 2, 3)
    a["t"] = [[b"ab", b"c"]] * count
    a["u"] = "\u00e9"
    a["n"]["q"] = 1 + 2j
    return a


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:
        return type(error), error.args


MATRIX = np.arange(6, dtype=np.int16).reshape(2, 3) * 3
STORES = [
    "a['x'] = FLOATS",
    "a['x'] = INTS",
    "a['x'] = FLOATS[:1]",
    "a['x'] = FLOATS[:2]",
    "a[1]['m'] = MATRIX",
    "a[1]['m'] = MATRIX.astype(np.float64)",
    "a['m'] = MATRIX",
    "a['m'] = MATRIX[0]",
    "a['m'][1:] = MATRIX",
    "a['m'][0, 1] = MATRIX[0]",
    "a['t'] = a['t'][::-1]",
    "a['x'] = a['x'][::-1]",
    "a['n']['p'] = a['x']",
    "a[1:] = a[:3]",
    "a[::-1] = a",
    "a[:2] = a[3:]",
    "a[0] = (1, 2.5, MATRIX, a[1]['t'], 'z', (1.0, 2j))",
    "a['u'] = a[::-1]['u']",
    "for r in a:\n        r['m'][0] = r['m'][1]",
    "free = np.zeros(4)\n    free[:] = a['x']\n    a['n']['p'] = free",
    "b = np.zeros((2, 2, 3))\n    b[:, 1] = a['m'][:2, 0]\n    a[0]['m'] = b[1]",
]


@pytest.mark.parametrize("dtype", [PACKED, ALIGNED], ids=["packed", "aligned"])
def test_stores_of_arrays(dtype):
    names = {"FLOATS": np.array([7.0, 8.5, 9.0, 1.0]), "INTS": np.arange(4), "MATRIX": MATRIX}
    for store in STORES:
        f = define(f"def f(a):\n    {store}\n", **names)
        ours, theirs = filled(dtype), filled(dtype)
        assert outcome(f, ours) == outcome(f.py_func, theirs), store
        assert ours.tobytes() == theirs.tobytes(), store


def test_stores_that_do_not_fit():
    with pytest.raises(TypingError, match="it has more dimensions"):
        define("def f(a, b):\n    a[0]['m'] = b\n")(filled(PACKED), np.zeros((1, 2, 3)))
    with pytest.raises(TypingError, match="cannot convert|cannot store"):
        define("def f(a):\n    a['x'] = a['t'][:, 0]\n")(filled(PACKED))
    with pytest.raises(TypingError, match="readonly"):
        a = filled(PACKED)
        a.flags.writeable = False
        define("def f(a, b):\n    a['x'] = b\n")(a, np.zeros(4))


@njit
def compared(a, b):
    return a == b, a != b


def check_compared(a, b):
    equal, different = compared(a, b)
    assert type(equal) is (np.ndarray if np.ndim(a) or np.ndim(b) else bool)
    assert np.array_equal(equal, a == b) and np.array_equal(different, a != b)


@pytest.mark.parametrize("dtype", [PACKED, ALIGNED, SIMPLE], ids=["packed", "aligned", "simple"])
def test_comparisons(dtype):
    a = np.zeros(4, dtype) if dtype == SIMPLE else filled(dtype)
    b = a.copy()
    b[1][1] = 7.25
    if dtype != SIMPLE:
        b[2]["m"][1, 2] = -1
        b[3]["n"]["q"] = 0
    for i in range(4):
        check_compared(a[i], b[i])
        check_compared(a, b[i])
        check_compared(b[i], a)
    check_compared(a, b)
    check_compared(a[::2], b[1::2])
    check_compared(a.reshape(2, 2), b.reshape(2, 2).T)
    assert outcome(compared, a, b[:2]) == outcome(compared.py_func, a, b[:2])


def test_comparisons_of_numbers():
    nan = np.array([(1, np.nan), (1, np.nan)], SIMPLE)
    check_compared(nan[0], nan[0])
    wide = np.array([(1, 2.0)], [("n", "i8"), ("v", "f4")])
    check_compared(wide[0], np.array([(1, 2.0)], SIMPLE)[0])
    with pytest.raises(TypingError, match="fields differ in name or number"):
        compared(wide[0], np.zeros(1, [("n", "i8"), ("w", "f4")])[0])
    with pytest.raises(TypingError, match="records have no order"):
        define("def f(a):\n    return a[0] < a[1]\n")(wide)


def test_text(capsys):
    forms = (
        "str(r), repr(r), ascii(r), f'{r} {r!r:>9}', f'{r:>9}', format(r), '%s %r' % (r, r), '%s' % r,"
        " '{} {!r}'.format(r, r), str([r]), repr((r, 1)), str({'k': r}), '%(k)s' % {'k': r}, '{k}'.format_map({'k': r})"
    )
    f = define(f"def f(r):\n    return {forms}\n")
    for a in (
        filled(PACKED),
        np.zeros(2, SIMPLE),
        filled(PACKED).view(np.recarray),
        np.zeros(1, [("\u00e4 b", "?")]),
    ):
        assert f(a[0]) == f.py_func(a[0])
    assert define("def f(r):\n    return str(r), f'{r}'\n")(filled(ALIGNED)[1]) == (str(filled(PACKED)[1]),) * 2
    assert f(filled(PACKED)[1]["n"]) == f.py_func(filled(PACKED)[1]["n"])
    g = define(
        "def f(a):\n    for r in a:\n        print(r, [r], sep='|')\n"
        "    with_fields = tuple(a[0])\n    print(with_fields[1])\n"
    )
    g(filled(PACKED))
    ours = capsys.readouterr().out
    g.py_func(filled(PACKED))
    assert ours == capsys.readouterr().out and "|[np" in ours


def test_tuples():
    f = define(
        "def f(a):\n    r = a[1]\n    t = tuple(r)\n    n, v = t\n"
        "    return t, n, v, len(r), {tuple(r): v}[t], tuple(r) in {tuple(a[0])}\n"
    )
    a = np.array([(3, 0.5), (4, 1.5)], SIMPLE)
    assert f(a) == f.py_func(a) == ((4, 1.5), 4, 1.5, 2, 1.5, False)
    g = define(
        "def f(a):\n    t = tuple(a[1])\n    t[2][0, 0] = 99\n    t[5].p = 2.5\n    return t[3], t[4], t[5].q, a\n"
    )
    a = filled(PACKED)
    assert [x.tolist() if isinstance(x, np.ndarray) else x for x in g(a)[:3]] == [[b"ab", b"c"], "\u00e9", 1 + 2j]
    assert a[1]["m"][0, 0] == 99 and a[1]["n"]["p"] == 2.5


NESTED = np.dtype([("pair", SIMPLE), ("x", "f4")])

MADE = {
    "tuples": lambda a: np.array([(a[0], 2.5), (3, 4)], dtype=SIMPLE),
    "one": lambda a: np.array((1, 2.5), dtype=SIMPLE),
    "nested": lambda a: np.array([[(1, 2.5)], [(a[0], 1.0)]], SIMPLE),
    "comprehension": lambda a: np.array([(k, k * 0.5) for k in a], dtype=SIMPLE),
    "empty": lambda a: np.array([(k, k * 0.5) for k in a[:0]], dtype=SIMPLE),
    "nested_records": lambda a: np.array(((1, 2.5), 3.0), dtype=NESTED),
    "axes": lambda a: np.array((1, 2.5), dtype=SIMPLE, ndmin=2),
    "asarray": lambda a: np.asarray([(1, 2.5)], dtype=SIMPLE),
}


@pytest.mark.parametrize("name", MADE)
def test_arrays_of_tuples(name):
    check(MADE[name], np.arange(3))


@pytest.mark.parametrize(
    "made",
    [
        lambda a: np.array([a[1], a[0]], dtype=a.dtype),
        lambda a: np.array(a[1], dtype=a.dtype),
        lambda a: np.array([a, a[::-1]], dtype=a.dtype),
        lambda a: np.array([a, a[::-1]]),
        lambda a: np.asarray([r for r in a[1:]], dtype=a.dtype),
    ],
)
def test_arrays_of_records(made):
    check(made, np.array([(3, 0.5), (4, 1.5)], SIMPLE))


def test_arrays_of_tuples_that_do_not_fit():
    f = njit(lambda a, b: np.array([a, b], dtype=SIMPLE))
    rows = [(1, 2.0)]
    assert f(rows, [(3, 4.0)]).tolist() == [[(1, 2.0)], [(3, 4.0)]]
    with pytest.raises(ValueError, match="inhomogeneous"):
        f(rows, [(3, 4.0), (5, 6.0)])
    with pytest.raises(TypingError, match="could not assign a tuple of length 3 to a record with 2 fields"):
        njit(lambda: np.array([(1, 2, 3)], dtype=SIMPLE))()


@vectorize
def increased(x):
    return x + 1


REFUSED = [
    ("{a[0]: 1}", "unhashable type: record.*hint: use tuple"),
    ("{a[0]}", "unhashable type: record"),
    ("hash(a[0])", "unhashable type: record.*hint: use tuple"),
    ("a[0] in [a[1]]", "records in containers are not compared"),
    ("[a[0]] == [a[1]]", "records in containers are not compared"),
    ("[a[0]].index(a[1])", "records in containers are not compared"),
    ("np.sqrt(a)", "numpy.sqrt: .*record.*hint: name a field"),
    ("np.add(a[0], 1)", "numpy.add: .*record.*hint: name a field"),
    ("increased(a)", "increased.*record"),
    ("a + 1", "no operator '\\+'.*record"),
    ("abs(a[0])", "record.*hint: name a field"),
]


@pytest.mark.parametrize("text, message", REFUSED, ids=[text for text, _ in REFUSED])
def test_refused(text, message):
    with pytest.raises((TypingError, UnsupportedError), match=f"(?si){message}"):
        define(f"def f(a):\n    return {text}\n", increased=increased)(np.zeros(2, SIMPLE))


def test_ufuncs_take_fields():
    a = filled(ALIGNED)
    assert define("def f(a):\n    return increased(a['x'])\n", increased=increased)(a).tolist() == [1.5, 2.5, 3.5, 4.5]
    with pytest.raises(TypeError, match="not supported for the input types"):
        increased(np.zeros(2, SIMPLE))


def test_rows_in_a_list_are_not_one():
    f = define("def f(m):\n    return [m[0]] == [m[1]], [m] == [m]\n")
    assert f(np.ones((2, 2))) == (False, True)


def test_nothing_leaks():
    f = define(
        "def f(a):\n    n = 0\n    for r in a:\n        n += len(f'{r} {r!r}') + (r == a[0])\n"
        "    a['x'] = a['x'][::-1]\n    a[1:] = a[:-1]\n    return n, a == a, tuple(a[0])[:2]\n"
    )
    f(filled(PACKED))
    before = allocation_counts()
    for _ in range(5):
        f(filled(PACKED))
    after = allocation_counts()
    assert after[0] - before[0] == after[1] - before[1]


@pytest.mark.parametrize("kind", ["i2", "f4", "f8", "c16", "S3", "U2", [("a", "i1"), ("b", "f8")]], ids=str)
def test_copies_of_packed_fields(kind):
    """Items of two bytes to sixteen, and of sizes that no number has, one after the other and apart, on two axes."""
    records = np.zeros((5, 7), [("x", "i1"), ("v", kind), ("w", "f4")])
    bytes_of = records.view(np.uint8).reshape(-1)
    bytes_of[:] = np.arange(bytes_of.size) % 100 + 1
    copied = njit(lambda r: r["v"].copy())
    for part in (records, records[::2, ::-3], records.T, records[0], records[:0], records[2:3, 1:2]):
        found = copied(part)
        assert found.shape == part.shape and found.tobytes() == part["v"].copy().tobytes()
        assert found.flags.c_contiguous
    if not isinstance(kind, list) and kind[0] in "fc":
        sums = njit(lambda r: (r["v"] * 2, r["v"].sum(), r["v"] + r["v"][::-1]))
        for part in (records, records[::2, ::-3], records.T):
            for x, y in zip(sums(part), sums.py_func(part)):
                np.testing.assert_allclose(x, y, rtol=1e-6)
