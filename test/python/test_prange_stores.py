"""What iterations of a loop over prange change beside what it carries; and the chunk size within loops."""

import numpy as np
import pyarray
import pytest
from pyarray import float64, int64, njit, prange, types
from pyarray.experimental import jitclass, structref
from pyarray.typed import List

SHARED_FIELD = "it stores to the field 'last' of an instance that its iterations share"
SHARED_CALL = "it calls what may store to a field of an instance that its iterations share"
SHARED_LIST = "it may change a list, dict, set or generator that its iterations share"
NO_REDUCTION = "is no reduction"


@jitclass([("last", int64), ("total", float64), ("items", types.ListType(int64))])
class Place:
    def __init__(self):
        self.last = -1
        self.total = 0.0
        self.items = List.empty_list(int64)

    def move(self, i):
        self.last = i

    def weight(self, i):
        return self.total + i

    @property
    def where(self):
        return self.last

    @where.setter
    def where(self, i):
        self.last = i


@jitclass([("place", Place.class_type.instance_type)])
class Holder:
    def __init__(self, place):
        self.place = place


@structref.register
class StateType(types.StructRef):
    pass


class State(structref.StructRefProxy):
    def __new__(cls, last):
        return structref.StructRefProxy.__new__(cls, last)

    @property
    def last(self):
        return last_of(self)


@njit
def last_of(state):
    return state.last


structref.define_proxy(State, StateType, ["last"])


@njit
def recursive(p, i, depth):
    if depth > 0:
        recursive(p, i, depth - 1)
    else:
        p.last = i


@njit
def ordinary(p, i):
    return p.total * i


def in_branch(a, p):
    m = -1.0
    for i in prange(len(a)):
        if a[i] > m:
            m = a[i]
            p.last = i
    return m


def beside_sum(a, p):
    s = 0.0
    for i in prange(len(a)):
        s += a[i]
        p.last = i
    return s


def alone(a, p):
    for i in prange(len(a)):
        p.last = i
    return 0.0


def by_method(a, p):
    m = -1.0
    for i in prange(len(a)):
        if a[i] > m:
            m = a[i]
            p.move(i)
    return m


def by_property(a, p):
    m = -1.0
    for i in prange(len(a)):
        if a[i] > m:
            m = a[i]
            p.where = i
    return m


def by_setattr(a, p):
    m = -1.0
    for i in prange(len(a)):
        if a[i] > m:
            m = a[i]
            setattr(p, "last", i)  # noqa: B010
    return m


def by_function(a, p):
    s = 0.0
    for i in prange(len(a)):
        s += a[i]
        recursive(p, i, 2)
    return s


def in_inner_loop(a, p):
    s = 0.0
    for i in prange(len(a)):
        for k in range(2):
            s += a[i]
            p.last = i * 2 + k
    return s


def in_nested_prange(a, p):
    s = 0.0
    for i in prange(4):
        for k in prange(len(a)):
            s += a[k]
            p.last = i * len(a) + k
    return s


def update_of_field(a, p):
    for i in prange(len(a)):
        p.last += i
    return 0.0


INSTANCES = [
    (in_branch, SHARED_FIELD),
    (beside_sum, SHARED_FIELD),
    (alone, SHARED_FIELD),
    (by_method, SHARED_FIELD),
    (by_property, SHARED_FIELD),
    (by_setattr, SHARED_FIELD),
    (by_function, SHARED_CALL),
    (in_inner_loop, SHARED_FIELD),
    (in_nested_prange, SHARED_FIELD),
    (update_of_field, SHARED_FIELD),
]


@pytest.fixture
def four_threads():
    before = pyarray.get_num_threads()
    pyarray.set_num_threads(min(4, pyarray.config.NUMBA_NUM_THREADS))
    yield
    pyarray.set_num_threads(before)


def values():
    a = np.zeros(20_000)
    a[1_000], a[19_999] = 2.0, 1.0
    return a


@pytest.mark.parametrize("body, reason", INSTANCES)
def test_stores_to_fields_of_a_shared_instance(body, reason, four_threads):
    a, serial, parallel = values(), Place(), Place()
    compiled = njit(parallel=True)(body)
    assert compiled(a, parallel) == njit(body)(a, serial)
    assert parallel.last == serial.last
    assert reason in str(compiled.inspect_parallel())


def test_fields_of_a_struct_and_of_a_field(four_threads):
    a = values()
    compiled = njit(parallel=True)(in_branch)
    state = State(-1)
    assert compiled(a, state) == 2.0 and state.last == 1_000 and SHARED_FIELD in str(compiled.inspect_parallel())

    def of_field(a, holder):
        s = 0.0
        for i in prange(len(a)):
            s += a[i]
            holder.place.last = i
        return s

    compiled, place = njit(parallel=True)(of_field), Place()
    assert compiled(a, Holder(place)) == 3.0 and place.last == 19_999
    assert SHARED_FIELD in str(compiled.inspect_parallel())


def test_a_list_that_is_a_field(four_threads):
    def f(a, p):
        for i in prange(len(a)):
            if a[i] > 0:
                p.items.append(i)

    compiled, place = njit(parallel=True)(f), Place()
    compiled(values(), place)
    assert list(place.items) == [1_000, 19_999] and SHARED_LIST in str(compiled.inspect_parallel())


record = np.dtype([("last", np.int64), ("value", np.float64)])


def store_to_element(a, p):
    m = -1.0
    for i in prange(len(a)):
        if a[i] > m:
            m = a[i]
            p[0] = i
    return m


def store_to_field_of_record(a, p):
    m = -1.0
    for i in prange(len(a)):
        if a[i] > m:
            m = a[i]
            p[0].last = i
    return m


def store_to_packed_field(a, p):
    m = -1.0
    for i in prange(len(a)):
        if a[i] > m:
            m = a[i]
            p[0].value = i
    return m


def print_in_branch(a, p):
    m = -1.0
    for i in prange(len(a)):
        if a[i] > m:
            m = a[i]
            print("new", i)
    return m


@pytest.mark.parametrize(
    "body, target",
    [
        (store_to_element, np.zeros(1)),
        (store_to_field_of_record, np.zeros(1, record)),
        (store_to_packed_field, np.zeros(1, [("flag", "i1"), ("value", "f8")])),
        (print_in_branch, np.zeros(1)),
    ],
)
def test_other_stores_are_no_part_of_a_reduction(body, target, four_threads):
    a, other = values(), target.copy()
    compiled = njit(parallel=True)(body)
    assert compiled(a, target) == njit(body)(a, other) == 2.0
    assert target.tobytes() == other.tobytes() and NO_REDUCTION in str(compiled.inspect_parallel())


def own_instance(a, p):
    s = 0.0
    for i in prange(len(a)):
        q = Place()
        q.last = i
        s += a[i] + q.last
    return s


def reads_fields(a, p):
    s = 0.0
    for i in prange(len(a)):
        s += p.weight(i) + ordinary(p, i) + p.last
    return s


def compared_field(a, p):
    m = -5.0
    for _ in prange(len(a)):
        if p.total > m:
            m = p.total
    return m


@pytest.mark.parametrize(
    "body, word", [(own_instance, "'s' (add)"), (reads_fields, "'s' (add)"), (compared_field, "'m' (max)")]
)
def test_loops_that_only_read_what_they_share_stay_parallel(body, word):
    compiled = njit(parallel=True)(body)
    assert compiled(values(), Place()) == njit(body)(values(), Place())
    assert f"runs on several threads; reductions: {word}" in str(compiled.inspect_parallel())


def test_another_field_is_another_value():
    def f(a, p):
        m = -5.0
        for _ in prange(len(a)):
            if p.total > m:
                m = p.last + 0.0
        return m

    compiled = njit(parallel=True)(f)
    assert compiled(values(), Place()) == njit(f)(values(), Place())
    assert "'m' (max)" not in str(compiled.inspect_parallel())


@njit(parallel=True)
def sizes(n):
    seen = np.full(n + 1, -1)
    for i in prange(n):
        seen[i] = pyarray.get_parallel_chunksize()
    seen[n] = pyarray.get_parallel_chunksize()
    return seen


@njit(parallel=True)
def sizes_in_block(n, size):
    seen = np.full(n + 2, -1)
    total = 0
    with pyarray.parallel_chunksize(size):
        for i in prange(n):
            total += 1
            seen[i] = pyarray.get_parallel_chunksize()
        seen[n] = pyarray.get_parallel_chunksize()
    seen[n + 1] = pyarray.get_parallel_chunksize() + total - n
    return seen


@njit(parallel=True)
def sizes_that_iterations_set(n):
    inner = np.full((n, 3), -1)
    for i in prange(n):
        for k in prange(3):
            inner[i, k] = pyarray.get_parallel_chunksize()
        pyarray.set_parallel_chunksize(5)
    return inner, pyarray.get_parallel_chunksize()


@njit(parallel=True)
def fails(n):
    for i in prange(n):
        if i == n - 1:
            raise ValueError("bad")


@pytest.mark.parametrize("n", [1, 50, 5_000])
def test_the_chunk_size_is_that_of_the_outer_loop(n, four_threads):
    with pyarray.parallel_chunksize(8):
        seen = sizes(n)
        assert seen[-1] == 8 and set(seen[:-1]) == {0}
        inner, after = sizes_that_iterations_set(n)
        assert set(inner.ravel()) <= {0, 5} and inner[0, 0] == 0 and after == 8
        with pytest.raises(ValueError):
            fails(n)
        assert pyarray.get_parallel_chunksize() == 8
    assert set(sizes(n)) == {0}
    seen = sizes_in_block(n, 4)
    assert set(seen[:-2]) == {0} and seen[-2] == 4 and seen[-1] == 0
