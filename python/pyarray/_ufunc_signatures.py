"""Signatures of ufuncs: what the functions are, which types their signatures declare, and which core dimensions."""

import operator

from . import types
from ._pyarray import Dispatcher, core_signature
from .decorators import _function_type
from .errors import TypingError, UnsupportedError
from .signatures import code_of

MOST_OPERANDS = 64

# ------------------------------------------------------------------------------------------------
# Functions


def plain_function(value):
    if isinstance(value, Dispatcher):
        value = value.py_func
    if type(value) is not _function_type:
        raise TypeError(f"The decorated object is not a function (got type {type(value)}).")
    code = value.__code__
    if code.co_kwonlyargcount or code.co_flags & 0x0C:
        raise TypeError(
            f"{value.__qualname__}() cannot be a ufunc: its parameters must all be positional, without *args"
        )
    if not code.co_argcount:
        raise TypeError(f"{value.__qualname__}() cannot be a ufunc: it has no parameters")
    return value


def _assigned_values(node):
    """The expressions that are assigned to each name of a function, by plain assignments of one name."""
    import ast

    values = {}
    for statement in ast.walk(node):
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            values.setdefault(statement.targets[0].id, []).append(statement.value)
    return values


def _returned_lengths(node, values):
    """Lengths of the tuples that an expression gives; 1 for everything else. `values`: those of local names."""
    import ast

    if isinstance(node, ast.IfExp):
        return _returned_lengths(node.body, values) | _returned_lengths(node.orelse, values)
    if isinstance(node, ast.Name):
        rest = {name: value for name, value in values.items() if name != node.id}
        return set().union(*(_returned_lengths(value, rest) for value in values.get(node.id, ()))) or {1}
    return {len(node.elts)} if isinstance(node, ast.Tuple) else {1}


def _returned_nodes(node):
    import ast

    if isinstance(node, ast.Lambda):
        return [node.body]
    found, waiting = [], list(node.body)
    while waiting:
        statement = waiting.pop()
        if isinstance(statement, ast.Return) and statement.value is not None:
            found.append(statement.value)
        elif not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            waiting.extend(child for child in ast.iter_child_nodes(statement) if isinstance(child, ast.stmt))
            for handler in getattr(statement, "handlers", ()) or getattr(statement, "cases", ()):
                waiting.extend(handler.body)
    return found


def output_count(function):
    """How many outputs a function has that returns them, as its return statements show: ``return a, b`` is two."""
    import ast
    from opcode import opmap

    code = function.__code__
    makers = {opmap.get(name) for name in ("BUILD_TUPLE", "LIST_TO_TUPLE", "CALL_INTRINSIC_1")}
    if not makers.intersection(code.co_code[::2]) and not any(isinstance(c, tuple) for c in code.co_consts):
        return 1
    from ._source import function_ast

    try:
        node, _ = function_ast(function)
    except UnsupportedError:
        return 1
    values = {} if isinstance(node, ast.Lambda) else _assigned_values(node)
    lengths = set().union(*(_returned_lengths(value, values) for value in _returned_nodes(node)))
    if lengths == {0}:
        raise TypingError(f"{function.__qualname__}() returns an empty tuple; a ufunc has at least one output")
    return lengths.pop() if len(lengths) == 1 else 1


# ------------------------------------------------------------------------------------------------
# Layouts: "(m,n),(n)->(m)"


def _with_an_output(text):
    before, _, last = text.rpartition("(")
    before = before.strip()
    if "->" in text or (before and not before.endswith(",")) or not last.rstrip().endswith(")"):
        return text
    return f"{before.removesuffix(',')}->({last}"


class Layout:
    """Core dimensions of the operands of a ufunc.

    Attributes
    ----------
    text : str
        As NumPy takes it: without spaces, and without an arrow where there are no outputs.
    compiled : str
        The signature that loops are compiled for: there the last operand is an output, if none is.
    inputs, outputs : list of tuple of str
        Names or sizes of the core dimensions of each operand.
    """

    def __init__(self, text):
        if not isinstance(text, str):
            raise TypeError(f"a ufunc signature is text such as '(m,n),(n)->(m)', not {text!r}")
        self.compiled, self.inputs, self.outputs = core_signature(_with_an_output(text))
        self.text = self.compiled
        if "->" in text:
            if not self.inputs:
                raise ValueError(f"expect '(' at position 0 in \"{text}\"; a signature has inputs")
            self._check_names()
        else:
            self.inputs, self.outputs = self.inputs + self.outputs, []
            self.text = self.compiled.replace("->", ",").lstrip(",")

    def _check_names(self):
        known = {name.rstrip("?") for group in self.inputs for name in group}
        wanted = {name.rstrip("?") for group in self.outputs for name in group if not name[0].isdigit()}
        if wanted - known:
            raise NameError(
                f"undefined output symbols: {','.join(sorted(wanted - known))}; in '{self.text}' the size of each core "
                "dimension of an output must follow from the inputs"
            )

    @property
    def operands(self):
        return self.inputs + self.outputs

    @property
    def returns_scalars(self):
        return not any(self.outputs)


def scalar_layout(function, nin, nout):
    if nin + nout > MOST_OPERANDS:
        raise ValueError(
            f"{function.__qualname__}() has too many operands: a ufunc takes at most {MOST_OPERANDS} inputs and outputs"
        )
    return Layout(",".join(["()"] * nin) + "->" + ",".join(["()"] * nout))


def counted(number, noun):
    return f"{number} {noun}" + "s" * (number != 1)


# ------------------------------------------------------------------------------------------------
# Signatures of vectorize


def _written(kind):
    """A type as one writes it in a signature."""
    if isinstance(kind, types.Array):
        return f"{kind.dtype}[{','.join(':' * kind.ndim)}]"
    return "void" if kind == types.none else str(kind)


def shown(code):
    """A signature as one writes it."""
    arguments = ", ".join(map(_written, types.arguments_from_code(code)))
    result = code[code.index(">") + 1 :]
    return f"{_written(types.from_code(result)) if result else ''}({arguments})"


def _check_argument_count(function, code, wanted):
    count = len(types.arguments_from_code(code))
    if count != wanted:
        raise TypeError(
            f"Signature mismatch: {count} argument types given, but function takes {wanted} arguments: {shown(code)} "
            f"for {function.__qualname__}()"
        )


def outputs_of(code):
    """The result types of a signature, None where it declares none."""
    result = code[code.index(">") + 1 :]
    if not result:
        return None
    result = types.from_code(result)
    return result.types if isinstance(result, types.BaseTuple) else (result,)


def _check_scalars(function, code):
    for index, kind in enumerate(types.arguments_from_code(code)):
        if not isinstance(kind, types.Number):
            raise TypingError(
                f"vectorize compiles functions of scalars: argument {index} of {shown(code)}, for "
                f"{function.__qualname__}(), is {_written(kind)}. Use guvectorize for functions of arrays."
            )
    outputs = outputs_of(code)
    if outputs == ():
        raise TypingError(
            f"vectorize compiles functions that return a number, or a tuple of numbers: {shown(code)}, for "
            f"{function.__qualname__}(), returns an empty tuple"
        )
    for kind in outputs or ():
        if not isinstance(kind, types.Number):
            raise TypingError(
                f"vectorize compiles functions that return a number, or a tuple of numbers: {shown(code)}, for "
                f"{function.__qualname__}(), returns {_written(kind)}. Use guvectorize for functions that write arrays."
            )


def scalar_code(function, signature):
    code = code_of(signature)
    _check_argument_count(function, code, function.__code__.co_argcount)
    _check_scalars(function, code)
    return code


def declared_output_count(function, codes):
    counts = {len(outputs_of(code)) for code in codes if outputs_of(code)}
    if len(counts) > 1:
        raise TypeError(
            f"all signatures of {function.__qualname__}() must have equally many outputs: "
            + ", ".join(map(shown, codes))
        )
    return counts.pop() if counts else output_count(function)


# ------------------------------------------------------------------------------------------------
# Signatures of guvectorize


def writes_outputs(function, layout):
    """Whether the outputs are parameters of the function; otherwise it returns them."""
    count = function.__code__.co_argcount
    nin, nout = len(layout.inputs), len(layout.outputs)
    if count == nin + nout:
        return True
    if count == nin and layout.returns_scalars:
        return False
    wanted = f"{nin + nout} parameters, the outputs last"
    if layout.returns_scalars:
        wanted += f", or {nin} and returns the outputs"
    raise TypeError(
        f"{function.__qualname__}() has {counted(count, 'parameter')}; with signature '{layout.text}' "
        f"({counted(nin, 'input')}, {counted(nout, 'output')}) it takes {wanted}"
    )


def _core(dimensions):
    return f"({','.join(dimensions)})"


def _core_code(kind, index, layout, code):
    """The type code of one parameter, in any layout."""
    dimensions = layout.operands[index]
    is_output = index >= len(layout.inputs)
    rank = kind.ndim if isinstance(kind, types.Array) else 0
    where = f"argument {index} of {shown(code)} with signature '{layout.text}'"
    if not isinstance(kind, (types.Number, types.Array)):
        raise TypingError(f"{where}: {kind} is neither a number nor an array")
    if is_output and not rank:
        colons = ",".join(":" * max(1, len(dimensions)))
        raise TypeError(f"{where}: the output {_core(dimensions)} must be an array, {kind}[{colons}]")
    if rank != len(dimensions) and not (rank == 1 and not dimensions):
        raise TypeError(
            f"type and shape signature mismatch for arg #{index + 1}: {_written(kind)} has "
            f"{counted(rank, 'dimension')}, {_core(dimensions)} has {len(dimensions)}; {where}"
        )
    return f"[A{rank}{kind.dtype.code}" if rank else kind.code


def _core_result(function, layout, code, writes):
    outputs = outputs_of(code)
    if writes:
        if outputs not in (None, (types.none,)):
            raise TypeError(
                f"gufunc kernel must have void return type: {shown(code)} for {function.__qualname__}(), which has "
                f"a parameter for each output of '{layout.text}'"
            )
        return "n"
    if outputs is not None and (len(outputs) != len(layout.outputs) or types.none in outputs):
        raise TypeError(
            f"{shown(code)} for {function.__qualname__}() returns {counted(len(outputs), 'value')} of type "
            f"{', '.join(map(_written, outputs))}; '{layout.text}' has {counted(len(layout.outputs), 'output')}"
        )
    return code[code.index(">") + 1 :]


def core_signature_code(function, layout, signature):
    code = code_of(signature)
    writes = writes_outputs(function, layout)
    wanted = len(layout.inputs) + (len(layout.outputs) if writes else 0)
    _check_argument_count(function, code, wanted)
    kinds = types.arguments_from_code(code)
    arguments = "".join(_core_code(kind, index, layout, code) for index, kind in enumerate(kinds))
    return f"{arguments}>{_core_result(function, layout, code, writes)}"


def _index(value):
    try:
        return operator.index(value)
    except TypeError:
        return None


def writable_bits(function, layout, writable):
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    bits = 0
    for given in () if writable is None else writable:
        if isinstance(given, str) and given not in names:
            raise RuntimeError(
                f"Specified writable arg {given} not found in arg list {list(names)} for function "
                f"{function.__qualname__}"
            )
        index = names.index(given) if isinstance(given, str) else _index(given)
        if index is None or not 0 <= index < len(layout.inputs):
            raise ValueError(f"All values in writable_args must be integers between 0 and nin - 1, not {given!r}")
        bits |= 1 << index
    return bits
