"""Pickling of dispatchers.

A function that its module holds is pickled by reference. Others (closures, lambdas, functions of ``__main__``) travel
as code for the same version of Python, with the values of the globals and cells that they use, and their source.

Machine code travels along, as the disk cache holds it. Where the key is the same, which means the same compiler and the
same kind of processor, nothing is compiled; elsewhere the function is compiled when it is called.
"""

import linecache
import marshal
import sys
import types as python_types
import weakref

from ._pyarray import Dispatcher, _cached_code, _receive_code, cuda


def _is_importable(value):
    module = sys.modules.get(value.__module__)
    if module is None or value.__module__ == "__main__":
        return False
    for name in value.__qualname__.split("."):
        module = getattr(module, name, None)
    return module is value


# ------------------------------------------------------------------------------------------------
# Functions by value


def _codes(code):
    yield code
    for constant in code.co_consts:
        if isinstance(constant, python_types.CodeType):
            yield from _codes(constant)


def _used_globals(function):
    names = {name for code in _codes(function.__code__) for name in code.co_names}
    return {name: value for name, value in function.__globals__.items() if name in names}


def _source_lines(code):
    lines = linecache.getlines(code.co_filename)
    last = max(line or 0 for nested in _codes(code) for _, _, line in nested.co_lines())
    return "".join(lines[code.co_firstlineno - 1 : last])


class _Module:
    """A module among the values, pickled by name."""

    def __init__(self, module):
        self.module = module

    def __reduce__(self):
        from importlib import import_module

        return import_module, (self.module.__name__,)


class _Function:
    """A plain function among the values, pickled by value where its module does not hold it."""

    def __init__(self, function):
        self.function = function

    def __reduce__(self):
        return _reduce_function(self.function)


# Wrappers of the functions being pickled, so that a function that refers to itself is met again as the same object.
# The pickle keeps them alive.
_wrappers = weakref.WeakValueDictionary()


def _wrap(value):
    if isinstance(value, python_types.ModuleType):
        return _Module(value)
    if isinstance(value, python_types.FunctionType) and not _is_importable(value):
        return _wrappers.setdefault(id(value), _Function(value))
    return value


def _empty_function(code_bytes, name, qualname, module, source, cell_count):
    """A function without its values, which follow once the pickle knows the function itself."""
    code = _place_source(marshal.loads(code_bytes), source)
    cells = tuple(python_types.CellType() for _ in range(cell_count))
    names = {"__builtins__": __builtins__, "__name__": module}
    function = python_types.FunctionType(code, names, name, None, cells or None)
    function.__qualname__, function.__module__ = qualname, module
    return function


def _fill_function(function, state):
    function.__globals__.update(state["globals"])
    for cell, value in zip(function.__closure__ or (), state["cells"], strict=True):
        if value is not _EMPTY:
            cell.cell_contents = value[0]
    function.__defaults__, function.__kwdefaults__ = state["defaults"], state["kwdefaults"]
    function.__dict__.update(state["attributes"])


_EMPTY = None


def _cell_value(cell):
    try:
        return (_wrap(cell.cell_contents),)
    except ValueError:
        return _EMPTY


def _function_parts(function):
    code = function.__code__
    cells = function.__closure__ or ()
    creation = (
        marshal.dumps(code),
        function.__name__,
        function.__qualname__,
        function.__module__,
        _source_lines(code),
        len(cells),
    )
    state = {
        "globals": {name: _wrap(value) for name, value in _used_globals(function).items()},
        "cells": [_cell_value(cell) for cell in cells],
        "defaults": function.__defaults__,
        "kwdefaults": function.__kwdefaults__,
        "attributes": function.__dict__,
    }
    return creation, state


def _reduce_function(function):
    creation, state = _function_parts(function)
    return _empty_function, creation, state, None, None, _fill_function


def _place_source(code, source):
    """Gives code whose source this process does not have a place in `linecache`."""
    first = code.co_firstlineno
    lines = linecache.getlines(code.co_filename)
    text = source.splitlines(keepends=True)
    if not text or lines[first - 1 : first - 1 + len(text)] == text:
        return code
    filename = f"<pyarray pickle of {code.co_filename}:{first} {hash(source):x}>"
    padded = ["\n"] * (first - 1) + text
    linecache.cache[filename] = (sum(map(len, padded)), None, padded, filename)
    return _with_filename(code, filename)


def _with_filename(code, filename):
    constants = tuple(
        _with_filename(constant, filename) if isinstance(constant, python_types.CodeType) else constant
        for constant in code.co_consts
    )
    return code.replace(co_filename=filename, co_consts=constants)


# ------------------------------------------------------------------------------------------------
# Machine code

#: Compressed machine code by what it belongs to: pickles of one function are made again and again.
_packed = {}
_MOST_PACKED = 256  # entries
_MOST_CODE = 256 << 10  # bytes of one function, compressed; what has more is compiled where it arrives


def machine_code(dispatcher):
    """((type code, key of the disk cache, compressed machine code), ...) of the variants that there are.

    Keys stand for all that code depends on, the processor among it: where another key is asked for, it is not found.
    What a pickle has brought and nobody has called goes on: schedulers pass functions from clients to workers.
    """
    codes = [code for code, _, _, is_replaced in dispatcher._variants() if not is_replaced]
    brought = tuple(part for part in getattr(dispatcher, "_brought", ()) if part[0] not in codes)
    identity = dispatcher._fingerprint("") if codes else None
    if identity is None:
        return brought
    packed = _packed.get((identity, *codes))
    if packed is None:
        packed = tuple(part for code in codes if (part := _pack(dispatcher, code)))
        if sum(len(code) for _, _, code in packed) > _MOST_CODE:
            packed = ()
        if len(_packed) >= _MOST_PACKED:
            _packed.clear()
        _packed[(identity, *codes)] = packed
    return packed + brought


def _pack(dispatcher, code):
    import zlib

    for asked in dict.fromkeys((code[: code.index(">") + 1], code)):  # calls ask for arguments, declarations for all
        key = dispatcher._fingerprint(asked)
        found = _cached_code(key) if key else None
        if found:
            return code, key, zlib.compress(found, 1)
    return None


def receive(packed, dispatcher=None):
    """Put machine code that a pickle has brought where dispatchers look for it: what this one, if any, lacks."""
    if not packed:
        return
    import zlib

    there = {code for code, *_ in dispatcher._variants()} if dispatcher is not None else ()
    for code, key, compressed in packed:
        if code not in there:
            _receive_code(key, zlib.decompress(compressed))
    if dispatcher is not None:
        dispatcher._brought = packed


# ------------------------------------------------------------------------------------------------
# Copies that are there already

#: What pickles have made so far, by token: many tasks bring the same function, and each would load it anew.
_known = {}
_MOST_KNOWN = 256


def token_of(dispatcher, *parts):
    """What two pickles have in common only if one's copy can stand for the other's; None where that is not known."""
    function = dispatcher.py_func
    identity = None if function.__dict__ else dispatcher._fingerprint("")
    if identity is None:
        return None
    code = function.__code__
    names = function.__name__, function.__qualname__, function.__module__
    return identity, code.co_filename, code.co_firstlineno, *names, repr(parts)


def _settings(copy):
    """What users may change of a copy: one that was changed stands for itself alone."""
    if isinstance(copy, Dispatcher):
        return dict(copy.targetoptions), copy._can_compile()
    from .ufuncs import DUFunc, given_codes

    return (given_codes(copy), copy._frozen) if isinstance(copy, DUFunc) else None


def known(token):
    """The copy that an earlier pickle with this token has made, or None."""
    copy, settings = _known.get(token, (None, None))
    return copy if copy is not None and settings == _settings(copy) else None


def remember(token, copy):
    """From now on the copy stands for pickles with this token. It is complete: other threads get it."""
    if token is None:
        return
    if len(_known) >= _MOST_KNOWN:
        _known.clear()
    _known[token] = copy, _settings(copy)


# ------------------------------------------------------------------------------------------------
# Dispatchers


def _by_name(module, qualname, packed):
    from importlib import import_module

    found = import_module(module)
    for name in qualname.split("."):
        found = getattr(found, name)
    if isinstance(found, Dispatcher):
        receive(packed, found)
    return found


def _rebuild(creation, options, target_options, is_kernel=False, token=None):
    copy = known(token)
    if copy is not None:
        return copy
    kind = cuda.CUDADispatcher if is_kernel else Dispatcher
    return kind(_empty_function(*creation), options, target_options)


def _fill(dispatcher, state):
    if known(state["token"]) is dispatcher:
        return
    _fill_function(dispatcher.py_func, state)
    receive(state["machine_code"], dispatcher)
    for code in state["codes"]:
        dispatcher.compile(_ready(code))
    if not state["can_compile"]:
        dispatcher.disable_compile()
    remember(state["token"], dispatcher)


def _ready(code):
    from . import types

    if code.endswith(">"):
        return types.arguments_from_code(code)
    return types.signature_from_code(code)


def reduce(dispatcher):
    """What ``__reduce__`` of a dispatcher returns."""
    packed = machine_code(dispatcher)
    if _is_importable(dispatcher):
        name = dispatcher.__qualname__
        return (_by_name, (dispatcher.__module__, name, packed)) if packed else name
    creation, state = _function_parts(dispatcher.py_func)
    state["can_compile"] = dispatcher._can_compile()
    state["codes"] = () if state["can_compile"] else tuple(code for code, *_ in dispatcher._variants())
    state["machine_code"] = packed
    options, given = dispatcher.options, dispatcher.targetoptions
    is_kernel = isinstance(dispatcher, cuda.CUDADispatcher)
    token = state["token"] = token_of(dispatcher, options, given, is_kernel, state["codes"])
    return _rebuild, (creation, options, given, is_kernel, token), state, None, None, _fill


__all__ = ["reduce"]
