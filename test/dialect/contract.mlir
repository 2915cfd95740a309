// RUN: pyarray-opt %s | pyarray-opt | FileCheck %s
// RUN: pyarray-opt %s --cse --canonicalize | FileCheck %s --check-prefix=KEPT

!C1 = !pyarray.array<?xf64, C>
!C2 = !pyarray.array<?x?xf64, C>
!C3 = !pyarray.array<?x?x?xf64, C>
!A2 = !pyarray.array<?x?xf64, A>
!B = !pyarray.array<?xi1, C>

// CHECK-LABEL: func.func @forms
// CHECK: pyarray.contract "mk,kn->mn" ins(%arg0, %arg0 : {{.*}}) -> !pyarray.array<?x?xf64, C>
// CHECK: pyarray.contract "...mk,kn->...mn" ins(%arg1, %arg0 : {{.*}}) -> !pyarray.array<?x?x?xf64, C>
// CHECK: pyarray.contract "k,k->" ins(%arg2, %arg2 : {{.*}}) -> i1
// CHECK: pyarray.contract "mk,k->m" ins(%arg0, %arg3 : {{.*}}) outs(%arg4 : {{.*}}) {pyarray.name = "matmul"}
// CHECK: pyarray.contract "mk,kn->mn" ins({{.*}}) outs(%arg5 : {{.*}}) expanded
func.func @forms(%a: !C2, %b: !C3, %t: !B, %x: !C1, %y: !C1, %o: !A2) -> (!C2, !C3, i1) {
  %0 = pyarray.contract "mk,kn->mn" ins(%a, %a : !C2, !C2) -> !C2
  %1 = pyarray.contract "...mk,kn->...mn" ins(%b, %a : !C3, !C2) -> !C3
  %2 = pyarray.contract "k,k->" ins(%t, %t : !B, !B) -> i1
  pyarray.contract "mk,k->m" ins(%a, %x : !C2, !C1) outs(%y : !C1) {pyarray.name = "matmul"}
  pyarray.contract "mk,kn->mn" ins(%a, %a : !C2, !C2) outs(%o : !A2) expanded
  return %0, %1, %2 : !C2, !C3, i1
}

// Shapes that do not fit raise, so it stays though nothing uses the result; results are new arrays.
// KEPT-LABEL: func.func @effects
// KEPT-COUNT-3: pyarray.contract "mk,kn->mn"
// KEPT: return
func.func @effects(%a: !C2) -> (!C2, !C2) {
  %0 = pyarray.contract "mk,kn->mn" ins(%a, %a : !C2, !C2) -> !C2
  %1 = pyarray.contract "mk,kn->mn" ins(%a, %a : !C2, !C2) -> !C2
  %2 = pyarray.contract "mk,kn->mn" ins(%a, %a : !C2, !C2) -> !C2
  return %0, %1 : !C2, !C2
}

// Of vectors known to fit, a number that nothing uses may go.
// KEPT-LABEL: func.func @unused
// KEPT-NEXT: return
func.func @unused(%x: !C1) {
  %0 = pyarray.contract "k,k->" ins(%x, %x : !C1, !C1) expanded -> f64
  return
}
