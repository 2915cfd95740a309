// RUN: pyarray-opt %s --pyarray-lower-raises --split-input-file --verify-diagnostics | FileCheck %s
// RUN: pyarray-opt %s --pyarray-lower-raises --canonicalize --split-input-file --verify-diagnostics | FileCheck --check-prefix=MERGED %s

// The block of a raise goes to the error block, which returns status 1; the other path stays.
// CHECK-LABEL: func.func @check
// CHECK:         cf.cond_br %{{.*}}, ^[[RAISE:bb[0-9]+]], ^[[ON:bb[0-9]+]]
// CHECK:       ^[[RAISE]]:
// CHECK-NEXT:    call @pyarray_rt_raise
// CHECK-NEXT:    cf.br ^[[ERROR:bb[0-9]+]]
// CHECK:       ^[[ON]]:
// CHECK:         return %{{.*}}, %arg0 : i32, f64
// CHECK:       ^[[ERROR]]:
// CHECK-NEXT:    %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-NEXT:    %[[POISON:.*]] = ub.poison : f64
// CHECK-NEXT:    return %[[ONE]], %[[POISON]] : i32, f64
func.func private @pyarray_rt_raise(i32) attributes {pyarray.noreturn}
func.func @check(%x: f64, %bad: i1, %site: i32) -> (i32, f64) {
  %ok = arith.constant 0 : i32
  cf.cond_br %bad, ^raise, ^on
^raise:
  func.call @pyarray_rt_raise(%site) : (i32) -> ()
  cf.br ^on
^on:
  return %ok, %x : i32, f64
}

// -----

// Two raises share one error block.
// CHECK-LABEL: func.func @two
// CHECK-COUNT-1: ub.poison
// CHECK-NOT:     ub.poison
func.func private @pyarray_rt_raise(i32) attributes {pyarray.noreturn}
func.func @two(%x: f64, %a: i1, %b: i1, %site: i32) -> (i32, f64) {
  %ok = arith.constant 0 : i32
  cf.cond_br %a, ^first, ^next
^first:
  func.call @pyarray_rt_raise(%site) : (i32) -> ()
  cf.br ^next
^next:
  cf.cond_br %b, ^second, ^on
^second:
  func.call @pyarray_rt_raise(%site) : (i32) -> ()
  cf.br ^on
^on:
  return %ok, %x : i32, f64
}

// -----

// Owner slots of the entry block are released, by a function that is declared if need be.
// CHECK-LABEL: func.func @owners
// CHECK:         %[[SLOT:.*]] = memref.alloca() {pyarray.owner_slot}
// CHECK:         %[[OTHER:.*]] = memref.alloca() : memref<i64>
// CHECK:         %[[OWNER:.*]] = memref.load %[[SLOT]][]
// CHECK-NEXT:    call @pyarray_rt_release(%[[OWNER]])
// CHECK-NOT:     memref.load %[[OTHER]]
// CHECK:       func.func private @pyarray_rt_release(i64)
func.func private @pyarray_rt_raise(i32) attributes {pyarray.noreturn}
func.func @owners(%bad: i1, %site: i32, %held: i64) -> i32 {
  %slot = memref.alloca() {pyarray.owner_slot} : memref<i64>
  %other = memref.alloca() : memref<i64>
  memref.store %held, %other[] : memref<i64>
  memref.store %held, %slot[] : memref<i64>
  %ok = arith.constant 0 : i32
  cf.cond_br %bad, ^raise, ^on
^raise:
  func.call @pyarray_rt_raise(%site) : (i32) -> ()
  cf.br ^on
^on:
  return %ok : i32
}

// -----

// What follows a raise goes, values used by blocks that nothing reaches any more and a loop among them included.
// CHECK-LABEL: func.func @unreachable
// CHECK-NEXT:    call @pyarray_rt_raise
// CHECK-NEXT:    cf.br ^[[ERROR:bb1]]
// CHECK-NEXT:  ^[[ERROR]]:
// CHECK-NOT:     math.sqrt
// CHECK-NOT:   ^bb2
func.func private @pyarray_rt_raise(i32) attributes {pyarray.noreturn}
func.func @unreachable(%x: f64, %site: i32, %c: i1) -> (i32, f64) {
  func.call @pyarray_rt_raise(%site) : (i32) -> ()
  %ok = arith.constant 0 : i32
  %y = math.sqrt %x : f64
  cf.br ^loop(%y : f64)
^loop(%z: f64):
  %w = arith.addf %z, %y : f64
  cf.cond_br %c, ^loop(%w : f64), ^done
^done:
  return %ok, %w : i32, f64
}

// -----

// A slot made after the raise of the entry block is none.
// CHECK-LABEL: func.func @late_slot
// CHECK-NOT:     memref.load
func.func private @pyarray_rt_raise(i32) attributes {pyarray.noreturn}
func.func @late_slot(%site: i32) -> i32 {
  func.call @pyarray_rt_raise(%site) : (i32) -> ()
  %slot = memref.alloca() {pyarray.owner_slot} : memref<i64>
  %ok = arith.constant 0 : i32
  return %ok : i32
}

// -----

// Array results of a failed call are poison.
// CHECK-LABEL: func.func @array_result
// CHECK:         ub.poison : memref<?xf64, strided<[1], offset: ?>>
func.func private @pyarray_rt_raise(i32) attributes {pyarray.noreturn}
func.func @array_result(%a: memref<?xf64, strided<[1], offset: ?>>, %bad: i1, %site: i32)
    -> (i32, memref<?xf64, strided<[1], offset: ?>>) {
  %ok = arith.constant 0 : i32
  cf.cond_br %bad, ^raise, ^on
^raise:
  func.call @pyarray_rt_raise(%site) : (i32) -> ()
  cf.br ^on
^on:
  return %ok, %a : i32, memref<?xf64, strided<[1], offset: ?>>
}

// -----

// The type of the entry function is kept for pyarray-emit-entry.
// CHECK-LABEL: func.func @entry
// CHECK-SAME:    pyarray.entry_type = (f64, tuple<>) -> i32
func.func @entry(%x: f64, %t: tuple<>) -> i32 attributes {pyarray.entry} {
  %ok = arith.constant 0 : i32
  return %ok : i32
}

// -----

// A kernel has no status: its thread ends.
// CHECK-LABEL: gpu.func @kernel
// CHECK: cf.cond_br %arg0, ^[[RAISE:.*]], ^[[ON:.*]]
// CHECK: ^[[RAISE]]:
// CHECK-NEXT: func.call @pyarray_rt_raise
// CHECK-NEXT: cf.br ^[[ERROR:.*]]
// CHECK: ^[[ON]]:
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: gpu.return
// CHECK: ^[[ERROR]]:
// CHECK-NEXT: gpu.return
gpu.module @kernels {
  func.func private @pyarray_rt_raise(i32) attributes {pyarray.noreturn}
  gpu.func @kernel(%bad: i1, %site: i32) kernel {
    cf.cond_br %bad, ^raise, ^on
  ^raise:
    func.call @pyarray_rt_raise(%site) : (i32) -> ()
    cf.br ^on
  ^on:
    gpu.barrier
    gpu.return
  }
}

// -----

func.func private @pyarray_rt_raise(i32) attributes {pyarray.noreturn}
func.func @structured(%bad: i1, %site: i32) -> i32 {
  %ok = arith.constant 0 : i32
  scf.if %bad {
    // expected-error@+1 {{a call that does not return is inside a structured operation; run pyarray-lower-control-flow first}}
    func.call @pyarray_rt_raise(%site) : (i32) -> ()
  }
  return %ok : i32
}

// -----

func.func private @pyarray_rt_raise(i32) attributes {pyarray.noreturn}
// expected-error@+1 {{a function that can raise must return a status first}}
func.func @no_status(%site: i32) {
  func.call @pyarray_rt_raise(%site) : (i32) -> ()
  return
}

// -----

// A raise in a try goes to its handler, by way of what the try owned; entering it costs nothing.
// CHECK-LABEL: func.func @caught
// CHECK:         %[[OWN:.*]] = memref.alloca() {pyarray.owner_slot, pyarray.try = 7 : i64}
// CHECK-NOT:     pyarray_try
// CHECK:         cf.br ^[[BODY:bb[0-9]+]]
// CHECK:       ^[[HANDLER:bb[0-9]+]]:
// CHECK-NEXT:    call @pyarray_rt_catch()
// CHECK:         call @pyarray_rt_raise
// CHECK-NEXT:    %[[ONE:.*]] = arith.constant 1 : i64
// CHECK-NEXT:    call @pyarray_rt_uncatch(%[[ONE]])
// CHECK-NEXT:    cf.br ^[[ERROR:bb[0-9]+]]
// CHECK:       ^[[BODY]]:
// CHECK:         call @pyarray_rt_raise
// CHECK-NEXT:    cf.br ^[[EXIT:bb[0-9]+]]
// CHECK:       ^[[EXIT]]:
// CHECK-NEXT:    %[[OWNER:.*]] = memref.load %[[OWN]][]
// CHECK-NEXT:    call @pyarray_rt_release(%[[OWNER]])
// CHECK-NEXT:    %[[ZERO:.*]] = arith.constant 0
// CHECK-NEXT:    memref.store %[[ZERO]], %[[OWN]][]
// CHECK-NEXT:    cf.br ^[[HANDLER]]
func.func private @pyarray_rt_raise(i32) attributes {pyarray.noreturn}
func.func private @pyarray_rt_catch()
func.func private @pyarray_try() -> i1
func.func @caught(%x: f64, %bad: i1, %site: i32, %held: i64) -> (i32, f64) {
  %outside = memref.alloca() {pyarray.owner_slot} : memref<i64>
  %own = memref.alloca() {pyarray.owner_slot, pyarray.try = 7 : i64} : memref<i64>
  %ok = arith.constant 0 : i32
  %failed = func.call @pyarray_try() {pyarray.try = 3 : i64} : () -> i1
  cf.cond_br %failed, ^handler, ^body
^handler:
  func.call @pyarray_rt_catch() : () -> ()
  cf.cond_br %bad, ^again, ^end
^again:
  func.call @pyarray_rt_raise(%site) {pyarray.handlers = 1 : i64} : (i32) -> ()
  cf.br ^end
^body:
  %inner = func.call @pyarray_try() {pyarray.parent = 3 : i64, pyarray.try = 7 : i64} : () -> i1
  cf.cond_br %inner, ^unused, ^inside
^unused:
  cf.br ^end
^inside:
  memref.store %held, %own[] : memref<i64>
  memref.store %held, %outside[] : memref<i64>
  cf.cond_br %bad, ^raise, ^end
^raise:
  func.call @pyarray_rt_raise(%site) {pyarray.try = 3 : i64} : (i32) -> ()
  cf.br ^end
^end:
  return %ok, %x : i32, f64
}

// -----

// What only leaves is a branch where a handler is next, and stays a call where the function is left.
// CHECK-LABEL: func.func @left
// CHECK:         cf.cond_br %{{.*}}, ^[[LEAVE:bb[0-9]+]], ^[[ON:bb[0-9]+]]
// CHECK:       ^[[LEAVE]]:
// CHECK-NEXT:    cf.br ^[[HANDLER:bb[0-9]+]]
// CHECK:       ^[[HANDLER]]:
// CHECK-NEXT:    call @pyarray_rt_leave()
// CHECK-NEXT:    cf.br ^[[ERROR:bb[0-9]+]]
func.func private @pyarray_rt_leave() attributes {pyarray.noreturn}
func.func private @pyarray_try() -> i1
func.func @left(%bad: i1) -> i32 {
  %ok = arith.constant 0 : i32
  %failed = func.call @pyarray_try() {pyarray.try = 1 : i64} : () -> i1
  cf.cond_br %failed, ^handler, ^body
^body:
  cf.cond_br %bad, ^leave, ^end
^leave:
  func.call @pyarray_rt_leave() {pyarray.try = 1 : i64} : () -> ()
  cf.br ^end
^handler:
  func.call @pyarray_rt_leave() : () -> ()
  cf.br ^end
^end:
  return %ok : i32
}

// -----

// A raise releases what may be held there. Of two slots that are filled one behind the other, each raise has its own; exits share what they have in
// common: here %long, which all have.
// CHECK-LABEL: func.func @held
// CHECK:         %[[LONG:.*]] = memref.alloca
// CHECK:         %[[A:.*]] = memref.alloca
// CHECK:         %[[B:.*]] = memref.alloca
// CHECK:         call @pyarray_rt_raise(%c1_i32
// CHECK-NEXT:    cf.br ^[[ERROR:bb[0-9]+]]
// CHECK:         call @pyarray_rt_raise(%c2_i32
// CHECK-NEXT:    cf.br ^[[FREE_A:bb[0-9]+]]
// CHECK:         call @pyarray_rt_raise(%c3_i32
// CHECK-NEXT:    cf.br ^[[FREE_B:bb[0-9]+]]
// CHECK:         call @pyarray_rt_raise(%c4_i32
// CHECK-NEXT:    cf.br ^[[FREE_LONG:bb[0-9]+]]
// CHECK:       ^[[ERROR]]:
// CHECK-NEXT:    arith.constant 1 : i32
// CHECK-NEXT:    return
// CHECK:       ^[[FREE_LONG]]:
// CHECK-NEXT:    memref.load %[[LONG]][]
// CHECK-NEXT:    call @pyarray_rt_release
// CHECK-NEXT:    cf.br ^[[ERROR]]
// CHECK:       ^[[FREE_A]]:
// CHECK-NEXT:    memref.load %[[A]][] {pyarray.exit = 1 : i64}
// CHECK-NEXT:    call @pyarray_rt_release
// CHECK-NEXT:    cf.br ^[[FREE_LONG]]
// CHECK:       ^[[FREE_B]]:
// CHECK-NEXT:    memref.load %[[B]][]
// CHECK-NEXT:    call @pyarray_rt_release
// CHECK-NEXT:    cf.br ^[[FREE_LONG]]
// CHECK-NOT:     memref.load
// MERGED-LABEL: func.func @held
// MERGED-NOT:     ^bb{{.*}}: memref
// MERGED-COUNT-3: memref.load
func.func private @pyarray_rt_raise(i32) attributes {pyarray.noreturn}
func.func @held(%bad1: i1, %bad2: i1, %bad3: i1, %bad4: i1, %held: i64) -> i32 {
  %long = memref.alloca() {pyarray.owner_slot} : memref<i64>
  %a = memref.alloca() {pyarray.owner_slot} : memref<i64>
  %b = memref.alloca() {pyarray.owner_slot} : memref<i64>
  %zero = arith.constant 0 : i64
  memref.store %zero, %long[] : memref<i64>
  memref.store %zero, %a[] : memref<i64>
  memref.store %zero, %b[] : memref<i64>
  %ok = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %2 = arith.constant 2 : i32
  %3 = arith.constant 3 : i32
  %4 = arith.constant 4 : i32
  cf.cond_br %bad1, ^raise1, ^on1
^raise1:
  func.call @pyarray_rt_raise(%1) : (i32) -> ()
  cf.br ^on1
^on1:
  memref.store %held, %long[] : memref<i64>
  memref.store %held, %a[] : memref<i64>
  cf.cond_br %bad2, ^raise2, ^on2
^raise2:
  func.call @pyarray_rt_raise(%2) : (i32) -> ()
  cf.br ^on2
^on2:
  memref.store %zero, %a[] : memref<i64>
  memref.store %held, %b[] : memref<i64>
  cf.cond_br %bad3, ^raise3, ^on3
^raise3:
  func.call @pyarray_rt_raise(%3) : (i32) -> ()
  cf.br ^on3
^on3:
  memref.store %zero, %b[] : memref<i64>
  cf.cond_br %bad4, ^raise4, ^on4
^raise4:
  func.call @pyarray_rt_raise(%4) : (i32) -> ()
  cf.br ^on4
^on4:
  return %ok : i32
}

// -----

// Around a loop: what one round leaves in a slot is released by a raise at the beginning of the next one, and what only the first store of the
// function empties is not.
// CHECK-LABEL: func.func @around
// CHECK:         %[[KEPT:.*]] = memref.alloca
// CHECK:         call @pyarray_rt_raise
// CHECK-NEXT:    cf.br ^[[EXIT:bb[0-9]+]]
// CHECK:       ^[[EXIT]]:
// CHECK-NEXT:    memref.load %[[KEPT]][]
// CHECK-NOT:     memref.load
func.func private @pyarray_rt_raise(i32) attributes {pyarray.noreturn}
func.func @around(%bad: i1, %site: i32, %held: i64) -> i32 {
  %kept = memref.alloca() {pyarray.owner_slot} : memref<i64>
  %empty = memref.alloca() {pyarray.owner_slot} : memref<i64>
  %zero = arith.constant 0 : i64
  memref.store %zero, %kept[] : memref<i64>
  memref.store %zero, %empty[] : memref<i64>
  %ok = arith.constant 0 : i32
  cf.br ^loop
^loop:
  cf.cond_br %bad, ^raise, ^on
^raise:
  func.call @pyarray_rt_raise(%site) : (i32) -> ()
  cf.br ^on
^on:
  memref.store %held, %kept[] : memref<i64>
  cf.cond_br %bad, ^loop, ^end
^end:
  return %ok : i32
}

// -----

// Where something else has the slot's address, it may hold something at any time.
// CHECK-LABEL: func.func @elsewhere
// CHECK:         %[[SLOT:.*]] = memref.alloca
// CHECK:         call @pyarray_rt_raise
// CHECK-NEXT:    cf.br ^[[EXIT:bb[0-9]+]]
// CHECK:       ^[[EXIT]]:
// CHECK-NEXT:    memref.load %[[SLOT]][]
func.func private @pyarray_rt_raise(i32) attributes {pyarray.noreturn}
func.func private @fill(memref<i64>)
func.func @elsewhere(%bad: i1, %site: i32) -> i32 {
  %slot = memref.alloca() {pyarray.owner_slot} : memref<i64>
  %zero = arith.constant 0 : i64
  memref.store %zero, %slot[] : memref<i64>
  %ok = arith.constant 0 : i32
  func.call @fill(%slot) : (memref<i64>) -> ()
  cf.cond_br %bad, ^raise, ^on
^raise:
  func.call @pyarray_rt_raise(%site) : (i32) -> ()
  cf.br ^on
^on:
  return %ok : i32
}
