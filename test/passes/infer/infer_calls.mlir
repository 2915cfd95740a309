// RUN: pyarray-opt %s --pyarray-infer-types | FileCheck %s

// A C callback is called with the types of its signature, and its result has the type of its signature.
// CHECK-LABEL: func.func @caller$0(%arg0: si32) -> f32
// CHECK:         %[[X:.*]] = pyarray.cast %arg0 : si32 to f64
// CHECK:         %[[R:.*]] = pyarray.call @half$0(%[[X]]) : (f64) -> f32
// CHECK:         return %[[R]]
// CHECK-LABEL: func.func private @half$0(%arg0: f64) -> f32
// CHECK-NOT:     pyarray.declared
func.func @half(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x"], pyarray.declared = (f64) -> f32} {
  %two = pyarray.constant 2 : si64 -> !pyarray.any
  %0 = pyarray.binary truediv %x, %two : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}
func.func @caller(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x"], pyarray.instantiate = [(si32) -> ()]} {
  %f = pyarray.callable @half -> !pyarray.any
  %0 = pyarray.apply %f(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}
