// RUN: pyarray-opt %s --pyarray-inline-coroutines --split-input-file | FileCheck %s
// RUN: pyarray-opt %s --pyarray-inline-coroutines --split-input-file | pyarray-opt --pyarray-inline-coroutines --split-input-file | FileCheck %s

// A loop over a generator that stays: making it runs it to its first suspension, each round asks, what is left is closed.
// CHECK-LABEL: func.func @sum
// CHECK-NOT:     @count
// CHECK-NOT:     pyarray_rt_generator_next
// CHECK:         %[[WAITS:.*]] = llvm.alloca %{{.*}} x i64
// CHECK:         %[[HOW:.*]] = llvm.alloca %{{.*}} x i64
// CHECK:         %[[ITEM:.*]] = llvm.alloca %{{.*}} x !llvm.array<1 x i64>

// It is made.
// CHECK:         llvm.store %{{.*}}, %[[HOW]]
// CHECK:         cf.br ^{{bb[0-9]+}}

// The loop: asks, and adds what it gets.
// CHECK:         llvm.store %{{.*}}, %[[HOW]]
// CHECK:         cf.br ^[[ASKED:bb[0-9]+]]
// CHECK:         llvm.load %[[ITEM]]
// CHECK:         arith.addi

// The release, where the generator was made and waits.
// CHECK:         %[[OWNER:.*]] = memref.load %{{.*}}[]
// CHECK:         arith.cmpi ne, %[[OWNER]],
// CHECK:         %[[NUMBER:.*]] = llvm.load %[[WAITS]]
// CHECK:         arith.cmpi ne, %[[NUMBER]],
// CHECK:         %[[ERROR:.*]] = call @pyarray_rt_error_aside()
// CHECK:         call @pyarray_rt_error_back
// CHECK-NOT:     pyarray_rt_release

// A copy of the body.
// CHECK:       ^[[ASKED]]:
// CHECK:         %[[AT:.*]] = llvm.load %[[WAITS]]
// CHECK:         cf.switch %[[AT]] : i64, [
// CHECK-NEXT:      default: ^{{.*}},
// CHECK-NEXT:      1: ^{{.*}},
// CHECK-NEXT:      2: ^{{.*}},
// CHECK-NEXT:      3: ^

// What lives across the suspension is in memory.
// CHECK:       ^{{bb[0-9]+}}(%[[I:.*]]: i64):
// CHECK-NEXT:    llvm.store %[[I]], %[[MEMORY:.*]] {pyarray.demoted = 1 : i64}
// CHECK:         llvm.store %{{.*}}, %[[ITEM]]
// CHECK:         llvm.load %[[MEMORY]] {pyarray.demoted = 1 : i64}
// CHECK-NOT:   func.func private @count
func.func @sum(%n: i64) -> (i32, i64) attributes {pyarray.entry} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %status = arith.constant 0 : i32
  %slot = memref.alloca() {pyarray.owner_slot} : memref<i64>
  memref.store %zero, %slot[] : memref<i64>
  %space = memref.alloca() : memref<1xi64>
  %index = memref.extract_aligned_pointer_as_index %space : memref<1xi64> -> index
  %address = arith.index_cast %index : index to i64
  %made:2 = call @count(%n) : (i64) -> (i32, i64)
  memref.store %made#1, %slot[] : memref<i64>
  cf.br ^loop(%zero : i64)
^loop(%sum: i64):
  %state = call @pyarray_rt_generator_next(%made#1, %address) : (i64, i64) -> i64
  %more = arith.cmpi eq, %state, %one : i64
  cf.cond_br %more, ^body, ^end
^body:
  %p = llvm.inttoptr %address : i64 to !llvm.ptr
  %x = llvm.load %p : !llvm.ptr -> i64
  %next = arith.addi %sum, %x : i64
  cf.br ^loop(%next : i64)
^end:
  %owner = memref.load %slot[] : memref<i64>
  call @pyarray_rt_release(%owner) : (i64) -> ()
  return %status, %sum : i32, i64
}
func.func private @count(%n: i64) -> (i32, i64) attributes {pyarray.generator, pyarray.memory_site = 0 : i32} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %status = arith.constant 0 : i32
  %failure = arith.constant 1 : i32
  %how = call @pyarray_suspend() : () -> i64
  %closed = arith.cmpi ne, %how, %zero : i64
  cf.cond_br %closed, ^failed, ^loop(%zero : i64)
^loop(%i: i64):
  %in = arith.cmpi slt, %i, %n : i64
  cf.cond_br %in, ^body, ^end
^body:
  %at = call @pyarray_generator_item() : () -> i64
  %none = arith.cmpi eq, %at, %zero : i64
  cf.cond_br %none, ^failed, ^give
^give:
  %p = llvm.inttoptr %at : i64 to !llvm.ptr
  llvm.store %i, %p : i64, !llvm.ptr
  %again = call @pyarray_suspend() : () -> i64
  %now = arith.cmpi ne, %again, %zero : i64
  %next = arith.addi %i, %one : i64
  cf.cond_br %now, ^failed, ^loop(%next : i64)
^failed:
  return %failure, %zero : i32, i64
^end:
  return %status, %zero : i32, i64
}
func.func private @pyarray_suspend() -> i64
func.func private @pyarray_generator_item() -> i64
func.func private @pyarray_rt_generator_next(i64, i64) -> i64
func.func private @pyarray_rt_release(i64)

// -----

// One that is given away keeps its frame.
// CHECK-LABEL: func.func @give
// CHECK:         call @count
// CHECK:         call @pyarray_rt_generator_next
// CHECK:       func.func private @count
func.func @give(%n: i64) -> (i32, i64) attributes {pyarray.entry} {
  %status = arith.constant 0 : i32
  %space = memref.alloca() : memref<1xi64>
  %index = memref.extract_aligned_pointer_as_index %space : memref<1xi64> -> index
  %address = arith.index_cast %index : index to i64
  %made:2 = call @count(%n) : (i64) -> (i32, i64)
  %state = call @pyarray_rt_generator_next(%made#1, %address) : (i64, i64) -> i64
  return %status, %made#1 : i32, i64
}
func.func private @count(%n: i64) -> (i32, i64) attributes {pyarray.generator, pyarray.memory_site = 0 : i32} {
  %zero = arith.constant 0 : i64
  %status = arith.constant 0 : i32
  %how = call @pyarray_suspend() : () -> i64
  return %status, %zero : i32, i64
}
func.func private @pyarray_suspend() -> i64
func.func private @pyarray_rt_generator_next(i64, i64) -> i64

// -----

// A generator that makes itself keeps its frame; the one that makes it becomes part of its maker nevertheless.
// CHECK-LABEL: func.func @outer
// CHECK-NOT:     call @middle
// CHECK:         call @inner
// CHECK-NOT:   func.func private @middle
// CHECK:       func.func private @inner
// CHECK:         call @inner
func.func @outer(%n: i64) -> i32 attributes {pyarray.entry} {
  %made:2 = call @middle(%n) : (i64) -> (i32, i64)
  return %made#0 : i32
}
func.func private @middle(%n: i64) -> (i32, i64) attributes {pyarray.generator, pyarray.memory_site = 0 : i32} {
  %made:2 = call @inner(%n) : (i64) -> (i32, i64)
  %how = call @pyarray_suspend() : () -> i64
  return %made#0, %n : i32, i64
}
func.func private @inner(%n: i64) -> (i32, i64) attributes {pyarray.generator, pyarray.memory_site = 0 : i32} {
  %made:2 = call @inner(%n) : (i64) -> (i32, i64)
  %how = call @pyarray_suspend() : () -> i64
  return %made#0, %n : i32, i64
}
func.func private @pyarray_suspend() -> i64
