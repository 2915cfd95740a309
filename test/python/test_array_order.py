"""The order of new arrays that are made like others: that of the axes in memory, as NumPy's order="K" has it."""

import numpy as np
import pytest
from compare import expression
from pyarray import cuda, njit


@njit
def makers(a):
    return (
        np.copy(a), np.empty_like(a), np.zeros_like(a), np.ones_like(a), np.full_like(a, 3), np.empty_like(a, np.int8),
        a.astype(np.float32), np.array(a), a.copy(), np.asarray(a),
    )  # fmt: skip


ARRAYS = {
    "line": np.arange(5.0),
    "rows": np.arange(12.0).reshape(3, 4),
    "columns": np.asfortranarray(np.arange(12.0).reshape(3, 4)),
    "transposed": np.ones((3, 8)).T,
    "three": np.arange(24.0).reshape(2, 3, 4),
    "three columns": np.arange(24).reshape(2, 3, 4).T,
    "bytes": np.ones((4, 2), np.uint8).T,
    "empty": np.zeros((0, 3)).T,
}


@pytest.mark.parametrize("name", ARRAYS)
def test_compiled_functions_keep_the_order(name):
    a = ARRAYS[name]
    for got, wanted in zip(makers(a), makers.py_func(a), strict=True):
        assert got.dtype == wanted.dtype and got.shape == wanted.shape
        assert got.strides == wanted.strides or not got.size
    for got in (makers(a)[0], makers(a)[7], makers(a)[8]):
        np.testing.assert_array_equal(got, a)
        assert not np.shares_memory(got, a)


def test_elements_of_copies_that_change():
    @njit
    def f(a):
        b = np.copy(a)
        b[0, 1] = -1
        b.T[0, 0] = -2
        return b, a.copy()

    a = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    b, c = f(a)
    assert b.tolist() == [[-2, -1, 2], [3, 4, 5]] and c.tolist() == a.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert b.flags.f_contiguous and c.flags.c_contiguous


VIEWS = {
    **ARRAYS,
    "every second row": np.zeros((10, 12), order="F")[::2],
    "every second column": np.zeros((10, 12))[:, ::2],
    "axes exchanged": np.zeros((2, 3, 4)).transpose(1, 0, 2),
    "axes turned": np.zeros((2, 3, 4)).transpose(1, 2, 0)[:, ::2],
    "backwards": np.zeros((3, 4), order="F")[::-1],
    "broadcast": np.broadcast_to(np.arange(3.0), (4, 3)),
    "records": np.zeros((4, 6), [("a", "f4"), ("b", "i1")], order="F")[::2],
}


@pytest.mark.parametrize("name", VIEWS)
def test_device_arrays_keep_the_order(name):
    host = VIEWS[name]
    wanted = np.empty_like(host).strides
    for like in (cuda.device_array_like, cuda.pinned_array_like, cuda.mapped_array_like, cuda.to_device):
        got = like(host)
        assert (got.shape, got.dtype) == (host.shape, host.dtype)
        assert got.strides == wanted or not host.size, like
    assert cuda.to_device(host).copy_to_host().strides == wanted or not host.size
    np.testing.assert_array_equal(cuda.to_device(host).copy_to_host(), host)


@pytest.mark.parametrize("view", [lambda a: a[::2], lambda a: a.T, lambda a: a[:, 1:3], lambda a: a.T[::-1]])
@pytest.mark.parametrize("order", ["C", "F"])
def test_views_of_device_arrays_keep_the_order(view, order):
    host = np.array(np.arange(120.0).reshape(10, 12), order=order)
    device = view(cuda.to_device(host))
    wanted = np.empty_like(view(host)).strides
    assert cuda.device_array_like(device).strides == wanted
    assert cuda.pinned_array_like(device).strides == wanted
    assert cuda.mapped_array_like(device).strides == wanted
    assert device.copy_to_host().strides == wanted
    np.testing.assert_array_equal(device.copy_to_host(), view(host))


F = np.asfortranarray(np.arange(12.0).reshape(3, 4))
LIKE_PARTS = ["np.concatenate((a, a))", "np.concatenate([a, a], axis=1)", "np.hstack((a, a))", "np.vstack((a, a))"]
LIKE_PARTS += ["np.append(a, a, axis=0)", "np.cumsum(a, axis=0)", "np.cumprod(a, axis=1)", "np.add.accumulate(a)"]
LIKE_PARTS += ["np.fft.fft(a)", "np.fft.rfft(a, axis=0)", "np.fft.fft2(a)", "np.fft.irfft(a, 3)"]
LIKE_PARTS += ["np.roll(a, 1, axis=0)", "np.fft.fftshift(a)", "np.fft.ifftshift(a, (1,))", "np.delete(a, -1, axis=1)"]
LIKE_PARTS += ["np.concatenate((a, np.ascontiguousarray(a)))", "np.maximum.accumulate(a, axis=1)"]
IN_C_ORDER = ["np.select([a > 3, a > 5], [a, a * 2], 0.5)", "np.select((a > 3, a > 5), (a, a * 2), 0.5)"]
IN_C_ORDER += ["np.choose((a > 4) * 1, (a, a * 2))", "np.choose((a > 4) * 1, [a, a * 2])"]


@pytest.mark.parametrize("text", LIKE_PARTS + IN_C_ORDER)
def test_results_of_arrays_in_fortrans_order(text):
    f = expression(text, "a")
    ours, theirs = f(F), f.py_func(F)
    assert ours.strides == theirs.strides
    np.testing.assert_allclose(ours, theirs, rtol=1e-12)


@pytest.mark.parametrize("text", ["np.reshape(a, (4, 3), copy=True)", "a.reshape(4, 3, copy=True)"])
def test_a_copy_of_what_is_readonly_can_be_stored_to(text):
    a = np.arange(12.0).reshape(3, 4)
    a.flags.writeable = False
    assert expression(text, "a")(a).flags.writeable
