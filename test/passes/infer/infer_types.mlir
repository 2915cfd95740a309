// RUN: pyarray-opt %s --pyarray-infer-types | FileCheck %s
// RUN: pyarray-opt %s --pyarray-infer-types | pyarray-opt | FileCheck %s

// Operands are cast to the type in which an operator works.
// CHECK-LABEL: func.func @mixed$0(%arg0: f64, %arg1: si64) -> f64 attributes {pyarray.entry}
func.func @mixed(%x: !pyarray.any, %n: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x", "n"], pyarray.instantiate = [(f64, si64) -> ()]} {
  // CHECK: %[[N:.*]] = pyarray.cast %arg1 : si64 to f64
  // CHECK: pyarray.binary mul %arg0, %[[N]] : (f64, f64) -> f64
  %0 = pyarray.binary mul %x, %n : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}

// A non-negative literal beside a uint64 is unsigned.
// CHECK-LABEL: func.func @unsigned$0(%arg0: ui64) -> ui64
func.func @unsigned(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x"], pyarray.instantiate = [(ui64) -> ()]} {
  %0 = pyarray.constant 1 : si64 -> !pyarray.any
  %1 = pyarray.binary add %x, %0 : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %1 : !pyarray.any
}

// Beside a narrower unsigned integer it is int64; inversion happens in the operand's own width.
// CHECK-LABEL: func.func @narrow$0(%arg0: ui8) -> tuple<si64, ui64>
// CHECK: pyarray.binary sub %{{.*}}, %{{.*}} : (si64, si64) -> si64
// CHECK: %[[INVERTED:.*]] = pyarray.unary invert %arg0 : (ui8) -> ui8
// CHECK: pyarray.cast %[[INVERTED]] : ui8 to ui64
func.func @narrow(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x"], pyarray.instantiate = [(ui8) -> ()]} {
  %0 = pyarray.constant 1 : si64 -> !pyarray.any
  %1 = pyarray.binary sub %x, %0 : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %2 = pyarray.unary invert %x : (!pyarray.any) -> !pyarray.any
  %3 = pyarray.tuple %1, %2 : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %3 : !pyarray.any
}

// A loop-carried int that becomes a float is a float from the start.
// CHECK-LABEL: func.func @carried$0(%arg0: si64) -> f64
func.func @carried(%n: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["n"], pyarray.instantiate = [(si64) -> ()]} {
  %zero = pyarray.constant 0 : si64 -> !pyarray.any
  %half = pyarray.constant 5.000000e-01 : f64 -> !pyarray.any
  %range = pyarray.callable "builtins.range" -> !pyarray.any
  %it = pyarray.apply %range(%n) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  // CHECK: %[[ZERO:.*]] = pyarray.cast %{{.*}} : si64 to f64
  // CHECK: pyarray.for (%{{.*}}: si64, %[[ACC:.*]]: f64) in %{{.*}} : !pyarray.range iter(%[[ZERO]])
  %s = pyarray.for (%i: !pyarray.any, %acc: !pyarray.any) in %it : !pyarray.any iter(%zero) {
    %next = pyarray.binary add %acc, %half : (!pyarray.any, !pyarray.any) -> !pyarray.any
    pyarray.yield %next : !pyarray.any
  }
  func.return %s : !pyarray.any
}

// A recursive function: the branch that does not recurse decides the result.
// CHECK-LABEL: func.func @fib$0(%arg0: si64) -> si64
func.func @fib(%n: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["n"], pyarray.instantiate = [(si64) -> ()]} {
  %two = pyarray.constant 2 : si64 -> !pyarray.any
  %one = pyarray.constant 1 : si64 -> !pyarray.any
  %self = pyarray.callable @fib -> !pyarray.any
  %c = pyarray.compare lt %n, %two : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %t = pyarray.truth %c : !pyarray.any
  %r = scf.if %t -> (!pyarray.any) {
    scf.yield %n : !pyarray.any
  } else {
    %a = pyarray.binary sub %n, %one : (!pyarray.any, !pyarray.any) -> !pyarray.any
    // CHECK: pyarray.call @fib$0(%{{.*}}) : (si64) -> si64
    %x = pyarray.apply %self(%a) kw ["n"] : (!pyarray.any, !pyarray.any) -> !pyarray.any
    scf.yield %x : !pyarray.any
  }
  func.return %r : !pyarray.any
}

// Mutual recursion through a function that is not an entry.
// CHECK-LABEL: func.func @even$0(%arg0: si64) -> i1 attributes {pyarray.entry}
// CHECK: pyarray.call @odd$0
// CHECK-LABEL: func.func private @odd$0(%arg0: si64) -> i1
// CHECK: pyarray.call @even$0
func.func @even(%n: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["n"], pyarray.instantiate = [(si64) -> ()]} {
  %zero = pyarray.constant 0 : si64 -> !pyarray.any
  %one = pyarray.constant 1 : si64 -> !pyarray.any
  %yes = pyarray.constant true -> !pyarray.any
  %odd = pyarray.callable @odd -> !pyarray.any
  %c = pyarray.compare eq %n, %zero : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %t = pyarray.truth %c : !pyarray.any
  %r = scf.if %t -> (!pyarray.any) {
    scf.yield %yes : !pyarray.any
  } else {
    %a = pyarray.binary sub %n, %one : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %x = pyarray.apply %odd(%a) : (!pyarray.any, !pyarray.any) -> !pyarray.any
    scf.yield %x : !pyarray.any
  }
  func.return %r : !pyarray.any
}
func.func @odd(%n: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["n"]} {
  %zero = pyarray.constant 0 : si64 -> !pyarray.any
  %one = pyarray.constant 1 : si64 -> !pyarray.any
  %no = pyarray.constant false -> !pyarray.any
  %even = pyarray.callable @even -> !pyarray.any
  %c = pyarray.compare eq %n, %zero : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %t = pyarray.truth %c : !pyarray.any
  %r = scf.if %t -> (!pyarray.any) {
    scf.yield %no : !pyarray.any
  } else {
    %a = pyarray.binary sub %n, %one : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %x = pyarray.apply %even(%a) : (!pyarray.any, !pyarray.any) -> !pyarray.any
    scf.yield %x : !pyarray.any
  }
  func.return %r : !pyarray.any
}

// A literal index selects the element of a tuple; a default argument that is None prunes the branch for it.
// CHECK-LABEL: func.func @defaults$0(%arg0: f64) -> f64
// CHECK: %[[FIRST:.*]] = pyarray.getitem %{{.*}}[%{{.*}}] : (tuple<f64, si64>, si64) -> f64
// CHECK: pyarray.call @helper$0(%[[FIRST]], %{{.*}}) : (f64, !pyarray.none) -> f64
// CHECK-LABEL: func.func private @helper$0(%arg0: f64, %arg1: !pyarray.none) -> f64
// CHECK-NOT: scf.if
// CHECK: return %arg0 : f64
func.func @defaults(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x"], pyarray.instantiate = [(f64) -> ()]} {
  %helper = pyarray.callable @helper -> !pyarray.any
  %zero = pyarray.constant 0 : si64 -> !pyarray.any
  %pair = pyarray.tuple %x, %zero : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %first = pyarray.getitem %pair[%zero] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %r = pyarray.apply %helper(%first) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %r : !pyarray.any
}
func.func @helper(%x: !pyarray.any, %scale: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x", "scale"], pyarray.defaults = [unit]} {
  %none = pyarray.constant unit -> !pyarray.any
  %c = pyarray.compare is %scale, %none : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %t = pyarray.truth %c : !pyarray.any
  %r = scf.if %t -> (!pyarray.any) {
    scf.yield %x : !pyarray.any
  } else {
    %y = pyarray.binary mul %x, %scale : (!pyarray.any, !pyarray.any) -> !pyarray.any
    scf.yield %y : !pyarray.any
  }
  func.return %r : !pyarray.any
}

// Views keep the layout that NumPy's would have.
// CHECK-LABEL: func.func @views$0(%arg0: !pyarray.array<?x?xf64, C>) -> tuple<!pyarray.array<?xf64, C>, !pyarray.array<?x?xf64, F>, !pyarray.array<?xf64, A>>
func.func @views(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.instantiate = [(!pyarray.array<?x?xf64, C>) -> ()]} {
  %none = pyarray.constant unit -> !pyarray.any
  %one = pyarray.constant 1 : si64 -> !pyarray.any
  %all = pyarray.slice %none, %none, %none : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  %row = pyarray.getitem %a[%one] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %t = pyarray.getattr %a "T" : (!pyarray.any) -> !pyarray.any
  %column = pyarray.getitem %a[%all, %one] : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  %r = pyarray.tuple %row, %t, %column : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %r : !pyarray.any
}

// What follows a raise has no type and is not emitted.
// CHECK-LABEL: func.func @raising$0(%arg0: f64) -> f64
// CHECK: pyarray.raise "ValueError"(%{{.*}}) : (!pyarray.str) -> ()
// CHECK: pyarray.unbound : f64
func.func @raising(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x"], pyarray.instantiate = [(f64) -> ()]} {
  %t = pyarray.truth %x : !pyarray.any
  %message = pyarray.constant "no" -> !pyarray.any
  %r = scf.if %t -> (!pyarray.any) {
    scf.yield %x : !pyarray.any
  } else {
    pyarray.raise "ValueError"(%message) : (!pyarray.any) -> ()
    %u = pyarray.unbound : !pyarray.any
    scf.yield %u : !pyarray.any
  }
  func.return %r : !pyarray.any
}

// A tuple of literals among the arguments of an exception becomes one constant.
// CHECK-LABEL: func.func @raising_tuple$0(
// CHECK-NOT: pyarray.tuple
// CHECK: %[[T:.*]] = pyarray.constant "('it\\'s',(1,2.5e+00,),None,)" : tuple<!pyarray.str, tuple<si64, f64>, !pyarray.none> -> !pyarray.str
// CHECK: pyarray.raise "ValueError"(%[[T]]) : (!pyarray.str) -> ()
func.func @raising_tuple() -> !pyarray.any attributes {pyarray.params = [], pyarray.instantiate = [() -> ()]} {
  %text = pyarray.constant "it's" -> !pyarray.any
  %one = pyarray.constant 1 : si64 -> !pyarray.any
  %half = pyarray.constant 2.5 : f64 -> !pyarray.any
  %none = pyarray.constant unit -> !pyarray.any
  %pair = pyarray.tuple %one, %half : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %all = pyarray.tuple %text, %pair, %none : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  pyarray.raise "ValueError"(%all) : (!pyarray.any) -> ()
  %u = pyarray.unbound : !pyarray.any
  func.return %u : !pyarray.any
}

// A str argument is the literal that its parameter's default is; its comparisons are decided, and the other branch is not
// typed at all.
// CHECK-LABEL: func.func @mode$0(%arg0: f64, %arg1: !pyarray.str) -> f64
// CHECK-NOT: pyarray.compare
// CHECK-NOT: pyarray.getattr
// CHECK: return %arg0 : f64
func.func @mode(%x: !pyarray.any, %mode: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x", "mode"], pyarray.defaults = ["fast"], pyarray.instantiate = [(f64, !pyarray.any) -> ()]} {
  %fast = pyarray.constant "fast" -> !pyarray.any
  %same = pyarray.compare eq %mode, %fast : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %t = pyarray.truth %same : !pyarray.any
  %r = scf.if %t -> (!pyarray.any) {
    scf.yield %x : !pyarray.any
  } else {
    %y = pyarray.getattr %x "nothing" : (!pyarray.any) -> !pyarray.any
    scf.yield %y : !pyarray.any
  }
  func.return %r : !pyarray.any
}

// Each str value makes an instance.
// CHECK-LABEL: func.func @modes$0(
// CHECK: pyarray.call @chosen$0(
// CHECK: pyarray.call @chosen$1(
// CHECK: pyarray.call @chosen$0(
// CHECK: func.func private @chosen$0(%arg0: !pyarray.str) -> si64
// CHECK: func.func private @chosen$1(%arg0: !pyarray.str) -> f64
func.func @modes() -> !pyarray.any attributes {pyarray.params = [], pyarray.instantiate = [() -> ()]} {
  %f = pyarray.callable @chosen -> !pyarray.any
  %fast = pyarray.constant "fast" -> !pyarray.any
  %slow = pyarray.constant "slow" -> !pyarray.any
  %0 = pyarray.apply %f(%fast) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %1 = pyarray.apply %f(%slow) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %2 = pyarray.apply %f() : (!pyarray.any) -> !pyarray.any
  %all = pyarray.tuple %0, %1, %2 : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %all : !pyarray.any
}
func.func @chosen(%mode: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["mode"], pyarray.defaults = ["fast"]} {
  %one = pyarray.constant 1 : si64 -> !pyarray.any
  %half = pyarray.constant 2.5 : f64 -> !pyarray.any
  %fast = pyarray.constant "fast" -> !pyarray.any
  %names = pyarray.tuple %one, %fast : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %in = pyarray.compare in %mode, %names : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %t = pyarray.truth %in : !pyarray.any
  %r = scf.if %t -> (!pyarray.any) {
    scf.yield %one : !pyarray.any
  } else {
    scf.yield %half : !pyarray.any
  }
  func.return %r : !pyarray.any
}
