// RUN: pyarray-opt --pyarray-lower --split-input-file %s | FileCheck %s
// RUN: pyarray-opt --pyarray-pipeline=cpu %S/Inputs/foreign_whole.mlir | FileCheck %s --check-prefix=WHOLE

// Operations of other dialects take arrays as memrefs, and give arrays.

// CHECK-LABEL: func.func @scale
// CHECK-SAME: %[[A:.*]]: memref<?xf64, strided<[1], offset: ?>>, %[[OWNER:.*]]: i64, %[[X:.*]]: f64
// CHECK: %[[M:.*]] = memref.cast %[[A]] : memref<?xf64, strided<[1], offset: ?>> to memref<?xf64, strided<[?], offset: ?>>
// CHECK: linalg.fill ins(%[[X]] : f64) outs(%[[M]]
// CHECK: scf.for
// CHECK: memref.store %[[X]], %[[M]]
// CHECK: memref.load
func.func @scale(%a: !pyarray.array<?xf64, C>, %x: f64, %i: si64) -> f64 {
  %m = builtin.unrealized_conversion_cast %a : !pyarray.array<?xf64, C> to memref<?xf64, strided<[?], offset: ?>>
  linalg.fill ins(%x : f64) outs(%m : memref<?xf64, strided<[?], offset: ?>>)
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf64, strided<[?], offset: ?>>
  scf.for %k = %c0 to %n step %c1 {
    memref.store %x, %m[%k] : memref<?xf64, strided<[?], offset: ?>>
  }
  %b = builtin.unrealized_conversion_cast %m : memref<?xf64, strided<[?], offset: ?>> to !pyarray.array<?xf64, A>
  %0 = pyarray.getitem %b[%i] : (!pyarray.array<?xf64, A>, si64) -> f64
  func.return %0 : f64
}

// WHOLE: llvm.func @pyarray_entry
// WHOLE-NOT: unrealized_conversion_cast
