// --pyarray-wrap-cfunc --pyarray-emit-entry
llvm.func @other() -> i32 attributes {pyarray.entry, pyarray.entry_type = () -> i32}
