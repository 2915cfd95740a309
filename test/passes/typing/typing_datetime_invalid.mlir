// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file --verify-diagnostics

func.func @units(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any
    attributes {pyarray.params = ["a", "b"], pyarray.instantiate = [(!pyarray.timedelta<"Y">, !pyarray.timedelta<"D">) -> ()]} {
  // expected-error@+1 {{there is no common unit of timedelta64[Y] and timedelta64[D]: years and months have no fixed number of days}}
  %0 = pyarray.binary add %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func @factor(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any
    attributes {pyarray.params = ["a", "b"], pyarray.instantiate = [(!pyarray.timedelta<"W">, !pyarray.timedelta<"as">) -> ()]} {
  // expected-error@+1 {{there is no common unit of timedelta64[W] and timedelta64[as]: the factor between them is too large}}
  %0 = pyarray.compare lt %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func @operator(%a: !pyarray.any) -> !pyarray.any
    attributes {pyarray.params = ["a"], pyarray.instantiate = [(!pyarray.datetime<"D">) -> ()]} {
  // expected-error@+1 {{no operator '+' for operands of types datetime64[D] and datetime64[D]}}
  %0 = pyarray.binary add %a, %a : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func @store(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any
    attributes {pyarray.params = ["a", "b"], pyarray.instantiate = [(!pyarray.array<?x!pyarray.timedelta<"s">, C>, !pyarray.timedelta<"M">) -> ()]} {
  %zero = pyarray.constant 0 : si64 -> !pyarray.any
  // expected-error@+1 {{item assignment: cannot convert timedelta64[M] to timedelta64[s]}}
  pyarray.setitem %a[%zero] = %b : (!pyarray.any, !pyarray.any, !pyarray.any) -> ()
  return %b : !pyarray.any
}

// -----

func.func @isnat(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.instantiate = [(f64) -> ()]} {
  %isnat = pyarray.callable "numpy.isnat" -> !pyarray.any
  // expected-error@+1 {{numpy.isnat: argument 1 has type float64; expected a datetime or timedelta}}
  %0 = pyarray.apply %isnat(%a) kw [] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func @unit(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.instantiate = [(si64) -> ()]} {
  %class = pyarray.callable "numpy.datetime64" -> !pyarray.any
  // expected-error@+1 {{numpy.datetime64: an integer needs a unit}}
  %0 = pyarray.apply %class(%a) kw [] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}
