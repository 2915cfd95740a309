// RUN: split-file %s %t
// RUN: pyarray-opt %t/fine.mlir --pass-pipeline='builtin.module(pyarray-lower)' | FileCheck %s
// RUN: not pyarray-opt %t/beyond.mlir --pass-pipeline='builtin.module(pyarray-lower)' 2>&1 | FileCheck --check-prefix=BEYOND %s
// RUN: not pyarray-opt %t/beyond_vector.mlir --pass-pipeline='builtin.module(pyarray-lower)' 2>&1 | FileCheck --check-prefix=BEYOND %s
// RUN: not pyarray-opt %t/mixed.mlir --pass-pipeline='builtin.module(pyarray-lower)' 2>&1 | FileCheck --check-prefix=MIXED %s

//--- fine.mlir
// CHECK-LABEL: func.func @load
// CHECK: builtin.unrealized_conversion_cast %arg0 : memref<16xi8, strided<[1], offset: ?>> to !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK: llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> f64
func.func @load(%r: !pyarray.array<16xui8, C>) -> f64 {
  %0 = pyarray.constant 8 : si64 -> si64
  %1 = pyarray.constant 1 : si64 -> si64
  %2 = pyarray.builtin "pyarray.record_load"(%r, %0, %1) : (!pyarray.array<16xui8, C>, si64, si64) -> f64
  return %2 : f64
}

// CHECK-LABEL: func.func @copy
// CHECK: "llvm.intr.memmove"(%{{.*}}, %{{.*}}, %c16_i64) <{isVolatile = false}>
func.func @copy(%r: !pyarray.array<16xui8, C>, %s: !pyarray.array<16xui8, C>) -> !pyarray.none {
  %0 = pyarray.builtin "pyarray.record_copy"(%r, %s) : (!pyarray.array<16xui8, C>, !pyarray.array<16xui8, C>) -> !pyarray.none
  return %0 : !pyarray.none
}

// CHECK-LABEL: func.func @text
// CHECK: call @pyarray_rt_bytes_from_field(%{{.*}}, %c5_i64)
func.func @text(%r: !pyarray.array<5xui8, C>) -> !pyarray.bytes {
  %0 = pyarray.builtin "pyarray.record_text"(%r) : (!pyarray.array<5xui8, C>) -> !pyarray.bytes
  return %0 : !pyarray.bytes
}

// Strides of the records, in bytes, become strides in numbers.
// CHECK-LABEL: func.func @view
// CHECK: arith.shrsi %{{.*}}, %c3_i64
// CHECK: builtin.unrealized_conversion_cast %{{.*}} to memref<?xf64, strided<[?], offset: ?>>
func.func @view(%a: !pyarray.array<?x16xui8, C>) -> !pyarray.array<?xf64, A> {
  %0 = pyarray.field %a at 8 : !pyarray.array<?x16xui8, C> -> !pyarray.array<?xf64, A>
  return %0 : !pyarray.array<?xf64, A>
}

// A vector at a multiple of its size is one access; else its elements are.
// CHECK-LABEL: func.func @vector
// CHECK: %[[V:.*]] = llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK-COUNT-4: llvm.extractelement %[[V]][%{{.*}} : i64] : vector<4xf32>
// CHECK-COUNT-4: llvm.insertelement
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr
func.func @vector(%r: !pyarray.array<16xui8, C>, %s: !pyarray.array<16xui8, C>) -> !pyarray.none {
  %0 = pyarray.constant 0 : si64 -> si64
  %1 = pyarray.constant 16 : si64 -> si64
  %2 = pyarray.builtin "pyarray.vector_load"(%r, %0, %1) : (!pyarray.array<16xui8, C>, si64, si64) -> tuple<f32, f32, f32, f32>
  %3 = pyarray.builtin "pyarray.vector_store"(%s, %0, %1, %2) : (!pyarray.array<16xui8, C>, si64, si64, tuple<f32, f32, f32, f32>) -> !pyarray.none
  return %3 : !pyarray.none
}

// CHECK-LABEL: func.func @elements
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr -> i16
// CHECK-NOT: vector<
func.func @elements(%r: !pyarray.array<16xui8, C>) -> tuple<si16, si16> {
  %0 = pyarray.constant 4 : si64 -> si64
  %1 = pyarray.constant 2 : si64 -> si64
  %2 = pyarray.builtin "pyarray.vector_load"(%r, %0, %1) : (!pyarray.array<16xui8, C>, si64, si64) -> tuple<si16, si16>
  return %2 : tuple<si16, si16>
}

//--- beyond.mlir
// BEYOND: of what does not lie in the record
func.func @f(%r: !pyarray.array<16xui8, C>) -> f64 {
  %0 = pyarray.constant 12 : si64 -> si64
  %1 = pyarray.constant 1 : si64 -> si64
  %2 = pyarray.builtin "pyarray.record_load"(%r, %0, %1) : (!pyarray.array<16xui8, C>, si64, si64) -> f64
  return %2 : f64
}

//--- beyond_vector.mlir
func.func @f(%r: !pyarray.array<16xui8, C>) -> tuple<f32, f32> {
  %0 = pyarray.constant 12 : si64 -> si64
  %1 = pyarray.constant 4 : si64 -> si64
  %2 = pyarray.builtin "pyarray.vector_load"(%r, %0, %1) : (!pyarray.array<16xui8, C>, si64, si64) -> tuple<f32, f32>
  return %2 : tuple<f32, f32>
}

//--- mixed.mlir
// MIXED: pyarray.vector_load is of one to four numbers of one type
func.func @f(%r: !pyarray.array<16xui8, C>) -> tuple<f32, f64> {
  %0 = pyarray.constant 0 : si64 -> si64
  %1 = pyarray.constant 4 : si64 -> si64
  %2 = pyarray.builtin "pyarray.vector_load"(%r, %0, %1) : (!pyarray.array<16xui8, C>, si64, si64) -> tuple<f32, f64>
  return %2 : tuple<f32, f64>
}
