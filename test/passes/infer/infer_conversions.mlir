// RUN: pyarray-opt %s --pyarray-infer-types | pyarray-opt | FileCheck %s
// An instance becomes the number that a subscript or a builtin needs.
module attributes {pyarray.classes = {
    "m:P#0" = {fields = ["x"], types = tuple<si64>, methods = {__index__ = @__index__, __float__ = @__float__}}}} {
  func.func @__index__(%p: !pyarray.any) -> !pyarray.any {
    %x = pyarray.getattr %p "x" : (!pyarray.any) -> !pyarray.any
    return %x : !pyarray.any
  }
  func.func @__float__(%p: !pyarray.any) -> !pyarray.any {
    %f = pyarray.constant 1.5 : f64 -> !pyarray.any
    return %f : !pyarray.any
  }

  // CHECK-LABEL: func.func @f$0(%arg0: !pyarray.list<f64>, %arg1: !pyarray.object<"m:P#0">)
  // CHECK: %[[I:.*]] = pyarray.call @builtins.index_of$0(%arg1)
  // CHECK: pyarray.call @operator.getitem$0(%arg0, %[[I]])
  // CHECK: %[[R:.*]] = pyarray.call @builtins.float_of$0(%arg1)
  // CHECK: pyarray.builtin "math.sqrt"(%[[R]])
  // CHECK: %[[N:.*]] = pyarray.call @builtins.index_of$0(%arg1)
  // CHECK: pyarray.builtin "builtins.range"({{.*}}%[[N]]
  func.func @f(%l: !pyarray.any, %p: !pyarray.any) -> !pyarray.any
      attributes {pyarray.instantiate = [(!pyarray.list<f64>, !pyarray.object<"m:P#0">) -> ()]} {
    %item = pyarray.getitem %l[%p] : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %sqrt = pyarray.callable "math.sqrt" -> !pyarray.any
    %root = pyarray.apply %sqrt(%p) : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %range = pyarray.callable "builtins.range" -> !pyarray.any
    %r = pyarray.apply %range(%p) : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %all = pyarray.tuple %item, %root, %r : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
    return %all : !pyarray.any
  }
}
