// RUN: pyarray-opt %s --pyarray-lower --split-input-file | FileCheck %s

// Small constant exponents are multiplied out.
// CHECK-LABEL: func.func @int_constant
// CHECK: %[[SQUARE:.*]] = arith.muli %arg0, %arg0
// CHECK: %[[CUBE:.*]] = arith.muli %arg0, %[[SQUARE]]
// CHECK-NEXT: return %{{.*}}, %[[CUBE]]
func.func @int_constant(%a: si64) -> si64 {
  %c3 = pyarray.constant 3 : si64 -> si64
  %0 = pyarray.binary pow %a, %c3 : (si64, si64) -> si64
  return %0 : si64
}

// -----

// CHECK: args = ["Integers to negative integer powers are not allowed."], exception = "ValueError"
// CHECK-LABEL: func.func @int_any
// CHECK: scf.if
// CHECK: call @pyarray_rt_ipow_i64(%arg0, %arg1)
func.func @int_any(%a: si64, %b: si64) -> si64 {
  %0 = pyarray.binary pow %a, %b : (si64, si64) -> si64
  return %0 : si64
}

// -----

// Errors are looked for only where the result is not finite.
// CHECK: args = ["0.0 cannot be raised to a negative power"], exception = "ZeroDivisionError"
// CHECK: args = [34, "Numerical result out of range"], exception = "OverflowError"
// CHECK-LABEL: func.func @float_any
// CHECK: %[[R:.*]] = math.powf %arg0, %arg1 : f64
// CHECK: %[[SIZE:.*]] = math.absf %[[R]]
// CHECK: %[[ODD:.*]] = arith.cmpf uge, %[[SIZE]]
// CHECK: scf.if %[[ODD]]
func.func @float_any(%a: f64, %b: f64) -> f64 attributes {pyarray.options = {error_model = "strict"}} {
  %0 = pyarray.binary pow %a, %b : (f64, f64) -> f64
  return %0 : f64
}

// -----

// CHECK-LABEL: func.func @float_square
// CHECK: %[[R:.*]] = arith.mulf %arg0, %arg0 : f64
// CHECK-NEXT: return %{{.*}}, %[[R]]
func.func @float_square(%a: f64) -> f64 {
  %c2 = pyarray.constant 2 : si64 -> si64
  %0 = pyarray.binary pow %a, %c2 : (f64, si64) -> f64
  return %0 : f64
}

// -----

// CHECK-LABEL: func.func @complex_any
// CHECK: %[[OUT:.*]] = memref.alloca() : memref<2xf64>
// CHECK: %[[STATUS:.*]] = call @pyarray_rt_complex_pow
// CHECK: memref.load %[[OUT]]
// CHECK: memref.load %[[OUT]]
// CHECK: arith.cmpi ne, %[[STATUS]]
func.func @complex_any(%a: complex<f64>, %b: complex<f64>) -> complex<f64> attributes {pyarray.options = {error_model = "strict"}} {
  %0 = pyarray.binary pow %a, %b : (complex<f64>, complex<f64>) -> complex<f64>
  return %0 : complex<f64>
}

// -----

// By default a power of 0 that there is not is NaN.
// CHECK-LABEL: func.func @complex_pole
// CHECK: %[[STATUS:.*]] = call @pyarray_rt_complex_pow
// CHECK: arith.cmpi eq, %[[STATUS]]
// CHECK-NOT: scf.if
// CHECK: return
func.func @complex_pole(%a: complex<f64>, %b: complex<f64>) -> complex<f64> {
  %0 = pyarray.binary pow %a, %b : (complex<f64>, complex<f64>) -> complex<f64>
  return %0 : complex<f64>
}

// -----

// Some flags of fastmath are on each operation; all of them alone say that nothing is infinite.
// CHECK-LABEL: func.func @some_flags
// CHECK: arith.mulf %arg0, %arg0 fastmath<reassoc,nsz> : f64
// CHECK: complex.mul %arg1, %arg1 fastmath<reassoc,nsz>
// CHECK: complex.create
func.func @some_flags(%a: f64, %z: complex<f64>) -> (f64, complex<f64>) attributes {pyarray.options = {fastmath = "nsz, reassoc"}} {
  %c2 = pyarray.constant 2 : si64 -> si64
  %0 = pyarray.binary pow %a, %c2 : (f64, si64) -> f64
  %1 = pyarray.binary pow %z, %c2 : (complex<f64>, si64) -> complex<f64>
  return %0, %1 : f64, complex<f64>
}
