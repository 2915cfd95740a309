"""Ufuncs on datetimes and timedeltas: units are those of the signature, or those that a DUFunc meets."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarray import guvectorize, njit, types, vectorize
from pyarray.errors import TypingError, UFuncTypeError

NAT = -(2**63)
DAY = np.timedelta64(1, "D")


def same(ours, numpys):
    assert type(ours) is type(numpys)
    assert ours.dtype == numpys.dtype
    np.testing.assert_array_equal(ours, numpys)


@vectorize(["int64(NPTimedelta('D'))"])
def days(x):
    return x // DAY


@vectorize([types.NPDatetime("ms")(types.NPDatetime("ms"), types.NPTimedelta("ms"))])
def shifted(t, by):
    return t + by


@vectorize(["NPTimedelta('s')(NPTimedelta('s'), NPTimedelta('s'))"], identity=0)
def total(a, b):
    return a + b


@vectorize
def difference(a, b):
    return a - b


def times(letter, unit, shape=8):
    counts = np.random.default_rng(len(unit)).integers(-5000, 5000, shape)
    counts.flat[2] = NAT
    return counts.astype(f"{letter}8[{unit}]")


# ------------------------------------------------------------------------------------------------
# Signatures


def test_it_is_a_numpy_ufunc():
    for made, kinds in ((days, ["m->l"]), (shifted, ["Mm->M"]), (total, ["mm->m"])):
        assert type(made) is np.ufunc
        assert made.types == kinds
    assert type(pickle.loads(pickle.dumps(shifted))) is np.ufunc


@pytest.mark.parametrize("unit", ["W", "D", "h", "m", "s", "ms", "7D"])
def test_coarser_units_are_cast(unit):
    t, by = times("M", unit), times("m", unit)
    same(shifted(t, by), t.astype("M8[ms]") + by.astype("m8[ms]"))
    same(shifted(t[::2], by[1::2]), t[::2].astype("M8[ms]") + by[1::2].astype("m8[ms]"))
    same(shifted(t[0], by), t[0].astype("M8[ms]") + by.astype("m8[ms]"))


def test_the_result_has_the_signatures_unit():
    same(shifted(np.datetime64("2020"), np.timedelta64(3, "h")), np.datetime64("2020-01-01T03", "ms"))
    same(shifted(np.array(["2020", "NaT"], "M8[Y]"), 5), np.array(["2020-01-01T00:00:00.005", "NaT"], "M8[ms]"))
    same(shifted(np.datetime64("2020"), np.timedelta64("NaT")), np.datetime64("NaT", "ms"))
    same(days(np.array([1, 2], "m8[W]")), np.array([7, 14]))


@pytest.mark.parametrize("arguments", [
    (np.datetime64("2020", "ns"), np.timedelta64(1, "s")), (np.datetime64("2020"), np.timedelta64(1, "us")),
    (np.datetime64("2020"), np.timedelta64(1, "Y")), (np.timedelta64(1, "s"), np.timedelta64(1, "s")),
    (np.datetime64("2020"), np.datetime64("2020")), (np.datetime64("2020"), 1.5), (5, np.timedelta64(1, "s")),
    (np.zeros(3, "m8[D]"), np.zeros(3, "M8[D]")), (np.array(["2020"], object), np.timedelta64(1, "s")),
])  # fmt: skip
def test_other_inputs_are_refused(arguments):
    with pytest.raises(TypeError, match="could not be safely coerced"):
        shifted(*arguments)


def test_outputs():
    t, by = times("M", "h"), times("m", "h")
    for unit in ("ms", "ns", "s"):
        out = np.zeros(t.size, f"M8[{unit}]")
        assert shifted(t, by, out=out) is out
        np.testing.assert_array_equal(out, (t + by).astype(out.dtype))
    for dtype in ("m8[ms]", "i8", "f8"):
        with pytest.raises(TypeError, match="Cannot cast ufunc 'shifted' output"):
            shifted(t, by, out=np.zeros(t.size, dtype))
    out = np.zeros(t.size, "M8[ms]")
    shifted(t, by, out=out, where=np.arange(t.size) < 3)
    np.testing.assert_array_equal(out[:3], (t + by)[:3])
    assert not out[3:].astype("i8").any()


def test_methods():
    seconds = times("m", "s")[3:]
    same(total.reduce(seconds), np.add.reduce(seconds))
    same(total.accumulate(seconds), np.add.accumulate(seconds))
    same(total.reduceat(seconds, [0, 2]), np.add.reduceat(seconds, [0, 2]))
    same(total.reduce(seconds.astype("m8[s]").reshape(5, 1), axis=0), seconds.sum().reshape(1))
    same(total.reduce(np.arange(4).astype("m8[m]")), np.timedelta64(360, "s"))
    same(total.reduce(np.zeros(0, "m8[s]")), np.timedelta64(0, "s"))
    t, by = times("M", "D", 3), times("m", "h", 4)
    same(shifted.outer(t, by), np.add.outer(t, by).astype("M8[ms]"))
    counted = np.zeros(3, "m8[s]")
    total.at(counted, [0, 1, 0], np.timedelta64(5, "m"))
    same(counted, np.array([600, 300, 0], "m8[s]"))
    with pytest.raises(TypeError):
        total.reduce(np.arange(3).astype("m8[ms]"))


def test_odd_memory():
    record = np.zeros(5, [("a", "i1"), ("t", "M8[h]"), ("d", "m8[h]")])
    record["t"], record["d"] = times("M", "h", 5), times("m", "h", 5)
    expected = (record["t"] + record["d"]).astype("M8[ms]")
    same(shifted(record["t"], record["d"]), expected)
    same(shifted(record["t"].astype(">M8[s]"), record["d"]), expected)
    same(shifted(record["t"][::-1], record["d"][::-1]), expected[::-1])


def test_several_loops():
    @vectorize(["float64(float64)", "int64(NPDatetime('D'))", "int64(NPTimedelta('s'))"])
    def number(x):
        return x

    assert number.types == ["d->d", "M->l", "m->l"]
    same(number(np.array([2.5])), np.array([2.5]))
    same(number(np.array([3], "i4")), np.array([3.0]))
    same(number(np.array(["1971"], "M8[Y]")), np.array([365]))
    same(number(np.array([1], "m8[m]")), np.array([60]))


def test_loops_that_differ_in_units_alone_are_refused():
    with pytest.raises(TypingError, match="in other units"):
        vectorize(["int64(NPTimedelta('D'))", "int64(NPTimedelta('s'))"])(lambda x: x // DAY)
    lazy = vectorize(lambda x: x // DAY)
    lazy.add("int64(NPTimedelta('D'))")
    with pytest.raises(TypingError, match="in other units"):
        lazy.add("int64(NPTimedelta('s'))")
    same(lazy(np.array([1], "m8[W]")), np.array([7]))


def test_kernels_that_mix_units():
    with pytest.raises(TypingError, match="no fixed number of days"):
        vectorize(["NPTimedelta('s')(NPTimedelta('Y'))"])(lambda x: x + DAY)


# ------------------------------------------------------------------------------------------------
# DUFunc


@given(
    st.sampled_from(["W", "D", "h", "s", "25s", "ms"]),
    st.sampled_from(["D", "h", "10s", "ns"]),
    st.sampled_from(["MM", "mm", "Mm"]),
)
@settings(max_examples=40, deadline=None)
def test_lazy_loops_have_the_units_of_the_call(first, second, kinds):
    a, b = times(kinds[0], first), times(kinds[1], second)
    same(difference(a, b), a - b)
    same(difference(a[0], b), a[0] - b)


def test_lazy_numbers_and_refusals():
    same(difference(times("m", "s"), 3), times("m", "s") - 3)
    same(difference(times("M", "s"), 3), times("M", "s") - 3)
    same(difference.reduce(times("m", "h")[3:]), np.subtract.reduce(times("m", "h")[3:]))
    a, b = times("M", "D", 3), times("M", "h", 4)
    same(difference.outer(a, b), np.subtract.outer(a, b))
    with pytest.raises(TypingError):
        difference(times("m", "Y"), times("m", "D"))
    with pytest.raises(TypingError):
        difference(times("m", "D"), times("M", "D"))
    with pytest.raises(UFuncTypeError):
        difference(np.array(["2020"], object), times("M", "D", 3))


def test_declared_loops_of_a_lazy_ufunc():
    @vectorize
    def doubled(x):
        return x * 2

    doubled.add("NPTimedelta('s')(NPTimedelta('s'))")
    same(doubled(np.array([1, NAT], "m8[m]")), np.array([120, NAT], "m8[s]"))
    same(doubled(np.array([1, NAT], "m8[ms]")), np.array([2, NAT], "m8[ms]"))
    same(doubled(np.array([1.5])), np.array([3.0]))


# ------------------------------------------------------------------------------------------------
# Gufuncs, ufuncs in compiled code


def test_gufunc():
    @guvectorize(["(NPDatetime('s')[:], NPTimedelta('s')[:])"], "(n)->()")
    def span(t, out):
        least = most = t[0]
        for x in t:
            least, most = min(least, x), max(most, x)
        out[0] = most - least

    t = np.array([["2020-01-01", "2020-01-03"], ["2021-01-01", "NaT"]], "M8[D]")
    same(span(t), np.array([2 * 86400, 0], "m8[s]"))
    with pytest.raises(TypeError, match="could not be safely coerced"):
        span(t.astype("M8[ms]"))

    @guvectorize("(n)->(n)")
    def steps(t, out):
        for i in range(t.size):
            out[i] = t[i] - t[0]

    out = np.zeros((2, 2), "m8[h]")
    steps(t, out)
    same(out, (t - t[:, :1]).astype("m8[h]"))


@pytest.mark.parametrize("target", ["cpu", "parallel"])
def test_targets(target):
    @vectorize(["NPTimedelta('s')(NPDatetime('s'), NPDatetime('s'))"], target=target)
    def elapsed(a, b):
        return a - b

    a, b = times("M", "s", (300, 400)), times("M", "s", 400)
    same(elapsed(a, b), a - b)
    same(elapsed(a.T, b[:1]), a.T - b[:1])


def test_in_compiled_code():
    @njit
    def use(t, by):
        return shifted(t, by), difference(t, by), days(by)

    t, by = times("M", "D"), times("m", "D")
    ours = use(t, by)
    for got, expected in zip(ours, (shifted(t, by), t - by, days(by))):
        same(got, expected)
    moment, step, count = use(t[0], by[0]), t[0] - by[0], days(by[0])
    same(moment[0], shifted(t[0], by[0]))
    same(moment[1], step)
    assert moment[2] == count
    with pytest.raises(TypingError, match="did not contain a loop"):
        use(t.astype("M8[us]"), by)
    out = np.zeros(t.size, "M8[ms]")
    njit(lambda t, by, out: shifted(t, by, out))(t, by, out)
    same(out, shifted(t, by))
