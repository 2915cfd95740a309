"""Keywords, optional core dimensions and times of a GPU's ufuncs, against the ufuncs for the CPU."""

import numpy as np
import pytest
from pyarray import cuda, guvectorize, types, vectorize

pytestmark = pytest.mark.real

PAIRS = ["int64(int64,int64)", "float32(float32,float32)", "float64(float64,float64)"]
MATRICES = ["void(float64[:,:],float64[:,:],float64[:,:])"]
VECTORS = ["void(float64[:],float64[:],float64[:])"]


def plus(a, b):
    return a + b


def quotient_and_rest(a, b):
    return a // b, a % b


def product(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total


def inner(a, b, c):
    total = 0.0
    for i in range(a.shape[0]):
        total += a[i] * b[i]
    c[0] = total


def both(decorator, *arguments):
    """A ufunc for the GPU and the same one for the CPU."""
    return lambda function: [decorator(*arguments, target=target)(function) for target in ("cuda", "cpu")]


plus_gpu, plus_cpu = both(vectorize, PAIRS)(plus)
divmod_gpu, divmod_cpu = both(vectorize, ["UniTuple(int64,2)(int64,int64)"])(quotient_and_rest)
product_gpu, product_cpu = both(guvectorize, MATRICES, "(m,n),(n,p)->(m,p)")(product)
inner_gpu, inner_cpu = both(guvectorize, VECTORS, "(n),(n)->()")(inner)
optional_gpu, optional_cpu = both(guvectorize, MATRICES, "(m?,n),(n,p?)->(m?,p?)")(product)


def same(result, expected, exact=True):
    """Equal in dtype, shape and elements."""
    result = result.copy_to_host() if isinstance(result, cuda.DeviceNDArray) else np.asarray(result)
    assert result.dtype == expected.dtype and result.shape == np.shape(expected)
    (np.testing.assert_array_equal if exact else np.testing.assert_allclose)(result, expected)


def same_error(call, *functions):
    """Both ufuncs fail alike."""
    messages = []
    for function in functions:
        with pytest.raises(Exception) as caught:  # noqa: PT011  (which one is compared)
            call(function)
        messages.append((type(caught.value), str(caught.value).strip()))
    assert messages[0] == messages[1]


# ------------------------------------------------------------------------------------------------
# where=

X = np.arange(24.0).reshape(2, 3, 4)
MASKS = [X % 3 == 0, X[0] % 2 == 0, X[:, :1] > 3, np.zeros((3, 1), bool), True, False, np.bool_(0)]


@pytest.mark.parametrize("mask", MASKS, ids=[str(np.shape(mask)) + str(i) for i, mask in enumerate(MASKS)])
@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_points_that_are_masked_keep_what_they_have(mask, dtype):
    expected = np.full(X.shape, -1, dtype)
    plus_cpu(X, X[0], out=expected, where=mask)
    for there in (False, True):
        for mask_there in (False, True) if np.ndim(mask) else (False,):
            out = np.full(X.shape, -1, dtype)
            given = cuda.to_device(out) if there else out
            where = cuda.to_device(mask) if mask_there else mask
            result = plus_gpu(cuda.to_device(X), X[0], out=given, where=where)
            assert result is given
            same(result, expected)


@pytest.mark.parametrize("n", [1, 7, 1000, 4099])
def test_masks_of_contiguous_operands(n):
    x = np.arange(n, dtype=float)
    mask, out, expected = x % 7 < 3, np.zeros(n), np.zeros(n)
    same(
        plus_gpu(cuda.to_device(x), 1.5, out=cuda.to_device(out), where=cuda.to_device(mask)),
        plus_cpu(x, 1.5, out=expected, where=mask),
    )


def test_masks_of_several_outputs():
    a = np.arange(20)
    mask = a % 2 == 0
    outs, expected = [(np.full(20, -5), np.full(20, -6)) for _ in range(2)]
    divmod_cpu(a, 3, out=expected, where=mask)
    for result, wanted in zip(
        divmod_gpu(a, 3, out=tuple(map(cuda.to_device, outs)), where=mask), expected, strict=True
    ):
        same(result, wanted)


def test_masks_take_part_in_broadcasting():
    x = np.arange(3.0)
    assert plus_gpu(cuda.to_device(x), x, where=np.ones((2, 3), bool), out=None).shape == (2, 3)
    same(plus_gpu(x, x, where=np.ones((2, 3), bool), out=None), np.tile(2 * x, (2, 1)))


def test_masks_of_gufuncs_choose_points_of_the_loop():
    a = np.random.default_rng(0).integers(-9, 9, (3, 4, 5)).astype(float)  # exact, also where products are fused
    mask = np.arange(12).reshape(3, 4) % 3 == 0
    expected = np.where(mask, inner_cpu(a, a), 9.0)
    out = np.full((3, 4), 9.0)
    same(inner_gpu(cuda.to_device(a), a, out=cuda.to_device(out), where=mask), expected)
    same(inner_gpu(a, a, out=out, where=cuda.to_device(mask)), expected)


def test_a_masked_point_is_not_computed():
    checked = vectorize(["int64(int64,int64)"], target="cuda", debug=True)(lambda a, b: a // b)
    out = np.full(4, -1)
    checked(np.arange(4), np.array([1, 0, 1, 0]), out=out, where=np.array([True, False, True, False]))
    np.testing.assert_array_equal(out, [0, -1, 2, -1])


@pytest.mark.parametrize(
    "call",
    [
        lambda f: f(X[0], X[0], where=np.ones(3, bool)),
        lambda f: f(X[0], X[0], where=np.ones(4)),
        lambda f: f(X[0], np.ones(3), where=[True] * 4),
        lambda f: f(X[0], X[0], out=np.ones((3, 3)), where=np.ones(4, bool)),
        lambda f: f(X[0], X[0], out=np.ones((1, 4))),
        lambda f: f(X[0], X[0], axis=0),
        lambda f: f(X[0], X[0], keepdims=True),
        lambda f: f(X[0], X[0], nonsense=True),
    ],
)
def test_errors_of_loops(call):
    same_error(call, plus_gpu, plus_cpu)


# ------------------------------------------------------------------------------------------------
# axes=, axis=, keepdims=


@pytest.mark.parametrize("places", [[(1, 2), (0, 2), (0, 1)], [(1, 2), (0, 2), (2, 0)], [(-2, -1), (0, -1), (1, 0)]])
def test_axes(places):
    rng = np.random.default_rng(1)
    a, b = rng.random((3, 4, 5)), rng.random((5, 3, 2))
    expected = product_cpu(a, b, axes=places)
    for there in (False, True):
        first = cuda.to_device(a) if there else a
        same(product_gpu(first, b, axes=places), expected, exact=False)
        out = np.zeros_like(expected)
        given = cuda.to_device(out) if there else out
        assert product_gpu(first, b, axes=places, out=given) is given
        same(given, expected, exact=False)


@pytest.mark.parametrize(
    "keywords",
    [
        {"axis": 0},
        {"axis": -2, "keepdims": True},
        {"keepdims": True},
        {"keepdims": False},
        {"axes": [0, 0]},
        {"axes": [0, 0, ()]},
        {"axes": [0, 0], "keepdims": True},
        {"axes": [0, 0, 1], "keepdims": True},
    ],
    ids=str,
)
def test_axis_and_keepdims(keywords):
    a = np.random.default_rng(2).random((3, 4, 5))
    expected = inner_cpu(a, a, **keywords)
    for first in (a, cuda.to_device(a)):
        same(inner_gpu(first, a, **keywords), expected, exact=False)
    out = np.zeros_like(expected)
    inner_gpu(a, a, out=out, **keywords)
    same(out, expected, exact=False)
    same(inner_gpu(a, a, out=cuda.to_device(np.zeros_like(expected)), **keywords), expected, exact=False)


A, B = np.ones((2, 3)), np.ones((3, 2))


@pytest.mark.parametrize(
    "call",
    [
        lambda f: f(A, B, axis=0),
        lambda f: f(A, B, keepdims=True),
        lambda f: f(A, B, keepdims=1),
        lambda f: f(A, B, axis=0, axes=[]),
        lambda f: f(A, B, axes=(0, 1)),
        lambda f: f(A, B, axes=[(0, 1), (0, 1)]),
        lambda f: f(A, B, axes=[(0, 1), (0, 2), (0, 1)]),
        lambda f: f(A, B, axes=[(0, 0), (0, 1), (0, 1)]),
        lambda f: f(A, B, axes=[(0, 1), 0, (0, 1)]),
        lambda f: f(A, B, axes=[(0, 1), (0,), (0, 1)]),
        lambda f: f(A, B, axes=[(0, "a"), (0, 1), (0, 1)]),
        lambda f: f(A, B, out=np.ones((2, 3))),
        lambda f: f(A, B, out=np.ones(2)),
        lambda f: f(A, A),
        lambda f: f(A, B, nonsense=1),
    ],
)
def test_errors_of_gufuncs(call):
    call_on = [product_gpu, product_cpu]
    same_error(call, *call_on)


# ------------------------------------------------------------------------------------------------
# Optional core dimensions


@pytest.mark.parametrize("left", [(3, 4), (4,), (5, 3, 4)])
@pytest.mark.parametrize("right", [(4, 2), (4,), (5, 4, 2)])
@pytest.mark.parametrize("there", [False, True])
def test_optional_core_dimensions(left, right, there):
    rng = np.random.default_rng(3)
    a, b = rng.random(left), rng.random(right)
    try:
        expected = optional_cpu(a, b)
    except ValueError:
        same_error(lambda f: f(a, b), optional_gpu, optional_cpu)
        return
    same(optional_gpu(cuda.to_device(a) if there else a, b), np.asarray(expected), exact=False)


def test_optional_core_dimensions_with_axes_and_out():
    rng = np.random.default_rng(4)
    a, v = rng.random((4, 3)), rng.random(4)
    places = [(1, 0), (0,), (0,)]
    same(optional_gpu(cuda.to_device(a), v, axes=places), optional_cpu(a, v, axes=places), exact=False)
    out = cuda.device_array(3)
    assert optional_gpu(cuda.to_device(a.T), v, out=out) is out
    same(out, a.T @ v, exact=False)
    same_error(lambda f: f(1.0, v), optional_gpu, optional_cpu)


def test_gufuncs_of_numbers_may_write_their_outputs():
    @guvectorize("(),()->()", target="cuda")
    def add(a, b, out):
        out[0] = a + b

    same(add(cuda.to_device(X), 1.0), X + 1)


def test_cores_of_outputs_are_converted():
    a = np.random.default_rng(5).random((2, 3))
    narrow = np.zeros((2, 2), "f4")
    expected = product_cpu(a, a.T, out=narrow.copy())
    same(product_gpu(cuda.to_device(a), a.T, out=cuda.to_device(narrow)), expected)
    same(product_gpu(a, a.T, out=narrow), expected)
    with pytest.raises(TypeError, match="Cannot cast ufunc 'product' output from dtype.'float64'. to dtype.'int32'"):
        product_gpu(a, a.T, out=np.zeros((2, 2), "i4"))


# ------------------------------------------------------------------------------------------------
# Datetimes and timedeltas

HOURS = types.NPTimedelta("h")(types.NPDatetime("h"), types.NPDatetime("h"))
SECONDS = types.NPTimedelta("s")
DAYS = np.array(["2024-02-28", "NaT", "2024-03-01"], "M8[D]")


def elapsed(a, b):
    return a - b


def test_times_are_converted_to_the_units_of_a_loop():
    on_gpu, on_cpu = both(vectorize, [HOURS])(elapsed)
    day = np.datetime64("2024-02-27")
    for other in (day, DAYS[::-1], DAYS.astype("M8[h]"), np.array("2024-02", "M8[M]")):
        expected = on_cpu(DAYS, other)
        same(on_gpu(DAYS, other), expected)
        same(on_gpu(cuda.to_device(DAYS), other), expected)
    for unit in ("m8[m]", "m8[h]", "m8[D]"):
        out = np.zeros(3, unit)
        expected = on_cpu(DAYS, day, out=out.copy())
        same(on_gpu(cuda.to_device(DAYS), day, out=cuda.to_device(out)), expected)
        same(on_gpu(DAYS, day, out=out), expected)
    assert on_gpu.types == ["MM->m"]


def test_times_without_signatures():
    on_gpu, on_cpu = both(vectorize)(elapsed)
    for other in (DAYS[::-1], np.datetime64("2024-02-27"), np.timedelta64(3, "D"), np.arange(3)):
        same(on_gpu(cuda.to_device(DAYS), other), on_cpu(DAYS, other))


def test_numbers_become_times():
    on_gpu, on_cpu = both(vectorize, [SECONDS(SECONDS, SECONDS)])(plus)
    minutes = np.arange(12).astype("m8[m]").reshape(3, 4)
    for other in (np.arange(4), 5, np.int32(7), minutes[0]):
        same(on_gpu(cuda.to_device(minutes), other), on_cpu(minutes, other))
    same_error(lambda f: f(minutes, 1.5), on_gpu, on_cpu)


def test_cores_of_times():
    day, days = types.NPDatetime("D"), types.NPTimedelta("D")

    def shift(row, by, out):
        for i in range(row.shape[0]):
            out[i] = row[i] + by

    on_gpu, on_cpu = both(guvectorize, [(day[:], days, day[:])], "(n),()->(n)")(shift)
    for row in (DAYS, DAYS.astype("M8[M]")):
        expected = on_cpu(row, np.timedelta64(1, "D"))
        same(on_gpu(row, np.timedelta64(1, "D")), expected)
        same(on_gpu(cuda.to_device(row), np.timedelta64(1, "D")), expected)


# ------------------------------------------------------------------------------------------------
# Code


@pytest.mark.parametrize("cc", [(7, 5), (9, 0), (10, 0)])
def test_masks_and_times_compile_for_gpus(cc):
    assert "ld.global.b8" in plus_gpu.inspect_ptx("[C1q[C1q[C1q[C1?", cc=cc)
    assert ".entry product" in product_gpu.inspect_ptx("[A3d[A3d[A3d[A1?", cc=cc)
    day = types.NPDatetime("D")
    months = vectorize([types.NPDatetime("M")(day)], target="cuda")(lambda d: d.astype("M8[M]"))
    assert ".entry" in months.inspect_ptx(cc=cc)
