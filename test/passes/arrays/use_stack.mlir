// RUN: pyarray-opt %s --pyarray-use-stack | FileCheck %s
// RUN: pyarray-opt %s --pyarray-use-stack | pyarray-opt

!C = !pyarray.array<?xf64, C>
!A = !pyarray.array<?xf64, A>
!M = !pyarray.array<?x?xf64, C>

// Made here, and known by nobody else. Shapes are compared, and arrays that have all points read as they are.
// CHECK-LABEL: func.func @values
// CHECK: %[[A:.*]] = pyarray.builtin "numpy.zeros"({{.*}}) {pyarray.stack = array<i64: 9>}
// CHECK: %[[B:.*]] = pyarray.builtin "numpy.empty"({{.*}}) {pyarray.stack = array<i64: 9>}
// CHECK-NOT: ufunc_shape
// CHECK-NOT: broadcast_to
// CHECK: pyarray.ufunc "()->()" ins(%[[A]] : {{.*}}) outs(%[[B]] : {{.*}}) expanded
func.func @values() -> f64 {
  %n = pyarray.constant 9 : si64 -> si64
  %t = pyarray.tuple %n : (si64) -> tuple<si64>
  %i = pyarray.unpack %t : (tuple<si64>) -> si64
  %a = pyarray.builtin "numpy.zeros"(%i) : (si64) -> !C
  %s = pyarray.ufunc_shape "()->()" ins(%a : !C) : si64
  %x = pyarray.broadcast_to %a to(%s) : (!C, si64) -> !A
  %b = pyarray.builtin "numpy.empty"(%s) : (si64) -> !C
  pyarray.ufunc "()->()" ins(%x : !A) outs(%b : !C) expanded {
  ^bb0(%p: f64):
    pyarray.yield %p : f64
  }
  %r = pyarray.getitem %b[%n] : (!C, si64) -> f64
  return %r : f64
}

// What is returned, or a view of it; what is too large; what threads would share.
// CHECK-LABEL: func.func @others
// CHECK-NOT: pyarray.stack
func.func @others() -> (!C, !A) {
  %n = pyarray.constant 9 : si64 -> si64
  %m = pyarray.constant 900 : si64 -> si64
  %0 = pyarray.constant 0 : si64 -> si64
  %a = pyarray.builtin "numpy.zeros"(%n) : (si64) -> !C
  %b = pyarray.builtin "numpy.zeros"(%n) : (si64) -> !C
  %v = pyarray.broadcast_to %b to(%n) : (!C, si64) -> !A
  %c = pyarray.builtin "numpy.zeros"(%m) : (si64) -> !C
  %range = pyarray.builtin "pyarray.prange"(%0, %n, %n) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%k: si64) in %range : !pyarray.range {
    %d = pyarray.builtin "numpy.zeros"(%n) : (si64) -> !C
    %1 = pyarray.getitem %d[%k] : (!C, si64) -> f64
    pyarray.setitem %c[%k] = %1 : (!C, si64, f64) -> ()
    pyarray.yield
  } {pyarray.parallel = []}
  return %a, %v : !C, !A
}

// Few numbers are added up one after the other, from 0 on.
// CHECK-LABEL: func.func @sum
// CHECK-NOT: pyarray.reduce
// CHECK: %[[X:.*]] = pyarray.getitem %{{.*}}[%{{.*}}] {pyarray.in_bounds = array<i1: true>}
// CHECK: %[[Y:.*]] = pyarray.builtin "numpy.multiply"(%[[X]], %[[X]])
// CHECK: %[[S:.*]] = pyarray.builtin "numpy.add"(%{{.*}}, %[[Y]])
// CHECK: %[[Z:.*]] = pyarray.builtin "numpy.multiply"
// CHECK: %[[R:.*]] = pyarray.builtin "numpy.add"(%[[S]], %[[Z]])
// CHECK: return %[[R]]
func.func @sum() -> f64 {
  %n = pyarray.constant 2 : si64 -> si64
  %a = pyarray.builtin "numpy.ones"(%n) : (si64) -> !C
  %r = pyarray.reduce ["add"] axes [0] ins(%a : !C) order "C" expanded {
  ^bb0(%p: f64):
    %0 = pyarray.builtin "numpy.multiply"(%p, %p) : (f64, f64) -> f64
    pyarray.yield %0 : f64
  } -> f64
  return %r : f64
}

// Eight are not: NumPy adds them up in pairs.
// CHECK-LABEL: func.func @more
// CHECK: pyarray.reduce
func.func @more() -> f64 {
  %n = pyarray.constant 8 : si64 -> si64
  %a = pyarray.builtin "numpy.ones"(%n) : (si64) -> !C
  %r = pyarray.reduce ["add"] axes [0] ins(%a : !C) expanded {
  ^bb0(%p: f64):
    pyarray.yield %p : f64
  } -> f64
  return %r : f64
}

// CHECK-LABEL: func.func @product
// CHECK-NOT: pyarray.contract
// CHECK-COUNT-4: pyarray.builtin "numpy.multiply"
// CHECK-NOT: pyarray.builtin "numpy.multiply"
func.func @product() -> f64 {
  %n = pyarray.constant 2 : si64 -> si64
  %m = pyarray.builtin "numpy.ones"(%n, %n) : (si64, si64) -> !M
  %v = pyarray.builtin "numpy.ones"(%n) : (si64) -> !C
  %s:2 = pyarray.ufunc_shape "(m,k),(k)->(m)" ins(%m, %v : !M, !C) : si64, si64
  %o = pyarray.builtin "numpy.empty"(%s#0) : (si64) -> !C
  pyarray.contract "...mk,...k->...m" ins(%m, %v : !M, !C) outs(%o : !C) expanded
  %r = pyarray.getitem %o[%n] : (!C, si64) -> f64
  return %r : f64
}

!V = !pyarray.array<?xf64, C>

// What a loop carries has memory of its own, and its elements are copied to it: the first one's here, the next one's at the end.
// CHECK-LABEL: func.func @carried
// CHECK: %[[A:.*]] = pyarray.builtin "numpy.zeros"{{.*}} {pyarray.stack = array<i64: 2>}
// CHECK: %[[B:.*]] = pyarray.builtin "numpy.empty"{{.*}} {pyarray.stack = array<i64: 2>}
// CHECK: %[[X:.*]] = pyarray.getitem %[[A]][{{.*}}] {pyarray.in_bounds = array<i1: true>}
// CHECK: pyarray.setitem %[[B]][{{.*}}] = %[[X]]
// CHECK: pyarray.for (%{{.*}}: si64) in %arg0 : !pyarray.range {
// CHECK:   %[[Y:.*]] = pyarray.builtin "numpy.empty"{{.*}} {pyarray.stack = array<i64: 2>}
// CHECK:   pyarray.ufunc {{.*}} ins(%[[B]], %[[B]] : {{.*}}) outs(%[[Y]]
// CHECK:   %[[Z:.*]] = pyarray.getitem %[[Y]]
// CHECK:   pyarray.setitem %[[B]][{{.*}}] = %[[Z]]
// CHECK: }
// CHECK: %[[R:.*]] = pyarray.builtin "numpy.empty"
// CHECK-NOT: pyarray.stack
// CHECK: return %[[R]]
func.func @carried(%r: !pyarray.range) -> !V {
  %c2 = pyarray.constant 2 : si64 -> si64
  %a = pyarray.builtin "numpy.zeros"(%c2) : (si64) -> !V
  %last = pyarray.for (%i: si64, %x: !V) in %r : !pyarray.range iter(%a) {
    %n = pyarray.ufunc_shape "(),()->()" ins(%x, %x : !V, !V) : si64
    %y = pyarray.builtin "numpy.empty"(%n) : (si64) -> !V
    pyarray.ufunc "(),()->()" ins(%x, %x : !V, !V) outs(%y : !V) expanded {
    ^bb0(%p: f64, %q: f64):
      %0 = pyarray.builtin "numpy.add"(%p, %q) : (f64, f64) -> f64
      pyarray.yield %0 : f64
    }
    pyarray.yield %y : !V
  }
  return %last : !V
}

// Not where extents change, where another name leads to what the loop begins with or carries, or where it carries a view.
// CHECK-LABEL: func.func @not_carried
// CHECK: pyarray.for {{.*}} iter(
// CHECK: pyarray.for {{.*}} iter(
// CHECK: pyarray.for {{.*}} iter(
// CHECK: pyarray.for {{.*}} iter(
func.func @not_carried(%r: !pyarray.range) -> (!V, !V, !V, !V, !V) {
  %c2 = pyarray.constant 2 : si64 -> si64
  %c3 = pyarray.constant 3 : si64 -> si64
  %zero = pyarray.constant 0 : si64 -> si64
  %none = pyarray.constant unit -> !pyarray.none
  %one = pyarray.constant 1.0 : f64 -> f64
  %all = pyarray.slice %none, %none, %none : (!pyarray.none, !pyarray.none, !pyarray.none) -> !pyarray.slice<!pyarray.none, !pyarray.none, !pyarray.none>
  %a = pyarray.builtin "numpy.zeros"(%c2) : (si64) -> !V
  %changes = pyarray.for (%i: si64, %x: !V) in %r : !pyarray.range iter(%a) {
    %y = pyarray.builtin "numpy.zeros"(%c3) : (si64) -> !V
    pyarray.yield %y : !V
  }
  %b = pyarray.builtin "numpy.zeros"(%c2) : (si64) -> !V
  %known = pyarray.for (%i: si64, %x: !V) in %r : !pyarray.range iter(%b) {
    pyarray.setitem %x[%zero] = %one : (!V, si64, f64) -> ()
    pyarray.yield %x : !V
  }
  %c = pyarray.builtin "numpy.zeros"(%c2) : (si64) -> !V
  %d = pyarray.builtin "numpy.zeros"(%c2) : (si64) -> !V
  %both:2 = pyarray.for (%i: si64, %x: !V, %y: !V) in %r : !pyarray.range iter(%c, %d) {
    pyarray.yield %y, %x : !V, !V
  }
  %e = pyarray.builtin "numpy.zeros"(%c2) : (si64) -> !V
  %view = pyarray.for (%i: si64, %x: !V) in %r : !pyarray.range iter(%e) {
    %y = pyarray.getitem %x[%all] : (!V, !pyarray.slice<!pyarray.none, !pyarray.none, !pyarray.none>) -> !V
    pyarray.yield %y : !V
  }
  return %changes, %known, %b, %both#0, %view : !V, !V, !V, !V, !V
}

// With threads: a loop of few points is not shared, one of many is, and where the extents are not known.
// CHECK-LABEL: func.func @few
// CHECK: pyarray.ufunc {{.*}} expanded {
// CHECK: } {pyarray.serial = "it has few elements"}
// CHECK: pyarray.ufunc {{.*}} expanded {
// CHECK-NOT: pyarray.serial
// CHECK: return
func.func @few(%o: !C) attributes {pyarray.options = {parallel = true}} {
  %n = pyarray.constant 9 : si64 -> si64
  %m = pyarray.constant 90000 : si64 -> si64
  %a = pyarray.builtin "numpy.zeros"(%n) : (si64) -> !C
  %b = pyarray.builtin "numpy.zeros"(%m) : (si64) -> !C
  pyarray.ufunc "()->()" ins(%a : !C) outs(%a : !C) expanded {
  ^bb0(%p: f64):
    pyarray.yield %p : f64
  }
  pyarray.ufunc "()->()" ins(%b : !C) outs(%b : !C) expanded {
  ^bb0(%p: f64):
    pyarray.yield %p : f64
  }
  pyarray.ufunc "()->()" ins(%o : !C) outs(%o : !C) expanded {
  ^bb0(%p: f64):
    pyarray.yield %p : f64
  }
  return
}

// CHECK-LABEL: func.func @without_threads
// CHECK-NOT: pyarray.serial
func.func @without_threads() {
  %n = pyarray.constant 9 : si64 -> si64
  %a = pyarray.builtin "numpy.zeros"(%n) : (si64) -> !C
  pyarray.ufunc "()->()" ins(%a : !C) outs(%a : !C) expanded {
  ^bb0(%p: f64):
    pyarray.yield %p : f64
  }
  return
}
