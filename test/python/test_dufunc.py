"""DUFunc, the ufunc without signatures: python/ext/ufunc/lazy_ufunc.c, lazy_call.c, lazy_override.c."""

import copy
import gc
import inspect
import itertools
import pickle
import threading
import weakref

import numpy as np
import pyarray
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarray import DUFunc, _pyarray, njit, types, vectorize
from pyarray.errors import TypingError, UnsupportedError

pytestmark = pytest.mark.real


def sum_of(a, b):
    """Sum of two."""
    return a + b


@vectorize
def plus(a, b):
    """Sum of two numbers."""
    return a + b


def fresh(**options):
    return vectorize(**options)(sum_of)


# What it is -------------------------------------------------------------------------------------


def test_looks_like_a_ufunc():
    made = fresh(identity=0)
    assert type(made) is DUFunc is pyarray.DUFunc
    assert (made.nin, made.nout, made.nargs, made.ntypes, made.types) == (2, 1, 3, 0, [])
    assert made.identity == 0 and made.signature is None
    assert made.__name__ == "sum_of" and made.__module__ == __name__ and made.__wrapped__ is sum_of is made.py_func
    assert made.__doc__.startswith("sum_of(x1, x2, /, out=None") and made.__doc__.endswith("Sum of two.")
    assert repr(made) == "<pyarray.DUFunc 'sum_of'>"
    assert list(inspect.signature(made).parameters) == ["a", "b"]
    assert set(dir(np.ufunc)) - {"__text_signature__", "__signature__"} <= set(dir(made))
    made.own = 3
    assert made.own == 3 and weakref.ref(made)() is made
    with pytest.raises(AttributeError):
        made.spam  # noqa: B018


def test_every_form_of_the_decorator():
    for made in (vectorize(sum_of), vectorize()(sum_of), vectorize([])(sum_of), vectorize(njit(sum_of))):
        assert type(made) is DUFunc and made(1, 2.5) == 3.5
    assert vectorize(target="parallel", nopython=True, fastmath=True, cache=False)(sum_of)(1, 2) == 3


def test_loops_come_with_calls():
    made = fresh()
    made(1, 2)
    made(np.float32(1), np.ones(2, np.float32))
    made(1, 2)
    assert made.types == ["ll->l", "ff->f"] and made.ntypes == 2
    assert type(made.ufunc) is np.ufunc and made.ufunc.types == made.types


# Which loop -------------------------------------------------------------------------------------

NUMBERS = [3, 2.5, 2 + 1j, True]


def test_types_are_those_of_the_arguments():
    made = fresh()
    for a, b in itertools.product("?bhilBHILfdFD", repeat=2):
        result = made(np.ones(2, a), np.ones(2, b))
        assert made.types[-1].startswith(f"{a}{b}->{result.dtype.char}")


@pytest.mark.parametrize("letter", "bhilBHILfdFD")
@pytest.mark.parametrize("number", NUMBERS)
def test_python_numbers_take_the_type_of_the_other(letter, number):
    made = fresh()
    made(np.ones(2, letter), number)
    expected = np.result_type(np.dtype(letter), number) if number is not True else np.dtype(bool)
    assert made.types[0][:2] == letter + expected.char


def test_python_numbers_alone():
    for number, letter in zip(NUMBERS, "ldD?", strict=True):
        made = fresh()
        made(number, number)
        assert made.types[0][:2] == letter * 2
    made = fresh()
    made(1, 2.5)
    assert made.types == ["ld->d"]


@pytest.mark.skipif(np.__version__ < "2", reason="NumPy 1 wraps them around")
def call_somehow(made, calls):
    return [made(*arguments) for arguments in calls]


VALUES = [1, 2.5, np.float32(2), np.ones(2, "f4"), np.ones(2, "i2"), np.ones(2), np.arange(2), np.bool_(True), [1, 2]]


@settings(max_examples=50, deadline=None, derandomize=True, database=None)
@given(st.lists(st.tuples(st.sampled_from(VALUES), st.sampled_from(VALUES)), min_size=1, max_size=6), st.randoms())
def test_earlier_calls_change_nothing(calls, random):
    expected = [fresh()(*arguments) for arguments in calls]
    order = list(range(len(calls)))
    random.shuffle(order)
    made = fresh()
    for index in order:
        result = made(*calls[index])
        assert np.asarray(result).dtype == np.asarray(expected[index]).dtype
        np.testing.assert_array_equal(result, expected[index])


def test_added_loops_come_first():
    made = fresh()
    assert made(np.float32(1), np.float32(2)).dtype == np.float32
    made.add("float64(float64, float64)")
    assert made(np.float32(1), np.float32(2)).dtype == np.float64
    assert made(1, 2).dtype == np.float64
    assert made(1j, 2).dtype == np.complex128
    assert made.types == ["dd->d", "ff->f", "Dl->D"]
    made.add((pyarray.int64, pyarray.int64))
    assert made.types[:2] == ["dd->d", "ll->l"] and made(*np.arange(2)).dtype == np.int64
    assert made(np.array([1.5], ">f4"), np.float16(1)).dtype == np.float64
    with pytest.raises(TypeError, match="Signature mismatch"):
        made.add("float64(float64)")


def test_loops_by_tuples_of_types():
    made = vectorize(lambda a, b: a + b)
    made._compile_for_argtys((types.uint32, types.uint32))
    made._frozen = True
    assert made._frozen and made.types == ["II->L"]
    assert made(np.uint8(1), np.uint8(2)).dtype == np.uint64
    made._frozen = False
    assert made(1.5, 2.0) == 3.5


def test_disable_compile():
    made = fresh()
    made(1.0, 2.0)
    made.disable_compile()
    assert made(1, np.float32(2)).dtype == np.float64 and made.types == ["dd->d"]
    with pytest.raises(TypeError, match="could not be safely coerced"):
        made(1j, 2)
    with pytest.raises(RuntimeError, match="compilation disabled"):
        made.add("int64(int64, int64)")


def test_dtype_and_signature():
    made = fresh()
    assert made(1, 2, dtype="f4").dtype == np.float32 and made.types == ["ff->f"]
    assert made(1, 2, signature="dd->d").dtype == np.float64
    assert made(1, 2, sig=(np.complex128, None, None)).dtype == np.complex128
    assert made(np.ones(2), 2, dtype=None).dtype == np.float64
    for bad in ({"dtype": "O"}, {"signature": "OO->O"}, {"dtype": "spam"}, {"signature": 3}):
        with pytest.raises(TypeError):
            made(1, 2, **bad)


def test_resolve_dtypes():
    if not hasattr(np.add, "resolve_dtypes"):
        pytest.skip("not in this NumPy")
    f4, f8 = np.dtype("f4"), np.dtype("f8")
    assert fresh().resolve_dtypes((f4, f4, None)) == (f4, f4, f4)
    assert fresh().resolve_dtypes((f4, float, None)) == (f4, f4, f4)
    assert fresh().resolve_dtypes((f4, f8, None)) == (f4, f8, f8)


def test_several_outputs():
    @vectorize
    def both(a, b):
        if a > b:
            return a, b
        return b, a

    assert both.nout == 2
    assert both(1, 2) == (2, 1)
    high, low = both(np.arange(3), np.array([2, 1, 0.5]))
    assert high.tolist() == [2, 1, 2] and low.tolist() == [0, 1, 0.5]


# Methods ----------------------------------------------------------------------------------------


def test_methods_like_those_of_numpy():
    x = np.arange(24.0).reshape(2, 3, 4)
    made = fresh(identity=0)
    for axis in (0, 1, -1, None, (0, 2)):
        np.testing.assert_array_equal(made.reduce(x, axis), np.add.reduce(x, axis))
    np.testing.assert_array_equal(made.reduce(x, axis=1, keepdims=True, initial=3, where=x % 2 == 0),
                                  np.add.reduce(x, axis=1, keepdims=True, initial=3, where=x % 2 == 0))  # fmt: skip
    np.testing.assert_array_equal(made.accumulate(x, 1), np.add.accumulate(x, 1))
    np.testing.assert_array_equal(made.reduceat(x, [0, 1], axis=2), np.add.reduceat(x, [0, 1], axis=2))
    np.testing.assert_array_equal(made.outer([1, 2], [3.5]), [[4.5], [5.5]])
    y = np.arange(5)
    made.at(y, [0, 0, 3], 2)
    assert y.tolist() == [4, 1, 2, 5, 4]
    assert made.reduce([1, 2, 3]) == 6 and made.reduce([]) == 0
    assert made.reduce(array=[1, 2]) == 3


@pytest.mark.parametrize("letter", "bhilBHILfdFD")
@pytest.mark.filterwarnings("ignore:Casting complex values")
def test_reductions_of_every_type(letter):
    values = np.arange(5).astype(letter)
    result = plus.reduce(values)
    assert result == 10 and result.dtype == plus(plus(values[0], values[0]), plus(values[0], values[0])).dtype
    assert plus.reduce(values, dtype="f8").dtype == np.float64
    assert plus.accumulate(values).tolist() == [0, 1, 3, 6, 10]


def test_methods_that_make_no_sense():
    one = vectorize(lambda a: a)
    for call in (lambda: one.reduce([1, 2]), lambda: one.outer([1], [2]),
                 lambda: plus.reduce(), lambda: plus.at([1], [0], 1), lambda: plus.reduce([1, 2], spam=3)):  # fmt: skip
        with pytest.raises((TypeError, ValueError)):
            call()


# Calls ------------------------------------------------------------------------------------------


def test_calls_in_every_form():
    x = np.arange(3.0)
    assert plus([1, 2], (3, 4)).tolist() == [4, 6]
    assert type(plus(1, 2)) is np.int64 and type(plus(np.array(1), 2)) is np.int64
    out = np.zeros(3)
    assert plus(x, 1, out) is out and plus(x, 1, out=out) is out and plus(x, 1, out=(out,)) is out
    assert plus(x, 1, None).tolist() == plus(x, 1, out=None).tolist() == [1, 2, 3]
    assert plus(x, 1, out=np.full(3, -1.0), where=[True, False, True]).tolist() == [1, -1, 3]
    assert plus(x, 1, casting="safe", order="F", subok=False).tolist() == [1, 2, 3]
    assert plus(*[np.float64(1), np.bool_(True)]).dtype == np.float64
    assert plus(memoryview(b"ab"), 1).tolist() == [98, 99]
    for arguments in ((), (1,), (1, 2, 3, 4)):
        with pytest.raises(TypeError, match="positional arguments"):
            plus(*arguments)
    with pytest.raises(TypeError):
        plus(1, 2, spam=3)
    with pytest.raises(TypeError):
        plus(a=1, b=2)


@pytest.mark.parametrize("bad", [None, "a", np.array([None]), np.longdouble(1),
                                 2**70, {}, np.array(["x"])])  # fmt: skip
def test_types_without_a_loop(bad):
    made = fresh()
    for call in (lambda: made(bad, 1), lambda: made([bad], np.ones(2))):
        with pytest.raises((TypingError, OverflowError), match="not supported|too large|too big|out of bounds"):
            call()
    assert made.types in ([], ["ll->l"])  # Python's integers have their type before NumPy sees their value


def test_odd_memory():
    values = np.arange(5.0)
    for other in (values.astype(">f8"), np.frombuffer(b"x" + values.tobytes(), np.uint8)[1:].view("f8"), values[::-1]):
        np.testing.assert_array_equal(plus(other, 1), other + 1)
    assert plus.types.count("dd->d") == 1


class Tagged(np.ndarray):
    pass


@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_subclasses():
    assert type(plus(np.ones(2).view(Tagged), 1)) is Tagged
    assert type(plus.reduce(np.ones((2, 2)).view(Tagged))) is Tagged
    masked = np.ma.array([1.0, 2, 3], mask=[False, True, False])
    assert plus(masked, 1).mask.tolist() == [False, True, False]
    assert type(plus(np.matrix([[1, 2]]), 1)) is np.matrix


class Logged:
    """Passes on to the array inside."""

    log = []

    def __init__(self, array):
        self.array = array

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **keywords):
        self.log.append((type(self).__name__, ufunc, method, len(inputs), sorted(keywords), out is not None))
        inputs = [value.array if isinstance(value, Logged) else value for value in inputs]
        if out is not None:
            keywords["out"] = tuple(value.array if isinstance(value, Logged) else value for value in out)
        return getattr(ufunc, method)(*inputs, **keywords)


class MoreLogged(Logged):
    pass


class Silent:
    def __array_ufunc__(self, *arguments, **keywords):
        return NotImplemented


class Refusing:
    __array_ufunc__ = None


def test_overrides_get_the_dufunc():
    made, log = fresh(identity=0), Logged.log
    log.clear()
    x = Logged(np.arange(3, dtype="f4"))
    assert made(x, 1).tolist() == [1, 2, 3] and made.types == ["ff->f"]
    assert made(1, MoreLogged(np.ones(2))).tolist() == [2, 2]
    assert made.reduce(x, 0, None, keepdims=True).tolist() == [3]
    assert made.outer(x, [1]).shape == (3, 1) and made.outer(x, 1).dtype == np.float64
    made.at(x, [0], 5)
    assert x.array[0] == 5
    made(np.ones(3), 1, out=Logged(np.zeros(3)))
    made(np.ones(3), 1, Logged(np.zeros(3)))
    assert all(entry[1] is made for entry in log)
    assert [(entry[0], *entry[2:]) for entry in log] == [
        ("Logged", "__call__", 2, [], False),
        ("MoreLogged", "__call__", 2, [], False),
        ("Logged", "reduce", 1, ["axis", "dtype", "keepdims"], False),
        ("Logged", "outer", 2, [], False),
        ("Logged", "outer", 2, [], False),
        ("Logged", "at", 3, [], False),
        ("Logged", "__call__", 2, [], True),
        ("Logged", "__call__", 2, [], True),
    ]


def test_order_of_overrides():
    log = Logged.log
    log.clear()
    plus(Logged(np.ones(1)), MoreLogged(np.ones(1)))
    assert [entry[0] for entry in log] == ["MoreLogged"]
    with pytest.raises(TypeError, match="all returned NotImplemented from __array_ufunc__"):
        plus(Silent(), 1)
    with pytest.raises(TypeError, match="does not support ufuncs"):
        plus(Refusing(), 1)
    with pytest.raises(TypeError, match="positional arguments"):
        plus(Silent())


class Own(np.ndarray):
    def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
        assert ufunc is plus
        result = super().__array_ufunc__(ufunc, method, *[np.asarray(value) for value in inputs], **keywords)
        return result.view(Own)


def test_array_ufunc_of_ndarray():
    x = np.arange(3.0).view(Own)
    assert type(plus(x, 1)) is Own and plus(x, x).tolist() == [0, 2, 4]


def test_exceptions_of_the_function():
    @vectorize
    def picky(a):
        if a < 0:
            raise ValueError("negative")
        return a

    for bad in (-1, -1.0, np.full(100_000, -1), [-1]):
        with pytest.raises(ValueError, match="negative"):
            picky(bad)
    assert picky(2) == 2


def test_compile_errors():
    @vectorize
    def bad(a):
        return a.spam

    for _ in range(2):
        with pytest.raises(TypingError, match="test_dufunc.py"):
            bad(1)
    for options in ({"spam": 1}, {"forceobj": True}, {"target": "rocm"}, {"identity": 7}):
        with pytest.raises((TypeError, ValueError, UnsupportedError)):
            fresh(**options)


# Sharing ----------------------------------------------------------------------------------------


def test_the_function_behind():
    made = fresh()
    made(1, 2)
    function, text, options, codes = _pyarray.ufunc_kernel(made)
    assert function is sum_of and text == "(),()->()" and codes == [] and options["boundscheck"] is True
    made.add("float64(float64, float64)")
    assert _pyarray.ufunc_kernel(made)[3] == ["dd>d"]
    assert _pyarray.ufunc_kernel(made.ufunc)[3] == ["dd>d", "qq>q"]


def test_the_dispatcher_cannot_be_called():
    made = fresh()
    made(1, 2)
    with pytest.raises(TypeError, match="cannot be called"):
        made._dispatcher(1, 2)
    assert made._dispatcher.signatures == [(pyarray.int64, pyarray.int64)]


def test_threads_compile_once():
    made = fresh(cache=False)
    barrier, results = threading.Barrier(6), []

    def work(number):
        barrier.wait()
        for kind in ("f4", "f8", "i8", "c16"):
            results.append(made(np.full(1000, number, kind), np.ones(1000, kind)).tolist() == [number + 1] * 1000)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 24 and sorted(made.types) == ["DD->D", "dd->d", "ff->f", "ll->l"]


def test_pickling_and_copying():
    assert pickle.loads(pickle.dumps(plus)) is plus
    assert copy.copy(plus) is plus is copy.deepcopy(plus)
    factor = 3
    local = vectorize(lambda a: a * factor, identity=0)
    local(1)
    local.add("float64(float64)")
    local.disable_compile()
    again = pickle.loads(pickle.dumps(local))
    assert type(again) is DUFunc and again(2) == 6 and again.identity == 0
    assert again.types == local.types == ["d->d", "l->l"]
    with pytest.raises(TypeError):
        again(1j)


def test_is_freed():
    import gc

    made = vectorize(lambda x: x)
    made(1)
    made.itself = made
    alive = weakref.ref(made)
    del made
    gc.collect()
    assert alive() is None


# Copies, pickles, cycles


def unnamed(decorator):
    @decorator
    def f(x):
        return x + 1

    return f


@pytest.mark.parametrize("decorator", [vectorize, vectorize(["float64(float64)"])])
def test_copies_are_the_ufunc_itself(decorator):
    f = unnamed(decorator)
    assert copy.copy(f) is f and copy.deepcopy(f) is f and copy.deepcopy({"f": [f]})["f"][0] is f
    assert copy.copy(np.negative) is np.negative
    assert pickle.loads(pickle.dumps(f))(1.0) == 2


def test_a_frozen_dufunc_keeps_its_loops_in_a_pickle():
    f = unnamed(vectorize)
    f(1), f(1.5), f(np.array(["2020"], "M8[D]") - np.datetime64("2019", "D"))
    f.add("complex64(complex64)")
    f.disable_compile()
    moved = pickle.loads(pickle.dumps(f))
    assert moved.types == f.types and len(f.types) == 4
    assert moved(np.int8(3)) == 4 and moved(1.5) == 2.5
    with pytest.raises(RuntimeError, match="compilation disabled"):
        moved.add("float32(float32)")


def test_loops_that_differ_in_units_alone_in_a_pickle():
    f = vectorize(lambda t: t + t)
    f(np.timedelta64(1, "s")), f(np.timedelta64(1, "ms"))
    f.disable_compile()
    moved = pickle.loads(pickle.dumps(f))
    assert moved(np.timedelta64(3, "s")) == f(np.timedelta64(3, "s")) == np.timedelta64(6, "s")


@pytest.mark.parametrize("decorator", [vectorize, vectorize(["float64(float64)"])])
def test_a_ufunc_in_a_cycle_is_collected(decorator):
    def make():
        @decorator
        def f(x):
            return 1.0 if x < 1 else x * f(x - 1)

        assert f(3.0) == 6
        return weakref.ref(_pyarray.ufunc_kernel(f)[0]), gc.is_tracked(f)

    kept = [make() for _ in range(3)]
    gc.collect()
    assert [(function(), tracked) for function, tracked in kept] == [(None, True)] * 3


# Python's ints


TABLE = np.array([1.0, 2.0, 3.0])


@pytest.mark.parametrize(
    "function, count, wanted",
    [(lambda x, k: x * TABLE[k], 1, 2.0), (lambda x, k: x * (1 << k), 3, 8.0)],
)
def test_an_int_that_cannot_be_a_float_is_int64(function, count, wanted):
    for first in (count, np.int64(count)):  # the order of calls does not matter
        f = vectorize(function)
        for n in (first, count, np.int64(count)):
            np.testing.assert_array_equal(f(np.ones(2), n), [wanted, wanted])
            assert f(np.ones(2, np.float32), n).tolist() == [wanted, wanted]
        assert f.types[0] == "dl->d"
    with pytest.raises(TypingError):
        f(np.ones(2), 1.0)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "uint64"])
def test_an_int_that_does_not_fit_is_int64(dtype):
    least, most = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    wide = np.float64 if dtype == "uint64" else np.int64
    a = np.array([1], dtype)
    fits, too_large = [least, most, 7], [least - 1] + ([most + 1] if dtype != "uint64" else [])
    for calls in (fits + too_large + fits, too_large + fits):
        f = vectorize(lambda a, b: (a, b)[1])
        for value in calls:
            result = f(a, value)
            assert result.tolist() == [value] and result.dtype == (dtype if value in fits else np.int64)
    add = vectorize(sum_of)
    assert add(a, least - 1).dtype == wide and add(a, least - 1)[0] == least
    with pytest.raises(OverflowError):
        add(a, 2**64)


def test_array_like_arguments_are_converted_once():
    class Box:
        calls = 0

        def __array__(self, dtype=None, copy=None):
            Box.calls += 1
            return np.ones(2)

    f = vectorize(lambda x: x + 1)
    assert f(Box()).tolist() == [2, 2] and Box.calls == 1


def test_made_of_a_function_by_its_class():
    made = DUFunc(lambda x, y: x + y, identity=0)
    made.add("int32(int32, int32)")
    assert made.build_ufunc() is made and made(np.arange(3), 4).tolist() == [4, 5, 6] and made.reduce(np.arange(0)) == 0
    with pytest.raises(TypeError):
        DUFunc(3)
