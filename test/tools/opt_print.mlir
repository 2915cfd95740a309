// What is printed, and how.

// RUN: pyarray-opt %s --mlir-print-ir-before-all --cse -o /dev/null 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: pyarray-opt %s --mlir-print-ir-after-all --cse --cse -o /dev/null 2>&1 | FileCheck %s --check-prefix=AFTER
// RUN: pyarray-opt %s --mlir-print-ir-after-all --mlir-print-ir-after-change --cse --cse -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHANGE
// RUN: not pyarray-opt %s --mlir-print-ir-after-failure --cse --pyarray-check-lowered 2>&1 | FileCheck %s --check-prefix=FAILURE
// RUN: rm -rf %t && pyarray-opt %s --mlir-print-ir-after-all --mlir-print-ir-tree-dir=%t --cse -o /dev/null && ls -R %t | FileCheck %s --check-prefix=TREE
// RUN: pyarray-opt %s --mlir-timing --cse -o /dev/null 2>&1 | FileCheck %s --check-prefix=TIMING
// RUN: pyarray-opt %s --mlir-print-debuginfo | FileCheck %s --check-prefix=DEBUG
// RUN: pyarray-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: pyarray-opt %s --emit-bytecode -o %t.bc && pyarray-opt %t.bc | FileCheck %s --check-prefix=BYTECODE
// RUN: pyarray-opt --list-passes | FileCheck %s --check-prefix=LIST
// RUN: pyarray-opt --help | FileCheck %s --check-prefix=HELP
// RUN: pyarray-opt --version | FileCheck %s --check-prefix=VERSION

// BEFORE: IR Dump Before CSE
// BEFORE: arith.addi
// BEFORE: arith.addi
// AFTER-COUNT-2: IR Dump After CSE
// CHANGE: IR Dump After CSE
// CHANGE-NOT: IR Dump After CSE
// FAILURE-NOT: IR Dump After CSE
// FAILURE: IR Dump After pyarray-check-lowered Failed (pyarray-check-lowered)
// TREE: cse.mlir
// TIMING: Execution time report
// TIMING: CSE
// DEBUG: loc("{{.*}}opt_print.mlir":[[#]]:8)
// GENERIC: "func.func"()
// GENERIC: "arith.addi"
// BYTECODE: arith.addi
// LIST: --canonicalize
// LIST: --pyarray-check-lowered
// LIST-SAME: Fail where a module is not IR of level 4
// HELP: USAGE: pyarray-opt
// HELP: --pyarray-pipeline
// HELP: --pyarray-to-typed
// VERSION: pyarray-opt {{[0-9.]+}} (LLVM 22.
func.func @f(%a: i64, %x: !pyarray.any) -> i64 {
  %0 = arith.addi %a, %a : i64
  %1 = arith.addi %a, %a : i64
  %2 = arith.muli %0, %1 : i64
  return %2 : i64
}
