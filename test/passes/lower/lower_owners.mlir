// RUN: pyarray-opt %s --pyarray-lower --split-input-file | FileCheck %s

// An owned value has a slot in the entry block; releasing takes the owner out of it.
// CHECK-LABEL: func.func @release
// CHECK: %[[SLOT:.*]] = memref.alloca() {pyarray.owner_slot} : memref<i64>
// CHECK-NEXT: memref.store %c0_i64, %[[SLOT]][]
// CHECK: memref.store %{{.*}}, %[[SLOT]][]
// CHECK: %[[OWNER:.*]] = memref.load %[[SLOT]][]
// CHECK-NEXT: memref.store %c0_i64, %[[SLOT]][]
// CHECK-NEXT: call @pyarray_rt_release(%[[OWNER]])
func.func @release(%n: si64) -> si64 {
  %a = pyarray.builtin "numpy.zeros"(%n) : (si64) -> !pyarray.array<?xf64, C>
  pyarray.release %a : !pyarray.array<?xf64, C>
  return %n : si64
}

// -----

// A parameter has none: the caller owns it.
// CHECK-LABEL: func.func @borrowed
// CHECK-NOT: memref.alloca
// CHECK: call @pyarray_rt_retain(%arg1)
// CHECK-NEXT: return %{{.*}}, %arg0, %arg1
func.func @borrowed(%a: !pyarray.array<?xf64, C>) -> !pyarray.array<?xf64, C> {
  pyarray.retain %a : !pyarray.array<?xf64, C>
  return %a : !pyarray.array<?xf64, C>
}

// -----

// A retain and a release at the end of a block hand the reference on.
// CHECK-LABEL: func.func @move
// CHECK-NOT: pyarray_rt_re{{tain|lease}}
// CHECK: %[[OWNER:.*]] = memref.load %[[SLOT:.*]][]
// CHECK-NEXT: memref.store %c0_i64, %[[SLOT]][]
// CHECK-NEXT: return %{{.*}}, %{{.*}}, %[[OWNER]]
func.func @move(%n: si64) -> !pyarray.array<?xf64, C> {
  %a = pyarray.builtin "numpy.zeros"(%n) : (si64) -> !pyarray.array<?xf64, C>
  pyarray.retain %a : !pyarray.array<?xf64, C>
  pyarray.release %a : !pyarray.array<?xf64, C>
  return %a : !pyarray.array<?xf64, C>
}

// -----

// The result of a region has its own slot, filled when the region's operation is done.
// CHECK-LABEL: func.func @region_result
// CHECK-COUNT-2: memref.alloca() {pyarray.owner_slot}
// CHECK: %[[R:.*]]:2 = scf.if
// CHECK: memref.store %[[R]]#1, %{{.*}}[]
func.func @region_result(%b: !pyarray.array<?xf64, C>, %c: i1) -> si64 {
  %r = scf.if %c -> (!pyarray.array<?xf64, C>) {
    %a = pyarray.builtin "array.copy"(%b) : (!pyarray.array<?xf64, C>) -> !pyarray.array<?xf64, C>
    pyarray.retain %a : !pyarray.array<?xf64, C>
    pyarray.release %a : !pyarray.array<?xf64, C>
    scf.yield %a : !pyarray.array<?xf64, C>
  } else {
    pyarray.retain %b : !pyarray.array<?xf64, C>
    scf.yield %b : !pyarray.array<?xf64, C>
  }
  %n = pyarray.builtin "builtins.len"(%r) : (!pyarray.array<?xf64, C>) -> si64
  pyarray.release %r : !pyarray.array<?xf64, C>
  return %n : si64
}

// -----

// A tuple stands for the arrays in it.
// CHECK-LABEL: func.func @tuple
// CHECK: call @pyarray_rt_retain(%arg2)
// CHECK-NEXT: call @pyarray_rt_retain(%arg5)
func.func @tuple(%t: tuple<si64, !pyarray.array<?xf64, C>, tuple<f64, !pyarray.array<?xf64, C>>>) -> si64 {
  pyarray.retain %t : tuple<si64, !pyarray.array<?xf64, C>, tuple<f64, !pyarray.array<?xf64, C>>>
  %c0 = pyarray.constant 0 : si64 -> si64
  return %c0 : si64
}

// -----

// Slots survive canonicalization.
// RUN: pyarray-opt %s --split-input-file --pyarray-lower --canonicalize | FileCheck %s --check-prefix=KEPT
// KEPT-LABEL: func.func @loop
// KEPT-COUNT-3: memref.alloca() {pyarray.owner_slot}
// KEPT: scf.for
// KEPT: memref.store %{{.*}}, %[[SLOT:.*]][]
func.func @loop(%b: !pyarray.array<?xf64, C>, %range: !pyarray.range) -> si64 {
  pyarray.retain %b : !pyarray.array<?xf64, C>
  %r = pyarray.for (%i: si64, %u: !pyarray.array<?xf64, C>) in %range : !pyarray.range iter(%b) {
    %a = pyarray.builtin "array.copy"(%u) : (!pyarray.array<?xf64, C>) -> !pyarray.array<?xf64, C>
    pyarray.release %u : !pyarray.array<?xf64, C>
    pyarray.retain %a : !pyarray.array<?xf64, C>
    pyarray.release %a : !pyarray.array<?xf64, C>
    pyarray.yield %a : !pyarray.array<?xf64, C>
  }
  %n = pyarray.builtin "builtins.len"(%r) : (!pyarray.array<?xf64, C>) -> si64
  pyarray.release %r : !pyarray.array<?xf64, C>
  return %n : si64
}
