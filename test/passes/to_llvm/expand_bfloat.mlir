// bfloat16 becomes float32 and integers; selections and bits stay.
// RUN: pyarray-opt %s --pyarray-expand-bfloat | FileCheck %s
// RUN: pyarray-opt %s --pyarray-expand-bfloat --pyarray-expand-bfloat | FileCheck %s

// CHECK-LABEL: func.func @sum
// CHECK: %[[XB:.*]] = arith.bitcast %arg0 : bf16 to i16
// CHECK: %[[XW:.*]] = arith.extui %[[XB]] : i16 to i32
// CHECK: %[[XS:.*]] = arith.shli %[[XW]], %{{.*}} : i32
// CHECK: %[[X:.*]] = arith.bitcast %[[XS]] : i32 to f32
// CHECK: %[[S:.*]] = arith.addf %[[X]], %{{.*}} : f32
// CHECK: %[[B:.*]] = arith.bitcast %[[S]] : f32 to i32
// CHECK: arith.cmpf uno, %[[S]], %[[S]] : f32
// CHECK: %[[R:.*]] = arith.trunci %{{.*}} : i32 to i16
// CHECK: %[[O:.*]] = arith.bitcast %[[R]] : i16 to bf16
// CHECK: return %[[O]] : bf16
func.func @sum(%x: bf16, %y: bf16) -> bf16 {
  %0 = arith.addf %x, %y : bf16
  return %0 : bf16
}

// Flags and predicates stay.
// CHECK-LABEL: func.func @less
// CHECK: arith.cmpf olt, %{{.*}}, %{{.*}} fastmath<nnan> : f32
// CHECK: arith.select %{{.*}}, %arg0, %arg1 : bf16
func.func @less(%x: bf16, %y: bf16) -> bf16 {
  %0 = arith.cmpf olt, %x, %y fastmath<nnan> : bf16
  %1 = arith.select %0, %x, %y : bf16
  return %1 : bf16
}

// CHECK-LABEL: func.func @conversions
// CHECK-NOT: arith.truncf
// CHECK: arith.extf %{{.*}} : f32 to f64
// CHECK-NOT: arith.truncf
// CHECK: return
func.func @conversions(%x: bf16, %y: f32) -> (f64, bf16) {
  %0 = arith.extf %x : bf16 to f64
  %1 = arith.truncf %y : f32 to bf16
  return %0, %1 : f64, bf16
}

// CHECK-LABEL: func.func @fused
// CHECK: %[[P:.*]] = arith.mulf %{{.*}}, %{{.*}} : f64
// CHECK: arith.addf %[[P]], %{{.*}} : f64
// CHECK-NOT: math.fma
func.func @fused(%x: bf16, %y: bf16, %z: bf16) -> bf16 {
  %0 = math.fma %x, %y, %z : bf16
  return %0 : bf16
}

// CHECK-LABEL: func.func @others
// CHECK-NEXT: arith.addf %arg0, %arg0 : f16
func.func @others(%x: f16) -> f16 {
  %0 = arith.addf %x, %x : f16
  return %0 : f16
}
