// RUN: pyarray-opt %s --pyarray-infer-types | FileCheck %s
// RUN: pyarray-opt %s --pyarray-infer-types | pyarray-opt

func.func private @k(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.ufunc = "(),()->()", pyarray.loops = [(si64, si64) -> si64, (f32, f32) -> f32, (f64, f64) -> f64]} {
  %0 = pyarray.binary mul %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// Arguments are cast to the first loop that fits, in the body.
// CHECK-LABEL: func.func @cast$0
// CHECK: %[[R:.*]] = pyarray.ufunc "(),()->()" ins(%arg0, %arg1 : !pyarray.array<?xsi32, A>, f64) {
// CHECK:   ^bb0(%[[X:.*]]: si32, %[[Y:.*]]: f64):
// CHECK:   %[[C:.*]] = pyarray.cast %[[X]] : si32 to f64
// CHECK:   %[[S:.*]] = pyarray.call @k$[[#]](%[[C]], %[[Y]]) : (f64, f64) -> f64
// CHECK:   pyarray.yield %[[S]]
// CHECK: } -> !pyarray.array<?xf64, C>
func.func @cast(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.instantiate = [(!pyarray.array<?xsi32, A>, f64) -> ()]} {
  %k = pyarray.callable @k -> !pyarray.any
  %0 = pyarray.apply %k(%a, %b) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// Numbers need no ufunc.
// CHECK-LABEL: func.func @numbers$0
// CHECK-NOT: pyarray.ufunc "
// CHECK: pyarray.call @k$[[#]]({{.*}}) : (si64, si64) -> si64
func.func @numbers(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.instantiate = [(si64, si8) -> ()]} {
  %k = pyarray.callable @k -> !pyarray.any
  %0 = pyarray.apply %k(%a, %b) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// Dimensions are those of the operand that has most.
// CHECK-LABEL: func.func @ranks$0
// CHECK: } -> !pyarray.array<?x?xf64, C>
func.func @ranks(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.instantiate = [(!pyarray.array<?xf64, A>, !pyarray.array<?x?xf64, A>) -> ()]} {
  %k = pyarray.callable @k -> !pyarray.any
  %0 = pyarray.apply %k(%a, %b) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// A given output is the result; the third positional argument or out=.
// CHECK-LABEL: func.func @given$0
// CHECK: pyarray.ufunc "(),()->()" ins(%arg0, %arg1 : {{.*}}) outs(%arg2 : {{.*}}) {
// CHECK: pyarray.cast %{{.*}} : si64 to f64
// CHECK: return %arg2
func.func @given(%a: !pyarray.any, %b: !pyarray.any, %c: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b", "c"], pyarray.instantiate = [(!pyarray.array<?xsi32, A>, !pyarray.array<?xsi32, A>, !pyarray.array<?xf64, A>) -> ()]} {
  %k = pyarray.callable @k -> !pyarray.any
  %0 = pyarray.apply %k(%a, %b, %c) : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// CHECK-LABEL: func.func @named$0
// CHECK: pyarray.ufunc "(),()->()" ins(%arg0, %arg1 : {{.*}}) outs(%arg2 : {{.*}}) {
func.func @named(%a: !pyarray.any, %b: !pyarray.any, %c: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b", "c"], pyarray.instantiate = [(!pyarray.array<?xf64, A>, !pyarray.array<?xf64, A>, !pyarray.array<?xf64, A>) -> ()]} {
  %k = pyarray.callable @k -> !pyarray.any
  %0 = pyarray.apply %k(%a, %b, %c) kw ["out"] : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// An optional dimension that the argument lacks is left out of the signature; the kernel sees it with extent 1.
// CHECK-LABEL: func.func @missing$0
// CHECK:       pyarray.ufunc "(n),(n,p?)->(p?)" ins(%arg0, %arg1 : {{.*}}) outs(%arg2 : {{.*}}) {
// CHECK-NEXT:  ^bb0(%[[X:.*]]: !pyarray.array<?xf64, A>, %[[Y:.*]]: !pyarray.array<?x?xf64, A>, %[[O:.*]]: !pyarray.array<?xf64, A>):
// CHECK-NEXT:    %[[X2:.*]] = pyarray.insert_axes %[[X]] [0] : (!pyarray.array<?xf64, A>) -> !pyarray.array<?x?xf64, A>
// CHECK-NEXT:    %[[O2:.*]] = pyarray.insert_axes %[[O]] [0]
// CHECK-NEXT:    pyarray.call @matmul$0(%[[X2]], %[[Y]], %[[O2]])
// CHECK:       pyarray.name = "matmul"
func.func @matmul(%x: !pyarray.any, %y: !pyarray.any, %o: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x", "y", "o"], pyarray.ufunc = "(m?,n),(n,p?)->(m?,p?)"} {
  %0 = pyarray.constant unit -> !pyarray.any
  return %0 : !pyarray.any
}
func.func @missing(%x: !pyarray.any, %y: !pyarray.any, %o: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x", "y", "o"], pyarray.instantiate = [(!pyarray.array<?xf64, C>, !pyarray.array<?x?xf64, C>, !pyarray.array<?xf64, C>) -> ()]} {
  %k = pyarray.callable @matmul -> !pyarray.any
  %0 = pyarray.apply %k(%x, %y, %o) : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// A method of a ufunc: axis 0 is folded, in the type of the ufunc's loop. The view of the result goes back.
func.func private @add(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.ufunc = "(),()->()", pyarray.loops = [(si64, si64) -> si64, (f64, f64) -> f64]} {
  %0 = pyarray.binary add %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}
func.func private @accumulate(%x: !pyarray.any, %o: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x", "o"], pyarray.ufunc = "(n)->(n)", pyarray.folds = @add, pyarray.no_frame} {
  %0 = pyarray.constant unit -> !pyarray.any
  return %0 : !pyarray.any
}
// CHECK-LABEL: func.func @fold$0
// CHECK:       %[[V:.*]] = pyarray.transpose %arg0 [1, 0] : (!pyarray.array<?x?xsi32, C>) -> !pyarray.array<?x?xsi32, A>
// CHECK:       %[[R:.*]] = pyarray.ufunc "(n)->(n)" ins(%[[V]] : {{.*}}) {
// CHECK-NEXT:  ^bb0(%[[X:.*]]: !pyarray.array<?xsi32, A>, %[[O:.*]]: !pyarray.array<?xsi64, A>):
// CHECK:       } -> !pyarray.array<?x?xsi64, C>
// CHECK:       %[[B:.*]] = pyarray.transpose %[[R]] [1, 0] : (!pyarray.array<?x?xsi64, C>) -> !pyarray.array<?x?xsi64, A>
// CHECK:       return %[[B]]
func.func @fold(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x"], pyarray.instantiate = [(!pyarray.array<?x?xsi32, C>) -> ()]} {
  %k = pyarray.callable @accumulate -> !pyarray.any
  %0 = pyarray.apply %k(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// Several axes of reduce are core dimensions; keepdims= puts them back; initial= is for another function.
func.func private @reduce(%x: !pyarray.any, %o: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x", "o"], pyarray.ufunc = "(n)->()", pyarray.folds = @add, pyarray.identity = "reorderable", pyarray.with_initial = @reduce_initial, pyarray.no_frame} {
  %0 = pyarray.constant unit -> !pyarray.any
  return %0 : !pyarray.any
}
func.func private @reduce_initial(%x: !pyarray.any, %i: !pyarray.any, %o: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x", "i", "o"], pyarray.ufunc = "(n),()->()", pyarray.folds = @add, pyarray.identity = "reorderable", pyarray.no_frame} {
  %0 = pyarray.constant unit -> !pyarray.any
  return %0 : !pyarray.any
}
// CHECK-LABEL: func.func @fold_axes$0
// CHECK:       %[[V:.*]] = pyarray.transpose %arg0 [1, 0, 2] : (!pyarray.array<?x?x?xf64, C>) -> !pyarray.array<?x?x?xf64, A>
// CHECK:       %[[R:.*]] = pyarray.ufunc "(n0,n1),()->()" ins(%[[V]], %{{.*}} : !pyarray.array<?x?x?xf64, A>, {{.*}}) {
// CHECK-NEXT:  ^bb0(%{{.*}}: !pyarray.array<?x?xf64, A>, %{{.*}}: {{.*}}, %{{.*}}: !pyarray.array<?xf64, A>):
// CHECK:       } -> !pyarray.array<?xf64, C>
// CHECK:       pyarray.insert_axes %[[R]] [0, 2] : (!pyarray.array<?xf64, C>) -> !pyarray.array<?x?x?xf64, A>
func.func @fold_axes(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x"], pyarray.instantiate = [(!pyarray.array<?x?x?xf64, C>) -> ()]} {
  %k = pyarray.callable @reduce -> !pyarray.any
  %0 = pyarray.constant 0 : si64 -> !pyarray.any
  %2 = pyarray.constant 2 : si64 -> !pyarray.any
  %t = pyarray.constant true -> !pyarray.any
  %a = pyarray.tuple %2, %0 : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %r = pyarray.apply %k(%x, %a, %t, %2) kw ["axis", "keepdims", "initial"] : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %r : !pyarray.any
}

// Along the last axis there is nothing to move, and dtype says the type.
// CHECK-LABEL: func.func @last$0
// CHECK-NOT:   pyarray.transpose
// CHECK:       -> !pyarray.array<?x?xf32, C>
func.func @last(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x"], pyarray.instantiate = [(!pyarray.array<?x?xsi32, C>) -> ()]} {
  %k = pyarray.callable @accumulate -> !pyarray.any
  %axis = pyarray.constant -1 : si64 -> !pyarray.any
  %dtype = pyarray.callable "numpy.float32" -> !pyarray.any
  %0 = pyarray.apply %k(%x, %axis, %dtype) kw ["dtype"] : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}
