// RUN: pyarray-opt %s --pyarray-expand-broadcasting | FileCheck %s
// RUN: pyarray-opt %s --pyarray-expand-broadcasting --pyarray-expand-broadcasting | FileCheck %s
// RUN: pyarray-opt %s --pyarray-expand-broadcasting | pyarray-opt

!A1 = !pyarray.array<?xf64, A>
!C1 = !pyarray.array<?xf64, C>
!C2 = !pyarray.array<?x?xf64, C>
!C3 = !pyarray.array<?x?x?xf64, C>

// All dimensions of one array are folded: there is nothing to check or to make.
// CHECK-LABEL: func.func @whole
// CHECK-NEXT: %[[S:.*]] = pyarray.reduce ["add"] axes [0, 1] ins(%arg0 : !pyarray.array<?x?xf64, C>) expanded {
// CHECK:      } -> f64
// CHECK-NEXT: return %[[S]]
func.func @whole(%a: !C2) -> f64 {
  %s = pyarray.reduce ["add"] axes [0, 1] ins(%a : !C2) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> f64
  return %s : f64
}

// Dimensions that are left make a new array.
// CHECK-LABEL: func.func @rows
// CHECK-NEXT: %[[N:.*]]:3 = pyarray.ufunc_shape "()->()" ins(%arg0 : {{.*}}) {{.*}} : si64, si64, si64
// CHECK-NEXT: %[[O:.*]] = pyarray.builtin "numpy.empty"(%[[N]]#0, %[[N]]#2)
// CHECK-NEXT: pyarray.reduce ["max"] axes [1] ins(%arg0 : {{.*}}) init(%arg1 : f64) outs(%[[O]] : {{.*}}) order "C" expanded {
// CHECK:      pyarray.name = "maximum"
// CHECK-NEXT: return %[[O]]
func.func @rows(%a: !C3, %v: f64) -> !C2 {
  %s = pyarray.reduce ["max"] axes [1] ins(%a : !C3) init(%v : f64) order "C" {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> !C2 {pyarray.name = "maximum"}
  return %s : !C2
}

// Inputs get all loop dimensions.
// CHECK-LABEL: func.func @broadcast
// CHECK-NEXT: %[[N:.*]]:2 = pyarray.ufunc_shape "(),(),()->()" ins(%arg0, %arg1, %arg2 : {{.*}}) : si64, si64
// CHECK-NEXT: %[[A:.*]] = pyarray.broadcast_to %arg0 to(%[[N]]#0, %[[N]]#1)
// CHECK-NEXT: %[[B:.*]] = pyarray.broadcast_to %arg1 to(%[[N]]#0, %[[N]]#1)
// CHECK-NEXT: %[[O:.*]] = pyarray.builtin "numpy.empty"(%[[N]]#1)
// CHECK-NEXT: pyarray.reduce ["add"] axes [0] ins(%[[A]], %[[B]], %arg2 : {{.*}}) outs(%[[O]] : {{.*}}) expanded {
func.func @broadcast(%a: !C2, %b: !A1, %v: f64) -> !C1 {
  %s = pyarray.reduce ["add"] axes [0] ins(%a, %b, %v : !C2, !A1, f64) {
  ^bb0(%x: f64, %y: f64, %z: f64):
    pyarray.yield %x : f64
  } -> !C1
  return %s : !C1
}

// The shape is that of the inputs that `shapes` names.
// CHECK-LABEL: func.func @shapes
// CHECK-NEXT: %[[N:.*]] = pyarray.ufunc_shape "()->()" ins(%arg1 : {{.*}}) : si64
// CHECK-NEXT: pyarray.broadcast_to %arg0 to(%[[N]])
func.func @shapes(%a: !A1, %b: !C1) -> f64 {
  %s = pyarray.reduce ["add"] axes [0] ins(%a, %b : !A1, !C1) {
  ^bb0(%x: f64, %y: f64):
    pyarray.yield %x : f64
  } -> f64 {shapes = array<i64: 1>}
  return %s : f64
}

// What was given is written when all is read.
// CHECK-LABEL: func.func @given
// CHECK:      %[[O:.*]] = pyarray.builtin "numpy.empty"
// CHECK-NEXT: pyarray.reduce ["add"] axes [0] ins(%arg0 : {{.*}}) outs(%[[O]] : {{.*}}) expanded {
// CHECK:      pyarray.ufunc_shape "()->()" ins(%[[O]] : {{.*}}) outs(%arg1 : {{.*}}) : si64
// CHECK-NEXT: pyarray.setitem %arg1[] = %[[O]]
func.func @given(%a: !C2, %o: !A1) {
  pyarray.reduce ["add"] axes [0] ins(%a : !C2) outs(%o : !A1) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  return
}
