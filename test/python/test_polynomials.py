"""Polynomials of ``np`` and ``np.polynomial.polynomial``, against NumPy."""

import numpy as np
import pytest
from arrays import check
from compare import expression
from pyarray import njit
from test_array_functions import check as check_near
from test_planes import numbers

DTYPES = ["i8", "f4", "f8", "c16"]


def coefficients(dtype):
    return np.array([0, 3, 1, 2, 0], dtype), np.array([2, 1, 4], dtype)[::-1]


def in_full(text):
    return text.replace("P.", "np.polynomial.polynomial.").replace("U.", "np.polynomial.polyutils.")


@pytest.mark.parametrize("dtype", DTYPES)
def test_highest_power_first(dtype):
    a, b = coefficients(dtype)
    check_near("np.polyadd(a, b), np.polyadd(b, a), np.polysub(a, b), np.polysub(b, 2), np.polymul(a, b)", "a, b", a, b)
    check_near("np.polydiv(a[1:], b), np.polydiv(b, a[1:]), np.polydiv(a, b * 2), np.polymul(a * 0, b)", "a, b", a, b)
    check_near("np.polyder(a), np.polyder(a, 2), np.polyder(a, 0), np.polyder(a[:1]), np.polyder(b, m=4)", "a, b", a, b)
    check_near("np.polyint(a), np.polyint(b, 3, k=[1, 2, 3]), np.polyint(a, 2, k=5.0), np.polyint(a, 0)", "a, b", a, b)
    check_near("np.polyval(a, b), np.polyval(a, [1, 2]), np.polyval(a[:0], b), np.polyval([1, 2, 3], 2)", "a, b", a, b)


@pytest.mark.parametrize("dtype", DTYPES)
def test_lowest_power_first(dtype):
    def polynomials(text):
        check_near(in_full(text), "a, b, m", a, b, np.stack((a[:2], a[1:3]), 1))

    a, b = coefficients(dtype)
    polynomials("P.polyadd(a, b), P.polyadd(b, 1), P.polysub(a, b), P.polysub(b, a), P.polymul(a, b), P.polymul(a, 2)")
    polynomials(
        "P.polydiv(a, b), P.polydiv(b, a), P.polydiv(a, 2), U.trimcoef(a), U.trimcoef(a, 1.5), U.trimcoef(a, 9)"
    )
    polynomials("P.polyval(b, a), P.polyval(b[:2], m), P.polyval(b[:2], m, tensor=False), P.polyval([1, 2], b)")
    polynomials("P.polyint(a), P.polyint(a, 2, [1, 2]), P.polyint(b, 1, 3), P.polyint(m, axis=1), P.polyint(a * 0)")
    polynomials("P.polyint(a, 1, lbnd=1.0, scl=2), U.trimseq(a), U.trimseq(a * 0), U.trimseq(b)")


def test_roots_to_coefficients():
    m = np.arange(4.0).reshape(2, 2) + np.eye(2)
    check_near("np.poly(m), np.poly(m[0]), np.poly([1, 2, 3]), np.poly(m[0] + 1j)", "m", m)
    with pytest.raises(ValueError, match="domain change"):
        expression("np.poly(m)", "m")(np.array([1 + 1j, 1 - 1j]))
    with pytest.raises(ValueError, match="no roots"):
        expression("np.poly(m)", "m")(m[0, :0])


ERRORS = """
np.poly(m) ; np.polydiv(a[:0], a) ; np.polydiv(a, a[:0]) ; np.polyder(a, -1) ; np.polyint(a, -1) ; np.polymul(m, a)
np.polyint(a, 3, [1.0, 2.0]) ; np.polydiv(a + np.nan, a[1:]) ; np.polydiv(a, a[:1])
P.polyadd(a[:0], a) ; P.polyadd(a > 1, a) ; P.polysub(m, a) ; P.polyint(a, -1) ; P.polyint(a, 1, [1.0, 2.0])
U.trimcoef(a, -1) ; U.trimseq(a[:0])
"""


@pytest.mark.parametrize("text", ERRORS.strip().replace("\n", " ; ").split(" ; "))
def test_values_that_are_wrong(text):
    check_near(in_full(text), "a, m", np.arange(3.0), np.ones((2, 3)))


def test_division_by_zero():
    with pytest.raises(ZeroDivisionError):
        expression(in_full("P.polydiv(a, a * 0)"), "a")(np.arange(3.0))


@pytest.mark.parametrize("call", ["x, y, 2", "x, z, 1", "x, y, 3, w=w", "x, y, 1, cov=True", "x, z, 1, cov=True"])
def test_polyfit(call):
    x, w = np.linspace(0, 1, 12), 0.5 + numbers(12)
    y, z = x**2 + numbers(12), numbers(12, 3)

    def flat(result):
        return result if isinstance(result, tuple) else (result,)

    function = expression(f"np.polyfit({call})", "x, y, z, w")
    got, expected = flat(function(x, y, z, w)), flat(function.py_func(x, y, z, w))
    for a, b in zip(got, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("call", ["x, x, -1", "m, x, 1", "x[:0], x[:0], 1", "x, x[1:], 1", "x[:2], x[:2], 1, cov=True"])
def test_polyfit_refuses(call):
    check(expression(f"np.polyfit({call})", "x, m"), np.arange(4.0), np.ones((4, 1)))


def test_polyfit_gives_all_that_least_squares_do():
    x = np.arange(6.0)
    found = njit(lambda x, y: np.polyfit(x, y, 2, full=True))(x, x**2)
    expected = np.polyfit(x, x**2, 2, full=True)
    np.testing.assert_allclose(found[0], expected[0], atol=1e-12)
    assert found[2] == expected[2]
    np.testing.assert_allclose(found[3], expected[3])
    assert found[4] == expected[4]


@pytest.mark.parametrize("dtype", DTYPES)
def test_coefficients_that_are_changed(dtype):
    a, b = coefficients(dtype)
    check_near(
        in_full("P.polyder(a), P.polyder(a, 2), P.polyder(a, 0), P.polyder(b, 9), P.polyder(b, scl=3)"), "a, b", a, b
    )
    check_near(
        in_full("P.polyder(m), P.polyder(m, axis=1), P.polyder(m, 2, axis=-1)"),
        "m",
        np.array([[1, 2, 3], [4, 5, 7]], dtype),
    )
    check_near(in_full("P.polypow(b, 3), P.polypow(a, 1), P.polypow(b, 0), P.polypow(a, 2, 4)"), "a, b", a, b)
    check_near(in_full("P.polymulx(a), P.polymulx(a * 0), P.polymulx(b)"), "a, b", a, b)
    check_near(in_full("P.polyfromroots(a), P.polyfromroots(b), P.polyfromroots(b[:1])"), "a, b", a, b)
    check_near(in_full("P.polyvander(a, 3), P.polyvander(b, 0), P.polyvander(2, 2)"), "a, b", a, b)


@pytest.mark.parametrize(
    "text",
    [
        "P.polyder(a, -1)", "P.polypow(a, -1)", "P.polypow(a, 5, 4)", "P.polyvander(a, -1)", "P.polyline(2.5, 3)",
        "P.polyline(2, 0)", "P.polyroots([6.0, -5.0, 1.0])", "P.polyroots([3.0, 2.0])", "P.polyroots([3.0])",
        "P.polyfit(a, a * a, 2)", "P.polyfit(a, a, -1)", "P.polyfit(a, a[1:], 1)", "P.polyfit(a, a * a, 1, w=a)",
        "P.polyfit(a, np.stack((a, a * 2), 1), 1)", "P.polyfit(a, a, 1, 1e-9)", "U.getdomain(a)",
        "U.mapparms((-1, 1), (0, 5))", "U.mapdomain(a, [-1, 1], [0, 5])", "U.mapdomain(2.5, (0, 2), (1, 3.0))",
    ],
)  # fmt: skip
def test_fits_and_roots(text):
    check_near(in_full(text), "a", np.array([1.0, 2.0, 4.0, 7.0]))


def test_several_variables():
    x, y, z = np.random.default_rng(0).random((3, 4))
    c = np.arange(12.0).reshape(3, 4)
    check_near(in_full("P.polyval2d(x, y, c), P.polyval2d(2.0, 3.0, c), P.polygrid2d(x, y, c)"), "x, y, c", x, y, c)
    check_near(in_full("P.polyval3d(x, y, z, c)"), "x, y, z, c", x, y, z, np.arange(24.0).reshape(2, 3, 4))
