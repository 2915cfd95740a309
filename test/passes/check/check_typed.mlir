// RUN: pyarray-opt %s --pyarray-check-typed --split-input-file --verify-diagnostics

func.func @fine(%x: f64, %d: !pyarray.datetime<"D">) -> f64 {
  %0 = pyarray.binary add %x, %x : (f64, f64) -> f64
  return %0 : f64
}

// -----

// expected-error@+1 {{'func.func' has a value of type '!pyarray.any'; from level 2 on the type of every value is known}}
func.func @untyped(%x: !pyarray.any) {
  // expected-error@+1 {{'pyarray.apply' is an operation of level 1; type inference makes it a pyarray.call or a pyarray.builtin}}
  %0 = pyarray.apply %x(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  // expected-error@+1 {{'pyarray.closure' is an operation of level 1; type inference makes it the tuple of what it captures}}
  %1 = pyarray.closure @untyped(%0) : (!pyarray.any) -> !pyarray.any
  return
}

// -----

// expected-error@+1 {{has a value of type '!pyarray.list<!pyarray.any>'; from level 2 on the type of every value is known}}
func.func @within(%x: !pyarray.list<!pyarray.any>) {
  return
}

// -----

// expected-error@+1 {{from level 2 on values have the types that represent them}}
func.func @tagged(%x: !pyarray.tagged<"enumerate", unit, !pyarray.range>) {
  return
}
