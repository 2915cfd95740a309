// RUN: pyarray-opt %s --pyarray-lower | FileCheck %s
// RUN: pyarray-opt %s --pyarray-lower | pyarray-opt

!C1 = !pyarray.array<?xf64, C>
!C2 = !pyarray.array<?x?xf64, C>

// A thread adds up elements in C order, without the runtime.
// CHECK-LABEL: func.func @sum
// CHECK:     %[[ROWS:.*]] = scf.for %{{.*}} iter_args(%[[R:.*]] = %{{.*}}) -> (f64) {
// CHECK:       %[[ROW:.*]] = scf.for %{{.*}} iter_args(%[[S:.*]] = %[[R]]) -> (f64) {
// CHECK:         arith.addf %[[S]], %{{.*}} : f64
// CHECK:       scf.yield %[[ROW]]
// CHECK-NOT: call @pyarray_rt_
// CHECK:     return
func.func @sum(%a: !C2) -> f64 attributes {pyarray.options = {target = "cuda"}} {
  %s = pyarray.reduce ["add"] axes [0, 1] ins(%a : !C2) expanded {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> f64
  return %s : f64
}

// What is kept is a loop around; the output's extents are compared.
// CHECK-LABEL: func.func @columns
// CHECK:     arith.cmpi ne
// CHECK:     scf.if
// CHECK:     scf.for
// CHECK:       scf.for %{{.*}} iter_args
// CHECK:       memref.store
func.func @columns(%a: !C2, %o: !C1) attributes {pyarray.options = {target = "cuda"}} {
  pyarray.reduce ["max"] axes [0] ins(%a : !C2) outs(%o : !C1) expanded {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  return
}

// A position goes along with what is found there; the first NaN is before all.
// CHECK-LABEL: func.func @position
// CHECK:     scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}, %[[AT:.*]] = %{{.*}}) -> (f64, i64) {
// CHECK:       arith.cmpf uno
func.func @position(%a: !C1) -> si64 attributes {pyarray.options = {target = "cuda"}} {
  %s = pyarray.reduce ["argmin"] axes [0] ins(%a : !C1) expanded {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> si64
  return %s : si64
}
