// RUN: pyarray-opt --pyarray-version-segments --split-input-file %s | FileCheck %s
// RUN: pyarray-opt --pyarray-version-segments --split-input-file %s | pyarray-opt --split-input-file

// The index of every thread is within the interval [base, base + extent - 1]; its ends are compared once.
// CHECK-LABEL: func.func @one_check(
// CHECK-SAME: %[[BASE:.*]]: i64, %[[SIZE:.*]]: i64, %[[X:.*]]: index
// CHECK: %[[EXTENT:.*]] = arith.index_cast %[[X]] : index to i64
// CHECK: %[[LAST:.*]] = arith.subi %[[EXTENT]], %{{.*}} : i64
// CHECK: %[[HIGH:.*]] = arith.addi %[[BASE]], %[[LAST]] : i64
// CHECK: arith.cmpi sge
// CHECK: %[[BELOW:.*]] = arith.cmpi slt, %[[HIGH]], %[[SIZE]] : i64
// CHECK: arith.andi %{{.*}}, %[[BELOW]] : i1
// CHECK: scf.if %{{.*}} {
// CHECK-COUNT-3: scf.for
// CHECK-NOT: call @pyarray_rt_raise
// CHECK: memref.store
// CHECK: } else {
// CHECK-COUNT-3: scf.for
// CHECK: call @pyarray_rt_raise
// CHECK: memref.store
func.func private @pyarray_rt_raise(i32) attributes {pyarray.noreturn}
func.func @one_check(%base: i64, %size: i64, %x: index, %a: memref<?xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %site = arith.constant 0 : i32
  scf.for %tz = %c0 to %c1 step %c1 {
    scf.for %ty = %c0 to %c1 step %c1 {
      scf.for %tx = %c0 to %x step %c1 {
        %t = arith.index_cast %tx : index to i64
        %i = arith.addi %base, %t : i64
        %out = arith.cmpi uge, %i, %size : i64
        scf.if %out {
          func.call @pyarray_rt_raise(%site) : (i32) -> ()
        }
        %p = arith.index_cast %i : i64 to index
        memref.store %v, %a[%p] : memref<?xf32>
      }
    }
  } {pyarray.segment}
  return
}

// -----

// A condition narrows the interval; where it holds for all threads, it is left out too.
// CHECK-LABEL: func.func @condition(
// CHECK-SAME: %[[BASE:.*]]: i64, %[[N:.*]]: i64, %[[SIZE:.*]]: i64
// CHECK: %[[ALL:.*]] = arith.cmpi slt, %{{.*}}, %[[N]] : i64
// CHECK: %[[GUARDS:.*]] = arith.andi %{{.*}}, %[[ALL]] : i1
// CHECK: arith.minsi
// CHECK: scf.if %{{.*}} {
// CHECK:   scf.if %[[GUARDS]] {
// CHECK:     %[[TRUE:.*]] = arith.constant true
// CHECK-COUNT-3: scf.for
// CHECK:     scf.if %[[TRUE]] {
// CHECK-NOT: call @pyarray_rt_raise
// CHECK:     memref.store
// CHECK:   } else {
// CHECK-COUNT-3: scf.for
// CHECK:     %[[IN:.*]] = arith.cmpi slt
// CHECK:     scf.if %[[IN]] {
// CHECK-NOT: call @pyarray_rt_raise
// CHECK:     memref.store
// CHECK: } else {
// CHECK:     call @pyarray_rt_raise
func.func private @pyarray_rt_raise(i32) attributes {pyarray.noreturn}
func.func @condition(%base: i64, %n: i64, %size: i64, %x: index, %a: memref<?xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %site = arith.constant 0 : i32
  scf.for %tz = %c0 to %c1 step %c1 {
    scf.for %ty = %c0 to %c1 step %c1 {
      scf.for %tx = %c0 to %x step %c1 {
        %t = arith.index_cast %tx : index to i64
        %i = arith.addi %base, %t : i64
        %in = arith.cmpi slt, %i, %n : i64
        scf.if %in {
          %out = arith.cmpi uge, %i, %size : i64
          scf.if %out {
            func.call @pyarray_rt_raise(%site) : (i32) -> ()
          }
          %p = arith.index_cast %i : i64 to index
          memref.store %v, %a[%p] : memref<?xf32>
        }
      }
    }
  } {pyarray.segment}
  return
}

// -----

// An index that comes from memory has no bounds: the loops stay as they are.
// CHECK-LABEL: func.func @gather(
// CHECK-NOT: scf.if
// CHECK-COUNT-3: scf.for
// CHECK: scf.if
// CHECK: call @pyarray_rt_raise
// CHECK-NOT: scf.for
func.func private @pyarray_rt_raise(i32) attributes {pyarray.noreturn}
func.func @gather(%size: i64, %x: index, %indices: memref<?xi64>, %a: memref<?xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %site = arith.constant 0 : i32
  scf.for %tz = %c0 to %c1 step %c1 {
    scf.for %ty = %c0 to %c1 step %c1 {
      scf.for %tx = %c0 to %x step %c1 {
        %i = memref.load %indices[%tx] : memref<?xi64>
        %out = arith.cmpi uge, %i, %size : i64
        scf.if %out {
          func.call @pyarray_rt_raise(%site) : (i32) -> ()
        }
        %p = arith.index_cast %i : i64 to index
        memref.store %v, %a[%p] : memref<?xf32>
      }
    }
  } {pyarray.segment}
  return
}

// -----

// In a loop that threads share out, a segment without checks has a version without its condition too. The condition is unsigned.
// CHECK-LABEL: func.func @shared_loop(
// CHECK: scf.for unsigned
// CHECK: %[[ALL:.*]] = arith.cmpi slt
// CHECK: %[[LEAST:.*]] = arith.minsi
// CHECK: arith.cmpi sge, %[[LEAST]]
// CHECK: scf.if
// CHECK: scf.if
// CHECK: %[[TRUE:.*]] = arith.constant true
// CHECK-COUNT-3: scf.for
// CHECK: scf.if %[[TRUE]]
// CHECK: } else {
// CHECK-COUNT-3: scf.for
// CHECK: %[[WITHIN:.*]] = arith.cmpi ult
// CHECK: scf.if %[[WITHIN]]
func.func @shared_loop(%base: i64, %stride: i64, %n: i64, %trips: i64, %x: index, %a: memref<?xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  scf.for unsigned %k = %first to %trips step %one : i64 {
    %moved = arith.muli %k, %stride : i64
    scf.for %tz = %c0 to %c1 step %c1 {
      scf.for %ty = %c0 to %c1 step %c1 {
        scf.for %tx = %c0 to %x step %c1 {
          %t = arith.index_cast %tx : index to i64
          %place = arith.addi %base, %t : i64
          %i = arith.addi %place, %moved : i64
          %within = arith.cmpi ult, %i, %n : i64
          scf.if %within {
            %p = arith.index_cast %i : i64 to index
            memref.store %v, %a[%p] : memref<?xf32>
          }
        }
      }
    } {pyarray.segment}
  } {pyarray.lockstep}
  return
}
