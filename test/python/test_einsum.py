"""``np.einsum`` against NumPy: any subscripts, dtypes, layouts."""

import numpy as np
import pytest
from arrays import LAYOUTS, check, laid_out
from compare import define, expression, outcome
from hypothesis import given, settings
from hypothesis import strategies as st

EXTENTS = {"i": 3, "j": 4, "k": 5, "l": 2, "m": 3}


def operands(subscripts, dtype="f8", layout="C"):
    """Arrays whose extents fit."""
    rng = np.random.default_rng(0)
    arrays = []
    for term in subscripts.replace(" ", "").split("->")[0].split(","):
        shape = [n for c in term.replace("...", ".") for n in ((2, 3) if c == "." else (EXTENTS[c],))]
        arrays.append(laid_out(np.asarray(rng.standard_normal(shape) * 3).astype(dtype), layout))
    return arrays


def compare(subscripts, arrays, more=""):
    names = "abcde"[: len(arrays)]
    f = expression(f"np.einsum('{subscripts}', {', '.join(names)}{more})", ", ".join(names))
    ours, theirs = f(*arrays), np.asarray(f.py_func(*arrays))
    if theirs.ndim:
        assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
    else:  # comes as Python's number
        assert not isinstance(ours, np.ndarray) or not ours.ndim
        ours = np.asarray(ours).astype(theirs.dtype)
    precision = 0 if theirs.dtype.kind in "biu" else 100 * np.finfo(theirs.dtype).eps
    np.testing.assert_allclose(ours, theirs, rtol=precision, atol=100 * precision)
    if len(arrays) == 1 and theirs.ndim:
        assert np.shares_memory(ours, arrays[0]) == np.shares_memory(theirs, arrays[0])


@pytest.mark.parametrize(
    "subscripts",
    [
        "ij,jk->ik", "ij,jk", "ij,jk->ki", "ij,j", "j,ij", "ii", "ii->i", "ij->ji", "ij->", "ij->j", "ij", "ji", "i,i",
        "i,i->i", "i,j", "i,j->ji", "lij,ljk->lik", "lij,ljk->kli", "lij,ij->l", "...ij,jk", "...ij,...jk->...ik",
        "ij,jk,kl->il", "ij,jk,kl->l", "ij,jk,ki", "i...->...", "...", "ij,ij", "ij,ij->i", "ij,kj->ik", "ij,kj,j",
        "ijk->kji", "...ii->...i", "ij,...j->i...", "i,->i", "i->", " i j , j k -> i k ", "ij,jk->", "i,j,l->ijl",
        "ijl,imm,kjm,kll,ijk->", "iji->j", "ij,lm->jm", "i,i,i->", "iij,j->i",
    ],
)  # fmt: skip
def test_subscripts(subscripts):
    compare(subscripts, operands(subscripts))


@pytest.mark.parametrize("dtype", ["?", "i4", "u1", "f4", "c8", "c16"])
@pytest.mark.parametrize("subscripts", ["ij,jk->ik", "ij->j", "ij,ij->i", "i,i", "i,j->ij", "ii"])
def test_dtypes(subscripts, dtype):
    compare(subscripts, operands(subscripts, dtype))


@st.composite
def drawn(draw):
    terms = draw(st.lists(st.text("ijkl", max_size=3), min_size=1, max_size=3))
    letters = sorted({c for term in terms for c in term})
    result = draw(st.permutations(letters))[: draw(st.integers(0, len(letters)))]
    return ",".join(terms) + "->" + "".join(result)


@settings(max_examples=60, deadline=None)
@given(drawn(), st.sampled_from(LAYOUTS))
def test_any_subscripts(subscripts, layout):
    compare(subscripts, operands(subscripts, "i8", layout))


def test_arguments():
    a, b = operands("ij,jk")
    compare("ij,jk", [a, b], ", optimize=True")
    compare("ij,jk", [a, b], ", dtype=np.complex128")
    check(define("def f(a, o):\n    r = np.einsum('ij->ji', a, out=o)\n    return r\n"), a, np.zeros((4, 3)))
    check(define("def f(a):\n    d = np.einsum('ii->i', a)\n    d[:] = 0\n    return a\n"), a[:, :3].copy())
    compare("ij,jk", [a[:0], b])
    compare("ij,jk", [a[:, :0], b[:0]])
    check(expression("np.einsum('ii', a)", "a"), a)


@pytest.mark.parametrize(
    "text",
    [
        "np.einsum('i1', a)", "np.einsum('ij->ik', a)", "np.einsum('ij->ii', a)", "np.einsum('ij,jk', a)",
        "np.einsum('ij', a, a)", "np.einsum('i', a)", "np.einsum('ijk', a)", "np.einsum('ij-i', a)",
    ],
)  # fmt: skip
def test_what_is_wrong(text):
    """What the subscripts lack is told when the function is compiled."""
    f = expression(text, "a")
    ours, theirs = outcome(f, [np.ones((3, 4))]), outcome(f.py_func, [np.ones((3, 4))])
    assert ours[0] == theirs[0] == "raised"
    assert theirs[2][0].split(" '->'")[0][:40] in ours[2][0]


def test_extents_that_differ():
    f = expression("np.einsum('ij,jk', a, b)", "a, b")
    ours = outcome(f, [np.ones((3, 4)), np.ones((3, 4))])
    assert ours[1] is ValueError and "operands could not be broadcast together" in ours[2][0]
