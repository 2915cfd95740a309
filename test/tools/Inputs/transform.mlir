// The transform dialect tiles an operation.
// CHECK-LABEL: func.func @fill
// CHECK: scf.for
// CHECK: linalg.fill
module attributes {transform.with_named_sequence} {
  func.func @fill(%x: f64, %m: memref<64xf64>) {
    linalg.fill ins(%x : f64) outs(%m : memref<64xf64>)
    func.return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %fill tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
