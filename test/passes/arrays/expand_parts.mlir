// RUN: pyarray-opt %s --pyarray-expand-broadcasting | FileCheck %s
// RUN: pyarray-opt %s --pyarray-expand-broadcasting | pyarray-opt

!C2 = !pyarray.array<?x?xf64, C>
!A2 = !pyarray.array<?x?xf64, A>
!C1 = !pyarray.array<?xf64, C>
!S = !pyarray.slice<si64, !pyarray.none, !pyarray.none>

// A part of an array, from another part of it: some rows at a time.
// CHECK-LABEL: func.func @stencil
// CHECK:      pyarray.getitem %arg0
// CHECK-NEXT: %[[TO:.*]] = pyarray.getitem %arg0
// CHECK:      %[[N:.*]]:2 = pyarray.ufunc_shape
// CHECK:      %[[X:.*]] = pyarray.broadcast_to %{{.*}} to(%[[N]]#0, %[[N]]#1)
// CHECK-NEXT: %[[IND:.*]], %[[ROWS:.*]] = pyarray.rows_apart ins(%[[X]] : {{.*}}) outs(%[[TO]] : {{.*}}) : i1, si64
// CHECK-NEXT: %[[W:.*]] = scf.if %[[IND]]
// CHECK-NEXT:   scf.yield %[[TO]]
// CHECK-NEXT: } else {
// CHECK-NEXT:   %[[TWICE:.*]] = pyarray.binary add %[[ROWS]], %[[ROWS]]
// CHECK-NEXT:   %[[SLOTS:.*]] = pyarray.builtin "builtins.min"(%[[TWICE]], %[[N]]#0)
// CHECK-NEXT:   pyarray.builtin "numpy.empty"(%[[SLOTS]], %[[N]]#1)
// CHECK:      }
// CHECK:      %[[ZERO:.*]] = pyarray.constant 0
// CHECK-NEXT: %[[RANGE:.*]] = pyarray.builtin "builtins.range"(%[[ZERO]], %[[N]]#0, %[[ROWS]])
// CHECK-NEXT: %[[LOOP:.*]]:2 = pyarray.for (%[[FIRST:.*]]: si64, %[[SLOT:.*]]: si64, %[[BEFORE:.*]]: si64) in %[[RANGE]] : !pyarray.range iter(%[[ZERO]], %[[ZERO]]) {
// CHECK:        %[[LEFT:.*]] = pyarray.binary sub %[[N]]#0, %[[FIRST]]
// CHECK:        %[[LENGTH:.*]] = pyarray.builtin "builtins.min"(%[[ROWS]], %[[LEFT]])
// CHECK:        %[[IN:.*]] = pyarray.getitem %[[X]]
// CHECK:        %[[OUT:.*]] = pyarray.getitem %[[W]]
// CHECK:        pyarray.ufunc "()->()" ins(%[[IN]] : {{.*}}) outs(%[[OUT]] : {{.*}}) expanded
// CHECK:        %[[OTHER:.*]] = pyarray.binary sub %[[ROWS]], %[[SLOT]]
// CHECK-NEXT:   scf.if %[[IND]] {
// CHECK-NEXT:   } else {
// CHECK:          pyarray.setitem %{{.*}}[] = %{{.*}} {pyarray.fresh}
// CHECK-NEXT:   }
// CHECK-NEXT:   pyarray.yield %[[OTHER]], %[[FIRST]]
// CHECK-NEXT: }
// CHECK:      scf.if %[[IND]] {
// CHECK-NEXT: } else {
// CHECK:        pyarray.setitem
func.func @stencil(%a: !C2) {
  %none = pyarray.constant unit -> !pyarray.none
  %0 = pyarray.constant 0 : si64 -> si64
  %1 = pyarray.constant 1 : si64 -> si64
  %s = pyarray.slice %0, %none, %none : (si64, !pyarray.none, !pyarray.none) -> !S
  %t = pyarray.slice %1, %none, %none : (si64, !pyarray.none, !pyarray.none) -> !S
  %x = pyarray.getitem %a[%t] : (!C2, !S) -> !C2
  %o = pyarray.getitem %a[%s] : (!C2, !S) -> !C2
  pyarray.ufunc "()->()" ins(%x : !C2) outs(%o : !C2) {
  ^bb0(%p: f64):
    pyarray.yield %p : f64
  }
  return
}

// What threads have, rows of one dimension, and other arrays: as before.
// CHECK-LABEL: func.func @others
// CHECK-NOT: rows_apart
// CHECK: return
func.func @others(%a: !C2, %b: !C2, %u: !C1) {
  %none = pyarray.constant unit -> !pyarray.none
  %1 = pyarray.constant 1 : si64 -> si64
  %s = pyarray.slice %1, %none, %none : (si64, !pyarray.none, !pyarray.none) -> !S
  %x = pyarray.getitem %a[%s] : (!C2, !S) -> !C2
  pyarray.ufunc "()->()" ins(%x : !C2) outs(%b : !C2) {
  ^bb0(%p: f64):
    pyarray.yield %p : f64
  }
  %v = pyarray.getitem %u[%s] : (!C1, !S) -> !C1
  pyarray.ufunc "()->()" ins(%v : !C1) outs(%u : !C1) {
  ^bb0(%p: f64):
    pyarray.yield %p : f64
  }
  return
}

// CHECK-LABEL: func.func @threads
// CHECK-NOT: rows_apart
// CHECK: pyarray.independent
func.func @threads(%a: !C2) attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %1 = pyarray.constant 1 : si64 -> si64
  %s = pyarray.slice %1, %none, %none : (si64, !pyarray.none, !pyarray.none) -> !S
  %x = pyarray.getitem %a[%s] : (!C2, !S) -> !C2
  pyarray.ufunc "()->()" ins(%x : !C2) outs(%a : !C2) {
  ^bb0(%p: f64):
    pyarray.yield %p : f64
  }
  return
}
