// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file --verify-diagnostics

func.func @host() -> !pyarray.any attributes {pyarray.instantiate = [() -> ()]} {
  %x = pyarray.callable "cuda.threadIdx.x" -> !pyarray.any
  // expected-error@below {{cuda.threadIdx.x is only for functions that are compiled for a GPU}}
  %0 = pyarray.apply %x() : (!pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func @memory(%n: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(si64) -> ()], pyarray.options = {target = "cuda"}} {
  %zeros = pyarray.callable "numpy.random.seed" -> !pyarray.any
  // expected-error@below {{numpy.random.seed is not available on a GPU}}
  %0 = pyarray.apply %zeros(%n) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func @dimensions(%n: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(si64) -> ()], pyarray.options = {target = "cuda"}} {
  %grid = pyarray.callable "cuda.grid" -> !pyarray.any
  // expected-error@below {{the number of dimensions must be 1, 2 or 3, written out}}
  %0 = pyarray.apply %grid(%n) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func @element(%a: !pyarray.any, %i: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.array<?xsi8, C>, si64) -> ()], pyarray.options = {target = "cuda"}} {
  %add = pyarray.callable "cuda.atomic.add" -> !pyarray.any
  // expected-error@below {{cuda.atomic.add does not work on elements of type int8}}
  %0 = pyarray.apply %add(%a, %i, %i) : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func @signed(%a: !pyarray.any, %i: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.array<?xsi32, C>, si64) -> ()], pyarray.options = {target = "cuda"}} {
  %inc = pyarray.callable "cuda.atomic.inc" -> !pyarray.any
  // expected-error@below {{cuda.atomic.inc does not work on elements of type int32}}
  %0 = pyarray.apply %inc(%a, %i, %i) : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func @readonly(%a: !pyarray.any, %i: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.array<?xsi32, C, readonly>, si64) -> ()], pyarray.options = {target = "cuda"}} {
  %add = pyarray.callable "cuda.atomic.add" -> !pyarray.any
  // expected-error@below {{the array is read-only}}
  %0 = pyarray.apply %add(%a, %i, %i) : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

// -----

func.func @constant(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.array<?xsi32, C>) -> ()], pyarray.options = {target = "cuda"}} {
  %like = pyarray.callable "cuda.const.array_like" -> !pyarray.any
  // expected-error@below {{the argument must be a global array}}
  %0 = pyarray.apply %like(%a) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}
