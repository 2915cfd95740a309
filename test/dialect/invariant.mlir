// RUN: pyarray-opt %s --canonicalize --loop-invariant-code-motion | FileCheck %s

// What does not change leaves loops, if it cannot raise: products, conversions, functions of libm, quotients by what is known.
// CHECK-LABEL: func.func @loop
// CHECK: pyarray.binary mul %{{.*}} : (si64, si64) -> si64
// CHECK: pyarray.cast
// CHECK: pyarray.builtin "math.sqrt"
// CHECK: pyarray.binary truediv
// CHECK: pyarray.for
// CHECK-NEXT: pyarray.binary floordiv
// CHECK-NEXT: pyarray.cast
// CHECK-NEXT: pyarray.binary add
// CHECK-NEXT: pyarray.binary add
// CHECK-NEXT: pyarray.binary add
// CHECK-NEXT: pyarray.yield
func.func @loop(%n: si64, %a: si64, %b: si64, %x: f64) -> f64 {
  %zero = pyarray.constant 0 : si64 -> si64
  %one = pyarray.constant 1 : si64 -> si64
  %two = pyarray.constant 2 : si64 -> si64
  %three = pyarray.constant 3 : si64 -> si64
  %range = pyarray.builtin "builtins.range"(%zero, %n, %one) : (si64, si64, si64) -> !pyarray.range
  %start = pyarray.constant 0.0 : f64 -> f64
  %sum = pyarray.for (%i: si64, %s: f64) in %range : !pyarray.range iter(%start) {
    %p = pyarray.binary mul %a, %b : (si64, si64) -> si64
    %real = pyarray.cast %p : si64 to f64
    %root = pyarray.builtin "math.sqrt"(%real) : (f64) -> f64
    %five = pyarray.binary add %two, %three : (si64, si64) -> si64
    %by = pyarray.cast %five : si64 to f64
    %part = pyarray.binary truediv %x, %by : (f64, f64) -> f64
    %q = pyarray.binary floordiv %a, %b : (si64, si64) -> si64
    %r = pyarray.cast %q : si64 to f64
    %t = pyarray.binary add %s, %root : (f64, f64) -> f64
    %u = pyarray.binary add %t, %part : (f64, f64) -> f64
    %v = pyarray.binary add %u, %r : (f64, f64) -> f64
    pyarray.yield %v : f64
  }
  func.return %sum : f64
}
