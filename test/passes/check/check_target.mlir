// RUN: pyarray-opt %s --pyarray-check-target --split-input-file --verify-diagnostics

func.func @parallel(%n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
  }
  // expected-error@+1 {{'scf.parallel' is left; pyarray-split-grid or pyarray-map-grid spreads its iterations}}
  scf.parallel (%i) = (%zero) to (%n) step (%one) {
    scf.reduce
  }
  return
}

// -----

func.func @whole(%x: si64) {
  // expected-error@+1 {{'pyarray.unary' survived the lowering}}
  %0 = pyarray.unary neg %x : (si64) -> si64
  return
}

// -----

#id = affine_map<(i) -> (i)>
func.func @linalg(%a: memref<?xf64>, %o: memref<?xf64>) {
  // expected-error@+1 {{'linalg.generic' is left; pyarray-lower-linalg makes loops of it}}
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<?xf64>) outs(%o : memref<?xf64>) {
  ^bb0(%x: f64, %y: f64):
    // expected-error@+1 {{'linalg.yield' is left; pyarray-lower-linalg makes loops of it}}
    linalg.yield %x : f64
  }
  return
}
