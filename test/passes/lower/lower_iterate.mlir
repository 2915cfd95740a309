// RUN: pyarray-opt %s --pyarray-lower --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @range
// CHECK: scf.for %[[I:.*]] = %c0_i64 to %arg0 step %c1_i64 iter_args(%[[S:.*]] = %c0_i64) -> (i64) : i64 {
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[S]], %[[I]]
// CHECK-NEXT: scf.yield %[[NEXT]] : i64
func.func @range(%n: si64) -> si64 {
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "builtins.range"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %s: si64) in %range : !pyarray.range iter(%c0) {
    %t = pyarray.binary add %s, %i : (si64, si64) -> si64
    pyarray.yield %t : si64
  }
  return %r : si64
}

// -----

// A range that ascends from 0 counts by its step, without a sign: no item and no next one reaches 2^64.
// CHECK-LABEL: func.func @range_by_two
// CHECK-NOT: arith.div
// CHECK: %[[STOP:.*]] = arith.maxsi %arg0, %c0_i64
// CHECK: scf.for unsigned %{{.*}} = %c0_i64 to %[[STOP]] step %c2_i64
func.func @range_by_two(%n: si64, %a: !pyarray.array<?xsi64, C>) -> !pyarray.none {
  %c0 = pyarray.constant 0 : si64 -> si64
  %c2 = pyarray.constant 2 : si64 -> si64
  %none = pyarray.constant unit -> !pyarray.none
  %range = pyarray.builtin "builtins.range"(%c0, %n, %c2) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %range : !pyarray.range {
    pyarray.setitem %a[%i] = %i : (!pyarray.array<?xsi64, C>, si64, si64) -> ()
  }
  return %none : !pyarray.none
}

// -----

// So does the loop of a kernel that goes from the thread's place by the size of the grid.
// CHECK-LABEL: func.func @range_of_a_grid
// CHECK-NOT: arith.div
// CHECK: %[[PLACE:.*]] = arith.addi %{{.*}}, %{{.*}} : i64
// CHECK: %[[STRIDE:.*]] = arith.muli
// CHECK-NOT: arith.div
// CHECK: scf.for unsigned %{{.*}} = %[[PLACE]] to %{{.*}} step %[[STRIDE]]
func.func @range_of_a_grid(%n: si64, %a: !pyarray.array<?xsi64, C>) -> !pyarray.none {
  %none = pyarray.constant unit -> !pyarray.none
  %place = pyarray.builtin "cuda.grid"() : () -> si64
  %x = pyarray.builtin "cuda.gridDim.x"() : () -> si32
  %y = pyarray.builtin "cuda.blockDim.x"() : () -> si32
  %blocks = pyarray.cast %x : si32 to si64
  %threads = pyarray.cast %y : si32 to si64
  %stride = pyarray.binary mul %blocks, %threads : (si64, si64) -> si64
  %range = pyarray.builtin "builtins.range"(%place, %n, %stride) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %range : !pyarray.range {
    pyarray.setitem %a[%i] = %i : (!pyarray.array<?xsi64, C>, si64, si64) -> ()
  }
  return %none : !pyarray.none
}

// -----

// Other steps count items, so that the end of int64 is never passed.
// CHECK-LABEL: func.func @range_from_any
// CHECK: %[[ITEMS:.*]] = arith.select
// CHECK: %[[COUNT:.*]] = arith.minui %[[ITEMS]], %c9223372036854775807_i64
// CHECK: scf.for %[[K:.*]] = %c0_i64 to %[[COUNT]] step %c1_i64
// CHECK-NEXT: %[[OFFSET:.*]] = arith.muli %[[K]], %c2_i64
// CHECK-NEXT: arith.addi %arg0, %[[OFFSET]]
func.func @range_from_any(%m: si64, %n: si64, %a: !pyarray.array<?xsi64, C>) -> !pyarray.none {
  %c2 = pyarray.constant 2 : si64 -> si64
  %none = pyarray.constant unit -> !pyarray.none
  %range = pyarray.builtin "builtins.range"(%m, %n, %c2) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %range : !pyarray.range {
    pyarray.setitem %a[%i] = %i : (!pyarray.array<?xsi64, C>, si64, si64) -> ()
  }
  return %none : !pyarray.none
}

// -----

// CHECK: args = ["range() arg 3 must not be zero"], exception = "ValueError"
// CHECK-LABEL: func.func @range_by_any
// CHECK: scf.if
// CHECK: arith.divui
// CHECK: scf.for
func.func @range_by_any(%n: si64, %k: si64) -> si64 {
  %c0 = pyarray.constant 0 : si64 -> si64
  %range = pyarray.builtin "builtins.range"(%c0, %n, %k) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %s: si64) in %range : !pyarray.range iter(%c0) {
    pyarray.yield %i : si64
  }
  return %r : si64
}

// -----

// Over an array: by its first axis, without checks.
// CHECK-LABEL: func.func @array
// CHECK-NOT: scf.if
// CHECK: scf.for %[[I:.*]] =
// CHECK: memref.subview %arg0[%{{.*}}, 0] [1, %{{.*}}] [1, 1]
func.func @array(%a: !pyarray.array<?x?xf64, C>) -> si64 {
  %c0 = pyarray.constant 0 : si64 -> si64
  %r = pyarray.for (%row: !pyarray.array<?xf64, C>, %s: si64) in %a : !pyarray.array<?x?xf64, C> iter(%c0) {
    %n = pyarray.builtin "builtins.len"(%row) : (!pyarray.array<?xf64, C>) -> si64
    pyarray.yield %n : si64
  }
  return %r : si64
}

// -----

// Over a tuple: unrolled.
// CHECK-LABEL: func.func @tuple
// CHECK-NOT: scf.for
// CHECK: %[[X:.*]] = arith.addf %cst, %arg0
// CHECK-NEXT: %[[Y:.*]] = arith.addf %[[X]], %arg1
// CHECK-NEXT: return %{{.*}}, %[[Y]]
func.func @tuple(%t: tuple<f64, f64>) -> f64 {
  %zero = pyarray.constant 0.0 : f64 -> f64
  %r = pyarray.for (%x: f64, %s: f64) in %t : tuple<f64, f64> iter(%zero) {
    %y = pyarray.binary add %s, %x : (f64, f64) -> f64
    pyarray.yield %y : f64
  }
  return %r : f64
}

// -----

// CHECK-LABEL: func.func @by_index
// CHECK: memref.dim
// CHECK-NOT: scf.if
// CHECK: memref.load
func.func @by_index(%a: !pyarray.array<?xf64, C>) -> f64 {
  %n = pyarray.iter_length %a : (!pyarray.array<?xf64, C>) -> si64
  %x = pyarray.iter_item %a, %n : (!pyarray.array<?xf64, C>, si64) -> f64
  return %x : f64
}

// -----

// A constant index picks the element; another one selects.
// CHECK: args = ["tuple index out of range"], exception = "IndexError"
// CHECK-LABEL: func.func @tuple_item
// CHECK: %[[HERE:.*]] = arith.cmpi eq, %{{.*}}, %c1_i64
// CHECK: %[[ITEM:.*]] = arith.select %[[HERE]], %arg1, %arg0
// CHECK: arith.addf %arg1, %[[ITEM]]
func.func @tuple_item(%t: tuple<f64, f64>, %i: si64) -> f64 {
  %last = pyarray.constant -1 : si64 -> si64
  %x = pyarray.getitem %t[%last] : (tuple<f64, f64>, si64) -> f64
  %y = pyarray.getitem %t[%i] : (tuple<f64, f64>, si64) -> f64
  %z = pyarray.binary add %x, %y : (f64, f64) -> f64
  return %z : f64
}

// -----

// CHECK: args = ["not enough values to unpack (expected {1}, got {0})"], exception = "ValueError"
// CHECK: args = ["too many values to unpack (expected {1})"], exception = "ValueError"
// CHECK-LABEL: func.func @unpack_array
// CHECK-COUNT-2: memref.load
func.func @unpack_array(%a: !pyarray.array<?xf64, C>) -> f64 {
  %x, %y = pyarray.unpack %a : (!pyarray.array<?xf64, C>) -> (f64, f64)
  %z = pyarray.binary add %x, %y : (f64, f64) -> f64
  return %z : f64
}

// -----

// Over prange, marked by pyarray-find-parallel-loops: the items are counted from 0. Only the outermost is spread.
// CHECK-LABEL: func.func @prange
// CHECK: scf.parallel (%[[K:.*]]) = (%c0{{.*}}) to (%{{.*}}) step (%c1{{.*}}) {
// CHECK: scf.for
// CHECK-NOT: pyarray.threads
// CHECK: } {pyarray.threads = []}
func.func @prange(%n: si64, %a: !pyarray.array<?xsi64, C>) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %none = pyarray.constant unit -> !pyarray.none
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %range : !pyarray.range {
    pyarray.for (%j: si64) in %range : !pyarray.range {
      pyarray.setitem %a[%j] = %i : (!pyarray.array<?xsi64, C>, si64, si64) -> ()
    } {pyarray.parallel = []}
  } {pyarray.parallel = []}
  return %none : !pyarray.none
}

// -----

// Carried values are reductions; integers of level 4 have no sign, so their words say it.
// CHECK: pyarray.sites = [{args = ["Unable to allocate the partial results of a parallel loop"], exception = "MemoryError"
// CHECK-LABEL: func.func @prange_carries
// CHECK: scf.for %{{.*}} = %c0_i64 to %{{.*}} step %c1_i64 iter_args
// CHECK: } {{{.*}}pyarray.memory_site = 0 : i32, pyarray.threads = ["add", "max", "umin"]}
func.func @prange_carries(%n: si64, %x: f64, %u: ui64) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %none = pyarray.constant unit -> !pyarray.none
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r:3 = pyarray.for (%i: si64, %s: f64, %m: si64, %l: ui64) in %range : !pyarray.range iter(%x, %c0, %u) {
    pyarray.yield %s, %m, %l : f64, si64, ui64
  } {pyarray.parallel = ["add", "max", "min"]}
  return %none : !pyarray.none
}

// -----

// Without the option, and in the copy of a loop that only raises an IndexError: in order.
// CHECK-LABEL: func.func @prange_in_order
// CHECK-NOT: pyarray.threads
// CHECK-LABEL: func.func @prange_checked
// CHECK-NOT: pyarray.threads
func.func @prange_in_order(%n: si64, %a: !pyarray.array<?xsi64, C>) -> !pyarray.none {
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %none = pyarray.constant unit -> !pyarray.none
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %range : !pyarray.range {
    pyarray.setitem %a[%i] = %i : (!pyarray.array<?xsi64, C>, si64, si64) -> ()
  } {pyarray.parallel = []}
  return %none : !pyarray.none
}
func.func @prange_checked(%n: si64, %a: !pyarray.array<?xsi64, C>) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %none = pyarray.constant unit -> !pyarray.none
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %range : !pyarray.range {
    pyarray.setitem %a[%i] = %i : (!pyarray.array<?xsi64, C>, si64, si64) -> ()
  } {pyarray.checked, pyarray.parallel = []}
  return %none : !pyarray.none
}

// -----

// An array that a loop reduces: pyarray-split-grid makes copies of it for a loop that is spread; within, and in order, it is itself.
// CHECK: args = ["Unable to allocate the partial results of a parallel loop"], exception = "MemoryError"
// CHECK-LABEL: func.func @private(
// CHECK: scf.parallel
// CHECK: %[[P:.*]] = func.call @pyarray_private0(%arg0) {pyarray.memory_site = 0 : i32, pyarray.private = "umax"} : (memref<?xi8, strided<[1], offset: ?>>) -> memref<?xi8, strided<[1], offset: ?>>
// CHECK: scf.for
// CHECK-NOT: private
// CHECK: memref.load %[[P]]
// CHECK: scf.for
// CHECK: memref.load %arg0
// CHECK: func.func private @pyarray_private0(memref<?xi8, strided<[1], offset: ?>>) -> memref<?xi8, strided<[1], offset: ?>>
func.func @private(%a: !pyarray.array<?xui8, C>, %n: si64, %x: ui8) -> !pyarray.none attributes {pyarray.options = {parallel = true, boundscheck = false}} {
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %range : !pyarray.range {
    %p = pyarray.private "max" %a : !pyarray.array<?xui8, C>
    pyarray.for (%k: si64) in %range : !pyarray.range {
      %q = pyarray.private "max" %p : !pyarray.array<?xui8, C>
      %old = pyarray.getitem %q[%c0] : (!pyarray.array<?xui8, C>, si64) -> ui8
      %new = pyarray.builtin "builtins.max"(%old, %x) : (ui8, ui8) -> ui8
      pyarray.setitem %q[%c0] = %new : (!pyarray.array<?xui8, C>, si64, ui8) -> ()
      pyarray.yield
    } {pyarray.parallel = []}
    pyarray.yield
  } {pyarray.parallel = []}
  pyarray.for (%i: si64) in %range : !pyarray.range {
    %p = pyarray.private "max" %a : !pyarray.array<?xui8, C>
    %old = pyarray.getitem %p[%c0] : (!pyarray.array<?xui8, C>, si64) -> ui8
    pyarray.setitem %p[%c0] = %old : (!pyarray.array<?xui8, C>, si64, ui8) -> ()
    pyarray.yield
  }
  %none = pyarray.constant unit -> !pyarray.none
  return %none : !pyarray.none
}
