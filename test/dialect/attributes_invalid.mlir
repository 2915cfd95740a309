// Attributes of the dialect beside an operation's own: name, place and form.

// RUN: pyarray-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{has an attribute 'pyarray.param', which the dialect does not have}}
func.func @name(%x: f64) attributes {pyarray.param = ["x"]} {
  return
}

// -----

// expected-error@+1 {{has the attribute 'pyarray.sites', which belongs to modules}}
func.func @place(%x: f64) attributes {pyarray.sites = []} {
  return
}

// -----

// expected-error@+1 {{has 'pyarray.params' = ["x", 1]; expected an array of strings}}
func.func @form(%x: f64) attributes {pyarray.params = ["x", 1]} {
  return
}

// -----

// expected-error@+1 {{has the option 'error_model' = "c"; expected "python", "numpy"}}
func.func @word(%x: f64) attributes {pyarray.options = {error_model = "c"}} {
  return
}

// -----

// expected-error@+1 {{has the option 'fastmath' = "nsz, quick"; expected true or false, or some of "afn, arcp, contract, ninf, nnan, nsz, reassoc"}}
func.func @some(%x: f64) attributes {pyarray.options = {fastmath = "nsz, quick"}} {
  return
}

// -----

// expected-error@+1 {{has the option 'parallel' = "yes"; expected true or false}}
func.func @flag(%x: f64) attributes {pyarray.options = {parallel = "yes"}} {
  return
}

// -----

func.func @flags(%a: !pyarray.array<?xf64, C>, %i: si64) -> f64 {
  // expected-error@+1 {{has 2 flags in pyarray.in_bounds for 1 indices}}
  %0 = pyarray.getitem %a[%i] {pyarray.in_bounds = array<i1: true, true>} : (!pyarray.array<?xf64, C>, si64) -> f64
  return %0 : f64
}

// -----

// Arguments of classes that the module does not declare, also within other types.
// expected-error@+1 {{is instantiated for 'm:Mode#0', a class that the module's pyarray.classes do not have}}
func.func @f(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.list<!pyarray.tagged<"flag", "m:Mode#0", si64>>) -> ()]} {
  return %a : !pyarray.any
}

// -----

module attributes {pyarray.classes = {"m:Other#0" = {fields = []}}} {
  // expected-error@+1 {{is instantiated for 'm:Point#0', a class that the module's pyarray.classes do not have}}
  func.func @f(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.object<"m:Point#0">) -> ()]} {
    return %a : !pyarray.any
  }
}

// -----

// expected-error@+1 {{has a class 'm:Color#0' in pyarray.classes, an "enum", without 'names' for each of its 'numbers'}}
module attributes {pyarray.classes = {"m:Color#0" = {kind = "enum", members = {RED = 0 : si64}, numbers = [0 : si64], values = [3 : si64]}}} {
}

// -----

// expected-error@+1 {{without 'values' for each of its 'numbers'}}
module attributes {pyarray.classes = {"m:Color#0" = {kind = "flag", names = ["RED", "GREEN"], numbers = [1 : si64, 2 : si64], values = [1 : si64]}}} {
}
