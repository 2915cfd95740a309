"""Text in arrays, of S and U dtypes: comparisons, order, sets, choice, and what np.char and np.strings have."""

import numpy as np
import pyarray
import pytest
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


def test_functions_that_leave_space_out():
    check(lambda a, b: (np.char.equal(a, b), np.char.less(a, b), np.char.not_equal(a, "B")), UNICODE, OTHER)


def test_what_is_not_known_is_said():
    with pytest.raises(pyarray.TypingError, match="is not known when the function is compiled"):
        njit(lambda a, s: np.char.add(a, s))(UNICODE, "ab")
