// RUN: pyarray-opt %s --pyarray-expand-broadcasting | FileCheck %s
// RUN: pyarray-opt %s --pyarray-expand-broadcasting --pyarray-expand-broadcasting | FileCheck %s
// RUN: pyarray-opt %s --pyarray-expand-broadcasting | pyarray-opt

!A = !pyarray.array<?xf64, A>
!C2 = !pyarray.array<?x?xf64, C>
!C0 = !pyarray.array<f64, C>

// Arrays get all loop dimensions, numbers stay; a new output is made.
// CHECK-LABEL: func.func @new
// CHECK-NEXT: %[[N:.*]]:2 = pyarray.ufunc_shape "(),(),()->()" ins(%arg0, %arg1, %arg2 : {{.*}}) : si64, si64
// CHECK-NEXT: %[[A:.*]] = pyarray.broadcast_to %arg0 to(%[[N]]#0, %[[N]]#1)
// CHECK-NEXT: %[[B:.*]] = pyarray.broadcast_to %arg1 to(%[[N]]#0, %[[N]]#1) {{.*}} -> !pyarray.array<?x?xf64, A>
// CHECK-NEXT: %[[O:.*]] = pyarray.builtin "numpy.empty"(%[[N]]#0, %[[N]]#1)
// CHECK-NEXT: pyarray.ufunc "(),(),()->()" ins(%[[A]], %[[B]], %arg2 : {{.*}}) outs(%[[O]] : {{.*}}) expanded {
// CHECK:      return %[[O]]
func.func @new(%a: !C2, %b: !A, %x: f64) -> !C2 {
  %0 = pyarray.ufunc "(),(),()->()" ins(%a, %b, %x : !C2, !A, f64) {
  ^bb0(%p: f64, %q: f64, %r: f64):
    pyarray.yield %p : f64
  } -> !C2
  return %0 : !C2
}

// A given output that overlaps is computed apart and stored.
// CHECK-LABEL: func.func @given
// CHECK:      pyarray.ufunc_shape "(),()->()" ins(%arg0, %arg1 : {{.*}}) outs(%arg2 : {{.*}}) : si64, si64
// CHECK-NEXT: %[[A:.*]] = pyarray.broadcast_to %arg0
// CHECK-NEXT: %[[APART:.*]] = pyarray.independent ins(%[[A]] : {{.*}}) outs(%arg2 : {{.*}}>) : i1
// CHECK-NEXT: %[[O:.*]] = scf.if %[[APART]] -> (!pyarray.array<?x?xf64, C>) {
// CHECK-NEXT:   scf.yield %arg2
// CHECK-NEXT: } else {
// CHECK-NEXT:   %[[T:.*]] = pyarray.builtin "numpy.empty"
// CHECK-NEXT:   scf.yield %[[T]]
// CHECK-NEXT: }
// CHECK-NEXT: pyarray.ufunc {{.*}} outs(%[[O]] : {{.*}}) expanded {
// CHECK:      scf.if %[[APART]] {
// CHECK-NEXT: } else {
// CHECK-NEXT:   pyarray.setitem %arg2[] = %[[O]]
func.func @given(%a: !C2, %x: f64, %o: !C2) {
  pyarray.ufunc "(),()->()" ins(%a, %x : !C2, f64) outs(%o : !C2) {
  ^bb0(%p: f64, %q: f64):
    pyarray.yield %p : f64
  }
  return
}

// Core dimensions stay behind the loop's; with them the same memory is an overlap too.
// CHECK-LABEL: func.func @core
// CHECK: %[[N:.*]]:2 = pyarray.ufunc_shape
// CHECK: pyarray.broadcast_to %arg0 to(%[[N]]#0) {{.*}} -> !pyarray.array<?x?xf64, A>
// CHECK: pyarray.independent {{.*}} apart : i1
// CHECK: pyarray.builtin "numpy.empty"(%[[N]]#0, %[[N]]#1)
func.func @core(%a: !C2, %o: !C2) {
  pyarray.ufunc "(n)->(n)" ins(%a : !C2) outs(%o : !C2) {
  ^bb0(%p: !A, %q: !A):
    pyarray.yield
  }
  return
}

// CHECK-LABEL: func.func @no_dimensions
// CHECK: pyarray.ufunc_shape "()->()" ins(%arg0 : !pyarray.array<f64, C>){{$}}
// CHECK: pyarray.builtin "numpy.empty"() : () -> !pyarray.array<f64, C>
func.func @no_dimensions(%z: !C0) -> !C0 {
  %0 = pyarray.ufunc "()->()" ins(%z : !C0) {
  ^bb0(%p: f64):
    pyarray.yield %p : f64
  } -> !C0
  return %0 : !C0
}

// One within another.
// CHECK-LABEL: func.func @nested
// CHECK: pyarray.ufunc "(n)->()" {{.*}} expanded {
// CHECK:   pyarray.ufunc_shape "()->()"
// CHECK:   pyarray.ufunc "()->()" {{.*}} expanded {
func.func @nested(%a: !C2) -> !pyarray.array<?xf64, C> {
  %0 = pyarray.ufunc "(n)->()" ins(%a : !C2) {
  ^bb0(%p: !A):
    %1 = pyarray.ufunc "()->()" ins(%p : !A) {
    ^bb0(%q: f64):
      pyarray.yield %q : f64
    } -> !pyarray.array<?xf64, C>
    %2 = pyarray.constant 0.0 : f64 -> f64
    pyarray.yield %2 : f64
  } -> !pyarray.array<?xf64, C>
  return %0 : !pyarray.array<?xf64, C>
}

// What is the output itself has the loop shape.
// CHECK-LABEL: func.func @in_place
// CHECK-NOT: pyarray.broadcast_to
// CHECK: pyarray.ufunc "(),()->()" ins(%arg0, %arg1 : {{.*}}) outs(%{{.*}} : {{.*}}) expanded {
func.func @in_place(%a: !C2, %x: f64) {
  pyarray.ufunc "(),()->()" ins(%a, %x : !C2, f64) outs(%a : !C2) {
  ^bb0(%p: f64, %q: f64):
    pyarray.yield %p : f64
  }
  return
}

// Inputs that have been given the same extents are not compared.
// CHECK-LABEL: func.func @given_extents
// CHECK-NOT: ufunc_shape
// CHECK:     pyarray.builtin "numpy.empty"(%arg2)
// CHECK:     pyarray.ufunc_shape
// CHECK:     return
func.func @given_extents(%a: !A, %b: !A, %n: si64, %m: si64) {
  %p = pyarray.broadcast_to %a to(%n) : (!A, si64) -> !A
  %q = pyarray.broadcast_to %b to(%n) : (!A, si64) -> !A
  %r = pyarray.broadcast_to %b to(%m) : (!A, si64) -> !A
  %0 = pyarray.ufunc "(),()->()" ins(%p, %q : !A, !A) {
  ^bb0(%x: f64, %y: f64):
    pyarray.yield %x : f64
  } -> !pyarray.array<?xf64, C>
  %1 = pyarray.ufunc "(),()->()" ins(%p, %r : !A, !A) {
  ^bb0(%x: f64, %y: f64):
    pyarray.yield %x : f64
  } -> !pyarray.array<?xf64, C>
  return
}
