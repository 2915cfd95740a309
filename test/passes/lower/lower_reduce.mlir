// RUN: pyarray-opt %s --pyarray-lower --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @product
// CHECK: %[[SIZE:.*]] = memref.dim %arg0
// CHECK: %[[P:.*]] = scf.for %[[I:.*]] = %c0 to %{{.*}} step %c1 iter_args(%[[SO_FAR:.*]] = %arg2) -> (i64) {
// CHECK:   %[[ITEM:.*]] = memref.load %arg0[%[[I]]] : memref<?xi8
// CHECK:   %[[WIDE:.*]] = arith.extui %[[ITEM]] : i8 to i64
// CHECK:   %[[NEXT:.*]] = arith.muli %[[SO_FAR]], %[[WIDE]]
// CHECK:   scf.yield %[[NEXT]]
// CHECK: return %{{.*}}, %[[P]]
func.func @product(%a: !pyarray.array<?xui8, A>, %start: ui64) -> ui64 {
  %0 = pyarray.builtin "math.prod"(%a, %start) : (!pyarray.array<?xui8, A>, ui64) -> ui64
  return %0 : ui64
}

// -----

// From the start, which is the last operand, over the elements in order.
// CHECK-LABEL: func.func @product_of_numbers
// CHECK: %[[A:.*]] = arith.mulf %arg2, %arg0
// CHECK: arith.mulf %[[A]], %arg1
func.func @product_of_numbers(%x: f64, %y: f64, %start: f64) -> f64 {
  %0 = pyarray.builtin "math.prod"(%x, %y, %start) : (f64, f64, f64) -> f64
  return %0 : f64
}

// -----

// The runtime gets count, address of the first element, stride in bytes, and the type code ('f').
// CHECK: args = ["intermediate overflow in fsum"], exception = "OverflowError"
// CHECK: args = ["-inf + inf in fsum"], exception = "ValueError"
// CHECK-LABEL: func.func @sum
// CHECK: %[[OUT:.*]] = memref.alloca() : memref<1xf64>
// CHECK: %{{.*}}, %[[OFFSET:.*]], %{{.*}}, %[[STRIDE:.*]] = memref.extract_strided_metadata %arg0
// CHECK: %[[STATUS:.*]] = call @pyarray_rt_fsum(%{{.*}}, %{{.*}}, %{{.*}}, %c102_i64, %{{.*}})
// CHECK: %[[FAILED:.*]] = arith.cmpi ne, %[[STATUS]], %c0_i32
// CHECK: scf.if %[[FAILED]]
// CHECK: memref.load %[[OUT]]
func.func @sum(%a: !pyarray.array<?xf32, A>) -> f64 {
  %0 = pyarray.builtin "math.fsum"(%a) : (!pyarray.array<?xf32, A>) -> f64
  return %0 : f64
}

// -----

// Numbers are stored on the stack, once for the function.
// CHECK-LABEL: func.func @sum_of_numbers
// CHECK: %[[MEMORY:.*]] = memref.alloca() : memref<2xf64>
// CHECK: memref.store %arg0, %[[MEMORY]][%c0]
// CHECK: memref.store %arg1, %[[MEMORY]][%c1]
// CHECK: call @pyarray_rt_fsum(%c2_i64, %{{.*}}, %c8_i64, %c100_i64, %{{.*}})
func.func @sum_of_numbers(%x: f64, %y: f64) -> f64 {
  %0 = pyarray.builtin "math.fsum"(%x, %y) : (f64, f64) -> f64
  return %0 : f64
}

// -----

// Integers are added up here, floats by the runtime.
// CHECK: args = ["Inputs are not the same length"], exception = "ValueError"
// CHECK-LABEL: func.func @sum_of_products
// CHECK: %[[DIFFERENT:.*]] = arith.cmpi ne
// CHECK: scf.if %[[DIFFERENT]]
// CHECK: scf.for
// CHECK: arith.muli
// CHECK: arith.addi
// CHECK: call @pyarray_rt_sumprod(
func.func @sum_of_products(%a: !pyarray.array<?xsi64, C>, %b: !pyarray.array<?xf64, C>) -> tuple<si64, f64> {
  %0 = pyarray.builtin "math.sumprod"(%a, %a) : (!pyarray.array<?xsi64, C>, !pyarray.array<?xsi64, C>) -> si64
  %1 = pyarray.builtin "math.sumprod"(%a, %b) : (!pyarray.array<?xsi64, C>, !pyarray.array<?xf64, C>) -> f64
  %2 = pyarray.tuple %0, %1 : (si64, f64) -> tuple<si64, f64>
  return %2 : tuple<si64, f64>
}

// -----

// Two tuples follow the length of the first.
// CHECK-LABEL: func.func @sum_of_pairs
// CHECK: %[[A:.*]] = arith.muli %arg0, %arg2
// CHECK: %[[B:.*]] = arith.addi %{{.*}}, %[[A]]
// CHECK: %[[C:.*]] = arith.muli %arg1, %arg3
// CHECK: arith.addi %[[B]], %[[C]]
func.func @sum_of_pairs(%a: si64, %b: si64, %c: si64, %d: si64) -> si64 {
  %n = pyarray.constant 2 : si64 -> si64
  %0 = pyarray.builtin "math.sumprod"(%n, %a, %b, %c, %d) : (si64, si64, si64, si64, si64) -> si64
  return %0 : si64
}
