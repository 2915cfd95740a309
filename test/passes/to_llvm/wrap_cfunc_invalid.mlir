// RUN: pyarray-opt %s --pyarray-wrap-cfunc --split-input-file --verify-diagnostics

// expected-error@+1 {{pyarray.cfunc holds a type code with a result}}
llvm.func @no_result(%x: f64) -> i32 attributes {pyarray.entry, pyarray.cfunc = "d>"} {
  %ok = llvm.mlir.constant(0 : i32) : i32
  llvm.return %ok : i32
}

// -----

// expected-error@+1 {{argument 2 of a C callback cannot have type array(float64, 1d, C)}}
llvm.func @array(%x: f64, %p: !llvm.ptr) -> i32 attributes {pyarray.entry, pyarray.cfunc = "d[C1d>n"} {
  %ok = llvm.mlir.constant(0 : i32) : i32
  llvm.return %ok : i32
}

// -----

// expected-error@+1 {{the result of a C callback cannot have type UniTuple(float64, 2)}}
llvm.func @tuple() -> i32 attributes {pyarray.entry, pyarray.cfunc = ">(dd)"} {
  %ok = llvm.mlir.constant(0 : i32) : i32
  llvm.return %ok : i32
}

// -----

// expected-error@+1 {{pyarray.cfunc does not fit the parameters of the entry function}}
llvm.func @count(%x: f64) -> i32 attributes {pyarray.entry, pyarray.cfunc = "dd>n"} {
  %ok = llvm.mlir.constant(0 : i32) : i32
  llvm.return %ok : i32
}
