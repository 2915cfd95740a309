"""Jitclasses that derive from plain Python classes: methods, super(), several bases, isinstance, what is refused."""

import abc
from typing import ClassVar, Generic, Protocol, TypeVar

import numpy as np
import pyarray
import pytest
from pyarray import float64, int64, njit, types
from pyarray.experimental import jitclass


class Shape:
    """The base of all."""

    sides = 0
    title = "shape"

    def __init__(self, w, h):
        self.w = w
        self.h = h

    def area(self):
        return self.w * self.h

    def twice(self):
        return 2.0 * self.area()

    def scaled(self, factor=3.0, *, plus=0.0):
        return factor * self.area() + plus

    def ratio(self, factor=3.0, *, plus=0.0):
        return factor * self.w + plus

    @property
    def double_width(self):
        return 2.0 * self.w

    @double_width.setter
    def double_width(self, value):
        self.w = value / 2.0

    @staticmethod
    def unit():
        return 7.0

    @classmethod
    def square(cls, w):
        return cls(w, w)

    def __len__(self):
        return 4

    def __add__(self, other):
        return self.area() + other.area()

    def __repr__(self):
        return f"<{self.title} {self.area()}>"


SIDES = [("w", float64), ("h", float64)]


@jitclass(SIDES)
class Box(Shape):
    sides = 4


@jitclass([("r", float64)])
class Disc(Shape):
    title = "disc"

    def __init__(self, r):
        self.r = r

    def area(self):
        return 3.0 * self.r * self.r


@jitclass(SIDES)
class Padded(Shape):
    def __init__(self, w, h):
        super().__init__(w + 1.0, h + 1.0)

    def area(self):
        return super().area() + super().ratio(plus=1.0, factor=0.0)

    def widths(self):
        return super().double_width + super().double_width

    def kind(self):
        return super().title

    @classmethod
    def square(cls, w):
        return super().square(2.0 * w)

    @staticmethod
    def unit():
        return 8.0

    def both_units(self):
        return super().unit() * 10.0 + self.unit()


@njit
def use(s):
    return s.area(), s.twice(), s.scaled(), s.scaled(1.0, plus=2.0), len(s), s.sides, s.title, s + s, str(s)


def test_inherited_members_are_compiled_for_each_class():
    assert use(Box(2.0, 3.0)) == (6.0, 12.0, 18.0, 8.0, 4, 4, "shape", 12.0, "<shape 6.0>")
    assert use(Disc(2.0)) == (12.0, 24.0, 36.0, 14.0, 4, 0, "disc", 24.0, "<disc 12.0>")
    box = Box(2.0, 3.0)
    assert (box.area(), box.twice(), len(box), box.sides, repr(box)) == (6.0, 12.0, 4, 4, "<shape 6.0>")


def test_properties_static_and_class_methods():
    @njit
    def f(b):
        b.double_width = 10.0
        return b.w, b.double_width, b.unit(), Box.unit(), Box.square(3.0).area(), b.square(2.0).area()

    assert f(Box(1.0, 1.0)) == (5.0, 10.0, 7.0, 7.0, 9.0, 4.0)
    box = Box.square(4.0)
    box.double_width = 6.0
    assert (box.w, box.double_width, Box.unit()) == (3.0, 6.0, 7.0)


def test_super():
    @njit
    def f(p):
        return p.area(), p.twice(), p.widths(), p.kind(), p.both_units(), Padded.square(1.0).area()

    expected = 7.0, 14.0, 8.0, "shape", 78.0, 10.0
    assert f(Padded(1.0, 2.0)) == expected
    p = Padded(1.0, 2.0)
    assert (p.area(), p.twice(), p.widths(), p.kind(), p.both_units(), Padded.square(1.0).area()) == expected


def test_super_follows_the_order_of_each_class():
    class Root:
        def path(self):
            return "R"

    class A(Root):
        def path(self):
            return "A" + super().path()

    class B(Root):
        def path(self):
            return "B" + super().path()

    class Mixin(A, B):
        def path(self):
            return "M" + super().path()

    def make(*bases):
        class Made(*bases):
            def path(self):
                return "." + super().path()

        return Made, jitclass([("x", int64)])(Made)

    for bases in ((A, B), (B, A), (Mixin,), (B,), (Root,)):
        plain, compiled = make(*bases)
        instance = compiled()
        assert instance.path() == plain().path()
        assert njit(lambda s: s.path())(instance) == plain().path()
        assert compiled.__mro__[0].__name__ == "Made" and all(isinstance(instance, base) for base in bases)


def test_super_of_a_class_without_bases():
    @jitclass([("x", int64)])
    class Alone:
        def __init__(self):
            super().__init__()
            self.x = 3

    assert Alone().x == 3


def test_annotations_are_inherited():
    class Named:
        x: int
        count: ClassVar[int] = 5
        y: float = 2.5

    @jitclass
    class Point(Named):
        z: "float64[:]"

        def __init__(self, z):
            self.x, self.y, self.z = 1, 2, z

    p = Point(np.ones(2))
    assert (p.x, p.y, p.count) == (1, 2.0, 5)
    assert njit(lambda p: p.x + p.y + p.z[1])(p) == 4.0

    @jitclass([("x", types.float32)])
    class Other(Named):
        def __init__(self):
            self.x = 1.5

    assert Other().x == 1.5


def test_special_methods_that_are_overridden():
    class Ordered:
        def __eq__(self, other):
            return self.x == other.x

        def __hash__(self):
            return self.x

        def __lt__(self, other):
            return self.x < other.x

    @jitclass([("x", int64)])
    class Item(Ordered):
        def __init__(self, x):
            self.x = x

    @jitclass([("x", int64)])
    class Reversed(Ordered):
        def __init__(self, x):
            self.x = x

        def __eq__(self, other):
            return self.x != other.x

    assert Item(1) == Item(1) and hash(Item(5)) == 5 and sorted([Item(2), Item(1)])[0].x == 1
    assert Reversed(1) == Reversed(2) and Reversed.__hash__ is None


def test_isinstance_and_issubclass():
    class Other:
        pass

    @jitclass([("x", int64)])
    class Thing(Other):
        pass

    @njit
    def f(x):
        return isinstance(x, Shape), isinstance(x, (int, Shape)), isinstance(x, Box), isinstance(x, Other)

    assert f(Box(1.0, 1.0)) == (True, True, True, False)
    assert f(Disc(1.0)) == (True, True, False, False)
    assert f(Thing()) == (False, False, False, True)
    assert f(1) == (False, True, False, False)
    assert isinstance(Box(1.0, 1.0), Shape) and issubclass(Box, Shape) and not issubclass(Box, Other)
    assert not isinstance(1, Shape)
    with pytest.raises(AttributeError):
        Box(1.0, 1.0).extra = 1


class Base:
    factor = 3

    def times(self, n):
        return self.x * n * Base.factor


@jitclass([("x", int64)])
class Derived(Base):
    def __init__(self, x):
        self.x = x

    def times(self, n):
        return Base.times(self, n) + 1


def test_members_by_the_name_of_the_base():
    assert Derived(2).times(5) == 31
    assert njit(lambda d: d.times(5) + Base.factor)(Derived(2)) == 34


class Middle(Base):
    def times(self, n):
        return super().times(n) + 100

    def named(self):
        return Middle.times(self, 2)


@jitclass([("x", int64)])
class Outer(Middle):
    def __init__(self, x):
        self.x = x

    def times(self, n):
        return Middle.times(self, n) + super().times(n)


def test_super_in_a_member_by_the_name_of_the_base():
    outer = Outer(2)
    assert outer.times(5) == 260
    assert outer.named() == 112
    assert njit(lambda d: Middle.times(d, 1) + Base.times(d, 1))(outer) == 112


def test_super_that_follows_the_instance_is_refused_by_the_name_of_the_base():
    class Root:
        def path(self):
            return "R"

    class A(Root):
        def path(self):
            return "A" + super().path()

    class B(Root):
        def path(self):
            return "B" + super().path()

    @jitclass([("x", int64)])
    class Both(A, B):
        def named(self):
            return A.path(self)

    with pytest.raises(pyarray.UnsupportedError, match="A.path uses super.., which is not the same") as info:
        Both().named()
    assert "return A.path(self)" in str(info.value)


def test_abstract_bases_and_protocols():
    T = TypeVar("T")

    class HasArea(Protocol):
        def area(self): ...

    class Abstract(abc.ABC):
        @abc.abstractmethod
        def area(self):
            pass

        @property
        @abc.abstractmethod
        def name(self):
            pass

        def twice(self):
            return 2 * self.area()

    class Held(Generic[T]):
        def held(self):
            return 5

    @jitclass([("x", int64)])
    class Whole(Abstract, HasArea, Held[int]):
        def __init__(self, x):
            self.x = x

        def area(self):
            return self.x

        @property
        def name(self):
            return "whole"

    assert Whole(4).twice() == 8 and Whole(4).name == "whole" and Whole(1).held() == 5
    assert isinstance(Whole(4), Abstract)
    with pytest.raises(TypeError, match="jitclass 'Half' has no instances.*define its methods 'area', 'name'"):

        @jitclass([("x", int64)])
        class Half(Abstract):
            pass


def test_subclass_hooks_run_once():
    made = []

    class Counted:
        def __init_subclass__(cls, **keywords):
            super().__init_subclass__(**keywords)
            made.append(cls.__name__)

        def one(self):
            return 1

    @jitclass([("x", int64)])
    class Sub(Counted):
        pass

    assert made == ["Sub"] and Sub().one() == 1


def test_a_base_that_is_a_jitclass():
    with pytest.raises(TypeError, match="cannot subclass from a jitclass: 'Box'. Write what classes share in a plain"):

        class Sub(Box):
            pass

    with pytest.raises(TypeError, match="cannot subclass from a jitclass"):
        type(Disc)("Sub", (Disc,), {})


class WithMeta(type):
    pass


class Slotted:
    __slots__ = ("x",)


class Listed:
    items = [1, 2]


@pytest.mark.parametrize(
    ("bases", "message"),
    [
        ((dict,), "'dict' as a jitclass: it is not written in Python"),
        ((ValueError,), "'ValueError' as a jitclass: it is not written in Python"),
        ((WithMeta("Meta", (), {}),), "it has the metaclass WithMeta"),
        ((Slotted,), "'Slotted' as a jitclass: it has __slots__"),
        ((Listed,), "items of Listed is a list"),
    ],
)
def test_bases_that_are_refused(bases, message):
    with pytest.raises(TypeError, match=message):
        jitclass([("y", int64)])(
            type(bases[0])("Sub", bases, {}) if type(bases[0]) is WithMeta else type("Sub", bases, {})
        )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("super().missing()", "'super' object has no attribute 'missing'"),
        ("super()", "super\\(\\) is compiled where a member of it is named at once"),
        ("super().area", "is compiled where it is called at once"),
        ("super(Box, self).area()", "super\\(\\) of another class or object"),
    ],
)
def test_super_that_is_not_decided(tmp_path, monkeypatch, text, message):
    (tmp_path / "undecided.py").write_text(
        "from pyarray.experimental import jitclass\nfrom test_jitclass_bases import Box, SIDES, Shape\n\n"
        f"@jitclass(SIDES)\nclass Odd(Shape):\n    def odd(self):\n        return {text}\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(__import__("sys").modules, "undecided", raising=False)
    import undecided

    with pytest.raises(pyarray.TypingError, match=message) as info:
        undecided.Odd(1.0, 2.0).odd()
    assert "line 7" in str(info.value)


def test_code_on_disk_follows_the_bases(run):
    program = (
        "from pyarray import njit, int64\nfrom pyarray.experimental import jitclass\n"
        "class Root:\n    def f(self):\n        return {root}\n"
        "class Base(Root):\n    K = {constant}\n    def f(self):\n        return super().f() + Base.K\n"
        "@jitclass([('x', int64)])\nclass C(Base):\n    pass\n"
        "@njit\ndef g(c):\n    return c.f(), isinstance(c, Root)\n"
        "print(*g(C()), sum(g.stats.cache_hits.values()))\n"
    )

    def result(root, constant):
        return run(program.format(root=root, constant=constant)).split()

    assert result(1, 10) == ["11", "True", "0"]
    assert result(1, 10) == ["11", "True", "1"]
    assert result(2, 10) == ["12", "True", "0"]
    assert result(2, 20) == ["22", "True", "0"]
