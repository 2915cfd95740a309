// RUN: pyarray-opt %s --pyarray-lower | FileCheck %s
// RUN: pyarray-opt %s --pyarray-lower | pyarray-opt

!A = !pyarray.array<?xf64, A>
!A2 = !pyarray.array<?x?xf64, A>

// Contiguous or constant: a constant input fills a buffer, and one loop reads whichever it is.
// CHECK-LABEL: func.func @units
// CHECK:     memref.alloca() {alignment = 64 : i64} : memref<512xf64>
// CHECK:     %[[UNIT:.*]] = memref.reinterpret_cast {{.*}} to {{.*}} : memref<f64> to memref<?xf64, strided<[1], offset: ?>>
// CHECK:     %[[SOURCE:.*]] = arith.select %{{.*}}, %[[UNIT]], %{{.*}} : memref<?xf64, strided<[1], offset: ?>>
// CHECK:     scf.for
// CHECK:       scf.parallel
// CHECK:         memref.load %[[SOURCE]]
// CHECK:         arith.addf
// CHECK:         memref.store
// CHECK:         scf.reduce
func.func @units(%a: !A, %b: !A, %o: !A) -> !pyarray.none {
  pyarray.ufunc "(),()->()" ins(%a, %b : !A, !A) outs(%o : !A) unit_strides expanded {
  ^bb0(%x: f64, %y: f64):
    %0 = pyarray.binary add %x, %y : (f64, f64) -> f64
    pyarray.yield %0 : f64
  }
  %n = pyarray.constant unit -> !pyarray.none
  return %n : !pyarray.none
}

// Contiguous by their types: one loop.
// CHECK-LABEL: func.func @dense
// CHECK-NOT: memref.alloca
// CHECK-NOT: scf.if
// CHECK:     scf.parallel
// CHECK:       memref.load %arg0[%{{.*}}] : memref<?xf64, strided<[1], offset: ?>>
func.func @dense(%a: !pyarray.array<?xf64, C>, %o: !pyarray.array<?xf64, C>) -> !pyarray.none {
  pyarray.ufunc "()->()" ins(%a : !pyarray.array<?xf64, C>) outs(%o : !pyarray.array<?xf64, C>) unit_strides expanded {
  ^bb0(%x: f64):
    %0 = pyarray.binary mul %x, %x : (f64, f64) -> f64
    pyarray.yield %0 : f64
  }
  %n = pyarray.constant unit -> !pyarray.none
  return %n : !pyarray.none
}

// Packed: strided inputs are copied to their buffers block by block, outputs back. A constant one is loaded once, and fills its
// buffer before the blocks.
// CHECK-LABEL: func.func @packed
// CHECK:     scf.if
// CHECK:       %[[V:.*]] = memref.load
// CHECK:       scf.parallel
// CHECK-NOT:     memref.load
// CHECK:         memref.store %[[V]],
// CHECK:     scf.for
// CHECK:       scf.if
// CHECK:         scf.parallel
// CHECK:       scf.parallel
// CHECK:         math.exp
// CHECK:       scf.if
// CHECK:         scf.parallel
func.func @packed(%a: !A, %o: !A) -> !pyarray.none {
  pyarray.ufunc "()->()" ins(%a : !A) outs(%o : !A) packed expanded {
  ^bb0(%x: f64):
    %0 = pyarray.builtin "numpy.exp"(%x) : (f64) -> f64
    pyarray.yield %0 : f64
  }
  %n = pyarray.constant unit -> !pyarray.none
  return %n : !pyarray.none
}

// Any strides, cheap: positions are carried along.
// CHECK-LABEL: func.func @strided
// CHECK: scf.for %{{.*}} = {{.*}} iter_args(%[[P:.*]] = %{{.*}}, %[[Q:.*]] = %{{.*}}) -> (index, index)
// CHECK:   memref.load %{{.*}}[%[[P]]]
// CHECK:   memref.store %{{.*}}[%[[Q]]]
// CHECK:   scf.yield
func.func @strided(%a: !A, %o: !A) -> !pyarray.none {
  pyarray.ufunc "()->()" ins(%a : !A) outs(%o : !A) expanded {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  %n = pyarray.constant unit -> !pyarray.none
  return %n : !pyarray.none
}

// The last dimension is a loop of its own.
// CHECK-LABEL: func.func @plane
// CHECK: scf.parallel (%[[I:.*]]) =
// CHECK:   scf.for
// CHECK:   scf.reduce
func.func @plane(%a: !A2, %o: !A2) -> !pyarray.none {
  pyarray.ufunc "()->()" ins(%a : !A2) outs(%o : !A2) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  %n = pyarray.constant unit -> !pyarray.none
  return %n : !pyarray.none
}

// Threads are for parallel functions only: of one dimension, each part that the runtime wants is a row.
// CHECK-LABEL: func.func @threads
// CHECK: %[[PARTS:.*]] = call @pyarray_rt_parallel_parts(%{{.*}}, %{{.*}}) : (i64, i64) -> i64
// CHECK: %[[COUNT:.*]] = arith.index_cast %[[PARTS]] : i64 to index
// CHECK: scf.parallel (%{{.*}}) = (%{{.*}}) to (%[[COUNT]])
// CHECK:   memref.subview
// CHECK:   scf.for
// CHECK: {pyarray.grain = -1 : i64, pyarray.threads}
func.func @threads(%a: !A, %o: !A) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  pyarray.ufunc "()->()" ins(%a : !A) outs(%o : !A) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  %n = pyarray.constant unit -> !pyarray.none
  return %n : !pyarray.none
}

// Of several dimensions, blocks of the last one are shared out with the others.
// CHECK-LABEL: func.func @threads_of_planes
// CHECK: scf.parallel (%{{.*}}, %{{.*}}) =
// CHECK:   arith.minsi
// CHECK: {pyarray.threads}
func.func @threads_of_planes(%a: !A2, %o: !A2) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  pyarray.ufunc "()->()" ins(%a : !A2) outs(%o : !A2) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
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
  pyarray.ufunc "(n)->()" ins(%a : !A2) outs(%o : !A) {
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

// For a GPU all loop dimensions are one scf.parallel, whose points pyarray-map-grid gives to threads.
// CHECK-LABEL: func.func @grid
// CHECK:       scf.parallel (%[[I:.*]], %[[J:.*]]) =
// CHECK:         %[[E:.*]] = memref.load %{{.*}}[%[[I]], %[[J]]]
// CHECK:         memref.store %[[E]], %{{.*}}[%[[I]], %[[J]]]
// CHECK:       } {pyarray.grid}
func.func @grid(%x: !pyarray.array<?x?xf32, A>, %o: !pyarray.array<?x?xf32, A>) -> !pyarray.none
    attributes {pyarray.entry, pyarray.kernel, pyarray.options = {target = "cuda"}} {
  pyarray.ufunc "()->()" ins(%x : !pyarray.array<?x?xf32, A>) outs(%o : !pyarray.array<?x?xf32, A>) grid expanded {
  ^bb0(%e: f32):
    pyarray.yield %e : f32
  }
  %0 = pyarray.constant unit -> !pyarray.none
  return %0 : !pyarray.none
}
