// RUN: pyarray-opt %s --split-input-file --pyarray-lower | FileCheck %s
// RUN: pyarray-opt %s --split-input-file --pyarray-lower | pyarray-opt --split-input-file

!A = !pyarray.array<?xsi64, A>

// The first input is the output, one point later: it is read once, and carried. An output that does not move is stored at the end.
// CHECK-LABEL: func.func @product
// CHECK:       %[[FOLDS:.*]] = arith.andi
// CHECK:       scf.if %[[FOLDS]] {
// CHECK:         %[[FIRST:.*]] = memref.load
// CHECK:         %[[LAST:.*]] = scf.for %{{.*}} iter_args(%[[X:.*]] = %[[FIRST]]) -> (i64) {
// CHECK-NEXT:      %[[Y:.*]] = memref.load
// CHECK-NEXT:      %[[S:.*]] = arith.muli %[[X]], %[[Y]] : i64
// CHECK-NEXT:      scf.yield %[[S]] : i64
// CHECK:         memref.store %[[LAST]]
// CHECK:       } else {
// CHECK:         %{{.*}}:3 = scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (i64, index, index) {
// CHECK-COUNT-1:   memref.load
// CHECK:           memref.store
// CHECK:           scf.yield
func.func @product(%a: !A, %b: !A, %o: !A) -> !pyarray.none {
  pyarray.ufunc "(),()->()" ins(%a, %b : !A, !A) outs(%o : !A) carried expanded {
  ^bb0(%x: si64, %y: si64):
    %0 = pyarray.binary mul %x, %y : (si64, si64) -> si64
    pyarray.yield %0 : si64
  }
  %n = pyarray.constant unit -> !pyarray.none
  return %n : !pyarray.none
}

// -----

!F = !pyarray.array<?xf32, A>

// A sum of floats is added up in the runtime, whatever the stride of what is added.
// CHECK-LABEL: func.func @sum
// CHECK-NOT:   arith.andi
// CHECK:       %[[SUM:.*]] = func.call @pyarray_rt_pairwise_sum_f32
// CHECK:       arith.addf %{{.*}}, %[[SUM]] : f32
// CHECK:       } else {
// CHECK:         arith.addf
func.func @sum(%a: !F, %b: !F, %o: !F) -> !pyarray.none {
  pyarray.ufunc "(),()->()" ins(%a, %b : !F, !F) outs(%o : !F) carried expanded {
  ^bb0(%x: f32, %y: f32):
    %0 = pyarray.binary add %y, %x : (f32, f32) -> f32
    pyarray.yield %0 : f32
  }
  %n = pyarray.constant unit -> !pyarray.none
  return %n : !pyarray.none
}

// -----

!F = !pyarray.array<?xf64, A>

// Nothing else is.
// CHECK-LABEL: func.func @squares
// CHECK-NOT:   pyarray_rt
// CHECK:       scf.for
// CHECK:         arith.mulf
// CHECK:         arith.addf
func.func @squares(%a: !F, %b: !F, %o: !F) -> !pyarray.none {
  pyarray.ufunc "(),()->()" ins(%a, %b : !F, !F) outs(%o : !F) carried expanded {
  ^bb0(%x: f64, %y: f64):
    %0 = pyarray.binary mul %y, %y : (f64, f64) -> f64
    %1 = pyarray.binary add %x, %0 : (f64, f64) -> f64
    pyarray.yield %1 : f64
  }
  %n = pyarray.constant unit -> !pyarray.none
  return %n : !pyarray.none
}
