// RUN: pyarray-opt %s --pyarray-lower --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @simple
// CHECK: arith.addi %arg0, %arg0 : i32
// CHECK: arith.mulf %arg1, %arg1 : f64
// CHECK: complex.sub %arg2, %arg2 : complex<f64>
// CHECK: arith.ori %arg3, %arg3 : i1
func.func @simple(%i: si32, %x: f64, %z: complex<f64>, %b: i1) -> tuple<si32, f64, complex<f64>, i1> {
  %0 = pyarray.binary add %i, %i : (si32, si32) -> si32
  %1 = pyarray.binary mul %x, %x : (f64, f64) -> f64
  %2 = pyarray.binary sub %z, %z : (complex<f64>, complex<f64>) -> complex<f64>
  %3 = pyarray.binary or %b, %b : (i1, i1) -> i1
  %4 = pyarray.tuple %0, %1, %2, %3 : (si32, f64, complex<f64>, i1) -> tuple<si32, f64, complex<f64>, i1>
  return %4 : tuple<si32, f64, complex<f64>, i1>
}

// -----

// Division rounds towards minus infinity; by -1 it must not overflow.
// CHECK: args = ["integer division or modulo by zero"], exception = "ZeroDivisionError"
// CHECK-LABEL: func.func @floordiv
// CHECK: %[[ZERO:.*]] = arith.cmpi eq, %arg1, %c0_i64
// CHECK: scf.if %[[ZERO]] {
// CHECK-NEXT: func.call @pyarray_rt_raise
// CHECK: %[[ONE:.*]] = arith.cmpi eq, %arg1, %c-1_i64
// CHECK: %[[SAFE:.*]] = arith.select %[[ONE]], %c1_i64, %arg1
// CHECK: arith.divsi %arg0, %[[SAFE]]
// CHECK: arith.remsi %arg0, %[[SAFE]]
func.func @floordiv(%a: si64, %b: si64) -> si64 {
  %0 = pyarray.binary floordiv %a, %b : (si64, si64) -> si64
  return %0 : si64
}

// -----

// Under NumPy's rules the quotient by 0 is 0.
// CHECK-LABEL: func.func @floordiv_numpy
// CHECK-NOT: scf.if
// CHECK: %[[ZERO:.*]] = arith.cmpi eq, %arg1, %c0_i32
// CHECK: %[[SAFE:.*]] = arith.select %[[ZERO]], %c1_i32, %arg1
// CHECK: %[[Q:.*]] = arith.divui %arg0, %[[SAFE]]
// CHECK: arith.select %[[ZERO]], %c0_i32, %[[Q]]
func.func @floordiv_numpy(%a: ui32, %b: ui32) -> ui32 attributes {pyarray.options = {error_model = "numpy"}} {
  %0 = pyarray.binary floordiv %a, %b : (ui32, ui32) -> ui32
  return %0 : ui32
}

// -----

// A constant divisor needs no test; a power of two no division.
// CHECK-LABEL: func.func @mod_constant
// CHECK-NOT: scf.if
// CHECK: arith.andi %arg0, %c7_i64
// CHECK: arith.remsi %arg0, %c3_i64
// CHECK-NOT: scf.if
// CHECK: return
func.func @mod_constant(%a: si64) -> tuple<si64, si64> {
  %c8 = pyarray.constant 8 : si64 -> si64
  %c3 = pyarray.constant 3 : si64 -> si64
  %0 = pyarray.binary mod %a, %c8 : (si64, si64) -> si64
  %1 = pyarray.binary mod %a, %c3 : (si64, si64) -> si64
  %2 = pyarray.tuple %0, %1 : (si64, si64) -> tuple<si64, si64>
  return %2 : tuple<si64, si64>
}

// -----

// Where neither operand can be negative, there is nothing to correct.
// CHECK-LABEL: func.func @mod_non_negative
// CHECK: %[[R:.*]] = arith.remsi %{{.*}}, %c3_i64
// CHECK-NEXT: return %{{.*}}, %[[R]]
func.func @mod_non_negative(%a: !pyarray.array<?xf64, C>) -> si64 {
  %c3 = pyarray.constant 3 : si64 -> si64
  %n = pyarray.builtin "builtins.len"(%a) : (!pyarray.array<?xf64, C>) -> si64
  %0 = pyarray.binary mod %n, %c3 : (si64, si64) -> si64
  return %0 : si64
}

// -----

// CHECK: args = ["float modulo"], exception = "ZeroDivisionError"
// CHECK-LABEL: func.func @float_mod
// CHECK: scf.if
// CHECK: arith.remf %arg0, %arg1 : f64
// CHECK: math.copysign
func.func @float_mod(%a: f64, %b: f64) -> f64 {
  %0 = pyarray.binary mod %a, %b : (f64, f64) -> f64
  return %0 : f64
}

// -----

// CPython words the error for ints and for floats differently.
// CHECK: args = ["division by zero"]
// CHECK: args = ["float division by zero"]
// CHECK: args = ["complex division by zero"]
// CHECK-LABEL: func.func @truediv
func.func @truediv(%i: si64, %x: f64, %z: complex<f64>) -> tuple<f64, f64, complex<f64>> {
  %f = pyarray.cast %i : si64 to f64
  %0 = pyarray.binary truediv %f, %f {pyarray.integers} : (f64, f64) -> f64
  %1 = pyarray.binary truediv %x, %x : (f64, f64) -> f64
  %2 = pyarray.binary truediv %z, %z : (complex<f64>, complex<f64>) -> complex<f64>
  %3 = pyarray.tuple %0, %1, %2 : (f64, f64, complex<f64>) -> tuple<f64, f64, complex<f64>>
  return %3 : tuple<f64, f64, complex<f64>>
}

// -----

// A shift by the width or more leaves nothing.
// CHECK: args = ["negative shift count"], exception = "ValueError"
// CHECK-LABEL: func.func @shift
// CHECK: %[[LARGE:.*]] = arith.cmpi uge, %arg1, %c64_i64
// CHECK: %[[COUNT:.*]] = arith.select %[[LARGE]], %c63_i64, %arg1
// CHECK: %[[SHIFTED:.*]] = arith.shli %arg0, %[[COUNT]]
// CHECK: arith.select %[[LARGE]], %c0_i64, %[[SHIFTED]]
func.func @shift(%a: si64, %b: si64) -> si64 {
  %0 = pyarray.binary lshift %a, %b : (si64, si64) -> si64
  return %0 : si64
}

// -----

// CHECK-LABEL: func.func @shift_constant
// CHECK: arith.shrui %arg0, %c3_i32 : i32
// CHECK-NEXT: return
func.func @shift_constant(%a: ui32) -> ui32 {
  %c3 = pyarray.constant 3 : si64 -> si64
  %0 = pyarray.binary rshift %a, %c3 : (ui32, si64) -> ui32
  return %0 : ui32
}

// -----

// CHECK-LABEL: func.func @compare
// CHECK: arith.cmpi slt, %arg0, %arg0
// CHECK: arith.cmpi ult, %arg1, %arg1
// CHECK: arith.cmpf olt, %arg2, %arg2
// CHECK: arith.cmpf une, %arg2, %arg2
// CHECK: return %{{.*}}, %true
func.func @compare(%a: si64, %b: ui8, %x: f64, %n: !pyarray.none) -> tuple<i1, i1, i1, i1, i1> {
  %0 = pyarray.compare lt %a, %a : (si64, si64) -> i1
  %1 = pyarray.compare lt %b, %b : (ui8, ui8) -> i1
  %2 = pyarray.compare lt %x, %x : (f64, f64) -> i1
  %3 = pyarray.compare ne %x, %x : (f64, f64) -> i1
  %4 = pyarray.compare ne %a, %n : (si64, !pyarray.none) -> i1
  %5 = pyarray.tuple %0, %1, %2, %3, %4 : (i1, i1, i1, i1, i1) -> tuple<i1, i1, i1, i1, i1>
  return %5 : tuple<i1, i1, i1, i1, i1>
}

// -----

// NaN is true.
// CHECK-LABEL: func.func @truth
// CHECK: arith.cmpf une, %arg0
// CHECK: arith.cmpi ne, %arg1
func.func @truth(%x: f64, %i: si8) -> tuple<i1, i1> {
  %0 = pyarray.truth %x : f64
  %1 = pyarray.truth %i : si8
  %2 = pyarray.tuple %0, %1 : (i1, i1) -> tuple<i1, i1>
  return %2 : tuple<i1, i1>
}

// -----

// From float to int saturates: arith.fptosi would be undefined out of range.
// CHECK-LABEL: func.func @casts
// CHECK: arith.trunci %arg0 : i64 to i8
// CHECK: arith.uitofp %arg1 : i8 to f64
// CHECK: llvm.call_intrinsic "llvm.fptosi.sat.i32.f64"(%arg2)
// CHECK: llvm.call_intrinsic "llvm.fptoui.sat.i64.f64"(%arg2)
// CHECK: complex.create
// CHECK: memref.cast %arg3
func.func @casts(%i: si64, %u: ui8, %x: f64, %a: !pyarray.array<3xf64, C>) -> tuple<ui8, f64, si32, ui64, complex<f64>, !pyarray.array<?xf64, A>> {
  %0 = pyarray.cast %i : si64 to ui8
  %1 = pyarray.cast %u : ui8 to f64
  %2 = pyarray.cast %x : f64 to si32
  %3 = pyarray.cast %x : f64 to ui64
  %4 = pyarray.cast %x : f64 to complex<f64>
  %5 = pyarray.cast %a : !pyarray.array<3xf64, C> to !pyarray.array<?xf64, A>
  %6 = pyarray.tuple %0, %1, %2, %3, %4, %5 : (ui8, f64, si32, ui64, complex<f64>, !pyarray.array<?xf64, A>) -> tuple<ui8, f64, si32, ui64, complex<f64>, !pyarray.array<?xf64, A>>
  return %6 : tuple<ui8, f64, si32, ui64, complex<f64>, !pyarray.array<?xf64, A>>
}

// -----

// CHECK-LABEL: func.func @fastmath
// CHECK: arith.addf %arg0, %arg0 fastmath<fast> : f64
// CHECK: math.sin %{{.*}} fastmath<fast> : f64
func.func @fastmath(%x: f64) -> f64 attributes {pyarray.options = {fastmath = true, error_model = "numpy"}} {
  %0 = pyarray.binary add %x, %x : (f64, f64) -> f64
  %1 = pyarray.builtin "math.sin"(%0) : (f64) -> f64
  return %1 : f64
}
