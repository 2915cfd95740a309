// RUN: pyarray-opt %s --split-input-file --pyarray-infer-types --verify-diagnostics

// What is wrong within a function of the library is wrong with its call.
func.func @sum_of_number(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x"], pyarray.instantiate = [(f64) -> ()]} {
  %f = pyarray.callable "builtins.sum" -> !pyarray.any
  // expected-error@+1 {{sum(): }}
  %0 = pyarray.apply %f(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func @too_many(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x"], pyarray.instantiate = [(f64) -> ()]} {
  %f = pyarray.callable "heapq.heappop" -> !pyarray.any
  // expected-error@+1 {{heapq.heappop() takes 1 argument but 2 were given}}
  %0 = pyarray.apply %f(%x, %x) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func @no_class(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x"], pyarray.instantiate = [(f64) -> ()]} {
  %f = pyarray.callable "builtins.isinstance" -> !pyarray.any
  // expected-error@+1 {{isinstance() arg 2 must be a class that compiled code knows, or a tuple of them}}
  %0 = pyarray.apply %f(%x, %x) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func @unknown(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x"], pyarray.instantiate = [(f64) -> ()]} {
  %f = pyarray.callable @heapq._nothing -> !pyarray.any
  // expected-error@+1 {{the module has no function @heapq._nothing}}
  %0 = pyarray.apply %f(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}
