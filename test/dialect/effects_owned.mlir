// Level 3: each reference is given up once, so no two of them become one.

// RUN: pyarray-opt %s --cse | FileCheck %s
// RUN: pyarray-opt %s --canonicalize --sccp | FileCheck %s
// RUN: pyarray-opt %s --loop-invariant-code-motion | FileCheck %s

!A = !pyarray.array<?xf64, A>
!L = !pyarray.list<!A>
!P = !pyarray.object<"m:P#0">

module attributes {pyarray.classes = {"m:P#0" = {fields = ["x", "a"], types = tuple<f64, !pyarray.array<?xf64, A>>}}} {

// CHECK-LABEL: func.func @items
// CHECK-COUNT-2: pyarray.getitem
// CHECK-COUNT-2: pyarray.iter_item
// CHECK-COUNT-2: pyarray.getfield
// CHECK-COUNT-2: pyarray.load
// CHECK-COUNT-8: pyarray.release
func.func @items(%l: !L, %p: !P, %i: si64, %v: !pyarray.variable<!A>) {
  %0 = pyarray.getitem %l[%i] : (!L, si64) -> !A
  %1 = pyarray.getitem %l[%i] : (!L, si64) -> !A
  %2 = pyarray.iter_item %l, %i : (!L, si64) -> !A
  %3 = pyarray.iter_item %l, %i : (!L, si64) -> !A
  %4 = pyarray.getfield %p "a" : (!P) -> !A
  %5 = pyarray.getfield %p "a" : (!P) -> !A
  %6 = pyarray.load %v : (!pyarray.variable<!A>) -> !A
  %7 = pyarray.load %v : (!pyarray.variable<!A>) -> !A
  pyarray.release %0 : !A
  pyarray.release %1 : !A
  pyarray.release %2 : !A
  pyarray.release %3 : !A
  pyarray.release %4 : !A
  pyarray.release %5 : !A
  pyarray.release %6 : !A
  pyarray.release %7 : !A
  return
}

// CHECK-LABEL: func.func @references
// CHECK: scf.for
// CHECK-NEXT: pyarray.retain
// CHECK-NEXT: pyarray.retain
// CHECK-NEXT: pyarray.release
// CHECK-NEXT: pyarray.release
func.func @references(%a: !A, %count: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %count step %one {
    pyarray.retain %a : !A
    pyarray.retain %a : !A
    pyarray.release %a : !A
    pyarray.release %a : !A
  }
  return
}
}
