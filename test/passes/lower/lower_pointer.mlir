// RUN: pyarray-opt %s --pyarray-lower --split-input-file | FileCheck %s

// An index of a C pointer is neither checked nor counted from an end.
// CHECK-LABEL: func.func @element(%arg0: !llvm.ptr, %arg1: i64) -> (i32, f64)
// CHECK-NOT:     scf.if
// CHECK:         %[[AT:.*]] = llvm.getelementptr %arg0[%arg1] : (!llvm.ptr, i64) -> !llvm.ptr, f64
// CHECK:         %[[X:.*]] = llvm.load %[[AT]] {alignment = 8 : i64} : !llvm.ptr -> f64
// CHECK:         return %{{.*}}, %[[X]]
func.func @element(%p: !pyarray.pointer<f64>, %i: si64) -> f64 {
  %0 = pyarray.getitem %p[%i] : (!pyarray.pointer<f64>, si64) -> f64
  return %0 : f64
}

// -----

// CHECK-LABEL: func.func @store
// CHECK:         %[[AT:.*]] = llvm.getelementptr %arg0[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, i16
// CHECK:         llvm.store %arg1, %[[AT]] {alignment = 2 : i64} : i16, !llvm.ptr
func.func @store(%p: !pyarray.pointer<si16>, %x: si16) -> !pyarray.none {
  %i = pyarray.constant 3 : si64 -> si64
  pyarray.setitem %p[%i] = %x : (!pyarray.pointer<si16>, si64, si16) -> ()
  %none = pyarray.constant unit -> !pyarray.none
  return %none : !pyarray.none
}

// -----

// Bools are bytes in memory, complex numbers structs.
// CHECK-LABEL: func.func @others
// CHECK:         llvm.getelementptr {{.*}}, i8
// CHECK:         %[[BYTE:.*]] = llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> i8
// CHECK:         arith.cmpi ne, %[[BYTE]]
// CHECK:         %[[Z:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> !llvm.struct<(f32, f32)>
// CHECK:         builtin.unrealized_conversion_cast %[[Z]] : !llvm.struct<(f32, f32)> to complex<f32>
func.func @others(%p: !pyarray.pointer<i1>, %q: !pyarray.pointer<complex<f32>>, %i: ui64) -> tuple<i1, complex<f32>> {
  %0 = pyarray.getitem %p[%i] : (!pyarray.pointer<i1>, ui64) -> i1
  %1 = pyarray.getitem %q[%i] : (!pyarray.pointer<complex<f32>>, ui64) -> complex<f32>
  %2 = pyarray.tuple %0, %1 : (i1, complex<f32>) -> tuple<i1, complex<f32>>
  return %2 : tuple<i1, complex<f32>>
}

// -----

// carray: the memref of bytes at the pointer, viewed as an array whose owner is 0.
// CHECK: args = ["negative dimensions are not allowed"], exception = "ValueError"
// CHECK-LABEL: func.func @carray(%arg0: !llvm.ptr, %arg1: i64)
// CHECK-NOT:     memref.alloc
// CHECK:         %[[A:.*]] = llvm.insertvalue %arg0, %{{.*}}[0]
// CHECK:         llvm.insertvalue %arg0, %[[A]][1]
// CHECK:         %[[BYTES:.*]] = builtin.unrealized_conversion_cast %{{.*}} to memref<?xi8>
// CHECK:         memref.view %[[BYTES]][%c0][%{{.*}}, %{{.*}}] : memref<?xi8> to memref<?x?xf64>
// CHECK:         return %c0_i32, %{{.*}}, %c0_i64
func.func @carray(%p: !pyarray.pointer<f64>, %n: si64) -> !pyarray.array<?x?xf64, C> {
  %0 = pyarray.builtin "pyarray.carray"(%p, %n, %n) : (!pyarray.pointer<f64>, si64, si64) -> !pyarray.array<?x?xf64, C>
  return %0 : !pyarray.array<?x?xf64, C>
}

// -----

// CHECK-LABEL: func.func @farray
// CHECK:         memref.view %{{.*}} to memref<?x?xf32>
// CHECK:         memref.transpose
func.func @farray(%p: !pyarray.pointer<!pyarray.none>, %n: si64) -> !pyarray.array<?x?xf32, F> {
  %0 = pyarray.builtin "pyarray.farray"(%p, %n, %n) : (!pyarray.pointer<!pyarray.none>, si64, si64) -> !pyarray.array<?x?xf32, F>
  return %0 : !pyarray.array<?x?xf32, F>
}

// -----

// None is NULL; pointers compare by their addresses.
// CHECK-LABEL: func.func @null(%arg0: !llvm.ptr, %arg1: !llvm.ptr)
// CHECK:         %[[A:.*]] = llvm.ptrtoint %arg0 : !llvm.ptr to i64
// CHECK:         arith.cmpi eq, %[[A]], %c0_i64
// CHECK:         %[[P:.*]] = llvm.ptrtoint %arg0
// CHECK:         %[[Q:.*]] = llvm.ptrtoint %arg1
// CHECK:         arith.cmpi ne, %[[P]], %[[Q]]
// CHECK:         %[[T:.*]] = llvm.ptrtoint %arg1
// CHECK:         arith.cmpi ne, %[[T]], %c0_i64
func.func @null(%p: !pyarray.pointer<f64>, %q: !pyarray.pointer<!pyarray.none>) -> tuple<i1, i1, i1> {
  %none = pyarray.constant unit -> !pyarray.none
  %0 = pyarray.compare eq %p, %none : (!pyarray.pointer<f64>, !pyarray.none) -> i1
  %1 = pyarray.compare ne %p, %q : (!pyarray.pointer<f64>, !pyarray.pointer<!pyarray.none>) -> i1
  %2 = pyarray.truth %q : !pyarray.pointer<!pyarray.none>
  %3 = pyarray.tuple %0, %1, %2 : (i1, i1, i1) -> tuple<i1, i1, i1>
  return %3 : tuple<i1, i1, i1>
}
