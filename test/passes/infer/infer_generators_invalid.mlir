// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file --verify-diagnostics

func.func @entry(%n: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(si64) -> ()], pyarray.generator} {
  %text = pyarray.constant "a" -> !pyarray.any
  pyarray.suspend %n : !pyarray.any
  // expected-error@+1 {{cannot unify int64 and unicode_type for what the generator yields}}
  pyarray.suspend %text : !pyarray.any
  func.return %n : !pyarray.any
}

// -----

func.func @entry(%n: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(si64) -> ()]} {
  %f = pyarray.callable @wants -> !pyarray.any
  // expected-error@+1 {{wants(): 'r' must be known when the function is compiled}}
  %t = pyarray.apply %f(%n) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %t : !pyarray.any
}
func.func @wants(%r: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["r"], pyarray.literals = array<i64: 0>} {
  func.return %r : !pyarray.any
}
