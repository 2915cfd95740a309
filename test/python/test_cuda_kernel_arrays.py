"""Whole arrays in kernels: ufuncs, methods, reductions, products, small arrays of a thread's own, on the emulator."""

import warnings

import numpy as np
import pytest
from pyarray import cuda, errors, guvectorize, types, vectorize

RECORD = np.dtype([("a", np.int32), ("c", np.float32, (3,)), ("m", np.float64, (2, 2))], align=True)


def add_to(a, b, out):
    np.add(a, b, out)


def multiply_by_name(a, b, out):
    np.multiply(a, b, out=out)


def expression(a, b, out):
    out[:] = np.sqrt(a) * 2 + b - a / 3


def row(a, b, out):
    i = cuda.grid(1)
    if i < len(out):
        out[i] = a[i] * b[i] + 1


def add_to_row(a, b, out):
    i = cuda.grid(1)
    if i < len(out):
        out[i] += a[i]
        out[i] -= b[i] * 2


def column(a, b, out):
    i = cuda.grid(1)
    if i < out.shape[1]:
        out[:, i] = a[:, i] + b[::-1, i]


def choose(a, b, out):
    out[:] = np.where(a > b, a, -b)


def in_several_steps(a, b, out):
    t = a * b
    u = t + a
    out[:] = u * u


@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize(
    "function", [add_to, multiply_by_name, expression, row, add_to_row, column, choose, in_several_steps]
)
def test_elementwise(function, debug):
    rng = np.random.default_rng(1)
    a, b, out = rng.random((3, 5, 7))
    want = out.copy()
    if function in (row, add_to_row, column):
        want = {row: a * b + 1, add_to_row: out + a - b * 2, column: a + b[::-1]}[function]
    else:
        function(a, b, want)
    cuda.jit(function, debug=debug, opt=not debug)[1, 8](a, b, out) if function in (row, add_to_row, column) else (
        cuda.jit(function, debug=debug, opt=not debug)[1, 1](a, b, out)
    )
    np.testing.assert_allclose(out, want, rtol=1e-14)
    cuda.compile_ptx(function, (types.float64[:, :], types.float64[:, ::1], types.float64[::1, :]), cc=(9, 0))


def test_broadcasting_and_types():
    @cuda.jit
    def kernel(a, b, out):
        np.multiply(a, b[:, None], out)
        out[0] += 1
        out[1] = b[1]

    a, b, out = np.arange(4, dtype=np.int32), np.arange(3, dtype=np.float32), np.zeros((3, 4))
    kernel[1, 1](a, b, out)
    want = a * b[:, None]
    want[0] += 1
    want[1] = 1
    np.testing.assert_array_equal(out, want)


def test_shapes_that_differ_are_an_error():
    @cuda.jit
    def kernel(a, b, out):
        np.add(a, b, out)

    with pytest.raises(ValueError, match="could not be broadcast"):
        kernel[1, 1](np.ones(3), np.ones(4), np.ones(3))
        cuda.synchronize()

    @cuda.jit
    def total(a, out):
        np.sum(a, axis=0, out=out)

    with pytest.raises(ValueError, match="wrong shape"):
        total[1, 1](np.ones((3, 4)), np.ones(3))
        cuda.synchronize()


@pytest.mark.parametrize("step", [1, 2])
def test_overlap_is_an_error(step):
    @cuda.jit
    def shift(a):
        np.add(a[1:], a[:-1], a[1:])

    @cuda.jit
    def twice(a):
        np.add(a, a, a)

    @cuda.jit
    def halves(a):
        a[::2] += a[1::2]

    a = np.arange(12.0)
    shown = a[::step]
    want = shown * 2
    twice[1, 1](shown)
    np.testing.assert_array_equal(shown, want)
    with pytest.raises(ValueError, match="overlaps with what is read"):
        shift[1, 1](shown)
        cuda.synchronize()
    want[::2] += want[1::2]
    halves[1, 1](shown)
    np.testing.assert_array_equal(shown, want)


def test_reductions():
    @cuda.jit
    def kernel(a, out, places):
        out[0], out[1], out[2], out[3] = a.sum(), np.max(a), a.min(), np.mean(a)
        out[4], out[5], out[6], out[7] = a.prod(), np.ptp(a), a.var(), np.std(a)
        out[8], out[9] = (a > 0.5).sum(), (a * a + 1).sum()
        places[0], places[1], places[2] = a.argmin(), np.argmax(a), np.any(a > 2) + 2 * np.all(a >= 0)

    a = np.random.default_rng(2).random((4, 5))
    for given in (a, a.T, a[::2, ::-1], np.asfortranarray(a)):
        out, places = np.zeros(10), np.zeros(3, np.int64)
        kernel[1, 1](given, out, places)
        g = given
        want = [g.sum(), g.max(), g.min(), g.mean(), g.prod(), np.ptp(g), g.var(), g.std(), (g > 0.5).sum()]
        np.testing.assert_allclose(out, [*want, (g * g + 1).sum()], rtol=1e-13)
        np.testing.assert_array_equal(places, [g.argmin(), g.argmax(), 2])


@pytest.mark.parametrize("dtype", [np.int8, np.uint32, np.int64, np.float16, np.float32, np.complex128, np.bool_])
def test_reductions_of_each_type(dtype):
    @cuda.jit
    def kernel(a, total, least, place):
        total[0], least[0], place[0] = a.sum(), a.min(), a.argmax()

    a = np.array([3, 1, 7, 7, 2], dtype)
    total, least, place = np.zeros(1, a.sum().dtype), np.zeros(1, dtype), np.zeros(1, np.int64)
    kernel[1, 1](a, total, least, place)
    assert (total[0], least[0], place[0]) == (a.sum(), a.min(), a.argmax())


def test_what_is_missing():
    @cuda.jit
    def kernel(a, out, places):
        out[0], out[1], out[2] = a.max(), a.min(), np.nansum(a)
        places[0], places[1] = a.argmax(), a.argmin()

    out, places = np.zeros(3), np.zeros(2, np.int64)
    kernel[1, 1](np.array([1.0, np.nan, 3.0, np.nan]), out, places)
    assert np.isnan(out[:2]).all() and out[2] == 4 and places.tolist() == [1, 1]
    kernel[1, 1](np.array([-np.inf, -np.inf]), out, places)
    assert out[0] == -np.inf and places.tolist() == [0, 0]

    @cuda.jit
    def latest(a, out, places):
        out[0] = a.max()
        places[0] = a.argmax()

    times = np.array(["2001-01-01", "NaT", "2003-01-01"], "M8[D]")
    found = np.zeros(1, "M8[D]")
    latest[1, 1](times, found, places)
    assert np.isnat(found[0]) and places[0] == 1


def test_without_what_is_missing():
    @cuda.jit
    def kernel(a, out):
        out[0], out[1], out[2], out[3] = np.nanmax(a), np.nanmin(a), np.nanmean(a), np.nanprod(a)

    out = np.zeros(4)
    for a in (np.array([1.0, np.nan, 3.0]), np.array([np.nan, -5.0]), np.array([np.nan])):
        with np.errstate(invalid="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = [np.nanmax(a), np.nanmin(a), np.nanmean(a), np.nanprod(a)]
        kernel[1, 1](a, out)
        np.testing.assert_array_equal(out, expected)
    with pytest.raises(ValueError, match="zero-size array to reduction operation fmax which has no identity"):
        kernel[1, 1](np.zeros(0), out)
        cuda.synchronize()


def test_numbers_that_only_text_has():
    @cuda.jit
    def kernel(a, out):
        least, most = float("inf"), float("-Infinity")
        for x in a:
            least, most = min(least, x), max(most, x)
        out[0], out[1], out[2] = least, most, float("nan")

    out = np.zeros(3)
    kernel[1, 1](np.array([2.0, 1.0, 3.0]), out)
    np.testing.assert_array_equal(out, [1, 3, np.nan])


def test_nothing_to_fold():
    @cuda.jit
    def kernel(a, out):
        out[0] = a.sum()
        out[1] = a.max()

    with pytest.raises(ValueError, match="zero-size array"):
        kernel[1, 1](np.zeros(0), np.zeros(2))
        cuda.synchronize()


def test_reductions_along_an_axis():
    @cuda.jit
    def kernel(a, sums, greatest, places, rows):
        sums[:] = a.sum(axis=0)
        np.max(a, axis=1, out=greatest)
        places[:] = a.argmin(axis=1)
        i = cuda.grid(1)
        rows[i] = a.sum(axis=0)
        rows[i] /= len(a)

    a = np.random.default_rng(3).random((4, 5))
    sums, greatest, places, rows = np.zeros(5), np.zeros(4), np.zeros(4, np.int64), np.zeros((1, 5))
    kernel[1, 1](a, sums, greatest, places, rows)
    np.testing.assert_allclose(sums, a.sum(axis=0), rtol=1e-14)
    np.testing.assert_array_equal(greatest, a.max(axis=1))
    np.testing.assert_array_equal(places, a.argmin(axis=1))
    np.testing.assert_allclose(rows[0], a.mean(axis=0), rtol=1e-14)


def test_values_that_are_read_several_times():
    @cuda.jit
    def kernel(a, standard, soft):
        i = cuda.grid(1)
        r = a[i]
        standard[i] = (r - r.mean()) / r.std()
        e = np.exp(r - r.max())
        soft[i] = e / e.sum()

    a = np.random.default_rng(9).random((6, 5))
    standard, soft = np.zeros((2, 6, 5))
    kernel[2, 3](a, standard, soft)
    np.testing.assert_allclose(standard, (a - a.mean(1, keepdims=True)) / a.std(1, keepdims=True), rtol=1e-13)
    e = np.exp(a - a.max(1, keepdims=True))
    np.testing.assert_allclose(soft, e / e.sum(1, keepdims=True), rtol=1e-13)


def test_arrays_of_a_thread():
    @cuda.jit
    def kernel(a, out):
        i = cuda.grid(1)
        own = cuda.local.array((2, 2), np.float64)
        own[:] = a[i].reshape(2, 2)
        inverse = np.empty((2, 2))
        inverse[0, 0], inverse[1, 1] = own[1, 1], own[0, 0]
        inverse[0, 1], inverse[1, 0] = -own[0, 1], -own[1, 0]
        inverse /= own[0, 0] * own[1, 1] - own[0, 1] * own[1, 0]
        product = own @ inverse
        scaled = np.sqrt(np.abs(own)) + np.zeros(2)
        kept = scaled.copy()
        kept[1, 0] = -1
        out[i, :4] = product.reshape(4)
        out[i, 4] = scaled.sum()
        out[i, 5] = scaled[1, 0] + kept[1, 0] + 1

    a = np.random.default_rng(4).random((6, 4)) + [1, 0, 0, 1]
    out = np.zeros((6, 6))
    kernel[2, 3](a, out)
    np.testing.assert_allclose(out[:, :4], np.tile([1.0, 0, 0, 1], (6, 1)), atol=1e-12)
    np.testing.assert_allclose(out[:, 4], np.sqrt(a).sum(axis=1))
    np.testing.assert_allclose(out[:, 5], np.sqrt(a[:, 2]))


def test_arrays_of_a_thread_live_across_barriers():
    @cuda.jit
    def kernel(out):
        i = cuda.threadIdx.x
        mine, shared = np.zeros(3), cuda.shared.array(8, np.float64)
        for _step in range(4):
            shared[i] = mine.sum() + i
            cuda.syncthreads()
            mine = mine * 2 + shared[7 - i]
            cuda.syncthreads()
        out[i] = mine[1]

    out, mine = np.zeros(8), np.zeros((8, 3))
    kernel[1, 8](out)
    for _ in range(4):
        mine = mine * 2 + (mine.sum(axis=1) + np.arange(8))[::-1, None]
    np.testing.assert_array_equal(out, mine[:, 1])


def test_in_generalized_ufuncs():
    @guvectorize(["void(float64[:], float64[:], float64[:])"], "(n),(n)->()", target="cuda")
    def distance(a, b, out):
        out[0] = np.sqrt(((a - b) ** 2).sum())

    a, b = np.random.default_rng(8).random((2, 50, 7))
    np.testing.assert_allclose(distance(a, b), np.sqrt(((a - b) ** 2).sum(axis=1)), rtol=1e-14)


def test_shared_arrays():
    @cuda.jit
    def kernel(a, out):
        i = cuda.threadIdx.x
        tile = cuda.shared.array((8, 4), np.float32)
        tile[i] = a[i] * 2
        cuda.syncthreads()
        out[i] = tile[:, i % 4].sum() + (tile[i] * tile[7 - i]).max()

    a = np.random.default_rng(5).random((8, 4), dtype=np.float32)
    out = np.zeros(8, np.float32)
    kernel[1, 8](a, out)
    t = a * 2
    np.testing.assert_allclose(out, [t[:, i % 4].sum() + (t[i] * t[7 - i]).max() for i in range(8)], rtol=1e-6)


def test_products():
    @cuda.jit
    def kernel(a, v, out):
        i = cuda.grid(1)
        out[i] = np.dot(a[i], v)
        out[i + 4] = (a[i] @ v) + np.dot(v, v)

    a, v, out = np.random.default_rng(6).random((4, 5)), np.arange(5.0), np.zeros(8)
    kernel[1, 4](a, v, out)
    np.testing.assert_allclose(out, np.concatenate([a @ v, a @ v + v @ v]), rtol=1e-13)


def test_views():
    @cuda.jit
    def kernel(a, z, out):
        out[0], out[1], out[2] = a.T[1, 0], a.ravel()[3], a.view(np.int64)[0, 1] != 0
        out[3], out[4] = z.real.sum(), z.imag[1]
        z.real[0] = 9
        z.imag[:] = a[0, :2]
        out[5] = np.transpose(a).sum(axis=1)[1] if a.shape[0] > 5 else a.flat[1]

    @cuda.jit
    def parts(a, z, out):
        out[0], out[1], out[2] = a.T[1, 0], a.ravel()[3], a.view(np.int64)[0, 1] != 0
        out[3], out[4] = z.real.sum(), z.imag[1]
        z.real[0] = 9
        z.imag[:] = a[0, :2]

    a, z, out = np.arange(6.0).reshape(2, 3), np.array([1 + 2j, 3 + 4j]), np.zeros(6)
    parts[1, 1](a, z, out)
    np.testing.assert_array_equal(out, [1, 3, 1, 4, 4, 0])
    np.testing.assert_array_equal(z, [9 + 0j, 3 + 1j])


def test_arrays_in_records():
    @cuda.jit
    def kernel(r, out):
        i = cuda.grid(1)
        out[i] = r[i].c.sum() + (r[i].m * 2).max()
        r[i].c[:] = r[i].c * 2
        r[i].m += 1

    r = np.zeros(3, RECORD)
    r["c"], r["m"] = np.arange(9).reshape(3, 3), np.arange(12).reshape(3, 2, 2)
    want, out = r.copy(), np.zeros(3)
    kernel[1, 3](r, out)
    np.testing.assert_array_equal(out, want["c"].sum(axis=1) + (want["m"] * 2).max(axis=(1, 2)))
    np.testing.assert_array_equal(r["c"], want["c"] * 2)
    np.testing.assert_array_equal(r["m"], want["m"] + 1)


def test_device_functions():
    @cuda.jit(device=True)
    def norm(v):
        return np.sqrt((v * v).sum())

    @cuda.jit(device=True)
    def scaled(v, out):
        np.divide(v, norm(v), out)

    @cuda.jit
    def kernel(a):
        i = cuda.grid(1)
        scaled(a[i], a[i])

    a = np.random.default_rng(7).random((4, 3))
    want = a / np.linalg.norm(a, axis=1, keepdims=True)
    kernel[1, 4](a)
    np.testing.assert_allclose(a, want, rtol=1e-14)


def test_of_ufuncs_of_the_users():
    @vectorize(["float64(float64, float64)"])
    def mixed(x, y):
        return x + 10 * y

    @cuda.jit
    def kernel(a, b, out):
        mixed(a, b, out)

    out = np.zeros(3)
    kernel[1, 1](np.arange(3.0), np.ones(3), out)
    np.testing.assert_array_equal(out, np.arange(3.0) + 10)


@pytest.mark.parametrize(
    "source",
    ["b = a * 2\n    out[0] = b[1]", "b = np.zeros(len(a))\n    out[0] = b[0]", "b = np.cumsum(a)\n    out[0] = b[0]"],
)
def test_arrays_of_any_size_are_refused(source):
    space = {"np": np}
    exec(f"def kernel(a, out):\n    {source}", space)
    with pytest.raises(errors.UnsupportedError, match="nothing is allocated on a GPU(.|\n)*Hint: pass the array"):
        cuda.jit(space["kernel"])[1, 1](np.ones(3), np.ones(1))
