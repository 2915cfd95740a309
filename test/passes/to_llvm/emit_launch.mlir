// RUN: pyarray-opt %s --pyarray-emit-launch | FileCheck %s
// RUN: pyarray-opt %s --pyarray-emit-launch | pyarray-opt

// CHECK: llvm.func @pyarray_rt_parallel_for(i64, i64, i64, i64) -> i32
// CHECK: llvm.func @f.chunk0.part(%[[C:.*]]: !llvm.ptr, %[[B:.*]]: i64, %[[E:.*]]: i64, %[[P:.*]]: i64) -> i32 {
// CHECK:   %[[A0:.*]] = llvm.getelementptr %[[C]][0, 0]
// CHECK:   %[[V0:.*]] = llvm.load %[[A0]] : !llvm.ptr -> !llvm.ptr
// CHECK:   %[[A1:.*]] = llvm.getelementptr %[[C]][0, 1]
// CHECK:   %[[V1:.*]] = llvm.load %[[A1]] : !llvm.ptr -> f64
// CHECK:   %[[S:.*]] = llvm.call @f.chunk0(%[[B]], %[[E]], %[[P]], %[[V0]], %[[V1]])
// CHECK:   llvm.return %[[S]]
// CHECK: llvm.func @f.launch0(%[[N:.*]]: i64, %[[G:.*]]: i64, %[[X:.*]]: !llvm.ptr, %[[Y:.*]]: f64) -> i32
// CHECK-NOT: pyarray.launch
// CHECK:   %[[K:.*]] = llvm.alloca {{.*}} x !llvm.struct<(ptr, f64)>
// CHECK:   llvm.store %[[X]]
// CHECK:   llvm.store %[[Y]]
// CHECK:   %[[F:.*]] = llvm.mlir.addressof @f.chunk0.part
// CHECK:   %[[FI:.*]] = llvm.ptrtoint %[[F]]
// CHECK:   %[[KI:.*]] = llvm.ptrtoint %[[K]]
// CHECK:   llvm.call @pyarray_rt_parallel_for(%[[FI]], %[[KI]], %[[N]], %[[G]])
llvm.func @f.chunk0(%b: i64, %e: i64, %p: i64, %x: !llvm.ptr, %y: f64) -> i32 {
  %0 = llvm.mlir.constant(0 : i32) : i32
  llvm.return %0 : i32
}
llvm.func @f.launch0(i64, i64, !llvm.ptr, f64) -> i32 attributes {pyarray.launch = @f.chunk0}
