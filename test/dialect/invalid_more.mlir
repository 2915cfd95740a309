// More modules that contradict themselves, of the same kinds.

// RUN: pyarray-opt %s --split-input-file --verify-diagnostics

// Adds two signless i64, which no level of Python values has.
func.func @f(%x: i64) -> i64 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.binary' op operand #0 must be type of a Python value: `!pyarray.any`, a number with its sign, an array, and so on, but got 'i64'}}
  %0 = pyarray.binary add %x, %x : (i64, i64) -> i64
  return %0 : i64
}

// -----

// `not` gives a float64.
func.func @f(%x: f64) -> f64 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.unary' op 'not' gives 'f64'; expected i1}}
  %0 = pyarray.unary not %x : (f64) -> f64
  return %0 : f64
}

// -----

// None is an int64.
func.func @f() -> si64 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.constant' op holds unit, which is no value of type 'si64'}}
  %0 = pyarray.constant unit -> si64
  return %0 : si64
}

// -----

// A cast makes a readonly array writable.
func.func @f(%a: !pyarray.array<?xf64, C, readonly>) -> !pyarray.array<?xf64, C> attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.cast' op makes '!pyarray.array<?xf64, C, readonly>' writable}}
  %0 = pyarray.cast %a : !pyarray.array<?xf64, C, readonly> to !pyarray.array<?xf64, C>
  return %0 : !pyarray.array<?xf64, C>
}

// -----

// A global array, whose memory is readonly, has a type that takes stores.
func.func @f() -> si64 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.frozen_array' op gives '!pyarray.array<?xsi64, C>'; the memory of a global array is readonly}}
  %0 = pyarray.frozen_array dense<[1, 2]> : tensor<2xsi64> -> !pyarray.array<?xsi64, C>
  %i = pyarray.constant 0 : si64 -> si64
  pyarray.setitem %0[%i] = %i : (!pyarray.array<?xsi64, C>, si64, si64) -> ()
  return %i : si64
}

// -----

// Subscript of a number.
func.func @f(%x: f64, %i: si64) -> f64 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.getitem' op takes an item of 'f64', which has none}}
  %0 = pyarray.getitem %x[%i] : (f64, si64) -> f64
  return %0 : f64
}

// -----

// Stores text into an array of float64.
func.func @f(%a: !pyarray.array<?xf64, C>, %s: !pyarray.str) attributes {pyarray.entry} {
  %i = pyarray.constant 0 : si64 -> si64
  // expected-error@+1 {{'pyarray.setitem' op stores '!pyarray.str' into '!pyarray.array<?xf64, C>'}}
  pyarray.setitem %a[%i] = %s : (!pyarray.array<?xf64, C>, si64, !pyarray.str) -> ()
  return
}

// -----

// A list of int64 is built from float64.
func.func @f(%x: f64) -> !pyarray.list<si64> attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.list' op puts 'f64' into '!pyarray.list<si64>'}}
  %0 = pyarray.list %x, %x : (f64, f64) -> !pyarray.list<si64>
  return %0 : !pyarray.list<si64>
}

// -----

// A dict is built from a key without a value.
func.func @f(%k: si64) -> !pyarray.dict<si64, f64> attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.dict' op has 1 operands; each key has a value behind it}}
  %0 = pyarray.dict %k : (si64) -> !pyarray.dict<si64, f64>
  return %0 : !pyarray.dict<si64, f64>
}

// -----

// A slice whose type has other parts than its operands.
func.func @f(%a: !pyarray.array<?xf64, C>, %i: si64) -> !pyarray.array<?xf64, C> attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.slice' op makes '!pyarray.slice<si64, !pyarray.none, !pyarray.none>' of 'si64', 'si64' and 'si64'}}
  %0 = pyarray.slice %i, %i, %i : (si64, si64, si64) -> !pyarray.slice<si64, !pyarray.none, !pyarray.none>
  %1 = pyarray.getitem %a[%0] : (!pyarray.array<?xf64, C>, !pyarray.slice<si64, !pyarray.none, !pyarray.none>) -> !pyarray.array<?xf64, C>
  return %1 : !pyarray.array<?xf64, C>
}

// -----

// A field of a class that the module does not declare.
func.func @f(%p: !pyarray.object<"m:Point#0">) -> f64 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.getfield' op has an instance of 'm:Point#0', a class that the module's pyarray.classes do not have}}
  %0 = pyarray.getfield %p "x" : (!pyarray.object<"m:Point#0">) -> f64
  return %0 : f64
}

// -----

// Math.sqrt of a float64 gives an int64.
func.func @f(%x: f64) -> si64 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.builtin' op calls 'math.sqrt(x)' with ('f64') -> 'si64'; these are not the operands and result of that builtin}}
  %0 = pyarray.builtin "math.sqrt"(%x) : (f64) -> si64
  return %0 : si64
}

// -----

// A callable names a function that the module does not have.
func.func @f(%x: f64) -> f64 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.callable' op names @nobody, which is no function of this module}}
  %0 = pyarray.callable @nobody -> !pyarray.callable<@nobody>
  return %x : f64
}

// -----

// An untyped call of typed values.
func.func @f(%x: f64) -> f64 attributes {pyarray.entry} {
  %0 = pyarray.callable "math.sqrt" -> !pyarray.callable<"math.sqrt">
  // expected-error@+1 {{'pyarray.apply' op operand #0 must be `!pyarray.any`, since the operation is one of level 1, but got '!pyarray.callable<"math.sqrt">'}}
  %1 = pyarray.apply %0(%x) : (!pyarray.callable<"math.sqrt">, f64) -> f64
  return %1 : f64
}

// -----

// Runs a list on to its next yield.
func.func @f(%l: !pyarray.list<f64>) -> f64 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.iter_next' op operand #0 must be a generator, but got '!pyarray.list<f64>'}}
  %more, %x = pyarray.iter_next %l : (!pyarray.list<f64>) -> (i1, f64)
  return %x : f64
}

// -----

// A yield in a function that is no generator.
func.func @f(%x: f64) -> f64 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.suspend' op is in @f, which is no generator: it has no attribute pyarray.generator}}
  pyarray.suspend %x : f64
  return %x : f64
}

// -----

// A break in no breakable.
func.func @f(%x: f64) -> f64 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.break' op is in no pyarray.breakable}}
  pyarray.break
  return %x : f64
}

// -----

// Asks what was caught where no exception is handled.
func.func @f() -> i1 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.caught' op is not in the second region of a pyarray.try, where an exception is handled}}
  %0 = pyarray.caught ["ValueError"]
  return %0 : i1
}

// -----

// Raises again where no exception is handled.
func.func @f(%x: f64) -> f64 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.reraise' op is not in the second region of a pyarray.try, where an exception is handled}}
  pyarray.reraise
  return %x : f64
}

// -----

// Stores an int64 into a variable of float64.
func.func @f(%n: si64) -> f64 attributes {pyarray.entry} {
  %0 = pyarray.variable : !pyarray.variable<f64>
  // expected-error@+1 {{'pyarray.store' op has 'si64' for a value of '!pyarray.variable<f64>'}}
  pyarray.store %n, %0 : si64, !pyarray.variable<f64>
  %1 = pyarray.load %0 : (!pyarray.variable<f64>) -> f64
  return %1 : f64
}

// -----

// Takes a reference to the memory of a number.
func.func @f(%x: f64) -> f64 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.retain' op operand #0 must be an array, an object on the heap, or a tuple or optional of these, but got 'f64'}}
  pyarray.retain %x : f64
  return %x : f64
}

// -----

// An option that there is not.
// expected-error@+1 {{'func.func' op has an option 'fastmaths' in pyarray.options, which there is not; there are boundscheck, fastmath, offload, parallel, error_model, inline, target}}
func.func @f(%x: f64) -> f64 attributes {pyarray.entry, pyarray.options = {fastmaths = true}} {
  return %x : f64
}

// -----

// Two names for one parameter.
// expected-error@+1 {{'func.func' op names 2 parameters in pyarray.params, but has 1}}
func.func @f(%x: f64) -> f64 attributes {pyarray.entry, pyarray.params = ["x", "y"]} {
  return %x : f64
}

// -----

// A mark of subscripts on an addition.
func.func @f(%x: f64) -> f64 attributes {pyarray.entry} {
  // expected-error@+1 {{'pyarray.binary' op has the attribute 'pyarray.in_bounds', which belongs to pyarray.getitem and pyarray.setitem}}
  %0 = pyarray.binary add %x, %x {pyarray.in_bounds = 7 : i32} : (f64, f64) -> f64
  return %0 : f64
}

// -----

// A list of memrefs.
// expected-error@+1 {{a list of 'memref<?xf64>', which is no type of a value}}
func.func @f(%l: !pyarray.list<memref<?xf64>>) -> si64 attributes {pyarray.entry} {
  %0 = pyarray.iter_length %l : (!pyarray.list<memref<?xf64>>) -> si64
  return %0 : si64
}

// -----

// A dict whose keys are lists, which are not hashable.
// expected-error@+1 {{a dict with keys of '!pyarray.list<si64>', which is not hashable}}
func.func @f(%d: !pyarray.dict<!pyarray.list<si64>, f64>) -> si64 attributes {pyarray.entry} {
  %0 = pyarray.iter_length %d : (!pyarray.dict<!pyarray.list<si64>, f64>) -> si64
  return %0 : si64
}

// -----

// An optional None.
// expected-error@+1 {{an optional of '!pyarray.none', which may be None anyway}}
func.func @f(%o: !pyarray.optional<!pyarray.none>) -> i1 attributes {pyarray.entry} {
  %0 = pyarray.truth %o : !pyarray.optional<!pyarray.none>
  return %0 : i1
}

// -----

// A slice from a float64 to text.
// expected-error@+1 {{a slice with 'f64'; its parts are integers or None}}
func.func @f(%a: !pyarray.array<?xf64, C>, %s: !pyarray.slice<f64, !pyarray.str, !pyarray.none>) -> !pyarray.array<?xf64, A> attributes {pyarray.entry} {
  %0 = pyarray.getitem %a[%s] : (!pyarray.array<?xf64, C>, !pyarray.slice<f64, !pyarray.str, !pyarray.none>) -> !pyarray.array<?xf64, A>
  return %0 : !pyarray.array<?xf64, A>
}

// -----

// A tagged type of a kind that there is not.
// expected-error@+1 {{a tagged type of the kind 'no such kind', which there is not}}
func.func @f(%t: !pyarray.tagged<"no such kind", 7 : i8, f64>) attributes {pyarray.entry} {
  return
}

// -----

// A set of arrays, which are not hashable.
// expected-error@+1 {{a set of '!pyarray.array<?xf64, C>', which is not hashable}}
func.func @f(%s: !pyarray.set<!pyarray.array<?xf64, C>>, %a: !pyarray.array<?xf64, C>) attributes {pyarray.entry} {
  %0 = pyarray.set %a : (!pyarray.array<?xf64, C>) -> !pyarray.set<!pyarray.array<?xf64, C>>
  return
}
