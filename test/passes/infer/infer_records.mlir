// Operations on records become operations on their bytes.
// RUN: pyarray-opt %s --pass-pipeline='builtin.module(pyarray-infer-types)' | FileCheck %s

// CHECK-LABEL: func.func @f$0(%arg0: !pyarray.array<?x16xui8, C>, %arg1: si64) -> f64
// CHECK-SAME: pyarray.signature = (!pyarray.tagged<"records", "{16,x@0:d,y@8:q}", !pyarray.array<?x16xui8, C>>, si64) -> f64
// CHECK: %[[R:.*]] = pyarray.getitem %arg0[%arg1] : (!pyarray.array<?x16xui8, C>, si64) -> !pyarray.array<16xui8, C>
// CHECK: pyarray.builtin "pyarray.record_load"(%[[R]], %{{.*}}, %{{.*}}) : (!pyarray.array<16xui8, C>, si64, si64) -> f64
// CHECK: pyarray.builtin "pyarray.record_store"(%{{.*}}) : (!pyarray.array<16xui8, C>, si64, si64, si64) -> !pyarray.none
func.func @f(%a: !pyarray.any, %i: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "i"], pyarray.qualname = "f", pyarray.instantiate = [(!pyarray.tagged<"records", "{16,x@0:d,y@8:q}", !pyarray.array<?x16xui8, C>>, si64) -> ()]} {
  %0 = pyarray.getitem %a[%i] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %1 = pyarray.getattr %0 "x" : (!pyarray.any) -> !pyarray.any
  pyarray.setattr %0 "y" = %i : (!pyarray.any, !pyarray.any) -> ()
  return %1 : !pyarray.any
}

// The column of an aligned field is an array of numbers; that of a packed record is one of bytes.
// CHECK-LABEL: func.func @g$0
// CHECK: pyarray.field %arg0 at 0 : !pyarray.array<?x16xui8, C> -> !pyarray.array<?xf64, A>
func.func @g(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.qualname = "g", pyarray.instantiate = [(!pyarray.tagged<"records", "{16,x@0:d,y@8:q}", !pyarray.array<?x16xui8, C>>) -> ()]} {
  %0 = pyarray.constant "x" -> !pyarray.any
  %1 = pyarray.getitem %a[%0] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %1 : !pyarray.any
}

// CHECK-LABEL: func.func @h$0
// CHECK: pyarray.field %arg0 at 1 : !pyarray.array<?x9xui8, C> -> !pyarray.array<?x8xui8, A>
func.func @h(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.qualname = "h", pyarray.instantiate = [(!pyarray.tagged<"records", "{9,x@1:d}", !pyarray.array<?x9xui8, C>>) -> ()]} {
  %0 = pyarray.getattr %a "x" : (!pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}
