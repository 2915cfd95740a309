// RUN: pyarray-opt %s --pyarray-infer-types | FileCheck %s

// Calls convert to the declared signature with the fewest unsafe, then safe, then promoted arguments, and so does its result.

// CHECK-LABEL: func.func @main
// CHECK-DAG:     %[[WIDE:.*]] = pyarray.cast %{{.*}} : si32 to si64
// CHECK-DAG:     call @double{{.*}}(%[[WIDE]]) : (si64) -> si32
// CHECK-DAG:     call @double{{.*}}(%{{.*}}) : (f32) -> f32
func.func @main(%x: !pyarray.any, %y: !pyarray.any) -> !pyarray.any attributes {
  pyarray.params = ["x", "y"], pyarray.instantiate = [(si32, f32) -> ()]} {
  %f = pyarray.callable @double -> !pyarray.any
  %0 = pyarray.apply %f(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %1 = pyarray.apply %f(%y) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %2 = pyarray.tuple %0, %1 : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %2 : !pyarray.any
}

func.func @double(%x: !pyarray.any) -> !pyarray.any attributes {
  pyarray.params = ["x"], pyarray.declared = [(f32) -> f32, (si64) -> si32, (f64) -> f64]} {
  %0 = pyarray.binary add %x, %x : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}
