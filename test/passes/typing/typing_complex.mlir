// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file --verify-diagnostics | FileCheck %s

// Single precision stays; whatever else is a number is complex128.
// CHECK-LABEL: func.func @exp$0
// CHECK: pyarray.builtin "cmath.exp"(%{{.*}}) : (complex<f32>) -> complex<f32>
func.func @exp(%p0: !pyarray.any) -> !pyarray.any
    attributes {pyarray.params = ["p0"], pyarray.instantiate = [(f32) -> ()]} {
  %f = pyarray.callable "cmath.exp" -> !pyarray.any
  %0 = pyarray.apply %f(%p0) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}

// -----

// CHECK-LABEL: func.func @sqrt$0
// CHECK: pyarray.builtin "cmath.sqrt"(%{{.*}}) : (complex<f64>) -> complex<f64>
func.func @sqrt(%p0: !pyarray.any) -> !pyarray.any
    attributes {pyarray.params = ["p0"], pyarray.instantiate = [(i1) -> ()]} {
  %f = pyarray.callable "cmath.sqrt" -> !pyarray.any
  %0 = pyarray.apply %f(%p0) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}

// -----

// Both arguments have one type.
// CHECK-LABEL: func.func @log$0
// CHECK: pyarray.builtin "cmath.log"(%{{.*}}, %{{.*}}) : (complex<f64>, complex<f64>) -> complex<f64>
func.func @log(%p0: !pyarray.any, %p1: !pyarray.any) -> !pyarray.any
    attributes {pyarray.params = ["p0", "p1"], pyarray.instantiate = [(complex<f32>, si64) -> ()]} {
  %f = pyarray.callable "cmath.log" -> !pyarray.any
  %0 = pyarray.apply %f(%p0, %p1) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}

// -----

// CHECK-LABEL: func.func @phase$0
// CHECK: pyarray.builtin "cmath.phase"(%arg0) : (complex<f32>) -> f32
func.func @phase(%p0: !pyarray.any) -> !pyarray.any
    attributes {pyarray.params = ["p0"], pyarray.instantiate = [(complex<f32>) -> ()]} {
  %f = pyarray.callable "cmath.phase" -> !pyarray.any
  %0 = pyarray.apply %f(%p0) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}

// -----

// CHECK-LABEL: func.func @polar$0
// CHECK: pyarray.builtin "cmath.polar"(%{{.*}}) : (complex<f64>) -> tuple<f64, f64>
func.func @polar(%p0: !pyarray.any) -> !pyarray.any
    attributes {pyarray.params = ["p0"], pyarray.instantiate = [(f64) -> ()]} {
  %f = pyarray.callable "cmath.polar" -> !pyarray.any
  %0 = pyarray.apply %f(%p0) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}

// -----

// Two real numbers, typed as math's are.
// CHECK-LABEL: func.func @rect$0
// CHECK: pyarray.builtin "cmath.rect"(%{{.*}}, %{{.*}}) : (f32, f32) -> complex<f32>
func.func @rect(%p0: !pyarray.any, %p1: !pyarray.any) -> !pyarray.any
    attributes {pyarray.params = ["p0", "p1"], pyarray.instantiate = [(f32, si8) -> ()]} {
  %f = pyarray.callable "cmath.rect" -> !pyarray.any
  %0 = pyarray.apply %f(%p0, %p1) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}

// -----

// The tolerances are real, and have defaults.
// CHECK-LABEL: func.func @isclose$0
// CHECK: pyarray.builtin "cmath.isclose"(%arg0, %{{.*}}) : (complex<f64>, complex<f64>, f64, f64) -> i1
func.func @isclose(%p0: !pyarray.any, %p1: !pyarray.any) -> !pyarray.any
    attributes {pyarray.params = ["p0", "p1"], pyarray.instantiate = [(complex<f64>, si64) -> ()]} {
  %f = pyarray.callable "cmath.isclose" -> !pyarray.any
  %0 = pyarray.apply %f(%p0, %p1) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}

// -----

func.func @rect_of_complex(%p0: !pyarray.any, %p1: !pyarray.any) -> !pyarray.any
    attributes {pyarray.params = ["p0", "p1"], pyarray.instantiate = [(complex<f64>, f64) -> ()]} {
  %f = pyarray.callable "cmath.rect" -> !pyarray.any
  // expected-error@below {{cmath.rect: argument 1 has type complex128; expected a real number}}
  %0 = pyarray.apply %f(%p0, %p1) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}
