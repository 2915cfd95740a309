// RUN: pyarray-opt %s --pyarray-check-llvm --split-input-file --verify-diagnostics

llvm.func @fine(%x: f64) -> f64 {
  %0 = llvm.fadd %x, %x : f64
  llvm.return %0 : f64
}

// -----

llvm.func @mixed(%x: f64) -> f64 {
  // expected-error@+1 {{'arith.addf' is left; at level 6 operations are of the llvm and nvvm dialects}}
  %0 = arith.addf %x, %x : f64
  llvm.return %0 : f64
}
