// RUN: pyarray-opt %s --pyarray-lower-linalg --split-input-file --verify-diagnostics

#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
func.func @reduction(%a: memref<?xf64>, %o: memref<f64>) {
  // expected-error@+1 {{'linalg.generic' with iterators that are not parallel, or maps that are not parts of permutations}}
  linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]} ins(%a : memref<?xf64>) outs(%o : memref<f64>) {
  ^bb0(%x: f64, %y: f64):
    %0 = arith.maximumf %x, %y : f64
    linalg.yield %0 : f64
  }
  return
}
