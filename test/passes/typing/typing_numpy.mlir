// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file --verify-diagnostics | FileCheck %s

// Bools go to the first loop that takes them, that of int8.
// CHECK-LABEL: func.func @square$0
// CHECK: pyarray.builtin "numpy.square"(%{{.*}}) : (si8) -> si8
func.func @square(%p0: !pyarray.any) -> !pyarray.any
    attributes {pyarray.params = ["p0"], pyarray.instantiate = [(i1) -> ()]} {
  %f = pyarray.callable "numpy.square" -> !pyarray.any
  %0 = pyarray.apply %f(%p0) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}

// -----

// Functions that have a loop of bools use it.
// CHECK-LABEL: func.func @absolute$0
// CHECK: pyarray.builtin "numpy.absolute"(%arg0) : (i1) -> i1
func.func @absolute(%p0: !pyarray.any) -> !pyarray.any
    attributes {pyarray.params = ["p0"], pyarray.instantiate = [(i1) -> ()]} {
  %f = pyarray.callable "numpy.absolute" -> !pyarray.any
  %0 = pyarray.apply %f(%p0) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}

// -----

// Two types are promoted.
// CHECK-LABEL: func.func @shift$0
// CHECK: pyarray.builtin "numpy.left_shift"(%{{.*}}, %{{.*}}) : (si16, si16) -> si16
func.func @shift(%p0: !pyarray.any, %p1: !pyarray.any) -> !pyarray.any
    attributes {pyarray.params = ["p0", "p1"], pyarray.instantiate = [(si8, ui8) -> ()]} {
  %f = pyarray.callable "numpy.left_shift" -> !pyarray.any
  %0 = pyarray.apply %f(%p0, %p1) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}

// -----

// CHECK-LABEL: func.func @remainder$0
// CHECK: pyarray.builtin "numpy.remainder"(%{{.*}}, %{{.*}}) : (f64, f64) -> f64
func.func @remainder(%p0: !pyarray.any, %p1: !pyarray.any) -> !pyarray.any
    attributes {pyarray.params = ["p0", "p1"], pyarray.instantiate = [(si64, ui64) -> ()]} {
  %f = pyarray.callable "numpy.remainder" -> !pyarray.any
  %0 = pyarray.apply %f(%p0, %p1) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}

// -----

// Truth is asked of operands as they are.
// CHECK-LABEL: func.func @logical$0
// CHECK: pyarray.builtin "numpy.logical_and"(%arg0, %arg1) : (si64, complex<f32>) -> i1
func.func @logical(%p0: !pyarray.any, %p1: !pyarray.any) -> !pyarray.any
    attributes {pyarray.params = ["p0", "p1"], pyarray.instantiate = [(si64, complex<f32>) -> ()]} {
  %f = pyarray.callable "numpy.logical_and" -> !pyarray.any
  %0 = pyarray.apply %f(%p0, %p1) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}

// -----

// At least float64.
// CHECK-LABEL: func.func @float_power$0
// CHECK: pyarray.builtin "numpy.float_power"(%{{.*}}, %{{.*}}) : (f64, f64) -> f64
func.func @float_power(%p0: !pyarray.any, %p1: !pyarray.any) -> !pyarray.any
    attributes {pyarray.params = ["p0", "p1"], pyarray.instantiate = [(f32, si8) -> ()]} {
  %f = pyarray.callable "numpy.float_power" -> !pyarray.any
  %0 = pyarray.apply %f(%p0, %p1) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}

// -----

func.func @positive(%p0: !pyarray.any) -> !pyarray.any
    attributes {pyarray.params = ["p0"], pyarray.instantiate = [(i1) -> ()]} {
  %f = pyarray.callable "numpy.positive" -> !pyarray.any
  // expected-error@below {{numpy.positive: argument 1 has type bool; expected a number that is no bool}}
  %0 = pyarray.apply %f(%p0) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}

// -----

// No type of integers holds both.
func.func @bitwise(%p0: !pyarray.any, %p1: !pyarray.any) -> !pyarray.any
    attributes {pyarray.params = ["p0", "p1"], pyarray.instantiate = [(si64, ui64) -> ()]} {
  %f = pyarray.callable "numpy.bitwise_and" -> !pyarray.any
  // expected-error@below {{numpy.bitwise_and: argument 2 has type uint64; expected an integer that goes with the first argument}}
  %0 = pyarray.apply %f(%p0, %p1) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}

// -----

func.func @gcd(%p0: !pyarray.any, %p1: !pyarray.any) -> !pyarray.any
    attributes {pyarray.params = ["p0", "p1"], pyarray.instantiate = [(si64, f64) -> ()]} {
  %f = pyarray.callable "numpy.gcd" -> !pyarray.any
  // expected-error@below {{numpy.gcd: argument 2 has type float64; expected an integer}}
  %0 = pyarray.apply %f(%p0, %p1) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}

// -----

func.func @remainder_of_complex(%p0: !pyarray.any, %p1: !pyarray.any) -> !pyarray.any
    attributes {pyarray.params = ["p0", "p1"], pyarray.instantiate = [(complex<f64>, f64) -> ()]} {
  %f = pyarray.callable "numpy.remainder" -> !pyarray.any
  // expected-error@below {{numpy.remainder: argument 1 has type complex128; expected a real number}}
  %0 = pyarray.apply %f(%p0, %p1) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}
