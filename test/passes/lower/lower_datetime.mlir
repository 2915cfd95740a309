// RUN: pyarray-opt %s --pyarray-lower --split-input-file | FileCheck %s
// RUN: pyarray-opt %s --pyarray-lower --split-input-file | pyarray-opt --split-input-file

// CHECK-LABEL: func.func @add
// CHECK-DAG:   %[[NAT:.*]] = arith.constant -9223372036854775808 : i64
// CHECK-DAG:   %[[A:.*]] = arith.cmpi eq, %arg0, %[[NAT]]
// CHECK-DAG:   %[[B:.*]] = arith.cmpi eq, %arg1, %[[NAT]]
// CHECK-DAG:   %[[EITHER:.*]] = arith.ori %[[A]], %[[B]]
// CHECK-DAG:   %[[SUM:.*]] = arith.addi %arg0, %arg1
// CHECK:       arith.select %[[EITHER]], %[[NAT]], %[[SUM]]
func.func @add(%a: si64, %b: si64) -> si64 {
  %0 = pyarray.builtin "nat.add"(%a, %b) : (si64, si64) -> si64
  return %0 : si64
}

// -----

// A float that no int64 holds is NaT.
// CHECK-LABEL: func.func @multiply_float
// CHECK:       %[[P:.*]] = arith.mulf
// CHECK-DAG:   arith.cmpf oge, %[[P]]
// CHECK-DAG:   arith.cmpf olt, %[[P]]
// CHECK:       arith.select
func.func @multiply_float(%a: si64, %b: f64) -> si64 {
  %0 = pyarray.builtin "nat.multiply_float"(%a, %b) : (si64, f64) -> si64
  return %0 : si64
}

// -----

// Nothing is divided by 0, nor the least integer by -1.
// CHECK-LABEL: func.func @floor_divide
// CHECK-DAG:   %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK-DAG:   %[[ONE:.*]] = arith.constant 1 : i64
// CHECK:       %[[A:.*]] = arith.select %[[BAD:.*]], %[[ZERO]], %arg0
// CHECK:       %[[B:.*]] = arith.select %[[BAD]], %[[ONE]], %arg1
// CHECK:       arith.divsi %[[A]], %[[B]]
// CHECK:       arith.select %[[BAD]], %[[ZERO]], %
func.func @floor_divide(%a: si64, %b: si64) -> si64 {
  %0 = pyarray.builtin "nat.floor_divide"(%a, %b) : (si64, si64) -> si64
  return %0 : si64
}

// -----

// A factor of 1 is not divided by.
// CHECK-LABEL: func.func @scale
// CHECK:       arith.muli
// CHECK-NOT:   arith.divsi
// CHECK:       arith.select
func.func @scale(%a: si64) -> si64 {
  %num = pyarray.constant 24 : si64 -> si64
  %den = pyarray.constant 1 : si64 -> si64
  %0 = pyarray.builtin "nat.scale"(%a, %num, %den) : (si64, si64, si64) -> si64
  return %0 : si64
}

// -----

// CHECK-LABEL: func.func @calendar
// CHECK:       call @pyarray_rt_months_to_days(%arg0)
func.func @calendar(%a: si64) -> si64 {
  %0 = pyarray.builtin "nat.months_to_days"(%a) : (si64) -> si64
  return %0 : si64
}
