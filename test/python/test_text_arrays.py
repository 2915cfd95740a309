"""Text in arrays, of S and U dtypes: comparisons, order, sets, choice, and what np.char and np.strings have."""

import numpy as np
import pyarray
import pytest
from compare import expression
from pyarray import njit

UNICODE = np.array(["b", "abc", "", "zz", "b", "ä\U0001f600", "B ", "abd"])
OTHER = np.array(["b", "ab", "x", "zz", "bb", "ä", "B", "abcde"])
BYTES = np.array([b"b", b"abc", b"", b"zz\xff", b"b"])
TABLE = np.array([["b", "a", "cc"], ["c", "", "ab"]])


def check(function, *arguments):
    """Both give the same, type by type, or raise the same."""
    expected = [copy(a) for a in arguments]
    given = [copy(a) for a in arguments]
    try:
        wanted = function(*expected)
    except Exception as error:
        with pytest.raises(type(error)) as caught:
            njit(function)(*given)
        assert str(caught.value).split("\n")[0] == str(error)
        return
    assert_same(njit(function)(*given), wanted)
    for a, b in zip(given, expected):
        assert_same(a, b)


def copy(value):
    return value.copy() if isinstance(value, np.ndarray) else value


def assert_same(found, wanted):
    if isinstance(wanted, tuple):
        assert len(found) == len(wanted)
        for x, y in zip(found, wanted):
            assert_same(x, y)
    elif isinstance(wanted, np.ndarray):
        assert found.dtype == wanted.dtype and found.shape == wanted.shape
        assert found.tolist() == wanted.tolist()
    else:
        assert found == wanted


def comparisons(a, b):
    return a == b, a != b, a < b, a <= b, a > b, a >= b


def test_comparisons():
    check(comparisons, UNICODE, OTHER)
    check(comparisons, UNICODE, "b")
    check(comparisons, UNICODE, "abcdefgh")
    check(comparisons, "ä", UNICODE)
    check(comparisons, BYTES, b"zz")
    check(comparisons, BYTES, BYTES[::-1])
    check(comparisons, TABLE, TABLE[0])
    check(comparisons, TABLE[:, :1], TABLE[0])
    check(comparisons, UNICODE[::2], OTHER[1::2])
    check(comparisons, UNICODE[:0], "")
    check(comparisons, UNICODE[:2], UNICODE[:3])


def test_a_field_at_any_address():
    records = np.array([(1, "ab"), (2, "b"), (3, "é")], dtype=[("n", "i1"), ("t", "U3")])
    check(comparisons, records["t"], "b")
    check(lambda r: (r["t"] == r["t"][::-1], np.sort(r["t"]), np.argsort(r["t"])), records)


def test_membership_and_masks():
    check(lambda a: ("b" in a, "bb" in a, "q" not in a), UNICODE)
    check(lambda a: a[a == "b"], UNICODE)
    check(lambda a: (a[a != "b"], np.nonzero(a == "b"), (a == "zz").any()), TABLE)
    check(lambda a, b: np.array_equal(a, b), UNICODE, UNICODE)
    check(lambda a, b: (np.equal(a, b), np.less(a, "b"), np.not_equal("b", b)), UNICODE, OTHER)


@pytest.mark.parametrize("array", [UNICODE, BYTES, TABLE, np.array(["x"] * 40 + ["w"] * 3 + ["xy"])])
def test_order(array):
    check(lambda a: (np.sort(a), np.argsort(a, kind="stable"), np.unique(a)), array)
    check(lambda a: (np.sort(a, axis=None), np.sort(a, axis=0), a.sort()), array)
    check(lambda a: np.unique(a, True, True, True), array)
    check(lambda a: (np.partition(a, 1, axis=None)[1], np.lexsort((a.ravel(),))), array)


def test_order_of_many():
    rng = np.random.default_rng(3)
    words = np.array(["".join(rng.choice(list("abcé\U0001f600"), rng.integers(0, 9))) for _ in range(3000)])
    check(lambda a: (np.sort(a), np.argsort(a, kind="stable"), np.unique(a, return_counts=True)), words)
    check(lambda a: (np.sort(a), np.unique(a)), np.char.encode(words, "utf8"))


@njit
def both_places(a, v):
    return np.searchsorted(a, v, side="left"), np.searchsorted(a, v, side="right")


def test_places():
    for line, keys in ((np.sort(UNICODE), OTHER), (np.sort(BYTES), BYTES), (np.sort(UNICODE), TABLE)):
        assert_same(both_places(line, keys), both_places.py_func(line, keys))
    for key in ("b", "bbbbbbb", ""):
        assert both_places(np.sort(UNICODE), key) == both_places.py_func(np.sort(UNICODE), key)


def test_sets():
    check(lambda a, b: (np.isin(a, b), np.isin(a, b, invert=True)), UNICODE, OTHER)
    check(lambda a, b: (np.union1d(a, b), np.intersect1d(a, b), np.setdiff1d(a, b), np.setxor1d(a, b)), UNICODE, OTHER)


def test_order_takes_fields_alone():
    check(lambda a: np.sort(a, order="k"), UNICODE)


def test_choice_and_joins():
    check(lambda a, b: np.where(a == "b", a, b), UNICODE, OTHER)
    check(lambda a: np.where(a < "b", "less", a), UNICODE)
    check(lambda a: np.where(a == "", a, "é"), TABLE)
    check(lambda a, b: (np.concatenate((a, b)), np.append(a, b), np.stack((a[:2], b[:2]))), UNICODE, OTHER)
    check(lambda a: (np.take(a, np.array([2, 0])), a.copy(), a[::-1], np.repeat(a, 2), a.reshape(2, 4)), UNICODE)


def test_new_arrays_and_conversions():
    check(lambda: (np.zeros(2, "U5"), np.array(["a", "bc"], "U4"), np.full(2, "xyz", "U2"), np.zeros((1, 2), "S3")))
    check(lambda a: (a.astype("U8"), a.astype("U1"), a.astype("S5").astype("U5")), OTHER[:4])
    check(lambda a: (a.astype(np.int64), a.astype(np.float64), a.astype("S3")), np.array(["12", " 7", "-3"]))
    check(lambda a: (a.astype("U5"), a.astype("S2")), np.array([12, -345]))
    with pytest.raises(ValueError, match="invalid literal for int"):
        njit(lambda a: a.astype(np.int64))(np.array(["1", "x"]))
    check(lambda a: a.astype("S2"), UNICODE)
    with pytest.raises(pyarray.TypingError, match="the dtype of text is not known"):
        njit(lambda s: np.array([s, s]))("ab")


def cases(a):
    return np.char.upper(a), np.char.lower(a), np.char.title(a), np.char.capitalize(a), np.char.swapcase(a)


def kinds(a):
    return (
        np.char.isalpha(a),
        np.char.isdigit(a),
        np.char.isalnum(a),
        np.char.isspace(a),
        np.char.islower(a),
        np.char.isupper(a),
        np.char.istitle(a),
        np.char.str_len(a),
    )


def test_functions_of_one():
    spaced = np.array([" ab ", "Ab1", "", "12", "x y", "\t", "ÄB"])
    check(cases, spaced)
    check(cases, BYTES)
    check(kinds, spaced)
    check(kinds, BYTES)
    check(lambda a: (np.char.isdecimal(a), np.char.isnumeric(a)), spaced)
    check(lambda a: (np.char.strip(a), np.char.lstrip(a), np.char.rstrip(a), np.char.strip(a, "aA1")), spaced)


def test_functions_of_two():
    check(lambda a: (np.char.find(a, "b"), np.char.rfind(a, "b", 1), np.char.count(a, "z")), UNICODE)
    check(lambda a, b: (np.char.find(a, b), np.char.count(a, b, 0, 2), np.char.startswith(a, b)), UNICODE, OTHER)
    check(lambda a: (np.char.startswith(a, "ab"), np.char.endswith(a, "c", 0, 3)), TABLE)
    check(lambda a: (np.char.index(a[:1], "b"), np.char.rindex(a[:1], "b")), UNICODE)
    check(lambda a: np.char.count(a, b"b"), BYTES)
    check(lambda a, b: (np.char.add(a, b), a + b, a + "!", "<" + b), UNICODE, OTHER)
    check(lambda a: (np.char.multiply(a, 2), np.strings.multiply(a, 0)), UNICODE)


def words(letters, most):
    made = [""]
    for word in made:
        if len(word) < most:
            made.extend(word + letter for letter in letters)
    return made


@njit
def searches(a, sub, start, end):
    return (
        np.char.find(a, sub, start, end),
        np.char.rfind(a, sub, start, end),
        np.char.count(a, sub, start, end),
        np.char.startswith(a, sub, start, end),
        np.char.endswith(a, sub, start, end),
    )


@pytest.mark.parametrize("dtype", ["U4", "S4"])
def test_every_search(dtype):
    """All words of up to four of two letters, in each other, from each place to each."""
    letters = ("a", "\U0001f600") if dtype == "U4" else ("a", "b")
    items = np.array(words(letters, 4), dtype)
    parts = np.array(words(letters, 2), dtype[0] + "2")
    for start in range(-5, 7):
        for end in (-6, -2, -1, 0, 1, 3, 4, 9, None):
            assert_same(
                searches(items[:, None], parts, start, end), searches.py_func(items[:, None], parts, start, end)
            )
    part = parts[4].item()
    assert_same(searches(items, part, 1, None), searches.py_func(items, part, 1, None))
    packed = np.zeros(len(items), [("x", "i1"), ("text", dtype)])
    packed["text"] = items
    assert_same(njit(comparisons)(packed["text"], part), comparisons(items, part))
    assert_same(searches(packed["text"], part, 0, None), searches.py_func(items, part, 0, None))


def test_places_that_must_be_there():
    with pytest.raises(ValueError, match="substring not found"):
        njit(lambda a: np.char.index(a, "q"))(UNICODE)
    with pytest.raises(ValueError, match="substring not found"):
        njit(lambda a: np.char.rindex(a, b"q"))(BYTES)


def test_every_space():
    """Each code that is white space, or has one beside it, at both ends of an item, and within."""
    codes = [c for c in range(1, 0x3002) if any(chr(d).isspace() for d in (c - 1, c, c + 1))]
    check(
        lambda a: (np.char.strip(a), np.char.lstrip(a), np.char.rstrip(a), np.char.str_len(a)),
        np.array([chr(c) + "x" + chr(c) + "y" + chr(c) for c in codes] + ["", " ", "  "]),
    )
    check(
        lambda a: (np.char.strip(a), np.char.lstrip(a), np.char.rstrip(a), np.char.str_len(a)),
        np.array([bytes([c, 65, c, 66, c]) for c in range(1, 256)] + [b"", b" "]),
    )


def test_long_and_short_beside_each_other():
    """Widths about that of a vector, with a difference at each place, or none."""
    for width in (7, 8, 9, 15, 16, 17, 40):
        text = "x" * width
        items = np.array([text[:k] + "y" + text[k + 1 :] for k in range(width)] + [text, text[:-1]])
        check(comparisons, items, np.array([text], f"U{width + 3}"))
        check(comparisons, items, items[::-1])
        check(lambda a, b: (a == b, a != b), items.astype("S"), items[::-1].astype("S"))


def test_functions_that_leave_space_out():
    check(lambda a, b: (np.char.equal(a, b), np.char.less(a, b), np.char.not_equal(a, "B")), UNICODE, OTHER)


def test_what_is_not_known_is_said():
    with pytest.raises(pyarray.TypingError, match="is not known when the function is compiled"):
        njit(lambda a, s: np.char.add(a, s))(UNICODE, "ab")


def test_widths_of_constants():
    """The longest of what is written decides the dtype."""
    check(
        lambda: (
            np.array(["a", "bc"]),
            np.array([["a", "\u00e9\u65e5"], ["ccc", ""]]),
            np.array("abc"),
            np.asarray([""]),
        )
    )
    check(
        lambda: (np.array([b"a", b"bc"]), np.asarray(("x", "yy")), np.array(["a", "bc"], dtype="U4"), np.array([["a"]]))
    )
    check(lambda: (np.full(3, "ab"), np.full((2, 2), b"abc"), np.full(2, "ab", "U1"), np.array(["x", "yy"], ndmin=2)))
    check(lambda a: (np.array(["b", "c"]) == a[0], np.char.add(a, np.array(["xyz"]))), UNICODE)
    with pytest.raises(pyarray.TypingError, match="the dtype of text is not known when the function is compiled"):
        njit(lambda a: np.array([a[0], "x"]))(UNICODE)


def test_membership_of_any_texts():
    for element, text in ((UNICODE, str(UNICODE[1])), (UNICODE.reshape(-1, 1), "longer than they are")):
        check(lambda a, s: (np.isin(a, [s, "b"]), np.isin(a, ("x", s), invert=True)), element, text)
    check(lambda a: np.isin(a, [b"b"]), UNICODE[:1].astype("S9") if UNICODE[0].isascii() else np.array([b"b", b"c"]))


def test_padding():
    check(
        lambda a, b: (
            np.char.center(a, 9),
            np.strings.ljust(a, 8, "*"),
            np.char.rjust(b, 9),
            np.char.zfill(a, 8),
            np.strings.center(b, 8, b"."),
        ),
        np.array(["b", "-12", "", "\u00e9\u65e5"]),
        np.array([b"b", b"aa  ", b""]),
    )


def same_text(function, *arguments):
    """Both give text that is equal; ours has room for what is possible, which NumPy reckons in its own way."""
    found, wanted = njit(function)(*arguments), function(*arguments)
    for x, y in zip(
        found if isinstance(found, tuple) else (found,), wanted if isinstance(wanted, tuple) else (wanted,)
    ):
        assert x.dtype.kind == y.dtype.kind
        assert x.shape == y.shape and x.tolist() == y.tolist()


SPACED = np.array([["a\tb", "\t", "abcabc"], ["ab ab", "", "bab"]])


@pytest.mark.parametrize("strings", [np.char, np.strings])
def test_text_that_is_changed(strings):
    same_text(lambda a: strings.replace(a, "ab", "b"), SPACED)
    same_text(lambda a: strings.replace(a, "b", "ccc"), SPACED)
    same_text(lambda a: strings.replace(a, "ab", ""), SPACED.T)
    same_text(lambda a: strings.replace(a, "", "-"), SPACED)
    same_text(lambda a: strings.replace(a, "b", "ccc", 1), SPACED)
    same_text(lambda a, b: strings.replace(a, b, "xy"), UNICODE, OTHER)
    same_text(lambda a, b: strings.replace(a, "b", b), UNICODE, OTHER)
    same_text(lambda a: strings.partition(a, "b"), SPACED)
    same_text(lambda a: strings.rpartition(a, "b"), SPACED)
    same_text(lambda a: strings.expandtabs(a), SPACED)
    same_text(lambda a: strings.expandtabs(a, 3), SPACED)
    same_text(lambda a: strings.expandtabs(a, tabsize=0), SPACED)


def test_characters_that_are_joined():
    same_text(lambda a: np.char.join("-", a), UNICODE)
    same_text(lambda a: np.char.join("", a), UNICODE)
    same_text(lambda a: np.char.join(", ", a), SPACED)


@pytest.mark.parametrize("strings", [np.char, np.strings])
def test_encodings(strings):
    same_text(lambda a: strings.encode(a), UNICODE)
    same_text(lambda a: strings.encode(a, "utf-8"), SPACED)
    same_text(lambda a: strings.encode(a, "ascii"), SPACED)
    same_text(lambda a: strings.encode(a, encoding="ascii", errors="ignore"), UNICODE)
    same_text(lambda a: strings.decode(a), BYTES[:3])
    same_text(lambda a: strings.decode(a, "latin-1"), BYTES)
    same_text(lambda a: strings.decode(a, "ascii", "replace"), BYTES)
    with pytest.raises(UnicodeEncodeError):
        njit(lambda a: strings.encode(a, "ascii"))(UNICODE)
    with pytest.raises(UnicodeDecodeError):
        njit(lambda a: strings.decode(a))(BYTES)


@pytest.mark.parametrize("strings", [np.char, np.strings])
def test_translations(strings):
    check(lambda a: strings.translate(a, {98: 99, 97: None}), UNICODE)
    check(lambda a: strings.translate(a, str.maketrans("ab", "ba")), SPACED)
    check(lambda a, t: strings.translate(a, t), BYTES, bytes([*range(1, 256), 7]))
    check(lambda a, t: strings.translate(a, t, b"bz"), BYTES, bytes([*range(1, 256), 7]))


@pytest.mark.skipif(not hasattr(np.strings, "slice"), reason="of NumPy 2.3")
def test_slices():
    check(lambda a: np.strings.slice(a, 2), SPACED)
    check(lambda a: np.strings.slice(a, 1, None), SPACED)
    check(lambda a: np.strings.slice(a, -2), UNICODE)
    check(lambda a, i, j: np.strings.slice(a, i, j), UNICODE, 1, 3)
    check(lambda a: np.strings.slice(a, None, None, -1), BYTES)
    check(lambda a: np.strings.slice(a, 0, 4, 2), SPACED)


@pytest.mark.parametrize("strip", [True, False])
@pytest.mark.parametrize("cmp", ["==", "!=", "<", "<=", ">", ">="])
def test_compare_chararrays(cmp, strip):
    check(lambda a, b: np.char.compare_chararrays(a, b, cmp, strip), UNICODE, OTHER)


def test_widths_that_nothing_tells():
    with pytest.raises(pyarray.errors.TypingError, match="not known when the function is compiled"):
        njit(lambda a, s: np.char.replace(a, "b", s))(UNICODE, "xyz")


def test_widths_that_are_less_than_the_room():
    same_text(lambda a: np.char.center(a, 2), np.array(["abc", "", "b"]))
    same_text(lambda a: np.strings.zfill(a, 3), np.array(["1", "-1", "+234"]))
    same_text(lambda a: np.strings.ljust(a, 0), np.array(["a", ""], "U6"))


OF_ONE = [
    "np.char.islower(a)",
    "np.char.strip(a)",
    "np.char.find(a, 'b')",
    "np.strings.add(a, 'x')",
    "np.char.str_len(a)",
]


@pytest.mark.parametrize("text", OF_ONE)
def test_results_of_one_item_are_items(text):
    f = expression(text, "a")
    ours, theirs = f(np.array(" aB ")), f.py_func(np.array(" aB "))
    assert not isinstance(ours, np.ndarray) and ours == theirs
