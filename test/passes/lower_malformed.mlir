// RUN: pyarray-opt %s --pyarray-lower --split-input-file --verify-diagnostics

// Handwritten calls of builtins that type inference would never make are refused.
func.func @range(%n: si64) -> si64 {
  // expected-error@+1 {{builtin builtins.range does not have operands and a result of these types}}
  %0 = pyarray.builtin "builtins.range"(%n) : (si64) -> si64
  func.return %0 : si64
}

// -----

func.func @copy(%n: si64) -> !pyarray.array<?xf64, C> {
  // expected-error@+1 {{builtin array.copy does not have operands and a result of these types}}
  %0 = pyarray.builtin "array.copy"(%n) : (si64) -> !pyarray.array<?xf64, C>
  func.return %0 : !pyarray.array<?xf64, C>
}

// -----

func.func @zeros(%n: si64) -> !pyarray.array<?x?xf64, C> {
  // expected-error@+1 {{builtin numpy.zeros does not have operands and a result of these types}}
  %0 = pyarray.builtin "numpy.zeros"(%n) : (si64) -> !pyarray.array<?x?xf64, C>
  func.return %0 : !pyarray.array<?x?xf64, C>
}

// -----

func.func @operands(%x: f64) -> f64 {
  // expected-error@+1 {{builtin math.atan2 does not have operands and a result of these types}}
  %0 = pyarray.builtin "math.atan2"(%x) : (f64) -> f64
  func.return %0 : f64
}
