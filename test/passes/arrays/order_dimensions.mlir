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
