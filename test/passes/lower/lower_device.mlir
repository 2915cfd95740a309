// RUN: pyarray-opt %s --pyarray-lower --split-input-file | FileCheck %s

// Places in the block and the grid are int32, as Numba's.
// CHECK-LABEL: func.func @indices
// CHECK: %[[T:.*]] = gpu.thread_id x
// CHECK: arith.index_cast %[[T]] : index to i32
// CHECK: gpu.block_id y
// CHECK: gpu.block_dim z
// CHECK: gpu.grid_dim x
// CHECK: %[[L:.*]] = gpu.lane_id
// CHECK: arith.index_cast %[[L]] : index to i32
func.func @indices() -> si32 attributes {pyarray.options = {boundscheck = false, target = "cuda"}} {
  %0 = pyarray.builtin "cuda.threadIdx.x"() : () -> si32
  %1 = pyarray.builtin "cuda.blockIdx.y"() : () -> si32
  %2 = pyarray.builtin "cuda.blockDim.z"() : () -> si32
  %3 = pyarray.builtin "cuda.gridDim.x"() : () -> si32
  %4 = pyarray.builtin "cuda.laneid"() : () -> si32
  return %4 : si32
}

// -----

// grid and gridsize are computed in 64 bits.
// CHECK-LABEL: func.func @grid
// CHECK: %[[D:.*]] = gpu.block_dim x
// CHECK: %[[D64:.*]] = arith.index_cast %[[D]] : index to i64
// CHECK: %[[B:.*]] = gpu.block_id x
// CHECK: %[[B64:.*]] = arith.index_cast %[[B]] : index to i64
// CHECK: %[[P:.*]] = arith.muli %[[B64]], %[[D64]] : i64
// CHECK: %[[T:.*]] = gpu.thread_id x
// CHECK: %[[T64:.*]] = arith.index_cast %[[T]] : index to i64
// CHECK: arith.addi %[[P]], %[[T64]] : i64
// CHECK: gpu.block_dim x
// CHECK: gpu.grid_dim x
// CHECK: gpu.block_dim y
// CHECK: gpu.grid_dim y
func.func @grid() -> tuple<si64, si64> attributes {pyarray.options = {boundscheck = false, target = "cuda"}} {
  %0 = pyarray.builtin "cuda.grid"() : () -> si64
  %1 = pyarray.builtin "cuda.gridsize"() : () -> tuple<si64, si64>
  return %1 : tuple<si64, si64>
}

// -----

// A shared array is made once, at the top of the entry block, and seen from the generic address space; it has no owner.
// CHECK-LABEL: func.func @shared
// CHECK-DAG: %[[S:.*]] = memref.alloca() {pyarray.shared} : memref<4x8xf32, #gpu.address_space<workgroup>>
// CHECK: memref.memory_space_cast %[[S]] : memref<4x8xf32, #gpu.address_space<workgroup>> to memref<4x8xf32>
// CHECK-NOT: owner_slot
// CHECK: scf.if
// CHECK: memref.cast %{{.*}} : memref<4x8xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
// CHECK-NOT: pyarray_rt_release
func.func @shared(%c: i1) -> !pyarray.none attributes {pyarray.options = {boundscheck = false, target = "cuda"}} {
  scf.if %c {
    %m = pyarray.constant 4 : si64 -> si64
    %n = pyarray.constant 8 : si64 -> si64
    %a = pyarray.builtin "cuda.shared.array"(%m, %n) : (si64, si64) -> !pyarray.array<?x?xf32, C>
  }
  %none = pyarray.constant unit -> !pyarray.none
  return %none : !pyarray.none
}

// -----

// An array that comes twice from one place, by inlining, is one array.
// CHECK-LABEL: func.func @inlined_twice
// CHECK-COUNT-1: memref.alloca() {pyarray.shared}
// CHECK-NOT: memref.alloca
#place = loc("helper.py":3:5)
func.func @inlined_twice() -> !pyarray.none attributes {pyarray.options = {boundscheck = false, target = "cuda"}} {
  %n = pyarray.constant 8 : si64 -> si64
  %a = pyarray.builtin "cuda.shared.array"(%n) : (si64) -> !pyarray.array<?xf32, C> loc(callsite(#place at "f.py":1:1))
  %b = pyarray.builtin "cuda.shared.array"(%n) : (si64) -> !pyarray.array<?xf32, C> loc(callsite(#place at "f.py":2:1))
  %none = pyarray.constant unit -> !pyarray.none
  return %none : !pyarray.none
}

// -----

// The shape 0 stands for all of the dynamic shared memory.
// CHECK-LABEL: func.func @dynamic
// CHECK: %[[BYTES:.*]] = call @pyarray_dev_dynamic_shared_bytes() : () -> i64
// CHECK: %[[COUNT:.*]] = arith.divui %[[BYTES]], %{{.*}} : i64
// CHECK: %[[ALL:.*]] = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
// CHECK: %[[N:.*]] = arith.index_cast %[[COUNT]]
// CHECK: memref.view %[[ALL]][%{{.*}}][%[[N]]] : memref<?xi8, #gpu.address_space<workgroup>> to memref<?xf64, #gpu.address_space<workgroup>>
// CHECK: memref.memory_space_cast
func.func @dynamic() -> !pyarray.none attributes {pyarray.options = {boundscheck = false, target = "cuda"}} {
  %n = pyarray.constant 0 : si64 -> si64
  %a = pyarray.builtin "cuda.shared.array"(%n) : (si64) -> !pyarray.array<?xf64, C>
  %none = pyarray.constant unit -> !pyarray.none
  return %none : !pyarray.none
}

// -----

// A thread's own memory; the extent is known through the tuple that inlining left.
// CHECK-LABEL: func.func @local
// CHECK: memref.alloca() {alignment = 16 : i64, pyarray.local} : memref<3xi8>
func.func @local() -> !pyarray.none attributes {pyarray.options = {boundscheck = false, target = "cuda"}} {
  %c = pyarray.constant 3 : si64 -> si64
  %t = pyarray.tuple %c : (si64) -> tuple<si64>
  %n = pyarray.unpack %t : (tuple<si64>) -> si64
  %a = pyarray.builtin "cuda.local.array"(%n) : (si64) -> !pyarray.array<?xi1, C>
  %none = pyarray.constant unit -> !pyarray.none
  return %none : !pyarray.none
}

// -----

// Barriers and fences.
// CHECK-LABEL: func.func @barriers(%arg0: i1
// CHECK: gpu.barrier
// CHECK: %[[P:.*]] = arith.extui %arg0 : i1 to i32
// CHECK: call @pyarray_dev_syncthreads_count(%[[P]]) : (i32) -> i32
// CHECK: call @pyarray_dev_syncthreads_and
// CHECK: call @pyarray_dev_syncthreads_or
// CHECK: call @pyarray_dev_syncwarp(%arg1) : (i32) -> ()
// CHECK: call @pyarray_dev_threadfence() : () -> ()
// CHECK: call @pyarray_dev_nanosleep(%arg2) : (i32) -> ()
func.func @barriers(%p: i1, %mask: si32, %ns: ui32) -> !pyarray.none attributes {pyarray.options = {boundscheck = false, target = "cuda"}} {
  %0 = pyarray.builtin "cuda.syncthreads"() : () -> !pyarray.none
  %1 = pyarray.builtin "cuda.syncthreads_count"(%p) : (i1) -> si32
  %2 = pyarray.builtin "cuda.syncthreads_and"(%p) : (i1) -> si32
  %3 = pyarray.builtin "cuda.syncthreads_or"(%p) : (i1) -> si32
  %4 = pyarray.builtin "cuda.syncwarp"(%mask) : (si32) -> !pyarray.none
  %5 = pyarray.builtin "cuda.threadfence"() : () -> !pyarray.none
  %6 = pyarray.builtin "cuda.nanosleep"(%ns) : (ui32) -> !pyarray.none
  return %6 : !pyarray.none
}

// -----

// Values move between lanes as bits of their width.
// CHECK-LABEL: func.func @shuffles
// CHECK: %[[F:.*]] = arith.bitcast %arg1 : f32 to i32
// CHECK: %[[R:.*]] = call @pyarray_dev_shfl_i32(%arg0, %[[F]], %arg3) : (i32, i32, i32) -> i32
// CHECK: arith.bitcast %[[R]] : i32 to f32
// CHECK: call @pyarray_dev_shfl_up_i64(%arg0, %arg2, %arg3) : (i32, i64, i32) -> i64
// CHECK: call @pyarray_dev_shfl_down_i64
// CHECK: call @pyarray_dev_shfl_xor_i32
func.func @shuffles(%mask: si32, %x: f32, %y: ui64, %lane: si32) -> !pyarray.none attributes {pyarray.options = {boundscheck = false, target = "cuda"}} {
  %0 = pyarray.builtin "cuda.shfl_sync"(%mask, %x, %lane) : (si32, f32, si32) -> f32
  %1 = pyarray.builtin "cuda.shfl_up_sync"(%mask, %y, %lane) : (si32, ui64, si32) -> ui64
  %2 = pyarray.builtin "cuda.shfl_down_sync"(%mask, %y, %lane) : (si32, ui64, si32) -> ui64
  %3 = pyarray.builtin "cuda.shfl_xor_sync"(%mask, %lane, %lane) : (si32, si32, si32) -> si32
  %none = pyarray.constant unit -> !pyarray.none
  return %none : !pyarray.none
}
// The declaration says which threads take part; pyarray-gpu-to-cpu reads it.
// CHECK: func.func private @pyarray_dev_shfl_i32(i32, i32, i32) -> i32 attributes {pyarray.sync = "warp"}

// -----

// Votes and matches.
// CHECK-LABEL: func.func @votes
// CHECK: %[[P:.*]] = arith.extui %arg1 : i1 to i32
// CHECK: %[[A:.*]] = call @pyarray_dev_all(%arg0, %[[P]]) : (i32, i32) -> i32
// CHECK: arith.cmpi ne, %[[A]], %{{.*}} : i32
// CHECK: call @pyarray_dev_any
// CHECK: call @pyarray_dev_eq
// CHECK: call @pyarray_dev_ballot
// CHECK: call @pyarray_dev_match_any_i64(%arg0, %{{.*}}) : (i32, i64) -> i32
// CHECK: %[[M:.*]] = call @pyarray_dev_match_all_i64
// CHECK: arith.cmpi ne, %[[M]], %{{.*}} : i32
// CHECK: call @pyarray_dev_activemask
// CHECK: %[[LANE:.*]] = arith.index_cast %{{.*}} : index to i32
// CHECK: %[[BIT:.*]] = arith.shli %{{.*}}, %[[LANE]] : i32
// CHECK: arith.subi %[[BIT]], %{{.*}} : i32
// CHECK: call @pyarray_dev_match_byte_i32(%arg0, %arg0) : (i32, i32) -> i32
func.func @votes(%mask: si32, %p: i1, %x: f64) -> !pyarray.none attributes {pyarray.options = {boundscheck = false, target = "cuda"}} {
  %0 = pyarray.builtin "cuda.all_sync"(%mask, %p) : (si32, i1) -> i1
  %1 = pyarray.builtin "cuda.any_sync"(%mask, %p) : (si32, i1) -> i1
  %2 = pyarray.builtin "cuda.eq_sync"(%mask, %p) : (si32, i1) -> i1
  %3 = pyarray.builtin "cuda.ballot_sync"(%mask, %p) : (si32, i1) -> si32
  %4 = pyarray.builtin "cuda.match_any_sync"(%mask, %x) : (si32, f64) -> si32
  %5 = pyarray.builtin "cuda.match_all_sync"(%mask, %x) : (si32, f64) -> tuple<si32, i1>
  %6 = pyarray.builtin "cuda.activemask"() : () -> ui32
  %7 = pyarray.builtin "cuda.lanemask_lt"() : () -> ui32
  %8 = pyarray.builtin "pyarray.library._intrinsics.match_byte"(%mask, %mask) : (si32, si32) -> si32
  %none = pyarray.constant unit -> !pyarray.none
  return %none : !pyarray.none
}

// -----

// CHECK-LABEL: func.func @bits
// CHECK: llvm.intr.ctpop(%arg0) : (i32) -> i32
// CHECK: "llvm.intr.ctlz"(%arg1) <{is_zero_poison = false}> : (i64) -> i64
// CHECK: llvm.intr.bitreverse(%arg2) : (i32) -> i32
// CHECK: %[[BELOW:.*]] = "llvm.intr.cttz"(%arg1)
// CHECK: %[[AT:.*]] = arith.addi %[[BELOW]], %{{.*}} : i64
// CHECK: %[[ZERO:.*]] = arith.cmpi eq, %arg1, %{{.*}} : i64
// CHECK: %[[FFS:.*]] = arith.select %[[ZERO]], %{{.*}}, %[[AT]] : i64
// CHECK: arith.trunci %[[FFS]] : i64 to i32
// CHECK: arith.select %arg3, %arg0, %arg0 : i32
func.func @bits(%x: si32, %y: si64, %z: ui32, %c: i1) -> !pyarray.none attributes {pyarray.options = {boundscheck = false, target = "cuda"}} {
  %0 = pyarray.builtin "cuda.popc"(%x) : (si32) -> si32
  %1 = pyarray.builtin "cuda.clz"(%y) : (si64) -> si64
  %2 = pyarray.builtin "cuda.brev"(%z) : (ui32) -> ui32
  %3 = pyarray.builtin "cuda.ffs"(%y) : (si64) -> ui32
  %4 = pyarray.builtin "cuda.selp"(%c, %x, %x) : (i1, si32, si32) -> si32
  %none = pyarray.constant unit -> !pyarray.none
  return %none : !pyarray.none
}

// -----

// The address of an element keeps its array, so that LLVM finds the address space; the operation fits the type.
// CHECK-LABEL: func.func @atomics
// CHECK: %[[D:.*]] = builtin.unrealized_conversion_cast %arg0 : memref<?x?xf32, strided<[?, 1], offset: ?>> to !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK: %[[BASE:.*]] = llvm.extractvalue %[[D]][1]
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[BASE]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK: llvm.atomicrmw fadd %[[AT]], %{{.*}} syncscope("device") monotonic : !llvm.ptr, f32
// CHECK: %[[MINUS:.*]] = arith.negf
// CHECK: llvm.atomicrmw fadd %{{.*}}, %[[MINUS]]
// CHECK: %[[NAN:.*]] = arith.cmpf uno, %arg7, %arg7 : f32
// CHECK: %[[VALUE:.*]] = arith.select %[[NAN]], %{{.*}}, %arg7 : f32
// CHECK: llvm.atomicrmw fmaximum %{{.*}}, %[[VALUE]]
// CHECK: llvm.atomicrmw fmin {{.*}}f32
// CHECK: llvm.atomicrmw max {{.*}}i64
// CHECK: llvm.atomicrmw umin {{.*}}i32
// CHECK: llvm.atomicrmw _and
// CHECK: llvm.atomicrmw xchg
// CHECK: llvm.atomicrmw uinc_wrap {{.*}}i32
// CHECK: llvm.cmpxchg {{.*}} syncscope("device") monotonic monotonic : !llvm.ptr, i64
// CHECK: arith.bitcast %{{.*}} : f32 to i32
// CHECK: llvm.cmpxchg {{.*}} : !llvm.ptr, i32
func.func @atomics(%f: !pyarray.array<?x?xf32, C>, %s: !pyarray.array<?xsi64, C>, %u: !pyarray.array<?xui32, C>, %i: si64, %x: f32, %y: si64, %z: ui32) -> !pyarray.none attributes {pyarray.options = {boundscheck = false, target = "cuda"}} {
  %0 = pyarray.builtin "cuda.atomic.add"(%f, %i, %i, %x) : (!pyarray.array<?x?xf32, C>, si64, si64, f32) -> f32
  %1 = pyarray.builtin "cuda.atomic.sub"(%f, %i, %i, %x) : (!pyarray.array<?x?xf32, C>, si64, si64, f32) -> f32
  %2 = pyarray.builtin "cuda.atomic.max"(%f, %i, %i, %x) : (!pyarray.array<?x?xf32, C>, si64, si64, f32) -> f32
  %3 = pyarray.builtin "cuda.atomic.nanmin"(%f, %i, %i, %x) : (!pyarray.array<?x?xf32, C>, si64, si64, f32) -> f32
  %4 = pyarray.builtin "cuda.atomic.max"(%s, %i, %y) : (!pyarray.array<?xsi64, C>, si64, si64) -> si64
  %5 = pyarray.builtin "cuda.atomic.min"(%u, %i, %z) : (!pyarray.array<?xui32, C>, si64, ui32) -> ui32
  %6 = pyarray.builtin "cuda.atomic.and_"(%s, %i, %y) : (!pyarray.array<?xsi64, C>, si64, si64) -> si64
  %7 = pyarray.builtin "cuda.atomic.exch"(%s, %i, %y) : (!pyarray.array<?xsi64, C>, si64, si64) -> si64
  %8 = pyarray.builtin "cuda.atomic.inc"(%u, %i, %z) : (!pyarray.array<?xui32, C>, si64, ui32) -> ui32
  %9 = pyarray.builtin "cuda.atomic.cas"(%s, %i, %y, %y) : (!pyarray.array<?xsi64, C>, si64, si64, si64) -> si64
  %10 = pyarray.builtin "cuda.atomic.cas"(%f, %i, %i, %x, %x) : (!pyarray.array<?x?xf32, C>, si64, si64, f32, f32) -> f32
  %none = pyarray.constant unit -> !pyarray.none
  return %none : !pyarray.none
}

// -----

// print: text goes into the format, numbers into slots of 8 bytes.
// CHECK-LABEL: func.func @prints
// CHECK: %[[BUFFER:.*]] = llvm.alloca %{{.*}} x i64
// CHECK: llvm.store %arg0, %{{.*}} : i64, !llvm.ptr
// CHECK: llvm.store %arg1, %{{.*}} : f64, !llvm.ptr
// CHECK: arith.select %arg2
// CHECK: %[[WIDE:.*]] = arith.extui %arg3 : i8 to i64
// CHECK: llvm.store %[[WIDE]]
// CHECK: %[[FORMAT:.*]] = llvm.mlir.addressof @pyarray.text_2
// CHECK: call @pyarray_dev_print(%[[FORMAT]], %[[BUFFER]]) : (!llvm.ptr, !llvm.ptr) -> ()
// CHECK: llvm.mlir.global internal constant @pyarray.text_0("True\00")
// CHECK: llvm.mlir.global internal constant @pyarray.text_1("False\00")
// CHECK: llvm.mlir.global internal constant @pyarray.text_2("50%% %lld %f %s %llu\0A\00")
func.func @prints(%i: si64, %x: f64, %b: i1, %u: ui8) -> !pyarray.none attributes {pyarray.options = {boundscheck = false, target = "cuda"}} {
  %text = pyarray.constant "50%" -> !pyarray.str
  %0 = pyarray.builtin "builtins.print"(%text, %i, %x, %b, %u) : (!pyarray.str, si64, f64, i1, ui8) -> !pyarray.none
  return %0 : !pyarray.none
}

// -----

// Stores of arrays need no memory: views that overlap are copied in order.
// CHECK-LABEL: func.func @assign
// CHECK-NOT: memref.alloc
// CHECK-NOT: pyarray_rt_release
// CHECK: memref.store
func.func @assign(%a: !pyarray.array<?xf64, C>, %b: !pyarray.array<?xf64, C>) -> !pyarray.none attributes {pyarray.options = {boundscheck = false, target = "cuda"}} {
  %none = pyarray.constant unit -> !pyarray.none
  %all = pyarray.slice %none, %none, %none : (!pyarray.none, !pyarray.none, !pyarray.none) -> !pyarray.slice<!pyarray.none, !pyarray.none, !pyarray.none>
  pyarray.setitem %a[%all] = %b : (!pyarray.array<?xf64, C>, !pyarray.slice<!pyarray.none, !pyarray.none, !pyarray.none>, !pyarray.array<?xf64, C>) -> ()
  return %none : !pyarray.none
}

// -----

// A reshaped array is a view, behind a check of its size: by division, since products wrap.
// CHECK-LABEL: func.func @reshape
// CHECK: arith.remsi
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [%{{.*}}], sizes: [%{{.*}}, %{{.*}}], strides: [%{{.*}}, 1] : memref<f32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
func.func @reshape(%a: !pyarray.array<?xf32, C>, %n: si64) -> si64 attributes {pyarray.options = {boundscheck = false, target = "cuda"}} {
  %0 = pyarray.builtin "array.reshape"(%a, %n, %n) : (!pyarray.array<?xf32, C>, si64, si64) -> !pyarray.array<?x?xf32, C>
  %1 = pyarray.builtin "builtins.len"(%0) : (!pyarray.array<?x?xf32, C>) -> si64
  return %1 : si64
}

// -----

// A recursive device function has the stack guard of any other.
// CHECK-LABEL: func.func private @again(
// CHECK: call @pyarray_rt_stack_limit
// CHECK: call @again.guarded
// CHECK-LABEL: func.func private @again.guarded
// CHECK: llvm.frameaddress
// CHECK: call @again.guarded
func.func private @again(%n: si64) -> si64 attributes {pyarray.options = {boundscheck = false, target = "cuda"}} {
  %0 = pyarray.call @again(%n) : (si64) -> si64
  return %0 : si64
}

// -----

// Places in a grid are never negative, so that an index of them is not counted from the end.
// CHECK-LABEL: func.func @no_wrap
// CHECK-NOT: arith.select
// CHECK: memref.load
// CHECK: memref.load
func.func @no_wrap(%a: !pyarray.array<?x?xf32, C>) -> f32 attributes {pyarray.options = {boundscheck = false, target = "cuda"}} {
  %0 = pyarray.builtin "cuda.grid"() : () -> tuple<si64, si64>
  %i, %j = pyarray.unpack %0 : (tuple<si64, si64>) -> (si64, si64)
  %1 = pyarray.getitem %a[%i, %j] : (!pyarray.array<?x?xf32, C>, si64, si64) -> f32
  %t = pyarray.builtin "cuda.threadIdx.x"() : () -> si32
  %k = pyarray.cast %t : si32 to si64
  %2 = pyarray.getitem %a[%k, %k] : (!pyarray.array<?x?xf32, C>, si64, si64) -> f32
  return %2 : f32
}

// -----

// Functions of libdevice, and what they return through pointers.
// CHECK-LABEL: func.func @libdevice
// CHECK: %[[E:.*]] = memref.alloca() {pyarray.local} : memref<1xi32>
// CHECK: call @__nv_fadd_rd(%{{.*}}, %{{.*}}) : (f32, f32) -> f32
// CHECK: memref.extract_aligned_pointer_as_index %[[E]]
// CHECK: %[[P:.*]] = llvm.inttoptr
// CHECK: %[[F:.*]] = call @__nv_frexp(%{{.*}}, %[[P]]) : (f64, !llvm.ptr) -> f64
// CHECK: %[[X:.*]] = memref.load %[[E]][%{{.*}}] : memref<1xi32>
// CHECK: func.func private @__nv_fadd_rd(f32, f32) -> f32 attributes {llvm.readnone}
// CHECK: func.func private @__nv_frexp(f64, !llvm.ptr) -> f64{{$}}
func.func @libdevice(%a: f32, %b: f64) -> (f32, tuple<f64, si32>) attributes {pyarray.options = {boundscheck = false, target = "cuda"}} {
  %0 = pyarray.builtin "cuda.libdevice.fadd_rd"(%a, %a) : (f32, f32) -> f32
  %1 = pyarray.builtin "cuda.libdevice.frexp"(%b) : (f64) -> tuple<f64, si32>
  return %0, %1 : f32, tuple<f64, si32>
}

// -----

// What stands behind the extents is the alignment.
// CHECK-LABEL: func.func @aligned
// CHECK-DAG: memref.alloca() {alignment = 64 : i64, pyarray.shared} : memref<8xf32, #gpu.address_space<workgroup>>
// CHECK-DAG: memref.alloca() {alignment = 256 : i64, pyarray.local} : memref<8xf32>
// CHECK: gpu.dynamic_shared_memory {pyarray.alignment = 128 : i64}
func.func @aligned() -> !pyarray.none attributes {pyarray.options = {boundscheck = false, target = "cuda"}} {
  %0 = pyarray.constant 0 : si64 -> si64
  %8 = pyarray.constant 8 : si64 -> si64
  %64 = pyarray.constant 64 : si64 -> si64
  %128 = pyarray.constant 128 : si64 -> si64
  %256 = pyarray.constant 256 : si64 -> si64
  %a = pyarray.builtin "cuda.shared.array"(%8, %64) : (si64, si64) -> !pyarray.array<?xf32, C>
  %b = pyarray.builtin "cuda.local.array"(%8, %256) : (si64, si64) -> !pyarray.array<?xf32, C>
  %c = pyarray.builtin "cuda.shared.array"(%0, %128) : (si64, si64) -> !pyarray.array<?xf32, C>
  %none = pyarray.constant unit -> !pyarray.none
  return %none : !pyarray.none
}
