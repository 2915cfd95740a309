// RUN: pyarray-opt %s --pyarray-check-lowered --split-input-file --verify-diagnostics --allow-unregistered-dialect | FileCheck %s

// What has no pyarray operation or type passes through unchanged.
// CHECK-LABEL: func.func @lowered
// CHECK-NEXT: arith.addf
func.func @lowered(%a: f64) -> f64 {
  %0 = arith.addf %a, %a : f64
  return %0 : f64
}

// -----

func.func @operation(%a: si64) {
  // expected-error@+1 {{'pyarray.unary' survived the lowering}}
  %0 = pyarray.unary neg %a : (si64) -> si64
  return
}

// -----

// An operation nested in regions is found too.
func.func @nested(%a: si64, %c: i1) {
  scf.if %c {
    // expected-error@+1 {{'pyarray.unary' survived the lowering}}
    %0 = pyarray.unary neg %a : (si64) -> si64
  }
  return
}

// -----

// expected-error@+1 {{'func.func' still has the type '!pyarray.array<?xf64, C>'}}
func.func private @argument(!pyarray.array<?xf64, C>)

// -----

// expected-error@+1 {{'func.func' still has the type '!pyarray.none'}}
func.func private @in_tuple(tuple<f64, tuple<!pyarray.none>>)

// -----

func.func @block_argument(%a: i64) {
  // expected-error@+1 {{'test.region' still has the type '!pyarray.any'}}
  "test.region"() ({
  ^bb0(%x: !pyarray.any):
  }) : () -> ()
  return
}
