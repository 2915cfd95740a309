// RUN: pyarray-opt %s --pyarray-lower --split-input-file | FileCheck %s

// Sums, products and quotients are operations of arith, which round once.
// CHECK-LABEL: func.func @arithmetic
// CHECK: arith.addf %arg0, %arg1 : f16
// CHECK: arith.mulf %{{.*}}, %arg1 : f16
// CHECK: arith.divf %{{.*}}, %arg1 : f16
// CHECK: arith.negf %{{.*}} : f16
// CHECK: arith.cmpf olt, %arg0, %{{.*}} : f16
func.func @arithmetic(%a: f16, %b: f16) -> i1 attributes {pyarray.options = {error_model = "numpy"}} {
  %0 = pyarray.binary add %a, %b : (f16, f16) -> f16
  %1 = pyarray.binary mul %0, %b : (f16, f16) -> f16
  %2 = pyarray.binary truediv %1, %b : (f16, f16) -> f16
  %3 = pyarray.unary neg %2 : (f16) -> f16
  %4 = pyarray.compare lt %a, %3 : (f16, f16) -> i1
  return %4 : i1
}

// -----

// Floor division and powers are computed in float32.
// CHECK-LABEL: func.func @floordiv
// CHECK: %[[A:.*]] = arith.extf %arg0 : f16 to f32
// CHECK: %[[B:.*]] = arith.extf %arg1 : f16 to f32
// CHECK: arith.remf %[[A]], %[[B]] : f32
// CHECK: arith.truncf %{{.*}} : f32 to f16
// CHECK: %[[A2:.*]] = arith.extf %arg0 : f16 to f32
// CHECK: %[[P:.*]] = math.powf %[[A2]], %{{.*}} : f32
// CHECK: arith.truncf %[[P]] : f32 to f16
func.func @floordiv(%a: f16, %b: f16) -> tuple<f16, f16> attributes {pyarray.options = {error_model = "numpy"}} {
  %0 = pyarray.binary floordiv %a, %b : (f16, f16) -> f16
  %1 = pyarray.binary pow %a, %b : (f16, f16) -> f16
  %2 = pyarray.tuple %0, %1 : (f16, f16) -> tuple<f16, f16>
  return %2 : tuple<f16, f16>
}

// -----

// A float64 goes through a float32 that is rounded to odd: the second rounding meets no tie that the first one made.
// CHECK-LABEL: func.func @from_f64
// CHECK: %[[F:.*]] = arith.truncf %arg0 : f64 to f32
// CHECK: %[[BACK:.*]] = arith.extf %[[F]] : f32 to f64
// CHECK: %[[BITS:.*]] = arith.bitcast %[[F]] : f32 to i32
// CHECK: %[[FAR:.*]] = arith.cmpf ogt, %{{.*}}, %{{.*}} : f64
// CHECK: %[[AWAY:.*]] = arith.select %[[FAR]], %c1_i32, %c0_i32
// CHECK: %[[ODD:.*]] = arith.cmpf one, %[[BACK]], %arg0 : f64
// CHECK: %[[LAST:.*]] = arith.select %[[ODD]], %c1_i32, %c0_i32
// CHECK: %[[DOWN:.*]] = arith.subi %[[BITS]], %[[AWAY]] : i32
// CHECK: arith.ori %[[DOWN]], %[[LAST]] : i32
// CHECK: arith.truncf %{{.*}} : f32 to f16
func.func @from_f64(%x: f64) -> f16 {
  %0 = pyarray.cast %x : f64 to f16
  return %0 : f16
}

// -----

// A GPU has an instruction for it.
// CHECK-LABEL: func.func @from_f64_on_gpu
// CHECK: arith.truncf %arg0 : f64 to f16
func.func @from_f64_on_gpu(%x: f64) -> f16 attributes {pyarray.options = {boundscheck = false, target = "cuda"}} {
  %0 = pyarray.cast %x : f64 to f16
  return %0 : f16
}

// -----

// Integers go through float32, both ways.
// CHECK-LABEL: func.func @integers
// CHECK: %[[F:.*]] = arith.sitofp %arg0 : i64 to f32
// CHECK: %[[H:.*]] = arith.truncf %[[F]] : f32 to f16
// CHECK: %[[W:.*]] = arith.extf %[[H]] : f16 to f32
// CHECK: llvm.call_intrinsic "llvm.fptoui.sat.i8.f32"(%[[W]])
func.func @integers(%i: si64) -> ui8 {
  %0 = pyarray.cast %i : si64 to f16
  %1 = pyarray.cast %0 : f16 to ui8
  return %1 : ui8
}

// -----

// The next number is the one with the next bits.
// CHECK-LABEL: func.func @next
// CHECK: %[[X:.*]] = arith.bitcast %arg0 : f16 to i16
// CHECK: arith.addi %[[X]], %{{.*}} : i16
// CHECK: arith.bitcast %{{.*}} : i16 to f16
// CHECK-NOT: call @nextafter
func.func @next(%x: f16, %y: f16) -> f16 {
  %0 = pyarray.builtin "numpy.nextafter"(%x, %y) : (f16, f16) -> f16
  return %0 : f16
}

// -----

// CHECK-LABEL: func.func @comparison
// CHECK: arith.cmpf oge, %arg0, %arg1 : f16
func.func @comparison(%x: f16, %y: f16) -> i1 attributes {pyarray.options = {boundscheck = false, target = "cuda"}} {
  %0 = pyarray.builtin "cuda.fp16.hge"(%x, %y) : (f16, f16) -> i1
  return %0 : i1
}

// -----

// Two bytes are swapped as their bits.
// CHECK-LABEL: func.func @atomics
// CHECK: llvm.atomicrmw fadd %{{.*}}, %arg2 syncscope("device") monotonic : !llvm.ptr, f16
// CHECK: %[[OLD:.*]] = arith.bitcast %arg2 : f16 to i16
// CHECK: llvm.cmpxchg %{{.*}}, %[[OLD]], %{{.*}} syncscope("device") monotonic monotonic : !llvm.ptr, i16
// CHECK: arith.bitcast %{{.*}} : i16 to f16
func.func @atomics(%a: !pyarray.array<?xf16, C>, %x: f16) -> f16 attributes {pyarray.options = {boundscheck = false, target = "cuda"}} {
  %zero = pyarray.constant 0 : si64 -> si64
  %0 = pyarray.builtin "cuda.atomic.add"(%a, %zero, %x) : (!pyarray.array<?xf16, C>, si64, f16) -> f16
  %1 = pyarray.builtin "cuda.atomic.cas"(%a, %zero, %x, %x) : (!pyarray.array<?xf16, C>, si64, f16, f16) -> f16
  return %1 : f16
}
