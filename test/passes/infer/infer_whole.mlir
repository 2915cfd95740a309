// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file | FileCheck %s
// int64 and uint64 that meet are float64, unless an operator of bits is applied to what they give.

// A variable of a loop: s = (s * 3 + 1) & mask.
// CHECK-LABEL: func.func @loop$0(%arg0: si64) -> ui64
// CHECK: %[[START:.*]] = pyarray.cast %arg0 : si64 to ui64
// CHECK: pyarray.for (%{{.*}}: si64, %[[S:.*]]: ui64) in %{{.*}} iter(%[[START]])
// CHECK: pyarray.binary mul %[[S]], %{{.*}} : (ui64, ui64) -> ui64
// CHECK: pyarray.binary and %{{.*}}, %{{.*}} : (ui64, ui64) -> ui64
func.func @loop(%s: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(si64) -> ()], pyarray.params = ["s"]} {
  %mask = pyarray.constant 18446744073709551615 : ui64 -> !pyarray.any
  %one = pyarray.constant 1 : si64 -> !pyarray.any
  %three = pyarray.constant 3 : si64 -> !pyarray.any
  %range = pyarray.callable "builtins.range" -> !pyarray.any
  %items = pyarray.apply %range(%three) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %r = pyarray.for (%i: !pyarray.any, %v: !pyarray.any) in %items : !pyarray.any iter(%s) {
    %0 = pyarray.binary mul %v, %three : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %1 = pyarray.binary add %0, %one : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %2 = pyarray.binary and %1, %mask : (!pyarray.any, !pyarray.any) -> !pyarray.any
    pyarray.yield %2 : !pyarray.any
  }
  return %r : !pyarray.any
}

// -----

// The same without an operator of bits.
// CHECK-LABEL: func.func @float$0(%arg0: si64, %arg1: ui64) -> f64
// CHECK: pyarray.binary add %{{.*}}, %{{.*}} : (f64, f64) -> f64
func.func @float(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(si64, ui64) -> ()], pyarray.params = ["a", "b"]} {
  %0 = pyarray.binary add %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

// A product, of which a callee shifts the bits: -(a * b) >> 3.
// CHECK-LABEL: func.func @product$0(%arg0: si64, %arg1: ui64) -> ui64
// CHECK: %[[A:.*]] = pyarray.cast %arg0 : si64 to ui64
// CHECK: pyarray.binary mul %[[A]], %arg1 : (ui64, ui64) -> ui64
// CHECK: func.func private @low$
// CHECK-SAME: (%arg0: ui64) -> ui64
// CHECK: pyarray.binary rshift
func.func @low(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x"]} {
  %three = pyarray.constant 3 : si64 -> !pyarray.any
  %0 = pyarray.binary rshift %x, %three : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}
func.func @product(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(si64, ui64) -> ()], pyarray.params = ["a", "b"]} {
  %low = pyarray.callable @low -> !pyarray.any
  %0 = pyarray.binary mul %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %1 = pyarray.unary neg %0 : (!pyarray.any) -> !pyarray.any
  %2 = pyarray.apply %low(%1) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %2 : !pyarray.any
}

// -----

// What & gives of both stays a uint64 beside an int64: (a & b) * a, or a.
// CHECK-LABEL: func.func @bits$0(%arg0: si64, %arg1: ui64, %arg2: i1) -> ui64
// CHECK: scf.if %{{.*}} -> (ui64) {
// CHECK:   %[[AND:.*]] = pyarray.binary and %{{.*}}, %arg1 : (ui64, ui64) -> ui64
// CHECK:   pyarray.binary mul %[[AND]], %{{.*}} : (ui64, ui64) -> ui64
// CHECK: } else {
// CHECK:   pyarray.cast %arg0 : si64 to ui64
func.func @bits(%a: !pyarray.any, %b: !pyarray.any, %c: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(si64, ui64, i1) -> ()], pyarray.params = ["a", "b", "c"]} {
  %t = pyarray.truth %c : !pyarray.any
  %r = scf.if %t -> (!pyarray.any) {
    %0 = pyarray.binary and %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %1 = pyarray.binary mul %0, %a : (!pyarray.any, !pyarray.any) -> !pyarray.any
    scf.yield %1 : !pyarray.any
  } else {
    scf.yield %a : !pyarray.any
  }
  return %r : !pyarray.any
}

// -----

// The remainder of what & gives by an int64 is an int64: (a & b) % a; of uint64 and int64 alone it is one too, as in Numba.
// CHECK-LABEL: func.func @remainder$0(%arg0: si64, %arg1: ui64) -> tuple<si64, si64>
// CHECK: %[[AND:.*]] = pyarray.binary and %{{.*}}, %arg1 : (ui64, ui64) -> ui64
// CHECK: pyarray.call @whole.remainder$0(%[[AND]], %arg0) : (ui64, si64) -> si64
// CHECK: pyarray.call @whole.int64_remainder$0(%arg1, %arg0) : (ui64, si64) -> si64
func.func @remainder(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(si64, ui64) -> ()], pyarray.params = ["a", "b"]} {
  %0 = pyarray.binary and %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %1 = pyarray.binary mod %0, %a : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %2 = pyarray.binary mod %b, %a : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %3 = pyarray.tuple %1, %2 : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %3 : !pyarray.any
}
