// RUN: pyarray-opt %s --pyarray-interchange-loops | FileCheck %s
// RUN: pyarray-opt %s --pyarray-interchange-loops --pyarray-interchange-loops | FileCheck %s
// RUN: pyarray-opt %s --pyarray-interchange-loops | pyarray-opt

!C = !pyarray.array<?x?xf64, C>
!A = !pyarray.array<?xf64, A>
!P = !pyarray.array<?xf64, C>
!S = !pyarray.slice<!pyarray.none, !pyarray.none, !pyarray.none>

// Once without the arrays: extents, memory, indices. Then over columns, where a plane is a number; four side by side,
// since a place may wait for the one before, and what is left one by one.
// CHECK-LABEL: func.func @planes
// CHECK:      pyarray.independent ins(%arg1 : {{.*}}) outs(%arg0 : {{.*}}) apart : i1
// CHECK:      %[[POSSIBLE:.*]] = pyarray.for (%[[J:.*]]: si64, %[[SO_FAR:.*]]: i1) in %[[RANGE:.*]] : !pyarray.range iter(%{{.*}}) {
// CHECK-NOT:    pyarray.ufunc
// CHECK:        pyarray.compare lt %[[J]],
// CHECK:        scf.if
// CHECK:        pyarray.yield %{{.*}} : i1
// CHECK-NEXT: }
// CHECK:      scf.if %[[POSSIBLE]] {
// CHECK-NEXT:   pyarray.ufunc "(m,n0)->(m,n1)" ins(%arg1 : {{.*}}) outs(%arg0 : {{.*}}) expanded {
// CHECK-NEXT:   ^bb0(%[[B:.*]]: !pyarray.array<?x?xf64, C>, %[[A:.*]]: !pyarray.array<?x?xf64, C>):
// CHECK:          pyarray.for (%{{.*}}: si64) in %{{.*}} : !pyarray.range {
// CHECK:            pyarray.for (%{{.*}}: si64) in %[[RANGE]] : !pyarray.range {
// CHECK-COUNT-4:      pyarray.builtin "numpy.multiply"
// CHECK:              scf.if %{{.*}} -> (f64, f64, f64, f64) {
// CHECK-COUNT-4:        pyarray.builtin "numpy.add"
// CHECK-COUNT-4:      pyarray.setitem %[[A]]
// CHECK:          pyarray.for (%[[ROW:.*]]: si64) in %{{.*}} : !pyarray.range {
// CHECK-NEXT:       pyarray.for (%[[K:.*]]: si64) in %[[RANGE]] : !pyarray.range {
// CHECK-NEXT:         %[[X:.*]] = pyarray.getitem %[[B]][%[[ROW]], %[[K]]] {pyarray.in_bounds = array<i1: true, true>}
// CHECK:              %[[T:.*]] = pyarray.builtin "numpy.multiply"(%[[X]], %{{.*}})
// CHECK:              %[[U:.*]] = scf.if %{{.*}} -> (f64) {
// CHECK:                %[[BEFORE:.*]] = pyarray.getitem %[[A]][%[[ROW]],
// CHECK:                %[[SUM:.*]] = pyarray.builtin "numpy.add"(%[[T]], %[[BEFORE]])
// CHECK:                scf.yield %[[SUM]] : f64
// CHECK:              } else {
// CHECK:                scf.yield %[[T]] : f64
// CHECK:              }
// CHECK:              pyarray.setitem %[[A]][%[[ROW]], %[[K]]] = %[[U]] {pyarray.in_bounds = array<i1: true, true>}
// CHECK:      } else {
// CHECK-NEXT:   pyarray.for
// CHECK:          pyarray.ufunc "()->()" {{.*}}seldom
// CHECK:        } {pyarray.checked}
// CHECK:      return
func.func @planes(%a: !C, %b: !C, %n: si64) {
  %none = pyarray.constant unit -> !pyarray.none
  %0 = pyarray.constant 0 : si64 -> si64
  %1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "builtins.range"(%0, %n, %1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%j: si64) in %range : !pyarray.range {
    %all = pyarray.slice %none, %none, %none : (!pyarray.none, !pyarray.none, !pyarray.none) -> !S
    %x = pyarray.getitem %b[%all, %j] : (!C, !S, si64) -> !A
    %t = pyarray.ufunc "()->()" ins(%x : !A) {
    ^bb0(%p: f64):
      %two = pyarray.constant 2.0 : f64 -> f64
      %s = pyarray.builtin "numpy.multiply"(%p, %two) : (f64, f64) -> f64
      pyarray.yield %s : f64
    } -> !P
    %later = pyarray.compare gt %j, %0 : (si64, si64) -> i1
    scf.if %later {
      %before = pyarray.binary sub %j, %1 : (si64, si64) -> si64
      %y = pyarray.getitem %a[%all, %before] : (!C, !S, si64) -> !A
      pyarray.ufunc "(),()->()" ins(%t, %y : !P, !A) outs(%t : !P) {
      ^bb0(%p: f64, %q: f64):
        %s = pyarray.builtin "numpy.add"(%p, %q) : (f64, f64) -> f64
        pyarray.yield %s : f64
      }
    }
    pyarray.setitem %a[%all, %j] = %t : (!C, !S, si64, !P) -> ()
  }
  return
}

// What raises in an iteration ends what is possible; then the loop runs as it was.
// CHECK-LABEL: func.func @raises
// CHECK:      pyarray.for (%{{.*}}: si64, %[[SO_FAR:.*]]: i1)
// CHECK:        scf.if %{{.*}} -> (i1) {
// CHECK-NEXT:     %[[NO:.*]] = pyarray.constant false -> i1
// CHECK-NEXT:     scf.yield %[[NO]] : i1
// CHECK:      pyarray.ufunc "->(m,n0)" outs(%arg0
// CHECK-NOT:    pyarray.raise
// CHECK:      } else {
// CHECK:        pyarray.raise
func.func @raises(%a: !C, %n: si64) {
  %none = pyarray.constant unit -> !pyarray.none
  %0 = pyarray.constant 0 : si64 -> si64
  %1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "builtins.range"(%0, %n, %1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%j: si64) in %range : !pyarray.range {
    %all = pyarray.slice %none, %none, %none : (!pyarray.none, !pyarray.none, !pyarray.none) -> !S
    %late = pyarray.compare gt %j, %n : (si64, si64) -> i1
    scf.if %late {
      pyarray.raise "ValueError"() : () -> ()
    }
    %x = pyarray.getitem %a[%all, %j] : (!C, !S, si64) -> !A
    pyarray.ufunc "()->()" ins(%x : !A) outs(%x : !A) {
    ^bb0(%p: f64):
      %s = pyarray.builtin "numpy.square"(%p) : (f64) -> f64
      pyarray.yield %s : f64
    }
  }
  return
}

// Loops that follow each other are one. A column that nothing waits for is computed alone.
// CHECK-LABEL: func.func @twice
// CHECK-COUNT-2: iter(
// CHECK:      pyarray.ufunc "->(m,n0),(m,n1)"
// CHECK-COUNT-2: pyarray.builtin "numpy.square"
// CHECK-NOT:  pyarray.builtin
// CHECK:      } else {
// CHECK:        } {pyarray.checked}
// CHECK:        } {pyarray.checked}
func.func @twice(%a: !C, %b: !C, %n: si64, %x: f64) {
  %none = pyarray.constant unit -> !pyarray.none
  %0 = pyarray.constant 0 : si64 -> si64
  %1 = pyarray.constant 1 : si64 -> si64
  %all = pyarray.slice %none, %none, %none : (!pyarray.none, !pyarray.none, !pyarray.none) -> !S
  %range = pyarray.builtin "builtins.range"(%0, %n, %1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%j: si64) in %range : !pyarray.range {
    %o = pyarray.getitem %a[%all, %j] : (!C, !S, si64) -> !A
    pyarray.ufunc "()->()" ins(%x : f64) outs(%o : !A) {
    ^bb0(%p: f64):
      %s = pyarray.builtin "numpy.square"(%p) : (f64) -> f64
      pyarray.yield %s : f64
    }
  }
  %m = pyarray.binary sub %n, %1 : (si64, si64) -> si64
  %back = pyarray.builtin "builtins.range"(%m, %0, %1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%j: si64) in %back : !pyarray.range {
    %o = pyarray.getitem %b[%all, %j] : (!C, !S, si64) -> !A
    pyarray.ufunc "()->()" ins(%x : f64) outs(%o : !A) {
    ^bb0(%p: f64):
      %s = pyarray.builtin "numpy.square"(%p) : (f64) -> f64
      pyarray.yield %s : f64
    }
  }
  return
}

// Functions, of which vectors are computed; a plane with two names that is changed; a result that is read later.
// CHECK-LABEL: func.func @functions
// CHECK-NOT: scf.if
// CHECK: return
func.func @functions(%a: !C, %n: si64) {
  %none = pyarray.constant unit -> !pyarray.none
  %1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "builtins.range"(%1, %n, %1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%j: si64) in %range : !pyarray.range {
    %all = pyarray.slice %none, %none, %none : (!pyarray.none, !pyarray.none, !pyarray.none) -> !S
    %x = pyarray.getitem %a[%all, %j] : (!C, !S, si64) -> !A
    pyarray.ufunc "()->()" ins(%x : !A) outs(%x : !A) {
    ^bb0(%p: f64):
      %s = pyarray.builtin "numpy.exp"(%p) : (f64) -> f64
      pyarray.yield %s : f64
    }
  }
  return
}

// CHECK-LABEL: func.func @two_names
// CHECK-NOT: pyarray.checked
// CHECK: return
func.func @two_names(%a: !C, %n: si64) {
  %none = pyarray.constant unit -> !pyarray.none
  %1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "builtins.range"(%1, %n, %1) : (si64, si64, si64) -> !pyarray.range
  %unbound = pyarray.unbound : !P
  %last = pyarray.for (%j: si64, %before: !P) in %range : !pyarray.range iter(%unbound) {
    %all = pyarray.slice %none, %none, %none : (!pyarray.none, !pyarray.none, !pyarray.none) -> !S
    %x = pyarray.getitem %a[%all, %j] : (!C, !S, si64) -> !A
    %t = pyarray.ufunc "()->()" ins(%x : !A) {
    ^bb0(%p: f64):
      pyarray.yield %p : f64
    } -> !P
    pyarray.ufunc "()->()" ins(%t : !P) outs(%t : !P) {
    ^bb0(%p: f64):
      %s = pyarray.builtin "numpy.square"(%p) : (f64) -> f64
      pyarray.yield %s : f64
    }
    pyarray.setitem %a[%all, %j] = %t : (!C, !S, si64, !P) -> ()
    pyarray.yield %t : !P
  }
  return
}

// CHECK-LABEL: func.func @read_later
// CHECK-NOT: pyarray.checked
// CHECK: return
func.func @read_later(%a: !C, %n: si64) -> !P {
  %none = pyarray.constant unit -> !pyarray.none
  %1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "builtins.range"(%1, %n, %1) : (si64, si64, si64) -> !pyarray.range
  %unbound = pyarray.unbound : !P
  %last = pyarray.for (%j: si64, %before: !P) in %range : !pyarray.range iter(%unbound) {
    %all = pyarray.slice %none, %none, %none : (!pyarray.none, !pyarray.none, !pyarray.none) -> !S
    %x = pyarray.getitem %a[%all, %j] : (!C, !S, si64) -> !A
    %t = pyarray.ufunc "()->()" ins(%x : !A) {
    ^bb0(%p: f64):
      pyarray.yield %p : f64
    } -> !P
    pyarray.setitem %a[%all, %j] = %t : (!C, !S, si64, !P) -> ()
    pyarray.yield %t : !P
  }
  return %last : !P
}
