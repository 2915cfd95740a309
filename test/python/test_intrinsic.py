"""Intrinsics: functions whose instructions users give as MLIR text."""

import concurrent.futures
import os
import subprocess
import sys

import numpy as np
import pytest
from pyarray import njit, prange, types
from pyarray.errors import TypingError
from pyarray.extending import intrinsic

pytestmark = pytest.mark.real


@intrinsic
def popcount(context, x):
    """How many bits are set."""
    if not isinstance(x, types.Integer):
        return None
    kind = context.mlir_type(x)
    return x(
        x
    ), f"func.func @popcount(%x: {kind}) -> {kind} {{\n  %0 = math.ctpop %x : {kind}\n  return %0 : {kind}\n}}"


@intrinsic
def clamped_sum(context, a, low):
    def text(signature):
        array = context.mlir_type(signature.args[0])
        return f"""
        func.func @clamped_sum(%a: {array}, %low: f64) -> f64 {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %zero = arith.constant 0.0 : f64
          %n = memref.dim %a, %c0 : {array}
          %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {{
            %x = memref.load %a[%i] : {array}
            %y = arith.maximumf %x, %low : f64
            %t = arith.addf %s, %y : f64
            scf.yield %t : f64
          }}
          return %sum : f64
        }}"""

    return types.float64(a, types.float64), text


@intrinsic
def divmod_unchecked(context, a, b):
    return (
        types.UniTuple(types.int64, 2)(types.int64, types.int64),
        """
    func.func @f(%a: i64, %b: i64) -> (i64, i64) {
      %q = arith.divsi %a, %b : i64
      %r = arith.remsi %a, %b : i64
      return %q, %r : i64, i64
    }""",
    )


@intrinsic
def store_twice(context, a, x):
    array = context.mlir_type(a)
    return (
        types.none(a, a.dtype),
        f"""
    func.func @f(%a: {array}, %x: {context.mlir_type(a.dtype)}) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      memref.store %x, %a[%c0] : {array}
      memref.store %x, %a[%c1] : {array}
      return
    }}""",
    )


def test_numbers():
    @njit
    def f(n):
        return popcount(n) + popcount(n)

    assert [f(n) for n in (0, 1, 255, -1)] == [0, 2, 16, 128]
    assert f(np.uint8(255)) == 16 and len(f.signatures) == 2
    assert all("math.ctpop" in text for text in f.inspect_mlir("typed").values())
    assert not any("intrinsic" in text for text in f.inspect_llvm().values())  # it is inlined


def test_arrays_and_conversions():
    f = njit(lambda a, low: clamped_sum(a, low))
    a = np.array([-1.0, 2.0, 3.0, -4.0])
    assert f(a, 0) == 5.0 and f(a[::2], 1) == 4.0 and f(np.zeros(0), 1.5) == 0.0


def test_several_results_and_none():
    @njit
    def f(a, b):
        q, r = divmod_unchecked(a, b)
        return q * b + r == a, q, r

    assert f(17, 5) == (True, 3, 2)

    @njit
    def g(a):
        store_twice(a, 3)
        return a

    assert g(np.zeros(3)).tolist() == [3.0, 3.0, 0.0] and g(np.zeros(2, np.int8)).tolist() == [3, 3]


def test_in_loops_and_parallel_loops():
    @njit(parallel=True)
    def f(n):
        total = 0
        for i in prange(n):
            total += popcount(i)
        return total

    assert f(1000) == sum(bin(i).count("1") for i in range(1000))


def test_interpreted_calls_are_refused():
    with pytest.raises(NotImplementedError, match="the intrinsic popcount is for compiled code alone"):
        popcount(3)
    assert popcount.__doc__ == "How many bits are set."


def made(text, signature=None):
    return intrinsic(lambda context, x: ((signature or types.int64(types.int64)), text))


REFUSED = [
    (
        made("func.func @f(%x: i64) -> i64 {\n  %0 = arith.addx %x, %x : i64\n  return %0 : i64\n}"),
        r"is invalid: .*arith.addx.*\n.*line 2:",
    ),
    (made("func.func @f(%x: i64) -> i64 {\n  %0 = arith.addi %x, %x : i32\n  return %0 : i64\n}"), "is invalid: "),
    (made("func.func @f(%x: i64) -> i64 {\n  return %x : i64\n"), "is invalid: "),
    (made("func.func @f(%x: i64) -> i64 {\n  cf.br ^bb7\n}"), "is invalid: "),
    (made(""), "is not one func.func with a body"),
    (made("func.func private @f(i64) -> i64"), "is not one func.func with a body"),
    (made("func.func @f(%x: i64) -> i64 { return %x : i64 }\nfunc.func @g() { return }"), "is not one func.func"),
    (
        made("func.func @f(%x: i32) -> i64 { %0 = arith.extsi %x : i32 to i64\n return %0 : i64 }"),
        r"has the type .*i32.*; its signature asks for \(i64\) -> \(i64\)",
    ),
    (made("func.func @f(%x: i64) { return }"), "its signature asks for"),
    (made(7), "gave 7 as its text"),
    (made(lambda a, b, c, d: ""), "there is no llvmlite|is not compiled in an intrinsic"),
    (made("", types.int64(types.unicode_type)), "no parameters and results of type unicode_type"),
    (made("", types.float64[:](types.int64)), "intrinsics cannot return arrays"),
    (made("", types.int64(types.int64, types.int64)), "a signature of 2 arguments for 1"),
    (
        made("func.func @f(%x: i64) -> i64 { %0 = func.call @f(%x) : (i64) -> i64\n return %0 : i64 }"),
        "has a func.call: an intrinsic calls no function",
    ),
    (
        made(
            'func.func @f(%x: i64) -> i64 { %0 = llvm.inline_asm "nop", "=Q,Zz" %x : (i64) -> i64\n return %0 : i64 }'
        ),
        "has a llvm.inline_asm: there is no assembler",
    ),
    (
        made(
            "func.func @f(%x: i64) -> i64 {\n  %b = vector.broadcast %x : i64 to vector<[4]xi64>\n"
            "  %0 = vector.reduction <add>, %b : vector<[4]xi64> into i64\n  return %0 : i64\n}"
        ),
        r"has a vector.broadcast: scalable vectors are not supported.*\n  line 2:",
    ),
    (
        made('func.func @f(%x: i64) -> i64 { pyarray.raise "ValueError"() : () -> ()\n return %x : i64 }'),
        "has a pyarray.raise: operations are of the dialects arith, cf, complex",
    ),
    (
        made("func.func @f(%x: i64) -> i64 attributes {pyarray.entry} { return %x : i64 }"),
        "has the attribute pyarray.entry; it must have none",
    ),
    # What LLVM alone can tell: it would end the process.
    (
        made(
            'func.func @f(%x: i64) -> i64 { %t = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.tid.x"() : () -> i32\n'
            "%0 = arith.extsi %t : i32 to i64\n return %0 : i64 }"
        ),
        r"LLVM cannot compile the code: Cannot select(?s:.*)Hint: see the MLIR text of the intrinsics .*<lambda>\(\)",
    ),
    (
        made(
            'func.func @f(%x: i64) -> i64 { %0 = llvm.call_intrinsic "llvm.nonsense"(%x) : (i64) -> i64\n'
            "return %0 : i64 }"
        ),
        'could not find LLVM intrinsic: "llvm.nonsense"(?s:.*)Hint: see the MLIR text',
    ),
    (intrinsic(lambda context, x: 3), "expected a signature"),
    (intrinsic(lambda context, x: None), "no overload of"),
]


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_refused_texts(number):
    function, message = REFUSED[number]
    with pytest.raises(TypingError, match=message):
        njit(lambda x: function(x))(3)
    # and the compiler is well afterwards
    assert njit(lambda n: popcount(n))(7) == 3


def test_a_fatal_error_of_llvm_leaves_the_compiler_well():
    """Also where several threads compile: what was under way is abandoned, and nothing else."""
    bad = made(
        'func.func @f(%x: i64) -> i64 { %0 = llvm.call_intrinsic "llvm.vscale.i64"() : () -> i64\n return %0 : i64 }'
    )

    def compile_both(number):
        with pytest.raises(TypingError, match="LLVM cannot compile the code"):
            njit(lambda x: bad(x) + number)(3)
        return njit(lambda n: popcount(n) + number)(7)

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert list(pool.map(compile_both, range(12))) == [3 + number for number in range(12)]


def test_refused_calls():
    with pytest.raises(TypingError, match="takes no arguments by name"):
        njit(lambda n: popcount(x=n))(3)
    with pytest.raises(TypingError, match="no overload of"):
        njit(lambda x: popcount(x))(1.5)
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        intrinsic(colour=1)
    with pytest.raises(TypeError, match="an intrinsic is a function of types"):
        intrinsic(3)


PROGRAM = '''
from pyarray import njit, types
from pyarray.extending import intrinsic
@intrinsic
def f(context, x):
    text = """
      func.func @f(%x: i64) -> i64 {
        %c = arith.constant NUMBER : i64
        %0 = arith.addi %x, %c : i64
        return %0 : i64
      }"""
    return types.int64(types.int64), text
@njit
def g(x):
    return f(x)
print(g(1), g.stats.cache_hits)
'''


def test_cache_follows_the_text(tmp_path):
    environment = {**os.environ, "PYARRAY_CACHE_DIR": str(tmp_path / "cache"), "PYARRAY_CACHE": "1"}

    def run(number):
        path = tmp_path / "program.py"
        path.write_text(PROGRAM.replace("NUMBER", str(number)))
        return subprocess.run(
            [sys.executable, str(path)], env=environment, capture_output=True, text=True, check=True
        ).stdout.split()[0]

    assert [run(1), run(1), run(5), run(1)] == ["2", "2", "6", "2"]


def test_codegen_of_llvmlite():
    ir = pytest.importorskip("llvmlite.ir")
    from pyarray._llvmlite_code import get_or_insert_function

    @intrinsic
    def bits(typingctx, x):
        def codegen(context, builder, sig, args):
            value = context.cast(builder, args[0], sig.args[0], types.int32)
            return builder.bitcast(value, ir.FloatType())

        return types.float32(x), codegen

    @intrinsic
    def ones(typingctx, x):
        def codegen(context, builder, sig, args):
            kind = args[0].type
            function = get_or_insert_function(builder.module, ir.FunctionType(kind, [kind]), "llvm.ctpop.i8")
            more = builder.add(builder.call(function, [args[0]]), context.get_constant(types.uint8, 1))
            return builder.select(builder.icmp_unsigned(">", more, ir.Constant(kind, 3)), more, ir.Constant(kind, 0))

        return types.uint8(types.uint8), codegen

    @intrinsic
    def branches(typingctx, x):
        def codegen(context, builder, sig, args):
            with builder.if_then(builder.icmp_signed(">", args[0], ir.Constant(args[0].type, 0))):
                pass
            return args[0]

        return x(x), codegen

    assert np.float32(njit(lambda x: bits(x))(123456)).view(np.int32) == 123456
    assert njit(lambda x: ones(x))(np.uint8(0b1011)) == 4 and njit(lambda x: ones(x))(np.uint8(1)) == 0
    with pytest.raises(TypingError, match="a branch is not compiled in an intrinsic"):
        njit(lambda x: branches(x))(1)
