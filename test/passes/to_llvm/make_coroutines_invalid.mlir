// RUN: not pyarray-opt %s --pyarray-make-coroutines 2>&1 | FileCheck %s

// CHECK: error: a generator has a pyarray.memory_site; run pyarray-lower first
func.func private @items(%x: i64) -> (i32, i64) attributes {pyarray.generator} {
  %status = arith.constant 0 : i32
  return %status, %x : i32, i64
}
