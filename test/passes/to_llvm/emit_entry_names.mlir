// RUN: pyarray-opt --pyarray-emit-entry %s | FileCheck %s
// RUN: pyarray-opt --pyarray-emit-entry --pyarray-emit-entry %s | FileCheck %s

// Several functions are called from outside where each has a name.

// CHECK-DAG: llvm.func internal @helper
// CHECK-DAG: llvm.func @first(%{{.*}}: !llvm.ptr {{.*}}, %{{.*}}: !llvm.ptr {{.*}}) -> i32
// CHECK-DAG: llvm.func @second(%{{.*}}: !llvm.ptr {{.*}}, %{{.*}}: !llvm.ptr {{.*}}) -> i32
// CHECK-NOT: @pyarray_entry
llvm.func @helper(%x: f64) -> f64 {
  llvm.return %x : f64
}
llvm.func @f(%x: f64) -> i32 attributes {pyarray.entry, pyarray.entry_name = "first", pyarray.entry_type = (f64) -> i32} {
  %0 = llvm.mlir.constant(0 : i32) : i32
  llvm.return %0 : i32
}
llvm.func @g(%x: i64) -> i32 attributes {pyarray.entry, pyarray.entry_name = "second", pyarray.entry_type = (i64) -> i32} {
  %0 = llvm.mlir.constant(0 : i32) : i32
  llvm.return %0 : i32
}
