// RUN: pyarray-opt %s --pyarray-lower-control-flow | FileCheck %s
// RUN: pyarray-opt %s --pyarray-lower-control-flow | pyarray-opt --pyarray-lower-control-flow | FileCheck %s

// CHECK-LABEL: func.func @choose(%arg0: i1, %arg1: i64, %arg2: i64) -> i64
// CHECK-NEXT:    cf.cond_br %arg0, ^bb1, ^bb2
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    cf.br ^bb3(%arg1 : i64)
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    cf.br ^bb3(%arg2 : i64)
// CHECK-NEXT:  ^bb3(%[[R:.*]]: i64):
// CHECK-NEXT:    return %[[R]]
func.func @choose(%c: i1, %a: i64, %b: i64) -> i64 {
  %r = scf.if %c -> (i64) {
    scf.yield %a : i64
  } else {
    scf.yield %b : i64
  }
  return %r : i64
}

// Two in a row, and one within: each has what follows it in a block of its own.
// CHECK-LABEL: func.func @in_a_row
// CHECK-NEXT:    cf.cond_br %arg0, ^bb1, ^bb4
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    cf.cond_br %arg1, ^bb2, ^bb3
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    call @a()
// CHECK-NEXT:    cf.br ^bb3
// CHECK-NEXT:  ^bb3:
// CHECK-NEXT:    call @b()
// CHECK-NEXT:    cf.br ^bb4
// CHECK-NEXT:  ^bb4:
// CHECK-NEXT:    call @a()
// CHECK-NEXT:    cf.cond_br %arg1, ^bb5, ^bb6
// CHECK-NEXT:  ^bb5:
// CHECK-NEXT:    call @b()
// CHECK-NEXT:    cf.br ^bb6
// CHECK-NEXT:  ^bb6:
// CHECK-NEXT:    return
func.func @in_a_row(%c: i1, %d: i1) {
  scf.if %c {
    scf.if %d {
      func.call @a() : () -> ()
    }
    func.call @b() : () -> ()
  }
  func.call @a() : () -> ()
  scf.if %d {
    func.call @b() : () -> ()
  }
  return
}
func.func private @a()
func.func private @b()

// What LLVM is told of a loop is on the branch back.
// CHECK-LABEL: func.func @count(%arg0: i64, %arg1: i64, %arg2: i64, %arg3: f64) -> f64
// CHECK-NEXT:    cf.br ^bb1(%arg0, %arg3 : i64, f64)
// CHECK-NEXT:  ^bb1(%[[I:.*]]: i64, %[[X:.*]]: f64):
// CHECK-NEXT:    %[[MORE:.*]] = arith.cmpi slt, %[[I]], %arg1 : i64
// CHECK-NEXT:    cf.cond_br %[[MORE]], ^bb2, ^bb3
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    %[[Y:.*]] = arith.addf %[[X]], %[[X]] : f64
// CHECK-NEXT:    %[[NEXT:.*]] = arith.addi %[[I]], %arg2 : i64
// CHECK-NEXT:    cf.br ^bb1(%[[NEXT]], %[[Y]] : i64, f64) {loop_annotation = #loop_annotation}
// CHECK-NEXT:  ^bb3:
// CHECK-NEXT:    return %[[X]] : f64
#unroll = #llvm.loop_unroll<count = 8 : i32>
func.func @count(%first: i64, %last: i64, %step: i64, %x: f64) -> f64 {
  %r = scf.for %i = %first to %last step %step iter_args(%at = %x) -> (f64) : i64 {
    %next = arith.addf %at, %at : f64
    scf.yield %next : f64
  } {loop_annotation = #llvm.loop_annotation<unroll = #unroll>}
  return %r : f64
}

// CHECK-LABEL: func.func @unsigned
// CHECK:         arith.cmpi ult,
func.func @unsigned(%first: i64, %last: i64, %step: i64) {
  scf.for unsigned %i = %first to %last step %step : i64 {
    func.call @a() : () -> ()
  }
  return
}

// CHECK-LABEL: func.func @test_first(%arg0: i64, %arg1: i64) -> f64
// CHECK:         cf.br ^bb1(%arg0 : i64)
// CHECK-NEXT:  ^bb1(%[[I:.*]]: i64):
// CHECK-NEXT:    %[[MORE:.*]] = arith.cmpi slt, %[[I]], %arg1 : i64
// CHECK-NEXT:    %[[X:.*]] = arith.sitofp %[[I]] : i64 to f64
// CHECK-NEXT:    cf.cond_br %[[MORE]], ^bb2(%[[X]] : f64), ^bb3
// CHECK-NEXT:  ^bb2(%[[Y:.*]]: f64):
// CHECK-NEXT:    %[[J:.*]] = arith.fptosi %[[Y]] : f64 to i64
// CHECK-NEXT:    cf.br ^bb1(%[[J]] : i64)
// CHECK-NEXT:  ^bb3:
// CHECK-NEXT:    return %[[X]] : f64
func.func @test_first(%n: i64, %most: i64) -> f64 {
  %r = scf.while (%i = %n) : (i64) -> f64 {
    %more = arith.cmpi slt, %i, %most : i64
    %x = arith.sitofp %i : i64 to f64
    scf.condition(%more) %x : f64
  } do {
  ^bb0(%y: f64):
    %j = arith.fptosi %y : f64 to i64
    scf.yield %j : i64
  }
  return %r : f64
}

// A second region that hands on what it is given takes no block.
// CHECK-LABEL: func.func @test_last
// CHECK:         cf.br ^bb1(%arg0 : i64)
// CHECK-NEXT:  ^bb1(%[[I:.*]]: i64):
// CHECK:         cf.cond_br %{{.*}}, ^bb1(%{{.*}} : i64), ^bb2
// CHECK-NEXT:  ^bb2:
func.func @test_last(%n: i64, %most: i64) -> i64 {
  %r = scf.while (%i = %n) : (i64) -> i64 {
    %j = arith.addi %i, %i : i64
    %more = arith.cmpi slt, %j, %most : i64
    scf.condition(%more) %j : i64
  } do {
  ^bb0(%k: i64):
    scf.yield %k : i64
  }
  return %r : i64
}

// CHECK-LABEL: gpu.module @kernels
// CHECK:         gpu.func @kernel
// CHECK-NEXT:      cf.cond_br
gpu.module @kernels {
  gpu.func @kernel(%c: i1, %p: memref<?xf64>, %x: f64, %i: index) kernel {
    scf.if %c {
      memref.store %x, %p[%i] : memref<?xf64>
    }
    gpu.return
  }
}
