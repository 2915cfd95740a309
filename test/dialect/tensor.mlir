// RUN: pyarray-opt %s | pyarray-opt | FileCheck %s
// RUN: pyarray-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: func.func @tensors
// CHECK: pyarray.to_tensor %{{.*}} : !pyarray.array<?x3xf64, A, readonly> to tensor<?x?xf64>
// CHECK: pyarray.from_tensor %{{.*}} : tensor<2xcomplex<f32>> to !pyarray.array<?xcomplex<f32>, C>
func.func @tensors(%a: !pyarray.array<?x3xf64, A, readonly>, %t: tensor<2xcomplex<f32>>) -> (tensor<?x?xf64>, !pyarray.array<?xcomplex<f32>, C>) {
  %0 = pyarray.to_tensor %a : !pyarray.array<?x3xf64, A, readonly> to tensor<?x?xf64>
  %1 = pyarray.from_tensor %t : tensor<2xcomplex<f32>> to !pyarray.array<?xcomplex<f32>, C>
  func.return %0, %1 : tensor<?x?xf64>, !pyarray.array<?xcomplex<f32>, C>
}

// Of an array that nothing else sees the tensor is the one that it was made of.
// FOLD-LABEL: func.func @fold
// FOLD-SAME: %[[T:.*]]: tensor<?xf64>
// FOLD-NEXT: return %[[T]]
func.func @fold(%t: tensor<?xf64>) -> tensor<?xf64> {
  %a = pyarray.from_tensor %t : tensor<?xf64> to !pyarray.array<?xf64, C>
  %0 = pyarray.to_tensor %a : !pyarray.array<?xf64, C> to tensor<?xf64>
  func.return %0 : tensor<?xf64>
}

// FOLD-LABEL: func.func @written
// FOLD: pyarray.setitem
// FOLD: %[[U:.*]] = pyarray.to_tensor
// FOLD: return %[[U]]
func.func @written(%t: tensor<?xf64>, %i: si64, %x: f64) -> tensor<?xf64> {
  %a = pyarray.from_tensor %t : tensor<?xf64> to !pyarray.array<?xf64, C>
  pyarray.setitem %a[%i] = %x : (!pyarray.array<?xf64, C>, si64, f64) -> ()
  %0 = pyarray.to_tensor %a : !pyarray.array<?xf64, C> to tensor<?xf64>
  func.return %0 : tensor<?xf64>
}
