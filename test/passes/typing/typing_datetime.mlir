// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file | FileCheck %s
// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file | pyarray-opt --split-input-file

// Operands come to the common unit.
// CHECK-LABEL: func.func @difference$0(%arg0: !pyarray.datetime<"M">, %arg1: !pyarray.datetime<"D">) -> !pyarray.timedelta<"D">
// CHECK-NEXT:  %[[A:.*]] = pyarray.cast %arg0 : !pyarray.datetime<"M"> to !pyarray.datetime<"D">
// CHECK-NEXT:  pyarray.binary sub %[[A]], %arg1 : (!pyarray.datetime<"D">, !pyarray.datetime<"D">) -> !pyarray.timedelta<"D">
func.func @difference(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any
    attributes {pyarray.params = ["a", "b"], pyarray.instantiate = [(!pyarray.datetime<"M">, !pyarray.datetime<"D">) -> ()]} {
  %0 = pyarray.binary sub %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

// An integer beside a time counts in its unit; a factor stays a number.
// CHECK-LABEL: func.func @numbers$0
// CHECK:       %[[B:.*]] = pyarray.cast %arg1 : si32 to !pyarray.timedelta<"25s">
// CHECK-NEXT:  %[[SUM:.*]] = pyarray.binary add %arg0, %[[B]] : (!pyarray.timedelta<"25s">, !pyarray.timedelta<"25s">) -> !pyarray.timedelta<"25s">
// CHECK-NEXT:  %[[C:.*]] = pyarray.cast %arg2 : f32 to f64
// CHECK-NEXT:  pyarray.binary mul %[[SUM]], %[[C]] : (!pyarray.timedelta<"25s">, f64) -> !pyarray.timedelta<"25s">
func.func @numbers(%a: !pyarray.any, %b: !pyarray.any, %c: !pyarray.any) -> !pyarray.any
    attributes {pyarray.params = ["a", "b", "c"], pyarray.instantiate = [(!pyarray.timedelta<"25s">, si32, f32) -> ()]} {
  %0 = pyarray.binary add %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %1 = pyarray.binary mul %0, %c : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %1 : !pyarray.any
}

// -----

// CHECK-LABEL: func.func @quotients$0
// CHECK-SAME:  -> tuple<f64, si64, !pyarray.timedelta<"s">, i1>
// CHECK:       pyarray.binary truediv {{.*}} -> f64
// CHECK:       pyarray.binary floordiv {{.*}} -> si64
// CHECK:       pyarray.binary mod {{.*}} -> !pyarray.timedelta<"s">
// CHECK:       pyarray.compare lt {{.*}} : (!pyarray.timedelta<"s">, !pyarray.timedelta<"s">) -> i1
func.func @quotients(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any
    attributes {pyarray.params = ["a", "b"], pyarray.instantiate = [(!pyarray.timedelta<"h">, !pyarray.timedelta<"s">) -> ()]} {
  %0 = pyarray.binary truediv %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %1 = pyarray.binary floordiv %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %2 = pyarray.binary mod %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %3 = pyarray.compare lt %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %4 = pyarray.tuple %0, %1, %2, %3 : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %4 : !pyarray.any
}

// -----

// A datetime never equals a number.
// CHECK-LABEL: func.func @unequal$0
// CHECK:       pyarray.constant false
func.func @unequal(%a: !pyarray.any) -> !pyarray.any
    attributes {pyarray.params = ["a"], pyarray.instantiate = [(!pyarray.datetime<"D">) -> ()]} {
  %five = pyarray.constant 5 : si64 -> !pyarray.any
  %0 = pyarray.compare eq %a, %five : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

// Constants, new times, elements of arrays.
// CHECK-LABEL: func.func @made$0
// CHECK:       pyarray.constant #pyarray.ticks<3 : !pyarray.timedelta<"ms">> -> !pyarray.timedelta<"ms">
// CHECK:       pyarray.frozen_array {{.*}} of !pyarray.datetime<"D"> -> !pyarray.array<?x!pyarray.datetime<"D">, C, readonly>
// CHECK:       pyarray.getitem {{.*}} -> !pyarray.datetime<"D">
// CHECK:       pyarray.builtin "numpy.isnat"({{.*}}) : (!pyarray.datetime<"D">) -> i1
func.func @made(%i: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["i"], pyarray.instantiate = [(si64) -> ()]} {
  %class = pyarray.callable "numpy.timedelta64" -> !pyarray.any
  %isnat = pyarray.callable "numpy.isnat" -> !pyarray.any
  %three = pyarray.constant 3 : si64 -> !pyarray.any
  %unit = pyarray.constant "ms" -> !pyarray.any
  %0 = pyarray.apply %class(%three, %unit) kw [] : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  %1 = pyarray.frozen_array dense<[0, 31]> : tensor<2xsi64> of !pyarray.datetime<"D"> -> !pyarray.any
  %2 = pyarray.getitem %1[%i] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %3 = pyarray.apply %isnat(%2) kw [] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %4 = pyarray.tuple %0, %3 : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %4 : !pyarray.any
}
