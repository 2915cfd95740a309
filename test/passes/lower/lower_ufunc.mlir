// RUN: pyarray-opt %s --pyarray-lower | FileCheck %s
// RUN: pyarray-opt %s --pyarray-lower | pyarray-opt

!A = !pyarray.array<?xf64, A>
!A2 = !pyarray.array<?x?xf64, A>

// Points are numbers, and the body only computes: linalg, with attributes for what it cannot say.
// CHECK-LABEL: func.func @units
// CHECK-NOT: memref.distinct_objects
// CHECK: linalg.generic {indexing_maps = [#[[ID:.*]], #[[ID]], #[[ID]]], iterator_types = ["parallel"]}
// CHECK-SAME: ins(%arg0, %arg2 : memref<?xf64, strided<[?], offset: ?>>, memref<?xf64, strided<[?], offset: ?>>)
// CHECK-SAME: outs(%arg4 : memref<?xf64, strided<[?], offset: ?>>) attrs = {pyarray.cost = 2 : i64, pyarray.unit_strides} {
// CHECK-NEXT: ^bb0(%[[X:.*]]: f64, %[[Y:.*]]: f64, %{{.*}}: f64):
// CHECK-NEXT:   %[[S:.*]] = arith.addf %[[X]], %[[Y]] : f64
// CHECK-NEXT:   linalg.yield %[[S]] : f64
func.func @units(%a: !A, %b: !A, %o: !A) -> !pyarray.none {
  pyarray.ufunc "(),()->()" ins(%a, %b : !A, !A) outs(%o : !A) unit_strides expanded {
  ^bb0(%x: f64, %y: f64):
    %0 = pyarray.binary add %x, %y : (f64, f64) -> f64
    pyarray.yield %0 : f64
  }
  %n = pyarray.constant unit -> !pyarray.none
  return %n : !pyarray.none
}

// A number is an operand without indices. New memory is apart from each input, of which two may be one.
// CHECK-LABEL: func.func @fresh
// CHECK: %[[A:.*]]:2 = memref.distinct_objects %arg0, %arg5
// CHECK: %[[B:.*]]:2 = memref.distinct_objects %arg2, %[[A]]#1
// CHECK-NOT: memref.distinct_objects
// CHECK: linalg.generic {indexing_maps = [#[[ID]], #[[ID]], #[[NONE:.*]], #[[ID]]], iterator_types = ["parallel"]}
// CHECK-SAME: ins(%[[A]]#0, %[[B]]#0, %arg4 : {{.*}}, f64) outs(%[[B]]#1 : {{.*}}) attrs = {pyarray.cost = 3 : i64, pyarray.packed} {
func.func @fresh(%a: !A, %b: !A, %c: f64, %o: !A) -> !pyarray.none {
  pyarray.ufunc "(),(),()->()" ins(%a, %b, %c : !A, !A, f64) outs(%o : !A) packed expanded {
  ^bb0(%x: f64, %y: f64, %z: f64):
    %0 = pyarray.binary mul %x, %y : (f64, f64) -> f64
    %1 = pyarray.binary add %0, %z : (f64, f64) -> f64
    pyarray.yield %1 : f64
  } {pyarray.fresh}
  %n = pyarray.constant unit -> !pyarray.none
  return %n : !pyarray.none
}

// Bools of arrays are bytes.
// CHECK-LABEL: func.func @bools
// CHECK: ^bb0(%[[X:.*]]: i8, %[[Y:.*]]: i1, %{{.*}}: i8):
// CHECK:   %[[B:.*]] = arith.cmpi ne, %[[X]], %{{.*}} : i8
// CHECK:   %[[S:.*]] = arith.xori %[[B]], %[[Y]] : i1
// CHECK:   %[[R:.*]] = arith.extui %[[S]] : i1 to i8
// CHECK:   linalg.yield %[[R]] : i8
func.func @bools(%a: !pyarray.array<?xi1, C>, %b: i1, %o: !pyarray.array<?xi1, C>) -> !pyarray.none {
  pyarray.ufunc "(),()->()" ins(%a, %b : !pyarray.array<?xi1, C>, i1) outs(%o : !pyarray.array<?xi1, C>) expanded {
  ^bb0(%x: i1, %y: i1):
    %0 = pyarray.binary xor %x, %y : (i1, i1) -> i1
    pyarray.yield %0 : i1
  }
  %n = pyarray.constant unit -> !pyarray.none
  return %n : !pyarray.none
}

// Threads are for parallel functions only.
// CHECK-LABEL: func.func @threads
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]{{.*}} attrs = {pyarray.cost = 1 : i64, pyarray.threads}
func.func @threads(%a: !A2, %o: !A2) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  pyarray.ufunc "()->()" ins(%a : !A2) outs(%o : !A2) expanded {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  %n = pyarray.constant unit -> !pyarray.none
  return %n : !pyarray.none
}

// What raises does so at its point, in order: a loop of ours. Its parts are made when the target is known.
// CHECK-LABEL: func.func @raises
// CHECK-NOT: linalg.generic
// CHECK: scf.parallel (%[[I:.*]], %[[J:.*]]) =
// CHECK:   memref.load %{{.*}}[%[[I]], %[[J]]]
// CHECK:   func.call @pyarray_rt_raise
// CHECK:   memref.store %{{.*}}[%[[I]], %[[J]]]
// CHECK: {pyarray.cost = 7 : i64, pyarray.threads}
func.func @raises(%a: !pyarray.array<?x?xsi64, A>, %o: !pyarray.array<?x?xsi64, A>) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  pyarray.ufunc "()->()" ins(%a : !pyarray.array<?x?xsi64, A>) outs(%o : !pyarray.array<?x?xsi64, A>) expanded {
  ^bb0(%x: si64):
    %c = pyarray.constant 1 : si64 -> si64
    %0 = pyarray.binary floordiv %c, %x : (si64, si64) -> si64
    pyarray.yield %0 : si64
  }
  %n = pyarray.constant unit -> !pyarray.none
  return %n : !pyarray.none
}

// Core dimensions are views; a scalar operand of a kernel that wants an array is a view of one element.
// CHECK-LABEL: func.func @core
// CHECK: scf.if
// CHECK: scf.parallel (%[[I:.*]]) =
// CHECK:   memref.subview %{{.*}}[%{{.*}}, 0] [1, %{{.*}}] [1, 1] : memref<?x?xf64, strided<[?, 1], offset: ?>> to memref<?xf64
// CHECK:   memref.subview %arg2[%{{.*}}] [%{{.*}}] [1] : memref<?xf64, {{.*}}> to memref<?xf64
// CHECK:   func.call @kernel
func.func private @kernel(%x: !A, %y: !A) -> !pyarray.none {
  %n = pyarray.constant unit -> !pyarray.none
  return %n : !pyarray.none
}
func.func @core(%a: !A2, %o: !A) -> !pyarray.none {
  pyarray.ufunc "(n)->()" ins(%a : !A2) outs(%o : !A) expanded {
  ^bb0(%x: !A, %y: !A):
    %0 = pyarray.call @kernel(%x, %y) : (!A, !A) -> !pyarray.none
    pyarray.yield
  }
  %n = pyarray.constant unit -> !pyarray.none
  return %n : !pyarray.none
}

// Core dimensions whose sizes and layout are known: strides are constants, and there is no second copy.
// CHECK-LABEL: func.func @fixed
// CHECK-NOT: scf.if
// CHECK:     scf.parallel
// CHECK:       memref.cast %{{.*}} to memref<2x3xf64, strided<[3, 1], offset: ?>>
// CHECK:       memref.load %{{.*}} : memref<2x3xf64, strided<[3, 1], offset: ?>>
func.func @fixed(%a: !pyarray.array<?x?x?xf64, A>, %o: !A) -> !pyarray.none {
  pyarray.ufunc "(2,3)->()" ins(%a : !pyarray.array<?x?x?xf64, A>) outs(%o : !A) expanded {
  ^bb0(%x: !pyarray.array<2x3xf64, C>):
    %i = pyarray.constant 1 : si64 -> si64
    %j = pyarray.constant 2 : si64 -> si64
    %0 = pyarray.getitem %x[%i, %j] {pyarray.in_bounds = array<i1: true, true>} : (!pyarray.array<2x3xf64, C>, si64, si64) -> f64
    pyarray.yield %0 : f64
  }
  %n = pyarray.constant unit -> !pyarray.none
  return %n : !pyarray.none
}

// Of a core that takes two cache lines both are prefetched, 4096 bytes ahead.
// CHECK-LABEL: func.func @long_core
// CHECK:     scf.parallel
// CHECK-COUNT-2: llvm.intr.prefetch
// CHECK-NOT: llvm.intr.prefetch
func.func @long_core(%a: !pyarray.array<?x16xf64, C>, %o: !A) -> !pyarray.none {
  pyarray.ufunc "(16)->()" ins(%a : !pyarray.array<?x16xf64, C>) outs(%o : !A) expanded {
  ^bb0(%x: !pyarray.array<16xf64, C>):
    %i = pyarray.constant 1 : si64 -> si64
    %0 = pyarray.getitem %x[%i] {pyarray.in_bounds = array<i1: true>} : (!pyarray.array<16xf64, C>, si64) -> f64
    pyarray.yield %0 : f64
  }
  %n = pyarray.constant unit -> !pyarray.none
  return %n : !pyarray.none
}

// -----

// For a GPU: pyarray-map-grid gives points to threads.
// CHECK-LABEL: func.func @grid
// CHECK:       linalg.generic {{.*}} attrs = {pyarray.grid}
func.func @grid(%x: !pyarray.array<?x?xf32, A>, %o: !pyarray.array<?x?xf32, A>) -> !pyarray.none
    attributes {pyarray.entry, pyarray.kernel, pyarray.options = {target = "cuda"}} {
  pyarray.ufunc "()->()" ins(%x : !pyarray.array<?x?xf32, A>) outs(%o : !pyarray.array<?x?xf32, A>) grid expanded {
  ^bb0(%e: f32):
    pyarray.yield %e : f32
  }
  %0 = pyarray.constant unit -> !pyarray.none
  return %0 : !pyarray.none
}
