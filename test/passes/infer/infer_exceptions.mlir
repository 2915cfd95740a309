// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file | FileCheck %s
// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file | pyarray-opt --split-input-file

// A variable has the joined type of all that is stored; both regions give the results.
// CHECK-LABEL: func.func @caught$0
// CHECK: %[[V:.*]] = pyarray.variable : !pyarray.variable<f64>
// CHECK: %[[N:.*]] = pyarray.cast %arg0 : si64 to f64
// CHECK: pyarray.store %[[N]], %[[V]] : f64, !pyarray.variable<f64>
// CHECK: %[[R:.*]] = pyarray.try {
// CHECK: pyarray.store %{{.*}}, %[[V]] : f64
// CHECK: %[[W:.*]] = pyarray.cast %arg0 : si64 to f64
// CHECK: pyarray.yield %[[W]] : f64
// CHECK: } except {
// CHECK: %[[L:.*]] = pyarray.load %[[V]] : (!pyarray.variable<f64>) -> f64
// CHECK: pyarray.caught ["KeyError"]
// CHECK: %[[E:.*]] = pyarray.exception ["KeyError"] : !pyarray.exception<!pyarray.none>
// CHECK: pyarray.cause(%[[E]]) : (!pyarray.exception<!pyarray.none>) -> ()
// CHECK: pyarray.raise "m:Own"(%arg0) bases ["KeyError"] : (si64) -> ()
// CHECK: pyarray.yield %[[L]] : f64
// CHECK: } : f64
func.func @caught(%n: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(si64) -> ()]} {
  %v = pyarray.variable : !pyarray.any
  pyarray.store %n, %v : !pyarray.any, !pyarray.any
  %r = pyarray.try {
    %h = pyarray.constant 5.000000e-01 : f64 -> !pyarray.any
    pyarray.store %h, %v : !pyarray.any, !pyarray.any
    pyarray.yield %n : !pyarray.any
  } except {
    %x = pyarray.load %v : (!pyarray.any) -> !pyarray.any
    %is = pyarray.caught ["KeyError"]
    scf.if %is {
      %e = pyarray.exception ["KeyError"] : !pyarray.any
      pyarray.cause (%e) : (!pyarray.any) -> ()
      pyarray.raise "m:Own"(%n) bases ["KeyError"] : (!pyarray.any) -> ()
    }
    pyarray.yield %x : !pyarray.any
  } : !pyarray.any
  return %r : !pyarray.any
}

// -----

// Text and classes of the exception that is handled.
// CHECK-LABEL: func.func @asked$0
// CHECK: %[[E:.*]] = pyarray.exception ["Exception"] : !pyarray.exception<!pyarray.none>
// CHECK: %[[IS:.*]] = pyarray.builtin "exception.isinstance"(%[[E]]) {callee = "KeyError,m:Own"} : (!pyarray.exception<!pyarray.none>) -> i1
// CHECK: pyarray.builtin "exception.repr"(%[[E]]) : (!pyarray.exception<!pyarray.none>) -> !pyarray.str
func.func @asked(%n: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(si64) -> ()]} {
  %r = pyarray.try {
    pyarray.raise "KeyError"(%n) : (!pyarray.any) -> ()
    %u = pyarray.unbound : !pyarray.any
    pyarray.yield %u : !pyarray.any
  } except {
    %e = pyarray.exception ["Exception"] : !pyarray.any
    %isinstance = pyarray.callable "builtins.isinstance" -> !pyarray.any
    %classes = pyarray.callable "except KeyError,m:Own" -> !pyarray.any
    %is = pyarray.apply %isinstance(%e, %classes) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
    %repr = pyarray.callable "builtins.repr" -> !pyarray.any
    %text = pyarray.apply %repr(%e) : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %t = pyarray.tuple %is, %text : (!pyarray.any, !pyarray.any) -> !pyarray.any
    pyarray.yield %t : !pyarray.any
  } : !pyarray.any
  return %r : !pyarray.any
}

// -----

// The arguments have the types of the raises in sight, in a callee too; the class is compared by its name.
// CHECK-LABEL: func.func @arguments$0
// CHECK: %[[E:.*]] = pyarray.exception ["ValueError"] : !pyarray.exception<tuple<!pyarray.str, si64>>
// CHECK: %[[ARGS:.*]] = pyarray.builtin "exception.args"(%[[E]]) : (!pyarray.exception<tuple<!pyarray.str, si64>>) -> tuple<!pyarray.str, si64>
// CHECK: pyarray.builtin "exception.isinstance"(%[[E]]) {callee = "=ValueError"} : (!pyarray.exception<tuple<!pyarray.str, si64>>) -> i1
// CHECK: pyarray.builtin "exception.name"(%[[E]]) : (!pyarray.exception<tuple<!pyarray.str, si64>>) -> !pyarray.str
// CHECK: pyarray.tuple %[[ARGS]]
func.func @arguments(%n: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(si64) -> ()]} {
  %r = pyarray.try {
    %f = pyarray.callable @callee -> !pyarray.any
    %v = pyarray.apply %f(%n) : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %k = pyarray.constant "not caught here" -> !pyarray.any
    pyarray.raise "KeyError"(%k) : (!pyarray.any) -> ()
    %u = pyarray.unbound : !pyarray.any
    pyarray.yield %u : !pyarray.any
  } except {
    %e = pyarray.exception ["ValueError"] : !pyarray.any
    %args = pyarray.getattr %e "args" : (!pyarray.any) -> !pyarray.any
    %class = pyarray.getattr %e "__class__" : (!pyarray.any) -> !pyarray.any
    %wanted = pyarray.callable "except ValueError" -> !pyarray.any
    %is = pyarray.compare is %class, %wanted : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %name = pyarray.getattr %class "__name__" : (!pyarray.any) -> !pyarray.any
    %t = pyarray.tuple %args, %is, %name : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
    pyarray.yield %t : !pyarray.any
  } : !pyarray.any
  return %r : !pyarray.any
}
func.func private @callee(%n: !pyarray.any) -> !pyarray.any {
  %text = pyarray.constant "was" -> !pyarray.any
  pyarray.raise "m:Own"(%text, %n) bases ["ValueError", "Exception"] : (!pyarray.any, !pyarray.any) -> ()
  %u = pyarray.unbound : !pyarray.any
  return %u : !pyarray.any
}
