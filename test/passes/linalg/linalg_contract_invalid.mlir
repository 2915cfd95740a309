// RUN: not pyarray-opt %s --pyarray-lower-linalg 2>&1 | FileCheck %s

// CHECK: pyarray.contract is a product of linalg that the runtime knows, right after the fill of its output
func.func @no_start(%a: memref<?x?xf64>, %c: memref<?x?xf64>) {
  linalg.matmul {pyarray.contract = "blas"} ins(%a, %a : memref<?x?xf64>, memref<?x?xf64>) outs(%c : memref<?x?xf64>)
  return
}
