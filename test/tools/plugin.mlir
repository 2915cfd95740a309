// The dialect and passes in a stock mlir-opt.

// REQUIRES: plugin
// RUN: mlir-opt --load-dialect-plugin=%build/lib/pyarray_mlir_plugin.so --load-pass-plugin=%build/lib/pyarray_mlir_plugin.so \
// RUN:   --pass-pipeline='builtin.module(func.func(cse),pyarray-inline{threshold=3})' %s | FileCheck %s
// RUN: not mlir-opt --load-dialect-plugin=%build/lib/pyarray_mlir_plugin.so --load-pass-plugin=%build/lib/pyarray_mlir_plugin.so \
// RUN:   --pass-pipeline='builtin.module(pyarray-check-lowered)' %s 2>&1 | FileCheck %s --check-prefix=ERROR

// RUN: mlir-opt --load-dialect-plugin=%build/lib/pyarray_mlir_plugin.so --load-pass-plugin=%build/lib/pyarray_mlir_plugin.so --help | FileCheck %s --check-prefix=PIPELINES

// PIPELINES: --pyarray-cpu

// CHECK-LABEL: func.func @numbers
// CHECK: pyarray.unary neg
// CHECK-NOT: pyarray.unary neg
func.func @numbers(%x: f64) -> (f64, f64) {
  %0 = pyarray.unary neg %x : (f64) -> f64
  %1 = pyarray.unary neg %x : (f64) -> f64
  return %0, %1 : f64, f64
}

// What -x calls is not known.
// CHECK-LABEL: func.func @untyped
// CHECK-COUNT-2: pyarray.unary neg
// ERROR: plugin.mlir:[[#@LINE+1]]:1: error: 'func.func' still has the type '!pyarray.any'
func.func @untyped(%x: !pyarray.any) -> (!pyarray.any, !pyarray.any) {
  %0 = pyarray.unary neg %x : (!pyarray.any) -> !pyarray.any
  %1 = pyarray.unary neg %x : (!pyarray.any) -> !pyarray.any
  return %0, %1 : !pyarray.any, !pyarray.any
}
