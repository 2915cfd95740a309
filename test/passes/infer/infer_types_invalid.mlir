// RUN: env PYARRAY_VERIFY=0 pyarray-opt %s --pyarray-infer-types --split-input-file --verify-diagnostics

func.func @unify(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x"], pyarray.instantiate = [(f64) -> ()]} {
  %none = pyarray.tuple : () -> !pyarray.any
  %t = pyarray.truth %x : !pyarray.any
  // expected-error@+1 {{cannot unify float64 and Tuple() for variable 'y'}}
  %r = scf.if %t -> (!pyarray.any) {
    scf.yield %x : !pyarray.any
  } else {
    scf.yield %none : !pyarray.any
  } {pyarray.names = ["y"]}
  func.return %r : !pyarray.any
}

// -----

func.func @attribute(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x"], pyarray.instantiate = [(f64) -> ()]} {
  // expected-error@+1 {{unknown attribute 'colour' of type float64}}
  %0 = pyarray.getattr %x "colour" : (!pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}

// -----

func.func @operator(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x"], pyarray.instantiate = [(!pyarray.array<?x!pyarray.datetime<"D">, C>) -> ()]} {
  // expected-error@+1 {{matmul() has no loop for array(datetime64[D], 1d, C) and array(datetime64[D], 1d, C)}}
  %0 = pyarray.binary matmul %x, %x : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}

// -----

func.func @negated(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.instantiate = [(!pyarray.array<?xi1, C>) -> ()]} {
  // expected-error@+1 {{The numpy boolean negative, the `-` operator, is not supported}}
  %0 = pyarray.unary neg %a : (!pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}

// -----

func.func @ellipses(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.instantiate = [(!pyarray.array<?xf64, C>) -> ()]} {
  %dots = pyarray.callable "builtins.Ellipsis" -> !pyarray.any
  // expected-error@+1 {{an index can only have a single ellipsis ('...')}}
  %0 = pyarray.getitem %a[%dots, %dots] : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}

// -----

func.func @method(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.instantiate = [(!pyarray.array<?xf64, C>) -> ()]} {
  // expected-error@+1 {{method 'tofile' of whole arrays (array(float64, 1d, C)) is not compiled yet}}
  %0 = pyarray.method %a "tofile"() kw [] : (!pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}

// -----

func.func @readonly(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.instantiate = [(!pyarray.array<?xf64, C, readonly>) -> ()]} {
  %0 = pyarray.constant 0 : si64 -> !pyarray.any
  // expected-error@+1 {{cannot store to readonly array(float64, 1d, C)}}
  pyarray.setitem %a[%0] = %0 : (!pyarray.any, !pyarray.any, !pyarray.any) -> ()
  func.return %0 : !pyarray.any
}

// -----

func.func @indices(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.instantiate = [(!pyarray.array<?xf64, C>) -> ()]} {
  %0 = pyarray.constant 0 : si64 -> !pyarray.any
  // expected-error@+1 {{too many indices: array(float64, 1d, C) has 1 dimension, 2 were given}}
  %1 = pyarray.getitem %a[%0, %0] : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %1 : !pyarray.any
}

// -----

func.func @missing(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x"], pyarray.instantiate = [(f64) -> ()]} {
  %f = pyarray.callable @helper -> !pyarray.any
  // expected-error@+1 {{helper() missing a required argument: 'b'}}
  %0 = pyarray.apply %f(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}
func.func @helper(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"]} {
  func.return %a : !pyarray.any
}

// -----

func.func @caller(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x"], pyarray.instantiate = [(f64) -> ()]} {
  %f = pyarray.callable @callee -> !pyarray.any
  %0 = pyarray.apply %f(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}
func.func @callee(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"]} {
  // expected-error@+1 {{while compiling callee, called from}}
  %0 = pyarray.getitem %a[%a] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}

// -----

// expected-error@+1 {{an untyped function has one block and !pyarray.any arguments and result}}
func.func @typed(%x: f64) -> f64 attributes {pyarray.instantiate = [(f64) -> ()]} {
  func.return %x : f64
}

// -----

// expected-error@+1 {{pyarray.instantiate holds function types}}
func.func @request(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [3 : i64]} {
  func.return %x : !pyarray.any
}

// -----

// expected-error@+1 {{argument 0 cannot be left out: its parameter has no default that is a str or an int}}
func.func @omitted(%x: !pyarray.any, %y: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x", "y"], pyarray.defaults = ["a"], pyarray.instantiate = [(!pyarray.any, si64) -> ()]} {
  func.return %x : !pyarray.any
}
