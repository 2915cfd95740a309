// RUN: pyarray-opt %s --pyarray-lower | FileCheck %s
// A block gets the slots of its inputs and gives those of its outputs; a handle is the exception that it raised;
// its lowest bit says that this is no Exception, which handlers of Exception do not see.

// CHECK-LABEL: func.func @numbers
// CHECK: call @pyarray_rt_blocks_run
// CHECK: call @pyarray_rt_raise
// CHECK: llvm.store %{{.*}} {alignment = 8 : i64} : i64
// CHECK: %[[BYTE:.*]] = arith.extui %arg1 : i1 to i8
// CHECK: llvm.store %[[BYTE]]
// CHECK: %[[FAILED:.*]] = call @pyarray_rt_call_block
// CHECK: %[[RAISES:.*]] = arith.cmpi ne, %[[FAILED]], %c0_i64
// CHECK: scf.if %[[RAISES]]
// CHECK: %[[FLAG:.*]] = arith.andi %[[FAILED]], %c1_i64
// CHECK: %[[OTHER:.*]] = arith.cmpi ne, %[[FLAG]]
// CHECK: %[[KEPT:.*]] = arith.xori %[[FAILED]], %[[FLAG]]
// CHECK: scf.if %[[OTHER]]
// CHECK: memref.store %[[KEPT]]
// CHECK: call @pyarray_rt_raise_objects(%c1_i32
// CHECK: } else {
// CHECK: call @pyarray_rt_raise_objects(%c2_i32
// CHECK: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr -> f64
func.func @numbers(%n: si64, %flag: i1) -> f64 {
  %0 = pyarray.builtin "pyarray.objmode_call"(%n, %flag) {callee = "7:q?>d"} : (si64, i1) -> f64
  return %0 : f64
}
