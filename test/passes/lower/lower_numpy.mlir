// RUN: pyarray-opt %s --pyarray-lower --split-input-file | FileCheck %s

// Division and shifts of NumPy's raise nothing, whatever the error model.
// CHECK-LABEL: func.func @operators
// CHECK-NOT: scf.if
// CHECK: arith.divsi
// CHECK-NOT: scf.if
// CHECK: arith.shli
// CHECK-NOT: scf.if
// CHECK: return
func.func @operators(%a: si64, %b: si64) -> si64 {
  %0 = pyarray.builtin "numpy.floor_divide"(%a, %b) : (si64, si64) -> si64
  %1 = pyarray.builtin "numpy.left_shift"(%0, %b) : (si64, si64) -> si64
  return %1 : si64
}

// -----

// CHECK-LABEL: func.func @bools
// CHECK: %[[SUM:.*]] = arith.ori %arg0, %arg1 : i1
// CHECK: %[[PRODUCT:.*]] = arith.andi %[[SUM]], %arg1 : i1
// CHECK: arith.xori %[[PRODUCT]], %true
func.func @bools(%a: i1, %b: i1) -> i1 {
  %0 = pyarray.builtin "numpy.add"(%a, %b) : (i1, i1) -> i1
  %1 = pyarray.builtin "numpy.multiply"(%0, %b) : (i1, i1) -> i1
  %2 = pyarray.builtin "numpy.invert"(%1) : (i1) -> i1
  return %2 : i1
}

// -----

// CHECK-LABEL: func.func @logical
// CHECK: %[[A:.*]] = arith.cmpi ne, %arg0
// CHECK: %[[B:.*]] = arith.cmpf une, %arg1
// CHECK: arith.xori %[[A]], %[[B]] : i1
func.func @logical(%a: ui8, %b: f64) -> i1 {
  %0 = pyarray.builtin "numpy.logical_xor"(%a, %b) : (ui8, f64) -> i1
  return %0 : i1
}

// -----

// Magnitudes are unsigned: that of the least int8 is 128.
// CHECK-LABEL: func.func @gcd
// CHECK: %[[A:.*]] = math.absi %{{.*}} : i64
// CHECK: %[[B:.*]] = math.absi %{{.*}} : i64
// CHECK: call @pyarray_rt_gcd_u64(%[[A]], %[[B]])
// CHECK: arith.trunci %{{.*}} : i64 to i8
// CHECK: call @pyarray_rt_lcm_u64(%arg1, %arg1)
func.func @gcd(%a: si8, %b: ui64) -> tuple<si8, ui64> {
  %0 = pyarray.builtin "numpy.gcd"(%a, %a) : (si8, si8) -> si8
  %1 = pyarray.builtin "numpy.lcm"(%b, %b) : (ui64, ui64) -> ui64
  %2 = pyarray.tuple %0, %1 : (si8, ui64) -> tuple<si8, ui64>
  return %2 : tuple<si8, ui64>
}

// -----

// CHECK-LABEL: func.func @power
// CHECK: math.powf %arg0, %arg0 : f64
// CHECK: call @pyarray_rt_ipow_i64
// CHECK: call @pyarray_rt_complex_pow_numpy
func.func @power(%x: f64, %i: si64, %z: complex<f64>) -> tuple<f64, si64, complex<f64>> {
  %0 = pyarray.builtin "numpy.power"(%x, %x) : (f64, f64) -> f64
  %1 = pyarray.builtin "numpy.power"(%i, %i) : (si64, si64) -> si64
  %2 = pyarray.builtin "numpy.float_power"(%z, %z) : (complex<f64>, complex<f64>) -> complex<f64>
  %3 = pyarray.tuple %0, %1, %2 : (f64, si64, complex<f64>) -> tuple<f64, si64, complex<f64>>
  return %3 : tuple<f64, si64, complex<f64>>
}

// -----

// Whole powers up to the eighth are products.
// CHECK-LABEL: func.func @whole_powers
// CHECK: %[[SQUARE:.*]] = arith.mulf %arg0, %arg0
// CHECK: arith.mulf %arg0, %[[SQUARE]]
// CHECK-NOT: math.powf
// CHECK: math.powf
func.func @whole_powers(%x: f32) -> tuple<f32, f32> {
  %three = pyarray.constant 3.0 : f32 -> f32
  %nine = pyarray.constant 9.0 : f32 -> f32
  %0 = pyarray.builtin "numpy.power"(%x, %three) : (f32, f32) -> f32
  %1 = pyarray.builtin "numpy.power"(%x, %nine) : (f32, f32) -> f32
  %2 = pyarray.tuple %0, %1 : (f32, f32) -> tuple<f32, f32>
  return %2 : tuple<f32, f32>
}

// -----

// CHECK-LABEL: func.func @floats
// CHECK: arith.cmpf oeq, %arg0
// CHECK: math.exp2
// CHECK: call @log1pf
// CHECK: call @nextafterf
func.func @floats(%x: f32, %y: f32) -> f32 {
  %0 = pyarray.builtin "numpy.heaviside"(%x, %y) : (f32, f32) -> f32
  %1 = pyarray.builtin "numpy.logaddexp2"(%0, %y) : (f32, f32) -> f32
  %2 = pyarray.builtin "numpy.spacing"(%1) : (f32) -> f32
  return %2 : f32
}
