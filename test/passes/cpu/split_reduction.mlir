// RUN: pyarray-opt %s --pyarray-split-grid --split-input-file | FileCheck %s
// RUN: pyarray-opt %s --pyarray-split-grid --split-input-file | pyarray-opt --split-input-file

// Each part begins with -0.0, the sum of nothing, and stores what it has; the parts are added to the initial value in order.
// CHECK-LABEL: func.func private @sum.chunk0
// CHECK-SAME:  (%[[B:.*]]: i64, %[[E:.*]]: i64, %[[PART:.*]]: i64, %[[A:.*]]: memref<?xf64>, %{{.*}}: f64, %[[MEMORY:.*]]: i64) -> i32
// CHECK:         %[[NONE:.*]] = arith.constant -0.000000e+00 : f64
// CHECK:         %[[R:.*]] = scf.for %[[I:.*]] = %[[B]] to %[[E]] step %{{.*}} iter_args(%[[S:.*]] = %[[NONE]]) -> (f64) : i64 {
// CHECK:           arith.addf %[[S]], %{{.*}} fastmath<reassoc>
// CHECK-NOT:     pyarray.threads
// CHECK:         %[[ROW:.*]] = arith.muli %[[PART]], %c16
// CHECK:         %[[OFFSET:.*]] = arith.addi %[[ROW]], %c0
// CHECK:         arith.addi %[[MEMORY]], %[[OFFSET]]
// CHECK:         llvm.store %[[R]]
// CHECK-LABEL: func.func @sum(
// CHECK:         %[[SLOT:.*]] = memref.alloca() {pyarray.owner_slot} : memref<i64>
// CHECK:         %[[PARTS:.*]] = call @pyarray_rt_parallel_parts(%[[N:[a-z0-9_]*]], %[[GRAIN:[a-z0-9_]*]])
// CHECK:         %[[BYTES:.*]] = arith.muli %[[PARTS]], %c16
// CHECK:         %[[MEMORY:.*]] = call @pyarray_rt_allocate(%[[BYTES]])
// CHECK:         memref.store %[[MEMORY]], %[[SLOT]][]
// CHECK:         %[[NOMEM:.*]] = arith.cmpi eq, %[[MEMORY]], %c0
// CHECK:         scf.if %[[NOMEM]] {
// CHECK-NEXT:      %[[SITE:.*]] = arith.constant 4 : i32
// CHECK-NEXT:      func.call @pyarray_rt_raise(%[[SITE]])
// CHECK:         call @sum.launch0(%[[N]], %[[GRAIN]],
// CHECK:         func.call @pyarray_rt_leave()
// CHECK:         %[[R:.*]] = scf.for %[[P:.*]] = %{{.*}} to %[[PARTS]] step %{{.*}} iter_args(%[[S:.*]] = %[[X:.*]]) -> (f64) : i64 {
// CHECK:           %[[ONE:.*]] = llvm.load
// CHECK:           arith.addf %[[S]], %[[ONE]]
// CHECK:         memref.store %{{.*}}, %[[SLOT]][]
// CHECK-NEXT:    call @pyarray_rt_release(%[[MEMORY]])
// CHECK-NEXT:    return %[[R]] : f64
func.func @sum(%a: memref<?xf64>, %n: i64, %x: f64) -> f64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f64) : i64 {
    %k = arith.index_cast %i : i64 to index
    %e = memref.load %a[%k] : memref<?xf64>
    %t = arith.addf %s, %e : f64
    scf.yield %t : f64
  } {pyarray.threads = ["add"], pyarray.memory_site = 4 : i32}
  return %r : f64
}

// -----

// These begin with the initial value in every part, since combining it again changes nothing.
// CHECK-LABEL: func.func private @idempotent.chunk0
// CHECK-SAME:  %[[X:[a-z0-9]*]]: i32, %[[Y:[a-z0-9]*]]: i64, %{{.*}}: i64) -> i32
// CHECK:         iter_args(%{{.*}} = %[[X]], %{{.*}} = %[[Y]])
// CHECK-LABEL: func.func @idempotent(
// CHECK:         arith.muli %{{.*}}, %c32
// CHECK:         arith.andi
// CHECK:         arith.ori
func.func @idempotent(%n: i64, %x0: i32, %x1: i64) -> (i32, i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s0 = %x0, %s1 = %x1) -> (i32, i64) : i64 {
    scf.yield %s0, %s1 : i32, i64
  } {pyarray.threads = ["and", "or"], pyarray.memory_site = 0 : i32}
  return %r#0, %r#1 : i32, i64
}

// -----

// These do not.
// CHECK-LABEL: func.func private @others.chunk0
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1.000000e+00 : f64
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-DAG:     %[[BYTE:.*]] = arith.constant 0 : i8
// CHECK:         iter_args(%{{.*}} = %[[ONE]], %{{.*}} = %[[ZERO]], %{{.*}} = %[[BYTE]])
// CHECK-LABEL: func.func @others(
// CHECK:         arith.mulf
// CHECK:         arith.xori
// CHECK:         arith.addi %{{.*}} : i8
func.func @others(%n: i64, %x0: f64, %x1: i32, %x2: i8) -> (f64, i32, i8) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%s0 = %x0, %s1 = %x1, %s2 = %x2) -> (f64, i32, i8) : i64 {
    scf.yield %s0, %s1, %s2 : f64, i32, i8
  } {pyarray.threads = ["mul", "xor", "add"], pyarray.memory_site = 0 : i32}
  return %r#0, %r#1, %r#2 : f64, i32, i8
}

// -----

// The later value counts where it compares less or greater, as in Python; and of "last" always.
// CHECK-LABEL: func.func @extremes(
// CHECK:         arith.cmpi slt, %[[LATER0:.*]], %[[EARLIER0:.*]] :
// CHECK-NEXT:    arith.select %{{.*}}, %[[LATER0]], %[[EARLIER0]]
// CHECK:         arith.cmpi sgt, %[[LATER1:.*]], %[[EARLIER1:.*]] :
// CHECK-NEXT:    arith.select %{{.*}}, %[[LATER1]], %[[EARLIER1]]
// CHECK:         arith.cmpi ult, %[[LATER2:.*]], %[[EARLIER2:.*]] :
// CHECK-NEXT:    arith.select %{{.*}}, %[[LATER2]], %[[EARLIER2]]
// CHECK:         arith.cmpi ugt, %[[LATER3:.*]], %[[EARLIER3:.*]] :
// CHECK-NEXT:    arith.select %{{.*}}, %[[LATER3]], %[[EARLIER3]]
// CHECK:         arith.cmpf olt, %[[LATER4:.*]], %[[EARLIER4:.*]] :
// CHECK-NEXT:    arith.select %{{.*}}, %[[LATER4]], %[[EARLIER4]]
// CHECK:         %[[LAST:.*]] = llvm.load
// CHECK-NEXT:    scf.yield %{{.*}}, %[[LAST]] :
func.func @extremes(%n: i64, %x0: i64, %x1: i64, %x2: i64, %x3: i64, %x4: f64, %x5: i64) -> (i64, i64, i64, i64, f64, i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r:6 = scf.for %i = %c0 to %n step %c1 iter_args(%s0 = %x0, %s1 = %x1, %s2 = %x2, %s3 = %x3, %s4 = %x4, %s5 = %x5) -> (i64, i64, i64, i64, f64, i64) : i64 {
    scf.yield %s0, %s1, %s2, %s3, %s4, %s5 : i64, i64, i64, i64, f64, i64
  } {pyarray.threads = ["min", "max", "umin", "umax", "min", "last"], pyarray.memory_site = 0 : i32}
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5 : i64, i64, i64, i64, f64, i64
}

// -----

// Complex numbers are stored by their parts.
// CHECK-LABEL: func.func private @complex.chunk0
// CHECK:         complex.constant [-0.000000e+00, -0.000000e+00]
// CHECK:         complex.re
// CHECK:         llvm.store
// CHECK:         complex.im
// CHECK:         llvm.store
// CHECK-LABEL: func.func @complex(
// CHECK:         complex.create
// CHECK:         complex.add
func.func @complex(%n: i64, %x0: complex<f64>) -> complex<f64> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s0 = %x0) -> (complex<f64>) : i64 {
    scf.yield %s0 : complex<f64>
  } {pyarray.threads = ["add"], pyarray.memory_site = 0 : i32}
  return %r : complex<f64>
}

// -----

// Sums of times start from 0, and NaT stays NaT.
// CHECK-LABEL: func.func private @times.chunk0
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK:         iter_args(%{{.*}} = %[[ZERO]], %{{.*}} = %[[MOST:.*]])
// CHECK-LABEL: func.func @times(
// CHECK:         scf.for
// CHECK:         %[[NAT:.*]] = arith.constant -9223372036854775808 : i64
// CHECK:         %[[SUM:.*]] = arith.addi %[[A:.*]], %[[B:.*]] : i64
// CHECK:         %[[B_NAT:.*]] = arith.cmpi eq, %[[B]], %[[NAT]]
// CHECK:         %[[KNOWN:.*]] = arith.select %[[B_NAT]], %[[NAT]], %[[SUM]]
// CHECK:         %[[A_NAT:.*]] = arith.cmpi eq, %[[A]], %[[NAT]]
// CHECK:         arith.select %[[A_NAT]], %[[NAT]], %[[KNOWN]]
// CHECK:         arith.cmpi sgt
func.func @times(%n: i64, %x0: i64, %x1: i64) -> (i64, i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s0 = %x0, %s1 = %x1) -> (i64, i64) : i64 {
    scf.yield %s0, %s1 : i64, i64
  } {pyarray.threads = ["nat_add", "nat_max"], pyarray.memory_site = 0 : i32}
  return %r#0, %r#1 : i64, i64
}

// -----

// The running value is added to in any order wherever it goes, what is added to it is not; and what may be done in any
// way stays so. Iterations with loops of unequal lengths are taken in many parts.
// CHECK-LABEL: func.func private @triangle.chunk0
// CHECK:         arith.addf %[[X:.*]], %[[X]] : f64
// CHECK:         arith.mulf %{{.*}}, %{{.*}} fastmath<fast>
// CHECK:         arith.addf %{{.*}}, %{{.*}} fastmath<reassoc>
// CHECK:         arith.subf %{{.*}}, %{{.*}} fastmath<reassoc>
// CHECK-LABEL: func.func @triangle(
// CHECK:         %[[GRAIN:.*]] = call @pyarray_rt_uneven_grain(
// CHECK:         call @pyarray_rt_parallel_parts(%{{.*}}, %[[GRAIN]])
// CHECK:         call @triangle.launch0(%{{.*}}, %[[GRAIN]],
func.func @triangle(%n: i64, %x: f64, %y: f64, %c: i1) -> (f64, f64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x, %p = %y) -> (f64, f64) : i64 {
    %twice = arith.addf %x, %x : f64
    %q = arith.mulf %p, %twice fastmath<fast> : f64
    %t = scf.for %j = %c0 to %i step %c1 iter_args(%u = %s) -> (f64) : i64 {
      %v = arith.addf %u, %twice : f64
      scf.yield %v : f64
    }
    %w = scf.if %c -> f64 {
      %z = arith.subf %t, %y : f64
      scf.yield %z : f64
    } else {
      scf.yield %t : f64
    }
    scf.yield %w, %q : f64, f64
  } {pyarray.threads = ["add", "mul"], pyarray.memory_site = 4 : i32}
  return %r#0, %r#1 : f64, f64
}
