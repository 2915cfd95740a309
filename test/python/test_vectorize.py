"""vectorize: genuine ufuncs from declared signatures; python/ext/ufunc/ufunc.c, ufunc_loop.c, python/pyarray/ufuncs.py.

The ufunc without signatures, DUFunc, is in test_dufunc.py.
"""

import copy
import math
import os
import pickle
import threading
import warnings

import numpy as np
import pyarray
import pytest
from compare import define
from pyarray import _pyarray, float32, float64, guvectorize, int64, njit, vectorize

if "fake_core" in os.environ.get("PYARRAY_CORE_LIBRARY", ""):
    pytest.skip("functions are compiled when the module is imported", allow_module_level=True)
pytestmark = pytest.mark.real


@vectorize(["int64(int64, int64)", "float64(float64, float64)"], identity=0)
def add(a, b):
    """Sum of two numbers."""
    return a + b


@vectorize(["float64(float64, float64)"], identity=1)
def times(a, b):
    return a * b


@vectorize([float64(float64)])
def half(x):
    return x / 2


@vectorize(["float64(float64)"])
def root(x):
    if x < 0:
        raise ValueError("negative number")
    return math.sqrt(x)


@vectorize(["UniTuple(int64, 2)(int64, int64)", (float64, float64)])
def quotient(a, b):
    return a // b, a % b


def two(a, b):
    return a + b


# What it is -------------------------------------------------------------------------------------


def test_is_a_genuine_ufunc():
    assert type(add) is np.ufunc
    assert (add.nin, add.nout, add.nargs, add.ntypes) == (2, 1, 3, 2)
    assert add.types == ["ll->l", "dd->d"]
    assert add.identity == 0 and times.identity == 1 and half.identity is None
    assert add.signature is None
    assert add.__name__ == "add"
    assert add.__doc__.startswith("add(x1, x2, /, out=None") and add.__doc__.endswith("Sum of two numbers.")


def test_types_are_tried_in_their_order():
    assert add(1, 2).dtype == np.int64
    assert add(np.int8(1), np.int16(2)).dtype == np.int64
    assert add(1, 2.5) == 3.5
    assert add(np.float32(1), np.float32(2)).dtype == np.float64


def test_declared_result_converts():
    whole = vectorize(["int64(float64)"])(lambda x: x * 2)
    assert whole.types == ["d->l"] and whole(1.75) == 3


def test_loops_that_differ_in_the_result():
    twice = vectorize(["float64(float64)", "float32(float64)"])(lambda x: x * 2)
    assert twice.types == ["d->d", "d->f"]
    assert twice(1.5).dtype == np.float64
    assert twice(1.5, dtype=np.float32).dtype == np.float32


FORMS = [
    "float64(float64, float64)", ["float64(float64, float64)"], [float64(float64, float64)], [(float64, float64)],
    float64(float64, float64), ("f8(f8, f8)",), iter(["float64(float64, float64)"]), {"float64(float64, float64)"},
]  # fmt: skip


@pytest.mark.parametrize("signatures", FORMS)
def test_forms_of_signatures(signatures):
    assert vectorize(signatures)(lambda a, b: a - b).types == ["dd->d"]


LETTERS = "?bhilBHILfdFD"


@pytest.mark.parametrize("letter", LETTERS)
def test_every_type(letter):
    dtype = np.dtype(letter)
    kind = getattr(pyarray, "boolean" if letter == "?" else dtype.name)
    same = vectorize([kind(kind)])(lambda x: x)
    assert same.types == [f"{letter}->{letter}"]
    values = np.array([0, 1, 100, 1.0], dtype)
    assert same(values).dtype == dtype and same(values).tolist() == values.tolist()


def test_accepts_a_jitted_function():
    jitted = njit(lambda a: a + 1)
    assert vectorize(["float64(float64)"])(jitted)(1.0) == 2.0


def test_calls_jitted_functions():
    inner = njit(lambda a: a * 3)
    assert vectorize(["float64(float64)"])(lambda x: inner(x) + 1)(2.0) == 7.0


def test_several_outputs():
    assert quotient.nout == 2 and quotient.types == ["ll->ll", "dd->dd"]
    for one, other in zip(quotient(np.arange(-5, 6), 3), np.divmod(np.arange(-5, 6), 3), strict=True):
        np.testing.assert_array_equal(one, other)
    out = np.zeros(3), np.zeros(3)
    assert quotient(np.arange(3), 2.0, out=out)[1] is out[1]
    np.testing.assert_array_equal(out, [[0, 0, 1], [0, 1, 0]])


def test_functions_of_many_parameters():
    total = vectorize([(float64,) * 6])(lambda a, b, c, d, e, f: a + b + c + d + e + f)
    assert total(1, 2, 3, np.ones(2), 5, 6).tolist() == [18, 18]


# What NumPy's reference shows of ufuncs ------------------------------------------------------------


def test_reduce():
    assert times.reduce([2, 3, 5]) == 30
    x = np.arange(8.0).reshape(2, 2, 2)
    for axis in (0, 1, 2, -1, (0, 2), None):
        np.testing.assert_array_equal(add.reduce(x, axis), np.add.reduce(x, axis))
    np.testing.assert_array_equal(add.reduce(x, axis=1, keepdims=True), np.add.reduce(x, axis=1, keepdims=True))
    assert add.reduce([10], initial=5) == 15
    np.testing.assert_array_equal(
        add.reduce(np.ones((2, 2, 2)), axis=(0, 2), initial=10, where=[[True], [False]]), [14, 10]
    )
    assert add.reduce([]) == 0 and times.reduce([]) == 1
    with pytest.raises(ValueError, match="zero-size array to reduction operation"):
        vectorize([float64(float64, float64)])(lambda a, b: max(a, b)).reduce([])
    assert add.reduce([1, 2, 3], dtype=np.int64).dtype == np.int64


def test_reduce_several_axes_needs_reorderable():
    biggest = vectorize([float64(float64, float64)])(lambda a, b: max(a, b))
    with pytest.raises(ValueError, match="not reorderable"):
        biggest.reduce(np.ones((2, 3)), axis=(0, 1))
    biggest = vectorize([float64(float64, float64)], identity="reorderable")(lambda a, b: max(a, b))
    assert biggest.reduce(np.arange(6.0).reshape(2, 3), axis=(0, 1)) == 5 and biggest.identity is None


def test_accumulate():
    np.testing.assert_array_equal(add.accumulate([2.0, 3, 5]), [2, 5, 10])
    np.testing.assert_array_equal(times.accumulate([2, 3, 5]), [2, 6, 30])
    identity = np.eye(2)
    for axis in (0, 1):
        np.testing.assert_array_equal(add.accumulate(identity, axis), np.add.accumulate(identity, axis))
    long = np.arange(1000.0)
    np.testing.assert_array_equal(add.accumulate(long), long.cumsum())
    np.testing.assert_array_equal(add.accumulate(long[::-3], out=np.empty(334)), long[::-3].cumsum())
    add.accumulate(long, out=long)
    np.testing.assert_array_equal(long, np.arange(1000.0).cumsum())


def test_reduceat():
    np.testing.assert_array_equal(add.reduceat(np.arange(8), [0, 4, 1, 5, 2, 6, 3, 7])[::2], [6, 10, 14, 18])
    x = np.linspace(0, 15, 16).reshape(4, 4)
    np.testing.assert_array_equal(add.reduceat(x, [0, 3, 1, 2, 0]), np.add.reduceat(x, [0, 3, 1, 2, 0]))
    np.testing.assert_array_equal(times.reduceat(x, [0, 3], 1), np.multiply.reduceat(x, [0, 3], 1))


def test_outer():
    np.testing.assert_array_equal(times.outer([1, 2, 3], [4, 5, 6]), [[4, 5, 6], [8, 10, 12], [12, 15, 18]])
    a, b = np.array([[1, 2, 3], [4, 5, 6]]), np.array([[1, 2, 3, 4]])
    assert times.outer(a, b).shape == (2, 3, 1, 4)


def test_at():
    a = np.array([1, 2, 3, 4])
    add.at(a, [0, 1, 2, 2], 1)
    assert a.tolist() == [2, 3, 5, 4]
    add.at(a, [0, 1], np.array([1, 2]))
    assert a.tolist() == [3, 5, 5, 4]
    b = np.arange(6.0).reshape(2, 3)
    add.at(b, (slice(None), [0, 0]), 1.5)
    np.testing.assert_array_equal(b, [[3, 1, 2], [6, 4, 5]])
    c = np.array([2.0, 4.0])
    half.at(c, [0, 0])
    assert c.tolist() == [0.5, 4]


def test_where_and_out():
    out = np.full(4, -1.0)
    assert add([1, 2, 3, 4], 10.0, out=out, where=[True, False, True, False]) is out
    assert out.tolist() == [11, -1, 13, -1]
    with pytest.raises(ValueError, match="non-broadcastable output"):
        add(np.ones((2, 3)), 1.0, out=np.zeros(3))
    with pytest.raises(ValueError, match="read-only"):
        frozen = np.zeros(2)
        frozen.flags.writeable = False
        add(np.ones(2), 1.0, out=frozen)


def test_casting_and_dtype_and_order():
    assert add(1, 2, dtype=np.float64).dtype == np.float64
    assert add(1.5, 2, dtype=np.int64, casting="unsafe") == 3
    with pytest.raises(TypeError, match="Cannot cast"):
        add(np.float64(1.5), 2.5, dtype=np.int64)
    with pytest.raises(TypeError, match="Cannot cast ufunc 'add' output"):
        add(np.ones(2), 1.5, out=np.zeros(2, int))
    out = np.zeros(2, int)
    add(np.ones(2), 1.5, out=out, casting="unsafe")
    assert out.tolist() == [2, 2]
    assert add(np.ones((2, 3)), 1.0, order="F").flags.f_contiguous
    assert add(np.ones((2, 3), order="F"), 1.0).flags.f_contiguous
    assert add(1, 2, signature="dd->d").dtype == np.float64


def test_results_of_scalars_are_scalars():
    assert type(add(1.0, 2.0)) is np.float64
    assert type(add(np.array(1.0), np.array(2.0))) is np.float64
    assert type(add(np.array(1.0), 2.0, out=np.zeros(()))) is np.ndarray


def test_broadcasting():
    a, b = np.arange(3.0)[:, None], np.arange(4.0)
    np.testing.assert_array_equal(add(a, b), a + b)
    with pytest.raises(ValueError, match="could not be broadcast"):
        add(np.ones(3), np.ones(4))


def test_empty_arrays():
    for shape in [(0,), (3, 0), (0, 3)]:
        assert add(np.ones(shape), 1.0).shape == shape
        np.testing.assert_array_equal(add.reduce(np.ones(shape)), np.add.reduce(np.ones(shape)))


def test_wrong_argument_counts():
    with pytest.raises(TypeError, match="from 2 to 3 positional arguments but 1 w"):
        add(1.0)
    with pytest.raises(TypeError, match="4 were given"):
        add(1.0, 2, 3, 4)
    with pytest.raises(TypeError, match="unexpected keyword|invalid keyword"):
        add(1.0, 2.0, spam=3)


def test_object_and_text_are_refused():
    for bad in (np.array([1, None], object), "text", np.array(["a"]), np.datetime64("2020"), 1 + 2j):
        with pytest.raises(TypeError, match="not supported for the input types|did not contain a loop"):
            add(bad, 1.0)


# Other array classes ----------------------------------------------------------------------------


class Tagged(np.ndarray):
    def __array_finalize__(self, other):
        self.tag = getattr(other, "tag", None)


def test_subclasses_are_kept():
    a = np.arange(3.0).view(Tagged)
    a.tag = "kept"
    assert type(add(a, 1)) is Tagged and add(a, 1).tag == "kept"
    assert type(add(a, 1, subok=False)) is np.ndarray
    masked = np.ma.array([1.0, 2, 3], mask=[False, True, False])
    assert add(masked, 1.0).mask.tolist() == [False, True, False]


class Loud:
    def __init__(self):
        self.calls = []

    def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
        self.calls.append((ufunc, method, len(inputs), sorted(keywords)))
        return "loud"


def test_array_ufunc():
    loud = Loud()
    assert add(loud, 1, where=True) == add.reduce(loud) == add.at(loud, [0], 1) == add(1, 2, out=loud) == "loud"
    assert [call[:3] for call in loud.calls] == [
        (add, "__call__", 2), (add, "reduce", 1), (add, "at", 3), (add, "__call__", 2),
    ]  # fmt: skip


# Errors -----------------------------------------------------------------------------------------


def test_exceptions_of_the_function():
    data = np.array([4.0, -1.0])
    for call in (
        lambda: root(-1.0),
        lambda: root(np.concatenate([np.ones(100_000), data])),
        lambda: root(data[:, None] * np.ones((1, 5))),
        lambda: root(np.full(200_000, -1, ">f4")),
        lambda: root.at(data, [1]),
        lambda: root(data, out=np.zeros(2, "f4")),
    ):
        with pytest.raises(ValueError, match="negative number") as info:
            call()
        assert "root" in [entry.name for entry in info.traceback]
        assert root(9.0) == 3


def test_exceptions_in_reductions():
    @vectorize(["float64(float64, float64)"], identity=0)
    def picky(a, b):
        if b == 3:
            raise KeyError("three")
        return a + b

    for call in (
        lambda: picky.reduce(np.arange(5.0)),
        lambda: picky.accumulate(np.arange(5.0)),
        lambda: picky.outer(np.arange(5.0), np.arange(5.0)),
        lambda: picky.reduceat(np.arange(5.0), [0, 2]),
    ):
        with pytest.raises(KeyError):
            call()
    assert picky.reduce(np.arange(3.0)) == 3


def test_floating_point_warnings():
    divide = vectorize(["float64(float64, float64)"])(lambda a, b: a / b)
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError, match="divide by zero"):
        divide(np.ones(3), 0.0)
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        assert divide(1.0, 0.0) == np.inf
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("error")
        assert divide(-1.0, 0.0) == -np.inf
    with np.errstate(invalid="raise"), pytest.raises(FloatingPointError, match="invalid"):
        divide(0.0, 0.0)


def test_python_errors_on_demand():
    divide = vectorize(["float64(float64, float64)"], error_model="python")(lambda a, b: a / b)
    with pytest.raises(ZeroDivisionError):
        divide(np.ones(3), 0.0)


@pytest.mark.parametrize("target", ["cpu", "parallel"])
def test_accepted_options(target):
    options = {"nopython": True, "cache": True, "fastmath": True, "boundscheck": False, "target": target}
    assert vectorize(["float64(float64)"], **options)(lambda x: x * x)(3.0) == 9


# Kernels ----------------------------------------------------------------------------------------


def test_the_function_behind_a_ufunc():
    function, text, options, codes = _pyarray.ufunc_kernel(add)
    assert function(1, 2) == 3 and text == "(),()->()" and codes == ["qq>q", "dd>d"]
    assert options["fastmath"] is False and options["target"] == "cpu"
    assert _pyarray.ufunc_kernel(np.add) is None and _pyarray.ufunc_kernel(np.frompyfunc(two, 2, 1)) is None
    assert _pyarray.ufunc_kernel(3) is None


def test_cache_keys_follow_the_function_behind_a_ufunc():
    def key(ufunc):
        return njit(lambda x: ufunc(x))._fingerprint("d>")

    def one(x):
        return x + 1

    def other(x):
        return x + 2

    ufuncs = [vectorize(["float64(float64)"])(one), vectorize(["float64(float64)"])(other), vectorize(one),
              vectorize(["float64(float64)", "int64(int64)"])(one), vectorize(one, fastmath=True)]  # fmt: skip
    keys = [key(ufunc) for ufunc in ufuncs]
    assert None not in keys and len(set(keys)) == len(keys)
    ufuncs[2](1.0)
    assert key(ufuncs[2]) == keys[2]
    ufuncs[2].add("float64(float64)")
    assert key(ufuncs[2]) != keys[2]


def test_threads():
    data = np.arange(200_000.0)
    results = [None] * 8

    def work(number):
        results[number] = [add(data, number), root(data)]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, (sums, roots) in enumerate(results):
        np.testing.assert_array_equal(sums, data + number)
        np.testing.assert_array_equal(roots, np.sqrt(data))


def test_threads_get_their_own_exceptions():
    outcomes = []

    def work(number):
        for _ in range(50):
            try:
                root(np.full(1000, float(number)))
                outcomes.append(number >= 0)
            except ValueError:
                outcomes.append(number < 0)

    threads = [threading.Thread(target=work, args=(number,)) for number in (-2, -1, 1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(outcomes) == 200 and all(outcomes)


def test_pickling_and_copying():
    assert pickle.loads(pickle.dumps(np.add)) is np.add
    assert pickle.loads(pickle.dumps(add)) is add
    assert copy.copy(add) is add and copy.deepcopy(add) is add
    factor = 3.0
    local = vectorize(["float64(float64)", "int64(int64)"], identity="reorderable")(lambda x: x * factor)
    again = pickle.loads(pickle.dumps(local))
    assert type(again) is np.ufunc and again.types == local.types and again(2.0) == 6


def test_disk_cache_keeps_ufuncs_and_functions_apart(run):
    program = """
import numpy as np
from pyarray import njit, vectorize, _pyarray, guvectorize, float64
def f(x):
    return x + 1
print(njit(["float64(float64)"])(f)(1.0), vectorize(["float64(float64)"])(f)(np.ones(3)))
def g(x, r):
    r[0] = x[0]
print(guvectorize(["(float64[:], float64[:])"], "()->()")(g)(2.0))
print(guvectorize(["(float64[:], float64[:])"], "(n)->(n)")(g)(np.ones(1)))
print(_pyarray.cache_info()["hits"], _pyarray.cache_info()["misses"])
"""
    first, second = run(program), run(program)
    assert first.splitlines()[:-1] == second.splitlines()[:-1] == ["2.0 [2. 2. 2.]", "2.0", "[1.]"]
    assert first.splitlines()[-1] == "0 4" and second.splitlines()[-1] == "4 0"


def test_a_ufunc_is_freed():
    import gc
    import weakref

    def function(x):
        return x

    alive = weakref.ref(function)
    ufunc = vectorize(["float64(float64)"])(function)
    assert ufunc(1.0) == 1
    del ufunc, function
    gc.collect()
    assert alive() is None


def test_float32_results_stay_float32():
    assert vectorize([float32(float32, float32)])(two).types == ["ff->f"]
    assert vectorize([(float32, float32)])(two).types == ["ff->f"]
    assert vectorize([int64(int64, int64)])(two)(np.int32(1), 2).dtype == np.int64


def test_outputs_without_a_declared_result():
    def by_name(x):
        t = (x, x + 1)
        return t

    def by_either_name(x):
        t = x, -x
        if x > 1:
            t = (x, x + 1)
        u = t
        return u if x > 0 else t

    long = define(f"def f(x):\n    return {', '.join(f'x + {i}' for i in range(40))}\n", decorator=vectorize)
    for decorator in (vectorize, vectorize([(float64,)])):
        assert [float(part) for part in decorator(by_name)(1.0)] == [1, 2]
        assert [float(part) for part in decorator(by_either_name)(2.0)] == [2, 3]
    assert [int(part) for part in long(1)] == list(range(1, 41))


def test_text_of_argument_types_alone():
    copy_to = guvectorize(["f8[:], f8[:]"], "(n)->(n)")(_copy_to)
    assert copy_to(np.arange(3.0)).tolist() == [0, 1, 2] and copy_to.types == ["d->d"]
    assert vectorize(["f8, i4"])(lambda x, y: x + y).types == ["di->d"]
    with pytest.raises(SyntaxError):
        vectorize(["f8, i4 f8"])(lambda x, y: x + y)


def _copy_to(x, out):
    for i in range(x.size):
        out[i] = x[i]
