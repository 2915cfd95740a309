// RUN: pyarray-opt %s --pyarray-infer-types | FileCheck %s
// RUN: pyarray-opt %s --pyarray-infer-types | pyarray-opt

// A Python float takes the type of the array; the scalar rule of numpy.add is the body.
// CHECK-LABEL: func.func @add$0
// CHECK: %[[S:.*]] = pyarray.cast %arg1 : f64 to f32
// CHECK: %[[R:.*]] = pyarray.ufunc "(),()->()" ins(%arg0, %[[S]] : !pyarray.array<?xf32, A>, f32) {
// CHECK:   ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32):
// CHECK:   %[[E:.*]] = pyarray.builtin "numpy.add"(%[[X]], %[[Y]]) : (f32, f32) -> f32
// CHECK:   pyarray.yield %[[E]]
// CHECK: } -> !pyarray.array<?xf32, C>
func.func @add(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.instantiate = [(!pyarray.array<?xf32, A>, f64) -> ()]} {
  %0 = pyarray.binary add %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// Augmented assignment writes to the array and gives it.
// CHECK-LABEL: func.func @in_place$0
// CHECK: pyarray.ufunc "(),()->()" ins(%arg0, %arg1 : {{.*}}) outs(%arg0 : !pyarray.array<?x?xf32, F>) {
// CHECK:   pyarray.cast %{{.*}} : f64 to f32
// CHECK-NEXT: pyarray.yield
// CHECK: return %arg0
func.func @in_place(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "b"], pyarray.instantiate = [(!pyarray.array<?x?xf32, F>, !pyarray.array<?xf64, C>) -> ()]} {
  %0 = pyarray.binary add %a, %b {inplace} : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// Fortran's order stays, and literals are in the body.
// CHECK-LABEL: func.func @order$0
// CHECK: pyarray.ufunc "()->()" ins(%arg0 : !pyarray.array<?x?xsi64, F>) {
// CHECK:   pyarray.builtin "numpy.less"(%{{.*}}, %{{.*}}) : (si64, si64) -> i1
// CHECK: } -> !pyarray.array<?x?xi1, F>
func.func @order(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.instantiate = [(!pyarray.array<?x?xsi64, F>) -> ()]} {
  %two = pyarray.constant 2 : si64 -> !pyarray.any
  %0 = pyarray.compare lt %a, %two : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// Of rank 0 it is a number.
// CHECK-LABEL: func.func @zero$0
// CHECK: %[[A:.*]] = pyarray.ufunc "()->()" ins(%arg0 : !pyarray.array<f64, C>)
// CHECK: pyarray.getitem %[[A]][] : {{.*}} -> f64
func.func @zero(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.instantiate = [(!pyarray.array<f64, C>) -> ()]} {
  %0 = pyarray.unary neg %a : (!pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// The truth of an array is that of its one element.
// CHECK-LABEL: func.func @truth$0
// CHECK: pyarray.getattr %arg0 "size"
// CHECK: pyarray.raise "ValueError"
// CHECK: pyarray.getitem %arg0[%{{.*}}] : {{.*}} -> f64
// CHECK: pyarray.truth
func.func @truth(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.instantiate = [(!pyarray.array<?xf64, C>) -> ()]} {
  %0 = pyarray.unary not %a : (!pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}
