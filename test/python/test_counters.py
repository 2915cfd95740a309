"""collections.Counter and collections.defaultdict in compiled code against CPython's."""

import collections

import pytest
from compare import agrees, define
from pyarray import njit
from pyarray.errors import TypingError, UnsupportedError


def counts(s):
    c = collections.Counter(s)
    c["z"] += 1
    c["a"] -= 5
    return c["a"], c["none"], "none" in c, len(c), c.total(), bool(c), [k for k in c], sum(c.values())


def most_common(s):
    c = collections.Counter(s)
    return c.most_common(), c.most_common(2), c.most_common(0), c.most_common(100), c.most_common(-1)


def elements(xs):
    c = collections.Counter(xs)
    c[7] = -2
    return list(c.elements()), sorted(c.elements(), reverse=True), sum(c.elements())


def updates(s):
    c = collections.Counter()
    for ch in s:
        c[ch] += 1
    c.update("aab")
    c.update({"x": 5})
    c.update(collections.Counter("xyy"))
    c.update(ch for ch in s)
    c.subtract("ab")
    c.subtract({"x": 1})
    del c["nothing"]
    del c["a"]
    return dict(c), c.get("b", 0), c.pop("x"), c.setdefault("q", 9), list(c.items())


def arithmetic(s, t):
    a, b = collections.Counter(s), collections.Counter(t)
    both = a + b, a - b, a & b, a | b
    a["a"] = -3
    more = a + b, a - b, a & b, a | b
    return [dict(c) for c in both], [dict(c) for c in more], a == b, a != b, a == a.copy(), dict(a.copy())


def in_place(s, t):
    found = []
    a, b = collections.Counter(s), collections.Counter(t)
    same = a
    a += b
    found.append(dict(a))
    a -= collections.Counter("ab")
    found.append(dict(a))
    a |= collections.Counter("zzz")
    found.append(dict(a))
    a &= collections.Counter("zzbb")
    found.append(dict(a))
    return found, same is a


def equality(s):
    a, b = collections.Counter(s), collections.Counter(s)
    b["nothing"] = 0
    return a == b, a != b, a == collections.Counter("q"), a == {"a": 2}


def texts(s):
    c, d, e = collections.Counter(s), collections.defaultdict(int), collections.defaultdict(list)
    d[s] += 2
    e[1].append(0.5)
    return str(c), repr(c), f"{c}", repr(collections.Counter(s) - c), repr([c]), str(d), repr(e), repr((d, 1))


def of_tuples(pairs):
    c = collections.Counter(pairs)
    return c[1, "a"], c[(2, "b")], c[3, "c"], isinstance(c, dict), isinstance(c, collections.Counter), len(c)


def passed_on(words):
    def count_into(c):
        for word in words:
            c[word] += 1

    def group_into(d):
        for word in words:
            d[len(word)].append(word)

    c = collections.Counter()
    count_into(c)
    d = collections.defaultdict(list)
    group_into(d)
    return dict(c), dict(d)


def defaults(words):
    ints, floats, lists, texts, sets = (
        collections.defaultdict(int),
        collections.defaultdict(float),
        collections.defaultdict(list),
        collections.defaultdict(str),
        collections.defaultdict(set),
    )
    for i, word in enumerate(words):
        ints[word] += 1
        floats[word] += 0.5 * i
        lists[len(word)].append(word)
        texts[word] += "x"
        sets[word[0]].add(i)
    return dict(ints), dict(floats), dict(lists), dict(texts), dict(sets)


def reads_make_items(words):
    d = collections.defaultdict(int)
    before = "q" in d, d.get("q"), len(d)
    value = d["q"]
    return before, value, "q" in d, len(d), d.get("r", 5), list(d), d.pop("q"), len(d)


def several_of_one_factory(words):
    a, b = collections.defaultdict(list), collections.defaultdict(list)
    for word in words:
        a[word].append(len(word))
        b[len(word)].append(word)
    return dict(a), dict(b)


def nested(words):
    d = collections.defaultdict(lambda: collections.defaultdict(int))
    for word in words:
        d[word[0]][word] += 1
    return {k: dict(v) for k, v in d.items()}


@njit
def pair():
    return 1, 2.5


def other_factories(words):
    a = collections.defaultdict(lambda: 7)
    b = collections.defaultdict(pair)
    c = collections.defaultdict(dict)
    c["k"][1] = 2.5
    a["x"] += 1
    return a["x"], a["y"], b["z"], dict(c), len(b)


def filled(words):
    d = collections.defaultdict(int, {"a": 5})
    e = collections.defaultdict(list, [(1, [2])])
    d["a"] += 1
    d["b"] += 1
    e[1].append(3)
    e[2].append(4)
    f = d.copy()
    f["c"] += 1
    return dict(d), dict(e), dict(f)


def graph(edges):
    neighbours = collections.defaultdict(list)
    for a, b in edges:
        neighbours[a].append(b)
        neighbours[b].append(a)
    seen, queue = {0}, collections.deque([0])
    while queue:
        node = queue.popleft()
        for other in neighbours[node]:
            if other not in seen:
                seen.add(other)
                queue.append(other)
    return sorted(seen), len(neighbours)


WORDS = ["pear", "fig", "plum", "fig", "apple"]
CASES = [
    (counts, ("abca",)),
    (counts, ("",)),
    (most_common, ("abracadabra",)),
    (elements, ([3, 1, 3, 2],)),
    (updates, ("abca",)),
    (arithmetic, ("abca", "abbd")),
    (in_place, ("abca", "abbd")),
    (equality, ("aab",)),
    (texts, ("abca",)),
    (of_tuples, ([(1, "a"), (2, "b"), (1, "a")],)),
    (passed_on, (WORDS,)),
    (defaults, (WORDS,)),
    (reads_make_items, (WORDS,)),
    (several_of_one_factory, (WORDS,)),
    (nested, (WORDS,)),
    (other_factories, (WORDS,)),
    (filled, (WORDS,)),
    (graph, ([(0, 1), (1, 2), (3, 4)],)),
]


@pytest.mark.parametrize("function, arguments", CASES, ids=lambda value: getattr(value, "__name__", ""))
def test_as_cpython(function, arguments):
    agrees(function, *arguments)


def test_a_result_whose_factory_is_a_function_is_a_dict():
    @njit
    def f(s):
        d = collections.defaultdict(lambda: 5)
        d[s] += 1
        return [d]

    assert f("a") == [{"a": 6}] and type(f("a")[0]) is dict


def signs_and_orders(a, b):
    both = collections.Counter(a)
    both.subtract(b)
    return +both, -both, a <= b, a < b, a >= b, a > b, a <= a, a < a, both <= a, both > a


def by_name(s, n):
    c = collections.Counter(s, c=n, d=2)
    c.update(a=3)
    c.update("ab", b=n)
    c.subtract(a=1)
    d = collections.defaultdict(int, x=n)
    d["y"] += 1
    e = collections.defaultdict(float, {"z": 1.5}, x=2.5)
    o = collections.OrderedDict([("k", 1)], m=n)
    return c, collections.Counter(q=1), d, e, o, collections.OrderedDict(b=1, a=2)


@pytest.mark.parametrize("a, b", [("aab", "ab"), ("ab", "aab"), ("ab", "bc"), ("a", "a")])
def test_signs_and_orders(a, b):
    agrees(signs_and_orders, collections.Counter(a), collections.Counter(b))


def test_items_by_name():
    agrees(by_name, "aab", 4)


@pytest.mark.parametrize(
    "source, error, message",
    [
        ("collections.defaultdict()", TypingError, "takes a factory"),
        ("collections.defaultdict(None)", UnsupportedError, "give it a class"),
        ("collections.defaultdict(lambda: n)", UnsupportedError, "give it a class"),
        ("collections.Counter(n)", TypingError, "cannot be iterated over"),
        ("repr(collections.defaultdict(lambda: 0, {1: 2}))", UnsupportedError, "make it of dict"),
    ],
)
def test_refusals(source, error, message):
    f = define(f"def f(n):\n    c = {source}\n    return len(c)\n", collections=collections)
    with pytest.raises(error) as raised:
        f(2)
    assert message in str(raised.value)


def test_code_with_collections_is_kept_on_disk(run):
    code = """
from collections import Counter, defaultdict, deque
from pyarray import njit

@njit(cache=True)
def f(s):
    d = defaultdict(int)
    d[s] += 2
    return len(deque([1])) + Counter(s)["a"] + d[s]

print(f("abca"), len(f.stats.cache_hits))
"""
    assert [run(code), run(code)] == ["5 0\n", "5 1\n"]
