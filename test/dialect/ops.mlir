// RUN: pyarray-opt %s | pyarray-opt | FileCheck %s
// RUN: pyarray-opt %s --emit-bytecode | pyarray-opt | FileCheck %s
// RUN: pyarray-opt %s --mlir-print-op-generic | pyarray-opt | FileCheck %s

// CHECK-LABEL: func.func @untyped
func.func @untyped(%x: !pyarray.any, %y: !pyarray.any) -> !pyarray.any {
  // CHECK: pyarray.constant 3 : si64 -> !pyarray.any
  %int = pyarray.constant 3 : si64 -> !pyarray.any
  // CHECK: pyarray.constant 1.500000e+00 : f64 -> !pyarray.any
  %float = pyarray.constant 1.5 : f64 -> !pyarray.any
  // CHECK: pyarray.constant true -> !pyarray.any
  %bool = pyarray.constant true -> !pyarray.any
  // CHECK: pyarray.constant unit -> !pyarray.any
  %none = pyarray.constant unit -> !pyarray.any
  // CHECK: pyarray.constant "text" -> !pyarray.any
  %str = pyarray.constant "text" -> !pyarray.any
  // CHECK: pyarray.constant #complex.number<:f64 1.000000e+00, 2.000000e+00>
  %complex = pyarray.constant #complex.number<:f64 1.0, 2.0> -> !pyarray.any
  // CHECK: pyarray.callable "math.sqrt" -> !pyarray.any
  %sqrt = pyarray.callable "math.sqrt" -> !pyarray.any
  // CHECK: pyarray.callable @typed -> !pyarray.any
  %typed = pyarray.callable @typed -> !pyarray.any
  // CHECK: pyarray.frozen_array dense<[1, 2]> : tensor<2xsi64> -> !pyarray.any
  %frozen = pyarray.frozen_array dense<[1, 2]> : tensor<2xsi64> -> !pyarray.any
  // CHECK: pyarray.unbound : !pyarray.any
  %unbound = pyarray.unbound : !pyarray.any
  // CHECK: pyarray.binary floordiv %arg0, %arg1 : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %0 = pyarray.binary floordiv %x, %y : (!pyarray.any, !pyarray.any) -> !pyarray.any
  // CHECK: pyarray.binary add %{{.*}}, %arg1 inplace :
  %1 = pyarray.binary add %0, %y inplace : (!pyarray.any, !pyarray.any) -> !pyarray.any
  // CHECK: pyarray.unary neg
  %2 = pyarray.unary neg %1 : (!pyarray.any) -> !pyarray.any
  // CHECK: pyarray.compare isnot
  %3 = pyarray.compare isnot %2, %none : (!pyarray.any, !pyarray.any) -> !pyarray.any
  // CHECK: pyarray.truth %{{.*}} : !pyarray.any
  %truth = pyarray.truth %3 : !pyarray.any
  // CHECK: pyarray.tuple %arg0, %arg1 : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %tuple = pyarray.tuple %x, %y : (!pyarray.any, !pyarray.any) -> !pyarray.any
  // CHECK: pyarray.tuple : () -> !pyarray.any
  %empty = pyarray.tuple : () -> !pyarray.any
  // CHECK: pyarray.unpack %{{.*}} : (!pyarray.any) -> (!pyarray.any, !pyarray.any)
  %a, %b = pyarray.unpack %tuple : (!pyarray.any) -> (!pyarray.any, !pyarray.any)
  // CHECK: pyarray.slice
  %slice = pyarray.slice %int, %none, %none : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  // CHECK: pyarray.getitem %arg0[%{{.*}}, %{{.*}}] :
  %item = pyarray.getitem %x[%slice, %int] : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  // CHECK: pyarray.getitem %arg0[] :
  %whole = pyarray.getitem %x[] : (!pyarray.any) -> !pyarray.any
  // CHECK: pyarray.setitem %arg0[%{{.*}}] = %{{.*}} : (!pyarray.any, !pyarray.any, !pyarray.any) -> ()
  pyarray.setitem %x[%int] = %item : (!pyarray.any, !pyarray.any, !pyarray.any) -> ()
  // CHECK: pyarray.getattr %arg0 "shape"
  %shape = pyarray.getattr %x "shape" : (!pyarray.any) -> !pyarray.any
  // CHECK: pyarray.apply %{{.*}}(%arg0, %arg1) kw ["base"] :
  %apply = pyarray.apply %sqrt(%x, %y) kw ["base"] : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  // CHECK: pyarray.method %arg0 "copy"() :
  %method = pyarray.method %x "copy"() : (!pyarray.any) -> !pyarray.any
  // CHECK: pyarray.for (%{{.*}}: !pyarray.any, %{{.*}}: !pyarray.any) in %arg0 : !pyarray.any iter(%{{.*}}) {
  %sum = pyarray.for (%i: !pyarray.any, %acc: !pyarray.any) in %x : !pyarray.any iter(%int) {
    %next = pyarray.binary add %acc, %i : (!pyarray.any, !pyarray.any) -> !pyarray.any
    // CHECK: pyarray.yield %{{.*}} : !pyarray.any
    pyarray.yield %next : !pyarray.any
  }
  // CHECK: pyarray.for (%{{.*}}: !pyarray.any) in %arg0 : !pyarray.any {
  pyarray.for (%i: !pyarray.any) in %x : !pyarray.any {
  }
  // CHECK: pyarray.iter_more %arg0, %{{.*}} : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %more = pyarray.iter_more %x, %int : (!pyarray.any, !pyarray.any) -> !pyarray.any
  // CHECK: pyarray.iter_length
  %length = pyarray.iter_length %x : (!pyarray.any) -> !pyarray.any
  // CHECK: pyarray.iter_item
  %first = pyarray.iter_item %x, %int : (!pyarray.any, !pyarray.any) -> !pyarray.any
  // CHECK: pyarray.raise "ValueError"(%{{.*}}) : (!pyarray.any) -> ()
  pyarray.raise "ValueError"(%str) : (!pyarray.any) -> ()
  func.return %sum : !pyarray.any
}

// CHECK-LABEL: func.func @typed
func.func @typed(%a: !pyarray.array<?xf64, C>, %x: f64) -> f64 {
  // CHECK: pyarray.cast %arg0 : !pyarray.array<?xf64, C> to !pyarray.array<?xf64, A>
  %0 = pyarray.cast %a : !pyarray.array<?xf64, C> to !pyarray.array<?xf64, A>
  // CHECK: pyarray.retain %{{.*}} : !pyarray.array<?xf64, A>
  pyarray.retain %0 : !pyarray.array<?xf64, A>
  // CHECK: pyarray.release %{{.*}} : !pyarray.array<?xf64, A>
  pyarray.release %0 : !pyarray.array<?xf64, A>
  // CHECK: pyarray.call @typed(%arg0, %arg1) : (!pyarray.array<?xf64, C>, f64) -> f64
  %1 = pyarray.call @typed(%a, %x) : (!pyarray.array<?xf64, C>, f64) -> f64
  // CHECK: pyarray.builtin "math.sqrt"(%{{.*}}) : (f64) -> f64
  %2 = pyarray.builtin "math.sqrt"(%1) : (f64) -> f64
  func.return %2 : f64
}

// CHECK-LABEL: func.func @generators
func.func @generators(%g: !pyarray.generator<f64>) {
  // CHECK: pyarray.breakable {
  pyarray.breakable {
    // CHECK: %{{.*}}, %{{.*}} = pyarray.iter_next %arg0 : (!pyarray.generator<f64>) -> (i1, f64)
    %more, %item = pyarray.iter_next %g : (!pyarray.generator<f64>) -> (i1, f64)
    scf.if %more {
      // CHECK: pyarray.break
      pyarray.break
    }
  }
  func.return
}

// CHECK-LABEL: func.func @yields
func.func @yields(%x: !pyarray.any) attributes {pyarray.generator} {
  // CHECK: pyarray.suspend %arg0 : !pyarray.any
  pyarray.suspend %x : !pyarray.any
  func.return
}
