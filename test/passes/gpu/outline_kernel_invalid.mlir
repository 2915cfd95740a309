// RUN: pyarray-opt %s --pyarray-outline-kernel --split-input-file --verify-diagnostics

func.func @result(%x: f64) -> (i32, f64) attributes {pyarray.entry, pyarray.kernel, pyarray.options = {target = "cuda"}} {
  %status = arith.constant 0 : i32
  // expected-error@below {{a kernel returns nothing}}
  return %status, %x : i32, f64
}

// -----

// expected-error@below {{a kernel cannot call itself}}
func.func @again() -> i32 attributes {pyarray.entry, pyarray.kernel, pyarray.options = {target = "cuda"}} {
  %status = call @again() : () -> i32
  return %status : i32
}

// -----

// expected-error@below {{returns numbers, tuples of numbers or nothing}}
func.func @array(%x: memref<?xf64>) -> (i32, memref<?xf64>) attributes {pyarray.entry, pyarray.options = {target = "cuda"}} {
  %status = arith.constant 0 : i32
  return %status, %x : i32, memref<?xf64>
}
