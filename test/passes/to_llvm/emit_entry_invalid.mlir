// RUN: pyarray-opt %s --pyarray-emit-entry --split-input-file --verify-diagnostics

// expected-error@+1 {{the entry function is a declaration; give it a body}}
llvm.func @declared() -> i32 attributes {pyarray.entry, pyarray.entry_type = () -> i32}

// -----

// expected-error@+1 {{has 'pyarray.entry_type' = 3 : i32; expected a type}}
llvm.func @of_no_function(%x: i32) -> i32 attributes {pyarray.entry, pyarray.entry_type = 3 : i32} {
  llvm.return %x : i32
}

// -----

// expected-error@+1 {{the entry function has no pyarray.entry_type; run pyarray-lower-raises before the conversion to llvm}}
llvm.func @of_no_type(%x: i32) -> i32 attributes {pyarray.entry} {
  llvm.return %x : i32
}
