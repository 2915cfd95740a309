// RUN: pyarray-opt %s --pyarray-insert-ownership --pyarray-lower | FileCheck %s
// Dicts and sets: the runtime finds the entry, whose value is read and stored inline.

// CHECK-LABEL: func.func @get
// CHECK: %[[E:.*]] = {{.*}}call @pyarray_rt_dict_find_i64(%arg0, %arg1)
// CHECK: %[[MISSING:.*]] = arith.cmpi eq, %[[E]]
// CHECK: scf.if %[[MISSING]]
// CHECK: pyarray_rt_raise_values
// CHECK: %[[P:.*]] = llvm.inttoptr %[[E]]
// CHECK: %[[V:.*]] = llvm.getelementptr %[[P]]
// CHECK: llvm.load %[[V]] {{.*}} : !llvm.ptr -> f64
func.func @get(%d: !pyarray.dict<si64, f64>, %k: si64) -> f64 {
  %x = pyarray.getitem %d[%k] : (!pyarray.dict<si64, f64>, si64) -> f64
  return %x : f64
}

// The old value goes when the new one is in its place.
// CHECK-LABEL: func.func @put
// CHECK: %[[E:.*]] = {{.*}}call @pyarray_rt_dict_place_str(%arg0, %arg1)
// CHECK: pyarray_rt_raise
// CHECK: %[[OLD:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK: call @pyarray_rt_retain(%arg2)
// CHECK: llvm.store %arg2, %{{.*}} : i64, !llvm.ptr
// CHECK: call @pyarray_rt_release(%[[OLD]])
func.func @put(%d: !pyarray.dict<!pyarray.str, !pyarray.list<f64>>, %k: !pyarray.str, %v: !pyarray.list<f64>) -> !pyarray.none {
  pyarray.setitem %d[%k] = %v : (!pyarray.dict<!pyarray.str, !pyarray.list<f64>>, !pyarray.str, !pyarray.list<f64>) -> ()
  %0 = pyarray.constant unit -> !pyarray.none
  return %0 : !pyarray.none
}

// CHECK-LABEL: func.func @display
// CHECK: call @pyarray_rt_dict_new
// CHECK: call @pyarray_rt_set_add_number
// CHECK: call @pyarray_rt_set_add_number
func.func @display(%a: si64, %b: si64) -> !pyarray.set<si64> {
  %s = pyarray.set %a, %b : (si64, si64) -> !pyarray.set<si64>
  return %s : !pyarray.set<si64>
}

// A set of whole numbers is a table of them, whose first group says whether one is there, or is full.
// CHECK-LABEL: func.func @has
// CHECK: %[[GROUP:.*]] = llvm.load {{.*}} -> vector<4xi64>
// CHECK: %[[EQUAL:.*]] = llvm.icmp "eq" %[[GROUP]]
// CHECK: %[[BITS:.*]] = llvm.bitcast %[[EQUAL]] : vector<4xi1> to i4
// CHECK: %[[HAS:.*]] = arith.cmpi ne, %[[BITS]]
// CHECK: scf.if {{.*}} -> (i1) {
// CHECK: scf.yield %[[HAS]]
// CHECK: } else {
// CHECK: call @pyarray_rt_set_has(%arg0, %arg1)
func.func @has(%s: !pyarray.set<si64>, %k: si64) -> i1 {
  %v = pyarray.builtin "dict.contains"(%s, %k) : (!pyarray.set<si64>, si64) -> i1
  return %v : i1
}

// A default is held like a value.
// CHECK-LABEL: func.func @get_or
// CHECK: %[[E:.*]] = {{.*}}call @pyarray_rt_dict_find_i64
// CHECK: scf.if %{{.*}} -> (f64)
// CHECK: llvm.load
// CHECK: scf.yield
// CHECK: } else {
// CHECK: scf.yield %arg2
func.func @get_or(%d: !pyarray.dict<si64, f64>, %k: si64, %x: f64) -> f64 {
  %v = pyarray.builtin "dict.get"(%d, %k, %x) : (!pyarray.dict<si64, f64>, si64, f64) -> f64
  return %v : f64
}

// Any other key lies in memory.
// CHECK-LABEL: func.func @of_tuples
// CHECK: memref.extract_aligned_pointer_as_index
// CHECK: call @pyarray_rt_dict_find(
func.func @of_tuples(%s: !pyarray.set<tuple<si64, i1>>, %k: tuple<si64, i1>) -> i1 {
  %v = pyarray.builtin "dict.contains"(%s, %k) : (!pyarray.set<tuple<si64, i1>>, tuple<si64, i1>) -> i1
  return %v : i1
}

// CHECK-LABEL: func.func @step
// CHECK: %[[NOW:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK: arith.cmpi ne, %[[NOW]], %arg1
// CHECK: pyarray_rt_raise
func.func @step(%d: !pyarray.dict<si64, f64>, %version: si64) -> si64 {
  %n = pyarray.builtin "iterator.remaining"(%d, %version) : (!pyarray.dict<si64, f64>, si64) -> si64
  return %n : si64
}

// CHECK-LABEL: func.func @freeze
// CHECK: call @pyarray_rt_frozenset_new
// CHECK: call @pyarray_rt_set_add_number
func.func @freeze(%x: si64) -> !pyarray.frozenset<si64> {
  %s = pyarray.set %x : (si64) -> !pyarray.frozenset<si64>
  return %s : !pyarray.frozenset<si64>
}

// CHECK-LABEL: func.func @exactly
// CHECK: %[[THERE:.*]] = scf.if
// CHECK: call @pyarray_rt_set_has
// CHECK: arith.andi %{{.*}}, %[[THERE]]
func.func @exactly(%s: !pyarray.set<si64>, %x: f64) -> i1 {
  %v = pyarray.builtin "dict.contains"(%s, %x) : (!pyarray.set<si64>, f64) -> i1
  return %v : i1
}
