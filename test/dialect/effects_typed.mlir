// Levels 2 and 3: on types it is known what an operation does.

// RUN: pyarray-opt %s --cse | FileCheck %s --check-prefixes=CHECK,CSE
// RUN: pyarray-opt %s --canonicalize --sccp | FileCheck %s --check-prefixes=CHECK,KEPT
// RUN: pyarray-opt %s --loop-invariant-code-motion | FileCheck %s --check-prefix=MOVED

!A = !pyarray.array<?xf64, A>
!M = !pyarray.array<?x?xf64, A>

module attributes {pyarray.classes = {"m:P#0" = {fields = ["x", "a"], types = tuple<f64, !pyarray.array<?xf64, A>>}}} {

// Pure operations vanish, and move out of loops.
// CHECK-LABEL: func.func @pure
// CHECK-NOT: {{binary|unary|compare|truth|cast|getitem|getattr|unpack|builtin|broadcast|transpose|insert}}
// CHECK: return
// MOVED-LABEL: func.func @pure
// MOVED-COUNT-4: pyarray.binary
// MOVED: pyarray.unary
// MOVED: pyarray.compare
// MOVED: pyarray.truth
// MOVED: pyarray.cast
// MOVED: pyarray.getattr
// MOVED: pyarray.tuple
// MOVED: pyarray.getitem
// MOVED: pyarray.unpack
// MOVED: pyarray.builtin "numpy.sqrt"
// MOVED: pyarray.getitem
// MOVED: pyarray.broadcast_to
// MOVED: pyarray.insert_axes
// MOVED: pyarray.transpose
// MOVED: pyarray.compare eq
// MOVED: pyarray.for
// MOVED-NEXT: }
func.func @pure(%x: f64, %n: si64, %a: !A, %m: !M, %s: !pyarray.str, %r: !pyarray.range) {
  %two = pyarray.constant 2 : si64 -> si64
  pyarray.for (%i: si64) in %r : !pyarray.range {
    %0 = pyarray.binary add %x, %x : (f64, f64) -> f64
    %1 = pyarray.binary floordiv %n, %two : (si64, si64) -> si64
    %2 = pyarray.binary lshift %n, %two : (si64, si64) -> si64
    %3 = pyarray.binary and %n, %n : (si64, si64) -> si64
    %4 = pyarray.unary neg %x : (f64) -> f64
    %5 = pyarray.compare lt %x, %x : (f64, f64) -> i1
    %6 = pyarray.truth %x : f64
    %7 = pyarray.cast %n : si64 to f64
    %8 = pyarray.getattr %a "shape" : (!A) -> tuple<si64>
    %9 = pyarray.tuple %n, %n : (si64, si64) -> tuple<si64, si64>
    %10 = pyarray.getitem %9[%two] : (tuple<si64, si64>, si64) -> si64
    %11:2 = pyarray.unpack %9 : (tuple<si64, si64>) -> (si64, si64)
    %12 = pyarray.builtin "numpy.sqrt"(%x) : (f64) -> f64
    %13 = pyarray.getitem %m[%n] {pyarray.in_bounds = array<i1: true>} : (!M, si64) -> !A
    %14 = pyarray.broadcast_to %a to (%n, %n) : (!A, si64, si64) -> !M
    %15 = pyarray.insert_axes %a [0] : (!A) -> !M
    %16 = pyarray.transpose %m [1, 0] : (!M) -> !M
    %17 = pyarray.compare eq %s, %s : (!pyarray.str, !pyarray.str) -> i1
  }
  return
}

// What may raise stays, once for each time; so does what is behind it.
// CHECK-LABEL: func.func @raises
// CHECK: scf.for
// CHECK-COUNT-2: {{^      .*}}pyarray.binary truediv
// CHECK-NEXT: {{^      .*}}pyarray.binary pow
// CHECK-NEXT: {{^      .*}}pyarray.binary lshift
// CHECK-COUNT-2: {{^      .*}}pyarray.getitem
// CHECK-NEXT: {{^      .*}}pyarray.builtin "math.sqrt"
// CHECK-NEXT: {{^      .*}}pyarray.builtin "builtins.range"
// CHECK-NEXT: {{^      .*}}pyarray.builtin "numpy.zeros"
// CHECK-NEXT: {{^      .*}}pyarray.unpack
// CHECK-NEXT: {{^      .*}}pyarray.getitem {{.*}}slice
// CHECK-NEXT: {{^      .*}}pyarray.ufunc_shape
// MOVED-LABEL: func.func @raises
// MOVED: scf.for
// MOVED-COUNT-2: {{^      .*}}pyarray.binary truediv
// MOVED-NEXT: {{^      .*}}pyarray.binary pow
// MOVED-NEXT: {{^      .*}}pyarray.binary lshift
// MOVED-COUNT-2: {{^      .*}}pyarray.getitem
// MOVED-NEXT: {{^      .*}}pyarray.builtin "math.sqrt"
// MOVED-NEXT: {{^      .*}}pyarray.builtin "builtins.range"
// MOVED-NEXT: {{^      .*}}pyarray.builtin "numpy.zeros"
// MOVED-NEXT: {{^      .*}}pyarray.unpack
// MOVED-NEXT: {{^      .*}}pyarray.getitem {{.*}}slice
// MOVED-NEXT: {{^      .*}}pyarray.ufunc_shape
func.func @raises(%x: f64, %n: si64, %a: !A, %s: !pyarray.slice<si64, si64, si64>, %count: index)
    attributes {pyarray.options = {error_model = "strict"}} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %count step %one {
    %0 = pyarray.binary truediv %x, %x : (f64, f64) -> f64
    %1 = pyarray.binary truediv %x, %x : (f64, f64) -> f64
    %2 = pyarray.binary pow %x, %x : (f64, f64) -> f64
    %3 = pyarray.binary lshift %n, %n : (si64, si64) -> si64
    %4 = pyarray.getitem %a[%n] : (!A, si64) -> f64
    %5 = pyarray.getitem %a[%n] : (!A, si64) -> f64
    %6 = pyarray.builtin "math.sqrt"(%x) : (f64) -> f64
    %7 = pyarray.builtin "builtins.range"(%n, %n, %n) : (si64, si64, si64) -> !pyarray.range
    %8 = pyarray.builtin "numpy.zeros"(%n) : (si64) -> !pyarray.array<?xf64, C>
    %9:2 = pyarray.unpack %a : (!A) -> (f64, f64)
    %10 = pyarray.getitem %a[%s] : (!A, !pyarray.slice<si64, si64, si64>) -> !A
    %11 = pyarray.ufunc_shape "()->()" ins(%a : !A) : si64
  }
  return
}

// By default division raises, and what IEEE 754 has a result for does not.
// CHECK-LABEL: func.func @python_errors
// CHECK-NEXT: pyarray.binary truediv
// CHECK-NEXT: return
func.func @python_errors(%x: f64) {
  %0 = pyarray.binary truediv %x, %x : (f64, f64) -> f64
  %1 = pyarray.binary pow %x, %x : (f64, f64) -> f64
  %2 = pyarray.builtin "math.sqrt"(%x) : (f64) -> f64
  return
}

// With NumPy's error model and without checks of bounds nothing is raised.
// CHECK-LABEL: func.func @numpy_errors
// CHECK-NOT: {{binary|getitem|builtin}}
// CHECK: return
func.func @numpy_errors(%x: f64, %n: si64, %a: !A) attributes {pyarray.options = {boundscheck = false, error_model = "numpy"}} {
  %0 = pyarray.binary truediv %x, %x : (f64, f64) -> f64
  %1 = pyarray.getitem %a[%n] : (!A, si64) -> f64
  %2 = pyarray.builtin "math.sqrt"(%x) : (f64) -> f64
  return
}

// An operation that was inlined keeps the options of its function.
// CHECK-LABEL: func.func @inlined
// CHECK: pyarray.binary truediv
func.func @inlined(%x: f64) attributes {pyarray.options = {error_model = "numpy"}} {
  %0 = pyarray.binary truediv %x, %x {pyarray.options = {error_model = "python"}} : (f64, f64) -> f64
  return
}

// Two reads are one, unless something is written between them. They stay in loops.
// CHECK-LABEL: func.func @reads
// CSE: %[[X:.*]] = pyarray.getitem
// CSE-NOT: pyarray.getitem
// CSE: pyarray.setitem
// CSE: %[[Y:.*]] = pyarray.getitem
// CSE: return %[[X]], %[[X]], %[[Y]]
func.func @reads(%a: !A, %n: si64, %x: f64) -> (f64, f64, f64) {
  %0 = pyarray.getitem %a[%n] {pyarray.in_bounds = array<i1: true>} : (!A, si64) -> f64
  %1 = pyarray.getitem %a[%n] {pyarray.in_bounds = array<i1: true>} : (!A, si64) -> f64
  pyarray.setitem %a[%n] = %x {pyarray.in_bounds = array<i1: true>} : (!A, si64, f64) -> ()
  %2 = pyarray.getitem %a[%n] {pyarray.in_bounds = array<i1: true>} : (!A, si64) -> f64
  return %0, %1, %2 : f64, f64, f64
}

// CHECK-LABEL: func.func @lengths
// CSE: pyarray.builtin "builtins.len"
// CSE-NOT: pyarray.builtin "builtins.len"
// CSE: pyarray.builtin "list.append"
// CSE: pyarray.builtin "builtins.len"
// CSE: pyarray.truth
func.func @lengths(%l: !pyarray.list<f64>, %x: f64) -> (si64, si64, si64, i1) {
  %0 = pyarray.builtin "builtins.len"(%l) : (!pyarray.list<f64>) -> si64
  %1 = pyarray.builtin "builtins.len"(%l) : (!pyarray.list<f64>) -> si64
  %none = pyarray.builtin "list.append"(%l, %x) : (!pyarray.list<f64>, f64) -> !pyarray.none
  %2 = pyarray.builtin "builtins.len"(%l) : (!pyarray.list<f64>) -> si64
  %3 = pyarray.truth %l : !pyarray.list<f64>
  return %0, %1, %2, %3 : si64, si64, si64, i1
}

// MOVED-LABEL: func.func @reads_in_loop
// MOVED: scf.for
// MOVED-NEXT: {{^      .*}}pyarray.getitem
// MOVED-NEXT: {{^      .*}}pyarray.builtin "builtins.len"
// MOVED-NEXT: {{^      .*}}pyarray.getfield
// MOVED-NEXT: {{^      .*}}pyarray.load
// MOVED-NEXT: {{^      .*}}pyarray.truth
func.func @reads_in_loop(%a: !A, %l: !pyarray.list<f64>, %p: !pyarray.object<"m:P#0">, %n: si64, %count: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %v = pyarray.variable : !pyarray.variable<f64>
  scf.for %i = %zero to %count step %one {
    %0 = pyarray.getitem %a[%n] {pyarray.in_bounds = array<i1: true>} : (!A, si64) -> f64
    %1 = pyarray.builtin "builtins.len"(%l) : (!pyarray.list<f64>) -> si64
    %2 = pyarray.getfield %p "x" : (!pyarray.object<"m:P#0">) -> f64
    %3 = pyarray.load %v : (!pyarray.variable<f64>) -> f64
    %4 = pyarray.truth %l : !pyarray.list<f64>
  }
  return
}

// What is written, and what two calls give.
// CHECK-LABEL: func.func @writes
// CHECK-COUNT-2: pyarray.setitem %arg0
// CHECK-COUNT-2: pyarray.setitem %arg1
// CHECK-COUNT-2: pyarray.delitem %arg1
// CHECK-COUNT-2: pyarray.setattr
// CHECK-COUNT-2: pyarray.call
// CHECK-COUNT-2: pyarray.builtin "random.random"
// CHECK-COUNT-2: pyarray.builtin "time.time_ns"
// CHECK-COUNT-2: pyarray.builtin "host.builtins.print"
// CHECK-COUNT-2: pyarray.builtin "pyarray.set_num_threads"
// CHECK-COUNT-2: pyarray.iter_next
func.func @writes(%a: !A, %l: !pyarray.list<f64>, %p: !pyarray.object<"m:P#0">, %n: si64, %x: f64, %g: !pyarray.generator<f64>, %flush: i1) {
  pyarray.setitem %a[%n] = %x : (!A, si64, f64) -> ()
  pyarray.setitem %a[%n] = %x : (!A, si64, f64) -> ()
  pyarray.setitem %l[%n] = %x : (!pyarray.list<f64>, si64, f64) -> ()
  pyarray.setitem %l[%n] = %x : (!pyarray.list<f64>, si64, f64) -> ()
  pyarray.delitem %l[%n] : (!pyarray.list<f64>, si64) -> ()
  pyarray.delitem %l[%n] : (!pyarray.list<f64>, si64) -> ()
  pyarray.setattr %p "x" = %x : (!pyarray.object<"m:P#0">, f64) -> ()
  pyarray.setattr %p "x" = %x : (!pyarray.object<"m:P#0">, f64) -> ()
  %0 = pyarray.call @callee(%x) : (f64) -> f64
  %1 = pyarray.call @callee(%x) : (f64) -> f64
  %2 = pyarray.builtin "random.random"() : () -> f64
  %3 = pyarray.builtin "random.random"() : () -> f64
  %4 = pyarray.builtin "time.time_ns"() : () -> si64
  %5 = pyarray.builtin "time.time_ns"() : () -> si64
  %6 = pyarray.builtin "host.builtins.print"(%x, %n, %n, %flush) : (f64, si64, si64, i1) -> !pyarray.none
  %7 = pyarray.builtin "host.builtins.print"(%x, %n, %n, %flush) : (f64, si64, si64, i1) -> !pyarray.none
  %8 = pyarray.builtin "pyarray.set_num_threads"(%n) : (si64) -> !pyarray.none
  %9 = pyarray.builtin "pyarray.set_num_threads"(%n) : (si64) -> !pyarray.none
  %10:2 = pyarray.iter_next %g : (!pyarray.generator<f64>) -> (i1, f64)
  %11:2 = pyarray.iter_next %g : (!pyarray.generator<f64>) -> (i1, f64)
  return
}

func.func private @callee(%x: f64) -> f64 {
  return %x : f64
}

// Two new objects are two; one that nothing uses is none.
// CHECK-LABEL: func.func @makes
// CHECK-COUNT-2: pyarray.list
// CHECK-COUNT-2: pyarray.dict
// CHECK-COUNT-2: pyarray.set
// CHECK-COUNT-2: pyarray.new
// CHECK-COUNT-2: pyarray.builtin "numpy.copy"
// CHECK-NOT: {{pyarray.list %|numpy.copy}}
// CHECK: return
func.func @makes(%x: f64, %a: !A) -> (!pyarray.list<f64>, !pyarray.list<f64>, !pyarray.dict<f64, f64>, !pyarray.dict<f64, f64>, !pyarray.set<f64>,
                                      !pyarray.set<f64>, !pyarray.object<"m:P#0">, !pyarray.object<"m:P#0">, !A, !A) {
  %0 = pyarray.list %x : (f64) -> !pyarray.list<f64>
  %1 = pyarray.list %x : (f64) -> !pyarray.list<f64>
  %2 = pyarray.dict %x, %x : (f64, f64) -> !pyarray.dict<f64, f64>
  %3 = pyarray.dict %x, %x : (f64, f64) -> !pyarray.dict<f64, f64>
  %4 = pyarray.set %x : (f64) -> !pyarray.set<f64>
  %5 = pyarray.set %x : (f64) -> !pyarray.set<f64>
  %6 = pyarray.new "m:P#0" : !pyarray.object<"m:P#0">
  %7 = pyarray.new "m:P#0" : !pyarray.object<"m:P#0">
  %8 = pyarray.builtin "numpy.copy"(%a) : (!A) -> !A
  %9 = pyarray.builtin "numpy.copy"(%a) : (!A) -> !A
  %10 = pyarray.list %x : (f64) -> !pyarray.list<f64>
  %11 = pyarray.builtin "numpy.copy"(%a) : (!A) -> !A
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : !pyarray.list<f64>, !pyarray.list<f64>, !pyarray.dict<f64, f64>, !pyarray.dict<f64, f64>,
    !pyarray.set<f64>, !pyarray.set<f64>, !pyarray.object<"m:P#0">, !pyarray.object<"m:P#0">, !A, !A
}

// A loop does what its body does, and reads what it goes over.
// CHECK-LABEL: func.func @loops
// CHECK-NOT: in %arg0
// CHECK-NOT: in %arg1
// CHECK: pyarray.for {{.*}} in %arg2
// CHECK: pyarray.for {{.*}} in %arg3
// CHECK: pyarray.for {{.*}} in %arg0
// CHECK: pyarray.setitem
func.func @loops(%r: !pyarray.range, %a: !A, %g: !pyarray.generator<f64>, %d: !pyarray.dict<si64, f64>, %x: f64) {
  pyarray.for (%i: si64) in %r : !pyarray.range {
    %0 = pyarray.binary add %i, %i : (si64, si64) -> si64
  }
  pyarray.for (%i: f64) in %a : !A {
  }
  pyarray.for (%i: f64) in %g : !pyarray.generator<f64> {
  }
  pyarray.for (%i: si64) in %d : !pyarray.dict<si64, f64> {
  }
  pyarray.for (%i: si64) in %r : !pyarray.range {
    pyarray.setitem %a[%i] = %x : (!A, si64, f64) -> ()
  }
  return
}

// sccp sees through loops and calls: the carried value is always 1.
// KEPT-LABEL: func.func @carried
// KEPT: return %{{.*}} : i1
// KEPT-LABEL: func.func private @constant_argument
// KEPT: %[[ONE:.*]] = pyarray.constant true -> i1
// KEPT: return %[[ONE]]
func.func @carried(%r: !pyarray.range) -> i1 {
  %one = pyarray.constant true -> i1
  %0 = pyarray.for (%i: si64, %c: i1) in %r : !pyarray.range iter(%one) {
    %1 = pyarray.call @constant_argument(%c) : (i1) -> i1
    pyarray.yield %c : i1
  }
  return %0 : i1
}

func.func private @constant_argument(%c: i1) -> i1 {
  return %c : i1
}

// A ufunc writes its outputs or makes new arrays, however pure its body is.
// CHECK-LABEL: func.func @ufuncs
// CHECK-COUNT-2: pyarray.ufunc "()->()" ins(%arg0 : {{.*}}) outs
// CHECK-COUNT-2: pyarray.ufunc "()->()" ins(%arg0 : {{[^)]*}}) {
func.func @ufuncs(%a: !A, %o: !A) -> (!pyarray.array<?xf64, C>, !pyarray.array<?xf64, C>) {
  pyarray.ufunc "()->()" ins(%a : !A) outs(%o : !A) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  pyarray.ufunc "()->()" ins(%a : !A) outs(%o : !A) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  %0 = pyarray.ufunc "()->()" ins(%a : !A) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> !pyarray.array<?xf64, C>
  %1 = pyarray.ufunc "()->()" ins(%a : !A) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> !pyarray.array<?xf64, C>
  return %0, %1 : !pyarray.array<?xf64, C>, !pyarray.array<?xf64, C>
}

// The copy of a reduced array stays at the top of its loop.
// MOVED-LABEL: func.func @private
// MOVED: pyarray.for
// MOVED-NEXT: pyarray.private
func.func @private(%r: !pyarray.range, %a: !A, %x: f64) {
  pyarray.for (%i: si64) in %r : !pyarray.range {
    %p = pyarray.private "add" %a : !A
    pyarray.setitem %p[%i] = %x : (!A, si64, f64) -> ()
  }
  return
}
}
