// RUN: pyarray-opt %s --pyarray-emit-entry --split-input-file --verify-diagnostics | FileCheck %s
// RUN: pyarray-opt %s --pyarray-emit-entry --pyarray-emit-entry --split-input-file --verify-diagnostics | FileCheck %s

// The entry takes over the body of a function that nobody calls: parameters from 8-byte slots, results to them.
// CHECK-LABEL: llvm.func @pyarray_entry(%arg0: !llvm.ptr {llvm.noalias, llvm.readonly}, %arg1: !llvm.ptr {llvm.noalias}) -> i32
// CHECK:         %[[A:.*]] = llvm.load %arg0 invariant {alignment = 8 : i64} : !llvm.ptr -> f64
// CHECK:         %[[AT:.*]] = llvm.getelementptr %arg0[8]
// CHECK:         %[[B:.*]] = llvm.load %[[AT]] {{.*}} -> i32
// What is returned is stored as it is, and the struct of it is gone: LLVM takes time in the square of a struct's fields.
// CHECK-NOT:     llvm.insertvalue
// CHECK:         %[[OK:.*]] = llvm.mlir.constant(0 : i32)
// CHECK-NOT:     llvm.insertvalue
// CHECK:         llvm.store %[[A]], %arg1 {alignment = 8 : i64} : f64, !llvm.ptr
// CHECK:         %[[TO:.*]] = llvm.getelementptr %arg1[8]
// CHECK:         llvm.store %[[B]], %[[TO]] {alignment = 8 : i64} : i32, !llvm.ptr
// CHECK:         llvm.return %[[OK]] : i32
// CHECK-NOT:   @scalars
llvm.func @scalars(%a: f64, %b: i32) -> !llvm.struct<(i32, f64, i32)>
    attributes {pyarray.entry, pyarray.entry_type = (f64, i32) -> (i32, f64, i32)} {
  %ok = llvm.mlir.constant(0 : i32) : i32
  %0 = llvm.mlir.poison : !llvm.struct<(i32, f64, i32)>
  %1 = llvm.insertvalue %ok, %0[0] : !llvm.struct<(i32, f64, i32)>
  %2 = llvm.insertvalue %a, %1[1] : !llvm.struct<(i32, f64, i32)>
  %3 = llvm.insertvalue %b, %2[2] : !llvm.struct<(i32, f64, i32)>
  llvm.return %3 : !llvm.struct<(i32, f64, i32)>
}

// -----

// A function without results returns its status as it is.
// CHECK-LABEL: llvm.func @pyarray_entry
// CHECK-NOT:     llvm.store
// CHECK:         llvm.return %{{.*}} : i32
llvm.func @nothing() -> i32 attributes {pyarray.entry, pyarray.entry_type = () -> i32} {
  %ok = llvm.mlir.constant(0 : i32) : i32
  llvm.return %ok : i32
}

// -----

// An array: allocated, data, offset (always 0), sizes, strides; the extents are known not to be negative.
// CHECK-LABEL: llvm.func @pyarray_entry
// CHECK-SAME:    pyarray.extents = array<i32: 24, 32>
// CHECK:         llvm.load %arg0
// CHECK:         llvm.getelementptr %arg0[8]
// CHECK:         llvm.mlir.constant(0 : i64)
// CHECK-NOT:     llvm.getelementptr %arg0[16]
// CHECK:         llvm.getelementptr %arg0[24]
// CHECK:         llvm.getelementptr %arg0[32]
// CHECK:         llvm.getelementptr %arg0[40]
// CHECK:         llvm.getelementptr %arg0[48]
llvm.func @array(%p: !llvm.ptr, %d: !llvm.ptr, %o: i64, %n: i64, %m: i64, %s: i64, %t: i64) -> i32
    attributes {pyarray.entry, pyarray.entry_type = (memref<?x?xf64, strided<[?, 1], offset: ?>>) -> i32} {
  %ok = llvm.mlir.constant(0 : i32) : i32
  llvm.return %ok : i32
}

// -----

// An array result fills 3 + 2 * rank slots.
// CHECK-LABEL: llvm.func @pyarray_entry
// CHECK:         %[[STATUS:.*]] = llvm.extractvalue %[[ALL:.*]][0]
// CHECK:         %[[R:.*]] = llvm.extractvalue %[[ALL]][1]
// CHECK:         llvm.extractvalue %[[R]][0]
// CHECK:         llvm.store %{{.*}}, %arg1 {{.*}} : !llvm.ptr
// CHECK:         llvm.extractvalue %[[R]][1]
// CHECK:         llvm.extractvalue %[[R]][2]
// CHECK:         llvm.extractvalue %[[R]][3, 0]
// CHECK:         llvm.extractvalue %[[R]][4, 0]
// CHECK:         llvm.getelementptr %arg1[32]
// CHECK:         llvm.return %[[STATUS]]
llvm.func @array_result() -> !llvm.struct<(i32, struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>)>
    attributes {pyarray.entry, pyarray.entry_type = () -> (i32, memref<?xf64, strided<[1], offset: ?>>)} {
  %0 = llvm.mlir.zero : !llvm.struct<(i32, struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>)>
  llvm.return %0 : !llvm.struct<(i32, struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>)>
}

// -----

// The last of several values put into a field counts; one that is used elsewhere too stays.
// CHECK-LABEL: llvm.func @pyarray_entry
// CHECK:         %[[A:.*]] = llvm.load %arg0
// CHECK:         llvm.insertvalue %[[A]], %{{.*}}[1]
// CHECK-NOT:     llvm.insertvalue
// CHECK:         %[[USED:.*]] = llvm.extractvalue
// CHECK:         %[[STATUS:.*]] = llvm.extractvalue %{{.*}}[0]
// CHECK:         llvm.store %[[USED]], %arg1
// CHECK:         llvm.return %[[STATUS]]
llvm.func @fields(%a: f64) -> !llvm.struct<(i32, f64)>
    attributes {pyarray.entry, pyarray.entry_type = (f64) -> (i32, f64)} {
  %0 = llvm.mlir.zero : !llvm.struct<(i32, f64)>
  %1 = llvm.insertvalue %a, %0[1] : !llvm.struct<(i32, f64)>
  %2 = llvm.extractvalue %1[1] : !llvm.struct<(i32, f64)>
  %3 = llvm.insertvalue %2, %1[1] : !llvm.struct<(i32, f64)>
  llvm.return %3 : !llvm.struct<(i32, f64)>
}

// -----

// A bool is a byte.
// CHECK-LABEL: llvm.func @pyarray_entry
// CHECK:         %[[BYTE:.*]] = llvm.load %arg0 {{.*}} -> i8
// CHECK:         llvm.trunc %[[BYTE]] : i8 to i1
// CHECK:         %[[WIDE:.*]] = llvm.zext %{{.*}} : i1 to i8
// CHECK:         llvm.store %[[WIDE]], %arg1
llvm.func @bool(%b: i1) -> !llvm.struct<(i32, i1)> attributes {pyarray.entry, pyarray.entry_type = (i1) -> (i32, i1)} {
  %0 = llvm.mlir.zero : !llvm.struct<(i32, i1)>
  %1 = llvm.insertvalue %b, %0[1] : !llvm.struct<(i32, i1)>
  llvm.return %1 : !llvm.struct<(i32, i1)>
}

// -----

// Both parts of a complex64 share a slot; a complex128 has two.
// CHECK-LABEL: llvm.func @pyarray_entry
// CHECK:         llvm.load %arg0 invariant {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK:         llvm.getelementptr %arg0[4]
// CHECK:         llvm.getelementptr %arg0[8]
// CHECK:         llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr -> f64
// CHECK:         llvm.getelementptr %arg0[16]
llvm.func @complex(%a: !llvm.struct<(f32, f32)>, %b: !llvm.struct<(f64, f64)>) -> i32
    attributes {pyarray.entry, pyarray.entry_type = (complex<f32>, complex<f64>) -> i32} {
  %ok = llvm.mlir.constant(0 : i32) : i32
  llvm.return %ok : i32
}

// -----

// A recursive function stays, and the entry calls it.
// CHECK-LABEL: llvm.func @pyarray_entry
// CHECK:         %[[X:.*]] = llvm.load %arg0
// CHECK:         %[[S:.*]] = llvm.call @recursive(%[[X]])
// CHECK:         llvm.return %[[S]]
// CHECK:       llvm.func internal @recursive
// CHECK-NOT:     pyarray.entry
llvm.func @recursive(%x: i64) -> i32 attributes {pyarray.entry, pyarray.entry_type = (i64) -> i32} {
  %0 = llvm.call @recursive(%x) : (i64) -> i32
  llvm.return %0 : i32
}

// -----

// What the runtime's functions do is said: raises are cold, and no write of compiled code's own memory.
// CHECK: llvm.func @pyarray_rt_raise(i32) attributes {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = readwrite
// CHECK-SAME: no_unwind, passthrough = ["cold"]
// CHECK: llvm.func @pyarray_rt_isqrt(i64) -> i64 attributes {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none
// CHECK: llvm.func @pyarray_rt_release(i64) attributes {no_unwind}
// CHECK: llvm.func @_mlir_memref_to_llvm_alloc(i64) -> (!llvm.ptr {llvm.noalias})
llvm.func @pyarray_rt_raise(i32) attributes {pyarray.noreturn}
llvm.func @pyarray_rt_isqrt(i64) -> i64
llvm.func @pyarray_rt_release(i64)
llvm.func @_mlir_memref_to_llvm_alloc(i64) -> !llvm.ptr

// -----

// expected-error@+1 {{the entry function has no pyarray.entry_type; run pyarray-lower-raises before the conversion to llvm}}
llvm.func @untyped() -> i32 attributes {pyarray.entry} {
  %ok = llvm.mlir.constant(0 : i32) : i32
  llvm.return %ok : i32
}

// -----

llvm.func @one() -> i32 attributes {pyarray.entry, pyarray.entry_type = () -> i32} {
  %ok = llvm.mlir.constant(0 : i32) : i32
  llvm.return %ok : i32
}
// expected-error@+1 {{a second function is marked pyarray.entry}}
llvm.func @two() -> i32 attributes {pyarray.entry, pyarray.entry_type = () -> i32} {
  %ok = llvm.mlir.constant(0 : i32) : i32
  llvm.return %ok : i32
}

// -----

// What pyarray-gpu-to-cpu makes is called from outside.
llvm.func @pyarray_block(%params: !llvm.ptr, %block: !llvm.ptr) -> i32 attributes {pyarray.block} {
  %ok = llvm.mlir.constant(0 : i32) : i32
  llvm.return %ok : i32
}
// CHECK-LABEL: llvm.func @pyarray_block(
// CHECK-SAME: attributes {pyarray.block} {
