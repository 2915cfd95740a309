// RUN: pyarray-opt %s --pyarray-lower --split-input-file | FileCheck %s
// RUN: pyarray-opt %s --pyarray-lower --pyarray-lower --split-input-file | FileCheck %s

// Types: signs go, tuples are flattened, arrays are a memref and an owner, None is nothing. A status comes first.
// CHECK-LABEL: func.func @types(
// CHECK-SAME: %{{.*}}: i8, %{{.*}}: i1, %{{.*}}: i64, %{{.*}}: f64
// CHECK-SAME: memref<?xf64, strided<[1], offset: ?>>, %{{.*}}: i64, %{{.*}}: memref<?x?xi8, strided<[1, ?], offset: ?>>, %{{.*}}: i64,
// CHECK-SAME: memref<4x?xi32, strided<[?, ?], offset: ?>>, %{{.*}}: i64) -> (i32, i64, f64)
// CHECK: %[[OK:.*]] = arith.constant 0 : i32
// CHECK: return %[[OK]], %{{.*}}, %{{.*}} : i32, i64, f64
func.func @types(%a: ui8, %b: i1, %n: !pyarray.none, %t: tuple<si64, tuple<f64>>, %c: !pyarray.array<?xf64, C>,
                 %d: !pyarray.array<?x?xi1, F>, %e: !pyarray.array<4x?xsi32, A>) -> tuple<si64, tuple<f64>> {
  return %t : tuple<si64, tuple<f64>>
}

// -----

// A callee's error passes through; its place is a site without an exception.
// CHECK: pyarray.sites = [{args = [], exception = "", file = "a.py", function = "caller", line = 3 : i64}]
// CHECK-LABEL: func.func @caller(
// CHECK-SAME: attributes {pyarray.entry, pyarray.qualname = "outer.<locals>.caller"}
// CHECK: %[[R:.*]]:2 = call @callee(%arg0) : (f64) -> (i32, f64)
// CHECK: %[[FAILED:.*]] = arith.cmpi ne, %[[R]]#0, %c0_i32
// CHECK: scf.if %[[FAILED]] {
// CHECK: func.call @pyarray_rt_propagate
// CHECK: return %{{.*}}, %[[R]]#1
// CHECK: func.func private @callee(%{{.*}}: f64) -> (i32, f64)
// CHECK: func.func private @pyarray_rt_propagate(i32) attributes {pyarray.noreturn}
func.func @caller(%x: f64) -> f64 attributes {pyarray.entry, pyarray.qualname = "outer.<locals>.caller", pyarray.params = ["x"]} {
  %0 = pyarray.call @callee(%x) : (f64) -> f64 loc("a.py":3:10)
  return %0 : f64
}
func.func private @callee(%x: f64) -> f64 {
  return %x : f64
}

// -----

// Equal sites are one.
// CHECK: pyarray.sites = [{args = ["bad", 3 : si64], exception = "ValueError", file = "a.py", function = "raises", line = 3 : i64},
// CHECK-SAME: {args = [], exception = "mod:Error", file = "a.py", function = "raises", line = 5 : i64}]
// CHECK-LABEL: func.func @raises
// CHECK-DAG: %[[FIRST:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[SECOND:.*]] = arith.constant 1 : i32
// CHECK: scf.if
// CHECK: func.call @pyarray_rt_raise(%[[FIRST]])
// CHECK: } else {
// CHECK: func.call @pyarray_rt_raise(%[[FIRST]])
// CHECK: call @pyarray_rt_raise(%[[SECOND]])
func.func @raises(%c: i1) -> si64 {
  %m = pyarray.constant "bad" -> !pyarray.str
  %n = pyarray.constant 3 : si64 -> si64
  scf.if %c {
    pyarray.raise "ValueError"(%m, %n) : (!pyarray.str, si64) -> () loc("a.py":3:5)
  } else {
    pyarray.raise "ValueError"(%m, %n) : (!pyarray.str, si64) -> () loc("a.py":3:5)
  }
  pyarray.raise "mod:Error"() : () -> () loc("a.py":5:5)
  %r = pyarray.unbound : si64
  return %r : si64
}

// -----

// Code that was inlined has the frames of its callers.
// CHECK: pyarray.sites = [{args = ["float division by zero"], exception = "ZeroDivisionError", file = "a.py", function = "inner", line = 7 : i64},
// CHECK-SAME: {args = [], exception = "", file = "a.py", function = "outer", line = 3 : i64}]
// CHECK-LABEL: func.func @outer
// CHECK: func.call @pyarray_rt_raise(
// CHECK-NEXT: func.call @pyarray_rt_propagate(
func.func @outer(%x: f64) -> f64 {
  %0 = pyarray.binary truediv %x, %x : (f64, f64) -> f64 loc(callsite("inner"("a.py":7:5) at "a.py":3:10))
  return %0 : f64
}

// -----

// A function without a frame: its own errors name no function, those of callees leave without a word, and what was inlined into it
// has but its own frame.
// CHECK: pyarray.sites = [{args = [], exception = "ValueError", file = "a.py", function = "", line = 3 : i64},
// CHECK-SAME: {args = ["float division by zero"], exception = "ZeroDivisionError", file = "a.py", function = "inner", line = 7 : i64}]
// CHECK-LABEL: func.func @loop
// CHECK: func.call @pyarray_rt_leave() : () -> ()
// CHECK: func.call @pyarray_rt_raise(
// CHECK-NOT: pyarray_rt_propagate
// CHECK: func.func private @pyarray_rt_leave() attributes {pyarray.noreturn}
func.func @loop(%x: f64, %c: i1) -> f64 attributes {pyarray.no_frame} {
  scf.if %c {
    pyarray.raise "ValueError"() : () -> () loc("a.py":3:5)
  }
  %0 = pyarray.call @callee(%x) : (f64) -> f64 loc("a.py":4:10)
  %1 = pyarray.binary truediv %0, %x : (f64, f64) -> f64 loc(callsite("inner"("a.py":7:5) at "a.py":5:10))
  return %1 : f64
}
func.func private @callee(%x: f64) -> f64 {
  return %x : f64
}

// -----

// What was inlined from such a function, whose name is empty then, counts as the caller's.
// CHECK: pyarray.sites = [{args = ["float division by zero"], exception = "ZeroDivisionError", file = "a.py", function = "outer", line = 3 : i64}]
func.func @outer(%x: f64) -> f64 {
  %0 = pyarray.binary truediv %x, %x : (f64, f64) -> f64 loc(callsite(""("a.py":7:5) at "a.py":3:10))
  return %0 : f64
}

// -----

// A value that is never read is poison, but its owner is 0, which may be retained and released.
// CHECK-LABEL: func.func @unbound
// CHECK-DAG: %[[OWNER:.*]] = arith.constant 0 : i64
// CHECK-DAG: %[[MEMREF:.*]] = ub.poison : memref<?xf64, strided<[1], offset: ?>>
// CHECK: return %{{.*}}, %[[MEMREF]], %[[OWNER]]
func.func @unbound() -> !pyarray.array<?xf64, C> {
  %0 = pyarray.unbound : !pyarray.array<?xf64, C>
  return %0 : !pyarray.array<?xf64, C>
}

// -----

// CHECK-LABEL: func.func @constants
// CHECK-DAG: arith.constant 3 : i64
// CHECK-DAG: arith.constant -1 : i8
// CHECK-DAG: arith.constant true
// CHECK-DAG: arith.constant 2.500000e+00 : f32
// CHECK-DAG: complex.constant [1.000000e+00, -2.000000e+00] : complex<f64>
func.func @constants() -> tuple<si64, ui8, i1, f32, complex<f64>, !pyarray.none> {
  %0 = pyarray.constant 3 : si64 -> si64
  %1 = pyarray.constant 255 : ui8 -> ui8
  %2 = pyarray.constant true -> i1
  %3 = pyarray.constant 2.5 : f32 -> f32
  %4 = pyarray.constant #complex.number<:f64 1.0, -2.0> -> complex<f64>
  %5 = pyarray.constant unit -> !pyarray.none
  %6 = pyarray.tuple %0, %1, %2, %3, %4, %5 : (si64, ui8, i1, f32, complex<f64>, !pyarray.none) -> tuple<si64, ui8, i1, f32, complex<f64>, !pyarray.none>
  return %6 : tuple<si64, ui8, i1, f32, complex<f64>, !pyarray.none>
}

// -----

// Regions carry flattened values.
// CHECK-LABEL: func.func @regions
// CHECK: %[[IF:.*]]:2 = scf.if %arg0 -> (i64, f64) {
// CHECK: scf.yield %arg1, %arg2 : i64, f64
// CHECK: scf.while (%{{.*}} = %[[IF]]#0, %{{.*}} = %[[IF]]#1) : (i64, f64) -> (i64, f64) {
// CHECK: scf.condition(%arg0) %{{.*}}, %{{.*}} : i64, f64
// CHECK: ^bb0(%[[X:.*]]: i64, %[[Y:.*]]: f64):
// CHECK: scf.yield %[[X]], %[[Y]] : i64, f64
func.func @regions(%c: i1, %t: tuple<si64, f64>) -> tuple<si64, f64> {
  %0 = scf.if %c -> (tuple<si64, f64>) {
    scf.yield %t : tuple<si64, f64>
  } else {
    scf.yield %t : tuple<si64, f64>
  }
  %1 = scf.while (%u = %0) : (tuple<si64, f64>) -> tuple<si64, f64> {
    scf.condition(%c) %u : tuple<si64, f64>
  } do {
  ^bb0(%u: tuple<si64, f64>):
    scf.yield %u : tuple<si64, f64>
  }
  return %1 : tuple<si64, f64>
}

// -----

// What canonicalization leaves of other dialects is lowered along.
// CHECK-LABEL: func.func @foreign
// CHECK: %[[NOT:.*]] = arith.xori %arg0
// CHECK: arith.select %[[NOT]], %arg1, %arg3 : i64
// CHECK: arith.select %[[NOT]], %arg2, %arg4 : f64
func.func @foreign(%c: i1, %a: tuple<si64, f64>, %b: tuple<si64, f64>) -> tuple<si64, f64> {
  %true = arith.constant true
  %0 = arith.xori %c, %true : i1
  %1 = arith.select %0, %a, %b : tuple<si64, f64>
  return %1 : tuple<si64, f64>
}
