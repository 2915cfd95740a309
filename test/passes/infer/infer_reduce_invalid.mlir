// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file --verify-diagnostics

func.func @times(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.instantiate = [(!pyarray.array<?x!pyarray.datetime<"D">, C>) -> ()]} {
  // expected-error@+1 {{ufunc 'add' cannot use operands with types dtype('datetime64[D]')}}
  %r = pyarray.method %a "sum"() kw [] : (!pyarray.any) -> !pyarray.any
  return %r : !pyarray.any
}

// -----

func.func @mask(%a: !pyarray.any, %m: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "m"], pyarray.instantiate = [(!pyarray.array<?xf64, C>, !pyarray.array<?xi1, C>) -> ()]} {
  // expected-error@+1 {{reduction operation 'minimum' does not have an identity}}
  %r = pyarray.method %a "min"(%m) kw ["where"] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %r : !pyarray.any
}
