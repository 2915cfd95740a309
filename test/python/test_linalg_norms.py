# ruff: noqa: E501  (expressions)
"""Norms, powers and pseudo-inverses, transforms of any axes: library/numpy/{norms,fft}.py, against NumPy."""

import numpy as np
import pytest
from compare import expression
from test_array_functions import check, numbers

DTYPES = ["i4", "f4", "f8", "c16"]


@pytest.mark.parametrize("dtype", DTYPES)
def test_norms(dtype):
    a = numbers(dtype, (3, 4))
    check(
        "np.linalg.norm(a), np.linalg.norm(a[0]), np.linalg.norm(a, axis=1), np.linalg.norm(a, axis=0, keepdims=True)",
        "a",
        a,
    )
    check(
        "np.linalg.norm(a.reshape(2, 2, 3)), np.linalg.norm(a, keepdims=True), np.linalg.norm(a, 'fro'), np.linalg.norm(a, 'nuc')",
        "a",
        a,
    )
    for order in ("1", "-1", "2", "-2", "np.inf", "-np.inf", "3", "0", "0.5"):
        check(
            f"np.linalg.norm(a[0], {order}), np.linalg.norm(a, {order}, 1), np.linalg.vector_norm(a, ord={order})",
            "a",
            a,
        )
        if order not in ("3", "0", "0.5"):
            check(f"np.linalg.norm(a, {order}), np.linalg.matrix_norm(a, ord={order}, keepdims=True)", "a", a)
    check(
        "np.linalg.norm(a, axis=(0, 2)), np.linalg.norm(a, axis=(2, 1), keepdims=True), np.linalg.norm(a, axis=(1,))",
        "a",
        numbers(dtype, (2, 3, 4)),
    )
    check("np.linalg.norm(a, 3)", "a", a)
    check("np.linalg.norm(a, 1)", "a", numbers(dtype, (2, 3, 4)))


@pytest.mark.parametrize("dtype", DTYPES)
def test_powers_and_inverses(dtype):
    a = numbers(dtype, (3, 3)) + 5 * np.eye(3, dtype=dtype)
    check(
        "np.linalg.matrix_power(a, 0), np.linalg.matrix_power(a, 1), np.linalg.matrix_power(a, 2), np.linalg.matrix_power(a, 5)",
        "a",
        a,
    )
    check("np.linalg.matrix_rank(a), np.linalg.matrix_rank(a, 2.0), np.linalg.svdvals(a)", "a", a)
    if dtype != "f4":
        check(
            "np.linalg.pinv(a), np.linalg.pinv(a[:2]), np.linalg.cond(a), np.linalg.cond(a, 1), np.linalg.matrix_power(a * 1.0, -2)",
            "a",
            a,
        )
    check(
        "np.linalg.matmul(a, a), np.linalg.outer(a[0], a[1]), np.linalg.trace(a), np.linalg.diagonal(a), np.linalg.vecdot(a, a)",
        "a",
        a,
    )
    check("np.linalg.tensordot(a, a, axes=1), np.linalg.cross(a, a[::-1]), np.linalg.matrix_transpose(a)", "a", a)


@pytest.mark.parametrize("dtype", ["i4", "f8", "c16"])
def test_singular_values_of_hermitian_matrices(dtype):
    a = numbers(dtype, (3, 3))
    a = (a + a.conj().T).astype(dtype)
    check("np.linalg.svd(a, compute_uv=False, hermitian=True), np.linalg.pinv(a, hermitian=True)", "a", a)
    check("np.linalg.svd(a[None], hermitian=True)[1], np.linalg.pinv(a[None] * 2.0, 0.1, True)", "a", a)
    u, s, vh = expression("np.linalg.svd(a, hermitian=True)", "a")(a)
    np.testing.assert_allclose(u * s @ vh, a, atol=1e-12)


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
def test_transforms_of_axes(dtype):
    a = numbers(dtype, (3, 4, 5))
    for axis in (0, 1, 2, -2):
        check(
            f"np.fft.fft(a, axis={axis}), np.fft.ifft(a, 6, {axis}), np.fft.irfft(a, axis={axis}, norm='ortho')", "a", a
        )
    check("np.fft.fft(a, axis=k)", "a, k", a, 1)
    check("np.fft.fft(a, axis=3)", "a", a)
    check(
        "np.fft.fft2(a), np.fft.ifft2(a, axes=(0, 1)), np.fft.fftn(a), np.fft.fftn(a, (2, 6)), np.fft.ifftn(a, axes=(1,))",
        "a",
        a,
    )
    check(
        "np.fft.irfftn(a), np.fft.irfft2(a, (4, 6)), np.fft.fftshift(a), np.fft.ifftshift(a, 1), np.fft.fftshift(a, (0, 2))",
        "a",
        a,
    )
    if dtype[0] == "f":
        check("np.fft.rfft(a, axis=1), np.fft.rfft2(a), np.fft.rfftn(a, norm='ortho')", "a", a)


def test_frequencies():
    for n in (1, 5, 8):
        check("np.fft.fftfreq(n), np.fft.fftfreq(n, 0.1), np.fft.rfftfreq(n, d=2)", "n", n)
