// Level 4 of products is linalg, which stock passes lower.

// RUN: pyarray-opt %s --pyarray-lower | FileCheck %s
// RUN: pyarray-opt %s --pyarray-lower | pyarray-opt
// RUN: pyarray-opt %s --pyarray-lower | mlir-opt --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(convert-linalg-to-loops),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-complex-to-standard,finalize-memref-to-llvm{use-generic-functions=true},convert-to-llvm{allow-pattern-rollback=false},reconcile-unrealized-casts)' | FileCheck %s --check-prefix=STOCK

!A1 = !pyarray.array<?xf64, A>
!C2 = !pyarray.array<?x?xf64, C>
!A3 = !pyarray.array<?x?x?xf64, A>
!A4 = !pyarray.array<?x?x?x?xf64, A>
!I2 = !pyarray.array<?x?xsi32, C>
!B1 = !pyarray.array<?xi1, C>
!B2 = !pyarray.array<?x?xi1, C>
!Z1 = !pyarray.array<?xcomplex<f64>, C>

// STOCK-NOT: linalg.
// STOCK: llvm.fmul

// CHECK-LABEL: func.func @matrices
// CHECK: linalg.fill {pyarray.contract = "start"} ins(%{{.*}} : f64) outs(%arg4 : memref<?x?xf64, strided<[?, 1], offset: ?>>)
// CHECK-NEXT: linalg.matmul {pyarray.contract = "blas"} ins(%arg0, %arg2 : {{.*}}) outs(%arg4 : {{.*}})
func.func @matrices(%a: !C2, %b: !C2, %o: !C2) {
  pyarray.contract "mk,kn->mn" ins(%a, %b : !C2, !C2) outs(%o : !C2) expanded
  return
}

// CHECK-LABEL: func.func @added
// CHECK-NOT: linalg.fill
// CHECK: linalg.matmul {pyarray.contract = "adds"} ins(%arg0, %arg2 : {{.*}}) outs(%arg4 : {{.*}})
func.func @added(%a: !C2, %b: !C2, %o: !C2) {
  pyarray.contract "mk,kn->mn" ins(%a, %b : !C2, !C2) outs(%o : !C2) expanded adds
  return
}

// CHECK-LABEL: func.func @integers
// CHECK: linalg.fill {pyarray.contract = "start"} ins(%{{.*}} : i32)
// CHECK: linalg.matmul {pyarray.contract = "loops"}
func.func @integers(%a: !I2, %o: !I2) {
  pyarray.contract "mk,kn->mn" ins(%a, %a : !I2, !I2) outs(%o : !I2) expanded
  return
}

// CHECK-LABEL: func.func @bools
// CHECK: linalg.generic {indexing_maps = [#[[MK:.*]], #[[K:.*]], #[[M:.*]]], iterator_types = ["parallel", "reduction"]} {{.*}} attrs = {pyarray.contract = "loops"} {
// CHECK:   arith.andi
// CHECK:   arith.ori
func.func @bools(%a: !B2, %x: !B1, %o: !B1) {
  pyarray.contract "mk,k->m" ins(%a, %x : !B2, !B1) outs(%o : !B1) expanded
  return
}

// The last loop dimension is that of a batch_matmul.
// CHECK-LABEL: func.func @stacks
// CHECK: scf.for %[[I:.*]] =
// CHECK:   %[[AT:.*]] = arith.index_cast %{{.*}} : i64 to index
// CHECK:   memref.subview %arg0[%[[AT]], 0, 0, 0]
// CHECK:   linalg.fill
// CHECK:   linalg.batch_matmul {pyarray.contract = "blas"}
// CHECK: }
func.func @stacks(%a: !A4, %b: !A4, %o: !A4) {
  pyarray.contract "...mk,...kn->...mn" ins(%a, %b : !A4, !A4) outs(%o : !A4) expanded
  return
}

// CHECK-LABEL: func.func @vectors
// CHECK: linalg.matvec {pyarray.contract = "blas"}
// CHECK: linalg.vecmat {pyarray.contract = "blas"}
func.func @vectors(%a: !C2, %x: !A1, %o: !A1) {
  pyarray.contract "mk,k->m" ins(%a, %x : !C2, !A1) outs(%o : !A1) expanded
  pyarray.contract "k,kn->n" ins(%x, %a : !A1, !C2) outs(%o : !A1) expanded
  return
}

// CHECK-LABEL: func.func @number
// CHECK: %[[S:.*]] = memref.alloca() : memref<complex<f64>>
// CHECK: linalg.fill {pyarray.contract = "start"} ins(%{{.*}} : complex<f64>) outs(%[[S]] : memref<complex<f64>>)
// CHECK: linalg.dot {pyarray.contract = "blas"} ins(%arg0, %arg0 : {{.*}}) outs(%[[S]] : memref<complex<f64>>)
// CHECK: %[[R:.*]] = memref.load %[[S]][]
// CHECK: return %{{.*}}, %[[R]]
func.func @number(%x: !Z1) -> complex<f64> {
  %0 = pyarray.contract "k,k->" ins(%x, %x : !Z1, !Z1) expanded -> complex<f64>
  return %0 : complex<f64>
}
