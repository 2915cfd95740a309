// Wrong options and pipelines: a message, exit code 1.

// RUN: not pyarray-opt %s --no-such-pass 2>&1 | FileCheck %s --check-prefix=PASS
// PASS: pyarray-opt: Unknown command line argument '--no-such-pass'
// RUN: not pyarray-opt %s --pass-pipeline='builtin.module(no-such-pass)' 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: 'no-such-pass' does not refer to a registered pass or pass pipeline
// RUN: not pyarray-opt %s --pass-pipeline='builtin.module(pyarray-check-lowered{x=1})' 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: no such option x
// RUN: not pyarray-opt %s --pyarray-inline='threshold=x' 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: 'x' value invalid for {{.*}} argument
// RUN: not pyarray-opt %s --pyarray-pipeline=quantum 2>&1 | FileCheck %s --check-prefix=NAMED
// RUN: not pyarray-opt %s --pass-pipeline='builtin.module(pyarray-pipeline{name=quantum})' 2>&1 | FileCheck %s --check-prefix=NAMED
// NAMED: no pipeline 'quantum' (docs/passes.md has those that there are)
// RUN: not pyarray-opt %s --pyarray-pipeline 2>&1 | FileCheck %s --check-prefix=NAMELESS
// NAMELESS: no pipeline ''
// RUN: not pyarray-opt %t.does-not-exist 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: pyarray-opt: cannot open input file '{{.*}}.does-not-exist': No such file or directory
// RUN: not pyarray-opt %s -o %t.no-folder/x 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: pyarray-opt: cannot open output file '{{.*}}no-folder/x'
func.func private @f()
