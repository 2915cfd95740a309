"""Copies of a ufunc's loop: for reduce and accumulate, for operands with strides, for small core dimensions."""

import functools
import threading

import numpy as np
import pyarray
import pytest
from pyarray import guvectorize, vectorize

MANY = 1 << 17  # points for which a copy is worth compiling
STEPS = 1 << 21  # the same, where it saves less


@vectorize(["int64(int64, int64)", "float32(float32, float32)", "float64(float64, float64)"], identity=0)
def add(x, y):
    return x + y


@vectorize(["int64(int64, int64)", "float64(float64, float64)"])
def mix(x, y):
    return 3 * x - y


@vectorize(["float64(float64, float64)"])
def larger(x, y):
    return x if x > y else y


def copies(ufunc, form):
    """Signatures for which that copy has been compiled."""
    return pyarray.inspect(ufunc, form).signatures


def fold(function, values):
    return functools.reduce(function, values.tolist())


# ------------------------------------------------------------------------------------------------
# reduce, accumulate, reduceat


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("step", [1, 3, -1])
def test_sums_of_floats_are_those_of_numpy_to_the_bit(dtype, step):
    rng = np.random.default_rng(0)
    add.reduce(np.ones(MANY, dtype))
    for count in [*range(1, 40), 127, 128, 129, 136, 255, 256, 257, 1000, 100_003]:
        values = rng.normal(0, 1e3, count * 3).astype(dtype)[::step][:count]
        assert add.reduce(values).tobytes() == np.add.reduce(values).tobytes()


def test_a_sum_of_nothing_but_negative_zeros():
    add.reduce(np.ones(MANY))
    assert np.signbit(add.reduce(np.full(5, -0.0), initial=-0.0))


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
@pytest.mark.parametrize("step", [1, 2, -3])
def test_order_is_kept(dtype, step):
    values = (np.arange(3 * MANY) % 7 - 3).astype(dtype)[::step]
    with np.errstate(over="ignore"):
        mix.reduce(values)
    short = values[:21]
    assert mix.reduce(short) == fold(lambda x, y: 3 * x - y, short)
    assert mix.accumulate(short).tolist() == [fold(lambda x, y: 3 * x - y, short[: i + 1]) for i in range(21)]
    assert copies(mix, "carried")


def test_comparisons_with_nan_are_made_in_order():
    values = np.random.default_rng(1).normal(size=MANY)
    values[[3, 1000, MANY - 5]] = np.nan
    expected = fold(lambda x, y: x if x > y else y, values)
    with np.errstate(invalid="ignore"):
        assert larger.reduce(values) == expected == np.max(values[MANY - 4 :])
        assert np.isnan(larger.reduce(np.append(values, np.nan)))


def test_before_and_after_the_copy():
    @vectorize(["int64(int64, int64)"])
    def step(x, y):
        return x * 5 + y

    values = np.arange(50)
    before = step.accumulate(values).copy()
    assert not copies(step, "carried")
    step.reduce(np.arange(MANY))
    assert len(copies(step, "carried")) == 1
    assert (step.accumulate(values) == before).all()
    assert step.reduce(values) == before[-1]


def test_axes_initial_where_and_reduceat():
    values = np.random.default_rng(2).integers(-50, 50, (40, MANY // 40))
    assert (add.reduce(values) == values.sum(0)).all()
    assert (add.reduce(values, axis=1) == values.sum(1)).all()
    assert add.reduce(values, axis=None, initial=7) == values.sum() + 7
    assert (add.reduce(values, axis=1, where=values > 0) == np.add.reduce(values, axis=1, where=values > 0)).all()
    assert (add.accumulate(values, axis=1) == np.cumsum(values, axis=1)).all()
    assert (add.accumulate(values) == np.cumsum(values, axis=0)).all()
    cuts = [0, 5, 5, 900, 17]
    assert (add.reduceat(values.ravel(), cuts) == np.add.reduceat(values.ravel(), cuts)).all()


def test_accumulate_in_place():
    values = np.arange(MANY, dtype=np.float64)
    expected = np.cumsum(values)
    add.accumulate(values, out=values)
    assert (values == expected).all()


def test_what_is_read_ahead_of_what_is_written():
    values = np.arange(100.0)
    add(values[1:], values[:-1], out=values[:-1])
    assert (values[:-1] == 2 * np.arange(99.0) + 1).all()
    values = np.arange(100.0)
    add(values[:-1], 1.0, out=values[1:])
    assert (values[1:] == np.arange(99.0) + 1).all()


def test_an_error_in_a_reduction():
    @vectorize(["int64(int64, int64)"], error_model="python")
    def divide(x, y):
        return x // y

    values = np.ones(MANY, np.int64)
    assert divide.reduce(values) == 1
    values[MANY // 2] = 0
    with pytest.raises(ZeroDivisionError):
        divide.reduce(values)
    assert divide.reduce(values[:9]) == 1


# ------------------------------------------------------------------------------------------------
# Constant inputs


def constant_work(ufunc, *arguments):
    """Computes so much that the copy for these operands is compiled."""
    points = np.broadcast_shapes(*map(np.shape, arguments))[0]
    for _ in range(2 + (1 << 23) // points):
        ufunc(*arguments)


@pytest.mark.parametrize(
    "form, arguments",
    [
        ("constant vc", lambda x: (x, x.dtype.type(3))),
        ("constant cv", lambda x: (x.dtype.type(3), x)),
        ("constant cc", lambda x: (np.broadcast_to(x.dtype.type(3), x.shape), x.dtype.type(2))),
    ],
)
@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_constant_inputs_get_a_copy_of_their_own(form, arguments, dtype):
    ufunc = vectorize(["int64(int64, int64)", "float64(float64, float64)"])(lambda x, y: x - 3 * y)
    x = (np.arange(1 << 20) % 11).astype(dtype)
    assert not copies(ufunc, form)
    constant_work(ufunc, *arguments(x))
    assert len(copies(ufunc, form)) == 1
    for count in (1, 2, 7, 1000):
        first, second = arguments(x[:count])
        found = ufunc(first, second)
        np.testing.assert_array_equal(found, first - 3 * second)
        assert found.dtype == dtype
    into = x[:1000].copy()
    first, second = arguments(into)
    wanted = first - 3 * second
    np.testing.assert_array_equal(ufunc(first, second, out=into), wanted)


def test_a_copy_for_constant_inputs_raises_as_the_loop_does():
    @vectorize(["int64(int64, int64)"])
    def checked(x, y):
        if x == y:
            raise ValueError("equal")
        return x

    x = np.arange(1 << 20)
    constant_work(checked, x, np.int64(-1))
    out = np.full(5, 9)
    with pytest.raises(ValueError, match="equal"):
        checked(x[:5], 3, out=out)
    assert out.tolist() == [0, 1, 2, 9, 4]
    assert copies(checked, "constant vc")


def test_no_other_form():
    for form in ("constant", "constant v", "constant vcc", "constant vx", "constantvc", "contiguous"):
        with pytest.raises(ValueError, match="have no form"):
            pyarray.inspect(mix, form)


# ------------------------------------------------------------------------------------------------
# Strides and constants


@pytest.mark.parametrize("count", [1, 2, 63, 1023, 1024, 1025, 5000])
@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.float32, np.float64, np.complex128])
def test_operands_that_are_copied_by_blocks(count, dtype):
    name = np.dtype(dtype).name
    combine = vectorize([f"{name}({name}, {name}, {name})"])(lambda x, y, z: x * y + z)
    data = np.arange(6 * count).reshape(count, 6).astype(dtype)
    x, y, z = data[:, 0], data[::-1, 3], dtype(3)
    expected = (x * y + z).astype(dtype)
    assert (combine(x, y, z) == expected).all()
    assert (combine(z, x, y) == (z * x + y).astype(dtype)).all()
    out = np.zeros((count, 2), dtype)
    combine(x, y, z, out=out[:, 1])
    assert (out[:, 1] == expected).all() and not out[:, 0].any()
    expected = (x * x + x).astype(dtype)
    combine(x, x, x, out=x)
    assert (x == expected).all()


def test_cheap_functions_get_a_loop_for_strides():
    @vectorize(["float64(float64, float64)"])
    def weigh(x, y):
        return 2 * x + y

    values = np.arange(2.0 * STEPS)
    x, y = values[::2], values[::-2]
    for _ in range(2):
        assert (weigh(x, y) == 2 * x + y).all()
    assert len(copies(weigh, "strided")) == 1
    assert (weigh(x[:5], y[:5]) == 2 * x[:5] + y[:5]).all()


def test_dear_functions_do_not():
    @vectorize(["float64(float64)"])
    def wave(x):
        return np.exp(np.sin(x))

    values = np.linspace(-1, 1, 2 * STEPS)[::2]
    for _ in range(2):
        np.testing.assert_allclose(wave(values), np.exp(np.sin(values)), 1e-14)
    assert not copies(wave, "strided")


def test_points_around_an_error_are_written():
    @vectorize(["float64(float64)"], error_model="python")
    def inverse(x):
        return 1 / x

    values = np.ones((1500, 2))
    values[1200, 0] = 0
    out = np.full((1500, 2), 7.0)
    with pytest.raises(ZeroDivisionError):
        inverse(values[:, 0], out=out[:, 0])
    assert (np.delete(out[:, 0], 1200) == 1).all() and out[1200, 0] == 7 and (out[:, 1] == 7).all()


# ------------------------------------------------------------------------------------------------
# Small core dimensions


def matrix_product():
    @guvectorize(["void(float64[:,:], float64[:,:], float64[:,:])"], "(m,n),(n,p)->(m,p)")
    def product(a, b, c):
        for i in range(c.shape[0]):
            for j in range(c.shape[1]):
                total = 0.0
                for k in range(a.shape[1]):
                    total += a[i, k] * b[k, j]
                c[i, j] = total

    return product


def test_cores_of_known_sizes():
    product, rng = matrix_product(), np.random.default_rng(3)
    for m, n, p in [(2, 4, 5), (1, 1, 1), (3, 3, 3), (4, 1, 2), (2, 2, 2), (5, 4, 3), (2, 4, 5)]:
        a, b = rng.integers(-9, 9, (60_000, m, n)).astype(float), rng.integers(-9, 9, (60_000, n, p)).astype(float)
        for _ in range(4):
            assert (product(a, b) == a @ b).all()
        assert (product(a, b[0]) == a @ b[0]).all()
        assert (product(a[:, ::-1], b[..., ::-1]) == a[:, ::-1] @ b[..., ::-1]).all()
        assert (product(a[:3], b[:3]) == a[:3] @ b[:3]).all()
    assert len(copies(product, "(2,4),(4,5)->(2,5)")) == 1


def test_cores_of_several_cache_lines():
    @guvectorize(["void(float64[:], float64[:])"], "(n)->()")
    def total(x, out):
        out[0] = 0
        for i in range(x.shape[0]):
            out[0] += x[i]

    values = np.random.default_rng(4).integers(0, 99, (STEPS // 16, 16)).astype(float)
    for _ in range(3):
        assert (total(values) == values.sum(1)).all()
    assert len(copies(total, "(16)->()")) == 1


def test_writable_inputs_and_numbers_in_cores_of_known_sizes():
    @guvectorize(["void(int32[:], int32, int32[:])"], "(n),()->(n)", writable_args=("x",))
    def take(x, y, out):
        for i in range(x.shape[0]):
            out[i] = x[i] + y
            x[i] = 0

    for _ in range(3):
        x = np.arange(STEPS, dtype=np.int32).reshape(-1, 4)
        assert (take(x, np.full(len(x), 5, np.int32)) == np.arange(5, STEPS + 5).reshape(-1, 4)).all() and not x.any()
    assert len(copies(take, "(4),()->(4)")) == 1


# ------------------------------------------------------------------------------------------------
# Which function

FACTOR = 2


def test_a_global_that_changes_later():
    global FACTOR

    @vectorize(["int64(int64, int64)"])
    def scaled(x, y):
        return x + FACTOR * y

    FACTOR = 1000
    try:
        assert scaled.reduce(np.ones(MANY, np.int64)) == 1 + 2 * (MANY - 1)
        assert not copies(scaled, "carried")
    finally:
        FACTOR = 2


def test_copies_made_on_several_threads():
    @vectorize(["int64(int64, int64)"])
    def join(x, y):
        return x + 2 * y

    values = np.arange(MANY)
    expected, results = int(values[0] + 2 * values[1:].sum()), []
    threads = [threading.Thread(target=lambda: results.append(int(join.reduce(values)))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 8
    assert len(copies(join, "carried")) == 1


def test_functions_without_signatures():
    @vectorize
    def double_add(x, y):
        return x + 2 * y

    values = np.arange(MANY, dtype=np.float64)
    assert double_add.reduce(values) == values[0] + 2 * values[1:].sum()
    assert len(copies(double_add, "carried")) == 1


def test_on_threads():
    parallel = vectorize(["float64(float64, float64)"], target="parallel")(lambda x, y: x + y)
    values = np.arange(float(MANY))
    assert parallel.reduce(values) == np.add.reduce(values)
    assert (parallel(values[::2], 3.0) == values[::2] + 3).all()


# ------------------------------------------------------------------------------------------------
# inspect


def test_inspecting_the_loops():
    dispatcher = pyarray.inspect(add)
    assert len(dispatcher.signatures) == 3
    text = dispatcher.inspect_mlir("optimized", "float64(float64, float64)")
    assert "pyarray.ufunc" in text and "unit_strides" in text
    assert "pyarray_entry" in dispatcher.inspect_llvm("int64(int64, int64)")
    assert "pyarray_entry" in dispatcher.inspect_asm("int64(int64, int64)")
    carried = pyarray.inspect(add, "carried").inspect_mlir("linalg", "float64(float64, float64)")
    assert "pyarray_rt_pairwise_sum_f64" in carried
    fixed = pyarray.inspect(matrix_product(), "(2, 3),(3, 1)->(2, 1)")
    assert "memref<2x3xf64" in fixed.inspect_mlir("linalg", "void(float64[:,:], float64[:,:], float64[:,:])")
    with pytest.raises(TypeError, match="compiles the loops"):
        pyarray.inspect(add, "carried")(1.0, 2.0)


def test_what_cannot_be_inspected():
    for other in (np.add, len, 3):
        with pytest.raises(TypeError, match="no ufunc made by vectorize or guvectorize"):
            pyarray.inspect(other)
    with pytest.raises(ValueError, match="the loops of add have no form 'fast'"):
        pyarray.inspect(add, "fast")
    with pytest.raises(ValueError, match="the loops of product have no form 'carried'"):
        pyarray.inspect(matrix_product(), "carried")
    with pytest.raises(ValueError, match=r"the loops of add have no form '\(3\)->\(\)'"):
        pyarray.inspect(add, "(3)->()")
