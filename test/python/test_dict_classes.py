"""Counter, OrderedDict and defaultdict as arguments and results."""

import collections
import copy

import numpy as np
import pytest
from pyarray import errors, njit, typeof

Counter, OrderedDict, defaultdict = collections.Counter, collections.OrderedDict, collections.defaultdict


def counts(c):
    c["a"] += 5
    c["new"] += 1
    del c["nothing"]
    return c["missing"], c.most_common(1), c.total(), isinstance(c, Counter), c + Counter("ab"), c


def groups(d):
    d[1].append(0.5)
    d[7].append(1.5)
    return len(d), d[1], d[100], d


def nested(d):
    d["x"]["y"] += 1
    return d


def order(d):
    d["c"] = d["a"] + 1
    d.move_to_end("a")
    first = [k for k in d]
    d.move_to_end("c", last=False)
    return first, list(d.keys()), d.popitem(), d.popitem(last=False), d


def lru(d):
    hits = 0
    for k in [1, 2, 3, 1, 4, 5, 1, 2]:
        if k in d:
            hits += 1
            d.move_to_end(k)
        else:
            d[k] = k * k
            if len(d) > 3:
                d.popitem(last=False)
    return hits


def in_containers(xs):
    xs[0]["a"] += 1
    return xs[0]["q"], xs[1]["b"], xs


ARGUMENTS = [
    (counts, Counter("abca")), (counts, Counter({"a": -1, "b": 3})),
    (groups, defaultdict(list, {1: [2.5]})),
    (order, OrderedDict(a=1, b=2)), (lru, OrderedDict([(3, 9), (8, 64)])),
    (in_containers, [Counter("aab"), Counter("b")]),
]  # fmt: skip


def same(a, b):
    if type(a) is not type(b) or (isinstance(a, defaultdict) and a.default_factory is not b.default_factory):
        return False
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b


@pytest.mark.parametrize("case", ARGUMENTS, ids=lambda case: case[0].__name__)
def test_arguments(case):
    function, argument = case
    for _ in range(2):
        mine, plain = copy.deepcopy(argument), copy.deepcopy(argument)
        found, expected = njit(function)(mine), function(plain)
        assert same(found, expected), (found, expected)
        assert same(mine, plain), (mine, plain)


def test_an_argument_that_is_returned_is_itself():
    for argument in (Counter("ab"), OrderedDict(a=1), defaultdict(int, a=1)):
        assert njit(lambda d: d)(argument) is argument


@pytest.mark.parametrize("factory", [int, float, complex, str, bytes, bool, list, set, dict])
def test_factories(factory):
    value = {bool: True, list: [1], set: {2}, dict: {3: 4}, str: "s", bytes: b"b"}.get(factory, 3)

    def f(d):
        d["b"]
        return d["a"], d

    d = defaultdict(factory, a=factory(value))
    expected = copy.deepcopy(d)
    assert same(njit(f)(d), f(expected)) and same(d, expected)


def test_results():
    def f(words):
        groups = defaultdict(list)
        ordered = OrderedDict()
        for word in words:
            groups[len(word)].append(word)
            ordered[word] = len(word)
        return Counter(words), groups, ordered, [Counter(words[0])], {"k": Counter(words)}

    words = ["ab", "c", "ab", "dd"]
    assert same(njit(f)(words), f(words))


def test_ordered_dicts():
    def f(a):
        b = OrderedDict([("y", 2), ("x", 1)])
        c = OrderedDict({"x": 1, "y": 2})
        e = b.copy()
        e["z"] = 3
        return (
            a == b,
            a == c,
            a != b,
            a == {"y": 2, "x": 1},
            b | a,
            repr(b),
            str(OrderedDict(a)),
            isinstance(a, OrderedDict),
            isinstance(a, dict),
            len(e),
            len(b),
            bool(a),
        )

    assert same(njit(f)(OrderedDict(x=1, y=2)), f(OrderedDict(x=1, y=2)))
    with pytest.raises(KeyError, match="dictionary is empty"):
        njit(lambda: OrderedDict([(1, 2)]).popitem() and OrderedDict([(1, 2)][:0]).popitem(last=False))()
    with pytest.raises(KeyError, match="q"):
        njit(lambda d: d.move_to_end("q"))(OrderedDict(x=1))


def test_changes_after_an_exception():
    @njit
    def f(c):
        c["a"] += 1
        raise ValueError("after")

    c = Counter("a")
    with pytest.raises(ValueError, match="after"):
        f(c)
    assert c == Counter("aa")


def test_types_and_refusals():
    assert str(typeof(Counter("a"))) == "Counter[unicode_type,int64]"
    assert str(typeof(defaultdict(list, a=[1.5]))) == "defaultdict(list)[unicode_type,ListType[float64]]"
    assert typeof(OrderedDict(a=1)) == typeof(OrderedDict(b=2)) != typeof({"a": 1})
    f = njit(lambda d: len(d))
    with pytest.raises(TypeError, match="the factory of a defaultdict that is an argument is <function"):
        f(defaultdict(lambda: 1, a=1))
    with pytest.raises(TypeError, match="have no type"):
        f(Counter())
    assert f(defaultdict(None, a=1)) == 1

    class Own(dict):
        pass

    with pytest.raises((errors.TypingError, TypeError), match="cannot be compiled"):
        f(Own(a=1))


def test_arrays_in_one():
    a = np.arange(3.0)

    def f(d, a):
        d["b"].append(a)
        return d["a"][0][1] + len(d["b"])

    d = defaultdict(list, a=[a])
    assert njit(f)(d, a) == 2.0
    assert d["b"][0] is a
