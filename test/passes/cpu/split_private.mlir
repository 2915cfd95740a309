// RUN: pyarray-opt %s --pyarray-split-grid --split-input-file | FileCheck %s
// RUN: pyarray-opt %s --pyarray-split-grid --split-input-file | pyarray-opt --split-input-file

// Each part has a copy, filled with 0, unless it is the only one; in the end the copies are added to the array, in order.
// CHECK-LABEL: func.func private @histogram.chunk0
// CHECK-SAME:  (%[[B:.*]]: i64, %[[E:.*]]: i64, %[[PART:.*]]: i64, %[[A:.*]]: memref<?xi64, strided<[1], offset: ?>>
// CHECK:         %[[AT:.*]] = arith.muli %[[PART]], %[[BYTES:.*]] : i64
// CHECK:         %[[COPY:.*]] = memref.reinterpret_cast
// CHECK:         %[[P:.*]] = memref.cast %[[COPY]] : memref<?xi64, strided<[?], offset: ?>> to memref<?xi64, strided<[1], offset: ?>>
// CHECK:         %[[ALONE:.*]] = arith.cmpi eq, %[[PARTS:.*]], %{{.*}} : i64
// CHECK:         scf.if %[[ALONE]] {
// CHECK-NEXT:    } else {
// CHECK:           scf.for %[[I:.*]] = %{{.*}} to %{{.*}}
// CHECK:             %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK:             memref.store %[[ZERO]], %[[P]][%[[I]]]
// CHECK:         %[[USED:.*]] = arith.select %[[ALONE]], %[[A]], %[[P]]
// CHECK-NOT:     pyarray_private
// CHECK:         memref.load %[[USED]]
// CHECK-LABEL: func.func @histogram(
// CHECK-SAME:    %[[N:.*]]: i64, %[[A:.*]]: memref<?xi64, strided<[1], offset: ?>>
// CHECK:         call @pyarray_rt_checked_multiply
// CHECK:         %[[GRAIN:.*]] = call @pyarray_rt_private_grain(%{{.*}}, %{{.*}}, %[[BYTES:.*]]) : (i64, i64, i64) -> i64
// CHECK:         %[[PARTS:.*]] = call @pyarray_rt_parallel_parts(%{{.*}}, %[[GRAIN]])
// CHECK:         %[[COPIES:.*]] = arith.select %{{.*}}, %[[PARTS]], %{{.*}} : i64
// CHECK:         %[[MEMORY:.*]] = call @pyarray_rt_allocate
// CHECK:         func.call @pyarray_rt_raise
// CHECK:         call @histogram.launch0(%{{.*}}, %[[GRAIN]]
// CHECK:         scf.for %[[K:.*]] = %{{.*}} to %[[COPIES]]
// CHECK:           scf.for
// CHECK:             %[[OLD:.*]] = memref.load %[[A]]
// CHECK:             %[[ONE:.*]] = memref.load
// CHECK:             %[[SUM:.*]] = arith.addi %[[OLD]], %[[ONE]]
// CHECK:             memref.store %[[SUM]], %[[A]]
// CHECK:         call @pyarray_rt_release(%[[MEMORY]])
// CHECK-NOT:   pyarray_private
func.func @histogram(%n: i64, %a: memref<?xi64, strided<[1], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = arith.index_cast %n : i64 to index
  %one = arith.constant 1 : i64
  scf.parallel (%i) = (%c0) to (%count) step (%c1) {
    %p = func.call @pyarray_private0(%a) {pyarray.private = "add", pyarray.memory_site = 2 : i32} : (memref<?xi64, strided<[1], offset: ?>>) -> memref<?xi64, strided<[1], offset: ?>>
    %old = memref.load %p[%c0] : memref<?xi64, strided<[1], offset: ?>>
    %new = arith.addi %old, %one : i64
    memref.store %new, %p[%c0] : memref<?xi64, strided<[1], offset: ?>>
    scf.reduce
  } {pyarray.threads = []}
  return
}
func.func private @pyarray_private0(memref<?xi64, strided<[1], offset: ?>>) -> memref<?xi64, strided<[1], offset: ?>>

// -----

// Beside a number; in Fortran order: the first stride is 1. A maximum begins with the array's own elements.
// CHECK-LABEL: func.func private @both.chunk0
// CHECK:         memref.reinterpret_cast %{{.*}} to offset: [%{{.*}}], sizes: [%[[ROWS:.*]], %{{.*}}], strides: [%[[ONE:.*]], %[[S:.*]]]
// CHECK:         %[[OWN:.*]] = memref.load %[[A:.*]][
// CHECK-NEXT:    memref.store %[[OWN]], %{{.*}}[
// CHECK:         scf.for {{.*}} iter_args
// CHECK-LABEL: func.func @both(
// CHECK:         arith.cmpf ogt
func.func @both(%n: i64, %a: memref<?x?xf64, strided<[1, ?], offset: ?>>, %x: f64) -> f64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f64) : i64 {
    %p = func.call @pyarray_private3(%a) {pyarray.private = "max", pyarray.memory_site = 2 : i32} : (memref<?x?xf64, strided<[1, ?], offset: ?>>) -> memref<?x?xf64, strided<[1, ?], offset: ?>>
    memref.store %x, %p[%zero, %zero] : memref<?x?xf64, strided<[1, ?], offset: ?>>
    %t = arith.addf %s, %x : f64
    scf.yield %t : f64
  } {pyarray.threads = ["add"], pyarray.memory_site = 4 : i32}
  return %r : f64
}
func.func private @pyarray_private3(memref<?x?xf64, strided<[1, ?], offset: ?>>) -> memref<?x?xf64, strided<[1, ?], offset: ?>>
