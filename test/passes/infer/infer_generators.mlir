// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file | FileCheck %s
// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file | pyarray-opt --split-input-file

// Items have the joined type of all that is yielded; what the function returns means nothing.
// CHECK-LABEL: func.func @total$0(%arg0: si64) -> f64
// CHECK: %[[G:.*]] = pyarray.call @mixed$0(%arg0) : (si64) -> !pyarray.generator<f64>
// CHECK: pyarray.for (%{{.*}}: f64, %{{.*}}: f64) in %[[G]] : !pyarray.generator<f64>
// CHECK-LABEL: func.func private @mixed$0(%arg0: si64) -> !pyarray.generator<f64> attributes {pyarray.generator}
// CHECK: %[[X:.*]] = pyarray.cast %arg0 : si64 to f64
// CHECK: pyarray.suspend %[[X]] : f64
// CHECK: pyarray.suspend %{{.*}} : f64
// CHECK: %[[U:.*]] = pyarray.unbound : !pyarray.generator<f64>
// CHECK: return %[[U]]
func.func @total(%n: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(si64) -> ()]} {
  %zero = pyarray.constant 0.0 : f64 -> !pyarray.any
  %f = pyarray.callable @mixed -> !pyarray.any
  %g = pyarray.apply %f(%n) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %s = pyarray.for (%x: !pyarray.any, %acc: !pyarray.any) in %g : !pyarray.any iter(%zero) {
    %sum = pyarray.binary add %acc, %x : (!pyarray.any, !pyarray.any) -> !pyarray.any
    pyarray.yield %sum : !pyarray.any
  }
  func.return %s : !pyarray.any
}
func.func @mixed(%n: !pyarray.any) -> !pyarray.any attributes {pyarray.generator} {
  %half = pyarray.constant 0.5 : f64 -> !pyarray.any
  pyarray.suspend %n : !pyarray.any
  pyarray.suspend %half : !pyarray.any
  %none = pyarray.constant unit -> !pyarray.any
  func.return %none : !pyarray.any
}

// -----

// The test of a loop that may be left early runs the generator on, and the item is what that gave.
// CHECK-LABEL: func.func @first$0
// CHECK: %[[G:.*]] = pyarray.call @ones$0
// CHECK: scf.while
// CHECK: %[[MORE:.*]], %[[ITEM:.*]] = pyarray.iter_next %[[G]] : (!pyarray.generator<si64>) -> (i1, si64)
// CHECK: scf.if %{{.*}} -> (si64)
// CHECK-NEXT: scf.yield %[[ITEM]] : si64
func.func @first(%n: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(si64) -> ()]} {
  %zero = pyarray.constant 0 : si64 -> !pyarray.any
  %f = pyarray.callable @ones -> !pyarray.any
  %g = pyarray.apply %f(%n) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %it = pyarray.iterator %g : (!pyarray.any) -> !pyarray.any
  %r:2 = scf.while (%k = %zero) : (!pyarray.any) -> (!pyarray.any, !pyarray.any) {
    %more = pyarray.iter_more %it, %k : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %test = pyarray.truth %more : !pyarray.any
    %x = scf.if %test -> (!pyarray.any) {
      %item = pyarray.iter_item %it, %k : (!pyarray.any, !pyarray.any) -> !pyarray.any
      scf.yield %item : !pyarray.any
    } else {
      scf.yield %zero : !pyarray.any
    }
    %false = pyarray.constant false -> i1
    scf.condition(%false) %k, %x : !pyarray.any, !pyarray.any
  } do {
  ^bb0(%k: !pyarray.any, %x: !pyarray.any):
    scf.yield %k : !pyarray.any
  }
  func.return %r#1 : !pyarray.any
}
func.func @ones(%n: !pyarray.any) -> !pyarray.any attributes {pyarray.generator} {
  pyarray.suspend %n : !pyarray.any
  func.return %n : !pyarray.any
}

// -----

// One that yields nothing has items of None, so that its body runs all the same.
// CHECK-LABEL: func.func @run$0
// CHECK: pyarray.call @nothing$0(%arg0) : (si64) -> !pyarray.generator<!pyarray.none>
// CHECK: pyarray.for (%{{.*}}: !pyarray.none) in
func.func @run(%n: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(si64) -> ()]} {
  %f = pyarray.callable @nothing -> !pyarray.any
  %g = pyarray.apply %f(%n) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  pyarray.for (%x: !pyarray.any) in %g : !pyarray.any {
  }
  func.return %n : !pyarray.any
}
func.func @nothing(%n: !pyarray.any) -> !pyarray.any attributes {pyarray.generator} {
  pyarray.raise "ValueError"() : () -> ()
  func.return %n : !pyarray.any
}

// -----

// A parameter that the function says must be known makes an instance for each value.
// CHECK-LABEL: func.func @calls$0
// CHECK: pyarray.call @zeros$0(%{{.*}}) : (si64) -> tuple<si64, si64>
func.func @calls() -> !pyarray.any attributes {pyarray.instantiate = [() -> ()]} {
  %two = pyarray.constant 2 : si64 -> !pyarray.any
  %f = pyarray.callable @zeros -> !pyarray.any
  %t = pyarray.apply %f(%two) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %t : !pyarray.any
}
func.func @zeros(%n: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["n"], pyarray.literals = array<i64: 0>} {
  %zero = pyarray.constant 0 : si64 -> !pyarray.any
  %is = pyarray.compare eq %n, %zero : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %end = pyarray.truth %is : !pyarray.any
  %t = scf.if %end -> (!pyarray.any) {
    %empty = pyarray.tuple : () -> !pyarray.any
    scf.yield %empty : !pyarray.any
  } else {
    %one = pyarray.constant 1 : si64 -> !pyarray.any
    %less = pyarray.binary sub %n, %one : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %f = pyarray.callable @zeros -> !pyarray.any
    %rest = pyarray.apply %f(%less) : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %head = pyarray.tuple %zero : (!pyarray.any) -> !pyarray.any
    %all = pyarray.binary add %head, %rest : (!pyarray.any, !pyarray.any) -> !pyarray.any
    scf.yield %all : !pyarray.any
  }
  func.return %t : !pyarray.any
}
