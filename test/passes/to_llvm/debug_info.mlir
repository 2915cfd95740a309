// RUN: split-file %s %t
// RUN: pyarray-opt %t/scopes.mlir --pyarray-debug-info --mlir-print-debuginfo | FileCheck %t/scopes.mlir
// RUN: pyarray-opt %t/scopes.mlir --pyarray-debug-info --pyarray-debug-info --mlir-print-debuginfo | FileCheck %t/scopes.mlir
// RUN: pyarray-opt %t/off.mlir --pyarray-debug-info --mlir-print-debuginfo | FileCheck %t/off.mlir

//--- scopes.mlir
// Functions, by their Python names, and what was inlined have scopes; an operation without a place gets its function's.
module attributes {pyarray.debug} {
  // CHECK: llvm.func @pyarray_entry({{.*}} attributes {frame_pointer = #llvm.framePointerKind<all>,
  llvm.func @pyarray_entry(%x: f64) -> f64 attributes {pyarray.qualname = "outer.<locals>.f"} {
    // CHECK: llvm.fmul {{.*}} loc(#[[MUL:.*]])
    %0 = llvm.fmul %x, %x : f64 loc(callsite("g"("g.py":2:5) at "/home/me/f.py":4:9))
    // CHECK: llvm.fadd {{.*}} loc(#[[ADD:.*]])
    %1 = llvm.fadd %0, %0 : f64 loc("/home/me/f.py":5:7)
    // CHECK: llvm.return {{.*}} loc(#[[START:.*]])
    llvm.return %1 : f64 loc(unknown)
  // CHECK: } loc(#[[ENTRY:.*]])
  } loc("/home/me/f.py":3:1)
  // CHECK: llvm.func @h$0
  // CHECK: } loc(#[[HELPER:.*]])
  llvm.func @h$0() {
    llvm.return loc("/home/me/f.py":10:1)
  } loc("/home/me/f.py":9:1)
  // A declaration has none.
  // CHECK: llvm.func @sin(f64) -> f64 loc(#[[START]])
  llvm.func @sin(f64) -> f64 loc("/home/me/f.py":3:1)
}
// CHECK-DAG: #[[F_FILE:.*]] = #llvm.di_file<"f.py" in "/home/me">
// CHECK-DAG: #[[G_FILE:.*]] = #llvm.di_file<"g.py" in "">
// CHECK-DAG: #[[START]] = loc("/home/me/f.py":3:1)
// CHECK-DAG: #[[ADD]] = loc("/home/me/f.py":5:7)
// CHECK-DAG: #[[INNER:.*]] = loc("g"(#{{.*}}))
// CHECK-DAG: di_compile_unit<{{.*}}file = #[[F_FILE]],
// CHECK-DAG: #[[F:.*]] = #llvm.di_subprogram<{{.*}}name = "f", {{.*}}file = #[[F_FILE]], line = 3,
// CHECK-DAG: #[[G:.*]] = #llvm.di_subprogram<{{.*}}name = "g", {{.*}}file = #[[G_FILE]],
// CHECK-DAG: #[[H:.*]] = #llvm.di_subprogram<{{.*}}name = "h$0", {{.*}}file = #[[F_FILE]], line = 9,
// CHECK-DAG: #[[ENTRY]] = loc(fused<#[[F]]>[#[[START]]])
// CHECK-DAG: #[[CALLEE:.*]] = loc(fused<#[[G]]>[#[[INNER]]])
// CHECK-DAG: #[[HELPER]] = loc(fused<#[[H]]>[#{{.*}}])
// CHECK: #[[MUL]] = loc(callsite(#[[CALLEE]] at #{{.*}}))

//--- off.mlir
// Without the module's attribute nothing happens.
// CHECK-NOT: di_subprogram
// CHECK-NOT: frame_pointer
llvm.func @pyarray_entry() {
  llvm.return
}
