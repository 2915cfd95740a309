// RUN: pyarray-opt %s --pyarray-lower --split-input-file | FileCheck %s

// A function of cmath is one of the runtime's, and raises as one of math does, by the parts of its argument and result.
// CHECK: args = ["math domain error"], exception = "ValueError"
// CHECK: args = ["math range error"], exception = "OverflowError"
// CHECK-LABEL: func.func @exp
// CHECK-DAG: %[[RE:.*]] = complex.re %arg0
// CHECK-DAG: %[[IM:.*]] = complex.im %arg0
// CHECK: call @pyarray_rt_complex_python_exp(%[[RE]], %[[IM]], %{{.*}}) : (f64, f64, i64) -> ()
// CHECK: scf.if
func.func @exp(%z: complex<f64>) -> complex<f64> attributes {pyarray.options = {error_model = "strict"}} {
  %0 = pyarray.builtin "cmath.exp"(%z) : (complex<f64>) -> complex<f64>
  return %0 : complex<f64>
}

// -----

// CHECK-LABEL: func.func @no_errors
// CHECK-NOT: scf.if
// CHECK: call @pyarray_rt_complex_python_atanh
// CHECK: call @pyarray_rt_complex_log1p
// CHECK-NOT: scf.if
// CHECK: return
func.func @no_errors(%z: complex<f64>) -> complex<f64> attributes {pyarray.options = {error_model = "numpy"}} {
  %0 = pyarray.builtin "cmath.atanh"(%z) : (complex<f64>) -> complex<f64>
  %1 = pyarray.builtin "numpy.log1p"(%0) : (complex<f64>) -> complex<f64>
  return %1 : complex<f64>
}

// -----

// CHECK-LABEL: func.func @polar
// CHECK: %[[R:.*]] = {{.*}}call @hypotf(%[[RE:.*]], %[[IM:.*]]) : (f32, f32) -> f32
// CHECK: %[[PHI:.*]] = {{.*}}call @atan2f(%[[IM]], %[[RE]]) : (f32, f32) -> f32
// CHECK: return %{{.*}}, %[[R]], %[[PHI]]
func.func @polar(%z: complex<f32>) -> tuple<f32, f32> attributes {pyarray.options = {error_model = "numpy"}} {
  %0 = pyarray.builtin "cmath.polar"(%z) : (complex<f32>) -> tuple<f32, f32>
  return %0 : tuple<f32, f32>
}

// -----

// Only the base of a logarithm is looked at.
// CHECK: args = ["math domain error"], exception = "ValueError"
// CHECK-NOT: OverflowError
// CHECK-LABEL: func.func @log
// CHECK: call @pyarray_rt_complex_log
// CHECK: call @pyarray_rt_complex_log
// CHECK: scf.if
// CHECK: arith.divf
func.func @log(%z: complex<f64>, %base: complex<f64>) -> complex<f64> attributes {pyarray.options = {error_model = "strict"}} {
  %0 = pyarray.builtin "cmath.log"(%z, %base) : (complex<f64>, complex<f64>) -> complex<f64>
  return %0 : complex<f64>
}

// -----

// CHECK-LABEL: func.func @rect
// CHECK: %[[POLAR:.*]] = complex.create %arg0, %arg1
// CHECK: %[[R:.*]] = complex.re %[[POLAR]]
// CHECK: %[[PHI:.*]] = complex.im %[[POLAR]]
// CHECK: call @pyarray_rt_complex_rect(%[[R]], %[[PHI]], %{{.*}}) : (f64, f64, i64) -> ()
func.func @rect(%r: f64, %phi: f64) -> complex<f64> {
  %0 = pyarray.builtin "cmath.rect"(%r, %phi) : (f64, f64) -> complex<f64>
  return %0 : complex<f64>
}

// -----

// Complex numbers are ordered by their real parts, then by the imaginary ones. The first operand's NaN counts.
// CHECK-LABEL: func.func @maximum
// CHECK: %[[ODD:.*]] = arith.cmpf uno, %[[AR:.*]], %[[AI:.*]] : f64
// CHECK: arith.cmpf ogt, %[[AR]], %[[BR:.*]] : f64
// CHECK: arith.cmpf oge, %[[AI]], %[[BI:.*]] : f64
// CHECK: arith.cmpf oeq, %[[AR]], %[[BR]] : f64
// CHECK: %[[FIRST:.*]] = arith.ori %[[ODD]]
// CHECK: arith.select %[[FIRST]], %[[AR]], %[[BR]]
// CHECK: arith.select %[[FIRST]], %[[AI]], %[[BI]]
func.func @maximum(%a: complex<f64>, %b: complex<f64>) -> complex<f64> {
  %0 = pyarray.builtin "numpy.maximum"(%a, %b) : (complex<f64>, complex<f64>) -> complex<f64>
  return %0 : complex<f64>
}

// -----

// CHECK-LABEL: func.func @parts
// CHECK: math.roundeven %{{.*}} : f64
// CHECK: math.roundeven %{{.*}} : f64
// CHECK: %[[SIZE:.*]] = {{.*}}call @hypot
// CHECK: arith.divf %{{.*}}, %[[SIZE]] : f64
// CHECK: math.absf
// CHECK: arith.cmpf ole
func.func @parts(%z: complex<f64>) -> complex<f64> {
  %0 = pyarray.builtin "numpy.rint"(%z) : (complex<f64>) -> complex<f64>
  %1 = pyarray.builtin "numpy.sign"(%0) : (complex<f64>) -> complex<f64>
  %2 = pyarray.builtin "numpy.reciprocal"(%1) : (complex<f64>) -> complex<f64>
  return %2 : complex<f64>
}
