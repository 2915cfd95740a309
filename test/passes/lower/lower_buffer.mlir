// RUN: pyarray-opt %s --pyarray-lower --split-input-file | FileCheck %s

// The memory of a bytearray as an array: what owns it keeps the bytes where they are.
// CHECK-LABEL: func.func @bytearray
// CHECK: %[[OWNER:.*]] = call @pyarray_rt_bytearray_export(%arg0)
// CHECK: memref.view
// CHECK: return %{{.*}}, %[[OWNER]]
func.func @bytearray(%b: !pyarray.bytearray) -> !pyarray.array<?xui8, C> attributes {pyarray.entry} {
  %a = pyarray.builtin "pyarray.library._intrinsics.exported"(%b) : (!pyarray.bytearray) -> !pyarray.array<?xui8, C>
  return %a : !pyarray.array<?xui8, C>
}

// -----

// That of bytes is theirs.
// CHECK-LABEL: func.func @bytes
// CHECK: call @pyarray_rt_retain(%arg0)
// CHECK: return %{{.*}}, %arg0
func.func @bytes(%b: !pyarray.bytes) -> !pyarray.array<?xui8, C, readonly> attributes {pyarray.entry} {
  %a = pyarray.builtin "pyarray.library._intrinsics.exported"(%b) : (!pyarray.bytes) -> !pyarray.array<?xui8, C, readonly>
  return %a : !pyarray.array<?xui8, C, readonly>
}

// -----

// Items of another format: the address must be a multiple of their size.
// CHECK-LABEL: func.func @cast
// CHECK: arith.remui %{{.*}}, %c4_i64
// CHECK: call @pyarray_rt_retain
// CHECK: memref.view %{{.*}} : memref<?xi8> to memref<?xi32>
func.func @cast(%a: !pyarray.array<?xui8, C>, %n: si64) -> !pyarray.array<?xsi32, C> attributes {pyarray.entry} {
  %b = pyarray.builtin "pyarray.library._intrinsics.reinterpreted"(%a, %n) : (!pyarray.array<?xui8, C>, si64) -> !pyarray.array<?xsi32, C>
  return %b : !pyarray.array<?xsi32, C>
}

// -----

// CHECK-LABEL: func.func @tobytes
// CHECK: call @pyarray_rt_bytes_of_memory
func.func @tobytes(%a: !pyarray.array<?x?xf64, C>) -> !pyarray.bytes attributes {pyarray.entry} {
  %b = pyarray.builtin "pyarray.library._intrinsics.bytes_of_array"(%a) : (!pyarray.array<?x?xf64, C>) -> !pyarray.bytes
  return %b : !pyarray.bytes
}
