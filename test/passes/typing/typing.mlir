// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file | FileCheck %s

// int64, uint64 and floats keep their types in a comparison, widened; what float64 holds is compared in it.
// CHECK-LABEL: func.func @compare$0(%arg0: si64, %arg1: ui64, %arg2: f32, %arg3: si32)
// CHECK: pyarray.compare lt %arg0, %arg1 : (si64, ui64) -> i1
// CHECK: %[[WIDE:.*]] = pyarray.cast %arg2 : f32 to f64
// CHECK: pyarray.compare lt %arg0, %[[WIDE]] : (si64, f64) -> i1
// CHECK: %[[LONG:.*]] = pyarray.cast %arg3 : si32 to si64
// CHECK: pyarray.compare lt %[[LONG]], %arg1 : (si64, ui64) -> i1
// CHECK: pyarray.compare lt %{{.*}}, %{{.*}} : (f64, f64) -> i1
func.func @compare(%i: !pyarray.any, %u: !pyarray.any, %x: !pyarray.any, %s: !pyarray.any) -> !pyarray.any
    attributes {pyarray.params = ["i", "u", "x", "s"], pyarray.instantiate = [(si64, ui64, f32, si32) -> ()]} {
  %0 = pyarray.compare lt %i, %u : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %1 = pyarray.compare lt %i, %x : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %2 = pyarray.compare lt %s, %u : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %3 = pyarray.compare lt %s, %x : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %4 = pyarray.tuple %0, %1, %2, %3 : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %4 : !pyarray.any
}

// -----

// A literal that float64 holds, and to which no other int is rounded, is compared in float64; 2^53 as a float is not such a one.
// CHECK-LABEL: func.func @literals$0(%arg0: si64, %arg1: f64)
// CHECK: pyarray.compare lt %{{.*}}, %{{.*}} : (f64, f64) -> i1
// CHECK: pyarray.compare lt %{{.*}}, %{{.*}} : (f64, f64) -> i1
// CHECK: pyarray.compare lt %arg0, %{{.*}} : (si64, f64) -> i1
// CHECK: pyarray.compare lt %arg1, %{{.*}} : (f64, si64) -> i1
func.func @literals(%i: !pyarray.any, %x: !pyarray.any) -> !pyarray.any
    attributes {pyarray.params = ["i", "x"], pyarray.instantiate = [(si64, f64) -> ()]} {
  %half = pyarray.constant 2.5 : f64 -> !pyarray.any
  %seven = pyarray.constant 7 : si64 -> !pyarray.any
  %float = pyarray.constant 9007199254740992.0 : f64 -> !pyarray.any
  %int = pyarray.constant 9007199254740993 : si64 -> !pyarray.any
  %0 = pyarray.compare lt %i, %half : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %1 = pyarray.compare lt %x, %seven : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %2 = pyarray.compare lt %i, %float : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %3 = pyarray.compare lt %x, %int : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %4 = pyarray.tuple %0, %1, %2, %3 : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %4 : !pyarray.any
}

// -----

// With integers of one byte float16 stays float16, as in NumPy; larger ones need more.
// CHECK-LABEL: func.func @promotion$0(%arg0: f16, %arg1: si8, %arg2: ui16, %arg3: si32, %arg4: complex<f32>)
// CHECK: %[[B:.*]] = pyarray.cast %arg1 : si8 to f16
// CHECK: pyarray.binary add %arg0, %[[B]] : (f16, f16) -> f16
// CHECK: pyarray.binary add %{{.*}}, %{{.*}} : (f32, f32) -> f32
// CHECK: pyarray.binary truediv %{{.*}}, %{{.*}} : (f64, f64) -> f64
// CHECK: pyarray.binary mul %{{.*}}, %arg4 : (complex<f32>, complex<f32>) -> complex<f32>
// CHECK: %[[W:.*]] = pyarray.cast %arg0 : f16 to f64
// CHECK: pyarray.binary mul %[[W]], %{{.*}} : (f64, f64) -> f64
func.func @promotion(%h: !pyarray.any, %b: !pyarray.any, %u: !pyarray.any, %i: !pyarray.any, %z: !pyarray.any) -> !pyarray.any
    attributes {pyarray.instantiate = [(f16, si8, ui16, si32, complex<f32>) -> ()], pyarray.params = ["h", "b", "u", "i", "z"]} {
  %0 = pyarray.binary add %h, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %1 = pyarray.binary add %h, %u : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %2 = pyarray.binary truediv %h, %i : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %3 = pyarray.binary mul %h, %z : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %half = pyarray.constant 0.5 : f64 -> !pyarray.any
  %4 = pyarray.binary mul %h, %half : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %all = pyarray.tuple %0, %1, %2, %3, %4 : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %all : !pyarray.any
}
