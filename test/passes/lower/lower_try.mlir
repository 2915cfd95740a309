// RUN: pyarray-opt %s --pyarray-lower --split-input-file | FileCheck %s
// RUN: pyarray-opt %s --pyarray-lower --split-input-file | pyarray-opt --split-input-file

// The handler comes first; calls that do not return say which try they are in, and how many handlers they leave.
// CHECK-LABEL: func.func @caught
// CHECK: %[[FAILED:.*]] = call @pyarray_try() {pyarray.try = 0 : i64} : () -> i1
// CHECK: %{{.*}} = scf.if %[[FAILED]] -> (i64) {
// CHECK-NEXT: call @pyarray_rt_catch()
// CHECK-NEXT: %[[S:.*]] = func.call @pyarray_rt_caught_site()
// CHECK-NEXT: %[[IS:.*]] = func.call @pyarray_caught0(%[[S]])
// CHECK-NEXT: scf.if %[[IS]] {
// CHECK: call @pyarray_rt_raise(%{{.*}}) {pyarray.handlers = 1 : i64}
// CHECK: } else {
// CHECK: call @pyarray_rt_reraise() {pyarray.handlers = 1 : i64}
// CHECK: call @pyarray_rt_uncatch
// CHECK: } else {
// CHECK: call @pyarray_rt_raise(%{{.*}}) {pyarray.try = 0 : i64}
// CHECK: memref.global "private" constant @pyarray_caught0.table : memref<3xi8> = dense<[1, 0, 0]>
// CHECK: func.func private @pyarray_caught0(%[[SITE:.*]]: i32) -> i1
// CHECK: memref.load %{{.*}}[%{{.*}}] : memref<3xi8>
func.func @caught(%x: si64, %b: i1) -> si64 {
  %r = pyarray.try {
    scf.if %b {
      pyarray.raise "m:Own"() bases ["KeyError", "LookupError"] : () -> ()
    }
    pyarray.yield %x : si64
  } except {
    %is = pyarray.caught ["LookupError"]
    scf.if %is {
      pyarray.raise "ValueError"() : () -> ()
    } else {
      pyarray.raise "OSError"() : () -> ()
      pyarray.reraise
    }
    pyarray.yield %x : si64
  } : si64
  return %r : si64
}

// -----

// A variable is stack memory; of an array the owner is in a slot, which a store retains and releases, and a load retains.
// CHECK-LABEL: func.func @variable
// CHECK-DAG: %[[M:.*]] = memref.alloca() : memref<memref<?xf64, strided<[1], offset: ?>>>
// CHECK-DAG: %[[SLOT:.*]] = memref.alloca() {pyarray.owner_slot} : memref<i64>
// CHECK: call @pyarray_rt_retain(%arg1)
// CHECK: %[[OLD:.*]] = memref.load %[[SLOT]][]
// CHECK: call @pyarray_rt_release(%[[OLD]])
// CHECK: memref.store %arg0, %[[M]][]
// CHECK: memref.store %arg1, %[[SLOT]][]
// CHECK: %{{.*}} = memref.load %[[M]][]
// CHECK: %[[NEW:.*]] = memref.load %[[SLOT]][]
// CHECK: call @pyarray_rt_retain(%[[NEW]])
func.func @variable(%a: !pyarray.array<?xf64, C>) -> f64 {
  %zero = pyarray.constant 0 : si64 -> si64
  %v = pyarray.variable : !pyarray.variable<!pyarray.array<?xf64, C>>
  pyarray.store %a, %v : !pyarray.array<?xf64, C>, !pyarray.variable<!pyarray.array<?xf64, C>>
  %b = pyarray.load %v : (!pyarray.variable<!pyarray.array<?xf64, C>>) -> !pyarray.array<?xf64, C>
  %x = pyarray.getitem %b[%zero] : (!pyarray.array<?xf64, C>, si64) -> f64
  pyarray.release %b : !pyarray.array<?xf64, C>
  pyarray.release %v : !pyarray.variable<!pyarray.array<?xf64, C>>
  return %x : f64
}

// -----

// Computed arguments are kept as their bits; the site has their types.
// CHECK: pyarray.sites = [{args = ["was", f64, [si64, "in"]], exception = "ValueError"
// CHECK-LABEL: func.func @computed
// CHECK: %[[BITS:.*]] = arith.bitcast %arg0 : f64 to i64
// CHECK: call @pyarray_rt_raise_values(%{{.*}}, %[[BITS]], %arg1, %[[BITS]])
func.func @computed(%x: f64, %n: si64) -> si64 {
  %text = pyarray.constant "was" -> !pyarray.str
  %in = pyarray.constant "in" -> !pyarray.str
  %t = pyarray.tuple %n, %in : (si64, !pyarray.str) -> tuple<si64, !pyarray.str>
  pyarray.raise "ValueError"(%text, %x, %t) : (!pyarray.str, f64, tuple<si64, !pyarray.str>) -> ()
  return %n : si64
}

// -----

// Which class, by the table of the site where it was raised; the text, by the extension, which knows whose sites they are.
// CHECK-LABEL: func.func @asked
// CHECK: %[[E:.*]] = func.call @pyarray_rt_exception()
// CHECK: %[[SITE:.*]] = func.call @pyarray_rt_exception_site(%[[E]])
// CHECK: func.call @pyarray_caught0(%[[SITE]])
// CHECK: memref.get_global @pyarray_owner
// CHECK: func.call @pyarray_rt_has_exception_parts(%[[OWNER:[0-9]+]])
// CHECK: func.call @pyarray_rt_exception_part(%[[E]], %[[OWNER]], %{{.*}}, %{{.*}}, %{{.*}})
// CHECK: memref.global "public" @pyarray_owner
func.func @asked(%x: si64) -> (i1, !pyarray.str) {
  %r:2 = pyarray.try {
    pyarray.raise "KeyError"(%x) : (si64) -> ()
    %b = pyarray.unbound : i1
    %s = pyarray.unbound : !pyarray.str
    pyarray.yield %b, %s : i1, !pyarray.str
  } except {
    %e = pyarray.exception ["Exception"] : !pyarray.exception<!pyarray.none>
    %is = pyarray.builtin "exception.isinstance"(%e) {callee = "LookupError"} : (!pyarray.exception<!pyarray.none>) -> i1
    %text = pyarray.builtin "exception.str"(%e) : (!pyarray.exception<!pyarray.none>) -> !pyarray.str
    pyarray.yield %is, %text : i1, !pyarray.str
  } : i1, !pyarray.str
  return %r#0, %r#1 : i1, !pyarray.str
}
