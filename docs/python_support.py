"""Writes docs/python-support.md: what of Python compiled code has, by compiling every row of support_rows.py.

    python docs/python_support.py --write [--numba]

A row is supported where compiled code gives what CPython gives, and not where it is refused; anything else is an error.
The column for Numba is measured anew with ``--numba``, where that is installed, and for rows that are new; else it is
taken from the page.
"""

import argparse
import array
import ast
import collections
import contextlib
import importlib.util
import itertools
import linecache
import math
import pathlib
import re
import signal
import sys

import numpy as np
import pyarray
from pyarray import _typed_plain, extending
from support_rows import FUNCTIONS, PARAMETERS, SECTIONS, SETUP

PAGE = pathlib.Path(__file__).resolve().parent / "python-support.md"
YES, NO = "yes", "no"
_numbers = itertools.count()

HEADER = """# What of Python compiled code has

Written by `docs/python_support.py`, which compiles the code of every row (`docs/support_rows.py`) and compares the
result with CPython's; the tests do so, too. Where the answer is no, the compiler refuses the code with a message that
says why, or what to write instead. The column for Numba is what Numba {version} does with the same code. What the rows
cannot show, limits and differences, is in [language.md](language.md).
"""


def source_of(code, names=PARAMETERS):
    """The source of a function f for the code of a row, and the names of its parameters, of those that may be."""
    match = re.search(r"^def f\((.*)\):", code, re.MULTILINE)
    if match:
        return code + "\n", [name for name in match[1].split(", ") if name]
    try:
        ast.parse(code, mode="eval")
        code = f"return {code}"
    except SyntaxError:
        pass
    body = "".join(f"    {line}\n" for line in code.split("\n"))
    tree = ast.parse("def f():\n" + body)
    read = _read_first(tree)
    parameters = [name for name in names if name in read]
    return f"def f({', '.join(parameters)}):\n{body}", parameters


def _read_first(tree):
    """The names that the code reads and has not bound."""
    bound, changed, first = set(), set(), {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            bound.update(arg.arg for arg in ast.walk(node.args) if isinstance(arg, ast.arg))
        elif isinstance(node, (ast.comprehension, ast.For)):
            bound.update(target.id for target in ast.walk(node.target) if isinstance(target, ast.Name))
        elif isinstance(node, ast.AugAssign):
            changed.add(id(node.target))
        elif isinstance(node, ast.Name):
            place, read = (node.lineno, node.col_offset), isinstance(node.ctx, ast.Load) or id(node) in changed
            if node.id not in first or place < first[node.id][0]:
                first[node.id] = place, read
    return {name for name, (_, read) in first.items() if read} - bound


_globals = {}


#: What rows name of the compiler.
NAMES = "literal_unroll literally njit objmode prange stencil typeof types".split()
TYPED = "Dict List Set".split()
EXTENDING = "intrinsic overload overload_attribute overload_method register_jitable".split()


def _names_of(compiler):
    """Those names, of a module that has Numba's."""
    home = importlib.import_module(compiler.__name__ + ".extending")
    typed = importlib.import_module(compiler.__name__ + ".typed")
    dtypes = compiler if hasattr(compiler, "as_dtype") else importlib.import_module("numba.np.numpy_support")
    return {
        **{name: getattr(compiler, name) for name in NAMES},
        **{name: getattr(home, name) for name in EXTENDING},
        **{name: getattr(typed, name, None) for name in TYPED},
        "jitclass": importlib.import_module(compiler.__name__ + ".experimental").jitclass,
        "structref": importlib.import_module(compiler.__name__ + ".experimental.structref"),
        "from_dtype": dtypes.from_dtype,
        "as_dtype": dtypes.as_dtype,
    }


def _same(value):
    return value


def _ignored(*arguments):
    return _same


def _plain_names():
    """What stands for them in CPython: the functions of rows do the same without."""
    return {
        **_names_of(pyarray),
        **{name: getattr(_typed_plain, name) for name in TYPED},
        **dict.fromkeys(["literal_unroll", "literally", "register_jitable"], _same),
        **dict.fromkeys(["overload", "overload_attribute", "overload_method"], _ignored),
        "njit": lambda given: given if callable(given) else _same,
        "jitclass": _plain_class,
        "structref": _PlainStructs,
        "prange": range,
        "objmode": lambda **types: contextlib.nullcontext(),
        "intrinsic": lambda typer: lambda value: value + value,  # that of the rows
    }


def _load(source, names):
    """The function f of a source, with the globals of all rows."""
    if not _globals:
        _globals["__name__"] = "__main__"  # where their classes are found
        main = vars(sys.modules["__main__"])
        main.update({name: value for name, value in _execute(SETUP, _globals).items() if isinstance(value, type)})
    module = {**_globals, **names}
    for text in (FUNCTIONS, source):
        _execute(text, module)
    return module["f"]


def _execute(text, module):
    file = f"<row {next(_numbers)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    exec(compile(text, file, "exec"), module)
    return module


def _plain_class(specification):
    return specification if isinstance(specification, type) else lambda cls: cls


class _PlainStructs:
    """What stands for structref: the class itself, which has the fields."""

    register = staticmethod(_same)
    StructRefProxy = type("StructRefProxy", (), {})

    @staticmethod
    def define_proxy(cls, struct_class, fields):
        cls.__init__ = lambda self, *given: vars(self).update(zip(fields, given, strict=True))


def plain(text, parameters):
    """What CPython gives."""
    return _call(_load(text, _plain_names()), parameters)


def _call(function, parameters):
    arguments = [eval(PARAMETERS[name], {"array": array, "collections": collections, "np": np}) for name in parameters]
    result = function(*arguments)
    return list(result) if hasattr(result, "__next__") else result


def is_same(a, b):
    """Equality of values and types; NumPy's scalars count as Python's, and floats may differ in the last place."""
    a, b = (
        value.item()
        if isinstance(value, np.generic) and not isinstance(value, (np.datetime64, np.timedelta64, np.void))
        else value
        for value in (a, b)
    )
    if isinstance(a, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(map(is_same, a, b))
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and a.dtype == b.dtype and np.array_equal(a, b)
    if isinstance(a, float):
        return isinstance(b, float) and math.isclose(a, b, rel_tol=1e-14)
    if isinstance(a, complex):
        return isinstance(b, complex) and abs(a - b) <= 1e-14 * abs(a)
    return type(a) is type(b) and a == b


def outcome(code):
    """YES, or the first line of the message that refuses the code."""
    text, parameters = source_of(code)
    before = {name: list(typers) for name, typers in extending._typers.items()}
    try:
        function = _load(text, _names_of(pyarray))
        result = _call(function if hasattr(function, "py_func") else pyarray.njit(function), parameters)
    except (pyarray.errors.PyArrayError, TypeError, NameError) as error:
        if not isinstance(error, pyarray.errors.PyArrayError) and not re.search(
            "compiled|jitclass|nopython", str(error)
        ):
            raise AssertionError(f"{code!r}: {type(error).__name__}: {error}") from error
        return str(error).split("\n")[0]
    finally:  # what a row registers ends with it
        extending._typers.clear()
        extending._typers.update(before)
    wanted = plain(text, parameters)
    assert is_same(result, wanted), f"{code!r} gives {result!r}, but CPython {wanted!r}"
    return YES


def numba_outcome(code):
    """Whether Numba compiles the code, and gives what CPython gives."""
    import numba

    text, parameters = source_of(code)
    signal.alarm(60)
    try:
        function = _load(text, _names_of(numba))
        result = _call(function if hasattr(function, "py_func") else numba.njit(function), parameters)
        return YES if is_same(result, plain(text, parameters)) else NO
    except BaseException:
        return NO
    finally:
        signal.alarm(0)


def rows_of_page():
    """(section, name) -> (ours, Numba's) of the page as it is."""
    found, section = {}, None
    for line in PAGE.read_text().split("\n") if PAGE.exists() else []:
        if line.startswith("## "):
            section = line[3:]
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if section and len(cells) == 4 and cells[2] in (YES, NO):
            found[section, cells[0]] = cells[2], cells[3]
    return found


def _cell(text):
    return text.replace("|", "\\|")


def _shown(code):
    return "<br>".join(f"`{_cell(line)}`" for line in code.replace("    ", "  ").split("\n") if line)


def page(outcomes, numba, version):
    """The text of the page."""
    text = HEADER.format(version=version)
    count = sum(value == YES for value in outcomes.values())
    theirs = sum(value == YES for value in numba.values())
    text += f"\nOf {len(outcomes)} rows, {count} are compiled; by Numba, {theirs}.\n"
    for section, rows in SECTIONS.items():
        text += f"\n## {section}\n\n| what | code | pyarray | Numba |\n|---|---|---|---|\n"
        for name, code in rows:
            ours = YES if outcomes[section, name] == YES else NO
            text += f"| {_cell(name)} | {_shown(code)} | {ours} | {numba.get((section, name), '')} |\n"
    refused = {(section, name): value for (section, name), value in outcomes.items() if value != YES}
    text += "\n## What the refusals say\n\n| what | message |\n|---|---|\n"
    for (_, name), message in refused.items():
        text += f"| {_cell(name)} | {_cell(message)} |\n"
    return text


def main():
    """Write or show the page."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true", help="write the page")
    parser.add_argument("--numba", action="store_true", help="run the rows with Numba, too")
    options = parser.parse_args()
    outcomes = {}
    for section, rows in SECTIONS.items():
        for name, code in rows:
            try:
                outcomes[section, name] = outcome(code)
            except Exception as error:
                print(f"{section}: {name}: {type(error).__name__}: {str(error)[:300]}", file=sys.stderr)
                outcomes[section, name] = "?"
    before = rows_of_page()
    if options.numba:
        import numba
        import numba.experimental

        version = numba.__version__
        theirs = {(section, name): numba_outcome(code) for section, rows in SECTIONS.items() for name, code in rows}
    else:
        theirs = {key: values[1] for key, values in before.items()}
        if importlib.util.find_spec("numba"):
            rows = [(section, *row) for section, rows in SECTIONS.items() for row in rows]
            new = [row for row in rows if not theirs.get(row[:2])]
            theirs |= {(section, name): numba_outcome(code) for section, name, code in new}
        version = re.search(r"what Numba ([\d.]+) does", PAGE.read_text())[1] if PAGE.exists() else ""
    text = page(outcomes, theirs, version)
    if options.write:
        PAGE.write_text(text)
    else:
        print(text)


if __name__ == "__main__":
    main()
