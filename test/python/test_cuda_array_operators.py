"""Operators, methods and NumPy's functions on device arrays: results, and where they are computed."""

import gc
import operator

import numpy as np
import pytest
from pyarray import cuda
from pyarray._pyarray import cuda as native
from pyarray.cuda import _deferred
from test_cuda_cufft import STAND_INS, needs_stand_ins

pytestmark = pytest.mark.real

RNG = np.random.default_rng(25)
A = RNG.uniform(0.1, 2, size=(3, 4))
B = RNG.uniform(0.1, 2, size=(3, 4))
V = np.array([3.0, 1.0, 2.0, 5.0])
S = np.eye(4) * 3 + RNG.uniform(size=(4, 4)) + np.ones((4, 4)).T
S = S + S.T
I = np.array([0, 2, 1])  # noqa: E741
M = A > 1
C = A + 1j * B
Z = np.arange(-6, 6, dtype=np.int32).reshape(3, 4)

PLACES = {"a": A, "b": B, "v": V, "s": S, "i": I, "m": M, "c": C, "z": Z}


def on_host(value):
    if isinstance(value, cuda.DeviceNDArray):
        return value.copy_to_host()
    return tuple(map(on_host, value)) if isinstance(value, (tuple, list)) else value


def check(text, places=None, **tolerance):
    """The text with device arrays is what NumPy has: values, dtypes, shapes; arrays stay on the device."""
    places = PLACES if places is None else places
    device = {name: cuda.to_device(value) for name, value in places.items()}
    host = {name: value.copy() for name, value in places.items()}
    got, expected = eval(text, {"np": np}, device), eval(text, {"np": np}, host)
    compare(got, expected, **tolerance)


def compare(got, expected, rtol=1e-6, is_inside=False):
    if isinstance(expected, (tuple, list)):
        assert len(got) == len(expected)
        for one, other in zip(got, expected, strict=True):
            compare(one, other, rtol)
        return
    if isinstance(expected, np.ndarray) and expected.ndim:
        assert isinstance(got, cuda.DeviceNDArray), type(got)
    assert np.asarray(on_host(got)).dtype == np.asarray(expected).dtype
    np.testing.assert_allclose(on_host(got), expected, rtol=rtol, atol=1e-12)


# ------------------------------------------------------------------------------------------------
# Element by element

BINARY = "+ - * / // % ** < <= > >= == !=".split()
DTYPES = [np.bool_, np.uint8, np.int16, np.int32, np.int64, np.float16, np.float32, np.float64, np.complex64]


def values(dtype, seed=0):
    numbers = np.random.default_rng(seed).integers(1, 5, size=(2, 5))
    return (numbers % 2 == 0) if dtype is np.bool_ else numbers.astype(dtype)


@pytest.mark.parametrize("sign", BINARY)
def test_binary_operators_have_numpys_dtypes(sign):
    operation = eval(f"lambda x, y: x {sign} y")
    place = BINARY.index(sign)
    for i, first in enumerate(DTYPES):
        for j, second in enumerate((*DTYPES, int, float)):
            if (i + 2 * j + place) % 4:
                continue
            x, y = values(first, 1), (second(2) if second in (int, float) else values(second, 2))
            try:
                with np.errstate(all="ignore"):
                    expected, backwards = operation(x, y), operation(y, x)
            except TypeError:
                with pytest.raises(TypeError):
                    operation(cuda.to_device(x), y if np.isscalar(y) else cuda.to_device(y)).copy_to_host()
                continue
            d = cuda.to_device(x)
            e = y if np.isscalar(y) else cuda.to_device(y)
            rtol = 1e-2 if np.float16 in (first, second) or expected.dtype == np.float16 else 1e-5
            compare(operation(d, e), expected, rtol)
            compare(operation(e, d), backwards, rtol)


@pytest.mark.parametrize("text", ["z & 3", "z | z", "z ^ 5", "~z", "z << 2", "z >> 1", "-a", "+a", "abs(z)", "abs(c)",
                                  "~m", "m & (a < 1.5)", "2 - a", "1 / a", "2 ** a", "7 // z[z != 0]", "divmod(a, b)",
                                  "a + np.float32(2)", "np.float64(2) * a", "a + v", "v + a", "a[:, :1] * v",
                                  "a + [1, 2, 3, 4]", "a * np.arange(4)", "np.arange(4) * a"])  # fmt: skip
def test_operators(text):
    check(text)


@pytest.mark.parametrize("name", ["sin", "exp", "sqrt", "log1p", "floor", "isfinite", "sign", "square", "rint", "conj"])
def test_ufuncs_of_one_operand(name):
    for dtype in (np.int32, np.float32, np.float64, np.complex128) if name in ("sin", "exp", "conj") else DTYPES[3:8]:
        x, function = values(dtype), getattr(np, name)
        compare(function(cuda.to_device(x)), function(x), 1e-2 if dtype is np.float16 else 1e-5)


@pytest.mark.parametrize("text", ["np.hypot(a, b)", "np.maximum(a, 1)", "np.add(a, 1, dtype=np.float32)",
                                  "np.arctan2(a, v)", "np.modf(a)", "np.add.reduce(a, axis=1)",
                                  "np.add.reduce(a, axis=0, keepdims=True)", "np.multiply.accumulate(a)",
                                  "np.add.outer(v, v)", "np.minimum.reduce(a)", "np.logaddexp(a, b)",
                                  "np.equal(a, None) if False else a * 1"])  # fmt: skip
def test_ufuncs(text):
    check(text)


def test_unsigned_comparisons_with_numbers_that_do_not_fit():
    x = np.array([1, 200], np.uint8)
    d = cuda.to_device(x)
    assert (d < 300).tolist() == [True, True] and (d > -1).tolist() == [True, True]
    with pytest.raises(OverflowError):
        d + 300


def test_out_and_where():
    d, out = cuda.to_device(A), cuda.to_device(np.zeros_like(A))
    assert np.add(d, 1, out=out) is out
    np.testing.assert_allclose(out.copy_to_host(), A + 1)
    np.multiply(d, 2, out=out, where=d > 1)
    np.testing.assert_allclose(out.copy_to_host(), np.where(A > 1, A * 2, A + 1))
    assert np.sum(d, axis=0, out=out[0]).address == out.address
    np.testing.assert_allclose(out.copy_to_host()[0], A.sum(axis=0))
    with pytest.raises(TypeError, match="same_kind"):
        np.add(d, 1.5, out=cuda.to_device(np.zeros((3, 4), np.int32)))
    with pytest.raises(ValueError, match="broadcast"):
        np.add(d, d, out=out[:2])


def test_in_place():
    for op, other in [(operator.iadd, 1), (operator.imul, B), (operator.itruediv, 3), (operator.ipow, 2)]:
        host, d = A.copy(), cuda.to_device(A)
        view = d[1:]
        expected, got = op(host, other), op(d, cuda.to_device(other) if isinstance(other, np.ndarray) else other)
        assert got is d
        np.testing.assert_allclose(d.copy_to_host(), expected)
        np.testing.assert_allclose(view.copy_to_host(), expected[1:])
    d = cuda.to_device(Z)
    with pytest.raises(TypeError, match="Cannot cast ufunc"):
        d += 1.5
    with pytest.raises(TypeError, match="Cannot cast ufunc"):
        d /= 2
    host = np.arange(10)
    d = cuda.to_device(host)
    d[1:] += d[:-1]
    host[1:] += host[:-1]
    assert d.tolist() == host.tolist()


# ------------------------------------------------------------------------------------------------
# Methods, functions, subscripts


@pytest.mark.parametrize(
    "text",
    """a.sum()|a.sum(axis=0)|a.sum(axis=(0, 1))|a.sum(axis=0, keepdims=True)|a.sum(0)|a.min(axis=1)|a.max()
    a.mean(axis=0)|a.std(axis=1)|a.var()|a.std(ddof=1)|a.prod(axis=0)|m.any()|m.all(axis=0)|m.sum()|a.argmin()
    a.argmax(axis=0)|a.cumsum()|a.cumsum(axis=1)|a.cumprod(axis=0)|a.astype(np.float32)|a.astype('i2')|z.astype(bool)
    a.reshape(4, 3)|a.reshape(-1)|a.T|a.T.reshape(12)|a.ravel()|a.T.ravel()|a.transpose(1, 0)|a.flatten()|a.T.flatten()
    a.round(1)|a.clip(0.5, 1)|a.clip(min=0.5)|a.dot(b.T)|v.dot(v)|a @ b.T|s @ v|v @ s|a[a > 1]|a[i]|a[:, i]|a[i, 1:3]
    a[i, i]|a[..., None]|a[[2, 0]]|v.take(i)|v.repeat(2)|v.argsort()|v.nonzero()|s.trace()|s.diagonal()|a.copy()
    a.swapaxes(0, 1)|c.real|c.imag|c.conj()|a.real|a.T.copy()|z.sum()|z.mean()|(z > 0).sum(axis=1)|a[0]|a[1, 2]
    v.tolist()|v.item(2)|float(a[0, 0])|int(z[1, 1])|bool(m[0, :1])|len(a)|5.0 in v|[x + 1 for x in v]|v.searchsorted(v)
    """.replace("\n", "|").split("|"),
)
def test_methods(text):
    if text.strip():
        check(text.strip())


@pytest.mark.parametrize(
    "text",
    """np.sum(a)|np.sum(a, axis=0)|np.concatenate([a, b])|np.concatenate((a, b), axis=1)|np.stack([a, b])
    np.vstack((a, v))
    np.where(a > 1, a, b)|np.where(m, 0.0, a)|np.dot(v, v)|np.linalg.norm(a)|np.linalg.norm(a, axis=1)|np.sort(a)
    np.sort(a, axis=0)|np.argsort(v)|np.unique(z)|np.fft.fft(v)|np.fft.ifft(v)|np.linalg.solve(s, v)|np.linalg.inv(s)
    np.linalg.det(s)|np.linalg.cholesky(s @ s)|np.linalg.eigvalsh(s)|np.median(a)|np.median(a, axis=0)|np.take(v, i)
    np.nonzero(z)|np.diff(v)|np.einsum('ij,kj->ik', a, b)|np.tensordot(a, b.T, 1)|np.round(a, 2)|np.clip(a, 0.5, 1.5)
    np.searchsorted(np.sort(v), v)|np.broadcast_to(v, (3, 4))|np.tile(v, 2)|np.repeat(v, 2)|np.roll(v, 1)|np.flip(v)
    np.roll(a, 2, axis=1)|np.allclose(a, b)|np.array_equal(a, a)|np.count_nonzero(z)|np.nansum(a)|np.cov(a)|np.trace(s)
    np.diag(v)|np.outer(v, v)|np.interp(v, v, v)|np.percentile(v, 50)|np.ptp(a)|np.average(a)|np.bincount(i)
    np.meshgrid(v, v)|np.expand_dims(v, 0)|np.squeeze(a[None])|np.swapaxes(a, 0, 1)|np.transpose(a)|np.matmul(a, b.T)
    np.vdot(v, v)|np.inner(a, b)|np.split(v, 2)|np.argwhere(a > 1)|np.zeros_like(a)|np.ones_like(z)|np.full_like(a, 2.5)
    np.zeros_like(a, dtype=np.int8)|np.shape(a)|np.ndim(a)|np.size(a)|np.iscomplexobj(c)|np.moveaxis(a, 0, 1)
    np.triu(s)|np.isclose(a, b)|np.real(c)|np.imag(a)|np.angle(c)|np.cumsum(a, axis=0)|np.nan_to_num(a)|np.ravel(a)
    np.hstack([v, v])|np.append(v, 1.0)|np.atleast_2d(v)|np.rot90(a)|np.linalg.matrix_power(s, 2)|np.copy(a.T)
    """.replace("\n", "|").split("|"),
)
def test_functions(text):
    if text.strip():
        check(text.strip())


def test_assignment():
    def assign(a, v, m, i):
        a[1:] = v
        a[m] = -1
        a[i, 0] = 7
        a[:, 1] = 2.5
        a[0, 0] = a[1, 1]
        a[[0, 1]] = a[[1, 0]]
        a[2] = m[2]
        a[m] = a[m] * 2
        return a

    got = assign(*map(cuda.to_device, (A, V, M, I)))
    compare(got, assign(A.copy(), V, M, I))
    d = cuda.to_device(A)
    d[...] = cuda.to_device(Z)
    compare(d, Z.astype(float))
    d.fill(3)
    assert (d == 3).all()
    d = cuda.to_device(V)
    d.sort()
    assert d.tolist() == sorted(V)


def test_orders_of_new_arrays():
    f, s = np.asfortranarray(A), A[::2, ::2]
    d, strided = cuda.to_device(f), cuda.to_device(A)[::2, ::2]
    for make in (np.zeros_like, np.empty_like, lambda x: np.full_like(x, 2), np.copy, lambda x: x * 2):
        assert make(d).strides == make(f).strides and make(d).flags.f_contiguous
        assert make(strided).strides == make(s).strides
    assert np.zeros_like(d, order="C").flags.c_contiguous and d.copy().flags.c_contiguous
    t = np.transpose(np.zeros((2, 3, 4)), (1, 0, 2))
    assert np.zeros_like(cuda.to_device(np.zeros((2, 3, 4))).transpose(1, 0, 2)).strides == np.zeros_like(t).strides
    assert np.ones_like(d, shape=(2,)).tolist() == [1, 1]


def test_fields_of_packed_records():
    host = np.zeros(5, np.dtype([("a", "i1"), ("b", "f8")]))
    host["b"] = np.arange(5)
    d = cuda.to_device(host)
    compare(d["b"] * 2, host["b"] * 2)
    compare(d["b"].sum(), host["b"].sum())
    d["b"] += 1
    np.multiply(d["b"], 3, out=d["b"], where=d["b"] > 2)
    assert d.copy_to_host()["b"].tolist() == [1, 2, 9, 12, 15]


def test_numbers_and_truth():
    d = cuda.to_device(V)
    with pytest.raises(ValueError, match="ambiguous"):
        bool(d)
    with pytest.raises(TypeError, match="one element"):
        float(d)
    assert float(cuda.to_device(np.array(2.5))) == 2.5 and complex(d[1:2].reshape(())) == 1
    assert [10, 20, 30][cuda.to_device(np.array(1))] == 20
    assert (d == None) is False and (d != None) is True  # noqa: E711
    with pytest.raises(TypeError):
        hash(d)
    with pytest.raises(TypeError):
        d + object()


def test_what_is_not_possible_names_the_copy():
    d = cuda.to_device(V)
    for act in (
        lambda: np.apply_along_axis(sum, 0, d),
        lambda: np.save("nowhere", d),
        lambda: np.frompyfunc(abs, 1, 1)(d),
        lambda: np.lib.stride_tricks.sliding_window_view(d, 2),
    ):
        with pytest.raises(TypeError, match="copy_to_host"):
            act()
    with pytest.raises(ValueError, match="broadcast"):
        d + cuda.to_device(np.ones(3))
    with pytest.raises(ValueError):
        np.concatenate([cuda.to_device(A[:, :2]), cuda.to_device(A)])


class Foreign:
    """Another library's array."""

    def __init__(self, array):
        self.array = array

    @property
    def __cuda_array_interface__(self):
        return self.array.__cuda_array_interface__


def test_arrays_of_other_libraries():
    mine, theirs = cuda.to_device(A), Foreign(cuda.to_device(B))
    compare(mine + theirs, A + B)
    compare(np.hypot(mine, theirs), np.hypot(A, B))
    result = mine * theirs
    theirs.array[...] = 0
    compare(result, A * B)
    mine[...] = theirs
    assert not mine.any()
    compare(np.concatenate([mine, theirs]), np.zeros((6, 4)))


# ------------------------------------------------------------------------------------------------
# When things are computed


def is_deferred(array):
    return _deferred.expression_of(array) is not array


def test_expressions_are_one_function():
    before = set(_deferred._functions)
    d, e = cuda.to_device(A), cuda.to_device(B)
    result = np.sqrt(d * d + e * e) / (d + 1.25)
    assert is_deferred(result) and result.shape == A.shape and result.dtype == np.float64
    compare(result, np.sqrt(A * A + B * B) / (A + 1.25))
    assert not is_deferred(result)
    made = set(_deferred._functions) - before
    assert len(made) <= 1
    total = (d * e).sum(axis=0)
    assert not is_deferred(total)
    compare(total, (A * B).sum(axis=0))


@cuda.jit
def negate(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = -x[i]


def test_changes_of_operands_come_later():
    def overwrite(d):
        d[...] = 9

    def assign(d):
        d[0] = 5

    def add(d):
        d += 1

    def mask(d):
        d[d > 2] = 0

    def copy(d):
        d.copy_to_device(np.zeros(4))

    def launch(d):
        negate[1, 4](d)

    def view(d):
        d[1:][...] = 3

    def out(d):
        np.add(d, 1, out=d)

    def fill(d):
        d.fill(2)

    def function(d):
        from pyarray import njit

        @njit(target="cuda")
        def change(x):
            x[:] = 8

        change(d)

    def sort(d):
        d.sort()

    for change in (overwrite, assign, add, mask, copy, launch, view, out, fill, function, sort):
        d = cuda.to_device(V)
        before = d * 2
        inner = before + d
        assert is_deferred(before)
        change(d)
        np.testing.assert_array_equal(before.copy_to_host(), V * 2, change.__name__)
        np.testing.assert_array_equal(inner.copy_to_host(), V * 3, change.__name__)


def test_changes_of_an_array_that_is_deferred():
    d = cuda.to_device(V)
    first = d * 2
    second = first + 1
    first += 10
    third = first * 2
    compare(second, V * 2 + 1)
    compare(first, V * 2 + 10)
    compare(third, (V * 2 + 10) * 2)
    fourth = d * 3
    fifth = fourth + 1
    fourth[0] = 100
    compare(fifth, V * 3 + 1)
    assert fourth.tolist() == [100, *(V[1:] * 3)]


def test_memory_that_others_know_is_read_at_once():
    d = cuda.to_device(V)
    late = d * 2
    d.__cuda_array_interface__  # noqa: B018
    assert not is_deferred(late)
    assert not is_deferred(d * 2) and not is_deferred(d[1:] * 2)
    assert is_deferred(cuda.to_device(V) * 2)
    made = (cuda.to_device(V) * 2).T
    made.__dlpack__()
    assert not is_deferred(made + 1)
    shared = cuda.managed_array(4) if hasattr(cuda, "managed_array") else None
    assert shared is None or not is_deferred(cuda.as_cuda_array(shared) * 2)


def test_waiting_for_the_device_computes():
    for wait in (cuda.synchronize, cuda.default_stream().synchronize, lambda: cuda.event().record()):
        late = cuda.to_device(V) * 2
        assert is_deferred(late)
        wait()
        assert not is_deferred(late)


def test_long_expressions_are_cut():
    host, d = V.copy(), cuda.to_device(V)
    for i in range(200):
        host, d = host * 0.5 + i % 3, d * 0.5 + i % 3
    np.testing.assert_allclose(d.copy_to_host(), host)
    host, d = V.copy() / 10, cuda.to_device(V / 10)
    for _ in range(12):
        host, d = host * host + 0.5 * host, d * d + 0.5 * d
    np.testing.assert_allclose(d.copy_to_host(), host)


def test_many_arrays_do_not_wait_for_ever():
    d = cuda.to_device(V)
    many = [d * i for i in range(200)]
    assert sum(map(is_deferred, many)) <= _deferred.MOST_DEFERRED
    assert all(array.tolist() == (V * i).tolist() for i, array in enumerate(many))
    del many
    gc.collect()
    assert not native.deferred_count()


def test_many_forms_are_not_all_compiled(monkeypatch):
    monkeypatch.setattr(_deferred, "_functions", {})
    monkeypatch.setattr(_deferred, "MANY_FUNCTIONS", 0)
    d = cuda.to_device(V)
    for turn in range(3):
        compare((d + 1) * (d - 2) / (d + turn + 3.5), (V + 1) * (V - 2) / (V + turn + 3.5))
        texts = list(_deferred._functions)
        assert all(text.count("=") == 1 for text in texts) == (turn == 0)
    assert len(texts) == len({*texts}) <= 5


def test_what_fails_late_tells_its_reader(monkeypatch):
    d = cuda.to_device(V)
    late = d * 2

    def fail(*_):
        raise MemoryError("no memory")

    monkeypatch.setattr(_deferred, "_compiled", lambda text, extra: fail)
    cuda.synchronize()
    monkeypatch.undo()
    with pytest.raises(MemoryError, match="no memory"):
        late.copy_to_host()
    with pytest.raises(MemoryError, match="no memory"):
        (late + 1).copy_to_host()
    compare(d * 2, V * 2)


def test_a_reset_is_told():
    code = """
import numpy as np
from pyarray import cuda
d = cuda.to_device(np.ones(3))
late = d * 2
cuda.close()
e = cuda.to_device(np.ones(3)) + 1
assert e.tolist() == [2, 2, 2]
try:
    late.copy_to_host()
except Exception as error:
    assert "gone" in str(error), error
else:
    raise SystemExit("it is there")
"""
    import subprocess
    import sys

    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True)
    assert not done.returncode, done.stderr


# ------------------------------------------------------------------------------------------------
# Libraries

TRANSFORMS = """np.fft.fft(c)|np.fft.ifft(c)|np.fft.fft(a)|np.fft.fft(a, axis=0)|np.fft.rfft(a)|np.fft.rfft(a, axis=0)
np.fft.irfft(c, n=6)|np.fft.irfft(c)|np.fft.fft2(c)|np.fft.ifft2(c)|np.fft.rfft2(a)|np.fft.fftn(c)|np.fft.ifftn(c)
np.fft.fft(c, norm='ortho')|np.fft.ifft(c, norm='forward')|np.fft.fft(c, norm='forward')|np.fft.fft(a.astype('f4'))
np.fft.fft(c, 7)|np.fft.irfft2(c)|np.fft.fft(c.T)|np.fft.fft(c[:, ::2])|np.fft.rfft2(a, axes=(1, 0))"""


@pytest.mark.parametrize("text", TRANSFORMS.replace("\n", "|").split("|"))
def test_transforms(text, monkeypatch):
    from pyarray.cuda import _products

    check(text, rtol=1e-5)
    monkeypatch.setattr(_products, "has", lambda name: True)
    check(text, rtol=1e-5)


PRODUCTS = """
import fake_blas
import numpy as np
from pyarray import cuda
from pyarray.cuda import _products

_products.FEWEST = 1
rng = np.random.default_rng(3)
for char in "efdFD":
    close = dict(rtol=2e-2, atol=1e-2) if char == "e" else dict(rtol=1e-4, atol=1e-5)
    x, y = rng.normal(size=(5, 6)).astype(char), rng.normal(size=(6, 4)).astype(char)
    if char in "FD":
        x = (x + 1j * x[::-1]).astype(char)
    t, u = rng.normal(size=(3, 5, 6)).astype(char), rng.normal(size=(3, 6, 4)).astype(char)
    for a, b in [(x, y), (x.T.copy().T, y), (x, y.T.copy().T), (x, y[:, 0].copy()), (x[0], y), (x[:1], y[:, :1]),
                 (t, u), (x, u), (t, y), (x.T, x), (x[:, :1], y[:1])]:
        before = len(fake_blas.calls)
        got = cuda.to_device(a) @ cuda.to_device(b)
        assert len(fake_blas.calls) > before, (a.shape, b.shape)
        assert got.shape == (a @ b).shape and got.dtype == (a @ b).dtype
        np.testing.assert_allclose(got.copy_to_host(), a @ b, **close)
    d, e = cuda.to_device(x), cuda.to_device(y)
    np.testing.assert_allclose(np.dot(d, e).copy_to_host(), x @ y, **close)
    np.testing.assert_allclose((d[::2] @ e).copy_to_host(), x[::2] @ y, **close)
    np.testing.assert_allclose((d.T[::-1].T @ e[::-1]).copy_to_host(), x[:, ::-1] @ y[::-1], **close)
cuda.close()
np.testing.assert_allclose((cuda.to_device(x) @ cuda.to_device(y)).copy_to_host(), x @ y, rtol=1e-4, atol=1e-5)
print("done")
"""


@needs_stand_ins
def test_products_go_to_cublas(run):
    assert "done" in run(PRODUCTS, **STAND_INS)


FUNCTIONS_OF_HALVES = """
import fake_blas
import numpy as np
from pyarray import cuda, njit

try:
    from ml_dtypes import bfloat16
except ImportError:
    bfloat16 = np.float16

@njit(target="cuda")
def product(a, b):
    return a @ b

@njit(target="cuda")
def into(a, b, out):
    np.matmul(a, b, out=out)
    return out

rng = np.random.default_rng(3)
for dtype, letter in ((np.float16, "h"), (bfloat16, "b" if bfloat16 is not np.float16 else "h")):
    for x, y in (((40, 30), (30, 20)), ((3, 40, 30), (3, 30, 20)), ((3, 40, 30), (30, 20)), ((70, 90), (90,))):
        a, b = (rng.normal(size=shape).astype(np.float32).astype(dtype) for shape in (x, y))
        want = (a.astype(np.float32) @ b.astype(np.float32)).astype(np.float32)
        for call in (lambda: product(cuda.to_device(a), cuda.to_device(b)),
                     lambda: into(cuda.to_device(a), cuda.to_device(b), cuda.to_device(np.zeros(want.shape, dtype)))):
            before = len(fake_blas.calls)
            got = call().copy_to_host()
            assert {found for _, found in fake_blas.calls[before:]} == {letter}, (x, y, fake_blas.calls[before:])
            assert got.dtype == dtype and got.shape == want.shape
            np.testing.assert_allclose(got.astype(np.float32), want, rtol=0.05, atol=0.1)
print("done")
"""


@needs_stand_ins
def test_products_of_halves_in_functions_go_to_cublas(run):
    """They are not cast to float32 before, no kernel is launched, and NumPy's dtype comes back."""
    assert "done" in run(FUNCTIONS_OF_HALVES, PYARRAY_CACHE="0", **STAND_INS)
