// RUN: pyarray-opt %s --pyarray-split-grid --split-input-file --verify-diagnostics

func.func @kind(%n: index, %a: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // expected-error@+1 {{pyarray.private is a reduction of an array, with a pyarray.memory_site}}
    %p = func.call @private(%a) {pyarray.private = "xor", pyarray.memory_site = 2 : i32} : (memref<?xf64>) -> memref<?xf64>
    scf.reduce
  } {pyarray.threads = []}
  return
}
func.func private @private(memref<?xf64>) -> memref<?xf64>

// -----

func.func @site(%n: index, %a: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // expected-error@+1 {{pyarray.private is a reduction of an array, with a pyarray.memory_site}}
    %p = func.call @private(%a) {pyarray.private = "add"} : (memref<?xf64>) -> memref<?xf64>
    scf.reduce
  } {pyarray.threads = []}
  return
}
func.func private @private(memref<?xf64>) -> memref<?xf64>
