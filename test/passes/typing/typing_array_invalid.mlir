// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file --verify-diagnostics

func.func @bool_index(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.instantiate = [(!pyarray.array<?xf64, C>) -> ()]} {
  %0 = pyarray.constant true -> !pyarray.any
  // expected-error@+1 {{indexing array(float64, 1d, C) by a bool is not compiled: NumPy takes it for a mask, which adds an axis}}
  %1 = pyarray.getitem %a[%0] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %1 : !pyarray.any
}

// -----

func.func @void_pointer(%p: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["p"], pyarray.instantiate = [(!pyarray.pointer<!pyarray.none>) -> ()]} {
  %0 = pyarray.constant 0 : si64 -> !pyarray.any
  // expected-error@+1 {{void* cannot be indexed: the type of its elements is not known}}
  %1 = pyarray.getitem %p[%0] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %1 : !pyarray.any
}
