// RUN: pyarray-opt --pyarray-wrap-export %s | FileCheck %s

// An extension module finds the records in their section, and the module's function makes it of them.

module attributes {pyarray.export = {name = "f", form = "python", code = "d>d", parameters = "x", signature = "f8(f8)",
                                     module = "fast"}} {
  llvm.mlir.global external @pyarray_owner(0 : i64) : i64
  llvm.func @pyarray_entry(%args: !llvm.ptr, %results: !llvm.ptr) -> i32 {
    %0 = llvm.mlir.constant(0 : i32) : i32
    llvm.return %0 : i32
  }
}

// CHECK: llvm.mlir.global internal @pyarray_owner
// CHECK: llvm.func internal @pyarray_entry
// CHECK: llvm.mlir.global external hidden constant @"pyarray_export_record.f.d>d"() {{.*}}section = "pyarray_exports"
// CHECK: llvm.mlir.addressof @pyarray_entry
// CHECK: llvm.mlir.addressof @pyarray_owner
// CHECK: llvm.func @PyInit_fast() -> !llvm.ptr
// CHECK: llvm.call @pyarray_aot_definition
