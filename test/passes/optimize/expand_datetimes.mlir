// RUN: pyarray-opt %s --pyarray-expand-datetimes --split-input-file | FileCheck %s --implicit-check-not=!pyarray.datetime --implicit-check-not=!pyarray.timedelta
// RUN: pyarray-opt %s --pyarray-expand-datetimes --split-input-file | pyarray-opt --split-input-file

// Types go everywhere: functions, blocks, tuples, arrays.
// CHECK-LABEL: func.func @types(%arg0: !pyarray.array<?xsi64, C, readonly>, %arg1: tuple<si64, f64>) -> si64
// CHECK:       pyarray.for (%{{.*}}: si64, %{{.*}}: si64) in %arg0 : !pyarray.array<?xsi64, C, readonly>
func.func @types(%a: !pyarray.array<?x!pyarray.datetime<"D">, C, readonly>, %t: tuple<!pyarray.timedelta<"D">, f64>) -> !pyarray.datetime<"D"> {
  %start = pyarray.constant #pyarray.ticks<5 : !pyarray.datetime<"D">> -> !pyarray.datetime<"D">
  %last = pyarray.for (%x: !pyarray.datetime<"D">, %c: !pyarray.datetime<"D">) in %a : !pyarray.array<?x!pyarray.datetime<"D">, C, readonly> iter(%start) {
    pyarray.yield %x : !pyarray.datetime<"D">
  }
  return %last : !pyarray.datetime<"D">
}

// -----

// CHECK-LABEL: func.func @constants() -> (si64, !pyarray.array<?xsi64, C, readonly>)
// CHECK-NEXT:  pyarray.constant 5 : si64 -> si64
// CHECK-NEXT:  pyarray.frozen_array dense<[0, 31]> : tensor<2xsi64> -> !pyarray.array<?xsi64, C, readonly>
func.func @constants() -> (!pyarray.timedelta<"D">, !pyarray.array<?x!pyarray.datetime<"D">, C, readonly>) {
  %0 = pyarray.constant #pyarray.ticks<5 : !pyarray.timedelta<"D">> -> !pyarray.timedelta<"D">
  %1 = pyarray.frozen_array dense<[0, 31]> : tensor<2xsi64> of !pyarray.datetime<"D"> -> !pyarray.array<?x!pyarray.datetime<"D">, C, readonly>
  return %0, %1 : !pyarray.timedelta<"D">, !pyarray.array<?x!pyarray.datetime<"D">, C, readonly>
}

// -----

// Factors; months and days meet in the calendar; an integer is its own number of units.
// CHECK-LABEL: func.func @casts
// CHECK:       %[[NUM:.*]] = pyarray.constant 86400 : si64
// CHECK:       %[[DEN:.*]] = pyarray.constant 7 : si64
// CHECK:       pyarray.builtin "nat.scale"(%arg0, %{{.*}}, %{{.*}})
// CHECK:       %[[Y:.*]] = pyarray.builtin "nat.scale"(%arg1, %{{.*}}, %{{.*}})
// CHECK:       %[[D:.*]] = pyarray.builtin "nat.months_to_days"(%[[Y]])
// CHECK:       pyarray.builtin "nat.scale"(%[[D]], %{{.*}}, %{{.*}})
// CHECK:       pyarray.builtin "nat.days_to_months"(%arg2)
// CHECK-NOT:   pyarray.cast
// CHECK:       return
func.func @casts(%a: !pyarray.timedelta<"D">, %b: !pyarray.datetime<"Y">, %c: !pyarray.datetime<"D">, %i: si64)
    -> (!pyarray.timedelta<"7s">, !pyarray.datetime<"h">, !pyarray.datetime<"M">, !pyarray.timedelta<"s">) {
  %0 = pyarray.cast %a : !pyarray.timedelta<"D"> to !pyarray.timedelta<"7s">
  %1 = pyarray.cast %b : !pyarray.datetime<"Y"> to !pyarray.datetime<"h">
  %2 = pyarray.cast %c : !pyarray.datetime<"D"> to !pyarray.datetime<"M">
  %3 = pyarray.cast %i : si64 to !pyarray.timedelta<"s">
  return %0, %1, %2, %3 : !pyarray.timedelta<"7s">, !pyarray.datetime<"h">, !pyarray.datetime<"M">, !pyarray.timedelta<"s">
}

// -----

// CHECK-LABEL: func.func @operators
// CHECK:       %[[A:.*]] = pyarray.builtin "nat.add"(%arg0, %arg1)
// CHECK:       %[[S:.*]] = pyarray.builtin "nat.subtract"(%[[A]], %arg0)
// CHECK:       pyarray.builtin "nat.multiply"(%arg1, %arg2) : (si64, si64) -> si64
// CHECK:       pyarray.builtin "nat.divide_float"(%arg1, %arg3) : (si64, f64) -> si64
// CHECK:       pyarray.builtin "nat.ratio"(%[[S]], %arg1) : (si64, si64) -> f64
// CHECK:       %[[Q:.*]] = pyarray.builtin "nat.floor_divide"(%arg1, %[[S]])
// CHECK:       %[[R:.*]] = pyarray.builtin "nat.remainder"(%arg1, %[[S]])
// CHECK:       pyarray.tuple %[[Q]], %[[R]]
// CHECK:       %[[ZERO:.*]] = pyarray.constant 0 : si64
// CHECK:       pyarray.builtin "nat.subtract"(%[[ZERO]], %arg1)
func.func @operators(%t: !pyarray.datetime<"s">, %d: !pyarray.timedelta<"s">, %i: si64, %f: f64) -> tuple<si64, !pyarray.timedelta<"s">> {
  %0 = pyarray.binary add %t, %d : (!pyarray.datetime<"s">, !pyarray.timedelta<"s">) -> !pyarray.datetime<"s">
  %1 = pyarray.binary sub %0, %t : (!pyarray.datetime<"s">, !pyarray.datetime<"s">) -> !pyarray.timedelta<"s">
  %2 = pyarray.binary mul %i, %d : (si64, !pyarray.timedelta<"s">) -> !pyarray.timedelta<"s">
  %3 = pyarray.binary truediv %d, %f : (!pyarray.timedelta<"s">, f64) -> !pyarray.timedelta<"s">
  %4 = pyarray.binary truediv %1, %d : (!pyarray.timedelta<"s">, !pyarray.timedelta<"s">) -> f64
  %5 = pyarray.builtin "builtins.divmod"(%d, %1) : (!pyarray.timedelta<"s">, !pyarray.timedelta<"s">) -> tuple<si64, !pyarray.timedelta<"s">>
  %6 = pyarray.unary neg %d : (!pyarray.timedelta<"s">) -> !pyarray.timedelta<"s">
  return %5 : tuple<si64, !pyarray.timedelta<"s">>
}

// -----

// NaT compares with nothing: where the lesser side may be it, that is tested too.
// CHECK-LABEL: func.func @compare
// CHECK:       %[[LT:.*]] = pyarray.compare lt %arg0, %arg1
// CHECK:       %[[KNOWN:.*]] = pyarray.compare ne %arg0, %
// CHECK:       pyarray.binary and %[[LT]], %[[KNOWN]]
// CHECK:       pyarray.compare ge %arg0, %arg1
// CHECK:       pyarray.compare ne %arg1, %
// CHECK:       %[[EQ:.*]] = pyarray.compare eq %arg0, %arg1
// CHECK:       %[[BOTH:.*]] = pyarray.binary and %[[EQ]], %
// CHECK:       pyarray.unary not %[[BOTH]]
func.func @compare(%a: !pyarray.datetime<"D">, %b: !pyarray.datetime<"D">) -> (i1, i1, i1) {
  %0 = pyarray.compare lt %a, %b : (!pyarray.datetime<"D">, !pyarray.datetime<"D">) -> i1
  %1 = pyarray.compare ge %a, %b : (!pyarray.datetime<"D">, !pyarray.datetime<"D">) -> i1
  %2 = pyarray.compare ne %a, %b : (!pyarray.datetime<"D">, !pyarray.datetime<"D">) -> i1
  return %0, %1, %2 : i1, i1, i1
}

// -----

// What is the same for integers stays.
// CHECK-LABEL: func.func @functions
// CHECK:       pyarray.builtin "nat.min"(%{{.*}}, %arg2)
// CHECK:       pyarray.builtin "numpy.minimum"(%arg0, %arg1) : (si64, si64) -> si64
// CHECK:       pyarray.builtin "nat.maximum"(%arg0, %arg1)
// CHECK:       pyarray.truth %arg0 : si64
func.func @functions(%a: !pyarray.timedelta<"D">, %b: !pyarray.timedelta<"D">, %c: !pyarray.timedelta<"D">) -> i1 {
  %0 = pyarray.builtin "builtins.min"(%a, %b, %c) : (!pyarray.timedelta<"D">, !pyarray.timedelta<"D">, !pyarray.timedelta<"D">) -> !pyarray.timedelta<"D">
  %1 = pyarray.builtin "numpy.minimum"(%a, %b) : (!pyarray.timedelta<"D">, !pyarray.timedelta<"D">) -> !pyarray.timedelta<"D">
  %2 = pyarray.builtin "numpy.maximum"(%a, %b) : (!pyarray.timedelta<"D">, !pyarray.timedelta<"D">) -> !pyarray.timedelta<"D">
  %3 = pyarray.truth %a : !pyarray.timedelta<"D">
  return %3 : i1
}

// -----

// The operands of a ufunc are of the same types as its function.
// CHECK-LABEL: func.func @operands
// CHECK-SAME:  pyarray.operands = [!pyarray.array<?xsi64, C>, !pyarray.array<?xsi64, A>, i1]
func.func @operands(%a: !pyarray.datetime<"D">) -> !pyarray.datetime<"D"> attributes {pyarray.ufunc = "()->()",
    pyarray.operands = [!pyarray.array<?x!pyarray.datetime<"D">, C>, !pyarray.array<?x!pyarray.timedelta<"D">, A>, i1]} {
  return %a : !pyarray.datetime<"D">
}
