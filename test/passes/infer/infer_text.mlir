// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file | FileCheck %s

// Operators on text become builtins, comparisons stay.
// CHECK-LABEL: func.func @operators$0(%arg0: !pyarray.str, %arg1: si64)
// CHECK: %[[A:.*]] = pyarray.builtin "str.concat"(%arg0, %{{.*}}) : (!pyarray.str, !pyarray.str) -> !pyarray.str
// CHECK: %[[B:.*]] = pyarray.builtin "str.repeat"(%[[A]], %arg1) : (!pyarray.str, si64) -> !pyarray.str
// CHECK: pyarray.compare lt %arg0, %[[B]] : (!pyarray.str, !pyarray.str) -> i1
// CHECK: %[[IN:.*]] = pyarray.builtin "str.contains"(%[[B]], %arg0) : (!pyarray.str, !pyarray.str) -> i1
// CHECK: pyarray.unary not %[[IN]]
func.func @operators(%s: !pyarray.any, %n: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["s", "n"], pyarray.instantiate = [(!pyarray.str, si64) -> ()]} {
  %x = pyarray.constant "x" -> !pyarray.any
  %a = pyarray.binary add %s, %x : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %b = pyarray.binary mul %n, %a : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %less = pyarray.compare lt %s, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %in = pyarray.compare notin %s, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %t = pyarray.tuple %less, %in : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %t : !pyarray.any
}

// -----

// Bounds and counts that were left out are filled in; a separator that was is 0.
// CHECK-LABEL: func.func @methods$0
// CHECK: %[[START:.*]] = pyarray.constant 0 : si64
// CHECK: %[[STOP:.*]] = pyarray.constant 9223372036854775807 : si64
// CHECK: pyarray.builtin "str.find"(%arg0, %arg0, %[[START]], %[[STOP]]) : (!pyarray.str, !pyarray.str, si64, si64) -> si64
// CHECK: pyarray.builtin "str.split"(%arg0, %{{.*}}, %{{.*}}) : (!pyarray.str, si64, si64) -> !pyarray.list<!pyarray.str>
func.func @methods(%s: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["s"], pyarray.instantiate = [(!pyarray.str) -> ()]} {
  %a = pyarray.method %s "find"(%s) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %b = pyarray.method %s "split"() : (!pyarray.any) -> !pyarray.any
  %t = pyarray.tuple %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %t : !pyarray.any
}

// -----

// A default that was left out is a literal, which the entry is not given.
// CHECK-LABEL: func.func @omitted$0(%arg0: !pyarray.str, %arg1: !pyarray.str)
// CHECK-SAME: pyarray.omitted = [1]
// CHECK: %[[LITERAL:.*]] = pyarray.constant "end" -> !pyarray.str
// CHECK: pyarray.builtin "str.concat"(%arg0, %[[LITERAL]])
func.func @omitted(%s: !pyarray.any, %t: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["s", "t"], pyarray.defaults = ["end"], pyarray.instantiate = [(!pyarray.str, !pyarray.any) -> ()]} {
  %0 = pyarray.binary add %s, %t : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}
