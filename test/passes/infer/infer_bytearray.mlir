// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file | FileCheck %s

// Operators on a bytearray are functions of the Python library; a method of bytes takes a copy of its bytes, and gives a bytearray.
// CHECK-LABEL: func.func @f$0(%arg0: !pyarray.bytearray, %arg1: !pyarray.bytes)
// CHECK: %[[BYTES:.*]] = pyarray.builtin "pyarray.library._intrinsics.bytes_of_bytearray"(%arg0)
// CHECK: %[[UPPER:.*]] = pyarray.builtin "bytes.upper"(%[[BYTES]])
// CHECK: %[[ARRAY:.*]] = pyarray.builtin "pyarray.library._intrinsics.bytearray_of_bytes"(%[[UPPER]])
// CHECK: pyarray.call @bytearray.joined$0(%[[ARRAY]], %arg1)
func.func @f(%b: !pyarray.any, %c: !pyarray.any) -> !pyarray.any attributes {
    pyarray.params = ["b", "c"], pyarray.qualname = "f", pyarray.instantiate = [(!pyarray.bytearray, !pyarray.bytes) -> ()],
    pyarray.options = {boundscheck = true, fastmath = false, error_model = "python", inline = "auto", parallel = false}} {
  %upper = pyarray.method %b "upper"() : (!pyarray.any) -> !pyarray.any
  %sum = pyarray.binary add %upper, %c : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %sum : !pyarray.any
}
