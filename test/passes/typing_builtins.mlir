// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file | FileCheck %s

// A uint64 argument of range is handed over twice: as int64, and as it is, to be checked.
// CHECK-LABEL: func.func @range$0(%arg0: ui64)
// CHECK: %[[N:.*]] = pyarray.cast %arg0 : ui64 to si64
// CHECK: pyarray.builtin "builtins.range"(%{{.*}}, %[[N]], %{{.*}}, %arg0) : (si64, si64, si64, ui64) -> !pyarray.range
func.func @range(%n: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["n"], pyarray.instantiate = [(ui64) -> ()]} {
  %f = pyarray.callable "builtins.range" -> !pyarray.any
  %r = pyarray.apply %f(%n) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %0 = pyarray.iter_length %r : (!pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
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
