// RUN: pyarray-opt %s --pyarray-expand-broadcasting | FileCheck %s
// RUN: pyarray-opt %s --pyarray-expand-broadcasting | pyarray-opt

!A = !pyarray.array<?xf64, A>
!C = !pyarray.array<?xf64, C>
!C2 = !pyarray.array<?x?xf64, C>

// A kernel has no memory to compute apart in: an output that overlaps is an error.
// CHECK-LABEL: func.func @given
// CHECK:      pyarray.independent ins(%{{.*}}) outs(%arg1 : {{.*}}) {pyarray.required} : i1
// CHECK-NOT:  numpy.empty
// CHECK:      pyarray.ufunc {{.*}} outs(%arg1 : {{.*}}) expanded {
// CHECK-NOT:  scf.if
func.func @given(%a: !C, %o: !C) attributes {pyarray.kernel, pyarray.options = {target = "cuda"}} {
  pyarray.ufunc "()->()" ins(%a : !C) outs(%o : !C) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  return
}

// A reduction writes at once to what its result is stored to.
// CHECK-LABEL: func.func @stored
// CHECK-NOT:  numpy.empty
// CHECK:      %[[PART:.*]] = pyarray.getitem %arg1[%arg2]
// CHECK:      pyarray.independent ins(%arg0 : {{.*}}) outs(%[[PART]] : {{.*}}) apart {pyarray.required} : i1
// CHECK:      pyarray.reduce ["add"] axes [0] ins(%arg0 : {{.*}}) outs(%[[PART]] : {{.*}}) expanded {
// CHECK-NOT:  pyarray.setitem
func.func @stored(%a: !C2, %o: !C2, %i: si64) attributes {pyarray.kernel, pyarray.options = {target = "cuda"}} {
  %s = pyarray.reduce ["add"] axes [0] ins(%a : !C2) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> !C
  pyarray.setitem %o[%i] = %s : (!C2, si64, !C) -> ()
  return
}

// So it does with an output that a ufunc would copy it to.
// CHECK-LABEL: func.func @copied
// CHECK:      pyarray.reduce ["add"] axes [0] ins(%arg0 : {{.*}}) outs(%arg1 : {{.*}}) expanded {
// CHECK-NOT:  pyarray.ufunc
// CHECK:      return
func.func @copied(%a: !C2, %o: !A) attributes {pyarray.kernel, pyarray.options = {target = "cuda"}} {
  %s = pyarray.reduce ["add"] axes [0] ins(%a : !C2) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> !C
  pyarray.ufunc "()->()" ins(%s : !C) outs(%o : !A) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  return
}
