// RUN: pyarray-opt %s | pyarray-opt | FileCheck %s

!C1 = !pyarray.array<?xf64, C>
!C2 = !pyarray.array<?x?xf64, C>
!F2 = !pyarray.array<?x?xf64, F>
!A2 = !pyarray.array<?x?xf64, A>
!C3 = !pyarray.array<?x?x?xf64, C>

// CHECK-LABEL: func.func @sum
// CHECK: pyarray.reduce ["add"] axes [1] ins(%arg0, %arg1 : !pyarray.array<?x?xf64, C>, !pyarray.array<?xf64, C>) {
// CHECK: } -> !pyarray.array<?xf64, C>
func.func @sum(%a: !C2, %b: !C1) -> !C1 {
  %s = pyarray.reduce ["add"] axes [1] ins(%a, %b : !C2, !C1) {
  ^bb0(%x: f64, %y: f64):
    %p = pyarray.builtin "numpy.multiply"(%x, %y) : (f64, f64) -> f64
    pyarray.yield %p : f64
  } -> !C1
  return %s : !C1
}

// CHECK-LABEL: func.func @several
// CHECK: %[[R:.*]]:2 = pyarray.reduce ["argmin", "min"] axes [0, 1] ins(%arg0 : {{.*}}) {
// CHECK: } -> si64, f64
func.func @several(%a: !C2) -> (si64, f64) {
  %r:2 = pyarray.reduce ["argmin", "min"] axes [0, 1] ins(%a : !C2) {
  ^bb0(%x: f64):
    pyarray.yield %x, %x : f64, f64
  } -> si64, f64
  return %r#0, %r#1 : si64, f64
}

// CHECK-LABEL: func.func @start
// CHECK: pyarray.reduce ["max"] axes [0] ins(%arg0 : {{.*}}) init(%arg1 : f64) order "F" {
// CHECK: } -> !pyarray.array<?x?xf64, F>
func.func @start(%a: !C3, %v: f64) -> !F2 {
  %s = pyarray.reduce ["max"] axes [0] ins(%a : !C3) init(%v : f64) order "F" {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> !F2
  return %s : !F2
}

// CHECK-LABEL: func.func @outputs
// CHECK: pyarray.reduce ["mul"] axes [0] ins(%arg0 : {{.*}}) outs(%arg1 : {{.*}}) expanded {
func.func @outputs(%a: !A2, %o: !C1) {
  pyarray.reduce ["mul"] axes [0] ins(%a : !A2) outs(%o : !C1) expanded {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  return
}

// CHECK-LABEL: func.func @no_axes
// CHECK: pyarray.reduce ["or"] axes [] ins(%arg0 : i1) {
// CHECK: {shapes = array<i64: 0>}
func.func @no_axes(%a: i1) -> i1 {
  %s = pyarray.reduce ["or"] axes [] ins(%a : i1) {
  ^bb0(%x: i1):
    pyarray.yield %x : i1
  } -> i1 {shapes = array<i64: 0>}
  return %s : i1
}

// CHECK-LABEL: func.func @times
// CHECK: pyarray.reduce ["nat_min"] axes [0] ins(%arg0 : {{.*}}) expanded
func.func @times(%a: !pyarray.array<?xsi64, C>) -> si64 {
  %s = pyarray.reduce ["nat_min"] axes [0] ins(%a : !pyarray.array<?xsi64, C>) expanded {
  ^bb0(%x: si64):
    pyarray.yield %x : si64
  } -> si64
  return %s : si64
}
