// RUN: pyarray-opt --pyarray-infer-types --split-input-file %s | FileCheck %s
// Operands that calls spread, rest parameters, and what closures captured.

// CHECK-LABEL: func.func @spread$0
// CHECK-SAME: (%[[T:.*]]: tuple<si64, f64>, %[[X:.*]]: si64)
// CHECK: %[[E:.*]]:2 = pyarray.unpack %[[T]]
// CHECK: %[[REST:.*]] = pyarray.tuple %{{.*}}, %[[X]] : (f64, si64) -> tuple<f64, si64>
// CHECK: pyarray.call @f$0(%{{.*}}, %{{.*}}, %[[REST]]) : (si64, si64, tuple<f64, si64>) -> tuple<f64, si64>
// CHECK: pyarray.call @f$1(%[[X]], %{{.*}}, %{{.*}}) : (si64, si64, tuple<>) -> tuple<>
func.func @spread(%t: !pyarray.any, %x: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(tuple<si64, f64>, si64) -> ()], pyarray.params = ["t", "x"]} {
  %f = pyarray.callable @f -> !pyarray.any
  %0 = pyarray.apply %f(%t, %x) spread [1] : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  %1 = pyarray.apply %f(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %2 = pyarray.tuple %0, %1 : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %2 : !pyarray.any
}
// Parameters: a, k=2 by keyword, *rest.
func.func @f(%a: !pyarray.any, %k: !pyarray.any, %rest: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "k", "rest"], pyarray.kinds = "pk*", pyarray.defaults = [2 : si64, #pyarray.opaque]} {
  return %rest : !pyarray.any
}

// -----

// A closure is the tuple of what it captured; a call takes it apart.
// CHECK-LABEL: func.func @closure$0
// CHECK-SAME: (%[[A:.*]]: f64)
// CHECK: %[[C:.*]] = pyarray.tuple %[[A]] : (f64) -> tuple<f64>
// CHECK: pyarray.call @apply$0(%[[C]]) : (tuple<f64>) -> f64
// CHECK: func.func private @apply$0(%[[F:.*]]: tuple<f64>) -> f64
// CHECK: %[[CAPTURED:.*]] = pyarray.unpack %[[F]] : (tuple<f64>) -> f64
// CHECK: pyarray.call @g$0(%[[CAPTURED]], %{{.*}}) : (f64, si64) -> f64
func.func @closure(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(f64) -> ()], pyarray.params = ["a"]} {
  %g = pyarray.closure @g(%a) : (!pyarray.any) -> !pyarray.any
  %apply = pyarray.callable @apply -> !pyarray.any
  %0 = pyarray.apply %apply(%g) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}
func.func @apply(%f: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["f"]} {
  %one = pyarray.constant 1 : si64 -> !pyarray.any
  %0 = pyarray.apply %f(%one) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}
func.func @g(%a: !pyarray.any, %x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "x"], pyarray.kinds = "cp"} {
  %0 = pyarray.binary add %x, %a : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

// A function that Python passed is known by its number.
// CHECK-LABEL: func.func @passed$0(%{{.*}}: tuple<>) -> si64
// CHECK: pyarray.call @h$0(
func.func @passed(%f: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.tagged<"passed", "7", tuple<>>) -> ()], pyarray.params = ["f"]} {
  %one = pyarray.constant 1 : si64 -> !pyarray.any
  %0 = pyarray.apply %f(%one) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}
func.func @h(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x"], pyarray.passed = "7"} {
  return %x : !pyarray.any
}
