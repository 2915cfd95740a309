// RUN: pyarray-opt --pyarray-gpu-to-cpu --split-input-file %s | FileCheck %s
// RUN: pyarray-opt --pyarray-gpu-to-cpu --split-input-file %s | pyarray-opt --split-input-file

// Values that live across a barrier are kept for each thread; indices and what is made of them are made again.
gpu.module @kernels {
  gpu.func @across(%p: !llvm.ptr) kernel {
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i64
    %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v = llvm.load %a : !llvm.ptr -> f32
    gpu.barrier
    llvm.store %v, %a : f32, !llvm.ptr
    gpu.return
  }
}
// CHECK-LABEL: func.func @pyarray_block(
// CHECK-SAME: %[[PARAMETERS:.*]]: !llvm.ptr, %[[BLOCK:.*]]: !llvm.ptr) -> i32
// CHECK: %[[P:.*]] = llvm.load %{{.*}} invariant : !llvm.ptr -> !llvm.ptr
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.for %[[X:.*]] =
// CHECK: %[[V:.*]] = llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK: llvm.store %[[V]], %{{.*}} : f32, !llvm.ptr
// CHECK: scf.for %[[X2:.*]] =
// CHECK: scf.for %[[X2:.*]] =
// CHECK: scf.for %[[X2:.*]] =
// CHECK: %[[V2:.*]] = llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK: %[[I2:.*]] = arith.index_cast %[[X2]] : index to i64
// CHECK: %[[A2:.*]] = llvm.getelementptr %{{.*}}[%[[I2]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK: llvm.store %[[V2]], %[[A2]] : f32, !llvm.ptr
// CHECK: return %{{.*}} : i32
// CHECK: llvm.mlir.global external constant @pyarray_block_scratch(8 : i64)
// CHECK: llvm.mlir.global external constant @pyarray_block_shared(0 : i64)

// -----

// A loop that all threads count alike runs once for the block; what it carries for each thread is in memory.
gpu.module @kernels {
  gpu.func @uniform_loop(%p: !llvm.ptr, %n: i64) workgroup(%s: memref<8xf32, #gpu.address_space<workgroup>>) kernel {
    %g = memref.memory_space_cast %s : memref<8xf32, #gpu.address_space<workgroup>> to memref<8xf32>
    %t = gpu.thread_id x
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> f32 : i64 {
      memref.store %acc, %g[%t] : memref<8xf32>
      gpu.barrier
      %x = memref.load %g[%t] : memref<8xf32>
      %next = arith.addf %acc, %x : f32
      scf.yield %next : f32
    }
    llvm.store %sum, %p : f32, !llvm.ptr
    gpu.return
  }
}
// CHECK-LABEL: func.func @pyarray_block(
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.for
// CHECK: llvm.store %{{.*}}, %{{.*}} : f32, !llvm.ptr
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}}  : i64 {
// CHECK-COUNT-3: scf.for
// CHECK: %[[ACC:.*]] = llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK: memref.store %[[ACC]]
// CHECK-COUNT-3: scf.for
// CHECK: %[[X:.*]] = memref.load
// CHECK: %[[NEXT:.*]] = arith.addf %{{.*}}, %[[X]] : f32
// CHECK: llvm.store %[[NEXT]]
// CHECK: @pyarray_block_shared(32 : i64)

// -----

// Arrays that became a part of the dynamic shared memory are static memory all the same: launches add nothing for them.
gpu.module @kernels {
  gpu.func @large(%n: i64) workgroup(%s: memref<8xf32, #gpu.address_space<workgroup>>) kernel attributes {pyarray.dynamic_shared = 160000} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %zero = arith.constant 0.0 : f64
    %all = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %a = memref.view %all[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<20000xf64, #gpu.address_space<workgroup>>
    memref.store %zero, %a[%t] : memref<20000xf64, #gpu.address_space<workgroup>>
    gpu.return
  }
}
// CHECK-LABEL: func.func @pyarray_block(
// CHECK: @pyarray_block_shared(160032 : i64)

// -----

// Where threads differ, a branch runs under a mask, and its barrier asks whether all are there.
gpu.module @kernels {
  gpu.func @divergent(%p: !llvm.ptr) kernel {
    %t = gpu.thread_id x
    %c4 = arith.constant 4 : index
    %low = arith.cmpi ult, %t, %c4 : index
    scf.if %low {
      gpu.barrier
    }
    %v = llvm.load %p : !llvm.ptr -> f32
    llvm.store %v, %p : f32, !llvm.ptr
    gpu.return
  }
}
// CHECK: pyarray.sites = [{args = ["not all threads of the block reach this barrier: thread ({0}, {1}, {2}) is missing"], exception = "RuntimeError"
// CHECK-LABEL: func.func @pyarray_block(
// CHECK: %[[ABSENT:.*]] = llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK: %[[MASK:.*]] = llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK: llvm.store %{{.*}} : i32, !llvm.ptr
// CHECK: %[[LOW:.*]] = arith.cmpi ult
// CHECK: %[[BYTE:.*]] = arith.extui %[[LOW]] : i1 to i8
// CHECK: llvm.store %[[BYTE]]
// CHECK: %[[ANY:.*]] = scf.for
// CHECK: scf.if %[[ANY]] {
// CHECK:   %[[ALL:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK:   %[[STATUS:.*]] = func.call @pyarray_rt_block_barrier(%{{.*}}, %[[MASK]], %[[ALL]], %[[ABSENT]], %{{.*}}) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i32) -> i32
// CHECK:   scf.if
// CHECK:     func.call @pyarray_rt_leave()
// A thread that missed a barrier must have returned: it may have no effect any more.
// CHECK: %[[MISSED:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i32
// CHECK: %[[YES:.*]] = arith.cmpi ne, %[[MISSED]]
// CHECK: scf.if %[[YES]] {
// CHECK:   func.call @pyarray_rt_block_missing(%{{.*}}, %[[ABSENT]], %{{.*}})
// CHECK: }
// CHECK: llvm.store %{{.*}}, %{{.*}} : f32, !llvm.ptr

// -----

// Threads that have returned are not waited for.
gpu.module @kernels {
  gpu.func @returned(%p: !llvm.ptr, %n: i64) kernel {
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i64
    %in = arith.cmpi ult, %i, %n : i64
    scf.if %in {
      gpu.barrier
      %v = llvm.load %p : !llvm.ptr -> f32
      llvm.store %v, %p : f32, !llvm.ptr
    }
    gpu.return
  }
}
// CHECK-LABEL: func.func @pyarray_block(
// CHECK-NOT: pyarray_rt_block_barrier
// CHECK: return

// -----

// Warp functions run on all threads at once; a loop that threads leave at different times runs while one is left.
gpu.module @kernels {
  func.func private @pyarray_dev_shfl_down_f32(i32, f32, i32) -> f32 attributes {pyarray.sync = "warp"}
  gpu.func @warp(%p: !llvm.ptr) kernel {
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %all = arith.constant -1 : i32
    %v = llvm.load %p : !llvm.ptr -> f32
    %sum = scf.for %k = %c0 to %i step %c1 iter_args(%acc = %v) -> f32 : i32 {
      %o = func.call @pyarray_dev_shfl_down_f32(%all, %acc, %c1) : (i32, f32, i32) -> f32
      scf.yield %o : f32
    }
    llvm.store %sum, %p : f32, !llvm.ptr
    gpu.return
  }
}
// CHECK-LABEL: func.func @pyarray_block(
// CHECK: scf.while : () -> () {
// CHECK:   arith.cmpi slt
// CHECK:   scf.condition
// CHECK: } do {
// CHECK:   call @pyarray_dev_shfl_down_f32_block(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
// CHECK:   scf.yield

// -----

// The place in the warp is that in the block, counted linearly, modulo 32.
// CHECK-LABEL: func.func @pyarray_block(
// CHECK: scf.for %[[X:.*]] =
// CHECK: scf.for
// CHECK: scf.for %[[X:.*]] =
// CHECK: %[[LINEAR:.*]] = arith.addi %{{.*}}, %[[X]] : index
// CHECK: %[[LANE:.*]] = arith.remui %[[LINEAR]], %{{.*}} : index
// CHECK: arith.index_cast %[[LANE]] : index to i64
gpu.module @kernels {
  gpu.func @lane(%p: !llvm.ptr) kernel {
    %t = gpu.lane_id
    %i = arith.index_cast %t : index to i64
    %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %i, %a : i64, !llvm.ptr
    gpu.return
  }
}

// -----

// How much dynamic shared memory there is: what the launch gave beyond the static one.
// CHECK-LABEL: func.func @pyarray_block(
// CHECK: llvm.getelementptr %{{.*}}[72]
// CHECK-NEXT: %[[ALL:.*]] = llvm.load %{{.*}} invariant : !llvm.ptr -> i64
// CHECK: %[[DYNAMIC:.*]] = arith.subi %[[ALL]], %{{.*}} : i64
// CHECK-NOT: call @pyarray_dev_dynamic_shared_bytes
// CHECK: llvm.store %[[DYNAMIC]], %{{.*}} : i64, !llvm.ptr
gpu.module @kernels {
  func.func private @pyarray_dev_dynamic_shared_bytes() -> i64 attributes {llvm.readnone}
  gpu.func @bytes(%p: !llvm.ptr) kernel {
    %n = func.call @pyarray_dev_dynamic_shared_bytes() : () -> i64
    llvm.store %n, %p : i64, !llvm.ptr
    gpu.return
  }
}

// -----

// In race mode every access of memory tells the runtime, and barriers that threads are in order.
// CHECK: pyarray.sites = [{args = ["data race: this thread reads what is read
// CHECK-SAME: {args = ["data race: this thread reads what is written in line {6}
// CHECK-SAME: {args = ["data race: this thread reads what is updated
// CHECK-LABEL: func.func @pyarray_block(
// CHECK-COUNT-3: scf.for
// CHECK: %[[PLACE:.*]] = llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK: llvm.store %{{.*}}, %[[PLACE]] : i64, !llvm.ptr
// CHECK: %[[ADDRESS:.*]] = llvm.ptrtoint
// CHECK: %[[STATUS:.*]] = func.call @pyarray_rt_race_access(%[[ADDRESS]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (i64, i64, i32, i32, i32) -> i32
// CHECK: scf.if
// CHECK:   func.call @pyarray_rt_leave()
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK: call @pyarray_rt_race_barrier()
// CHECK: memref.extract_strided_metadata
// CHECK: call @pyarray_rt_race_access
// CHECK: memref.store
// CHECK: @pyarray_block_races(1 : i64)
module attributes {pyarray.races} {
  gpu.module @kernels {
    gpu.func @watched(%p: !llvm.ptr) workgroup(%s: memref<8xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %v = llvm.load %p : !llvm.ptr -> f32
      gpu.barrier
      memref.store %v, %s[%c0] : memref<8xf32, #gpu.address_space<workgroup>>
      gpu.return
    }
  }
}
