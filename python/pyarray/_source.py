"""Finds the source of a function as an `ast` node with true line and column numbers.

The text comes from `linecache`, which knows files, and what the REPL, notebooks and others put there. Only the lines of
the function are parsed: an indented block stands behind ``if 1:``, not dedented, so that columns stay as they are.
Where that is no syntax (a lambda inside a longer statement), the whole file is parsed.
"""

import __future__

import ast
import inspect
import linecache
import os
import sys

from ._origins import find, holds, keep

# CPython 3.11 counts the depth of the trees that are made for all threads together, and fails where two make one.
_ATTEMPTS = 10


def _refuse(function, why):
    # Here, since the first compilation of a process would wait for them: they take longer than the parsing.
    from ._report import place
    from .errors import UnsupportedError

    code = function.__code__
    where = place(code.co_filename, code.co_firstlineno)
    raise UnsupportedError(
        f"{function.__qualname__}() cannot be compiled: {why}{where}", file=code.co_filename, line=code.co_firstlineno
    )


class _NoText(Exception):
    """Why the text of a function is not to be had."""


def _check_kind(function):
    flags = function.__code__.co_flags
    if flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR | inspect.CO_ITERABLE_COROUTINE):
        _refuse(function, "async functions cannot be compiled")


def _why_missing(code):
    """Why there is no text of the code, and what to do."""
    file = code.co_filename
    ways = "define the function in a file, in IPython or in a notebook"
    if file == "<stdin>":
        return (
            "it has no source: Python keeps none of a script of more than 4 KiB that comes through a pipe, or of any "
            f"with -u or PYTHONUNBUFFERED, nor, before 3.13, of its prompt without readline; {ways}, or run a script "
            'by python -c "$(cat)"'
        )
    if file.startswith("<") and file.endswith(">"):
        made = "it was made by exec() or eval()" if file == "<string>" else f"its code comes from {file}"
        return (
            f"it has no source: {made}, before pyarray was imported or long ago. Import pyarray before the code is "
            f"made, put its text into linecache.cache under the file name that compile() is given, or {ways}"
        )
    if not os.path.exists(file):
        return (
            f"its source file {file} does not exist. Of a package that is shipped as .pyc files, ship the .py files "
            "too: beside them, or in the same archive"
        )
    return f"its source file {file} ends before line {code.co_firstlineno}: it was changed since it was imported"


def _text_of(function, flags):
    """(lines, tree, file): of the text that the function is in, or of a tree that it was made of, without lines."""
    code = function.__code__
    lines = linecache.getlines(code.co_filename, function.__globals__)
    known = code.co_firstlineno <= len(lines)
    if known and not (code.co_filename.startswith("<") and code.co_filename.endswith(">")):
        return lines, None, code.co_filename
    if known and holds("".join(lines), code, flags):
        return lines, None, code.co_filename
    # A name that is no file's may have been given to several texts.
    source = None if os.path.exists(code.co_filename) else find(code, flags, _last_line(code))
    if isinstance(source, str):
        file = keep(code.co_filename, source)
        return linecache.getlines(file), None, file
    if source is not None:
        return [], source, code.co_filename
    if known:
        return lines, None, code.co_filename
    raise _NoText(_why_missing(code))


# ------------------------------------------------------------------------------------------------
# Text to parse


def _last_line(code):
    """The last line that an instruction of the code, or of code nested in it, comes from."""
    last = max((end or 0 for _, end, _, _ in code.co_positions()), default=0)
    last = max(last, max((line or 0 for _, _, line in code.co_lines()), default=0), code.co_firstlineno)
    nested = (constant for constant in code.co_consts if inspect.iscode(constant))
    return max(last, max(map(_last_line, nested), default=0))


def _indentation(line):
    return line[: len(line) - len(line.lstrip())]


def _block_end(lines, first, last):
    """Extends [first, last] by lines that are indented deeper than the first: dead code has no instructions."""
    indentation = len(_indentation(lines[first - 1]))
    end = last
    for number in range(last + 1, len(lines) + 1):
        line = lines[number - 1]
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if len(_indentation(line)) <= indentation:
            break
        end = number
    return end


def _parse(text, flags):
    # The name is one whose texts are not kept (python/ext/base/sources.c).
    for attempt in range(_ATTEMPTS):
        try:
            return compile(text, "<pyarray>", "exec", flags | ast.PyCF_ONLY_AST, dont_inherit=True)
        except SystemError:
            if attempt == _ATTEMPTS - 1:
                raise


def _parse_block(lines, first, last, flags):
    """The tree of lines [first, last] with true numbers, or None where they are no syntax by themselves."""
    block = "".join(lines[first - 1 : last])
    if _indentation(lines[first - 1]):
        text = "\n" * (first - 2) + "if 1:\n" + block if first > 1 else None
    else:
        text = "\n" * (first - 1) + block
    if text is None:
        return None
    try:
        return _parse(text, flags)
    except SyntaxError:
        return None


def _parse_all(function, lines, filename, flags):
    try:
        return _parse("".join(lines), flags)
    except SyntaxError:
        raise _NoText(f"its source, {filename}, cannot be parsed any more") from None


# ------------------------------------------------------------------------------------------------
# The node


def _parameter_names(node):
    given = node.args
    names = [argument.arg for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return names + [rest.arg for rest in (given.vararg, given.kwarg) if rest]


def _has_same_parameters(node, code):
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    names = _parameter_names(node)
    # Names with two leading underscores are mangled inside a class.
    return len(names) == count and all(
        there == here or there.endswith(here) for here, there in zip(names, code.co_varnames, strict=False)
    )


def _statements(tree):
    """All statements in a tree, and what is no expression around them: handlers, cases."""
    found = [tree]
    for node in found:
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                found += block
    return found


def _find_def(function, tree):
    code = function.__code__
    found = []
    for node in _statements(tree):  # not ast.walk(): no expression has a definition in it, and most nodes are in those
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or node.name != code.co_name:
            continue
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        if first == code.co_firstlineno and _has_same_parameters(node, code):
            found.append(node)
    # Of a text there is one; the nodes of a tree that a program made may all be of line 1.
    if len(found) > 1 and len(set(map(ast.dump, found))) > 1:
        raise _NoText(f"its syntax tree has several functions of that name at line {code.co_firstlineno}")
    return found[0] if found else None


def _instruction_range(code):
    """((first line, column), (last line, column)) of what a lambda computes, or None without positions."""
    positions = [place for place in code.co_positions() if None not in place and place[2:] != (0, 0)]
    if not positions:
        return None
    first = min((line, column) for line, _, column, _ in positions)
    return first, max((line, column) for _, line, _, column in positions)


def _find_lambda(tree, code):
    """The lambda of the code: that whose body the instructions come from. None, or a list where several remain."""
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Lambda) and node.lineno == code.co_firstlineno and _has_same_parameters(node, code)
    ]
    span = _instruction_range(code)
    if span:
        start, end = span
        # A lambda nested in another one's body begins later or ends earlier.
        found = [
            node
            for node in found
            if (node.body.lineno, node.body.col_offset) == start or _starts_within(node, start, end)
        ]
        exact = [
            node
            for node in found
            if (node.body.lineno, node.body.col_offset) == start
            and (node.body.end_lineno, node.body.end_col_offset) == end
        ]
        found = exact or found
    return found


def _starts_within(node, start, end):
    body = node.body
    return (body.lineno, body.col_offset) <= start and end <= (body.end_lineno, body.end_col_offset)


def _exact(constant):
    """A constant with its type and sign: 1, 1.0 and True are equal, and so are 0.0 and -0.0."""
    if isinstance(constant, tuple):
        return tuple(map(_exact, constant))
    return type(constant), repr(constant) if isinstance(constant, (float, complex)) else constant


def _computes_like(node, code):
    """Whether a lambda has the code's constants and names."""
    expression = compile(
        ast.Expression(node), code.co_filename, "eval", code.co_flags & _future_flags, dont_inherit=True
    )
    made = next(constant for constant in expression.co_consts if inspect.iscode(constant))
    return (_exact(made.co_consts), made.co_varnames) == (_exact(code.co_consts), code.co_varnames)


def _pick_lambda(function, tree):
    found = _find_lambda(tree, function.__code__)
    if len(found) <= 1:
        return found[0] if found else None
    innermost = max(found, key=lambda node: (node.body.lineno, node.body.col_offset))
    if _instruction_range(function.__code__):
        return innermost
    found = [node for node in found if _computes_like(node, function.__code__)] or found
    if len({ast.dump(node) for node in found}) == 1:
        return found[0]
    raise _NoText(
        "several lambdas stand on one line and Python keeps no columns (-X no_debug_ranges); "
        "put them on lines of their own"
    )


def _find(function, tree):
    if tree is None:
        return None
    if function.__code__.co_name == "<lambda>":
        return _pick_lambda(function, tree)
    return _find_def(function, tree)


# ------------------------------------------------------------------------------------------------
# Has the file changed?


def _is_newer_than_process(filename):
    import_time = getattr(sys.modules.get("pyarray"), "_import_time", 0)
    try:
        return os.stat(filename).st_mtime > import_time
    except OSError:
        return False


def _check_unchanged(function, lines, flags):
    """A file written since the program started may hold other code than the function in memory."""
    code = function.__code__
    if not _is_newer_than_process(code.co_filename):
        return
    if holds("".join(lines), code, flags):
        return
    raise _NoText(f"its source file {code.co_filename} was changed since it was imported; import it again")


def _find_in_lines(function, lines, file, flags):
    code = function.__code__
    last = min(_last_line(code), len(lines))
    if code.co_name != "<lambda>":
        last = _block_end(lines, code.co_firstlineno, last)
    for end in range(last, min(last + 4, len(lines) + 1)):
        node = _find(function, _parse_block(lines, code.co_firstlineno, end, flags))
        if node:
            return node
    return _find(function, _parse_all(function, lines, file, flags))


# ------------------------------------------------------------------------------------------------


def _find_text(function, flags):
    lines, tree, file = _text_of(function, flags)
    if lines:
        _check_unchanged(function, lines, flags)
    node = _find(function, tree) if tree else _find_in_lines(function, lines, file, flags)
    if node is None:
        raise _NoText(f"it is not at line {function.__code__.co_firstlineno} of {file}: the file was changed since")
    return node, file


def _read_bytecode(function, why):
    from ._bytecode import Unreadable, read_function

    try:
        return read_function(function)
    except Unreadable as error:
        line = f", in line {error.line}" if error.line else ""
        return _refuse(function, f"{why}. Its bytecode is read instead, but for {error}{line}")


def function_ast(function):
    """The syntax of a function.

    Parameters
    ----------
    function : function
        A plain Python function: of a file, the REPL, a notebook, a closure, a lambda.

    Returns
    -------
    node : ast.FunctionDef or ast.Lambda
        Line and column numbers are those of the source. Where there is none that belongs to the function, its bytecode
        is read.
    filename : str

    Raises
    ------
    UnsupportedError
        Where neither the source nor the bytecode can be read, or the function is async.
    """
    made = getattr(function, "__pyarray_syntax__", None)  # of functions that the package makes of others
    if made is not None:
        return made, function.__code__.co_filename
    _check_kind(function)
    code = function.__code__
    try:
        node, file = _find_text(function, code.co_flags & _future_flags)
    except _NoText as error:
        node, file = _read_bytecode(function, str(error)), code.co_filename
    if "stencil" in code.co_names or "stencil" in code.co_freevars:
        from ._stencil_nested import expand

        node = expand(function, node, file)
    if "__class__" in code.co_freevars:
        from ._class_bases import with_supers

        node = with_supers(function, node)
    return node, file


def _compute_future_flags():
    flags = 0
    for name in __future__.all_feature_names:
        flags |= getattr(__future__, name).compiler_flag
    return flags


_future_flags = _compute_future_flags()
