// Vectors of CUDA's are tuples with a tag; a whole one is read and stored at once.
// RUN: pyarray-opt %s --pass-pipeline='builtin.module(pyarray-infer-types)' | FileCheck %s

// CHECK-LABEL: func.func @f$0(%arg0: !pyarray.array<?x16xui8, C>, %arg1: tuple<f32, f32>)
// CHECK-SAME: pyarray.signature = (!pyarray.tagged<"records", "x(ffff)", !pyarray.array<?x16xui8, C>>, !pyarray.tagged<"vector", "x(ff)", tuple<f32, f32>>)
// CHECK: %[[R:.*]] = pyarray.getitem %arg0[%{{.*}}] : (!pyarray.array<?x16xui8, C>, si64) -> !pyarray.array<16xui8, C>
// CHECK: %[[V:.*]] = pyarray.builtin "pyarray.vector_load"(%[[R]], %{{.*}}, %{{.*}}) : (!pyarray.array<16xui8, C>, si64, si64) -> tuple<f32, f32, f32, f32>
// CHECK: %[[E:.*]]:4 = pyarray.unpack %[[V]]
// CHECK: %[[G:.*]]:2 = pyarray.unpack %arg1
// CHECK: %[[N:.*]] = pyarray.tuple %[[G]]#0, %[[G]]#1, %[[E]]#3, %{{.*}} : (f32, f32, f32, f32) -> tuple<f32, f32, f32, f32>
// CHECK: pyarray.builtin "pyarray.vector_store"(%{{.*}}, %{{.*}}, %{{.*}}, %[[N]]) : (!pyarray.array<16xui8, C>, si64, si64, tuple<f32, f32, f32, f32>) -> !pyarray.none
func.func @f(%a: !pyarray.any, %v: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "v"], pyarray.qualname = "f", pyarray.options = {target = "cuda"}, pyarray.instantiate = [(!pyarray.tagged<"records", "x(ffff)", !pyarray.array<?x16xui8, C>>, !pyarray.tagged<"vector", "x(ff)", tuple<f32, f32>>) -> ()]} {
  %0 = pyarray.constant 0 : si64 -> !pyarray.any
  %1 = pyarray.getitem %a[%0] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %2 = pyarray.getattr %1 "w" : (!pyarray.any) -> !pyarray.any
  %3 = pyarray.callable "cuda.float32x4" -> !pyarray.any
  %4 = pyarray.apply %3(%v, %2, %0) : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  pyarray.setitem %a[%0] = %4 : (!pyarray.any, !pyarray.any, !pyarray.any) -> ()
  return %0 : !pyarray.any
}
