// Passes of pyarray and upstream, as flags and as text, with options.

// RUN: pyarray-opt %s --cse --canonicalize='max-iterations=3' | FileCheck %s --check-prefix=PASSES
// RUN: pyarray-opt %s --pass-pipeline='builtin.module(func.func(cse),pyarray-check-lowered,canonicalize{max-iterations=3})' \
// RUN:   | FileCheck %s --check-prefix=PASSES
// RUN: pyarray-opt < %s - --cse -o %t.mlir && FileCheck %s --check-prefix=PASSES < %t.mlir
// RUN: pyarray-opt %s --pyarray-pipeline=cpu | FileCheck %s --check-prefix=CPU
// RUN: pyarray-opt %s --pass-pipeline='builtin.module(pyarray-cpu)' | FileCheck %s --check-prefix=CPU
// RUN: pyarray-opt %s --affine-loop-tile='tile-size=2' --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=DUMP

// RUN: env PYARRAY_VERIFY=0 pyarray-opt %s --pyarray-inline='threshold=7' --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=OURS

// OURS: builtin.module(
// OURS-NEXT: pyarray-inline{array-threshold=80 generator-threshold=100 threshold=7 ufunc-threshold=300}
// PASSES: arith.addf
// PASSES-NOT: arith.addf
// CPU: llvm.func {{.*}}@twice(%{{.*}}: f64)
// CPU: llvm.fadd
// DUMP: builtin.module(
// DUMP-NEXT: func.func(
// DUMP-NEXT: affine-loop-tile{
// DUMP-SAME: tile-size=2
func.func @twice(%a: f64) -> f64 {
  %0 = arith.addf %a, %a : f64
  %1 = arith.addf %a, %a : f64
  %2 = arith.subf %0, %1 : f64
  %3 = arith.divf %2, %1 : f64
  return %3 : f64
}
