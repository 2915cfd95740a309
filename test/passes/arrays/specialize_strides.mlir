// RUN: pyarray-opt %s --pyarray-specialize-strides | FileCheck %s
// RUN: pyarray-opt %s --pyarray-specialize-strides --pyarray-specialize-strides | pyarray-opt

!A = !pyarray.array<?xf64, A>

// A cheap point: one copy for contiguous or constant inputs, one for any strides.
// CHECK-LABEL: func.func @cheap
// CHECK: %[[OK:.*]] = pyarray.inner_strides ins(%arg0, %arg1 : {{.*}}) outs(%arg2 : {{.*}}) : i1
// CHECK: scf.if %[[OK]] {
// CHECK:   pyarray.ufunc {{.*}} unit_strides expanded {
// CHECK: } else {
// CHECK:   pyarray.ufunc "(),()->()" ins(%arg0, %arg1 : {{.*}}) outs(%arg2 : {{.*}}) expanded {
func.func @cheap(%a: !A, %b: !A, %o: !A) {
  pyarray.ufunc "(),()->()" ins(%a, %b : !A, !A) outs(%o : !A) expanded {
  ^bb0(%x: f64, %y: f64):
    %0 = pyarray.binary add %x, %y : (f64, f64) -> f64
    pyarray.yield %0 : f64
  }
  return
}

// A number is no array: it has no stride.
// CHECK-LABEL: func.func @number
// CHECK: pyarray.inner_strides ins(%arg0 : {{.*}}) outs(%arg2 : {{.*}}) : i1
func.func @number(%a: !A, %b: f64, %o: !A) {
  pyarray.ufunc "(),()->()" ins(%a, %b : !A, f64) outs(%o : !A) expanded {
  ^bb0(%x: f64, %y: f64):
    pyarray.yield %x : f64
  }
  return
}

// An expensive one is packed, and needs no second copy.
// CHECK-LABEL: func.func @expensive
// CHECK-NOT: pyarray.inner_strides
// CHECK: pyarray.ufunc {{.*}} packed expanded {
// CHECK-NOT: pyarray.ufunc
func.func @expensive(%a: !A, %o: !A) {
  pyarray.ufunc "()->()" ins(%a : !A) outs(%o : !A) expanded {
  ^bb0(%x: f64):
    %0 = pyarray.builtin "numpy.exp"(%x) : (f64) -> f64
    pyarray.yield %0 : f64
  }
  return
}

// What is marked already, core dimensions and bodies with loops are left alone.
// CHECK-LABEL: func.func @left
// CHECK-NOT: inner_strides
// CHECK-NOT: packed
func.func @left(%a: !A, %m: !pyarray.array<?x?xf64, A>, %r: !pyarray.range, %o: !A) {
  pyarray.ufunc "()->()" ins(%a : !A) outs(%o : !A) strided expanded {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  pyarray.ufunc "()->()" ins(%a : !A) outs(%o : !A) carried expanded {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  pyarray.ufunc "(n)->()" ins(%m : !pyarray.array<?x?xf64, A>) outs(%o : !A) expanded {
  ^bb0(%x: !A, %y: !A):
    pyarray.yield
  }
  pyarray.ufunc "()->()" ins(%a : !A) outs(%o : !A) expanded {
  ^bb0(%x: f64):
    %0 = pyarray.for (%i: si64, %acc: f64) in %r : !pyarray.range iter(%x) {
      pyarray.yield %acc : f64
    }
    pyarray.yield %0 : f64
  }
  return
}

// Contiguous arrays that are broadcast along one dimension are read as they are, where they have all points.
// CHECK-LABEL: func.func @dense
// CHECK: %[[V:.*]] = pyarray.broadcast_to %arg0
// CHECK: %[[OK:.*]] = pyarray.inner_strides outs(%[[V]], %arg1 : {{.*}}) : i1
// CHECK: scf.if %[[OK]] {
// CHECK:   pyarray.ufunc "()->()" ins(%arg0 : !pyarray.array<?xf64, C>) outs(%arg1 : !pyarray.array<?xf64, C>) unit_strides expanded {
// CHECK: } else {
// CHECK:   pyarray.ufunc "()->()" ins(%[[V]] : {{.*}}) outs(%arg1 : {{.*}}) seldom expanded {
func.func @dense(%a: !pyarray.array<?xf64, C>, %o: !pyarray.array<?xf64, C>, %n: si64) {
  %v = pyarray.broadcast_to %a to (%n) : (!pyarray.array<?xf64, C>, si64) -> !A
  pyarray.ufunc "()->()" ins(%v : !A) outs(%o : !pyarray.array<?xf64, C>) expanded {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  return
}

!C2 = !pyarray.array<?x?xf64, C>
!C1 = !pyarray.array<?xf64, C>
!A2 = !pyarray.array<?x?xf64, A>
!slice = !pyarray.slice<si64, !pyarray.none, !pyarray.none>

// What has one element for each row is not asked for its stride. Where all others are contiguous unless they were stretched, the second copy is for that.
// CHECK-LABEL: func.func @rows
// CHECK: %[[OK:.*]] = pyarray.inner_strides outs(%[[ROW:.*]], %[[PART:.*]] : {{.*}}) : i1
// CHECK: scf.if %[[OK]] {
// CHECK:   pyarray.ufunc {{.*}} ins(%[[X:.*]], %[[ROW]] : {{.*}}) outs(%[[PART]] : {{.*}}) unit_strides expanded {
// CHECK:   } {pyarray.steps = array<i64: 0, 1, 1>}
// CHECK: } else {
// CHECK:   pyarray.ufunc {{.*}} seldom expanded {
// CHECK:   } {pyarray.steps = array<i64: 0, -1, -1>}
func.func @rows(%m: !C2, %v: !C1, %i: !slice, %n: si64) {
  %part = pyarray.getitem %m[%i, %i] : (!C2, !slice, !slice) -> !A2
  %column = pyarray.insert_axes %v [1] : (!C1) -> !C2
  %x = pyarray.broadcast_to %column to(%n, %n) : (!C2, si64, si64) -> !A2
  %y = pyarray.broadcast_to %v to(%n, %n) : (!C1, si64, si64) -> !A2
  pyarray.ufunc "(),()->()" ins(%x, %y : !A2, !A2) outs(%part : !A2) expanded {
  ^bb0(%p: f64, %q: f64):
    %0 = pyarray.binary add %p, %q : (f64, f64) -> f64
    pyarray.yield %0 : f64
  }
  return
}

// All others are contiguous for certain: no test.
// CHECK-LABEL: func.func @whole_rows
// CHECK-NOT: inner_strides
// CHECK: pyarray.ufunc {{.*}} unit_strides expanded {
// CHECK: } {pyarray.steps = array<i64: 1, 0, 1>}
func.func @whole_rows(%m: !C2, %v: !C1, %n: si64, %o: !C2) {
  %column = pyarray.insert_axes %v [1] : (!C1) -> !C2
  %x = pyarray.broadcast_to %column to(%n, %n) : (!C2, si64, si64) -> !A2
  pyarray.ufunc "(),()->()" ins(%m, %x : !C2, !A2) outs(%o : !C2) expanded {
  ^bb0(%p: f64, %q: f64):
    %0 = pyarray.binary add %p, %q : (f64, f64) -> f64
    pyarray.yield %0 : f64
  }
  return
}

// All lie in C order by their types, some were stretched, perhaps: whoever goes over their blocks merges dimensions.
// CHECK-LABEL: func.func @in_order
// CHECK: %[[X:.*]] = pyarray.broadcast_to %arg0
// CHECK-NOT: order_dimensions
// CHECK: pyarray.ufunc "()->()" ins(%[[X]] : {{.*}}) outs(%arg2 : {{.*}}) unit_strides expanded {
func.func @in_order(%m: !C2, %n: si64, %o: !C2) {
  %x = pyarray.broadcast_to %m to(%n, %n) : (!C2, si64, si64) -> !A2
  %0:2 = pyarray.order_dimensions %x, %o rank 2 : (!A2, !C2) -> (!A2, !A2)
  pyarray.ufunc "()->()" ins(%0#0 : !A2) outs(%0#1 : !A2) expanded {
  ^bb0(%p: f64):
    %1 = pyarray.binary add %p, %p : (f64, f64) -> f64
    pyarray.yield %1 : f64
  }
  return
}

// Threads share rows that are merged before.
// CHECK-LABEL: func.func @in_order_on_threads
// CHECK: %[[V:.*]]:2 = pyarray.order_dimensions
// CHECK: pyarray.ufunc "()->()" ins(%[[V]]#0 : {{.*}}) outs(%[[V]]#1 : {{.*}}) unit_strides expanded {
func.func @in_order_on_threads(%m: !C2, %n: si64, %o: !C2) attributes {pyarray.options = {parallel = true}} {
  %x = pyarray.broadcast_to %m to(%n, %n) : (!C2, si64, si64) -> !A2
  %0:2 = pyarray.order_dimensions %x, %o rank 2 : (!A2, !C2) -> (!A2, !A2)
  pyarray.ufunc "()->()" ins(%0#0 : !A2) outs(%0#1 : !A2) expanded {
  ^bb0(%p: f64):
    %1 = pyarray.binary add %p, %p : (f64, f64) -> f64
    pyarray.yield %1 : f64
  }
  return
}

// Numbers of a column are never beside each other, save in rows of one: there is one loop, for any strides.
// CHECK-LABEL: func.func @columns
// CHECK-NOT: inner_strides
// CHECK-NOT: unit_strides
// CHECK: pyarray.ufunc
// CHECK-NOT: pyarray.ufunc
// CHECK: return
func.func @columns(%a: !pyarray.array<?x?xf64, C>, %b: !pyarray.array<?xf64, C>, %j: si64) -> !pyarray.none {
  %none = pyarray.constant unit -> !pyarray.none
  %all = pyarray.slice %none, %none, %none : (!pyarray.none, !pyarray.none, !pyarray.none) -> !pyarray.slice<!pyarray.none, !pyarray.none, !pyarray.none>
  %column = pyarray.getitem %a[%all, %j] : (!pyarray.array<?x?xf64, C>, !pyarray.slice<!pyarray.none, !pyarray.none, !pyarray.none>, si64) -> !pyarray.array<?xf64, A>
  pyarray.ufunc "()->()" ins(%b : !pyarray.array<?xf64, C>) outs(%column : !pyarray.array<?xf64, A>) expanded {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  func.return %none : !pyarray.none
}

// Nor is every second number; of a row that is in one piece nothing is known to be apart.
// CHECK-LABEL: func.func @steps
// CHECK-NOT: inner_strides
// CHECK: pyarray.ufunc
// CHECK: pyarray.inner_strides
// CHECK: return
func.func @steps(%a: !pyarray.array<?xf64, C>, %b: !pyarray.array<?xf64, A>) -> !pyarray.none {
  %none = pyarray.constant unit -> !pyarray.none
  %two = pyarray.constant 2 : si64 -> si64
  %second = pyarray.slice %none, %none, %two : (!pyarray.none, !pyarray.none, si64) -> !pyarray.slice<!pyarray.none, !pyarray.none, si64>
  %first = pyarray.slice %none, %two, %none : (!pyarray.none, si64, !pyarray.none) -> !pyarray.slice<!pyarray.none, si64, !pyarray.none>
  %part = pyarray.getitem %a[%second] : (!pyarray.array<?xf64, C>, !pyarray.slice<!pyarray.none, !pyarray.none, si64>) -> !pyarray.array<?xf64, A>
  pyarray.ufunc "()->()" ins(%b : !pyarray.array<?xf64, A>) outs(%part : !pyarray.array<?xf64, A>) expanded {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  %begin = pyarray.getitem %b[%first] : (!pyarray.array<?xf64, A>, !pyarray.slice<!pyarray.none, si64, !pyarray.none>) -> !pyarray.array<?xf64, A>
  pyarray.ufunc "()->()" ins(%b : !pyarray.array<?xf64, A>) outs(%begin : !pyarray.array<?xf64, A>) expanded {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  func.return %none : !pyarray.none
}

// A column that is stretched to a matrix is one number for each row.
// CHECK-LABEL: func.func @stretched_column
// CHECK: unit_strides
// CHECK: return
func.func @stretched_column(%a: !pyarray.array<?x?xf64, C>, %b: !pyarray.array<?x?xf64, A>, %j: si64, %n: si64) -> !pyarray.none {
  %none = pyarray.constant unit -> !pyarray.none
  %all = pyarray.slice %none, %none, %none : (!pyarray.none, !pyarray.none, !pyarray.none) -> !pyarray.slice<!pyarray.none, !pyarray.none, !pyarray.none>
  %column = pyarray.getitem %a[%all, %j] : (!pyarray.array<?x?xf64, C>, !pyarray.slice<!pyarray.none, !pyarray.none, !pyarray.none>, si64) -> !pyarray.array<?xf64, A>
  %wide = pyarray.broadcast_to %column to(%n, %n) : (!pyarray.array<?xf64, A>, si64, si64) -> !pyarray.array<?x?xf64, A>
  pyarray.ufunc "()->()" ins(%wide : !pyarray.array<?x?xf64, A>) outs(%b : !pyarray.array<?x?xf64, A>) expanded {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  func.return %none : !pyarray.none
}
