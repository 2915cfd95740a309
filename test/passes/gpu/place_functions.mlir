// RUN: pyarray-opt %s --pyarray-place-functions | FileCheck %s
// RUN: pyarray-opt %s --pyarray-place-functions --pyarray-place-functions | FileCheck %s

!A = !pyarray.array<?xf64, C>
!M = !pyarray.array<?x?xf64, C>

// An assignment to part of an array is a ufunc; new arrays are filled by one.
// CHECK-LABEL: func.func @assigns
// CHECK:         %[[V:.*]] = pyarray.getitem %arg0[%{{.*}}, %{{.*}}] {{.*}} -> !pyarray.array<?xf64, A>
// CHECK-NEXT:    pyarray.ufunc "()->()" ins(%arg1 : f64) outs(%[[V]] : {{.*}}) {
// CHECK:         } {assigns}
// CHECK:         %[[E:.*]] = pyarray.builtin "numpy.empty"(%arg2)
// CHECK:         pyarray.ufunc "()->()" ins(%{{.*}} : si64) outs(%[[E]] : {{.*}}) {
// CHECK:           pyarray.cast %{{.*}} : si64 to f64
func.func @assigns(%a: !M, %x: f64, %n: si64) -> !A attributes {pyarray.entry, pyarray.options = {offload = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %all = pyarray.slice %none, %none, %none : (!pyarray.none, !pyarray.none, !pyarray.none) -> !pyarray.slice<!pyarray.none, !pyarray.none, !pyarray.none>
  %0 = pyarray.constant 2 : si64 -> si64
  pyarray.setitem %a[%all, %0] = %x : (!M, !pyarray.slice<!pyarray.none, !pyarray.none, !pyarray.none>, si64, f64) -> ()
  %1 = pyarray.builtin "numpy.ones"(%n) : (si64) -> !A
  %2 = pyarray.call @elements(%1) : (!A) -> f64
  %3 = pyarray.call @whole(%1) : (!A) -> !A
  return %3 : !A
}

// What goes over elements one by one is the host's, with what it calls.
// CHECK-LABEL: func.func private @elements
// CHECK-SAME: pyarray.options = {}
func.func private @elements(%a: !A) -> f64 attributes {pyarray.no_frame, pyarray.options = {offload = true}} {
  %0 = pyarray.constant 0 : si64 -> si64
  %1 = pyarray.getitem %a[%0] : (!A, si64) -> f64
  %2 = pyarray.call @called(%a) : (!A) -> !A
  return %1 : f64
}

// CHECK-LABEL: func.func private @called
// CHECK-SAME: pyarray.options = {}
func.func private @called(%a: !A) -> !A attributes {pyarray.no_frame, pyarray.options = {offload = true}} {
  return %a : !A
}

// CHECK-LABEL: func.func private @whole
// CHECK-SAME: offload = true
// CHECK: %[[C:.*]] = pyarray.ufunc "()->()" ins(%arg0 : {{.*}}) {
// CHECK: return %[[C]]
func.func private @whole(%a: !A) -> !A attributes {pyarray.no_frame, pyarray.options = {offload = true}} {
  %0 = pyarray.builtin "numpy.copy"(%a) : (!A) -> !A
  return %0 : !A
}
