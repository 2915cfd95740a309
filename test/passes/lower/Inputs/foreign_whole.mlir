func.func @first(%a: !pyarray.array<?xf64, C>, %x: f64) -> f64 attributes {pyarray.entry} {
  %m = builtin.unrealized_conversion_cast %a : !pyarray.array<?xf64, C> to memref<?xf64, strided<[1], offset: ?>>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf64, strided<[1], offset: ?>>
  scf.for %k = %c0 to %n step %c1 {
    memref.store %x, %m[%k] : memref<?xf64, strided<[1], offset: ?>>
  }
  %0 = memref.load %m[%c0] : memref<?xf64, strided<[1], offset: ?>>
  func.return %0 : f64
}
