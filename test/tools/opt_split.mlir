// Each part is a file of its own; a bad one does not stop the others; line numbers are those of the whole file.

// RUN: not pyarray-opt %s --split-input-file --output-split-marker="// -----" 2>%t.errors | FileCheck %s
// RUN: FileCheck %s --check-prefix=ERROR < %t.errors

// CHECK: func.func private @first
// CHECK: // -----
// CHECK: func.func private @third
func.func private @first()
// -----
// ERROR: opt_split.mlir:[[#@LINE+1]]:19: error:
func.func private second()
// -----
func.func private @third()
