// RUN: pyarray-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @truth
// CHECK-DAG: %[[YES:.*]] = pyarray.constant true -> i1
// CHECK-DAG: %[[NO:.*]] = pyarray.constant false -> i1
// CHECK: return %[[YES]], %[[NO]], %[[NO]]
func.func @truth() -> (i1, i1, i1) {
  %text = pyarray.constant "text" -> !pyarray.any
  %zero = pyarray.constant 0 : si64 -> !pyarray.any
  %none = pyarray.constant unit -> !pyarray.any
  %0 = pyarray.truth %text : !pyarray.any
  %1 = pyarray.truth %zero : !pyarray.any
  %2 = pyarray.truth %none : !pyarray.any
  func.return %0, %1, %2 : i1, i1, i1
}

// A cast to the same type is nothing.
// CHECK-LABEL: func.func @cast(%arg0: f64)
// CHECK-NEXT: return %arg0
func.func @cast(%x: f64) -> f64 {
  %0 = pyarray.cast %x : f64 to f64
  func.return %0 : f64
}
