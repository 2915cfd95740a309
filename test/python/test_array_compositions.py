"""Functions of NumPy that are made of several others: gradients, blocks, chains of products, equations."""

import warnings

import numpy as np
import pytest
from compare import copied, expression, outcome
from pyarray.errors import TypingError, UnsupportedError


def check(text, parameters, *arguments, exact=True):
    function = expression(text, parameters)
    ours = outcome(function, copied(arguments))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = outcome(function.py_func, copied(arguments))
    assert ours[0] == theirs[0], (text, ours, theirs)
    if ours[0] == "raised":
        assert ours[1] is theirs[1] and str(ours[2][0]).split("\n")[0] == str(theirs[2][0]), (ours, theirs)
        return
    same(ours[1], theirs[1], exact)


def same(ours, theirs, exact):
    if isinstance(theirs, tuple):
        assert len(ours) == len(theirs)
        for mine, other in zip(ours, theirs, strict=True):
            same(mine, other, exact)
        return
    if isinstance(theirs, np.ndarray) and theirs.ndim > 0:
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
    if exact:
        np.testing.assert_array_equal(ours, theirs)
    else:
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)


# -- np.gradient -----------------------------------------------------------------------------------

GRADIENTS = [
    "f",
    "f, 2.0",
    "f, 2.0, 3",
    "f, 3, x",
    "f, np.array([1, 2, 4, 7]), 0.5",
    "f, np.array([1.0, 2, 4, 7]), x, edge_order=2",
    "f, edge_order=2",
    "f, 0.25, edge_order=2",
    "f, axis=1",
    "f, x, axis=-1",
    "f, axis=(1, 0)",
    "f, x, 2, axis=(1, 0)",
    "f, axis=(-1,)",
    "f[0], x",
    "f[0], np.arange(5) * 2, edge_order=2",
    "f.T",
    "f[::-1]",
    "list(f[0])",
]


@pytest.mark.parametrize("dtype", ["i1", "u1", "i8", "f2", "f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("arguments", GRADIENTS)
def test_gradient(arguments, dtype):
    if dtype != "f8" and arguments not in ("f", "f, 3, x", "f, edge_order=2"):
        pytest.skip("the same code as of others")
    f = (np.arange(20).reshape(4, 5) ** 2 % 37).astype(dtype)
    check(f"np.gradient({arguments})", "f, x", f, np.array([0.0, 1, 1.5, 4, 5]))


WRONG = [
    "f, axis=2",
    "f, 1.0, 2.0, 3.0",
    "f[:1]",
    "f[:2], edge_order=2",
    "f, edge_order=3",
    "f, f, f",
    "f, np.ones(7), 2",
]


@pytest.mark.parametrize("arguments", WRONG)
def test_wrong_gradients(arguments):
    check(f"np.gradient({arguments})", "f", np.arange(20.0).reshape(4, 5))


def test_gradients_of_times():
    days = np.array(["2024-02-29", "2024-03-04", "2024-03-05", "2024-03-15"], "M8[D]")
    check("np.gradient(t), np.gradient(t - t[0]), np.gradient(t - t[0], 2)", "t", days)


# -- np.block --------------------------------------------------------------------------------------

BLOCKS = [
    "[[a, a[:, :1]], [np.ones((1, 3)), np.zeros((1, 1))]]",
    "[a[0], 3, k[0]]",
    "[[a[0]], [a]]",
    "[[1, 2], [3, 4.5]]",
    "[a, k]",
    "[[[a, a]], [[k, a]]]",
    "[[a > 1, k]]",
    "a",
    "3.5",
    "[[a, a], [a, a[:, :2]]]",
    "[[a[0]], a]",
    "[a[0], [a]]",
    "[]",
]


@pytest.mark.parametrize("arrays", BLOCKS)
def test_block(arrays):
    check(f"np.block({arrays})", "a, k", np.arange(6.0).reshape(2, 3), np.arange(6).reshape(2, 3))


def test_block_of_lists():
    check("np.block([[x] * n for x in (a, a * 2)])", "a, n", np.arange(6.0).reshape(2, 3), 3)
    check("np.block([[x] * n for x in (a, a * 2)])", "a, n", np.arange(6.0).reshape(2, 3), 0)


# -- Products and equations ------------------------------------------------------------------------

CHAINS = [
    "[a, a.T]",
    "(a, a.T, a)",
    "[a, a.T, a, a.T, k]",
    "[a[0], a.T, a]",
    "[a[:, 0], a, a.T, a[:, 1]]",
    "[a, a.T, a[:, 0]]",
    "[a[0], a[1]]",
    "[k, k.T, k, k.T]",
    "[a, a.T.astype(np.complex128), a]",
    "[a]",
    "[a, a, a]",
    "[a, a[0], a]",
    "[a, a.T, a, a.T], out=np.empty((2, 2))",
    "[a * i for i in range(2)]",
    "[np.ones((i + 1, i + 2)) for i in range(6)]",
    "[np.ones((6 - i, 5 - i)) for i in range(5)]",
]


@pytest.mark.parametrize("arrays", CHAINS)
def test_multi_dot(arrays):
    check(
        f"np.linalg.multi_dot({arrays})",
        "a, k",
        np.arange(6.0).reshape(2, 3),
        np.arange(6).reshape(2, 3),
        exact=False,
    )


EQUATIONS = [
    "tensorsolve(m.reshape(2, 3, 6), v.reshape(2, 3))",
    "tensorsolve(m.reshape(6, 2, 3), v)",
    "tensorsolve(m.reshape(2, 3, 6).transpose(2, 0, 1), v, axes=(1, 2))",
    "tensorsolve(m.reshape(6, 2, 3), v, axes=(0,))",
    "tensorsolve(m[:4].reshape(4, 6), v)",
    "tensorsolve(m * 0, v)",
    "tensorsolve(v, v)",
    "tensorinv(m.reshape(2, 3, 6))",
    "tensorinv(m.reshape(6, 2, 3), ind=1)",
    "tensorinv(m[:4].reshape(2, 2, 6))",
    "tensorinv(m * 0, 1)",
    "tensorinv(m, ind=0)",
]


@pytest.mark.parametrize("call", EQUATIONS)
def test_tensor_equations(call):
    m = np.eye(6) * 2 + np.arange(36.0).reshape(6, 6) % 5 / 7
    check(f"np.linalg.{call}", "m, v", m, np.arange(6.0), exact=False)


@pytest.mark.parametrize("p", ["[1, -3, 2]", "[2, -4, 0, 0]", "[0.0, 1, -6, 11, -6]", "[0.0, 0.0]", "[5.0]"])
def test_roots(p):
    check(f"np.roots({p})", "", exact=False)


def test_roots_that_are_complex():
    check("np.roots(p)", "p", np.array([1, 0, 1 + 0j]), exact=False)
    with pytest.raises(ValueError, match="complex eigenvalues"):
        expression("np.roots(p)", "p")(np.array([1.0, 0, 1]))
    check("np.roots(p)", "p", np.ones((2, 2)))


# -- Quantiles with weights ------------------------------------------------------------------------

WEIGHTED = [
    "quantile(a, np.array([0.0, 0.3, 0.5, 1.0]), axis=1, weights=w",
    "quantile(a, 0.4, weights=np.abs(a)",
    "quantile(a, [[0.25, 0.75]], axis=(1, 0), weights=np.abs(a).T",
    "quantile(a, 0.5, axis=0, weights=w[:2], keepdims=True",
    "quantile(a, 0, axis=1, weights=[0, 0, 1]",
    "quantile(a.astype(np.float32), 0.4, axis=1, weights=w",
    "quantile(a.astype(np.int16), np.float32(0.4), axis=1, weights=w",
    "percentile(a, 40, axis=1, weights=w",
    "percentile(a, [10, 90], weights=a * a + 1",
    "percentile(a, 40, axis=1, weights=w, out=np.empty(2)",
    "quantile(a, 0.5, weights=-np.abs(a)",
    "quantile(a, 0.5, weights=w",
    "quantile(a, 0.5, axis=0, weights=w",
    "quantile(a, 0.5, weights=a * 0",
    "quantile(a, 0.5, weights=a / 0",
    "quantile(a, 1.5, weights=a",
    "quantile(a[:, :0], 0.5, weights=a[:, :0]",
]


@pytest.mark.parametrize("call", WEIGHTED)
def test_quantiles_with_weights(call):
    a = np.array([[3.0, -1.5, 2.25], [0.5, 4.0, -2.0]])
    check(f"np.{call}, method='inverted_cdf')", "a, w", a, np.array([1.0, 2.0, 0.0]))


def test_weights_need_a_method():
    check("np.quantile(a, 0.5, weights=a)", "a", np.arange(3.0))


def test_weighted_quantiles_of_nan():
    a = np.array([[3.0, np.nan, 2.25], [0.5, 4.0, -2.0]])
    check("np.quantile(a, 0.4, axis=1, weights=w, method='inverted_cdf')", "a, w", a, np.ones((2, 3)))
    check("np.nanquantile(a, 0.4, axis=1, weights=w, method='inverted_cdf')", "a, w", a, np.ones((2, 3)))
    check("np.nanpercentile(a, [40, 90], axis=1, weights=w, method='inverted_cdf')", "a, w", a, np.ones((2, 3)))


# -- np.asarray_chkfinite --------------------------------------------------------------------------


def test_asarray_chkfinite():
    check("np.asarray_chkfinite(a), np.asarray_chkfinite([1, 2], np.float32)", "a", np.arange(3.0))
    check("np.asarray_chkfinite(a)", "a", np.array([1.0, np.inf]))
    check("np.asarray_chkfinite(a)", "a", np.array([1.0, np.nan]))


def test_a_gradient_of_bools_is_refused():
    with pytest.raises(TypingError, match="numpy boolean subtract"):
        expression("np.gradient(a)", "a")(np.array([True, False]))


# -- np.squeeze without an axis ---------------------------------------------------------------------

SQUEEZED = [
    "np.zeros((1, 3, 1)).squeeze()",
    "np.squeeze(a.reshape(1, 6, 1))",
    "a.reshape((1, 2, 3)).squeeze()",
    "np.full((1, 1), 2.0).squeeze()",
    "np.ones(3).squeeze(), np.ones((0, 1)).squeeze(), np.array(3.0).squeeze()",
]


@pytest.mark.parametrize("text", SQUEEZED)
def test_squeeze_of_known_shapes(text):
    check(text, "a", np.arange(6.0).reshape(2, 3))


@pytest.mark.parametrize("text", ["a.squeeze()", "np.squeeze(a[None])", "a.reshape(1, -1).squeeze()"])
def test_squeeze_of_unknown_shapes_names_the_axes(text):
    with pytest.raises(UnsupportedError, match="name the axes: axis=0"):
        expression(text, "a")(np.arange(6.0).reshape(2, 3))


def test_functions_of_bools_beside_python_ints():
    text = "np.arctan2(p, 0), np.hypot(p, 2), np.arctan2(p, p), np.copysign(2, p), np.logaddexp(p, 0.5), np.fmod(p, 2)"
    check(text, "p", np.array([True, False]))
