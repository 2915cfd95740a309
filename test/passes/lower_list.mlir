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
