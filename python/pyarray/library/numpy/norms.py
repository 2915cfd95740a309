"""What of ``np.linalg`` is made of others: norms, powers, pseudo-inverses, and names of functions of ``np``."""

import math

import numpy as np

from .._intrinsics import known
from .axes import axes_of, last_axes, moved_axes
from .linalg import _check_square
from .views import any_layout

# Norms ----------------------------------------------------------------------------------------------------------------


def _inexact(x):
    """An array of floats or complex numbers."""
    a = np.asarray(x)
    if np.issubdtype(a.dtype, np.inexact):
        return a
    return a.astype(np.float64)


def norm(x, ord=None, axis: known = None, keepdims: known = False):
    """``np.linalg.norm``."""
    a = _inexact(x)
    if axis is None:
        if ord is None:
            return _flat_norm(a, keepdims)
        if a.ndim == 1:
            return _vectors(a, ord, 0, keepdims)
        if a.ndim == 2:
            return _matrices(a, ord, keepdims)
        raise ValueError("Improper number of dimensions to norm.")
    if isinstance(axis, tuple):
        if len(axis) == 1:
            return _vectors(a, ord, axis[0], keepdims)
        if keepdims:
            kept = _matrices(np.moveaxis(a, axis, (-2, -1)), ord, True)
            return np.moveaxis(kept, (-2, -1), axis)
        return _matrices(np.moveaxis(a, axis, (-2, -1)), ord, False)
    return _vectors(a, ord, axis, keepdims)


def _flat_norm(a, keepdims: known):
    flat = np.ravel(a, "K")
    result = np.sqrt(_dot_of_parts(flat))
    if keepdims:
        return np.full((1,) * a.ndim, result)
    return result


def _dot_of_parts(x):
    if np.issubdtype(x.dtype, np.complexfloating):
        return np.add(np.dot(x.real, x.real), np.dot(x.imag, x.imag))
    return np.dot(x, x)


def _squares(a):
    if np.issubdtype(a.dtype, np.complexfloating):
        return np.real(np.multiply(np.conjugate(a), a))
    return np.multiply(a, a)


def _vectors(a, ord, axis, keepdims: known):
    if ord is None:
        return np.sqrt(np.sum(_squares(a), axis, None, None, keepdims))
    if isinstance(ord, str):
        raise ValueError(f"Invalid norm order '{ord}' for vectors")
    else:
        if ord == math.inf:
            return np.max(np.abs(a), axis, None, keepdims)
        if ord == -math.inf:
            return np.min(np.abs(a), axis, None, keepdims)
        if ord == 0:
            return np.sum(np.not_equal(a, 0).astype(np.abs(a).dtype), axis, None, None, keepdims)
        if ord == 1:
            return np.sum(np.abs(a), axis, None, None, keepdims)
        if ord == 2:
            return np.sqrt(np.sum(_squares(a), axis, None, None, keepdims))
        return _powers(np.abs(a), ord, axis, keepdims)


def _powers(size, ord, axis, keepdims: known):
    unit = size.dtype.type
    return np.power(np.sum(np.power(size, unit(ord)), axis, None, None, keepdims), np.reciprocal(unit(ord)))


def _matrices(a, ord, keepdims: known):
    """Norms of the matrices of the last two axes."""
    if ord is None:
        return np.sqrt(np.sum(_squares(a), (-2, -1), None, None, keepdims))
    if isinstance(ord, str):
        if ord == "fro":
            return np.sqrt(np.sum(_squares(a), (-2, -1), None, None, keepdims))
        if ord == "nuc":
            return _kept(np.sum(np.linalg.svd(a, True, False), -1), keepdims)
        raise ValueError("Invalid norm order for matrices.")
    else:
        if ord == 1:
            return _kept(np.max(np.sum(np.abs(a), -2), -1), keepdims)
        if ord == -1:
            return _kept(np.min(np.sum(np.abs(a), -2), -1), keepdims)
        if ord == math.inf:
            return _kept(np.max(np.sum(np.abs(a), -1), -1), keepdims)
        if ord == -math.inf:
            return _kept(np.min(np.sum(np.abs(a), -1), -1), keepdims)
        if ord == 2:
            return _kept(np.max(np.linalg.svd(a, True, False), -1), keepdims)
        if ord == -2:
            return _kept(np.min(np.linalg.svd(a, True, False), -1), keepdims)
        raise ValueError("Invalid norm order for matrices.")


def _kept(result, keepdims: known):
    if keepdims:
        return np.asarray(result)[..., None, None]
    return result


def matrix_norm(x, /, *, keepdims: known = False, ord="fro"):
    """``np.linalg.matrix_norm``."""
    return _matrices(_inexact(x), ord, keepdims)


def vector_norm(x, /, *, axis: known = None, keepdims: known = False, ord=2):
    """``np.linalg.vector_norm``."""
    a = _inexact(x)
    if axis is None:
        result = _vectors(np.ravel(a), ord, 0, False)
        if keepdims:
            return np.full((1,) * a.ndim, result)
        return result
    return _vectors(a, ord, axis, keepdims)


def cond(x, p=None):
    """``np.linalg.cond``."""
    a = np.asarray(x)
    if a.ndim > 1 and a.size == 0:
        raise np.linalg.LinAlgError("cond is not defined on empty arrays")
    if p is None:
        s = np.linalg.svd(a, True, False)
        return np.divide(s[..., 0], s[..., -1])
    if isinstance(p, str):
        return np.multiply(_matrices(_inexact(a), p, False), _matrices(np.linalg.inv(a), p, False))
    return np.multiply(_matrices(_inexact(a), p, False), _matrices(np.linalg.inv(a), p, False))


def matrix_rank(A, tol=None, hermitian=False, *, rtol=None):
    """``np.linalg.matrix_rank``."""
    a = np.asarray(A)
    if a.ndim < 2:
        return 1 if np.any(a != 0) else 0
    if hermitian:
        s = np.abs(np.linalg.eigvalsh(a))
    else:
        s = np.linalg.svd(a, True, False)
    if tol is None:
        share = max(a.shape[-2], a.shape[-1]) * float(np.finfo(s.dtype).eps) if rtol is None else rtol
        return np.sum(np.greater(s, np.multiply(np.max(s, -1, None, True, 0), share)), -1)
    return np.sum(np.greater(s, tol), -1)


# Powers and inverses --------------------------------------------------------------------------------------------------


def matrix_power(a, n):
    """``np.linalg.matrix_power``."""
    x = np.asarray(a)
    _check_square(x)
    if n == 0:
        out = np.empty(x.shape, x.dtype)
        out[...] = np.eye(x.shape[-1])
        return out
    if n < 0:
        return _power(np.linalg.inv(x).astype(x.dtype), -n)
    return _power(x.copy(), n)


def _power(x, n):
    if n == 1:
        return x
    if n == 2:
        return np.matmul(x, x)
    if n == 3:
        return np.matmul(np.matmul(x, x), x)
    square, result, empty = x, x, True
    while n > 0:
        if n % 2 == 1:
            result = square if empty else np.matmul(result, square)
            empty = False
        n //= 2
        if n > 0:
            square = np.matmul(square, square)
    return result


def pinv(a, rcond=None, hermitian: known = False, *, rtol=None):
    """``np.linalg.pinv``."""
    x = np.asarray(a)
    u, s, vh = np.linalg.svd(np.conjugate(x), False, True, hermitian)
    share = _share(x, s, rcond, rtol)
    large = np.greater(s, np.multiply(share, np.max(s, -1, None, True)))
    inverse = np.where(large, np.divide(1, s), 0).astype(s.dtype)
    return np.matmul(np.swapaxes(vh, -1, -2), np.multiply(inverse[..., None], np.swapaxes(u, -1, -2)))


def _share(a, s, rcond, rtol):
    if rcond is not None:
        return rcond
    if rtol is not None:
        return rtol
    return max(a.shape[-2], a.shape[-1]) * float(np.finfo(s.dtype).eps)


# Names of functions of np ---------------------------------------------------------------------------------------------


def outer(x1, x2, /):
    """``np.linalg.outer``."""
    return np.outer(x1, x2)


def matmul(x1, x2, /):
    """``np.linalg.matmul``."""
    return np.matmul(x1, x2)


def trace(x, /, *, offset=0, dtype=None):
    """``np.linalg.trace``."""
    return np.trace(np.asarray(x), offset, -2, -1, dtype)


def diagonal(x, /, *, offset=0):
    """``np.linalg.diagonal``."""
    return np.diagonal(np.asarray(x), offset, -2, -1)


def vecdot(x1, x2, /, *, axis: known = -1):
    """``np.linalg.vecdot``."""
    return np.vecdot(x1, x2, axis)


def tensordot(x1, x2, /, *, axes: known = 2):
    """``np.linalg.tensordot``."""
    return np.tensordot(x1, x2, axes)


def cross(x1, x2, /, *, axis=-1):
    """``np.linalg.cross``."""
    return np.cross(x1, x2, -1, -1, -1, axis)


def svdvals(x, /):
    """``np.linalg.svdvals``."""
    return np.linalg.svd(np.asarray(x), True, False)


# Products of many, and equations of tensors ---------------------------------------------------------------------------


def multi_dot(arrays, *, out=None):
    """``np.linalg.multi_dot``; arrays of several dtypes are converted to the one that the result has."""
    n = len(arrays)
    if n < 2:
        raise ValueError("Expecting at least two arrays.")
    if isinstance(arrays, tuple):
        if len(arrays) < 2:
            return np.asarray(arrays)
        if len(arrays) == 2:
            return np.dot(arrays[0], arrays[1], out)
        kind = np.result_type(*arrays)
        first, last = np.asarray(arrays[0], kind), np.asarray(arrays[-1], kind)
        matrices = [_as_row(first)]
        for each in arrays[1:-1]:
            matrices.append(_as_matrix(np.asarray(each, kind)))
        matrices.append(_as_column(last))
        return _shaped_chain(_chain_of(matrices, out), first.ndim, last.ndim)
    elif arrays[0].ndim == 2:
        if n == 2:
            return np.dot(arrays[0], arrays[1], out)
        return _chain_of([_as_matrix(each) for each in arrays], out)
    else:
        if n > 2 or arrays[0].ndim != 1:
            _need_matrix(arrays[0].ndim)
        return np.dot(arrays[0], arrays[1], out)


def _need_matrix(ndim):
    raise np.linalg.LinAlgError(f"{ndim}-dimensional array given. Array must be two-dimensional")


def _as_matrix(a):
    if a.ndim != 2:
        _need_matrix(a.ndim)
    else:
        return any_layout(a)


def _as_row(a):
    return _as_matrix(a[None] if a.ndim == 1 else a)


def _as_column(a):
    return _as_matrix(a[:, None] if a.ndim == 1 else a)


def _shaped_chain(product, first: known, last: known):
    if first == 1 and last == 1:
        return product[0, 0]
    if first == 1 or last == 1:
        return np.ravel(product)
    return product


def _chain_of(matrices, out):
    """Where each product of neighbours is split, by the costs of all; then the products."""
    n = len(matrices)
    extents = [matrices[i].shape[0] for i in range(n)] + [matrices[n - 1].shape[1]]
    costs, splits = np.zeros((n, n)), np.zeros((n, n), np.int64)
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            costs[i, j] = math.inf
            for k in range(i, j):
                cost = costs[i, k] + costs[k + 1, j] + extents[i] * extents[k + 1] * extents[j + 1]
                if cost < costs[i, j]:
                    costs[i, j], splits[i, j] = cost, k
    middle = splits[0, n - 1]
    return np.dot(_chain(matrices, splits, 0, middle), _chain(matrices, splits, middle + 1, n - 1), out)


def _chain(matrices, splits, i, j):
    if i == j:
        return matrices[i]
    return any_layout(np.dot(_chain(matrices, splits, i, splits[i, j]), _chain(matrices, splits, splits[i, j] + 1, j)))


def tensorsolve(a, b, axes: known = None):
    """``np.linalg.tensorsolve``."""
    left, right = np.asarray(a), np.asarray(b)
    if axes is None:
        return _tensor_solution(left, right)
    order = axes_of(axes, left.ndim)
    return _tensor_solution(moved_axes(left, order, last_axes(order, left.ndim)), right)


def _tensor_solution(a, b):
    if a.ndim <= b.ndim:
        raise np.linalg.LinAlgError(_UNEQUAL)
    else:
        shape, size = a.shape[b.ndim :], 1
        for n in shape:
            size *= n
        if a.size != size * size:
            raise np.linalg.LinAlgError(_UNEQUAL)
        return np.linalg.solve(a.reshape((size, size)), np.ravel(b)).reshape(shape)


_UNEQUAL = "Input arrays must satisfy the requirement             prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim])"


def tensorinv(a, ind: known = 2):
    """``np.linalg.tensorinv``."""
    x = np.asarray(a)
    if ind <= 0:
        raise ValueError("Invalid ind argument.")
    else:
        size = 1
        for n in x.shape[ind:]:
            size *= n
        return np.linalg.inv(x.reshape((size, -1))).reshape(x.shape[ind:] + x.shape[:ind])
