// RUN: pyarray-opt %s --split-input-file --pyarray-wrap-ufunc | FileCheck %s
// RUN: pyarray-opt %s --split-input-file --pyarray-wrap-ufunc | pyarray-opt --split-input-file

// An elementwise kernel.
// CHECK-LABEL: func.func private @f$0
// CHECK-NOT:   pyarray.ufunc
// CHECK-LABEL: func.func @f$0.loop
// CHECK-SAME:  (%[[A:.*]]: !pyarray.array<?xf64, A>, %[[B:.*]]: !pyarray.array<?xsi32, A>, %[[O:.*]]: !pyarray.array<?xf64, A>) -> !pyarray.none
// CHECK-SAME:  pyarray.entry
// CHECK:       pyarray.ufunc "(),()->()" ins(%[[A]], %[[B]] : {{.*}}) outs(%[[O]] : {{.*}}) expanded {
// CHECK-NEXT:  ^bb0(%[[X:.*]]: f64, %[[Y:.*]]: si32):
// CHECK-NEXT:    %[[R:.*]] = pyarray.call @f$0(%[[X]], %[[Y]])
// CHECK-NEXT:    pyarray.yield %[[R]] : f64
func.func @f$0(%x: f64, %y: si32) -> f64 attributes {pyarray.entry, pyarray.ufunc = "(),()->()"} {
  return %x : f64
}

// -----

// A tuple gives several outputs.
// CHECK-LABEL: func.func @two$0.loop
// CHECK:         %[[T:.*]] = pyarray.call @two$0
// CHECK:         %[[U:.*]]:2 = pyarray.unpack %[[T]]
// CHECK:         pyarray.yield %[[U]]#0, %[[U]]#1 : f64, si64
func.func @two$0(%x: f64, %y: si64) -> tuple<f64, si64> attributes {pyarray.entry, pyarray.ufunc = "(),()->(),()"} {
  %0 = pyarray.tuple %x, %y : (f64, si64) -> tuple<f64, si64>
  return %0 : tuple<f64, si64>
}

// -----

// A kernel that writes to its parameters gets views of the core dimensions; of a scalar output, a view of one element.
// CHECK-LABEL: func.func @norm$0.loop
// CHECK-SAME:  (%{{.*}}: !pyarray.array<?x?xf64, A>, %{{.*}}: !pyarray.array<?xf64, A>, %{{.*}}: !pyarray.array<?xf64, A>)
// CHECK-NOT:   pyarray.independent
// CHECK:       pyarray.ufunc "(n),()->()"
// CHECK-NEXT:  ^bb0(%[[V:.*]]: !pyarray.array<?xf64, A>, %[[S:.*]]: f64, %[[R:.*]]: !pyarray.array<?xf64, A>):
// CHECK-NEXT:    pyarray.call @norm$0(%[[V]], %[[S]], %[[R]])
// CHECK-NEXT:    pyarray.yield
func.func @norm$0(%v: !pyarray.array<?xf64, A>, %s: f64, %r: !pyarray.array<?xf64, A>) -> !pyarray.none attributes {pyarray.entry, pyarray.ufunc = "(n),()->()"} {
  %0 = pyarray.constant unit -> !pyarray.none
  return %0 : !pyarray.none
}

// -----

// For contiguous operands; the points are cheap.
// CHECK-LABEL: func.func @add$0.loop
// CHECK-SAME:  (%{{.*}}: !pyarray.array<?xf64, C>, %{{.*}}: !pyarray.array<?xf64, C>, %{{.*}}: !pyarray.array<?xf64, C>) -> i1
// CHECK:       pyarray.ufunc {{.*}} unit_strides expanded {
// CHECK:       %[[CHEAP:.*]] = pyarray.constant true -> i1
// CHECK:       return %[[CHEAP]] : i1
func.func @add$0(%x: f64, %y: f64) -> f64 attributes {pyarray.entry, pyarray.ufunc = "(),()->()", pyarray.loop_form = "contiguous"} {
  %0 = pyarray.binary add %x, %y : (f64, f64) -> f64
  return %0 : f64
}

// -----

// They are not.
// CHECK-LABEL: func.func @dear$0.loop
// CHECK:       pyarray.constant false -> i1
func.func @dear$0(%x: f64) -> f64 attributes {pyarray.entry, pyarray.ufunc = "()->()", pyarray.loop_form = "contiguous"} {
  %0 = pyarray.builtin "numpy.exp"(%x) : (f64) -> f64
  return %0 : f64
}

// -----

// CHECK-LABEL: func.func @add$0.loop
// CHECK-SAME:  !pyarray.array<?xf64, A>) -> !pyarray.none
// CHECK:       pyarray.ufunc {{.*}} strided expanded {
func.func @add$0(%x: f64, %y: f64) -> f64 attributes {pyarray.entry, pyarray.ufunc = "(),()->()", pyarray.loop_form = "strided"} {
  return %x : f64
}

// -----

// CHECK-LABEL: func.func @add$0.loop
// CHECK:       pyarray.ufunc {{.*}} carried expanded {
func.func @add$0(%x: f64, %y: f64) -> f64 attributes {pyarray.entry, pyarray.ufunc = "(),()->()", pyarray.loop_form = "carried"} {
  return %x : f64
}

// -----

// CHECK-LABEL: func.func @norm$0.loop
// CHECK-SAME:  (%{{.*}}: !pyarray.array<?x?xf64, A>, %{{.*}}: !pyarray.array<?xf64, A>) -> !pyarray.none
// CHECK:       pyarray.ufunc "(3)->()"
// CHECK-NEXT:  ^bb0(%{{.*}}: !pyarray.array<3xf64, C>, %{{.*}}: !pyarray.array<?xf64, A>):
func.func @norm$0(%v: !pyarray.array<3xf64, C>, %r: !pyarray.array<?xf64, A>) -> !pyarray.none attributes {pyarray.entry, pyarray.ufunc = "(3)->()", pyarray.loop_form = "fixed"} {
  %0 = pyarray.constant unit -> !pyarray.none
  return %0 : !pyarray.none
}

// -----

// Cores of one point after the other: the strides of the operands are known.
// CHECK-LABEL: func.func @norm$0.loop
// CHECK-SAME:  (%{{.*}}: !pyarray.array<?x3xf64, C>, %{{.*}}: !pyarray.array<?xf64, C>) -> !pyarray.none
func.func @norm$0(%v: !pyarray.array<3xf64, C>, %r: !pyarray.array<?xf64, A>) -> !pyarray.none attributes {pyarray.entry, pyarray.ufunc = "(3)->()", pyarray.loop_form = "dense"} {
  %0 = pyarray.constant unit -> !pyarray.none
  return %0 : !pyarray.none
}

// -----

// For a GPU the operands have the types that are given; elements are converted, and the entry becomes the kernel.
// CHECK-LABEL: func.func private @saxpy$0
// CHECK-NOT:   pyarray.kernel
// CHECK-LABEL: func.func @saxpy$0.loop
// CHECK-SAME:  (%[[A:.*]]: f32, %[[X:.*]]: !pyarray.array<?xsi16, C, readonly>, %[[O:.*]]: !pyarray.array<?xf64, C>) -> !pyarray.none
// CHECK-SAME:  pyarray.entry, pyarray.kernel
// CHECK:       pyarray.ufunc "(),()->()" ins(%[[A]], %[[X]] : {{.*}}) outs(%[[O]] : {{.*}}) grid expanded {
// CHECK-NEXT:  ^bb0(%[[P:.*]]: f32, %[[Q:.*]]: si16):
// CHECK-NEXT:    %[[F:.*]] = pyarray.cast %[[Q]] : si16 to f32
// CHECK-NEXT:    %[[R:.*]] = pyarray.call @saxpy$0(%[[P]], %[[F]])
// CHECK-NEXT:    %[[D:.*]] = pyarray.cast %[[R]] : f32 to f64
// CHECK-NEXT:    pyarray.yield %[[D]] : f64
func.func @saxpy$0(%a: f32, %x: f32) -> f32 attributes {pyarray.entry, pyarray.kernel, pyarray.ufunc = "(),()->()",
    pyarray.operands = [f32, !pyarray.array<?xsi16, C, readonly>, !pyarray.array<?xf64, C>]} {
  return %x : f32
}

// -----

// With core dimensions, and as many loop dimensions as the operands have.
// CHECK-LABEL: func.func @rows$0.loop
// CHECK-SAME:  (%[[X:.*]]: !pyarray.array<?x?x?xf32, A>, %[[O:.*]]: !pyarray.array<?x?xf32, A>)
// CHECK:       pyarray.ufunc "(n)->()" ins(%[[X]] : {{.*}}) outs(%[[O]] : {{.*}}) grid expanded {
// CHECK-NEXT:  ^bb0(%{{.*}}: !pyarray.array<?xf32, A>, %{{.*}}: !pyarray.array<?xf32, A>):
func.func @rows$0(%x: !pyarray.array<?xf32, A>, %o: !pyarray.array<?xf32, A>) -> !pyarray.none attributes {pyarray.entry, pyarray.kernel,
    pyarray.ufunc = "(n)->()", pyarray.operands = [!pyarray.array<?x?x?xf32, A>, !pyarray.array<?x?xf32, A>]} {
  %0 = pyarray.constant unit -> !pyarray.none
  return %0 : !pyarray.none
}

// -----

// A constant input is read once.
// CHECK-LABEL: func.func @add$0.loop
// CHECK-SAME:  (%[[A:.*]]: !pyarray.array<?xf64, C>, %[[B:.*]]: !pyarray.array<?xf64, C>, %[[O:.*]]: !pyarray.array<?xf64, C>)
// CHECK:       %[[ZERO:.*]] = pyarray.constant 0 : si64
// CHECK:       %[[X:.*]] = pyarray.iter_item %[[A]], %[[ZERO]]
// CHECK:       pyarray.ufunc "(),()->()" ins(%[[X]], %[[B]] : f64, !pyarray.array<?xf64, C>) outs(%[[O]] : {{.*}}) unit_strides expanded {
func.func @add$0(%x: f64, %y: f64) -> f64 attributes {pyarray.entry, pyarray.ufunc = "(),()->()", pyarray.loop_form = "constant cv"} {
  return %x : f64
}

// -----

// The loop has no frame in tracebacks.
// CHECK-LABEL: func.func @add$0.loop
// CHECK-SAME:  attributes {{{.*}}pyarray.no_frame
func.func @add$0(%x: f64, %y: f64) -> f64 attributes {pyarray.entry, pyarray.ufunc = "(),()->()"} {
  return %x : f64
}

// -----

// With a mask, the function is called where it is true, and outputs are written there alone.
// CHECK-LABEL: func.func @saxpy$0.loop
// CHECK-SAME:  (%[[A:.*]]: f32, %[[X:.*]]: !pyarray.array<?xsi16, C>, %[[O:.*]]: !pyarray.array<?xf64, C>, %[[M:.*]]: !pyarray.array<?xi1, A>)
// CHECK:       pyarray.ufunc "(),(),()->()" ins(%[[A]], %[[X]], %[[M]] : {{.*}}) outs(%[[O]] : {{.*}}) grid expanded {
// CHECK-NEXT:  ^bb0(%[[P:.*]]: f32, %[[Q:.*]]: si16, %[[HERE:.*]]: i1, %[[V:.*]]: !pyarray.array<?xf64, A>):
// CHECK-NEXT:    scf.if %[[HERE]] {
// CHECK:           %[[R:.*]] = pyarray.call @saxpy$0(%[[P]], %{{.*}})
// CHECK-NEXT:      %[[D:.*]] = pyarray.cast %[[R]] : f32 to f64
// CHECK:           pyarray.setitem %[[V]][%{{.*}}] = %[[D]]
// CHECK:         pyarray.yield
func.func @saxpy$0(%a: f32, %x: f32) -> f32 attributes {pyarray.entry, pyarray.kernel, pyarray.ufunc = "(),()->()",
    pyarray.operands = [f32, !pyarray.array<?xsi16, C>, !pyarray.array<?xf64, C>, !pyarray.array<?xi1, A>]} {
  return %x : f32
}

// -----

// A function that writes its outputs is given them.
// CHECK-LABEL: func.func @rows$0.loop
// CHECK:       pyarray.ufunc "(n),()->()" ins(%{{.*}}, %[[M:.*]] : !pyarray.array<?x?xf32, A>, i1)
// CHECK-NEXT:  ^bb0(%[[X:.*]]: !pyarray.array<?xf32, A>, %[[HERE:.*]]: i1, %[[O:.*]]: !pyarray.array<?xf32, A>):
// CHECK-NEXT:    scf.if %[[HERE]] {
// CHECK-NEXT:      pyarray.call @rows$0(%[[X]], %[[O]])
func.func @rows$0(%x: !pyarray.array<?xf32, A>, %o: !pyarray.array<?xf32, A>) -> !pyarray.none attributes {pyarray.entry, pyarray.kernel,
    pyarray.ufunc = "(n)->()", pyarray.operands = [!pyarray.array<?x?xf32, A>, !pyarray.array<?xf32, A>, i1]} {
  %0 = pyarray.constant unit -> !pyarray.none
  return %0 : !pyarray.none
}
