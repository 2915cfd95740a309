// RUN: pyarray-opt %s --pyarray-lower --split-input-file | FileCheck %s

// CHECK: args = ["index {0} is out of bounds for axis {2} with size {1}"], exception = "IndexError"
// CHECK-LABEL: func.func @load
// CHECK: %[[DIM:.*]] = memref.dim %arg0, %c0
// CHECK: %[[N:.*]] = arith.index_cast %[[DIM]] : index to i64
// CHECK: %[[NEGATIVE:.*]] = arith.cmpi slt, %arg2, %c0_i64
// CHECK: %[[WRAPPED:.*]] = arith.addi %arg2, %[[N]]
// CHECK: %[[K:.*]] = arith.select %[[NEGATIVE]], %[[WRAPPED]], %arg2
// CHECK: %[[BAD:.*]] = arith.cmpi uge, %[[K]], %[[N]]
// CHECK: scf.if %[[BAD]] {
// CHECK-NEXT: func.call @pyarray_rt_raise_values(%{{.*}}, %arg2, %[[N]], %c0_i64)
// CHECK: %[[I:.*]] = arith.index_cast %[[K]] : i64 to index
// CHECK: memref.load %arg0[%[[I]]]
func.func @load(%a: !pyarray.array<?xf64, C>, %i: si64) -> f64 {
  %0 = pyarray.getitem %a[%i] : (!pyarray.array<?xf64, C>, si64) -> f64
  return %0 : f64
}

// -----

// CHECK-LABEL: func.func @unchecked
// CHECK-NOT: scf.if
// CHECK: arith.select
// CHECK-NOT: scf.if
// CHECK: memref.load
func.func @unchecked(%a: !pyarray.array<?xf64, C>, %i: si64) -> f64 attributes {pyarray.options = {boundscheck = false}} {
  %0 = pyarray.getitem %a[%i] : (!pyarray.array<?xf64, C>, si64) -> f64
  return %0 : f64
}

// -----

// An index that an earlier pass found in bounds is used as it is.
// CHECK-LABEL: func.func @in_bounds
// CHECK-NOT: scf.if
// CHECK-NOT: arith.select
// CHECK: %[[I:.*]] = arith.index_cast %arg2
// CHECK: memref.load %arg0[%[[I]]]
func.func @in_bounds(%a: !pyarray.array<?xf64, C>, %i: si64) -> f64 {
  %0 = pyarray.getitem %a[%i] {pyarray.in_bounds = array<i1: true>} : (!pyarray.array<?xf64, C>, si64) -> f64
  return %0 : f64
}

// -----

// Neither the variable of a range from 0 nor an unsigned index is ever negative.
// CHECK-LABEL: func.func @non_negative
// CHECK-NOT: arith.select
// CHECK: memref.load
// CHECK: memref.load
// CHECK: return
func.func @non_negative(%a: !pyarray.array<?xf64, C>, %n: si64, %u: ui64) -> f64 {
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %0 = pyarray.getitem %a[%u] : (!pyarray.array<?xf64, C>, ui64) -> f64
  %range = pyarray.builtin "builtins.range"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %1 = pyarray.for (%i: si64, %s: f64) in %range : !pyarray.range iter(%0) {
    %k = pyarray.binary add %i, %c1 : (si64, si64) -> si64
    %x = pyarray.getitem %a[%k] : (!pyarray.array<?xf64, C>, si64) -> f64
    pyarray.yield %x : f64
  }
  return %1 : f64
}

// -----

// A variable that a while loop only increases is not negative; one that it decreases may be.
// CHECK-LABEL: func.func @loop_variables
// CHECK: scf.while
// CHECK: %[[UP:.*]]: i64, %[[DOWN:.*]]: i64
// CHECK-NOT: arith.cmpi slt, %[[UP]]
// CHECK: arith.cmpi slt, %[[DOWN]]
func.func @loop_variables(%a: !pyarray.array<?xf64, C>, %c: i1) -> si64 {
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %r:2 = scf.while (%i = %c0, %j = %c1) : (si64, si64) -> (si64, si64) {
    scf.condition(%c) %i, %j : si64, si64
  } do {
  ^bb0(%i: si64, %j: si64):
    %x = pyarray.getitem %a[%i] : (!pyarray.array<?xf64, C>, si64) -> f64
    %y = pyarray.getitem %a[%j] : (!pyarray.array<?xf64, C>, si64) -> f64
    %i1 = pyarray.binary add %i, %c1 : (si64, si64) -> si64
    %j1 = pyarray.binary sub %j, %c1 : (si64, si64) -> si64
    scf.yield %i1, %j1 : si64, si64
  }
  return %r#0 : si64
}

// -----

// Bools are bytes in memory.
// CHECK-LABEL: func.func @bools
// CHECK: %[[BYTE:.*]] = memref.load %{{.*}} : memref<?xi8
// CHECK: %[[BOOL:.*]] = arith.cmpi ne, %[[BYTE]], %c0_i8
// CHECK: %[[STORED:.*]] = arith.extui %[[BOOL]] : i1 to i8
// CHECK: memref.store %[[STORED]]
func.func @bools(%a: !pyarray.array<?xi1, C>, %i: ui64) -> i1 {
  %0 = pyarray.getitem %a[%i] : (!pyarray.array<?xi1, C>, ui64) -> i1
  pyarray.setitem %a[%i] = %0 : (!pyarray.array<?xi1, C>, ui64, i1) -> ()
  return %0 : i1
}

// -----

// Out of bounds, a uint64 is shown as it is: what int64 cannot hold is handed over without its last digit, and the digit.
// CHECK: args = ["index {0}{1} is out of bounds for axis 0 with size {2}"], exception = "IndexError"
// CHECK: args = ["index {0} is out of bounds for axis {2} with size {1}"], exception = "IndexError"
// CHECK-LABEL: func.func @large_index
// CHECK: %[[OUTSIDE:.*]] = arith.cmpi uge, %arg2
// CHECK: scf.if %[[OUTSIDE]] {
// CHECK:   %[[LARGE:.*]] = arith.cmpi slt, %arg2, %c0_i64
// CHECK:   scf.if %[[LARGE]] {
// CHECK:     %[[DIGIT:.*]] = arith.remui %arg2, %c10_i64
// CHECK:     %[[REST:.*]] = arith.divui %arg2, %c10_i64
// CHECK:     func.call @pyarray_rt_raise_values(%c0_i32, %[[REST]], %[[DIGIT]], %{{.*}})
// CHECK:   scf.if %[[OUTSIDE]]
// CHECK:     func.call @pyarray_rt_raise_values(%c1_i32, %arg2
func.func @large_index(%a: !pyarray.array<?xf64, C>, %i: ui64) -> f64 {
  %0 = pyarray.getitem %a[%i] : (!pyarray.array<?xf64, C>, ui64) -> f64
  return %0 : f64
}

// -----

// A static extent is a constant.
// CHECK-LABEL: func.func @static_extent
// CHECK-NOT: memref.dim
// CHECK: arith.cmpi uge, %arg2, %c3_i64
func.func @static_extent(%a: !pyarray.array<3xf64, C>, %i: ui64) -> f64 {
  %0 = pyarray.getitem %a[%i] : (!pyarray.array<3xf64, C>, ui64) -> f64
  return %0 : f64
}

// -----

// A row of a C array stays contiguous and keeps the owner.
// CHECK-LABEL: func.func @row
// CHECK: %[[V:.*]] = memref.subview %arg0[%{{.*}}, 0] [1, %{{.*}}] [1, 1] : memref<?x?xf64, strided<[?, 1], offset: ?>> to memref<?xf64, strided<[1], offset: ?>>
// CHECK: return %{{.*}}, %[[V]], %arg1
func.func @row(%a: !pyarray.array<?x?xf64, C>, %i: ui64) -> !pyarray.array<?xf64, C> {
  %0 = pyarray.getitem %a[%i] : (!pyarray.array<?x?xf64, C>, ui64) -> !pyarray.array<?xf64, C>
  return %0 : !pyarray.array<?xf64, C>
}

// -----

// a[i:j]: both ends are counted from the end where negative, and clamped.
// CHECK-LABEL: func.func @unit_slice
// CHECK-NOT: arith.divui
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK: memref.subview %arg0[%{{.*}}] [%{{.*}}] [1]
func.func @unit_slice(%a: !pyarray.array<?xf64, C>, %i: si64, %j: si64) -> !pyarray.array<?xf64, C> {
  %none = pyarray.constant unit -> !pyarray.none
  %s = pyarray.slice %i, %j, %none : (si64, si64, !pyarray.none) -> !pyarray.slice<si64, si64, !pyarray.none>
  %0 = pyarray.getitem %a[%s] : (!pyarray.array<?xf64, C>, !pyarray.slice<si64, si64, !pyarray.none>) -> !pyarray.array<?xf64, C>
  return %0 : !pyarray.array<?xf64, C>
}

// -----

// CHECK: args = ["slice step cannot be zero"], exception = "ValueError"
// CHECK-LABEL: func.func @step_slice
// CHECK: scf.if
// CHECK: arith.divui
// CHECK: memref.subview %arg0[%{{.*}}] [%{{.*}}] [%{{.*}}] : memref<?xf64, strided<[1], offset: ?>> to memref<?xf64, strided<[?], offset: ?>>
func.func @step_slice(%a: !pyarray.array<?xf64, C>, %k: si64) -> !pyarray.array<?xf64, A> {
  %none = pyarray.constant unit -> !pyarray.none
  %s = pyarray.slice %none, %none, %k : (!pyarray.none, !pyarray.none, si64) -> !pyarray.slice<!pyarray.none, !pyarray.none, si64>
  %0 = pyarray.getitem %a[%s] : (!pyarray.array<?xf64, C>, !pyarray.slice<!pyarray.none, !pyarray.none, si64>) -> !pyarray.array<?xf64, A>
  return %0 : !pyarray.array<?xf64, A>
}

// -----

// CHECK-LABEL: func.func @zero_dimensional
// CHECK: memref.load %arg0[]
func.func @zero_dimensional(%a: !pyarray.array<f64, C>) -> f64 {
  %0 = pyarray.getitem %a[] : (!pyarray.array<f64, C>) -> f64
  return %0 : f64
}

// -----

// Strides are in bytes; the dtype is known from the type and no value.
// CHECK-LABEL: func.func @attributes
// CHECK: memref.dim
// CHECK: memref.extract_strided_metadata
// CHECK: arith.muli %{{.*}}, %c8_i64
// CHECK: memref.transpose %arg0 (d0, d1) -> (d1, d0)
func.func @attributes(%a: !pyarray.array<?x?xf64, C>) -> tuple<tuple<si64, si64>, tuple<si64, si64>, !pyarray.array<?x?xf64, F>> {
  %0 = pyarray.getattr %a "shape" : (!pyarray.array<?x?xf64, C>) -> tuple<si64, si64>
  %1 = pyarray.getattr %a "strides" : (!pyarray.array<?x?xf64, C>) -> tuple<si64, si64>
  %2 = pyarray.getattr %a "T" : (!pyarray.array<?x?xf64, C>) -> !pyarray.array<?x?xf64, F>
  %3 = pyarray.getattr %a "dtype" : (!pyarray.array<?x?xf64, C>) -> !pyarray.callable<"numpy.float64">
  %4 = pyarray.tuple %0, %1, %2 : (tuple<si64, si64>, tuple<si64, si64>, !pyarray.array<?x?xf64, F>) -> tuple<tuple<si64, si64>, tuple<si64, si64>, !pyarray.array<?x?xf64, F>>
  return %4 : tuple<tuple<si64, si64>, tuple<si64, si64>, !pyarray.array<?x?xf64, F>>
}

// -----

// CHECK-LABEL: func.func @frozen
// CHECK: %[[G:.*]] = memref.get_global @pyarray.frozen_0 : memref<3xi8>
// CHECK: memref.cast %[[G]] : memref<3xi8> to memref<?xi8, strided<[1], offset: ?>>
// CHECK: memref.global "private" constant @pyarray.frozen_0 : memref<3xi8> = dense<[1, 0, 1]>
func.func @frozen() -> !pyarray.array<?xi1, C, readonly> {
  %0 = pyarray.frozen_array dense<[true, false, true]> : tensor<3xi1> -> !pyarray.array<?xi1, C, readonly>
  return %0 : !pyarray.array<?xi1, C, readonly>
}
