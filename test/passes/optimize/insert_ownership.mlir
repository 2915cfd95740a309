// RUN: pyarray-opt %s --pyarray-insert-ownership --split-input-file | FileCheck %s
// RUN: pyarray-opt %s --pyarray-insert-ownership --pyarray-insert-ownership --split-input-file | FileCheck %s

// A new array is released after its last use.
// CHECK-LABEL: func.func @last_use
// CHECK: %[[A:.*]] = pyarray.builtin "numpy.zeros"
// CHECK-NEXT: pyarray.getitem %[[A]]
// CHECK-NEXT: pyarray.release %[[A]] : !pyarray.array<?xf64, C>
// CHECK-NEXT: return
func.func @last_use(%n: si64) -> f64 {
  %a = pyarray.builtin "numpy.zeros"(%n) : (si64) -> !pyarray.array<?xf64, C>
  %x = pyarray.getitem %a[%n] : (!pyarray.array<?xf64, C>, si64) -> f64
  return %x : f64
}

// -----

// One that nothing uses is released at once.
// CHECK-LABEL: func.func @unused
// CHECK: %[[A:.*]] = pyarray.builtin "numpy.zeros"
// CHECK-NEXT: pyarray.release %[[A]]
// CHECK-NEXT: pyarray.constant
func.func @unused(%n: si64) -> si64 {
  %a = pyarray.builtin "numpy.zeros"(%n) : (si64) -> !pyarray.array<?xf64, C>
  %x = pyarray.constant 1 : si64 -> si64
  return %x : si64
}

// -----

// A view keeps the array alive: a row, its transposition, a tuple with it, and what is unpacked from that.
// CHECK-LABEL: func.func @views
// CHECK: %[[A:.*]] = pyarray.builtin "numpy.zeros"
// CHECK-NOT: pyarray.release
// CHECK: %[[ROW:.*]]:2 = pyarray.unpack
// CHECK-NEXT: pyarray.getitem %[[ROW]]#0
// CHECK-NEXT: pyarray.release %[[A]]
// CHECK-NOT: pyarray.release
func.func @views(%n: si64) -> f64 {
  %a = pyarray.builtin "numpy.zeros"(%n, %n) : (si64, si64) -> !pyarray.array<?x?xf64, C>
  %t = pyarray.getattr %a "T" : (!pyarray.array<?x?xf64, C>) -> !pyarray.array<?x?xf64, F>
  %row = pyarray.getitem %t[%n] : (!pyarray.array<?x?xf64, F>, si64) -> !pyarray.array<?xf64, A>
  %both = pyarray.tuple %row, %n : (!pyarray.array<?xf64, A>, si64) -> tuple<!pyarray.array<?xf64, A>, si64>
  %r, %m = pyarray.unpack %both : (tuple<!pyarray.array<?xf64, A>, si64>) -> (!pyarray.array<?xf64, A>, si64)
  %x = pyarray.getitem %r[%n] : (!pyarray.array<?xf64, A>, si64) -> f64
  return %x : f64
}

// -----

// A use within a region counts where the region's operation stands.
// CHECK-LABEL: func.func @nested_use
// CHECK: scf.if
// CHECK-NOT: pyarray.release
// CHECK: }
// CHECK-NEXT: pyarray.release
func.func @nested_use(%n: si64, %c: i1) -> si64 {
  %a = pyarray.builtin "numpy.zeros"(%n) : (si64) -> !pyarray.array<?xf64, C>
  scf.if %c {
    %x = pyarray.getitem %a[%n] : (!pyarray.array<?xf64, C>, si64) -> f64
    pyarray.setitem %a[%n] = %x : (!pyarray.array<?xf64, C>, si64, f64) -> ()
  }
  return %n : si64
}

// -----

// What is returned is retained first; parameters are borrowed.
// CHECK-LABEL: func.func @returned
// CHECK-NEXT: %[[A:.*]] = pyarray.builtin "array.copy"
// CHECK-NEXT: %[[T:.*]] = pyarray.tuple %[[A]], %arg0
// CHECK-NEXT: pyarray.retain %[[T]] : tuple<
// CHECK-NEXT: pyarray.release %[[A]]
// CHECK-NEXT: return %[[T]]
func.func @returned(%b: !pyarray.array<?xf64, C>) -> tuple<!pyarray.array<?xf64, C>, !pyarray.array<?xf64, C>> {
  %a = pyarray.builtin "array.copy"(%b) : (!pyarray.array<?xf64, C>) -> !pyarray.array<?xf64, C>
  %t = pyarray.tuple %a, %b : (!pyarray.array<?xf64, C>, !pyarray.array<?xf64, C>) -> tuple<!pyarray.array<?xf64, C>, !pyarray.array<?xf64, C>>
  return %t : tuple<!pyarray.array<?xf64, C>, !pyarray.array<?xf64, C>>
}

// -----

// Both branches give a reference of their own to the result, which is released like a new array.
// CHECK-LABEL: func.func @branches
// CHECK: %[[R:.*]] = scf.if
// CHECK: %[[A:.*]] = pyarray.builtin "array.copy"
// CHECK-NEXT: pyarray.retain %[[A]]
// CHECK-NEXT: pyarray.release %[[A]]
// CHECK-NEXT: scf.yield %[[A]]
// CHECK: } else {
// CHECK-NEXT: pyarray.retain %arg0
// CHECK-NEXT: scf.yield %arg0
// CHECK: pyarray.getitem %[[R]]
// CHECK-NEXT: pyarray.release %[[R]]
func.func @branches(%b: !pyarray.array<?xf64, C>, %c: i1, %i: si64) -> f64 {
  %r = scf.if %c -> (!pyarray.array<?xf64, C>) {
    %a = pyarray.builtin "array.copy"(%b) : (!pyarray.array<?xf64, C>) -> !pyarray.array<?xf64, C>
    scf.yield %a : !pyarray.array<?xf64, C>
  } else {
    scf.yield %b : !pyarray.array<?xf64, C>
  }
  %x = pyarray.getitem %r[%i] : (!pyarray.array<?xf64, C>, si64) -> f64
  return %x : f64
}

// -----

// A carried array is owned by the iteration: the loop's start is retained, each iteration releases what it was given.
// CHECK-LABEL: func.func @carried
// CHECK: pyarray.retain %arg0
// CHECK-NEXT: %[[R:.*]] = pyarray.for (%{{.*}}: si64, %[[U:.*]]: !pyarray.array<?xf64, C>)
// CHECK-NEXT: %[[A:.*]] = pyarray.builtin "array.copy"(%[[U]])
// CHECK-NEXT: pyarray.release %[[U]]
// CHECK-NEXT: pyarray.retain %[[A]]
// CHECK-NEXT: pyarray.release %[[A]]
// CHECK-NEXT: pyarray.yield %[[A]]
// CHECK: pyarray.retain %[[R]]
// CHECK-NEXT: pyarray.release %[[R]]
// CHECK-NEXT: return %[[R]]
func.func @carried(%b: !pyarray.array<?xf64, C>, %range: !pyarray.range) -> !pyarray.array<?xf64, C> {
  %r = pyarray.for (%i: si64, %u: !pyarray.array<?xf64, C>) in %range : !pyarray.range iter(%b) {
    %a = pyarray.builtin "array.copy"(%u) : (!pyarray.array<?xf64, C>) -> !pyarray.array<?xf64, C>
    pyarray.yield %a : !pyarray.array<?xf64, C>
  }
  return %r : !pyarray.array<?xf64, C>
}

// -----

// Rows of a new array are views of it: it lives until the loop ends, and they are not released.
// CHECK-LABEL: func.func @rows
// CHECK: pyarray.for
// CHECK-NOT: pyarray.re{{tain|lease}}
// CHECK: }
// CHECK-NEXT: pyarray.release
func.func @rows(%n: si64) -> si64 {
  %a = pyarray.builtin "numpy.zeros"(%n, %n) : (si64, si64) -> !pyarray.array<?x?xf64, C>
  pyarray.for (%row: !pyarray.array<?xf64, C>) in %a : !pyarray.array<?x?xf64, C> {
    %x = pyarray.getitem %row[%n] : (!pyarray.array<?xf64, C>, si64) -> f64
  }
  return %n : si64
}

// -----

// Both regions of a while own what they are given.
// CHECK-LABEL: func.func @while
// CHECK: pyarray.retain %arg0
// CHECK-NEXT: scf.while (%[[U:.*]] = %arg0)
// CHECK: pyarray.retain %[[U]]
// CHECK-NEXT: pyarray.release %[[U]]
// CHECK-NEXT: scf.condition
// CHECK: ^bb0(%[[V:.*]]: !pyarray.array<?xf64, C>):
// CHECK-NEXT: pyarray.retain %[[V]]
// CHECK-NEXT: pyarray.release %[[V]]
// CHECK-NEXT: scf.yield %[[V]]
func.func @while(%b: !pyarray.array<?xf64, C>, %c: i1) -> si64 {
  %r = scf.while (%u = %b) : (!pyarray.array<?xf64, C>) -> !pyarray.array<?xf64, C> {
    scf.condition(%c) %u : !pyarray.array<?xf64, C>
  } do {
  ^bb0(%v: !pyarray.array<?xf64, C>):
    scf.yield %v : !pyarray.array<?xf64, C>
  }
  %n = pyarray.builtin "builtins.len"(%r) : (!pyarray.array<?xf64, C>) -> si64
  return %n : si64
}

// -----

// CHECK-LABEL: func.func @no_arrays
// CHECK-NOT: pyarray.re{{tain|lease}}
func.func @no_arrays(%n: si64, %c: i1) -> si64 {
  %r = scf.if %c -> (si64) {
    scf.yield %n : si64
  } else {
    %m = pyarray.unary neg %n : (si64) -> si64
    scf.yield %m : si64
  }
  return %r : si64
}

// -----

// Nobody owns what a C pointer points to.
// CHECK-LABEL: func.func @foreign
// CHECK:         pyarray.builtin "pyarray.carray"
// CHECK-NOT:     pyarray.release
// CHECK:         pyarray.retain
// CHECK-NEXT:    return
func.func @foreign(%p: !pyarray.pointer<f64>, %n: si64) -> !pyarray.array<?xf64, C> {
  %a = pyarray.builtin "pyarray.carray"(%p, %n) : (!pyarray.pointer<f64>, si64) -> !pyarray.array<?xf64, C>
  %x = pyarray.getitem %a[%n] : (!pyarray.array<?xf64, C>, si64) -> f64
  return %a : !pyarray.array<?xf64, C>
}

// -----

// For a GPU all arrays are borrowed.
// CHECK-LABEL: func.func @borrowed
// CHECK-NOT: pyarray.retain
// CHECK-NOT: pyarray.release
func.func @borrowed(%c: i1, %a: !pyarray.array<?xf64, C>, %n: si64) -> !pyarray.none attributes {pyarray.options = {target = "cuda"}} {
  %s = pyarray.builtin "cuda.shared.array"(%n) : (si64) -> !pyarray.array<?xf64, C>
  %0 = scf.if %c -> !pyarray.array<?xf64, C> {
    scf.yield %a : !pyarray.array<?xf64, C>
  } else {
    scf.yield %s : !pyarray.array<?xf64, C>
  }
  %none = pyarray.constant unit -> !pyarray.none
  return %none : !pyarray.none
}

// -----

// A variable and what is loaded from it are owned; what a try gives back is retained in both regions.
// CHECK-LABEL: func.func @variable
// CHECK: %[[V:.*]] = pyarray.variable
// CHECK: %[[R:.*]] = pyarray.try {
// CHECK: pyarray.retain %arg0
// CHECK-NEXT: pyarray.yield %arg0
// CHECK: } except {
// CHECK: %[[L:.*]] = pyarray.load %[[V]]
// CHECK-NEXT: pyarray.retain %[[L]]
// CHECK-NEXT: pyarray.release %[[L]]
// CHECK-NEXT: pyarray.yield %[[L]]
// CHECK: }
// CHECK-NEXT: pyarray.release %[[V]]
func.func @variable(%a: !pyarray.array<?xf64, C>) -> !pyarray.array<?xf64, C> {
  %v = pyarray.variable : !pyarray.variable<!pyarray.array<?xf64, C>>
  %r = pyarray.try {
    pyarray.store %a, %v : !pyarray.array<?xf64, C>, !pyarray.variable<!pyarray.array<?xf64, C>>
    pyarray.yield %a : !pyarray.array<?xf64, C>
  } except {
    %b = pyarray.load %v : (!pyarray.variable<!pyarray.array<?xf64, C>>) -> !pyarray.array<?xf64, C>
    pyarray.yield %b : !pyarray.array<?xf64, C>
  } : !pyarray.array<?xf64, C>
  return %r : !pyarray.array<?xf64, C>
}

// An array whose address is a number lives as long as its block runs.
// CHECK-LABEL: func.func @address
// CHECK: pyarray.builtin "pyarray.data_address"
// CHECK: pyarray.builtin "pyarray.c_call"
// CHECK: pyarray.release
// CHECK-NEXT: return
func.func @address(%n: si64, %f: !pyarray.pointer<!pyarray.none>) -> f64 {
  %a = pyarray.builtin "numpy.zeros"(%n) : (si64) -> !pyarray.array<?xf64, C>
  %p = pyarray.builtin "pyarray.data_address"(%a) : (!pyarray.array<?xf64, C>) -> si64
  %s = pyarray.builtin "pyarray.c_call"(%f, %p, %n) : (!pyarray.pointer<!pyarray.none>, si64, si64) -> f64
  return %s : f64
}

// What a builtin gives as a view is not owned: the array lives until its last use.
// CHECK-LABEL: func.func @view_of_builtin
// CHECK: %[[A:.*]] = pyarray.builtin "numpy.zeros"
// CHECK: %[[V:.*]] = pyarray.builtin "array.reshape"
// CHECK-NOT: pyarray.release
// CHECK: pyarray.getitem %[[V]]
// CHECK: pyarray.release %[[A]]
// CHECK-NOT: pyarray.release
// CHECK: return
func.func @view_of_builtin(%n: si64) -> f64 {
  %a = pyarray.builtin "numpy.zeros"(%n) : (si64) -> !pyarray.array<?xf64, C>
  %v = pyarray.builtin "array.reshape"(%a, %n, %n) : (!pyarray.array<?xf64, C>, si64, si64) -> !pyarray.array<?x?xf64, C>
  %x = pyarray.getitem %v[%n, %n] : (!pyarray.array<?x?xf64, C>, si64, si64) -> f64
  return %x : f64
}
