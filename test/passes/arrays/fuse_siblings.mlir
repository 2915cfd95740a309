// RUN: pyarray-opt %s --pyarray-fuse | FileCheck %s
// RUN: pyarray-opt %s --pyarray-fuse --pyarray-fuse | pyarray-opt
// RUN: pyarray-opt %s --pyarray-fuse --pyarray-expand-broadcasting | pyarray-opt

!V = !pyarray.array<?xf64, C>

// a.min(), a.max(): one pass. The minimum of nothing raises where it stood.
// CHECK-LABEL: func.func @extremes
// CHECK: pyarray.raise "ValueError"
// CHECK: %[[R:.*]]:2 = pyarray.reduce ["min", "max"] axes [0] ins(%arg0 : {{.*}}) {
// CHECK-NEXT: ^bb0(%[[X:.*]]: f64):
// CHECK-NEXT:   pyarray.yield %[[X]], %[[X]] : f64, f64
// CHECK-NEXT: } -> f64, f64 {{.*}}pyarray.nonempty
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1
func.func @extremes(%a: !V) -> (f64, f64) {
  %l = pyarray.reduce ["min"] axes [0] ins(%a : !V) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> f64
  %h = pyarray.reduce ["max"] axes [0] ins(%a : !V) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> f64
  return %l, %h : f64, f64
}

// a * b, b - a * c: what is not certain of the first shape is checked where it stood.
// CHECK-LABEL: func.func @two
// CHECK: pyarray.ufunc_shape "(),()->()" ins(%arg0, %arg1 : {{.*}}) {pyarray.name = "multiply"}
// CHECK: %[[R:.*]]:2 = pyarray.ufunc "(),(),()->(),()" ins(%arg0, %arg1, %arg2 : {{.*}}) {
// CHECK-NEXT: ^bb0(%[[A:.*]]: f64, %[[B:.*]]: f64, %[[C:.*]]: f64):
// CHECK-NEXT:   %[[P:.*]] = pyarray.builtin "numpy.multiply"(%[[A]], %[[B]])
// CHECK-NEXT:   %[[Q:.*]] = pyarray.builtin "numpy.multiply"(%[[A]], %[[C]])
// CHECK-NEXT:   %[[S:.*]] = pyarray.builtin "numpy.subtract"(%[[B]], %[[Q]])
// CHECK-NEXT:   pyarray.yield %[[P]], %[[S]] : f64, f64
// CHECK-NEXT: } -> {{.*}} {pyarray.name = "subtract", shapes = array<i64: 0, 1>}
func.func @two(%a: !V, %b: !V, %c: f64) -> (!V, !V) {
  %s = pyarray.ufunc "(),()->()" ins(%a, %b : !V, !V) {
  ^bb0(%x: f64, %y: f64):
    %0 = pyarray.builtin "numpy.multiply"(%x, %y) : (f64, f64) -> f64
    pyarray.yield %0 : f64
  } -> !V {pyarray.name = "multiply"}
  %t = pyarray.ufunc "(),(),()->()" ins(%a, %b, %c : !V, !V, f64) {
  ^bb0(%x: f64, %y: f64, %z: f64):
    %0 = pyarray.builtin "numpy.multiply"(%x, %z) : (f64, f64) -> f64
    %1 = pyarray.builtin "numpy.subtract"(%y, %0) : (f64, f64) -> f64
    pyarray.yield %1 : f64
  } -> !V {pyarray.name = "subtract", shapes = array<i64: 0, 1>}
  return %s, %t : !V, !V
}

// Not sums, which the runtime adds up; nor where the first one is read, or what it reads is written, between.
// CHECK-LABEL: func.func @apart
// CHECK-NOT: ["min", "max"]
// CHECK-NOT: ["add", "max"]
// CHECK: return
func.func @apart(%a: !V, %i: si64) -> (f64, f64, f64) {
  %l = pyarray.reduce ["min"] axes [0] ins(%a : !V) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> f64
  pyarray.setitem %a[%i] = %l : (!V, si64, f64) -> ()
  %s = pyarray.reduce ["add"] axes [0] ins(%a : !V) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> f64
  %h = pyarray.reduce ["max"] axes [0] ins(%a : !V) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> f64
  return %l, %s, %h : f64, f64, f64
}
