"""Finding the source of functions: python/pyarray/_source.py and _names.py."""

import ast
import asyncio
import functools
import itertools
import linecache
import math
import os
import sys

import numpy as np
import pyarray
import pytest
from pyarray import _names, _report, _source
from pyarray._names import builtin_table
from pyarray._source import function_ast


def text_of(node):
    """The source that the node's numbers point at."""
    lines = linecache.getlines(__file__)
    return ast.get_source_segment("".join(lines), node)


def plain(x):
    return x + 1  # one


def decorate(function):
    return function


@decorate
@functools.lru_cache(
    maxsize=2,
)
def decorated(x):
    return x * 2


def with_dead_end(x):
    text = """
not indented
"""
    if x:
        return len(text)
    return 0
    x = 1


class Holder:
    def method(self, __x):
        return __x

    def nested(self):
        def inner(y):
            return self, y

        return inner


def check(function, last=None):
    node, filename = function_ast(function)
    assert filename == function.__code__.co_filename
    assert node.name == function.__name__
    segment = text_of(node)
    assert segment.startswith(f"def {node.name}(")
    if last:
        assert segment.endswith(last)
    return node


def test_functions_of_a_file():
    node = check(plain, "return x + 1")
    assert node.lineno == plain.__code__.co_firstlineno and node.col_offset == 0
    assert node.body[0].value.col_offset == 11


def test_decorators():
    node = check(decorated.__wrapped__, "return x * 2")
    assert len(node.decorator_list) == 2


def test_dead_code_and_multiline_strings():
    check(with_dead_end, "x = 1")


def test_methods_and_nested_functions():
    assert check(Holder.method).col_offset == 4
    node = check(Holder().nested(), "return self, y")
    assert node.col_offset == 8 and node.body[0].col_offset == 12


def test_two_functions_of_one_name():
    def make(first):
        if first:

            def f(x):
                return x + 1

        else:

            def f(x):
                return x + 2

        return f

    assert check(make(True), "return x + 1") and check(make(False), "return x + 2")


def test_one_line_function():
    def f(x): return x  # noqa: E704  # fmt: skip

    check(f, "return x")


pair = (lambda x: x + 1, lambda x: x + 2)
nested = lambda x: (lambda y: y + 3)  # noqa: E731  # fmt: skip
several_lines = dict(
    a=lambda x: x + 4,
    b=lambda x:
        x + 5,
)  # fmt: skip
nothing = (lambda: None, lambda: 1)


@pytest.mark.parametrize(
    "function, text",
    [
        (pair[0], "lambda x: x + 1"),
        (pair[1], "lambda x: x + 2"),
        (nested, "lambda x: (lambda y: y + 3)"),
        (nested(1), "lambda y: y + 3"),
        (several_lines["a"], "lambda x: x + 4"),
        (several_lines["b"], "lambda x:\n        x + 5"),
        (nothing[0], "lambda: None"),
        (nothing[1], "lambda: 1"),
    ],
)
def test_lambdas(function, text):
    node, _ = function_ast(function)
    assert isinstance(node, ast.Lambda) and text_of(node) == text


def test_code_known_to_linecache():
    source = "def f(x):\n    return x - 1\n"
    linecache.cache["<cell 1>"] = (len(source), None, source.splitlines(keepends=True), "<cell 1>")
    names = {}
    exec(compile(source, "<cell 1>", "exec"), names)
    node, filename = function_ast(names["f"])
    assert filename == "<cell 1>" and node.body[0].lineno == 2


def test_code_of_no_text():
    def f(x):
        match x:
            case (1, y):
                return y

    names = {"<string>": "no source.*exec", "<stdin>": "no source.*pipe", "<made>": "comes from <made>"}
    for name, words in names.items():
        code = f.__code__.replace(co_filename=name, co_firstlineno=7)
        with pytest.raises(pyarray.UnsupportedError, match=words):
            function_ast(type(f)(code, {}))
        code = plain.__code__.replace(co_filename=name, co_firstlineno=7)
        assert ast.dump(function_ast(type(f)(code, {}))[0]) == ast.dump(function_ast(plain)[0])


def test_a_missing_file():
    code = plain.__code__.replace(co_filename="/nowhere/gone.py")
    node, filename = function_ast(type(plain)(code, {}))
    assert ast.dump(node) == ast.dump(function_ast(plain)[0]) and filename == "/nowhere/gone.py"


def test_async():
    async def coroutine():
        await asyncio.sleep(0)

    async def generator():
        yield 1

    for function in coroutine, generator:
        with pytest.raises(pyarray.UnsupportedError, match="async functions"):
            function_ast(function)


def load(path, name="changing"):
    import importlib.util

    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_file_changed_since_its_import(tmp_path, monkeypatch):
    monkeypatch.setattr(linecache, "cache", {})  # which other tests need as it is
    path = tmp_path / "changing.py"
    path.write_text("def f(x):\n    return x + 1\n")
    f = load(path).f
    assert function_ast(f)[0].body[0].value.right.value == 1
    linecache.clearcache()
    for text in "def f(x):\n    return x + 2\n", "":  # what is in memory counts
        path.write_text(text)
        linecache.clearcache()
        assert function_ast(f)[0].body[0].value.right.value == 1
    path.write_text("def f(x):\n    match x:\n        case (1, y): return y\n")
    linecache.clearcache()
    f = load(path).f
    path.write_text("def f(x):\n    return x + 2\n")
    linecache.clearcache()
    with pytest.raises(pyarray.UnsupportedError, match="was changed since it was imported"):
        function_ast(f)


def test_future_annotations(tmp_path):
    path = tmp_path / "future.py"
    path.write_text("from __future__ import annotations\ndef f(x: no_such_name) -> other:\n    return x\n")
    assert function_ast(load(path, "future").f)[0].lineno == 2


def test_indented_with_tabs(tmp_path):
    path = tmp_path / "tabs.py"
    path.write_text("if True:\n\tdef f(x):\n\t\treturn x\n")
    node, _ = function_ast(load(path, "tabs").f)
    assert (node.lineno, node.col_offset, node.body[0].col_offset) == (2, 1, 2)


BLOCKS = """
if k == 0:
    def f(x): return {0}
elif k == 1:
    def f(x): return {1}
else:
    for _ in (1,):
        while k:
            if k == 2:
                def f(x): return {2}
            break
        else:
            def f(x): return {3}
    else:
        try:
            assert k != 3
            if k == 4:
                def f(x): return {4}
        except AssertionError:
            def f(x): return {5}
        else:
            if k == 5:
                def f(x): return {6}
        finally:
            if k == 6:
                def f(x): return {7}
    with open("/dev/null") as file:
        match k:
            case 7:
                def f(x): return {8}
            case 8:
                class C:
                    def f(x): return {9}
                f = C.f
            case 9:
                f = (lambda: [f for f in [1]])
                def g():
                    def f(x): return {10}
                    return f
                f = g()
"""


@pytest.mark.parametrize("k", range(10))
def test_definitions_are_found_in_every_block(k, monkeypatch):
    names = {"k": k}
    text = BLOCKS.format(*range(11))
    linecache.cache["<blocks>"] = len(text), None, text.splitlines(keepends=True), "<blocks>"
    exec(compile(text, "<blocks>", "exec"), names)
    function = names["f"]
    with monkeypatch.context() as patch:
        patch.setattr(_source, "_parse_block", lambda *_: None)  # the whole text is looked through
        patch.setattr(ast, "walk", None)  # with what is in expressions it is ten times as much
        node, _ = function_ast(function)
    assert node.lineno == function.__code__.co_firstlineno
    assert ast.literal_eval(node.body[0].value) in function.__code__.co_consts


# Names ------------------------------------------------------------------------------------------


def rows(*names):
    """As the compiler gives them: neighbours of one owner are one row."""
    of_owner = itertools.groupby(names, lambda name: name.rpartition(".")[0])
    groups = ((owner, tuple(group)) for owner, group in of_owner)
    return tuple((owner, tuple(n.rpartition(".")[2] for n in group), group) for owner, group in groups)


def test_builtin_table():
    assert np.random.seed  # NumPy loads numpy.random when it is first used
    names = "math.sqrt", "numpy.zeros", "builtins.abs", "numpy.float64", "numpy.random.seed", "no.such"
    table = builtin_table(rows(*names))
    assert table[id(math.sqrt)] == "math.sqrt" and table[id(abs)] == "builtins.abs"
    assert table[id(np.zeros)] == "numpy.zeros" and table[id(np.float64)] == "numpy.float64"
    assert table[id(np.random.seed)] == "numpy.random.seed"


def test_builtin_table_imports_nothing():
    before = set(sys.modules)
    builtin_table(rows("antigravity.x", "tkinter.Tk", "random.random"))
    assert set(sys.modules) == before


@pytest.mark.parametrize(
    "names",
    [
        ("numpy.absolute", "numpy.abs"),
        ("numpy.absolute", "math.pi", "numpy.abs"),
        ("numpy.abs", "numpy.absolute"),
        ("numpy.abs", "math.pi", "numpy.absolute"),
    ],
)
def test_first_name_of_an_object_counts(names):
    assert builtin_table(rows(*names))[id(np.abs)] == names[0]


def test_names_of_classes_and_of_what_is_missing():
    names = "numpy.ndarray.copy", "numpy.ndarray.nothing", "math.nothing", "str.upper", "", "nothing"
    assert builtin_table(rows(*names)) == {id(np.ndarray.copy): "numpy.ndarray.copy"}


def test_names_of_this_package_that_were_not_asked_of_it():
    import pyarray.ufuncs  # noqa: F401

    table = builtin_table(rows("pyarray.guvectorize"))
    assert list(table.values()) == ["pyarray.guvectorize"]


def test_table_of_builtins_is_made_once_for_each_number_of_modules(monkeypatch):
    owners = []
    find = _names._owner
    monkeypatch.setattr(_names, "_owner", lambda name: owners.append(name) or find(name))
    names = rows(*(f"numpy.{name}" for name in dir(np)), "math.sqrt", "math.cos")
    table = builtin_table(names)
    assert sorted(owners) == ["math", "numpy"] and builtin_table(names) is table  # each owner is looked for once
    monkeypatch.setitem(sys.modules, "one_more", math)
    again = builtin_table(names)
    assert again is not table and again == table


def test_rows_of_the_compiler_are_made_once():
    def compiled():
        function = pyarray.njit(lambda x: math.sqrt(x))
        function.compile("float64(float64)")
        return _names.rows_of_compiler

    first = compiled()
    assert compiled() is first
    known = [name for _, _, names in first for name in names]
    assert len(known) > 1000 and "math.sqrt" in known and "numpy.linalg.solve" in known
    assert first == rows(*known)


def test_names_that_are_like_no_other_need_no_comparison(monkeypatch):
    assert _report.close_name(np, "araneg") == "arange" and _report.close_name(float, "as_integer_ration")
    monkeypatch.setitem(sys.modules, "difflib", None)  # importing it fails: a refusal should not wait for it
    assert _report.close_name(float, "nothing") is None
    with pytest.raises(ImportError):
        _report.close_name(np, "araneg")


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("unknown method 'araneg' of type array(float64, 1d, C)", ("araneg", "array(float64, 1d, C)")),
        ("unknown attribute 'x' of type float64\nwhere", ("x", "float64")),
        ("record(a: int64) has no field 'b'; it has 'a'", ("b", "record(a: int64)")),
        ("unknown attribute 'x y' of type float64", ("", "")),
        ("unknown attribute", ("", "")),
        ("first\nx has no field 'b'", ("", "")),
    ],
)
def test_unknown_attributes_of_messages(message, said):
    assert _report._unknown_attribute(message) == said


def test_relative_names_in_messages():
    from pyarray._report import place

    assert place(None, 3) == "" and place(__file__, 0) == ""
    line = plain.__code__.co_firstlineno
    assert place(__file__, line, 5).endswith(f"line {line}:\ndef plain(x):\n    ^")
    assert os.path.basename(__file__) in place(__file__, line)
