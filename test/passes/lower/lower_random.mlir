// RUN: pyarray-opt %s --pyarray-lower | FileCheck %s
// RUN: pyarray-opt %s --pyarray-lower | pyarray-opt

!W = !pyarray.array<?xui64, C>
!A = !pyarray.array<?xf64, C>

// CHECK-LABEL: func.func @one
// CHECK: %[[P:.*]] = llvm.inttoptr
// CHECK: %[[X:.*]] = call @random_normal(%[[P]], %{{.*}}, %{{.*}}) : (!llvm.ptr, f64, f64) -> f64
// CHECK: return %{{.*}}, %[[X]]
func.func @one(%rng: !W, %loc: f64, %scale: f64) -> f64 {
  %0 = pyarray.builtin "pyarray.library._intrinsics.draw"(%rng, %loc, %scale) {callee = "random_normal"} : (!W, f64, f64) -> f64
  return %0 : f64
}

// CHECK-LABEL: func.func @many
// CHECK: call @random_standard_normal_fill(%{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, i64, !llvm.ptr) -> ()
func.func @many(%rng: !W, %count: si64, %out: !A) -> !pyarray.none {
  %0 = pyarray.builtin "pyarray.library._intrinsics.draw_into"(%rng, %count, %out) {callee = "random_standard_normal_fill"} : (!W, si64, !A) -> !pyarray.none
  return %0 : !pyarray.none
}
