// Level 1: what may call anybody's code is neither removed, merged nor moved; what makes or names a value may be.

// RUN: pyarray-opt %s --cse | FileCheck %s --check-prefixes=KEPT,CHECK
// RUN: pyarray-opt %s --canonicalize --sccp | FileCheck %s --check-prefixes=KEPT,CHECK
// RUN: pyarray-opt %s --loop-invariant-code-motion | FileCheck %s --check-prefixes=KEPT,MOVED

// KEPT-LABEL: func.func @runs_code
// KEPT: scf.for
// KEPT-COUNT-2: {{^      .*}}pyarray.binary add
// KEPT-COUNT-2: {{^      .*}}pyarray.binary add {{.*}}inplace
// KEPT-COUNT-2: {{^      .*}}pyarray.unary neg
// KEPT-COUNT-2: {{^      .*}}pyarray.compare lt
// KEPT-COUNT-2: {{^      .*}}pyarray.compare in
// KEPT-COUNT-2: {{^      .*}}pyarray.truth
// KEPT-COUNT-2: {{^      .*}}pyarray.dict
// KEPT-COUNT-2: {{^      .*}}pyarray.set
// KEPT-COUNT-2: {{^      .*}}pyarray.unpack
// KEPT-COUNT-2: {{^      .*}}pyarray.getitem
// KEPT-COUNT-2: {{^      .*}}pyarray.setitem
// KEPT-COUNT-2: {{^      .*}}pyarray.delitem
// KEPT-COUNT-2: {{^      .*}}pyarray.getattr
// KEPT-COUNT-2: {{^      .*}}pyarray.setattr
// KEPT-COUNT-2: {{^      .*}}pyarray.apply
// KEPT-COUNT-2: {{^      .*}}pyarray.method
// KEPT-COUNT-2: {{^      .*}}pyarray.iterator
// KEPT-COUNT-2: {{^      .*}}pyarray.iter_more
// KEPT-COUNT-2: {{^      .*}}pyarray.iter_item
// KEPT-COUNT-2: {{^      .*}}pyarray.iter_length
// KEPT-COUNT-2: {{^      .*}}pyarray.for
func.func @runs_code(%a: !pyarray.any, %b: !pyarray.any, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %0 = pyarray.binary add %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %1 = pyarray.binary add %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %2 = pyarray.binary add %a, %b inplace : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %3 = pyarray.binary add %a, %b inplace : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %4 = pyarray.unary neg %a : (!pyarray.any) -> !pyarray.any
    %5 = pyarray.unary neg %a : (!pyarray.any) -> !pyarray.any
    %6 = pyarray.compare lt %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %7 = pyarray.compare lt %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %8 = pyarray.compare in %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %9 = pyarray.compare in %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %10 = pyarray.truth %a : !pyarray.any
    %11 = pyarray.truth %a : !pyarray.any
    %12 = pyarray.dict %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %13 = pyarray.dict %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %14 = pyarray.set %a : (!pyarray.any) -> !pyarray.any
    %15 = pyarray.set %a : (!pyarray.any) -> !pyarray.any
    %16:2 = pyarray.unpack %a : (!pyarray.any) -> (!pyarray.any, !pyarray.any)
    %17:2 = pyarray.unpack %a : (!pyarray.any) -> (!pyarray.any, !pyarray.any)
    %18 = pyarray.getitem %a[%b] : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %19 = pyarray.getitem %a[%b] : (!pyarray.any, !pyarray.any) -> !pyarray.any
    pyarray.setitem %a[%b] = %b : (!pyarray.any, !pyarray.any, !pyarray.any) -> ()
    pyarray.setitem %a[%b] = %b : (!pyarray.any, !pyarray.any, !pyarray.any) -> ()
    pyarray.delitem %a[%b] : (!pyarray.any, !pyarray.any) -> ()
    pyarray.delitem %a[%b] : (!pyarray.any, !pyarray.any) -> ()
    %20 = pyarray.getattr %a "x" : (!pyarray.any) -> !pyarray.any
    %21 = pyarray.getattr %a "x" : (!pyarray.any) -> !pyarray.any
    pyarray.setattr %a "x" = %b : (!pyarray.any, !pyarray.any) -> ()
    pyarray.setattr %a "x" = %b : (!pyarray.any, !pyarray.any) -> ()
    %22 = pyarray.apply %a(%b) : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %23 = pyarray.apply %a(%b) : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %24 = pyarray.method %a "x"(%b) : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %25 = pyarray.method %a "x"(%b) : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %26 = pyarray.iterator %a : (!pyarray.any) -> !pyarray.any
    %27 = pyarray.iterator %a : (!pyarray.any) -> !pyarray.any
    %28 = pyarray.iter_more %a, %b : (!pyarray.any, !pyarray.any) -> i1
    %29 = pyarray.iter_more %a, %b : (!pyarray.any, !pyarray.any) -> i1
    %30 = pyarray.iter_item %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %31 = pyarray.iter_item %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %32 = pyarray.iter_length %a : (!pyarray.any) -> !pyarray.any
    %33 = pyarray.iter_length %a : (!pyarray.any) -> !pyarray.any
    pyarray.for (%x: !pyarray.any) in %a : !pyarray.any {
    }
    pyarray.for (%x: !pyarray.any) in %a : !pyarray.any {
    }
  }
  return
}

// Raising, and where an exception is handled. A raise in a region keeps what holds it.
// KEPT-LABEL: func.func @raises
// KEPT: pyarray.try
// KEPT: pyarray.cause
// KEPT: pyarray.raise "ValueError"
// KEPT: except
// KEPT: pyarray.reraise
// KEPT: pyarray.breakable
// KEPT: pyarray.break
func.func @raises(%a: !pyarray.any, %c: i1) {
  pyarray.try {
    pyarray.cause () : () -> ()
    pyarray.raise "ValueError"(%a) : (!pyarray.any) -> ()
  } except {
    pyarray.reraise
  }
  pyarray.breakable {
    scf.if %c {
      pyarray.break
    }
  }
  return
}

// KEPT-LABEL: func.func @yields
// KEPT-COUNT-2: pyarray.suspend
func.func @yields(%a: !pyarray.any) attributes {pyarray.generator} {
  pyarray.suspend %a : !pyarray.any
  pyarray.suspend %a : !pyarray.any
  return
}

// What the handler reads belongs to it.
// KEPT-LABEL: func.func @variable
// KEPT: pyarray.variable
// KEPT: pyarray.store
// KEPT: pyarray.load
// KEPT: pyarray.store
// KEPT: pyarray.load
func.func @variable(%a: !pyarray.any, %b: !pyarray.any) -> (!pyarray.any, !pyarray.any) {
  %v = pyarray.variable : !pyarray.any
  pyarray.store %a, %v : !pyarray.any, !pyarray.any
  %0 = pyarray.load %v : (!pyarray.any) -> !pyarray.any
  pyarray.store %b, %v : !pyarray.any, !pyarray.any
  %1 = pyarray.load %v : (!pyarray.any) -> !pyarray.any
  return %0, %1 : !pyarray.any, !pyarray.any
}

// What only names or makes a value, and what nothing uses, goes.
// CHECK-LABEL: func.func @computes
// CHECK-NOT: pyarray.{{constant|callable|closure|tuple|slice|list|unbound|compare}}
// CHECK: return
// MOVED-LABEL: func.func @computes
// MOVED: pyarray.constant
// MOVED: pyarray.callable
// MOVED: pyarray.closure
// MOVED: pyarray.tuple
// MOVED: pyarray.slice
// MOVED: pyarray.compare is
// MOVED: pyarray.unbound
// MOVED: scf.for
// MOVED-NEXT: pyarray.list
// MOVED-NEXT: }
func.func @computes(%a: !pyarray.any, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %0 = pyarray.constant 3 : si64 -> !pyarray.any
    %1 = pyarray.callable "math.sqrt" -> !pyarray.any
    %2 = pyarray.closure @variable(%a) : (!pyarray.any) -> !pyarray.any
    %3 = pyarray.tuple %0, %a : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %4 = pyarray.slice %0, %0, %0 : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
    %5 = pyarray.compare is %a, %0 : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %6 = pyarray.unbound : !pyarray.any
    %7 = pyarray.list %a : (!pyarray.any) -> !pyarray.any
  }
  return
}

// Two lists are two lists.
// KEPT-LABEL: func.func @lists
// KEPT-COUNT-2: pyarray.list
func.func @lists(%a: !pyarray.any) -> (!pyarray.any, !pyarray.any) {
  %0 = pyarray.list %a : (!pyarray.any) -> !pyarray.any
  %1 = pyarray.list %a : (!pyarray.any) -> !pyarray.any
  return %0, %1 : !pyarray.any, !pyarray.any
}
