// Modules that contradict themselves: each is refused where it is read, with what is wrong.

// RUN: pyarray-opt %s --split-input-file --verify-diagnostics

// Adds a float64 and an int64 without a cast.
func.func @f(%x: f64, %n: si64) -> f64 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.binary' op 'add' of 'f64' and 'si64' gives 'f64'; operands and result have one type: cast them}}
  %0 = pyarray.binary add %x, %n : (f64, si64) -> f64
  return %0 : f64
}

// -----

// The sum of two float64 is said to be an int64.
func.func @f(%x: f64) -> si64 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.binary' op 'mul' of 'f64' and 'f64' gives 'si64'; operands and result have one type: cast them}}
  %0 = pyarray.binary mul %x, %x : (f64, f64) -> si64
  return %0 : si64
}

// -----

// Bitwise and of two float64.
func.func @f(%x: f64) -> f64 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.binary' op 'and' is for integers and bools, not for 'f64'}}
  %0 = pyarray.binary and %x, %x : (f64, f64) -> f64
  return %0 : f64
}

// -----

// Adds two arrays at the typed level and calls the result a number.
func.func @f(%a: !pyarray.array<?xf64, C>) -> f64 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.binary' op 'add' is for numbers, not for '!pyarray.array<?xf64, C>'}}
  %0 = pyarray.binary add %a, %a : (!pyarray.array<?xf64, C>, !pyarray.array<?xf64, C>) -> f64
  return %0 : f64
}

// -----

// The negative of a float64 is said to be a bool.
func.func @f(%x: f64) -> i1 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.unary' op 'neg' of 'f64' gives 'i1'; operand and result have one type}}
  %0 = pyarray.unary neg %x : (f64) -> i1
  return %0 : i1
}

// -----

// A comparison gives a float64.
func.func @f(%x: f64) -> f64 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.compare' op 'lt' gives 'f64'; expected i1}}
  %0 = pyarray.compare lt %x, %x : (f64, f64) -> f64
  return %0 : f64
}

// -----

// Compares text with a number by `lt` at the typed level.
func.func @f(%s: !pyarray.str, %x: f64) -> i1 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.compare' op 'lt' compares '!pyarray.str' with 'f64'; operands have one type, or are two of si64, ui64, f64 and complex<f64>}}
  %0 = pyarray.compare lt %s, %x : (!pyarray.str, f64) -> i1
  return %0 : i1
}

// -----

// Asks for the truth value of an array, which has none.
func.func @f(%a: !pyarray.array<?xf64, C>) -> i1 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.truth' op asks for the truth of '!pyarray.array<?xf64, C>', which has none}}
  %0 = pyarray.truth %a : !pyarray.array<?xf64, C>
  return %0 : i1
}

// -----

// An int literal is a float64 without a cast.
func.func @f() -> f64 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.constant' op holds 3 : si64, which is no value of type 'f64'}}
  %0 = pyarray.constant 3 : si64 -> f64
  return %0 : f64
}

// -----

// Casts an array to a number.
func.func @f(%a: !pyarray.array<?xf64, C>) -> f64 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.cast' op makes 'f64' of '!pyarray.array<?xf64, C>'; an array becomes nothing but an array}}
  %0 = pyarray.cast %a : !pyarray.array<?xf64, C> to f64
  return %0 : f64
}

// -----

// Casts an array of float64 to one of int64, in place.
func.func @f(%a: !pyarray.array<?xf64, C>) -> !pyarray.array<?xsi64, C> attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.cast' op makes '!pyarray.array<?xsi64, C>' of '!pyarray.array<?xf64, C>'; a cast changes neither elements nor rank of an array}}
  %0 = pyarray.cast %a : !pyarray.array<?xf64, C> to !pyarray.array<?xsi64, C>
  return %0 : !pyarray.array<?xsi64, C>
}

// -----

// Stores into an array whose type says readonly.
func.func @f(%a: !pyarray.array<?xf64, C, readonly>, %x: f64) attributes {pyarray.entry} {
  %i = pyarray.constant 0 : si64 -> si64
  // expected-error@+1 {{'pyarray.setitem' op stores to an item of '!pyarray.array<?xf64, C, readonly>', which is readonly}}
  pyarray.setitem %a[%i] = %x : (!pyarray.array<?xf64, C, readonly>, si64, f64) -> ()
  return
}

// -----

// The index of an element is a float64.
func.func @f(%a: !pyarray.array<?xf64, C>, %x: f64) -> f64 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.getitem' op has the index 'f64'; expected an integer or a slice}}
  %0 = pyarray.getitem %a[%x] : (!pyarray.array<?xf64, C>, f64) -> f64
  return %0 : f64
}

// -----

// Two indices into an array of one axis.
func.func @f(%a: !pyarray.array<?xf64, C>, %i: si64) -> f64 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.getitem' op has 2 indices into '!pyarray.array<?xf64, C>', which has 1 axes}}
  %0 = pyarray.getitem %a[%i, %i] : (!pyarray.array<?xf64, C>, si64, si64) -> f64
  return %0 : f64
}

// -----

// An element of a float64 array is said to be an int64.
func.func @f(%a: !pyarray.array<?xf64, C>, %i: si64) -> si64 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.getitem' op gives 'si64'; these indices into '!pyarray.array<?xf64, C>' leave 'f64'}}
  %0 = pyarray.getitem %a[%i] : (!pyarray.array<?xf64, C>, si64) -> si64
  return %0 : si64
}

// -----

// One index of an array of two axes gives a number.
func.func @f(%a: !pyarray.array<?x?xf64, C>, %i: si64) -> f64 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.getitem' op gives 'f64'; these indices into '!pyarray.array<?x?xf64, C>' leave an array of 1 axes}}
  %0 = pyarray.getitem %a[%i] : (!pyarray.array<?x?xf64, C>, si64) -> f64
  return %0 : f64
}

// -----

// A tuple has fewer elements than its type.
func.func @f(%x: f64) -> tuple<f64, f64> attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.tuple' op makes 'tuple<f64, f64>' of other elements: 'f64'}}
  %0 = pyarray.tuple %x : (f64) -> tuple<f64, f64>
  return %0 : tuple<f64, f64>
}

// -----

// Takes a pair apart into three values.
func.func @f(%t: tuple<f64, f64>) -> f64 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.unpack' op takes 'tuple<f64, f64>' apart into ('f64', 'f64', 'f64')}}
  %0:3 = pyarray.unpack %t : (tuple<f64, f64>) -> (f64, f64, f64)
  return %0#2 : f64
}

// -----

// An attribute that no array has.
func.func @f(%a: !pyarray.array<?xf64, C>) -> si64 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.getattr' op asks for 'colour' of '!pyarray.array<?xf64, C>', which has no such attribute}}
  %0 = pyarray.getattr %a "colour" : (!pyarray.array<?xf64, C>) -> si64
  return %0 : si64
}

// -----

// A builtin of a name that no row of the table has.
func.func @f(%x: f64) -> f64 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.builtin' op calls 'math.no_such_function', which is no builtin: lib/ir/builtins.def has no such row}}
  %0 = pyarray.builtin "math.no_such_function"(%x) : (f64) -> f64
  return %0 : f64
}

// -----

// Math.sqrt of two operands.
func.func @f(%x: f64) -> f64 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.builtin' op calls 'math.sqrt(x)' with ('f64', 'f64') -> 'f64'; these are not the operands and result of that builtin}}
  %0 = pyarray.builtin "math.sqrt"(%x, %x) : (f64, f64) -> f64
  return %0 : f64
}

// -----

// A call gives a float32, and its callee a float64.
func.func private @g(%x: f64) -> f64 {
  return %x : f64
}
func.func @f(%x: f64) -> f64 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.call' op does not fit the type of @g, '(f64) -> f64'}}
  %0 = "pyarray.call"(%x) {callee = @g} : (f64) -> f32
  return %x : f64
}

// -----

// The variable of a loop over a range is a float32.
func.func @f(%r: !pyarray.range) -> f64 attributes {pyarray.entry} {
  %zero = pyarray.constant 0.0 : f64 -> f64
  // expected-error@+1 {{'pyarray.for' op takes 'f32' for an item of '!pyarray.range', which is 'si64'}}
  %0 = pyarray.for (%i: f32, %s: f64) in %r : !pyarray.range iter(%zero) {
    %1 = pyarray.binary add %s, %s : (f64, f64) -> f64
    pyarray.yield %1 : f64
  }
  return %0 : f64
}

// -----

// A loop over a number.
func.func @f(%x: f64) attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.for' op goes over 'f64', which has no items}}
  pyarray.for (%i: f64) in %x : f64 {
  }
  return
}

// -----

// A loop yields another type than it carries.
func.func @f(%r: !pyarray.range) -> f64 attributes {pyarray.entry} {
  %zero = pyarray.constant 0.0 : f64 -> f64
  // expected-error@+1 {{'pyarray.for' op has a body that does not yield the loop-carried types}}
  %0 = pyarray.for (%i: si64, %s: f64) in %r : !pyarray.range iter(%zero) {
    pyarray.yield %i : si64
  }
  return %0 : f64
}

// -----

// A ufunc whose signature has no arrow.
func.func @f(%a: !pyarray.array<?xf64, A>, %o: !pyarray.array<?xf64, A>) attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.ufunc' op has a malformed signature '(),()': expect '->'}}
  pyarray.ufunc "(),()" ins(%a : !pyarray.array<?xf64, A>) outs(%o : !pyarray.array<?xf64, A>) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  return
}

// -----

// A ufunc whose signature has more inputs than it.
func.func @f(%a: !pyarray.array<?xf64, A>, %o: !pyarray.array<?xf64, A>) attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.ufunc' op has 1 inputs and 1 outputs, but the signature '(),()->()'}}
  pyarray.ufunc "(),()->()" ins(%a : !pyarray.array<?xf64, A>) outs(%o : !pyarray.array<?xf64, A>) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  return
}

// -----

// A transposition with an axis twice.
func.func @f(%a: !pyarray.array<?x?xf64, A>) -> !pyarray.array<?x?xf64, A> attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.transpose' op cannot view '!pyarray.array<?x?xf64, A>' as '!pyarray.array<?x?xf64, A>'}}
  %0 = pyarray.transpose %a [0, 0] : (!pyarray.array<?x?xf64, A>) -> !pyarray.array<?x?xf64, A>
  return %0 : !pyarray.array<?x?xf64, A>
}

// -----

// Raises a class that is no exception of Python.
func.func @f(%x: f64) -> f64 attributes {pyarray.entry} {
  %c = pyarray.truth %x : f64
  scf.if %c {
    // expected-error@+1 {{'pyarray.raise' op raises 'NoSuchError', which is no exception class of Python}}
    pyarray.raise "NoSuchError"() : () -> ()
  }
  return %x : f64
}

// -----

// Loads from a number.
func.func @f(%x: f64) -> f64 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.load' op operand #0 must be a `!pyarray.variable`, but got 'f64'}}
  %1 = pyarray.load %x : (f64) -> f64
  return %1 : f64
}

// -----

// The options of a function are a number.
// expected-error@+1 {{'func.func' op has 'pyarray.options' = 5 : i32; expected a dictionary}}
func.func @f(%x: f64) -> f64 attributes {pyarray.entry, pyarray.options = 5 : i32} {
  return %x : f64
}

// -----

// An attribute of the dialect that there is not.
// expected-error@+1 {{'func.func' op has an attribute 'pyarray.no_such_attribute', which the dialect does not have; Attributes.def lists those that there are}}
func.func @f(%x: f64) -> f64 attributes {pyarray.entry, pyarray.no_such_attribute = "x"} {
  return %x : f64
}

// -----

// Returns another type than that of the function.
func.func @f(%x: f64) -> si64 attributes {pyarray.entry} {
  // expected-error@+1 {{type of return operand 0 ('f64') doesn't match function result type ('si64') in function @f}}
  return %x : f64
}

// -----

// Returns two values from a function of one.
func.func @f(%x: f64) -> f64 attributes {pyarray.entry} {
  // expected-error@+1 {{'func.return' op has 2 operands, but enclosing function (@f) returns 1}}
  return %x, %x : f64, f64
}

// -----

// A branch hands a float64 to a block that takes an int64.
func.func @f(%x: f64) -> si64 attributes {pyarray.entry} {
  // expected-error@+1 {{type mismatch for bb argument #0 of successor #0}}
  cf.br ^next(%x : f64)
^next(%n: si64):
  return %n : si64
}

// -----

// An array whose elements are tuples.
// expected-error@+1 {{invalid array element type 'tuple<f64, f64>'}}
func.func @f(%a: !pyarray.array<?xtuple<f64, f64>, C>) attributes {pyarray.entry} {
  return
}
