// RUN: pyarray-opt %s --pyarray-use-stack | FileCheck %s
// RUN: pyarray-opt %s --pyarray-use-stack --pyarray-use-stack | FileCheck %s
// RUN: pyarray-opt %s --pyarray-use-stack | pyarray-opt
// RUN: pyarray-opt %s --pyarray-use-stack --pyarray-insert-ownership --pyarray-order-dimensions --pyarray-specialize-strides --pyarray-lower | FileCheck %s --check-prefix LOWERED

!V = !pyarray.array<?xf64, C>
!M = !pyarray.array<?x?xf64, C>
!W = !pyarray.array<?x?xf64, A>

// c += a @ b, where c is memory that others may know: few multiplications, and no overlap.
// CHECK-LABEL: func.func @added
// CHECK: %[[N:.*]]:3 = pyarray.ufunc_shape "(m,k),(k,n)->(m,n)"
// CHECK: pyarray.compare eq %{{.*}}, %[[N]]#0
// CHECK: pyarray.compare eq %{{.*}}, %[[N]]#2
// CHECK: %[[MOST:.*]] = pyarray.constant 4096
// CHECK: pyarray.compare le %{{.*}}, %[[MOST]]
// CHECK: %[[APART:.*]] = pyarray.independent ins(%arg0, %arg1 : {{.*}}) outs(%arg2 : {{.*}}) apart
// CHECK: %[[MAY:.*]] = pyarray.binary and %{{.*}}, %[[APART]]
// CHECK: scf.if %[[MAY]] {
// CHECK-NEXT: pyarray.contract "mk,kn->mn" ins(%arg0, %arg1 : {{.*}}) outs(%arg2 : {{.*}}) expanded adds
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[P:.*]] = pyarray.builtin "numpy.empty"
// CHECK-NEXT: pyarray.contract "mk,kn->mn" ins(%arg0, %arg1 : {{.*}}) outs(%[[P]] : {{.*}}) expanded
// CHECK-NEXT: pyarray.ufunc_shape
// CHECK-NEXT: pyarray.broadcast_to
// CHECK-NEXT: pyarray.ufunc
// LOWERED-LABEL: func.func @added
// LOWERED: linalg.matmul {pyarray.contract = "adds"}
// LOWERED: linalg.fill
// LOWERED: linalg.matmul {pyarray.contract = "blas"}
func.func @added(%a: !M, %b: !M, %c: !M) {
  %n:3 = pyarray.ufunc_shape "(m,k),(k,n)->(m,n)" ins(%a, %b : !M, !M) : si64, si64, si64
  %p = pyarray.builtin "numpy.empty"(%n#0, %n#2) : (si64, si64) -> !M
  pyarray.contract "mk,kn->mn" ins(%a, %b : !M, !M) outs(%p : !M) expanded
  %s:2 = pyarray.ufunc_shape "(),()->()" ins(%c, %p : !M, !M) outs(%c : !M) : si64, si64
  %q = pyarray.broadcast_to %p to(%s#0, %s#1) : (!M, si64, si64) -> !W
  pyarray.ufunc "(),()->()" ins(%c, %q : !M, !W) outs(%c : !M) expanded {
  ^bb0(%x: f64, %y: f64):
    %0 = pyarray.builtin "numpy.add"(%x, %y) : (f64, f64) -> f64
    pyarray.yield %0 : f64
  }
  return
}

// Memory of this function is compared with nothing.
// CHECK-LABEL: func.func @own
// CHECK: pyarray.constant 256
// CHECK-NOT: pyarray.independent
// CHECK: pyarray.contract "mk,k->m" {{.*}} adds
func.func @own(%a: !M, %b: !V, %m: si64) -> !V {
  %c = pyarray.builtin "numpy.zeros"(%m) : (si64) -> !V
  %n:2 = pyarray.ufunc_shape "(m,k),(k)->(m)" ins(%a, %b : !M, !V) : si64, si64
  %p = pyarray.builtin "numpy.empty"(%n#0) : (si64) -> !V
  pyarray.contract "mk,k->m" ins(%a, %b : !M, !V) outs(%p : !V) expanded
  pyarray.ufunc "(),()->()" ins(%c, %p : !V, !V) outs(%c : !V) expanded {
  ^bb0(%x: f64, %y: f64):
    %0 = pyarray.builtin "numpy.add"(%x, %y) : (f64, f64) -> f64
    pyarray.yield %0 : f64
  }
  return %c : !V
}

// c -= a @ b
// CHECK-LABEL: func.func @subtracted
// CHECK: pyarray.contract "mk,k->m" {{.*}} expanded adds negated
// CHECK: else
// LOWERED-LABEL: func.func @subtracted
// LOWERED: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]{{.*}}pyarray.contract = "subtracts"
// LOWERED: arith.mulf
// LOWERED: arith.subf
func.func @subtracted(%a: !M, %b: !V, %c: !V) {
  %n:2 = pyarray.ufunc_shape "(m,k),(k)->(m)" ins(%a, %b : !M, !V) : si64, si64
  %p = pyarray.builtin "numpy.empty"(%n#0) : (si64) -> !V
  pyarray.contract "mk,k->m" ins(%a, %b : !M, !V) outs(%p : !V) expanded
  pyarray.ufunc "(),()->()" ins(%c, %p : !V, !V) outs(%c : !V) expanded {
  ^bb0(%x: f64, %y: f64):
    %0 = pyarray.builtin "numpy.subtract"(%x, %y) : (f64, f64) -> f64
    pyarray.yield %0 : f64
  }
  return
}

// What it is subtracted from, and a product that others read.
// CHECK-LABEL: func.func @not_added
// CHECK-NOT: adds
func.func @not_added(%a: !M, %b: !M, %c: !M) -> !M {
  %n:3 = pyarray.ufunc_shape "(m,k),(k,n)->(m,n)" ins(%a, %b : !M, !M) : si64, si64, si64
  %p = pyarray.builtin "numpy.empty"(%n#0, %n#2) : (si64, si64) -> !M
  pyarray.contract "mk,kn->mn" ins(%a, %b : !M, !M) outs(%p : !M) expanded
  pyarray.ufunc "(),()->()" ins(%c, %p : !M, !M) outs(%c : !M) expanded {
  ^bb0(%x: f64, %y: f64):
    %0 = pyarray.builtin "numpy.subtract"(%y, %x) : (f64, f64) -> f64
    pyarray.yield %0 : f64
  }
  %q = pyarray.builtin "numpy.empty"(%n#0, %n#2) : (si64, si64) -> !M
  pyarray.contract "mk,kn->mn" ins(%a, %b : !M, !M) outs(%q : !M) expanded
  pyarray.ufunc "(),()->()" ins(%c, %q : !M, !M) outs(%c : !M) expanded {
  ^bb0(%x: f64, %y: f64):
    %0 = pyarray.builtin "numpy.add"(%x, %y) : (f64, f64) -> f64
    pyarray.yield %0 : f64
  }
  return %q : !M
}
