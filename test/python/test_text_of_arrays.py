"""Text of arrays, records and times, which NumPy makes, in every form that makes text, against NumPy."""

import numpy as np
import pytest
from compare import define, expression
from pyarray import njit, prange

RECORDS = np.zeros(2, [("x", "f8"), ("y", "i4")])
ARRAYS = [
    np.arange(3.0),
    np.arange(2000),
    np.array([[1.5, np.nan], [-0.0, np.inf]], "f4").T,
    np.arange(12).reshape(3, 4)[::-1, ::2],
    np.array(["2020-01-01", "NaT"], "M8[D]"),
    np.array(["a", "bc"]),
    np.array([b"a"]),
    np.array(3),
    np.array([1 + 2j]),
    np.array([True]),
    np.zeros((0, 3)),
    RECORDS,
]
FORMS = ["str(a)", "repr(a)", "f'{a}|{a!r:>40}'", "'%s %r' % (a, 1)", "'<{}>'.format(a)", "ascii(a)"]
WITHIN = ["str([a, a])", "str((a, 1))", "str({1: a})", "f'{[a]}'", "repr((1, (a,)))"]


@pytest.mark.parametrize("a", ARRAYS, ids=lambda a: f"{a.dtype}{a.shape}")
@pytest.mark.parametrize("form", FORMS + WITHIN)
def test_text_of_arrays(form, a):
    function = expression(form, "a")
    assert function(a) == function.py_func(a)


@pytest.mark.parametrize("x", [np.datetime64("2020-02-03", "D"), np.timedelta64(5, "h"), np.datetime64("NaT", "s")])
@pytest.mark.parametrize("form", ["str(a[0])", "repr(a[0])", "f'{a[0]} {a[0]!r}'", "str([a[0]])", "'%s' % a[0]"])
def test_text_of_times(form, x):
    function = expression(form, "a")
    assert function(np.array([x])) == function.py_func(np.array([x]))


def test_arrays_are_printed(capsys):
    def show(a, r):
        print(a, a * 2, [a, a], {"k": a}, r[0], sep="|", end="!\n")
        print(f"{a.sum()}: {a}")

    njit(show)(np.arange(3.0), RECORDS)
    printed = capsys.readouterr().out
    show(np.arange(3.0), RECORDS)
    assert printed == capsys.readouterr().out


def test_text_in_handlers_and_messages():
    @njit
    def handled(a):
        try:
            raise ValueError(f"bad {a}")
        except ValueError as error:
            return str(error), str(a)

    assert handled(np.arange(2)) == ("bad [0 1]", "[0 1]")

    @njit
    def raised(a):
        assert a.sum() < 0, f"sum of {a}"

    with pytest.raises(AssertionError, match=r"sum of \[0 1\]"):
        raised(np.arange(2))


def test_an_array_takes_no_format_specification():
    function = define("def f(a):\n    return f'{a:.2f}'\n")
    with pytest.raises(TypeError, match=r"unsupported format string passed to numpy.ndarray.__format__"):
        function(np.arange(3.0))


@pytest.mark.parametrize("rows", [np.zeros((300, 3)), np.zeros(300, RECORDS.dtype)], ids=["arrays", "records"])
def test_no_text_in_parallel_loops(rows):
    """The interpreter, which makes it, waits for the loop: that would be a deadlock."""

    @njit(parallel=True)
    def total(rows):
        count = 0
        for i in prange(len(rows)):
            count += len(str(rows[i]))
        return count

    with pytest.raises(RuntimeError, match="in parallel loops .* there is no text of arrays"):
        total(rows)
