// RUN: pyarray-opt %s --pyarray-prune-branches | FileCheck %s

// A parameter that is None in all that is asked for decides nothing: the function may call itself with another.
// CHECK-LABEL: func.func @none
// CHECK: scf.if
func.func @none(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.none) -> ()]} {
  %none = pyarray.constant unit -> !pyarray.any
  %c = pyarray.compare is %x, %none : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %t = pyarray.truth %c : !pyarray.any
  %r = scf.if %t -> (!pyarray.any) {
    scf.yield %none : !pyarray.any
  } else {
    %f = pyarray.callable @none -> !pyarray.any
    %z = pyarray.apply %f(%none) : (!pyarray.any, !pyarray.any) -> !pyarray.any
    scf.yield %z : !pyarray.any
  }
  func.return %r : !pyarray.any
}

// Branches nested in the branch taken are pruned too.
// CHECK-LABEL: func.func @nested
// CHECK-NOT: scf.if
// CHECK: %[[TWO:.*]] = pyarray.constant 2 : si64
// CHECK: return %[[TWO]]
func.func @nested(%x: !pyarray.any) -> !pyarray.any {
  %debug = pyarray.constant true -> !pyarray.any
  %level = pyarray.constant 2 : si64 -> !pyarray.any
  %one = pyarray.constant 1 : si64 -> !pyarray.any
  %t = pyarray.truth %debug : !pyarray.any
  %r = scf.if %t -> (!pyarray.any) {
    %c = pyarray.compare gt %level, %one : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %u = pyarray.truth %c : !pyarray.any
    %s = scf.if %u -> (!pyarray.any) {
      scf.yield %level : !pyarray.any
    } else {
      scf.yield %one : !pyarray.any
    }
    scf.yield %s : !pyarray.any
  } else {
    scf.yield %x : !pyarray.any
  }
  func.return %r : !pyarray.any
}

// A branch without else that is not taken disappears.
// CHECK-LABEL: func.func @absent
// CHECK-NOT: pyarray.raise
func.func @absent(%x: !pyarray.any) -> !pyarray.any {
  %no = pyarray.constant false -> !pyarray.any
  %t = pyarray.truth %no : !pyarray.any
  scf.if %t {
    pyarray.raise "ValueError"() : () -> ()
  }
  func.return %x : !pyarray.any
}

// What a comprehension filters stays, for the type of its items.
// CHECK-LABEL: func.func @filtered
// CHECK: pyarray.method %{{.*}} "append"
func.func @filtered(%x: !pyarray.any) -> !pyarray.any {
  %l = pyarray.list : () -> !pyarray.any
  %no = pyarray.constant false -> !pyarray.any
  %t = pyarray.truth %no {pyarray.filter} : !pyarray.any
  scf.if %t {
    %0 = pyarray.method %l "append"(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  }
  func.return %l : !pyarray.any
}
