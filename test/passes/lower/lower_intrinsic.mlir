// RUN: split-file %s %t
// RUN: pyarray-opt %t/fine.mlir --pyarray-lower | FileCheck %s
// RUN: not pyarray-opt %t/types.mlir --pyarray-lower 2>&1 | FileCheck --check-prefix=TYPES %s
// RUN: not pyarray-opt %t/missing.mlir --pyarray-lower 2>&1 | FileCheck --check-prefix=MISSING %s

//--- fine.mlir
// An intrinsic stays as it is; memrefs come without their owners.
// CHECK-LABEL: func.func private @first
// CHECK-NEXT: %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT: memref.load %arg0[%[[C0]]]
func.func private @first(%a: memref<?xf64, strided<[1], offset: ?>>) -> f64 attributes {pyarray.intrinsic = (!pyarray.array<?xf64, C>) -> f64} {
  %c0 = arith.constant 0 : index
  %0 = memref.load %a[%c0] : memref<?xf64, strided<[1], offset: ?>>
  return %0 : f64
}

// CHECK-LABEL: func.func @f(%arg0: memref<?xf64, strided<[1], offset: ?>>, %arg1: i64) -> (i32, f64)
// CHECK: call @first(%arg0) : (memref<?xf64, strided<[1], offset: ?>>) -> f64
func.func @f(%a: !pyarray.array<?xf64, C>) -> f64 {
  %0 = pyarray.builtin "pyarray.intrinsic"(%a) {callee = @first} : (!pyarray.array<?xf64, C>) -> f64
  return %0 : f64
}

//--- types.mlir
// TYPES: the intrinsic does not have the types of this call
func.func private @id(%x: i64) -> i64 attributes {pyarray.intrinsic = (si64) -> si64} {
  return %x : i64
}
func.func @f(%x: f64) -> f64 {
  %0 = pyarray.builtin "pyarray.intrinsic"(%x) {callee = @id} : (f64) -> f64
  return %0 : f64
}

//--- missing.mlir
// MISSING: names no intrinsic of the module
func.func @f(%x: f64) -> f64 {
  %0 = pyarray.builtin "pyarray.intrinsic"(%x) {callee = @f} : (f64) -> f64
  return %0 : f64
}
