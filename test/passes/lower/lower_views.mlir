// RUN: pyarray-opt %s --pyarray-lower --split-input-file | FileCheck %s

// Strides in bytes are strides in elements.
// CHECK-LABEL: func.func @strided
// CHECK: arith.shrsi
// CHECK: memref.reinterpret_cast
func.func @strided(%a: !pyarray.array<?xf64, C>, %n: si64, %s: si64) -> !pyarray.array<?xf64, A> {
  %zero = pyarray.constant 0 : si64 -> si64
  %0 = pyarray.builtin "pyarray.library._intrinsics.strided"(%a, %zero, %n, %s) : (!pyarray.array<?xf64, C>, si64, si64, si64) -> !pyarray.array<?xf64, A>
  return %0 : !pyarray.array<?xf64, A>
}

// -----

// What is in C order is seen in another shape where it lies.
// CHECK-LABEL: func.func @reshape
// CHECK-NOT: pyarray_rt_reshape_strides
// CHECK: memref.reinterpret_cast
// CHECK-NOT: memref.alloc(
func.func @reshape(%a: !pyarray.array<?xf64, C>, %n: si64, %m: si64) -> !pyarray.array<?x?xf64, C> {
  %0 = pyarray.builtin "array.reshape"(%a, %n, %m) : (!pyarray.array<?xf64, C>, si64, si64) -> !pyarray.array<?x?xf64, C>
  return %0 : !pyarray.array<?x?xf64, C>
}

// -----

// Of all else the runtime says whether there are strides for it; where there are none it is copied.
// CHECK-LABEL: func.func @reshaped
// CHECK: call @pyarray_rt_reshape_strides
// CHECK: scf.if
// CHECK: call @pyarray_rt_retain
// CHECK: } else {
// CHECK: memref.alloc(
func.func @reshaped(%a: !pyarray.array<?x?xf64, A>, %n: si64) -> !pyarray.array<?xf64, A> {
  %0 = pyarray.builtin "pyarray.reshaped"(%a, %n) : (!pyarray.array<?x?xf64, A>, si64) -> !pyarray.array<?xf64, A>
  return %0 : !pyarray.array<?xf64, A>
}

// -----

// A store to a new array of one that was there before needs no test of overlap.
// CHECK-LABEL: func.func @fresh
// CHECK: memref.alloc(
// CHECK-NOT: memref.alloc(
// CHECK: return
func.func @fresh(%a: !pyarray.array<?xf64, A>, %n: si64) -> !pyarray.array<?xf64, C> {
  %0 = pyarray.builtin "numpy.empty"(%n) : (si64) -> !pyarray.array<?xf64, C>
  pyarray.setitem %0[] = %a : (!pyarray.array<?xf64, C>, !pyarray.array<?xf64, A>) -> ()
  return %0 : !pyarray.array<?xf64, C>
}
