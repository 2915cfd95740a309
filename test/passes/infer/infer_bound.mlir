// RUN: split-file %s %t
// RUN: pyarray-opt %t/object.mlir --pyarray-infer-types | pyarray-opt | FileCheck %s --check-prefix=OBJECT
// RUN: pyarray-opt %t/class.mlir --pyarray-infer-types | pyarray-opt | FileCheck %s --check-prefix=CLASS
// RUN: not pyarray-opt %t/unknown.mlir --pyarray-infer-types 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// A method of an object is a function that has captured it, one of a class a function whose first argument is the object.

//--- object.mlir
// OBJECT: %[[F:.*]] = pyarray.tuple %{{.*}} : (!pyarray.list<f64>) -> tuple<!pyarray.list<f64>>
// OBJECT: %[[L:.*]] = pyarray.unpack %[[F]]
// OBJECT: pyarray.call @"bound pop$0"(%[[L]], %{{.*}}, %{{.*}}) : (!pyarray.list<f64>, tuple<si64>, tuple<>) -> f64
// OBJECT: func.func private @"bound pop$0"(%[[SELF:.*]]: !pyarray.list<f64>
// OBJECT: pyarray.builtin "list.pop"(%[[SELF]], %{{.*}})
func.func @f(%l: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.list<f64>) -> ()]} {
  %f = pyarray.getattr %l "pop" : (!pyarray.any) -> !pyarray.any
  %0 = pyarray.constant 0 : si64 -> !pyarray.any
  %r = pyarray.apply %f(%0) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %r : !pyarray.any
}

//--- class.mlir
// CLASS: pyarray.call @builtins.str.upper$0(%{{.*}}, %{{.*}}, %{{.*}}) : (!pyarray.str, tuple<>, tuple<>) -> !pyarray.str
// CLASS: func.func private @builtins.str.upper$0(%[[S:.*]]: !pyarray.str
// CLASS: pyarray.builtin "str.upper"(%[[S]])
func.func @f(%s: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.str) -> ()]} {
  %str = pyarray.callable "builtins.str" -> !pyarray.any
  %f = pyarray.getattr %str "upper" : (!pyarray.any) -> !pyarray.any
  %r = pyarray.apply %f(%s) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %r : !pyarray.any
}

//--- unknown.mlir
// UNKNOWN: error: unknown attribute 'push'
func.func @f(%l: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.list<f64>) -> ()]} {
  %f = pyarray.getattr %l "push" : (!pyarray.any) -> !pyarray.any
  return %f : !pyarray.any
}
