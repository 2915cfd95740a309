"""collections.deque in compiled code, against CPython."""

import collections
import copy
from collections import deque

import pytest
from compare import agrees
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarray import errors, njit, prange, typeof
from pyarray._pyarray import allocation_counts


def outcome(function, *arguments):
    """What a call returns or raises."""
    try:
        return function(*arguments)
    except Exception as error:  # compared with CPython's
        return type(error), error.args


def same(function, *arguments):
    """The compiled function does what the plain one does, also to its arguments, and leaks nothing."""
    ours, theirs = copy.deepcopy(arguments), copy.deepcopy(arguments)
    compiled = njit(function) if not hasattr(function, "py_func") else function
    before = allocation_counts()
    result, expected = outcome(compiled, *ours), outcome(compiled.py_func, *theirs)
    after = allocation_counts()
    assert result == expected
    assert repr(result) == repr(expected)
    assert repr(ours) == repr(theirs)
    assert after[0] - before[0] == after[1] - before[1]


# One step of a random program: code of the operation, an index, a value.
@njit
def run(q, codes, indices, values):
    out = [values[0]]
    for k in range(len(codes)):
        c, i, v = codes[k], indices[k], values[k]
        if c == 0:
            q.append(v)
        elif c == 1:
            q.appendleft(v)
        elif c == 2:
            out.append(q.pop())
        elif c == 3:
            out.append(q.popleft())
        elif c == 4:
            q[i] = v
        elif c == 5:
            out.append(q[i])
        elif c == 6:
            del q[i]
        elif c == 7:
            q.insert(i, v)
        elif c == 8:
            q.rotate(i)
        elif c == 9:
            q.extend([v, q[0]])
        elif c == 10:
            q.extendleft((v, q[-1]))
        elif c == 11:
            q.reverse()
        elif c == 12:
            q.remove(v)
        elif c == 13:
            q += q.copy()
        elif c == 14:
            q *= i
        elif c == 15:
            out.append(q.index(v) * v)
        elif c == 16:
            q.append(v)
            q.popleft()
    return out, q.count(values[0]), len(q), values[0] in q


STEPS = st.lists(st.tuples(st.integers(0, 16), st.integers(-4, 6), st.integers(0, 5)), min_size=1, max_size=25)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(0, 5), min_size=1, max_size=6), st.sampled_from([None, 0, 1, 3, 8]), STEPS)
def test_random_programs_on_ints(items, limit, steps):
    columns = [list(column) for column in zip(*steps)]
    q = deque(items, limit)
    if q:
        same(run, q, *columns)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from("abé"), min_size=1, max_size=5),
    st.sampled_from([None, 1, 3]),
    st.lists(st.integers(0, 11), min_size=1, max_size=20),
)
def test_random_programs_on_text(items, limit, codes):
    same(walk, deque(items, limit), codes)


@njit
def walk(q, codes):
    for c in codes:
        text = q[0] + "x" if q else "new"
        if c < 3:
            q.append(text)
        elif c < 6:
            q.appendleft(text)
        elif c == 6:
            q.pop()
        elif c == 7:
            q.popleft()
        elif c == 8:
            q.rotate(2)
        elif c == 9:
            q.insert(1, text)
        elif c == 10:
            if text in q:
                q.remove(text)
        else:
            q.extend("yz")
    return q


def test_making():
    @njit
    def make(n):
        return (
            deque([1, 2, 3], maxlen=2),
            deque((1.5, 2.5)),
            deque("abc"),
            deque([1, 2], None),
            collections.deque(range(n)),
            deque({1: "x", 2: "y"}),
            deque([1, 2, 3], n),
            deque(deque([1, 2])),
        )

    same(make, 4)
    same(make, 0)
    same(make, -1)

    @njit
    def fill(n):
        q = deque(maxlen=n)
        for i in range(5):
            q.append(i)
        return q, q.maxlen

    for n in 0, 3, 10, -1:
        same(fill, n)


def test_operators_and_attributes():
    @njit
    def operate(p, q):
        return p + q, q * 2, p == q, p != q, p < q, p >= q, repr(p), str(q), bool(p), p.maxlen, q.maxlen, p is q

    for left in deque([1, 2]), deque([1, 2], 3), deque([3]):
        for right in deque([1, 2]), deque([2], 1):
            same(operate, left, right)

    @njit
    def over(q):
        return (
            sum(q),
            max(q),
            sorted(q),
            [x for x in q],
            [x for x in reversed(q)],
            list(q),
            tuple(q) if False else 0,
            set(q),
        )

    same(over, deque([3, 1, 2]))


def test_arguments_and_results():
    @njit
    def same_one(q):
        q.appendleft(q.pop())
        return q

    q = deque(["a", "b", "c"], 5)
    assert same_one(q) is q
    assert q == deque(["c", "a", "b"])
    assert q.maxlen == 5
    for value in (
        deque([deque([1]), deque([2, 3])]),
        {1: deque([1.5])},
        [deque(["x"], 2)],
        deque([1, None]),
        (deque([1]), 2),
    ):
        same(njit(lambda x: x), value)
    assert str(typeof(deque([1]))) == "deque(int64)"
    with pytest.raises(TypeError, match="empty deque"):
        same_one(deque())
    with pytest.raises(TypeError, match="the items of a deque must have one type"):
        same_one(deque([1, "x"]))


def test_breadth_first():
    @njit
    def distances(edges, start):
        found = {start: 0}
        q = deque([start])
        while q:
            node = q.popleft()
            for other in edges[node]:
                if other not in found:
                    found[other] = found[node] + 1
                    q.append(other)
        return found

    same(distances, {0: [1, 2], 1: [3], 2: [3, 4], 3: [5], 4: [0], 5: [5]}, 0)


def test_queues_take_constant_time():
    @njit
    def queue(n, length):
        q = deque([0])
        for i in range(length):
            q.append(i)
        total = 0
        for i in range(n):
            q.append(i)
            total += q.popleft()
        return total

    @njit
    def front(xs):
        total = 0
        while xs:
            total = 3 * total % 1000003 + xs.pop(0)
            if total % 7 == 0:
                xs.insert(0, 1)
            if total % 11 == 0:
                xs.append(5)
        return total

    same(queue, 100000, 1000)
    same(front, list(range(20000)))


def test_loops_over_prange_that_change_one_run_in_order():
    @njit(parallel=True)
    def fill(n):
        q = deque([-1], maxlen=100)
        for i in prange(n):
            q.append(i)
        total = 0
        for i in prange(len(q)):
            total += q[i]
        return total, q

    assert fill(5000) == (sum(range(4900, 5000)), deque(range(4900, 5000)))


def test_refused():
    for body, error, message in [
        ("q[0:1]", errors.TypingError, "sequence index must be integer"),
        ("q.sort()", errors.TypingError, "unknown method 'sort'"),
        ("q.append('x')", errors.TypingError, "cannot be an item"),
        ("q + [1]", errors.TypingError, "cannot be one list"),
    ]:
        from compare import expression

        with pytest.raises(error, match=message):
            expression(body, "q")(deque([1]))


def test_extendleft_by_itself():
    @njit
    def f():
        d = deque([1, 2])
        d.extendleft(d)
        return d

    assert f() == f.py_func()


def at_the_end_of_reversed(n):
    log = []
    q = deque([1])
    q.extendleft(reversed(q))
    for changed in (1, 2):
        r = deque([1, 2, 3], 3)
        try:
            for x in reversed(r):
                log.append(x)
                if x == changed:
                    r.append(5)
        except RuntimeError:
            log.append(-1)
    r = deque([1, 2])
    for x, y in zip([7, 8], reversed(r)):
        log.append(x * y)
        r.append(3) if y == 1 else None
    waiting = reversed(q)
    q.append(n)
    try:
        log += [x for x in waiting]
    except RuntimeError:
        log.append(-2)
    empty = deque([n])
    empty.pop()
    waiting = reversed(empty)
    empty.append(4)
    return q, log, [x for x in waiting], r


def test_a_reversed_deque_may_change_behind_its_last_item():
    agrees(at_the_end_of_reversed, 3)


def lengths_that_may_be_none(q, n):
    limit = n if n > 1 else None
    copies = deque(q), deque(q, 1), deque(q, q.maxlen), deque(q, limit)
    copies = *copies, deque(maxlen=limit), deque(iterable=q, maxlen=limit)
    return copies, [copy.maxlen for copy in copies]


def test_a_greatest_length_that_may_be_none():
    for q in (deque([1, 2, 3], 2), deque([1])):
        for n in (1, 2):
            agrees(lengths_that_may_be_none, q, n)


def starred(q):
    q.append((5, 6.0))
    (a, b), *c = q
    *d, e = deque("abc")
    return a, b, c, d, e


def test_starred_targets():
    agrees(starred, deque([(1, 2.0), (3, 4.0)]))


def extended_by_nothing(n):
    q, xs, a = deque([1]), [2], bytearray(b"a")
    ss, ds = {3}, {4: 5}
    q.extend([])
    q.extend(deque())
    q.extend(k for k in [] if n)
    q.extendleft([])
    q += []
    xs.extend(deque())
    xs.extend([])
    xs[1:] = []
    ss.update([])
    ss |= set()
    ds.update({})
    a.extend([])
    return q, xs, ss, ds, a, deque([]), q + deque(), xs + [], ss | set()


def test_extended_by_nothing():
    agrees(extended_by_nothing, 3)
