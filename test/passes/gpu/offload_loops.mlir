// RUN: pyarray-opt %s --pyarray-find-parallel-loops --pyarray-offload-loops | FileCheck %s
// RUN: pyarray-opt %s --pyarray-find-parallel-loops --pyarray-offload-loops --pyarray-offload-loops | FileCheck %s
// RUN: pyarray-opt %s --pyarray-find-parallel-loops --pyarray-offload-loops --pyarray-offload --pyarray-insert-ownership --pyarray-lower --pyarray-check-lowered | FileCheck %s --check-prefix=LOWERED

!A = !pyarray.array<?xf64, C>
!I = !pyarray.array<?xsi64, C>

// A loop over prange is a kernel: arrays that are read, then those that are written. Constants are made inside.
// CHECK-LABEL: func.func @elementwise
// CHECK:         %[[N:.*]] = pyarray.builtin "pyarray.library._intrinsics.range_length"
// CHECK:         %[[B:.*]] = pyarray.builtin "builtins.min"
// CHECK:         pyarray.launch @elementwise.loop0(%[[B]], %{{.*}}, %{{.*}}, %arg0, %arg1) outputs 4 points 0 sized
// CHECK-NOT:     pyarray.for
// CHECK:         return
// LOWERED-LABEL: func.func @elementwise
// LOWERED:         call @elementwise.loop0.kernel0
func.func @elementwise(%a: !A, %o: !A) attributes {pyarray.options = {offload = true, boundscheck = true}} {
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %n = pyarray.builtin "builtins.len"(%a) : (!A) -> si64
  %r = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %r : !pyarray.range {
    %x = pyarray.getitem %a[%i] : (!A, si64) -> f64
    %y = pyarray.binary mul %x, %x : (f64, f64) -> f64
    pyarray.setitem %o[%i] = %y : (!A, si64, f64) -> ()
  }
  return
}

// What is reduced begins with what changes nothing, and each thread stores its own; these are folded, and joined to what
// the variable was.
// CHECK-LABEL: func.func @total
// CHECK:         builtins.max
// CHECK:         %[[P:.*]] = pyarray.builtin "numpy.empty"
// CHECK:         pyarray.launch @total.loop0({{.*}}, %[[P]]) outputs
// CHECK:         %[[F:.*]] = pyarray.reduce ["add"] axes [0] ins(%[[P]] : !pyarray.array<?xf64, C>)
// CHECK:         %[[R:.*]] = pyarray.binary add %arg1, %[[F]]
// CHECK:         return %[[R]]
func.func @total(%a: !A, %s: f64) -> f64 attributes {pyarray.options = {offload = true}} {
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %n = pyarray.builtin "builtins.len"(%a) : (!A) -> si64
  %r = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %t = pyarray.for (%i: si64, %acc: f64) in %r : !pyarray.range iter(%s) {
    %x = pyarray.getitem %a[%i] : (!A, si64) -> f64
    %y = pyarray.binary add %acc, %x : (f64, f64) -> f64
    pyarray.yield %y : f64
  }
  return %t : f64
}

// Elements that several iterations add to are changed atomically.
// CHECK-LABEL: func.func @counts
// CHECK:         pyarray.launch @counts.loop0
func.func @counts(%k: !I, %bins: !I) attributes {pyarray.options = {offload = true}} {
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %n = pyarray.builtin "builtins.len"(%k) : (!I) -> si64
  %r = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %r : !pyarray.range {
    %x = pyarray.getitem %k[%i] : (!I, si64) -> si64
    %h = pyarray.getitem %bins[%x] : (!I, si64) -> si64
    %y = pyarray.binary sub %h, %c1 : (si64, si64) -> si64
    pyarray.setitem %bins[%x] = %y : (!I, si64, si64) -> ()
  }
  return
}

// What is carried otherwise stays the host's, and so does what makes arrays.
// CHECK-LABEL: func.func @carried
// CHECK:         pyarray.for
// CHECK:         pyarray.for
// CHECK-NOT:     pyarray.parallel
// CHECK:         return
func.func @carried(%a: !A, %s: f64) -> f64 attributes {pyarray.options = {offload = true}} {
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %n = pyarray.builtin "builtins.len"(%a) : (!A) -> si64
  %r = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %t = pyarray.for (%i: si64, %acc: f64) in %r : !pyarray.range iter(%s) {
    %x = pyarray.getitem %a[%i] : (!A, si64) -> f64
    %z = pyarray.binary mul %acc, %acc : (f64, f64) -> f64
    %y = pyarray.binary add %z, %x : (f64, f64) -> f64
    pyarray.yield %y : f64
  }
  pyarray.for (%i: si64) in %r : !pyarray.range {
    %x = pyarray.builtin "numpy.empty"(%i) : (si64) -> !A
  }
  return %t : f64
}

// CHECK-LABEL: func.func private @elementwise.loop0
// CHECK-SAME:    (%{{.*}}: si64, %{{.*}}: si64, %[[STOP:.*]]: si64, %[[IN:.*]]: !pyarray.array<?xf64, C>, %[[OUT:.*]]: !pyarray.array<?xf64, C>)
// CHECK-SAME:    pyarray.kernel
// CHECK-SAME:    boundscheck = true
// CHECK-SAME:    target = "cuda"
// CHECK:         %[[T:.*]] = pyarray.builtin "cuda.grid"
// CHECK:         %[[G:.*]] = pyarray.builtin "cuda.gridsize"
// CHECK:         %[[R:.*]] = pyarray.builtin "builtins.range"(%{{.*}}, %[[STOP]], %{{.*}})
// CHECK:         pyarray.for (%[[I:.*]]: si64) in %[[R]]
// CHECK:           pyarray.getitem %[[IN]][%[[I]]]
// CHECK:           pyarray.setitem %[[OUT]][%[[I]]]

// CHECK-LABEL: func.func private @total.loop0
// CHECK:         %[[T:.*]] = pyarray.builtin "cuda.grid"
// CHECK:         %[[Z:.*]] = pyarray.constant 0.0
// CHECK:         %[[S:.*]] = pyarray.for {{.*}} iter(%[[Z]])
// CHECK:         pyarray.setitem %{{.*}}[%[[T]]] = %[[S]]

// CHECK-LABEL: func.func private @counts.loop0
// CHECK:         pyarray.builtin "cuda.atomic.sub"
// CHECK-NOT:     pyarray.setitem
