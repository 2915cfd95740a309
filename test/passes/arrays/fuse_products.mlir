// RUN: pyarray-opt %s --pyarray-fuse | FileCheck %s
// RUN: pyarray-opt %s --pyarray-fuse | pyarray-opt

!C1 = !pyarray.array<?xf64, C>
!C2 = !pyarray.array<?x?xf64, C>

// A computed matrix is not written down: its extents are compared where the product stood.
// CHECK-LABEL: func.func @matrix
// CHECK:      pyarray.ufunc_shape "(m,k),(k)->(m)" ins(%arg1, %arg2 : {{.*}}) {pyarray.mismatch = "m", pyarray.name = "matmul"}
// CHECK:      %[[O:.*]] = pyarray.builtin "numpy.empty"
// CHECK:      pyarray.ufunc "(n0)->()" ins(%arg1 : {{.*}}) outs(%[[O]] : {{.*}}) expanded {
// CHECK:        pyarray.reduce ["add"] axes [0] ins(%{{.*}}) order "C" expanded {
// CHECK-COUNT-2: pyarray.builtin "numpy.multiply"
// CHECK:      return %[[O]]
func.func @matrix(%s: f64, %a: !C2, %x: !C1) -> !C1 {
  %t = pyarray.ufunc "(),()->()" ins(%s, %a : f64, !C2) {
  ^bb0(%p: f64, %q: f64):
    %r = pyarray.builtin "numpy.multiply"(%p, %q) : (f64, f64) -> f64
    pyarray.yield %r : f64
  } -> !C2
  %r = pyarray.contract "mk,k->m" ins(%t, %x : !C2, !C1) -> !C1 {pyarray.mismatch = "m", pyarray.name = "matmul"}
  return %r : !C1
}

// CHECK-LABEL: func.func @vectors
// CHECK:      pyarray.ufunc_shape "(k),(k)->()" ins(%arg0, %arg1 : {{.*}})
// CHECK:      %[[R:.*]] = pyarray.reduce ["add"] axes [0] ins(%{{.*}}) order "C" {
// CHECK-NOT:  pyarray.contract
// CHECK:      return %[[R]] : f64
func.func @vectors(%x: !C1, %y: !C1) -> f64 {
  %t = pyarray.ufunc "()->()" ins(%y : !C1) {
  ^bb0(%p: f64):
    %r = pyarray.builtin "numpy.square"(%p) : (f64) -> f64
    pyarray.yield %r : f64
  } -> !C1
  %r = pyarray.contract "k,k->" ins(%x, %t : !C1, !C1) -> f64
  return %r : f64
}

// A matrix from outside, one that is read twice, a computed vector beside a matrix, products over rows and of matrices.
// CHECK-LABEL: func.func @stay
// CHECK-NOT: pyarray.reduce
// CHECK-COUNT-6: pyarray.contract
// CHECK: return
func.func @stay(%a: !C2, %x: !C1) -> (!C1, !C1, !C1, !C1, !C1, !C2) {
  %t = pyarray.ufunc "()->()" ins(%a : !C2) {
  ^bb0(%p: f64):
    %r = pyarray.builtin "numpy.square"(%p) : (f64) -> f64
    pyarray.yield %r : f64
  } -> !C2
  %u = pyarray.ufunc "()->()" ins(%x : !C1) {
  ^bb0(%p: f64):
    %r = pyarray.builtin "numpy.square"(%p) : (f64) -> f64
    pyarray.yield %r : f64
  } -> !C1
  %v = pyarray.ufunc "()->()" ins(%a : !C2) {
  ^bb0(%p: f64):
    %r = pyarray.builtin "numpy.negative"(%p) : (f64) -> f64
    pyarray.yield %r : f64
  } -> !C2
  %w = pyarray.ufunc "()->()" ins(%a : !C2) {
  ^bb0(%p: f64):
    %r = pyarray.builtin "numpy.fabs"(%p) : (f64) -> f64
    pyarray.yield %r : f64
  } -> !C2
  %0 = pyarray.contract "mk,k->m" ins(%a, %x : !C2, !C1) -> !C1
  %1 = pyarray.contract "mk,k->m" ins(%t, %x : !C2, !C1) -> !C1
  %2 = pyarray.contract "mk,k->m" ins(%t, %0 : !C2, !C1) -> !C1
  %3 = pyarray.contract "mk,k->m" ins(%a, %u : !C2, !C1) -> !C1
  %4 = pyarray.contract "k,kn->n" ins(%x, %v : !C1, !C2) -> !C1
  %5 = pyarray.contract "mk,kn->mn" ins(%w, %a : !C2, !C2) -> !C2
  return %0, %1, %2, %3, %4, %5 : !C1, !C1, !C1, !C1, !C1, !C2
}
