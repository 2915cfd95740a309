// RUN: pyarray-opt %s --pyarray-insert-ownership | FileCheck %s --check-prefix=OWN
// RUN: pyarray-opt %s --pyarray-insert-ownership --pyarray-lower | FileCheck %s
// RUN: pyarray-opt %s --pyarray-insert-ownership --pyarray-lower | pyarray-opt
// Instances of classes: fields lie at the handle as an item, whose parts are placed one behind the other.

module attributes {pyarray.classes = {"m:Node#0" = {
    fields = ["flag", "next", "pair", "a"],
    types = tuple<i1, !pyarray.optional<!pyarray.object<"m:Node#0">>, tuple<i1, f64>, !pyarray.array<?xf64, A>>}}} {

  // CHECK-LABEL: func.func @number(%arg0: i64) -> (i32, i1, f64)
  // CHECK: %[[P:.*]] = llvm.inttoptr %arg0 : i64 to !llvm.ptr
  // CHECK: llvm.getelementptr %[[P]][16]
  // CHECK: llvm.getelementptr %[[P]][24]
  // CHECK-NOT: pyarray_rt_retain
  func.func @number(%n: !pyarray.object<"m:Node#0">) -> tuple<i1, f64> {
    %0 = pyarray.getfield %n "pair" : (!pyarray.object<"m:Node#0">) -> tuple<i1, f64>
    return %0 : tuple<i1, f64>
  }

  // What is read is owned; what may be None at first is not checked.
  // OWN-LABEL: func.func @next
  // OWN: %[[X:.*]] = pyarray.getfield
  // OWN-NEXT: pyarray.retain %[[X]]
  // OWN-NEXT: pyarray.release %[[X]]
  // CHECK-LABEL: func.func @next(%arg0: i64) -> (i32, i1, i64)
  // CHECK-NOT: pyarray_rt_raise
  // CHECK: call @pyarray_rt_retain
  func.func @next(%n: !pyarray.object<"m:Node#0">) -> !pyarray.optional<!pyarray.object<"m:Node#0">> {
    %0 = pyarray.getfield %n "next" : (!pyarray.object<"m:Node#0">) -> !pyarray.optional<!pyarray.object<"m:Node#0">>
    return %0 : !pyarray.optional<!pyarray.object<"m:Node#0">>
  }

  // An array was perhaps never set.
  // CHECK-LABEL: func.func @array
  // CHECK: pyarray_rt_raise
  func.func @array(%n: !pyarray.object<"m:Node#0">) -> !pyarray.array<?xf64, A> {
    %0 = pyarray.getfield %n "a" : (!pyarray.object<"m:Node#0">) -> !pyarray.array<?xf64, A>
    return %0 : !pyarray.array<?xf64, A>
  }

  // What an argument borrows from its caller is kept; the old value goes last.
  // CHECK-LABEL: func.func @store
  // CHECK: call @pyarray_rt_keep
  // CHECK: llvm.store
  // CHECK: call @pyarray_rt_release
  func.func @store(%n: !pyarray.object<"m:Node#0">, %a: !pyarray.array<?xf64, A>) -> !pyarray.none {
    pyarray.setattr %n "a" = %a : (!pyarray.object<"m:Node#0">, !pyarray.array<?xf64, A>) -> ()
    %0 = pyarray.constant unit -> !pyarray.none
    return %0 : !pyarray.none
  }

  // CHECK-LABEL: func.func @new
  // CHECK: call @pyarray_rt_instance_new
  // OWN-LABEL: func.func @new
  // OWN: %[[N:.*]] = pyarray.new "m:Node#0" : !pyarray.object<"m:Node#0">
  // OWN: pyarray.release %[[N]]
  func.func @new() -> !pyarray.optional<!pyarray.object<"m:Node#0">> {
    %0 = pyarray.new "m:Node#0" : !pyarray.object<"m:Node#0">
    %1 = pyarray.cast %0 : !pyarray.object<"m:Node#0"> to !pyarray.optional<!pyarray.object<"m:Node#0">>
    return %1 : !pyarray.optional<!pyarray.object<"m:Node#0">>
  }

  // CHECK-LABEL: func.func @none() -> (i32, i1, i64)
  // CHECK-DAG: %[[F:.*]] = arith.constant false
  // CHECK-DAG: %[[Z:.*]] = arith.constant 0 : i64
  // CHECK: return %{{.*}}, %[[F]], %[[Z]]
  func.func @none() -> !pyarray.optional<!pyarray.object<"m:Node#0">> {
    %0 = pyarray.constant unit -> !pyarray.none
    %1 = pyarray.cast %0 : !pyarray.none to !pyarray.optional<!pyarray.object<"m:Node#0">>
    return %1 : !pyarray.optional<!pyarray.object<"m:Node#0">>
  }
}

// CHECK: memref.global {{.*}}m:Node#0=(?Oo(?d)[A1d)
