// RUN: pyarray-opt --pyarray-call-gathers %s | FileCheck %s
// RUN: pyarray-opt --pyarray-expand-broadcasting --pyarray-call-gathers %s | pyarray-opt

!A1 = !pyarray.array<?xf64, A>
!C1 = !pyarray.array<?xf64, C>
!C2 = !pyarray.array<?x?xf64, C>
!A3 = !pyarray.array<?x?x?xf64, A>
!X = !pyarray.array<?xsi32, C>
!XA = !pyarray.array<?xsi32, A>

// Elements, by indices of two axes.
// CHECK-LABEL: @elements
// CHECK-NEXT: %[[O:.*]] = pyarray.builtin "numpy.empty"(%arg3)
// CHECK-NEXT: %[[P:.*]] = pyarray.constant 2 : si64
// CHECK-NEXT: %[[Q:.*]] = pyarray.constant 0 : si64
// CHECK-NEXT: pyarray.builtin "pyarray.library._intrinsics.gather"(%[[O]], %arg0, %arg1, %arg2, %[[P]], %[[Q]])
// CHECK-NEXT: return %[[O]]
func.func @elements(%a: !C2, %x: !X, %i: si64, %n: si64) -> !C1 {
  %w = pyarray.broadcast_to %x to(%n) : (!X, si64) -> !XA
  %o = pyarray.builtin "numpy.empty"(%n) : (si64) -> !C1
  pyarray.ufunc "(),()->()" ins(%w, %i : !XA, si64) outs(%o : !C1) expanded {
  ^bb0(%p: si32, %q: si64):
    %wide = pyarray.cast %p : si32 to si64
    %e = pyarray.getitem %a[%wide, %q] {pyarray.axes = array<i64: 2, 0>} : (!C2, si64, si64) -> f64
    pyarray.yield %e : f64
  } {pyarray.fresh}
  return %o : !C1
}

// Rows.
// CHECK-LABEL: @rows
// CHECK-NEXT: %[[O:.*]] = pyarray.builtin "numpy.empty"(%arg2, %arg3)
// CHECK-NEXT: %[[P:.*]] = pyarray.constant 0 : si64
// CHECK-NEXT: pyarray.builtin "pyarray.library._intrinsics.gather"(%[[O]], %arg0, %arg1, %[[P]])
// CHECK-NEXT: return %[[O]]
func.func @rows(%a: !C2, %x: !X, %n: si64, %m: si64) -> !C2 {
  %p = pyarray.broadcast_to %a to(%n) : (!C2, si64) -> !A3
  %w = pyarray.broadcast_to %x to(%n) : (!X, si64) -> !XA
  %o = pyarray.builtin "numpy.empty"(%n, %m) : (si64, si64) -> !C2
  pyarray.ufunc "(n0,m0),()->(m0)" ins(%p, %w : !A3, !XA) outs(%o : !C2) expanded {
  ^bb0(%part: !C2, %i: si32, %to: !C1):
    %row = pyarray.getitem %part[%i] {pyarray.axes = array<i64: 0>} : (!C2, si32) -> !C1
    pyarray.setitem %to[] = %row {pyarray.fresh} : (!C1, !C1) -> ()
    pyarray.yield
  } {pyarray.fresh}
  return %o : !C2
}

// What threads share stays a loop.
// CHECK-LABEL: @parallel
// CHECK: pyarray.getitem
func.func @parallel(%a: !C1, %x: !X, %n: si64) -> !C1 attributes {pyarray.options = {parallel = true}} {
  %o = pyarray.builtin "numpy.empty"(%n) : (si64) -> !C1
  pyarray.ufunc "()->()" ins(%x : !X) outs(%o : !C1) expanded {
  ^bb0(%p: si32):
    %e = pyarray.getitem %a[%p] : (!C1, si32) -> f64
    pyarray.yield %e : f64
  } {pyarray.fresh}
  return %o : !C1
}

// So does what has constant extents.
// CHECK-LABEL: @small
// CHECK: pyarray.getitem
func.func @small(%a: !C1, %x: !X) -> !C1 {
  %n = pyarray.constant 3 : si64 -> si64
  %o = pyarray.builtin "numpy.empty"(%n) : (si64) -> !C1
  pyarray.ufunc "()->()" ins(%x : !X) outs(%o : !C1) expanded {
  ^bb0(%p: si32):
    %e = pyarray.getitem %a[%p] : (!C1, si32) -> f64
    pyarray.yield %e : f64
  } {pyarray.fresh}
  return %o : !C1
}

// And what computes with what it gathers.
// CHECK-LABEL: @computed
// CHECK: pyarray.getitem
// CHECK-NOT: _intrinsics.gather
func.func @computed(%a: !C1, %x: !X, %n: si64) -> !C1 {
  %o = pyarray.builtin "numpy.empty"(%n) : (si64) -> !C1
  pyarray.ufunc "()->()" ins(%x : !X) outs(%o : !C1) expanded {
  ^bb0(%p: si32):
    %e = pyarray.getitem %a[%p] : (!C1, si32) -> f64
    %d = pyarray.builtin "numpy.add"(%e, %e) : (f64, f64) -> f64
    pyarray.yield %d : f64
  } {pyarray.fresh}
  return %o : !C1
}
