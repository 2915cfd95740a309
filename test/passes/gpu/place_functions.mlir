// RUN: pyarray-opt %s --pyarray-place-functions | FileCheck %s
// RUN: pyarray-opt %s --pyarray-place-functions --pyarray-place-functions | FileCheck %s

!A = !pyarray.array<?xf64, C>
!M = !pyarray.array<?x?xf64, C>
!H = !pyarray.array<?x?xf16, C>
!S = !pyarray.array<?x?xf32, C>

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

// What goes over elements one by one is the host's, and has versions of its own of what it calls: others may need views
// of what lies on the device.
// CHECK-LABEL: func.func private @elements
// CHECK-SAME: pyarray.options = {}
// CHECK: pyarray.call @called.host
func.func private @elements(%a: !A) -> f64 attributes {pyarray.no_frame, pyarray.options = {offload = true}} {
  %0 = pyarray.constant 0 : si64 -> si64
  %1 = pyarray.getitem %a[%0] : (!A, si64) -> f64
  %2 = pyarray.call @called(%a) : (!A) -> !A
  return %1 : f64
}

// CHECK-LABEL: func.func private @called(
// CHECK-SAME: offload = true
// CHECK-LABEL: func.func private @called.host(
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

// Branches on where the arrays are are taken: here on the device, where a call of a kernel is a launch.
// CHECK-LABEL: func.func private @asks
// CHECK-NOT:     on_device
// CHECK-NOT:     scf.if
// CHECK:         pyarray.launch @device.kernels.double$0(%{{.*}}, %{{.*}}, %arg0, %arg1) outputs 3 points 0 sized
// CHECK-NOT:     @by_host
// CHECK:         return
func.func private @asks(%a: !A, %o: !A) -> !pyarray.none attributes {pyarray.no_frame, pyarray.options = {offload = true}} {
  %0 = pyarray.builtin "pyarray.library._intrinsics.on_device"() : () -> i1
  %1 = pyarray.truth %0 : i1
  scf.if %1 {
    %2 = pyarray.constant 1 : si64 -> si64
    %3 = pyarray.call @device.kernels.double$0(%2, %2, %a, %o) : (si64, si64, !A, !A) -> !pyarray.none
  } else {
    %2 = pyarray.call @by_host(%a) : (!A) -> !pyarray.none
  }
  %4 = pyarray.constant unit -> !pyarray.none
  return %4 : !pyarray.none
}

// Of the host's the other branch is taken, and what that calls is the host's too.
// CHECK-LABEL: func.func private @asks_on_host
// CHECK-SAME: pyarray.options = {}
// CHECK-NOT:     on_device
// CHECK:         pyarray.call @by_host.host
// CHECK-NOT:     @asks(
func.func private @asks_on_host(%a: !A) -> f64 attributes {pyarray.no_frame, pyarray.options = {offload = true}} {
  %0 = pyarray.constant 0 : si64 -> si64
  %1 = pyarray.getitem %a[%0] : (!A, si64) -> f64
  %2 = pyarray.builtin "pyarray.library._intrinsics.on_device"() : () -> i1
  scf.if %2 {
    %3 = pyarray.call @asks(%a, %a) : (!A, !A) -> !pyarray.none
  } else {
    %3 = pyarray.call @by_host(%a) : (!A) -> !pyarray.none
  }
  return %1 : f64
}

// CHECK-LABEL: func.func private @by_host.host(
// CHECK-SAME: pyarray.options = {}
func.func private @by_host(%a: !A) -> !pyarray.none attributes {pyarray.no_frame, pyarray.options = {offload = true}} {
  %0 = pyarray.constant unit -> !pyarray.none
  return %0 : !pyarray.none
}

// CHECK-LABEL: func.func private @device.kernels.double$0
// CHECK-SAME: pyarray.kernel
// CHECK-SAME: pyarray.registers = 64
func.func private @device.kernels.double$0(%blocks: si64, %threads: si64, %a: !A, %o: !A) -> !pyarray.none attributes {pyarray.no_frame, pyarray.options = {target = "cuda"}} {
  %0 = pyarray.constant 0 : si64 -> si64
  %1 = pyarray.getitem %a[%0] : (!A, si64) -> f64
  pyarray.setitem %o[%0] = %1 : (!A, si64, f64) -> ()
  %2 = pyarray.constant unit -> !pyarray.none
  return %2 : !pyarray.none
}

// A product of float16 was cast to float32 and back by type inference: a device has its own.
// CHECK-LABEL: func.func private @halves
// CHECK-NOT:     pyarray.ufunc
// CHECK:         %[[R:.*]] = pyarray.contract "mk,kn->mn" ins(%arg0, %arg1 : !pyarray.array<?x?xf16, C>, !pyarray.array<?x?xf16, C>) -> !pyarray.array<?x?xf16, C>
// CHECK-NOT:     pyarray.ufunc
// CHECK:         return %[[R]]
func.func private @halves(%a: !H, %b: !H) -> !H attributes {pyarray.options = {offload = true}} {
  %0 = pyarray.ufunc "()->()" ins(%a : !H) {
  ^bb0(%x: f16):
    %4 = pyarray.cast %x : f16 to f32
    pyarray.yield %4 : f32
  } -> !S {pyarray.name = "matmul"}
  %1 = pyarray.ufunc "()->()" ins(%b : !H) {
  ^bb0(%x: f16):
    %4 = pyarray.cast %x : f16 to f32
    pyarray.yield %4 : f32
  } -> !S {pyarray.name = "matmul"}
  %2 = pyarray.contract "mk,kn->mn" ins(%0, %1 : !S, !S) -> !S {pyarray.mismatch = "(n?,k),(k,m?)->(n?,m?)", pyarray.name = "matmul"}
  %3 = pyarray.ufunc "()->()" ins(%2 : !S) {
  ^bb0(%x: f32):
    %4 = pyarray.cast %x : f32 to f16
    pyarray.yield %4 : f16
  } -> !H {pyarray.name = "matmul"}
  return %3 : !H
}

// Where it is used in float32 as well it stays.
// CHECK-LABEL: func.func private @used_as_single
// CHECK:         pyarray.contract "mk,kn->mn" {{.*}} -> !pyarray.array<?x?xf32, C>
func.func private @used_as_single(%a: !H) -> (!H, !S) attributes {pyarray.options = {offload = true}} {
  %0 = pyarray.ufunc "()->()" ins(%a : !H) {
  ^bb0(%x: f16):
    %4 = pyarray.cast %x : f16 to f32
    pyarray.yield %4 : f32
  } -> !S {pyarray.name = "matmul"}
  %2 = pyarray.contract "mk,kn->mn" ins(%0, %0 : !S, !S) -> !S {pyarray.mismatch = "(n?,k),(k,m?)->(n?,m?)", pyarray.name = "matmul"}
  %3 = pyarray.ufunc "()->()" ins(%2 : !S) {
  ^bb0(%x: f32):
    %4 = pyarray.cast %x : f32 to f16
    pyarray.yield %4 : f16
  } -> !H {pyarray.name = "matmul"}
  return %3, %2 : !H, !S
}
