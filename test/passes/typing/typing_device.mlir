// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file | FileCheck %s

// A row "@" of the table is a value; grid gives as many numbers as it is asked for.
// CHECK-LABEL: func.func @f$0
// CHECK: pyarray.builtin "cuda.threadIdx.x"() : () -> si32
// CHECK: pyarray.builtin "cuda.grid"() : () -> si64
// CHECK: pyarray.builtin "cuda.gridsize"() : () -> tuple<si64, si64, si64>
// CHECK: pyarray.constant 32 : si32
func.func @f() -> !pyarray.any attributes {pyarray.instantiate = [() -> ()], pyarray.options = {target = "cuda"}} {
  %x = pyarray.callable "cuda.threadIdx.x" -> !pyarray.any
  %0 = pyarray.apply %x() : (!pyarray.any) -> !pyarray.any
  %grid = pyarray.callable "cuda.grid" -> !pyarray.any
  %one = pyarray.constant 1 : si64 -> !pyarray.any
  %1 = pyarray.apply %grid(%one) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %size = pyarray.callable "cuda.gridsize" -> !pyarray.any
  %three = pyarray.constant 3 : si64 -> !pyarray.any
  %2 = pyarray.apply %size(%three) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %warp = pyarray.callable "cuda.warpsize" -> !pyarray.any
  %3 = pyarray.apply %warp() : (!pyarray.any) -> !pyarray.any
  %all = pyarray.tuple %0, %1, %2, %3 : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %all : !pyarray.any
}

// -----

// Masks and lanes are int32; a small integer moves as one; a predicate is a bool.
// CHECK-LABEL: func.func @f$0(%arg0: si8, %arg1: f32)
// CHECK: %[[SMALL:.*]] = pyarray.cast %arg0 : si8 to si32
// CHECK: pyarray.builtin "cuda.shfl_sync"(%{{.*}}, %[[SMALL]], %{{.*}}) : (si32, si32, si32) -> si32
// CHECK: %[[TRUE:.*]] = pyarray.cast %arg1 : f32 to i1
// CHECK: pyarray.builtin "cuda.all_sync"(%{{.*}}, %[[TRUE]]) : (si32, i1) -> i1
// CHECK: pyarray.builtin "cuda.match_all_sync"(%{{.*}}, %arg1) : (si32, f32) -> tuple<si32, i1>
// CHECK: pyarray.builtin "cuda.syncwarp"(%{{.*}}) : (si32) -> !pyarray.none
func.func @f(%a: !pyarray.any, %x: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(si8, f32) -> ()], pyarray.options = {target = "cuda"}} {
  %mask = pyarray.constant 4294967295 : si64 -> !pyarray.any
  %shfl = pyarray.callable "cuda.shfl_sync" -> !pyarray.any
  %0 = pyarray.apply %shfl(%mask, %a, %mask) : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  %all = pyarray.callable "cuda.all_sync" -> !pyarray.any
  %1 = pyarray.apply %all(%mask, %x) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  %match = pyarray.callable "cuda.match_all_sync" -> !pyarray.any
  %2 = pyarray.apply %match(%mask, %x) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  %sync = pyarray.callable "cuda.syncwarp" -> !pyarray.any
  %3 = pyarray.apply %sync() : (!pyarray.any) -> !pyarray.any
  return %3 : !pyarray.any
}

// -----

// The value of an update has the element's type; a tuple of indices is spread.
// CHECK-LABEL: func.func @f$0
// CHECK: pyarray.builtin "cuda.atomic.add"(%arg0, %{{.*}}, %{{.*}}, %{{.*}}) : (!pyarray.array<?x?xf32, C>, si64, si64, f32) -> f32
// CHECK: pyarray.builtin "cuda.shared.array"(%{{.*}}, %{{.*}}) : (si64, si64) -> !pyarray.array<?x?xf64, C>
func.func @f(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.array<?x?xf32, C>) -> ()], pyarray.options = {target = "cuda"}} {
  %one = pyarray.constant 1 : si64 -> !pyarray.any
  %at = pyarray.tuple %one, %one : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %add = pyarray.callable "cuda.atomic.add" -> !pyarray.any
  %0 = pyarray.apply %add(%a, %at, %one) : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  %array = pyarray.callable "cuda.shared.array" -> !pyarray.any
  %dtype = pyarray.callable "numpy.float64" -> !pyarray.any
  %1 = pyarray.apply %array(%at, %dtype) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  pyarray.setitem %1[%one, %one] = %one : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> ()
  %none = pyarray.constant unit -> !pyarray.any
  return %none : !pyarray.any
}

// -----

// Numbers become float16; between lanes it is a float32.
// CHECK-LABEL: func.func @device$0(%arg0: f16, %arg1: f64)
// CHECK: %[[H:.*]] = pyarray.cast %arg1 : f64 to f16
// CHECK: pyarray.builtin "cuda.fp16.hadd"(%arg0, %[[H]]) : (f16, f16) -> f16
// CHECK: %[[W:.*]] = pyarray.cast %arg0 : f16 to f32
// CHECK: %[[S:.*]] = pyarray.builtin "cuda.shfl_sync"(%{{.*}}, %[[W]], %{{.*}}) : (si32, f32, si32) -> f32
// CHECK: pyarray.cast %[[S]] : f32 to f16
func.func @device(%x: !pyarray.any, %y: !pyarray.any) -> !pyarray.any
    attributes {pyarray.instantiate = [(f16, f64) -> ()], pyarray.options = {target = "cuda"}, pyarray.params = ["x", "y"]} {
  %one = pyarray.constant 1 : si64 -> !pyarray.any
  %add = pyarray.callable "cuda.fp16.hadd" -> !pyarray.any
  %shfl = pyarray.callable "cuda.shfl_sync" -> !pyarray.any
  %0 = pyarray.apply %add(%x, %y) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  %1 = pyarray.apply %shfl(%one, %x, %one) : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  %all = pyarray.tuple %0, %1 : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %all : !pyarray.any
}
