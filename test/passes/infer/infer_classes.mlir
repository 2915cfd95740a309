// RUN: pyarray-opt %s --pyarray-infer-types | FileCheck %s
// Fields, methods, properties, operators and constants of instances; None is taken out of optional values.

module attributes {pyarray.classes = {"m:P#0" = {
    fields = ["x", "next"], types = tuple<f64, !pyarray.optional<!pyarray.object<"m:P#0">>>, new = @P, constants = {K = 3 : si64},
    methods = {__init__ = @P.__init__, __add__ = @P.__add__, __len__ = @P.__len__}, getters = {twice = @P.twice}}}} {

  // CHECK-LABEL: func.func @use$0(
  // CHECK-SAME: %[[P:.*]]: !pyarray.object<"m:P#0">)
  // CHECK: %[[X:.*]] = pyarray.getfield %[[P]] "x" : (!pyarray.object<"m:P#0">) -> f64
  // CHECK: pyarray.call @P.twice$0(%[[P]])
  // CHECK: %[[Y:.*]] = pyarray.cast %{{.*}} : si64 to f64
  // CHECK: pyarray.setattr %[[P]] "x" = %[[Y]]
  // CHECK: %[[N:.*]] = pyarray.getfield %[[P]] "next"
  // CHECK: %[[NONE:.*]] = pyarray.builtin "optional.is_none"(%[[N]])
  // CHECK: scf.if %[[NONE]]
  // CHECK: pyarray.raise "AttributeError"
  // CHECK: %[[V:.*]] = pyarray.builtin "optional.value"(%[[N]])
  // CHECK: pyarray.getfield %[[V]] "x"
  // CHECK: %[[Q:.*]] = pyarray.call @P$0(
  // CHECK: pyarray.call @P.__add__$0(%[[P]], %[[Q]])
  // CHECK: %[[L:.*]] = pyarray.call @P.__len__$0
  // CHECK: pyarray.cast %[[L]] : si64 to i1
  func.func @use(%p: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.object<"m:P#0">) -> ()]} {
    %x = pyarray.getattr %p "x" : (!pyarray.any) -> !pyarray.any
    %t = pyarray.getattr %p "twice" : (!pyarray.any) -> !pyarray.any
    %k = pyarray.getattr %p "K" : (!pyarray.any) -> !pyarray.any
    pyarray.setattr %p "x" = %k : (!pyarray.any, !pyarray.any) -> ()
    %n = pyarray.getattr %p "next" : (!pyarray.any) -> !pyarray.any
    %y = pyarray.getattr %n "x" : (!pyarray.any) -> !pyarray.any
    %c = pyarray.callable "m:P#0" -> !pyarray.any
    %q = pyarray.apply %c(%y) : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %s = pyarray.binary add %p, %q : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %b = pyarray.truth %s : !pyarray.any
    %r = scf.if %b -> !pyarray.any {
      scf.yield %x : !pyarray.any
    } else {
      scf.yield %t : !pyarray.any
    }
    return %r : !pyarray.any
  }
  func.func @P(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x"]} {
    %self = pyarray.new "m:P#0" : !pyarray.any
    %0 = pyarray.method %self "__init__"(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
    return %self : !pyarray.any
  }
  func.func @P.__init__(%self: !pyarray.any, %x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["self", "x"]} {
    pyarray.setattr %self "x" = %x : (!pyarray.any, !pyarray.any) -> ()
    %0 = pyarray.constant unit -> !pyarray.any
    return %0 : !pyarray.any
  }
  func.func @P.__add__(%self: !pyarray.any, %other: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["self", "other"]} {
    return %other : !pyarray.any
  }
  func.func @P.__len__(%self: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["self"]} {
    %0 = pyarray.constant 2 : si64 -> !pyarray.any
    return %0 : !pyarray.any
  }
  func.func @P.twice(%self: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["self"]} {
    %x = pyarray.getattr %self "x" : (!pyarray.any) -> !pyarray.any
    %0 = pyarray.binary add %x, %x : (!pyarray.any, !pyarray.any) -> !pyarray.any
    return %0 : !pyarray.any
  }
}
