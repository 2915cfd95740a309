// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file --verify-diagnostics
// Calls that do not fit the signature of a FunctionType.

func.func @count(%f: !pyarray.any, %x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["f", "x"], pyarray.instantiate = [(!pyarray.tagged<"function value", "(d)d", !pyarray.pointer<!pyarray.none>>, f64) -> ()]} {
  // expected-error @below {{a function of type FunctionType[float64(float64)] takes 1 argument, but 2 were given}}
  %0 = pyarray.apply %f(%x, %x) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}

// -----

func.func @text(%f: !pyarray.any, %x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["f", "x"], pyarray.instantiate = [(!pyarray.tagged<"function value", "(d)d", !pyarray.pointer<!pyarray.none>>, !pyarray.str) -> ()]} {
  // expected-error @below {{argument 1 of a function: cannot convert unicode_type to float64}}
  %0 = pyarray.apply %f(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}

// -----

func.func @layout(%f: !pyarray.any, %x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["f", "x"], pyarray.instantiate = [(!pyarray.tagged<"function value", "([C1d)d", !pyarray.pointer<!pyarray.none>>, !pyarray.array<?xf64, A>) -> ()]} {
  // expected-error @below {{argument 1 of a function has type array(float64, 1d, A); its FunctionType has array(float64, 1d, C)}}
  %0 = pyarray.apply %f(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}

// -----

func.func @element(%f: !pyarray.any, %x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["f", "x"], pyarray.instantiate = [(!pyarray.tagged<"function value", "([A1f)d", !pyarray.pointer<!pyarray.none>>, !pyarray.array<?xf64, A>) -> ()]} {
  // expected-error @below {{argument 1 of a function has type array(float64, 1d, A); its FunctionType has array(float32, 1d, A)}}
  %0 = pyarray.apply %f(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}
