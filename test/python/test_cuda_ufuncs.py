"""Ufuncs, generalized ufuncs and reductions on a GPU, or in the emulator."""

import gc
import math
import pickle

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from pyarray import cuda, errors, float32, guvectorize, vectorize

pytestmark = pytest.mark.real

QUICK = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
DTYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "c8", "c16"]
SUMS = [
    "int16(int16,int16)",
    "int64(int64,int64)",
    "float32(float32,float32)",
    "float64(float64,float64)",
    "complex128(complex128,complex128)",
]


def add(a, b):
    return a + b


def saxpy(a, x, y):
    return a * x + y


def matmul(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            c[i, j] = 0
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


on_device = vectorize(SUMS, target="cuda")(add)
on_cpu = vectorize(SUMS)(add)
saxpy32 = vectorize([float32(float32, float32, float32)], target="gpu")(saxpy)
matmul32 = guvectorize(["void(float32[:,:], float32[:,:], float32[:,:])"], "(m, n), (n, p) -> (m, p)", target="cuda")(
    matmul
)


def copies():
    statistics = cuda.current_context().memory_statistics()
    return statistics["allocations"]


# ------------------------------------------------------------------------------------------------
# Where operands are


def test_host_arrays_give_host_arrays():
    x, y = np.arange(1001, dtype=np.float32), np.ones(1001, np.float32)
    result = saxpy32(np.float32(2), x, y)
    assert type(result) is np.ndarray and result.dtype == np.float32
    np.testing.assert_array_equal(result, 2 * x + y)


def test_a_device_array_among_the_inputs_gives_device_arrays():
    x, y = np.arange(10, dtype=np.float32), np.ones(10, np.float32)
    result = saxpy32(2, cuda.to_device(x), y)
    assert isinstance(result, cuda.DeviceNDArray)
    np.testing.assert_array_equal(result.copy_to_host(), 2 * x + y)


def test_device_operands_are_used_as_they_are():
    x, y, out = (cuda.to_device(np.ones((30, 40), np.float32)) for _ in range(3))
    saxpy32(2, x.T[::2], y.T[::2], out=out.T[::2])
    before = copies()
    assert saxpy32(2, x.T[::2], y.T[::2], out=out.T[::2]).shape == (20, 30)
    saxpy32(3, x, y[0], out=out)
    assert copies() == before
    np.testing.assert_array_equal(out.copy_to_host(), np.full((30, 40), 4))


def test_numbers_alone_give_an_array_of_one_element():
    result = saxpy32(2.0, np.float32(3), 4)
    assert result.shape == (1,) and result.dtype == np.float32 and result[0] == 10


def test_scalars_broadcast():
    x = np.arange(5, dtype=np.float32)
    np.testing.assert_array_equal(saxpy32(np.float32(2), x, np.array([3], np.float32)), 2 * x + 3)
    np.testing.assert_array_equal(saxpy32(np.array(2, np.float32), x, 3), 2 * x + 3)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 7, 8, 255, 256, 257, 1023, 4099])
@pytest.mark.parametrize("start", [0, 1, 2, 4])
def test_every_length_and_alignment(n, start):
    x = np.arange(n + start, dtype=np.float32)
    device = cuda.to_device(x)[start:]
    out = cuda.to_device(np.full(n + start + 4, -1, np.float32))
    saxpy32(2, device, device, out=out[start : start + n])
    result = out.copy_to_host()
    np.testing.assert_array_equal(result[start : start + n], 3 * x[start:])
    assert (result[:start] == -1).all() and (result[start + n :] == -1).all()


@pytest.mark.parametrize("start", [0, 1, 4])
@pytest.mark.parametrize("columns", [1, 3, 4, 7, 8, 64])
def test_rows_of_matrices(start, columns):
    x = np.arange(9 * 72, dtype=np.float32).reshape(9, 72)
    rows = slice(start, start + columns)
    device, out = cuda.to_device(x), cuda.to_device(np.full_like(x, -1))
    saxpy32(2, device[:, rows], device[0, rows], out=out[:, rows])
    result = out.copy_to_host()
    np.testing.assert_array_equal(result[:, rows], 2 * x[:, rows] + x[0, rows])
    result[:, rows] = -1
    assert (result == -1).all()
    np.testing.assert_array_equal(saxpy32(2, device[:, rows], device[:, :1]).copy_to_host(), 2 * x[:, rows] + x[:, :1])


def test_out_may_be_an_input():
    x = cuda.to_device(np.arange(1003, dtype=np.float32))
    assert saxpy32(2, x, x, out=x) is x
    np.testing.assert_array_equal(x.copy_to_host(), 3 * np.arange(1003))


def test_out_on_the_host():
    x, out = np.arange(6, dtype=np.float32), np.zeros(6, np.float32)
    assert saxpy32(2, x, x, out=out) is out
    np.testing.assert_array_equal(out, 3 * x)
    wide = np.zeros((6, 2))[:, 0]
    assert saxpy32(2, cuda.to_device(x), x, wide) is wide
    np.testing.assert_array_equal(wide, 3 * x)


def test_streams():
    stream = cuda.stream()
    x = cuda.to_device(np.arange(1000, dtype=np.float32), stream=stream)
    result = saxpy32(2, x, x, stream=stream)
    host = saxpy32(2, np.ones(5, np.float32), 1, stream=stream)
    stream.synchronize()
    np.testing.assert_array_equal(result.copy_to_host(), 3 * np.arange(1000))
    np.testing.assert_array_equal(host, np.full(5, 3))


def test_fortran_order_is_kept():
    x = cuda.to_device(np.asfortranarray(np.arange(12, dtype=np.float32).reshape(3, 4)))
    result = saxpy32(1, x, x)
    assert result.is_f_contiguous()
    np.testing.assert_array_equal(result.copy_to_host(), 2 * x.copy_to_host())


def test_arrays_of_other_libraries():
    class Foreign:
        def __init__(self, array):
            self.array, self.__cuda_array_interface__ = array, array.__cuda_array_interface__

    x = cuda.to_device(np.arange(4, dtype=np.float32))
    result = saxpy32(2, Foreign(x), 1)
    assert isinstance(result, cuda.DeviceNDArray)
    np.testing.assert_array_equal(result.copy_to_host(), 2 * np.arange(4) + 1)


def test_nothing_leaks():
    context = cuda.current_context()
    x = np.ones((50, 40), np.float32)
    saxpy32(2, x, x.T.copy().T)
    on_device.reduce(x[0])
    gc.collect()
    before = context.memory_statistics()["device_bytes"]
    for _ in range(5):
        saxpy32(2, x, cuda.to_device(x))
        on_device.reduce(x[0])
        with pytest.raises(ValueError):
            saxpy32(2, cuda.to_device(x), np.ones(3, np.float32))
    gc.collect()
    assert context.memory_statistics()["device_bytes"] == before


# ------------------------------------------------------------------------------------------------
# Shapes and dtypes


@st.composite
def operands(draw, count=2):
    """Arrays whose shapes broadcast, of any strides, and whether each is on the device."""
    shapes = draw(hnp.mutually_broadcastable_shapes(num_shapes=count, max_dims=4, max_side=5)).input_shapes
    values = []
    for shape in shapes:
        dtype = np.dtype(draw(st.sampled_from(DTYPES)))
        steps = [draw(st.sampled_from([1, 1, 2, 3])) for _ in shape]
        whole = np.arange(1, 1 + math.prod(n * s for n, s in zip(shape, steps, strict=True))) % 7
        array = whole.astype(dtype).reshape([n * s for n, s in zip(shape, steps, strict=True)])
        array = array[tuple(slice(None, None, draw(st.sampled_from([1, -1])) * s) for s in steps)]
        order = draw(st.permutations(range(array.ndim)))
        array = (
            np.transpose(np.transpose(array, order).copy(order="C"), np.argsort(order).astype(int))
            if draw(st.booleans())
            else array
        )
        values.append((array, draw(st.booleans())))
    return values


def device_view(array):
    """The array on the device, with its strides."""
    low, high = np.lib.array_utils.byte_bounds(array) if hasattr(np.lib, "array_utils") else np.byte_bounds(array)
    if array.size == 0 or (high - low) % array.itemsize:
        return cuda.to_device(array)
    start = (array.__array_interface__["data"][0] - low) // array.itemsize
    flat = np.zeros((high - low) // array.itemsize, array.dtype)
    view = np.lib.stride_tricks.as_strided(flat[start:], array.shape, array.strides)
    view[...] = array
    flat = cuda.to_device(flat)
    address = flat.__cuda_array_interface__["data"][0] + start * array.itemsize
    return cuda.DeviceNDArray(array.shape, array.strides, array.dtype, None, flat, address)


@given(operands())
@QUICK
def test_any_shapes_strides_and_dtypes_as_on_the_cpu(values):
    arrays = [array for array, _ in values]
    expected = on_cpu(*arrays)
    result = on_device(*(device_view(array) if there else array for array, there in values))
    if isinstance(result, cuda.DeviceNDArray):
        result = result.copy_to_host()
    assert result.dtype == expected.dtype
    assert result.shape == expected.shape or (expected.shape == () and result.shape == (1,))
    np.testing.assert_array_equal(result.reshape(expected.shape), expected)


@given(
    hnp.array_shapes(min_dims=0, max_dims=3, max_side=4),
    st.integers(1, 4),
    st.integers(1, 4),
    st.integers(1, 4),
    st.booleans(),
    st.booleans(),
)
@QUICK
def test_gufuncs_broadcast_as_numpy_does(shape, m, n, p, flip, there):
    rng = np.random.default_rng(0)
    a = rng.integers(0, 9, (*shape, m, n)).astype(np.float32)
    b = rng.integers(0, 9, (n, p)).astype(np.float32)
    if flip:
        a = np.ascontiguousarray(np.swapaxes(a, -1, -2)).swapaxes(-1, -2)
    result = matmul32(device_view(a) if there else a, b)
    assert isinstance(result, cuda.DeviceNDArray) == there
    np.testing.assert_array_equal(result.copy_to_host() if there else result, a @ b)


@given(st.sampled_from(DTYPES), st.sampled_from(DTYPES), st.sampled_from([None, 1, 2.5, 1j]))
@example("f4", "f4", 2.5)
@QUICK
def test_dtypes_resolve_as_on_the_cpu(first, second, number):
    a = np.ones(3, first)
    b = np.ones(3, second) if number is None else number
    try:
        expected = on_cpu(a, b)
    except TypeError as error:
        with pytest.raises(TypeError, match=str(error).split(",")[0].replace("(", r"\(")):
            on_device(a, b)
    else:
        result = on_device(a, b)
        assert result.dtype == expected.dtype
        np.testing.assert_array_equal(result, expected)


def test_without_signatures_loops_are_made_for_each_call():
    @vectorize(target="cuda")
    def f(a, b):
        return a + b

    x = np.arange(5)
    assert f(x, x).dtype == np.int64 and f.ntypes == 1
    assert f(x.astype("f4"), 1).dtype == np.float32
    assert f(x.astype("f4"), x.astype("f4")).dtype == np.float32 and f.types == ["ll->l", "ff->f"]
    assert f(x, 1.5).dtype == np.float64
    assert f(x.astype("i1"), 1j).dtype == np.complex128

    @guvectorize("(n)->()", target="cuda")
    def norm(v, out):
        acc = 0.0
        for value in v:
            acc += value**2
        out[0] = math.sqrt(acc)

    np.testing.assert_allclose(norm(np.ones((3, 4), np.float32)), [2, 2, 2])


def test_signatures_without_a_result():
    @vectorize(["(float32, float32)", "(int32, int32)"], target="cuda")
    def divide(a, b):
        return a / b

    assert divide.types == ["ff->f", "ii->d"]
    np.testing.assert_array_equal(divide(np.arange(3, dtype="i4"), np.full(3, 2, "i4")), [0, 0.5, 1])


def test_several_outputs():
    @vectorize(target="cuda")
    def divmod_(a, b):
        return a // b, a % b

    x = np.arange(1, 100)
    quotient, remainder = divmod_(x, 7)
    np.testing.assert_array_equal(quotient, x // 7)
    np.testing.assert_array_equal(remainder, x % 7)
    out = cuda.device_array(99, np.int64)
    first, second = divmod_(cuda.to_device(x), 7, out=(out, None))
    assert first is out
    np.testing.assert_array_equal(second.copy_to_host(), x % 7)


def test_functions_that_read_their_outputs():
    @guvectorize([(float32[:], float32[:])], "(n)->(n)", target="cuda")
    def add_to(values, out):
        for i in range(values.shape[0]):
            out[i] += values[i]

    ones = np.ones((2, 5), np.float32)
    for dtype in ("f4", "f8"):
        host = np.arange(10, dtype=dtype).reshape(2, 5)
        assert add_to(ones, out=host) is host
        np.testing.assert_array_equal(host, np.arange(10).reshape(2, 5) + 1)
        device = cuda.to_device(host)
        add_to(ones, device)
        np.testing.assert_array_equal(device.copy_to_host(), np.arange(10).reshape(2, 5) + 2)


def test_rows_of_several_cores():
    @guvectorize(["void(float64[:], float64[:], float64[:])"], "(n)->(n),()", target="cuda")
    def center(row, out, mean):
        total = 0.0
        for value in row:
            total += value
        mean[0] = total / row.shape[0]
        for i in range(row.shape[0]):
            out[i] = row[i] - mean[0]

    x = np.arange(24.0).reshape(2, 3, 4)
    centered, mean = center(x)
    np.testing.assert_array_equal(mean, x.mean(-1))
    np.testing.assert_array_equal(centered, x - x.mean(-1, keepdims=True))


def test_sizes_and_scalars_in_signatures():
    @guvectorize(["void(float64[:], float64, float64[:])"], "(3),()->(3)", target="cuda")
    def scale(vector, factor, out):
        for i in range(3):
            out[i] = vector[i] * factor

    x = np.arange(12.0).reshape(4, 3)
    np.testing.assert_array_equal(scale(x, 2), 2 * x)
    np.testing.assert_array_equal(scale(x, np.arange(4.0)), x * np.arange(4.0)[:, None])
    with pytest.raises(ValueError, match="mismatch in its core dimension 0.*size 4 is different from 3"):
        scale(np.ones(4), 2)


def test_halves_and_other_byte_orders():
    halves = np.arange(5, dtype=np.float16)
    np.testing.assert_array_equal(on_device(halves, halves), 2 * halves)
    np.testing.assert_array_equal(on_device(np.arange(5, dtype=">i4"), 1), np.arange(5) + 1)


# ------------------------------------------------------------------------------------------------
# Errors


def test_errors_have_numpy_messages():
    x = np.ones(3, np.float32)
    with pytest.raises(ValueError, match=r"operands could not be broadcast together with shapes \(3,\) \(4,\)"):
        on_device(x, np.ones(4, np.float32))
    with pytest.raises(ValueError, match=r"could not be broadcast together with shapes \(3,\) \(3,\) \(4,\)"):
        on_device(x, x, out=cuda.device_array(4, np.float32))
    with pytest.raises(
        ValueError, match=r"non-broadcastable output operand with shape \(1,\) doesn't match the broadcast shape \(3,\)"
    ):
        on_device(x, x, out=cuda.device_array(1, np.float32))
    with pytest.raises(TypeError, match="not supported for the input types"):
        saxpy32(np.ones(3), x, x)
    with pytest.raises(
        TypeError,
        match="Cannot cast ufunc 'add' output from dtype.'float32'. to dtype.'int32'. with casting rule 'same_kind'",
    ):
        on_device(x, x, out=cuda.device_array(3, np.int32))
    with pytest.raises(TypeError, match="takes from 2 to 3 positional arguments but 1 were given"):
        on_device(x)
    with pytest.raises(TypeError, match="cannot specify 'out' as both a positional and keyword argument"):
        on_device(x, x, x, out=x)
    with pytest.raises(TypeError, match="return arrays must be of ArrayType"):
        on_device(x, x, [1, 2, 3])
    with pytest.raises(ValueError, match="exactly one entry per ufunc output"):
        on_device(x, x, out=(x, x))
    readonly = x.copy()
    readonly.flags.writeable = False
    with pytest.raises(ValueError, match="output array is read-only"):
        on_device(x, x, out=readonly)


def test_errors_of_gufuncs():
    with pytest.raises(
        ValueError,
        match=r"matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
        r"\(m,n\),\(n,p\)->\(m,p\) \(size 4 is different from 3\)",
    ):
        matmul32(np.ones((2, 3), np.float32), np.ones((4, 2), np.float32))
    with pytest.raises(
        ValueError,
        match=r"Input operand 0 does not have enough dimensions \(has 1, gufunc core with signature .* requires 2\)",
    ):
        matmul32(np.ones(3, np.float32), np.ones((4, 2), np.float32))
    with pytest.raises(ValueError, match="could not be broadcast together"):
        matmul32(np.ones((2, 3, 3), np.float32), np.ones((4, 3, 3), np.float32))


def test_errors_in_functions_name_the_line():
    @vectorize(["int64(int64, int64)"], target="cuda", debug=True)
    def divide(a, b):
        return a // b

    np.testing.assert_array_equal(divide(np.arange(4), 2), [0, 0, 1, 1])
    with pytest.raises(ZeroDivisionError):
        divide(np.arange(4), np.array([1, 2, 0, 4]))


def test_typing_errors_come_with_the_decorator():
    with pytest.raises(errors.TypingError):
        vectorize(["float32(float32)"], target="cuda")(lambda x: x.nothing)
    with pytest.raises(errors.UnsupportedError, match="writable_args"):
        guvectorize(["void(float32[:], float32[:])"], "(n)->()", target="cuda", writable_args=(0,))(lambda x, y: None)
    with pytest.raises(TypeError, match="Unrecognized options"):
        vectorize(["float32(float32)"], target="cuda", nonsense=1)(lambda x: x)
    with pytest.raises(ValueError, match="Unsupported target: rocm"):
        vectorize(["float32(float32)"], target="rocm")(lambda x: x)


def test_kernels_are_compiled_by_calls():
    @vectorize(["float64(float64)", "int32(int32)"], target="cuda")
    def twice(x):
        return x + x

    assert twice.types == ["d->d", "i->i"]
    kernels = [loop.dispatcher for loop in twice._loops]
    assert [len(kernel.overloads) for kernel in kernels] == [0, 0]
    assert twice(np.arange(3.0)).tolist() == [0, 2, 4]
    assert [len(kernel.overloads) for kernel in kernels] == [1, 0]


# A number comes in place of a contiguous array: lib/passes/gpu/map_grid_numbers.c.
@pytest.mark.parametrize("code", ["?", "b", "h", "i", "q", "B", "Q", "e", "f", "d", "F", "D"])
@pytest.mark.parametrize("count", [1, 5, 4097])
def test_numbers_take_the_kernel_of_arrays(code, count):
    name = {"?": "boolean", "e": "float16"}.get(code, np.dtype(code).name)

    def choose(x, y):
        return x if x != y else y

    function = vectorize([f"{name}({name}, {name})"], target="cuda")(choose)
    x, y = (np.arange(count) % 7 * (3 if np.dtype(code).kind != "c" else 3 + 1j)).astype(code), np.ones(count, code)
    number = np.array([-3 if code in "bhiqefd" else 3])[0].astype(code) * np.dtype(code).type(1j if code in "FD" else 1)
    one = cuda.to_device(np.array([number])).reshape(())
    for a, b in [(x, y), (number, y), (x, number), (x, one), (one, y), (x[::-1], number)]:
        given = [cuda.to_device(v) if isinstance(v, np.ndarray) and v.ndim else v for v in (a, b)]
        wanted = np.broadcast_to(number if a is one else a, count)
        np.testing.assert_array_equal(function(*given).copy_to_host(), wanted)
        if a is x and b is number:
            assert len(function._loops[0].dispatcher.overloads) == 1
    rows = cuda.to_device(np.broadcast_to(x, (3, count)).copy())[:, ::1]
    np.testing.assert_array_equal(function(rows, number).copy_to_host(), np.broadcast_to(x, (3, count)))


def test_numbers_beside_broadcast_arrays_and_masks():
    @vectorize(["complex128(complex128, complex128, complex128)"], target="cuda")
    def add(x, y, z):
        return x + y * z

    x, y = np.arange(12.0).reshape(3, 4) + 1j, np.arange(4) * 2j
    for z in (2 - 3j, 2, np.complex64(1 + 2j)):
        np.testing.assert_array_equal(add(cuda.to_device(x), cuda.to_device(y), z).copy_to_host(), x + y * z)
        out = cuda.to_device(np.zeros((3, 4), complex))
        add(cuda.to_device(x), z, z, out=out, where=cuda.to_device(x.real % 2 == 0))
        np.testing.assert_array_equal(out.copy_to_host(), np.where(x.real % 2 == 0, x + z * np.complex128(z), 0))


# A body that costs much is in a loop over groups of points (lib/passes/gpu/map_grid_bodies.c).
@pytest.mark.parametrize("number", ["f2", "f4", "f8", "c8"])
@pytest.mark.parametrize("count", [1, 127, 2047, 2048, 2049, 6143, 70_001])
def test_costly_functions(count, number):
    def costly(x, shift):
        return np.exp(np.sin(x)) + np.cos(x) * shift

    code = {"f2": "float16", "f4": "float32", "f8": "float64", "c8": "complex64"}[number]
    function = vectorize([f"{code}({code}, {code})"], target="cuda")(costly)
    x = np.linspace(-3, 3, count).astype(number)
    tolerance = {"rtol": 2e-2 if number == "f2" else 2e-5, "atol": 1e-3 if number == "f2" else 1e-5}
    wanted = np.exp(np.sin(x)) + np.cos(x) * 2
    for start in (0, 1):
        device, out = cuda.to_device(x), cuda.to_device(np.full(count, 77, number))
        function(device[start:], np.dtype(number).type(2), out=out[start:])
        np.testing.assert_allclose(out.copy_to_host()[start:], wanted[start:], **tolerance)
        assert not start or out.copy_to_host()[0] == 77
    function(device, np.dtype(number).type(2), out=device)
    np.testing.assert_allclose(device.copy_to_host(), wanted, **tolerance)
    rows = np.ones((3, 1), number) * x
    np.testing.assert_allclose(
        function(rows[:, ::-1], x[::-1] * 0 + 2), np.broadcast_to(wanted[::-1], rows.shape), **tolerance
    )


# ------------------------------------------------------------------------------------------------
# Reductions

total = cuda.reduce(lambda a, b: a + b)


@given(st.integers(1, 2000), st.sampled_from(DTYPES[1:]), st.booleans(), st.sampled_from([1, 2, -1]))
@QUICK
def test_reductions(n, dtype, there, step):
    x = (np.arange(n * abs(step)) % 5).astype(dtype)[::step]
    given = device_view(x) if there else x
    expected = np.add.reduce(x, dtype=x.dtype)
    result = total(given)
    assert result == expected and result.dtype == x.dtype
    largest = cuda.Reduce(lambda a, b: a if abs(a) > abs(b) else b)
    assert abs(largest(given, init=x[0])) == abs(x).max()


def test_large_reductions():
    x = np.random.default_rng(1).random(300_001)
    assert total(x) == pytest.approx(x.sum(), rel=1e-12)
    assert on_device.reduce(cuda.to_device(x)) == pytest.approx(x.sum(), rel=1e-12)


def test_reduce_takes_init_size_res_and_stream():
    x = cuda.to_device(np.arange(10))
    assert total(x, init=100) == 145
    assert total(x, size=4) == 6
    assert total(x, size=0, init=7) == 7 and total(np.zeros(0)) == 0
    res = cuda.device_array(3, np.int64)
    stream = cuda.stream()
    assert total(x, res=res, stream=stream) is None
    stream.synchronize()
    assert res[0] == 45
    np.testing.assert_array_equal(x.copy_to_host(), np.arange(10))


@pytest.mark.parametrize(
    ("dtype", "init", "message"),
    [
        (np.int64, np.array([1, 2]), "not an array of shape"),
        (np.int64, 1.5, "init is 1.5, which is no int64"),
        (np.int64, float("nan"), "init is nan, which is no int64"),
        (np.int64, "x", "init is 'x', which is no int64"),
        (np.int64, None, "init is None"),
        (np.float64, 1j, "which is no float64"),
        (np.bool_, 2, "init is 2, which is no bool"),
        ("M8[s]", 0, "begins with a datetime"),
        ("m8[s]", np.datetime64(1, "s"), "which is no timedelta64"),
    ],
)
def test_reduce_refuses_other_values_to_begin_with(dtype, init, message):
    with pytest.raises(TypeError, match=message):
        total(np.zeros(3).astype(dtype), init=init)


def test_reduce_converts_the_value_to_begin_with():
    largest = cuda.Reduce(lambda a, b: a if a > b else b)
    times = np.arange(5).astype("M8[s]")
    assert total(np.arange(5), init=2.0) == 12 and total(np.arange(5), init=np.array(2)) == 12
    assert total(np.ones(2, np.float32), init=0.1) == np.float32(0.1) + 2
    assert total(np.arange(5).astype("m8[s]"), init=np.timedelta64(1, "m")) == np.timedelta64(70, "s")
    assert total(np.arange(5).astype("m8[s]")) == np.timedelta64(10, "s")
    assert largest(times, init=np.datetime64(1, "m")) == np.datetime64(60, "s")
    assert largest(times, init=times[0]) == times[-1]
    with pytest.raises(OverflowError):
        total(np.zeros(3, np.int8), init=300)


def test_masks_are_not_ignored():
    masked = np.ma.array([1.0, 2.0], mask=[0, 1])
    for call in (
        lambda: on_device(masked, 1.0),
        lambda: on_device(cuda.to_device(np.ones(2)), masked),
        lambda: on_device([1.0, 2.0], 1.0, out=masked),
        lambda: on_device([1.0, 2.0], 1.0, where=np.ma.array([True, True], mask=[0, 1])),
        lambda: on_device.reduce(masked),
        lambda: total(masked),
    ):
        with pytest.raises(TypeError, match="its mask would be ignored"):
            call()


def test_reduce_refuses_what_it_cannot_do():
    with pytest.raises(TypeError, match="only support 1D array"):
        total(np.ones((2, 2)))
    with pytest.raises(ValueError, match="size is 4, of an array with 3 elements"):
        total(np.ones(3), size=4)
    with pytest.raises(TypeError, match="res is a one-dimensional device array of float64"):
        total(np.ones(3), res=cuda.device_array(1, np.int32))
    with pytest.raises(TypeError, match="function of two arguments"):
        cuda.reduce(3)
    with pytest.raises(ValueError, match="reduce only supported for binary functions"):
        saxpy32.reduce(np.ones(3, np.float32))
    with pytest.raises(ValueError, match="zero-size array to reduction operation add which has no identity"):
        on_device.reduce(np.zeros(0))


def test_reductions_of_ufuncs():
    product = vectorize(["int64(int64, int64)"], target="cuda", identity=1)(lambda a, b: a * b)
    assert product.reduce(np.arange(1, 11)) == math.factorial(10)
    assert product.reduce(cuda.to_device(np.arange(1, 11, dtype=np.int8))) == math.factorial(10)
    assert product.reduce(np.zeros(0, np.int64)) == 1


# ------------------------------------------------------------------------------------------------
# Programs

SQRT_2PI = np.float32((2 * math.pi) ** 0.5)


@cuda.jit(device=True)
def polar_to_cartesian(rho, theta):
    return rho * math.cos(theta), rho * math.sin(theta)


@vectorize(["float32(float32, float32, float32, float32)"], target="cuda")
def polar_distance(rho1, theta1, rho2, theta2):
    x1, y1 = polar_to_cartesian(rho1, theta1)
    x2, y2 = polar_to_cartesian(rho2, theta2)
    return ((x1 - x2) ** 2 + (y1 - y2) ** 2) ** 0.5


@vectorize(["float32(float32, float32, float32)"], target="cuda")
def gaussian_pdf(x, mean, sigma):
    """Compute the value of a Gaussian probability density function at x with given mean and sigma."""
    return math.exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * SQRT_2PI)


@vectorize(["float32(float32, float32, float32)"], target="cuda")
def make_pulses(i, period, amplitude):
    return max(math.sin(i / period) - 0.3, 0.0) * amplitude


@vectorize(["int16(int16, int16)"], target="cuda")
def zero_suppress(waveform_value, threshold):
    if waveform_value < threshold:
        result = 0
    else:
        result = waveform_value
    return result


@guvectorize(["(float32[:], float32[:])"], "(i)->()", target="cuda")
def l2_norm(vec, out):
    acc = 0.0
    for value in vec:
        acc += value**2
    out[0] = math.sqrt(acc)


def test_gaussian_pdf():
    x = np.random.default_rng(2).uniform(-3, 3, 10_000).astype(np.float32)
    expected = np.exp(-0.5 * x.astype("f8") ** 2) / math.sqrt(2 * math.pi)
    np.testing.assert_allclose(gaussian_pdf(x, np.float32(0.0), np.float32(1.0)), expected, rtol=1e-6)
    np.testing.assert_allclose(gaussian_pdf(x[0], 0.0, 1.0), expected[:1], rtol=1e-6)
    assert gaussian_pdf.__doc__.startswith("Compute")


def test_polar_distance_calls_a_device_function():
    rng = np.random.default_rng(3)
    rho1, rho2 = rng.uniform(0.5, 1.5, (2, 1000)).astype(np.float32)
    theta1, theta2 = rng.uniform(-np.pi, np.pi, (2, 1000)).astype(np.float32)
    expected = abs(rho1 * np.exp(1j * theta1) - rho2 * np.exp(1j * theta2))
    np.testing.assert_allclose(polar_distance(rho1, theta1, rho2, theta2), expected, rtol=1e-4, atol=1e-6)


def test_zero_suppress():
    wave = (np.sin(np.arange(1000)) * 300).astype(np.int16)
    result = zero_suppress(wave, 15)
    assert result.dtype == np.int16
    np.testing.assert_array_equal(result, np.where(wave < 15, 0, wave))


def test_pulses_and_noise_with_one_copy_in_and_one_out():
    n = 1000
    noise, t, period = np.ones(n, np.float32), np.arange(n, dtype=np.float32), n / 23
    add_ufunc = vectorize(["float32(float32, float32)"], target="cuda")(add)
    t_device, noise_device, out_device = cuda.to_device(t), cuda.to_device(noise), cuda.device_array(n, np.float32)
    pulses = make_pulses(t_device, period, 100.0, out=out_device)
    waveform = add_ufunc(pulses, noise_device, out=out_device)
    assert pulses is out_device and waveform is out_device
    expected = np.maximum(np.sin(t / period) - 0.3, 0) * 100 + noise
    np.testing.assert_allclose(out_device.copy_to_host(), expected, rtol=1e-4, atol=1e-4)


def test_hidden_layer():
    n = 5000
    rng = np.random.default_rng(4)
    greyscales = np.floor(rng.uniform(0, 255, n)).astype(np.float32)
    weights = rng.normal(0.5, 0.1, n).astype(np.float32)
    exp = math.exp
    normalize = vectorize(["float32(float32)"], target="cuda")(lambda grayscales: grayscales / 255.0)
    weigh = vectorize(["float32(float32, float32)"], target="cuda")(lambda values, weights: values * weights)

    @vectorize(["float32(float32)"], target="cuda")
    def activate(values):
        return (exp(values) - exp(-values)) / (exp(values) + exp(-values))

    activated = activate(weigh(normalize(cuda.to_device(greyscales)), cuda.to_device(weights))).copy_to_host()
    np.testing.assert_allclose(activated, np.tanh(greyscales / 255 * weights), rtol=1e-5, atol=1e-7)


def test_l2_norm_of_float64_coordinates():
    angles = np.random.default_rng(5).uniform(-np.pi, np.pi, 10)
    coords = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    result = l2_norm(coords)
    assert result.dtype == np.float32
    np.testing.assert_allclose(result, np.ones(10), rtol=1e-6)
    device = l2_norm(cuda.to_device(coords))
    np.testing.assert_allclose(device.copy_to_host(), np.ones(10), rtol=1e-6)


def test_batched_matmul():
    a = np.arange(1000 * 2 * 4, dtype=np.float32).reshape(1000, 2, 4) % 13
    b = np.arange(1000 * 4 * 5, dtype=np.float32).reshape(1000, 4, 5) % 11
    np.testing.assert_array_equal(matmul32(a, b), a @ b)


# ------------------------------------------------------------------------------------------------
# Code


@pytest.mark.parametrize("cc", [(7, 5), (9, 0), (10, 0)])
def test_contiguous_operands_are_accessed_by_16_bytes(cc):
    ptx = saxpy32.inspect_ptx("f[C1f[C1f[C1f", cc=cc)
    assert f".target sm_{cc[0]}{cc[1]}" in ptx
    # A thread has two groups of four points; no cache keeps what is read once.
    assert ptx.count("ld.global.cs.v4.b32") == 4 and ptx.count("st.global.cs.v4.b32") == 2


@pytest.mark.parametrize("cc", [(7, 5), (9, 0), (10, 0)])
def test_every_kernel_compiles_for_gpus(cc):
    assert "div.u32" in saxpy32.inspect_ptx("[A2f[A2f[A2f[A2f", cc=cc)
    assert ".entry matmul" in matmul32.inspect_ptx(cc=cc)
    for loop in range(on_device.ntypes):
        assert ".entry add" in on_device.inspect_ptx(loop=loop, cc=cc)


def test_pickles():
    assert pickle.loads(pickle.dumps(gaussian_pdf)) is gaussian_pdf
    factor = np.float32(3)
    scaled = vectorize(["float32(float32)"], target="cuda")(lambda x: x * factor)
    copy = pickle.loads(pickle.dumps(scaled))
    np.testing.assert_array_equal(copy(np.arange(4, dtype=np.float32)), 3 * np.arange(4))
    rows = pickle.loads(pickle.dumps(guvectorize("(n)->()", target="cuda")(l2_norm.py_func)))
    np.testing.assert_allclose(rows(np.ones((2, 4))), [2, 2])


def test_repr_and_attributes():
    assert repr(saxpy32) == "<cuda ufunc 'saxpy'>"
    assert (saxpy32.nin, saxpy32.nout, saxpy32.nargs, saxpy32.signature) == (3, 1, 4, None)
    assert matmul32.signature == "(m,n),(n,p)->(m,p)" and saxpy32.types == ["fff->f"]
