// RUN: pyarray-opt --pyarray-lower --split-input-file --verify-diagnostics %s

// The offset of an array is known when the program runs.
func.func @offset(%a: !pyarray.array<?xf64, C>) -> f64 {
  // expected-error@+1 {{memref<?xf64> says more than is known of memref<?xf64, strided<[1], offset: ?>>}}
  %m = builtin.unrealized_conversion_cast %a : !pyarray.array<?xf64, C> to memref<?xf64>
  %c0 = arith.constant 0 : index
  %0 = memref.load %m[%c0] : memref<?xf64>
  func.return %0 : f64
}

// -----

func.func @strides(%b: !pyarray.array<?xf64, A>, %i: si64) -> f64 {
  %m = builtin.unrealized_conversion_cast %b : !pyarray.array<?xf64, A> to memref<?xf64, strided<[?], offset: ?>>
  // expected-error@+1 {{memref<?xf64, strided<[1], offset: ?>> says more than is known of memref<?xf64, strided<[?], offset: ?>>}}
  %a = builtin.unrealized_conversion_cast %m : memref<?xf64, strided<[?], offset: ?>> to !pyarray.array<?xf64, C>
  %0 = pyarray.getitem %a[%i] : (!pyarray.array<?xf64, C>, si64) -> f64
  func.return %0 : f64
}
