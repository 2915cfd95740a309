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
  // expected-error@+2 {{'test.region' is of no dialect of level 4}}
  // expected-error@+1 {{'test.region' still has the type '!pyarray.any'}}
  "test.region"() ({
  ^bb0(%x: !pyarray.any):
  }) : () -> ()
  return
}

// -----

func.func @blocks() {
  // expected-error@+1 {{'cf.br' is of no dialect of level 4}}
  cf.br ^bb1
^bb1:
  return
}

// -----

// A body of linalg calls what computes, and nothing that leaves it.
#id = affine_map<(i) -> (i)>
func.func @linalg(%a: memref<?xf64>, %o: memref<?xf64>, %c: i1) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<?xf64>) outs(%o : memref<?xf64>) {
  ^bb0(%x: f64, %y: f64):
    %0 = func.call @hypot(%x, %x) : (f64, f64) -> f64
    scf.if %c {
      // expected-error@+1 {{'func.call' may leave the body of linalg.generic, which has no order}}
      func.call @pyarray_rt_leave() : () -> ()
    }
    linalg.yield %0 : f64
  }
  return
}
func.func private @hypot(f64, f64) -> f64 attributes {llvm.readnone}
func.func private @pyarray_rt_leave() attributes {pyarray.noreturn}
