// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file | FileCheck %s
// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file | pyarray-opt --split-input-file
// RUN: pyarray-opt %s --pyarray-pipeline=cpu --split-input-file | FileCheck %s --check-prefix=END

// Where every axis has an index, it is read at each point.
// CHECK-LABEL: func.func @items$0
// CHECK: %[[R:.*]] = pyarray.ufunc "()->()" ins(%arg1 : !pyarray.array<?xsi32, A>) {
// CHECK: ^bb0(%[[I:.*]]: si32):
// CHECK:   %[[K:.*]] = pyarray.cast %[[I]] : si32 to si64
// CHECK:   %[[E:.*]] = pyarray.getitem %arg0[%[[K]]] {pyarray.axes = array<i64: 0>} : (!pyarray.array<?xf64, C>, si64) -> f64
// CHECK:   pyarray.yield %[[E]] : f64
// CHECK: } -> !pyarray.array<?xf64, C>
// CHECK: return %[[R]]
// END: llvm.func @pyarray_entry
func.func @items(%a: !pyarray.any, %x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "x"], pyarray.instantiate = [(!pyarray.array<?xf64, C>, !pyarray.array<?xsi32, A>) -> ()]} {
  %0 = pyarray.getitem %a[%x] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

// Axes without an index are core dimensions.
// CHECK-LABEL: func.func @rows$0
// CHECK: pyarray.ufunc "(n0,m0),()->(m0)" ins(%arg0, %arg1 : !pyarray.array<?x?xf64, C>, !pyarray.array<?xsi64, C>) {
// CHECK: ^bb0(%[[A:.*]]: !pyarray.array<?x?xf64, C>, %[[I:.*]]: si64, %[[O:.*]]: !pyarray.array<?xf64, C>):
// CHECK:   %[[ROW:.*]] = pyarray.getitem %[[A]][%[[I]]] {pyarray.axes = array<i64: 0>}
// CHECK:   pyarray.setitem %[[O]][] = %[[ROW]] {pyarray.fresh}
// CHECK:   pyarray.yield
// END: llvm.func @pyarray_entry
func.func @rows(%a: !pyarray.any, %x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "x"], pyarray.instantiate = [(!pyarray.array<?x?xf64, C>, !pyarray.array<?xsi64, C>) -> ()]} {
  %0 = pyarray.getitem %a[%x] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

// Indices that stand apart come first; of Fortran's order nothing is known of the strides of a point.
// CHECK-LABEL: func.func @columns$0
// CHECK: %[[T:.*]] = pyarray.transpose %{{.*}} [1, 3, 0, 2]
// CHECK: pyarray.ufunc "(n0,n1,m0,m1),(),()->(m0,m1)"
// CHECK: ^bb0(%{{.*}}: !pyarray.array<?x?x?x?xf64, A>, %{{.*}}: si64, %{{.*}}: si64, %{{.*}}: !pyarray.array<?x?xf64, A>):
// CHECK: pyarray.getitem %{{.*}}[%{{.*}}, %{{.*}}] {pyarray.axes = array<i64: 1, 2>}
// END: llvm.func @pyarray_entry
func.func @columns(%a: !pyarray.any, %x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "x"], pyarray.instantiate = [(!pyarray.array<?x?x?xf64, F>, !pyarray.array<?xsi64, C>) -> ()]} {
  %0 = pyarray.constant unit -> !pyarray.any
  %1 = pyarray.slice %0, %0, %0 : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  %2 = pyarray.getitem %a[%1, %x, %0, %x] : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %2 : !pyarray.any
}

// -----

// The axes of the indices are the outermost in memory.
// CHECK-LABEL: func.func @turned$0
// CHECK: %[[T:.*]] = pyarray.transpose %{{.*}} [1, 0]
// CHECK: %[[R:.*]] = pyarray.ufunc "(n0,m0),()->(m0)" ins(%[[T]], %arg1
// CHECK: %[[F:.*]] = pyarray.getattr %[[R]] "T" : (!pyarray.array<?x?xf64, C>) -> !pyarray.array<?x?xf64, F>
// CHECK: return %[[F]]
// END: llvm.func @pyarray_entry
func.func @turned(%a: !pyarray.any, %x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "x"], pyarray.instantiate = [(!pyarray.array<?x?xf64, C>, !pyarray.array<?xsi64, C>) -> ()]} {
  %0 = pyarray.constant unit -> !pyarray.any
  %1 = pyarray.slice %0, %0, %0 : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  %2 = pyarray.getitem %a[%1, %x] : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %2 : !pyarray.any
}

// -----

// Several arrays broadcast first; a number beside them is one index for all.
// CHECK-LABEL: func.func @several$0
// CHECK: %[[N:.*]]:2 = pyarray.ufunc_shape "(),()->()" ins(%arg1, %arg2 : {{.*}}) {indices} : si64, si64
// CHECK: %[[X:.*]] = pyarray.broadcast_to %arg1 to(%[[N]]#0, %[[N]]#1)
// CHECK: %[[Y:.*]] = pyarray.broadcast_to %arg2 to(%[[N]]#0, %[[N]]#1)
// CHECK: pyarray.ufunc "(),(),()->()" ins(%[[X]], %{{.*}}, %[[Y]]
// CHECK: pyarray.getitem %arg0[%{{.*}}, %{{.*}}, %{{.*}}] {pyarray.axes = array<i64: 0, 1, 2>}
// END: llvm.func @pyarray_entry
func.func @several(%a: !pyarray.any, %x: !pyarray.any, %y: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "x", "y"], pyarray.instantiate = [(!pyarray.array<?x?x?xf64, C>, !pyarray.array<?xsi64, C>, !pyarray.array<?x?xsi64, C>) -> ()]} {
  %0 = pyarray.constant 0 : si64 -> !pyarray.any
  %1 = pyarray.getitem %a[%x, %0, %y] : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %1 : !pyarray.any
}

// -----

// Masks, lists and stores are functions of the library.
// CHECK-LABEL: func.func @library$0
// CHECK: %[[I:.*]] = pyarray.tuple %arg1
// CHECK: %[[R:.*]] = pyarray.call @numpy.indexing.get_masked$0(%arg0, %[[I]])
// CHECK: pyarray.call @numpy.scattering.scatter$0(%arg0, %{{.*}}, %{{.*}})
// CHECK: return %[[R]]
// END: llvm.func @pyarray_entry
func.func @library(%a: !pyarray.any, %m: !pyarray.any, %x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "m", "x"], pyarray.instantiate = [(!pyarray.array<?xf64, C>, !pyarray.array<?xi1, C>, !pyarray.array<?xsi64, C>) -> ()]} {
  %0 = pyarray.getitem %a[%m] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %1 = pyarray.constant 1.0 : f64 -> !pyarray.any
  pyarray.setitem %a[%x] = %1 : (!pyarray.any, !pyarray.any, !pyarray.any) -> ()
  return %0 : !pyarray.any
}
