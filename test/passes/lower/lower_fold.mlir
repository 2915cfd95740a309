// RUN: pyarray-opt %s --pyarray-lower | FileCheck %s
// RUN: pyarray-opt %s --pyarray-lower | pyarray-opt

!A1 = !pyarray.array<?xf64, A>
!C1 = !pyarray.array<?xf64, C>
!C2 = !pyarray.array<?x?xf64, C>
!I1 = !pyarray.array<?xsi32, C>
!H1 = !pyarray.array<?xf16, C>

// A sum of floats as they lie in memory is the runtime's; what is contiguous has one dimension.
// CHECK-LABEL: func.func @sum
// CHECK:     %[[N:.*]] = arith.muli
// CHECK-NOT: pyarray_rt_order_reduction
// CHECK:     call @pyarray_rt_add_rows_f64(
func.func @sum(%a: !C2) -> f64 {
  %s = pyarray.reduce ["add"] axes [0, 1] ins(%a : !C2) expanded {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> f64
  return %s : f64
}

// Simple elements are added up as they are computed, block by block; what is one block takes no call.
// CHECK-LABEL: func.func @products
// CHECK:      %[[SUM:.*]] = memref.alloca() {alignment = 64 : i64} : memref<1xf64>
// CHECK:      %[[ONE:.*]] = arith.cmpi sle, %{{.*}}, %c128
// CHECK:      scf.if %[[ONE]]
// CHECK:      } else {
// CHECK:        call @pyarray_rt_sum_begin
// CHECK:      scf.while
// CHECK:        linalg.generic {{.*}}iterator_types = ["reduction"]} {{.*}} outs(%[[SUM]] : memref<1xf64>) attrs = {{{.*}}pyarray.order = "pairwise"
// CHECK:        ^bb0(%[[X:.*]]: f64, %[[Y:.*]]: f64, %[[BEFORE:.*]]: f64):
// CHECK:          %[[P:.*]] = arith.mulf %[[X]], %[[Y]] : f64
// CHECK:          arith.addf %[[BEFORE]], %[[P]] : f64
// CHECK:        scf.if %[[ONE]]
// CHECK:        } else {
// CHECK:          call @pyarray_rt_sum_block_f64
func.func @products(%a: !C1, %b: !C1) -> f64 {
  %s = pyarray.reduce ["add"] axes [0] ins(%a, %b : !C1, !C1) order "C" expanded {
  ^bb0(%x: f64, %y: f64):
    %p = pyarray.builtin "numpy.multiply"(%x, %y) : (f64, f64) -> f64
    pyarray.yield %p : f64
  } -> f64
  return %s : f64
}

// Others are computed leaf by leaf.
// CHECK-LABEL: func.func @exponentials
// CHECK:      %[[BUFFER:.*]] = memref.alloca() {alignment = 64 : i64} : memref<512xf64>
// CHECK:      call @pyarray_rt_sum_begin
// CHECK:      scf.while
// CHECK:        %[[LEAF:.*]] = memref.reinterpret_cast %[[BUFFER]]
// CHECK:        linalg.generic {{.*}} outs(%[[LEAF]] : {{.*}}) attrs = {{{.*}}pyarray.packed}
// CHECK:          math.exp
// CHECK:        call @pyarray_rt_sum_leaf_f64
func.func @exponentials(%a: !C1) -> f64 {
  %s = pyarray.reduce ["add"] axes [0] ins(%a : !C1) order "C" expanded {
  ^bb0(%x: f64):
    %p = pyarray.builtin "numpy.exp"(%x) : (f64) -> f64
    pyarray.yield %p : f64
  } -> f64
  return %s : f64
}

// Elements that are cast are added up 8192 at a time, as NumPy's buffer holds them.
// CHECK-LABEL: func.func @cast
// CHECK: arith.ceildivsi %{{.*}}, %c8192
// CHECK: arith.sitofp
// CHECK: call @pyarray_rt_sum_block_f64
func.func @cast(%a: !I1) -> f64 {
  %s = pyarray.reduce ["add"] axes [0] ins(%a : !I1) expanded {
  ^bb0(%x: si32):
    %y = pyarray.cast %x : si32 to f64
    pyarray.yield %y : f64
  } -> f64
  return %s : f64
}

// float16 is summed in float32.
// CHECK-LABEL: func.func @half
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: call @pyarray_rt_sum_leaf_f32
// CHECK: arith.truncf %{{.*}} : f32 to f16
func.func @half(%a: !H1) -> f16 {
  %s = pyarray.reduce ["add"] axes [0] ins(%a : !H1) expanded {
  ^bb0(%x: f16):
    pyarray.yield %x : f16
  } -> f16
  return %s : f16
}

// What has no identity raises where there is no element; the fold is carried in registers.
// CHECK-LABEL: func.func @most
// CHECK:     %[[NONE:.*]] = arith.cmpi eq, %{{.*}}, %c0 : index
// CHECK:     scf.if %[[NONE]]
// CHECK:     scf.for {{.*}} iter_args(%[[M:.*]] = %{{.*}}) -> (f64)
// CHECK:       arith.maximumf %[[M]],
func.func @most(%a: !C1) -> f64 {
  %s = pyarray.reduce ["max"] axes [0] ins(%a : !C1) expanded {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> f64 {pyarray.name = "maximum"}
  return %s : f64
}

// The sums of rows, or of columns, of memory are one call, which looks at the strides of the result.
// CHECK-LABEL: func.func @columns
// CHECK:     call @pyarray_rt_order_reduction
// CHECK-NOT: scf.if
// CHECK:     call @pyarray_rt_add_matrix_f64
func.func @columns(%a: !C2, %o: !C1) {
  pyarray.reduce ["add"] axes [0] ins(%a : !C2) outs(%o : !C1) expanded {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  return
}

// Of what a body computes, rows of two to four elements without gaps have loops of their own: folded, side by side in
// vectors, with what stays along them read before.
// CHECK-LABEL: func.func @points
// CHECK:      %[[TWO:.*]] = arith.cmpi eq, %{{.*}}, %c2
// CHECK:      arith.andi %[[TWO]],
// CHECK:      scf.if
// CHECK:        %[[Y0:.*]] = memref.load
// CHECK:        %[[Y1:.*]] = memref.load
// CHECK:        scf.parallel (%[[I:.*]]) =
// CHECK:          arith.muli %[[I]], %c2
// CHECK:          arith.subf %{{.*}}, %[[Y0]]
// CHECK:          arith.subf %{{.*}}, %[[Y1]]
func.func @points(%a: !C2, %n: si64, %k: si64, %b: !C1, %o: !C1) {
  %x = pyarray.insert_axes %b [0] : (!C1) -> !C2
  %y = pyarray.broadcast_to %x to(%n, %k) : (!C2, si64, si64) -> !pyarray.array<?x?xf64, A>
  pyarray.reduce ["add"] axes [1] ins(%a, %y : !C2, !pyarray.array<?x?xf64, A>) outs(%o : !C1) expanded {
  ^bb0(%p: f64, %q: f64):
    %d = pyarray.builtin "numpy.subtract"(%p, %q) : (f64, f64) -> f64
    pyarray.yield %d : f64
  }
  return
}

// Or the sums of their columns, side by side.
// CHECK-LABEL: func.func @columns_of_points
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (f64, f64) {
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (f64, f64, f64) {
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (f64, f64, f64, f64) {
func.func @columns_of_points(%a: !C2, %o: !C1) {
  pyarray.reduce ["add"] axes [0] ins(%a : !C2) outs(%o : !C1) expanded {
  ^bb0(%p: f64):
    %d = pyarray.builtin "numpy.multiply"(%p, %p) : (f64, f64) -> f64
    pyarray.yield %d : f64
  }
  return
}

// The positions in rows of memory are one call.
// CHECK-LABEL: func.func @position
// CHECK-NOT: pyarray_rt_order_reduction
// CHECK:     call @pyarray_rt_find_extremes
func.func @position(%a: !C2, %o: !pyarray.array<?xsi64, C>) {
  pyarray.reduce ["argmin"] axes [0] ins(%a : !C2) outs(%o : !pyarray.array<?xsi64, C>) expanded {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  return
}

// Several words make one pass.
// CHECK-LABEL: func.func @several
// CHECK: scf.while
// CHECK:   memref.store
// CHECK:   arith.minimumf
// CHECK:   call @pyarray_rt_find_extreme
func.func @several(%a: !C1) -> (si64, f64) {
  %r:2 = pyarray.reduce ["argmin", "min"] axes [0] ins(%a : !C1) expanded {
  ^bb0(%x: f64):
    pyarray.yield %x, %x : f64, f64
  } -> si64, f64
  return %r#0, %r#1 : si64, f64
}

// One NaT makes the sum NaT.
// CHECK-LABEL: func.func @times
// CHECK: %[[A:.*]] = arith.cmpi eq, %{{.*}}, %c-9223372036854775808_i64
// CHECK: arith.select
func.func @times(%a: !pyarray.array<?xsi64, C>) -> si64 {
  %s = pyarray.reduce ["nat_add"] axes [0] ins(%a : !pyarray.array<?xsi64, C>) expanded {
  ^bb0(%x: si64):
    pyarray.yield %x : si64
  } -> si64
  return %s : si64
}

// A row of results takes a row of elements as one operation; a short one is taken point by point.
// CHECK-LABEL: func.func @columns_of_products
// CHECK: %[[SHORT:.*]] = arith.cmpi slt, %{{.*}}, %c16
// CHECK: %[[COLUMNS:.*]] = arith.andi %{{.*}}, %[[SHORT]]
// CHECK: scf.if %[[COLUMNS]] {
// CHECK:   scf.for
// CHECK:     scf.for {{.*}} iter_args
// CHECK:       arith.mulf
// CHECK:       arith.addf
// CHECK: } else {
// CHECK:   scf.for
// CHECK:     linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %[[ROW:.*]] : {{.*}}) outs(%[[ROW]] : {{.*}})
// CHECK:       arith.mulf
// CHECK:       arith.addf
func.func @columns_of_products(%a: !C2, %b: !C2, %o: !C1) {
  pyarray.reduce ["add"] axes [0] ins(%a, %b : !C2, !C2) outs(%o : !C1) order "C" expanded {
  ^bb0(%x: f64, %y: f64):
    %p = pyarray.builtin "numpy.multiply"(%x, %y) : (f64, f64) -> f64
    pyarray.yield %p : f64
  }
  return
}

// Rows of a few elements are added up without a call.
// CHECK-LABEL: func.func @rows_of_products
// CHECK: arith.cmpi slt, %{{.*}}, %c8
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (f64)
// CHECK: call @pyarray_rt_sum_begin
func.func @rows_of_products(%a: !C2, %b: !C2, %o: !C1) {
  pyarray.reduce ["add"] axes [1] ins(%a, %b : !C2, !C2) outs(%o : !C1) order "C" expanded {
  ^bb0(%x: f64, %y: f64):
    %p = pyarray.builtin "numpy.multiply"(%x, %y) : (f64, f64) -> f64
    pyarray.yield %p : f64
  }
  return
}
