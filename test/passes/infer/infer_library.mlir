// RUN: pyarray-opt %s --split-input-file --pyarray-infer-types | FileCheck %s

// A function of the Python library is cloned by its canonical name, and so is what it calls; tracebacks do not show it.
// CHECK-LABEL: func.func @total$0(
// CHECK-SAME:    %[[A:.*]]: !pyarray.array<?xf64, C>) -> f64
// CHECK:         %[[START:.*]] = pyarray.constant 0 : si64
// CHECK:         %[[R:.*]] = pyarray.call @builtins.sum$0(%[[A]], %[[START]]) : (!pyarray.array<?xf64, C>, si64) -> f64
// CHECK:         return %[[R]]
// CHECK-LABEL: func.func private @builtins.sum$0(
// CHECK-SAME:    pyarray.no_frame
func.func @total(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.instantiate = [(!pyarray.array<?xf64, C>) -> ()]} {
  %f = pyarray.callable "builtins.sum" -> !pyarray.any
  %0 = pyarray.apply %f(%a) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

// CHECK-LABEL: func.func @push$0(
// CHECK:         pyarray.call @heapq.heappush$0
// CHECK-LABEL: func.func private @heapq.heappush$0(
// CHECK:         pyarray.call @heapq._rise$0
// CHECK:       func.func private @heapq._rise$0(
// CHECK-NOT:   heapq.heappop
func.func @push(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.instantiate = [(!pyarray.list<f64>) -> ()]} {
  %f = pyarray.callable "heapq.heappush" -> !pyarray.any
  %x = pyarray.constant 1.0 : f64 -> !pyarray.any
  %0 = pyarray.apply %f(%a, %x) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

// Only what the builtin's own rule does not do is the library's: max of an array, not of numbers.
// CHECK-LABEL: func.func @greatest$0(
// CHECK:         pyarray.call @builtins.max$0
// CHECK:         pyarray.builtin "builtins.max"
func.func @greatest(%a: !pyarray.any, %x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "x"], pyarray.instantiate = [(!pyarray.array<?xf64, C>, f64) -> ()]} {
  %f = pyarray.callable "builtins.max" -> !pyarray.any
  %0 = pyarray.apply %f(%a) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %1 = pyarray.apply %f(%0, %x) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %1 : !pyarray.any
}

// -----

// isinstance is decided, and the branch that is not taken has no types.
// CHECK-LABEL: func.func @kind$0(
// CHECK-NOT:     scf.if
// CHECK:         pyarray.constant 1 : si64
// CHECK-NOT:     pyarray.binary
// CHECK:         return
func.func @kind(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x"], pyarray.instantiate = [(f64) -> ()]} {
  %f = pyarray.callable "builtins.isinstance" -> !pyarray.any
  %float = pyarray.callable "builtins.float" -> !pyarray.any
  %array = pyarray.callable "numpy.ndarray" -> !pyarray.any
  %classes = pyarray.tuple %float, %array : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %0 = pyarray.apply %f(%x, %classes) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  %1 = pyarray.truth %0 : !pyarray.any
  %one = pyarray.constant 1 : si64 -> !pyarray.any
  %2 = scf.if %1 -> !pyarray.any {
    scf.yield %one : !pyarray.any
  } else {
    %3 = pyarray.binary matmul %x, %one : (!pyarray.any, !pyarray.any) -> !pyarray.any
    scf.yield %3 : !pyarray.any
  }
  return %2 : !pyarray.any
}
