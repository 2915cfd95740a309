// RUN: pyarray-opt %s --pyarray-offload | FileCheck %s
// RUN: pyarray-opt %s --pyarray-offload --pyarray-offload | FileCheck %s
// RUN: pyarray-opt %s --pyarray-offload --pyarray-insert-ownership --pyarray-lower --pyarray-check-lowered --pyarray-lower-launches | FileCheck %s --check-prefix=LAUNCH

!A = !pyarray.array<?xf64, C>

// Kernels that are there get the first numbers. The grid of one that is `sized` is what its first operands say.
// CHECK-LABEL: func.func @doubled
// CHECK:         pyarray.launch @device.kernels.double$0.kernel0(%arg2, %{{.*}}, %arg0, %arg1) outputs 3 points 0 sized
// CHECK:         pyarray.launch @doubled.kernel1(
// LAUNCH-LABEL: func.func @doubled
// LAUNCH-SAME:    i64,
// LAUNCH:         %[[S:.*]] = arith.shli %{{.*}}, %{{.*}} : i64
// LAUNCH-NEXT:    %[[G:.*]] = arith.ori %[[S]], %{{.*}} : i64
// LAUNCH:         call @pyarray_rt_device_launch(%{{.*}}, %{{.*}}, %[[G]]
func.func @doubled(%a: !A, %o: !A, %n: si64) attributes {pyarray.entry, pyarray.options = {offload = true}} {
  %0 = pyarray.constant 256 : si64 -> si64
  pyarray.launch @device.kernels.double$0(%n, %0, %a, %o) outputs 3 points 0 sized : si64, si64, !A, !A
  pyarray.ufunc "()->()" ins(%o : !A) outs(%o : !A) expanded {
  ^bb0(%x: f64):
    %1 = pyarray.builtin "numpy.negative"(%x) : (f64) -> f64
    pyarray.yield %1 : f64
  }
  return
}

// CHECK: func.func private @device.kernels.double$0.kernel0
// CHECK: func.func private @doubled.kernel1
func.func private @device.kernels.double$0(%blocks: si64, %threads: si64, %a: !A, %o: !A) -> !pyarray.none attributes {pyarray.kernel, pyarray.no_frame, pyarray.options = {target = "cuda"}} {
  %0 = pyarray.constant 0 : si64 -> si64
  %1 = pyarray.getitem %a[%0] : (!A, si64) -> f64
  pyarray.setitem %o[%0] = %1 : (!A, si64, f64) -> ()
  %2 = pyarray.constant unit -> !pyarray.none
  return %2 : !pyarray.none
}
