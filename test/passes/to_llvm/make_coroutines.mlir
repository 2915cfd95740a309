// RUN: pyarray-opt %s --pyarray-make-coroutines | FileCheck %s
// RUN: pyarray-opt %s --pyarray-make-coroutines | pyarray-opt --pyarray-make-coroutines | FileCheck %s

// CHECK-LABEL: func.func private @items(%arg0: i64) -> (i32, i64)
// CHECK-SAME: passthrough = ["presplitcoroutine"]
// CHECK: %[[SLOT:.*]] = memref.alloca() : memref<i64>
// CHECK: %[[PROMISE:.*]] = llvm.alloca %{{.*}} x !llvm.array<10 x i64>
// CHECK: %[[ID:.*]] = llvm.intr.coro.id %{{.*}}, %[[PROMISE]],
// CHECK: %[[SIZE:.*]] = llvm.intr.coro.size : i64
// CHECK: %[[MEMORY:.*]] = call @pyarray_rt_generator_new(%[[SIZE]])
// CHECK: cf.cond_br %{{.*}}, ^[[FAILED:bb[0-9]+]], ^[[BEGIN:bb[0-9]+]]

// The body: what follows a suspension runs where it is 0.
// CHECK: llvm.intr.coro.suspend %{{.*}}, %[[NO:.*]] : i8
// CHECK: cf.cond_br %{{.*}}, ^[[LEAVE:bb[0-9]+]](%{{.*}} : i32), ^[[ON:bb[0-9]+]]
// CHECK: ^[[ON]]:
// CHECK: %[[WORD:.*]] = llvm.getelementptr %[[PROMISE]][8]
// CHECK: llvm.load %[[WORD]]

// CHECK: ^[[FAILED]]:
// CHECK: call @pyarray_rt_raise
// CHECK: return
// CHECK: ^[[BEGIN]]:
// CHECK: %[[HANDLE:.*]] = llvm.intr.coro.begin %[[ID]],

// The end: 0, or -1 where it raised, and the last suspension.
// CHECK: ^{{bb[0-9]+}}(%[[STATUS:.*]]: i32):
// CHECK: arith.cmpi eq, %[[STATUS]],
// CHECK: llvm.store
// CHECK: llvm.intr.coro.suspend %{{.*}}, %true{{.*}} : i8
// CHECK: cf.br ^[[LEAVE]](%[[STATUS]] : i32)
// CHECK: ^[[LEAVE]](%[[RESULT:.*]]: i32):
// CHECK: llvm.call_intrinsic "llvm.coro.end"(%[[HANDLE]],
// CHECK: %[[ADDRESS:.*]] = llvm.ptrtoint %[[HANDLE]]
// CHECK: return %[[RESULT]], %[[ADDRESS]] : i32, i64
module {
  func.func private @items(%x: i64) -> (i32, i64) attributes {pyarray.generator, pyarray.memory_site = 0 : i32} {
    %slot = memref.alloca() : memref<i64>
    %zero = arith.constant 0 : i64
    memref.store %zero, %slot[] : memref<i64>
    %status = arith.constant 0 : i32
    %how = call @pyarray_suspend() : () -> i64
    %closed = arith.cmpi ne, %how, %zero : i64
    cf.cond_br %closed, ^end, ^body
  ^body:
    %at = call @pyarray_generator_item() : () -> i64
    %p = llvm.inttoptr %at : i64 to !llvm.ptr
    llvm.store %x, %p : i64, !llvm.ptr
    %again = call @pyarray_suspend() : () -> i64
    cf.br ^end
  ^end:
    return %status, %zero : i32, i64
  }
  func.func private @pyarray_suspend() -> i64
  func.func private @pyarray_generator_item() -> i64
}
