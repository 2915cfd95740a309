// RUN: pyarray-opt %s --pyarray-insert-ownership | FileCheck %s --check-prefix=OWN
// RUN: pyarray-opt %s --pyarray-insert-ownership --pyarray-lower | FileCheck %s
// Lists: items are read and appended inline; what is taken out is owned.

// OWN-LABEL: func.func @last
// OWN: %[[X:.*]] = pyarray.getitem
// OWN-NEXT: pyarray.retain %[[X]] : !pyarray.list<f64>
// OWN-NEXT: pyarray.release %[[X]] : !pyarray.list<f64>
// CHECK-LABEL: func.func @last(%arg0: i64, %arg1: i64) -> (i32, i64)
// CHECK: %[[N:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK: scf.if
// CHECK: pyarray_rt_raise
// CHECK: %[[H:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK: call @pyarray_rt_retain(%[[H]])
func.func @last(%l: !pyarray.list<!pyarray.list<f64>>, %i: si64) -> !pyarray.list<f64> {
  %x = pyarray.getitem %l[%i] : (!pyarray.list<!pyarray.list<f64>>, si64) -> !pyarray.list<f64>
  return %x : !pyarray.list<f64>
}

// CHECK-LABEL: func.func @append(
// CHECK: scf.if
// CHECK: call @pyarray_rt_list_grow
// CHECK: llvm.store %arg1, %{{.*}} : f64, !llvm.ptr
func.func @append(%l: !pyarray.list<f64>, %x: f64) -> !pyarray.none {
  %0 = pyarray.builtin "list.append"(%l, %x) : (!pyarray.list<f64>, f64) -> !pyarray.none
  return %0 : !pyarray.none
}

// The code of an item type is a constant of the module.
// CHECK-LABEL: func.func @display
// CHECK: memref.get_global @{{.*}}
// CHECK: call @pyarray_rt_item_type
// CHECK: call @pyarray_rt_list_new
func.func @display(%x: si64, %b: i1) -> !pyarray.list<tuple<si64, i1>> {
  %t = pyarray.tuple %x, %b : (si64, i1) -> tuple<si64, i1>
  %l = pyarray.list %t : (tuple<si64, i1>) -> !pyarray.list<tuple<si64, i1>>
  return %l : !pyarray.list<tuple<si64, i1>>
}

// Where the body leaves lists as they are, length and items are loaded once.
// CHECK-LABEL: func.func @total
// CHECK: %[[ITEMS:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK: %[[N:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[N]] step
// CHECK: %[[X:.*]] = llvm.getelementptr %[[ITEMS]]
// CHECK: llvm.load %[[X]] {{.*}} -> f64
// CHECK: arith.addf
func.func @total(%l: !pyarray.list<f64>, %zero: f64) -> f64 {
  %s = pyarray.for (%x: f64, %acc: f64) in %l : !pyarray.list<f64> iter(%zero) {
    %next = pyarray.binary add %acc, %x : (f64, f64) -> f64
    pyarray.yield %next : f64
  }
  return %s : f64
}

// Else the length is read before each item.
// CHECK-LABEL: func.func @double
// CHECK: scf.while
// CHECK: llvm.load
// CHECK: scf.condition
// CHECK: pyarray_rt_list_grow
func.func @double(%l: !pyarray.list<f64>, %other: !pyarray.list<f64>, %zero: f64) -> f64 {
  %s = pyarray.for (%x: f64, %acc: f64) in %l : !pyarray.list<f64> iter(%zero) {
    %none = pyarray.builtin "list.append"(%other, %x) : (!pyarray.list<f64>, f64) -> !pyarray.none
    pyarray.yield %acc : f64
  }
  return %s : f64
}

// So it is where a generator runs in the body, which may change any list.
// CHECK-LABEL: func.func @beside_generator
// CHECK: scf.while
// CHECK: llvm.load
// CHECK: scf.condition
func.func @beside_generator(%l: !pyarray.list<f64>, %g: !pyarray.generator<f64>, %zero: f64) -> f64 {
  %s = pyarray.for (%x: f64, %acc: f64) in %l : !pyarray.list<f64> iter(%zero) {
    pyarray.for (%y: f64) in %g : !pyarray.generator<f64> {
    }
    pyarray.yield %acc : f64
  }
  return %s : f64
}

// A deque is laid out as a list; what is put in is the runtime's, which knows the most length.
// CHECK-LABEL: func.func @queue
// CHECK: arith.cmpi slt, %arg0, %c0_i64
// CHECK: %[[Q:.*]] = call @pyarray_rt_deque_new({{.*}}, %arg0)
// CHECK: call @pyarray_rt_deque_put(%[[Q]], %{{.*}}, %c1_i32)
// CHECK: %[[N:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK: call @pyarray_rt_list_take(%[[Q]], %c0_i64,
func.func @queue(%limit: si64, %x: f64) -> f64 {
  %q = pyarray.builtin "collections.deque"(%limit) : (si64) -> !pyarray.deque<f64>
  %none = pyarray.builtin "deque.appendleft"(%q, %x) : (!pyarray.deque<f64>, f64) -> !pyarray.none
  %first = pyarray.builtin "deque.popleft"(%q) : (!pyarray.deque<f64>) -> f64
  return %first : f64
}

// An array argument that is put in is kept: the list may outlive the call. One without an owner is part of the code.
// CHECK-LABEL: func.func @keep
// CHECK: %[[NONE:.*]] = arith.cmpi eq, %[[OWNER:.*]], %c0_i64
// CHECK: %[[HELD:.*]] = arith.select %[[NONE]], %{{.*}}, %[[OWNER]]
// CHECK: call @pyarray_rt_keep(%[[HELD]])
func.func @keep(%l: !pyarray.list<!pyarray.array<?xf64, C>>, %a: !pyarray.array<?xf64, C>) -> !pyarray.none {
  %none = pyarray.builtin "list.append"(%l, %a) : (!pyarray.list<!pyarray.array<?xf64, C>>, !pyarray.array<?xf64, C>) -> !pyarray.none
  return %none : !pyarray.none
}

// A float among ints is looked for as the int that it is, if it is one.
// CHECK-LABEL: func.func @seek
// CHECK: llvm.call_intrinsic "llvm.fptosi.sat
// CHECK: %[[EXACT:.*]] = arith.andi
// CHECK: %[[AT:.*]] = call @pyarray_rt_list_find
// CHECK: arith.select %[[EXACT]], %[[AT]], %c-1_i64
func.func @seek(%l: !pyarray.list<si64>, %x: f64) -> i1 {
  %v = pyarray.builtin "list.contains"(%l, %x) : (!pyarray.list<si64>, f64) -> i1
  return %v : i1
}
