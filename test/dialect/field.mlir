// RUN: pyarray-opt %s | pyarray-opt | FileCheck %s

// CHECK-LABEL: func.func @views
func.func @views(%a: !pyarray.array<?x48xui8, C>, %r: !pyarray.array<48xui8, C, readonly>) {
  // CHECK: pyarray.field %{{.*}} at 8 : !pyarray.array<?x48xui8, C> -> !pyarray.array<?xf64, A>
  %0 = pyarray.field %a at 8 : !pyarray.array<?x48xui8, C> -> !pyarray.array<?xf64, A>
  // CHECK: pyarray.field %{{.*}} at 0 shape [2, 3] : !pyarray.array<48xui8, C, readonly> -> !pyarray.array<?x?xf64, C, readonly>
  %1 = pyarray.field %r at 0 shape [2, 3] : !pyarray.array<48xui8, C, readonly> -> !pyarray.array<?x?xf64, C, readonly>
  // CHECK: pyarray.field %{{.*}} at 40 : !pyarray.array<?x48xui8, C> -> !pyarray.array<?x8xui8, A>
  %2 = pyarray.field %a at 40 : !pyarray.array<?x48xui8, C> -> !pyarray.array<?x8xui8, A>
  return
}

// CHECK-LABEL: func.func private @tags
// CHECK-SAME: !pyarray.tagged<"records", "{16,x@0:d,y@8:q}", !pyarray.array<?x16xui8, C>>
func.func private @tags(!pyarray.tagged<"records", "{16,x@0:d,y@8:q}", !pyarray.array<?x16xui8, C>>)
