// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file | FileCheck %s

// An ellipsis stands for whole axes; new axes are put in behind.
// CHECK-LABEL: func.func @mixed$0(
// CHECK: %[[V:.*]] = pyarray.getitem %arg0[%{{.*}}] : (!pyarray.array<?x?x?xf64, C>, si64) -> !pyarray.array<?x?xf64, C>
// CHECK: pyarray.insert_axes %[[V]] [2] : (!pyarray.array<?x?xf64, C>) -> !pyarray.array<?x?x?xf64, C>
func.func @mixed(%a: !pyarray.any, %i: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "i"], pyarray.instantiate = [(!pyarray.array<?x?x?xf64, C>, si64) -> ()]} {
  %dots = pyarray.callable "builtins.Ellipsis" -> !pyarray.any
  %none = pyarray.constant unit -> !pyarray.any
  %0 = pyarray.getitem %a[%i, %dots, %none] : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}

// -----

// A whole axis before an index is a slice; an element behind an ellipsis is a view.
// CHECK-LABEL: func.func @last$0(
// CHECK: %[[S:.*]] = pyarray.slice
// CHECK: pyarray.getitem %arg0[%[[S]], %arg1] : {{.*}} -> !pyarray.array<?xf64, A>
// CHECK: pyarray.getitem %arg0[%arg1, %arg1] : {{.*}} -> !pyarray.array<f64, C>
func.func @last(%a: !pyarray.any, %i: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "i"], pyarray.instantiate = [(!pyarray.array<?x?xf64, C>, si64) -> ()]} {
  %dots = pyarray.callable "builtins.Ellipsis" -> !pyarray.any
  %0 = pyarray.getitem %a[%dots, %i] : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  %1 = pyarray.getitem %a[%i, %i, %dots] : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  %2 = pyarray.tuple %0, %1 : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %2 : !pyarray.any
}

// -----

// Stores go through the view where it has new axes.
// CHECK-LABEL: func.func @store$0(
// CHECK: %[[V:.*]] = pyarray.insert_axes %arg0 [1]
// CHECK: pyarray.setitem %[[V]][] = %arg1
// CHECK: pyarray.setitem %arg0[] = %arg1
func.func @store(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.instantiate = [(!pyarray.array<?xf64, C>, !pyarray.array<?xf64, C>) -> ()]} {
  %dots = pyarray.callable "builtins.Ellipsis" -> !pyarray.any
  %none = pyarray.constant unit -> !pyarray.any
  pyarray.setitem %a[%dots, %none] = %b : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> ()
  pyarray.setitem %a[%dots] = %b : (!pyarray.any, !pyarray.any, !pyarray.any) -> ()
  func.return %none : !pyarray.any
}
