// RUN: pyarray-opt %s --pyarray-lower --split-input-file | FileCheck %s
// RUN: pyarray-opt %s --pyarray-lower --split-input-file | pyarray-opt --split-input-file

// A generator waits before its body, and at each yield, where it raises GeneratorExit if it is closed.
// CHECK-LABEL: func.func @items(%arg0: i64) -> (i32, i64)
// CHECK-SAME: pyarray.generator, pyarray.memory_site = {{[0-9]+}} : i32
// CHECK: %[[FIRST:.*]] = call @pyarray_suspend() : () -> i64
// CHECK: %[[CLOSED:.*]] = arith.cmpi ne, %[[FIRST]]
// CHECK: scf.if %[[CLOSED]] {
// CHECK-NEXT: call @pyarray_rt_leave() : () -> ()
// CHECK: %[[AT:.*]] = call @pyarray_generator_item() : () -> i64
// CHECK: %[[IGNORED:.*]] = arith.cmpi eq, %[[AT]]
// CHECK: scf.if %[[IGNORED]] {
// CHECK-NEXT: call @pyarray_rt_leave() : () -> ()
// CHECK: %[[P:.*]] = llvm.inttoptr %[[AT]]
// CHECK: llvm.store %arg0, %[[P]]
// CHECK: %[[HOW:.*]] = call @pyarray_suspend() : () -> i64
// CHECK: %[[EXIT:.*]] = arith.cmpi ne, %[[HOW]]
// CHECK: scf.if %[[EXIT]] {
// CHECK-NEXT: call @pyarray_rt_raise
// CHECK: return %{{.*}}, %{{.*}} : i32, i64
func.func @items(%x: si64) -> !pyarray.generator<si64> attributes {pyarray.generator} {
  pyarray.suspend %x : si64
  %u = pyarray.unbound : !pyarray.generator<si64>
  func.return %u : !pyarray.generator<si64>
}

// -----

// It holds what it was given, and takes errors that it handles along.
// CHECK-LABEL: func.func @holds(%arg0: memref<?xf64, strided<[1], offset: ?>>, %arg1: i64)
// CHECK: %[[KEPT:.*]] = call @pyarray_rt_keep(
// CHECK: memref.store %[[KEPT]], %{{.*}}[] : memref<i64>
// CHECK: call @pyarray_suspend
// CHECK: call @pyarray_rt_catch
// CHECK: %[[ASIDE:.*]] = func.call @pyarray_rt_handlers_aside(%[[ONE:.*]]) : (i64) -> i64
// CHECK: call @pyarray_suspend
// CHECK: call @pyarray_rt_handlers_back(%[[ASIDE]], %[[ONE]])
func.func @holds(%a: !pyarray.array<?xf64, C>) -> !pyarray.generator<!pyarray.array<?xf64, C>> attributes {pyarray.generator} {
  pyarray.try {
    pyarray.raise "ValueError"() : () -> ()
  } except {
    pyarray.suspend %a : !pyarray.array<?xf64, C>
  }
  pyarray.release %a : !pyarray.array<?xf64, C>
  %u = pyarray.unbound : !pyarray.generator<!pyarray.array<?xf64, C>>
  func.return %u : !pyarray.generator<!pyarray.array<?xf64, C>>
}

// -----

// A StopIteration of the body would end the loop over it: it becomes a RuntimeError.
// CHECK-LABEL: func.func @stops
// CHECK: call @pyarray_suspend
// CHECK: %[[FAILED:.*]] = call @pyarray_try() {pyarray.try = 0 : i64}
// CHECK: scf.if %[[FAILED]] {
// CHECK: call @pyarray_caught0
// CHECK: call @pyarray_rt_cause
// CHECK: call @pyarray_rt_raise
// CHECK: call @pyarray_rt_reraise
// CHECK: } else {
// CHECK: call @pyarray_rt_raise(%{{.*}}) {pyarray.try = 0 : i64}
func.func @stops(%x: si64) -> !pyarray.generator<si64> attributes {pyarray.generator} {
  pyarray.raise "StopIteration"() : () -> ()
  %u = pyarray.unbound : !pyarray.generator<si64>
  func.return %u : !pyarray.generator<si64>
}

// -----

// The loop has a place for the item.
// CHECK-LABEL: func.func @over(%arg0: i64)
// CHECK: %[[ROOM:.*]] = memref.alloca() : memref<1xi64>
// CHECK: scf.while
// CHECK: %[[STATE:.*]] = func.call @pyarray_rt_generator_next(%arg0, %[[PLACE:.*]]) : (i64, i64) -> i64
// CHECK: %[[BAD:.*]] = arith.cmpi slt, %[[STATE]]
// CHECK: scf.if %[[BAD]] {
// CHECK: call @pyarray_rt_propagate
// CHECK: %[[MORE:.*]] = arith.cmpi eq, %[[STATE]], %c1_i64
// CHECK: scf.condition(%[[MORE]])
// CHECK: } do {
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> f64
func.func @over(%g: !pyarray.generator<f64>) -> f64 {
  %zero = pyarray.constant 0.0 : f64 -> f64
  %s = pyarray.for (%x: f64, %acc: f64) in %g : !pyarray.generator<f64> iter(%zero) {
    %sum = pyarray.binary add %acc, %x : (f64, f64) -> f64
    pyarray.yield %sum : f64
  }
  func.return %s : f64
}

// -----

// What the loop carries is in its slot while the generator runs, which may raise.
// CHECK-LABEL: func.func @carried(%arg0: i64, %arg1: i64)
// CHECK: scf.while (%[[T:.*]] = %arg1)
// CHECK: memref.store %[[T]], %[[SLOT:.*]][] : memref<i64>
// CHECK: func.call @pyarray_rt_generator_next
// CHECK: %[[BACK:.*]] = memref.load %[[SLOT]][]
// CHECK: memref.store %{{.*}}, %[[SLOT]][]
// CHECK: scf.condition(%{{.*}}) %[[BACK]] : i64
func.func @carried(%g: !pyarray.generator<si64>, %s: !pyarray.str) -> !pyarray.str {
  pyarray.retain %s : !pyarray.str
  %r = pyarray.for (%x: si64, %t: !pyarray.str) in %g : !pyarray.generator<si64> iter(%s) {
    pyarray.retain %t : !pyarray.str
    pyarray.release %t : !pyarray.str
    pyarray.yield %t : !pyarray.str
  }
  pyarray.retain %r : !pyarray.str
  pyarray.release %r : !pyarray.str
  func.return %r : !pyarray.str
}

// -----

// Where there is no item, its owner is 0.
// CHECK-LABEL: func.func @next(%arg0: i64)
// CHECK: %[[STATE:.*]] = call @pyarray_rt_generator_next
// CHECK: %[[MORE:.*]] = arith.cmpi eq, %[[STATE]], %c1_i64
// CHECK: %[[TEXT:.*]] = llvm.load
// CHECK: %[[OWNER:.*]] = arith.select %[[MORE]], %[[TEXT]], %{{.*}} : i64
// CHECK: memref.store %[[OWNER]], %{{.*}}[] : memref<i64>
func.func @next(%g: !pyarray.generator<!pyarray.str>) -> i1 {
  %more, %item = pyarray.iter_next %g : (!pyarray.generator<!pyarray.str>) -> (i1, !pyarray.str)
  pyarray.release %item : !pyarray.str
  func.return %more : i1
}

// -----

// pyarray.break goes to a handler that does nothing; raises pass through it.
// CHECK-LABEL: func.func @left
// CHECK: %[[LEFT:.*]] = call @pyarray_try() {pyarray.try = 0 : i64}
// CHECK: scf.if %[[LEFT]] {
// CHECK-NEXT: } else {
// CHECK: func.call @pyarray_rt_raise(%{{.*}}) : (i32) -> ()
// CHECK: func.call @pyarray_rt_leave() {pyarray.try = 0 : i64} : () -> ()
func.func @left(%b: i1) {
  pyarray.breakable {
    scf.if %b {
      pyarray.raise "ValueError"() : () -> ()
    } else {
      pyarray.break
    }
  }
  func.return
}

// -----

// `yield from` of a recursive generator gives the items of the inner one to the place of its own, and says so to the runtime.
// CHECK-LABEL: func.func @countdown(%arg0: i64)
// CHECK: func.call @countdown(
// CHECK: scf.while : () -> () {
// CHECK: %[[AT:.*]] = func.call @pyarray_generator_item()
// CHECK: %[[STATE:.*]] = func.call @pyarray_rt_generator_delegate(%{{.*}}, %[[AT]])
// CHECK: %[[MORE:.*]] = arith.cmpi eq, %[[STATE]], %c1_i64
// CHECK: scf.condition(%[[MORE]])
// CHECK: } do {
// CHECK-NEXT: %[[HOW:.*]] = func.call @pyarray_suspend()
// CHECK-NOT: pyarray_rt_generator_next
func.func @countdown(%n: si64) -> !pyarray.generator<si64> attributes {pyarray.generator} {
  %g = pyarray.call @countdown(%n) : (si64) -> !pyarray.generator<si64>
  pyarray.for (%x: si64) in %g : !pyarray.generator<si64> {
    pyarray.suspend %x : si64
  }
  pyarray.release %g : !pyarray.generator<si64>
  %u = pyarray.unbound : !pyarray.generator<si64>
  func.return %u : !pyarray.generator<si64>
}
