"""Array statements that are computed as one loop, against NumPy: random programs that write between any two of them."""

import numpy as np
from compare import define, description, is_same
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st
from pyarray import njit, typeof
from pyarray.errors import TypingError, UnsupportedError

parallel = njit(parallel=True)
DTYPES = ["f8", "f4", "i4", "?"]
VECTORS = ["a", "b", "c"]  # of one length, perhaps of one memory
MATRICES = ["m", "p"]
ROW_VIEWS = ["{}", "{}[::-1]", "{}[:]", "{}[1:]", "{}[:-1]", "{}[::2]", "{}[2:5]"]
MATRIX_VIEWS = ["{}", "{}.T", "{}[::-1]", "{}[:, ::-1]", "{}[1:, 1:]", "{}[:-1, 1:]", "{}[1:].T"]
TO_MATRIX = ["{}[:, None]", "{}[None]", "{}[None, :]"]
FUNCTIONS = ["np.sqrt(abs({}))", "-{}", "np.square({})", "np.where({} > 1, {}, 2)", "abs({})", "({} > 0.5)"]


@st.composite
def vectors(draw, names, depth=2):
    kind = draw(st.integers(0, 5)) if depth else 0
    if kind < 2:
        return draw(st.sampled_from([*names, "m[0]", "m[:, 1]"]))
    inner = draw(vectors(names, depth - 1))
    if kind == 2:
        return f"({inner})" + draw(st.sampled_from(ROW_VIEWS))[2:]
    if kind == 3:
        return draw(st.sampled_from(FUNCTIONS)).format(inner, inner)
    other = draw(vectors(names, depth - 1)) if draw(st.booleans()) else draw(st.sampled_from(["2", "k", "len(a)"]))
    return f"({inner} {draw(st.sampled_from('+-*'))} {other})"


@st.composite
def matrices(draw, names, depth=2):
    kind = draw(st.integers(0, 6)) if depth else 0
    if kind < 2:
        return draw(st.sampled_from([each for each in names if each[0] in "mpt"]))
    if kind == 2:
        inner = draw(vectors([each for each in names if each[0] not in "mpt"], 1))
        return f"({inner})" + draw(st.sampled_from(TO_MATRIX))[2:]
    inner = draw(matrices(names, depth - 1))
    if kind == 3:
        return f"({inner})" + draw(st.sampled_from(MATRIX_VIEWS))[2:]
    if kind == 4:
        return draw(st.sampled_from(FUNCTIONS)).format(inner, inner)
    other = draw(matrices(names, depth - 1)) if draw(st.booleans()) else draw(st.sampled_from(["2", "k", "a"]))
    return f"({inner} {draw(st.sampled_from('+-*'))} {other})"


@st.composite
def writes(draw, names):
    """A statement that changes memory: through a name, or a view of it."""
    name = draw(st.sampled_from(names))
    if name[0] in "mpt":
        view = draw(st.sampled_from(["", "[:]", "[1:]", "[:, 1:]", "[::-1]", "[0]", "[:, 0]"]))
        value = draw(st.sampled_from(["k", f"{name}.T", f"{name}[::-1]", "m", "p", "2"]))
    else:
        view = draw(st.sampled_from(["", "[:]", "[1:]", "[:-1]", "[::-1]", "[2:5]"]))
        value = draw(vectors([each for each in names if each[0] not in "mpt"], 1) | st.sampled_from(["k", "2"]))
    sign = draw(st.sampled_from(["+=", "*=", "-=", "="]))
    return f"{name}{view or '[:]'} {sign} {value}"


@st.composite
def programs(draw):
    rows, grids, lines = list(VECTORS), list(MATRICES), []
    for number in range(draw(st.integers(2, 7))):
        kind = draw(st.integers(0, 9))
        if kind < 4:
            lines.append(f"u{number} = {draw(vectors(rows))}")
            rows.append(f"u{number}")
        elif kind < 6:
            lines.append(f"t{number} = {draw(matrices([*rows, *grids]))}")
            grids.append(f"t{number}")
        elif kind == 6:
            lines.append(f"if k > 1:\n        {draw(writes([*rows, *grids]))}")
        elif kind == 7:
            lines.append(f"for _ in range(2):\n        {draw(writes([*rows, *grids]))}")
        else:
            lines.append(draw(writes([*rows, *grids])))
    made = [*rows[len(VECTORS) :], *grids[len(MATRICES) :]]
    kept = made if draw(st.booleans()) else draw(st.lists(st.sampled_from(made), unique=True)) if made else []
    result = "".join(f"{each}, " for each in kept)
    return "\n    ".join(["def f(a, b, c, m, p, k):", *lines, f"return ({result})\n"])


def arguments(dtypes, shared):
    """Vectors of 6 elements and square matrices, two of each views of one memory where they are shared."""
    numbers = np.random.default_rng(7).integers(-4, 9, 200) / 4
    memory = numbers.astype(dtypes[0])
    a, b = (memory[:6], memory[2:8]) if shared else (memory[:6], memory[20:26])
    m = memory[40:76].reshape(6, 6)
    p = m.T if shared else numbers[100:136].astype(dtypes[1]).reshape(6, 6).copy(order="F")
    return a, b, numbers[80:86].astype(dtypes[1]), m, p, 1.5


def sharing_copy(values):
    """Copies whose arrays share memory as the given ones do."""
    memory = {}
    result = []
    for value in values:
        if not isinstance(value, np.ndarray):
            result.append(value)
            continue
        base = value
        while isinstance(base.base, np.ndarray):
            base = base.base
        twin = memory.setdefault(id(base), base.copy(order="K"))
        offset = value.__array_interface__["data"][0] - base.__array_interface__["data"][0]
        result.append(np.ndarray(value.shape, value.dtype, twin, offset, value.strides))
    return result


def result_of(function, values):
    """What it gives or raises, with the place, and what its arguments hold afterwards."""
    values = sharing_copy(values)
    with np.errstate(all="ignore"):
        try:
            result = "returned", *function(*values)
        except (ValueError, TypeError, IndexError) as error:
            result = "raised", str(description(error))
    return result, values


def check(text, values, decorator):
    function = define(text, decorator=decorator)
    try:
        function.compile(tuple(typeof(each) for each in values))
    except (TypingError, UnsupportedError):  # a cast that NumPy refuses, perhaps where the program never comes
        reject()
    (ours, changed), (theirs, expected) = result_of(function, values), result_of(function.py_func, values)
    assert ours[0] == theirs[0], (text, ours, theirs)
    if ours[0] == "raised":
        assert ours == theirs, text
    for left, right in zip([*ours[1:], *changed], [*theirs[1:], *expected]):
        assert is_same(left, right), (text, left, right)


@settings(max_examples=75, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs(), st.tuples(st.sampled_from(DTYPES), st.sampled_from(DTYPES)), st.booleans())
def test_programs(text, dtypes, shared):
    check(text, arguments(dtypes, shared), njit)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs(), st.booleans())
def test_programs_on_threads(text, shared):
    check(text, arguments(("f8", "f8"), shared), parallel)
