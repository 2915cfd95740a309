"""Reductions of expressions, whose elements are computed where they are folded, against NumPy: to the bit."""

import re
import textwrap
import traceback

import numpy as np
import pytest
from compare import define, expression
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarray import get_num_threads, njit, set_num_threads
from test_fusion import arguments, check, matrices, vectors
from test_reductions import bits, same

parallel = njit(parallel=True)
REDUCTIONS = ["sum", "mean", "max", "min", "argmax", "prod", "var", "std"]
VALUES = ["a * b", "(a - b) ** 2", "a - k", "np.where(a > b, a, v)", "a * v - b", "np.sqrt(abs(a)) * c"]


def define_block(text):
    return define(textwrap.dedent(text).lstrip())


def operands(shape, dtype="f8", seed=1):
    """Two arrays of this shape, one that is broadcast along the first axes, and one along the last axis."""
    rng = np.random.default_rng(seed)

    def sample(shape):
        return (rng.standard_normal(shape) * 3).astype(dtype)

    return sample(shape), sample(shape), sample(shape[-1:]), sample((*shape[:-1], 1)), np.dtype(dtype).type(0.3)


def axes_of(rank):
    return [None, *range(rank)] + ([(0, 1), (1, 2), (0, 2)] if rank == 3 else [])


@pytest.mark.parametrize(
    "shape", [(0,), (1,), (7,), (130,), (20_000,), (9, 300), (300, 9), (3, 5, 70), (70, 5, 3)], ids=str
)
def test_orders(shape):
    """Sums of every value along every axis are those of the array that is not written."""
    for number, value in enumerate(VALUES):
        for axis in axes_of(len(shape)):
            same(expression(f"np.sum({value}, axis={axis})", "a, b, v, c, k"), *operands(shape, seed=number))


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions(name, request):
    if name in ("min", "prod", "mean", "std"):  # each is folded as another one is
        request.getfixturevalue("little_optimised")
    for shape, axis in (((900,), None), ((40, 30), None), ((40, 30), 0), ((40, 30), 1), ((6, 5, 4), 1)):
        alike = name in ("max", "min")
        for value in VALUES[:4]:
            f = expression(f"({value}).{name}(axis={axis})", "a, b, v, c, k")
            same(f, *operands(shape), zeros_alike=alike)


BLOCKS = "(a * b).sum(), (abs(a[x]) * k).sum(), np.where(m, a, k).mean(), (x / (y + 1)).sum()"


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_blocks_of_any_length_and_strides(dtype):
    """Eight sums side by side, and the rest in order, of one block and of several."""
    f = expression(BLOCKS, "a, b, k, x, y, m")
    rng = np.random.default_rng(5)
    for n in (*range(1, 20), 63, 64, 65, 127, 128, 129, 136, 137, 255, 257, 1000, 4097):
        a, b = rng.standard_normal((2, 2 * n)).astype(dtype)
        x, y = rng.integers(-n, n, n), rng.integers(0, 99, n, np.uint8)
        k, m = np.dtype(dtype).type(0.3), a[:n] > 0
        for p, q in ((a[:n], b[:n]), (a[::2], b[::-2]), (np.broadcast_to(a[:1], n), b[:n])):
            same(f, p, q, k, x, y, m)


POINTS = """((a[None] - b[:, None]) ** 2).sum(axis=2), ((a[None] - b[:, None]) * w[:, :, None]).sum(axis=1),
    np.where((w[0] > 0)[:, None], a, 0).sum(axis=0), (a * b[0]).max(axis=1),
    ((a - b[:, :1]) * k).sum(axis=1, initial=3)"""


@pytest.mark.parametrize("dtype", ["f8", "i4"])
def test_points(dtype):
    """Rows of two to four elements, without gaps and with them, beside shorter and longer ones."""
    f = expression(f"({' '.join(POINTS.split())})", "a, b, w, k")
    rng = np.random.default_rng(2)
    for n, columns in ((1, 3), (2, 2), (5, 1), (5, 3), (9, 4), (7, 5), (3, 20)):
        a, b = (4 * rng.standard_normal((2, n, columns))).astype(dtype)
        w, k = (3 * rng.standard_normal((n, n))).astype(dtype), np.dtype(dtype).type(3)
        a[0] = 0
        for values in ((a, b), (np.repeat(a, 2, axis=0)[::2], b[:, ::-1])):
            for ours, theirs in zip(f(*values, w, k), f.py_func(*values, w, k), strict=True):
                assert bits(ours + 0) == bits(theirs + 0), (ours, theirs)


@pytest.mark.parametrize("dtype", ["f2", "f4", "c8", "c16", "i2", "u4", "i8"])
def test_dtypes(dtype, request):
    if dtype in ("c8", "i2", "u4"):
        request.getfixturevalue("little_optimised")
    for value in ("a * b", "a + v", "a - k"):
        for text in ("np.sum({}, axis=0)", "np.sum({})", "np.mean({})", "np.sum({}, axis=1)", "({}).max()"):
            same(expression(text.format(value), "a, b, v, c, k"), *operands((20, 500), dtype))


@pytest.mark.parametrize(
    "text", ["np.sum(a * b, dtype='f8')", "np.mean(a * b, dtype='f8')", "np.sum(a * v, dtype='f8')"]
)
def test_casts(text):
    """Elements that are cast are added up 8192 at a time, whether they are written or not."""
    for shape in ((30_000,), (3, 9000), (300, 70)):
        same(expression(text, "a, b, v, c, k"), *operands(shape, "f4"))


def test_conditions():
    for text in ("np.sum((a > 0) & (b < 1))", "((a > k) | (b > v)).sum(axis=0)", "np.any(a > 8)", "(a < v).all(axis=1)",
                 "np.count_nonzero(a > b)", "(a > 0).mean()", "np.mean(a > v, axis=1)"):  # fmt: skip
        for shape in ((300, 70), (5, 9000)):
            same(expression(text, "a, b, v, c, k"), *operands(shape))


def test_masked_sums():
    """NumPy adds up what lies between two elements that are left out, so bits differ."""
    for text in (
        "np.sum(a * b, where=a > 0)",
        "np.sum(a, axis=1, where=a * b > 0)",
        "(a + 1).max(where=b > 0, initial=0)",
    ):
        for shape in ((70,), (60, 70)):
            if len(shape) > 1 or "axis" not in text:
                f = expression(text, "a, b, v, c, k")
                np.testing.assert_allclose(f(*operands(shape)), f.py_func(*operands(shape)), rtol=1e-12)


def test_views_between():
    texts = [
        "(a * b)[2:].sum()",
        "(a * b).T.sum(axis=0)",
        "(a - k)[1:, 2:].sum(axis=0)",
        "np.sum((a * b)[:, None])",
        "(a * b)[::-1].max()",
        "(a + b)[:, 3].sum()",
        "np.sum((a * b)[::2], axis=1)",
    ]
    for text in texts:
        same(expression(text, "a, b, v, c, k"), *operands((40, 60)))
    for text in ("(a * b)[::-1].sum()", "(a * b)[::3].sum()", "(a - b)[5:-3].sum()"):
        same(expression(text, "a, b, v, c, k"), *operands((1000,)))


def test_strided_operands():
    a, b, v, c, k = operands((600, 80))
    for left, right in ((a[::2, ::2], b[:300, 40:]), (a[::-1, :40], b[::2, 1::2])):
        for axis in (None, 0, 1):
            same(expression(f"np.sum(a * b, axis={axis})", "a, b"), left, right)


def test_other_uses():
    """A value that something else needs as well is written down, or computed twice; both give the same."""
    softmax = define_block("""
        def f(x):
            e = np.exp(x - x.max(axis=1)[:, None])
            return e / e.sum(axis=1)[:, None]
    """)
    x = operands((40, 300))[0]
    np.testing.assert_allclose(softmax(x), softmax.py_func(x), rtol=1e-14)
    twice = define_block("""
        def f(a, b):
            d = a - b
            s = (d * d).sum()
            d[0] = s
            return d, d.sum(), (d * 2).max()
    """)
    for ours, theirs in zip(twice(*operands((50,))[:2]), twice.py_func(*operands((50,))[:2])):
        assert np.array_equal(ours, theirs)


def test_written_between():
    f = define_block("""
        def f(a, b):
            t = a * b
            a[0] = 100
            u = t + 1
            b[1] = 100
            return t.sum(), u.sum(), np.sum(a * b)
    """)
    a, b = operands((50,))[:2]
    assert f(a.copy(), b.copy()) == f.py_func(a.copy(), b.copy())


def test_equal_values():
    """They are computed once, but two arrays that are returned are two."""
    f = define_block("""
        def f(x):
            low = (x - x.mean(axis=0)) / x.std(axis=0)
            high = (x - x.mean(axis=0)).max()
            a = x * 2
            b = x * 2
            x[0] = 5
            c = x * 2
            return low, high, a, b, c, (x * 2).sum(), (x * 2).sum()
    """)
    x = operands((30, 40))[0]
    ours, theirs = f(x.copy()), f.py_func(x.copy())
    for left, right in zip(ours, theirs):
        np.testing.assert_array_equal(left, right)
    ours[2][:] = 0
    np.testing.assert_array_equal(ours[3], theirs[3])


def test_memory_is_taken():
    """Of values that are read for the last time, and of no others."""
    f = define_block("""
        def f(x, n):
            total = np.exp(x)
            first = total
            for i in range(n):
                t = np.exp(x + i)
                u = np.sin(t) + total
                v = np.cos(u)
                total = v + np.exp(v)
            w = np.exp(total)
            r = w[::-1] + np.tanh(w)
            return total, first, r
    """)
    x = operands((40,))[0]
    for ours, theirs in zip(f(x, 3), f.py_func(x, 3)):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9)


def test_errors_keep_their_line():
    f = define_block("""
        def f(a, b):
            t = a * b
            x = len(b)
            return t.sum() + x
    """)
    with pytest.raises(ValueError, match=re.escape("could not be broadcast together with shapes (3,) (4,)")) as caught:
        f(np.ones(3), np.ones(4))
    assert traceback.extract_tb(caught.tb)[-1].lineno == 2
    most = expression("(a * b).max()", "a, b")
    with pytest.raises(ValueError, match="zero-size array to reduction operation maximum which has no identity"):
        most(np.ones(0), np.ones(0))


@pytest.mark.parametrize("shape", [(300_000,), (500, 700), (3, 100_000), (100_000, 3), (60, 70, 80)], ids=str)
def test_threads_change_nothing(shape):
    values = operands(shape)
    before = get_num_threads()
    try:
        for value in ("a * b", "a * v - c"):
            for axis in axes_of(len(shape)):
                text = f"def f(a, b, v, c, k):\n    return np.sum({value}, axis={axis})"
                for threads in (1, 2):
                    set_num_threads(min(threads, before))
                    same(define(text, decorator=parallel), *values)
    finally:
        set_num_threads(before)


# -- Random programs -------------------------------------------------------------------------------

FOLDS = ["{}.sum()", "{}.max()", "{}.min()", "np.sum({} > 1)", "np.any({} > 2)", "{}.argmin()", "np.count_nonzero({})"]
ROW_FOLDS = ["{}.sum(axis=0)", "{}.sum(axis=1)", "{}.max(axis=1)", "{}.min(axis=0)", "np.sum({} > 1, axis=0)"]


@st.composite
def programs(draw):
    """Sums of quarters, which are exact in any order."""
    rows, grids, lines, made = ["a", "b", "c"], ["m", "p"], [], []
    for number in range(draw(st.integers(2, 6))):
        kind = draw(st.integers(0, 6))
        if kind == 0:
            lines.append(f"u{number} = {draw(vectors(rows, 1))}")
            rows.append(f"u{number}")
        elif kind == 1:
            lines.append(f"t{number} = {draw(matrices([*rows, *grids], 1))}")
            grids.append(f"t{number}")
        elif kind == 2:
            name = draw(st.sampled_from(["a", "b", "m", "p"]))
            lines.append(f"{name}[1:] = {draw(vectors(rows, 1) | st.just('k')) if name in 'ab' else 'k'}")
        elif kind < 5:
            value = draw(vectors(rows, 1) | matrices([*rows, *grids], 1))
            lines.append(f"s{number} = {draw(st.sampled_from(FOLDS)).format(f'({value})')}")
            made.append(f"s{number}")
        else:
            value = draw(matrices([*rows, *grids], 1))
            lines.append(f"u{number} = {draw(st.sampled_from(ROW_FOLDS)).format(f'({value})')}")
            rows.append(f"u{number}")
    result = "".join(f"{each}, " for each in [*made, *rows[3:], *grids[2:]])
    text = "\n    ".join(["def f(a, b, c, m, p, k):", *lines, f"return ({result})\n"])
    return text.replace("np.sqrt(abs(", "np.negative(abs(")


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs(), st.booleans())
def test_programs(text, shared):
    check(text, arguments(("f8", "f8"), shared), njit)


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs(), st.booleans())
def test_programs_on_threads(text, shared):
    check(text, arguments(("f8", "f8"), shared), parallel)
