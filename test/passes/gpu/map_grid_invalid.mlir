// RUN: pyarray-opt %s --pyarray-map-grid --split-input-file --verify-diagnostics

func.func @begins_late(%n: index, %v: f32, %x: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  // expected-error @below {{a loop with pyarray.grid counts from 0 by 1 and has no results}}
  scf.parallel (%i) = (%c1) to (%n) step (%c1) {
    memref.store %v, %x[%i] : memref<?xf32>
    scf.reduce
  } {pyarray.grid}
  return
}

// -----

func.func @reduces(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{a loop with pyarray.grid counts from 0 by 1 and has no results}}
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%v) -> f32 {
    scf.reduce(%v : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }
  } {pyarray.grid}
  return %r : f32
}
