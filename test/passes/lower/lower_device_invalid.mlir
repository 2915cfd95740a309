// RUN: pyarray-opt %s --pyarray-lower --split-input-file --verify-diagnostics

func.func @shape(%n: si64) -> !pyarray.none attributes {pyarray.options = {boundscheck = false, target = "cuda"}} {
  // expected-error@below {{the shape of cuda.shared.array must be made of positive ints that are known}}
  %a = pyarray.builtin "cuda.shared.array"(%n) : (si64) -> !pyarray.array<?xf32, C>
  %none = pyarray.constant unit -> !pyarray.none
  return %none : !pyarray.none
}

// -----

func.func @negative() -> !pyarray.none attributes {pyarray.options = {boundscheck = false, target = "cuda"}} {
  %n = pyarray.constant -1 : si64 -> si64
  // expected-error@below {{the shape of cuda.local.array must be made of positive ints}}
  %a = pyarray.builtin "cuda.local.array"(%n) : (si64) -> !pyarray.array<?xf32, C>
  %none = pyarray.constant unit -> !pyarray.none
  return %none : !pyarray.none
}

// -----

func.func @no_memory(%n: si64) -> !pyarray.none attributes {pyarray.options = {boundscheck = false, target = "cuda"}} {
  // expected-error@below {{nothing is allocated on a GPU}}
  %a = pyarray.builtin "numpy.zeros"(%n) : (si64) -> !pyarray.array<?xf32, C>
  %none = pyarray.constant unit -> !pyarray.none
  return %none : !pyarray.none
}

// -----

func.func @no_runtime() -> si64 attributes {pyarray.options = {boundscheck = false, target = "cuda"}} {
  // expected-error@below {{this operation is not available on a GPU}}
  %0 = pyarray.builtin "pyarray.get_thread_id"() : () -> si64
  return %0 : si64
}

// -----

func.func @no_such_atomic(%a: !pyarray.array<?xf32, C>, %i: si64, %x: f32) -> f32 attributes {pyarray.options = {boundscheck = false, target = "cuda"}} {
  // expected-error@below {{cuda.atomic.and_ does not work on elements of type float32}}
  %0 = pyarray.builtin "cuda.atomic.and_"(%a, %i, %x) : (!pyarray.array<?xf32, C>, si64, f32) -> f32
  return %0 : f32
}

// -----

func.func @indices(%a: !pyarray.array<?x?xf32, C>, %i: si64, %x: f32) -> f32 attributes {pyarray.options = {boundscheck = false, target = "cuda"}} {
  // expected-error@below {{does not have operands and a result of these types}}
  %0 = pyarray.builtin "cuda.atomic.add"(%a, %i, %x) : (!pyarray.array<?x?xf32, C>, si64, f32) -> f32
  return %0 : f32
}

// -----

func.func @odd_alignment() -> !pyarray.none attributes {pyarray.options = {boundscheck = false, target = "cuda"}} {
  %n = pyarray.constant 24 : si64 -> si64
  // expected-error@below {{cuda.local.array: Alignment must be a power of 2}}
  %a = pyarray.builtin "cuda.local.array"(%n, %n) : (si64, si64) -> !pyarray.array<?xf32, C>
  %none = pyarray.constant unit -> !pyarray.none
  return %none : !pyarray.none
}
