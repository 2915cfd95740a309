// RUN: pyarray-opt %s --pyarray-infer-types | FileCheck %s
// RUN: pyarray-opt %s --pyarray-infer-types | pyarray-opt

// Short integers are added up in 64 bits; what is left is an array.
// CHECK-LABEL: func.func @rows$0
// CHECK: %[[R:.*]] = pyarray.reduce ["add"] axes [1] ins(%arg0 : !pyarray.array<?x?xsi16, F>) {
// CHECK:   ^bb0(%[[X:.*]]: si16):
// CHECK:   %[[Y:.*]] = pyarray.cast %[[X]] : si16 to si64
// CHECK:   pyarray.yield %[[Y]] : si64
// CHECK: } -> !pyarray.array<?xsi64, C> {pyarray.name = "add"}
// CHECK: return %[[R]]
func.func @rows(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.instantiate = [(!pyarray.array<?x?xsi16, F>) -> ()]} {
  %f = pyarray.callable "numpy.sum" -> !pyarray.any
  %axis = pyarray.constant -1 : si64 -> !pyarray.any
  %r = pyarray.apply %f(%a, %axis) kw ["axis"] : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %r : !pyarray.any
}

// A method without an axis gives a number.
// CHECK-LABEL: func.func @most$0
// CHECK: pyarray.reduce ["max"] axes [0, 1] ins(%arg0 : {{.*}}) {
// CHECK: } -> f32 {pyarray.name = "maximum"}
func.func @most(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.instantiate = [(!pyarray.array<?x?xf32, A>) -> ()]} {
  %r = pyarray.method %a "max"() kw [] : (!pyarray.any) -> !pyarray.any
  return %r : !pyarray.any
}

// Axes that are kept have extent 1.
// CHECK-LABEL: func.func @kept$0
// CHECK: %[[R:.*]] = pyarray.reduce ["or"] axes [0] ins(%arg0 : {{.*}}) {
// CHECK:   pyarray.cast %{{.*}} : f64 to i1
// CHECK: } -> !pyarray.array<?xi1, C>
// CHECK: pyarray.insert_axes %[[R]] [0] : (!pyarray.array<?xi1, C>) -> !pyarray.array<?x?xi1, A>
func.func @kept(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.instantiate = [(!pyarray.array<?x?xf64, C>) -> ()]} {
  %f = pyarray.callable "numpy.any" -> !pyarray.any
  %axis = pyarray.constant 0 : si64 -> !pyarray.any
  %yes = pyarray.constant true -> !pyarray.any
  %r = pyarray.apply %f(%a, %axis, %yes) kw ["axis", "keepdims"] : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %r : !pyarray.any
}

// A mask leaves elements out; a start is cast.
// CHECK-LABEL: func.func @masked$0
// CHECK: %[[START:.*]] = pyarray.cast %arg2 : si64 to f64
// CHECK: pyarray.reduce ["mul"] axes [0] ins(%arg0, %arg1 : {{.*}}) init(%[[START]] : f64) {
// CHECK:   pyarray.builtin "numpy.where"(%{{.*}}, %{{.*}}, %{{.*}}) : (i1, f64, f64) -> f64
func.func @masked(%a: !pyarray.any, %m: !pyarray.any, %v: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "m", "v"], pyarray.instantiate = [(!pyarray.array<?xf64, C>, !pyarray.array<?xi1, C>, si64) -> ()]} {
  %r = pyarray.method %a "prod"(%m, %v) kw ["where", "initial"] : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %r : !pyarray.any
}

// With an axis of run time it is a function of the library, which knows how many axes there are.
// CHECK-LABEL: func.func @run_time$0
// CHECK: pyarray.call @numpy.reductions.reduce_at$0(%arg0, %arg1
func.func @run_time(%a: !pyarray.any, %k: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "k"], pyarray.instantiate = [(!pyarray.array<?x?xf64, C>, si64) -> ()]} {
  %f = pyarray.callable "numpy.argmin" -> !pyarray.any
  %r = pyarray.apply %f(%a, %k) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %r : !pyarray.any
}

// The first axis is that of a ufunc's method.
// CHECK-LABEL: func.func @ufunc$0
// CHECK: pyarray.reduce ["xor"] axes [0] ins(%arg0 : {{.*}}) {
func.func @ufunc(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.instantiate = [(!pyarray.array<?x?xui8, C>) -> ()]} {
  %f = pyarray.callable "numpy.bitwise_xor.reduce" -> !pyarray.any
  %r = pyarray.apply %f(%a) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %r : !pyarray.any
}
