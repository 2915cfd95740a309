// RUN: pyarray-opt %s --pyarray-hoist-checks | FileCheck %s
// RUN: pyarray-opt %s --pyarray-hoist-checks --pyarray-hoist-checks | FileCheck %s

// A loop over the extent of the array itself needs no check at all.
// CHECK-LABEL: func.func @own_extent
// CHECK-NOT: scf.if
// CHECK: pyarray.getitem %arg0[%{{.*}}] {pyarray.in_bounds = array<i1: true>}
func.func @own_extent(%a: !pyarray.array<?xf64, C>) -> f64 {
  %zero = pyarray.constant 0 : si64 -> si64
  %one = pyarray.constant 1 : si64 -> si64
  %init = pyarray.constant 0.0 : f64 -> f64
  %n = pyarray.builtin "builtins.len"(%a) : (!pyarray.array<?xf64, C>) -> si64
  %range = pyarray.builtin "builtins.range"(%zero, %n, %one) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %acc: f64) in %range : !pyarray.range iter(%init) {
    %v = pyarray.getitem %a[%i] : (!pyarray.array<?xf64, C>, si64) -> f64
    %s = pyarray.binary add %acc, %v : (f64, f64) -> f64
    pyarray.yield %s : f64
  }
  func.return %r : f64
}

// Another bound is compared before the loop, which is doubled; the second copy keeps its checks.
// CHECK-LABEL: func.func @other_bound
// CHECK: pyarray.compare ge
// CHECK: scf.if %{{.*}} -> (f64) {
// CHECK: pyarray.getitem %arg0[%{{.*}}] {pyarray.in_bounds = array<i1: true>}
// CHECK: } else {
// CHECK: pyarray.getitem %arg0[%{{.*}}] : (
// CHECK: {pyarray.checked}
func.func @other_bound(%a: !pyarray.array<?xf64, C>, %n: si64) -> f64 {
  %zero = pyarray.constant 0 : si64 -> si64
  %one = pyarray.constant 1 : si64 -> si64
  %init = pyarray.constant 0.0 : f64 -> f64
  %range = pyarray.builtin "builtins.range"(%zero, %n, %one) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %acc: f64) in %range : !pyarray.range iter(%init) {
    %v = pyarray.getitem %a[%i] : (!pyarray.array<?xf64, C>, si64) -> f64
    %s = pyarray.binary add %acc, %v : (f64, f64) -> f64
    pyarray.yield %s : f64
  }
  func.return %r : f64
}

// In a nest the checks of all loops move before the outermost: range(1, n - 1) with i - 1 and i + 1.
// CHECK-LABEL: func.func @stencil
// CHECK-NOT: scf.if
// CHECK-COUNT-2: {pyarray.in_bounds = array<i1: true, true>}
// CHECK: return
func.func @stencil(%a: !pyarray.array<?x?xf64, C>) -> !pyarray.none {
  %one = pyarray.constant 1 : si64 -> si64
  %none = pyarray.constant unit -> !pyarray.none
  %shape = pyarray.getattr %a "shape" : (!pyarray.array<?x?xf64, C>) -> tuple<si64, si64>
  %n, %m = pyarray.unpack %shape : (tuple<si64, si64>) -> (si64, si64)
  %n1 = pyarray.binary sub %n, %one : (si64, si64) -> si64
  %m1 = pyarray.binary sub %m, %one : (si64, si64) -> si64
  %rows = pyarray.builtin "builtins.range"(%one, %n1, %one) : (si64, si64, si64) -> !pyarray.range
  %columns = pyarray.builtin "builtins.range"(%one, %m1, %one) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %rows : !pyarray.range {
    pyarray.for (%j: si64) in %columns : !pyarray.range {
      %up = pyarray.binary sub %i, %one : (si64, si64) -> si64
      %right = pyarray.binary add %j, %one : (si64, si64) -> si64
      %v = pyarray.getitem %a[%up, %right] : (!pyarray.array<?x?xf64, C>, si64, si64) -> f64
      pyarray.setitem %a[%i, %j] = %v : (!pyarray.array<?x?xf64, C>, si64, si64, f64) -> ()
    }
  }
  func.return %none : !pyarray.none
}

// An inner range that starts at the outer variable: triangular loops.
// CHECK-LABEL: func.func @triangle
// CHECK-NOT: scf.if
// CHECK: {pyarray.in_bounds = array<i1: true>}
func.func @triangle(%a: !pyarray.array<?xf64, C>) -> !pyarray.none {
  %zero = pyarray.constant 0 : si64 -> si64
  %one = pyarray.constant 1 : si64 -> si64
  %none = pyarray.constant unit -> !pyarray.none
  %n = pyarray.builtin "builtins.len"(%a) : (!pyarray.array<?xf64, C>) -> si64
  %outer = pyarray.builtin "builtins.range"(%zero, %n, %one) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %outer : !pyarray.range {
    %next = pyarray.binary add %i, %one : (si64, si64) -> si64
    %inner = pyarray.builtin "builtins.range"(%next, %n, %one) : (si64, si64, si64) -> !pyarray.range
    pyarray.for (%j: si64) in %inner : !pyarray.range {
      %v = pyarray.getitem %a[%j] : (!pyarray.array<?xf64, C>, si64) -> f64
      pyarray.setitem %a[%j] = %v : (!pyarray.array<?xf64, C>, si64, f64) -> ()
    }
  }
  func.return %none : !pyarray.none
}

// An index that is data stays checked; so does one that is out of bounds for certain.
// CHECK-LABEL: func.func @data
// CHECK-NOT: in_bounds
// CHECK: return
func.func @data(%a: !pyarray.array<?xsi64, C>) -> !pyarray.none {
  %zero = pyarray.constant 0 : si64 -> si64
  %one = pyarray.constant 1 : si64 -> si64
  %minus = pyarray.constant -1 : si64 -> si64
  %none = pyarray.constant unit -> !pyarray.none
  %n = pyarray.builtin "builtins.len"(%a) : (!pyarray.array<?xsi64, C>) -> si64
  %outer = pyarray.builtin "builtins.range"(%zero, %n, %one) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %outer : !pyarray.range {
    %last = pyarray.getitem %a[%minus] : (!pyarray.array<?xsi64, C>, si64) -> si64
    %v = pyarray.getitem %a[%last] : (!pyarray.array<?xsi64, C>, si64) -> si64
    pyarray.setitem %a[%v] = %v : (!pyarray.array<?xsi64, C>, si64, si64) -> ()
  }
  func.return %none : !pyarray.none
}

// Without bounds checks, an index that cannot be negative needs nothing.
// CHECK-LABEL: func.func @unchecked
// CHECK-NOT: scf.if
// CHECK: {pyarray.in_bounds = array<i1: true>}
func.func @unchecked(%a: !pyarray.array<?xf64, C>, %n: si64) -> !pyarray.none attributes {pyarray.options = {boundscheck = false}} {
  %zero = pyarray.constant 0 : si64 -> si64
  %one = pyarray.constant 1 : si64 -> si64
  %none = pyarray.constant unit -> !pyarray.none
  %outer = pyarray.builtin "builtins.range"(%zero, %n, %one) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %outer : !pyarray.range {
    %v = pyarray.getitem %a[%i] : (!pyarray.array<?xf64, C>, si64) -> f64
    pyarray.setitem %a[%i] = %v : (!pyarray.array<?xf64, C>, si64, f64) -> ()
  }
  func.return %none : !pyarray.none
}

// A step that is not known is compared with 0 before the loop; the first copy then counts by it.
// CHECK-LABEL: func.func @step
// CHECK: pyarray.compare ge
// CHECK: scf.if
// CHECK: {pyarray.in_bounds = array<i1: true>}
// CHECK: {pyarray.no_wrap}
// CHECK: } else {
// CHECK: {pyarray.checked}
func.func @step(%a: !pyarray.array<?xf64, C>, %step: si64) -> !pyarray.none {
  %zero = pyarray.constant 0 : si64 -> si64
  %none = pyarray.constant unit -> !pyarray.none
  %n = pyarray.builtin "builtins.len"(%a) : (!pyarray.array<?xf64, C>) -> si64
  %range = pyarray.builtin "builtins.range"(%zero, %n, %step) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %range : !pyarray.range {
    %v = pyarray.getitem %a[%i] : (!pyarray.array<?xf64, C>, si64) -> f64
    pyarray.setitem %a[%i] = %v : (!pyarray.array<?xf64, C>, si64, f64) -> ()
  }
  func.return %none : !pyarray.none
}

// A loop with a barrier is not doubled: the condition may differ from thread to thread, and all must come to the same barrier.
// CHECK-LABEL: func.func @barrier
// CHECK-NOT: scf.if
// CHECK: pyarray.getitem %arg0[%{{.*}}] : (
// CHECK: pyarray.builtin "cuda.syncthreads"
func.func @barrier(%a: !pyarray.array<?xf64, C>, %n: si64) attributes {pyarray.options = {target = "cuda"}} {
  %i = pyarray.builtin "cuda.grid"() : () -> si64
  %zero = pyarray.constant 0 : si64 -> si64
  %one = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "builtins.range"(%zero, %n, %one) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%k: si64) in %range : !pyarray.range {
    %v = pyarray.getitem %a[%i] : (!pyarray.array<?xf64, C>, si64) -> f64
    %none = pyarray.builtin "cuda.syncthreads"() : () -> !pyarray.none
    pyarray.setitem %a[%i] = %v : (!pyarray.array<?xf64, C>, si64, f64) -> ()
  }
  func.return
}

// The step alone is no reason to double a loop that ascends from 0 or more: it can count without a sign.
// CHECK-LABEL: func.func @known_step
// CHECK-NOT: scf.if
// CHECK: {pyarray.in_bounds = array<i1: true>}
func.func @known_step(%a: !pyarray.array<?xf64, C>, %n: si64) -> !pyarray.none attributes {pyarray.options = {boundscheck = false}} {
  %zero = pyarray.constant 0 : si64 -> si64
  %two = pyarray.constant 2 : si64 -> si64
  %none = pyarray.constant unit -> !pyarray.none
  %range = pyarray.builtin "builtins.range"(%zero, %n, %two) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %range : !pyarray.range {
    %v = pyarray.getitem %a[%i] : (!pyarray.array<?xf64, C>, si64) -> f64
    pyarray.setitem %a[%i] = %v : (!pyarray.array<?xf64, C>, si64, f64) -> ()
  }
  func.return %none : !pyarray.none
}

// Nor is a kernel's loop doubled that threads share out, with checks or without.
// CHECK-LABEL: func.func @shared_out
// CHECK-NOT: scf.if
// CHECK: pyarray.getitem %arg0[%{{.*}}] : (
// CHECK: return
func.func @shared_out(%a: !pyarray.array<?xf64, C>, %n: si64) attributes {pyarray.kernel, pyarray.options = {boundscheck = true, target = "cuda"}} {
  %place = pyarray.builtin "cuda.grid"() : () -> si64
  %stride = pyarray.builtin "cuda.gridsize"() : () -> si64
  %range = pyarray.builtin "builtins.range"(%place, %n, %stride) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %range : !pyarray.range {
    %v = pyarray.getitem %a[%i] : (!pyarray.array<?xf64, C>, si64) -> f64
    pyarray.setitem %a[%i] = %v : (!pyarray.array<?xf64, C>, si64, f64) -> ()
  }
  func.return
}

// A conversion to uint16 changes nothing where the bound is at most 65536; that is one more condition.
// CHECK-LABEL: func.func @cast
// CHECK: %[[LIMIT:.*]] = pyarray.constant 65536 : si64
// CHECK: %[[ROOM:.*]] = pyarray.binary add %[[LIMIT]]
// CHECK: pyarray.compare ge %[[ROOM]]
// CHECK: scf.if
// CHECK: pyarray.getitem %arg0[%{{.*}}] {pyarray.in_bounds = array<i1: true>}
// CHECK: } else {
// CHECK: pyarray.getitem %arg0[%{{.*}}] : (
func.func @cast(%a: !pyarray.array<?xf64, C>) -> f64 {
  %zero = pyarray.constant 0 : si64 -> si64
  %one = pyarray.constant 1 : si64 -> si64
  %init = pyarray.constant 0.0 : f64 -> f64
  %n = pyarray.builtin "builtins.len"(%a) : (!pyarray.array<?xf64, C>) -> si64
  %range = pyarray.builtin "builtins.range"(%zero, %n, %one) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %acc: f64) in %range : !pyarray.range iter(%init) {
    %short = pyarray.cast %i : si64 to ui16
    %index = pyarray.cast %short : ui16 to ui64
    %v = pyarray.getitem %a[%index] : (!pyarray.array<?xf64, C>, ui64) -> f64
    %s = pyarray.binary add %acc, %v : (f64, f64) -> f64
    pyarray.yield %s : f64
  }
  func.return %r : f64
}

// A conversion through another kind of number is nothing known.
// CHECK-LABEL: func.func @through_bool
// CHECK-NOT: in_bounds
// CHECK: return
func.func @through_bool(%a: !pyarray.array<?xf64, C>) -> f64 {
  %zero = pyarray.constant 0 : si64 -> si64
  %one = pyarray.constant 1 : si64 -> si64
  %init = pyarray.constant 0.0 : f64 -> f64
  %n = pyarray.builtin "builtins.len"(%a) : (!pyarray.array<?xf64, C>) -> si64
  %range = pyarray.builtin "builtins.range"(%zero, %n, %one) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %acc: f64) in %range : !pyarray.range iter(%init) {
    %truth = pyarray.cast %i : si64 to i1
    %index = pyarray.cast %truth : i1 to si64
    %v = pyarray.getitem %a[%index] : (!pyarray.array<?xf64, C>, si64) -> f64
    %s = pyarray.binary add %acc, %v : (f64, f64) -> f64
    pyarray.yield %s : f64
  }
  func.return %r : f64
}

// Items of a tuple that is made in the loop are looked through.
// CHECK-LABEL: func.func @in_tuple
// CHECK-NOT: scf.if
// CHECK: pyarray.getitem %arg0[%{{.*}}, %{{.*}}] {pyarray.in_bounds = array<i1: true, true>}
func.func @in_tuple(%a: !pyarray.array<?x?xf64, C>) -> f64 {
  %zero = pyarray.constant 0 : si64 -> si64
  %one = pyarray.constant 1 : si64 -> si64
  %init = pyarray.constant 0.0 : f64 -> f64
  %shape = pyarray.getattr %a "shape" : (!pyarray.array<?x?xf64, C>) -> tuple<si64, si64>
  %n:2 = pyarray.unpack %shape : (tuple<si64, si64>) -> (si64, si64)
  %rows = pyarray.builtin "builtins.range"(%zero, %n#0, %one) : (si64, si64, si64) -> !pyarray.range
  %columns = pyarray.builtin "builtins.range"(%zero, %n#1, %one) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %outer: f64) in %rows : !pyarray.range iter(%init) {
    %t = pyarray.for (%j: si64, %acc: f64) in %columns : !pyarray.range iter(%outer) {
      %index = pyarray.tuple %i, %j : (si64, si64) -> tuple<si64, si64>
      %first = pyarray.getitem %index[%zero] : (tuple<si64, si64>, si64) -> si64
      %second:2 = pyarray.unpack %index : (tuple<si64, si64>) -> (si64, si64)
      %v = pyarray.getitem %a[%first, %second#1] : (!pyarray.array<?x?xf64, C>, si64, si64) -> f64
      %s = pyarray.binary add %acc, %v : (f64, f64) -> f64
      pyarray.yield %s : f64
    }
    pyarray.yield %t : f64
  }
  func.return %r : f64
}

// Beside an operation on whole arrays a comparison is nothing: such a loop is not doubled, only what needs no condition
// is marked. The loop over numbers inside is.
// CHECK-LABEL: func.func @over_arrays
// CHECK: pyarray.for
// CHECK-NOT: scf.if
// CHECK: pyarray.getitem %arg0[%{{.*}}] {pyarray.in_bounds = array<i1: true>}
// CHECK: pyarray.getitem %arg1[%{{.*}}] :
// CHECK: pyarray.ufunc
// CHECK: scf.if
// CHECK: pyarray.getitem %arg2[%{{.*}}] {pyarray.in_bounds = array<i1: true>}
// CHECK: } else {
// CHECK: {pyarray.checked}
// CHECK-NOT: pyarray.checked
// CHECK: return
func.func @over_arrays(%a: !pyarray.array<?x?xf64, C>, %b: !pyarray.array<?x?xf64, C>, %c: !pyarray.array<?xf64, C>, %m: si64) -> f64 {
  %zero = pyarray.constant 0 : si64 -> si64
  %one = pyarray.constant 1 : si64 -> si64
  %init = pyarray.constant 0.0 : f64 -> f64
  %n = pyarray.builtin "builtins.len"(%a) : (!pyarray.array<?x?xf64, C>) -> si64
  %rows = pyarray.builtin "builtins.range"(%zero, %n, %one) : (si64, si64, si64) -> !pyarray.range
  %numbers = pyarray.builtin "builtins.range"(%zero, %m, %one) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %acc: f64) in %rows : !pyarray.range iter(%init) {
    %x = pyarray.getitem %a[%i] : (!pyarray.array<?x?xf64, C>, si64) -> !pyarray.array<?xf64, C>
    %y = pyarray.getitem %b[%i] : (!pyarray.array<?x?xf64, C>, si64) -> !pyarray.array<?xf64, C>
    pyarray.ufunc "()->()" ins(%x : !pyarray.array<?xf64, C>) outs(%y : !pyarray.array<?xf64, C>) expanded {
    ^bb0(%e: f64):
      pyarray.yield %e : f64
    }
    %s = pyarray.for (%j: si64, %sum: f64) in %numbers : !pyarray.range iter(%acc) {
      %v = pyarray.getitem %c[%j] : (!pyarray.array<?xf64, C>, si64) -> f64
      %t = pyarray.binary add %sum, %v : (f64, f64) -> f64
      pyarray.yield %t : f64
    }
    pyarray.yield %s : f64
  }
  func.return %r : f64
}

// Arrays of three numbers are numbers, beside which it is something.
// CHECK-LABEL: func.func @over_small_arrays
// CHECK: scf.if
// CHECK: pyarray.for
// CHECK: pyarray.getitem %arg0[%{{.*}}] {pyarray.in_bounds = array<i1: true>}
// CHECK: } else {
// CHECK: {pyarray.checked}
func.func @over_small_arrays(%a: !pyarray.array<?x?xf64, C>, %n: si64) -> !pyarray.none {
  %zero = pyarray.constant 0 : si64 -> si64
  %one = pyarray.constant 1 : si64 -> si64
  %three = pyarray.constant 3 : si64 -> si64
  %none = pyarray.constant unit -> !pyarray.none
  %y = pyarray.builtin "numpy.empty"(%three) : (si64) -> !pyarray.array<?xf64, C>
  %range = pyarray.builtin "builtins.range"(%zero, %n, %one) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %range : !pyarray.range {
    %x = pyarray.getitem %a[%i] : (!pyarray.array<?x?xf64, C>, si64) -> !pyarray.array<?xf64, C>
    pyarray.ufunc "()->()" ins(%x : !pyarray.array<?xf64, C>) outs(%y : !pyarray.array<?xf64, C>) expanded {
    ^bb0(%e: f64):
      pyarray.yield %e : f64
    }
  }
  func.return %none : !pyarray.none
}
