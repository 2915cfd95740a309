"""``cuda.declare_device``: functions of other code that kernels call.

A declared function is a function of compiled code around an intrinsic, whose text declares it and calls it.
"""

import os
import re

from .. import types
from ..extending import _mlir_type, _Refused, _results, intrinsic, overload
from . import _link
from ._compile import is_symbol, read_flag
from ._errors import CudaRuntimeError, ForeignFunctionError

_ABIS = ("numba", "c")
_KEY = "declared"  # of typers: `DeclaredFunction` has a key of its own, which enters that of functions that refer to it
_ABORTED = "it has aborted, trapped, failed an assertion, or come to its end without a return"
_declared = []  # all that there are: their numbers are in IR


def declare_device(name, sig, link=None, use_cooperative=False, abi="numba"):
    """Declare a function of CUDA C++, PTX or other code, which kernels are linked with.

    Parameters
    ----------
    name : str
        Its name there; that of C++ functions without ``extern "C"`` is the mangled one.
    sig : Signature or str
        Result and arguments: bool, integers, float32, float64, times, pointers, records and arrays. Records and arrays
        are passed as pointers to their first bytes.
    link : path-like, LinkableCode, or sequence of these, optional
        What defines it: kernels that call it are linked with this, besides their own ``link``.
    use_cooperative : bool
        Kernels that call it need all their blocks at once: the function synchronises the grid.
    abi : {"numba", "c"}
        "numba": the function returns a status, an int, which is 0 unless it failed, and stores its result through its
        first parameter, a pointer; a status other than 0 raises `ForeignFunctionError` in the kernel. "c": it returns
        its result.

    Returns
    -------
    DeclaredFunction
        For kernels and device functions.

    Raises
    ------
    TypeError
        The signature has no result, or a type that C functions are not given.
    """
    return DeclaredFunction(name, sig, link, use_cooperative, abi)


def _read_signature(sig):
    from ..signatures import code_of

    if not isinstance(sig, (str, types.Signature)):
        raise TypeError(f"a declared function has a signature with a result, such as 'int32(int32)', not {sig!r}")
    code = code_of(sig)
    if code.endswith(">"):
        raise TypeError("Return type must be provided for device declarations")
    return types.signature_from_code(code) if isinstance(sig, str) else sig


class DeclaredFunction:
    """What `declare_device` makes."""

    def __init__(self, name, sig, link, use_cooperative, abi):
        if not isinstance(name, str) or not is_symbol(name):
            raise TypeError(f"the name of a declared function is the name of a symbol, not {name!r}")
        if abi not in _ABIS:
            raise NotImplementedError(f"Unsupported ABI: {abi}")
        self.name = self.__name__ = self.__qualname__ = name
        self.sig, self.abi = _read_signature(sig), abi
        self.use_cooperative = read_flag("use_cooperative", use_cooperative)
        single = isinstance(link, (str, os.PathLike, _link.LinkableCode))
        self.link = _link.read((link,) if single else () if link is None else link)
        self._kinds, self._kind = [_known(kind) for kind in self.sig.args], _known(self.sig.return_type)
        self._parameters = [_parameter(kind, self) for kind in self._kinds]
        self._result = _result(self._kind, self)
        self._number = len(_declared)
        _declared.append(self)
        self._raw = _intrinsic_of(self)
        overload(self, target="cuda")(_Typer(self))

    def __call__(self, *arguments):
        raise NotImplementedError(f"{self.name}() is declared by cuda.declare_device: kernels alone can call it")

    def __repr__(self):
        return f"<declared function {self.name}: {self.sig}>"

    def __reduce__(self):
        return declare_device, (self.name, self.sig, self.link, self.use_cooperative, self.abi)

    @property
    def __pyarray_key__(self):
        if _link.has_callbacks(self.link):
            return object()  # what is kept on disk does not say which functions it declares
        return "declared", self.name, self.sig.code, self.abi, self.use_cooperative, _link.key(self.link)


class _LinkAlone:
    """What a device function is linked with."""

    def __init__(self, link):
        self.link = link


def number_of(link):
    """A number for `links_of` that stands for the ``link`` of a device function."""
    for number, one in enumerate(_declared):
        if isinstance(one, _LinkAlone) and one.link is link:
            return number
    _declared.append(_LinkAlone(link))
    return len(_declared) - 1


def links_of(numbers):
    """What functions are defined by, given their numbers in IR."""
    return [part for number in numbers for part in _declared[number].link]


# ------------------------------------------------------------------------------------------------
# Types in C


def _known(kind):
    """The type, or ``void *`` for one of the user's that is a pointer."""
    return types.voidptr if kind.code == "*n" else kind


def _number(kind, function):
    """The MLIR type of a number as C passes it, and its attribute."""
    if isinstance(kind, types.Boolean):
        return "i8", "llvm.zeroext"
    if isinstance(kind, types.Integer):
        extension = "" if kind.bitwidth >= 32 else "llvm.signext" if kind.signed else "llvm.zeroext"
        return f"i{kind.bitwidth}", extension
    if isinstance(kind, types.Float) and kind.bitwidth >= 32:
        return f"f{kind.bitwidth}", ""
    if isinstance(kind, (types.NPDatetime, types.NPTimedelta)):
        return "i64", ""
    raise TypeError(f"{function.name}(): values of type {kind} are not passed to C functions; declare a pointer")


def _parameter(kind, function):
    if isinstance(kind, (types.CPointer, types.Record, types.Array)):
        return "!llvm.ptr", ""
    return _number(kind, function)


def _result(kind, function):
    """The MLIR types of the parts of a result: two of a complex number."""
    if isinstance(kind, types.NoneType):
        return []
    if isinstance(kind, types.CPointer):
        return [("!llvm.ptr", "")]
    if isinstance(kind, types.Complex) and function.abi == "numba":
        return [(f"f{kind.bitwidth // 2}", "")] * 2
    return [_number(kind, function)]


# ------------------------------------------------------------------------------------------------
# The text


def _address(name, kind):
    """Lines that make ``%p{name}`` of an array or record ``%{name}``: the address of its first byte."""
    memref = _mlir_type(kind)
    extents, element = re.match(r"memref<((?:(?:\?|\d+)x)*)(.+?), strided", memref).groups()
    rank, size = extents.count("x"), 1 if element == "i8" else kind.dtype.bitwidth // 8
    parts = ", ".join(f"%{part}{name}" for part in ["base", "offset", *(f"m{i}" for i in range(2 * rank))])
    indices = ", ".join(["index"] * (1 + 2 * rank))
    return [
        f"{parts} = memref.extract_strided_metadata %{name} : {memref} -> memref<{element}>, {indices}",
        f"%start{name} = memref.extract_aligned_pointer_as_index %{name} : {memref} -> index",
        f"%size{name} = arith.constant {size} : index",
        f"%bytes{name} = arith.muli %offset{name}, %size{name} : index",
        f"%at{name} = arith.addi %start{name}, %bytes{name} : index",
        f"%word{name} = arith.index_cast %at{name} : index to i64",
        f"%p{name} = llvm.inttoptr %word{name} : i64 to !llvm.ptr",
    ]


def _points_to(wanted, given):
    """Whether a pointer to ``given`` may be passed for one to ``wanted``."""
    return isinstance(wanted, types.NoneType) or isinstance(given, types.NoneType) or wanted == given


def _is_record(given, wanted):
    return isinstance(given, types.Record) and (given.dtype == wanted.dtype or given == wanted)


def _fits(wanted, given):
    """Whether an argument of type ``given`` has the address that the parameter ``wanted`` stands for."""
    if isinstance(given, types.CPointer):
        pointee = wanted.dtype if isinstance(wanted, (types.CPointer, types.Array)) else wanted
        return _points_to(pointee, given.dtype)
    if isinstance(wanted, types.Record):
        return _is_record(given, wanted)
    if isinstance(wanted, types.Array):
        same = isinstance(given, types.Array) and (given.dtype, given.ndim) == (wanted.dtype, wanted.ndim)
        return (
            same and given.aligned and (wanted.layout in ("A", given.layout) or given.ndim == 1 and given.layout != "A")
        )
    if isinstance(given, types.Record):
        return isinstance(wanted.dtype, types.NoneType) or _is_record(given, wanted.dtype)
    contiguous = isinstance(given, types.Array) and given.layout in ("C", "F") and given.aligned
    return contiguous and _points_to(wanted.dtype, given.dtype)


def _argument(wanted, given, name):
    """(type that the argument is converted to, lines, value that is passed), or None where it does not fit."""
    if isinstance(wanted, types.Boolean):
        return wanted, [f"%p{name} = arith.extui %{name} : i1 to i8"], f"%p{name}"
    if not isinstance(wanted, (types.CPointer, types.Record, types.Array)):
        return wanted, [], f"%{name}"
    address = isinstance(given, types.Integer) and wanted == types.voidptr
    if address:
        return types.int64, [f"%p{name} = llvm.inttoptr %{name} : i64 to !llvm.ptr"], f"%p{name}"
    if not _fits(wanted, given):
        return None
    if isinstance(given, types.CPointer):
        return given, [], f"%{name}"
    return given, _address(name, given), f"%p{name}"


def _declaration(function):
    parameters, results = function._parameters, function._result
    if function.abi == "numba":
        parameters, results = [("!llvm.ptr", ""), *parameters], [("i32", "")]
    spelled = [", ".join(f"{t} {{{e}}}" if e else t for t, e in each) for each in (parameters, results)]
    return (
        f'llvm.func @"linked.{function.name}"({spelled[0]}){f" -> ({spelled[1]})" if results else ""} attributes {{'
        f'passthrough = [["pyarray.linked", "{function.name}"]], pyarray.linked = "{function.name}", '
        f"pyarray.declared = {function._number} : i64{', pyarray.cooperative' if function.use_cooperative else ''}}}"
    )


def _failure(function):
    """A declaration of what tells whether the call before has failed, as linked code does on the CPU alone."""
    return (
        f'llvm.func @"failure.{function.name}"() -> i32 attributes {{'
        f'passthrough = [["pyarray.linked_failure", "{function.name}"]]}}'
    )


def _call(function, values):
    """Lines that call it, and the values that it leaves: the status first, which is 0 without Numba's convention."""
    kinds, results = [kind for kind, _ in function._parameters], [kind for kind, _ in function._result]
    symbol = f'@"linked.{function.name}"'
    if function.abi == "c":
        call = f"llvm.call {symbol}({', '.join(values)}) : ({', '.join(kinds)}) -> ({', '.join(results)})"
        status = "%status = arith.constant 0 : i32"
        return ([f"%r0 = {call}", status], ["%status", "%r0"]) if results else ([call, status], ["%status"])
    memory = f"!llvm.struct<({', '.join(results or ['i64'])})>"
    passed, given = ", ".join(["%memory", *values]), ", ".join(["!llvm.ptr", *kinds])
    lines = [
        "%one = llvm.mlir.constant(1 : i64) : i64",
        f"%memory = llvm.alloca %one x {memory} {{alignment = 16 : i64}} : (i64) -> !llvm.ptr",
        f"%status = llvm.call {symbol}({passed}) : ({given}) -> i32",
        f"%all = llvm.load %memory : !llvm.ptr -> {memory}",
    ]
    lines += [f"%r{i} = llvm.extractvalue %all[{i}] : {memory}" for i in range(len(results))]
    return lines, ["%status", *(f"%r{i}" for i in range(len(results)))]


def _finish(kind, left):
    """Lines that make the result of what the call left, and the values then."""
    if isinstance(kind, types.Boolean):
        return ["%zero = arith.constant 0 : i8", f"%bool = arith.cmpi ne, {left[-1]}, %zero : i8"], [
            *left[:-1],
            "%bool",
        ]
    if isinstance(kind, types.Complex):
        made = f"%complex = complex.create {left[-2]}, {left[-1]} : {_mlir_type(kind)}"
        return [made], [*left[:-2], "%complex"]
    return [], left


def _convert(function, given):
    """The types that arguments are converted to, lines, and the values that are passed."""
    kinds, lines, values = [], [], []
    for i, kind in enumerate(given):
        found = _argument(function._kinds[i], kind, f"a{i}")
        if found is None:
            hint = "\nhint: pass a contiguous array of such elements, ffi.from_buffer(a), or a pointer"
            raise _Refused(
                f"argument {i + 1} of the declared function {function.name}() has type {kind}; expected "
                f"{function.sig.args[i]}{hint if isinstance(function._kinds[i], types.CPointer) else ''}"
            )
        kinds.append(found[0])
        lines += found[1]
        values.append(found[2])
    return kinds, lines, values


def _text(function, given):
    """The signature of the intrinsic for arguments of these types, and its text."""
    kinds, lines, values = _convert(function, given)
    call, left = _call(function, values)
    call.append(f'%failure = llvm.call @"failure.{function.name}"() : () -> i32')
    more, left = _finish(function._kind, left)
    kind = function._kind
    result = types.Tuple((types.int32, types.int32, *(() if isinstance(kind, types.NoneType) else (kind,))))
    results = ", ".join(_results(result))
    parameters = ", ".join(f"%a{i}: {_mlir_type(kind)}" for i, kind in enumerate(kinds))
    body = "\n  ".join([*lines, *call, *more, f"return {', '.join(['%failure', *left])} : {results}"])
    declarations = f"{_declaration(function)}\n{_failure(function)}\n"
    return result(*kinds), f"{declarations}func.func @call({parameters}) -> ({results}) {{\n  {body}\n}}\n"


# ------------------------------------------------------------------------------------------------
# The function that compiled code calls


class _Typer:
    """What is asked for the function with arguments of some types; its code is found by those of `DeclaredFunction`."""

    __pyarray_key__ = _KEY

    def __init__(self, function):
        self.function, self.__qualname__ = function, function.name
        self.unbound = f"the declared function {function.name}() takes no arguments by name"

    def __call__(self, *arguments):
        function = self.function
        if len(arguments) != len(function.sig.args):
            count = len(function.sig.args)
            raise _Refused(
                f"the declared function {function.name}() takes {count} argument{'' if count == 1 else 's'}, but "
                f"{len(arguments)} {'was' if len(arguments) == 1 else 'were'} given"
            )
        raw, name = function._raw, function.name
        overflowed = f"stack overflow in the linked function {name}()"
        aborted = f"the linked function {name}() cannot go on: {_ABORTED}"
        if isinstance(function.sig.return_type, types.NoneType):

            def call(*arguments):
                failure, status = raw(*arguments)
                if failure == 1:
                    raise RecursionError(overflowed)
                if failure == 2:
                    raise CudaRuntimeError(aborted)
                if status != 0:
                    raise ForeignFunctionError(name, status)

        else:

            def call(*arguments):
                failure, status, result = raw(*arguments)
                if failure == 1:
                    raise RecursionError(overflowed)
                if failure == 2:
                    raise CudaRuntimeError(aborted)
                if status != 0:
                    raise ForeignFunctionError(name, status)
                return result

        call.__name__ = call.__qualname__ = name
        call.__pyarray_no_frame__ = True
        return call


def _intrinsic_of(function):
    def typer(context, *given):
        return _text(function, given)

    typer.__qualname__ = typer.__name__ = function.name
    typer.__pyarray_key__ = _KEY
    made = intrinsic(typer, target="cuda")
    made._declares = True
    return made
