// RUN: pyarray-opt --pyarray-lower --split-input-file --verify-diagnostics %s | FileCheck %s
// RUN: pyarray-opt --pyarray-insert-ownership --split-input-file %s | FileCheck %s --check-prefix=OWNED
// RUN: pyarray-opt --pyarray-to-typed --pyarray-to-optimized --pyarray-lower --one-shot-bufferize --pyarray-cpu %S/Inputs/tensor_whole.mlir | FileCheck %s --check-prefix=WHOLE

// An array's elements are a tensor, and a tensor a new array.

// CHECK-LABEL: func.func @scaled
// CHECK-SAME: %[[A:.*]]: memref<?x3xf64, strided<[3, 1], offset: ?>>
// CHECK: %[[T:.*]] = bufferization.to_tensor %[[A]] restrict : memref<?x3xf64, strided<[3, 1], offset: ?>> to tensor<?x3xf64>
// CHECK: %[[N:.*]] = tensor.dim %[[T]]
// CHECK: tensor.empty(%[[N]])
// CHECK: %[[R:.*]] = linalg.generic
// CHECK: tensor.dim %[[R]]
// CHECK: memref.alloc
// CHECK: %[[C:.*]] = tensor.cast %[[R]] : tensor<?x3xf64> to tensor<?x?xf64>
// CHECK: bufferization.materialize_in_destination %[[C]] in restrict writable %{{.*}} : (tensor<?x?xf64>, memref<?x?xf64, strided<[?, 1], offset: ?>>)
#id = affine_map<(i, j) -> (i, j)>
func.func @scaled(%a: !pyarray.array<?x3xf64, C>, %x: f64) -> !pyarray.array<?x?xf64, C> {
  %t = pyarray.to_tensor %a : !pyarray.array<?x3xf64, C> to tensor<?x3xf64>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %t, %c0 : tensor<?x3xf64>
  %e = tensor.empty(%n) : tensor<?x3xf64>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<?x3xf64>) outs(%e : tensor<?x3xf64>) {
  ^bb0(%p: f64, %o: f64):
    %q = arith.mulf %p, %x : f64
    linalg.yield %q : f64
  } -> tensor<?x3xf64>
  %b = pyarray.from_tensor %r : tensor<?x3xf64> to !pyarray.array<?x?xf64, C>
  func.return %b : !pyarray.array<?x?xf64, C>
}

// -----

// Integers have no signs there; a tensor may say less than the array.

// CHECK-LABEL: func.func @first
// CHECK: %[[T:.*]] = bufferization.to_tensor %{{.*}} restrict : memref<4xi32, strided<[1], offset: ?>> to tensor<4xi32>
// CHECK: tensor.cast %[[T]] : tensor<4xi32> to tensor<?xi32>
func.func @first(%a: !pyarray.array<4xui32, C>) -> f64 {
  %t = pyarray.to_tensor %a : !pyarray.array<4xui32, C> to tensor<?xi32>
  %c0 = arith.constant 0 : index
  %0 = tensor.extract %t[%c0] : tensor<?xi32>
  %1 = arith.uitofp %0 : i32 to f64
  func.return %1 : f64
}

// -----

// The array lives as long as its tensor may be used: to the end of the block. The same for a memref.

// OWNED-LABEL: func.func @made
// OWNED: %[[A:.*]] = pyarray.from_tensor
// OWNED: pyarray.to_tensor %[[A]]
// OWNED: tensor.extract
// OWNED-NEXT: pyarray.release %[[A]]
// OWNED-NEXT: return
// CHECK-LABEL: func.func @made
func.func @made(%i: si64, %x: f64) -> f64 {
  %t = arith.constant dense<1.0> : tensor<3xf64>
  %a = pyarray.from_tensor %t : tensor<3xf64> to !pyarray.array<3xf64, C>
  pyarray.setitem %a[%i] = %x : (!pyarray.array<3xf64, C>, si64, f64) -> ()
  %u = pyarray.to_tensor %a : !pyarray.array<3xf64, C> to tensor<3xf64>
  %c0 = arith.constant 0 : index
  %0 = tensor.extract %u[%c0] : tensor<3xf64>
  func.return %0 : f64
}

// OWNED-LABEL: func.func @memory
// OWNED: memref.load
// OWNED-NEXT: pyarray.release
// CHECK-LABEL: func.func @memory
func.func @memory(%n: si64) -> f64 {
  %a = pyarray.builtin "numpy.zeros"(%n) : (si64) -> !pyarray.array<?xf64, C>
  %m = builtin.unrealized_conversion_cast %a : !pyarray.array<?xf64, C> to memref<?xf64, strided<[1], offset: ?>>
  %c0 = arith.constant 0 : index
  %0 = memref.load %m[%c0] : memref<?xf64, strided<[1], offset: ?>>
  func.return %0 : f64
}

// WHOLE: llvm.func @pyarray_entry
// WHOLE-NOT: tensor<
// WHOLE-NOT: unrealized_conversion_cast
