// RUN: pyarray-opt %s --pyarray-lower-control-flow | FileCheck %s

// A thread's own array stays in registers only where LLVM knows all indices: loops of a few turns over one are unrolled.
// CHECK-DAG: #[[FULL:.*]] = #llvm.loop_unroll<full = true>
// CHECK-DAG: #[[ANNOTATION:.*]] = #llvm.loop_annotation<unroll = #[[FULL]]>
// CHECK:     gpu.func @kernel
// CHECK:       cf.br {{.*}} {loop_annotation = #[[ANNOTATION]]}
// CHECK-NOT: loop_annotation
gpu.module @kernels {
  gpu.func @kernel(%n: i64, %x: f32, %i: index) kernel {
    %own = memref.alloca() {alignment = 16 : i64, pyarray.local} : memref<8xf32>
    %other = memref.alloca() : memref<8xf32>
    %cast = memref.cast %own : memref<8xf32> to memref<?xf32, strided<[1], offset: ?>>
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c8 = arith.constant 8 : i64
    %c100 = arith.constant 100 : i64
    scf.for %k = %c0 to %c8 step %c1 : i64 {
      %at = arith.index_cast %k : i64 to index
      memref.store %x, %cast[%at] : memref<?xf32, strided<[1], offset: ?>>
    }
    // Not: too many turns, how many is not known, one element in each, an array that is not the thread's.
    scf.for %k = %c0 to %c100 step %c1 : i64 {
      %at = arith.index_cast %k : i64 to index
      memref.store %x, %cast[%at] : memref<?xf32, strided<[1], offset: ?>>
    }
    scf.for %k = %c0 to %n step %c1 : i64 {
      %at = arith.index_cast %k : i64 to index
      memref.store %x, %cast[%at] : memref<?xf32, strided<[1], offset: ?>>
    }
    scf.for %k = %c0 to %c8 step %c1 : i64 {
      memref.store %x, %cast[%i] : memref<?xf32, strided<[1], offset: ?>>
    }
    scf.for %k = %c0 to %c8 step %c1 : i64 {
      %at = arith.index_cast %k : i64 to index
      memref.store %x, %other[%at] : memref<8xf32>
    }
    gpu.return
  }
}

// On the CPU they stay as they are.
// CHECK-LABEL: func.func @host
// CHECK-NOT: loop_annotation
func.func @host(%x: f32) {
  %own = memref.alloca() {alignment = 16 : i64, pyarray.local} : memref<8xf32>
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  scf.for %k = %c0 to %c8 step %c1 : i64 {
    %at = arith.index_cast %k : i64 to index
    memref.store %x, %own[%at] : memref<8xf32>
  }
  return
}
