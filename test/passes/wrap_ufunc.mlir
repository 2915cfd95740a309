// RUN: pyarray-opt %s --split-input-file --pyarray-wrap-ufunc | FileCheck %s
// RUN: pyarray-opt %s --split-input-file --pyarray-wrap-ufunc | pyarray-opt --split-input-file

// An elementwise kernel: two copies, by whether outputs and inputs may share memory.
// CHECK-LABEL: func.func private @f$0
// CHECK-NOT:   pyarray.ufunc
// CHECK-LABEL: func.func @f$0.loop
// CHECK-SAME:  (%[[A:.*]]: !pyarray.array<?xf64, A>, %[[B:.*]]: !pyarray.array<?xsi32, A>, %[[O:.*]]: !pyarray.array<?xf64, A>) -> !pyarray.none
// CHECK-SAME:  pyarray.entry
// CHECK:       %[[OK:.*]] = pyarray.independent ins(%[[A]], %[[B]] : {{.*}}) outs(%[[O]] : {{.*}}) : i1
// CHECK:       scf.if %[[OK]] {
// CHECK:         pyarray.ufunc "(),()->()" ins(%[[A]], %[[B]] : {{.*}}) outs(%[[O]] : {{.*}}) expanded {
// CHECK-NEXT:    ^bb0(%[[X:.*]]: f64, %[[Y:.*]]: si32):
// CHECK-NEXT:      %[[R:.*]] = pyarray.call @f$0(%[[X]], %[[Y]])
// CHECK-NEXT:      pyarray.yield %[[R]] : f64
// CHECK:       } else {
// CHECK:         pyarray.ufunc {{.*}} sequential expanded {
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
