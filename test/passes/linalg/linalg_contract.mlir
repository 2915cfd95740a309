// RUN: pyarray-opt %s --pyarray-lower-linalg | FileCheck %s
// RUN: pyarray-opt %s --pyarray-lower-linalg --pyarray-lower-linalg | FileCheck %s
// RUN: pyarray-opt %s --pyarray-lower-linalg | pyarray-opt

!C2 = memref<?x?xf64, strided<[?, 1], offset: ?>>
!A1 = memref<?xf64, strided<[?], offset: ?>>

// CHECK-LABEL: func.func @matrices
// CHECK: %[[ZERO:.*]] = arith.index_cast %c0 : index to i64
// CHECK: %[[ONE:.*]] = arith.index_cast %c1 : index to i64
// CHECK: memref.extract_strided_metadata %arg0
// CHECK: memref.extract_aligned_pointer_as_index %arg0
// CHECK: call @pyarray_rt_matmul_f64(%[[ONE]], %[[ZERO]], %[[ZERO]], %[[ZERO]], {{.*}})
// CHECK-NEXT: return
func.func @matrices(%a: !C2, %b: !C2, %c: !C2) {
  %zero = arith.constant 0.0 : f64
  linalg.fill {pyarray.contract = "start"} ins(%zero : f64) outs(%c : !C2)
  linalg.matmul {pyarray.contract = "blas"} ins(%a, %b : !C2, !C2) outs(%c : !C2)
  return
}

// Without a start: to what is there.
// CHECK-LABEL: func.func @added
// CHECK-NOT: linalg.
// CHECK: call @pyarray_rt_matmul_add_f64(
// CHECK-NEXT: return
func.func @added(%a: !C2, %b: !C2, %c: !C2) {
  linalg.matmul {pyarray.contract = "adds"} ins(%a, %b : !C2, !C2) outs(%c : !C2)
  return
}

// CHECK-LABEL: func.func @subtracted
// CHECK-NOT: linalg.
// CHECK: call @pyarray_rt_matmul_subtract_f64(
// CHECK-NEXT: return
func.func @subtracted(%a: !C2, %b: !A1, %c: !A1) {
  linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (k)>, affine_map<(m, k) -> (m)>],
      iterator_types = ["parallel", "reduction"], pyarray.contract = "subtracts"} ins(%a, %b : !C2, !A1) outs(%c : !A1) {
  ^bb0(%x: f64, %y: f64, %z: f64):
    %0 = arith.mulf %x, %y : f64
    %1 = arith.subf %z, %0 : f64
    linalg.yield %1 : f64
  }
  return
}

// A batch has the steps of its first dimension.
// CHECK-LABEL: func.func @batch
// CHECK: call @pyarray_rt_matmul_i32(
func.func @batch(%a: memref<?x?x?xi32>, %c: memref<?x?x?xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill {pyarray.contract = "start"} ins(%zero : i32) outs(%c : memref<?x?x?xi32>)
  linalg.batch_matmul {pyarray.contract = "loops"} ins(%a, %a : memref<?x?x?xi32>, memref<?x?x?xi32>) outs(%c : memref<?x?x?xi32>)
  return
}

// CHECK-LABEL: func.func @vectors
// A short dot is a loop; of elements that may lie apart with four sums, and one for the rest.
// CHECK: call @pyarray_rt_matmul_f64(
// CHECK: call @pyarray_rt_matmul_f64(
// CHECK: %[[LONG:.*]] = arith.cmpi sgt, %{{.*}}, %c4096
// CHECK: scf.if %[[LONG]] {
// CHECK: call @pyarray_rt_matmul_f64(
// CHECK: } else {
// CHECK: scf.for
// CHECK-COUNT-4: arith.addf {{.*}} fastmath<reassoc,nsz,contract>
// CHECK: scf.for
// CHECK: arith.addf {{.*}} fastmath<reassoc,nsz,contract>
// CHECK: memref.store
// CHECK-NOT: linalg
func.func @vectors(%a: !C2, %x: !A1, %y: !A1, %s: memref<f64>) {
  %zero = arith.constant 0.0 : f64
  linalg.fill {pyarray.contract = "start"} ins(%zero : f64) outs(%y : !A1)
  linalg.matvec {pyarray.contract = "blas"} ins(%a, %x : !C2, !A1) outs(%y : !A1)
  linalg.fill {pyarray.contract = "start"} ins(%zero : f64) outs(%y : !A1)
  linalg.vecmat {pyarray.contract = "blas"} ins(%x, %a : !A1, !C2) outs(%y : !A1)
  linalg.fill {pyarray.contract = "start"} ins(%zero : f64) outs(%s : memref<f64>)
  linalg.dot {pyarray.contract = "blas"} ins(%x, %y : !A1, !A1) outs(%s : memref<f64>)
  return
}
