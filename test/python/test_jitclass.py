"""jitclass: fields, methods and operators against the same class of plain Python; references; refusals.

One file, since fields, links, values and refusals are tested on the same few classes.
"""

import copy
import gc
import math
import pickle
import sys
import threading
import weakref

import numpy as np
import pyarray
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarray import deferred_type, jitclass, njit, optional, typed, typeof, types
from pyarray._pyarray import allocation_counts
from pyarray.errors import TypingError, UnsupportedError

pytestmark = pytest.mark.real


def held():
    """How many objects compiled code holds now."""
    gc.collect()
    allocated, freed = allocation_counts()
    return allocated - freed


class Vector:
    SCALE = 2.5
    NAME = "vector"

    def __init__(self, x, y=1.0):
        self.x = x
        self.y = y

    def __add__(self, other):
        return self.make(self.x + other.x, self.y + other.y)

    def __radd__(self, number):
        return self.make(self.x + number, self.y + number)

    def __mul__(self, factor):
        return self.make(self.x * factor, self.y * factor)

    def __iadd__(self, other):
        self.x += other.x
        self.y += other.y
        return self

    def __neg__(self):
        return self.make(-self.x, -self.y)

    def __abs__(self):
        return math.hypot(self.x, self.y)

    def __eq__(self, other):
        return self.x == other.x and self.y == other.y

    def __lt__(self, other):
        return self.x < other.x

    def __le__(self, other):
        return self.x <= other.x

    def __hash__(self):
        return hash((self.x, self.y))

    def __bool__(self):
        return self.x != 0 or self.y != 0

    def __float__(self):
        return self.x

    def __int__(self):
        return int(self.y)

    def __len__(self):
        return 2

    def __contains__(self, value):
        return value == self.x or value == self.y

    def __getitem__(self, index):
        return self.x if index == 0 else self.y

    def __setitem__(self, index, value):
        if index == 0:
            self.x = value
        elif index == 1:
            self.y = value
        else:
            raise IndexError("vectors have two parts")

    def __call__(self, *numbers):
        return self.x * numbers[0] + self.y * numbers[1]

    def __repr__(self):
        return "Vector(" + str(self.x) + ", " + str(self.y) + ")"

    @property
    def first(self):
        return self.x

    @first.setter
    def first(self, value):
        self.x = value

    @staticmethod
    def scaled(number, by=2):
        return number * by

    def make(self, x, y):
        return Vector(x, y)

    def __hidden(self, k):
        return self.x + k

    def shown(self, k):
        return self.__hidden(k) * self.SCALE


PlainVector = Vector
Vector = jitclass([("x", types.float64), ("y", types.float64)])(Vector)
JitVector = Vector


def plain(function, *arguments):
    """Call a function or class with Vector as plain Python has it."""
    global Vector
    Vector = PlainVector
    try:
        return function(*arguments)
    finally:
        Vector = JitVector


NUMBERS = st.floats(-100, 100).map(lambda x: round(x, 2)) | st.integers(-5, 5).map(float)


def test_one_by_one():
    a, b = JitVector(1.0), JitVector(2.0, y=3.0)
    assert (a.x, a.y, b.x, b.y) == (1, 1, 2, 3)
    assert (a + b) == JitVector(3.0, 4.0) and (5 + a).x == 6 and (b * 2).y == 6
    assert a != b and hash(a) == hash(PlainVector(1.0)) and a < b and b > a and a <= b and b >= a
    assert abs(b) == math.hypot(2, 3) and -a == JitVector(-1.0, -1.0)
    assert bool(a) and not JitVector(0.0, 0.0) and float(b) == 2 and int(b) == 3 and len(a) == 2
    assert 3.0 in b and 4.0 not in b and b[0] == 2 and b(1.0, 2.0) == 8
    assert repr(b) == str(b) == "Vector(2.0, 3.0)"
    b[1] = 9
    b.first = 7
    assert (b.x, b.y, b.first) == (7, 9, 7)
    c = b
    c += a
    assert c is b and b.x == 8
    assert JitVector.scaled(3) == 6 and b.scaled(3, by=3) == 9
    assert JitVector.SCALE == b.SCALE == 2.5 and b.NAME == "vector"
    assert b.shown(2.0) == 25
    with pytest.raises(IndexError, match="vectors have two parts"):
        b[2] = 1.0


@njit
def run(v, w, codes, numbers):
    total = 0.0
    for i in range(len(codes)):
        c, k = codes[i], numbers[i]
        if c == 0:
            v = v + w
        elif c == 1:
            v = k + v
        elif c == 2:
            w = v * k
        elif c == 3:
            v += w
        elif c == 4:
            v = -w
        elif c == 5:
            v.x = k
            w.y -= k
        elif c == 6:
            v[i % 2] = w[1] + k
        elif c == 7:
            v.first = k
            v.first += 1
        elif c == 8:
            v, w = w, v
        elif c == 9:
            w = Vector(k)
        elif c == 10:
            w = Vector(y=k, x=1.0)
        else:
            raise ValueError("no such code")
        if v == w:
            total += 1
        if v != w:
            total += 2
        if v < w or v >= w:
            total += 4
        if v is w:
            total += 8
        if k in v:
            total += 16
        if not v:
            total += 32
        total += v(k, 2.0) + len(v) + float(w) + w.first + v.shown(k) + Vector.scaled(k) + w.scaled(k, 3) + Vector.SCALE
    return total, v, w


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 10), NUMBERS), max_size=12), NUMBERS, NUMBERS)
def test_random_operations(steps, x, y):
    codes, numbers = np.array([c for c, _ in steps], np.int64), np.array([k for _, k in steps], np.float64)
    v, w = JitVector(x, y), JitVector(y, x)
    total, v, w = run(v, w, codes, numbers)
    p, q = PlainVector(x, y), PlainVector(y, x)
    expected, p, q = plain(run.py_func, p, q, codes.tolist(), numbers.tolist())
    assert total == expected or (math.isnan(total) and math.isnan(expected))
    assert (v.x, v.y, w.x, w.y, v is w) == (p.x, p.y, q.x, q.y, p is q)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 10), NUMBERS), max_size=6))
def test_random_operations_from_python(steps):
    codes, numbers = [c for c, _ in steps], [k for _, k in steps]
    ours = run.py_func(JitVector(1.0, 2.0), JitVector(3.0), codes, numbers)
    theirs = plain(run.py_func, PlainVector(1.0, 2.0), PlainVector(3.0), codes, numbers)
    assert (ours[0], ours[1].x, ours[1].y, ours[2].x) == (theirs[0], theirs[1].x, theirs[1].y, theirs[2].x)


def test_nothing_leaks():
    for _ in range(2):
        run(JitVector(1.0), JitVector(2.0), np.arange(11), np.ones(11))
    before = held()
    for _ in range(20):
        run(JitVector(1.0), JitVector(2.0), np.arange(11), np.ones(11))
        with pytest.raises(ValueError):
            run(JitVector(1.0), JitVector(2.0), np.array([0, 9, 11]), np.ones(3))
    assert held() == before


# -- Linked structures ------------------------------------------------------------------------------


@jitclass
class Node:
    value: int
    next: "Node | None"

    def __init__(self, value, next):
        self.value = value
        self.next = next

    def last(self):
        node = self
        while node.next is not None:
            node = node.next
        return node


@njit
def chain(n):
    head = None
    for i in range(n):
        head = Node(i, head)
    return head


@njit
def total_of(node):
    total = 0
    while node:
        total += node.value
        node = node.next
    return total


@njit
def second(node):
    return node.next.value


def test_linked_list():
    first = Node(1, None)
    other = Node(2, first)
    assert other.next is first and first.next is None and other.last() is first and first.last() is first
    assert total_of(other) == 3 and total_of(chain(10)) == 45 and chain(0) is None
    assert second(other) == 1
    with pytest.raises(AttributeError, match="'NoneType' object has no attribute 'value'"):
        second(first)
    other.next = None
    assert other.next is None and total_of(other) == 2


def test_a_million_nodes_go_without_recursion():
    chain(2)
    before = held()
    head = chain(1_000_000)
    assert total_of(head) == 499_999_500_000
    assert held() == before + 1_000_000
    del head
    assert held() == before


def test_deferred_type():
    node_type = deferred_type()

    @jitclass([("data", types.int64), ("next", optional(node_type))])
    class Stack:
        def __init__(self, data, next):
            self.data = data
            self.next = next

    with pytest.raises(RuntimeError, match="deferred type not defined"):
        Stack(1, None)
    node_type.define(Stack.class_type.instance_type)
    bottom = Stack(1, None)
    assert Stack(2, bottom).next is bottom
    with pytest.raises(TypeError, match="already defined"):
        node_type.define(Stack.class_type.instance_type)


# -- Fields -----------------------------------------------------------------------------------------


@jitclass({"flag": types.boolean})
class Mixed:
    flag: bool
    maybe: "Mixed | None"
    pair: tuple[bool, float]
    xs: list[int]
    name: str
    z: complex
    a: types.float64[:]
    small: np.int8
    inner: "Mixed"

    def __init__(self, flag):
        self.flag = flag
        self.pair = (flag, 2.5)
        self.xs = [1, 2]
        self.name = "hello"
        self.small = 3

    def append(self, x):
        self.xs.append(x)
        return len(self.xs)

    def read(self):
        return self.a[0]

    def take(self, a):
        self.a = a

    def give(self):
        return self.a

    def compute(self):
        return self.pair[1] + self.small + self.xs[0] + len(self.name) + self.z.real

    def greet(self, other):
        self.name = other.name + " " + self.name
        return self.name


def test_fields_of_all_kinds():
    m, other = Mixed(True), Mixed(False)
    assert (m.flag, m.maybe, m.pair, m.xs, m.name, m.z, m.small) == (True, None, (True, 2.5), [1, 2], "hello", 0, 3)
    m.maybe, m.z, m.pair, m.small, m.flag = other, 3, (False, 4), 7.0, 0
    assert m.maybe is other and (m.z, m.pair, m.small, m.flag) == (3, (False, 4.0), 7, False)
    assert m.append(5) == 3 and m.xs == [1, 2, 5]
    m.xs = [9]
    m.name = "ü"
    assert m.compute() == 4 + 7 + 9 + 1 + 3
    other.name = "grüß"
    assert m.greet(other) == m.name == "grüß ü"
    m.inner = m.maybe = m
    assert m.inner is m
    m.inner, m.maybe = other, None  # a cycle would leak


def test_what_was_never_set():
    m = Mixed(True)
    for name in ("a", "inner"):
        with pytest.raises(AttributeError, match=f"'Mixed' object has no attribute '{name}'"):
            getattr(m, name)
    with pytest.raises(AttributeError, match="'Mixed' object has no attribute 'a'"):
        m.read()


def test_arrays_of_python_live_as_long_as_the_field():
    m, x = Mixed(True), np.arange(3.0)
    alive = weakref.ref(x)
    m.take(x)
    assert m.give() is x and m.a is x
    x[0] = 8
    assert m.read() == 8
    m.a = x[::-1]
    del x
    assert m.read() == 2 and alive() is not None
    m.a = np.zeros(2)
    gc.collect()
    assert alive() is None
    y = np.ones(4)
    count = sys.getrefcount(y)
    for _ in range(10):
        m.take(y)
        m.a = y
    m.take(np.zeros(1))
    assert sys.getrefcount(y) == count
    base = m.give()[:0]
    del m
    assert base.base is not None


def test_arrays_kept_by_threads_without_the_lock():
    @njit(nogil=True)
    def swap(m, a, b):
        for _ in range(100):
            m.a = a
            m.a = b

    m, a, b = Mixed(True), np.zeros(1), np.ones(1)
    counts = sys.getrefcount(a), sys.getrefcount(b)
    swap(m, a, b)
    machines = [threading.Thread(target=swap, args=(Mixed(True), a, b)) for _ in range(4)]
    for machine in machines:
        machine.start()
    for machine in machines:
        machine.join()
    m.a = np.zeros(1)
    gc.collect()
    assert (sys.getrefcount(a), sys.getrefcount(b)) == counts


@pytest.mark.parametrize(
    "name, value, message",
    [
        ("pair", 3, r"field 'pair' of 'Mixed' is Tuple\(bool, float64\); a value of type 'int' does not fit"),
        ("pair", (True, 1.0, 2), "does not fit"),
        ("flag", "x", "field 'flag' of 'Mixed' is bool; a value of type 'str' does not fit"),
        ("maybe", 3, "does not fit"),
        ("inner", None, "does not fit"),
        ("inner", Vector(1.0), "does not fit"),
        ("xs", [1.5], "does not fit"),
    ],
)
def test_values_that_do_not_fit(name, value, message):
    m = Mixed(True)
    before = m.pair, m.flag, m.xs
    with pytest.raises(TypeError, match=message):
        setattr(m, name, value)
    assert (m.pair, m.flag, m.xs) == before


def test_values_beyond_a_field():
    m = Mixed(True)
    with pytest.raises(OverflowError):
        m.small = 300
    with pytest.raises(AttributeError):
        m.nothing = 1
    with pytest.raises(AttributeError, match="cannot be deleted"):
        del m.small


def test_fields_do_not_leak():
    def use():
        m = Mixed(True)
        m.maybe = Mixed(False)
        m.maybe = Mixed(True)
        m.append(3)
        m.xs = [1, 2, 3]
        m.name = "other"
        m.greet(m.maybe)
        m.take(np.zeros(2))
        for name in ("pair", "xs"):
            with pytest.raises(TypeError):
                setattr(m, name, "x")
        with pytest.raises(AttributeError):
            m.maybe.read()

    use()
    before = held()
    for _ in range(10):
        use()
    assert held() == before


# -- As values --------------------------------------------------------------------------------------


@njit
def same(v):
    return v


@njit
def containers(v, w):
    xs = [v, w]
    xs.append(Vector(9.0))
    pair = (xs[0], w)
    total = 0.0
    for item in xs:
        total += item.x
    return total + pair[0].x + len(xs), xs, pair


@njit
def through_list(xs):
    xs.append(Vector(5.0))
    xs[0].x = 40.0
    return sum([v.x for v in xs])


@njit
def kinds(v, n):
    if isinstance(v, Vector):
        return 1
    if isinstance(v, (Node, int)):
        return 2
    return 3 if isinstance(v, Mixed) or n else 4


def test_as_values():
    v, w = Vector(1.0), Vector(2.0)
    assert same(v) is v
    total, xs, pair = containers(v, w)
    assert total == 12 + 1 + 3 and xs[0] is v and xs[1] is w and xs[2].x == 9 and pair == (v, w)
    items = [v, w]
    assert through_list(items) == 47 and v.x == 40 and len(items) == 3 and items[0] is v and items[2].x == 5
    assert [kinds(value, 0) for value in (v, Node(1, None), 3, 2.0)] == [1, 2, 2, 4]
    assert isinstance(v, Vector) and isinstance(Vector, type) and not isinstance(v, Node)
    assert str(typeof(v)) == "instance.jitclass.Vector" and typeof(v) == Vector.class_type.instance_type
    assert typeof(v).struct == Vector.class_type.struct and list(typeof(v).struct) == list(Vector.__pyarray_fields__)


def test_typed_list_of_instances():
    v = Vector(3.0)
    xs = pyarray.typed.List([v])
    xs.append(Vector(4.0))

    @njit
    def total(xs):
        s = 0.0
        for item in xs:
            s += item.x
        return s

    assert total(xs) == 7 and xs[0] is v


def test_one_object_of_python_for_each_instance():
    node = Node(2, Node(1, None))
    inner = node.next
    assert node.next is inner
    reference = weakref.ref(inner)
    del inner
    gc.collect()
    assert reference() is None and node.next.value == 1


def test_declared_signature():
    @njit([types.float64(Vector.class_type.instance_type)])
    def part(v):
        return v.x

    assert part(Vector(3.0)) == 3
    with pytest.raises(TypeError):
        part(Node(1, None))


def test_a_class_of_another_function():
    def make(offset):
        @jitclass
        class Counter:
            n: int

            def __init__(self):
                self.n = offset

            def step(self):
                self.n += offset
                return self.n

        return Counter

    one, ten = make(1), make(10)
    assert one().step() == 2 and ten().step() == 20 and one.__name__ == "Counter"

    @njit
    def steps(c):
        return c.step() + c.step()

    assert steps(one()) == 5 and steps(ten()) == 50


def test_inline_and_error_frames():
    @jitclass
    class Table:
        n: int

        def __init__(self, n):
            if n < 0:
                raise ValueError("negative")
            self.n = n

        def at(self, i):
            if i >= self.n:
                raise IndexError("too far")
            return i

    @njit
    def use(n, i):
        return Table(n).at(i)

    assert use(3, 2) == 2
    with pytest.raises(ValueError, match="negative") as error:
        use(-1, 2)
    assert [entry.name for entry in error.traceback][-2:] == ["use", "__init__"]
    with pytest.raises(IndexError, match="too far") as error:
        Table(1).at(1)
    assert error.traceback[-1].name == "at"
    with pytest.raises(ValueError, match="negative"):
        Table(-1)


# -- Refusals ---------------------------------------------------------------------------------------


def test_pickling_is_refused():
    for function in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="cannot pickle an instance of the compiled class 'Node'"):
            function(Node(1, None))


def class_with(**namespace):
    return type("Made", (), namespace)


@pytest.mark.parametrize(
    "cls, spec, error, message",
    [
        (type("Derived", (dict,), {}), [], TypeError, "it is not written in Python"),
        (class_with(table=[1]), [], TypeError, "class members are not yet supported: table"),
        (class_with(x=lambda self: 1), [("x", types.int64)], NameError, "name shadowing: x"),
        (class_with(), [("x", 3)], TypeError, "the type of field 'x' must be one of pyarray, .* not 3"),
        (class_with(), [(3, types.int64)], TypeError, "spec keys should be strings, got 3"),
        (class_with(), 3, TypeError, "spec must be a list"),
        (class_with(p=property(lambda self: 1, None, lambda self: 1)), [], TypeError, "deleter is not supported: p"),
        (class_with(__enter__=lambda self: 1), [], TypeError, "Method '__enter__' is not supported"),
        (class_with(__annotations__={"x": "list[object]"}), [], TypingError, "Cannot infer Numba type of Python type"),
        (class_with(), [("p", types.voidptr)], TypeError, "cannot have the type"),
    ],
)
def test_classes_that_are_refused(cls, spec, error, message):
    with pytest.raises(error, match=message):
        jitclass(cls, spec)


def test_subclasses_are_refused():
    with pytest.raises(TypeError):

        class Derived(Vector):
            pass


def test_class_attributes_are_fixed():
    with pytest.raises(AttributeError, match="its attribute 'SCALE' cannot be set"):
        JitVector.SCALE = 3


GLOBAL = Node(1, None)


def test_compile_errors():
    cases = {
        "'Vector' object has no attribute 'nothing'": lambda v: v.nothing,
        "'Vector' object has no attribute 'nothing' ?": lambda v: v.nothing(1),
        "no operator '-' for operands": lambda v: v - v,
        "has no method __delitem__": delete,
        "field 'x': cannot convert": store_text,
        "property 'second' has no setter": store_property,
        "cannot assign to attribute 'real'": store_number,
        "'GLOBAL' is a Python Node, which compiled code cannot hold": lambda v: GLOBAL.value,
        "missing a required argument": lambda v: Vector(),
    }
    for message, function in cases.items():
        argument = WithProperty() if function is store_property else 1.0 if function is store_number else Vector(1.0)
        with pytest.raises((TypingError, UnsupportedError)) as error:
            njit(function)(argument)
        assert message.removesuffix(" ?") in str(error.value)


def delete(v):
    del v[0]


def store_text(v):
    v.x = "a"


def store_number(v):
    v.real = 3


def store_property(v):
    v.second = 3


@jitclass
class WithProperty:
    n: int

    @property
    def second(self):
        return 2


def test_class_without_init():
    w = WithProperty()
    assert w.n == 0 and w.second == 2
    with pytest.raises(AttributeError):
        w.second = 1
    with pytest.raises(TypeError):
        WithProperty(1)


def test_fields_that_are_times():
    day, hour, seconds = types.NPDatetime("D"), types.NPTimedelta("h"), types.NPDatetime("s")[:]

    @jitclass({"t": day, "d": hour, "n": types.int64, "all": seconds})
    class Span:
        def __init__(self, t, d, all):
            self.t, self.d, self.n, self.all = t, d, 3, all

        def end(self):
            return self.t + self.d * self.n

    times = np.array(["2020-01-01", "NaT"], "M8[s]")
    span = Span(np.datetime64("2020-01-01"), np.timedelta64(24, "h"), times)
    assert span.t == np.datetime64("2020-01-01") and span.end() == np.datetime64("2020-01-04T00")
    assert span.d == np.timedelta64(24, "h") and span.all is times


def test_containers_of_arrays_in_fields():
    from pyarray.typed import Dict, List

    @jitclass(
        [
            ("rows", types.ListType(types.float64[:])),
            ("named", types.DictType(types.unicode_type, types.float64[:])),
            ("groups", types.DictType(types.int64, types.ListType(types.int64[:]))),
            ("plain", types.List(types.float64[:, ::1])),
        ]
    )
    class Store:
        def __init__(self):
            self.rows = List.empty_list(types.float64[:])
            self.named = Dict.empty(types.unicode_type, types.float64[:])
            self.groups = Dict.empty(types.int64, types.ListType(types.int64[:]))
            self.plain = [np.zeros((2, 2))]

        def add(self, name, row, group):
            self.rows.append(row)
            self.named[name] = row * 2
            if len(group) not in self.groups:
                self.groups[len(group)] = List.empty_list(types.int64[:])
            self.groups[len(group)].append(group)
            self.plain.append(np.outer(row, row))

        def total(self):
            return sum([row.sum() for row in self.rows]) + sum([row.sum() for row in self.named.values()])

    def use():
        store = Store()
        store.add("a", np.ones(3), np.arange(2))
        store.add("b", np.arange(4.0)[::2], np.arange(2)[::-1])
        assert store.total() == 15.0 and store.named["b"].tolist() == [0.0, 4.0]
        assert [group.tolist() for group in store.groups[2]] == [[0, 1], [1, 0]]
        assert [matrix.shape for matrix in store.plain] == [(2, 2), (3, 3), (2, 2)]
        store.rows = store.rows
        rows = store.rows
        del store
        gc.collect()
        rows[0][1] = 5
        assert rows[0].tolist() == [1, 5, 1] and len(rows) == 2

    use()
    before = held()
    use()
    assert held() == before


@jitclass(
    [
        ("count", int), ("rate", float), ("items", list[int]), ("is_open", bool), ("small", np.int8),
        ("\U0001d6fd", float),
    ]
)  # fmt: skip
class OfPythonTypes:
    def __init__(self, count):
        self.count, self.rate, self.is_open, self.small = count, count / 2, True, 3
        self.items = typed.List([count])
        self.𝛽 = 0.5


def test_python_types_in_a_specification():
    made = OfPythonTypes(5)
    assert (made.count, made.rate, list(made.items), made.is_open, made.small) == (5, 2.5, [5], True, 3)
    # The parser makes one of all spellings of a name, and so does the specification.
    assert made.𝛽 == 0.5 and hasattr(made, "β")
