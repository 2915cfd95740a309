// RUN: pyarray-opt %s --pyarray-expand-views | FileCheck %s
// RUN: pyarray-opt %s --pyarray-expand-views | pyarray-opt

// CHECK-LABEL: func.func @row
// CHECK: %[[BASE:.*]], %{{.*}}, %{{.*}}:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %arg0
// CHECK: %[[AT:.*]] = affine.apply #{{.*}}()[%arg1, %[[STRIDES]]#0]
// CHECK: memref.reinterpret_cast %[[BASE]] to offset: [%[[AT]]], sizes: [%arg2], strides: [1]
// CHECK-NOT: memref.subview
func.func @row(%a: memref<?x?xf64>, %i: index, %n: index) -> memref<?xf64, strided<[1], offset: ?>> {
  %v = memref.subview %a[%i, 0] [1, %n] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[1], offset: ?>>
  return %v : memref<?xf64, strided<[1], offset: ?>>
}

// Blocks stay as they are, also where two are alike.
// CHECK-LABEL: func.func @blocks
// CHECK:   cf.cond_br %arg0, ^bb1, ^bb2
// CHECK: ^bb1:
// CHECK:   call @f
// CHECK: ^bb2:
// CHECK:   call @f
func.func private @f()
func.func @blocks(%c: i1) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  call @f() : () -> ()
  cf.br ^bb3
^bb2:
  call @f() : () -> ()
  cf.br ^bb3
^bb3:
  return
}
