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

// A loop that threads share out runs once for the block, from the place of the first thread; the loops over threads are within it. What it
// carries for each thread is in memory.
// CHECK-LABEL: func.func @pyarray_block(
// CHECK: %[[END:.*]] = arith.maxsi %{{.*}}, %{{.*}} : i64
// CHECK: %[[SOME:.*]] = arith.cmpi ult, %[[LEAST:.*]], %[[END]] : i64
// CHECK: arith.subi %[[END]], %[[LEAST]] : i64
// CHECK: arith.divui
// CHECK: %[[TRIPS:.*]] = arith.select %[[SOME]]
// CHECK: scf.for unsigned %[[K:.*]] = %{{.*}} to %[[TRIPS]] step
// CHECK: %[[MOVED:.*]] = arith.muli %[[K]], %{{.*}} : i64
// CHECK-COUNT-3: scf.for
// CHECK: %[[I:.*]] = arith.addi %{{.*}}, %[[MOVED]] : i64
// CHECK: %[[WITHIN:.*]] = arith.cmpi ult, %[[I]], %[[END]] : i64
// CHECK: scf.if %[[WITHIN]] -> (f32)
// CHECK: } {pyarray.lockstep}
gpu.module @kernels {
  gpu.func @shared_for(%p: !llvm.ptr, %n: i64) kernel {
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %d = gpu.block_dim x
    %g = gpu.grid_dim x
    %ti = arith.index_cast %t : index to i64
    %bi = arith.index_cast %b : index to i64
    %di = arith.index_cast %d : index to i64
    %gi = arith.index_cast %g : index to i64
    %start = arith.muli %bi, %di : i64
    %first = arith.addi %start, %ti : i64
    %stride = arith.muli %gi, %di : i64
    %sum = scf.for %i = %first to %n step %stride iter_args(%acc = %zero) -> f32 : i64 {
      %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %a : !llvm.ptr -> f32
      %next = arith.addf %acc, %v : f32
      scf.yield %next : f32
    }
    %o = llvm.getelementptr %p[%first] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %o : f32, !llvm.ptr
    gpu.return
  }
}

// -----

// So does a loop on the condition that an index, which grows by a positive step, is below what all threads have alike.
// CHECK-LABEL: func.func @pyarray_block(
// CHECK-NOT: scf.while
// CHECK: scf.for unsigned
// CHECK-COUNT-3: scf.for
// CHECK: scf.if
// CHECK: llvm.store
// CHECK-NOT: scf.while
// CHECK: } {pyarray.lockstep}
gpu.module @kernels {
  gpu.func @shared_while(%p: !llvm.ptr, %n: i64, %v: f32) kernel {
    %one = arith.constant 1 : i64
    %t = gpu.thread_id x
    %d = gpu.block_dim x
    %ti = arith.index_cast %t : index to i64
    %di = arith.index_cast %d : index to i64
    %r:2 = scf.while (%count = %one, %i = %ti) : (i64, i64) -> (i64, i64) {
      %end = arith.addi %n, %one : i64
      %more = arith.cmpi slt, %i, %end : i64
      scf.condition(%more) %i, %count : i64, i64
    } do {
    ^bb0(%i: i64, %count: i64):
      %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %v, %a : f32, !llvm.ptr
      %counted = arith.addi %count, %one : i64
      %next = arith.addi %i, %di : i64
      scf.yield %counted, %next : i64, i64
    }
    llvm.store %r#1, %p : i64, !llvm.ptr
    gpu.return
  }
}

// -----

// Loops that stay within a thread: by 1, up to another end in each thread, by a step that may be negative, or whose last index is used.
// CHECK-LABEL: func.func @pyarray_block(
// CHECK-NOT: pyarray.lockstep
// CHECK: llvm.mlir.global
gpu.module @kernels {
  gpu.func @own_loops(%p: !llvm.ptr, %n: i64, %s: i64) kernel {
    %one = arith.constant 1 : i64
    %t = gpu.thread_id x
    %d = gpu.block_dim x
    %ti = arith.index_cast %t : index to i64
    %di = arith.index_cast %d : index to i64
    %own_end = arith.addi %ti, %n : i64
    scf.for %i = %ti to %n step %one : i64 {
      llvm.store %i, %p : i64, !llvm.ptr
    }
    scf.for %i = %ti to %own_end step %di : i64 {
      llvm.store %i, %p : i64, !llvm.ptr
    }
    %unused = scf.while (%i = %ti) : (i64) -> i64 {
      %more = arith.cmpi slt, %i, %n : i64
      scf.condition(%more) %i : i64
    } do {
    ^bb0(%i: i64):
      llvm.store %i, %p : i64, !llvm.ptr
      %next = arith.addi %i, %s : i64
      scf.yield %next : i64
    }
    %last = scf.while (%i = %ti) : (i64) -> i64 {
      %more = arith.cmpi slt, %i, %n : i64
      scf.condition(%more) %i : i64
    } do {
    ^bb0(%i: i64):
      %next = arith.addi %i, %di : i64
      scf.yield %next : i64
    }
    llvm.store %last, %p : i64, !llvm.ptr
    gpu.return
  }
}

// -----

// Two such loops, one in the other: neither runs once for each thread.
// CHECK-LABEL: func.func @pyarray_block(
// CHECK: scf.for unsigned
// CHECK: scf.for unsigned
// CHECK-COUNT-3: scf.for
// CHECK: %[[BOTH:.*]] = arith.andi
// CHECK: scf.if %[[BOTH]]
// CHECK: } {pyarray.lockstep}
// CHECK: } {pyarray.lockstep}
gpu.module @kernels {
  gpu.func @shared_nest(%p: !llvm.ptr, %n: i64, %m: i64) kernel {
    %tx = gpu.thread_id x
    %dx = gpu.block_dim x
    %ty = gpu.thread_id y
    %dy = gpu.block_dim y
    %x = arith.index_cast %tx : index to i64
    %xs = arith.index_cast %dx : index to i64
    %y = arith.index_cast %ty : index to i64
    %ys = arith.index_cast %dy : index to i64
    scf.for %i = %y to %n step %ys : i64 {
      %row = arith.muli %i, %m : i64
      scf.for %j = %x to %m step %xs : i64 {
        %at = arith.addi %row, %j : i64
        %a = llvm.getelementptr %p[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i64
        llvm.store %at, %a : i64, !llvm.ptr
      }
    }
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

// -----

// Blocks that wait for each other: all of a block's threads at once, and none may be missing where it is for the grid.
// CHECK: pyarray.sites = [
// CHECK-SAME: {args = ["not all blocks of the grid reach this barrier: block ({0}, {1}, {2}) is missing"]
// CHECK-SAME: {args = ["not all threads of the grid reach this barrier: thread ({0}, {1}, {2}) of the block is missing"]
// CHECK-LABEL: func.func @pyarray_block(
// CHECK-SAME: !llvm.ptr, %[[BLOCK:.*]]: !llvm.ptr) -> i32
// CHECK: call @pyarray_rt_grid_barrier(%[[BLOCK]], %{{.*}}) : (!llvm.ptr, i32) -> ()
// CHECK: scf.if
// CHECK: func.call @pyarray_rt_block_barrier
// CHECK: func.call @pyarray_rt_block_whole(%[[BLOCK]], %{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr, i32) -> i32
// CHECK: func.call @pyarray_rt_grid_barrier(%[[BLOCK]]
// CHECK: @pyarray_block_waits(1 : i64)
gpu.module @kernels {
  func.func private @pyarray_dev_grid_sync() attributes {pyarray.sync = "grid"}
  gpu.func @waits(%p: !llvm.ptr) kernel {
    %x = gpu.thread_id x
    %i = arith.index_cast %x : index to i64
    %c5 = arith.constant 5 : i64
    llvm.store %i, %p : i64, !llvm.ptr
    func.call @pyarray_dev_grid_sync() : () -> ()
    %few = arith.cmpi slt, %i, %c5 : i64
    scf.if %few {
      func.call @pyarray_dev_grid_sync() : () -> ()
    }
    llvm.store %c5, %p : i64, !llvm.ptr
    gpu.return
  }
}

// -----

// The extents of a cluster are the launch's, and the same for all threads: nothing is kept for each of them.
// CHECK-LABEL: func.func @pyarray_block(
// CHECK-SAME: !llvm.ptr, %[[BLOCK:.*]]: !llvm.ptr) -> i32
// CHECK: %[[PLACE:.*]] = llvm.getelementptr %[[BLOCK]][104] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK: %[[DIM:.*]] = llvm.load %[[PLACE]] invariant : !llvm.ptr -> i32
// CHECK: call @pyarray_rt_cluster_barrier(%[[BLOCK]]
// CHECK: %[[STRIDE_PLACE:.*]] = llvm.getelementptr %[[BLOCK]][128]
// CHECK: %[[STRIDE:.*]] = llvm.load %[[STRIDE_PLACE]] invariant : !llvm.ptr -> i64
// CHECK: scf.for
// CHECK: llvm.store %[[DIM]]
// CHECK: llvm.store %[[STRIDE]]
// CHECK: @pyarray_block_waits(2 : i64)
gpu.module @kernels {
  func.func private @pyarray_dev_cluster_sync() attributes {pyarray.sync = "cluster"}
  func.func private @pyarray_dev_cluster_dim_x() -> i32 attributes {llvm.readnone}
  func.func private @pyarray_dev_cluster_shared_stride() -> i64 attributes {llvm.readnone}
  gpu.func @clusters(%p: !llvm.ptr) kernel {
    %d = func.call @pyarray_dev_cluster_dim_x() : () -> i32
    func.call @pyarray_dev_cluster_sync() : () -> ()
    %s = func.call @pyarray_dev_cluster_shared_stride() : () -> i64
    llvm.store %d, %p : i32, !llvm.ptr
    llvm.store %s, %p : i64, !llvm.ptr
    gpu.return
  }
}
