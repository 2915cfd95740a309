// RUN: pyarray-opt %s --pyarray-lower | FileCheck %s
// A block gets the slots of its inputs and gives those of its outputs; a handle is the exception that it raised.

// CHECK-LABEL: func.func @numbers
// CHECK: call @pyarray_rt_blocks_run
// CHECK: call @pyarray_rt_raise
// CHECK: llvm.store %{{.*}} {alignment = 8 : i64} : i64
// CHECK: %[[BYTE:.*]] = arith.extui %arg1 : i1 to i8
// CHECK: llvm.store %[[BYTE]]
// CHECK: %[[FAILED:.*]] = call @pyarray_rt_call_block
// CHECK: %[[RAISES:.*]] = arith.cmpi ne, %[[FAILED]]
// CHECK: scf.if %[[RAISES]]
// CHECK: call @pyarray_rt_raise_objects
// CHECK: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr -> f64
func.func @numbers(%n: si64, %flag: i1) -> f64 {
  %0 = pyarray.builtin "pyarray.objmode_call"(%n, %flag) {callee = "7:q?>d"} : (si64, i1) -> f64
  return %0 : f64
}
