// RUN: pyarray-opt %s --pyarray-share-iterations | FileCheck %s
// RUN: pyarray-opt %s --pyarray-share-iterations --pyarray-share-iterations | FileCheck %s
// RUN: pyarray-opt %s --pyarray-share-iterations | pyarray-opt

!C = !pyarray.array<?x?xf64, C>
!R = !pyarray.array<?xf64, C>
#parallel = {parallel = true}

// Each iteration writes the row that the loop counts, of an array that the function has made.
// CHECK-LABEL: func.func @rows
// CHECK: } {pyarray.parallel = [], pyarray.timed = "points"}
func.func @rows(%a: !C, %n: si64, %m: si64) -> !C attributes {pyarray.options = #parallel} {
  %0 = pyarray.constant 0 : si64 -> si64
  %1 = pyarray.constant 1 : si64 -> si64
  %out = pyarray.builtin "numpy.empty"(%n, %m) : (si64, si64) -> !C
  %range = pyarray.builtin "builtins.range"(%0, %n, %1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %range : !pyarray.range {
    %x = pyarray.getitem %a[%i] : (!C, si64) -> !R
    %o = pyarray.getitem %out[%i] : (!C, si64) -> !R
    pyarray.ufunc "(),()->()" ins(%x, %x : !R, !R) outs(%o : !R) {
    ^bb0(%p: f64, %q: f64):
      %s = pyarray.builtin "numpy.add"(%p, %q) : (f64, f64) -> f64
      pyarray.yield %s : f64
    }
  }
  return %out : !C
}

// The outermost of two; what is within has loops of its own.
// CHECK-LABEL: func.func @nest
// CHECK:          pyarray.for
// CHECK:            pyarray.for
// CHECK-NOT:        pyarray.timed
// CHECK:          } {pyarray.parallel = [], pyarray.timed = "iterations"}
func.func @nest(%a: !C, %n: si64, %m: si64) -> !C attributes {pyarray.options = #parallel} {
  %0 = pyarray.constant 0 : si64 -> si64
  %1 = pyarray.constant 1 : si64 -> si64
  %out = pyarray.builtin "numpy.empty"(%n, %m) : (si64, si64) -> !C
  %range = pyarray.builtin "builtins.range"(%0, %n, %1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %range : !pyarray.range {
    pyarray.for (%j: si64) in %range : !pyarray.range {
      %x = pyarray.getitem %a[%j] : (!C, si64) -> !R
      %o = pyarray.getitem %out[%i] : (!C, si64) -> !R
      pyarray.ufunc "(),()->()" ins(%x, %o : !R, !R) outs(%o : !R) {
      ^bb0(%p: f64, %q: f64):
        %s = pyarray.builtin "numpy.add"(%p, %q) : (f64, f64) -> f64
        pyarray.yield %s : f64
      }
    }
  }
  return %out : !C
}

// Compiled for one thread.
// CHECK-LABEL: func.func @one_thread
// CHECK-NOT: pyarray.timed
// CHECK: return
func.func @one_thread(%a: !C, %n: si64, %m: si64) -> !C {
  %0 = pyarray.constant 0 : si64 -> si64
  %1 = pyarray.constant 1 : si64 -> si64
  %out = pyarray.builtin "numpy.empty"(%n, %m) : (si64, si64) -> !C
  %range = pyarray.builtin "builtins.range"(%0, %n, %1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %range : !pyarray.range {
    %x = pyarray.getitem %a[%i] : (!C, si64) -> !R
    %o = pyarray.getitem %out[%i] : (!C, si64) -> !R
    pyarray.ufunc "(),()->()" ins(%x, %x : !R, !R) outs(%o : !R) {
    ^bb0(%p: f64, %q: f64):
      %s = pyarray.builtin "numpy.add"(%p, %q) : (f64, f64) -> f64
      pyarray.yield %s : f64
    }
  }
  return %out : !C
}

// The row of another iteration is read.
// CHECK-LABEL: func.func @row_before
// CHECK-NOT: pyarray.timed
// CHECK: return
func.func @row_before(%a: !C, %n: si64, %m: si64) -> !C attributes {pyarray.options = #parallel} {
  %0 = pyarray.constant 0 : si64 -> si64
  %1 = pyarray.constant 1 : si64 -> si64
  %out = pyarray.builtin "numpy.empty"(%n, %m) : (si64, si64) -> !C
  %range = pyarray.builtin "builtins.range"(%1, %n, %1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %range : !pyarray.range {
    %before = pyarray.binary sub %i, %1 : (si64, si64) -> si64
    %x = pyarray.getitem %out[%before] : (!C, si64) -> !R
    %o = pyarray.getitem %out[%i] : (!C, si64) -> !R
    pyarray.ufunc "(),()->()" ins(%x, %x : !R, !R) outs(%o : !R) {
    ^bb0(%p: f64, %q: f64):
      %s = pyarray.builtin "numpy.add"(%p, %q) : (f64, f64) -> f64
      pyarray.yield %s : f64
    }
  }
  return %out : !C
}

// An argument may be what another one is a view of. A view from before the loop reads all rows.
// CHECK-LABEL: func.func @argument
// CHECK-NOT: pyarray.timed
// CHECK: return
func.func @argument(%a: !C, %out: !C, %n: si64) attributes {pyarray.options = #parallel} {
  %0 = pyarray.constant 0 : si64 -> si64
  %1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "builtins.range"(%0, %n, %1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %range : !pyarray.range {
    %x = pyarray.getitem %a[%i] : (!C, si64) -> !R
    %o = pyarray.getitem %out[%i] : (!C, si64) -> !R
    pyarray.ufunc "(),()->()" ins(%x, %x : !R, !R) outs(%o : !R) {
    ^bb0(%p: f64, %q: f64):
      %s = pyarray.builtin "numpy.add"(%p, %q) : (f64, f64) -> f64
      pyarray.yield %s : f64
    }
  }
  return
}

// CHECK-LABEL: func.func @view
// CHECK-NOT: pyarray.timed
// CHECK: return
func.func @view(%n: si64, %m: si64) -> !C attributes {pyarray.options = #parallel} {
  %0 = pyarray.constant 0 : si64 -> si64
  %1 = pyarray.constant 1 : si64 -> si64
  %out = pyarray.builtin "numpy.empty"(%n, %m) : (si64, si64) -> !C
  %first = pyarray.getitem %out[%0] : (!C, si64) -> !R
  %range = pyarray.builtin "builtins.range"(%0, %n, %1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %range : !pyarray.range {
    %o = pyarray.getitem %out[%i] : (!C, si64) -> !R
    pyarray.ufunc "(),()->()" ins(%first, %o : !R, !R) outs(%o : !R) {
    ^bb0(%p: f64, %q: f64):
      %s = pyarray.builtin "numpy.add"(%p, %q) : (f64, f64) -> f64
      pyarray.yield %s : f64
    }
  }
  return %out : !C
}

// Two numbers, one of which is negative, may stand for one row; another axis is another place.
// CHECK-LABEL: func.func @negative
// CHECK-NOT: pyarray.timed
// CHECK: return
func.func @negative(%a: !C, %n: si64, %m: si64) -> !C attributes {pyarray.options = #parallel} {
  %1 = pyarray.constant 1 : si64 -> si64
  %out = pyarray.builtin "numpy.empty"(%n, %m) : (si64, si64) -> !C
  %range = pyarray.builtin "builtins.range"(%m, %n, %1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %range : !pyarray.range {
    %x = pyarray.getitem %a[%i] : (!C, si64) -> !R
    %o = pyarray.getitem %out[%i] : (!C, si64) -> !R
    pyarray.ufunc "(),()->()" ins(%x, %x : !R, !R) outs(%o : !R) {
    ^bb0(%p: f64, %q: f64):
      %s = pyarray.builtin "numpy.add"(%p, %q) : (f64, f64) -> f64
      pyarray.yield %s : f64
    }
  }
  return %out : !C
}

// CHECK-LABEL: func.func @row_and_column
// CHECK-NOT: pyarray.timed
// CHECK: return
func.func @row_and_column(%a: !C, %n: si64) -> !C attributes {pyarray.options = #parallel} {
  %0 = pyarray.constant 0 : si64 -> si64
  %1 = pyarray.constant 1 : si64 -> si64
  %out = pyarray.builtin "numpy.empty"(%n, %n) : (si64, si64) -> !C
  %range = pyarray.builtin "builtins.range"(%0, %n, %1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %range : !pyarray.range {
    %x = pyarray.getitem %out[%0, %i] : (!C, si64, si64) -> f64
    %o = pyarray.getitem %out[%i] : (!C, si64) -> !R
    pyarray.ufunc "(),()->()" ins(%o, %x : !R, f64) outs(%o : !R) {
    ^bb0(%p: f64, %q: f64):
      %s = pyarray.builtin "numpy.add"(%p, %q) : (f64, f64) -> f64
      pyarray.yield %s : f64
    }
  }
  return %out : !C
}
