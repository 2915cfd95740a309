"""Hashes of text and None are those of the interpreter."""

import pytest
from pyarray import njit

TEXTS = [
    "",
    "a",
    "abcd",
    "abcdefg",
    "abcdefgh",
    "abcdefghi",
    "x" * 100,
    "\u00e9",
    "\u00e9\u4e2d",
    "\U0001f600b",
    "\0",
    "\ud800",
]


@njit
def hash_of(x):
    return hash(x)


@njit
def hash_of_sum(a, b):
    return hash(a + b)


@njit
def hash_of_literals():
    return hash("abcd"), hash(""), hash(b"ab"), hash(None), hash(("a", 1)), hash("\u4e2d")


@pytest.mark.parametrize("text", TEXTS + [t.encode("utf-8", "surrogatepass") for t in TEXTS])
def test_text(text):
    assert hash_of(text) == hash(text)
    half = len(text) // 2
    assert hash_of_sum(text[:half], text[half:]) == hash(text)
    for value in ((text, 1), (text, (2.5, text)), frozenset([text]), (None, text)):
        assert hash_of(value) == hash(value)


def test_literals_and_none():
    assert hash_of_literals() == (hash("abcd"), 0, hash(b"ab"), hash(None), hash(("a", 1)), hash("\u4e2d"))
    assert hash_of(None) == hash(None) and hash_of((None,)) == hash((None,))


def test_a_slice_of_wide_text_is_narrow():
    f = njit(lambda t: hash(t[1:]))
    assert f("\u4e2dabc") == hash("abc") and f("\U0001f600\u4e2d") == hash("\u4e2d")


def test_keys_are_found_whichever_way_they_came():
    @njit
    def f(table, a, b):
        table[a + b] = 2
        return table["xy"], ("x" + b) in table, len(table)

    table = {"xy": 1}
    assert f(table, "x", "y") == (2, True, 1)


def test_what_is_kept_on_disk_has_no_seed(run):
    program = """
from pyarray import njit

TABLE = {"one": 1, "two": 2}
WORDS = frozenset(["one", "three"])

@njit
def f(x):
    return hash(x), hash("abcd"), TABLE["t" + x], "o" + "ne" in WORDS

print(f("wo") == (hash("wo"), hash("abcd"), 2, True), f.stats.cache_hits and "kept")
"""
    for i, seed in enumerate(("1", "2", "0")):
        expected = "True kept\n" if i else "True Counter()\n"
        assert run(program, PYTHONHASHSEED=seed) == expected
