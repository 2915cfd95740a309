"""What Numba programs write with structref: refused with a hint, and the same as a jitclass."""

import numpy as np
import pyarray
import pytest
from compare import arrays_alive
from pyarray import jitclass, njit, types
from pyarray.experimental import structref

pytestmark = pytest.mark.real


@jitclass([("name", types.unicode_type), ("vector", types.float64[:])])
class Struct:
    def __init__(self, name, vector):
        self.name = name
        self.vector = vector


@njit
def make(name, n):
    return Struct(name, np.zeros(n))


@njit
def step(struct, x):
    struct.vector[0] += x
    struct.name = struct.name + "!"
    return struct


def test_the_names_are_refused():
    for name in ("define_proxy", "register", "StructRefProxy", "new"):
        with pytest.raises(pyarray.UnsupportedError, match="write the struct as a @jitclass"):
            getattr(structref, name)
    with pytest.raises(AttributeError):
        getattr(structref, "nothing")  # noqa: B009


def test_structs_are_shared_and_mutable():
    struct = make("a", 3)
    assert step(struct, 1.5) is struct and struct.name == "a!" and struct.vector.tolist() == [1.5, 0.0, 0.0]
    struct.name = "b"
    assert step(step(struct, 1.0), 1.0).name == "b!!" and struct.vector[0] == 3.5


def test_structs_in_structs_and_lists():
    @jitclass([("parts", types.ListType(Struct.class_type.instance_type))])
    class Whole:
        def __init__(self, parts):
            self.parts = parts

        def total(self):
            s = 0.0
            for part in self.parts:
                s += part.vector[0]
            return s

    @njit
    def f(n):
        parts = [make("p", 2) for _ in range(n)]
        for i in range(n):
            step(parts[i], i)
        whole = Whole(parts)
        return whole.total(), whole.parts[1].name

    f(2)
    before = arrays_alive()
    assert f(4) == (6.0, "p!")
    assert arrays_alive() == before
