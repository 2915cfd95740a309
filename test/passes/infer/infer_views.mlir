// RUN: pyarray-opt %s --pyarray-infer-types | pyarray-opt | FileCheck %s
// A comparison of a view of a dict is a call of the library; `>=` is `<=` of the two the other way round.

// CHECK: %[[K:.*]] = pyarray.tuple %arg0
// CHECK: pyarray.call @containers.subset$0(%arg1, %[[K]]) : (!pyarray.set<!pyarray.str>, tuple<!pyarray.dict<!pyarray.str, f64>>) -> i1
func.func @f(%d: !pyarray.any, %s: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.dict<!pyarray.str, f64>, !pyarray.set<!pyarray.str>) -> ()]} {
  %k = pyarray.method %d "keys"() : (!pyarray.any) -> !pyarray.any
  %r = pyarray.compare ge %k, %s : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %r : !pyarray.any
}
