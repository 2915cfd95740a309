# ruff: noqa: E501  (expressions)
"""Arrays indexed by lists, masks and arrays of integers, read and stored to, against NumPy."""

import traceback

import numpy as np
import pytest
from compare import assert_same, define, expression, outcome
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarray import njit
from pyarray.errors import PyArrayError
from test_array_functions import check, numbers

RECORD = np.dtype([("x", "f4"), ("n", "i2")])
DTYPES = ["b1", "i1", "u2", "i4", "i8", "u8", "f2", "f4", "f8", "c8", "c16", "M8[D]", "m8[s]", RECORD]


def values(dtype, shape):
    dtype = np.dtype(dtype)
    if dtype.names:
        made = np.zeros(shape, dtype)
        made["x"], made["n"] = np.arange(made.size).reshape(shape), -np.arange(made.size).reshape(shape)
        return made
    if dtype.kind in "mM":
        return np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    return numbers(dtype, shape)


READ = ["a[i]", "a[:, i]", "a[i, i]", "a[i, 1]", "a[i, 1:]", "a[..., i]", "a[i, None]", "a[None, i]", "a[j]", "a[j, i]", "a[m]", "a[:, r]", "a[[2, 0]]", "a[[0, 1], 1:]"]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_dtype(dtype, request):
    if dtype != "f8":
        request.getfixturevalue("little_optimised")
    a, i, j = values(dtype, (3, 3)), np.array([2, 0, -1]), np.array([[0], [1]])
    m, r = np.arange(9).reshape(3, 3) % 2 == 0, np.array([True, False, True])
    for text in READ:
        f = expression(text, "a, i, j, m, r")
        for array in (a, a.T, np.repeat(a, 2, 0)[::2], a[:, ::-1])[: 4 if dtype == "f8" else 1]:
            ours, theirs = f(array, i, j, m, r), f.py_func(array, i, j, m, r)
            assert ours.dtype == theirs.dtype and ours.shape == theirs.shape and np.array_equal(ours, theirs), text
    for text in ("a[i] = a[0]", "a[:, i] = a", "a[m] = a[0, 0]", "a[j, i] = a[:2]", "a[r] = a[r]", "a[[2, 0]] = a[1:]"):
        f = define(f"def f(a, i, j, m, r):\n    {text}\n    return a\n")
        ours, theirs = f(a.copy(), i, j, m, r), f.py_func(a.copy(), i, j, m, r)
        assert np.array_equal(ours, theirs), text


@pytest.mark.parametrize("kind", "bBhHiIqQ")
def test_indices_of_every_type(kind):
    i = np.array([2, 0, 1], kind)
    assert_same(expression("a[i], a[:, i], a[i, i]", "a, i"), numbers("f8", (3, 4)), i)
    check("a[i]", "a, i", numbers("f8", (2, 4)), i)


def test_what_has_no_elements():
    for shape in [(0,), (0, 3), (3, 0), (2, 3)]:
        a = np.zeros(shape)
        for text in ("a[[]]", "a[i]", "a[m]", "a[i, ...]", "a[:0][i]"):
            check(text, "a, i, m", a, np.zeros(0, np.int64), np.zeros(shape, bool))
        check("a[[5]]", "a", a)


def test_one_bool_and_arrays_without_dimensions():
    a = numbers("f8", (3, 4))
    for text in ("a[True]", "a[False]", "a[True, 1]", "a[b]", "a[[0, 1], b]", "a[:, b, 1]", "a[n]", "a[n, n]", "a[n, 1:]", "a[n, [1, 2]]"):
        check(text, "a, b, n", a, True, np.array(1))
        check(text, "a, b, n", a, False, np.array(-1))
    f = define("def f(a, n):\n    b = a[n]\n    b[:] = 0\n    a[n] = b + 1\n    a[True] = a * 2\n    return a\n")
    assert_same(f, a, np.array(1))


def test_errors():
    a = numbers("f8", (3, 4))
    for text in ("a[i]", "a[:, i]", "a[i, i]", "a[1, i]", "a[i, j]", "a[None, i, None, i]"):
        check(text, "a, i, j", a, np.array([1, 4]), np.array([0, 1, 2]))
        check(text, "a, i, j", a, np.array([-4, 1]), np.array([0, 1]))
    for mask in (np.ones(2, bool), np.ones((3, 3), bool), np.ones((2, 4), bool)):
        check("a[m]", "a, m", a, mask)
        check("a[m].sum()", "a, m", a, mask)
    check("a[:, m]", "a, m", a, np.ones(3, bool))
    for text, value in (("a[i] = v", np.ones((3, 3))), ("a[:, i] = v", np.ones(3)), ("a[m] = v", np.ones(5)), ("a[m] = v", np.ones((2, 2))), ("a[i, i] = v", np.ones((3, 2)))):
        f = define(f"def f(a, i, m, v):\n    {text}\n    return a\n")
        ours, theirs = (outcome(each, (a.copy(), np.array([0, 2]), a > 0, value)) for each in (f, f.py_func))
        assert repr(ours) == repr(theirs)
    i, j = np.array([0, 2]), np.array([3, 1, 0])
    for text, x, y, v in (("a[i, j] = v", i, j, 1.0), ("a[i, j] = v", i[:, None], j, np.ones((1, 1, 3))), ("a[i, j] += v", i[:, None], j, i[:, None]), ("a[i, j] = v", i, np.array([1, 4]), np.ones(3))):
        f = define(f"def f(a, i, j, v):\n    {text}\n    return a\n")
        assert repr(outcome(f, (a.copy(), x, y, v))) == repr(outcome(f.py_func, (a.copy(), x, y, v)))
    f = define("def f(a, i):\n    a[i] = 1.0\n")
    with pytest.raises(IndexError, match="index 9223372036854775813 is out of bounds for axis 0 with size 3"):
        f(a, np.array([0, 2**63 + 5], np.uint64))
    with pytest.raises(IndexError, match="index 7 is out of bounds for axis 0 with size 3"):
        f(a, np.array([0, 7]))
    assert not (a == 1).any()  # nothing is stored where an index is wrong
    for text in ("a[h]", "a[1.5]", "a[i, i, i]"):
        with pytest.raises(PyArrayError):
            expression(text, "a, h, i")(a, a, np.array([1]))


def test_the_last_of_several_values_stays():
    i, v = np.array([1, 2, 1, 1]), np.arange(4.0)
    for text in ("a[i] = v", "a[i] += v", "a[i] = v[::-1]", "a[i] -= 1", "np.add.at(a, i, v)", "np.maximum.at(a, i, v)"):
        assert_same(define(f"def f(a, i, v):\n    {text}\n    return a\n"), np.zeros(5), i, v)
        assert_same(define(f"def f(a, i, v):\n    {text}\n    return a\n", decorator=njit(parallel=True)), np.zeros(5), i, v)


@pytest.mark.parametrize("text", ["a[i] = a[::-1][:4]", "a[i] = a[i][::-1]", "a[i] += a[1:5]", "a[a > 2] = a[a < 3][:3]", "a[i[:4]] = a[i[::-1]]", "i[i] = i[::-1]", "i[i] = 0", "i[i] += i"])
def test_what_is_stored_is_read_before(text):
    f = define(f"def f(a, i):\n    {text}\n    return a, i\n")
    assert_same(f, np.arange(6.0), np.array([3, 0, 2, 1]))


def test_results_are_new_memory():
    f = define("def f(a, i, m):\n    b = a[i]\n    c = a[m]\n    b += 1\n    c *= 2\n    return a, b, c\n")
    assert_same(f, np.arange(6.0), np.array([1, 1]), np.arange(6) > 3)


FUNCTIONS = """
np.take(a, i) ; np.take(m, i) ; np.take(m, i, axis=1) ; np.take(m, 1, axis=0) ; np.take(m, [[0, 1]], -1) ; np.take(a, [9, -9], mode='wrap') ; np.take(a, [9, -9], mode='clip') ; np.take(a, [9]) ; np.take(m, [9], 1)
np.take(a, i, out=np.empty(3, a.dtype)) ; a.take(i) ; m.take(2) ; np.take(a[:0], i) ; np.take(a[:0], i[:0]) ; np.take([3, 4, 5], i)
np.nonzero(m > 0) ; np.nonzero(a) ; m.nonzero() ; np.where(m > 0) ; np.where(a) ; np.flatnonzero(m) ; np.argwhere(m > 0) ; np.argwhere(a) ; np.nonzero(m[:0])
np.choose(i, [a[:3], a[1:4], a[2:5]]) ; np.choose(i, (a[:3], 5.0, 1.0)) ; np.choose(i, m[:, :3]) ; i.choose([a[:3], a[1:4], a[2:5]]) ; np.choose(i + 2, [a[:3], a[1:4]]) ; np.choose(i + 2, [a[:3], a[1:4]], mode='clip') ; np.choose(i - 5, [a[:3], a[1:4]], mode='wrap')
np.select([a > 0, a < -1], [a, a * 2], -1.0) ; np.select([a > 0], [a]) ; np.select([m > 0, m < -1], (m, 3.0))
np.piecewise(a, [a < 0, a >= 0], [-1, 1]) ; np.piecewise(a, [a < 0], [lambda v: -v, lambda v: v * 2]) ; np.piecewise(m, [m < 0, m > 1], [np.sin, 2, 3]) ; np.piecewise(a, a < 0, [lambda v, k: v * k, 5], 3)
np.piecewise(i, [i < 1, i >= 1], [-1.5, lambda v: v * 2]) ; np.piecewise(a, [a < 0], [1, 2, 3]) ; np.piecewise(2.0, [True, False], [1, 2]) ; np.piecewise(a[:0], [a[:0] < 0], [1, np.cos]) ; np.piecewise(a, [a > 99], (np.sin, 0))
np.compress([True, False, True], m, axis=0) ; np.compress(a > 0, a) ; m.compress([True, False, True], axis=1) ; np.compress([False, True], m) ; np.compress([True] * 9, a)
np.extract(m > 0, m) ; np.extract([1, 0, 1], a[:3]) ; m[np.ix_([0, 2], [1, 3])] ; m[np.ix_([True, False, True], i)] ; np.ix_(i, i, i)[1]
np.take_along_axis(m, np.array([[2, 0, 1, 1]]), 0) ; np.take_along_axis(m, np.array([[2], [0], [1]]), 1) ; np.take_along_axis(a, i, 0) ; np.take_along_axis(m, i, None) ; np.take_along_axis(m, np.array([[7]]), 1)
a.item(1) ; m.item(5) ; m.item(1, 2) ; m.item(-1) ; m.item(12)
""".replace("\n", " ; ").split(" ; ")

STORES = """
np.put(a, [1, -2], [7.0, 8.0]) ; np.put(m, [1, -2], [7.0]) ; np.put(a, [1, 12], 3.0) ; a.put([1, 3], 9.0) ; np.put(m, [70], 1.0, mode='wrap') ; np.put(a, [70, -70], 1.0, mode='clip') ; np.put(a[:0], [0], 1.0) ; np.put(a[:0], [0], 1.0, mode='clip') ; np.put(a[:0], [0], 1.0, mode='wrap') ; np.put(m[:0], i[:0], 1.0) ; np.put(a, i, [])
np.place(a, a > 0, [1.0, 2.0]) ; np.place(m, m > 0, [1.0]) ; np.place(a, a > 0, []) ; np.place(a, a > 1e9, [])
np.putmask(a, a > 0, a * 2) ; np.putmask(m, m > 0, m[0]) ; np.copyto(a, 5.0, where=a > 0) ; np.copyto(m, a[:4], where=m > 0)
np.put_along_axis(m, np.array([[2, 0, 1, 1]]), 9.0, 0) ; np.put_along_axis(a, i, 2.0, 0) ; np.put_along_axis(m, np.array([[2], [0], [1]]), np.array([[5.0], [6.0], [7.0]]), 1)
np.add.at(a, i, 1) ; np.add.at(a, [1, 1, 1], np.array([1.0, 2.0, 3.0])) ; np.add.at(m, ([0, 0, 1], [1, 1, 2]), 5) ; np.multiply.at(m, (slice(None), i), 2.0) ; np.subtract.at(a, a > 0, 1.0) ; np.maximum.at(a, [0, 0, 3], [5.0, 4.0, 1.0]) ; np.add.at(a, [10], 1)
""".replace("\n", " ; ").split(" ; ")


@pytest.mark.usefixtures("little_optimised")
@pytest.mark.parametrize("text", [text.strip() for text in FUNCTIONS if text.strip()])
def test_functions(text):
    check(text, "a, m, i", numbers("f8", (5,)), numbers("f8", (3, 4)), np.array([2, 0, 1]))
    if "compress" not in text:
        check(text, "a, m, i", numbers("i4", (10,))[::2], numbers("i4", (4, 3)).T, np.array([[2, 9, 0, 9, 1]])[0, ::2])


@pytest.mark.usefixtures("little_optimised")
@pytest.mark.parametrize("text", [text.strip() for text in STORES if text.strip()])
def test_functions_that_store(text):
    f = define(f"def f(a, m, i):\n    {text}\n    return a, m\n")
    for a, m in ((numbers("f8", (5,)), numbers("f8", (3, 4))), (numbers("f4", (10,))[::2], numbers("f4", (4, 3)).T)):
        ours, theirs = (outcome(each, (a.copy(), m.copy(), np.array([2, 0, 1]))) for each in (f, f.py_func))
        assert repr(ours) == repr(theirs)


@pytest.mark.parametrize("decorator", [njit, njit(parallel=True)], ids=["cpu", "parallel"])
def test_what_is_read_so_is_computed_with(decorator):
    x, y, i = numbers("f8", (3000,)), numbers("f8", (3000,), 2), np.arange(3000)[::-1] // 2
    for text in ("x[x > y].sum()", "x[x > y].mean()", "(x[i] * y).sum()", "x[i * 2 - 5] + y", "x[i].max()", "x[x > 0].min()", "x[(x + y) > 0] * 2", "np.where(x > y, x, y)", "(x[i] - y[i]).std()", "x[x > 0][1:].sum()"):
        f = expression(text, "x, y, i", decorator=decorator)
        same(("returned", f(x, y, i)), ("returned", f.py_func(x, y, i)))
    f = define("def f(a, x, y, i):\n    a[x > y] = 0\n    a[i] += x\n    a[y < -1] *= 2\n    return a\n", decorator=decorator)
    assert_same(f, np.arange(3000.0), x, y, i)


@pytest.mark.usefixtures("little_optimised")
@pytest.mark.parametrize("text", ["a.flat[5], a.T.flat[5], a.flat[-1]", "a.T.flat[2:9:3]", "a.T.flat[[1, 5]]", "a.flat[12]", "[e for e in a.T.flat]", "a[:, ::2].flat[1:]", "np.sum(a.T.flat)", "a.flat[-13]", "[a[:, ::2].flat[i] for i in range(-6, 6)]", "[a.flat[i] for i in range(-12, 12)]"])
def test_flat(text):
    check(text, "a", np.arange(12.0).reshape(3, 4))


def test_flat_is_a_view():
    f = define("def f(a):\n    found, flat = [0.0], a.flat\n    for x in flat:\n        a[2, 3] = found[-1] + 1\n        found.append(x)\n    return found\n")
    assert_same(f, np.arange(12.0).reshape(3, 4))
    assert_same(f, np.arange(120.0).reshape(2, 3, 4, 5)[1, :, :, 0].copy())


@pytest.mark.usefixtures("little_optimised")
@pytest.mark.parametrize("text", ["a.T.flat[5] = -1", "a.flat[[0, 3]] = 9", "a.flat[-2] += 5", "a.flat = 7", "a[:, ::2].flat[1:] = b", "a.flat[12] = 1"])
def test_flat_is_stored_to(text):
    assert_same(define(f"def f(a, b):\n    {text}\n    return a\n"), np.arange(12.0).reshape(3, 4), np.array([1.0, 2.0]))


# Random subscripts ----------------------------------------------------------------------------------------------------

BOUND = st.one_of(st.none(), st.integers(-4, 4))
PLAIN = st.sampled_from(["None", "...", ":", "::-1", "1:", "n"])


@st.composite
def subscripts(draw):
    """An array, and a subscript with masks, arrays, slices, ints, None and ...: its text and what its names stand for."""
    shape = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    left, items, arrays = list(shape), [], []
    common = draw(st.lists(st.integers(1, 3), min_size=1, max_size=2))
    while len(items) < 4:
        kind = draw(st.sampled_from(["plain", "array", "array", "mask", "list", "end"]))
        if kind == "end":
            break
        if kind == "plain":
            item = draw(PLAIN)
            if item == "..." and "..." in items or (item not in ("None", "...") and not left):
                continue
            if item not in ("None", "..."):
                extent = left.pop(0)
                if item == "n":
                    item = str(draw(st.integers(-extent, extent - 1)))
            elif item == "...":
                left = left[draw(st.integers(0, len(left))) :] if left else left
                left = left if "..." not in items else left
                kept = draw(st.integers(0, len(left)))
                left = left[len(left) - kept :]
            items.append(item)
            continue
        if not left:
            break
        name = f"x{len(arrays)}"
        if kind == "mask":
            rank = draw(st.integers(1, min(2, len(left))))
            if "..." in items:
                rank = 1
            mask = np.array(draw(st.lists(st.booleans(), min_size=int(np.prod(left[:rank])), max_size=int(np.prod(left[:rank])))), bool)
            arrays.append(mask.reshape(left[:rank]))
            del left[:rank]
        else:
            extent = left.pop(0)
            wide = [n if draw(st.booleans()) else 1 for n in common][draw(st.integers(0, len(common) - 1)) :]
            size = int(np.prod(wide))
            # An ellipsis may make the axis another one; so a few indices are out of bounds, as they may be.
            index = np.array(draw(st.lists(st.integers(-extent, extent - 1), min_size=size, max_size=size)))
            index = index.reshape(wide).astype(draw(st.sampled_from(["i1", "i4", "i8"])))
            if kind == "list" and index.ndim == 1:
                items.append(str(index.tolist()))
                continue
            arrays.append(index)
        items.append(name)
    dtype = draw(st.sampled_from(["f8", "i4", "c8"]))
    array = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    layout = draw(st.sampled_from(["C", "F", "reversed", "every other"]))
    if layout == "F":
        array = np.asfortranarray(array)
    elif layout == "reversed":
        array = array[::-1]
    elif layout == "every other":
        array = np.repeat(array, 2, -1)[..., ::2]
    arrays = arrays + [np.zeros(1, np.int64)] * (4 - len(arrays))
    return array, ", ".join(items) or "...", arrays


def same(ours, theirs):
    if ours[0] == "raised" or theirs[0] == "raised":
        assert ours[:2] == theirs[:2] and str(ours[2]).split("(")[0] == str(theirs[2]).split("(")[0], (ours, theirs)
    else:
        assert np.asarray(ours[1]).dtype == np.asarray(theirs[1]).dtype
        assert np.shape(ours[1]) == np.shape(theirs[1]) and np.array_equal(ours[1], theirs[1])


def is_refused(function, arguments):
    """Too many indices are an error when the function is compiled."""
    return isinstance(outcome(function, arguments)[1], type) and issubclass(outcome(function, arguments)[1], PyArrayError)


@settings(max_examples=70, deadline=None)
@given(subscripts())
def test_any_subscript_is_read(drawn):
    array, text, arrays = drawn
    f = expression(f"a[{text}]", "a, x0, x1, x2, x3")
    theirs = outcome(f.py_func, (array, *arrays))
    if theirs[0] == "raised" and "too many indices" in str(theirs[2]):
        return
    same(outcome(f, (array, *arrays)), theirs)


STATEMENTS = ["a[{}] = 7", "a[{}] += 2", "a[{}] = a[{}] * 2", "a[{}] = a[{}][..., :1]", "a[{}] = a", "a[{}] = a[..., ::-1]"]


@settings(max_examples=70, deadline=None)
@given(subscripts(), st.sampled_from(STATEMENTS))
def test_any_subscript_is_stored_to(drawn, statement):
    array, text, arrays = drawn
    f = define(f"def f(a, x0, x1, x2, x3):\n    {statement.replace('{}', text)}\n    return a\n")
    theirs = outcome(f.py_func, (array.copy(), *arrays))
    if theirs[0] == "raised" and theirs[1] not in (IndexError, ValueError) or "too many indices" in str(theirs[2:]):
        return
    ours = outcome(f, (array.copy(), *arrays))
    if ours[0] == "raised" and issubclass(ours[1], PyArrayError):
        assert theirs[0] == "raised" or np.ndim(f.py_func) == 0
        return
    same(ours, theirs)


# Fused forms ----------------------------------------------------------------------------------------------------------

READS = ["a[{}] * 2 + 1", "a[{}].sum()", "(a[{}] * 2).max()", "a[{}] + a[{}] * 3", "np.where(a[{}] > 2, a[{}], 0)", "a[{}][..., ::-1] - 1", "(a[{}] - a[{}].min()).sum()"]


@settings(max_examples=80, deadline=None)
@given(subscripts(), st.sampled_from(READS))
def test_any_subscript_is_computed_with(drawn, form):
    array, text, arrays = drawn
    if array.dtype.kind == "c" and ("max" in form or ">" in form or "min" in form):
        array = array.real
    f = expression(form.replace("{}", text), "a, x0, x1, x2, x3")
    theirs = outcome(f.py_func, (array, *arrays))
    if theirs[0] == "raised" and theirs[1] not in (IndexError, ValueError) or "too many indices" in str(theirs[2:]):
        return
    ours = outcome(f, (array, *arrays))
    if ours[0] == "raised" and issubclass(ours[1], PyArrayError):
        return
    if ours[0] == "returned" and np.ndim(theirs[1]) == 0:  # an int is one of Python's
        ours, theirs = (("returned", complex(each[1])) for each in (ours, theirs))
    same(ours, theirs)


LINES = [
    "t = a[i] * 2 + b[j]", "t = a[i] + t", "t = a[j[i % 3]] - 1", "t = b[i] * b[j]", "t = a[i + j]", "t = (a[i] * t) + a[k]", "s = (a[i] * t).sum()", "s = a[j].max() + s",
    "s = (a[i] - b[j]).sum() + s", "a[i] = t", "a[j] += t", "a[i] *= 2", "a[k] = s", "b[:3] = a[i]", "b[:3] = b[i] + 1", "a[:] = a[::-1]", "t += a[i]", "t *= a[j][::-1]", "i[:] = j", "j[i] = 0", "u = a[i]\n    u += t\n    t = u * 2",
    "t = a[i, None][:, 0] * 2", "t = (m[i, j] + a[i]) * t", "s = (m[i, 1] * t).sum()", "m[i, j] += t", "t = np.where(t > a[i], t, b[j])", "t = m[i].sum(axis=1) + t", "t = np.exp(a[i] / 100) + t", "t = t[:, None][:, 0] * a[i]",
]  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_gathers_among_other_statements(data):
    """Values, errors and what was stored before them; the line too."""
    lines = data.draw(st.lists(st.sampled_from(LINES), min_size=2, max_size=6))
    decorator = data.draw(st.sampled_from([njit, njit, njit(parallel=True)]))
    f = define("def f(a, b, m, i, j, k):\n    t = a[:3] * 1\n    s = 0.0\n" + "".join(f"    {line}\n" for line in lines) + "    return t, s\n", decorator=decorator)
    indices = [np.array(data.draw(st.lists(st.sampled_from([0, 1, 2, 3, -1, -2, -4, *([4, 9, -5] if data.draw(st.integers(0, 3)) == 0 else [])]), min_size=3, max_size=3)), data.draw(st.sampled_from(["i8", "i8", "i4"]))) for _ in "ij"]
    results, alias = [], data.draw(st.booleans())
    for function in (f, f.py_func):
        a, b, m, (i, j) = np.arange(4.0), np.arange(4.0)[::-1] * 3 + 1, np.arange(16.0).reshape(4, 4), [index.copy() for index in indices]
        b = a[:] if alias else b
        with np.errstate(all="ignore"):
            try:
                result = "returned", function(a, b, m, i, j, 1)
            except IndexError as error:
                line = traceback.extract_tb(error.__traceback__)[-1].lineno
                result = "raised", str(error), line
        results.append((*result, a, b, m, i, j))
    ours, theirs = results
    assert ours[0] == theirs[0], results
    for x, y in zip(ours[1:], theirs[1:], strict=True):
        if isinstance(x, tuple):
            assert all(np.array_equal(p, q, equal_nan=True) for p, q in zip(x, y, strict=True)), results
        else:
            assert x is y or np.array_equal(x, y), results


# Long ones ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", "bBhHiIqQ")
def test_long_indices_are_checked(kind):
    """Blocks of a row, its end, rows that lie apart; the first one in C order is told of."""
    f, g = expression("a[i] * 2", "a, i"), define("def f(a, i):\n    a[i] = 1\n    return a\n")
    least, n = (-100, 100) if kind.islower() else (0, 100)
    index = np.random.default_rng(1).integers(least, n, 5000).astype(kind)
    a = np.arange(float(n))
    for i in (index, index[::3], index[::-1], index.reshape(50, 100), index.reshape(50, 100).T, index.reshape(50, 100)[:, ::2], index.reshape(10, 50, 10)[:, ::7]):
        assert_same(f, a, i)
        assert_same(g, a.copy(), i)
        for place in (0, 1, i.size // 3, i.size - 2, i.size - 1):
            for wrong in (n, n + 7, *([-n - 1] if least else [])):
                outside = i.copy()
                outside[np.unravel_index(place, i.shape)] = wrong
                outside[(-1,) * i.ndim] = n + 1
                for function in (f, g):
                    target = a.copy()
                    assert outcome(function, (target, outside)) == outcome(function.py_func, (target, outside))
                    assert (target == a).all()


@pytest.mark.parametrize("dtype", ["i1", "f2", "f4", "f8", "c16", RECORD], ids=str)
def test_long_masks(dtype):
    f = define("def f(a, m, v):\n    b = a[m]\n    a[m] = v\n    return a, b, np.nonzero(m)\n")
    random = np.random.default_rng(2)
    for density in (0.0, 0.01, 0.5, 1.0):
        mask = random.random((30, 90)) < density
        a, v = values(dtype, (30, 90)), values(dtype, (2700,))
        for x, m in ((a, mask), (a[:, ::-1], mask), (a.T, mask.T), (a[::2, ::3], mask[::2, ::3]), (a.ravel(), mask.ravel())):
            ours, theirs = f(x.copy(), m, v[: m.sum()][::-1]), f.py_func(x.copy(), m, v[: m.sum()][::-1])
            for p, q in zip((*ours[:2], *ours[2]), (*theirs[:2], *theirs[2]), strict=True):
                assert p.dtype == q.dtype and np.array_equal(p, q)


def test_broadcast_values_where_a_mask_is_true():
    f = define("def f(a, m, v):\n    a[m] = v\n    return a\n")
    for v in (np.array([7.0]), np.array(7.0), np.array([7]), 7, np.arange(4.0), np.array([])):
        for m in (np.arange(6) > 1, np.zeros(6, bool)):
            ours, theirs = (outcome(each, (np.arange(6.0), m, v)) for each in (f, f.py_func))
            assert repr(ours) == repr(theirs)


@njit
def sum_of_gathered(a, i):
    return (a[i] * 2).sum()


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"])
def test_one_index_outside_in_rows_of_every_length(dtype):
    a = np.arange(5.0)
    outside = [5, np.iinfo(dtype).max] + ([-6, np.iinfo(dtype).min] if dtype[0] == "i" else [])
    for count in [*range(0, 20), 31, 32, 33, 64, 127, 128, 129, 150]:
        i = (np.arange(count) % 5).astype(dtype)
        if dtype[0] == "i":
            i -= 5
            i[::2] += 5
        assert sum_of_gathered(a, i) == sum_of_gathered.py_func(a, i)
        for place in {0, count // 3, count // 2, count - 2, count - 1} & set(range(count)):
            for index in outside:
                wrong = i.copy()
                wrong[place] = index
                with pytest.raises(IndexError, match=f"index {index} is out of bounds for axis 0 with size 5"):
                    sum_of_gathered(a, wrong)
    assert sum_of_gathered(a[:0], np.zeros(0, dtype)) == 0
    for count in (1, 9, 40):
        with pytest.raises(IndexError):
            sum_of_gathered(a[:0], np.zeros(count, dtype))


@njit
def taken(a, i):
    return a[i]


@njit
def taken_by_two(a, i, j):
    return a[i, j]


@pytest.mark.parametrize("kind", ["i1", "i2", "i4", "i8", "u1", "u4", "u8"])
@pytest.mark.parametrize("dtype", ["?", "i2", "f4", "f8", "c16", "S3", [("a", "f4"), ("b", "i8")]])
def test_what_is_taken_is_numpys(kind, dtype):
    """By rows of indices that are longer and shorter than a strip, of one and two axes, of elements and of parts."""
    rng, whole = np.random.default_rng(7), np.zeros((40, 30, 2), dtype)
    whole.view("u1")[:] = rng.integers(0, 2, whole.view("u1").shape)
    low = 0 if kind[0] == "u" else -30
    for count in (0, 1, 10, 700):
        i, j = (rng.integers(low, 30, count).astype(kind) for _ in range(2))
        for a in (whole[:, :, 0], whole[::2, ::-1][:, :, 1].T, whole):
            j_ok = j if a.shape[1] == 30 else (j.astype("i8") % a.shape[1]).astype(kind)
            i_ok = i if a.shape[0] == 40 else (i.astype("i8") % a.shape[0]).astype(kind)
            for ours, theirs in (
                (taken(a, i_ok), a[i_ok]),
                (taken_by_two(a, i_ok, j_ok), a[i_ok, j_ok]),
                (taken_by_two(a, i_ok[:, None], j_ok[:5]), a[i_ok[:, None], j_ok[:5]]),
                (taken_by_two(a, 3, j_ok), a[3, j_ok]),
            ):
                assert ours.tobytes() == theirs.tobytes() and ours.shape == theirs.shape


@pytest.mark.parametrize("shape", [(7, 5), (7, 5, 3), (7, 5, 0)])
@pytest.mark.parametrize("i, j", [([1, 7], [0, 0]), ([1, 2], [0, -6]), ([1, 2, -8], [0, 9, 0]), ([[3]], [9]), ([], [])])
def test_what_is_taken_is_checked(shape, i, j):
    a, i, j = np.ones(shape), np.array(i, "i8"), np.array(j, "i8")
    for function, arguments in ((taken, (a, i)), (taken_by_two, (a, i, j)), (taken_by_two, (a, i.astype("i4"), j))):
        try:
            theirs = function.py_func(*arguments)
        except IndexError as error:
            with pytest.raises(IndexError) as ours:
                function(*arguments)
            assert str(ours.value) == str(error)
        else:
            assert np.array_equal(function(*arguments), theirs)


def test_an_unsigned_index_is_not_taken_for_a_negative_one():
    large = np.array([0, 2**64 - 1], "u8")
    with pytest.raises(IndexError, match="index 18446744073709551615 is out of bounds for axis 0 with size 4"):
        taken(np.arange(4.0), large)


@pytest.mark.parametrize("items", [np.array([1, 2, 3]), np.array([-1, 0, 1], np.int8), [1, 2, 0], (0, 1, 2), (1,)])
def test_an_index_that_tuple_makes(items):
    def read(a, items):
        return a[tuple(items)]

    def changed(a, items):
        a[tuple(items)] = 5
        a[tuple(items)] += 2
        return a

    a = np.arange(24).reshape(2, 3, 4)
    np.testing.assert_array_equal(njit(read)(a, items), read(a, items))
    np.testing.assert_array_equal(njit(changed)(a.copy(), items), changed(a.copy(), items))


def test_indices_of_argwhere():
    def total(a):
        found = 0
        for index in np.argwhere(a > 7):
            found += a[tuple(index)]
        return found

    a = np.arange(12).reshape(3, 4)
    assert njit(total)(a) == total(a)


def test_an_index_that_tuple_makes_is_checked():
    read = njit(lambda a, items: a[tuple(items)])
    a = np.zeros((2, 3))
    with pytest.raises(IndexError, match="an index of 1 items for an array of 2 axes"):
        read(a, np.array([1]))
    with pytest.raises(IndexError, match="out of bounds"):
        read(a, np.array([1, 3]))
    assert njit(lambda d, key: d[tuple(key)])({(1, 2): 5}, (1, 2)) == 5
