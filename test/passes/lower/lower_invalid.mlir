// RUN: env PYARRAY_VERIFY=0 pyarray-opt %s --pyarray-lower --split-input-file --verify-diagnostics

// expected-error@+1 {{type unknown cannot be lowered; run pyarray-infer-types first}}
func.func @untyped(%a: !pyarray.any) {
  return
}

// -----

func.func @untyped_call(%f: !pyarray.callable<"math.sqrt">, %x: f64) -> f64 {
  // expected-error@+1 {{operand #0 must be `!pyarray.any`, since the operation is one of level 1}}
  %0 = pyarray.apply %f(%x) : (!pyarray.callable<"math.sqrt">, f64) -> f64
  return %0 : f64
}

// -----

func.func @unknown_builtin(%x: f64) -> f64 {
  // expected-error@+1 {{calls 'math.nothing', which is no builtin: lib/ir/builtins.def has no such row}}
  %0 = pyarray.builtin "math.nothing"(%x) : (f64) -> f64
  return %0 : f64
}

// -----

func.func @whole_arrays(%a: !pyarray.array<?xf64, C>) -> !pyarray.array<?xf64, C> {
  // expected-error@+1 {{'add' is for numbers, not for '!pyarray.array<?xf64, C>'}}
  %0 = pyarray.binary add %a, %a : (!pyarray.array<?xf64, C>, !pyarray.array<?xf64, C>) -> !pyarray.array<?xf64, C>
  return %0 : !pyarray.array<?xf64, C>
}

// -----

func.func @raise_value(%x: !pyarray.array<?xf64, C>) -> si64 {
  %0 = pyarray.constant 0 : si64 -> si64
  // expected-error@+1 {{an exception's argument of type array(float64, 1d, C) cannot be lowered}}
  pyarray.raise "ValueError"(%x) : (!pyarray.array<?xf64, C>) -> ()
  return %0 : si64
}

// -----

func.func @too_many_indices(%a: !pyarray.array<?xf64, C>, %i: si64) -> f64 {
  // expected-error@+1 {{has 2 indices into '!pyarray.array<?xf64, C>', which has 1 axes}}
  %0 = pyarray.getitem %a[%i, %i] : (!pyarray.array<?xf64, C>, si64, si64) -> f64
  return %0 : f64
}

// -----

func.func @wrong_unpack(%t: tuple<si64, si64>) -> si64 {
  // expected-error@+1 {{takes 'tuple<si64, si64>' apart into ('si64')}}
  %0 = pyarray.unpack %t : (tuple<si64, si64>) -> si64
  return %0 : si64
}

// -----

func.func @blocks(%x: f64) -> f64 {
  // A branch instead of structured control flow.
  cf.br ^bb1
^bb1:
  %0 = pyarray.binary add %x, %x : (f64, f64) -> f64
  return %0 : f64
}
// expected-error@-7 {{a function at this level has one block}}

// -----

func.func @words(%n: si64, %x: f64) -> f64 attributes {pyarray.options = {parallel = true}} {
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  // expected-error@+1 {{pyarray.parallel has a word for each value that the loop carries}}
  %r = pyarray.for (%i: si64, %s: f64) in %range : !pyarray.range iter(%x) {
    pyarray.yield %s : f64
  } {pyarray.parallel = []}
  return %r : f64
}

// -----

func.func @no_words(%n: si64) -> si64 attributes {pyarray.options = {parallel = true}} {
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  // expected-error@+1 {{has 'pyarray.parallel' = 3 : i64; expected an array of strings}}
  pyarray.for (%i: si64) in %range : !pyarray.range {
  } {pyarray.parallel = 3 : i64}
  return %n : si64
}
