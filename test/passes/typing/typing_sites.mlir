// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file 2>&1 | FileCheck %s
// The types of items follow from what is put into a list.

// An empty list learns from append, then from a second one: int64 and float64 are float64.
// CHECK-LABEL: func.func @fill$0
// CHECK: %[[L:.*]] = pyarray.list : () -> !pyarray.list<f64>
// CHECK: %[[X:.*]] = pyarray.cast %{{.*}} : si64 to f64
// CHECK: pyarray.builtin "list.append"(%[[L]], %[[X]]) : (!pyarray.list<f64>, f64) -> !pyarray.none
// CHECK: return %[[L]] : !pyarray.list<f64>
func.func @fill(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(f64) -> ()], pyarray.params = ["x"]} {
  %l = pyarray.list : () -> !pyarray.any
  %c = pyarray.constant 1 : si64 -> !pyarray.any
  %0 = pyarray.method %l "append"(%c) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %1 = pyarray.method %l "append"(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %l : !pyarray.any
}

// -----

// A callee fills the list of its caller; items of items have sites too.
// CHECK-LABEL: func.func @outer$0
// CHECK: %[[L:.*]] = pyarray.list %{{.*}} : (!pyarray.list<si64>) -> !pyarray.list<!pyarray.list<si64>>
// CHECK: pyarray.call @put$[[N:[0-9]]](%{{.*}}) : (!pyarray.list<si64>) -> !pyarray.none
// CHECK: func.func private @put$[[N]]
func.func @put(%l: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["l"]} {
  %c = pyarray.constant 1 : si64 -> !pyarray.any
  %0 = pyarray.method %l "append"(%c) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}
func.func @outer() -> !pyarray.any attributes {pyarray.instantiate = [() -> ()], pyarray.params = []} {
  %inner = pyarray.list : () -> !pyarray.any
  %l = pyarray.list %inner : (!pyarray.any) -> !pyarray.any
  %f = pyarray.callable @put -> !pyarray.any
  %zero = pyarray.constant 0 : si64 -> !pyarray.any
  %item = pyarray.getitem %l[%zero] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %0 = pyarray.apply %f(%item) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %l : !pyarray.any
}

// -----

// Nobody puts anything in: the items are None's.
// CHECK-LABEL: func.func @empty$0
// CHECK: pyarray.list : () -> !pyarray.list<!pyarray.none>
func.func @empty() -> !pyarray.any attributes {pyarray.instantiate = [() -> ()], pyarray.params = []} {
  %l = pyarray.list : () -> !pyarray.any
  return %l : !pyarray.any
}

// -----

// What nothing fills is of the type that a branch which is not taken would put in; where that branch is wrong, or there is none, of type none.
// CHECK-LABEL: func.func @filtered$0
// CHECK: pyarray.list : () -> !pyarray.list<f64>
// CHECK: pyarray.list : () -> !pyarray.list<!pyarray.none>
// CHECK: pyarray.list %{{.*}} : (si64) -> !pyarray.list<si64>
// CHECK-NOT: list.append
func.func @filtered(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(f64) -> ()], pyarray.params = ["x"]} {
  %no = pyarray.constant false -> !pyarray.any
  %t = pyarray.truth %no : !pyarray.any
  %l = pyarray.list : () -> !pyarray.any
  %m = pyarray.list : () -> !pyarray.any
  %1 = pyarray.constant 1 : si64 -> !pyarray.any
  %n = pyarray.list %1 : (!pyarray.any) -> !pyarray.any
  scf.if %t {
    %0 = pyarray.method %l "append"(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %2 = pyarray.method %m "append"(%x, %x) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
    %3 = pyarray.method %n "append"(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  }
  %r = pyarray.tuple %l, %m, %n : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %r : !pyarray.any
}

// -----

// What a branch does, whose condition rests on items of which nothing is known, says what they are: if xs[0] > 1: xs + [1].
// CHECK-LABEL: func.func @guessed$0
// CHECK: pyarray.list : () -> !pyarray.list<si64>
// CHECK: scf.if
// CHECK: pyarray.builtin "list.concat"(%{{.*}}, %{{.*}}) : (!pyarray.list<si64>, !pyarray.list<si64>) -> !pyarray.list<si64>
func.func @guessed() -> !pyarray.any attributes {pyarray.instantiate = [() -> ()], pyarray.params = []} {
  %l = pyarray.list : () -> !pyarray.any
  %zero = pyarray.constant 0 : si64 -> !pyarray.any
  %one = pyarray.constant 1 : si64 -> !pyarray.any
  %item = pyarray.getitem %l[%zero] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %0 = pyarray.compare gt %item, %one : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %1 = pyarray.truth %0 : !pyarray.any
  %2 = scf.if %1 -> (!pyarray.any) {
    %3 = pyarray.list %one : (!pyarray.any) -> !pyarray.any
    %4 = pyarray.binary add %l, %3 : (!pyarray.any, !pyarray.any) -> !pyarray.any
    scf.yield %4 : !pyarray.any
  } else {
    scf.yield %l : !pyarray.any
  }
  return %2 : !pyarray.any
}

// -----

// A callee puts items into a list of None alone.
// CHECK-LABEL: func.func @stores$0
// CHECK: pyarray.list %{{.*}} : (!pyarray.optional<si64>) -> !pyarray.list<!pyarray.optional<si64>>
// CHECK: func.func private @store$
// CHECK-SAME: (%arg0: !pyarray.list<!pyarray.optional<si64>>)
func.func @store(%l: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["l"]} {
  %zero = pyarray.constant 0 : si64 -> !pyarray.any
  pyarray.setitem %l[%zero] = %zero : (!pyarray.any, !pyarray.any, !pyarray.any) -> ()
  return %l : !pyarray.any
}
func.func @stores() -> !pyarray.any attributes {pyarray.instantiate = [() -> ()], pyarray.params = []} {
  %none = pyarray.constant unit -> !pyarray.any
  %l = pyarray.list %none : (!pyarray.any) -> !pyarray.any
  %f = pyarray.callable @store -> !pyarray.any
  %0 = pyarray.apply %f(%l) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}
