"""Intrinsics that are written for Numba: functions of (context, builder, signature, arguments) that build LLVM IR.

llvmlite, which they import themselves, builds it; here its instructions become text of MLIR's llvm dialect, which is
what our intrinsics are. Numbers, one block and calls of LLVM's own intrinsics are all that there is.
"""

import math
import struct

from . import types
from .errors import TypingError

_BINARY = "add sub mul sdiv udiv srem urem and or xor shl lshr ashr fadd fsub fmul fdiv frem".split()
_CASTS = "trunc zext sext fptrunc fpext sitofp uitofp fptosi fptoui bitcast".split()


def _refuse(what):
    raise TypingError(
        f"{what} is not compiled in an intrinsic that builds LLVM IR: numbers, one block and LLVM's intrinsics are\n"
        "hint: write it as MLIR text (docs/extending.md)"
    )


def _llvm_type(kind):
    from llvmlite import ir

    if isinstance(kind, types.Boolean):
        return ir.IntType(1)
    if isinstance(kind, types.Integer):
        return ir.IntType(kind.bitwidth)
    if isinstance(kind, types.Float) and kind.bitwidth in (32, 64):
        return ir.FloatType() if kind.bitwidth == 32 else ir.DoubleType()
    if isinstance(kind, types.NoneType):
        return ir.VoidType()
    return _refuse(f"the type {kind}")


class _Context:
    """What Numba's codegen is called with first, as far as numbers need it."""

    @staticmethod
    def get_value_type(kind):
        return _llvm_type(kind)

    get_argument_type = get_data_type = get_return_type = get_value_type

    @staticmethod
    def get_constant(kind, value):
        from llvmlite import ir

        return ir.Constant(_llvm_type(kind), value)

    @staticmethod
    def get_dummy_value():
        return None

    @staticmethod
    def cast(builder, value, kind, to):
        """Convert a number."""
        target = _llvm_type(to)
        if value.type == target:
            return value
        whole, to_whole = (isinstance(one, (types.Integer, types.Boolean)) for one in (kind, to))
        signed = getattr(kind, "signed", False)
        if isinstance(to, types.Boolean):
            return _refuse("a cast to bool")
        if whole and to_whole:
            wide = value.type.width < target.width
            return (builder.sext if signed else builder.zext)(value, target) if wide else builder.trunc(value, target)
        if whole:
            return (builder.sitofp if signed else builder.uitofp)(value, target)
        if to_whole:
            return (builder.fptosi if to.signed else builder.fptoui)(value, target)
        return (builder.fpext if to.bitwidth > kind.bitwidth else builder.fptrunc)(value, target)


def get_or_insert_function(module, function_type, name):
    """That of Numba's ``cgutils``: a function that the module declares, once."""
    from llvmlite import ir

    return module.globals.get(name) or ir.Function(module, function_type, name)


#: Of ``numba.core.cgutils`` what is here.
CGUTILS = {"get_or_insert_function": get_or_insert_function}


class _Writer:
    """Text of MLIR for the instructions of a block."""

    def __init__(self, arguments):
        self.names = {id(value): f"%a{i}" for i, value in enumerate(arguments)}
        self.lines, self.kept = [], []

    def type(self, kind):
        text = str(kind)
        found = {"float": "f32", "double": "f64"}.get(text, text)
        return found if found in ("f32", "f64") or (text[0] == "i" and text[1:].isdigit()) else _refuse(f"type {text}")

    def put(self, value, text):
        name = f"%v{len(self.names)}"
        self.names[id(value)] = name
        self.kept.append(value)  # so that its id stays its own
        self.lines.append(f"  {name} = {text}")
        return name

    def value(self, value):
        if id(value) in self.names:
            return self.names[id(value)]
        if not hasattr(value, "constant"):
            return _refuse(f"the value {value}")
        kind = self.type(value.type)
        if value.constant is None or isinstance(value.constant, type(...)) or str(value.constant) == "undef":
            return self.put(
                value, f"llvm.mlir.zero : {kind}" if value.constant is None else f"llvm.mlir.poison : {kind}"
            )
        return self.put(value, f"llvm.mlir.constant({self.number(value.constant, kind)} : {kind}) : {kind}")

    @staticmethod
    def number(number, kind):
        if kind[0] == "i":
            return str(int(number))
        if math.isfinite(number):
            return f"{float(number):.17e}"
        bits = struct.unpack("<Q" if kind == "f64" else "<I", struct.pack("<d" if kind == "f64" else "<f", number))[0]
        return f"0x{bits:X}"

    def instruction(self, one):
        name = one.opname
        if name in ("call", "tail call") or type(one).__name__ == "CallInstr":
            return self.call(one)
        operands = [self.value(operand) for operand in one.operands]
        if name in _BINARY:
            return self.put(one, f"llvm.{name} {', '.join(operands)} : {self.type(one.type)}")
        if name in _CASTS:
            return self.put(
                one, f"llvm.{name} {operands[0]} : {self.type(one.operands[0].type)} to {self.type(one.type)}"
            )
        if name in ("icmp", "fcmp"):
            kind = self.type(one.operands[0].type)
            return self.put(one, f'llvm.{name} "{one.op}" {", ".join(operands)} : {kind}')
        if name == "select":
            kinds = f"{self.type(one.operands[0].type)}, {self.type(one.type)}"
            return self.put(one, f"llvm.select {', '.join(operands)} : {kinds}")
        if name == "fneg":
            return self.put(one, f"llvm.fneg {operands[0]} : {self.type(one.type)}")
        return _refuse(f"the instruction {name}")

    def call(self, one):
        name = getattr(one.callee, "name", "")
        if not name.startswith("llvm."):
            return _refuse(f"a call of {name or one.callee}")
        operands = ", ".join(self.value(operand) for operand in one.args)
        kinds = ", ".join(self.type(operand.type) for operand in one.args)
        return self.put(one, f'llvm.call_intrinsic "{name}"({operands}) : ({kinds}) -> {self.type(one.type)}')


def text_of(codegen, signature):
    """The MLIR text of what a function builds for a signature.

    Parameters
    ----------
    codegen : function
        Of a context, llvmlite's builder, a signature and a list of llvmlite's values; it gives a value.
    signature : Signature
    """
    try:
        from llvmlite import ir
    except ImportError:
        raise TypingError("there is no llvmlite, by which this intrinsic builds its instructions") from None
    result = _llvm_type(signature.return_type)
    function = ir.Function(ir.Module(), ir.FunctionType(result, map(_llvm_type, signature.args)), "f")
    block = function.append_basic_block("entry")
    value = codegen(_Context, ir.IRBuilder(block), signature, list(function.args))
    if len(function.blocks) != 1:
        _refuse("a branch")
    writer = _Writer(function.args)
    for one in block.instructions:
        writer.instruction(one)
    given = ", ".join(f"%a{i}: {writer.type(argument.type)}" for i, argument in enumerate(function.args))
    if isinstance(signature.return_type, types.NoneType):
        head, end = f"func.func @f({given})", "  return"
    else:
        kind = writer.type(result)
        head, end = f"func.func @f({given}) -> {kind}", f"  return {writer.value(value)} : {kind}"
    return "\n".join([head + " {", *writer.lines, end, "}"])
