// RUN: pyarray-opt %s --allow-unregistered-dialect --pyarray-outline-kernel --split-input-file | FileCheck %s
// RUN: pyarray-opt %s --allow-unregistered-dialect --pyarray-outline-kernel --pyarray-outline-kernel --split-input-file | FileCheck %s

// Each parameter is made of slots of 8 bytes, in order; extents are noted.
// CHECK: module attributes {gpu.container_module}
// CHECK-NEXT: gpu.module @kernels
// CHECK: gpu.func @scale(%[[F:.*]]: i64, %[[I:.*]]: i64, %[[B:.*]]: i64, %[[Z:.*]]: i64, %[[WR:.*]]: i64, %[[WI:.*]]: i64, %[[DATA:.*]]: !llvm.ptr, %[[N:.*]]: i64, %[[STRIDE:.*]]: i64) kernel
// CHECK-SAME: pyarray.exported, pyarray.extents = array<i32: 7>, pyarray.qualname = "outer.<locals>.scale"
// CHECK: %[[F32:.*]] = arith.trunci %[[F]] : i64 to i32
// CHECK: %[[FLOAT:.*]] = arith.bitcast %[[F32]] : i32 to f32
// CHECK: %[[SHORT:.*]] = arith.trunci %[[I]] : i64 to i16
// CHECK: %[[BOOL:.*]] = arith.trunci %[[B]] : i64 to i1
// CHECK: %[[RE:.*]] = arith.trunci %[[Z]] : i64 to i32
// CHECK: arith.bitcast %[[RE]] : i32 to f32
// CHECK: %[[HIGH:.*]] = arith.shrui %[[Z]], %{{.*}} : i64
// CHECK: arith.trunci %[[HIGH]] : i64 to i32
// CHECK: complex.create %{{.*}} : complex<f32>
// CHECK: arith.bitcast %[[WR]] : i64 to f64
// CHECK: arith.bitcast %[[WI]] : i64 to f64
// CHECK: complex.create %{{.*}} : complex<f64>
// CHECK: llvm.insertvalue %[[DATA]], %{{.*}}[0]
// CHECK: llvm.insertvalue %[[DATA]], %{{.*}}[1]
// CHECK: llvm.insertvalue %[[N]], %{{.*}}[3, 0]
// CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i64) : i64
// CHECK: llvm.insertvalue %[[ONE]], %{{.*}}[4, 0]
// CHECK: %[[X:.*]] = builtin.unrealized_conversion_cast %{{.*}} to memref<?xf32, strided<[1], offset: ?>>
// CHECK: memref.store %[[FLOAT]], %[[X]]
// CHECK: "test.use"(%[[SHORT]], %[[BOOL]]
// CHECK: gpu.return
// CHECK-NOT: func.func
func.func @scale$0(%f: f32, %i: i16, %b: i1, %z: complex<f32>, %w: complex<f64>, %x: memref<?xf32, strided<[1], offset: ?>>, %owner: i64) -> i32
    attributes {pyarray.entry, pyarray.kernel, pyarray.options = {target = "cuda"}, pyarray.qualname = "outer.<locals>.scale"} {
  %c0 = arith.constant 0 : index
  memref.store %f, %x[%c0] : memref<?xf32, strided<[1], offset: ?>>
  "test.use"(%i, %b, %z, %w, %owner) : (i16, i1, complex<f32>, complex<f64>, i64) -> ()
  %status = arith.constant 0 : i32
  return %status : i32
}

// -----

// Shared arrays are workgroup attributions, wherever they are made.
// CHECK: gpu.func @shared(%{{.*}}: i64) workgroup(%[[A:.*]] : memref<4xf32, #gpu.address_space<workgroup>>, %[[B:.*]] : memref<2x2xi64, #gpu.address_space<workgroup>>) kernel
// CHECK-NOT: memref.alloca
// CHECK: memref.memory_space_cast %[[A]]
// CHECK: memref.memory_space_cast %[[B]]
func.func @shared$0(%i: i64) -> i32 attributes {pyarray.entry, pyarray.kernel, pyarray.options = {target = "cuda"}, pyarray.qualname = "shared"} {
  %a = memref.alloca() {pyarray.shared} : memref<4xf32, #gpu.address_space<workgroup>>
  %b = memref.alloca() {pyarray.shared} : memref<2x2xi64, #gpu.address_space<workgroup>>
  %ga = memref.memory_space_cast %a : memref<4xf32, #gpu.address_space<workgroup>> to memref<4xf32>
  %gb = memref.memory_space_cast %b : memref<2x2xi64, #gpu.address_space<workgroup>> to memref<2x2xi64>
  "test.use"(%ga, %gb) : (memref<4xf32>, memref<2x2xi64>) -> ()
  %status = arith.constant 0 : i32
  return %status : i32
}

// -----

// More than 48 KiB go to the front of the dynamic shared memory; the user's own begins behind, and is smaller by it.
// CHECK: gpu.func @large() kernel
// CHECK-SAME: pyarray.dynamic_shared = 51248 : i64
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK: memref.view %{{.*}}[%[[C0]]][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<6400xf64, #gpu.address_space<workgroup>>
// CHECK: %[[AT:.*]] = arith.constant 51200 : index
// CHECK: memref.view %{{.*}}[%[[AT]]][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<9xf32, #gpu.address_space<workgroup>>
// CHECK: %[[TAKEN:.*]] = arith.constant 51248 : i64
// CHECK: %[[ALL:.*]] = func.call @pyarray_dev_dynamic_shared_bytes
// CHECK: %[[LEFT:.*]] = arith.subi %[[ALL]], %[[TAKEN]] : i64
// CHECK: arith.index_cast %[[LEFT]]
// CHECK: %[[BEHIND:.*]] = arith.constant 51248 : index
// CHECK: memref.view %{{.*}}[%[[BEHIND]]]
func.func private @pyarray_dev_dynamic_shared_bytes() -> i64
func.func @large$0() -> i32 attributes {pyarray.entry, pyarray.kernel, pyarray.options = {target = "cuda"}, pyarray.qualname = "large"} {
  %a = memref.alloca() {pyarray.shared} : memref<6400xf64, #gpu.address_space<workgroup>>
  %b = memref.alloca() {pyarray.shared} : memref<9xf32, #gpu.address_space<workgroup>>
  %bytes = call @pyarray_dev_dynamic_shared_bytes() : () -> i64
  %n = arith.index_cast %bytes : i64 to index
  %c0 = arith.constant 0 : index
  %d = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
  %v = memref.view %d[%c0][%n] : memref<?xi8, #gpu.address_space<workgroup>> to memref<?xi8, #gpu.address_space<workgroup>>
  "test.use"(%a, %b, %v) : (memref<6400xf64, #gpu.address_space<workgroup>>, memref<9xf32, #gpu.address_space<workgroup>>, memref<?xi8, #gpu.address_space<workgroup>>) -> ()
  %status = arith.constant 0 : i32
  return %status : i32
}

// -----

// Functions and globals that the kernel needs come along, and the kernel's name gives way to theirs.
// CHECK: gpu.module @kernels
// CHECK: memref.global "private" constant @pyarray.frozen_0
// CHECK: func.func private @sin(f64) -> f64
// CHECK: gpu.func @sin_() kernel
// CHECK: func.call @sin
memref.global "private" constant @pyarray.frozen_0 : memref<2xf64> = dense<1.0>
func.func private @sin(f64) -> f64
func.func @sin$0() -> i32 attributes {pyarray.entry, pyarray.kernel, pyarray.options = {target = "cuda"}, pyarray.qualname = "sin"} {
  %x = arith.constant 1.0 : f64
  %y = call @sin(%x) : (f64) -> f64
  %status = arith.constant 0 : i32
  return %status : i32
}

// -----

// A device function gets a caller with the C calling convention; its shared arrays are globals.
// CHECK: gpu.module @kernels
// CHECK: func.func private @half$0(%{{.*}}: i1, %{{.*}}: memref<?xf32, strided<[?], offset: ?>>, %{{.*}}: i64) -> (i32, i1)
// CHECK: memref.get_global @half$0.shared0 : memref<4xf32, #gpu.address_space<workgroup>>
// CHECK: memref.global "private" @half$0.shared0 : memref<4xf32, #gpu.address_space<workgroup>> = uninitialized
// CHECK: func.func @renamed(%[[B:.*]]: i8, %[[DATA:.*]]: !llvm.ptr, %[[N:.*]]: i64, %[[S:.*]]: i64) -> i8 attributes {pyarray.exported
// CHECK: %[[BOOL:.*]] = arith.trunci %[[B]] : i8 to i1
// CHECK: %[[R:.*]]:2 = call @half$0(%[[BOOL]]
// CHECK: %[[BYTE:.*]] = arith.extui %[[R]]#1 : i1 to i8
// CHECK: return %[[BYTE]] : i8
func.func @half$0(%b: i1, %x: memref<?xf32, strided<[?], offset: ?>>, %owner: i64) -> (i32, i1)
    attributes {pyarray.entry, pyarray.export_name = "renamed", pyarray.options = {target = "cuda"}, pyarray.qualname = "half"} {
  %s = memref.alloca() {pyarray.shared} : memref<4xf32, #gpu.address_space<workgroup>>
  "test.use"(%s) : (memref<4xf32, #gpu.address_space<workgroup>>) -> ()
  %status = arith.constant 0 : i32
  return %status, %b : i32, i1
}

// -----

// What is not for a GPU stays.
// CHECK-NOT: gpu.
// CHECK: func.func @host
func.func @host(%x: f64) -> (i32, f64) attributes {pyarray.entry} {
  %status = arith.constant 0 : i32
  return %status, %x : i32, f64
}

// -----

// All blocks of a kernel with a barrier of the grid have to run at once: the module says so.
// CHECK: module attributes {{.*}}pyarray.cooperative
// CHECK: gpu.func @waits
module {
  func.func private @pyarray_dev_grid_sync() attributes {pyarray.sync = "grid"}
  func.func @waits() -> i32 attributes {pyarray.entry, pyarray.kernel, pyarray.options = {target = "cuda"}, pyarray.qualname = "waits"} {
    func.call @pyarray_dev_grid_sync() : () -> ()
    %0 = arith.constant 0 : i32
    return %0 : i32
  }
}

// -----

// Alignments of shared arrays are attributes of the attributions.
// CHECK: gpu.func @aligned(%{{.*}}: i64) workgroup(%{{.*}} : memref<4xi8, #gpu.address_space<workgroup>> {llvm.align = 64 : i64}, %{{.*}} : memref<4xi8, #gpu.address_space<workgroup>>) kernel
func.func @aligned(%n: i64) -> i32 attributes {pyarray.entry, pyarray.kernel, pyarray.options = {target = "cuda"}, pyarray.qualname = "aligned"} {
  %a = memref.alloca() {alignment = 64 : i64, pyarray.shared} : memref<4xi8, #gpu.address_space<workgroup>>
  %b = memref.alloca() {pyarray.shared} : memref<4xi8, #gpu.address_space<workgroup>>
  "test.use"(%a, %b) : (memref<4xi8, #gpu.address_space<workgroup>>, memref<4xi8, #gpu.address_space<workgroup>>) -> ()
  %status = arith.constant 0 : i32
  return %status : i32
}

// -----

// That of dynamic memory is one of the kernel. Behind static memory it would begin at any multiple of 16, so that there is none then.
// CHECK: gpu.func @behind(%{{.*}}: i64) kernel
// CHECK-SAME: pyarray.dynamic_alignment = 256 : i64, pyarray.dynamic_shared = 256 : i64
// CHECK: gpu.dynamic_shared_memory : memref<?xi8
func.func @behind(%n: i64) -> i32 attributes {pyarray.entry, pyarray.kernel, pyarray.options = {target = "cuda"}, pyarray.qualname = "behind"} {
  %a = memref.alloca() {pyarray.shared} : memref<4xi8, #gpu.address_space<workgroup>>
  %d = gpu.dynamic_shared_memory {pyarray.alignment = 256 : i64} : memref<?xi8, #gpu.address_space<workgroup>>
  "test.use"(%a, %d) : (memref<4xi8, #gpu.address_space<workgroup>>, memref<?xi8, #gpu.address_space<workgroup>>) -> ()
  %status = arith.constant 0 : i32
  return %status : i32
}

// -----

// Of those that become a part of the dynamic memory, each lies at a multiple of its own.
// CHECK: gpu.func @much(
// CHECK-SAME: pyarray.dynamic_alignment = 512 : i64, pyarray.dynamic_shared = 60512 : i64
// CHECK: %[[AT:.*]] = arith.constant 512 : index
// CHECK: memref.view %{{.*}}[%[[AT]]][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<60000xi8
func.func @much(%n: i64) -> i32 attributes {pyarray.entry, pyarray.kernel, pyarray.options = {target = "cuda"}, pyarray.qualname = "much"} {
  %a = memref.alloca() {pyarray.shared} : memref<4xi8, #gpu.address_space<workgroup>>
  %b = memref.alloca() {alignment = 512 : i64, pyarray.shared} : memref<60000xi8, #gpu.address_space<workgroup>>
  "test.use"(%a, %b) : (memref<4xi8, #gpu.address_space<workgroup>>, memref<60000xi8, #gpu.address_space<workgroup>>) -> ()
  %status = arith.constant 0 : i32
  return %status : i32
}

// -----

// Kernels of a function that has several are told apart by their numbers.
// CHECK: gpu.module @kernels
// CHECK: gpu.func @twice_kernel0(
// CHECK: gpu.func @twice_kernel1(
func.func @twice$0.kernel0(%n: i64) -> i32 attributes {pyarray.entry, pyarray.kernel, pyarray.options = {target = "cuda"}, pyarray.qualname = "Class.twice"} {
  %status = arith.constant 0 : i32
  return %status : i32
}
func.func @twice$0.kernel1(%n: i64) -> i32 attributes {pyarray.entry, pyarray.kernel, pyarray.options = {target = "cuda"}, pyarray.qualname = "Class.twice"} {
  %status = arith.constant 0 : i32
  return %status : i32
}
