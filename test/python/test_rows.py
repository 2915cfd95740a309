"""Operations along the last dimensions, which go over the rows together, against NumPy: to the bit."""

import traceback
import warnings

import numpy as np
import pytest
from compare import copied, define, expression, is_same
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarray import njit
from test_fusion import check
from test_reductions import same

parallel = njit(parallel=True)
DTYPES = ["f8", "f4", "f2", "c16", "i4", "u1"]
REDUCTIONS = ["sum", "mean", "min", "max", "prod", "std", "var", "argmax"]
SHAPES = [(5, 8), (7, 1), (1, 9), (0, 4), (3, 300), (300, 3), (2, 3, 20), (4, 2, 3, 5), (2, 9000)]
FUNCTIONS = ["{} - {}", "{} * {}", "np.maximum({}, {})", "np.sqrt(abs({} - {}))", "np.where({} > {}, x, 2)"]


def standardise(x):
    return (x - x.mean(axis=-1, keepdims=True)) / (x.std(axis=-1, keepdims=True) + 1)


def layer_norm(x, weight, bias):
    mean = x.mean(axis=-1)[..., None]
    var = ((x - mean) ** 2).mean(axis=-1)[..., None]
    return (x - mean) / np.sqrt(var + 1e-5) * weight + bias


def shares(x):
    """Softmax, with a function whose bits are NumPy's."""
    e = np.sqrt(x.max(axis=-1, keepdims=True) - x)
    return e / (e.sum(axis=-1, keepdims=True) + 1)


def range_and_sum(x):
    low, high = x.min(axis=-1), x.max(axis=-1)
    return low, high, ((x - low[..., None]) / (high - low + 1)[..., None]).sum(axis=-1)


def weighted(x, y):
    """A row that is written down for two readers, and is none of the results."""
    e = np.sqrt(abs(x - x.min(axis=-1, keepdims=True)) + 2) / 3
    return (e * y).sum(axis=-1) / e.sum(axis=-1)


def over_two(x):
    m = x.mean(axis=(-2, -1), keepdims=True)
    return (x - m) / ((x - m) ** 2).sum(axis=(-2, -1), keepdims=True)


def values(shape, dtype="f8", seed=1):
    return (np.random.default_rng(seed).standard_normal(shape) * 3).astype(dtype)


def alike(function, *arguments):
    """What it gives is NumPy's to the bit."""
    ours = function(*copied(arguments))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = function.py_func(*copied(arguments))
    if not isinstance(theirs, tuple):
        ours, theirs = (ours,), (theirs,)
    for left, right in zip(ours, theirs, strict=True):
        assert is_same(left, right), (left, right)


@pytest.mark.parametrize("decorator", [njit, parallel], ids=["cpu", "parallel"])
@pytest.mark.parametrize("function", [standardise, shares, range_and_sum], ids=lambda f: f.__name__)
def test_programs(function, decorator):
    f = decorator(function)
    for shape in SHAPES:
        for dtype in ("f8", "f4"):
            alike(f, values(shape, dtype))
    x = values((6, 40))
    for view in (x[::2], x[:, ::2], x[::-1, ::-1], x.T, np.broadcast_to(x[0], (4, 40))):
        alike(f, view)


@pytest.mark.parametrize("decorator", [njit, parallel], ids=["cpu", "parallel"])
def test_rows_that_are_longer(decorator):
    """The weights may have more elements than the rows, which have one then."""
    f = decorator(layer_norm)
    for shape, length in (((5, 8), 8), ((5, 1), 8), ((5, 8), 1), ((2, 3, 7), 7), ((0, 3), 3)):
        alike(f, values(shape), values(length), values(length, seed=2))
    alike(f, values((5, 8)), values(16)[::2], values(1))
    with pytest.raises(ValueError, match=r"shapes \(5,8\) \(7,\)") as raised:
        f(values((5, 8)), values(7), values(8))
    assert traceback.extract_tb(raised.value.__traceback__)[-1].line.startswith("return (x - mean)")


@pytest.mark.parametrize("decorator", [njit, parallel], ids=["cpu", "parallel"])
def test_rows_in_memory(decorator):
    f, g = decorator(weighted), decorator(over_two)
    for shape in SHAPES:
        if shape[-1]:
            alike(f, values(shape), values(shape, seed=2))
        if len(shape) > 2:
            alike(g, values(shape))


def test_empty():
    f = njit(range_and_sum)
    for shape in ((3, 0), (0, 0), (2, 3, 0)):
        with pytest.raises(ValueError, match="zero-size array to reduction operation minimum") as raised:
            f(np.zeros(shape))
        assert traceback.extract_tb(raised.value.__traceback__)[-1].line.startswith("low, high =")
    alike(f, np.zeros((0, 5)))
    g = expression("x - x.argmax(axis=1)[:, None] + x.argmin(axis=1)[:, None]")
    with pytest.raises(ValueError, match="attempt to get argm.. of an empty sequence"):
        g(np.zeros((3, 0)))


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes(dtype):
    for name in REDUCTIONS:
        if dtype == "c16" and name in ("min", "max", "argmax"):
            continue
        for shape in ((4, 5), (3, 200), (2, 3, 4)):
            same(expression(f"x - x.{name}(axis=-1, keepdims=True)"), values(shape, dtype))


def test_overwritten():
    """What is written between two of them stays between."""
    f = define("""def f(x):
    m = x.max(axis=1)[:, None]
    x[0] = 7
    y = x - m
    m[1] = 100
    return y.sum(axis=1), y / m, m
""")
    alike(f, values((4, 6)))


def test_report():
    f = njit(standardise)
    f(values((4, 5)))
    (said,) = f.inspect_fusion().values()
    assert "np.divide: row by row, together with sum (line" in said


def test_siblings():
    """Two results of one pass; the error is that of the first, on its line."""
    f = define("def f(a, b):\n    l = a.min()\n    h = a.max()\n    t = a * b\n    return l, h, t, a + b * 2\n")
    for shape in ((7,), (30, 4), (2, 3, 5)):
        alike(f, values(shape), values(shape, seed=2))
    with pytest.raises(ValueError, match="reduction operation minimum"):
        f(np.zeros(0), np.zeros(0))
    with pytest.raises(ValueError, match=r"broadcast together with shapes \(3,\) \(4,\)") as raised:
        f(np.zeros(3), np.zeros(4))
    assert traceback.extract_tb(raised.value.__traceback__)[-1].line == "t = a * b"
    g = define("def f(a):\n    l = a.min()\n    a[0] = 9\n    return l, a.max(), a.min(axis=0), a.max(axis=0)\n")
    alike(g, values((5, 6)))


READERS = """def f(a, b):
    t = np.sqrt(np.abs(a)) / (1 + a * a) / 3
    u = t * b
    b[0] = 9
    v = t - b
    w = t[1:] + a[:-1]
    t = a / b / (a - b)
    return u, v, w, t + 1, t * a, t / b
"""


def test_readers():
    """A value is computed once for its readers, unless what they read changes between them."""
    f = define(READERS)
    for shape in ((7,), (30, 4)):
        alike(f, values(shape), values(shape, seed=2))
    with np.errstate(all="ignore"):
        expected = f.py_func(*[values((9,))] * 2)
    for got, want in zip(f(*[values((9,))] * 2), expected, strict=True):
        assert is_same(got, want)
    with pytest.raises(ValueError, match=r"broadcast together with shapes \(3,\) \(4,\)") as raised:
        f(np.ones(3), np.ones(4))
    assert traceback.extract_tb(raised.value.__traceback__)[-1].line == "u = t * b"
    said = next(iter(f.inspect_fusion().values()))
    assert said.count("np.divide: computed where it is read, in np.divide (line 8)") == 2


# -- Random programs -------------------------------------------------------------------------------


@st.composite
def programs(draw):
    wholes, numbers, lines = ["x", "y"], ["x.sum(axis=1)[:, None]"], []
    for number in range(draw(st.integers(2, 8))):
        kind, whole = draw(st.integers(0, 9)), draw(st.sampled_from(wholes))
        if kind < 4:
            name = draw(st.sampled_from(REDUCTIONS))
            axes = draw(st.sampled_from(["(axis=1)[:, None]", "(axis=-1, keepdims=True)"]))
            inner = draw(st.sampled_from([whole, f"({whole} - {draw(st.sampled_from(numbers))})"]))
            lines.append(f"n{number} = {inner}.{name}{axes}")
            numbers.append(f"n{number}")
        elif kind < 8:
            other = draw(st.sampled_from([*numbers, *numbers, *wholes, "v", "2"]))
            lines.append(f"w{number} = {draw(st.sampled_from(FUNCTIONS)).format(whole, other)}")
            wholes.append(f"w{number}")
        elif kind == 8:
            lines.append(f"n{number} = {draw(st.sampled_from(numbers))} * 2 + {draw(st.sampled_from(numbers))}")
            numbers.append(f"n{number}")
        else:
            target = draw(st.sampled_from([*wholes, *numbers[1:]]))
            lines.append(f"{target}[{draw(st.sampled_from(['0', '-1:', ':']))}] = 3")
    made = [*wholes[2:], *numbers[1:]]
    kept = draw(st.lists(st.sampled_from(made), unique=True, min_size=1)) if made else []
    return "\n    ".join(["def f(x, y, v):", *lines, f"return ({''.join(f'{each}, ' for each in kept)})\n"])


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs(), st.sampled_from([(5, 6), (1, 6), (5, 1), (3, 140)]), st.sampled_from([njit, njit, parallel]))
def test_random_programs(text, shape, decorator):
    numbers = np.random.default_rng(3).integers(-8, 9, (2, *shape)) / 4
    check(text, (numbers[0], numbers[1], numbers[0, 0] + 1), decorator)
