"""Fields of instances that compiled code looks into without holding them (`borrow_fields.c`)."""

import gc

import numpy as np
import pytest
from pyarray import jitclass, njit, types
from pyarray._pyarray import allocation_counts
from pyarray.typed import List

pytestmark = pytest.mark.real


def held():
    """How many objects compiled code holds now."""
    gc.collect()
    allocated, freed = allocation_counts()
    return allocated - freed


@jitclass([("xs", types.float64[:]), ("inner", types.ListType(types.float64))])
class Holder:
    def __init__(self, n):
        self.xs = np.ones(n)
        self.inner = List.empty_list(types.float64)
        self.inner.append(2.0)

    def replace(self, n):
        self.xs = np.full(n, 5.0)
        return 0

    def read(self, n):
        return self.xs[self.replace(n)] + self.xs[0] + self.xs[-1] * len(self.xs)

    def swap(self):
        self.xs, self.inner = self.xs[1:], List([self.inner[0] + 1])
        self.xs[0] += self.inner[0]
        return self.xs.shape[0] + self.xs[0]


@njit
def of_new(n):
    return Holder(n).xs[n - 1] + len(Holder(n).inner) + Holder(n).inner[0]


@njit
def nested(holders, i):
    return holders[i].xs[0] + holders[i].inner[0]


@njit
def beyond(h, i):
    return h.xs[i]


@njit
def replaces_at_its_end(h):
    try:
        yield 1
    finally:
        h.xs = np.full(3_000_000, 5.0)


# The list, and the generator in it, end behind `len`.
@njit
def of_what_a_generator_replaces(n):
    h = Holder(n)
    waiting = [replaces_at_its_end(h)]
    next(waiting[0])
    first = h.xs[len(waiting)]
    waiting = [replaces_at_its_end(h)]
    next(waiting[0])
    h.xs[len(waiting)] = first + 1.0
    return first, h.xs[1]


def test_what_drops_the_value_of_the_field_meanwhile():
    assert of_what_a_generator_replaces(3_000_000) == (1.0, 5.0)
    h = Holder(3)
    assert h.read(1000) == 1.0 + 5.0 + 5000.0
    assert h.swap() == 999 + 5.0 + 3.0 and h.xs[0] == 8.0


def test_instances_that_nothing_else_holds():
    assert of_new(10) == 1.0 + 1 + 2.0
    assert nested((Holder(3), Holder(2)), 1) == 3.0


def test_nothing_stays_behind():
    def use():
        h = Holder(3)
        h.read(10)
        h.swap()
        of_new(4)
        with pytest.raises(IndexError):
            beyond(h, 10**6)

    use()
    before = held()
    for _ in range(20):
        use()
    assert held() == before


def test_a_field_that_was_never_set():
    @jitclass([("xs", types.float64[:])])
    class Empty:
        def __init__(self):
            pass

        def first(self):
            return self.xs[0]

    with pytest.raises(AttributeError, match="xs"):
        Empty().first()
