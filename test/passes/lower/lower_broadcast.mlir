// RUN: pyarray-opt %s --pyarray-lower | FileCheck %s
// RUN: pyarray-opt %s --pyarray-lower | pyarray-opt

!A = !pyarray.array<?xf64, A>
!A2 = !pyarray.array<?x?xf64, A>
!C0 = !pyarray.array<f64, C>

// CHECK: pyarray.sites = [{args = ["operands could not be broadcast together with shapes {0:1} {1:1} "], exception = "ValueError"
// CHECK-SAME: args = ["non-broadcastable output operand with shape {0:1} doesn't match the broadcast shape {1:1}"]
// CHECK-SAME: args = ["operands could not be broadcast together with shapes {0:2} {2:0} {2:3} "]
// CHECK-SAME: args = ["dot: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n),(n)->() (size {0} is different from {1})"]
// CHECK-SAME: args = ["operands could not be broadcast together with remapped shapes [original->remapped]: {0:2}->{0:1} {2:3}->{2:2}"]

// Extents agree, or one is 1 and the other counts.
// CHECK-LABEL: func.func @inputs
// CHECK-DAG:  %[[ONE:.*]] = arith.constant 1 : i64
// CHECK-DAG:  %[[A:.*]] = arith.index_cast
// CHECK:      %[[B:.*]] = arith.index_cast
// CHECK:      %[[A1:.*]] = arith.cmpi eq, %[[A]], %[[ONE]]
// CHECK:      arith.cmpi eq, %[[B]], %[[ONE]]
// CHECK:      arith.cmpi ne, %[[A]], %[[B]]
// CHECK:      %[[N:.*]] = arith.select %[[A1]], %[[B]], %[[A]]
// CHECK:      func.call @pyarray_rt_raise_values(%{{.*}}, %[[A]], %[[B]]
// CHECK:      return %{{.*}}, %[[N]]
func.func @inputs(%a: !A, %b: !A) -> si64 {
  %0 = pyarray.ufunc_shape "(),()->()" ins(%a, %b : !A, !A) : si64
  return %0 : si64
}

// Inputs are stretched to a given output, which is not stretched itself.
// CHECK-LABEL: func.func @output
// CHECK:      %[[A:.*]] = arith.index_cast
// CHECK:      %[[O:.*]] = arith.index_cast
// CHECK:      %[[ONE:.*]] = arith.cmpi eq, %[[A]]
// CHECK:      %[[N:.*]] = arith.select %[[ONE]], %[[O]], %[[A]]
// CHECK:      arith.cmpi ne, %[[O]], %[[N]]
// CHECK:      func.call @pyarray_rt_raise_values(%{{.*}}, %[[O]], %[[N]]
func.func @output(%a: !A, %o: !A) -> si64 {
  %0 = pyarray.ufunc_shape "()->()" ins(%a : !A) outs(%o : !A) : si64
  return %0 : si64
}

// What is changed in place is asked once.
// CHECK-LABEL: func.func @in_place
// CHECK:     arith.select
// CHECK-NOT: arith.select
// CHECK:     return
func.func @in_place(%o: !A, %a: !A) -> si64 {
  %0 = pyarray.ufunc_shape "(),()->()" ins(%o, %a : !A, !A) outs(%o : !A) : si64
  return %0 : si64
}

// All shapes go to one message; more than three numbers are put on the stack.
// CHECK-LABEL: func.func @shapes
// CHECK:      %[[STACK:.*]] = memref.alloca() : memref<5xi64>
// CHECK:      scf.if
// CHECK-COUNT-5: memref.store %{{.*}}, %[[STACK]]
// CHECK:      %[[AT:.*]] = memref.extract_aligned_pointer_as_index %[[STACK]]
// CHECK:      %[[ADDRESS:.*]] = arith.index_cast %[[AT]] : index to i64
// CHECK:      func.call @pyarray_rt_raise_many(%{{.*}}, %[[ADDRESS]], %{{.*}}) : (i32, i64, i64) -> ()
// CHECK-NOT:  raise
// CHECK:      return
func.func @shapes(%a: !A2, %x: f64, %b: !pyarray.array<?x?x?xf64, A>) -> si64 {
  %0:3 = pyarray.ufunc_shape "(),(),()->()" ins(%a, %x, %b : !A2, f64, !pyarray.array<?x?x?xf64, A>) : si64, si64, si64
  return %0#0 : si64
}

// CHECK-LABEL: func.func @core
// CHECK: func.call @pyarray_rt_raise_values
func.func @core(%a: !A, %b: !A) -> si64 {
  %0 = pyarray.ufunc_shape "(n),(n)->()" ins(%a, %b : !A, !A) {pyarray.name = "dot"} : si64
  return %0 : si64
}

// Of a gufunc the loop dimensions are shown too.
// CHECK-LABEL: func.func @loop_and_core
// CHECK: func.call @pyarray_rt_raise_many
func.func @loop_and_core(%a: !A2, %b: !pyarray.array<?x?x?xf64, A>) -> si64 {
  %0:4 = pyarray.ufunc_shape "(n),(m)->()" ins(%a, %b : !A2, !pyarray.array<?x?x?xf64, A>) : si64, si64, si64, si64
  return %0#0 : si64
}

// Numbers only: no loop.
// CHECK-LABEL: func.func @numbers
// CHECK-NOT: raise
// CHECK: return
func.func @numbers(%x: f64) -> si64 {
  pyarray.ufunc_shape "()->()" ins(%x : f64)
  %0 = pyarray.constant 1 : si64 -> si64
  return %0 : si64
}

// A missing dimension has stride 0, and one of extent 1; core dimensions stay.
// CHECK-LABEL: func.func @view
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK:     %{{.*}}, %[[OFFSET:.*]], %[[SIZE:.*]], %[[STRIDE:.*]] = memref.extract_strided_metadata %arg0
// CHECK:     %[[IS1:.*]] = arith.cmpi eq, %[[SIZE]], %[[ONE]]
// CHECK:     %[[S:.*]] = arith.select %[[IS1]], %[[ZERO]], %[[STRIDE]]
// CHECK:     memref.reinterpret_cast %{{.*}} to offset: [%[[OFFSET]]], sizes: [%{{.*}}, %{{.*}}], strides: [%[[ZERO]], %[[S]]]
func.func @view(%a: !A, %n: si64) -> si64 {
  %0 = pyarray.broadcast_to %a to (%n, %n) : (!A, si64, si64) -> !A2
  %1 = pyarray.iter_length %0 : (!A2) -> si64
  return %1 : si64
}

// New axes have extent 1 and stride 0.
// CHECK-LABEL: func.func @axes
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK:     %{{.*}}, %[[OFFSET:.*]], %[[SIZE:.*]], %[[STRIDE:.*]] = memref.extract_strided_metadata %arg0
// CHECK:     memref.reinterpret_cast %{{.*}} to offset: [%[[OFFSET]]], sizes: [%[[ONE]], %[[SIZE]], %[[ONE]]], strides: [%[[ZERO]], %[[STRIDE]], %[[ZERO]]]
func.func @axes(%a: !A) -> si64 {
  %0 = pyarray.insert_axes %a [0, 2] : (!A) -> !pyarray.array<?x?x?xf64, A>
  %1 = pyarray.iter_length %0 : (!pyarray.array<?x?x?xf64, A>) -> si64
  return %1 : si64
}

// CHECK-LABEL: func.func @transpose
// CHECK:     %{{.*}}, %[[OFFSET:.*]], %[[SIZES:.*]]:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %arg0
// CHECK:     memref.reinterpret_cast %{{.*}} to offset: [%[[OFFSET]]], sizes: [%[[SIZES]]#1, %[[SIZES]]#0], strides: [%[[STRIDES]]#1, %[[STRIDES]]#0]
func.func @transpose(%a: !A2) -> si64 {
  %0 = pyarray.transpose %a [1, 0] : (!A2) -> !A2
  %1 = pyarray.iter_length %0 : (!A2) -> si64
  return %1 : si64
}

// Shape, offsets and strides go to the runtime and come back: 2 + 2 * (1 + 2) numbers.
// CHECK-LABEL: func.func @order
// CHECK: %[[N:.*]] = memref.alloca() : memref<8xi64>
// CHECK: memref.store %{{.*}}, %[[N]]
// CHECK: call @pyarray_rt_order_dimensions(
// CHECK: memref.load %[[N]]
// CHECK: memref.reinterpret_cast
func.func @order(%a: !A2, %b: !A2) -> si64 {
  %0:2 = pyarray.order_dimensions %a, %b rank 2 : (!A2, !A2) -> (!A2, !A2)
  %1 = pyarray.iter_length %0#0 : (!A2) -> si64
  return %1 : si64
}

// Arrays without dimensions and numbers as views of one element.
// CHECK-LABEL: func.func @elements
// CHECK: memref.alloca() : memref<1xf64>
// CHECK: memref.store %arg{{.*}}, %{{.*}}[%{{.*}}] : memref<1xf64>
// CHECK: memref.reinterpret_cast %{{.*}} sizes: [1], strides: [1] : memref<f64> to memref<1xf64, strided<[1], offset: ?>>
// CHECK: call @kernel
func.func private @kernel(%x: !A, %y: !A) -> !pyarray.none {
  %n = pyarray.constant unit -> !pyarray.none
  return %n : !pyarray.none
}
func.func @elements(%x: f64, %o: !C0) -> !pyarray.none {
  pyarray.ufunc "()->()" ins(%x : f64) outs(%o : !C0) expanded {
  ^bb0(%p: !A, %q: !A):
    %0 = pyarray.call @kernel(%p, %q) : (!A, !A) -> !pyarray.none
    pyarray.yield
  }
  %n = pyarray.constant unit -> !pyarray.none
  return %n : !pyarray.none
}
