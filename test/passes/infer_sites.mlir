// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file 2>&1 | FileCheck %s
// The types of items follow from what is put into a list.

// An empty list learns from append, then from a second one: int64 and float64 are float64.
// CHECK-LABEL: func.func @fill$0
// CHECK: %[[L:.*]] = pyarray.list : () -> !pyarray.list<f64>
// CHECK: %[[X:.*]] = pyarray.cast %{{.*}} : si64 to f64
// CHECK: pyarray.builtin "list.append"(%[[L]], %[[X]]) : (!pyarray.list<f64>, f64) -> !pyarray.none
// CHECK: return %[[L]] : !pyarray.list<f64>
func.func @fill(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(f64) -> ()], pyarray.params = ["x"]} {
  %l = pyarray.list : () -> !pyarray.any
  %c = pyarray.constant 1 : si64 -> !pyarray.any
  %0 = pyarray.method %l "append"(%c) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %1 = pyarray.method %l "append"(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %l : !pyarray.any
}

// -----

// A callee fills the list of its caller; items of items have sites too.
// CHECK-LABEL: func.func @outer$0
// CHECK: %[[L:.*]] = pyarray.list %{{.*}} : (!pyarray.list<si64>) -> !pyarray.list<!pyarray.list<si64>>
// CHECK: pyarray.call @put$[[N:[0-9]]](%{{.*}}) : (!pyarray.list<si64>) -> !pyarray.none
// CHECK: func.func private @put$[[N]]
func.func @put(%l: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["l"]} {
  %c = pyarray.constant 1 : si64 -> !pyarray.any
  %0 = pyarray.method %l "append"(%c) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}
func.func @outer() -> !pyarray.any attributes {pyarray.instantiate = [() -> ()], pyarray.params = []} {
  %inner = pyarray.list : () -> !pyarray.any
  %l = pyarray.list %inner : (!pyarray.any) -> !pyarray.any
  %f = pyarray.callable @put -> !pyarray.any
  %zero = pyarray.constant 0 : si64 -> !pyarray.any
  %item = pyarray.getitem %l[%zero] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %0 = pyarray.apply %f(%item) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %l : !pyarray.any
}

// -----

// Nobody puts anything in: the items are None's.
// CHECK-LABEL: func.func @empty$0
// CHECK: pyarray.list : () -> !pyarray.list<!pyarray.none>
func.func @empty() -> !pyarray.any attributes {pyarray.instantiate = [() -> ()], pyarray.params = []} {
  %l = pyarray.list : () -> !pyarray.any
  return %l : !pyarray.any
}
