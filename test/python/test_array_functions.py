"""NumPy's functions that are made of others: library/numpy/{elements,differences,products,creation}.py."""

import warnings

import numpy as np
import pytest
from compare import copied, expression, outcome
from pyarray.errors import TypingError

REAL = ["?", "i1", "u2", "i8", "f2", "f4", "f8"]
COMPLEX = ["c8", "c16"]


def numbers(dtype, shape=(3, 4), seed=1):
    rng, dtype = np.random.default_rng(seed), np.dtype(dtype)
    values = rng.normal(size=shape) * 4
    if dtype.kind == "c":
        values = values + 1j * rng.normal(size=shape)
    if dtype.kind == "u":
        values = np.abs(values)
    return (values > 0 if dtype.kind == "b" else values).astype(dtype)


def with_nan(dtype):
    a = numbers(dtype)
    a[0, 1], a[2, 3], a[1, :] = np.nan, np.inf, -2.5
    return a


def near(ours, theirs):
    """Equal but for the last places; numbers come to Python as Python's."""
    if isinstance(theirs, (tuple, list)):
        assert len(ours) == len(theirs)
        for mine, other in zip(ours, theirs, strict=True):
            near(mine, other)
        return
    assert isinstance(ours, np.ndarray) == isinstance(theirs, np.ndarray), (ours, theirs)
    if not isinstance(theirs, np.ndarray):
        theirs = np.asarray(theirs)
        ours = np.asarray(ours).astype(theirs.dtype)
    assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
    if theirs.dtype.kind in "fc":
        np.testing.assert_allclose(
            ours, theirs, rtol=16 * np.finfo(theirs.dtype).eps, atol=np.finfo(theirs.dtype).eps * 8
        )
    else:
        np.testing.assert_array_equal(ours, theirs)


def check(text, parameters, *arguments):
    function = expression(text, parameters)
    mine, other = copied(arguments), copied(arguments)
    ours = outcome(function, mine)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = outcome(function.py_func, other)
    assert ours[0] == theirs[0], (text, ours, theirs)
    if ours[0] == "raised":
        assert ours[1] is theirs[1] and str(ours[2][0]).split("\n")[0] == str(theirs[2][0]).split("\n")[0], (
            ours,
            theirs,
        )
        return
    near(ours[1], theirs[1])
    near(mine, other)


# -- Elements --------------------------------------------------------------------------------------

CLIPS = "a, 1, 3|a, -1, None|a, None, 2|a, min=1|a, max=2|a, a[0], 3|a, 1, 3, out=np.empty_like(a)|a, -300, 70000"


@pytest.mark.parametrize("dtype", ["i1", "u2", "i8", "f2", "f4", "f8"])
@pytest.mark.parametrize("arguments", CLIPS.split("|"))
def test_clip(arguments, dtype):
    check(f"np.clip({arguments})", "a", numbers(dtype))
    check(f"a.clip({arguments[3:]})", "a", numbers(dtype))


def test_clip_of_nan():
    a = np.array([np.nan, 1.0, -np.inf, np.inf])
    check(
        "np.clip(a, 0, 2), np.clip(a, np.nan, 2.0), np.clip(2.5, 0, 1), np.clip(a.astype(np.float32), 0.5, 1.5)", "a", a
    )
    with pytest.raises(OverflowError, match="out of bounds for uint8"):
        expression("np.clip(a, 300, None)", "a")(np.array([1, 2], np.uint8))
    with pytest.raises(TypingError, match="cannot convert complex128 to float64"):
        expression("np.copyto(a, 1j * a)", "a")(a)


@pytest.mark.parametrize("dtype", [*REAL, *COMPLEX])
def test_round(dtype):
    for text in (
        "np.round(a)",
        "np.round(a, 1)",
        "np.around(a, -1)",
        "a.round(2)",
        "np.round(a, out=np.empty_like(a))",
    ):
        if dtype != "?" or text == "np.round(a)":
            check(text, "a", numbers(dtype) * numbers(dtype) if dtype != "?" else numbers(dtype))


def test_round_of_numbers():
    check("np.round(x, 1), np.round(-x), np.round(1234, -2), np.fix(x), np.fix(-x)", "x", 2.675)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c8", "c16", "i4"])
def test_nan_to_num(dtype):
    a = with_nan(dtype) if dtype != "i4" else numbers(dtype)
    check(
        "np.nan_to_num(a), np.nan_to_num(a, nan=1.0, posinf=9.0, neginf=-9.0), np.nan_to_num(a[0], copy=False)", "a", a
    )
    check("np.nan_to_num(x), np.nan_to_num(-x / 0.5)", "x", np.inf)


@pytest.mark.parametrize("other", ["i8", "f4", "f8", "c16"])
@pytest.mark.parametrize("dtype", ["?", "i4", "f4", "f8", "c8"])
def test_comparisons(dtype, other):
    a, b = numbers(dtype), numbers(dtype).astype(other)
    check(
        "np.isclose(a, b), np.allclose(a, b), np.array_equal(a, b), np.array_equal(a, b[0]), np.array_equal(a, b[:2])",
        "a, b",
        a,
        b,
    )
    check(
        "np.isclose(a, b + 0.001, 0.01, 0.1), np.allclose(a, b + 1), np.array_equiv(a, a[0]), np.array_equiv(a, a[:2])",
        "a, b",
        a,
        b,
    )


def test_comparisons_of_nan():
    a = with_nan("f8")
    for equal in (True, False):
        check(
            f"np.isclose(a, a, equal_nan={equal}), np.array_equal(a, a, {equal}), np.allclose(a, -a, 0, 0, {equal})",
            "a",
            a,
        )
    check("np.isclose(x, 1.0), np.allclose([1.0, 2.0], [1.0, 2.0 + 1e-9]), np.isclose(1e10, 1.00001e10)", "x", 1.0)


@pytest.mark.parametrize("dtype", ["i4", "f4", "f8", "c8", "c16"])
def test_kinds_of_numbers(dtype):
    a = numbers(dtype)
    check("np.iscomplex(a), np.isreal(a), np.iscomplexobj(a), np.isrealobj(a), np.isscalar(a), np.isscalar(2)", "a", a)
    check("np.angle(a), np.angle(a, deg=True), a.conj(), np.sinc(a)", "a", a)
    if dtype[0] == "f":
        check("np.isneginf(a), np.isposinf(a), np.isposinf(a, out=np.empty(a.shape, np.bool_))", "a", with_nan(dtype))


def test_casts():
    check(
        "np.can_cast(np.int8, np.int16), np.can_cast('f8', 'f4'), np.can_cast(np.float64, np.float32, 'same_kind')", ""
    )
    check("np.can_cast(np.int64, np.uint64), np.can_cast(np.int32, np.float64), np.can_cast('c8', 'f8', 'unsafe')", "")
    check("np.astype(a, np.float32), np.isfortran(a), np.isfortran(a.T)", "a", numbers("f8"))
    for text in (
        "np.copyto(a, 2)",
        "np.copyto(a, a[::-1])",
        "np.copyto(a, a * 2, where=a > 0)",
    ):
        check(text, "a", numbers("f8"))


# -- Differences and sums ---------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [*REAL, *COMPLEX])
@pytest.mark.parametrize("arguments", ["a", "a, 2", "a, axis=0", "a, 0", "a, 1, 0", "a, n=9", "a, axis=5", "a, -1"])
def test_diff(arguments, dtype):
    check(f"np.diff({arguments})", "a", numbers(dtype))


def test_diff_with_ends():
    a = numbers("f8")
    check("np.diff(a, prepend=0), np.diff(a, append=a), np.diff(a, axis=0, prepend=1.5, append=a[:1])", "a", a)
    check("np.ediff1d(a), np.ediff1d(a, 9), np.ediff1d(a, to_begin=[1, 2]), np.ediff1d(a, 1, [2, 3])", "a", a)
    check("np.diff(t), np.diff(t, 2)", "t", np.array(["2024-01-01", "2024-03-01", "2025-01-01"], "M8[D]"))


@pytest.mark.parametrize("dtype", ["i4", "f4", "f8", "c16"])
def test_trapezoid(dtype):
    a = numbers(dtype)
    check(
        "np.trapezoid(a), np.trapezoid(a, dx=0.5), np.trapezoid(a, axis=0), np.trapezoid(a, a), np.trapezoid(a, a[0])",
        "a",
        a,
    )
    check("np.trapezoid(a, a[:, 0], axis=0), np.trapezoid(a[0])", "a", a)


@pytest.mark.parametrize("dtype", ["?", "u2", "f2", "f8", "c8"])
def test_trace(dtype):
    a = numbers(dtype, (3, 4, 2))
    check("np.trace(a), np.trace(a, 1), a.trace(-1, 0, 2), a.trace(dtype=np.complex128), np.trace(a[..., 0])", "a", a)
    check("np.trace(a, axis1=5)", "a", a)


def test_average():
    a, w = numbers("f8"), np.array([1.0, 2.0, 0.5, 3.0])
    check("np.average(a), np.average(a, axis=0), np.average(a, 1, w), np.average(a, weights=abs(a))", "a, w", a, w)
    check(
        "np.average(a, 1, w, keepdims=True), np.average(a, 1, w, returned=True), np.average(a, 0, returned=True)",
        "a, w",
        a,
        w,
    )
    check("np.average(a, 1, w * 0)", "a, w", a, w)
    check("np.average(a, 0, w)", "a, w", a, w)
    check("np.average(w, weights=w[:2])", "w", w)
    check("np.average(a), np.average(a, weights=a + 1)", "a", np.array([1, 2, 3]))


@pytest.mark.parametrize("dtype", ["?", "i4", "f4", "f8"])
def test_cumulative(dtype):
    check("np.cumulative_sum(a, axis=1), np.cumulative_sum(a[0]), np.cumulative_prod(a, axis=0)", "a", numbers(dtype))
    check(
        "np.cumulative_sum(a, axis=-1, include_initial=True), np.cumulative_prod(a[0], include_initial=True)",
        "a",
        numbers(dtype),
    )
    check("np.cumulative_sum(a)", "a", numbers(dtype))


@pytest.mark.parametrize("name", "sum prod max min mean var std cumsum cumprod argmax argmin".split())
@pytest.mark.parametrize("dtype", ["f4", "f8", "i4"])
def test_without_nan(name, dtype):
    a = with_nan(dtype) if dtype != "i4" else numbers(dtype)
    a[2, 3] = 7
    arguments = ["a", "a, axis=0", "a, axis=-1"] + (
        [] if name in ("cumsum", "cumprod") else ["a, axis=1, keepdims=True"]
    )
    for each in arguments:
        check(f"np.nan{name}({each})", "a", a)
    if dtype != "i4":
        check(f"np.nan{name}(a)", "a", np.full(3, np.nan, dtype))
        check(f"np.nan{name}(a, axis=0)", "a", np.array([[1.0, np.nan, np.nan], [2.0, np.nan, 3.0]], dtype))


def test_unwrap():
    a = np.array([[0.0, 3.0, 6.5, -3.0], [3.0, -3.0, 2.0, 9.0], [-9.0, 9.0, 0.0, 1.0]])
    check("np.unwrap(a), np.unwrap(a, axis=0), np.unwrap(a[0], 4.0), np.unwrap(a, period=2.0)", "a", a)


# -- Products --------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["i4", "f4", "f8", "c16"])
def test_products(dtype):
    a, b = numbers(dtype, (3, 4)), numbers(dtype, (4, 3), 2)
    check("np.kron(a, b), np.kron(a[0], b), np.kron(a, 2), np.kron(a[0], b[0])", "a, b", a, b)
    check(
        "np.tensordot(a, b), np.tensordot(a, b, 1), np.tensordot(a, b, 0), np.tensordot(a, b, ((0, 1), (1, 0)))",
        "a, b",
        a,
        b.T.copy().T,
    )
    check(
        "np.tensordot(a, b, ((1,), (0,))), np.tensordot(a, a, (1, 1)), np.vecdot(a, a), np.vecdot(a, b.T, axis=0)",
        "a, b",
        a,
        b,
    )
    check(
        "np.matvec(a, b[:, 0]), np.vecmat(a[:, 0], a), np.cross(b, b[::-1]), np.cross(a, a[::-1], axis=0)", "a, b", a, b
    )
    check("np.tensordot(a, b, axes=([1], [0])), np.tensordot(a, b, [[1], [0]])", "a, b", a, b)
    check("np.tensordot(a, a, 1)", "a", a)
    check("np.cross(a, a)", "a", a)


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("dtype", ["i4", "f4", "f8", "c16"])
def test_convolve(dtype, mode):
    for n, m in ((6, 3), (3, 6), (5, 4), (4, 4), (5, 1)):
        a, b = numbers(dtype, (n,)), numbers(dtype, (m,), 2)
        check(f"np.convolve(a, b, '{mode}'), np.correlate(a, b, '{mode}')", "a, b", a, b)
    check(f"np.convolve(a, a[:0], '{mode}')", "a", numbers(dtype, (3,)))


def test_interp():
    x, y = np.array([1.0, 2.0, 4.0, 4.0, 7.0]), np.array([1.0, -1.0, 3.0, 5.0, 5.0])
    at = np.array([[0.0, 1.0, 1.5], [3.0, 4.0, 9.0], [7.0, np.nan, 6.5]])
    check(
        "np.interp(at, x, y), np.interp(at, x, y, -9.0, 9.0), np.interp(3.5, x, y), np.interp([2, 3], x, y)",
        "at, x, y",
        at,
        x,
        y,
    )
    check("np.interp(1.0, x[:0], y)", "x, y", x, y)
    places, round_it = np.array([190.0, -190, 350, -350, 20]), np.array([-180.0, -170, -185, 185, -10, -5, 0, 365])
    check("np.interp(a, x, y, period=360), np.interp(7, x, y + 1j, 1.0, 2.0, -360.5)", "a, x, y", round_it, places, y)
    check("np.interp(a, x, y, period=0)", "a, x, y", round_it, places, y)
    check("np.interp(a, x[1:], y, period=3)", "a, x, y", round_it, places, y)


# -- New arrays ------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["i4", "f4", "f8", "c8"])
def test_vander(dtype):
    check("np.vander(a), np.vander(a, 2), np.vander(a, 5, increasing=True), np.vander(a, 0)", "a", numbers(dtype, (4,)))


def test_indices_and_windows():
    check(
        "np.indices((2, 3)), np.indices((2, 3), np.float32), np.indices((2, 0)), np.indices((2, 3), sparse=True)",
        "",
    )
    for n in (0, 1, 2, 7):
        check("np.bartlett(n), np.blackman(n), np.hamming(n), np.hanning(n)", "n", n)


@pytest.mark.parametrize("shape", [(3, 4), (4, 3), (9, 3), (3, 3, 3), (3, 3, 2), (3,)])
def test_fill_diagonal(shape):
    for wrap in (False, True):
        check(f"np.fill_diagonal(a, 7, {wrap})", "a", numbers("f8", shape))


def test_linspace_keeps_single_precision():
    for dtype in ("f2", "f4", "f8", "c8", "i4"):
        a = numbers(dtype, (2,))
        check(
            "np.linspace(a[0], a[1], 7), np.linspace(a[0], a[1], 7, endpoint=False), np.linspace(a, a[::-1], 3)", "a", a
        )
        check("np.linspace(a[0], a[1], 1, retstep=True)[0], np.linspace(a, a[::-1], 5, axis=1)", "a", a)


def test_triangles_of_far_diagonals():
    for k in (2**63 - 1, -(2**63) + 5, 2**62, -5, 5):
        check("np.tri(3, 4, k), np.tril(a, k), np.triu(a, k)", "k, a", k, numbers("f8"))
        check("np.eye(3, 4, k)", "k", k if abs(k) < 2**62 else 7)


def test_ranges_of_times():
    day, more = np.datetime64("2024-02-27"), np.datetime64("2024-03-05")
    check(
        "np.arange(a, b), np.arange(b, a), np.arange(a, b, 2), np.arange(a, b, np.timedelta64(36, 'h'))",
        "a, b",
        day,
        more,
    )
    check("np.arange(a, b, -1), np.arange(b, a, -2), np.arange(b - a), np.arange(a - a, b - a, 3)", "a, b", day, more)
    check("np.arange(a, b, 0)", "a, b", day, more)


def test_ravel_in_the_order_of_memory():
    a = numbers("f8", (2, 3, 4))
    for axes in ((0, 1, 2), (2, 1, 0), (1, 0, 2), (0, 2, 1), (2, 0, 1)):
        check("a.ravel('K'), np.ravel(a, 'K'), a.flatten('K'), a.ravel('A'), a.flatten('A')", "a", a.transpose(axes))
        check("a.ravel('K'), a.flatten('K')", "a", a.transpose(axes)[::-1, :, ::2])
    f = expression("a.ravel('K')", "a")
    view = a.transpose(1, 0, 2)
    assert np.shares_memory(f(view), view)


def test_broadcasts_too_large():
    check("np.broadcast_to(a, (n, n)).shape", "a, n", np.ones(1), 2**40)
    check("np.broadcast_to(a, (n, n, 0)).shape", "a, n", np.ones(1), 2**40)


def test_rollaxis():
    a = numbers("f8", (2, 3, 4))
    check("np.rollaxis(a, 2), np.rollaxis(a, 0, 3), np.rollaxis(a, 1, 2), np.rollaxis(a, -1, 1)", "a", a)
    check("np.rollaxis(a, 3)", "a", a)


@pytest.mark.parametrize(
    "text, a",
    [
        ("np.ediff1d(a)", np.array([True, False])),
        ("np.nanargmax(a)", np.array([])),
        ("np.nanargmin(a)", np.array([np.nan])),
    ],
)
def test_errors_are_numpys(text, a):
    f = expression(text, "a")
    with pytest.raises(Exception) as theirs:
        f.py_func(a)
    with pytest.raises(theirs.type) as ours:
        f(a)
    assert str(ours.value).splitlines()[0] == str(theirs.value)


@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "i2", "i4", "f2", "f4"])
def test_angles_have_numpys_dtype(dtype):
    f = expression("np.angle(a)", "a")
    a = np.array([1, 0, 1]).astype(dtype)
    assert f(a).dtype == f.py_func(a).dtype


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("a, b", [((1, 2), (1, 2, 3)), ((1, 2, 3), (4, 5)), (((1, 2), (3, 4)), (1, 2, np.inf))])
def test_cross_of_two_and_three_components(a, b):
    f = expression("np.cross(a, b)", "a, b")
    np.testing.assert_array_equal(f(np.array(a), np.array(b)), f.py_func(np.array(a), np.array(b)))
    if len(b) == 3:
        with pytest.raises(NotImplementedError, match="cross2d"):
            f(np.array(a)[..., :2], np.array(b)[:2])


def test_a_shorter_array_first_is_correlated_to_a_new_array():
    assert expression("np.correlate(a, b)", "a, b")(np.ones(2), np.ones(5)).strides == (8,)


SMALL = np.array([3, 1, 2, 0, 4, 2])
OF_SMALL = ["np.unwrap(a)", "np.unwrap(a, discont=1.0)", "np.cross(a[:3], a[3:])", "np.cross(a.reshape(2, 3), a[3:])"]
OF_SMALL += [
    "np.vecdot(a[None], a[None])",
    "np.take(a, np.array([True, False, True]))",
    "np.interp(2.5, np.arange(6), a)",
]
OF_SMALL += [
    "np.interp(a, np.arange(6), a)",
    "np.interp(2.5, a[2:4][::-1], a[:2], period=3.0)",
    "np.ediff1d(a, a, a[:2])",
]
OF_SMALL += ["np.fft.irfft2(a.reshape(2, 3))", "np.fft.irfftn(a)"]


@pytest.mark.parametrize("dtype", ["u1", "u2", "u8", "i1", "i4", "f4"])
@pytest.mark.parametrize("text", OF_SMALL)
def test_small_and_unsigned_integers(text, dtype):
    f = expression(text, "a")
    a = SMALL.astype(dtype)
    ours, theirs = f(a), f.py_func(a)
    assert not isinstance(theirs, np.ndarray) or ours.dtype == theirs.dtype
    np.testing.assert_allclose(ours, theirs, rtol=4e-7, atol=4e-7)


@pytest.mark.parametrize(
    "text",
    [
        "np.ediff1d(a, to_end=9.5)", "np.ediff1d(a, to_begin=np.array([0.5]))",
        "np.putmask(a, a > 1, a.astype(np.int64))", "np.ediff1d(a.astype(np.uint8), to_end=9)",
        "np.copyto(a, a, where=a)", "np.add.accumulate(a[:1].reshape(()))",
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(text):
    f = expression(text, "a")
    a = SMALL.astype("i4")
    with pytest.raises(TypeError) as theirs:
        f.py_func(a)
    with pytest.raises(TypeError) as ours:
        f(a)
    assert str(ours.value).splitlines()[0] == str(theirs.value)


def test_what_has_no_dimensions():
    number, array = expression("np.nan_to_num(a)", "a"), expression("np.select([a > 1], [a], 0.5)", "a")
    assert type(number(np.array(np.nan))) is float
    assert array(np.array(2.0)).shape == () and array(0.5).dtype == np.float64


@pytest.mark.parametrize("text", ["np.round(a, out=out)", "np.nanmin(a[:1], axis=1, out=out[0])", "a.round(1, out)"])
def test_out_has_the_results_shape(text):
    f = expression(text, "a, out")
    for function in (f, f.py_func):
        with pytest.raises(ValueError):
            function(np.ones((2, 1)), np.empty((2, 3)))


@pytest.mark.parametrize("dtypes", [("u1", "u4"), ("u8", "i2"), ("i1", "u8"), ("?", "u1"), ("f4", "u2")])
def test_isclose_of_integers_does_not_wrap(dtypes):
    a, b = np.array([3, 0, 1, 255]).astype(dtypes[0]), np.array([-1, 0, 2, 255]).astype(dtypes[1])
    f = expression("np.isclose(a, b), np.isclose(b, a), np.allclose(a, b)", "a, b")
    for ours, theirs in zip(f(a, b), f.py_func(a, b)):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i2"])
def test_edges_of_bins_have_the_samples_dtype(dtype):
    f = expression("np.histogram2d(a, a, 3), np.histogramdd((a, a), (2, 3))[1]", "a")
    a = np.array([0, 1, 3, 7, 1]).astype(dtype)
    (counts, *ours), edges = f(a)
    (wanted, *theirs), others = f.py_func(a)
    np.testing.assert_array_equal(counts, wanted)
    for mine, expected in zip([*ours, *edges], [*theirs, *others]):
        assert mine.dtype == expected.dtype
        np.testing.assert_array_equal(mine, expected)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_the_first_power_is_the_point_itself():
    f = expression("np.polynomial.polynomial.polyvander(a, 2)", "a")
    a = np.array([np.inf, 2.0, np.nan])
    np.testing.assert_array_equal(f(a), f.py_func(a))


@pytest.mark.parametrize(
    "text",
    [
        "np.place(a, a > 1, a * 0.5)", "np.take(a, a, out=np.empty(6))", "np.compress(a > 1, a, out=np.empty(4))",
        "np.take_along_axis(a, a > 1, 0)", "np.put_along_axis(a, a > 1, a, 0)",
    ],
)  # fmt: skip
def test_other_dtypes_are_refused(text):
    f = expression(text, "a")
    a = SMALL.astype("i4")
    with pytest.raises((TypeError, IndexError)) as theirs:
        f.py_func(a)
    with pytest.raises(theirs.type) as ours:
        f(a)
    assert str(ours.value).splitlines()[0] == str(theirs.value)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("decimals", [0, 1, -1])
@pytest.mark.parametrize("dtype", ["c8", "c16"])
def test_parts_of_complex_numbers_are_rounded_each(dtype, decimals):
    f = expression("np.round(a, n), a.round(n), np.round(a[0, ...], n)", "a, n")
    a = np.array([[2.55 + 1.25j, complex(np.nan, -np.inf)], [complex(np.inf, -0.0), -16 - 0.04j]]).astype(dtype)
    for ours, theirs in zip(f(a, decimals), f.py_func(a, decimals)):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("dtypes", [("i1", "f4"), ("f4", "f4"), ("f4", "i8"), ("u2", "f2"), ("f2", "f4"), ("?", "i4")])
def test_averages_have_numpys_dtype(dtypes):
    f = expression("np.average(a, axis=1, weights=w), np.average(a, axis=1, weights=w, returned=True)", "a, w")
    a, w = np.array([[3, 1, 2], [0, 1, 1]]).astype(dtypes[0]), np.array([1, 0, 3]).astype(dtypes[1])
    (ours, (again, sums)), (theirs, (_, wanted)) = f(a, w), f.py_func(a, w)
    assert ours.dtype == theirs.dtype == again.dtype and sums.dtype == wanted.dtype
    np.testing.assert_allclose(ours, theirs, rtol=1e-3 if theirs.dtype == np.float16 else 1e-6)


@pytest.mark.parametrize("text", ["a.conj()", "np.linalg.det(a.reshape(1, 1))", "np.polynomial.polynomial.polyint(a)"])
@pytest.mark.parametrize("a", [np.array([3], "m8[s]"), np.array(["3"])], ids=["times", "text"])
def test_what_is_no_number_is_refused(text, a):
    with pytest.raises((TypeError, ValueError)):
        expression(text, "a")(a)


@pytest.mark.parametrize("name", ["bitwise_and", "bitwise_or", "bitwise_xor"])
def test_times_have_no_bits(name):
    with pytest.raises(TypingError, match="expected an array of numbers"):
        expression(f"np.{name}.reduce(a)", "a")(np.array([3, 5], "m8[s]"))
