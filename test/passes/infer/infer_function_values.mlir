// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file | FileCheck %s
// Values of a FunctionType: arguments are converted to the types of the signature, arrays keep what is known of them.

// CHECK-LABEL: func.func @number$0(%arg0: !pyarray.pointer<!pyarray.none>, %arg1: si64) -> f64
// CHECK: %[[X:.*]] = pyarray.cast %arg1 : si64 to f64
// CHECK: pyarray.builtin "pyarray.function_call"(%arg0, %[[X]]) : (!pyarray.pointer<!pyarray.none>, f64) -> f64
func.func @number(%f: !pyarray.any, %x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["f", "x"], pyarray.instantiate = [(!pyarray.tagged<"function value", "(d)d", !pyarray.pointer<!pyarray.none>>, si64) -> ()]} {
  %0 = pyarray.apply %f(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}

// -----

// CHECK-LABEL: func.func @array$0
// CHECK: pyarray.builtin "pyarray.function_call"(%arg0, %arg1) : (!pyarray.pointer<!pyarray.none>, !pyarray.array<?xf64, C>) -> !pyarray.str
func.func @array(%f: !pyarray.any, %a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["f", "a"], pyarray.instantiate = [(!pyarray.tagged<"function value", "([A1d)U", !pyarray.pointer<!pyarray.none>>, !pyarray.array<?xf64, C>) -> ()]} {
  %0 = pyarray.apply %f(%a) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}
