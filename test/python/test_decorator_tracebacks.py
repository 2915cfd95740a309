"""Tracebacks of mistakes in decorators end at the user's line."""

import inspect
import traceback

import pyarray
import pytest
from pyarray import cfunc, cuda, float64, guvectorize, jit, jitclass, njit, types, vectorize

MISTAKES = {
    "option of njit": lambda: njit(no_such_option=True),
    "option of jit": lambda: jit(fastmth=True)(lambda x: x),
    "value of an option": lambda: njit(error_model="c"),
    "signature": lambda: njit("no_such_type(float64)"),
    "object mode": lambda: jit(forceobj=True)(3),
    "no function": lambda: njit(3),
    "compiled twice": lambda: njit(njit(lambda x: x)),
    "specification": lambda: jitclass([("x", "no such type")])(type("Point", (), {})),
    "specification at once": lambda: jitclass(type("Point", (), {}), [("x", 3)]),
    "members": lambda: jitclass([])(type("Point", (), {"items": [1]})),
    "bases": lambda: jitclass(type("Point", (dict,), {})),
    "option of cfunc": lambda: cfunc("float64(float64)", no_such_option=True),
    "signature of cfunc": lambda: cfunc("(float64,)"),
    "option of vectorize": lambda: vectorize(no_such_option=True)(lambda x: x),
    "option of guvectorize": lambda: guvectorize(["void(float64[:], float64[:])"], "(n)->()", no_such_option=True)(
        lambda x, y: None
    ),
    "option of cuda.jit": lambda: cuda.jit(no_such_option=True),
}


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
def test_the_last_frame_is_the_users(mistake):
    with pytest.raises(Exception) as info:  # noqa: PT011
        mistake()
    assert traceback.extract_tb(info.value.__traceback__)[-1].filename == __file__


def test_errors_of_fields():
    with pytest.raises(pyarray.TypingError) as info:

        @jitclass
        class Point:
            x: "set[object]"

    assert traceback.extract_tb(info.value.__traceback__)[-1].filename == __file__


@pytest.mark.parametrize("decorator", [njit, jit, jitclass, cfunc, vectorize, guvectorize, cuda.jit])
def test_decorators_describe_themselves(decorator):
    assert callable(decorator) and decorator.__doc__ and decorator.__name__ in repr(decorator.__wrapped__)
    assert inspect.signature(decorator).parameters


def test_decorators_work():
    assert njit(lambda x: x + 1)(1) == 2 and njit(nogil=True)(lambda x: x)(2.5) == 2.5

    @jitclass
    class Point:
        x: float

        def __init__(self):
            self.x = 1.5

    assert Point().x == 1.5 and vectorize([float64(float64)])(lambda x: x)(2.0) == 2.0
    assert cfunc(types.int64(types.int64))(lambda x: x + 1).ctypes(1) == 2
