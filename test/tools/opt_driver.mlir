// pyarray-opt is mlir-opt with pyarray's dialects, passes and pipelines.

// RUN: pyarray-opt --pyarray-lower --mlir-pass-statistics %s 2>&1 | FileCheck %s --check-prefix=STATISTICS
// RUN: pyarray-opt --pyarray-pipeline=cpu --mlir-print-ir-after=pyarray-lower %s 2>&1 | FileCheck %s --check-prefix=AFTER
// RUN: pyarray-opt --verify-roundtrip %s | FileCheck %s --check-prefix=ROUNDTRIP
// RUN: pyarray-opt --show-dialects | FileCheck %s --check-prefix=DIALECTS
// RUN: not pyarray-opt --pyarray-check-lowered --mlir-pass-pipeline-crash-reproducer=%t.mlir %s 2>&1 | FileCheck %s --check-prefix=CRASH
// RUN: FileCheck %s --check-prefix=REPRODUCER < %t.mlir
// RUN: not pyarray-opt --run-reproducer %t.mlir 2>&1 | FileCheck %s --check-prefix=CRASH
// RUN: pyarray-opt --help | FileCheck %s --check-prefix=HELP
// RUN: pyarray-opt --transform-interpreter %S/Inputs/transform.mlir | FileCheck %S/Inputs/transform.mlir

func.func @twice(%x: f64) -> f64 attributes {pyarray.entry} {
  %0 = pyarray.binary add %x, %x : (f64, f64) -> f64
  func.return %0 : f64
}

// STATISTICS: Pass statistics report
// STATISTICS: arith.addf
// AFTER: IR Dump After pyarray-lower (pyarray-lower)
// AFTER: arith.addf
// AFTER: llvm.func @pyarray_entry
// ROUNDTRIP: pyarray.binary add
// DIALECTS: Available Dialects:
// DIALECTS-SAME: pyarray
// CRASH: 'pyarray.binary' survived the lowering
// REPRODUCER: pyarray-check-lowered
// HELP: --pyarray-infer-types
// HELP: --pyarray-cpu
