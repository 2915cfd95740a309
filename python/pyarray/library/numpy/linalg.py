"""``np.linalg``: NumPy's own LAPACK, through the inner loops of its gufuncs, for stacks of matrices."""

import numpy as np

from .._intrinsics import gufunc, literal, numpy_loop

_LinAlgError = np.linalg.LinAlgError


def _codes(letters, *operands):
    """Type codes of loops: ``A2*`` stands for a matrix of each of the letters, ``A2r`` for one of their real parts."""
    real = {"f": "f", "d": "d", "F": "f", "D": "d"}
    return ["".join("[" + o[:-1] + (real[x] if o[-1] == "r" else x) for o in operands) + ">" for x in letters]


def _floats(a):
    """The matrices in a type that LAPACK has."""
    if a.dtype == np.float16:
        raise TypeError("array type float16 is unsupported in linalg")
    if a.dtype == np.float64 or a.dtype == np.complex128 or a.dtype == np.float32 or a.dtype == np.complex64:
        return a
    return a.astype(np.float64)


def _check_matrices(a):
    if a.ndim < 2:
        raise _LinAlgError(f"{a.ndim}-dimensional array given. Array must be at least two-dimensional")


def _check_square(a):
    _check_matrices(a)
    if a.shape[a.ndim - 1] != a.shape[a.ndim - 2]:
        raise _LinAlgError("Last 2 dimensions of the array must be square")


@gufunc("(m,m)->(m,m)", *_codes("fdFD", "A2*", "A2*"))
def _inv(a, out):
    if numpy_loop("inv", "(m,m)->(m,m)", a, out):
        raise _LinAlgError("Singular matrix")


def inv(a):
    """The inverse of each matrix."""
    _check_square(a)
    return _inv(_floats(a))


@gufunc("(m,m),(m,n)->(m,n)", *_codes("fdFD", "A2*", "A2*", "A2*"))
def _solve(a, b, out):
    if numpy_loop("solve", "(m,m),(m,n)->(m,n)", a, b, out):
        raise _LinAlgError("Singular matrix")


@gufunc("(m,m),(m)->(m)", *_codes("fdFD", "A2*", "A1*", "A1*"))
def _solve1(a, b, out):
    if numpy_loop("solve1", "(m,m),(m)->(m)", a, b, out):
        raise _LinAlgError("Singular matrix")


def solve(a, b):
    """x with ``a @ x == b``: of a vector, or of stacks of matrices, which broadcast."""
    _check_square(a)
    kind = _common(_floats(a), _floats(b))
    if b.ndim == 1:
        return _solve1(a.astype(kind), b.astype(kind))
    return _solve(a.astype(kind), b.astype(kind))


def _common(a, b):
    """The dtype of both together."""
    return (_one(a) * _one(b)).dtype


def _one(a):
    return np.empty(1, a.dtype)


@gufunc("(m,m)->()", *_codes("fdFD", "A2*", "A1*"))
def _det(a, out):
    numpy_loop("det", "(m,m)->()", a, out)


def det(a):
    """The determinant of each matrix."""
    _check_square(a)
    return _det(_floats(a))


@gufunc("(m,m)->(),()", *_codes("fdFD", "A2*", "A1*", "A1r"))
def _slogdet(a, sign, logarithm):
    numpy_loop("slogdet", "(m,m)->(),()", a, sign, logarithm)


def slogdet(a):
    """Sign and logarithm of the determinant of each matrix; NumPy's result has names for them."""
    _check_square(a)
    return _slogdet(_floats(a))


@gufunc("(m,m)->(m,m)", *_codes("fdFD", "A2*", "A2*"))
def _cholesky_lo(a, out):
    if numpy_loop("cholesky_lo", "(m,m)->(m,m)", a, out):
        raise _LinAlgError("Matrix is not positive definite")


@gufunc("(m,m)->(m,m)", *_codes("fdFD", "A2*", "A2*"))
def _cholesky_up(a, out):
    if numpy_loop("cholesky_up", "(m,m)->(m,m)", a, out):
        raise _LinAlgError("Matrix is not positive definite")


def cholesky(a, /, *, upper=False):
    """The triangular factor of each matrix."""
    _check_square(a)
    if upper:
        return _cholesky_up(_floats(a))
    return _cholesky_lo(_floats(a))


@gufunc("(m,m)->(m),(m,m)", *_codes("fdFD", "A2*", "A1r", "A2*"))
def _eigh_lo(a, values, vectors):
    if numpy_loop("eigh_lo", "(m,m)->(m),(m,m)", a, values, vectors):
        raise _LinAlgError("Eigenvalues did not converge")


@gufunc("(m,m)->(m),(m,m)", *_codes("fdFD", "A2*", "A1r", "A2*"))
def _eigh_up(a, values, vectors):
    if numpy_loop("eigh_up", "(m,m)->(m),(m,m)", a, values, vectors):
        raise _LinAlgError("Eigenvalues did not converge")


def _check_triangle(name):
    if name.upper() != "L" and name.upper() != "U":
        raise ValueError("UPLO argument must be 'L' or 'U'")


def eigh(a, UPLO="L"):
    """Eigenvalues in order, and eigenvectors as columns, of Hermitian matrices; NumPy's result has names for them."""
    _check_triangle(UPLO)
    _check_square(a)
    if UPLO.upper() == "L":
        return _eigh_lo(_floats(a))
    return _eigh_up(_floats(a))


@gufunc("(m,m)->(m)", *_codes("fdFD", "A2*", "A1r"))
def _eigvalsh_lo(a, values):
    if numpy_loop("eigvalsh_lo", "(m,m)->(m)", a, values):
        raise _LinAlgError("Eigenvalues did not converge")


@gufunc("(m,m)->(m)", *_codes("fdFD", "A2*", "A1r"))
def _eigvalsh_up(a, values):
    if numpy_loop("eigvalsh_up", "(m,m)->(m)", a, values):
        raise _LinAlgError("Eigenvalues did not converge")


def eigvalsh(a, UPLO="L"):
    """Eigenvalues in order of Hermitian matrices."""
    _check_triangle(UPLO)
    _check_square(a)
    if UPLO.upper() == "L":
        return _eigvalsh_lo(_floats(a))
    return _eigvalsh_up(_floats(a))


@gufunc("(m,n)->(p)", *_codes("fdFD", "A2*", "A1r"))
def _svd(a, s):
    if numpy_loop("svd", "(m,n)->(p)", a, s):
        raise _LinAlgError("SVD did not converge")


@gufunc("(m,n)->(m,m),(p),(n,n)", *_codes("fdFD", "A2*", "A2*", "A1r", "A2*"))
def _svd_full(a, u, s, vh):
    if numpy_loop("svd_f", "(m,n)->(m,m),(p),(n,n)", a, u, s, vh):
        raise _LinAlgError("SVD did not converge")


@gufunc("(m,n)->(m,p),(p),(p,n)", *_codes("fdFD", "A2*", "A2*", "A1r", "A2*"))
def _svd_reduced(a, u, s, vh):
    if numpy_loop("svd_s", "(m,n)->(m,p),(p),(p,n)", a, u, s, vh):
        raise _LinAlgError("SVD did not converge")


def svd(a, full_matrices: literal = True, compute_uv: literal = True):
    """U, the singular values and V's adjoint of each matrix, or the values alone."""
    _check_matrices(a)
    x = _floats(a)
    stack, m, n = a.shape[:-2], a.shape[a.ndim - 2], a.shape[a.ndim - 1]
    p = min(m, n)
    s = np.empty((*stack, p), np.abs(_one(x)).dtype)
    if not compute_uv:
        return _svd(x, s)
    if full_matrices:
        u, vh = np.empty((*stack, m, m), x.dtype), np.empty((*stack, n, n), x.dtype)
        return _svd_full(x, u, s, vh)
    u, vh = np.empty((*stack, m, p), x.dtype), np.empty((*stack, p, n), x.dtype)
    return _svd_reduced(x, u, s, vh)


@gufunc("->(m,n),(p)", *_codes("dD", "A2*", "A1*"))
def _qr_raw(a, tau):
    """The matrix becomes its factors, reflectors below the diagonal."""
    if numpy_loop("qr_r_raw", "(m,n)->(p)", a, tau):
        raise _LinAlgError("Incorrect argument found while performing QR factorization")


@gufunc("(m,n),(k)->(m,k)", *_codes("dD", "A2*", "A1*", "A2*"))
def _qr_reduced(a, tau, q):
    if numpy_loop("qr_reduced", "(m,n),(k)->(m,k)", a, tau, q):
        raise _LinAlgError("Incorrect argument found while performing QR factorization")


@gufunc("(m,n),(n)->(m,m)", *_codes("dD", "A2*", "A1*", "A2*"))
def _qr_complete(a, tau, q):
    if numpy_loop("qr_complete", "(m,n),(n)->(m,m)", a, tau, q):
        raise _LinAlgError("Incorrect argument found while performing QR factorization")


@gufunc("(m,n)->(k,n)", *_codes("dD", "A2*", "A2*"))
def _upper_rows(a, r):
    for i in range(r.shape[0]):
        for j in range(r.shape[1]):
            r[i, j] = a[i, j] if j >= i else 0


def _upper(a, rows, kind):
    r = np.empty((*a.shape[:-2], rows, a.shape[a.ndim - 1]), a.dtype)
    _upper_rows(a, r)
    return r.astype(kind)


def qr(a, mode: literal = "reduced"):
    """Q and R of each matrix: NumPy's modes ``reduced`` and ``complete``, or R alone, ``r``."""
    _check_matrices(a)
    kind = _floats(_one(a)).dtype
    x = a.astype((_one(_floats(_one(a))) * np.ones(1)).dtype)
    m, n = a.shape[a.ndim - 2], a.shape[a.ndim - 1]
    p = min(m, n)
    tau = np.empty((*a.shape[:-2], p), x.dtype)
    _qr_raw(x, tau)
    if mode == "r":
        return _upper(x, p, kind)
    if mode == "complete":
        if m > n:
            q = np.empty((*a.shape[:-2], m, m), x.dtype)
            _qr_complete(x, tau, q)
            return q.astype(kind), _upper(x, m, kind)
    elif mode != "reduced":
        raise ValueError(f"Unrecognized mode '{mode}'")
    q = np.empty((*a.shape[:-2], m, p), x.dtype)
    _qr_reduced(x, tau, q)
    return q.astype(kind), _upper(x, p, kind)
