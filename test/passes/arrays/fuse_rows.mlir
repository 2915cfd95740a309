// RUN: pyarray-opt %s --pyarray-fuse | FileCheck %s
// RUN: pyarray-opt %s --pyarray-fuse --pyarray-fuse | pyarray-opt
// RUN: pyarray-opt %s --pyarray-fuse --pyarray-expand-broadcasting --pyarray-insert-ownership --pyarray-order-dimensions --pyarray-specialize-strides --pyarray-lower | FileCheck %s --check-prefix LOWERED

!V = !pyarray.array<?xf64, C>
!M = !pyarray.array<?x?xf64, C>
!T = !pyarray.array<?x?x?xf64, C>

// Softmax: the maximum of nothing raises where it stood. What only the group reads lies in the row of the result.
// CHECK-LABEL: func.func @softmax
// CHECK: %[[E:.*]]:2 = pyarray.ufunc_shape "()->()" ins(%arg0
// CHECK: %[[Z:.*]] = pyarray.compare eq %[[E]]#1
// CHECK: scf.if %[[Z]] {
// CHECK:   pyarray.raise "ValueError"
// CHECK: %[[N:.*]]:2 = pyarray.ufunc_shape "()->()" ins(%arg0
// CHECK: %[[O:.*]] = pyarray.builtin "numpy.empty"(%[[N]]#0, %[[N]]#1)
// CHECK: pyarray.ufunc "(n0)->(n0)" ins(%arg0 : {{.*}}) outs(%[[O]] : {{.*}}) expanded {
// CHECK: ^bb0(%[[X:.*]]: !pyarray.array<?xf64, C>, %[[R:.*]]: !pyarray.array<?xf64, C>):
// CHECK:   %[[M:.*]] = pyarray.reduce ["max"] axes [0] ins(%[[X]] : {{.*}}) expanded {
// CHECK:   } -> f64 {pyarray.nonempty}
// CHECK:   pyarray.ufunc "(),()->()" ins(%[[X]], %[[M]] : {{.*}}) outs(%[[R]] : {{.*}}) expanded {
// CHECK:   } {pyarray.fresh}
// CHECK:   %[[S:.*]] = pyarray.reduce ["add"] axes [0] ins(%[[R]] : {{.*}}) expanded {
// CHECK:   pyarray.ufunc "(),()->()" ins(%[[R]], %[[S]] : {{.*}}) outs(%[[R]] : {{.*}}) expanded {
// CHECK:   pyarray.yield
// CHECK: return %[[O]]
// LOWERED-LABEL: func.func @softmax
// LOWERED: scf.parallel
// LOWERED: scf.for {{.*}} iter_args
// LOWERED: arith.maximumf
// LOWERED: linalg.generic
// LOWERED: math.exp
// LOWERED: call @pyarray_rt_add_rows_f64
// LOWERED: linalg.generic
// LOWERED: arith.divf
func.func @softmax(%x: !M) -> !M {
  %m = pyarray.reduce ["max"] axes [1] ins(%x : !M) {
  ^bb0(%a: f64):
    pyarray.yield %a : f64
  } -> !V
  %n = pyarray.insert_axes %m [1] : (!V) -> !M
  %e = pyarray.ufunc "(),()->()" ins(%x, %n : !M, !M) {
  ^bb0(%a: f64, %b: f64):
    %0 = pyarray.builtin "numpy.subtract"(%a, %b) : (f64, f64) -> f64
    %1 = pyarray.builtin "numpy.exp"(%0) : (f64) -> f64
    pyarray.yield %1 : f64
  } -> !M
  %s = pyarray.reduce ["add"] axes [1] ins(%e : !M) {
  ^bb0(%a: f64):
    pyarray.yield %a : f64
  } -> !V
  %t = pyarray.insert_axes %s [1] : (!V) -> !M
  %r = pyarray.ufunc "(),()->()" ins(%e, %t : !M, !M) {
  ^bb0(%a: f64, %b: f64):
    %0 = pyarray.builtin "numpy.divide"(%a, %b) : (f64, f64) -> f64
    pyarray.yield %0 : f64
  } -> !M
  return %r : !M
}

// Numbers of rows that others read are outputs, with their axis where they had it. The weights may be longer than the rows.
// CHECK-LABEL: func.func @longer
// CHECK: %[[W:.*]]:2 = pyarray.ufunc_shape "(),()->()" ins(%arg0, %arg1 :
// CHECK: %[[O:.*]] = pyarray.builtin "numpy.empty"(%{{.*}}#0, %[[W]]#1)
// CHECK: %[[B:.*]] = pyarray.broadcast_to %arg1 to(%[[W]]#1)
// CHECK: pyarray.ufunc "(n0)->(),(w2_0)" ins(%arg0 : {{.*}}) outs(%[[S:.*]], %[[O]] :
// CHECK: ^bb0(%[[X:.*]]: !pyarray.array<?xf64, C>, %[[P:.*]]: !pyarray.array<?xf64, A>, %[[Q:.*]]: !pyarray.array<?xf64, C>):
// CHECK:   %[[T:.*]] = pyarray.reduce ["add"]
// CHECK:   %[[Y:.*]] = pyarray.broadcast_to %[[X]] to(%[[W]]#1)
// CHECK:   pyarray.ufunc "(),()->()" ins(%[[Y]], %[[B]] : {{.*}}) outs(%[[Q]]
// CHECK:   pyarray.setitem %[[P]][%{{.*}}] = %[[T]] {pyarray.in_bounds = array<i1: true>}
// CHECK: %[[K:.*]] = pyarray.insert_axes %[[S]] [1]
// CHECK: return %[[O]], %[[K]]
func.func @longer(%x: !M, %w: !V) -> (!M, !M) {
  %s = pyarray.reduce ["add"] axes [1] ins(%x : !M) {
  ^bb0(%a: f64):
    pyarray.yield %a : f64
  } -> !V
  %t = pyarray.insert_axes %s [1] : (!V) -> !M
  %r = pyarray.ufunc "(),()->()" ins(%x, %w : !M, !V) {
  ^bb0(%a: f64, %b: f64):
    %0 = pyarray.builtin "numpy.multiply"(%a, %b) : (f64, f64) -> f64
    pyarray.yield %0 : f64
  } -> !M
  return %r, %t : !M, !M
}

// Two dimensions are folded: the rows are matrices.
// CHECK-LABEL: func.func @matrices
// CHECK: pyarray.ufunc "(n0,n1)->(n0,n1)" ins(%arg0 : {{.*}}) outs(%{{.*}}) expanded {
// CHECK: ^bb0(%{{.*}}: !pyarray.array<?x?xf64, C>, %{{.*}}: !pyarray.array<?x?xf64, C>):
// CHECK:   pyarray.reduce ["add"] axes [0, 1]
func.func @matrices(%x: !T) -> !T {
  %s = pyarray.reduce ["add"] axes [1, 2] ins(%x : !T) {
  ^bb0(%a: f64):
    pyarray.yield %a : f64
  } -> !V
  %t = pyarray.insert_axes %s [1, 2] : (!V) -> !T
  %r = pyarray.ufunc "(),()->()" ins(%x, %t : !T, !T) {
  ^bb0(%a: f64, %b: f64):
    %0 = pyarray.builtin "numpy.divide"(%a, %b) : (f64, f64) -> f64
    pyarray.yield %0 : f64
  } -> !T
  return %r : !T
}

// What is written between them keeps them apart; so do sums along the first dimension, sums of what lies otherwise, and
// another reader between.
// CHECK-LABEL: func.func @written
// CHECK-NOT: "(n0)
// CHECK: return
func.func @written(%x: !M, %k: f64) -> !M {
  %s = pyarray.reduce ["add"] axes [1] ins(%x : !M) {
  ^bb0(%a: f64):
    pyarray.yield %a : f64
  } -> !V
  %i = pyarray.constant 0 : si64 -> si64
  pyarray.setitem %x[%i, %i] = %k : (!M, si64, si64, f64) -> ()
  %t = pyarray.insert_axes %s [1] : (!V) -> !M
  %r = pyarray.ufunc "(),()->()" ins(%x, %t : !M, !M) {
  ^bb0(%a: f64, %b: f64):
    %0 = pyarray.builtin "numpy.divide"(%a, %b) : (f64, f64) -> f64
    pyarray.yield %0 : f64
  } -> !M
  return %r : !M
}
// CHECK-LABEL: func.func @columns
// CHECK-NOT: "(n0)
// CHECK: return
func.func @columns(%x: !M) -> !M {
  %s = pyarray.reduce ["add"] axes [0] ins(%x : !M) {
  ^bb0(%a: f64):
    pyarray.yield %a : f64
  } -> !V
  %r = pyarray.ufunc "(),()->()" ins(%x, %s : !M, !V) {
  ^bb0(%a: f64, %b: f64):
    %0 = pyarray.builtin "numpy.divide"(%a, %b) : (f64, f64) -> f64
    pyarray.yield %0 : f64
  } -> !M
  return %r : !M
}
// CHECK-LABEL: func.func @read_between
// CHECK-NOT: "(n0)
// CHECK: return
func.func @read_between(%x: !M) -> (!M, f64) {
  %s = pyarray.reduce ["add"] axes [1] ins(%x : !M) {
  ^bb0(%a: f64):
    pyarray.yield %a : f64
  } -> !V
  %i = pyarray.constant 0 : si64 -> si64
  %k = pyarray.getitem %s[%i] : (!V, si64) -> f64
  %t = pyarray.insert_axes %s [1] : (!V) -> !M
  %r = pyarray.ufunc "(),()->()" ins(%x, %t : !M, !M) {
  ^bb0(%a: f64, %b: f64):
    %0 = pyarray.builtin "numpy.divide"(%a, %b) : (f64, f64) -> f64
    pyarray.yield %0 : f64
  } -> !M
  return %r, %k : !M, f64
}
