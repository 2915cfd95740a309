// RUN: pyarray-opt %s --pyarray-offload | FileCheck %s
// RUN: pyarray-opt %s --pyarray-offload --pyarray-offload | FileCheck %s
// RUN: pyarray-opt %s --pyarray-offload --pyarray-insert-ownership --pyarray-lower --pyarray-check-lowered --pyarray-lower-launches | FileCheck %s --check-prefix=LAUNCH

!A = !pyarray.array<?xf64, C>
!M = !pyarray.array<?x?xf64, C>

// A ufunc is a kernel of its own, and its launch.
// CHECK-LABEL: func.func @elementwise
// CHECK:         pyarray.launch @elementwise.kernel0(%arg0, %arg1, %arg2) outputs 2 points 2 : !pyarray.array<?xf64, C>, f64, !pyarray.array<?xf64, C>
// CHECK-NEXT:    return
// LAUNCH-LABEL: func.func @elementwise
// LAUNCH:         %[[T:.*]] = memref.load {{.*}} : memref<1xi64>
// LAUNCH:         %[[G:.*]] = call @pyarray_rt_device_grid(%[[T]]
// LAUNCH:         call @pyarray_rt_device_launch(%[[T]], %{{.*}}, %[[G]]
// LAUNCH:         call @pyarray_rt_device_failure
// LAUNCH-NOT:     call @elementwise.kernel0
func.func @elementwise(%a: !A, %s: f64, %o: !A) attributes {pyarray.options = {offload = true}} {
  pyarray.ufunc "(),()->()" ins(%a, %s : !A, f64) outs(%o : !A) expanded {
  ^bb0(%x: f64, %y: f64):
    %0 = pyarray.binary mul %x, %y : (f64, f64) -> f64
    pyarray.yield %0 : f64
  }
  return
}

// Numbers come by way of parts, which the same kernel folds, and an element that the host reads: it is in memory of the
// host.
// CHECK-LABEL: func.func @sum
// CHECK:         %[[O:.*]] = pyarray.builtin "numpy.empty"{{.*}} {pyarray.number}
// CHECK:         %[[P:.*]] = pyarray.builtin "numpy.empty"
// CHECK-NOT:     pyarray.number
// CHECK:         pyarray.launch @sum.kernel1(%arg0, %[[P]]) outputs 1 points 1 fold
// CHECK:         pyarray.launch @sum.kernel1(%[[P]], %[[O]]) outputs 1 points 1 fold
// CHECK:         %[[R:.*]] = pyarray.getitem %[[O]]
// CHECK-NEXT:    return %[[R]]
// LAUNCH-LABEL: func.func @sum
// LAUNCH:         call @pyarray_rt_device_allocate
// LAUNCH:         call @pyarray_rt_device_read
func.func @sum(%a: !A) -> f64 attributes {pyarray.options = {offload = true}} {
  %0 = pyarray.reduce ["add"] axes [0] ins(%a : !A) expanded {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> f64
  return %0 : f64
}

// Where a dimension is kept there are parts where it is short: one more kernel then.
// CHECK-LABEL: func.func @rows
// CHECK:         %[[V:.*]] = pyarray.insert_axes %arg1 [0]
// CHECK:         %[[SEVERAL:.*]] = pyarray.compare gt
// CHECK-NEXT:    scf.if %[[SEVERAL]] {
// CHECK:           %[[P:.*]] = pyarray.cast %[[MADE:.*]] : !pyarray.array<?x?xf64, C> to !pyarray.array<?x?xf64, A>
// CHECK-NEXT:      pyarray.launch @rows.kernel2(%arg0, %[[P]]) outputs 1 points 1 fold
// CHECK-NEXT:      pyarray.launch @rows.kernel3(%[[MADE]], %[[V]]) outputs 1 points 1 fold
// CHECK-NEXT:    } else {
// CHECK-NEXT:      pyarray.launch @rows.kernel2(%arg0, %[[V]]) outputs 1 points 1 fold
// CHECK-NEXT:    }
func.func @rows(%a: !M, %o: !A) attributes {pyarray.options = {offload = true}} {
  pyarray.reduce ["add"] axes [1] ins(%a : !M) outs(%o : !A) expanded {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  return
}

// A product is a library's, else a reduction over views.
// CHECK-LABEL: func.func @product
// CHECK:         %[[DONE:.*]] = pyarray.builtin "pyarray.library._intrinsics.device_product"(%arg2, %arg0, %arg1)
// CHECK-NEXT:    scf.if %[[DONE]] {
// CHECK-NEXT:    } else {
// CHECK:           pyarray.transpose %arg1 [1, 0]
// CHECK:           pyarray.broadcast_to
// CHECK:           pyarray.launch @product.kernel4({{.*}}) outputs 2 points 2 fold
// LAUNCH-LABEL: func.func @product
// LAUNCH:         call @pyarray_rt_device_product
// LAUNCH:         call @pyarray_rt_device_failure
func.func @product(%a: !M, %b: !M, %o: !M) attributes {pyarray.options = {offload = true}} {
  pyarray.contract "mk,kn->mn" ins(%a, %b : !M, !M) outs(%o : !M) expanded
  return
}

// A vector is a matrix of one row or column there, and inputs have the batches of the result.
// CHECK-LABEL: func.func @vectors
// CHECK:         %[[O:.*]] = pyarray.insert_axes %arg2 [2]
// CHECK:         %[[A:.*]] = pyarray.broadcast_to %arg0
// CHECK:         %[[V:.*]] = pyarray.insert_axes %arg1 [2]
// CHECK:         %[[B:.*]] = pyarray.broadcast_to %[[V]]
// CHECK:         pyarray.builtin "pyarray.library._intrinsics.device_product"(%[[O]], %[[A]], %[[B]])
func.func @vectors(%a: !pyarray.array<?x?x?xf64, C>, %b: !M, %o: !M) attributes {pyarray.options = {offload = true}} {
  pyarray.contract "...mk,...k->...m" ins(%a, %b : !pyarray.array<?x?x?xf64, C>, !M) outs(%o : !M) expanded
  return
}

// Integers have no library.
// CHECK-LABEL: func.func @integers
// CHECK-NOT:     device_product
// CHECK:         pyarray.launch
func.func @integers(%a: !pyarray.array<?x?xsi32, C>, %o: !pyarray.array<?x?xsi32, C>) attributes {pyarray.options = {offload = true}} {
  pyarray.contract "mk,kn->mn" ins(%a, %a : !pyarray.array<?x?xsi32, C>, !pyarray.array<?x?xsi32, C>) outs(%o : !pyarray.array<?x?xsi32, C>) expanded
  return
}

// What no kernel does the host does, with copies.
// CHECK-LABEL: func.func @host
// CHECK:         %[[H:.*]] = pyarray.builtin "pyarray.library._intrinsics.to_host"(%arg0)
// CHECK-NEXT:    %[[R:.*]] = pyarray.call @sorted(%[[H]])
// CHECK-NEXT:    pyarray.builtin "pyarray.library._intrinsics.copy_back"(%arg0, %[[H]])
// CHECK-NEXT:    %[[D:.*]] = pyarray.builtin "pyarray.library._intrinsics.to_device"(%[[R]])
// CHECK-NEXT:    return %[[D]]
func.func @host(%a: !A) -> !A attributes {pyarray.options = {offload = true}} {
  %0 = pyarray.call @sorted(%a) : (!A) -> !A
  return %0 : !A
}

// CHECK-LABEL: func.func private @sorted
// CHECK-NOT: launch
func.func private @sorted(%a: !A) -> !A {
  %0 = pyarray.constant 0 : si64 -> si64
  %1 = pyarray.constant 1.0 : f64 -> f64
  pyarray.setitem %a[%0] = %1 : (!A, si64, f64) -> ()
  return %a : !A
}

// Functions without the option stay as they are.
// CHECK-LABEL: func.func @plain
// CHECK: pyarray.ufunc
func.func @plain(%a: !A, %o: !A) {
  pyarray.ufunc "()->()" ins(%a : !A) outs(%o : !A) expanded {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  return
}

// What is computed of a sum is computed in the kernel that needs it: nobody waits.
// CHECK-LABEL: func.func @centre
// CHECK:         %[[O:.*]] = pyarray.builtin "numpy.empty"
// CHECK-NOT:     pyarray.getitem
// CHECK:         pyarray.launch @centre.kernel[[CENTRE:[0-9]+]](%arg0, %[[O]], %arg1, %arg2) outputs 2 points 2
// CHECK-NEXT:    return
func.func @centre(%a: !A, %o: !A, %n: f64) attributes {pyarray.options = {offload = true}} {
  %0 = pyarray.reduce ["add"] axes [0] ins(%a : !A) expanded {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> f64
  %1 = pyarray.builtin "numpy.divide"(%0, %n) : (f64, f64) -> f64
  pyarray.ufunc "(),()->()" ins(%a, %1 : !A, f64) outs(%o : !A) expanded {
  ^bb0(%x: f64, %y: f64):
    %2 = pyarray.builtin "numpy.subtract"(%x, %y) : (f64, f64) -> f64
    pyarray.yield %2 : f64
  }
  return
}

// Parts say the extreme and its place; the first that has the extreme of all has the place of all.
// CHECK-LABEL: func.func @place
// CHECK:         pyarray.launch @place.kernel{{[0-9]+}}(%arg0, %[[V:.*]], %[[P:.*]]) outputs 1 points 1 fold
// CHECK:         pyarray.launch @place.kernel{{[0-9]+}}(%[[V]], %[[P]], %[[J:.*]]) outputs 2 points 2 fold
// CHECK:         %[[R:.*]] = pyarray.getitem %[[J]]
// CHECK:         return %[[R]]
func.func @place(%a: !A) -> si64 attributes {pyarray.options = {offload = true}} {
  %0 = pyarray.reduce ["argmax"] axes [0] ins(%a : !A) expanded {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> si64
  return %0 : si64
}

// Rows that go through several operations at a time are one kernel; a row that only its body reads is new memory of the device.
// CHECK-LABEL: func.func @normalised
// CHECK:         %[[T:.*]] = pyarray.builtin "numpy.empty"(%{{.*}}, %arg2)
// CHECK:         pyarray.launch @normalised.kernel[[ROWS:[0-9]+]](%arg0, %arg1, %[[T]]) outputs 1 points 0 fold {pyarray.rows = 1 : i64}
// CHECK-NEXT:    return
func.func @normalised(%a: !M, %o: !pyarray.array<?xf64, C>, %n: si64) attributes {pyarray.options = {offload = true}} {
  pyarray.ufunc "(n)->()" ins(%a : !M) outs(%o : !pyarray.array<?xf64, C>) expanded {
  ^bb0(%row: !A, %out: !pyarray.array<?xf64, A>):
    %t = pyarray.builtin "numpy.empty"(%n) : (si64) -> !A
    pyarray.ufunc "()->()" ins(%row : !A) outs(%t : !A) expanded {
    ^bb0(%x: f64):
      %1 = pyarray.builtin "numpy.exp"(%x) : (f64) -> f64
      pyarray.yield %1 : f64
    }
    %0 = pyarray.reduce ["add"] axes [0] ins(%t : !A) expanded {
    ^bb0(%x: f64):
      pyarray.yield %x : f64
    } -> f64
    %zero = pyarray.constant 0 : si64 -> si64
    pyarray.setitem %out[%zero] = %0 : (!pyarray.array<?xf64, A>, si64, f64) -> ()
    pyarray.yield
  } {pyarray.rows = 1 : i64}
  return
}

// The kernels: what is for a GPU's threads.
// CHECK: func.func private @elementwise.kernel0({{.*}}) -> !pyarray.none attributes {pyarray.kernel, pyarray.options = {{{.*}}target = "cuda"}
// CHECK-NEXT: pyarray.ufunc "(),()->()" ins(%arg0, %arg1 : {{.*}}) outs(%arg2 : {{.*}}) grid expanded
// CHECK: func.func private @sum.kernel1
// CHECK-NEXT: pyarray.reduce ["add"] axes [0] ins(%arg0 : {{.*}}) outs(%arg1 : {{.*}}) grid expanded
// CHECK: func.func private @centre.kernel[[CENTRE]]
// CHECK:      %[[E:.*]] = pyarray.getitem %arg1[%{{.*}}] {pyarray.fetched, pyarray.in_bounds = array<i1: true>}
// CHECK-NEXT: %[[Q:.*]] = pyarray.builtin "numpy.divide"(%[[E]], %arg3)
// CHECK-NEXT: pyarray.ufunc "(),()->()" ins(%arg0, %[[Q]] : {{.*}}) outs(%arg2 : {{.*}}) grid expanded
// CHECK: func.func private @normalised.kernel[[ROWS]]
// CHECK-NEXT: pyarray.ufunc "(n)->(),(t0_0)"
// CHECK:      pyarray.ufunc "()->()" ins(%{{.*}} : f64) outs(%{{.*}} : !pyarray.array<?xf64, A>) expanded
