// RUN: pyarray-opt %s --pyarray-infer-types | pyarray-opt | FileCheck %s
// Containers of instances ask the class; those of a class without __eq__ are compared by the runtime.
module attributes {pyarray.classes = {
    "m:P#0" = {fields = ["x"], types = tuple<si64>, new = @P, methods = {__init__ = @__init__, __eq__ = @__eq__, __lt__ = @__lt__}},
    "m:Q#0" = {fields = ["x"], types = tuple<si64>, new = @Q, methods = {__init__ = @__init__}}}} {
  func.func @__eq__(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"]} {
    %x = pyarray.getattr %a "x" : (!pyarray.any) -> !pyarray.any
    %y = pyarray.getattr %b "x" : (!pyarray.any) -> !pyarray.any
    %e = pyarray.compare eq %x, %y : (!pyarray.any, !pyarray.any) -> !pyarray.any
    return %e : !pyarray.any
  }
  func.func @__lt__(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"]} {
    %x = pyarray.getattr %a "x" : (!pyarray.any) -> !pyarray.any
    %y = pyarray.getattr %b "x" : (!pyarray.any) -> !pyarray.any
    %e = pyarray.compare lt %x, %y : (!pyarray.any, !pyarray.any) -> !pyarray.any
    return %e : !pyarray.any
  }

  // CHECK-LABEL: func.func @own$0
  // CHECK: pyarray.call @containers.in_values$0(%arg0, %arg1)
  // CHECK: %[[EQUAL:.*]] = pyarray.call @containers.equal_lists$0(%arg0, %arg0)
  // CHECK: pyarray.unary not %[[EQUAL]]
  // CHECK: pyarray.call @list.remove_equal$0(%arg0, %arg1)
  // CHECK: pyarray.call @list.sort_by_order$0(%arg0
  // CHECK: pyarray.call @containers.less_tuples$0
  func.func @own(%l: !pyarray.any, %p: !pyarray.any) -> !pyarray.any
      attributes {pyarray.instantiate = [(!pyarray.list<!pyarray.object<"m:P#0">>, !pyarray.object<"m:P#0">) -> ()]} {
    %in = pyarray.compare in %p, %l : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %ne = pyarray.compare ne %l, %l : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %none = pyarray.method %l "remove"(%p) : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %sorted = pyarray.method %l "sort"() : (!pyarray.any) -> !pyarray.any
    %t = pyarray.tuple %p, %in : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %lt = pyarray.compare lt %t, %t : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %all = pyarray.tuple %in, %ne, %lt : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
    return %all : !pyarray.any
  }

  // CHECK-LABEL: func.func @plain$0
  // CHECK-NOT: pyarray.call
  // CHECK: return
  func.func @plain(%l: !pyarray.any, %p: !pyarray.any) -> !pyarray.any
      attributes {pyarray.instantiate = [(!pyarray.list<!pyarray.object<"m:Q#0">>, !pyarray.object<"m:Q#0">) -> ()]} {
    %in = pyarray.compare in %p, %l : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %eq = pyarray.compare eq %l, %l : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %none = pyarray.method %l "remove"(%p) : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %all = pyarray.tuple %in, %eq : (!pyarray.any, !pyarray.any) -> !pyarray.any
    return %all : !pyarray.any
  }
}
