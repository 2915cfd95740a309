"""Stencils in place, computed and stored some rows at a time, against NumPy to the bit."""

import random

import numpy as np
import pytest
from compare import define
from pyarray import njit

DTYPES = ["f8", "f8", "f8", "f4", "i8", "i2"]


def sliced(shifts, reach):
    """A subscript that leaves out ``reach`` elements at each side, moved by ``shifts``."""
    return ", ".join(f"{reach + s}:{s - reach or None}" for s in shifts)


class Stencil:
    """A statement that reads some views of what it writes to."""

    def __init__(self, seed):
        choose = random.Random(seed)
        self.rank = choose.choice([2, 2, 2, 3])
        self.reach = choose.choice([1, 1, 2, 3])
        terms = []
        for _ in range(choose.randrange(1, 5)):
            shifts = [choose.randrange(-self.reach, self.reach + 1) for _ in range(self.rank)]
            name = choose.choice(["u", "u", "u", "v"])
            terms.append(f"{choose.choice(['', '2 * ', '3 * '])}{name}[{sliced(shifts, self.reach)}]")
        if choose.random() < 0.2:
            terms.append(f"u[{sliced([0] * self.rank, self.reach)}][::-1]")
        sign = choose.choice(["=", "+=", "-="])
        own = f"u[{sliced([0] * self.rank, self.reach)}]"
        self.text = f"def f(u, v, steps):\n    for _ in range(steps):\n        {own} {sign} {' + '.join(terms)}\n"
        least = 2 * self.reach + 1
        lengths = choose.choice([[13, 1500], [40, 300], [70, 40], [least, 9], [least + 1, 2000], [3 * least, 1]])
        self.shape = [length + (length < least) * least for length in lengths]
        if self.rank == 3:
            self.shape = [self.shape[0], least + choose.randrange(4), self.shape[1]]
        self.dtype = choose.choice(DTYPES)
        self.layout = choose.choice(["C", "C", "C", "F", "steps", "backwards", "same"])

    def arrays(self):
        numbers = np.random.default_rng(5)

        def array(shape):
            return numbers.integers(-4, 5, shape).astype(self.dtype)

        u = array(self.shape)
        if self.layout == "F":
            u = np.asfortranarray(u)
        if self.layout == "steps":
            u = array([2 * n for n in self.shape])[tuple(slice(None, None, 2) for _ in self.shape)]
        if self.layout == "backwards":
            u = u[::-1]
        return u, u if self.layout == "same" else array(self.shape)


@pytest.mark.parametrize("block", range(8))
@pytest.mark.parametrize("decorator", [njit, njit(parallel=True)], ids=["one", "threads"])
def test_as_numpy(block, decorator):
    for seed in range(10 * block, 10 * block + 10):
        stencil = Stencil(seed)
        function = define(stencil.text, decorator=decorator)
        (want, other), (got, same) = stencil.arrays(), stencil.arrays()
        with np.errstate(all="ignore"):
            function.py_func(want, other, 2)
        function(got, same, 2)
        np.testing.assert_array_equal(got, want, err_msg=stencil.text + repr((stencil.shape, stencil.layout)))


def test_empty():
    function = define("def f(u):\n    u[1:-1, 1:-1] += u[2:, 1:-1] + u[:-2, 1:-1]\n    return u\n")
    for shape in [(2, 5), (5, 2), (2, 2), (3, 3), (1, 1)]:
        u = np.arange(float(np.prod(shape))).reshape(shape)
        np.testing.assert_array_equal(function(u.copy()), function.py_func(u.copy()))


def test_what_is_computed_apart_is_small():
    """The copy of all rows that NumPy makes is not made: 100 MB."""
    import resource

    function = define("def f(u):\n    u[1:-1, 1:-1] += u[2:, 1:-1] + u[:-2, 1:-1]\n")
    u = np.ones((2000, 6000))
    function(u[:100, :100])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    function(u)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000
