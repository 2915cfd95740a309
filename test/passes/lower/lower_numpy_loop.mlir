// RUN: pyarray-opt %s --pyarray-lower | FileCheck %s
// RUN: pyarray-opt %s --pyarray-lower | pyarray-opt

!A1 = !pyarray.array<?xf64, A>
!A2 = !pyarray.array<?x?xf64, A>

// CHECK: pyarray.sites = [{args = ["NumPy's loop 'det' for the types 'dd' is not in this process: it takes Python and NumPy"], exception = "NotImplementedError"

// Addresses, 1, the size, a zero for each operand, strides: 2 + 1 + 1 + 2 + 2 numbers.
// CHECK-LABEL: func.func @det
// CHECK: %[[N:.*]] = memref.alloca() : memref<8xi64>
// CHECK-COUNT-8: memref.store %{{.*}}, %[[N]][
// CHECK-NOT: memref.store %{{.*}}, %[[N]][
// CHECK: %[[S:.*]] = call @pyarray_rt_numpy_loop(%{{.*}}, %{{.*}}, %c2_i64, %c1_i64)
// CHECK: %[[M:.*]] = arith.cmpi eq, %[[S]], %c2_i32
// CHECK: scf.if %[[M]] {
// CHECK: %[[F:.*]] = arith.cmpi eq, %[[S]], %c1_i32
// CHECK: return %{{.*}}, %[[F]]
func.func @det(%a: !A2, %o: !A1) -> i1 {
  %name = pyarray.constant "det" -> !pyarray.str
  %signature = pyarray.constant "(m,m)->()" -> !pyarray.str
  %0 = pyarray.builtin "pyarray.library._intrinsics.numpy_loop"(%name, %signature, %a, %o) : (!pyarray.str, !pyarray.str, !A2, !A1) -> i1
  return %0 : i1
}
