// RUN: pyarray-opt --pyarray-wrap-export %s | FileCheck %s
// RUN: pyarray-opt --pyarray-wrap-export --pyarray-wrap-export %s | FileCheck %s

// A number travels in a register, an array as the address of its struct; each result is stored behind a pointer.

module attributes {pyarray.export = {name = "scaled", form = "c", code = "[C1dF>(dq)", parameters = "a,z"}} {
  llvm.func @pyarray_entry(%args: !llvm.ptr, %results: !llvm.ptr) -> i32 {
    %0 = llvm.mlir.constant(0 : i32) : i32
    llvm.return %0 : i32
  }
}

// CHECK: llvm.func internal @pyarray_entry
// CHECK-SAME: no_inline
// CHECK: llvm.mlir.global internal constant @pyarray_export_sites
// CHECK: llvm.mlir.global internal constant @pyarray_export_what_0("C1:3:a\00")
// CHECK: llvm.func @scaled(%[[A:.*]]: !llvm.ptr, %[[Z:.*]]: vector<2xf32>, %[[R:.*]]: !llvm.ptr, %[[S:.*]]: !llvm.ptr) -> i32
// CHECK: %[[C:.*]] = llvm.call @pyarray_rt_export_array(%[[A]],
// CHECK: llvm.cond_br %{{.*}}, ^[[REFUSED:bb[0-9]+]](%[[C]] : i32)
// CHECK: llvm.store %[[Z]], %{{.*}} : vector<2xf32>
// CHECK: llvm.call @pyarray_entry
// CHECK: llvm.store %{{.*}}, %{{.*}} : f64
// CHECK: llvm.store %{{.*}}, %{{.*}} : i64
// CHECK: llvm.call @pyarray_rt_export_failed
// CHECK: ^[[REFUSED]](%[[W:.*]]: i32):
// CHECK: llvm.return %[[W]]
