// RUN: pyarray-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @truth
// CHECK-DAG: %[[YES:.*]] = pyarray.constant true -> i1
// CHECK-DAG: %[[NO:.*]] = pyarray.constant false -> i1
// CHECK: return %[[YES]], %[[NO]], %[[NO]]
func.func @truth() -> (i1, i1, i1) {
  %text = pyarray.constant "text" -> !pyarray.any
  %zero = pyarray.constant 0 : si64 -> !pyarray.any
  %none = pyarray.constant unit -> !pyarray.any
  %0 = pyarray.truth %text : !pyarray.any
  %1 = pyarray.truth %zero : !pyarray.any
  %2 = pyarray.truth %none : !pyarray.any
  func.return %0, %1, %2 : i1, i1, i1
}

// A cast to the same type is nothing.
// CHECK-LABEL: func.func @cast(%arg0: f64)
// CHECK-NEXT: return %arg0
func.func @cast(%x: f64) -> f64 {
  %0 = pyarray.cast %x : f64 to f64
  func.return %0 : f64
}

// Numbers of one type: integers wrap, division rounds down.
// CHECK-LABEL: func.func @integers
// CHECK-DAG: %[[FIVE:.*]] = pyarray.constant 5 : si64 -> si64
// CHECK-DAG: %[[MIN:.*]] = pyarray.constant -9223372036854775808 : si64 -> si64
// CHECK-DAG: %[[DOWN:.*]] = pyarray.constant -4 : si64 -> si64
// CHECK-DAG: %[[TWO:.*]] = pyarray.constant 2 : si64 -> si64
// CHECK: return %[[FIVE]], %[[MIN]], %[[DOWN]], %[[TWO]]
func.func @integers() -> (si64, si64, si64, si64) {
  %2 = pyarray.constant 2 : si64 -> si64
  %3 = pyarray.constant 3 : si64 -> si64
  %minus = pyarray.constant -10 : si64 -> si64
  %max = pyarray.constant 9223372036854775807 : si64 -> si64
  %one = pyarray.constant 1 : si64 -> si64
  %sum = pyarray.binary add %2, %3 : (si64, si64) -> si64
  %wrapped = pyarray.binary add %max, %one : (si64, si64) -> si64
  %quotient = pyarray.binary floordiv %minus, %3 : (si64, si64) -> si64
  %rest = pyarray.binary mod %minus, %3 : (si64, si64) -> si64
  func.return %sum, %wrapped, %quotient, %rest : si64, si64, si64, si64
}

// CHECK-LABEL: func.func @bits
// CHECK-DAG: pyarray.constant 251 : ui8 -> ui8
// CHECK-DAG: pyarray.constant 32 : ui8 -> ui8
// CHECK-DAG: pyarray.constant 1 : ui8 -> ui8
// CHECK-NOT: pyarray.binary
// CHECK-NOT: pyarray.unary
func.func @bits() -> (ui8, ui8, ui8) {
  %4 = pyarray.constant 4 : ui8 -> ui8
  %3 = pyarray.constant 3 : ui8 -> ui8
  %not = pyarray.unary invert %4 : (ui8) -> ui8
  %left = pyarray.binary lshift %4, %3 : (ui8, ui8) -> ui8
  %right = pyarray.binary rshift %4, %3 : (ui8, ui8) -> ui8
  %all = pyarray.binary or %right, %right : (ui8, ui8) -> ui8
  %2 = pyarray.constant 2 : ui8 -> ui8
  %one = pyarray.binary rshift %4, %2 : (ui8, ui8) -> ui8
  func.return %not, %left, %one : ui8, ui8, ui8
}

// CHECK-LABEL: func.func @reals
// CHECK-DAG: %[[HALF:.*]] = pyarray.constant 5.000000e-01 : f64 -> f64
// CHECK-DAG: %[[NEG:.*]] = pyarray.constant -1.500000e+00 : f32 -> f32
// CHECK: return %[[HALF]], %[[NEG]]
func.func @reals() -> (f64, f32) {
  %1 = pyarray.constant 1.0 : f64 -> f64
  %2 = pyarray.constant 2 : si64 -> si64
  %two = pyarray.cast %2 : si64 to f64
  %half = pyarray.binary truediv %1, %two : (f64, f64) -> f64
  %3 = pyarray.constant 1.5 : f32 -> f32
  %minus = pyarray.unary neg %3 : (f32) -> f32
  func.return %half, %minus : f64, f32
}

// What raises is left, and what has operands of other types.
// CHECK-LABEL: func.func @left
// CHECK: pyarray.binary floordiv
// CHECK: pyarray.binary truediv
// CHECK: pyarray.binary lshift
// CHECK: pyarray.binary add
func.func @left(%x: si64) -> (si64, f64, si64, si64) {
  %0 = pyarray.constant 0 : si64 -> si64
  %1 = pyarray.constant 1 : si64 -> si64
  %f = pyarray.constant 1.0 : f64 -> f64
  %z = pyarray.constant 0.0 : f64 -> f64
  %minus = pyarray.constant -1 : si64 -> si64
  %a = pyarray.binary floordiv %1, %0 : (si64, si64) -> si64
  %b = pyarray.binary truediv %f, %z : (f64, f64) -> f64
  %c = pyarray.binary lshift %1, %minus : (si64, si64) -> si64
  %d = pyarray.binary add %x, %1 : (si64, si64) -> si64
  func.return %a, %b, %c, %d : si64, f64, si64, si64
}

// CHECK-LABEL: func.func @compared
// CHECK-DAG: %[[YES:.*]] = pyarray.constant true -> i1
// CHECK-DAG: %[[NO:.*]] = pyarray.constant false -> i1
// CHECK: return %[[YES]], %[[NO]], %[[NO]], %[[YES]]
func.func @compared() -> (i1, i1, i1, i1) {
  %1 = pyarray.constant 1 : si64 -> si64
  %minus = pyarray.constant -1 : si64 -> si64
  %nan = pyarray.constant 0x7FF8000000000000 : f64 -> f64
  %less = pyarray.compare lt %minus, %1 : (si64, si64) -> i1
  %same = pyarray.compare eq %nan, %nan : (f64, f64) -> i1
  %above = pyarray.compare ge %nan, %nan : (f64, f64) -> i1
  %other = pyarray.compare ne %nan, %nan : (f64, f64) -> i1
  func.return %less, %same, %above, %other : i1, i1, i1, i1
}

// A float is truncated and saturates, NaN is 0; an integer wraps.
// CHECK-LABEL: func.func @casts
// CHECK-DAG: pyarray.constant -2 : si32 -> si32
// CHECK-DAG: pyarray.constant 255 : ui8 -> ui8
// CHECK-DAG: pyarray.constant 0 : si64 -> si64
// CHECK-DAG: pyarray.constant 1.000000e+00 : f64 -> f64
// CHECK-NOT: pyarray.cast
func.func @casts() -> (si32, ui8, si64, ui8, f64) {
  %x = pyarray.constant -2.75 : f64 -> f64
  %big = pyarray.constant 1.0e10 : f64 -> f64
  %nan = pyarray.constant 0x7FF8000000000000 : f64 -> f64
  %minus = pyarray.constant -1 : si64 -> si64
  %yes = pyarray.constant true -> i1
  %0 = pyarray.cast %x : f64 to si32
  %1 = pyarray.cast %big : f64 to ui8
  %2 = pyarray.cast %nan : f64 to si64
  %3 = pyarray.cast %minus : si64 to ui8
  %4 = pyarray.cast %yes : i1 to f64
  func.return %0, %1, %2, %3, %4 : si32, ui8, si64, ui8, f64
}
