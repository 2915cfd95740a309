// RUN: pyarray-opt %s --pyarray-lower --split-input-file | FileCheck %s

// As unsigned numbers; a negative one is less.
// CHECK-LABEL: func.func @signs
// CHECK: %[[LESS:.*]] = arith.cmpi ult, %arg0, %arg1
// CHECK: %[[NEGATIVE:.*]] = arith.cmpi slt, %arg0, %c0_i64
// CHECK: arith.ori %[[LESS]], %[[NEGATIVE]]
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %arg0, %arg1
// CHECK: %[[POSITIVE:.*]] = arith.cmpi sge, %arg0, %c0_i64
// CHECK: arith.andi %[[SAME]], %[[POSITIVE]]
func.func @signs(%a: si64, %b: ui64) -> tuple<i1, i1> {
  %0 = pyarray.compare lt %a, %b : (si64, ui64) -> i1
  %1 = pyarray.compare eq %a, %b : (si64, ui64) -> i1
  %2 = pyarray.tuple %0, %1 : (i1, i1) -> tuple<i1, i1>
  return %2 : tuple<i1, i1>
}

// -----

// The operands are exchanged, and the operator with them.
// CHECK-LABEL: func.func @exchanged
// CHECK: arith.cmpi ugt, %arg1, %arg0
// CHECK: arith.cmpi sge, %arg1, %c0_i64
func.func @exchanged(%a: ui64, %b: si64) -> i1 {
  %0 = pyarray.compare lt %a, %b : (ui64, si64) -> i1
  return %0 : i1
}

// -----

// An integer is the nearest float and a rest, which counts where the floats are equal. Nothing branches, and fastmath does not
// touch it.
// CHECK-LABEL: func.func @with_float
// CHECK-NOT: scf.if
// CHECK-NOT: fastmath<
// CHECK: %[[HIGH:.*]] = arith.shrsi %arg0, %c32_i64
// CHECK: %[[WORD:.*]] = arith.trunci %[[HIGH]] : i64 to i32
// CHECK: %[[TOP:.*]] = arith.sitofp %[[WORD]] : i32 to f64
// CHECK: %[[LARGE:.*]] = arith.mulf %[[TOP]]
// CHECK: %[[SMALL:.*]] = arith.uitofp %{{.*}} : i32 to f64
// CHECK: %[[NEAREST:.*]] = arith.addf %[[LARGE]], %[[SMALL]]
// CHECK: %[[TAKEN:.*]] = arith.subf %[[NEAREST]], %[[LARGE]]
// CHECK: %[[REST:.*]] = arith.subf %[[SMALL]], %[[TAKEN]]
// CHECK: %[[TIE:.*]] = arith.cmpf ole, %[[REST]], %cst{{.*}}
// CHECK: %[[EQUAL:.*]] = arith.cmpf oeq, %[[NEAREST]], %arg1
// CHECK: %[[BOTH:.*]] = arith.andi %[[EQUAL]], %[[TIE]]
// CHECK: %[[LESS:.*]] = arith.cmpf olt, %[[NEAREST]], %arg1
// CHECK: arith.ori %[[LESS]], %[[BOTH]]
func.func @with_float(%a: si64, %b: f64) -> i1 attributes {pyarray.options = {fastmath = true}} {
  %0 = pyarray.compare le %a, %b : (si64, f64) -> i1
  return %0 : i1
}

// -----

// CHECK-LABEL: func.func @not_equal
// CHECK: arith.shrui %arg1
// CHECK: arith.uitofp
// CHECK: %[[SAME:.*]] = arith.andi
// CHECK: arith.xori %[[SAME]], %true
func.func @not_equal(%a: f64, %b: ui64) -> i1 {
  %0 = pyarray.compare ne %a, %b : (f64, ui64) -> i1
  return %0 : i1
}

// -----

// The least of an int64 and a uint64 is chosen by their values.
// CHECK-LABEL: func.func @least
// CHECK: arith.cmpi ugt, %arg0, %arg1
// CHECK: %[[BETTER:.*]] = arith.andi
// CHECK: arith.select %[[BETTER]], %arg1, %arg0
func.func @least(%a: si64, %b: ui64) -> si64 {
  %0 = pyarray.builtin "builtins.min"(%a, %b) : (si64, ui64) -> si64
  return %0 : si64
}
