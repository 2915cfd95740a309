"""``np.linalg``: NumPy's own LAPACK, through the inner loops of its gufuncs, for stacks of matrices.

On a GPU cuSOLVER does it (device/factors.py), where it is there and there is enough to do; else the host, with copies.
"""

import numpy as np

from .._intrinsics import gufunc, known, literal, numpy_loop, on_device
from ..device.factors import (
    cholesky_to,
    determinant_to,
    eigh_to,
    eigvalsh_to,
    inverse_to,
    q_to,
    qr_to,
    singular_values_to,
    solve_to,
    svd_to,
)

_LinAlgError = np.linalg.LinAlgError
_EigResult = np.linalg.eig(np.eye(1)).__class__
_EighResult = np.linalg.eigh(np.eye(1)).__class__
_QRResult = np.linalg.qr(np.eye(1)).__class__
_SlogdetResult = np.linalg.slogdet(np.eye(1)).__class__
_SVDResult = np.linalg.svd(np.eye(1)).__class__


def _codes(*operands):
    """Type codes of loops: ``A2*`` stands for a matrix of float64 or complex128, ``A2r`` for one of float64."""
    return ["".join("[" + o[:-1] + ("d" if o[-1] == "r" else x) for o in operands) + ">" for x in "dD"]


def _kind(a):
    """An array of the dtype that results have; NumPy computes in double precision, and rounds them."""
    if a.dtype == np.float16:
        raise TypeError("array type float16 is unsupported in linalg")
    if a.dtype.kind not in ("b", "i", "u", "f", "c"):
        raise TypeError("arrays of what is no number are unsupported in linalg")
    if a.dtype == np.float32 or a.dtype == np.complex64 or a.dtype == np.complex128:
        return np.empty(1, a.dtype)
    return np.empty(1, np.float64)


def _real(kind):
    return np.abs(kind)


def _double(a):
    """The matrices in double precision."""
    if a.dtype == np.float64 or a.dtype == np.complex128:
        return a
    if a.dtype == np.complex64:
        return a.astype(np.complex128)
    return a.astype(np.float64)


def _as(result, kind):
    """A result in the dtype of ``kind``."""
    if result.dtype == kind.dtype:
        return result
    return result.astype(kind.dtype)


def _few(ndim):
    return f"{ndim}-dimensional array given. Array must be at least two-dimensional"


def _check_square(a):
    if a.shape[a.ndim - 1] != a.shape[a.ndim - 2]:
        raise _LinAlgError("Last 2 dimensions of the array must be square")


@gufunc("(m,m)->(m,m)", *_codes("A2*", "A2*"))
def _inv(a, out):
    if numpy_loop("inv", "(m,m)->(m,m)", a, out):
        raise _LinAlgError("Singular matrix")


def inv(a):
    """The inverse of each matrix."""
    a = np.asarray(a)
    if a.ndim >= 2:
        _check_square(a)
        x, kind = _double(a), _kind(a)
        made, done = np.empty(a.shape, x.dtype), False
        if on_device():
            done = inverse_to(x, made)
        if not done:
            _inv(x, made)
        return _as(made, kind)
    raise _LinAlgError(_few(a.ndim))


@gufunc("(m,m),(m,n)->(m,n)", *_codes("A2*", "A2*", "A2*"))
def _solve(a, b, out):
    if numpy_loop("solve", "(m,m),(m,n)->(m,n)", a, b, out):
        raise _LinAlgError("Singular matrix")


@gufunc("(m,m),(m)->(m)", *_codes("A2*", "A1*", "A1*"))
def _solve1(a, b, out):
    if numpy_loop("solve1", "(m,m),(m)->(m)", a, b, out):
        raise _LinAlgError("Singular matrix")


def solve(a, b):
    """x with ``a @ x == b``: of a vector, or of stacks of matrices, which broadcast."""
    a, b = np.asarray(a), np.asarray(b)
    if a.ndim >= 2:
        _check_square(a)
        kind = _kind(a) * _kind(b)
        x, y = np.asarray(a, (kind * _double(kind)).dtype), np.asarray(b, (kind * _double(kind)).dtype)
        if b.ndim == 1:
            if on_device():
                return _as(_solve_stacks(x, y[:, None])[..., 0].copy(), kind)
            return _as(_solve1(x, y), kind)
        elif on_device():
            return _as(_solve_stacks(x, y), kind)
        return _as(_solve(x, y), kind)
    raise _LinAlgError(_few(a.ndim))


def _solve_stacks(a, b):
    """On a GPU, with all matrices of both stacks there."""
    if a.ndim == 2:
        made = np.empty(b.shape, b.dtype)
        if not solve_to(a, b, made):
            _solve(a, b, made)
        return made
    else:
        stack = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        x, y = np.broadcast_to(a, stack + a.shape[-2:]), np.broadcast_to(b, stack + b.shape[-2:])
        made = np.empty(y.shape, b.dtype)
        if not solve_to(x, y, made):
            _solve(x, y, made)
        return made


def _number(value, kind):
    """A number in the dtype of ``kind``."""
    result = _double(kind)
    result[0] = value
    return _as(result, kind)[0]


def _element(array, kind):
    """The number that is all of an array, in the dtype of ``kind``."""
    return _number(array[()], kind)


@gufunc("(m,m)->()", *_codes("A2*", "A1*"))
def _det(a, out):
    numpy_loop("det", "(m,m)->()", a, out)


def det(a):
    """The determinant of each matrix."""
    a = np.asarray(a)
    if a.ndim >= 2:
        _check_square(a)
        kind, x = _kind(a), _double(a)
        if on_device():
            sign, logarithm = _signs_and_logarithms(x)
            np.exp(logarithm, out=logarithm)
            np.multiply(sign, logarithm, out=sign)
            if a.ndim == 2:
                return _element(sign, kind)
            return _as(sign, kind)
        elif a.ndim == 2:
            return _number(_det(x), kind)
        return _as(_det(x), kind)
    raise _LinAlgError(_few(a.ndim))


@gufunc("(m,m)->(),()", *_codes("A2*", "A1*", "A1r"))
def _slogdet(a, sign, logarithm):
    numpy_loop("slogdet", "(m,m)->(),()", a, sign, logarithm)


def _signs_and_logarithms(a):
    sign, logarithm, done = np.empty(a.shape[:-2], a.dtype), np.empty(a.shape[:-2], np.float64), False
    if on_device():
        done = determinant_to(a, sign, logarithm)
    if not done:
        _slogdet(a, sign, logarithm)
    return sign, logarithm


def slogdet(a):
    """Sign and logarithm of the determinant of each matrix."""
    a = np.asarray(a)
    if a.ndim >= 2:
        _check_square(a)
        kind, x = _kind(a), _double(a)
        sign, logarithm = _signs_and_logarithms(x)
        if a.ndim == 2:
            return _SlogdetResult(_element(sign, kind), _element(logarithm, _real(kind)))
        return _SlogdetResult(_as(sign, kind), _as(logarithm, _real(kind)))
    raise _LinAlgError(_few(a.ndim))


@gufunc("(m,m)->(m,m)", *_codes("A2*", "A2*"))
def _cholesky_lo(a, out):
    if numpy_loop("cholesky_lo", "(m,m)->(m,m)", a, out):
        raise _LinAlgError("Matrix is not positive definite")


@gufunc("(m,m)->(m,m)", *_codes("A2*", "A2*"))
def _cholesky_up(a, out):
    if numpy_loop("cholesky_up", "(m,m)->(m,m)", a, out):
        raise _LinAlgError("Matrix is not positive definite")


def cholesky(a, /, *, upper=False):
    """The triangular factor of each matrix."""
    a = np.asarray(a)
    if a.ndim >= 2:
        _check_square(a)
        x, kind = _double(a), _kind(a)
        made, done = np.empty(a.shape, x.dtype), False
        if on_device():
            done = cholesky_to(x, made, 1) if upper else cholesky_to(x, made, 0)
        if not done:
            if upper:
                _cholesky_up(x, made)
            else:
                _cholesky_lo(x, made)
        return _as(made, kind)
    raise _LinAlgError(_few(a.ndim))


@gufunc("(m,m)->(m),(m,m)", *_codes("A2*", "A1r", "A2*"))
def _eigh_lo(a, values, vectors):
    if numpy_loop("eigh_lo", "(m,m)->(m),(m,m)", a, values, vectors):
        raise _LinAlgError("Eigenvalues did not converge")


@gufunc("(m,m)->(m),(m,m)", *_codes("A2*", "A1r", "A2*"))
def _eigh_up(a, values, vectors):
    if numpy_loop("eigh_up", "(m,m)->(m),(m,m)", a, values, vectors):
        raise _LinAlgError("Eigenvalues did not converge")


def _check_triangle(name):
    if name.upper() != "L" and name.upper() != "U":
        raise ValueError("UPLO argument must be 'L' or 'U'")


def eigh(a, UPLO="L"):
    """Eigenvalues in order, and eigenvectors as columns, of Hermitian matrices."""
    a = np.asarray(a)
    _check_triangle(UPLO)
    if a.ndim >= 2:
        _check_square(a)
        kind, x = _kind(a), _double(a)
        values, vectors = np.empty(a.shape[:-1], np.float64), np.empty(a.shape, x.dtype)
        lower, done = UPLO.upper() == "L", False
        if on_device():
            done = eigh_to(x, values, vectors, 0) if lower else eigh_to(x, values, vectors, 1)
        if not done:
            if lower:
                _eigh_lo(x, values, vectors)
            else:
                _eigh_up(x, values, vectors)
        return _EighResult(_as(values, _real(kind)), _as(vectors, kind))
    raise _LinAlgError(_few(a.ndim))


@gufunc("(m,m)->(m)", *_codes("A2*", "A1r"))
def _eigvalsh_lo(a, values):
    if numpy_loop("eigvalsh_lo", "(m,m)->(m)", a, values):
        raise _LinAlgError("Eigenvalues did not converge")


@gufunc("(m,m)->(m)", *_codes("A2*", "A1r"))
def _eigvalsh_up(a, values):
    if numpy_loop("eigvalsh_up", "(m,m)->(m)", a, values):
        raise _LinAlgError("Eigenvalues did not converge")


def eigvalsh(a, UPLO="L"):
    """Eigenvalues in order of Hermitian matrices."""
    a = np.asarray(a)
    _check_triangle(UPLO)
    if a.ndim >= 2:
        _check_square(a)
        x, kind, values = _double(a), _kind(a), np.empty(a.shape[:-1], np.float64)
        lower, done = UPLO.upper() == "L", False
        if on_device():
            done = eigvalsh_to(x, values, 0) if lower else eigvalsh_to(x, values, 1)
        if not done:
            if lower:
                _eigvalsh_lo(x, values)
            else:
                _eigvalsh_up(x, values)
        return _as(values, _real(kind))
    raise _LinAlgError(_few(a.ndim))


@gufunc("(m,n)->(p)", *_codes("A2*", "A1r"))
def _svd(a, s):
    if numpy_loop("svd", "(m,n)->(p)", a, s):
        raise _LinAlgError("SVD did not converge")


@gufunc("(m,n)->(m,m),(p),(n,n)", *_codes("A2*", "A2*", "A1r", "A2*"))
def _svd_full(a, u, s, vh):
    if numpy_loop("svd_f", "(m,n)->(m,m),(p),(n,n)", a, u, s, vh):
        raise _LinAlgError("SVD did not converge")


@gufunc("(m,n)->(m,p),(p),(p,n)", *_codes("A2*", "A2*", "A1r", "A2*"))
def _svd_reduced(a, u, s, vh):
    if numpy_loop("svd_s", "(m,n)->(m,p),(p),(p,n)", a, u, s, vh):
        raise _LinAlgError("SVD did not converge")


def svd(a, full_matrices: literal = True, compute_uv: literal = True, hermitian: literal = False):
    """U, the singular values and V's adjoint of each matrix, or the values alone."""
    a = np.asarray(a)
    if hermitian:
        return _svd_by_eigenvalues(a, compute_uv)
    if a.ndim >= 2:
        kind, x = _kind(a), _double(a)
        m, n = a.shape[a.ndim - 2], a.shape[a.ndim - 1]
        p = min(m, n)
        s, done = np.empty((*a.shape[:-2], p), np.float64), False
        if compute_uv:
            if full_matrices:
                u, vh = np.empty((*a.shape[:-2], m, m), x.dtype), np.empty((*a.shape[:-2], n, n), x.dtype)
                if on_device():
                    done = svd_to(x, u, s, vh, 1)
                if not done:
                    _svd_full(x, u, s, vh)
            else:
                u, vh = np.empty((*a.shape[:-2], m, p), x.dtype), np.empty((*a.shape[:-2], p, n), x.dtype)
                if on_device():
                    done = svd_to(x, u, s, vh, 0)
                if not done:
                    _svd_reduced(x, u, s, vh)
            return _SVDResult(_as(u, kind), _as(s, _real(kind)), _as(vh, kind))
        if on_device():
            done = singular_values_to(x, s)
        if not done:
            _svd(x, s)
        return _as(s, _real(kind))
    raise _LinAlgError(_few(a.ndim))


def _svd_by_eigenvalues(a, compute_uv: literal):
    """The same of Hermitian matrices, of which the singular values are the sizes of eigenvalues."""
    if compute_uv:
        values, vectors = np.linalg.eigh(a)
        order = np.argsort(np.abs(values))[..., ::-1]
        signs = np.take_along_axis(np.sign(values), order, axis=-1)
        u = np.take_along_axis(vectors, order[..., None, :], axis=-1)
        vh = np.conjugate(np.swapaxes(u * signs[..., None, :], -1, -2))
        return _SVDResult(u, np.take_along_axis(np.abs(values), order, axis=-1), vh)
    return np.sort(np.abs(np.linalg.eigvalsh(a)))[..., ::-1]


@gufunc("->(m,n),(p)", *_codes("A2*", "A1*"))
def _qr_raw(a, tau):
    """The matrix becomes its factors, reflectors below the diagonal."""
    if numpy_loop("qr_r_raw", "(m,n)->(p)", a, tau):
        raise _LinAlgError("Incorrect argument found while performing QR factorization")


@gufunc("(m,n),(k)->(m,k)", *_codes("A2*", "A1*", "A2*"))
def _qr_reduced(a, tau, q):
    if numpy_loop("qr_reduced", "(m,n),(k)->(m,k)", a, tau, q):
        raise _LinAlgError("Incorrect argument found while performing QR factorization")


@gufunc("(m,n),(n)->(m,m)", *_codes("A2*", "A1*", "A2*"))
def _qr_complete(a, tau, q):
    if numpy_loop("qr_complete", "(m,n),(n)->(m,m)", a, tau, q):
        raise _LinAlgError("Incorrect argument found while performing QR factorization")


def _q_to(x, tau, q, done, complete: literal):
    """By who has made the factors."""
    if on_device():
        if done:
            done = q_to(x, tau, q)
    if not done:
        if complete:
            _qr_complete(x, tau, q)
        else:
            _qr_reduced(x, tau, q)


@gufunc("(m,n)->(k,n)", *_codes("A2*", "A2*"))
def _upper_rows(a, r):
    for i in range(r.shape[0]):
        for j in range(r.shape[1]):
            r[i, j] = a[i, j] if j >= i else 0


def _upper(a, rows, kind):
    r = np.empty((*a.shape[:-2], rows, a.shape[a.ndim - 1]), a.dtype)
    if on_device():
        r[...] = np.triu(a[..., :rows, :])
    else:
        _upper_rows(a, r)
    return _as(r, kind)


def qr(a, mode: literal = "reduced"):
    """Q and R of each matrix: NumPy's modes ``reduced`` and ``complete``, R alone, ``r``, or LAPACK's own, ``raw``."""
    a = np.asarray(a)
    if mode != "reduced" and mode != "complete" and mode != "r" and mode != "raw":
        raise ValueError(f"Unrecognized mode '{mode}'")
    if a.ndim >= 2:
        kind = _kind(a)
        x = a.astype(_double(kind).dtype)
        m, n = a.shape[a.ndim - 2], a.shape[a.ndim - 1]
        p = min(m, n)
        tau, done = np.empty((*a.shape[:-2], p), x.dtype), False
        if on_device():
            done = qr_to(x, tau)
        if not done:
            _qr_raw(x, tau)
        if mode == "r":
            return _upper(x, p, kind)
        if mode == "raw":
            return _as(np.swapaxes(x, -1, -2), kind), _as(tau, kind)
        if mode == "complete" and m > n:
            q = np.empty((*a.shape[:-2], m, m), x.dtype)
            _q_to(x, tau, q, done, True)
            return _QRResult(_as(q, kind), _upper(x, m, kind))
        q = np.empty((*a.shape[:-2], m, p), x.dtype)
        _q_to(x, tau, q, done, False)
        return _QRResult(_as(q, kind), _upper(x, p, kind))
    raise _LinAlgError(_few(a.ndim))


@gufunc("(m,m)->(m),(m,m)", "[A2d[A1D[A2D>", "[A2D[A1D[A2D>")
def _eig(a, values, vectors):
    if numpy_loop("eig", "(m,m)->(m),(m,m)", a, values, vectors):
        raise _LinAlgError("Eigenvalues did not converge")


@gufunc("(m,m)->(m)", "[A2d[A1D>", "[A2D[A1D>")
def _eigvals(a, values):
    if numpy_loop("eigvals", "(m,m)->(m)", a, values):
        raise _LinAlgError("Eigenvalues did not converge")


def _check_finite(a):
    if not np.all(np.isfinite(a)):
        raise _LinAlgError("Array must not contain infs or NaNs")


def _check_real(values, name: known):
    """A type is known before the eigenvalues are: of real matrices they have to be real."""
    if np.any(np.not_equal(values.imag, 0)):
        raise ValueError(
            f"np.linalg.{name}: a real matrix has complex eigenvalues, of which compiled code cannot know the type; "
            "convert the matrix: a.astype(np.complex128)"
        )


def eig(a):
    """Eigenvalues, and eigenvectors as columns; of a real matrix they must be real."""
    a = np.asarray(a)
    if a.ndim >= 2:
        _check_square(a)
        _check_finite(a)
        kind, x = _kind(a), _double(a)
        values, vectors = np.empty(a.shape[:-1], np.complex128), np.empty(a.shape, np.complex128)
        _eig(x, values, vectors)
        if kind.dtype == np.complex64 or kind.dtype == np.complex128:
            return _EigResult(_as(values, kind), _as(vectors, kind))
        _check_real(values, "eig")
        return _EigResult(_as(values.real, kind), _as(vectors.real, kind))
    raise _LinAlgError(_few(a.ndim))


def eigvals(a):
    """Eigenvalues; of a real matrix they must be real."""
    a = np.asarray(a)
    if a.ndim >= 2:
        _check_square(a)
        _check_finite(a)
        kind, values = _kind(a), np.empty(a.shape[:-1], np.complex128)
        _eigvals(_double(a), values)
        if kind.dtype == np.complex64 or kind.dtype == np.complex128:
            return _as(values, kind)
        _check_real(values, "eigvals")
        return _as(values.real, kind)
    raise _LinAlgError(_few(a.ndim))


def _check_matrix(ndim):
    if ndim != 2:
        raise _LinAlgError(f"{ndim}-dimensional array given. Array must be two-dimensional")


def lstsq(a, b, rcond=None):
    """The solution of least squares, sums of squares of what is left, the rank, and singular values."""
    a, b = np.asarray(a), np.asarray(b)
    if a.ndim != 2:
        _check_matrix(a.ndim)
    elif b.ndim == 1:
        x, left, rank, s = lstsq(a, b[:, None], rcond)
        return x[:, 0].copy(), left, rank, s
    elif b.ndim == 2:
        kind = _kind(a) * _kind(b)
        m, n, sides = a.shape[0], a.shape[1], b.shape[1]
        if m != b.shape[0]:
            raise _LinAlgError("Incompatible dimensions")
        double = (kind * _double(kind)).dtype
        x, cutoff, rank = np.empty((n, max(sides, 1)), double), np.empty(1, np.float64), np.empty(1, np.int32)
        left, s = np.empty(max(sides, 1), np.float64), np.empty(min(m, n), np.float64)
        cutoff[0] = float(np.finfo(_real(kind).dtype).eps) * max(m, n) if rcond is None else rcond
        right = np.zeros((m, max(sides, 1)), double)
        right[:, :sides] = b
        if numpy_loop("lstsq", "(m,n),(m,k),()->(n,k),(k),(),(p)", a.astype(double), right, cutoff, x, left, rank, s):
            raise _LinAlgError("SVD did not converge in Linear Least Squares")
        if m == 0:
            x[...] = 0
        kept = 0 if rank[0] != n or m <= n else sides
        return x[:, :sides].astype(kind.dtype), left[:kept].astype(_real(kind).dtype), rank[0], _as(s, _real(kind))
    else:
        _check_matrix(b.ndim)
