"""Linear algebra of stacks of matrices on a GPU, by cuSOLVER.

It takes matrices by columns: an array's last two axes are swapped for it. What begins a computation says whether the
library does it; where it does not (it is not there, or for so little it is not worth it), the host has to.
"""

import numpy as np

from .._intrinsics import device_solver, literal

_LinAlgError = np.linalg.LinAlgError

# Numbers of pa_solver_step.
_LU, _SOLVE, _CHOLESKY, _QR, _MAKE_Q, _EIGH, _SVD = 0, 1, 2, 3, 4, 5, 6


def _columns(a):
    """A copy by columns, which the library may change."""
    copy = np.empty((*a.shape[:-2], a.shape[a.ndim - 1], a.shape[a.ndim - 2]), a.dtype)
    copy[...] = np.swapaxes(a, -1, -2)
    return copy


def _outcomes(a):
    """An int32 for each matrix: 0, or what is wrong with it."""
    return np.zeros((*a.shape[:-2], 1), np.int32)


def _check(outcomes, text: literal):
    if np.any(outcomes):
        raise _LinAlgError(text)


def _factors(a):
    """Factors LU, pivots, outcomes, and whether they were made."""
    lu, outcomes = _columns(a), _outcomes(a)
    pivots = np.empty(a.shape[:-1], np.int32)
    return lu, pivots, outcomes, device_solver(_LU, 0, lu, pivots, outcomes)


def inverse_to(a, out):
    """Store the inverses to ``out``; False where the host has to."""
    lu, pivots, outcomes, done = _factors(a)
    if done:
        _check(outcomes, "Singular matrix")
        columns, places = np.empty(lu.shape, lu.dtype), np.arange(lu.shape[lu.ndim - 1])
        columns[...] = places == places[:, None]
        device_solver(_SOLVE, 0, lu, pivots, columns, outcomes)
        out[...] = np.swapaxes(columns, -1, -2)
    return done


def solve_to(a, b, out):
    """Store x with ``a @ x == b``: ``b`` and ``out`` have one shape, and ``a`` that of its stack, or is one matrix."""
    if b.size == 0:
        return False
    lu, pivots, outcomes, done = _factors(a)
    if done:
        _check(outcomes, "Singular matrix")
        columns = _columns(b)
        device_solver(_SOLVE, 0, lu, pivots, columns, _outcomes(b))
        out[...] = np.swapaxes(columns, -1, -2)
    return done


def determinant_to(a, sign, logarithm):
    """Store the signs of the determinants and the logarithms of their sizes."""
    lu, pivots, outcomes, done = _factors(a)
    if done:
        n = a.shape[a.ndim - 1]
        diagonal = np.diagonal(lu, 0, -2, -1)
        swaps = np.count_nonzero(pivots != np.arange(1, n + 1, dtype=np.int32), axis=-1)
        size = np.abs(diagonal)
        phases = np.where(size == 0, diagonal, diagonal / size)
        sign[...] = np.prod(phases, axis=-1) * np.where(swaps % 2 == 0, 1.0, -1.0)
        logarithm[...] = np.sum(np.log(size), axis=-1)
    return done


def cholesky_to(a, out, upper: literal):
    """Store the triangular factors."""
    columns, outcomes = _columns(a), _outcomes(a)
    done = device_solver(_CHOLESKY, upper, columns, outcomes)
    if done:
        _check(outcomes, "Matrix is not positive definite")
        rows = np.swapaxes(columns, -1, -2)
        out[...] = np.triu(rows) if upper else np.tril(rows)
    return done


def eigh_to(a, values, vectors, upper: literal):
    """Store eigenvalues and eigenvectors of Hermitian matrices."""
    columns, outcomes = _columns(a), _outcomes(a)
    done = device_solver(_EIGH, 2 + upper, columns, values, outcomes)
    if done:
        _check(outcomes, "Eigenvalues did not converge")
        vectors[...] = np.swapaxes(columns, -1, -2)
    return done


def eigvalsh_to(a, values, upper: literal):
    """Store the eigenvalues alone."""
    outcomes = _outcomes(a)
    done = device_solver(_EIGH, upper, _columns(a), values, outcomes)
    if done:
        _check(outcomes, "Eigenvalues did not converge")
    return done


def singular_values_to(a, s):
    """Store the singular values alone."""
    m, n = a.shape[a.ndim - 2], a.shape[a.ndim - 1]
    outcomes, none = _outcomes(a), np.empty((1, 1), a.dtype)
    if m < n:
        done = device_solver(_SVD, 0, _columns(np.swapaxes(a, -1, -2)), s, none, none, outcomes)
    else:
        done = device_solver(_SVD, 0, _columns(a), s, none, none, outcomes)
    if done:
        _check(outcomes, "SVD did not converge")
    return done


def svd_to(a, u, s, vh, full: literal):
    """Store U, the singular values and V's adjoint. The library does not do wide matrices: their adjoints are tall."""
    m, n = a.shape[a.ndim - 2], a.shape[a.ndim - 1]
    if m < n:
        return _tall_svd_to(np.conjugate(np.swapaxes(a, -1, -2)), vh, s, u, full, True)
    return _tall_svd_to(a, u, s, vh, full, False)


def _tall_svd_to(a, u, s, vh, full: literal, adjoint):
    m, n, lead = a.shape[a.ndim - 2], a.shape[a.ndim - 1], a.shape[:-2]
    outcomes = _outcomes(a)
    left, right = np.empty((*lead, m if full else n, m), a.dtype), np.empty((*lead, n, n), a.dtype)
    done = device_solver(_SVD, 1 + full, _columns(a), s, left, right, outcomes)
    if done:
        _check(outcomes, "SVD did not converge")
        if adjoint:  # of a.conj().T = left @ s @ right: vh of a is left's adjoint, and u that of right
            u[...] = np.conjugate(left)
            vh[...] = np.conjugate(right)
        else:
            u[...] = np.swapaxes(left, -1, -2)
            vh[...] = np.swapaxes(right, -1, -2)
    return done


def qr_to(a, tau):
    """Make the matrices their factors, with reflectors below the diagonal, as LAPACK does."""
    columns, outcomes = _columns(a), _outcomes(a)
    done = device_solver(_QR, 0, columns, tau, outcomes)
    if done:
        a[...] = np.swapaxes(columns, -1, -2)
    return done


def q_to(a, tau, q):
    """Store Q of these factors; ``q`` has as many rows, and as many columns as are wanted."""
    n, columns = a.shape[a.ndim - 1], np.zeros((*q.shape[:-2], q.shape[q.ndim - 1], q.shape[q.ndim - 2]), q.dtype)
    kept = min(n, q.shape[q.ndim - 1])
    columns[..., :kept, :] = np.swapaxes(a[..., :, :kept], -1, -2)
    done = device_solver(_MAKE_Q, 0, columns, tau, _outcomes(a))
    if done:
        q[...] = np.swapaxes(columns, -1, -2)
    return done
