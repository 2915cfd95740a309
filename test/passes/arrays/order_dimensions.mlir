// RUN: pyarray-opt %s --pyarray-order-dimensions | FileCheck %s
// RUN: pyarray-opt %s --pyarray-order-dimensions --pyarray-order-dimensions | FileCheck %s
// RUN: pyarray-opt %s --pyarray-order-dimensions | pyarray-opt

!A = !pyarray.array<?xf64, A>
!A2 = !pyarray.array<?x?xf64, A>
!C3 = !pyarray.array<?x?x?xf64, C>
!R2 = !pyarray.array<?x?xf64, C, readonly>

// CHECK-LABEL: func.func @two
// CHECK-NEXT: %[[V:.*]]:2 = pyarray.order_dimensions %arg0, %arg2 rank 2 : {{.*}} -> (!pyarray.array<?x?xf64, A, readonly>, !pyarray.array<?x?xf64, A>)
// CHECK-NEXT: pyarray.ufunc {{.*}} ins(%[[V]]#0, %arg1 : {{.*}}) outs(%[[V]]#1
// CHECK-NOT:  order_dimensions
func.func @two(%a: !R2, %x: f64, %o: !A2) {
  pyarray.ufunc "(),()->()" ins(%a, %x : !R2, f64) outs(%o : !A2) expanded {
  ^bb0(%p: f64, %q: f64):
    pyarray.yield %p : f64
  }
  return
}

// Core dimensions are no loop dimensions.
// CHECK-LABEL: func.func @core
// CHECK: pyarray.order_dimensions %arg0, %arg1 rank 2 : (!pyarray.array<?x?x?xf64, C>, {{.*}}) -> (!pyarray.array<?x?x?xf64, A>, !pyarray.array<?x?xf64, A>)
func.func @core(%a: !C3, %o: !A2) {
  pyarray.ufunc "(n)->()" ins(%a : !C3) outs(%o : !A2) expanded {
  ^bb0(%p: !A, %q: !A):
    pyarray.yield
  }
  return
}

// Nothing to order: one dimension, not expanded yet, in order.
// CHECK-LABEL: func.func @left
// CHECK-NOT: order_dimensions
func.func @left(%a: !A, %m: !A2, %o: !A, %p: !A2) {
  pyarray.ufunc "()->()" ins(%a : !A) outs(%o : !A) expanded {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  pyarray.ufunc "()->()" ins(%a : !A) outs(%p : !A2) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  return
}

!C1 = !pyarray.array<?xf64, C>
!C2 = !pyarray.array<?x?xf64, C>
!slice = !pyarray.slice<si64, !pyarray.none, !pyarray.none>
!stepped = !pyarray.slice<si64, !pyarray.none, si64>

// Rows of a part of a C array are contiguous and lie apart, and what has a new axis behind has one element for each.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: order_dimensions
func.func @rows(%m: !C2, %v: !C1, %i: !slice, %n: si64) {
  %part = pyarray.getitem %m[%i, %i] : (!C2, !slice, !slice) -> !A2
  %column = pyarray.insert_axes %v [1] : (!C1) -> !C2
  %row = pyarray.insert_axes %v [0] : (!C1) -> !C2
  %x = pyarray.broadcast_to %column to(%n, %n) : (!C2, si64, si64) -> !A2
  %y = pyarray.broadcast_to %row to(%n, %n) : (!C2, si64, si64) -> !A2
  pyarray.ufunc "(),()->()" ins(%x, %y : !A2, !A2) outs(%part : !A2) expanded {
  ^bb0(%p: f64, %q: f64):
    pyarray.yield %p : f64
  }
  return
}

// Whole rows may be merged; columns that have a step, lie the other way round or come from elsewhere are not known.
// CHECK-LABEL: func.func @unknown_rows
// CHECK-COUNT-4: pyarray.order_dimensions
// CHECK-NOT: order_dimensions
func.func @unknown_rows(%m: !C2, %a: !A2, %i: !slice, %s: !stepped) {
  %whole = pyarray.getitem %m[%i] : (!C2, !slice) -> !A2
  %stepped = pyarray.getitem %m[%i, %s] : (!C2, !slice, !stepped) -> !A2
  %part = pyarray.getitem %m[%i, %i] : (!C2, !slice, !slice) -> !A2
  %turned = pyarray.transpose %part [1, 0] : (!A2) -> !A2
  pyarray.ufunc "()->()" ins(%whole : !A2) outs(%whole : !A2) expanded {
  ^bb0(%p: f64):
    pyarray.yield %p : f64
  }
  pyarray.ufunc "()->()" ins(%stepped : !A2) outs(%part : !A2) expanded {
  ^bb0(%p: f64):
    pyarray.yield %p : f64
  }
  pyarray.ufunc "()->()" ins(%part : !A2) outs(%turned : !A2) expanded {
  ^bb0(%p: f64):
    pyarray.yield %p : f64
  }
  pyarray.ufunc "()->()" ins(%a : !A2) outs(%part : !A2) expanded {
  ^bb0(%p: f64):
    pyarray.yield %p : f64
  }
  return
}
