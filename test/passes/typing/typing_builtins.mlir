// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file | FileCheck %s

// A uint64 argument of range is handed over twice: as int64, and as it is, to be checked.
// CHECK-LABEL: func.func @range$0(%arg0: ui64)
// CHECK: %[[N:.*]] = pyarray.cast %arg0 : ui64 to si64
// CHECK: pyarray.builtin "builtins.range"(%{{.*}}, %[[N]], %{{.*}}, %arg0) : (si64, si64, si64, ui64) -> !pyarray.range
func.func @range(%n: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["n"], pyarray.instantiate = [(ui64) -> ()]} {
  %f = pyarray.callable "builtins.range" -> !pyarray.any
  %r = pyarray.apply %f(%n) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %r : !pyarray.any
}

// -----

// The least of an int64 and a uint64 fits int64, the greatest uint64.
// CHECK-LABEL: func.func @least$0(%arg0: si64, %arg1: ui64)
// CHECK: pyarray.builtin "builtins.min"(%arg0, %arg1) : (si64, ui64) -> si64
// CHECK: pyarray.builtin "builtins.max"(%arg1, %arg0) : (ui64, si64) -> ui64
func.func @least(%i: !pyarray.any, %u: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["i", "u"], pyarray.instantiate = [(si64, ui64) -> ()]} {
  %min = pyarray.callable "builtins.min" -> !pyarray.any
  %max = pyarray.callable "builtins.max" -> !pyarray.any
  %0 = pyarray.apply %min(%i, %u) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  %1 = pyarray.apply %max(%u, %i) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  %2 = pyarray.tuple %0, %1 : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %2 : !pyarray.any
}

// -----

// The dtype of carray is the pointer's, or is given for void *; extents follow the pointer.
// CHECK-LABEL: func.func @foreign$0(%arg0: !pyarray.pointer<f32>, %arg1: !pyarray.pointer<!pyarray.none>, %arg2: si64)
// CHECK: pyarray.builtin "pyarray.carray"(%arg0, %arg2) : (!pyarray.pointer<f32>, si64) -> !pyarray.array<?xf32, C>
// CHECK: pyarray.builtin "pyarray.farray"(%arg1, %{{.*}}, %{{.*}}) : (!pyarray.pointer<!pyarray.none>, si64, si64) -> !pyarray.array<?x?xsi16, F>
func.func @foreign(%p: !pyarray.any, %q: !pyarray.any, %n: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["p", "q", "n"], pyarray.instantiate = [(!pyarray.pointer<f32>, !pyarray.pointer<!pyarray.none>, si64) -> ()]} {
  %carray = pyarray.callable "pyarray.carray" -> !pyarray.any
  %farray = pyarray.callable "pyarray.farray" -> !pyarray.any
  %dtype = pyarray.callable "numpy.int16" -> !pyarray.any
  %0 = pyarray.apply %carray(%p, %n) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  %shape = pyarray.tuple %n, %n : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %1 = pyarray.apply %farray(%q, %shape, %dtype) kw ["dtype"] : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  %2 = pyarray.tuple %0, %1 : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %2 : !pyarray.any
}

// -----

// Functions are computed in float32, and what they give is rounded; those with one exact value in float16.
// CHECK-LABEL: func.func @functions$0(%arg0: f16)
// CHECK: %[[W:.*]] = pyarray.cast %arg0 : f16 to f32
// CHECK: %[[S:.*]] = pyarray.builtin "math.sin"(%[[W]]) : (f32) -> f32
// CHECK: %[[R:.*]] = pyarray.cast %[[S]] : f32 to f16
// CHECK: pyarray.builtin "numpy.nextafter"(%arg0, %[[R]]) : (f16, f16) -> f16
// CHECK: pyarray.builtin "numpy.isnan"(%arg0) : (f16) -> i1
func.func @functions(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(f16) -> ()], pyarray.params = ["x"]} {
  %sin = pyarray.callable "math.sin" -> !pyarray.any
  %next = pyarray.callable "numpy.nextafter" -> !pyarray.any
  %isnan = pyarray.callable "numpy.isnan" -> !pyarray.any
  %0 = pyarray.apply %sin(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %1 = pyarray.apply %next(%x, %0) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  %2 = pyarray.apply %isnan(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %all = pyarray.tuple %0, %1, %2 : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %all : !pyarray.any
}
