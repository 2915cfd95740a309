// RUN: pyarray-opt --pyarray-infer-types --split-input-file %s | FileCheck %s
// A variable that is None on one path is optional; operations take the value out, and None raises.

// CHECK-LABEL: func.func @f$0
// CHECK: %[[X:.*]] = scf.if %{{.*}} -> (!pyarray.optional<si64>)
// CHECK:   pyarray.cast %{{.*}} : si64 to !pyarray.optional<si64>
// CHECK: %[[NONE:.*]] = pyarray.builtin "optional.is_none"(%[[X]])
// CHECK: scf.if %[[NONE]] {
// CHECK:   pyarray.raise "TypeError"
// CHECK: %[[VALUE:.*]] = pyarray.builtin "optional.value"(%[[X]]) : (!pyarray.optional<si64>) -> si64
// CHECK: pyarray.binary add %[[VALUE]], %{{.*}} : (si64, si64) -> si64
func.func @f(%c: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(i1) -> ()], pyarray.params = ["c"]} {
  %one = pyarray.constant 1 : si64 -> !pyarray.any
  %none = pyarray.constant unit -> !pyarray.any
  %0 = pyarray.truth %c : !pyarray.any
  %x = scf.if %0 -> (!pyarray.any) {
    scf.yield %one : !pyarray.any
  } else {
    scf.yield %none : !pyarray.any
  }
  %1 = pyarray.binary add %x, %one : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %1 : !pyarray.any
}

// -----

// None is equal to no value, and false.
// CHECK-LABEL: func.func @equal$0
// CHECK: %[[NONE:.*]] = pyarray.builtin "optional.is_none"
// CHECK: scf.if %[[NONE]] -> (i1) {
// CHECK:   pyarray.constant false
// CHECK: } else {
// CHECK:   pyarray.builtin "optional.value"
// CHECK:   pyarray.compare eq
func.func @equal(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.optional<f64>) -> ()], pyarray.params = ["x"]} {
  %one = pyarray.constant 1 : si64 -> !pyarray.any
  %0 = pyarray.compare eq %x, %one : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

// A result that is declared to be a value: None raises.
// CHECK-LABEL: func.func @declared$0(%arg0: !pyarray.optional<si64>) -> si64
// CHECK: %[[NONE:.*]] = pyarray.builtin "optional.is_none"(%arg0)
// CHECK: scf.if %[[NONE]] {
// CHECK:   pyarray.constant "expected int64, got None"
// CHECK:   pyarray.raise "TypeError"
// CHECK: %[[VALUE:.*]] = pyarray.builtin "optional.value"(%arg0) : (!pyarray.optional<si64>) -> si64
// CHECK: return %[[VALUE]] : si64
func.func @declared(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.optional<si64>) -> (si64)], pyarray.params = ["x"]} {
  return %x : !pyarray.any
}

// -----

// One that is declared to be optional is as it is.
// CHECK-LABEL: func.func @optional$0(%arg0: !pyarray.optional<si64>) -> !pyarray.optional<si64>
// CHECK-NEXT: return %arg0
func.func @optional(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.optional<si64>) -> (!pyarray.optional<si64>)], pyarray.params = ["x"]} {
  return %x : !pyarray.any
}
