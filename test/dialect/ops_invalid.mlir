// RUN: pyarray-opt %s --split-input-file --verify-diagnostics

func.func @constant() {
  // expected-error@+1 {{holds a number, a time, a string or unit}}
  %0 = pyarray.constant [1] -> !pyarray.any
  func.return
}

// -----

func.func @call(%x: f64) {
  // expected-error@+1 {{which is no function of this module}}
  %0 = pyarray.call @nothing(%x) : (f64) -> f64
  func.return
}

// -----

func.func private @callee(f64) -> f64
func.func @type(%x: f32) {
  // expected-error@+1 {{does not fit the type of @callee}}
  %0 = pyarray.call @callee(%x) : (f32) -> f64
  func.return
}

// -----

func.func @keywords(%f: !pyarray.any) {
  // expected-error@+1 {{names 2 keyword arguments but has 1 arguments}}
  %0 = pyarray.apply %f(%f) kw ["a", "b"] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return
}

// -----

func.func @yield(%r: !pyarray.range, %x: f64) {
  // expected-error@+1 {{does not yield the loop-carried types}}
  %0 = pyarray.for (%i: si64, %acc: f64) in %r : !pyarray.range iter(%x) {
    pyarray.yield %i : si64
  }
  func.return
}

// -----

func.func @kind(%x: f64) {
  // expected-error@+1 {{expected}}
  %0 = pyarray.binary plus %x, %x : (f64, f64) -> f64
  func.return
}

// -----

func.func @private(%a: !pyarray.array<?xf64, C>) {
  // expected-error@+1 {{is not at the top of a loop}}
  %0 = pyarray.private "add" %a : !pyarray.array<?xf64, C>
  func.return
}

// -----

func.func @private_kind(%a: !pyarray.array<?xf64, C>) {
  // expected-error@+1 {{has no reduction 'div'}}
  %0 = pyarray.private "div" %a : !pyarray.array<?xf64, C>
  func.return
}

// -----

func.func @private_of_a_number(%a: f64) {
  // expected-error@+1 {{which is no array of numbers}}
  %0 = pyarray.private "add" %a : f64
  func.return
}

// -----

func.func @axes_out_of_order(%a: !pyarray.array<?xf64, A>) {
  // expected-error@+1 {{cannot view}}
  %0 = pyarray.insert_axes %a [2, 1] : (!pyarray.array<?xf64, A>) -> !pyarray.array<?x?x?xf64, A>
  func.return
}

// -----

func.func @too_few_axes(%a: !pyarray.array<?xf64, A>) {
  // expected-error@+1 {{cannot view}}
  %0 = pyarray.insert_axes %a [1] : (!pyarray.array<?xf64, A>) -> !pyarray.array<?x?x?xf64, A>
  func.return
}

// -----

func.func @axis_twice(%a: !pyarray.array<?x?xf64, A>) {
  // expected-error@+1 {{cannot view}}
  %0 = pyarray.transpose %a [1, 1] : (!pyarray.array<?x?xf64, A>) -> !pyarray.array<?x?xf64, A>
  func.return
}

// -----

func.func @transposed_layout(%a: !pyarray.array<?x?xf64, A>) {
  // expected-error@+1 {{cannot view}}
  %0 = pyarray.transpose %a [1, 0] : (!pyarray.array<?x?xf64, A>) -> !pyarray.array<?x?xf64, C>
  func.return
}

// -----

func.func @try_yields(%x: f64, %n: si64) {
  // expected-error @below {{has a region that does not yield the types of its results}}
  %r = pyarray.try {
    pyarray.yield %x : f64
  } except {
    pyarray.yield %n : si64
  } : f64
  return
}
