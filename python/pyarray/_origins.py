"""Finds the text of code that is in no file: of exec() and eval(), python -c, standard input, the prompt.

Several texts may have been compiled under one name (``<string>``), so that a text counts only where compiling it gives
the code again, instruction by instruction.
"""

import ast
import functools
import linecache
import os
import pickle
import stat
import sys
import textwrap
import weakref
import zlib
from types import CodeType


def nested_codes(code):
    """The code, and what it holds of functions, classes and comprehensions, at any depth."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from nested_codes(constant)


# A text of many functions is asked for each of them.
@functools.lru_cache(maxsize=8)
def _codes_of(source, mode, flags):
    """What compiling a text or a tree gives, with all that it holds; nothing where it cannot be compiled."""
    try:
        return frozenset(nested_codes(compile(source, "<pyarray>", mode, flags, dont_inherit=True)))
    except (SyntaxError, ValueError, TypeError, RecursionError):
        return frozenset()


def holds(source, code, flags, modes=("exec",)):
    """Whether compiling a text or a tree gives the code."""
    return any(code in _codes_of(source, mode, flags) for mode in modes)


def command_of(arguments):
    """The text behind ``-c`` of a command line of Python, or None.

    Parameters
    ----------
    arguments : list of str
        As in `sys.orig_argv`.
    """
    rest = iter(arguments[1:])
    for word in rest:
        if not word.startswith("-") or word == "-" or word == "--":
            return None
        if word.startswith("--"):  # of long options one has a value, in the next word
            if word == "--check-hash-based-pycs":
                next(rest, None)
            continue
        for at, letter in enumerate(word[1:], 2):
            if letter in "cmWX":
                value = word[at:] or next(rest, None)
                if letter == "c":
                    return value
                if letter == "m":
                    return None
                break
    return None


def _command_texts():
    text = command_of(sys.orig_argv)
    if text is None:
        return
    text += "\n"
    yield text
    if textwrap.dedent(text) != text:  # Python 3.14 takes away what all lines are indented by
        yield textwrap.dedent(text)


def _input_texts():
    """What standard input was redirected from, where that can be read again."""
    try:
        if stat.S_ISREG(os.fstat(0).st_mode):
            text = os.pread(0, os.fstat(0).st_size, 0).decode("utf-8-sig", "replace")
            yield text.replace("\r\n", "\n")
            return
    except OSError:
        return
    yield from _piped_texts()


def _piped_texts():
    """A script of a pipe, as far as it is still in the C library's buffer, with whatever lies behind it cut off."""
    from ._pyarray import _standard_input

    text = _standard_input().partition(b"\0")[0].decode("utf-8-sig", "replace").replace("\r\n", "\n")
    for _ in range(4):
        try:
            compile(text, "<pyarray>", "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
        except SyntaxError as error:
            lines = text.splitlines(keepends=True)[: max((error.lineno or 1) - 1, 0)]
            text = "".join(lines)
            continue
        except ValueError:
            return
        yield text
        return


_MOST_TYPED = 2000  # lines of the history that are looked through
_LONGER = 40  # lines that may follow the function in its statement


def _typed_texts(code, last_line):
    """Statements in the prompt's history that may hold the code, the last one first.

    Every statement begins at line 1, and the history has no empty lines.
    """
    readline = sys.modules.get("readline")
    if readline is None:
        return
    count = readline.get_current_history_length()
    lines = [readline.get_history_item(i) or "" for i in range(max(1, count - _MOST_TYPED), count + 1)]
    lines = [line + "\n" for item in lines for line in item.split("\n")]  # of an item edited as a block too
    mark = "lambda" if code.co_name == "<lambda>" else code.co_name
    for first in range(len(lines) - last_line, -1, -1):
        if any(mark in line for line in lines[first : first + last_line]):
            for end in range(first + last_line, min(first + last_line + _LONGER, len(lines)) + 1):
                yield "".join(lines[first:end])


def _as_text(source):
    if isinstance(source, bytes):
        return source.decode("utf-8-sig", "replace")
    return source


# Code that was made of a tree, while it lives: the tree. Only the latest trees are in the record of all that was
# compiled, and a library may make hundreds before it calls the first function.
_held = weakref.WeakKeyDictionary()
_LATEST = 4  # trees that a function may be of whose decorator is called


def hold(code):
    """Keep the tree that the code of a new function to be compiled was made of, if it was one of the latest."""
    from ._pyarray import _sources_seen
    from ._source import _future_flags

    for tree in _sources_seen("")[:_LATEST]:
        if holds(tree, code, code.co_flags & _future_flags, (_mode_of(tree),)):
            _held[code] = zlib.compress(pickle.dumps(tree), 1)
            return


def _texts(code, last_line):
    from ._pyarray import _sources_seen

    if code in _held:
        yield pickle.loads(zlib.decompress(_held[code]))
    for source in _sources_seen(code.co_filename):
        yield _as_text(source)
    if code.co_filename == "<string>":
        yield from _command_texts()
    elif code.co_filename == "<stdin>":
        yield from _input_texts()
        yield from _typed_texts(code, last_line)


def find(code, flags, last_line):
    """The text or tree that the code was compiled from, or None.

    Parameters
    ----------
    code : code
    flags : int
        Those of ``from __future__`` that it was compiled with.
    last_line : int
        The last line that it has instructions of.
    """
    for source in _texts(code, last_line):
        modes = ("exec", "eval") if isinstance(source, str) else (_mode_of(source),)
        if holds(source, code, flags, modes):
            return source
    return None


def _mode_of(tree):
    return {ast.Expression: "eval", ast.Interactive: "single"}.get(type(tree), "exec")


def keep(file, text):
    """Gives a text a name in `linecache`, for the lines of messages and tracebacks; that name."""
    end = ">" if file.endswith(">") else ""
    name = f"{file.removesuffix('>')} {zlib.crc32(text.encode('utf-8', 'replace')):08x}{end}"
    if name not in linecache.cache:
        linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    return name
