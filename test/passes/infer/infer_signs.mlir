// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file | FileCheck %s
// Integers that are known never to be negative, beside uint64, are uint64.

// What is 0 before a loop and a uint64 after it.
// CHECK-LABEL: func.func @sum$0(%arg0: !pyarray.array<?xui64, C>) -> ui64
// CHECK: %[[START:.*]] = pyarray.cast %{{.*}} : si64 to ui64
// CHECK: pyarray.for (%{{.*}}: ui64, %[[S:.*]]: ui64) in %arg0 : !pyarray.array<?xui64, C> iter(%[[START]])
// CHECK: pyarray.binary add %[[S]], %{{.*}} : (ui64, ui64) -> ui64
func.func @sum(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.array<?xui64, C>) -> ()], pyarray.params = ["a"]} {
  %zero = pyarray.constant 0 : si64 -> !pyarray.any
  %r = pyarray.for (%x: !pyarray.any, %s: !pyarray.any) in %a : !pyarray.any iter(%zero) {
    %t = pyarray.binary add %s, %x : (!pyarray.any, !pyarray.any) -> !pyarray.any
    pyarray.yield %t : !pyarray.any
  }
  return %r : !pyarray.any
}

// -----

// A function is compiled for an argument that may be negative, and for one that is not.
// CHECK-LABEL: func.func @caller$0(%arg0: ui64, %arg1: si64) -> tuple<ui64, f64>
// CHECK: pyarray.call @plus$[[NATURAL:[0-9]+]](%arg0, %{{.*}}) : (ui64, si64) -> ui64
// CHECK: pyarray.call @plus$[[ANY:[0-9]+]](%arg0, %arg1) : (ui64, si64) -> f64
// CHECK-DAG: func.func private @plus$[[NATURAL]](%arg0: ui64, %arg1: si64) -> ui64
// CHECK-DAG: func.func private @plus$[[ANY]](%arg0: ui64, %arg1: si64) -> f64
func.func @plus(%x: !pyarray.any, %k: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x", "k"]} {
  %0 = pyarray.binary add %x, %k : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}
func.func @caller(%x: !pyarray.any, %k: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(ui64, si64) -> ()], pyarray.params = ["x", "k"]} {
  %plus = pyarray.callable @plus -> !pyarray.any
  %seven = pyarray.constant 7 : si64 -> !pyarray.any
  %0 = pyarray.apply %plus(%x, %seven) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  %1 = pyarray.apply %plus(%x, %k) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  %2 = pyarray.tuple %0, %1 : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %2 : !pyarray.any
}

// -----

// What counts down is not known to stay above 0, and neither is what is computed of it: a remainder is an int64 on every path.
// CHECK-LABEL: func.func @down$0(%arg0: ui64) -> si64
// CHECK: pyarray.for (%{{.*}}: si64, %[[N:.*]]: si64, %{{.*}}: si64)
// CHECK: pyarray.call @whole.int64_remainder$0(%arg0, %[[N]]) : (ui64, si64) -> si64
func.func @down(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(ui64) -> ()], pyarray.params = ["x"]} {
  %zero = pyarray.constant 0 : si64 -> !pyarray.any
  %one = pyarray.constant 1 : si64 -> !pyarray.any
  %five = pyarray.constant 5 : si64 -> !pyarray.any
  %range = pyarray.callable "builtins.range" -> !pyarray.any
  %times = pyarray.apply %range(%five) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %r:2 = pyarray.for (%i: !pyarray.any, %n: !pyarray.any, %s: !pyarray.any) in %times : !pyarray.any iter(%five, %zero) {
    %rest = pyarray.binary mod %x, %n : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %less = pyarray.binary sub %n, %one : (!pyarray.any, !pyarray.any) -> !pyarray.any
    pyarray.yield %less, %rest : !pyarray.any, !pyarray.any
  }
  return %r#1 : !pyarray.any
}
