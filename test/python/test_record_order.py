"""Arrays of records in order, fields of packed records in functions of NumPy, titles and recarrays."""

import numpy as np
import pytest
from pyarray import njit

PACKED = np.array(
    [(2, 1.5, "b"), (1, 2.5, "a"), (2, 0.5, ""), (1, np.nan, "b"), (2, 1.5, "a")],
    dtype=[("k", "i2"), ("v", "f8"), ("t", "U2")],
)
ALIGNED = PACKED.astype(np.dtype([("k", "i2"), ("v", "f8"), ("t", "U2")], align=True))


def every_kind():
    """Records with fields of all kinds, some nested or sub-arrays."""
    inner = [("c", "c8"), ("m", "m8[s]")]
    names = ["s", "inner", "d", "h", "z", "flag", "u"]
    formats = [("i2", (2,)), inner, "M8[D]", "f2", "S3", "?", "u8"]
    rows = np.zeros(60, list(zip(names, formats)))
    rng = np.random.default_rng(5)
    rows["s"] = rng.integers(-300, 300, (60, 2)) // 200 * 200
    rows["inner"]["c"] = rng.choice([0, 1 + 2j, 1 - 2j, np.nan + 1j, 1 + 1j * np.nan, complex(np.nan, np.nan)], 60)
    rows["inner"]["m"] = rng.choice(np.array(["NaT", 5, -5], "m8[s]"), 60)
    rows["d"] = rng.choice(np.array(["NaT", "2020-01-01", "1960-01-01"], "M8[D]"), 60)
    rows["h"] = rng.choice([1, -1, 0, -0.0, np.nan, np.inf, 5.96e-08], 60)
    rows["z"] = rng.choice(np.array([b"", b"ab", b"b", b"\xff"]), 60)
    rows["flag"] = rng.integers(0, 2, 60)
    rows["u"] = rng.choice(np.array([0, 2**63, 2**64 - 1], "u8"), 60)
    return rows


def same(found, wanted):
    assert found.dtype == wanted.dtype and type(found) is type(wanted)
    assert found.tobytes() == wanted.tobytes()


@pytest.mark.parametrize("array", [PACKED, ALIGNED, ALIGNED.view(np.recarray)])
def test_sorts(array):
    def sorts(a):
        return np.sort(a), np.sort(a, order="v"), np.sort(a, order=("t", "k")), np.argsort(a, order=["k", "t"])

    for found, wanted in zip(njit(sorts)(array), sorts(array)):
        same(np.asarray(found), np.asarray(wanted))

    def in_place(a):
        a.sort(order="t")

    mine, theirs = array.copy(), array.copy()
    njit(in_place)(mine)
    in_place(theirs)
    assert mine.tobytes() == theirs.tobytes()


def test_fields_of_every_kind():
    rows = every_kind()

    @njit
    def first(a, name):
        return np.argsort(a, order=name, kind="stable")

    for name in rows.dtype.names:
        same(first(rows, name), np.argsort(rows, order=name, kind="stable"))


def test_unique_places_and_partitions():
    def found(a):
        return np.unique(a), np.unique(a, return_counts=True)[1], np.searchsorted(np.sort(a[:3]), a[:3])

    keys = np.array([(1, "b"), (1, "a"), (0, "z"), (1, "b")], dtype=[("k", "i4"), ("t", "U1")])
    for mine, theirs in zip(njit(found)(keys), found(keys)):
        same(mine, theirs)
    assert njit(lambda a: np.partition(a, 1, order="t")[1])(keys).item() == np.partition(keys, 1, order="t")[1].item()
    assert keys[njit(lambda a: np.argpartition(a, 0, order="k")[0])(keys)]["k"] == 0


@pytest.mark.parametrize("order", ["zz", ["k", "k"]])
def test_wrong_fields(order):
    with pytest.raises(ValueError) as wanted:
        np.sort(PACKED, order=order)
    with pytest.raises(ValueError) as caught:
        njit(lambda a, order: np.sort(a, order=order))(PACKED, order)
    assert str(caught.value) == str(wanted.value)


# Fields at any address ------------------------------------------------------------------------------------------------


def test_functions_of_unaligned_fields():
    def computed(a):
        v, k = a["v"], a["k"]
        return (
            v * 2 + k,
            -v,
            k > 1,
            np.sqrt(v),
            np.isnan(v),
            v[k > 1],
            np.sort(v),
            np.argsort(k, kind="stable"),
            np.lexsort((v, k)),
            np.unique(k),
            np.cumsum(v),
            v.copy(),
            np.dot(k, k),
            np.where(k > 1, v, 0.0),
        )

    for mine, theirs in zip(njit(computed)(PACKED), computed(PACKED)):
        np.testing.assert_array_equal(mine, theirs)
        assert np.ndim(mine) == 0 or mine.dtype == theirs.dtype


def test_methods_of_unaligned_fields():
    table = np.array([((1.0, 2.0), 3), ((4.0, 5.5), 6)], dtype=[("b", "i1"), ("x", "f8", 2)][::-1])

    def folded(a):
        x = a["x"]
        return x.sum(), x.mean(), x.max(), x.std(), x.argmax(), np.sum(x), np.median(x), a[1].x.sum()

    def wanted(a):
        x = a["x"]
        return x.sum(), x.mean(), x.max(), x.std(), x.argmax(), np.sum(x), np.median(x), a[1]["x"].sum()

    assert njit(folded)(table) == wanted(table)
    np.testing.assert_array_equal(njit(lambda a: a["x"].sum(axis=0))(table), table["x"].sum(axis=0))


def test_stores_to_unaligned_fields():
    def stored(a):
        a["v"] += 1
        a["k"] = a["k"] * 2
        a["v"][1:3] *= 2

    mine, theirs = PACKED.copy(), PACKED.copy()
    njit(stored)(mine)
    stored(theirs)
    assert mine.tobytes() == theirs.tobytes()


# Titles and recarrays -------------------------------------------------------------------------------------------------

TITLED = np.array([(1, 2.5), (3, 4.5)], dtype=np.dtype([(("The key", "k"), "i4"), (("Value~", "v"), "f8")]))


def test_titles():
    def read(a):
        return a["The key"][1], a[0]["Value~"], a["v"][0], a[1].k

    assert njit(read)(TITLED) == (3, 2.5, 2.5, 3)
    assert njit(lambda a: a[::-1])(TITLED).dtype.fields.keys() == TITLED.dtype.fields.keys()
    assert njit(lambda a: np.sort(a, order="k"))(TITLED).dtype == TITLED.dtype

    def write(a):
        a["The key"] = 7
        a[1]["Value~"] = 0.5

    changed = TITLED.copy()
    njit(write)(changed)
    assert changed.tolist() == [(7, 2.5), (7, 0.5)]


RECORDS = ALIGNED.view(np.recarray)


def test_recarrays_are_globals():
    assert njit(lambda: RECORDS[1].v + RECORDS.k[0])() == 4.5
    whole = njit(lambda: RECORDS)()
    assert type(whole) is np.recarray and whole.tobytes() == RECORDS.tobytes()
    assert type(njit(lambda i: RECORDS[i])(2)) is np.record
