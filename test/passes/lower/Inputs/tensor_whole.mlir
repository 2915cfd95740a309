#id = affine_map<(i) -> (i)>
func.func @scaled(%a: !pyarray.array<?xf64, C>, %x: f64) -> !pyarray.array<?xf64, C> attributes {pyarray.entry} {
  %t = pyarray.to_tensor %a : !pyarray.array<?xf64, C> to tensor<?xf64>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %t, %c0 : tensor<?xf64>
  %e = tensor.empty(%n) : tensor<?xf64>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%t : tensor<?xf64>) outs(%e : tensor<?xf64>) {
  ^bb0(%p: f64, %o: f64):
    %q = arith.mulf %p, %x : f64
    linalg.yield %q : f64
  } -> tensor<?xf64>
  %b = pyarray.from_tensor %r : tensor<?xf64> to !pyarray.array<?xf64, C>
  func.return %b : !pyarray.array<?xf64, C>
}
