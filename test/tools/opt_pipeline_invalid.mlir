// Wrong options and pipelines: a message, exit code 1.

// RUN: not pyarray-opt %s --no-such-pass 2>&1 | FileCheck %s --check-prefix=PASS
// PASS: pyarray-opt: no option or pass '--no-such-pass'
// RUN: not pyarray-opt %s --pass-pipeline='builtin.module(no-such-pass)' 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: 'no-such-pass' does not refer to a registered pass or pass pipeline
// RUN: not pyarray-opt %s --pass-pipeline='builtin.module(cse' 2>&1 | FileCheck %s --check-prefix=PAREN
// PAREN: pyarray-opt: bad pass pipeline:
// RUN: not pyarray-opt %s --pass-pipeline='func.func(cse)' 2>&1 | FileCheck %s --check-prefix=ANCHOR
// ANCHOR: can't run 'func.func' pass manager on 'builtin.module' op
// RUN: not pyarray-opt %s --pass-pipeline='builtin.module(pyarray-check-lowered{x=1})' 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: no such option x
// RUN: not pyarray-opt %s --pyarray-inline='threshold=x' 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: 'x' value invalid for {{.*}} argument
// RUN: not pyarray-opt %s --pyarray-pipeline=quantum 2>&1 | FileCheck %s --check-prefix=NAMED
// NAMED: pyarray-opt: no pipeline 'quantum'
// RUN: not pyarray-opt %s --cse --pass-pipeline='builtin.module(cse)' 2>&1 | FileCheck %s --check-prefix=MIXED
// MIXED: --pass-pipeline cannot be mixed with other passes
// RUN: not pyarray-opt %s --verify-each=perhaps 2>&1 | FileCheck %s --check-prefix=BOOL
// BOOL: --verify-each takes true or false, not 'perhaps'
// RUN: not pyarray-opt %t.does-not-exist 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: pyarray-opt: cannot open '{{.*}}.does-not-exist': No such file or directory
// RUN: not pyarray-opt %s -o %t.no-folder/x 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: pyarray-opt: cannot open '{{.*}}no-folder/x'
func.func private @f()
