"""Named tuples, members of enums beside each other and beside tuples and ints: order, containers, unification."""

import bisect
import collections
import enum
import heapq

import pytest
from compare import agrees, define
from pyarray import njit
from pyarray.errors import TypingError, UnsupportedError

Point = collections.namedtuple("Point", "x y")


class Color(enum.Enum):
    RED = 1
    GREEN = 2


class Size(enum.IntEnum):
    SMALL = 1
    MEDIUM = 2
    LARGE = 3


class Weight(enum.IntEnum):
    LIGHT = 1


POINTS = [Point(3, 1.0), Point(1, 2.0), Point(2, 0.0)]
SIZES = [Size.LARGE, Size.SMALL, Size.MEDIUM]


def extremes(p, q, r):
    return max(p, q), min(p, q, r), max(p, q, r, key=lambda v: v.y), min((p, q)), max([r, p])


def extremes_of_members(a, b):
    return max(a, b), min(a, b), max(a, b, key=lambda m: -m), max(a, 7), max(7, a), min(a, 0.5), max((7, a))


def in_order(points):
    again = points[:]
    again.sort(key=lambda p: p.y)
    points.sort(reverse=True)
    return sorted(points), sorted(points, key=lambda p: -p.x), again, points, max(points), min(points)


def in_heaps(points):
    heap = points[:]
    heapq.heapify(heap)
    heapq.heappush(heap, Point(0, 9.0))
    largest = heapq.nlargest(2, points, key=lambda p: p.y)
    return [heapq.heappop(heap) for _ in range(len(heap))], heapq.nsmallest(2, points), largest


def bisected(points):
    ordered = sorted(points)
    bisect.insort(ordered, Point(2, 0.5))
    return bisect.bisect_left(ordered, Point(2, 0.0)), bisect.bisect(ordered, 2, key=lambda p: p.x), ordered


def members_in_order(sizes, colors):
    heap = sizes[:]
    heapq.heapify(heap)
    ordered = sorted(sizes)
    by_value = sorted(colors, key=lambda c: c.value, reverse=True)
    places = bisect.bisect(ordered, Size.MEDIUM), bisect.bisect(ordered, 2)
    return heapq.heappop(heap), ordered, max(sizes), min(sizes), places, by_value, min(colors, key=lambda c: c.name)


def beside_ints(size, chosen):
    if chosen:
        x = size
    else:
        x = 5
    items = [size, 7]
    items.append(Size.LARGE)
    return x + 1, items[0] + items[2], 3 in items, {1: 2.5}.get(size, 0.0), size in {1: 2}, size in {1}, 1 in [size]


def beside_tuples(point, chosen):
    if chosen:
        x = point
    else:
        x = (1, 2.5)
    pairs = [point, (3, 4.0)]
    seen = {(3, 1.0): 5}
    return x[0], pairs[0][1] + pairs[1][1], (3, 1.0) in [point], seen[point], point in seen, seen.pop(point)


def result_beside_none(size, chosen):
    return size if chosen else None


def made(items):
    return Point._make(items)


def made_of_others():
    return Point._make(k * k for k in range(2)), Point._make(range(2)), Point._make("ab")


def spread(point):
    return [*point], (*point, 3), list(point), tuple(point), {*point}, list(zip(point, point))


def as_dict(point):
    return point._asdict(), sum(point._asdict().values())


CASES = [
    (extremes, POINTS),
    (extremes_of_members, (Size.LARGE, Size.SMALL)),
    (in_order, (POINTS,)),
    (in_heaps, (POINTS,)),
    (bisected, (POINTS,)),
    (members_in_order, (SIZES, [Color.RED, Color.GREEN])),
    (made, ([1, 2],)),
    (made, ((1, 2.5),)),
    (made, ([1, 2, 3],)),
    (made_of_others, ()),
    (spread, (Point(1, 2),)),
    (as_dict, (Point(1, 2),)),
    (result_beside_none, (Size.LARGE, True)),
    (result_beside_none, (Size.LARGE, False)),
]


@pytest.mark.parametrize("function, arguments", CASES, ids=lambda value: getattr(value, "__name__", ""))
def test_as_cpython(function, arguments):
    agrees(function, *arguments)


@pytest.mark.parametrize("chosen", [True, False])
def test_beside_what_they_are(chosen):
    for function, value in ((beside_ints, Size.SMALL), (beside_tuples, Point(3, 1.0))):
        assert njit(function)(value, chosen) == function(value, chosen)


def test_one_type_is_what_both_are():
    @njit
    def either(a, b, chosen):
        return a if chosen else b

    assert type(either(Size.SMALL, 7, True)) is int and either(Size.SMALL, 7, False) == 7
    assert type(either(Point(1, 2), (3, 4), True)) is tuple
    assert type(either(Point(1, 2), Point(3.5, 4), True)) is Point
    with pytest.raises(TypingError, match="cannot unify Size and Weight"):
        either(Size.SMALL, Weight.LIGHT, True)
    with pytest.raises(TypingError, match="cannot unify Color and int64"):
        either(Color.RED, 1, True)


def test_lists_of_both_as_arguments():
    @njit
    def f(items):
        items.append(items[0])
        return items[0] + items[1]

    items = [Size.MEDIUM, 7]
    assert f(items) == 9 and items == [2, 7, 2] and items[0] is Size.MEDIUM
    assert f([Size.MEDIUM, 7.5]) == 9.5

    @njit
    def g(items):
        return items[0][0] + items[1][1]

    assert g([Point(1, 2.5), (3, 4.5)]) == 5.5 and g([(3, 4), Point(1, 2.5)]) == 5.5
    assert njit(lambda items: items)([Point(1, 2.5), Point(2.5, 1.5)])[0] == Point(1.0, 2.5)
    for items in ([Size.SMALL, Weight.LIGHT], [Color.RED, 1], [Point(1, 2), collections.namedtuple("Q", "x y")(1, 2)]):
        with pytest.raises(TypeError, match="must have one type"):
            f(items)


def test_a_dict_of_fields_of_several_types():
    f = define("def f(p):\n    return p._asdict()\n")
    with pytest.raises(UnsupportedError, match="use the fields by name"):
        f(Point(1, "x"))
