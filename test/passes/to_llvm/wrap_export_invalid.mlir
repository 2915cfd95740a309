// RUN: pyarray-opt --pyarray-wrap-export --split-input-file --verify-diagnostics %s

// expected-error@below {{an export has a form, "c" or "python", a name, and a type code with a result}}
module attributes {pyarray.export = {name = "f", form = "cobol", code = "d>d"}} {}

// -----

// expected-error@below {{there is no pyarray_entry to export}}
module attributes {pyarray.export = {name = "f", form = "c", code = "d>d"}} {}

// -----

module attributes {pyarray.export = {name = "f", form = "c", code = "d>d"}} {
  llvm.func @pyarray_rt_call_block(i64, i64, i64, i64) -> i64
  llvm.func @pyarray_entry(%args: !llvm.ptr, %results: !llvm.ptr) -> i32 {
    %0 = llvm.mlir.constant(0 : i64) : i64
    %1 = llvm.mlir.constant(0 : i32) : i32
    // expected-error@+1 {{f cannot be compiled ahead of time: it needs a block of objmode(), which the interpreter runs}}
    llvm.call @pyarray_rt_call_block(%0, %0, %0, %0) : (i64, i64, i64, i64) -> i64
    llvm.return %1 : i32
  }
}

// -----

// expected-error@below {{f cannot be exported to C: argument 'xs' has type ListType[int64]}}
module attributes {pyarray.export = {name = "f", form = "c", code = "Lq>d", parameters = "xs"}} {
  llvm.func @pyarray_entry(%args: !llvm.ptr, %results: !llvm.ptr) -> i32 {
    %1 = llvm.mlir.constant(0 : i32) : i32
    llvm.return %1 : i32
  }
}
