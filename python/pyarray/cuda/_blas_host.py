"""The routines of BLAS by NumPy, for where the CPU plays the device. What is written is an array's elements.

Arguments are those of ``cublas.Blas``, with matrices as arrays of two dimensions. As in BLAS, what has the factor 0 is
not read, of symmetric and triangular matrices only one triangle is, and where a matrix has no elements, there are no
zeros to multiply NaN and infinities by.
"""

import math

import numpy as np


def _op(a, trans):
    return a if trans == "N" else a.T if trans == "T" else a.conj().T


def _scaled(factor, array):
    """A multiple of an array; a real factor leaves real and imaginary part to themselves."""
    if isinstance(factor, float) and array.dtype.kind == "c":
        made = np.empty_like(array)
        made.real, made.imag = factor * array.real, factor * array.imag
        return made
    return factor * array


def _update(out, alpha, product, beta):
    """out = alpha * product() + beta * out."""
    if alpha == 0:
        if beta != 1:
            out[...] = _scaled(beta, out) if beta != 0 else 0
        return
    found = _scaled(alpha, product())
    out[...] = found if beta == 0 else found + _scaled(beta, out)


def _whole(a, uplo, hermitian=False):
    """The symmetric or Hermitian matrix that one triangle of ``a`` stands for."""
    is_kept = np.tri(len(a), dtype=bool)
    whole = np.where(is_kept.T if uplo == "U" else is_kept, a, a.conj().T if hermitian else a.T)
    if hermitian:
        np.fill_diagonal(whole, a.diagonal().real)
    return whole


def _product(a, places, b):
    """``a @ b`` of the elements of ``a`` at ``places``."""
    if np.isfinite(b).all():
        return a @ b
    made = np.empty((len(a), *b.shape[1:]), b.dtype)
    for i, row in enumerate(places):
        made[i] = a[i, row] @ b[row]
    return made


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


def _band_places(m, n, below, above):
    """Where a matrix with that many diagonals has elements."""
    return np.tri(m, n, above, bool) & ~np.tri(m, n, -below - 1, bool)


def _diagonals(uplo, k):
    """How many are below the main one, and above, of a triangle with k more."""
    return (0, k) if uplo == "U" else (k, 0)


def _from_triangle_band(band, uplo, n, k):
    return _from_band(band, n, n, *_diagonals(uplo, k))


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


def _place_of(choose, x):
    """NaN is neither greater nor less than others."""
    sizes = np.abs(x.real) + np.abs(x.imag)
    return -1 if not x.size else 0 if np.isnan(sizes).all() else int(choose(sizes))


def amax(x):
    return _place_of(np.nanargmax, x)


def amin(x):
    return _place_of(np.nanargmin, x)


def asum(x):
    return float(np.sum(np.abs(x.real)) + (np.sum(np.abs(x.imag)) if x.dtype.kind == "c" else 0))


def axpy(alpha, x, y):
    if alpha != 0:
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
    new_x, new_y = _scaled(c, x) + s * y, _scaled(c, y) - np.conj(s) * x
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
        while d != 0 and math.isfinite(d) and not _SCALE**-2 < abs(d) < _SCALE**2:
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
    _update(y, alpha, lambda: _op(A, trans) @ x, beta)


def gbmv(trans, m, n, kl, ku, alpha, A, x, beta, y):
    def product():
        places = _band_places(m, n, kl, ku)
        return _product(_op(_from_band(A, m, n, kl, ku), trans), _op(places, trans), x)

    _update(y, alpha, product, beta)


def symv(uplo, n, alpha, A, x, beta, y):
    _update(y, alpha, lambda: _whole(A, uplo) @ x, beta)


def hemv(uplo, n, alpha, A, x, beta, y):
    _update(y, alpha, lambda: _whole(A, uplo, True) @ x, beta)


def sbmv(uplo, n, k, alpha, A, x, beta, y, hermitian=False):
    def product():
        return _product(_whole(_from_triangle_band(A, uplo, n, k), uplo, hermitian), _band_places(n, n, k, k), x)

    _update(y, alpha, product, beta)


def hbmv(uplo, n, k, alpha, A, x, beta, y):
    sbmv(uplo, n, k, alpha, A, x, beta, y, True)


def spmv(uplo, n, alpha, AP, x, beta, y):
    symv(uplo, n, alpha, _from_packed(AP, uplo, n), x, beta, y)


def hpmv(uplo, n, alpha, AP, x, beta, y):
    hemv(uplo, n, alpha, _from_packed(AP, uplo, n), x, beta, y)


def trmv(uplo, trans, diag, n, A, x, k=None):
    x[...] = _product(_op(_triangle(A, uplo, diag), trans), _triangle_places(uplo, trans, n, k), x)


def _triangle_places(uplo, trans, n, k=None):
    """Where the triangle of a matrix that is transposed or not has elements; ``k``: diagonals beside the main one."""
    return _op(_band_places(n, n, *_diagonals(uplo, n if k is None else k)), trans)


def tbmv(uplo, trans, diag, n, k, A, x):
    trmv(uplo, trans, diag, n, _from_triangle_band(A, uplo, n, k), x, k)


def tpmv(uplo, trans, diag, n, AP, x):
    trmv(uplo, trans, diag, n, _from_packed(AP, uplo, n), x)


def trsv(uplo, trans, diag, n, A, x, k=None):
    x[...] = _solve(_op(_triangle(A, uplo, diag), trans), _triangle_places(uplo, trans, n, k), x)


def tbsv(uplo, trans, diag, n, k, A, x):
    trsv(uplo, trans, diag, n, _from_triangle_band(A, uplo, n, k), x, k)


def tpsv(uplo, trans, diag, n, AP, x):
    trsv(uplo, trans, diag, n, _from_packed(AP, uplo, n), x)


def _solve(a, places, b):
    """Triangular systems; as in BLAS, nothing looks whether they have a solution."""
    x = np.array(b)
    is_lower = not np.triu(places, 1).any()
    for i in range(len(a)) if is_lower else reversed(range(len(a))):
        others = places[i].copy()
        others[i] = False
        x[i] = (x[i] - a[i, others] @ x[others]) / a[i, i]
    return x


def ger(m, n, alpha, x, y, A):
    if alpha != 0:
        A += alpha * np.outer(x, y)


geru = ger


def gerc(m, n, alpha, x, y, A):
    ger(m, n, alpha, x, y.conj(), A)


def syr(uplo, n, alpha, x, A):
    if alpha != 0:
        _add_to_triangle(A, uplo, alpha * np.outer(x, x), False)


def her(uplo, n, alpha, x, A):
    if alpha != 0:
        _add_to_triangle(A, uplo, _scaled(alpha, np.outer(x, x.conj())), True)


def syr2(uplo, n, alpha, x, y, A):
    if alpha != 0:
        _add_to_triangle(A, uplo, alpha * (np.outer(x, y) + np.outer(y, x)), False)


def her2(uplo, n, alpha, x, y, A):
    if alpha != 0:
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
    _update(C, alpha, lambda: _op(A, transa) @ _op(B, transb), beta)


def symm(side, uplo, m, n, alpha, A, B, beta, C, hermitian=False):
    def product():
        a = _whole(A, uplo, hermitian)
        return a @ B if side == "L" else B @ a

    _update(C, alpha, product, beta)


def hemm(side, uplo, m, n, alpha, A, B, beta, C):
    symm(side, uplo, m, n, alpha, A, B, beta, C, True)


def _update_triangle(uplo, C, alpha, k, product, beta, real_diagonal=False):
    """As ``_update``; ``k``: of how many products an element is the sum. Where nothing is to be done, nothing is."""
    if (alpha == 0 or k == 0) and beta == 1:
        return
    whole = C.copy()
    _update(whole, alpha, product, beta)
    places = _packed_places(len(C), uplo)
    C[places] = whole[places]
    if real_diagonal:
        np.fill_diagonal(C, C.diagonal().real)


def syrk(uplo, trans, n, k, alpha, A, beta, C):
    a = A if trans == "N" else A.T
    _update_triangle(uplo, C, alpha, k, lambda: a @ a.T, beta)


def herk(uplo, trans, n, k, alpha, A, beta, C):
    a = A if trans == "N" else A.conj().T
    _update_triangle(uplo, C, alpha, k, lambda: a @ a.conj().T, beta, True)


def syr2k(uplo, trans, n, k, alpha, A, B, beta, C):
    a, b = (A, B) if trans == "N" else (A.T, B.T)
    _update_triangle(uplo, C, alpha, k, lambda: a @ b.T + b @ a.T, beta)


def her2k(uplo, trans, n, k, alpha, A, B, beta, C):
    def product():
        a, b = (A, B) if trans == "N" else (A.conj().T, B.conj().T)
        half = alpha * (a @ b.conj().T)
        return half + half.conj().T

    _update_triangle(uplo, C, 1.0 if alpha != 0 else 0.0, k, product, beta, True)


def trmm(side, uplo, trans, diag, m, n, alpha, A, B, C):
    def product():
        a = _op(_triangle(A, uplo, diag), trans)
        places = _triangle_places(uplo, trans, len(A))
        return _product(a, places, B) if side == "L" else _product(a.T, places.T, B.T).T

    _update(C, alpha, product, 0)


def trsm(side, uplo, trans, diag, m, n, alpha, A, B):
    def solution():
        a = _op(_triangle(A, uplo, diag), trans)
        places = _triangle_places(uplo, trans, len(A))
        return _solve(a, places, B) if side == "L" else _solve(a.T, places.T, B.T).T

    _update(B, alpha, solution, 0)


def dgmm(side, m, n, A, x, C):
    C[...] = x[:, None] * A if side == "L" else A * x


def geam(transa, transb, m, n, alpha, A, beta, B, C):
    C[...] = 0
    for factor, matrix, trans in ((alpha, A, transa), (beta, B, transb)):
        if factor != 0:
            C += factor * _op(matrix, trans)
