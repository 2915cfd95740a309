"""Functions that several tests compile. The docstrings hold their C code for the fake compiler (fake_core/)."""
# ruff: noqa: D103, E501

import math

import numpy as np
from pyarray import njit


@njit
def hypot(x, y):
    """
    dd>d: DR(0) = sqrt(D(0) * D(0) + D(1) * D(1));
    qq>d: DR(0) = sqrt((double)(Q(0) * Q(0) + Q(1) * Q(1)));
    """
    return math.sqrt(x * x + y * y)


@njit
def identity(x):
    """
    d>d: DR(0) = D(0);
    q>q: QR(0) = Q(0);
    Q>Q: QR(0) = Q(0);
    ?>?: QR(0) = Q(0);
    D>D: DR(0) = D(0); DR(1) = D(1);
    F>F: QR(0) = Q(0);
    f>f: QR(0) = Q(0);
    i>i: QR(0) = Q(0);
    b>b: QR(0) = Q(0);
    h>h: QR(0) = Q(0);
    B>B: QR(0) = Q(0);
    H>H: QR(0) = Q(0);
    I>I: QR(0) = Q(0);
    n>n:
    ()>():
    (qd)>(qd): QR(0) = Q(0); DR(1) = D(1);
    (q(d?)n)>(q(d?)n): QR(0) = Q(0); DR(1) = D(1); QR(2) = Q(2);
    [C0d>[C0d: for (int i = 0; i < 4; ++i) QR(i) = Q(i);
    [C1d>[C1d: for (int i = 0; i < 6; ++i) QR(i) = Q(i);
    [c1d>[c1d: for (int i = 0; i < 6; ++i) QR(i) = Q(i);
    [A1d>[A1d: for (int i = 0; i < 6; ++i) QR(i) = Q(i);
    [C1q>[C1q: for (int i = 0; i < 6; ++i) QR(i) = Q(i);
    [C1f>[C1f: for (int i = 0; i < 6; ++i) QR(i) = Q(i);
    [C1?>[C1?: for (int i = 0; i < 6; ++i) QR(i) = Q(i);
    [C1D>[C1D: for (int i = 0; i < 6; ++i) QR(i) = Q(i);
    [C2d>[C2d: for (int i = 0; i < 8; ++i) QR(i) = Q(i);
    [F2d>[F2d: for (int i = 0; i < 8; ++i) QR(i) = Q(i);
    [A2d>[A2d: for (int i = 0; i < 8; ++i) QR(i) = Q(i);
    [C3d>[C3d: for (int i = 0; i < 10; ++i) QR(i) = Q(i);
    """
    return x


@njit
def first(a):
    """
    [C1d>d: DR(0) = ((double *)Q(1))[Q(2)];
    [c1d>d: DR(0) = ((double *)Q(1))[Q(2)];
    [A1d>d: DR(0) = ((double *)Q(1))[Q(2)];
    """
    return a[0]


@njit
def total(a):
    """
    [C1d>d: DR(0) = 0; for (int64_t i = 0; i < Q(3); ++i) DR(0) += ((double *)Q(1))[Q(2) + i * Q(4)];
    [A1d>d: DR(0) = 0; for (int64_t i = 0; i < Q(3); ++i) DR(0) += ((double *)Q(1))[Q(2) + i * Q(4)];
    """
    result = 0.0
    for x in a:
        result += x
    return result


@njit
def tail(a):
    """
    [C1d>[C1d: for (int i = 0; i < 6; ++i) QR(i) = Q(i); QR(2) = Q(2) + 1; QR(3) = Q(3) - 1;
    [c1d>[c1d: for (int i = 0; i < 6; ++i) QR(i) = Q(i); QR(2) = Q(2) + 1; QR(3) = Q(3) - 1;
    """
    return a[1:]


@njit
def filled(n, value):
    """
    qd>[C1d: QR(0) = QR(1) = QR(5) = pyarray_rt_allocate(8 * Q(0)); QR(2) = 0; QR(3) = Q(0); QR(4) = 1; for (int64_t i = 0; i < Q(0); ++i) ((double *)QR(1))[i] = D(1);
    """
    return np.full(n, value)


@njit
def checked_sqrt(x):
    """
    d>d: if (D(0) < 0) RAISE(0); DR(0) = sqrt(D(0));
    site: ValueError | ('negative number',) | 7
    """
    if x < 0:
        raise ValueError("negative number")
    return math.sqrt(x)


@njit
def item(a, i):
    """
    [C1dq>d: if (Q(6) >= Q(3)) { pyarray_rt_raise_values(0, Q(6), Q(3), 0); return 1; } DR(0) = ((double *)Q(1))[Q(6)];
    site: IndexError | ('index {0} is out of bounds for axis {2} with size {1}',) | 6
    """
    return a[i]
