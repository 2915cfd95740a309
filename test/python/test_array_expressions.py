"""Operators and NumPy's functions on whole arrays, against NumPy: values, dtypes, order, errors."""

import warnings

import numpy as np
import pytest
from compare import arrays_alive, copied, define, expression, outcome
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarray import float64, jitclass, njit, prange
from pyarray.errors import PyArrayError

DTYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
BINARY = ["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>"]
COMPARISONS = ["==", "!=", "<", "<=", ">", ">="]


def sample(dtype, seed=0, shape=(7,)):
    """Small numbers of both signs, zeros, and, of floats, NaN and infinities."""
    rng = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(dtype)
    if dtype.kind in "iu":
        return rng.integers(0 if dtype.kind == "u" else -5, 6, shape).astype(dtype)
    values = rng.integers(-8, 9, shape) / 4
    if dtype.kind == "c":
        values = values + 1j * rng.integers(-8, 9, shape) / 4
    elif values.size > 5:
        values.flat[:3] = [np.nan, np.inf, -np.inf]
    return values.astype(dtype)


def alike(ours, theirs, rtol=0.0):
    """Equal in dtype, shape and values; NaN is like NaN. Numbers come to Python as Python's."""
    if not isinstance(ours, np.ndarray):
        theirs = np.asarray(theirs).astype(np.asarray(ours).dtype)
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    assert ours.dtype == theirs.dtype and ours.shape == theirs.shape, (
        ours.dtype,
        theirs.dtype,
        ours.shape,
        theirs.shape,
    )
    if rtol and ours.dtype.kind in "fc":
        np.testing.assert_allclose(ours, theirs, rtol=rtol, atol=0)
    else:
        np.testing.assert_array_equal(ours, theirs)


def same(function, *arguments, rtol=0.0):
    """As NumPy: the value, or the class and text of the exception."""
    ours, theirs = outcome(function, copied(arguments)), outcome(function.py_func, copied(arguments))
    assert ours[0] == theirs[0], (ours, theirs)
    if ours[0] == "returned":
        alike(ours[1], theirs[1], rtol)
    else:
        assert ours[1] is theirs[1] and (ours[2] == theirs[2] or theirs[2][0] in ours[2][0]), (ours, theirs)


def refused_by_numpy(text, *arguments):
    """Whether NumPy has no loop for these dtypes."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            eval(text, {"np": np, "a": arguments[0], "b": arguments[-1]})
        except TypeError:
            return True
        except ValueError:
            return False
    return False


def tolerance(left, right, operator):
    return 4 * np.finfo(np.result_type(left, right, np.float16)).eps if operator == "**" else 0.0


def partners(dtype):
    """dtypes that meet it: itself, and what widens it, differs in sign, or is of another kind."""
    at = DTYPES.index(dtype)
    return {DTYPES[at - 1], DTYPES[(at * 5 + 3) % len(DTYPES)], "i1" if dtype[0] == "u" else dtype}


@pytest.mark.parametrize("operator", BINARY)
@pytest.mark.parametrize("left", DTYPES)
def test_binary(left, operator):
    f = expression(f"a {operator} b", "a, b")
    for right in partners(left):
        a, b = sample(left, 1), sample(right, 2)
        if operator == "**" and np.dtype(right).kind == "i":
            b = abs(b)
        if refused_by_numpy(f"a {operator} b", a, b):
            with pytest.raises(PyArrayError):
                f(a, b)
        else:
            same(f, a, b, rtol=tolerance(a, b, operator))


@pytest.mark.usefixtures("little_optimised")  # test_binary has all dtypes as users have them
@pytest.mark.parametrize("operator", COMPARISONS)
@pytest.mark.parametrize("left", DTYPES)
def test_comparisons(left, operator):
    f = expression(f"a {operator} b", "a, b")
    for right in partners(left):
        same(f, sample(left, 1), sample(right, 2))
    same(f, np.array([2**63, 5], "u8"), np.array([-1, 5], "i8"))


@pytest.mark.parametrize("text", ["-a", "+a", "~a", "abs(a)", "a ** 2", "a ** 0.5", "a ** -1.0", "a ** 1"])
def test_unary(text):
    f = expression(text, "a")
    for dtype in DTYPES:
        a = sample(dtype)
        if refused_by_numpy(text, a):
            with pytest.raises(PyArrayError):
                f(a)
        else:
            same(f, a, rtol=0.0 if text[0] in "-+~" else 4 * np.finfo(np.result_type(a, np.float16)).eps)


LITERALS = ["2", "-3", "1.5", "2j", "True", "200"]


@pytest.mark.usefixtures("little_optimised")
@pytest.mark.parametrize("literal", LITERALS)
@pytest.mark.parametrize("operator", ["+", "*", "/", "<", "=="])
def test_literals_take_the_type_of_arrays(operator, literal):
    f, g = expression(f"a {operator} {literal}", "a"), expression(f"{literal} {operator} a", "a")
    for dtype in ("?", "i1", "u8", "f2", "f4"):
        for function in (f, g):
            same(function, sample(dtype), rtol=1e-6 if "j" in literal else 0.0)


@pytest.mark.usefixtures("little_optimised")
@pytest.mark.parametrize(
    "text",
    [
        "n * a",
        "a * len(a)",
        "a + a.shape[0]",
        "a + int(x)",
        "a * float(n)",
        "a * x",
        "a * (x + 1)",
        "a * np.float32(x)",
        "a * np.float64(x)",
        "a * w[0]",
        "a * np.sqrt(x)",
        "a * max(x, 2.0)",
    ],
)
@pytest.mark.parametrize("dtype", ["i1", "u4", "f2", "f4", "f8", "c8"])
def test_weak_numbers(text, dtype):
    f = expression(text, "a, n, x, w")
    same(f, sample(dtype), 3, 2.5, np.array([1.5]), rtol=1e-15)


def test_weak_numbers_in_loops():
    @njit
    def by_position(a):
        r = a
        for i in range(3):
            r = r * i
        return r

    @njit
    def by_counter(a):
        k = 0
        t = 0.5
        while k < 3:
            k += 1
            t *= 2
        return a * k + t

    @njit
    def by_sum_of_items(a, w):
        t = 0.0
        for v in w:
            t += v
        return a * t

    for dtype in ("f4", "i2"):
        same(by_position, sample(dtype))
        same(by_counter, sample(dtype))
    same(by_sum_of_items, np.ones(3, "f4"), np.ones(2))
    assert by_sum_of_items(np.ones(3, "f4"), np.ones(2)).dtype == np.float64


def test_python_integers_out_of_bounds():
    f = expression("a + n", "a, n")
    for value in (128, -129, 2**40):
        with pytest.raises(OverflowError, match="out of bounds for int8"):
            f(np.ones(3, "i1"), value)
    with pytest.raises(OverflowError, match="out of bounds for uint64"):
        f(np.ones(3, "u8"), -1)
    same(f, np.ones(3, "i1"), -128)
    same(expression("a < n", "a, n"), np.ones(3, "i1"), 1000)
    with pytest.raises(OverflowError, match="Python integer 300 out of bounds for uint8"):
        expression("a + 300", "a")(np.ones(3, "u1"))


def test_integers_wrap_and_division_by_zero():
    top = np.array([127, -128], "i1")
    for text in ("a + a", "a * a", "-a", "abs(a)", "a << 1", "a // a", "a - 1"):
        same(expression(text, "a"), top)
    for dtype in ("i4", "u1", "f4", "f8"):
        a, zero = np.array([-1, 0, 1], "i1").astype(dtype), np.zeros(3, dtype)
        for operator in ("/", "//", "%"):
            same(expression(f"a {operator} b", "a, b"), a, zero)
            same(expression(f"a {operator} 0", "a"), a)
    same(expression("a // b", "a, b"), np.array([np.iinfo("i8").min]), np.array([-1]))
    same(expression("a ** b", "a, b"), np.arange(3), np.array([-1, 2, 3]))


SHAPES = [
    ((3,), (3,)),
    ((), (3,)),
    ((3, 1), (4,)),
    ((2, 3), (3,)),
    ((2, 1, 4), (3, 1)),
    ((0,), (1,)),
    ((0, 3), (3,)),
    ((1,), (5,)),
    ((), ()),
    ((3,), (4,)),
    ((2, 3), (2,)),
    ((0,), (2,)),
]


@pytest.mark.usefixtures("little_optimised")
@pytest.mark.parametrize("left, right", SHAPES, ids=str)
def test_broadcasting(left, right):
    for text in ("a + b", "a < b", "np.maximum(a, b)"):
        same(expression(text, "a, b"), sample("f8", 1, left), sample("f8", 2, right))


@njit
def of_blocks(a, b, c, out):
    out[:] = a * b - c
    t = a + b
    t += c
    return np.where(t > out, t, b), np.exp(a) * c


EXTENTS = st.sampled_from([1, 2, 3, 5, 0, 170, 255, 256, 257, 512, 513])


@pytest.mark.parametrize("dtype", ["f8", "f4", "i2", "c16", "i1"])
@settings(max_examples=60, deadline=None)
@given(st.lists(EXTENTS, min_size=3, max_size=3), st.lists(st.integers(0, 7), min_size=2, max_size=2))
def test_blocks_of_stretched_arrays(dtype, shape, stretched):
    """Rows that are shorter and longer than a block, inputs without any of the dimensions."""
    shape[0 if shape[1] > shape[2] else 1] = min(shape[0], 3)
    a = sample(dtype, 1, shape)
    b, c = (
        sample(dtype, 2 + k, [1 if keeps >> d & 1 else n for d, n in enumerate(shape)])
        for k, keeps in enumerate(stretched)
    )
    results = []
    for function in (of_blocks, of_blocks.py_func):
        out = np.empty(shape, dtype)
        with np.errstate(all="ignore"):
            results.append((*function(a, b, c, out), out))
    for ours, theirs in zip(*results, strict=True):
        assert ours.dtype == theirs.dtype
        np.testing.assert_allclose(ours, theirs, rtol=1e-5)


@pytest.mark.parametrize(
    "a",
    [
        np.arange(24.0).reshape(4, 6),
        np.asfortranarray(np.arange(24.0).reshape(4, 6)),
        np.arange(48.0).reshape(4, 12)[:, ::2],
        np.arange(24.0).reshape(4, 6)[::-1, ::-1],
        np.arange(24.0).reshape(6, 4).T,
    ],
    ids=["C", "F", "strided", "reversed", "T"],
)
def test_order(a):
    for b in (a, 2.0, np.ones(6), np.ones((4, 6)), np.ones((4, 6), order="F")):
        f = expression("a * b + a", "a, b")
        same(f, a, b)
    readonly = a.copy(order="K")
    readonly.flags.writeable = False
    same(expression("a + a", "a"), readonly)
    f = expression("a + 1", "a")
    if a.flags.c_contiguous or a.flags.f_contiguous:
        assert f(a).flags.f_contiguous == (a + 1).flags.f_contiguous
    assert f(readonly).flags.writeable


UNARY_FUNCTIONS = [
    "sqrt",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sin",
    "cos",
    "tan",
    "arcsin",
    "arccos",
    "arctan",
    "sinh",
    "cosh",
    "tanh",
    "arcsinh",
    "arccosh",
    "arctanh",
    "rint",
    "cbrt",
    "fabs",
    "deg2rad",
    "rad2deg",
    "signbit",
    "floor",
    "ceil",
    "trunc",
    "square",
    "reciprocal",
    "negative",
    "positive",
    "absolute",
    "abs",
    "sign",
    "conjugate",
    "isnan",
    "isinf",
    "isfinite",
    "logical_not",
    "invert",
    "spacing",
]


@pytest.mark.parametrize("name", UNARY_FUNCTIONS)
def test_unary_functions(name):
    text = f"np.{name}(a)"
    f = expression(text, "a")
    for dtype in ("?", "i1", "u2", "i4", "f2", "f4", "c16"):
        a = sample(dtype, 5)
        if refused_by_numpy(text, a):
            with pytest.raises(PyArrayError):
                f(a)
            continue
        with np.errstate(all="ignore"):
            result = getattr(np, name)(a)
        same(f, a, rtol=8 * np.finfo(result.dtype).eps if result.dtype.kind in "fc" else 0.0)


BINARY_FUNCTIONS = [
    "add",
    "subtract",
    "multiply",
    "divide",
    "true_divide",
    "floor_divide",
    "remainder",
    "mod",
    "fmod",
    "power",
    "float_power",
    "arctan2",
    "hypot",
    "copysign",
    "nextafter",
    "heaviside",
    "logaddexp",
    "logaddexp2",
    "maximum",
    "minimum",
    "fmax",
    "fmin",
    "logical_and",
    "logical_or",
    "logical_xor",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "left_shift",
    "right_shift",
    "gcd",
    "lcm",
    "equal",
    "not_equal",
    "less",
    "less_equal",
    "greater",
    "greater_equal",
]


@pytest.mark.usefixtures("little_optimised")
@pytest.mark.parametrize("name", BINARY_FUNCTIONS)
def test_binary_functions(name):
    text = f"np.{name}(a, b)"
    f = expression(text, "a, b")
    for left, right in [
        ("?", "?"),
        ("i1", "u1"),
        ("u8", "i8"),
        ("f2", "i1"),
        ("f8", "f4"),
        ("c8", "f8"),
        ("c16", "c16"),
    ]:
        a, b = sample(left, 3), abs(sample(right, 4)).astype(right) if name == "power" else sample(right, 4)
        if refused_by_numpy(text, a, b):
            with pytest.raises(PyArrayError):
                f(a, b)
            continue
        with np.errstate(all="ignore"):
            result = getattr(np, name)(a, b)
        same(f, a, b, rtol=8 * np.finfo(result.dtype).eps if result.dtype.kind in "fc" else 0.0)


def test_where():
    f = expression("np.where(c, a, b)", "c, a, b")
    a = np.arange(6.0).reshape(2, 3)
    same(f, a > 2, a, -a)
    same(f, a, a, np.zeros(3, "f4"))
    same(f, np.array([True, False]), np.int32([1, 2]), np.float32([3, 4]))
    same(expression("np.where(a > 2, a, 0)", "a"), np.arange(5, dtype="f4"))
    same(expression("np.where(a > 2, 1, 0.5)", "a"), np.arange(5, dtype="f4"))


def test_out():
    f = define("def f(a, b, o):\n    r = np.add(a, b, out=o)\n    np.multiply(a, 2, o[1:])\n    return r")
    a, b = np.arange(3.0), np.ones(4)
    ours, theirs = np.zeros(4), np.zeros(4)
    assert f(np.float64([5]), b, ours) is ours
    same(f, np.float64([5]), b, theirs)
    g = define("def f(a):\n    np.add(a[:-1], a[1:], out=a[1:])\n    return a")
    alike(g(np.arange(9.0)), g.py_func(np.arange(9.0)))
    with pytest.raises(
        PyArrayError,
        match="Cannot cast ufunc 'add' output from dtype..float64.. to dtype..int64.. with casting rule 'same_kind'",
    ):
        expression("np.add(a, 0.5, out=a)", "a")(np.arange(3))
    with pytest.raises(PyArrayError, match="read-only"):
        readonly = a.copy()
        readonly.flags.writeable = False
        expression("np.add(a, 1, out=a)", "a")(readonly)


@pytest.mark.parametrize("operator", ["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>"])
@pytest.mark.parametrize("dtype", ["i2", "u4", "f4", "c8"])
def test_in_place(operator, dtype):
    f = define(f"def f(a, b):\n    a {operator}= b\n    return a")
    for b in (
        sample(dtype, 2),
        sample(dtype, 3, (1,)),
        2,
        sample("i1", 2) if operator not in ("**", "<<", ">>") else 3,
    ):
        a = sample(dtype, 1)
        expected = a.copy()
        with np.errstate(all="ignore"):
            try:
                exec(f"expected {operator}= b", {"expected": expected, "b": b})
            except (TypeError, ValueError):
                with pytest.raises((PyArrayError, ValueError)):
                    f(a, b)
                continue
        assert f(a, b) is a
        alike(a, expected, 1e-5 if dtype == "c8" or operator == "**" else 0.0)


VIEWS = """
def f(a, row, x):
    a[1:3] *= 2
    a[0] -= row
    a[:, 0] += x
    a[:, 1] = row[0]
    a[:, 2] = row[1] * a[:, 0]
    a[2:, 1:] = row[1:] + 1
    a[-1] = a[0] + a[1]
    a[:, ::2] //= 2
    a[...] += 1
    a[...] = a * row + a[...]
    return a
"""


def test_in_place_through_views():
    f = define(VIEWS)
    for dtype in ("f8", "i4", "f4"):
        a, row = np.arange(12).reshape(4, 3).astype(dtype), np.arange(3).astype(dtype)
        for view in (a, np.asfortranarray(a), np.repeat(a, 2, axis=1)[:, ::2]):
            alike(f(view.copy(order="K"), row, 3), f.py_func(view.copy(order="K"), row, 3))
    assert expression("a[...]", "a")(np.ones((2, 3))).shape == (2, 3)
    zero = np.array(1.0)
    assert define("def f(a):\n    a[...] = a[...] * 3\n    return a")(zero) is zero and zero == 3


def test_overlap():
    for text in (
        "a[1:] += a[:-1]",
        "a[:-1] -= a[1:]",
        "a[::2] *= a[: len(a[::2])]",
        "a += a[::-1]",
        "a[1:] = a[:-1] * 2",
    ):
        f = define(f"def f(a):\n    {text}\n    return a")
        alike(f(np.arange(9.0)), f.py_func(np.arange(9.0)))


def test_other_names_see_what_is_written():
    @njit
    def f(a):
        b = a
        b += 1
        c = a[1:]
        c *= 2
        d = a + 0
        d += 100
        return a, d

    ours, theirs = f(np.arange(4)), f.py_func(np.arange(4))
    alike(ours[0], theirs[0])
    alike(ours[1], theirs[1])


def test_casts_that_are_refused():
    for text, dtype in [("a += 0.5", "i8"), ("a /= 2", "i8"), ("a += 1j", "f8"), ("a -= b", "u8"), ("a += 1", "?")]:
        f = define(f"def f(a, b):\n    {text}\n    return a")
        with pytest.raises(
            PyArrayError, match="Cannot cast ufunc '.*' output from dtype.* with casting rule 'same_kind'"
        ):
            f(np.ones(3, dtype), np.ones(3, "i8"))


def test_truth():
    f = define("def f(a):\n    if a:\n        return 1\n    return 2")
    g = define("def f(a):\n    return not a")
    h = define("def f(a, b):\n    return (a > 1) and (b > 1)")
    for a in (
        np.array([3.0]),
        np.array([0]),
        np.array([[True]]),
        np.array(1),
        np.array(0.0),
        np.zeros(3),
        np.zeros(0),
        np.zeros((2, 2)),
    ):
        same(f, a)
        same(g, a)
    for a in (np.array([[2.0]]), np.array(0), np.zeros(2), np.zeros(0)):
        same(expression("bool(a)", "a"), a)
    same(h, np.array([0.0]), np.array([2.0]))
    same(h, np.array([0.0, 1]), np.array([2.0, 1]))


def test_0d():
    for text in ("a + a", "-a", "a < 2", "np.sqrt(a)", "a + 1", "a * b"):
        f = expression(text, "a, b")
        for b in (np.array(2.5), 2, np.float32(2)):
            same(f, np.array(2.0, "f4"), b)
    assert not isinstance(expression("a + a", "a")(np.array(1.0)), np.ndarray)
    f = define("def f(a):\n    a += 2\n    return a")
    a = np.array(1.0)
    assert f(a) is a and a == 3


def test_errors_name_the_line():
    f = define("def f(a, b):\n    c = a * 2\n    return c + b")
    with pytest.raises(
        ValueError, match=r"operands could not be broadcast together with shapes \(3,\) \(4,\)"
    ) as error:
        f(np.ones(3), np.ones(4))
    frames = [frame for frame in error.traceback if str(frame.path).endswith(">") or "test program" in str(frame.path)]
    assert frames[-1].lineno + 1 == 3
    g = define("def f(a, b):\n    a += b")
    same(g, np.ones((2, 3)), np.ones(4))
    same(g, np.ones((1, 3)), np.ones((2, 3)))


def test_in_parallel_loops_and_generators():
    @njit(parallel=True)
    def rows(m, w):
        out = np.empty_like(m)
        for i in prange(m.shape[0]):
            t = m[i] * w
            out[i] = t - t[0]
            out[i] += 1
        return out

    m, w = np.arange(40.0).reshape(8, 5), np.arange(5.0)
    alike(rows(m, w), m * w - (m * w)[:, :1] + 1)

    @njit(parallel=True)
    def whole(a, b):
        return np.sqrt(a * a + b * b) - b

    a = np.linspace(0, 1, 100_000)
    same(whole, a, a[::-1])

    @njit
    def steps(a, n):
        for i in range(n):
            a = a * 2
            yield a + i

    for ours, theirs in zip(steps(np.arange(3.0), 4), steps.py_func(np.arange(3.0), 4)):
        alike(ours, theirs)


def test_fields_of_classes():
    @jitclass([("x", float64[:]), ("k", float64)])
    class Oscillator:
        def __init__(self, x, k):
            self.x = x * k
            self.k = k

        def step(self, dt):
            self.x += dt * self.x
            self.x = self.x - self.k
            return self.x * 2

    before = arrays_alive()
    oscillator = Oscillator(np.arange(3.0), 2.0)
    x = np.arange(3.0) * 2
    for _ in range(3):
        x = x + 0.5 * x - 2.0
        alike(oscillator.step(0.5), x * 2)
    del oscillator
    assert arrays_alive() == before


def test_other_containers_keep_their_items():
    f = define("def f(a):\n    xs = [a, a + 1]\n    xs[1] += a\n    d = {1: a}\n    d[1] *= 2\n    return xs[1] + d[1]")
    same(f, np.arange(3.0))
    same(define("def f(a):\n    return G - a", G=np.arange(3)), np.arange(3.0))
    same(define("def f(a):\n    def g(x):\n        return x * a\n    return g(a) + g(a + 1)"), np.arange(3))


def test_releases_where_a_parallel_loop_or_a_generator_ends_early():
    @njit(parallel=True)
    def rows(m, fails):
        out = np.zeros(m.shape[0])
        for k in prange(m.shape[0]):
            t = m[k] * 2
            if fails and k == 7:
                t = t + np.zeros(99)
            out[k] = (t + 1)[0]
        return out

    @njit
    def steps(a):
        t = a * 2
        for k in range(3):
            yield t + k
            t = t + 1

    before = arrays_alive()
    rows(np.ones((50, 4)), False)
    with pytest.raises(ValueError, match="broadcast"):
        rows(np.ones((50, 4)), True)
    running = steps(np.ones(3))
    next(running)
    running.close()
    del running
    assert arrays_alive() == before


def test_temporaries_are_released():
    @njit
    def f(a, b, fails):
        s = 0.0
        for _ in range(50):
            t = (a + b) * (a - b)
            t += np.sqrt(abs(t))
            s += t[0]
        if fails:
            (t + 1) + np.zeros(2)
        return t

    a = np.arange(3.0)
    f(a, a, False)
    before = arrays_alive()
    kept = f(a, a, False)
    for _ in range(3):
        with pytest.raises(ValueError):
            f(a, a, True)
    del kept
    assert arrays_alive() == before


def test_errstate_is_its_body():
    def f(a, b):
        with np.errstate(divide="ignore", invalid="ignore"):
            quotient = a / b
        for i in range(3):
            with np.errstate(all="ignore"):
                if a[i] > 0:
                    return quotient, i
        return quotient, -1

    a, b = np.array([0.0, -1.0, 2.0]), np.zeros(3)
    got, expected = njit(f)(a, b), f(a, b)
    np.testing.assert_array_equal(got[0], expected[0])
    assert got[1] == expected[1]


def test_errstate_that_raises_is_refused():
    for keywords in ("divide='raise'", "**kinds", "all=kind"):
        text = f"def f(a, kind):\n    with np.errstate({keywords}):\n        return 1 / a\n"
        with pytest.raises(PyArrayError, match="np.errstate"):
            define(text, np=np, kinds={})(np.zeros(2), "ignore")
