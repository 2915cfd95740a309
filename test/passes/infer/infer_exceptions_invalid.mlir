// RUN: not pyarray-opt %s --pyarray-infer-types --split-input-file 2>&1 | FileCheck %s

// CHECK: error: a value of type array(float64, 1d, C) as an exception's argument is not compiled yet
func.func @argument(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.array<?xf64, C>) -> ()]} {
  pyarray.raise "ValueError"(%a) : (!pyarray.any) -> ()
  return %a : !pyarray.any
}

// -----

// CHECK: error: exceptions must derive from BaseException, and array(float64, 1d, C) does not
func.func @value(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.array<?xf64, C>) -> ()]} {
  pyarray.reraise(%a : !pyarray.any)
  return %a : !pyarray.any
}

// -----

// CHECK: error: exception causes must derive from BaseException, and array(float64, 1d, C) does not
func.func @cause(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.array<?xf64, C>) -> ()]} {
  pyarray.cause (%a) : (!pyarray.any) -> ()
  pyarray.raise "ValueError"() : () -> ()
  return %a : !pyarray.any
}

// -----

// CHECK: error: an exception that leaves the handler which caught it is not compiled yet
func.func @leaves(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.array<?xf64, C>) -> ()]} {
  %r = pyarray.try {
    %u = pyarray.unbound : !pyarray.any
    pyarray.yield %u : !pyarray.any
  } except {
    %e = pyarray.exception ["KeyError"] : !pyarray.any
    pyarray.yield %e : !pyarray.any
  } : !pyarray.any
  return %a : !pyarray.any
}

// -----

// CHECK: error: the attribute '__notes__' of an exception is not compiled
func.func @attribute(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.array<?xf64, C>) -> ()]} {
  pyarray.try {
  } except {
    %e = pyarray.exception ["KeyError"] : !pyarray.any
    %x = pyarray.getattr %e "__notes__" : (!pyarray.any) -> !pyarray.any
  }
  return %a : !pyarray.any
}

// -----

// CHECK: error: the exception's arguments have several types: UniTuple(int64, 1) in line {{[0-9]+}}, UniTuple(float64, 1) in line {{[0-9]+}}
func.func @several(%n: !pyarray.any, %x: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(si64, f64) -> ()]} {
  %r = pyarray.try {
    %t = pyarray.truth %n : !pyarray.any
    scf.if %t {
      pyarray.raise "ValueError"(%n) : (!pyarray.any) -> ()
    }
    pyarray.raise "ValueError"(%x) : (!pyarray.any) -> ()
    %u = pyarray.unbound : !pyarray.any
    pyarray.yield %u : !pyarray.any
  } except {
    %e = pyarray.exception ["ValueError"] : !pyarray.any
    %args = pyarray.getattr %e "args" : (!pyarray.any) -> !pyarray.any
    pyarray.yield %args : !pyarray.any
  } : !pyarray.any
  return %r : !pyarray.any
}
