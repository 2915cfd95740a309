// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file --verify-diagnostics | FileCheck %s

// Ints stay 64 bits wide, with the sign of the elements.
// CHECK-LABEL: func.func @prod$0
// CHECK: pyarray.builtin "math.prod"(%arg0, %{{.*}}) : (!pyarray.array<?xui8, C>, ui64) -> ui64
// CHECK: pyarray.builtin "math.prod"(%arg0, %arg1) : (!pyarray.array<?xui8, C>, f64) -> f64
func.func @prod(%a: !pyarray.any, %start: !pyarray.any) -> !pyarray.any
    attributes {pyarray.params = ["a", "start"], pyarray.instantiate = [(!pyarray.array<?xui8, C>, f64) -> ()]} {
  %f = pyarray.callable "math.prod" -> !pyarray.any
  %0 = pyarray.apply %f(%a) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %1 = pyarray.apply %f(%a, %start) kw ["start"] : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  %2 = pyarray.tuple %0, %1 : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %2 : !pyarray.any
}

// -----

// CHECK-LABEL: func.func @perm$0
// CHECK: pyarray.builtin "math.factorial"(%arg0) : (si64) -> si64
func.func @perm(%n: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["n"], pyarray.instantiate = [(si64) -> ()]} {
  %f = pyarray.callable "math.perm" -> !pyarray.any
  %0 = pyarray.apply %f(%n) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}

// -----

// float32 is summed up in more.
// CHECK-LABEL: func.func @sumprod$0
// CHECK: pyarray.builtin "math.sumprod"(%arg0, %arg0) : (!pyarray.array<?xf32, A>, !pyarray.array<?xf32, A>) -> f64
func.func @sumprod(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.instantiate = [(!pyarray.array<?xf32, A>) -> ()]} {
  %f = pyarray.callable "math.sumprod" -> !pyarray.any
  %0 = pyarray.apply %f(%a, %a) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}

// -----

func.func @positional(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.instantiate = [(!pyarray.array<?xf32, A>) -> ()]} {
  %f = pyarray.callable "math.prod" -> !pyarray.any
  // expected-error@+1 {{math.prod() takes 1 argument but 2 were given}}
  %0 = pyarray.apply %f(%a, %a) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}

// -----

func.func @complex(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.instantiate = [(!pyarray.array<?xcomplex<f32>, C>) -> ()]} {
  %f = pyarray.callable "math.fsum" -> !pyarray.any
  // expected-error@+1 {{math.fsum: argument 1 has type array(complex64, 1d, C); expected a 1-D array or tuple of real numbers}}
  %0 = pyarray.apply %f(%a) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}
