// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file | FileCheck %s
// Dicts and sets: types of keys and values follow from what is put in; loops go over iterators, which know the version.

// CHECK-LABEL: func.func @fill$0
// CHECK: %[[D:.*]] = pyarray.dict : () -> !pyarray.dict<si64, f64>
// CHECK: pyarray.setitem %[[D]][%arg0] = %{{.*}} : (!pyarray.dict<si64, f64>, si64, f64) -> ()
// CHECK: return %[[D]]
func.func @fill(%k: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(si64) -> ()], pyarray.params = ["k"]} {
  %d = pyarray.dict : () -> !pyarray.any
  %c = pyarray.constant 0.5 : f64 -> !pyarray.any
  pyarray.setitem %d[%k] = %c : (!pyarray.any, !pyarray.any, !pyarray.any) -> ()
  return %d : !pyarray.any
}

// -----

// Several subscripts are one key.
// CHECK-LABEL: func.func @grid$0
// CHECK: %[[K:.*]] = pyarray.tuple %arg1, %arg2
// CHECK: pyarray.getitem %arg0[%[[K]]] : (!pyarray.dict<tuple<si64, si64>, f64>, tuple<si64, si64>) -> f64
func.func @grid(%d: !pyarray.any, %i: !pyarray.any, %j: !pyarray.any) -> !pyarray.any
    attributes {pyarray.instantiate = [(!pyarray.dict<tuple<si64, si64>, f64>, si64, si64) -> ()], pyarray.params = ["d", "i", "j"]} {
  %x = pyarray.getitem %d[%i, %j] : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %x : !pyarray.any
}

// -----

// CHECK-LABEL: func.func @total$0
// CHECK: %[[V:.*]] = pyarray.builtin "iterator.begin"(%arg0)
// CHECK: scf.while
// CHECK: %[[N:.*]] = pyarray.builtin "iterator.remaining"(%{{.*}}, %{{.*}})
// CHECK: pyarray.compare lt %{{.*}}, %[[N]]
// CHECK: } do {
// CHECK: pyarray.builtin "dict.key_at"
func.func @total(%d: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.dict<si64, f64>) -> ()], pyarray.params = ["d"]} {
  %zero = pyarray.constant 0 : si64 -> !pyarray.any
  %s = pyarray.for (%x: !pyarray.any, %acc: !pyarray.any) in %d : !pyarray.any iter(%zero) {
    %next = pyarray.binary add %acc, %x : (!pyarray.any, !pyarray.any) -> !pyarray.any
    pyarray.yield %next : !pyarray.any
  }
  return %s : !pyarray.any
}

// -----

// What is no set is made one.
// CHECK-LABEL: func.func @common$0
// CHECK: %[[S:.*]] = pyarray.set : () -> !pyarray.set<si64>
// CHECK: pyarray.builtin "set.update"(%[[S]], %arg1)
// CHECK: pyarray.builtin "set.intersection"(%arg0, %[[S]]) : (!pyarray.set<si64>, !pyarray.set<si64>) -> !pyarray.set<si64>
func.func @common(%s: !pyarray.any, %l: !pyarray.any) -> !pyarray.any
    attributes {pyarray.instantiate = [(!pyarray.set<si64>, !pyarray.list<si64>) -> ()], pyarray.params = ["s", "l"]} {
  %x = pyarray.method %s "intersection"(%l) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %x : !pyarray.any
}
