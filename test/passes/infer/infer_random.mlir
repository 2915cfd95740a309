// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file | FileCheck %s

!rng = !pyarray.tagged<"random", "Generator", !pyarray.array<?xui64, C>>

// A method is a function of the library, which calls NumPy's by its name.
// CHECK-LABEL: func.func @f$0(%arg0: !pyarray.array<?xui64, C>) -> f64
// CHECK: pyarray.call @numpy.generator.standard_cauchy$0(%arg0
// CHECK: pyarray.builtin "pyarray.library._intrinsics.draw"(%{{.*}}) {callee = "random_standard_cauchy"} : (!pyarray.array<?xui64, C>) -> f64
func.func @f(%rng: !pyarray.any) -> !pyarray.any attributes {
    pyarray.params = ["rng"], pyarray.qualname = "f", pyarray.instantiate = [(!rng) -> ()],
    pyarray.options = {boundscheck = true, fastmath = false, error_model = "python", inline = "auto", parallel = false}} {
  %x = pyarray.method %rng "standard_cauchy"() : (!pyarray.any) -> !pyarray.any
  return %x : !pyarray.any
}

// -----

!rng = !pyarray.tagged<"random", "Generator", !pyarray.array<?xui64, C>>

// Iterations that share one run in order; those that take one of a list do not.
// CHECK-LABEL: func.func @loops$0
// CHECK: pyarray.for
// CHECK: } {pyarray.serial = "its iterations share a Generator; {{.*}}"}
// CHECK: pyarray.for
// CHECK-NOT: pyarray.serial
// CHECK: return
func.func @loops(%rng: !pyarray.any, %rngs: !pyarray.any, %n: !pyarray.any) -> !pyarray.any attributes {
    pyarray.params = ["rng", "rngs", "n"], pyarray.qualname = "loops",
    pyarray.instantiate = [(!rng, !pyarray.list<!rng>, si64) -> ()],
    pyarray.options = {boundscheck = true, fastmath = false, error_model = "python", inline = "auto", parallel = true}} {
  %prange = pyarray.callable "pyarray.prange" -> !pyarray.any
  %range = pyarray.apply %prange(%n) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  pyarray.for (%i: !pyarray.any) in %range : !pyarray.any {
    %x = pyarray.method %rng "standard_cauchy"() : (!pyarray.any) -> !pyarray.any
    pyarray.yield
  }
  pyarray.for (%i: !pyarray.any) in %range : !pyarray.any {
    %own = pyarray.getitem %rngs[%i] : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %x = pyarray.method %own "standard_cauchy"() : (!pyarray.any) -> !pyarray.any
    pyarray.yield
  }
  return %n : !pyarray.any
}
