// RUN: pyarray-opt --pyarray-fuse %s | FileCheck %s

// CHECK-LABEL: @weighted
// CHECK: %[[N:.*]] = pyarray.ufunc_shape "()->()" ins(%arg0
// CHECK: "pyarray.library._intrinsics.check_index"(%arg1, %[[N]],
// CHECK-NOT: take
// CHECK: pyarray.reduce ["add"]
// CHECK: pyarray.getitem %arg0[{{.*}}] {pyarray.axes = array<i64: 0>, pyarray.clamped}
func.func @weighted(%a: !pyarray.array<?xf64, C>, %x: !pyarray.array<?xsi64, C>) -> f64 {
  %t = pyarray.ufunc "()->()" ins(%x : !pyarray.array<?xsi64, C>) {
  ^bb0(%i: si64):
    %e = pyarray.getitem %a[%i] {pyarray.axes = array<i64: 0>} : (!pyarray.array<?xf64, C>, si64) -> f64
    pyarray.yield %e : f64
  } -> !pyarray.array<?xf64, C> {pyarray.name = "take"}
  %s = pyarray.reduce ["add"] axes [0] ins(%t : !pyarray.array<?xf64, C>) {
  ^bb0(%e: f64):
    pyarray.yield %e : f64
  } -> f64
  return %s : f64
}

// What it gathers from may be the array that is stored to.
// CHECK-LABEL: @stored
// CHECK-NOT: check_index
// CHECK: pyarray.getitem %arg0[{{.*}}] {pyarray.axes = array<i64: 0>} :
// CHECK: pyarray.setitem
func.func @stored(%a: !pyarray.array<?xf64, C>, %o: !pyarray.array<?xf64, C>, %x: !pyarray.array<?xsi64, C>) {
  %t = pyarray.ufunc "()->()" ins(%x : !pyarray.array<?xsi64, C>) {
  ^bb0(%i: si64):
    %e = pyarray.getitem %a[%i] {pyarray.axes = array<i64: 0>} : (!pyarray.array<?xf64, C>, si64) -> f64
    pyarray.yield %e : f64
  } -> !pyarray.array<?xf64, C> {pyarray.name = "take"}
  pyarray.setitem %o[] = %t : (!pyarray.array<?xf64, C>, !pyarray.array<?xf64, C>) -> ()
  return
}

// A value that is changed in place is a new one.
// CHECK-LABEL: @changed
// CHECK: check_index
// CHECK: pyarray.ufunc_shape "(),()->()" {{.*}} outs
// CHECK: %[[R:.*]] = pyarray.ufunc "(),()->()"
// CHECK: pyarray.getitem
// CHECK: "numpy.add"
// CHECK: return %[[R]]
func.func @changed(%a: !pyarray.array<?xf64, C>, %v: !pyarray.array<?xf64, C>, %x: !pyarray.array<?xsi64, C>) -> !pyarray.array<?xf64, C> {
  %t = pyarray.ufunc "()->()" ins(%x : !pyarray.array<?xsi64, C>) {
  ^bb0(%i: si64):
    %e = pyarray.getitem %a[%i] {pyarray.axes = array<i64: 0>} : (!pyarray.array<?xf64, C>, si64) -> f64
    pyarray.yield %e : f64
  } -> !pyarray.array<?xf64, C> {pyarray.name = "take"}
  pyarray.ufunc "(),()->()" ins(%t, %v : !pyarray.array<?xf64, C>, !pyarray.array<?xf64, C>) outs(%t : !pyarray.array<?xf64, C>) {
  ^bb0(%p: f64, %q: f64):
    %e = pyarray.builtin "numpy.add"(%p, %q) : (f64, f64) -> f64
    pyarray.yield %e : f64
  } {pyarray.name = "add"}
  return %t : !pyarray.array<?xf64, C>
}

// What several indices choose stays in memory.
// CHECK-LABEL: @changed_by_two
// CHECK: %[[T:.*]] = pyarray.ufunc "(),()->()" ins(%arg2, %arg2
// CHECK: pyarray.getitem
// CHECK: pyarray.ufunc "(),()->()" ins(%[[T]], %arg1 : {{.*}}) outs(%[[T]]
// CHECK: return %[[T]]
func.func @changed_by_two(%a: !pyarray.array<?x?xf64, C>, %v: !pyarray.array<?xf64, C>, %x: !pyarray.array<?xsi64, C>) -> !pyarray.array<?xf64, C> {
  %t = pyarray.ufunc "(),()->()" ins(%x, %x : !pyarray.array<?xsi64, C>, !pyarray.array<?xsi64, C>) {
  ^bb0(%i: si64, %j: si64):
    %e = pyarray.getitem %a[%i, %j] {pyarray.axes = array<i64: 0, 1>} : (!pyarray.array<?x?xf64, C>, si64, si64) -> f64
    pyarray.yield %e : f64
  } -> !pyarray.array<?xf64, C> {pyarray.name = "take"}
  pyarray.ufunc "(),()->()" ins(%t, %v : !pyarray.array<?xf64, C>, !pyarray.array<?xf64, C>) outs(%t : !pyarray.array<?xf64, C>) {
  ^bb0(%p: f64, %q: f64):
    %e = pyarray.builtin "numpy.add"(%p, %q) : (f64, f64) -> f64
    pyarray.yield %e : f64
  } {pyarray.name = "add"}
  return %t : !pyarray.array<?xf64, C>
}
