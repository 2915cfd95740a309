"""``np.linalg`` through NumPy's own LAPACK: equal to the bit, stacks, errors."""

import numpy as np
import pytest
from compare import copied, expression, outcome
from pyarray import njit

FLOATS = ["f4", "f8", "c8", "c16"]


def numbers(dtype, shape, seed=0):
    rng = np.random.default_rng(seed)
    values = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * rng.standard_normal(shape)
    return values.astype(dtype)


def positive(dtype, shape):
    a = numbers(dtype, shape)
    return a @ np.conjugate(np.swapaxes(a, -1, -2)) + np.eye(shape[-1], dtype=dtype)


def check(function, *arguments, exact=True):
    ours, theirs = outcome(function, copied(arguments)), outcome(function.py_func, copied(arguments))
    assert ours[0] == theirs[0], (ours, theirs)
    if ours[0] == "raised":
        assert ours[1] is theirs[1] and ours[2] == theirs[2], (ours, theirs)
        return
    pairs = zip(ours[1], theirs[1]) if isinstance(theirs[1], tuple) else [(ours[1], theirs[1])]
    for mine, expected in pairs:
        if isinstance(mine, np.ndarray):
            assert mine.dtype == expected.dtype and mine.shape == expected.shape
        if exact:
            np.testing.assert_array_equal(mine, expected)
        else:
            np.testing.assert_allclose(mine, expected, rtol=1e-4)


SQUARE = ["np.linalg.inv(a)", "np.linalg.det(a)", "np.linalg.slogdet(a)"]
HERMITIAN = [
    "np.linalg.cholesky(a)",
    "np.linalg.cholesky(a, upper=True)",
    "np.linalg.eigh(a)",
    "np.linalg.eigh(a, 'U')",
    "np.linalg.eigvalsh(a)",
    "np.linalg.eigvalsh(a, UPLO='U')",
]
ANY = [
    "np.linalg.svd(a)",
    "np.linalg.svd(a, full_matrices=False)",
    "np.linalg.svd(a, compute_uv=False)",
    "np.linalg.qr(a)",
    "np.linalg.qr(a, 'complete')",
    "np.linalg.qr(a, mode='r')",
    "np.linalg.qr(a, mode='raw')",
]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("text", SQUARE)
def test_square(text, dtype):
    function = expression(text, "a")
    for shape in [(1, 1), (3, 3), (20, 20), (0, 0), (4, 3, 3), (2, 3, 5, 5), (0, 3, 3)]:
        check(function, numbers(dtype, shape))
    check(function, numbers(dtype, (6, 6)).T)
    check(function, numbers(dtype, (9, 9))[::-2, 1::2][:4, :4])


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("text", HERMITIAN)
def test_hermitian(text, dtype):
    function = expression(text, "a")
    for shape in [(1, 1), (3, 3), (20, 20), (0, 0), (4, 3, 3)]:
        check(function, positive(dtype, shape))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("text", ANY)
def test_any_matrix(text, dtype):
    function = expression(text, "a")
    for shape in [(1, 1), (3, 5), (5, 3), (20, 20), (4, 2, 6), (2, 3, 4, 2), (0, 3)]:
        check(function, numbers(dtype, shape))


@pytest.mark.parametrize("left", [*FLOATS, "i4"])
@pytest.mark.parametrize("right", ["f4", "f8", "c16", "i8"])
def test_solve(left, right):
    function = expression("np.linalg.solve(a, b)", "a, b")
    a = numbers("f8", (5, 5)) * 9 + (1j if np.dtype(left).kind == "c" else 0)
    check(function, a.astype(left), (numbers("f8", (5, 3)) * 9).astype(right))
    check(function, a.astype(left), (numbers("f8", 5) * 9).astype(right))


def test_solve_stacks():
    function = expression("np.linalg.solve(a, b)", "a, b")
    check(function, numbers("f8", (4, 3, 3)), numbers("f8", (4, 3, 2), 1))
    check(function, numbers("f8", (4, 3, 3)), numbers("f8", (3, 2), 1))
    check(function, numbers("f8", (3, 3)), numbers("f8", (2, 5, 3, 2), 1))
    check(function, numbers("f8", (2, 1, 3, 3)), numbers("f8", (5, 3, 2), 1))
    check(function, numbers("f8", (4, 3, 3)), numbers("f8", 3))


def test_integers():
    a = np.array([[2, 1], [7, 4]])
    for text in [*SQUARE, "np.linalg.svd(a)", "np.linalg.qr(a)"]:
        check(expression(text, "a"), a)
    check(expression("np.linalg.det(a)", "a"), np.array([[True, False], [True, True]]))


@pytest.mark.parametrize("text", SQUARE + HERMITIAN)
def test_no_squares(text):
    for shape in [(2, 3), (4, 2, 3), (3,)]:
        check(expression(text, "a"), np.ones(shape))


def test_failures():
    check(expression("np.linalg.inv(a)", "a"), np.ones((2, 2)))
    check(expression("np.linalg.inv(a)", "a"), np.stack([np.eye(2), np.ones((2, 2))]))
    check(expression("np.linalg.solve(a, b)", "a, b"), np.zeros((3, 3)), np.ones(3))
    check(expression("np.linalg.solve(a, b)", "a, b"), np.eye(3), np.ones((2, 2)))
    check(expression("np.linalg.cholesky(a)", "a"), -np.eye(3))
    check(expression("np.linalg.svd(a)", "a"), np.full((3, 3), np.nan))
    check(expression("np.linalg.inv(a)", "a"), np.ones((2, 2), np.float16))
    check(expression("np.linalg.eigh(a, 'X')", "a"), np.eye(2))
    check(expression("np.linalg.qr(a, 'odd')", "a"), np.eye(2))


def test_failure_is_caught():
    @njit
    def inverse_or_zero(a):
        try:
            return np.linalg.inv(a)
        except np.linalg.LinAlgError:
            return np.zeros(a.shape)

    check(inverse_or_zero, np.ones((2, 2)))
    check(inverse_or_zero, np.eye(2) * 2)


def test_flags_are_kept():
    """LAPACK fails by a floating-point flag; one that was set before is no failure."""

    @njit
    def after_nan(a, x):
        return np.sqrt(x) + np.linalg.det(np.linalg.inv(a))

    assert np.isnan(after_nan(np.eye(3), -1.0))


def test_parallel():
    @njit(parallel=True)
    def solutions(a, b):
        return np.linalg.solve(a, b)

    check(solutions, numbers("f8", (500, 4, 4)), numbers("f8", (500, 4, 2), 1))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("text", ["np.linalg.eig(a)", "np.linalg.eigvals(a)"])
def test_any_eigenvalues(text, dtype):
    a = numbers(dtype, (3, 4, 4)) if np.dtype(dtype).kind == "c" else positive(dtype, (3, 4, 4))
    check(expression(text, "a"), a, exact=False)
    check(expression(text, "a"), a[0].T, exact=False)


def test_complex_eigenvalues_of_a_real_matrix():
    a = np.array([[0.0, 1], [-1, 0]])
    with pytest.raises(ValueError, match="convert the matrix"):
        expression("np.linalg.eigvals(a)", "a")(a)
    check(expression("np.linalg.eigvals(a.astype(np.complex128))", "a"), a)
    check(expression("np.linalg.eig(a)", "a"), np.array([[np.nan, 1], [-1, 0]]))


@pytest.mark.parametrize("dtype", [*FLOATS, "i4"])
@pytest.mark.parametrize("shape", [(5, 3), (3, 5), (4, 4), (0, 3)])
def test_least_squares(shape, dtype):
    a, b = (numbers("f8", shape) * 5).astype(dtype), (numbers("f8", (shape[0], 2)) * 5).astype(dtype)
    for text in ["a, b", "a, b[:, 0]", "a, b, rcond=0.5", "a, b[:, :0]", "a, b[1:]", "a, b[0, 0] + a[0] * 0 + a"]:
        check(expression(f"np.linalg.lstsq({text})", "a, b"), a, b)


NAMED = ["np.linalg.eig(a)", "np.linalg.eigh(a)", "np.linalg.qr(a)", "np.linalg.svd(a)", "np.linalg.slogdet(a)"]
NAMED += ["np.linalg.svd(a, hermitian=True)", "np.linalg.qr(a, mode='complete')"]
FIELDS = ["np.linalg.eigh(a).eigenvalues", "np.linalg.svd(a).Vh", "np.linalg.qr(a).R", "np.linalg.slogdet(a).logabsdet"]


@pytest.mark.parametrize("text", NAMED)
@pytest.mark.parametrize("shape", [(3, 3), (2, 3, 3)])
def test_results_have_numpys_names(text, shape):
    a = positive("f8", shape)
    f = expression(text, "a")
    assert type(f(a)) is type(f.py_func(a))
    check(f, a)


@pytest.mark.parametrize("text", FIELDS)
def test_parts_of_results_by_name(text):
    check(expression(text, "a"), positive("f8", (3, 3)))


def test_named_results_are_tuples_too():
    @njit
    def f(a, whole):
        r = np.linalg.eigh(a)
        w, v = r if whole else (a[0].copy(), a.copy())
        return len(r), r[1], w, v, isinstance(r, tuple), r._replace(eigenvalues=w * 2).eigenvalues

    a = positive("f8", (3, 3))
    check(f, a, True)
    check(f, a, False)


def test_a_plain_tuple_may_be_declared():
    f = njit("Tuple((float64[:], float64[:, :]))(float64[:, ::1])")(lambda a: np.linalg.eigh(a))
    assert type(f(np.eye(2))) is tuple


def test_named_results_as_arguments_and_text():
    f = njit(lambda r, a: (r.sign + np.linalg.slogdet(a).sign, repr(np.linalg.slogdet(a))))
    assert f(np.linalg.slogdet(np.eye(2)), np.eye(2)) == (2.0, "SlogdetResult(sign=1.0, logabsdet=0.0)")
    assert njit(lambda a: str(np.linalg.slogdet(a)))(np.eye(2)) == "SlogdetResult(sign=1.0, logabsdet=0.0)"
