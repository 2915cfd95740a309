"""Types that are nested deep, wherever types are. 64 levels work; beyond that there is an error."""

import linecache
from collections import deque

import pyarray
import pytest
from pyarray import errors, njit, typed, types
from pyarray.experimental import jitclass

WRAPPERS = {
    "lists": (lambda x: [x], "[{}]", 1),
    "tuples": (lambda x: (x,), "({},)", 1),
    "dicts": (lambda x: {1: x}, "{{1: {}}}", 1),
    "deques": (lambda x: deque([x]), "deque([{}])", 1),
    "lists in tuples": (lambda x: ([x],), "([{}],)", 2),
    "tuples in lists": (lambda x: [(x,)], "[({},)]", 2),
}


def function(source, **names):
    name = f"<deep {hash(source)}>"
    linecache.cache[name] = len(source), None, source.splitlines(True), name
    space = {"deque": deque, **names}
    exec(compile(source, name, "exec"), space)
    return njit(space["f"])


def nested(wrap, levels, value=7):
    for _ in range(levels):
        value = wrap(value)
    return value


def chain(form, levels, result):
    lines = "".join(f"    a{k + 1} = {form.format(f'a{k}')}\n" for k in range(levels))
    return f"def f(x):\n    a0 = x\n{lines}    return {result}\n"


@njit
def one(x):
    return 1


@njit
def same(x):
    return x


@pytest.mark.parametrize("kind", WRAPPERS)
def test_arguments_and_results(kind):
    wrap, _, each = WRAPPERS[kind]
    most = 64 // each
    for levels in (1, most - 1, most):
        assert one(nested(wrap, levels)) == 1
        assert same(nested(wrap, levels)) == nested(wrap, levels)
    for levels in (most + 1, most + 2, 200, 1000, 5000):
        for compiled in (one, same):
            with pytest.raises(errors.TypingError, match="nested too deeply"):
                compiled(nested(wrap, levels))


@pytest.mark.parametrize("kind", WRAPPERS)
def test_within_functions(kind):
    wrap, form, each = WRAPPERS[kind]
    most = 64 // each
    assert function(chain(form, most, f"a{most}"))(7) == nested(wrap, most)
    for levels in (most + 1, 300):
        for result in ("1", f"a{levels}"):
            with pytest.raises(errors.NumbaTypeError, match="nested more than 64 levels deep"):
                function(chain(form, levels, result))(7)


def test_none_adds_a_level():
    form = "[{}] if x > 1 else None"
    assert function(chain(form, 20, "a20"))(7) == nested(lambda x: [x], 20)
    with pytest.raises(errors.NumbaTypeError, match="nested more than 64"):
        function(chain(form, 40, "a40"))(7)
    with pytest.raises((TypeError, errors.TypingError)):
        one(nested(lambda x: [None, x], 40))


@pytest.mark.parametrize("form", ["({0}, {0})", "([{0}], [{0}])", "({{1: {0}}}, [{0}])"])
def test_types_that_double(form):
    with pytest.raises(errors.NumbaTypeError, match="more than 4096 elements"):
        function(chain(form, 60, "1"))(7)


def test_a_literal():
    for levels in (64, 65, 90):
        source = f"def f(x):\n    return {'[' * levels}x{']' * levels}\n"
        if levels == 64:
            assert function(source)(7) == nested(lambda x: [x], levels)
        else:
            with pytest.raises(errors.NumbaTypeError, match="nested more than 64"):
                function(source)(7)


@pytest.mark.parametrize("kind", ["lists", "tuples", "dicts"])
def test_globals(kind):
    wrap = WRAPPERS[kind][0]
    assert function("def f(x):\n    return len(v)\n", v=nested(wrap, 64))(1) == 1
    for levels in (65, 66, 1000, 5000):
        with pytest.raises(errors.NumbaError):
            function("def f(x):\n    return len(v)\n", v=nested(wrap, levels))(1)


def test_declared_types():
    def lists(levels):
        kind = types.int64
        for _ in range(levels):
            kind = types.ListType(kind)
        return kind

    assert typed.List.empty_list(lists(63)) is not None
    for levels in (65, 300):
        with pytest.raises(TypeError, match="cannot be in a signature"):
            njit(types.int64(lists(levels)))(lambda x: 1)
        with pytest.raises(TypeError, match="cannot be in a signature"):
            njit(lists(levels)(types.int64))(lambda x: x)
        with pytest.raises(TypeError):
            typed.List.empty_list(lists(levels))
        with pytest.raises(TypeError, match="field 'items' of 'Holder' cannot have the type"):

            @jitclass([("items", lists(levels))])
            class Holder:
                def __init__(self):
                    pass

            Holder()


def test_containers_that_hold_themselves():
    items, table = [], {}
    items.append(items)
    table[1] = table
    for value in (items, table):
        with pytest.raises(errors.TypingError, match="nested too deeply"):
            one(value)
        with pytest.raises(errors.TypingError, match="nested too deeply"):
            pyarray.typeof(value)
