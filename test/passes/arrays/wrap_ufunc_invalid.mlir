// RUN: pyarray-opt %s --split-input-file --pyarray-wrap-ufunc --verify-diagnostics

// expected-error @below {{malformed signature '(),(': expect a dimension name or size}}
func.func @f$0(%x: f64) -> f64 attributes {pyarray.entry, pyarray.ufunc = "(),("} {
  return %x : f64
}

// -----

// expected-error @below {{the signature is (),()->(), but the function has 1 parameters and returns float64}}
func.func @f$0(%x: f64) -> f64 attributes {pyarray.entry, pyarray.ufunc = "(),()->()"} {
  return %x : f64
}

// -----

// expected-error @below {{the signature is ()->(),(), but the function returns float64}}
func.func @f$0(%x: f64) -> f64 attributes {pyarray.entry, pyarray.ufunc = "()->(),()"} {
  return %x : f64
}

// -----

// expected-error @below {{the signature is (n)->(), but argument 1 of the function is float64}}
func.func @f$0(%x: f64) -> f64 attributes {pyarray.entry, pyarray.ufunc = "(n)->()"} {
  return %x : f64
}

// -----

// expected-error @below {{outputs with core dimensions are written to parameters, not returned}}
func.func @f$0(%x: !pyarray.array<?xf64, A>) -> f64 attributes {pyarray.entry, pyarray.ufunc = "(n)->(n)"} {
  %0 = pyarray.constant 1.0 : f64 -> f64
  return %0 : f64
}

// -----

// expected-error @below {{pyarray.ufunc belongs to a function with one result}}
func.func @f$0(%x: f64) attributes {pyarray.entry, pyarray.ufunc = "()->()"} {
  return
}

// -----

// expected-error @below {{pyarray.ufunc belongs to a function with one result}}
llvm.func @f$0(f64) attributes {pyarray.entry, pyarray.ufunc = "()->()"}

// -----

// expected-error@+1 {{has 'pyarray.ufunc' = 3 : i64; expected a string}}
func.func @f$0(%x: f64) -> f64 attributes {pyarray.entry, pyarray.ufunc = 3} {
  return %x : f64
}

// -----

// expected-error @below {{the signature is ()->(), but argument 1 of the function is}}
func.func @f$0(%x: !pyarray.array<?x?xf64, A>, %y: !pyarray.array<?xf64, A>) -> !pyarray.none attributes {pyarray.entry, pyarray.ufunc = "()->()"} {
  %0 = pyarray.constant unit -> !pyarray.none
  return %0 : !pyarray.none
}

// -----

// expected-error @below {{pyarray.loop_form is "contiguous", "constant vc", "strided", "carried", "fixed" or "dense"}}
func.func @f$0(%x: f64) -> f64 attributes {pyarray.entry, pyarray.ufunc = "()->()", pyarray.loop_form = "fast"} {
  return %x : f64
}

// -----

// expected-error @below {{the signature is (n)->(), but the form of its loop is for functions of numbers}}
func.func @f$0(%x: !pyarray.array<?xf64, A>) -> f64 attributes {pyarray.entry, pyarray.ufunc = "(n)->()", pyarray.loop_form = "contiguous"} {
  %0 = pyarray.constant 1.0 : f64 -> f64
  return %0 : f64
}

// -----

// expected-error @below {{the signature is (),()->(), but an output cannot be carried to the first input}}
func.func @f$0(%x: si64, %y: f64) -> f64 attributes {pyarray.entry, pyarray.ufunc = "(),()->()", pyarray.loop_form = "carried"} {
  return %y : f64
}

// -----

// expected-error @below {{pyarray.operands has a type for each operand of a loop without form}}
func.func @f$0(%x: f64) -> f64 attributes {pyarray.entry, pyarray.kernel, pyarray.ufunc = "()->()", pyarray.operands = [f64]} {
  return %x : f64
}

// -----

// expected-error @below {{pyarray.operands: the type of operand 2 does not fit the function}}
func.func @f$0(%x: f64) -> f64 attributes {pyarray.entry, pyarray.kernel, pyarray.ufunc = "()->()",
    pyarray.operands = [f64, !pyarray.array<?xf64, C, readonly>]} {
  return %x : f64
}

// -----

// Views of cores cannot be converted.
// expected-error @below {{pyarray.operands: the type of operand 1 does not fit the function}}
func.func @f$0(%x: !pyarray.array<?xf64, A>) -> f64 attributes {pyarray.entry, pyarray.kernel, pyarray.ufunc = "(n)->()",
    pyarray.operands = [!pyarray.array<?x?xf32, A>, !pyarray.array<?xf64, C>]} {
  %0 = pyarray.constant 1.0 : f64 -> f64
  return %0 : f64
}

// -----

// expected-error @below {{pyarray.operands: a mask is boolean}}
func.func @f$0(%x: f64) -> f64 attributes {pyarray.entry, pyarray.kernel, pyarray.ufunc = "()->()",
    pyarray.operands = [f64, !pyarray.array<?xf64, C>, si64]} {
  return %x : f64
}
