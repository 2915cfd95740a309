"""``njit(target="cuda")``: products, scans, masks, stores by indices and sorts, which kernels of the library do."""

import numpy as np
import pyarray
import pytest
from pyarray import cuda
from test_cuda_cufft import STAND_INS, needs_stand_ins
from test_cuda_whole_arrays import check, copied

pytestmark = pytest.mark.real

RNG = np.random.default_rng(25)
X = RNG.normal(size=5000)
F = RNG.normal(size=(70, 90)).astype(np.float32)
K = RNG.integers(-40, 40, size=5000).astype(np.int32)
T = RNG.normal(size=(3, 130, 5))
NANS = np.where(X > 1, np.nan, np.round(X))


def host_copies(compiled):
    """How often the host works on a copy of an array of the device."""
    return sum(compiled.inspect_mlir("optimized", s).count("_intrinsics.to_host") for s in compiled.signatures)


def store(a, i, v):
    a[i] = v
    return a


def store_two(a, i, j, v):
    a[i, j] = v
    return a


def mask_store(a, m, v):
    a[m] = v
    return a


def accumulate_into(a, out):
    np.cumsum(a, out=out)
    return out


def in_place(a):
    np.cumsum(a, out=a)
    return a


def shifted(a):
    np.cumsum(a[:-1], out=a[1:])
    return a


def sorted_in_place(a):
    a.sort()
    return a


def both_orders(a):
    return np.sort(a), np.argsort(a, kind="stable")


def masked_sum(a):
    return a[a > 0].sum(), np.count_nonzero(a > 1)


# Programs of which nothing is the host's but the control flow.
ON_DEVICE = [
    (np.cumsum, X), (np.cumsum, K), (np.cumsum, np.abs(F)), (np.cumsum, X[::-2]), (np.cumsum, np.zeros(0)),
    (np.cumsum, X > 0), (np.cumsum, np.full(100, -0.0)), (np.cumprod, 1 + X / 5000),
    (lambda a: np.cumsum(a, axis=0), F), (lambda a: np.cumsum(a, axis=1), F), (lambda a: np.cumsum(a, axis=1), T),
    (lambda a: np.cumsum(a, axis=-3), T), (lambda a: np.cumsum(a.T, axis=0), F), (lambda a: a.cumsum(axis=1), F.T),
    (lambda a: np.cumsum(a, dtype=np.float64), F), (lambda a: np.maximum.accumulate(a, axis=1), T),
    (np.minimum.accumulate, K), (np.maximum.accumulate, NANS), (lambda a: np.cumsum(a, axis=0), np.ones((0, 4))),
    (lambda a: np.cumsum(a, axis=1), np.ones((3, 0))), (lambda a: np.add.accumulate(a, axis=1), F),
    (accumulate_into, X, np.zeros(5000)), (accumulate_into, X, np.zeros((5000, 2))[:, 1]), (in_place, X), (shifted, X),
    (lambda a: np.cumsum(a, axis=0), np.ones((4000, 3))), (np.cumsum, np.ones(2000, np.float16)),
    (lambda a: a[a > 0.5], X), (lambda a: a[a > 0.5], F), (lambda a: a[a > 100], X), (lambda a: a[a < 100], F),
    (lambda a: a[a > 0.5], F.T), (lambda a: a[::2][a[::2] > 0], X), (lambda a, m: a[m], X, K > 0),
    (lambda a, m: a[m], RNG.normal(size=5000) + 1j, K > 0), (lambda a, m: a[m], np.zeros(0), np.zeros(0, bool)),
    (masked_sum, X), (np.flatnonzero, K), (lambda a: np.nonzero(a), K), (lambda a: np.nonzero(a > 0), T),
    (lambda a: np.where(a > 1), F), (lambda a: np.argwhere(a > 1), F), (lambda a, m: a[m, 1], F, F[:, 0] > 0),
    (mask_store, X, K > 0, 2.5), (mask_store, F, F > 0, np.float32(1)),
    (mask_store, X, K > 0, np.arange((K > 0).sum())),
    (mask_store, X, K > 100, np.zeros(0)), (mask_store, X, K > 0, np.array([7.0])), (mask_store, K, X > 0, 3),
    (mask_store, F.T, F.T > 0, 0), (mask_store, F, F > 0, X[: (F > 0).sum()][::-1].astype(np.float32)),
    (store, X, np.array([3, -1, 3, 77]), np.array([1.0, 2, 3, 4])), (store, X, np.arange(50).reshape(5, 10), 1.5),
    (store, F, np.array([3, -1, 3]), RNG.normal(size=(3, 90)).astype(np.float32)), (store, F, np.array([1, 2]), 0),
    (store, F.T, np.array([3, -1, 3]), np.float32(4)), (store, X, np.zeros(0, np.int64), 1.0),
    (store, K, K[:300] % 50, np.arange(300)), (store_two, F, np.array([1, 1, 2]), np.array([5, 5, -1]), np.arange(3.0)),
    (store_two, F, np.array([[1], [3]]), np.array([5, 7, -1]), np.arange(6.0).reshape(2, 3)),
    (store_two, T, np.array([1, 0]), 3, np.ones(5)),
    (both_orders, X), (both_orders, K), (both_orders, NANS), (both_orders, X[:300]), (both_orders, K[:2048]),
    (both_orders, NANS[:200].astype(np.float32)), (both_orders, K.astype(np.int8)), (both_orders, X.astype(np.float16)),
    (both_orders, K.astype(np.uint16)), (both_orders, K.astype(np.int64) << 40), (both_orders, X[::-3]),
    (both_orders, np.zeros(0)), (both_orders, np.ones(1)), (both_orders, K > 0), (both_orders, np.tile([0.0, -0.0], 9)),
    (lambda a: np.sort(a, axis=0), F), (lambda a: np.sort(a, axis=1), F), (lambda a: np.argsort(a, axis=1), T),
    (lambda a: np.sort(a, axis=1), RNG.normal(size=(3, 3000))),
    (lambda a: np.argsort(a, axis=1, kind="stable"), RNG.integers(0, 9, size=(5, 2500))),
    (lambda a: np.sort(a, axis=None), F), (sorted_in_place, X), (sorted_in_place, F), (sorted_in_place, F.T),
    (np.unique, K), (np.unique, NANS), (np.unique, F), (lambda a: np.unique(a, return_counts=True), K),
    (lambda a: np.unique(a, return_index=True, return_inverse=True, return_counts=True), K), (np.unique, np.zeros(0)),
    (np.bincount, K + 40), (np.bincount, K * 100 + 4000),
    (lambda a: np.bincount(a, minlength=200), K + 40), (np.bincount, np.zeros(0, np.int64)),
    (lambda a: np.histogram(a, 10)[0], X), (lambda a: np.histogram(a, 100)[0], F), (lambda a: np.histogram(a, 7)[0], K),
    (lambda a: np.histogram(a, 10, (-1, 1))[0], X),
    (np.tril, F), (np.triu, F), (lambda a: np.tril(a, 3), T), (lambda a: np.triu(a, -2), F.T), (np.tril, F > 0),
    (lambda a: np.eye(len(a), 20, -3) + np.tri(len(a), 20, 2, np.float32), F), (np.diag, X[:50]),
    (lambda a: (np.diag(a, 2), np.diag(a, -3)), K[:20]), (lambda a: np.triu(a, 200), F), (np.tril, np.zeros((0, 3))),
]  # fmt: skip


def called(function):
    """What is compiled: a function of NumPy is none of Python's."""
    if not isinstance(function, np.ufunc) and getattr(function, "__code__", None) and function.__module__ == __name__:
        return function
    return lambda a: function(a)


@pytest.mark.parametrize("number", range(len(ON_DEVICE)))
def test_on_the_device(number):
    function, *arguments = ON_DEVICE[number]
    function = called(function)
    own, other = [copied(a) for a in arguments], [copied(a) for a in arguments]
    expected = function(*other)
    compiled = pyarray.njit(target="cuda")(function)
    check(compiled(*own), expected)
    check(tuple(own), tuple(other))
    assert not host_copies(compiled)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.float16, np.int64, np.bool_])
@pytest.mark.parametrize("shapes", [((70, 90), (90, 40)), ((4, 30, 20), (4, 20, 30)), ((2, 3, 20, 20), (20, 20)),
                                    ((300, 20), (20,)), ((20,), (20, 300)), ((2, 1, 30, 20), (3, 20, 10)),
                                    ((0, 20), (20, 30)), ((30, 0), (0, 30))])  # fmt: skip
def test_products(dtype, shapes):
    a, b = ((RNG.normal(size=shape) * 3).astype(dtype) for shape in shapes)
    compiled = pyarray.njit(target="cuda")(lambda a, b: a @ b)
    tolerance = 3e-2 if dtype is np.float16 else 1e-4
    got = compiled(a, b)
    assert got.dtype == dtype
    np.testing.assert_allclose(got, a @ b, rtol=tolerance, atol=tolerance)
    if a.ndim == b.ndim == 2 and a.size:
        turned = pyarray.njit(target="cuda")(lambda a, b: (b.T @ a.T, np.dot(a[::2], b), a[:, ::2] @ b[::2]))
        for one, other in zip(turned(a, b), (b.T @ a.T, a[::2] @ b, a[:, ::2] @ b[::2])):
            np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)


BY_CUBLAS = """
import fake_blas
import numpy as np
from pyarray import cuda, njit

multiply = njit(target="cuda", cache=False)(lambda a, b: a @ b)
turned = njit(target="cuda", cache=False)(lambda a, b: b.T @ a.T)
rng = np.random.default_rng(0)
for char in "fdFD":
    for shapes in [((20, 30), (30, 40)), ((3, 20, 30), (3, 30, 40)), ((200, 30), (30,)), ((30,), (30, 200)),
                   ((2, 3, 20, 20), (20, 20)), ((2, 1, 20, 30), (4, 30, 10))]:
        a, b = (rng.normal(size=shape).astype(char) for shape in shapes)
        before = len(fake_blas.calls)
        got = multiply(cuda.to_device(a), cuda.to_device(b)).copy_to_host()
        assert len(fake_blas.calls) > before, shapes
        np.testing.assert_allclose(got, a @ b, rtol=1e-4, atol=1e-5)
    a, b = rng.normal(size=(20, 30)).astype(char), rng.normal(size=(30, 40)).astype(char)
    np.testing.assert_allclose(turned(cuda.to_device(a), b).copy_to_host(), (a @ b).T, rtol=1e-4, atol=1e-5)
print("done")
"""


@needs_stand_ins
def test_products_go_to_cublas_without_python(run):
    assert "done" in run(BY_CUBLAS, **STAND_INS)


def test_errors_are_numpys():
    compiled = pyarray.njit(target="cuda")(store)
    with pytest.raises(IndexError, match="index 70 is out of bounds for axis 0 with size 70"):
        compiled(F.copy(), np.array([1, 70, 80]), 1)
    with pytest.raises(IndexError, match="index -5001 is out of bounds for axis 0 with size 5000"):
        compiled(X.copy(), np.array([1, -5001]), 1.0)
    with pytest.raises(ValueError, match=r"shape mismatch: value array of shape \(3,\)"):
        compiled(X.copy(), np.array([1, 2]), np.ones(3))
    compiled = pyarray.njit(target="cuda")(mask_store)
    with pytest.raises(ValueError, match="cannot assign 3 input values to the 5 output values"):
        compiled(X.copy(), np.arange(5000) < 5, np.ones(3))
    with pytest.raises(IndexError, match="boolean index did not match"):
        pyarray.njit(target="cuda")(lambda a, m: a[m])(X, np.ones(4, bool))
    with pytest.raises(np.exceptions.AxisError):
        pyarray.njit(target="cuda")(lambda a: np.cumsum(a, axis=2))(F)
    with pytest.raises(ValueError, match="must have no negative elements"):
        pyarray.njit(target="cuda")(np_bincount)(K)


def np_bincount(a):
    return np.bincount(a)


def test_what_goes_over_elements_is_the_hosts_with_all_that_it_calls():
    def mixed(a):
        total = 0.0
        for i in range(len(a)):
            total += np.cumsum(a)[i] + np.sort(a)[i]
        return total

    def by_host_and_device(a):
        return mixed_jitted(a), np.cumsum(a), np.sort(a)

    mixed_jitted = pyarray.njit(mixed)
    a = X[:20].copy()
    check(pyarray.njit(target="cuda")(by_host_and_device)(a), (mixed(a), np.cumsum(a), np.sort(a)))


def test_totals_have_the_same_bits_each_time():
    compiled = pyarray.njit(target="cuda")(lambda a: np.cumsum(a))
    many = RNG.normal(size=300_000).astype(np.float32)
    first = compiled(many)
    for _ in range(3):
        assert (compiled(cuda.to_device(many)).copy_to_host() == first).all()


def test_levels_show_launches_of_the_library():
    compiled = pyarray.njit(target="cuda")(lambda a: np.cumsum(a))
    compiled(X)
    text = compiled.inspect_mlir("optimized", compiled.signatures[0])
    assert "pyarray.launch @device.kernels.scan_parts" in text and " sized" in text
    assert "device_product" in inspected_product()


def inspected_product():
    compiled = pyarray.njit(target="cuda")(lambda a, b: a @ b)
    compiled(F, F.T.copy())
    return compiled.inspect_mlir("optimized", compiled.signatures[0])
