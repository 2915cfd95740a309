// RUN: pyarray-opt %s --pyarray-split-grid --split-input-file --verify-diagnostics

// Too few.
func.func @f(%n: i64, %x: f64) -> f64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  // expected-error@+1 {{pyarray.threads of a scf.for has a reduction for each value that the loop carries}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f64) : i64 {
    scf.yield %s : f64
  } {pyarray.threads = [], pyarray.memory_site = 0 : i32}
  return %r : f64
}

// -----

// Too many.
func.func @f(%n: i64, %x: f64) -> f64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  // expected-error@+1 {{pyarray.threads of a scf.for has a reduction for each value that the loop carries}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f64) : i64 {
    scf.yield %s : f64
  } {pyarray.threads = ["add", "add"], pyarray.memory_site = 0 : i32}
  return %r : f64
}

// -----

// No words.
func.func @f(%n: i64, %x: f64) -> f64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  // expected-error@+1 {{pyarray.threads of a scf.for has a reduction for each value that the loop carries}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f64) : i64 {
    scf.yield %s : f64
  } {pyarray.threads, pyarray.memory_site = 0 : i32}
  return %r : f64
}

// -----

// A number.
func.func @f(%n: i64, %x: f64) -> f64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  // expected-error@+1 {{pyarray.threads of a scf.for has a reduction for each value that the loop carries}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f64) : i64 {
    scf.yield %s : f64
  } {pyarray.threads = [3], pyarray.memory_site = 0 : i32}
  return %r : f64
}

// -----

// An unknown word.
func.func @f(%n: i64, %x: f64) -> f64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  // expected-error@+1 {{pyarray.threads of a scf.for has a reduction for each value that the loop carries}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f64) : i64 {
    scf.yield %s : f64
  } {pyarray.threads = ["plus"], pyarray.memory_site = 0 : i32}
  return %r : f64
}

// -----

// Not of floats.
func.func @f(%n: i64, %x: f64) -> f64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  // expected-error@+1 {{pyarray.threads of a scf.for has a reduction for each value that the loop carries}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f64) : i64 {
    scf.yield %s : f64
  } {pyarray.threads = ["and"], pyarray.memory_site = 0 : i32}
  return %r : f64
}

// -----

// Not of complex numbers.
func.func @f(%n: i64, %x: complex<f64>) -> complex<f64> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  // expected-error@+1 {{pyarray.threads of a scf.for has a reduction for each value that the loop carries}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (complex<f64>) : i64 {
    scf.yield %s : complex<f64>
  } {pyarray.threads = ["min"], pyarray.memory_site = 0 : i32}
  return %r : complex<f64>
}

// -----

// No numbers at all.
func.func @f(%n: i64, %x: memref<4xf64>) -> memref<4xf64> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  // expected-error@+1 {{pyarray.threads of a scf.for has a reduction for each value that the loop carries}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (memref<4xf64>) : i64 {
    scf.yield %s : memref<4xf64>
  } {pyarray.threads = ["add"], pyarray.memory_site = 0 : i32}
  return %r : memref<4xf64>
}

// -----

// No place to raise at.
func.func @f(%n: i64, %x: f64) -> f64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  // expected-error@+1 {{a scf.for with pyarray.threads counts from 0 by 1 in i64 and has a pyarray.memory_site}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f64) : i64 {
    scf.yield %s : f64
  } {pyarray.threads = ["add"]}
  return %r : f64
}

// -----

func.func @f(%n: i64, %x: f64) -> f64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  // expected-error@+1 {{has 'pyarray.memory_site' = "here"; expected an integer}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f64) : i64 {
    scf.yield %s : f64
  } {pyarray.threads = ["add"], pyarray.memory_site = "here"}
  return %r : f64
}

// -----

// From elsewhere.
func.func @f(%n: i64, %x: f64) -> f64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  // expected-error@+1 {{a scf.for with pyarray.threads counts from 0 by 1 in i64 and has a pyarray.memory_site}}
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%s = %x) -> (f64) : i64 {
    scf.yield %s : f64
  } {pyarray.threads = ["add"], pyarray.memory_site = 0 : i32}
  return %r : f64
}

// -----

// By any step.
func.func @f(%n: i64, %x: f64) -> f64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  // expected-error@+1 {{a scf.for with pyarray.threads counts from 0 by 1 in i64 and has a pyarray.memory_site}}
  %r = scf.for %i = %c0 to %n step %n iter_args(%s = %x) -> (f64) : i64 {
    scf.yield %s : f64
  } {pyarray.threads = ["add"], pyarray.memory_site = 0 : i32}
  return %r : f64
}

// -----

// Counted by an index.
func.func @f(%n: index, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{a scf.for with pyarray.threads counts from 0 by 1 in i64 and has a pyarray.memory_site}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f64)  {
    scf.yield %s : f64
  } {pyarray.threads = ["add"], pyarray.memory_site = 0 : i32}
  return %r : f64
}

// -----

// Nothing is carried.
func.func @f(%n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  // expected-error@+1 {{pyarray.threads of a scf.for has a reduction for each value that the loop carries}}
  scf.for %i = %c0 to %n step %c1 : i64 {
  } {pyarray.threads = [], pyarray.memory_site = 0 : i32}
  return
}
