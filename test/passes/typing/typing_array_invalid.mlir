// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file --verify-diagnostics

func.func @void_pointer(%p: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["p"], pyarray.instantiate = [(!pyarray.pointer<!pyarray.none>) -> ()]} {
  %0 = pyarray.constant 0 : si64 -> !pyarray.any
  // expected-error@+1 {{void* cannot be indexed: the type of its elements is not known}}
  %1 = pyarray.getitem %p[%0] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %1 : !pyarray.any
}
