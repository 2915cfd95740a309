// RUN: pyarray-opt %s --pyarray-split-grid | FileCheck %s
// RUN: pyarray-opt %s --pyarray-split-grid | pyarray-opt

!M = memref<?xf64, strided<[?], offset: ?>>

// CHECK-DAG: #[[P:.*]] = #llvm.loop_annotation<parallelAccesses = #{{.*}}>

// Without threads: nested loops, the innermost marked.
// CHECK-LABEL: func.func @serial
// CHECK:      scf.for
// CHECK:        scf.for
// CHECK:        } {loop_annotation = #{{.*}}}
// CHECK-NEXT: }
func.func @serial(%o: memref<?x?xf64>, %n: index, %m: index, %x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %m) step (%c1, %c1) {
    memref.store %x, %o[%i, %j] : memref<?x?xf64>
    scf.reduce
  }
  return
}

// With threads: a function over a part, in which constants and stack memory are made again; a failed part leaves.
// CHECK-LABEL: func.func private @spread.chunk0
// CHECK-SAME:  (%[[B:.*]]: i64, %[[E:.*]]: i64, %{{.*}}: i64, %[[O:.*]]: memref{{.*}}) -> i32
// CHECK:         %[[S:.*]] = memref.alloca() {pyarray.owner_slot} : memref<i64>
// CHECK:         memref.store %{{.*}}, %[[S]][] : memref<i64>
// CHECK-DAG:     %[[X:.*]] = arith.constant 2.000000e+00 : f64
// CHECK-DAG:     %[[LO:.*]] = arith.index_cast %[[B]]
// CHECK-DAG:     %[[HI:.*]] = arith.index_cast %[[E]]
// CHECK:         scf.for %[[I:.*]] = %[[LO]] to %[[HI]]
// CHECK:           memref.load %[[S]][]
// CHECK:           memref.store %[[X]], %[[O]][%[[I]]]
// CHECK:         return %{{.*}} : i32
// CHECK: func.func private @spread.launch0(i64, i64, memref{{.*}}) -> i32 attributes {{{.*}}pyarray.launch = @spread.chunk0}
// CHECK: func.func private @pyarray_rt_leave() attributes {{{.*}}pyarray.noreturn
// CHECK-LABEL: func.func @spread
// CHECK:         %[[STATUS:.*]] = call @spread.launch0(
// CHECK:         %[[FAILED:.*]] = arith.cmpi ne, %[[STATUS]]
// CHECK:         scf.if %[[FAILED]] {
// CHECK-NEXT:      func.call @pyarray_rt_leave()
func.func @spread(%o: !M, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 2.0 : f64
  %s = arith.constant 0 : i32
  %z = arith.constant 0 : i64
  %slot = memref.alloca() {pyarray.owner_slot} : memref<i64>
  memref.store %z, %slot[] : memref<i64>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %owner = memref.load %slot[] : memref<i64>
    memref.store %x, %o[%i] : !M
    scf.reduce
  } {pyarray.threads}
  return %s : i32
}

// Several dimensions are counted as one.
// CHECK-LABEL: func.func private @plane.chunk0
// CHECK:         scf.for %[[K:.*]] =
// CHECK:           %[[J:.*]] = arith.remui %[[K]], %[[M:.*]] : index
// CHECK:           %[[I:.*]] = arith.divui %[[K]], %[[M]] : index
// CHECK:           memref.store %{{.*}}, %{{.*}}[%[[I]], %[[J]]]
func.func @plane(%o: memref<?x?xf64>, %n: index, %m: index, %x: f64) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = arith.constant 0 : i32
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %m) step (%c1, %c1) {
    memref.store %x, %o[%i, %j] : memref<?x?xf64>
    scf.reduce
  } {pyarray.threads}
  return %s : i32
}
