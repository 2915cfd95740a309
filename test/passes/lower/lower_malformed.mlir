// RUN: pyarray-opt %s --pyarray-lower --split-input-file --verify-diagnostics

// Handwritten calls of builtins that type inference would never make are refused.
func.func @range(%n: si64) -> si64 {
  // expected-error@+1 {{calls 'builtins.range(...)' with ('si64') -> 'si64'}}
  %0 = pyarray.builtin "builtins.range"(%n) : (si64) -> si64
  func.return %0 : si64
}

// -----

func.func @copy(%n: si64) -> !pyarray.array<?xf64, C> {
  // expected-error@+1 {{calls 'array.copy(self)' with ('si64') -> '!pyarray.array<?xf64, C>'}}
  %0 = pyarray.builtin "array.copy"(%n) : (si64) -> !pyarray.array<?xf64, C>
  func.return %0 : !pyarray.array<?xf64, C>
}

// -----

func.func @zeros(%n: si64) -> !pyarray.array<?x?xf64, C> {
  // expected-error@+1 {{calls 'numpy.zeros(shape,dtype=,order=)' with ('si64') -> '!pyarray.array<?x?xf64, C>'}}
  %0 = pyarray.builtin "numpy.zeros"(%n) : (si64) -> !pyarray.array<?x?xf64, C>
  func.return %0 : !pyarray.array<?x?xf64, C>
}

// -----

func.func @operands(%x: f64) -> f64 {
  // expected-error@+1 {{calls 'math.atan2(y,x)' with ('f64') -> 'f64'}}
  %0 = pyarray.builtin "math.atan2"(%x) : (f64) -> f64
  func.return %0 : f64
}

// -----

func.func @sum_of_rows(%a: !pyarray.array<?x?xf64, C>) -> f64 {
  // expected-error@+1 {{calls 'math.fsum(seq)' with ('!pyarray.array<?x?xf64, C>') -> 'f64'}}
  %0 = pyarray.builtin "math.fsum"(%a) : (!pyarray.array<?x?xf64, C>) -> f64
  func.return %0 : f64
}

// -----

func.func @sum_of_both(%a: !pyarray.array<?xf64, C>, %x: f64) -> f64 {
  // expected-error@+1 {{builtin math.fsum does not have operands and a result of these types}}
  %0 = pyarray.builtin "math.fsum"(%x, %a) : (f64, !pyarray.array<?xf64, C>) -> f64
  func.return %0 : f64
}

// -----

func.func @product_without_start(%a: !pyarray.array<?xf64, C>) -> f64 {
  // expected-error@+1 {{builtin math.prod does not have operands and a result of these types}}
  %0 = pyarray.builtin "math.prod"(%a) : (!pyarray.array<?xf64, C>) -> f64
  func.return %0 : f64
}

// -----

func.func @length_unknown(%n: si64, %x: f64) -> f64 {
  // expected-error@+1 {{builtin math.sumprod does not have operands and a result of these types}}
  %0 = pyarray.builtin "math.sumprod"(%n, %x, %x) : (si64, f64, f64) -> f64
  func.return %0 : f64
}
