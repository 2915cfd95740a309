"""Methods of a GPU's ufuncs, against those of the ufuncs for the CPU."""

import itertools

import numpy as np
import pytest
from pyarray import cuda, types, vectorize

pytestmark = pytest.mark.real

PAIRS = [f"{name}({name},{name})" for name in ("int16", "int64", "float32", "float64", "complex128")]


def plus(a, b):
    return a + b


plus_gpu, plus_cpu = (vectorize(PAIRS, target=target, identity=0)(plus) for target in ("cuda", "cpu"))
plain_gpu, plain_cpu = (vectorize(PAIRS, target=target)(plus) for target in ("cuda", "cpu"))
largest_gpu, largest_cpu = (
    vectorize(["float64(float64,float64)"], target=target, identity="reorderable")(lambda a, b: a if a > b else b)
    for target in ("cuda", "cpu")
)

X = (np.arange(24) * 7 % 11).reshape(2, 3, 4)
VIEWS = {
    "C": lambda x: x,
    "F": lambda x: np.asfortranarray(x),
    "backwards": lambda x: x[:, ::-1],
    "transposed": lambda x: x.transpose(2, 0, 1),
    "strided": lambda x: x[:, :, ::2],
}
AXES = [0, 1, 2, -1, (0, 1), (0, 2), (2, 1), None, ()]


def same(result, expected):
    """Equal in dtype, shape and elements."""
    result = result.copy_to_host() if isinstance(result, cuda.DeviceNDArray) else np.asarray(result)
    assert result.dtype == expected.dtype and result.shape == np.shape(expected)
    np.testing.assert_array_equal(result, expected)


def there(x):
    """``x`` on the device, as a view with the same strides where these are not negative."""
    base = x if x.base is None else x.base
    if not isinstance(base, np.ndarray) or any(stride < 0 for stride in x.strides) or base.size == x.size:
        return cuda.to_device(x)
    device = cuda.to_device(base)
    address = device.__cuda_array_interface__["data"][0] + x.ctypes.data - base.ctypes.data
    return cuda.DeviceNDArray(x.shape, x.strides, x.dtype, None, device, address)


def message_of(call, function):
    with pytest.raises(Exception) as caught:  # noqa: PT011  (which one is compared)
        call(function)
    return type(caught.value), str(caught.value).strip()


# ------------------------------------------------------------------------------------------------
# reduce


@pytest.mark.parametrize(
    ("dtype", "view"),
    [(dtype, "C") for dtype in ("i2", "i8", "f4", "f8", "c16")] + [("f8", view) for view in VIEWS][1:],
)
@pytest.mark.parametrize("axis", AXES, ids=str)
def test_axes_and_keywords_of_reduce(dtype, view, axis):
    x = VIEWS[view](X.astype(dtype))
    mask = x.real % 2 == 0
    keywords = [
        {},
        {"initial": 3},
        {"initial": None},
        {"where": mask},
        {"initial": 2, "where": mask[:1]},
        {"where": False},
    ]
    for keepdims, more in itertools.product([False, True], keywords):
        expected = plus_cpu.reduce(x, axis=axis, keepdims=keepdims, **more)
        same(plus_gpu.reduce(there(x), axis=axis, keepdims=keepdims, **more), expected)
        same(plus_gpu.reduce(x, axis=axis, keepdims=keepdims, **more), expected)


@pytest.mark.parametrize("axis", AXES, ids=str)
@pytest.mark.parametrize("keepdims", [False, True])
def test_reduce_to_outputs(axis, keepdims):
    x = X.astype("f4")
    for dtype in ("f4", "f8"):
        expected = plus_cpu.reduce(
            x, axis=axis, keepdims=keepdims, out=np.zeros_like(plus_cpu.reduce(x, axis=axis, keepdims=keepdims), dtype)
        )
        for given in (np.zeros_like(expected), cuda.to_device(np.zeros_like(expected))):
            assert plus_gpu.reduce(there(x), axis=axis, keepdims=keepdims, out=given) is given
            same(given, np.asarray(expected))


def test_reduce_of_views_on_the_device():
    x = X.astype("f8")
    device = cuda.to_device(x)
    same(plus_gpu.reduce(device[:, 1:, ::2], axis=1), plus_cpu.reduce(x[:, 1:, ::2], axis=1))
    same(plus_gpu.reduce(device.T, axis=(0, 2)), plus_cpu.reduce(x.T, axis=(0, 2)))
    same(plus_gpu.reduce(device, axis=0, dtype="c16"), plus_cpu.reduce(x, axis=0, dtype="c16"))


def test_device_arrays_stay_there():
    device = cuda.to_device(X.astype("f8"))
    assert isinstance(plus_gpu.reduce(device), cuda.DeviceNDArray)
    assert isinstance(plus_gpu.reduce(device, axis=None, keepdims=True), cuda.DeviceNDArray)
    assert isinstance(plus_gpu.reduce(device, axis=None), np.float64)
    assert isinstance(plus_gpu.reduce(X.astype("f8")), np.ndarray)


@pytest.mark.parametrize("shape", [(3, 100_000), (3, 99_999), (100_000, 3), (1, 40_001), (40_001,), (0, 5), (5, 0)])
def test_long_lines_are_split(shape):
    x = np.arange(np.prod(shape)).reshape(shape) % 1009
    for axis in (*range(len(shape)), None):
        for more in ({}, {"initial": 7}, {"where": x % 3 == 1}, {"where": x < 0, "initial": 5}):
            same(plus_gpu.reduce(there(x), axis=axis, **more), plus_cpu.reduce(x, axis=axis, **more))


def test_reductions_without_identity():
    x = X.astype("f8") - 20
    for axis in AXES:
        same(largest_gpu.reduce(there(x), axis=axis), largest_cpu.reduce(x, axis=axis))
        same(
            largest_gpu.reduce(x, axis=axis, initial=-9.5, where=x < -15),
            largest_cpu.reduce(x, axis=axis, initial=-9.5, where=x < -15),
        )


def test_reduce_of_no_dimensions():
    for value in (5.0, np.array(5.0)):
        same(plus_gpu.reduce(value), np.asarray(plus_cpu.reduce(value)))
        same(plus_gpu.reduce(value, initial=2), np.asarray(plus_cpu.reduce(value, initial=2)))


@pytest.mark.parametrize(
    "call",
    [
        lambda f: f.reduce(X, axis=3),
        lambda f: f.reduce(X, axis=-4),
        lambda f: f.reduce(X, axis=(0, 0)),
        lambda f: f.reduce(X, axis=(0, 1)),
        lambda f: f.reduce(X, axis=None),
        lambda f: f.reduce(X, axis="a"),
        lambda f: f.reduce(5.0, axis=1),
        lambda f: f.reduce(np.ones((0, 3))),
        lambda f: f.reduce(X, where=X > 0),
        lambda f: f.reduce(X, where=np.ones(5, bool), initial=0),
        lambda f: f.reduce(X, out=(np.ones((3, 4)), 1)),
        lambda f: f.reduce(X, out=[1]),
        lambda f: f.accumulate(X, axis=3),
        lambda f: f.accumulate(X, axis=(0, 1)),
        lambda f: f.accumulate(X, axis=None),
        lambda f: f.accumulate(5.0),
        lambda f: f.reduceat(X, [0, 2]),
        lambda f: f.reduceat(X, [-1]),
        lambda f: f.reduceat(5.0, [0]),
        lambda f: f.outer(X),
    ],
)
def test_errors_are_those_of_the_cpu(call):
    assert message_of(call, plain_gpu) == message_of(call, plain_cpu)


def test_errors_of_ufuncs_that_do_not_reduce():
    one = vectorize(["float64(float64)"], target="cuda")(lambda x: x)
    for method in ("reduce", "accumulate"):
        with pytest.raises(ValueError, match=f"{method} only supported for binary functions"):
            getattr(one, method)(X)
    mixed = vectorize(["float64(float64,int64)"], target="cuda")(lambda a, b: a * b)
    with pytest.raises(TypeError, match="needs a loop whose operands have one type"):
        mixed.reduce(X)
    with pytest.raises(ValueError, match="non-broadcastable output operand with shape .5,. doesn't match"):
        plus_gpu.reduce(X, out=np.zeros(5, "i8"))


# ------------------------------------------------------------------------------------------------
# The other methods


@pytest.mark.parametrize("view", VIEWS)
def test_accumulate(view):
    x = VIEWS[view](X.astype("f8"))
    for axis in (0, 1, 2, -1, (1,)):
        same(plus_gpu.accumulate(there(x), axis=axis), plus_cpu.accumulate(x, axis=axis))
        same(plus_gpu.accumulate(x, axis=axis, dtype="c16"), plus_cpu.accumulate(x, axis=axis, dtype="c16"))
    out = np.zeros_like(x)
    assert plus_gpu.accumulate(x, out=out) is out
    same(out, plus_cpu.accumulate(x))


@pytest.mark.parametrize("view", VIEWS)
def test_reduceat(view):
    x = VIEWS[view](X.astype("f8"))
    for axis in (0, 1, 2):
        for indices in ([0, 1, 0], [1], []):
            expected = plus_cpu.reduceat(x, np.array(indices, int), axis=axis)
            same(plus_gpu.reduceat(there(x), indices, axis=axis), expected)
            same(plus_gpu.reduceat(x, cuda.to_device(np.array(indices, "i4")), axis=axis), expected)


def test_outer():
    x = X.astype("f8")
    for a, b in [(x, x[0]), (x, 2.0), (2.0, x), ([1, 2], [3, 4]), (x[0, 0], np.arange(3))]:
        expected = plus_cpu.outer(a, b)
        same(plus_gpu.outer(a, b), expected)
        if isinstance(a, np.ndarray):
            same(plus_gpu.outer(there(a), b), expected)
    out = cuda.device_array((3, 4, 2))
    assert plus_gpu.outer(there(x[0]), np.ones(2), out=out) is out


def test_at_says_what_to_do():
    with pytest.raises(NotImplementedError, match="plus.at is not supported on a GPU.*cuda.atomic"):
        plus_gpu.at(X, [0], 1)


def test_methods_of_times():
    seconds = types.NPTimedelta("s")
    on_gpu, on_cpu = (vectorize([seconds(seconds, seconds)], target=target)(plus) for target in ("cuda", "cpu"))
    x = np.arange(12).astype("m8[m]").reshape(3, 4)
    x[1, 1] = "NaT"
    for axis in (0, 1):
        same(on_gpu.reduce(there(x), axis=axis), on_cpu.reduce(x, axis=axis))
    same(on_gpu.reduce(x[0]), np.asarray(on_cpu.reduce(x[0])))
    same(on_gpu.accumulate(x), on_cpu.accumulate(x))
