"""numba.experimental.structref: programs that run when only their imports change, and what is ours.

Each program leaves ``result``; it is also run with Numba where that is installed.
"""

import itertools
import linecache
import subprocess
import sys

import numpy as np
import pyarray
import pytest
from compare import arrays_alive
from pyarray import jitclass, njit, types
from pyarray.experimental import structref
from pyarray.extending import overload_method

pytestmark = pytest.mark.real

_numbers = itertools.count()

PERSON = """
@structref.register
class PersonType(types.StructRef):
    def preprocess_fields(self, fields):
        return tuple((name, types.unliteral(kind)) for name, kind in fields)

class Person(structref.StructRefProxy):
    def __new__(cls, name, vector):
        return structref.StructRefProxy.__new__(cls, name, vector)

    @property
    def name(self):
        return get_name(self)

    @name.setter
    def name(self, value):
        set_name(self, value)

    @property
    def vector(self):
        return get_vector(self)

@njit
def get_name(self):
    return self.name

@njit
def set_name(self, value):
    self.name = value

@njit
def get_vector(self):
    return self.vector

structref.define_proxy(Person, PersonType, ["name", "vector"])
"""

PROGRAMS = {
    "made on both sides": (
        PERSON
        + """
ann = Person("Ann", vector=np.arange(3.0))

@njit
def make():
    made = Person(vector=np.zeros(3), name="unnamed")
    made.name = "Ben"
    made.vector = np.ones(3)
    return made

@njit
def distance(a, b):
    total = 0.0
    for i in range(len(a.vector)):
        total += (a.vector[i] - b.vector[i]) ** 2
    return total

ben = make()
ann.name = ann.name + "!"
result = ann.name, ben.name, type(ben) is Person, distance(ann, ben), list(ben.vector)
""",
        ("Ann!", "Ben", True, 2.0, [1.0, 1.0, 1.0]),
    ),
    "each combination of types": (
        PERSON
        + """
@njit
def mixed(x, y, m, n):
    return Person(x, y), Person(m, n)

a, b = mixed(1, 2.3, 3.4j, (4,))
result = a.name, a.vector, b.name, b.vector, typeof(a) == typeof(b), typeof(a) == typeof(Person(5, 0.5))
""",
        (1, 2.3, 3.4j, (4,), False, True),
    ),
    "methods and attributes of compiled code": (
        PERSON
        + """
@overload_method(PersonType, "scaled")
def _(self, factor, more=0):
    if not isinstance(factor, types.Integer):
        return None
    def scaled(self, factor, more=0):
        return self.vector[0] * factor + more
    return scaled

@overload_attribute(PersonType, "size")
def _(self):
    return lambda self: len(self.vector)

@njit
def use(person):
    return person.scaled(3), person.scaled(2, more=1), person.size + 1

result = use(Person("x", np.arange(5) + 2.0))
""",
        (6.0, 5.0, 6),
    ),
    "structs in lists, dicts, tuples and structs": (
        PERSON
        + """
@njit
def build(n):
    people = [Person(i, i * 1.5) for i in range(n)]
    people[1].name += 10
    return people, (people[0], 3)

@njit
def total(people):
    s = 0.0
    for person in people:
        s += person.name * person.vector
    return s

people, pair = build(3)
td = typed.Dict()
td["a"] = people[2]
td["a"].name += 10
tl = typed.List()
tl.append(Person(1, 2.5))
tl.append(Person(5, 2.5))
outer = Person(people[1], pair)
outer.name.name = 77
result = [p.name for p in people], pair[0].name, td["a"].name, total(tl), outer.name.name, outer.vector[1]
""",
        ([0, 77, 12], 0, 12, 15.0, 77, 3),
    ),
    "new, and no class of one's own": (
        """
@structref.register
class SimpleType(types.StructRef):
    pass

simple = SimpleType(fields=[("values", types.intp[:]), ("counter", types.intp)])
structref.define_boxing(SimpleType, structref.StructRefProxy)

@njit
def make(values, counter):
    made = structref.new(simple)
    made.values = values
    made.counter = counter
    return made

@njit
def add(struct):
    struct.counter += 1
    return struct.values[1] + struct.counter

made = make(np.arange(4), 3)
own = type(made) is structref.StructRefProxy
result = own, hasattr(made, "values"), add(made), add(made), simple.field_dict["counter"] == types.intp
""",
        (True, False, 5, 6, True),
    ),
    "fields of the struct's own type": (
        """
@structref.register
class NodeType(types.StructRef):
    def preprocess_fields(self, fields):
        self.name = "NodeType"
        return (("value", types.Optional(types.int64)), ("parent", types.Optional(self)))

class Node(structref.StructRefProxy):
    pass

structref.define_proxy(Node, NodeType, ["value", "parent"])
NodeType(fields=(("value", types.Any), ("parent", types.Any)))

@overload_method(NodeType, "flip")
def _(self):
    def flip(self):
        if self.value is not None:
            self.value = -self.value
    return flip

@njit
def check(x):
    node, parent = Node(None, None), Node(None, None)
    node.value = x
    node.parent = parent
    parent.flip()
    parent.value = x
    node.parent.flip()
    return node.value, parent.value, Node(5, None).value

result = check(11)
""",
        (11, -11, 5),
    ),
    "identity": (
        PERSON
        + """
@njit
def same():
    a, b = Person(3, 4), Person(3, 4)
    return a is a, a is b, [a][0] is a

result = same()
""",
        (True, False, True),
    ),
    "methods of the class in Python": (
        """
@structref.register
class PairType(types.StructRef):
    pass

class Pair(structref.StructRefProxy):
    def total(self):
        return total(self)

    def __hash__(self):
        return total(self)

    def __eq__(self, other):
        return total(self) == total(other)

@njit
def total(self):
    return self.x + self.y

structref.define_proxy(Pair, PairType, ["x", "y"])
a, b = Pair(1, 2), Pair(2, 1)
result = a.total(), hash(a), a == b, len({a, b}), isinstance(typeof(a), PairType), a._numba_type_ == typeof(b)
""",
        (3, 3, True, 1, True, True),
    ),
}


def run(text, package):
    """What the program leaves, with the names that it imports from the package."""
    extending = __import__(f"{package}.extending", fromlist=["overload_method"])
    module = __import__(f"{package}.experimental.structref", fromlist=["new"])
    package = __import__(package)
    names = {name: getattr(package, name) for name in ("njit", "types", "typed", "typeof")}
    names.update(np=np, structref=module, __name__=f"program{next(_numbers)}")
    names.update({name: getattr(extending, name) for name in ("overload_method", "overload_attribute")})
    file = f"<{names['__name__']}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    exec(compile(text, file, "exec"), names)
    result = names["result"]
    names.clear()  # classes of structs, which hold it, stay
    return result


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs(program):
    text, expected = PROGRAMS[program]
    assert run(text, "pyarray") == expected


@pytest.mark.parametrize("program", PROGRAMS)
def test_numba_gives_the_same(program):
    pytest.importorskip("numba")
    import numba.experimental.structref
    import numba.extending  # noqa: F401

    text, expected = PROGRAMS[program]
    assert run(text, "numba") == expected


# -- What is ours -----------------------------------------------------------------------------------


@structref.register
class PointType(types.StructRef):
    pass


class Point(structref.StructRefProxy):
    @property
    def x(self):
        return get_x(self)


structref.define_proxy(Point, PointType, ["x", "y"])


@njit
def get_x(self):
    return self.x


@njit
def back(value):
    return value


@njit
def set_x(self, value):
    self.x = value


def test_a_struct_is_one_object():
    point = Point(1.5, "text")
    assert back(point) is point and back([point])[0] is point and back((1, point))[1] is point
    values = np.arange(3.0)
    holder = Point(values, [1, 2])
    holder.x[1] = 7
    assert values[1] == 7 and get_x(Point(point, 0)) is point


def test_what_is_not_declared():
    point = Point(1, 2)
    with pytest.raises(AttributeError, match="'x' of 'Point' object has no setter"):
        point.x = 3
    assert not hasattr(point, "y")

    @njit
    def get(self):
        return self.nothing

    @njit
    def store(self):
        self.nothing = 1

    @njit
    def call(self):
        return self.nothing()

    for function in (get, store, call):
        with pytest.raises(pyarray.TypingError, match="'PointType' object has no attribute 'nothing'"):
            function(point)


def test_what_does_not_fit():
    with pytest.raises(pyarray.TypingError, match="field 'x': cannot convert unicode_type to int64"):
        set_x(Point(1, 2), "a")
    set_x(point := Point(1, 2), 2.75)
    assert point.x == 2
    for arguments in ((1,), (1, 2, 3)):
        with pytest.raises(pyarray.TypingError, match="no overload of .*Point"):
            Point(*arguments)
    assert Point([np.ones(2)], 1).x[0].sum() == 2


def test_fields_that_were_not_set():
    kind = PointType([("x", types.unicode_type), ("y", types.float64)])

    @njit
    def make(fill):
        made = structref.new(kind)
        if fill:
            made.x = "a"
        return made.y, made.x

    assert make(True) == (0.0, "a")
    with pytest.raises(AttributeError, match="'PointType' object has no attribute 'x'"):
        make(False)


def test_definitions_that_are_refused():
    for wrong in (structref.register, lambda kind: structref.define_boxing(kind, Point)):
        with pytest.raises(ValueError, match="cannot register"):
            wrong(types.StructRef)
        with pytest.raises(TypeError, match="derives from types.StructRef"):
            wrong(Point)
    with pytest.raises(TypeError, match="derived from StructRefProxy"):
        structref.define_boxing(PointType, int)
    with pytest.raises(ValueError, match="identifier"):
        structref.define_constructor(Point, PointType, ["a b"])
    with pytest.raises(ValueError, match="expecting a str for field name"):
        types.StructRef([(1, types.int64)])
    with pytest.raises(ValueError, match="expecting a Numba Type for field type"):
        types.StructRef([("a", 123)])
    with pytest.raises(NotImplementedError):
        structref.new(PointType([]))
    with pytest.raises(TypeError):
        PointType([("x", types.int64)]).field_dict["x"] = types.float64


def test_classes_that_are_not_complete():
    class LooseType(types.StructRef):
        pass

    class Loose(structref.StructRefProxy):
        pass

    structref.define_constructor(Loose, LooseType, ["x"])

    @njit
    def inside(x):
        return Loose(x).x + 1

    with pytest.raises(pyarray.TypingError, match="decorate it with structref.register"):
        inside(1)
    structref.register(LooseType)
    assert inside(2) == 3
    with pytest.raises(TypeError, match="have no class in Python"):
        Loose(1)
    structref.define_boxing(LooseType, Loose)
    assert type(Loose(1)) is Loose

    @njit
    def nothing(x):
        return structref.new(x)

    with pytest.raises(pyarray.TypingError):
        nothing(1)


def test_types_are_equal_by_their_fields():
    a, b = PointType([("x", types.int64)]), PointType([("x", types.int64)])
    assert a == b and hash(a) == hash(b) and a != PointType([("y", types.int64)]) != PointType([("y", types.int32)])
    assert str(a) == "PointType(x: int64)" and pyarray.typeof(Point(1, 2)) != pyarray.typeof(Point(1, 2.0))

    class PointTwo(types.StructRef):
        pass

    assert PointTwo([("x", types.int64)]) != a
    nested = PointType([("x", PointType([("x", types.ListType(a)), ("y", types.float64[:, ::1])]))])
    assert types.from_code(nested.code) == nested and nested.field_dict["x"].field_dict["x"] == types.ListType(a)


def test_classes_of_structs_in_compiled_code():
    @njit
    def kinds(value):
        return isinstance(value, Point), isinstance(value, (int, Point)), isinstance(value, int)

    assert kinds(Point(1, 2)) == kinds.py_func(Point(1, 2)) == (True, True, False)
    assert kinds(Point(1.5, "a"))[0] and kinds(3) == (False, True, True)

    @njit
    def make(value):
        return type(value)(1, 2)

    with pytest.raises(pyarray.UnsupportedError, match="type\\(\\) of a value of type instance of PointType"):
        make(Point(1, 2))


def test_many_fields_and_deep_ones():
    names = [f"field{i}" for i in range(60)]

    @structref.register
    class WideType(types.StructRef):
        pass

    class Wide(structref.StructRefProxy):
        pass

    structref.define_proxy(Wide, WideType, names)

    @njit
    def inner(wide):
        return wide.field59.field7[1] + wide.field0.field58[57]

    wide = Wide(*[np.arange(i) for i in range(60)])
    assert inner(Wide(*[wide] * 60)) == 58


def test_methods_for_jitclasses_too():
    @jitclass([("x", types.int64)])
    class Counter:
        def __init__(self, x):
            self.x = x

    @overload_method(types.ClassInstanceType, "doubled_of_structs")
    def _(self):
        return lambda self: 2 * self.x

    @njit
    def use(n, none):
        counter = None if none else Counter(n)
        return counter.doubled_of_structs()

    assert use(4, False) == 8
    with pytest.raises(AttributeError, match="doubled_of_structs"):
        use(4, True)


def test_nothing_is_left():
    @njit
    def churn(n):
        kept = [Point("a", np.zeros(3))]
        for i in range(n):
            made = Point("b" * i, np.full(2, 1.0 * i))
            made.x = made.x + "c"
            kept.append(Point(kept[-1].x, made.y))
        return len(kept)

    churn(2)
    before = arrays_alive()
    assert churn(50) == 51
    point = Point(np.ones(4), "b")
    set_x(point, np.ones(3))
    del point
    assert arrays_alive() == before


CACHED = """
import sys
import numpy as np
from pyarray import njit, types
from pyarray.experimental import structref

@structref.register
class CachedType(types.StructRef):
    def preprocess_fields(self, fields):
        return [(name, EXTRA) for name, kind in fields] if EXTRA else fields

EXTRA = None

class Cached(structref.StructRefProxy):
    pass

structref.define_proxy(Cached, CachedType, ["a", "b"])

@njit
def make(x, y):
    return Cached(a=x, b=Cached(y, y))

KIND = CachedType([("a", types.float64[::1]), ("b", types.int64)])

@njit
def filled(x):
    made = structref.new(KIND)
    made.a = x
    made.b = len(x)
    return made

@njit
def use(struct, z):
    return struct.a[0] * z + struct.b.a

assert use(make(np.arange(3.0) + 1, 2), 3) == 5.0
assert type(filled(np.arange(3.0))) is Cached
print(*(sum(function.stats.cache_hits.values()) for function in (make, use, filled)))
"""


def test_compiled_code_is_kept_on_disk(tmp_path):
    file = tmp_path / "cached_structs.py"
    environment = {**__import__("os").environ, "PYARRAY_CACHE_DIR": str(tmp_path / "cache"), "PYARRAY_CACHE": "1"}

    def hits():
        command = [sys.executable, str(file)]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    file.write_text(CACHED)
    assert [hits(), hits()] == [["0"] * 3, ["1"] * 3]
    file.write_text(CACHED.replace("(name, EXTRA)", "(name, kind)"))  # other fields, for all that the key can tell
    assert [hits(), hits()] == [["0"] * 3, ["1"] * 3]


def test_without_a_compiler(monkeypatch):
    monkeypatch.setattr(pyarray.config, "DISABLE_JIT", True)
    with pytest.raises(pyarray.UnsupportedError, match="PYARRAY_DISABLE_JIT"):
        Point(1, 2)


def test_a_type_that_is_defined_later():
    @structref.register
    class LinkType(types.StructRef):
        pass

    later = pyarray.deferred_type()
    link = LinkType(fields=[("value", types.int64), ("behind", types.optional(later))])
    later.define(link)

    @njit
    def summed(n):
        first = structref.new(link)
        first.value, first.behind = 0, None
        for i in range(1, n):
            made = structref.new(link)
            made.value, made.behind = i, first
            first = made
        total = first.value
        while first.behind is not None:
            first = first.behind
            total += first.value
        return total

    assert summed(5) == 10
    with pytest.raises(TypeError, match="a deferred type is that of instances of a jitclass or of structs, not int64"):
        pyarray.deferred_type().define(types.int64)
