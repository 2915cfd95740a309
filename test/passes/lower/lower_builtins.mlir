// RUN: pyarray-opt %s --pyarray-lower --split-input-file | FileCheck %s

// The domain of sqrt and log is tested on the argument, which is cheap.
// CHECK: args = ["math domain error"], exception = "ValueError"
// CHECK-LABEL: func.func @sqrt
// CHECK: %[[BAD:.*]] = arith.cmpf olt, %arg0
// CHECK: scf.if %[[BAD]]
// CHECK: math.sqrt %arg0 : f64
// CHECK-NEXT: return
func.func @sqrt(%x: f64) -> f64 attributes {pyarray.options = {error_model = "strict"}} {
  %0 = pyarray.builtin "math.sqrt"(%x) : (f64) -> f64
  return %0 : f64
}

// -----

// Elsewhere the result says whether to look closer.
// CHECK: args = ["math domain error"], exception = "ValueError"
// CHECK: args = ["math range error"], exception = "OverflowError"
// CHECK-LABEL: func.func @exp
// CHECK: %[[R:.*]] = math.exp %arg0 : f64
// CHECK: %[[SIZE:.*]] = math.absf %[[R]]
// CHECK: %[[ODD:.*]] = arith.cmpf uge, %[[SIZE]]
// CHECK: scf.if %[[ODD]] {
func.func @exp(%x: f64) -> f64 attributes {pyarray.options = {error_model = "strict"}} {
  %0 = pyarray.builtin "math.exp"(%x) : (f64) -> f64
  return %0 : f64
}

// -----

// NumPy's functions raise nothing; neither do those of math under NumPy's rules.
// CHECK-LABEL: func.func @no_errors
// CHECK-NOT: scf.if
// CHECK: math.exp %arg0
// CHECK-NOT: scf.if
// CHECK: return
func.func @no_errors(%x: f64) -> f64 attributes {pyarray.options = {error_model = "numpy"}} {
  %0 = pyarray.builtin "math.exp"(%x) : (f64) -> f64
  %1 = pyarray.builtin "numpy.sqrt"(%0) : (f64) -> f64
  return %1 : f64
}

// -----

// Functions that only libm has; the float32 variant has its own name.
// CHECK-LABEL: func.func @libm
// CHECK: call @fmod(%arg0, %arg0) : (f64, f64) -> f64
// CHECK: call @fmodf(%arg1, %arg1) : (f32, f32) -> f32
// CHECK: func.func private @fmod(f64, f64) -> f64 attributes {llvm.readnone}
func.func @libm(%x: f64, %y: f32) -> tuple<f64, f32> {
  %0 = pyarray.builtin "numpy.fmod"(%x, %x) : (f64, f64) -> f64
  %1 = pyarray.builtin "numpy.fmod"(%y, %y) : (f32, f32) -> f32
  %2 = pyarray.tuple %0, %1 : (f64, f32) -> tuple<f64, f32>
  return %2 : tuple<f64, f32>
}

// -----

// CHECK: args = ["cannot convert float NaN to integer"], exception = "ValueError"
// CHECK: args = ["cannot convert float infinity to integer"], exception = "OverflowError"
// CHECK-LABEL: func.func @floor
// CHECK: scf.if
// CHECK: %[[R:.*]] = math.floor %arg0
// CHECK: llvm.call_intrinsic "llvm.fptosi.sat.i64.f64"(%[[R]])
func.func @floor(%x: f64) -> si64 {
  %0 = pyarray.builtin "math.floor"(%x) : (f64) -> si64
  return %0 : si64
}

// -----

// The first operand wins where the comparison is false, as with NaN.
// CHECK-LABEL: func.func @max
// CHECK: %[[C:.*]] = arith.cmpf ogt, %arg1, %arg0
// CHECK: arith.select %[[C]], %arg1, %arg0
func.func @max(%a: f64, %b: f64) -> f64 {
  %0 = pyarray.builtin "builtins.max"(%a, %b) : (f64, f64) -> f64
  return %0 : f64
}

// -----

// CHECK-LABEL: func.func @numpy_maximum
// CHECK: arith.maximumf
// CHECK: arith.maxnumf
// CHECK: arith.maxui
func.func @numpy_maximum(%a: f64, %i: ui8) -> tuple<f64, ui8> {
  %0 = pyarray.builtin "numpy.maximum"(%a, %a) : (f64, f64) -> f64
  %1 = pyarray.builtin "numpy.fmax"(%0, %a) : (f64, f64) -> f64
  %2 = pyarray.builtin "numpy.maximum"(%i, %i) : (ui8, ui8) -> ui8
  %3 = pyarray.tuple %1, %2 : (f64, ui8) -> tuple<f64, ui8>
  return %3 : tuple<f64, ui8>
}

// -----

// CHECK: args = ["absolute value too large"], exception = "OverflowError"
// CHECK-LABEL: func.func @abs
// CHECK: math.absi %arg0 : i64
// CHECK: math.absf %arg1 : f64
// CHECK: call @hypot
func.func @abs(%i: si64, %x: f64, %z: complex<f64>) -> tuple<si64, f64, f64> attributes {pyarray.options = {error_model = "strict"}} {
  %0 = pyarray.builtin "builtins.abs"(%i) : (si64) -> si64
  %1 = pyarray.builtin "builtins.abs"(%x) : (f64) -> f64
  %2 = pyarray.builtin "builtins.abs"(%z) : (complex<f64>) -> f64
  %3 = pyarray.tuple %0, %1, %2 : (si64, f64, f64) -> tuple<si64, f64, f64>
  return %3 : tuple<si64, f64, f64>
}

// -----

// CHECK-LABEL: func.func @complex_function
// CHECK: call @pyarray_rt_complex_sqrt
func.func @complex_function(%z: complex<f32>) -> complex<f32> {
  %0 = pyarray.builtin "numpy.sqrt"(%z) : (complex<f32>) -> complex<f32>
  return %0 : complex<f32>
}

// -----

// CHECK: args = ["factorial() not defined for negative values"], exception = "ValueError"
// CHECK: args = ["the result does not fit in int64"], exception = "OverflowError"
// CHECK-LABEL: func.func @factorial
// CHECK: call @pyarray_rt_factorial(%arg0) : (i64) -> i64
func.func @factorial(%n: si64) -> si64 {
  %0 = pyarray.builtin "math.factorial"(%n) : (si64) -> si64
  return %0 : si64
}

// -----

// CHECK: args = ["Seed must be between 0 and 2**32 - 1"], exception = "ValueError"
// CHECK-LABEL: func.func @random
// CHECK: call @pyarray_rt_np_random_seed(%arg0)
// CHECK: call @pyarray_rt_np_random_random() : () -> f64
func.func @random(%n: si64) -> f64 {
  %0 = pyarray.builtin "numpy.random.seed"(%n) : (si64) -> !pyarray.none
  %1 = pyarray.builtin "numpy.random.rand"() : () -> f64
  return %1 : f64
}

// -----

// Infinite at a whole number that is not positive, lgamma has a pole; elsewhere it overflowed.
// CHECK: args = ["math domain error"], exception = "ValueError"
// CHECK: args = ["math range error"], exception = "OverflowError"
// CHECK-LABEL: func.func @log_gamma
// CHECK: %[[R:.*]] = call @lgamma(%arg0)
// CHECK: scf.if
// CHECK: %[[FLOOR:.*]] = math.floor %arg0
// CHECK: %[[WHOLE:.*]] = arith.cmpf oeq, %arg0, %[[FLOOR]]
// CHECK: %[[LOW:.*]] = arith.cmpf ole, %arg0
// CHECK: arith.andi %[[WHOLE]], %[[LOW]]
func.func @log_gamma(%x: f64) -> f64 attributes {pyarray.options = {error_model = "strict"}} {
  %0 = pyarray.builtin "math.lgamma"(%x) : (f64) -> f64
  return %0 : f64
}

// -----

// CHECK: args = ["range() argument {0}{1} does not fit in int64"], exception = "OverflowError"
// CHECK-LABEL: func.func @unsigned_range
// CHECK: %[[LARGE:.*]] = arith.cmpi slt, %arg0, %c0_i64
// CHECK: scf.if %[[LARGE]]
func.func @unsigned_range(%n: ui64) -> si64 {
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %last = pyarray.cast %n : ui64 to si64
  %range = pyarray.builtin "builtins.range"(%c0, %last, %c1, %n) : (si64, si64, si64, ui64) -> !pyarray.range
  %0 = pyarray.iter_length %range : (!pyarray.range) -> si64
  return %0 : si64
}
