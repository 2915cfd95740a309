// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file --verify-diagnostics

func.func @no_match(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x"], pyarray.instantiate = [(!pyarray.array<?xf64, C>) -> ()]} {
  %f = pyarray.callable @double -> !pyarray.any
  // expected-error@+1 {{double(): no declared signature takes arguments of types (array(float64, 1d, C))}}
  %0 = pyarray.apply %f(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

func.func @double(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x"], pyarray.declared = [(f32) -> f32, (si64) -> si64]} {
  return %x : !pyarray.any
}

// -----

func.func @no_types(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x"], pyarray.instantiate = [(f64) -> ()]} {
  %f = pyarray.callable @double -> !pyarray.any
  // expected-error@+1 {{pyarray.declared holds function types}}
  %0 = pyarray.apply %f(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

func.func @double(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x"], pyarray.declared = [f32]} {
  return %x : !pyarray.any
}
