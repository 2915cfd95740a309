// RUN: pyarray-opt %s --pyarray-lower --split-input-file | FileCheck %s

// The owner of a new array is the address of its bytes.
// CHECK: args = ["negative dimensions are not allowed"], exception = "ValueError"
// CHECK: args = ["array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size."], exception = "ValueError"
// CHECK: args = ["Unable to allocate an array of {0} bytes"], exception = "MemoryError"
// CHECK-LABEL: func.func @empty
// CHECK: %[[BYTES:.*]], %{{.*}} = arith.mului_extended %c8_i64, %arg0
// CHECK: %[[SIZE:.*]] = arith.index_cast %[[BYTES]] : i64 to index
// CHECK: %[[BUFFER:.*]] = memref.alloc(%[[SIZE]]) : memref<?xi8>
// CHECK: %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index %[[BUFFER]]
// CHECK: %[[OWNER:.*]] = arith.index_cast %[[ADDRESS]] : index to i64
// CHECK: %[[SHORT:.*]] = arith.cmpi eq, %[[OWNER]], %c0_i64
// CHECK: scf.if %[[SHORT]]
// CHECK: %[[VIEW:.*]] = memref.view %[[BUFFER]][%c0][%{{.*}}] : memref<?xi8> to memref<?xf64>
// CHECK: %[[ARRAY:.*]] = memref.cast %[[VIEW]]
// CHECK: memref.store %[[OWNER]], %[[SLOT:.*]][]
// CHECK: return %{{.*}}, %[[ARRAY]], %[[OWNER]]
func.func @empty(%n: si64) -> !pyarray.array<?xf64, C> {
  %0 = pyarray.builtin "numpy.empty"(%n) : (si64) -> !pyarray.array<?xf64, C>
  return %0 : !pyarray.array<?xf64, C>
}

// -----

// Zeroed memory comes from the runtime: the system has pages of it.
// CHECK-LABEL: func.func @zeros
// CHECK-NOT: memref.alloc(
// CHECK: call @pyarray_rt_allocate_zeroed(%{{.*}}) : (i64) -> !llvm.ptr
// CHECK: builtin.unrealized_conversion_cast
// CHECK-NOT: scf.for
// CHECK: func.func private @pyarray_rt_allocate_zeroed(i64) -> (!llvm.ptr {llvm.noalias})
func.func @zeros(%n: si64) -> !pyarray.array<?x?xf64, C> {
  %0 = pyarray.builtin "numpy.zeros"(%n, %n) : (si64, si64) -> !pyarray.array<?x?xf64, C>
  return %0 : !pyarray.array<?x?xf64, C>
}

// -----

// An array in F order is that in C order of the reversed shape, transposed.
// CHECK-LABEL: func.func @full_like
// CHECK: memref.view
// CHECK: memref.transpose
// CHECK: scf.for
// CHECK: scf.for
// CHECK: memref.store %arg2
func.func @full_like(%a: !pyarray.array<?x?xf64, F>, %x: f64) -> !pyarray.array<?x?xf64, F> {
  %0 = pyarray.builtin "numpy.full_like"(%a, %x) : (!pyarray.array<?x?xf64, F>, f64) -> !pyarray.array<?x?xf64, F>
  return %0 : !pyarray.array<?x?xf64, F>
}

// -----

// CHECK-LABEL: func.func @copy_contiguous
// CHECK-NOT: scf.for
// CHECK: call @pyarray_rt_copy
func.func @copy_contiguous(%a: !pyarray.array<?x?xf64, C>) -> !pyarray.array<?x?xf64, C> {
  %0 = pyarray.builtin "array.copy"(%a) : (!pyarray.array<?x?xf64, C>) -> !pyarray.array<?x?xf64, C>
  return %0 : !pyarray.array<?x?xf64, C>
}

// -----

// CHECK-LABEL: func.func @copy_strided
// CHECK: scf.for
// CHECK: memref.load %arg0
// CHECK: memref.store
func.func @copy_strided(%a: !pyarray.array<?xf64, A>) -> !pyarray.array<?xf64, C> {
  %0 = pyarray.builtin "array.copy"(%a) : (!pyarray.array<?xf64, A>) -> !pyarray.array<?xf64, C>
  return %0 : !pyarray.array<?xf64, C>
}

// -----

// a[:] = x
// CHECK-LABEL: func.func @fill
// CHECK: %[[V:.*]] = memref.subview %arg0
// CHECK: scf.for
// CHECK: memref.store %arg2, %[[V]]
func.func @fill(%a: !pyarray.array<?xf64, C>, %x: f64) -> !pyarray.none {
  %none = pyarray.constant unit -> !pyarray.none
  %s = pyarray.slice %none, %none, %none : (!pyarray.none, !pyarray.none, !pyarray.none) -> !pyarray.slice<!pyarray.none, !pyarray.none, !pyarray.none>
  pyarray.setitem %a[%s] = %x : (!pyarray.array<?xf64, C>, !pyarray.slice<!pyarray.none, !pyarray.none, !pyarray.none>, f64) -> ()
  return %none : !pyarray.none
}

// -----

// a[:] = b: shapes are compared, and b is copied first where the memory may be the same.
// CHECK: args = ["could not broadcast input array from shape {0:1} into shape {1:1}"], exception = "ValueError"
// CHECK-LABEL: func.func @assign
// CHECK: %[[SOURCE:.*]]:2 = scf.if %{{.*}} -> (memref<?xi64, strided<[1], offset: ?>>, i64) {
// CHECK: memref.alloc
// CHECK: } else {
// CHECK: scf.for
// CHECK: memref.load %[[SOURCE]]#0
// CHECK: arith.sitofp
// CHECK: memref.store
// CHECK: call @pyarray_rt_release(%[[SOURCE]]#1)
func.func @assign(%a: !pyarray.array<?xf64, C>, %b: !pyarray.array<?xsi64, C>) -> !pyarray.none {
  %none = pyarray.constant unit -> !pyarray.none
  %s = pyarray.slice %none, %none, %none : (!pyarray.none, !pyarray.none, !pyarray.none) -> !pyarray.slice<!pyarray.none, !pyarray.none, !pyarray.none>
  pyarray.setitem %a[%s] = %b : (!pyarray.array<?xf64, C>, !pyarray.slice<!pyarray.none, !pyarray.none, !pyarray.none>, !pyarray.array<?xsi64, C>) -> ()
  return %none : !pyarray.none
}
