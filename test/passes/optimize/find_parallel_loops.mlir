// RUN: pyarray-opt %s --pyarray-find-parallel-loops --split-input-file | FileCheck %s
// RUN: pyarray-opt %s --pyarray-find-parallel-loops --split-input-file | pyarray-opt --split-input-file

// A sum; the chain may be either operand.
// CHECK-LABEL: func.func @add
// CHECK: pyarray.parallel = ["add"]
func.func @add(%n: si64, %s0: f64, %x: f64, %j: si64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %s: f64) in %range : !pyarray.range iter(%s0) {
    %t = pyarray.binary add %x, %s : (f64, f64) -> f64
    pyarray.yield %t : f64
  } {pyarray.names = ["s"]}
  return %none : !pyarray.none
}

// -----

// s - x is a sum, x - s is not.
// CHECK-LABEL: func.func @sub
// CHECK: pyarray.parallel = ["add"]
func.func @sub(%n: si64, %s0: f64, %x: f64, %j: si64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %s: f64) in %range : !pyarray.range iter(%s0) {
    %t = pyarray.binary sub %s, %x : (f64, f64) -> f64
    pyarray.yield %t : f64
  } {pyarray.names = ["s"]}
  return %none : !pyarray.none
}

// -----

// CHECK-LABEL: func.func @reversed_sub
// CHECK-NOT: pyarray.parallel
// CHECK: pyarray.serial = "'s' is carried from one iteration to the next, and is no reduction"
func.func @reversed_sub(%n: si64, %s0: f64, %x: f64, %j: si64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %s: f64) in %range : !pyarray.range iter(%s0) {
    %t = pyarray.binary sub %x, %s : (f64, f64) -> f64
    pyarray.yield %t : f64
  } {pyarray.names = ["s"]}
  return %none : !pyarray.none
}

// -----

// CHECK-LABEL: func.func @mul
// CHECK: pyarray.parallel = ["mul"]
func.func @mul(%n: si64, %s0: f64, %x: f64, %j: si64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %s: f64) in %range : !pyarray.range iter(%s0) {
    %t = pyarray.binary mul %s, %x : (f64, f64) -> f64
    pyarray.yield %t : f64
  } {pyarray.names = ["s"]}
  return %none : !pyarray.none
}

// -----

// CHECK-LABEL: func.func @div
// CHECK: pyarray.parallel = ["mul"]
func.func @div(%n: si64, %s0: f64, %x: f64, %j: si64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %s: f64) in %range : !pyarray.range iter(%s0) {
    %t = pyarray.binary truediv %s, %x : (f64, f64) -> f64
    pyarray.yield %t : f64
  } {pyarray.names = ["s"]}
  return %none : !pyarray.none
}

// -----

// CHECK-LABEL: func.func @reversed_div
// CHECK-NOT: pyarray.parallel
// CHECK: pyarray.serial = "'s' is carried from one iteration to the next, and is no reduction"
func.func @reversed_div(%n: si64, %s0: f64, %x: f64, %j: si64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %s: f64) in %range : !pyarray.range iter(%s0) {
    %t = pyarray.binary truediv %x, %s : (f64, f64) -> f64
    pyarray.yield %t : f64
  } {pyarray.names = ["s"]}
  return %none : !pyarray.none
}

// -----

// CHECK-LABEL: func.func @bit_and
// CHECK: pyarray.parallel = ["and"]
func.func @bit_and(%n: si64, %s0: si64, %x: f64, %j: si64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %s: si64) in %range : !pyarray.range iter(%s0) {
    %t = pyarray.binary and %s, %j : (si64, si64) -> si64
    pyarray.yield %t : si64
  } {pyarray.names = ["s"]}
  return %none : !pyarray.none
}

// -----

// CHECK-LABEL: func.func @bit_or
// CHECK: pyarray.parallel = ["or"]
func.func @bit_or(%n: si64, %s0: si64, %x: f64, %j: si64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %s: si64) in %range : !pyarray.range iter(%s0) {
    %t = pyarray.binary or %s, %j : (si64, si64) -> si64
    pyarray.yield %t : si64
  } {pyarray.names = ["s"]}
  return %none : !pyarray.none
}

// -----

// CHECK-LABEL: func.func @bit_xor
// CHECK: pyarray.parallel = ["xor"]
func.func @bit_xor(%n: si64, %s0: si64, %x: f64, %j: si64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %s: si64) in %range : !pyarray.range iter(%s0) {
    %t = pyarray.binary xor %s, %j : (si64, si64) -> si64
    pyarray.yield %t : si64
  } {pyarray.names = ["s"]}
  return %none : !pyarray.none
}

// -----

// CHECK-LABEL: func.func @min
// CHECK: pyarray.parallel = ["min"]
func.func @min(%n: si64, %s0: f64, %x: f64, %j: si64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %s: f64) in %range : !pyarray.range iter(%s0) {
    %t = pyarray.builtin "builtins.min"(%s, %x) : (f64, f64) -> f64
    pyarray.yield %t : f64
  } {pyarray.names = ["s"]}
  return %none : !pyarray.none
}

// -----

// CHECK-LABEL: func.func @max
// CHECK: pyarray.parallel = ["max"]
func.func @max(%n: si64, %s0: f64, %x: f64, %j: si64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %s: f64) in %range : !pyarray.range iter(%s0) {
    %t = pyarray.builtin "builtins.max"(%s, %x) : (f64, f64) -> f64
    pyarray.yield %t : f64
  } {pyarray.names = ["s"]}
  return %none : !pyarray.none
}

// -----

// Of two values only.
// CHECK-LABEL: func.func @min_of_three
// CHECK-NOT: pyarray.parallel
// CHECK: pyarray.serial = "'s' is carried from one iteration to the next, and is no reduction"
func.func @min_of_three(%n: si64, %s0: f64, %x: f64, %j: si64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %s: f64) in %range : !pyarray.range iter(%s0) {
    %t = pyarray.builtin "builtins.min"(%s, %x, %x) : (f64, f64, f64) -> f64
    pyarray.yield %t : f64
  } {pyarray.names = ["s"]}
  return %none : !pyarray.none
}

// -----

// Assigned anew in every iteration.
// CHECK-LABEL: func.func @last
// CHECK: pyarray.parallel = ["last"]
func.func @last(%n: si64, %s0: si64, %x: f64, %j: si64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %s: si64) in %range : !pyarray.range iter(%s0) {
    pyarray.yield %i : si64
  } {pyarray.names = ["s"]}
  return %none : !pyarray.none
}

// -----

// Nothing is carried.
// CHECK-LABEL: func.func @nothing
// CHECK: pyarray.parallel = []
func.func @nothing(%n: si64, %x: f64, %j: si64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %range : !pyarray.range {
    pyarray.yield
  }
  return %none : !pyarray.none
}

// -----

// CHECK-LABEL: func.func @several
// CHECK: pyarray.parallel = ["add", "last", "mul"]
func.func @several(%n: si64, %s0: f64, %k0: si64, %p0: f64, %x: f64, %j: si64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r:3 = pyarray.for (%i: si64, %s: f64, %k: si64, %p: f64) in %range : !pyarray.range iter(%s0, %k0, %p0) {
    %t = pyarray.binary add %s, %x : (f64, f64) -> f64
    %q = pyarray.binary mul %p, %x : (f64, f64) -> f64
    pyarray.yield %t, %i, %q : f64, si64, f64
  } {pyarray.names = ["s", "k", "p"]}
  return %none : !pyarray.none
}

// -----

// Branches may do more, or nothing.
// CHECK-LABEL: func.func @branches
// CHECK: pyarray.parallel = ["add"]
func.func @branches(%n: si64, %s0: f64, %x: f64, %j: si64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %s: f64) in %range : !pyarray.range iter(%s0) {
    %r1 = scf.if %b -> (f64) {
      %t = pyarray.binary add %s, %x : (f64, f64) -> f64
      %u = pyarray.binary sub %t, %x : (f64, f64) -> f64
      scf.yield %u : f64
    } else {
      scf.yield %s : f64
    }
    pyarray.yield %r1 : f64
  } {pyarray.names = ["s"]}
  return %none : !pyarray.none
}

// -----

// ... but not begin again.
// CHECK-LABEL: func.func @reset
// CHECK-NOT: pyarray.parallel
// CHECK: pyarray.serial = "'s' is carried from one iteration to the next, and is no reduction"
func.func @reset(%n: si64, %s0: f64, %x: f64, %j: si64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %s: f64) in %range : !pyarray.range iter(%s0) {
    %r1 = scf.if %b -> (f64) {
      %t = pyarray.binary add %s, %x : (f64, f64) -> f64
      scf.yield %t : f64
    } else {
      scf.yield %x : f64
    }
    pyarray.yield %r1 : f64
  } {pyarray.names = ["s"]}
  return %none : !pyarray.none
}

// -----

// CHECK-LABEL: func.func @nested
// CHECK: pyarray.parallel = ["add"]
func.func @nested(%n: si64, %s0: f64, %x: f64, %j: si64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %inner = pyarray.builtin "builtins.range"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %s: f64) in %range : !pyarray.range iter(%s0) {
    %in = pyarray.for (%k: si64, %a: f64) in %inner : !pyarray.range iter(%s) {
      %t = pyarray.binary add %a, %x : (f64, f64) -> f64
      pyarray.yield %t : f64
    }
    pyarray.yield %in : f64
  } {pyarray.names = ["s"]}
  return %none : !pyarray.none
}

// -----

// What the inner loop begins with is no sum, what it goes on with is.
// CHECK-LABEL: func.func @inner_begins_anew
// CHECK-NOT: pyarray.parallel
// CHECK: pyarray.serial = "'s' is carried from one iteration to the next, and is no reduction"
func.func @inner_begins_anew(%n: si64, %s0: f64, %x: f64, %j: si64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %inner = pyarray.builtin "builtins.range"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %s: f64) in %range : !pyarray.range iter(%s0) {
    %in = pyarray.for (%k: si64, %a: f64) in %inner : !pyarray.range iter(%s) {
      pyarray.yield %x : f64
    }
    pyarray.yield %in : f64
  } {pyarray.names = ["s"]}
  return %none : !pyarray.none
}

// -----

// CHECK-LABEL: func.func @while
// CHECK: pyarray.parallel = ["add"]
func.func @while(%n: si64, %s0: f64, %x: f64, %j: si64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %s: f64) in %range : !pyarray.range iter(%s0) {
    %w:2 = scf.while (%a = %s, %k = %c0) : (f64, si64) -> (f64, si64) {
      %c = pyarray.compare lt %k, %n : (si64, si64) -> i1
      %z = pyarray.truth %c : i1
      scf.condition(%z) %a, %k : f64, si64
    } do {
    ^bb0(%a: f64, %k: si64):
      %t = pyarray.binary add %a, %x : (f64, f64) -> f64
      %m = pyarray.binary add %k, %c1 : (si64, si64) -> si64
      scf.yield %t, %m : f64, si64
    }
    pyarray.yield %w#0 : f64
  } {pyarray.names = ["s"]}
  return %none : !pyarray.none
}

// -----

// The sum decides when to stop.
// CHECK-LABEL: func.func @while_on_it
// CHECK-NOT: pyarray.parallel
// CHECK: pyarray.serial = "'s' is carried from one iteration to the next, and is no reduction"
func.func @while_on_it(%n: si64, %s0: f64, %x: f64, %j: si64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %s: f64) in %range : !pyarray.range iter(%s0) {
    %w = scf.while (%a = %s) : (f64) -> f64 {
      %c = pyarray.compare lt %a, %x : (f64, f64) -> i1
      %z = pyarray.truth %c : i1
      scf.condition(%z) %a : f64
    } do {
    ^bb0(%a: f64):
      %t = pyarray.binary add %a, %x : (f64, f64) -> f64
      scf.yield %t : f64
    }
    pyarray.yield %w : f64
  } {pyarray.names = ["s"]}
  return %none : !pyarray.none
}

// -----

// The loop goes on with another value.
// CHECK-LABEL: func.func @while_replaced
// CHECK-NOT: pyarray.parallel
// CHECK: pyarray.serial = "'s' is carried from one iteration to the next, and is no reduction"
func.func @while_replaced(%n: si64, %s0: f64, %x: f64, %j: si64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %s: f64) in %range : !pyarray.range iter(%s0) {
    %w = scf.while (%a = %s) : (f64) -> f64 {
      %t = pyarray.binary add %a, %x : (f64, f64) -> f64
      scf.condition(%b) %t : f64
    } do {
    ^bb0(%a: f64):
      scf.yield %x : f64
    }
    pyarray.yield %w : f64
  } {pyarray.names = ["s"]}
  return %none : !pyarray.none
}

// -----

// Used for something else.
// CHECK-LABEL: func.func @used
// CHECK-NOT: pyarray.parallel
// CHECK: pyarray.serial = "'s' is carried from one iteration to the next, and is no reduction"
func.func @used(%n: si64, %s0: f64, %x: f64, %j: si64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %s: f64) in %range : !pyarray.range iter(%s0) {
    %t = pyarray.binary add %s, %x : (f64, f64) -> f64
    %c = pyarray.compare lt %t, %x : (f64, f64) -> i1
    pyarray.yield %t : f64
  } {pyarray.names = ["s"]}
  return %none : !pyarray.none
}

// -----

// Another variable takes the sum of the iterations so far.
// CHECK-LABEL: func.func @seen_by_other
// CHECK-NOT: pyarray.parallel
// CHECK: pyarray.serial = "'s' is carried from one iteration to the next, and is no reduction"
func.func @seen_by_other(%n: si64, %s0: f64, %o0: f64, %x: f64, %j: si64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r:2 = pyarray.for (%i: si64, %s: f64, %o: f64) in %range : !pyarray.range iter(%s0, %o0) {
    %t = pyarray.binary add %s, %x : (f64, f64) -> f64
    pyarray.yield %t, %t : f64, f64
  } {pyarray.names = ["s", "o"]}
  return %none : !pyarray.none
}

// -----

// CHECK-LABEL: func.func @swapped
// CHECK-NOT: pyarray.parallel
// CHECK: pyarray.serial = "'s' is carried from one iteration to the next, and is no reduction"
func.func @swapped(%n: si64, %s0: f64, %o0: f64, %x: f64, %j: si64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r:2 = pyarray.for (%i: si64, %s: f64, %o: f64) in %range : !pyarray.range iter(%s0, %o0) {
    %t = pyarray.binary add %s, %x : (f64, f64) -> f64
    pyarray.yield %o, %t : f64, f64
  } {pyarray.names = ["s", "o"]}
  return %none : !pyarray.none
}

// -----

// CHECK-LABEL: func.func @mixed
// CHECK-NOT: pyarray.parallel
// CHECK: pyarray.serial = "'s' is carried from one iteration to the next, and is no reduction"
func.func @mixed(%n: si64, %s0: f64, %x: f64, %j: si64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %s: f64) in %range : !pyarray.range iter(%s0) {
    %t = pyarray.binary add %s, %x : (f64, f64) -> f64
    %u = pyarray.binary mul %t, %x : (f64, f64) -> f64
    pyarray.yield %u : f64
  } {pyarray.names = ["s"]}
  return %none : !pyarray.none
}

// -----

// CHECK-LABEL: func.func @doubled
// CHECK-NOT: pyarray.parallel
// CHECK: pyarray.serial = "'s' is carried from one iteration to the next, and is no reduction"
func.func @doubled(%n: si64, %s0: f64, %x: f64, %j: si64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %s: f64) in %range : !pyarray.range iter(%s0) {
    %t = pyarray.binary add %s, %s : (f64, f64) -> f64
    pyarray.yield %t : f64
  } {pyarray.names = ["s"]}
  return %none : !pyarray.none
}

// -----

// CHECK-LABEL: func.func @array
// CHECK-NOT: pyarray.parallel
// CHECK: pyarray.serial = "'s' is carried from one iteration to the next, and is no reduction"
func.func @array(%n: si64, %s0: !pyarray.array<?xf64, C>, %x: f64, %j: si64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %s: !pyarray.array<?xf64, C>) in %range : !pyarray.range iter(%s0) {
    pyarray.yield %s : !pyarray.array<?xf64, C>
  } {pyarray.names = ["s"]}
  return %none : !pyarray.none
}

// -----

// A loop that may be left counts its items itself.
// CHECK-LABEL: func.func @left_early
// CHECK-NOT: pyarray.parallel
// CHECK: pyarray.serial = "'break' or 'return' may leave it
func.func @left_early(%n: si64, %x: f64, %j: si64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %range : !pyarray.range {
    %len = pyarray.iter_length %range : (!pyarray.range) -> si64
    pyarray.yield
  }
  return %none : !pyarray.none
}

// -----

// Without the option, nothing is marked.
// CHECK-LABEL: func.func @not_asked_for
// CHECK-NOT: pyarray.parallel
func.func @not_asked_for(%n: si64, %s0: f64, %x: f64, %j: si64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = false}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %s: f64) in %range : !pyarray.range iter(%s0) {
    %t = pyarray.binary add %s, %x : (f64, f64) -> f64
    pyarray.yield %t : f64
  } {pyarray.names = ["s"]}
  return %none : !pyarray.none
}

// -----

// CHECK-LABEL: func.func @plain_range
// CHECK-NOT: pyarray.parallel
func.func @plain_range(%n: si64, %s0: f64, %x: f64, %j: si64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "builtins.range"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %s: f64) in %range : !pyarray.range iter(%s0) {
    %t = pyarray.binary add %s, %x : (f64, f64) -> f64
    pyarray.yield %t : f64
  } {pyarray.names = ["s"]}
  return %none : !pyarray.none
}

// -----

// A branch that raises yields nothing that anyone sees.
// CHECK-LABEL: func.func @raises
// CHECK: pyarray.parallel = ["add"]
func.func @raises(%n: si64, %s0: f64, %b: i1) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %s: f64) in %range : !pyarray.range iter(%s0) {
    %t = scf.if %b -> (f64) {
      %u = pyarray.binary add %s, %s0 : (f64, f64) -> f64
      scf.yield %u : f64
    } else {
      pyarray.raise "ValueError"() : () -> ()
      %u = pyarray.unbound : f64
      scf.yield %u : f64
    }
    pyarray.yield %t : f64
  } {pyarray.names = ["s"]}
  return %none : !pyarray.none
}

// -----

// Sums of timedeltas keep NaT, which the words say.
// CHECK-LABEL: func.func @timedeltas
// CHECK: pyarray.parallel = ["nat_add", "nat_max"]
func.func @timedeltas(%a: !pyarray.array<?xsi64, C>, %n: si64) -> (si64, si64) attributes {pyarray.options = {parallel = true}} {
  %zero = pyarray.constant 0 : si64 -> si64
  %one = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%zero, %n, %one) : (si64, si64, si64) -> !pyarray.range
  %r:2 = pyarray.for (%i: si64, %sum: si64, %most: si64) in %range : !pyarray.range iter(%zero, %zero) {
    %x = pyarray.getitem %a[%i] : (!pyarray.array<?xsi64, C>, si64) -> si64
    %s = pyarray.builtin "nat.add"(%sum, %x) : (si64, si64) -> si64
    %t = pyarray.builtin "nat.subtract"(%s, %x) : (si64, si64) -> si64
    %m = pyarray.builtin "nat.max"(%most, %x) : (si64, si64) -> si64
    pyarray.yield %t, %m : si64, si64
  }
  return %r#0, %r#1 : si64, si64
}

// -----

// if x > m: m = x, where x is read twice; with the operands exchanged; as a conditional expression.
// CHECK-LABEL: func.func @extremes
// CHECK: pyarray.parallel = ["max", "min", "max"]
func.func @extremes(%n: si64, %a: !pyarray.array<?xf64, C>, %x: f64) -> f64 attributes {pyarray.options = {parallel = true}} {
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r:3 = pyarray.for (%i: si64, %m: f64, %l: f64, %e: f64) in %range : !pyarray.range iter(%x, %x, %x) {
    %y = pyarray.getitem %a[%i] : (!pyarray.array<?xf64, C>, si64) -> f64
    %c = pyarray.compare gt %y, %m : (f64, f64) -> i1
    %t = pyarray.truth %c : i1
    %m2 = scf.if %t -> (f64) {
      %z = pyarray.getitem %a[%i] : (!pyarray.array<?xf64, C>, si64) -> f64
      scf.yield %z : f64
    } else {
      scf.yield %m : f64
    }
    %d = pyarray.compare ge %l, %y : (f64, f64) -> i1
    %l2 = scf.if %d -> (f64) {
      scf.yield %y : f64
    } else {
      scf.yield %l : f64
    }
    %f = pyarray.compare lt %e, %y : (f64, f64) -> i1
    %e2 = scf.if %f -> (f64) {
      scf.yield %y : f64
    } else {
      scf.yield %e : f64
    }
    pyarray.yield %m2, %l2, %e2 : f64, f64, f64
  } {pyarray.names = ["m", "l", "e"]}
  return %r#0 : f64
}

// -----

// The value changes between the comparison and the branch.
// CHECK-LABEL: func.func @changed
// CHECK: pyarray.serial = "'m' is carried from one iteration to the next, and is no reduction"
func.func @changed(%n: si64, %a: !pyarray.array<?xf64, C>, %x: f64) -> f64 attributes {pyarray.options = {parallel = true}} {
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %m: f64) in %range : !pyarray.range iter(%x) {
    %y = pyarray.getitem %a[%i] : (!pyarray.array<?xf64, C>, si64) -> f64
    %c = pyarray.compare gt %y, %m : (f64, f64) -> i1
    pyarray.setitem %a[%i] = %x : (!pyarray.array<?xf64, C>, si64, f64) -> ()
    %m2 = scf.if %c -> (f64) {
      %z = pyarray.getitem %a[%i] : (!pyarray.array<?xf64, C>, si64) -> f64
      scf.yield %z : f64
    } else {
      scf.yield %m : f64
    }
    pyarray.yield %m2 : f64
  } {pyarray.names = ["m"]}
  return %r : f64
}

// -----

// argmax: whichever variable comes first.
// CHECK-LABEL: func.func @place
// CHECK: pyarray.serial = "other variables are set where 'm' gets a new value, as in a search for the place of an extreme; that is no reduction"
func.func @place(%n: si64, %a: !pyarray.array<?xf64, C>, %x: f64) -> si64 attributes {pyarray.options = {parallel = true}} {
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r:2 = pyarray.for (%i: si64, %k: si64, %m: f64) in %range : !pyarray.range iter(%c0, %x) {
    %y = pyarray.getitem %a[%i] : (!pyarray.array<?xf64, C>, si64) -> f64
    %c = pyarray.compare gt %y, %m : (f64, f64) -> i1
    %s:2 = scf.if %c -> (si64, f64) {
      scf.yield %i, %y : si64, f64
    } else {
      scf.yield %k, %m : si64, f64
    }
    pyarray.yield %s#0, %s#1 : si64, f64
  } {pyarray.names = ["k", "m"]}
  return %r#0 : si64
}

// -----

// Through a try: its handler gets the value so far from memory of the body.
// CHECK-LABEL: func.func @through_try
// CHECK: pyarray.parallel = ["add"]
func.func @through_try(%n: si64, %s0: f64, %x: f64) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %s: f64) in %range : !pyarray.range iter(%s0) {
    %v = pyarray.variable : !pyarray.variable<f64>
    pyarray.store %s, %v : f64, !pyarray.variable<f64>
    %t = pyarray.try {
      %u = pyarray.binary add %s, %x : (f64, f64) -> f64
      pyarray.store %u, %v : f64, !pyarray.variable<f64>
      pyarray.yield %u : f64
    } except {
      %l = pyarray.load %v : (!pyarray.variable<f64>) -> f64
      pyarray.yield %l : f64
    } : f64
    pyarray.yield %t : f64
  } {pyarray.names = ["s"]}
  return %none : !pyarray.none
}

// -----

// What iterations store for a handler around the loop, they store in order.
// CHECK-LABEL: func.func @in_try
// CHECK-NOT: pyarray.parallel =
// CHECK: pyarray.serial = "a 'try' around it reads
func.func @in_try(%n: si64, %x: f64) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
  %none = pyarray.constant unit -> !pyarray.none
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %v = pyarray.variable : !pyarray.variable<f64>
  pyarray.for (%i: si64) in %range : !pyarray.range {
    pyarray.store %x, %v : f64, !pyarray.variable<f64>
  }
  return %none : !pyarray.none
}

// -----

// A store to a field of an instance from outside: no part of a reduction, and the loop runs in order.
// CHECK-LABEL: func.func @stores_field
// CHECK-NOT: pyarray.parallel
// CHECK: pyarray.serial = "it stores to the field 'last' of an instance that its iterations share"
module attributes {pyarray.classes = {"m:Place#0" = {fields = ["last"], types = tuple<si64>}}} {
  func.func @stores_field(%n: si64, %s0: f64, %x: f64, %p: !pyarray.object<"m:Place#0">) -> !pyarray.none attributes {pyarray.options = {parallel = true}} {
    %none = pyarray.constant unit -> !pyarray.none
    %c0 = pyarray.constant 0 : si64 -> si64
    %c1 = pyarray.constant 1 : si64 -> si64
    %range = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
    %r = pyarray.for (%i: si64, %s: f64) in %range : !pyarray.range iter(%s0) {
      %t = pyarray.binary add %s, %x : (f64, f64) -> f64
      pyarray.setattr %p "last" = %i : (!pyarray.object<"m:Place#0">, si64) -> ()
      pyarray.yield %t : f64
    } {pyarray.names = ["s"]}
    return %none : !pyarray.none
  }
}

// -----

// Without the size of chunks that the loop has: iterations begin without one.
// CHECK-LABEL: func.func @chunk_size_in_order
// CHECK: %[[NONE:.*]] = pyarray.constant 0 : si64 -> si64
// CHECK: pyarray.yield %[[NONE]] : si64
func.func @chunk_size_in_order(%n: si64, %s0: si64) -> si64 attributes {pyarray.options = {parallel = true}} {
  %c1 = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "pyarray.prange"(%c1, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %s: si64) in %range : !pyarray.range iter(%s0) {
    %t = pyarray.binary sub %i, %s : (si64, si64) -> si64
    %size = pyarray.builtin "pyarray.get_parallel_chunksize"() : () -> si64
    pyarray.yield %size : si64
  } {pyarray.names = ["s"]}
  return %r : si64
}
