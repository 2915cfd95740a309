// RUN: pyarray-opt %s --pyarray-strip-loops | FileCheck %s
// RUN: pyarray-opt %s --pyarray-strip-loops --pyarray-strip-loops | FileCheck %s
// RUN: pyarray-opt %s --pyarray-strip-loops | pyarray-opt

!C = !pyarray.array<?x?xf64, C>
!A = !pyarray.array<?xf64, A>
!S = !pyarray.slice<!pyarray.none, !pyarray.none, !pyarray.none>

// Columns of two arrays: as many rows, indices in bounds at both ends of the loop, and memory of their own.
// CHECK-LABEL: func.func @columns
// CHECK:      %[[LAST:.*]] = pyarray.binary sub %arg2, %{{.*}}
// CHECK:      pyarray.compare ge
// CHECK:      pyarray.independent ins(%arg1 : {{.*}}) outs(%arg0 : {{.*}}) apart : i1
// CHECK:      %[[LENGTHS:.*]]:2 = scf.if %{{.*}} -> (si64, si64) {
// CHECK:        pyarray.constant 512
// CHECK:      } else {
// CHECK:      }
// CHECK:      %[[RANGE:.*]] = pyarray.builtin "builtins.range"(%{{.*}}, %[[LENGTHS]]#0, %[[LENGTHS]]#1)
// CHECK:      pyarray.for (%[[FIRST:.*]]: si64) in %[[RANGE]] : !pyarray.range {
// CHECK:        %[[END:.*]] = pyarray.binary add %[[FIRST]], %[[LENGTHS]]#1
// CHECK:        pyarray.slice %[[FIRST]], %[[END]]
// CHECK:        %[[X:.*]] = pyarray.getitem %arg0[
// CHECK:        %[[Y:.*]] = pyarray.getitem %arg1[
// CHECK:        pyarray.for (%{{.*}}: si64) in %{{.*}} : !pyarray.range {
// CHECK:          pyarray.getitem %[[X]][
// CHECK:          pyarray.getitem %[[Y]][
// CHECK:          pyarray.getitem %[[X]][
// CHECK:          pyarray.ufunc
// CHECK:        } {pyarray.strip}
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @columns(%a: !C, %b: !C, %n: si64) {
  %none = pyarray.constant unit -> !pyarray.none
  %1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "builtins.range"(%1, %n, %1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%j: si64) in %range : !pyarray.range {
    %all = pyarray.slice %none, %none, %none : (!pyarray.none, !pyarray.none, !pyarray.none) -> !S
    %before = pyarray.binary sub %j, %1 : (si64, si64) -> si64
    %x = pyarray.getitem %a[%all, %before] : (!C, !S, si64) -> !A
    %y = pyarray.getitem %b[%all, %j] : (!C, !S, si64) -> !A
    %o = pyarray.getitem %a[%all, %j] : (!C, !S, si64) -> !A
    pyarray.ufunc "(),()->()" ins(%x, %y : !A, !A) outs(%o : !A) {
    ^bb0(%p: f64, %q: f64):
      %s = pyarray.builtin "numpy.add"(%p, %q) : (f64, f64) -> f64
      pyarray.yield %s : f64
    }
  }
  return
}

// Rows, which are in order as they are; places that no end of the loop bounds; elements of other rows; threads.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: pyarray.strip
// CHECK: return
func.func @rows(%a: !C, %n: si64) {
  %none = pyarray.constant unit -> !pyarray.none
  %1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "builtins.range"(%1, %n, %1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%j: si64) in %range : !pyarray.range {
    %all = pyarray.slice %none, %none, %none : (!pyarray.none, !pyarray.none, !pyarray.none) -> !S
    %x = pyarray.getitem %a[%j, %all] : (!C, si64, !S) -> !A
    pyarray.ufunc "()->()" ins(%x : !A) outs(%x : !A) {
    ^bb0(%p: f64):
      pyarray.yield %p : f64
    }
  }
  return
}

// CHECK-LABEL: func.func @squares
// CHECK-NOT: pyarray.strip
// CHECK: return
func.func @squares(%a: !C, %n: si64) {
  %none = pyarray.constant unit -> !pyarray.none
  %1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "builtins.range"(%1, %n, %1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%j: si64) in %range : !pyarray.range {
    %all = pyarray.slice %none, %none, %none : (!pyarray.none, !pyarray.none, !pyarray.none) -> !S
    %square = pyarray.binary mul %j, %j : (si64, si64) -> si64
    %x = pyarray.getitem %a[%all, %square] : (!C, !S, si64) -> !A
    pyarray.ufunc "()->()" ins(%x : !A) outs(%x : !A) {
    ^bb0(%p: f64):
      pyarray.yield %p : f64
    }
  }
  return
}

// CHECK-LABEL: func.func @gather
// CHECK-NOT: pyarray.strip
// CHECK: return
func.func @gather(%a: !C, %v: !A, %n: si64) {
  %none = pyarray.constant unit -> !pyarray.none
  %1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "builtins.range"(%1, %n, %1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%j: si64) in %range : !pyarray.range {
    %all = pyarray.slice %none, %none, %none : (!pyarray.none, !pyarray.none, !pyarray.none) -> !S
    %x = pyarray.getitem %a[%all, %j] : (!C, !S, si64) -> !A
    pyarray.ufunc "()->()" ins(%x : !A) outs(%x : !A) {
    ^bb0(%p: f64):
      %e = pyarray.getitem %v[%1] {pyarray.axes = array<i64: 0>, pyarray.clamped} : (!A, si64) -> f64
      pyarray.yield %e : f64
    }
  }
  return
}

// CHECK-LABEL: func.func @threads
// CHECK-NOT: pyarray.strip
// CHECK: return
func.func @threads(%a: !C, %n: si64) attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "builtins.range"(%1, %n, %1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%j: si64) in %range : !pyarray.range {
    %all = pyarray.slice %none, %none, %none : (!pyarray.none, !pyarray.none, !pyarray.none) -> !S
    %x = pyarray.getitem %a[%all, %j] : (!C, !S, si64) -> !A
    pyarray.ufunc "()->()" ins(%x : !A) outs(%x : !A) {
    ^bb0(%p: f64):
      pyarray.yield %p : f64
    }
  }
  return
}
