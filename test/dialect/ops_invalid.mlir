// RUN: pyarray-opt %s --split-input-file --verify-diagnostics

func.func @constant() {
  // expected-error@+1 {{holds a number, a string or unit}}
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
