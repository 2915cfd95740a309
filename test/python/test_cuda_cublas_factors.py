"""What BLAS does not read: arrays whose factor is 0, the other triangle, what is outside a band. NaN shows it."""

from itertools import product

import numpy as np
import pytest
from pyarray import cuda
from pyarray.cuda import _blas_host, _blas_table, cublas

TABLE = _blas_table.TABLE
DTYPES = {"s": "f4", "d": "f8", "c": "c8", "z": "c16"}
M, N, K, KL, KU = 4, 3, 2, 1, 2
random = np.random.default_rng(5)
# scal multiplies what it reads, and geam has a test of its own.
WITH_ALPHA = [name for name, row in TABLE.items() if "alpha" in row.names and name not in ("scal", "geam")]
CASES = [(name, letter) for name in WITH_ALPHA for letter in TABLE[name].letters]


def numbers(shape, letter):
    x = random.integers(-5, 6, shape) + (1j * random.integers(-5, 6, shape) if letter in "cz" else 0)
    return np.asfortranarray(x.astype(DTYPES[letter]))


def lacking(x):
    nothing = np.nan * (1 + 1j) if x.dtype.kind == "c" else np.nan
    return np.full_like(x, nothing)


def calls_of(routine, letter):
    """Arguments for all letters that a routine takes, with alpha, and beta where there is one, 1."""
    names = [name for name in routine.names if name in _blas_table.CHOICES]
    for letters in product(*(_blas_table.CHOICES[name] for name in names)):
        values = {"m": M, "n": N, "k": K, "kl": KL, "ku": KU, **dict(zip(names, letters))}
        if not routine.counts:
            values["n"] = 7
        made = {name: values.get(name, 1) for name in routine.names}
        made.update({name: numbers(array.shape(values), letter) for name, array in routine.arrays.items()})
        yield made


def run(name, given, place=np.copy):
    """The array that is written."""
    routine = TABLE[name]
    placed = {key: place(value) if key in routine.arrays else value for key, value in given.items()}
    found = getattr(cublas.Blas(), name)(**placed)
    return found.copy_to_host() if isinstance(found, cuda.DeviceNDArray) else found


def copied(x):
    return np.array(x, order="F")


@pytest.mark.parametrize("place", [copied, cuda.to_device], ids=["host", "device"])
@pytest.mark.parametrize("name, letter", CASES)
def test_alpha_of_0(name, letter, place):
    routine = TABLE[name]
    (written,) = (key for key, array in routine.arrays.items() if array.is_written)
    for v, beta in product(calls_of(routine, letter), (0, 1, 2) if "beta" in routine.names else (None,)):
        given = {**v, "alpha": 0}
        if beta is not None:
            given["beta"] = beta
        before = given[written]
        given |= {key: lacking(given[key]) for key in routine.arrays if key != written}
        if beta == 0 or name in ("trmm", "trsm"):
            given[written] = lacking(before)
            found = run(name, given, place)
            is_triangle = "uplo" in v and name.endswith(("rk", "r2k"))
            part = np.tri(len(before), dtype=bool) if is_triangle else np.ones_like(before, bool)
            part = part.T if is_triangle and v["uplo"] == "U" else part
            assert (found[part] == 0).all() and np.isnan(found[~part]).all()
            continue
        found = run(name, given, place)
        if beta in (None, 1):
            np.testing.assert_array_equal(found, before)
            continue
        reference = run(name, {**v, "alpha": 0, "beta": beta}, place)
        np.testing.assert_array_equal(found, reference)
        assert ((found == beta * before) | (found == before) | (found == beta * before.real)).all()


@pytest.mark.parametrize("name, letter", [case for case in CASES if "beta" in TABLE[case[0]].names])
def test_beta_of_0(name, letter):
    routine = TABLE[name]
    written = routine.names[-1]
    for v in calls_of(routine, letter):
        clean = run(name, {**v, "beta": 0, written: np.zeros_like(v[written])}, copied)
        for place in (copied, cuda.to_device):
            found = run(name, {**v, "beta": 0, written: lacking(v[written])}, place)
            assert ((found == clean) | (np.isnan(found) & (clean == 0))).all()
            assert np.isnan(found).sum() == (N * (N - 1) // 2 if name.endswith(("rk", "r2k")) else 0)


@pytest.mark.parametrize("letter", DTYPES)
@pytest.mark.parametrize("alpha, beta", [(0, 2), (2, 0), (0, 0)])
def test_geam_reads_no_matrix_whose_factor_is_0(letter, alpha, beta):
    a, b, c = (numbers((3, 3), letter) for _ in range(3))
    blas = cublas.Blas()
    wanted = alpha * (0 * a if not alpha else a) + beta * (0 * b if not beta else b).T
    given = [a if alpha else lacking(a), b if beta else lacking(b), lacking(c)]
    for place in (copied, cuda.to_device):
        x, y, out = map(place, given)
        found = blas.geam("N", "T", 3, 3, alpha, x, beta, y, out)
        np.testing.assert_array_equal(np.asarray(found), wanted)


def test_numbers_that_round_to_0():
    """A factor is what the library gets: a float32."""
    x, y = np.full(3, np.nan, "f4"), np.ones(3, "f4")
    assert (cublas.Blas().axpy(1e-60, x, y) == 1).all()
    assert (cublas.Blas().gemv("N", 3, 3, 1, np.eye(3, dtype="f4"), y, 1e-60, x.copy()) == 1).all()
    with np.errstate(all="raise"):
        assert np.isinf(cublas.Blas().scal(1e300, np.ones(3, "f4"))).all()


def test_quick_returns_leave_diagonals():
    """As in the reference: with nothing to do, the imaginary parts of a diagonal stay."""
    c = np.full((2, 2), 1 + 1j)
    nothing = np.full((2, 2), np.nan + 0j)
    np.testing.assert_array_equal(cublas.Blas().herk("U", "N", 2, 2, 0, nothing, 1, c.copy()), c)
    np.testing.assert_array_equal(cublas.Blas().her("U", 2, 0, nothing[0].copy(), c.copy()), c)
    assert cublas.Blas().herk("U", "N", 2, 2, 0, nothing, 2, c.copy())[1, 1] == 2


# ------------------------------------------------------------------------------------------------
# The other triangle, and places outside a band


@pytest.mark.parametrize("letter", DTYPES)
@pytest.mark.parametrize("uplo", "UL")
def test_the_other_triangle(letter, uplo):
    a, b, x = numbers((N, N), letter), numbers((N, N), letter), numbers(N, letter)
    np.fill_diagonal(a, 2)
    other = np.tri(N, k=-1, dtype=bool)
    nan = np.where(other if uplo == "U" else other.T, np.nan, a).astype(a.dtype)
    blas = cublas.Blas()
    calls = [
        lambda a: blas.symv(uplo, N, 1, a, x, 0, np.zeros_like(x)),
        lambda a: blas.symm("L", uplo, N, N, 1, a, b, 0, np.zeros_like(b)),
        lambda a: blas.symm("R", uplo, N, N, 1, a, b, 0, np.zeros_like(b)),
        lambda a: blas.trmv(uplo, "T", "N", N, a, x.copy()),
        lambda a: blas.trsv(uplo, "C", "N", N, a, x.copy()),
        lambda a: blas.trmm("R", uplo, "T", "N", N, N, 1, a, b, np.zeros_like(b)),
        lambda a: blas.trsm("L", uplo, "N", "N", N, N, 1, a, b.copy()),
    ]
    hermitian = [
        lambda a: blas.hemv(uplo, N, 1, a, x, 0, np.zeros_like(x)),
        lambda a: blas.hemm("L", uplo, N, N, 1, a, b, 0, np.zeros_like(b)),
    ]
    for call in calls:
        np.testing.assert_array_equal(call(nan), call(np.nan_to_num(nan)))
        assert np.isfinite(call(nan)).all()
    for call in hermitian if letter in "cz" else ():
        nan.imag[np.diag_indices(N)] = np.nan
        np.testing.assert_array_equal(call(nan), call(np.nan_to_num(nan)))
    ones = a.copy()
    np.fill_diagonal(ones, np.nan)
    assert np.isfinite(blas.trmv(uplo, "N", "U", N, ones, x.copy())).all()


def test_diagonals_are_not_added_twice():
    """inf + inf - inf is NaN, and twice the largest number is infinite."""
    a, x = np.diag([np.inf, 3e38, 1]).astype("f4"), np.ones(3, "f4")
    np.fill_diagonal(a, [np.inf, 3e38, 1])
    found = cublas.Blas().symv("U", 3, 1, a, x, 0, x.copy())
    np.testing.assert_array_equal(found, np.array([np.inf, 3e38, 1], "f4"))


@pytest.mark.skipif("os.environ['PYARRAY_CUDA'] == 'gpu'", reason="cuBLAS's trmv multiplies zeros by infinities")
@pytest.mark.parametrize("bad", [np.inf, np.nan])
def test_no_zeros_to_multiply_infinities_by(bad):
    """Where a matrix has no elements, NaN and infinities of the other operand do not show."""
    blas, n = cublas.Blas(), 5
    x = np.ones(n)
    x[0] = bad
    full, band, packed = np.ones((n, n)), np.ones((2, n)), np.ones(n * (n + 1) // 2)
    b = np.ones((n, n))
    b[0] = bad
    spoiled = {
        "trmv": (blas.trmv("U", "N", "N", n, full, x.copy()), 1),
        "tbmv": (blas.tbmv("U", "N", "N", n, 1, band, x.copy()), 1),
        "tpmv": (blas.tpmv("U", "N", "N", n, packed, x.copy()), 1),
        "gbmv": (blas.gbmv("N", n, n, 0, 1, 1, band, x, 0, x.copy()), 1),
        "sbmv": (blas.sbmv("U", n, 1, 1, band, x, 0, x.copy()), 2),
        "tbsv": (blas.tbsv("U", "N", "N", n, 1, band, x.copy()), 1),
        "trsv": (blas.trsv("U", "N", "N", n, full, x.copy()), 1),
        "trmm": (blas.trmm("L", "U", "N", "N", n, n, 1, full, b, np.zeros((n, n)))[:, 0], 1),
        "trsm": (blas.trsm("L", "U", "N", "N", n, n, 1, full, b.copy())[:, 0], 1),
        "trmm right": (blas.trmm("R", "L", "N", "N", n, n, 1, full, b.T.copy(), np.zeros((n, n)))[0], 1),
    }
    for name, (found, count) in spoiled.items():
        assert not np.isfinite(found[:count]).any() and np.isfinite(found[count:]).all(), name


def test_real_factors_keep_parts_apart():
    c = np.full((1, 1), complex(np.inf, 1))
    found = cublas.Blas().herk("U", "N", 1, 1, 0, c.copy(), 2, c.copy())
    assert found[0, 0] == complex(np.inf, 0)


def test_places_of_what_is_no_number():
    blas = cublas.Blas()
    assert blas.amax(np.array([1, np.nan, 3, 2])) == 2 and blas.amin(np.array([3, np.nan, 1, 2])) == 2
    assert blas.amax(np.array([np.nan, 5.0])) == 1 and blas.amin(np.full(3, np.nan)) == 0


@pytest.mark.parametrize("numbers4", [(np.inf, 1, 1, 1), (np.nan, 1, 1, 1), (1, np.inf, 1, 1), (1, 1, np.nan, np.nan)])
def test_rotmg_ends(numbers4):
    assert len(cublas.Blas().rotmg(*numbers4)[3]) == 5


def test_products_with_and_without_infinities_agree():
    a, b = random.standard_normal((4, 4)), random.standard_normal((4, 4))
    places = np.tri(4, dtype=bool)
    by_rows = b.copy()
    by_rows[3] = np.inf
    whole = _blas_host._product(np.tril(a), places, b)
    np.testing.assert_allclose(_blas_host._product(np.tril(a), places, by_rows)[:3], whole[:3])
