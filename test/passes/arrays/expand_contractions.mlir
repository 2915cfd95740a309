// RUN: pyarray-opt %s --pyarray-expand-contractions | FileCheck %s
// RUN: pyarray-opt %s --pyarray-expand-contractions --pyarray-expand-contractions | FileCheck %s
// RUN: pyarray-opt %s --pyarray-expand-contractions | pyarray-opt

!C1 = !pyarray.array<?xf64, C>
!C2 = !pyarray.array<?x?xf64, C>
!C3 = !pyarray.array<?x?x?xf64, C>
!C4 = !pyarray.array<?x?x?x?xf64, C>

// A product of matrices takes its operands as they are.
// CHECK-LABEL: func.func @matrices
// CHECK-NEXT: %[[N:.*]]:3 = pyarray.ufunc_shape "(m,k),(k,n)->(m,n)" ins(%arg0, %arg1 : {{.*}}) {pyarray.mismatch = "(n?,k)", pyarray.name = "matmul"}
// CHECK-NEXT: %[[O:.*]] = pyarray.builtin "numpy.empty"(%[[N]]#0, %[[N]]#2)
// CHECK-NEXT: pyarray.contract "mk,kn->mn" ins(%arg0, %arg1 : {{.*}}) outs(%[[O]] : {{.*}}) expanded
// CHECK-NEXT: return %[[O]]
func.func @matrices(%a: !C2, %b: !C2) -> !C2 {
  %0 = pyarray.contract "mk,kn->mn" ins(%a, %b : !C2, !C2) -> !C2 {pyarray.mismatch = "(n?,k)", pyarray.name = "matmul"}
  return %0 : !C2
}

// A number needs no memory here.
// CHECK-LABEL: func.func @vectors
// CHECK: pyarray.ufunc_shape "(k),(k)->()"
// CHECK-NEXT: %[[S:.*]] = pyarray.contract "k,k->" ins(%arg0, %arg0 : {{.*}}) expanded -> f64
// CHECK-NEXT: return %[[S]]
func.func @vectors(%x: !C1) -> f64 {
  %0 = pyarray.contract "k,k->" ins(%x, %x : !C1, !C1) -> f64
  return %0 : f64
}

// Stacks broadcast.
// CHECK-LABEL: func.func @stacks
// CHECK: %[[N:.*]]:4 = pyarray.ufunc_shape "(m,k),(k,n)->(m,n)"
// CHECK-NEXT: %[[O:.*]] = pyarray.builtin "numpy.empty"(%[[N]]#0, %[[N]]#1, %[[N]]#3)
// CHECK-NEXT: %[[A:.*]] = pyarray.broadcast_to %arg0 to(%[[N]]#0)
// CHECK-NEXT: %[[B:.*]] = pyarray.broadcast_to %arg1 to(%[[N]]#0)
// CHECK-NEXT: pyarray.contract "...mk,...kn->...mn" ins(%[[A]], %[[B]] : {{.*}}) outs(%[[O]] : {{.*}}) expanded
func.func @stacks(%a: !C3, %b: !C2) -> !C3 {
  %0 = pyarray.contract "...mk,kn->...mn" ins(%a, %b : !C3, !C2) -> !C3
  return %0 : !C3
}

// Dimensions that are not of the product are loop dimensions, which the result has in another order.
// CHECK-LABEL: func.func @dot
// CHECK: %[[N:.*]]:5 = pyarray.ufunc_shape "(a,b,k),(c,k,n)->(a,b,c,n)"
// CHECK-NEXT: %[[O:.*]] = pyarray.builtin "numpy.empty"(%[[N]]#0, %[[N]]#1, %[[N]]#3, %[[N]]#4)
// CHECK-NEXT: %[[A:.*]] = pyarray.insert_axes %arg0 [1]
// CHECK-NEXT: %[[X:.*]] = pyarray.broadcast_to %[[A]] to(%[[N]]#0, %[[N]]#3)
// CHECK-NEXT: %[[B:.*]] = pyarray.insert_axes %arg1 [0]
// CHECK-NEXT: %[[Y:.*]] = pyarray.broadcast_to %[[B]] to(%[[N]]#0, %[[N]]#3)
// CHECK-NEXT: %[[T:.*]] = pyarray.transpose %[[O]] [0, 2, 1, 3]
// CHECK-NEXT: pyarray.contract "...bk,...kn->...bn" ins(%[[X]], %[[Y]] : {{.*}}) outs(%[[T]] : {{.*}}) expanded
// CHECK-NEXT: return %[[O]]
func.func @dot(%a: !C3, %b: !C3) -> !C4 {
  %0 = pyarray.contract "abk,ckn->abcn" ins(%a, %b : !C3, !C3) -> !C4
  return %0 : !C4
}

// Transposed operands are views.
// CHECK-LABEL: func.func @inner
// CHECK: %[[B:.*]] = pyarray.transpose %arg1 [1, 0]
// CHECK-NEXT: pyarray.contract "ak,kb->ab" ins(%arg0, %[[B]] : {{.*}})
func.func @inner(%a: !C2, %b: !C2) -> !C2 {
  %0 = pyarray.contract "ak,bk->ab" ins(%a, %b : !C2, !C2) -> !C2
  return %0 : !C2
}

// An output that overlaps is computed apart and stored.
// CHECK-LABEL: func.func @given
// CHECK: pyarray.ufunc_shape "(m,k),(k,n)->(m,n)" ins(%arg0, %arg1 : {{.*}}) outs(%arg2 : {{.*}})
// CHECK-NEXT: %[[APART:.*]] = pyarray.independent ins(%arg0, %arg1 : {{.*}}) outs(%arg2 : {{.*}}) apart : i1
// CHECK-NEXT: scf.if %[[APART]] {
// CHECK-NEXT:   pyarray.contract {{.*}} outs(%arg2 : {{.*}}) expanded
// CHECK-NEXT: } else {
// CHECK-NEXT:   %[[T:.*]] = pyarray.builtin "numpy.empty"
// CHECK-NEXT:   pyarray.contract {{.*}} outs(%[[T]] : {{.*}}) expanded
// CHECK-NEXT:   pyarray.setitem %arg2[] = %[[T]]
// CHECK-NEXT: }
func.func @given(%a: !C2, %b: !C2, %o: !C2) {
  pyarray.contract "mk,kn->mn" ins(%a, %b : !C2, !C2) outs(%o : !C2)
  return
}
