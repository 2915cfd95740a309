// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file --verify-diagnostics

func.func private @k(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.ufunc = "(),()->()", pyarray.loops = [(si64, si64) -> si64, (f32, f32) -> f32, (f64, f64) -> f64]} {
  %0 = pyarray.binary mul %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

func.func @loop(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.instantiate = [(!pyarray.array<?xcomplex<f64>, A>, f64) -> ()]} {
  %k = pyarray.callable @k -> !pyarray.any
  // expected-error@+1 {{ufunc 'k' did not contain a loop with signature matching types (array(complex128, 1d, A), float64)}}
  %0 = pyarray.apply %k(%a, %b) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func private @k(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.ufunc = "(),()->()", pyarray.loops = [(si64, si64) -> si64, (f32, f32) -> f32, (f64, f64) -> f64]} {
  %0 = pyarray.binary mul %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

func.func @readonly(%a: !pyarray.any, %b: !pyarray.any, %c: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b", "c"], pyarray.instantiate = [(!pyarray.array<?xf64, A>, !pyarray.array<?xf64, A>, !pyarray.array<?xf64, A, readonly>) -> ()]} {
  %k = pyarray.callable @k -> !pyarray.any
  // expected-error@+1 {{k(): output array is read-only}}
  %0 = pyarray.apply %k(%a, %b, %c) : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func private @k(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.ufunc = "(),()->()", pyarray.loops = [(si64, si64) -> si64, (f32, f32) -> f32, (f64, f64) -> f64]} {
  %0 = pyarray.binary mul %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

func.func @number_output(%a: !pyarray.any, %b: !pyarray.any, %c: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b", "c"], pyarray.instantiate = [(!pyarray.array<?xf64, A>, !pyarray.array<?xf64, A>, f64) -> ()]} {
  %k = pyarray.callable @k -> !pyarray.any
  // expected-error@+1 {{k(): output 1 has type float64; expected an array}}
  %0 = pyarray.apply %k(%a, %b, %c) : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func private @k(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.ufunc = "(),()->()", pyarray.loops = [(si64, si64) -> si64, (f32, f32) -> f32, (f64, f64) -> f64]} {
  %0 = pyarray.binary mul %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

func.func @small_output(%a: !pyarray.any, %b: !pyarray.any, %c: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b", "c"], pyarray.instantiate = [(!pyarray.array<?x?xf64, A>, !pyarray.array<?xf64, A>, !pyarray.array<?xf64, A>) -> ()]} {
  %k = pyarray.callable @k -> !pyarray.any
  // expected-error@+1 {{non-broadcastable output operand: it has 1 dimensions, but the broadcast shape has 2}}
  %0 = pyarray.apply %k(%a, %b, %c) : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func private @k(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.ufunc = "(),()->()", pyarray.loops = [(si64, si64) -> si64, (f32, f32) -> f32, (f64, f64) -> f64]} {
  %0 = pyarray.binary mul %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

func.func @few(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.instantiate = [(!pyarray.array<?xf64, A>) -> ()]} {
  %k = pyarray.callable @k -> !pyarray.any
  // expected-error@+1 {{k() takes from 2 to 3 positional arguments but 1 were given}}
  %0 = pyarray.apply %k(%a) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func private @k(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.ufunc = "(),()->()", pyarray.loops = [(si64, si64) -> si64, (f32, f32) -> f32, (f64, f64) -> f64]} {
  %0 = pyarray.binary mul %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

func.func @many(%a: !pyarray.any, %b: !pyarray.any, %c: !pyarray.any, %d: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b", "c", "d"], pyarray.instantiate = [(!pyarray.array<?xf64, A>, !pyarray.array<?xf64, A>, !pyarray.array<?xf64, A>, !pyarray.array<?xf64, A>) -> ()]} {
  %k = pyarray.callable @k -> !pyarray.any
  // expected-error@+1 {{k() takes from 2 to 3 positional arguments but 4 were given}}
  %0 = pyarray.apply %k(%a, %b, %c, %d) : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func private @k(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.ufunc = "(),()->()", pyarray.loops = [(si64, si64) -> si64, (f32, f32) -> f32, (f64, f64) -> f64]} {
  %0 = pyarray.binary mul %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

func.func @keyword(%a: !pyarray.any, %b: !pyarray.any, %c: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b", "c"], pyarray.instantiate = [(!pyarray.array<?xf64, A>, !pyarray.array<?xf64, A>, !pyarray.array<?xf64, A>) -> ()]} {
  %k = pyarray.callable @k -> !pyarray.any
  // expected-error@+1 {{the keyword argument 'where' is not supported in compiled code}}
  %0 = pyarray.apply %k(%a, %b, %c) kw ["where"] : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func private @k(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.ufunc = "(),()->()", pyarray.loops = [(si64, si64) -> si64, (f32, f32) -> f32, (f64, f64) -> f64]} {
  %0 = pyarray.binary mul %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

func.func @text(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.instantiate = [(!pyarray.array<?xf64, A>, !pyarray.none) -> ()]} {
  %k = pyarray.callable @k -> !pyarray.any
  // expected-error@+1 {{k(): argument 2 has type none; expected a number or an array of numbers}}
  %0 = pyarray.apply %k(%a, %b) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func private @k(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.ufunc = "(n),()->()"} {
  %0 = pyarray.binary mul %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

func.func @dimensions(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.instantiate = [(f64, f64) -> ()]} {
  %k = pyarray.callable @k -> !pyarray.any
  // expected-error@+1 {{Input operand 0 does not have enough dimensions (has 0, gufunc core with signature (n),()->() requires 1)}}
  %0 = pyarray.apply %k(%a, %b) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func private @k(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.ufunc = "(n),()->(p)"} {
  %0 = pyarray.binary mul %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

func.func @unspecified(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.instantiate = [(!pyarray.array<?xf64, A>, f64) -> ()]} {
  %k = pyarray.callable @k -> !pyarray.any
  // expected-error@+1 {{output operand 0 has core dimension p unspecified, with gufunc signature (n),()->(p)}}
  %0 = pyarray.apply %k(%a, %b) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func private @k(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.ufunc = "(n)("} {
  %0 = pyarray.binary mul %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

func.func @signature(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.instantiate = [(!pyarray.array<?xf64, A>, !pyarray.array<?xf64, A>) -> ()]} {
  %k = pyarray.callable @k -> !pyarray.any
  // expected-error@+1 {{malformed signature '(n)('}}
  %0 = pyarray.apply %k(%a, %b) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func private @k(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.ufunc = "(),()->()", pyarray.loops = [(f64) -> f64]} {
  %0 = pyarray.binary mul %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

func.func @loop_count(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.instantiate = [(!pyarray.array<?xf64, A>, !pyarray.array<?xf64, A>) -> ()]} {
  %k = pyarray.callable @k -> !pyarray.any
  // expected-error@+1 {{a loop of 'k' does not fit its function}}
  %0 = pyarray.apply %k(%a, %b) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func private @k(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.ufunc = "(),()->()", pyarray.loops = [(f64, f64, f64, f64, f64, f64) -> f64]} {
  %0 = pyarray.binary mul %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

func.func @loop_many(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.instantiate = [(!pyarray.array<?xf64, A>, !pyarray.array<?xf64, A>) -> ()]} {
  %k = pyarray.callable @k -> !pyarray.any
  // expected-error@+1 {{a loop of 'k' does not fit its function}}
  %0 = pyarray.apply %k(%a, %b) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func private @k(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.ufunc = "(),()->()", pyarray.loops = [(f64, f64) -> tuple<f64, f64>]} {
  %0 = pyarray.binary mul %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

func.func @loop_result(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.instantiate = [(!pyarray.array<?xf64, A>, !pyarray.array<?xf64, A>) -> ()]} {
  %k = pyarray.callable @k -> !pyarray.any
  // expected-error@+1 {{a loop of 'k' does not fit its function}}
  %0 = pyarray.apply %k(%a, %b) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func private @k(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.ufunc = "(),()->()", pyarray.loops = [3]} {
  %0 = pyarray.binary mul %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

func.func @loop_type(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.instantiate = [(!pyarray.array<?xf64, A>, !pyarray.array<?xf64, A>) -> ()]} {
  %k = pyarray.callable @k -> !pyarray.any
  // expected-error@+1 {{a loop of 'k' does not fit its function}}
  %0 = pyarray.apply %k(%a, %b) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func private @k(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.ufunc = "(),()->()", pyarray.loops = [f64]} {
  %0 = pyarray.binary mul %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

func.func @loop_function(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.instantiate = [(!pyarray.array<?xf64, A>, !pyarray.array<?xf64, A>) -> ()]} {
  %k = pyarray.callable @k -> !pyarray.any
  // expected-error@+1 {{a loop of 'k' does not fit its function}}
  %0 = pyarray.apply %k(%a, %b) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

// expected-error@+1 {{has 'pyarray.loops' = "dd>d"; expected an array}}
func.func private @k(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.ufunc = "(),()->()", pyarray.loops = "dd>d"} {
  %0 = pyarray.binary mul %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

func.func @loops(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.instantiate = [(!pyarray.array<?xf64, A>, !pyarray.array<?xf64, A>) -> ()]} {
  %k = pyarray.callable @k -> !pyarray.any
  %0 = pyarray.apply %k(%a, %b) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

// expected-error@+1 {{has 'pyarray.ufunc' = 3 : i64; expected a string}}
func.func private @k(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.ufunc = 3, pyarray.loops = [(si64, si64) -> si64, (f32, f32) -> f32, (f64, f64) -> f64]} {
  %0 = pyarray.binary mul %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

func.func @no_text(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.instantiate = [(!pyarray.array<?xf64, A>, !pyarray.array<?xf64, A>) -> ()]} {
  %k = pyarray.callable @k -> !pyarray.any
  %0 = pyarray.apply %k(%a, %b) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func private @k(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.ufunc = "(),()->(),()"} {
  %0 = pyarray.binary mul %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

func.func @results(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.instantiate = [(!pyarray.array<?xf64, A>, !pyarray.array<?xf64, A>) -> ()]} {
  %k = pyarray.callable @k -> !pyarray.any
  // expected-error@+1 {{the signature is (),()->(),(), but the function returns float64}}
  %0 = pyarray.apply %k(%a, %b) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func private @endless(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.qualname = "endless", pyarray.ufunc = "()->()"} {
  %k = pyarray.callable @endless -> !pyarray.any
  %0 = pyarray.apply %k(%a) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

func.func @calls_endless(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.instantiate = [(!pyarray.array<?xf64, A>) -> ()]} {
  %k = pyarray.callable @endless -> !pyarray.any
  // expected-error@+1 {{the type of what endless() returns is not known: it calls itself on every path}}
  %0 = pyarray.apply %k(%a) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func private @accumulate(%x: !pyarray.any, %o: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x", "o"], pyarray.ufunc = "(n)->(n)", pyarray.folds = @nothing} {
  %0 = pyarray.constant unit -> !pyarray.any
  return %0 : !pyarray.any
}

func.func @folds_nothing(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.instantiate = [(!pyarray.array<?xf64, A>) -> ()]} {
  %k = pyarray.callable @accumulate -> !pyarray.any
  // expected-error@+1 {{pyarray.folds names a function of two parameters}}
  %0 = pyarray.apply %k(%a) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func private @mix(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.ufunc = "(),()->()", pyarray.qualname = "mix"} {
  return %a : !pyarray.any
}
func.func private @reduce(%x: !pyarray.any, %o: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x", "o"], pyarray.ufunc = "(n)->()", pyarray.folds = @mix, pyarray.identity = "none"} {
  %0 = pyarray.constant unit -> !pyarray.any
  return %0 : !pyarray.any
}

func.func @not_reorderable(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.instantiate = [(!pyarray.array<?x?xf64, A>) -> ()]} {
  %k = pyarray.callable @reduce -> !pyarray.any
  %none = pyarray.constant unit -> !pyarray.any
  // expected-error@+1 {{reduction operation 'mix' is not reorderable, so at most one axis may be specified}}
  %0 = pyarray.apply %k(%a, %none) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func private @both(%x: !pyarray.any, %y: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x", "y"], pyarray.qualname = "both", pyarray.ufunc = "(n),(m)->()"} {
  %0 = pyarray.constant 1 : si64 -> !pyarray.any
  return %0 : !pyarray.any
}

func.func @axis_of_two(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.instantiate = [(!pyarray.array<?xf64, A>) -> ()]} {
  %k = pyarray.callable @both -> !pyarray.any
  %0 = pyarray.constant 0 : si64 -> !pyarray.any
  // expected-error@+1 {{both: axis can only be used with a single shared core dimension, not with signature (n),(m)->()}}
  %1 = pyarray.apply %k(%a, %a, %0) kw ["axis"] : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %1 : !pyarray.any
}
