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
