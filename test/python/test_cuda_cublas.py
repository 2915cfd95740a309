"""Routines of BLAS on devices against SciPy's: in the emulator, and on a GPU."""

import inspect
import pydoc
from itertools import product

import numpy as np
import pytest
from pyarray import cuda
from pyarray.cuda import _blas_host, _blas_table, cublas

scipy_blas = pytest.importorskip("scipy.linalg.blas")

TABLE = _blas_table.TABLE
DTYPES = {"s": "f4", "d": "f8", "c": "c8", "z": "c16"}
TOLERANCE = {"s": 2e-5, "d": 1e-12, "c": 2e-5, "z": 1e-12}
M, N, K, KL, KU = 5, 4, 3, 2, 1
random = np.random.default_rng(11)


def numbers(shape, letter):
    x = random.standard_normal(shape)
    x = x + 1j * random.standard_normal(shape) if letter in "cz" else x
    return x.astype(DTYPES[letter])


def on_host(x):
    return x.copy_to_host() if isinstance(x, cuda.DeviceNDArray) else x


def host(x):
    return x.copy()


def device(x):
    return cuda.to_device(np.asfortranarray(x))


def rows(x):
    return cuda.to_device(np.ascontiguousarray(x))


def part(x):
    """A view of a larger device array: vectors with a step, columns at a distance."""
    around = np.zeros([2 * x.shape[0]] if x.ndim == 1 else [x.shape[0] + 3, x.shape[1] + 1], x.dtype, order="F")
    view = cuda.to_device(around)[::2] if x.ndim == 1 else cuda.to_device(around)[1 : x.shape[0] + 1, : x.shape[1]]
    view[...] = x
    return view


PLACES = (host, device, rows, part)


def choices(routine):
    """All letters that a routine takes, as dicts."""
    names = [name for name in routine.names if name in _blas_table.CHOICES]
    for letters in product(*(_blas_table.CHOICES[name] for name in names)):
        made = dict(zip(names, letters))
        # Of a product with itself, transposing takes the form that keeps it symmetric, or Hermitian.
        if routine.name in ("herk", "her2k") and made["trans"] == "T":
            continue
        if routine.name in ("syrk", "syr2k") and made["trans"] == "C":
            continue
        yield made


def arguments(routine, letter, letters):
    values = {"m": M, "n": N, "k": K, "kl": KL, "ku": KU, **letters}
    if not routine.counts:
        values["n"] = 7
    made = {}
    for name in routine.names:
        if name in routine.arrays:
            made[name] = numbers(routine.arrays[name].shape(values), letter)
        elif name in ("alpha", "beta", "c", "s"):
            made[name] = routine.scalar(name, {"alpha": 0.75, "beta": -1.5, "c": 0.6, "s": 0.8}[name], letter)
            if isinstance(made[name], complex):
                made[name] *= 1 + 0.5j
        elif name == "param":
            made[name] = tuple(_blas_host.rotmg(0.7, 1.3, 0.4, -0.9)[3].tolist())
        else:
            made[name] = values[name]
    if "diag" in made or routine.name.startswith("t"):  # so that systems can be solved well
        scale = made["AP"] if "AP" in made else made["A"]
        scale *= scale.dtype.type(0.1)
        if "A" in made and routine.arrays["A"].shapes[0][0] == routine.arrays["A"].shapes[0][1]:
            scale += 2 * np.eye(len(scale), dtype=scale.dtype)
        else:
            scale += 1
    return made


def expected(routine, letter, v):
    """What SciPy's wrapper of the same routine gives, as a tuple of what is written, or a number."""
    name = routine.name
    function = getattr(scipy_blas, _wrapper(name, letter), None)
    if function is None:
        return None
    flags = {}
    for key in ("trans", "transa", "transb"):
        if key in v:
            flags[{"transa": "trans_a", "transb": "trans_b"}.get(key, key)] = "NTC".index(v[key])
    if name in ("trmm", "trsm"):
        flags["trans_a"] = flags.pop("trans")
    if "uplo" in v:
        flags["lower"] = v["uplo"] == "L"
    if "side" in v:
        flags["side"] = v["side"] == "R"
    if "diag" in v:
        flags["diag"] = v["diag"] == "U"
    x, y, a, b, c = (v.get(key) for key in ("x", "y", "A", "B", "C"))
    packed, alpha, beta = v.get("AP"), v.get("alpha"), v.get("beta")
    if name in ("amax", "amin"):
        return function(x)
    calls = {
        "asum": lambda: function(x),
        "nrm2": lambda: function(x),
        "dot": lambda: function(x, y),
        "dotu": lambda: function(x, y),
        "dotc": lambda: function(x, y),
        "axpy": lambda: function(x, y.copy(), a=alpha),
        "scal": lambda: function(alpha, x.copy()),
        "rot": lambda: function(x, y, v["c"], v["s"]),
        "rotm": lambda: function(x, y, v["param"]),
        "swap": lambda: function(x.copy(), y.copy()),
        "copy": lambda: x,
        "gemv": lambda: function(alpha, a, x, beta, y, **flags),
        "gbmv": lambda: function(M, N, KL, KU, alpha, a, x, beta=beta, y=y, **flags),
        "ger": lambda: function(alpha, x, y, a=a),
        "geru": lambda: function(alpha, x, y, a=a),
        "gerc": lambda: function(alpha, x, y, a=a),
        "symv": lambda: function(alpha, a, x, beta, y, **flags),
        "hemv": lambda: function(alpha, a, x, beta, y, **flags),
        "sbmv": lambda: function(K, alpha, a, x, beta=beta, y=y, **flags),
        "hbmv": lambda: function(K, alpha, a, x, beta=beta, y=y, **flags),
        "spmv": lambda: function(N, alpha, packed, x, beta=beta, y=y, **flags),
        "hpmv": lambda: function(N, alpha, packed, x, beta=beta, y=y, **flags),
        "spr": lambda: function(N, alpha, x, packed, **flags),
        "hpr": lambda: function(N, alpha, x, packed, **flags),
        "spr2": lambda: function(N, alpha, x, y, packed, **flags),
        "hpr2": lambda: function(N, alpha, x, y, packed, **flags),
        "syr": lambda: function(alpha, x, a=a, **flags),
        "her": lambda: function(alpha, x, a=a, **flags),
        "syr2": lambda: function(alpha, x, y, a=a, **flags),
        "her2": lambda: function(alpha, x, y, a=a, **flags),
        "tbmv": lambda: function(K, a, x, **flags),
        "tbsv": lambda: function(K, a, x, **flags),
        "tpmv": lambda: function(N, packed, x, **flags),
        "tpsv": lambda: function(N, packed, x, **flags),
        "trmv": lambda: function(a, x, **flags),
        "trsv": lambda: function(a, x, **flags),
        "gemm": lambda: function(alpha, a, b, beta, c, **flags),
        "symm": lambda: function(alpha, a, b, beta, c, **flags),
        "hemm": lambda: function(alpha, a, b, beta, c, **flags),
        "syrk": lambda: function(alpha, a, beta, c, **flags),
        "herk": lambda: function(alpha, a, beta, c, **flags),
        "syr2k": lambda: function(alpha, a, b, beta, c, **flags),
        "her2k": lambda: function(alpha, a, b, beta, c, **flags),
        "trmm": lambda: function(alpha, a, b, **flags),
        "trsm": lambda: function(alpha, a, b, **flags),
    }
    return calls[name]() if name in calls else None


def _wrapper(name, letter):
    if name in ("amax", "amin"):
        return "i" + letter + name
    if name in ("nrm2", "asum") and letter in "cz":
        return {"c": "sc", "z": "dz"}[letter] + name
    if name == "dot" and letter in "cz":
        return letter + "dotu"
    if name == "ger" and letter in "cz":
        return letter + "geru"
    return letter + name


def by_definition(name, v):
    """Of routines that SciPy has not, or not for all dtypes."""
    x, y, alpha, a, b = v.get("x"), v.get("y"), v.get("alpha"), v.get("A"), v.get("B")
    if name == "dgmm":
        return np.diag(x) @ a if v["side"] == "L" else a @ np.diag(x)
    if name == "geam":
        turn = {"N": lambda m: m, "T": np.transpose, "C": lambda m: m.conj().T}
        return alpha * turn[v["transa"]](a) + v["beta"] * turn[v["transb"]](b)
    if name == "amin":
        return min(range(len(x)), key=lambda i: abs(x[i].real) + abs(x[i].imag))
    if name == "rot":
        return v["c"] * x + v["s"] * y, v["c"] * y - np.conj(v["s"]) * x
    if name == "symv":
        half = np.triu(a, 1) if v["uplo"] == "U" else np.tril(a, -1)
        return alpha * ((half + half.T + np.diag(np.diag(a))) @ x) + v["beta"] * y
    if name == "syr2":
        mask = np.triu(np.ones_like(a)) if v["uplo"] == "U" else np.tril(np.ones_like(a))
        return a + mask * alpha * (np.outer(x, y) + np.outer(y, x))
    raise NotImplementedError(name)


CASES = [(name, letter) for name, routine in TABLE.items() for letter in routine.letters]


@pytest.mark.parametrize("name, letter", CASES)
def test_routine(name, letter):
    check_routine(name, letter, PLACES if len(list(choices(TABLE[name]))) > 1 else [part])


def check_routine(name, letter, places):
    routine, blas = TABLE[name], cublas.Blas(cuda.stream())
    for number, letters in enumerate(choices(routine)):
        v = arguments(routine, letter, letters)
        wanted = expected(routine, letter, v)
        wanted = by_definition(name, v) if wanted is None else wanted
        place = places[number % len(places)]
        given = {key: place(value) if key in routine.arrays else value for key, value in v.items()}
        found = getattr(blas, name)(**given)
        written = [key for key, array in routine.arrays.items() if array.is_written]
        if written:
            results = found if isinstance(found, tuple) else (found,)
            assert all(result is given[key] for result, key in zip(results, written))
            wanted = wanted if isinstance(wanted, tuple) else (wanted,)
            wanted = (v["x"],) if name == "copy" else wanted[-len(written) :]
        else:
            results, wanted = (found,), (wanted,)
        for result, want in zip(results, wanted):
            np.testing.assert_allclose(on_host(result), want, rtol=TOLERANCE[letter], atol=TOLERANCE[letter])
        for key in routine.arrays:
            if key not in written:
                np.testing.assert_array_equal(on_host(given[key]), v[key])


@pytest.mark.parametrize("letter", DTYPES)
def test_gemm_in_all_orders(letter):
    blas = cublas.Blas()
    for places in product((device, rows), repeat=3):
        for transa, transb in product("NTC", repeat=2):
            v = arguments(TABLE["gemm"], letter, {"transa": transa, "transb": transb})
            a, b, c = (place(v[key]) for place, key in zip(places, "ABC"))
            blas.gemm(transa, transb, M, N, K, v["alpha"], a, b, v["beta"], c)
            np.testing.assert_allclose(on_host(c), expected(TABLE["gemm"], letter, v), rtol=2e-5, atol=2e-5)
            batches = [np.stack([v[key], 2 * v[key], -v[key]]) for key in "ABC"]
            given = [batch_in(place, batch) for place, batch in zip(places, batches)]
            found = blas.gemm_batched(transa, transb, v["alpha"], given[0], given[1], v["beta"], given[2])
            assert found is given[2]
            for i in range(3):
                one = {**v, **{key: batches["ABC".index(key)][i] for key in "ABC"}}
                wanted = expected(TABLE["gemm"], letter, one)
                np.testing.assert_allclose(on_host(found)[i], wanted, rtol=1e-4, atol=1e-4)


def batch_in(place, batch):
    if place is rows:
        return cuda.to_device(batch)
    return cuda.to_device(np.ascontiguousarray(batch.transpose(0, 2, 1))).transpose((0, 2, 1))


def test_no_factor_no_reading():
    blas = cublas.Blas()
    nothing = np.full((2, 2), np.nan, order="F")
    a = np.asfortranarray([[1.0, 2], [3, 4]])
    np.testing.assert_array_equal(blas.gemm("N", "N", 2, 2, 2, 1, a, a, 0, nothing), a @ a)
    np.testing.assert_array_equal(blas.gemv("N", 2, 2, 1, a, a[0].copy(), 0, np.full(2, np.nan)), a @ a[0])


@pytest.mark.parametrize("letter", DTYPES)
def test_norms_whose_squares_are_no_numbers_of_the_type(letter):
    blas = cublas.Blas()
    for exponent in (30, -30) if letter in "sc" else (200, -200):
        x = np.array([3 * 10.0**exponent, 4 * 10.0**exponent], DTYPES[letter])
        np.testing.assert_allclose(blas.nrm2(x), 5 * 10.0**exponent, rtol=1e-5)
    assert np.isnan(blas.nrm2(np.array([1, np.nan], DTYPES[letter])))
    assert blas.nrm2(np.array([1, -np.inf], DTYPES[letter])) == np.inf


def test_empty_arrays():
    blas = cublas.Blas()
    empty = np.zeros(0)
    assert blas.dot(empty, empty) == 0 and blas.nrm2(empty) == 0 and blas.amax(empty) == -1
    c = np.ones((2, 2))
    np.testing.assert_array_equal(
        blas.gemm("N", "N", 2, 2, 0, 1, np.zeros((2, 0)), np.zeros((0, 2)), 3, c), 3 * np.ones((2, 2))
    )
    assert blas.gemm_batched("N", "N", 1, np.zeros((0, 2, 2)), np.zeros((0, 2, 2)), 0, np.zeros((0, 2, 2))).shape == (
        0,
        2,
        2,
    )


def test_arrays_that_share_memory():
    blas = cublas.Blas()
    base = np.arange(1.0, 7)
    d = cuda.to_device(base)
    blas.axpy(2, d[:-1], d[1:])
    np.testing.assert_array_equal(d.copy_to_host(), [1, *(base[1:] + 2 * base[:-1])])
    with pytest.raises(ValueError, match="swap: x and y share memory"):
        blas.swap(d, d)


def test_rotations():
    blas = cublas.Blas()
    for a, b in product([0.0, 3.0, -4.0, 1e-3], repeat=2):
        r, z, c, s = blas.rotg(a, b)
        assert (c * a + s * b, c * b - s * a) == pytest.approx((r, 0), abs=1e-12) and c * c + s * s == pytest.approx(1)
        again = (0, 1) if z == 1 else (np.sqrt(1 - z * z), z) if abs(z) < 1 else (1 / z, np.sqrt(1 - 1 / (z * z)))
        assert (abs(c), abs(s)) == pytest.approx((abs(again[0]), abs(again[1])))
    for a, b in [(1 + 2j, 3 - 1j), (0j, 2j), (-1j, 0j)]:
        r, _, c, s = blas.rotg(a, b)
        assert c * a + s * b == pytest.approx(r) and c * b - np.conj(s) * a == pytest.approx(0, abs=1e-12)
    cases = [(0.7, 1.3, 0.4, -0.9), (2.0, 0.1, 3.0, 0.5), (1e-9, 3.0, 2.0, 1.0), (5e8, 1e8, 1.0, 2.0)]
    for numbers4 in [*cases, (1.0, 0.0, 2.0, 3.0), (-1.0, 1.0, 1.0, 1.0), (1.0, -3.0, 1.0, 1.0)]:
        np.testing.assert_allclose(blas.rotmg(*numbers4)[3], scipy_blas.drotmg(*numbers4), rtol=1e-12)


@pytest.mark.parametrize("letter", "cz")
def test_numbers_that_lie_at_odd_places(letter):
    x = numbers([6], letter)
    parts = np.concatenate([[0], x.view(x.real.dtype)]).astype(x.real.dtype)
    odd = cuda.to_device(parts)[1:].view(x.dtype)
    assert odd.address % x.itemsize
    np.testing.assert_allclose(cublas.Blas().dotc(odd, cuda.to_device(x)), np.vdot(x, x), rtol=1e-5)
    cublas.Blas().scal(2, odd)
    np.testing.assert_array_equal(odd.copy_to_host(), 2 * x)


def test_numbers_of_other_kinds():
    blas = cublas.Blas()
    for letter, alphas in (("s", [2, True, np.float64(2), np.float16(2), np.int8(2)]), ("z", [2, 2.5, 1 + 2j])):
        for alpha in (*alphas, np.array(alphas[-1])[()]):
            x, y = numbers([4], letter), numbers([4], letter)
            found = blas.axpy(alpha, cuda.to_device(x), cuda.to_device(y))
            np.testing.assert_allclose(found.copy_to_host(), alpha * x + y, rtol=1e-5)
    a = cuda.to_device(np.asfortranarray(np.eye(3)))
    for trans, m in product(["t", "T"], [3, np.int64(3)]):
        found = blas.gemv(trans, m, 3, 1, a, cuda.to_device(np.arange(3.0)), 0.0, cuda.device_array(3))
        np.testing.assert_array_equal(found.copy_to_host(), np.arange(3.0))


def test_as_methods():
    blas, x = cublas.Blas(), cuda.to_device(np.ones(3))
    assert str(inspect.signature(blas.axpy)) == "(alpha, x, y)"
    assert str(inspect.signature(cublas.Blas.axpy)) == "(self, alpha, x, y)"
    assert cublas.Blas.gemv.__name__ == "gemv" and cublas.Blas.gemv.__qualname__ == "Blas.gemv"
    assert "y = alpha * op(A) @ x" in cublas.Blas.gemv.__doc__ and "Blas.gemv" in repr(cublas.Blas.gemv)
    assert "gemv(self, trans, m, n, alpha, A, x, beta, y)" in pydoc.render_doc(cublas.Blas, renderer=pydoc.plaintext)
    assert blas.dot(x, x) == blas.dot(y=x, x=x) == blas.dot(x, y=x) == cublas.Blas.dot(blas, x, x) == 3
    stream = cuda.stream()
    assert cublas.Blas(stream).stream is stream and blas.stream == 0
    with pytest.raises(AttributeError):
        blas.stream = stream
    for call in (lambda: blas.dot(x), lambda: blas.dot(x, x, x), lambda: blas.dot(x, x, y=x), lambda: blas.dot(x, z=x)):
        with pytest.raises(TypeError, match=r"dot\(\) (missing|takes|got)"):
            call()

    class Counting(cublas.Blas):
        def dot(self, x, y):
            return -super().dot(x, y)

    assert Counting().dot(x, x) == -3


ONE, TWO, THREE = np.ones(2), np.eye(2), np.zeros(3)


class OnDevice:
    """A Blas object that is called with arrays on the device."""

    def __getattr__(self, name):
        def call(*arguments):
            given = [cuda.to_device(x) if isinstance(x, np.ndarray) else x for x in arguments]
            return getattr(cublas.Blas(), name)(*given)

        return call


@pytest.mark.parametrize(
    "call, error, text",
    [
        (lambda b: b.dot(THREE, np.zeros(4)), ValueError, r"dot: y has shape \(4,\), not \(3,\)"),
        (lambda b: b.dot(THREE, np.zeros(3, "f4")), TypeError, "dot: .* several dtypes: x float64, y float32"),
        (lambda b: b.dot(np.zeros(3, int), np.zeros(3, int)), TypeError, "dot is for arrays of float32, float64"),
        (lambda b: b.dot(THREE.astype(">f8"), THREE.astype(">f8")), TypeError, "dot is for arrays of .*, not of >f8"),
        (lambda b: b.dotc(THREE, THREE), TypeError, "dotc is for arrays of complex64, complex128, not of float64"),
        (lambda b: b.dot(np.zeros((3, 1)), THREE), ValueError, r"dot: x has shape \(3, 1\)"),
        (lambda b: b.scal(1j, THREE), TypeError, "scal: alpha is a real number, not 1j"),
        (lambda b: b.scal(2, np.broadcast_to(0.0, 3)), ValueError, "scal: x is read-only"),
        (lambda b: b.gemv("X", 2, 2, 1, TWO, ONE, 0, ONE), ValueError, "trans is one of 'N', 'T', 'C', not 'X'"),
        (lambda b: b.gemv("N", -1, 2, 1, TWO, ONE, 0, ONE), ValueError, "m is from 0 to"),
        (lambda b: b.gemv("N", 2**31, 2, 1, TWO, ONE, 0, ONE), ValueError, "m is from 0 to"),
        (lambda b: b.gemv("N", 2, 3, 1, TWO, ONE, 0, ONE), ValueError, r"gemv: A has shape \(2, 2\), not \(2, 3\)"),
        (lambda b: b.rotm(ONE, ONE.copy(), [1, 2]), ValueError, "rotm: param has 5 numbers, not 2"),
        (lambda b: b.gemm_batched("N", "N", 1, TWO, TWO, 0, TWO), ValueError, "3 dimensions: batch, rows, columns"),
    ],
)
def test_what_does_not_fit(call, error, text):
    with pytest.raises(error, match=text):
        call(cublas.Blas())
    if "read-only" not in text:
        with pytest.raises(error, match=text):
            call(OnDevice())
