"""The routines of BLAS by NumPy, for where the CPU plays the device. What is written is an array's elements.

Arguments are those of ``cublas.Blas``, with matrices as arrays of two dimensions. As in BLAS, an array whose factor
``beta`` is 0 is not read, and of symmetric and triangular matrices only one triangle is.
"""

import numpy as np


def _op(a, trans):
    return a if trans == "N" else a.T if trans == "T" else a.conj().T


def _update(out, product, beta):
    out[...] = product if beta == 0 else product + beta * out


def _whole(a, uplo, hermitian=False):
    """The symmetric or Hermitian matrix that one triangle of ``a`` stands for."""
    half = np.triu(a) if uplo == "U" else np.tril(a)
    if not hermitian:
        return half + half.T - np.diag(np.diag(half))
    return half + half.conj().T - np.diag(np.diag(half).real)


def _triangle(a, uplo, diag="N"):
    half = np.triu(a) if uplo == "U" else np.tril(a)
    if diag == "U":
        np.fill_diagonal(half, 1)
    return half


def _from_band(band, m, n, below, above):
    """The matrix whose diagonals are the rows of ``band``, the highest first."""
    a = np.zeros((m, n), band.dtype)
    for row in range(below + above + 1):
        offset = above - row
        for j in range(max(offset, 0), min(n, m + offset)):
            a[j - offset, j] = band[row, j]
    return a


def _from_triangle_band(band, uplo, n, k):
    return _from_band(band, n, n, *((0, k) if uplo == "U" else (k, 0)))


def _packed_places(n, uplo):
    """Rows and columns of a packed triangle's elements, column by column."""
    columns, rows = np.nonzero(np.tri(n, dtype=bool) if uplo == "U" else np.tri(n, dtype=bool).T)
    return rows, columns


def _from_packed(packed, uplo, n):
    a = np.zeros((n, n), packed.dtype)
    a[_packed_places(n, uplo)] = packed
    return a


def _add_to_triangle(a, uplo, update, real_diagonal):
    places = _packed_places(len(a), uplo)
    a[places] += update[places]
    if real_diagonal:
        np.fill_diagonal(a, a.diagonal().real)


# ------------------------------------------------------------------------------------------------
# Level 1


def amax(x):
    return int(np.argmax(np.abs(x.real) + np.abs(x.imag))) if x.size else -1


def amin(x):
    return int(np.argmin(np.abs(x.real) + np.abs(x.imag))) if x.size else -1


def asum(x):
    return float(np.sum(np.abs(x.real)) + (np.sum(np.abs(x.imag)) if x.dtype.kind == "c" else 0))


def axpy(alpha, x, y):
    y += x.dtype.type(alpha) * x


def copy(x, y):
    y[...] = x


def swap(x, y):
    x[...], y[...] = y.copy(), x.copy()


def dot(x, y):
    return np.dot(x, y).item()


dotu = dot


def dotc(x, y):
    return np.vdot(x, y).item()


def nrm2(x):
    magnitudes = np.abs(x).astype(np.float64)
    largest = magnitudes.max(initial=0.0)
    if not 0 < largest < np.inf:
        return float(largest)
    with np.errstate(over="ignore"):  # of squares no more, but the norm itself may be too large
        return float(x.real.dtype.type(largest * np.linalg.norm(magnitudes / largest)))


def scal(alpha, x):
    x *= x.dtype.type(alpha)


def rot(x, y, c, s):
    new_x, new_y = c * x + s * y, c * y - np.conj(s) * x
    x[...], y[...] = new_x, new_y


def rotm(x, y, param):
    flag, h11, h21, h12, h22 = param
    if flag == -2:
        return
    if flag == 0:
        h11 = h22 = 1.0
    elif flag == 1:
        h12, h21 = 1.0, -1.0
    new_x, new_y = h11 * x + h12 * y, h21 * x + h22 * y
    x[...], y[...] = new_x, new_y


def rotg(a, b):
    """As BLAS's, also for cublas.Blas on a device: it is of numbers alone."""
    if isinstance(a, (complex, np.complexfloating)) or isinstance(b, (complex, np.complexfloating)):
        a, b = complex(a), complex(b)
        if a == 0:
            return b, None, 0.0, 1 + 0j
        norm = float(np.hypot(abs(a), abs(b)))
        return a / abs(a) * norm, None, abs(a) / norm, a / abs(a) * b.conjugate() / norm
    a, b = float(a), float(b)
    if a == 0 and b == 0:
        return 0.0, 0.0, 1.0, 0.0
    r = float(np.copysign(np.hypot(a, b), a if abs(a) > abs(b) else b))
    c, s = a / r, b / r
    z = s if abs(a) > abs(b) else 1 / c if c != 0 else 1.0
    return r, z, c, s


_SCALE = 4096.0  # BLAS keeps d1 and d2 between 1 / _SCALE**2 and _SCALE**2


def rotmg(d1, d2, x1, y1):
    """As BLAS's (C. L. Lawson et al., 1979), also for cublas.Blas on a device: it is of numbers alone."""
    d1, d2, x1, y1 = map(float, (d1, d2, x1, y1))
    if d1 < 0:
        return 0.0, 0.0, 0.0, np.array([-1.0, 0, 0, 0, 0])
    p2 = d2 * y1
    if p2 == 0:
        return d1, d2, x1, np.array([-2.0, 0, 0, 0, 0])
    p1 = d1 * x1
    q1, q2 = p1 * x1, p2 * y1
    if abs(q1) > abs(q2):
        flag, h = 0.0, [[1.0, p2 / p1], [-y1 / x1, 1.0]]
        u = 1 - h[0][1] * h[1][0]
        if u <= 0:
            return 0.0, 0.0, 0.0, np.array([-1.0, 0, 0, 0, 0])
        d1, d2, x1 = d1 / u, d2 / u, x1 * u
    elif q2 < 0:
        return 0.0, 0.0, 0.0, np.array([-1.0, 0, 0, 0, 0])
    else:
        flag, h = 1.0, [[p1 / p2, 1.0], [-1.0, x1 / y1]]
        u = 1 + h[0][0] * h[1][1]
        d1, d2, x1 = d2 / u, d1 / u, y1 * u
    for row, d in ((0, d1), (1, d2)):
        while d != 0 and not _SCALE**-2 < abs(d) < _SCALE**2:
            flag = -1.0
            up = abs(d) <= _SCALE**-2
            d *= _SCALE**2 if up else _SCALE**-2
            factor = 1 / _SCALE if up else _SCALE
            h[row] = [part * factor for part in h[row]]
            if row == 0:
                x1 *= factor
        if row == 0:
            d1 = d
        else:
            d2 = d
    kept = {-1.0: (0, 1, 2, 3), 0.0: (1, 2), 1.0: (0, 3)}[flag]
    param = [part if place in kept else 0.0 for place, part in enumerate((h[0][0], h[1][0], h[0][1], h[1][1]))]
    return d1, d2, x1, np.array([flag, *param])


# ------------------------------------------------------------------------------------------------
# Level 2


def gemv(trans, m, n, alpha, A, x, beta, y):
    _update(y, alpha * (_op(A, trans) @ x), beta)


def gbmv(trans, m, n, kl, ku, alpha, A, x, beta, y):
    gemv(trans, m, n, alpha, _from_band(A, m, n, kl, ku), x, beta, y)


def symv(uplo, n, alpha, A, x, beta, y):
    _update(y, alpha * (_whole(A, uplo) @ x), beta)


def hemv(uplo, n, alpha, A, x, beta, y):
    _update(y, alpha * (_whole(A, uplo, True) @ x), beta)


def sbmv(uplo, n, k, alpha, A, x, beta, y):
    symv(uplo, n, alpha, _from_triangle_band(A, uplo, n, k), x, beta, y)


def hbmv(uplo, n, k, alpha, A, x, beta, y):
    hemv(uplo, n, alpha, _from_triangle_band(A, uplo, n, k), x, beta, y)


def spmv(uplo, n, alpha, AP, x, beta, y):
    symv(uplo, n, alpha, _from_packed(AP, uplo, n), x, beta, y)


def hpmv(uplo, n, alpha, AP, x, beta, y):
    hemv(uplo, n, alpha, _from_packed(AP, uplo, n), x, beta, y)


def trmv(uplo, trans, diag, n, A, x):
    x[...] = _op(_triangle(A, uplo, diag), trans) @ x


def tbmv(uplo, trans, diag, n, k, A, x):
    trmv(uplo, trans, diag, n, _from_triangle_band(A, uplo, n, k), x)


def tpmv(uplo, trans, diag, n, AP, x):
    trmv(uplo, trans, diag, n, _from_packed(AP, uplo, n), x)


def trsv(uplo, trans, diag, n, A, x):
    x[...] = _solve(_op(_triangle(A, uplo, diag), trans), x)


def tbsv(uplo, trans, diag, n, k, A, x):
    trsv(uplo, trans, diag, n, _from_triangle_band(A, uplo, n, k), x)


def tpsv(uplo, trans, diag, n, AP, x):
    trsv(uplo, trans, diag, n, _from_packed(AP, uplo, n), x)


def _solve(a, b):
    """Triangular systems; as in BLAS, nothing looks whether they have a solution."""
    x = np.array(b)
    lower = not np.any(np.triu(a, 1))
    with np.errstate(all="ignore"):
        for i in range(len(a)) if lower else reversed(range(len(a))):
            others = slice(0, i) if lower else slice(i + 1, None)
            x[i] = (x[i] - a[i, others] @ x[others]) / a[i, i]
    return x


def ger(m, n, alpha, x, y, A):
    A += alpha * np.outer(x, y)


geru = ger


def gerc(m, n, alpha, x, y, A):
    A += alpha * np.outer(x, y.conj())


def syr(uplo, n, alpha, x, A):
    _add_to_triangle(A, uplo, alpha * np.outer(x, x), False)


def her(uplo, n, alpha, x, A):
    _add_to_triangle(A, uplo, alpha * np.outer(x, x.conj()), True)


def syr2(uplo, n, alpha, x, y, A):
    _add_to_triangle(A, uplo, alpha * (np.outer(x, y) + np.outer(y, x)), False)


def her2(uplo, n, alpha, x, y, A):
    _add_to_triangle(A, uplo, alpha * np.outer(x, y.conj()) + np.conj(alpha) * np.outer(y, x.conj()), True)


def _on_packed(rank_update):
    def update(uplo, n, alpha, *vectors_and_packed):
        *vectors, packed = vectors_and_packed
        a = _from_packed(packed, uplo, n)
        rank_update(uplo, n, alpha, *vectors, a)
        packed[...] = a[_packed_places(n, uplo)]

    return update


spr, hpr, spr2, hpr2 = map(_on_packed, (syr, her, syr2, her2))


# ------------------------------------------------------------------------------------------------
# Level 3


def gemm(transa, transb, m, n, k, alpha, A, B, beta, C):
    _update(C, alpha * (_op(A, transa) @ _op(B, transb)), beta)


def symm(side, uplo, m, n, alpha, A, B, beta, C, hermitian=False):
    a = _whole(A, uplo, hermitian)
    _update(C, alpha * (a @ B if side == "L" else B @ a), beta)


def hemm(side, uplo, m, n, alpha, A, B, beta, C):
    symm(side, uplo, m, n, alpha, A, B, beta, C, True)


def _update_triangle(uplo, C, product, beta, real_diagonal=False):
    places = _packed_places(len(C), uplo)
    C[places] = product[places] if beta == 0 else product[places] + beta * C[places]
    if real_diagonal:
        np.fill_diagonal(C, C.diagonal().real)


def syrk(uplo, trans, n, k, alpha, A, beta, C):
    a = A if trans == "N" else A.T
    _update_triangle(uplo, C, alpha * (a @ a.T), beta)


def herk(uplo, trans, n, k, alpha, A, beta, C):
    a = A if trans == "N" else A.conj().T
    _update_triangle(uplo, C, alpha * (a @ a.conj().T), beta, True)


def syr2k(uplo, trans, n, k, alpha, A, B, beta, C):
    a, b = (A, B) if trans == "N" else (A.T, B.T)
    _update_triangle(uplo, C, alpha * (a @ b.T + b @ a.T), beta)


def her2k(uplo, trans, n, k, alpha, A, B, beta, C):
    a, b = (A, B) if trans == "N" else (A.conj().T, B.conj().T)
    product = alpha * (a @ b.conj().T)
    _update_triangle(uplo, C, product + product.conj().T, beta, True)


def trmm(side, uplo, trans, diag, m, n, alpha, A, B, C):
    a = _op(_triangle(A, uplo, diag), trans)
    C[...] = alpha * (a @ B if side == "L" else B @ a)


def trsm(side, uplo, trans, diag, m, n, alpha, A, B):
    a = _op(_triangle(A, uplo, diag), trans)
    B[...] = alpha * (_solve(a, B) if side == "L" else _solve(a.T, B.T).T)


def dgmm(side, m, n, A, x, C):
    C[...] = x[:, None] * A if side == "L" else A * x


def geam(transa, transb, m, n, alpha, A, beta, B, C):
    C[...] = alpha * _op(A, transa) + beta * _op(B, transb)
