// RUN: pyarray-opt %s --split-input-file --pyarray-emit-launch --verify-diagnostics

// expected-error @below {{pyarray.launch names no function of this module}}
llvm.func @f.launch0(i64, i64) -> i32 attributes {pyarray.launch = @f.chunk0}

// -----

// expected-error@+1 {{has 'pyarray.launch' = 3 : i64; expected a symbol}}
llvm.func @f.launch0(i64, i64) -> i32 attributes {pyarray.launch = 3 : i64}

// -----

// expected-error @below {{pyarray.launch belongs to a declared function of the llvm dialect}}
func.func private @f.launch0(i64, i64) -> i32 attributes {pyarray.launch = @f.chunk0}

// -----

// expected-error @below {{pyarray.launch belongs to a declared function of the llvm dialect}}
llvm.func @f.launch0(%n: i64, %g: i64) -> i32 attributes {pyarray.launch = @f.launch0} {
  %0 = llvm.mlir.constant(0 : i32) : i32
  llvm.return %0 : i32
}
