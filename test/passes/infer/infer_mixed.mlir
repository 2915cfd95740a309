// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file | FileCheck %s

// A list of ints beside one of floats is compared by the Python library; a list is never equal to a tuple.
// CHECK-LABEL: func.func @f$0(
// CHECK: %[[FALSE:.*]] = pyarray.constant false
// CHECK: %[[LESS:.*]] = pyarray.call @containers.less_lists$0(%arg1, %arg0)
// CHECK: pyarray.tuple %[[FALSE]], %[[LESS]]
func.func @f(%a: !pyarray.any, %b: !pyarray.any, %c: !pyarray.any) -> !pyarray.any attributes {
    pyarray.params = ["a", "b", "c"], pyarray.qualname = "f",
    pyarray.instantiate = [(!pyarray.list<si64>, !pyarray.list<f64>, tuple<si64>) -> ()],
    pyarray.options = {boundscheck = true, fastmath = false, error_model = "python", inline = "auto", parallel = false}} {
  %equal = pyarray.compare eq %a, %c : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %less = pyarray.compare gt %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %both = pyarray.tuple %equal, %less : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %both : !pyarray.any
}
