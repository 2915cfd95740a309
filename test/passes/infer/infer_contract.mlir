// RUN: pyarray-opt %s --pyarray-infer-types | FileCheck %s
// RUN: pyarray-opt %s --pyarray-infer-types | pyarray-opt

// CHECK-LABEL: func.func @matrices$0
// CHECK: %[[R:.*]] = pyarray.contract "mk,kn->mn" ins(%arg0, %arg1 : {{.*}}) -> !pyarray.array<?x?xf64, C> {pyarray.mismatch = "(n?,k),(k,m?)->(n?,m?)", pyarray.name = "matmul"}
// CHECK: return %[[R]]
func.func @matrices(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.instantiate = [(!pyarray.array<?x?xf64, F>, !pyarray.array<?x?xf64, A>) -> ()]} {
  %0 = pyarray.binary matmul %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// Vectors have neither m nor n; a stack has all that is before.
// CHECK-LABEL: func.func @stack$0
// CHECK: pyarray.contract "...mk,k->...m" ins(%arg0, %arg1 : {{.*}}) -> !pyarray.array<?x?x?xf64, C>
func.func @stack(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.instantiate = [(!pyarray.array<?x?x?x?xf64, C>, !pyarray.array<?xf64, A>) -> ()]} {
  %0 = pyarray.binary matmul %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// Types meet as those of np.multiply do; two vectors give a number.
// CHECK-LABEL: func.func @mixed$0
// CHECK: %[[A:.*]] = pyarray.ufunc "()->()" ins(%arg0 : !pyarray.array<?xsi32, C>) {
// CHECK:   pyarray.cast %{{.*}} : si32 to f64
// CHECK: } -> !pyarray.array<?xf64, C>
// CHECK: %[[B:.*]] = pyarray.ufunc "()->()" ins(%arg1 : !pyarray.array<?xf32, C>) {
// CHECK: pyarray.contract "k,k->" ins(%[[A]], %[[B]] : {{.*}}) -> f64
func.func @mixed(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.instantiate = [(!pyarray.array<?xsi32, C>, !pyarray.array<?xf32, C>) -> ()]} {
  %0 = pyarray.binary matmul %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// float16 is added up in float32.
// CHECK-LABEL: func.func @half$0
// CHECK: pyarray.contract {{.*}} ins({{.*}} : !pyarray.array<?xf32, C>, !pyarray.array<?x?xf32, C>) -> !pyarray.array<?xf32, C>
// CHECK: pyarray.cast %{{.*}} : f32 to f16
// CHECK: } -> !pyarray.array<?xf16, C>
func.func @half(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.instantiate = [(!pyarray.array<?xf16, C>, !pyarray.array<?x?xf16, C>) -> ()]} {
  %0 = pyarray.binary matmul %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// CHECK-LABEL: func.func @in_place$0
// CHECK: pyarray.contract "mk,kn->mn" ins(%arg0, %arg1 : {{.*}}) outs(%arg0 : {{.*}})
// CHECK: return %arg0
func.func @in_place(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.instantiate = [(!pyarray.array<?x?xf64, A>, !pyarray.array<?x?xf64, C>) -> ()]} {
  %0 = pyarray.binary matmul %a, %b {inplace} : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// np.dot sums over the last dimension and the last but one; NumPy's text of shapes that do not fit names them.
// CHECK-LABEL: func.func @dot$0
// CHECK: pyarray.contract "abk,ckd->abcd" {{.*}}pyarray.mismatch = "shapes {2:3} and ({5},{6},{7}) not aligned: {1} (dim 2) != {0} (dim 1)"
func.func @dot(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.instantiate = [(!pyarray.array<?x?x?xf64, A>, !pyarray.array<?x?x?xf64, C>) -> ()]} {
  %f = pyarray.callable "numpy.dot" -> !pyarray.any
  %0 = pyarray.apply %f(%a, %b) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// np.inner over both last ones; of the second operand NumPy tells with these two swapped.
// CHECK-LABEL: func.func @inner$0
// CHECK: pyarray.contract "ak,bck->abc" {{.*}}pyarray.mismatch = "shapes {2:2} and ({4},{6},{5}) not aligned: {1} (dim 1) != {0} (dim 1)"
func.func @inner(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.instantiate = [(!pyarray.array<?x?xf64, A>, !pyarray.array<?x?x?xf64, C>) -> ()]} {
  %f = pyarray.callable "numpy.inner" -> !pyarray.any
  %0 = pyarray.apply %f(%a, %b) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}
