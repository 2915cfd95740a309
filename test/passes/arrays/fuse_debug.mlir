// RUN: pyarray-opt %s --pyarray-fuse | FileCheck %s

// With debug=True each statement computes its value where it stands.
// CHECK-COUNT-2: = pyarray.ufunc "()->()"
module attributes {pyarray.debug} {
  func.func @f(%a: !pyarray.array<?xf64, C>) -> !pyarray.array<?xf64, C> {
    %t = pyarray.ufunc "()->()" ins(%a : !pyarray.array<?xf64, C>) {
    ^bb0(%x: f64):
      %0 = pyarray.builtin "numpy.negative"(%x) : (f64) -> f64
      pyarray.yield %0 : f64
    } -> !pyarray.array<?xf64, C>
    %u = pyarray.ufunc "()->()" ins(%t : !pyarray.array<?xf64, C>) {
    ^bb0(%x: f64):
      %0 = pyarray.builtin "numpy.sqrt"(%x) : (f64) -> f64
      pyarray.yield %0 : f64
    } -> !pyarray.array<?xf64, C>
    return %u : !pyarray.array<?xf64, C>
  }
}
