// RUN: pyarray-opt %s | pyarray-opt | FileCheck %s
// RUN: pyarray-opt %s --emit-bytecode | pyarray-opt | FileCheck %s
// RUN: pyarray-opt %s --mlir-print-op-generic | pyarray-opt | FileCheck %s

!A = !pyarray.array<?xf64, A>
!A2 = !pyarray.array<?x?xf64, A>

// CHECK-LABEL: func.func @ufuncs
func.func @ufuncs(%a: !A, %b: f64, %m: !A2, %o: !A) -> !pyarray.array<?xf64, C> {
  // CHECK: %[[R:.*]] = pyarray.ufunc "(),()->()" ins(%arg0, %arg1 : !pyarray.array<?xf64, A>, f64) {
  // CHECK-NEXT: ^bb0(%[[X:.*]]: f64, %{{.*}}: f64):
  // CHECK-NEXT:   pyarray.yield %[[X]] : f64
  // CHECK-NEXT: } -> !pyarray.array<?xf64, C>
  %0 = pyarray.ufunc "(),()->()" ins(%a, %b : !A, f64) {
  ^bb0(%x: f64, %y: f64):
    pyarray.yield %x : f64
  } -> !pyarray.array<?xf64, C>
  // CHECK: pyarray.ufunc "(n)->()" ins(%arg2 : {{.*}}) outs(%arg3 : {{.*}}) {
  pyarray.ufunc "(n)->()" ins(%m : !A2) outs(%o : !A) {
  ^bb0(%x: !A, %y: !A):
    pyarray.yield
  }
  // CHECK: pyarray.ufunc "()->()" ins(%arg0 : {{.*}}) outs(%arg3 : {{.*}}) carried expanded {
  pyarray.ufunc "()->()" ins(%a : !A) outs(%o : !A) carried expanded {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  // CHECK: pyarray.ufunc "()->()" ins(%arg0 : {{.*}}) outs(%arg3 : {{.*}}) packed unit_strides {
  pyarray.ufunc "()->()" ins(%a : !A) outs(%o : !A) packed unit_strides {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  // CHECK: pyarray.ufunc "()->()" ins(%arg0 : {{.*}}) outs(%arg3 : {{.*}}) strided {
  pyarray.ufunc "()->()" ins(%a : !A) outs(%o : !A) strided {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  // CHECK: pyarray.ufunc "(3)->()"
  // CHECK-NEXT: ^bb0(%{{.*}}: !pyarray.array<3xf64, C>, %{{.*}}: !pyarray.array<?xf64, A>):
  pyarray.ufunc "(3)->()" ins(%m : !A2) outs(%o : !A) {
  ^bb0(%x: !pyarray.array<3xf64, C>, %y: !A):
    pyarray.yield
  }
  // CHECK: pyarray.ufunc "->()" outs(%arg3 : !pyarray.array<?xf64, A>) {
  pyarray.ufunc "->()" outs(%o : !A) {
    pyarray.yield %b : f64
  }
  func.return %0 : !pyarray.array<?xf64, C>
}

// CHECK-LABEL: func.func @shapes
func.func @shapes(%a: !A, %m: !A2, %o: !A, %x: f64, %n: si64) {
  // CHECK: pyarray.ufunc_shape "(m,n),()->()" ins(%arg1, %arg3 : !pyarray.array<?x?xf64, A>, f64) : si64, si64
  %0:2 = pyarray.ufunc_shape "(m,n),()->()" ins(%m, %x : !A2, f64) : si64, si64
  // CHECK: pyarray.ufunc_shape "(n)->()" ins(%arg1 : {{.*}}) outs(%arg2 : {{.*}}) : si64, si64
  %1:2 = pyarray.ufunc_shape "(n)->()" ins(%m : !A2) outs(%o : !A) : si64, si64
  // CHECK: pyarray.ufunc_shape "()->()" ins(%arg3 : f64){{$}}
  pyarray.ufunc_shape "()->()" ins(%x : f64)
  // CHECK: pyarray.broadcast_to %arg0 to(%arg4, %arg4) : ({{.*}}, si64, si64) -> !pyarray.array<?x?xf64, A>
  %2 = pyarray.broadcast_to %a to (%n, %n) : (!A, si64, si64) -> !A2
  // CHECK: pyarray.transpose %arg1 [1, 0] : ({{.*}}) -> !pyarray.array<?x?xf64, A>
  %6 = pyarray.transpose %m [1, 0] : (!A2) -> !A2
  // CHECK: pyarray.order_dimensions %arg1, %arg1 rank 2 :
  %3:2 = pyarray.order_dimensions %m, %m rank 2 : (!A2, !A2) -> (!A2, !A2)
  // CHECK: pyarray.independent ins(%arg0 : {{.*}}) outs(%arg2 : {{.*}}) : i1
  %4 = pyarray.independent ins(%a : !A) outs(%o : !A) : i1
  // CHECK: pyarray.inner_strides ins(%arg0 : {{.*}}) outs(%arg2 : {{.*}}) : i1
  %5 = pyarray.inner_strides ins(%a : !A) outs(%o : !A) : i1
  // CHECK: pyarray.rows_apart ins(%arg1 : {{.*}}) outs(%arg1 : {{.*}}) : i1, si64
  %7:2 = pyarray.rows_apart ins(%m : !A2) outs(%m : !A2) : i1, si64
  return
}
