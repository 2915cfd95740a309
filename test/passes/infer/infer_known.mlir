// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file --verify-diagnostics | FileCheck %s
// literally(): parameters whose values are known, and those whose values are asked for.

// The caller told the value.
// CHECK-LABEL: func.func @told$0(%arg0: si64) -> f64
// CHECK-SAME: pyarray.omitted = [0]
func.func @told(%n: !pyarray.any) -> !pyarray.any attributes {pyarray.by_value, pyarray.instantiate = [(!pyarray.any) -> ()], pyarray.known = [1 : si64], pyarray.params = ["n"]} {
  %0 = pyarray.constant 1 : si64 -> !pyarray.any
  %1 = pyarray.constant 2.5 : f64 -> !pyarray.any
  %t = pyarray.tuple %0, %1 : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %f = pyarray.callable "pyarray.literally" -> !pyarray.any
  %v = pyarray.apply %f(%n) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %r = pyarray.getitem %t[%v] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %r : !pyarray.any
}

// -----

// A function that is called asks its callers, which know the value: an instance for each.
// CHECK-LABEL: func.func @caller$0
// CHECK: pyarray.call @item$[[ONE:[0-9]+]](%{{.*}}) : (si64) -> si64
// CHECK: pyarray.call @item$[[OTHER:[0-9]+]](%{{.*}}) : (si64) -> f64
func.func @item(%n: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["n"]} {
  %0 = pyarray.constant 1 : si64 -> !pyarray.any
  %1 = pyarray.constant 2.5 : f64 -> !pyarray.any
  %t = pyarray.tuple %0, %1 : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %f = pyarray.callable "pyarray.literally" -> !pyarray.any
  %v = pyarray.apply %f(%n) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %r = pyarray.getitem %t[%v] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %r : !pyarray.any
}
func.func @caller() -> !pyarray.any attributes {pyarray.instantiate = [() -> ()]} {
  %0 = pyarray.constant 0 : si64 -> !pyarray.any
  %1 = pyarray.constant 1 : si64 -> !pyarray.any
  %f = pyarray.callable @item -> !pyarray.any
  %a = pyarray.apply %f(%0) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %b = pyarray.apply %f(%1) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %t = pyarray.tuple %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %t : !pyarray.any
}

// -----

func.func @asked(%n: !pyarray.any) -> !pyarray.any attributes {pyarray.by_value, pyarray.instantiate = [(si64) -> ()], pyarray.params = ["n"]} {
  %f = pyarray.callable "pyarray.literally" -> !pyarray.any
  // expected-error@+1 {{literally(): the value must be known when the function is compiled}}
  %v = pyarray.apply %f(%n) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %v : !pyarray.any
}
