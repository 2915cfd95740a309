// RUN: pyarray-opt %s --split-input-file --verify-diagnostics

func.func @rank(%a: !pyarray.array<?xf64, C>) -> tensor<?x?xf64> {
  // expected-error@+1 {{says more of extents in 'tensor<?x?xf64>' than is known of '!pyarray.array<?xf64, C>'}}
  %0 = pyarray.to_tensor %a : !pyarray.array<?xf64, C> to tensor<?x?xf64>
  func.return %0 : tensor<?x?xf64>
}
// -----
func.func @extent(%a: !pyarray.array<?xf64, C>) -> tensor<3xf64> {
  // expected-error@+1 {{says more of extents}}
  %0 = pyarray.to_tensor %a : !pyarray.array<?xf64, C> to tensor<3xf64>
  func.return %0 : tensor<3xf64>
}
// -----
func.func @sign(%a: !pyarray.array<?xsi64, C>) -> tensor<?xsi64> {
  // expected-error@+1 {{has elements 'si64' in an array and 'si64' in a tensor; expected 'i64'}}
  %0 = pyarray.to_tensor %a : !pyarray.array<?xsi64, C> to tensor<?xsi64>
  func.return %0 : tensor<?xsi64>
}
// -----
func.func @bool(%a: !pyarray.array<?xi1, C>) -> tensor<?xi1> {
  // expected-error@+1 {{is of arrays of numbers other than bool, not of '!pyarray.array<?xi1, C>'}}
  %0 = pyarray.to_tensor %a : !pyarray.array<?xi1, C> to tensor<?xi1>
  func.return %0 : tensor<?xi1>
}
// -----
func.func @number(%x: f64) -> tensor<f64> {
  // expected-error@+1 {{is of arrays of numbers other than bool, not of 'f64'}}
  %0 = pyarray.to_tensor %x : f64 to tensor<f64>
  func.return %0 : tensor<f64>
}
// -----
func.func @layout(%t: tensor<?xf64>) -> !pyarray.array<?xf64, A> {
  // expected-error@+1 {{makes an array of layout C that may be written, not '!pyarray.array<?xf64, A>'}}
  %0 = pyarray.from_tensor %t : tensor<?xf64> to !pyarray.array<?xf64, A>
  func.return %0 : !pyarray.array<?xf64, A>
}
// -----
func.func @known(%t: tensor<?xf64>) -> !pyarray.array<3xf64, C> {
  // expected-error@+1 {{says more of extents in '!pyarray.array<3xf64, C>' than is known of 'tensor<?xf64>'}}
  %0 = pyarray.from_tensor %t : tensor<?xf64> to !pyarray.array<3xf64, C>
  func.return %0 : !pyarray.array<3xf64, C>
}
