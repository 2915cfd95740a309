// RUN: pyarray-opt %s | pyarray-opt | FileCheck %s
// RUN: pyarray-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: func.func @constants
// CHECK: pyarray.constant #pyarray.ticks<18262 : !pyarray.datetime<"D">> -> !pyarray.any
// CHECK: pyarray.constant #pyarray.ticks<-9223372036854775808 : !pyarray.timedelta<"generic">> -> !pyarray.timedelta<"generic">
// CHECK: pyarray.frozen_array dense<[0, 31]> : tensor<2xsi64> of !pyarray.datetime<"D"> -> !pyarray.any
func.func @constants() -> (!pyarray.any, !pyarray.timedelta<"generic">, !pyarray.any) {
  %0 = pyarray.constant #pyarray.ticks<18262 : !pyarray.datetime<"D">> -> !pyarray.any
  %1 = pyarray.constant #pyarray.ticks<-9223372036854775808 : !pyarray.timedelta<"generic">> -> !pyarray.timedelta<"generic">
  %2 = pyarray.frozen_array dense<[0, 31]> : tensor<2xsi64> of !pyarray.datetime<"D"> -> !pyarray.any
  return %0, %1, %2 : !pyarray.any, !pyarray.timedelta<"generic">, !pyarray.any
}

// FOLD-LABEL: func.func @truth
// FOLD-DAG: %[[TRUE:.*]] = pyarray.constant true
// FOLD-DAG: %[[FALSE:.*]] = pyarray.constant false
// FOLD: return %[[FALSE]], %[[TRUE]]
func.func @truth() -> (i1, i1) {
  %zero = pyarray.constant #pyarray.ticks<0 : !pyarray.timedelta<"D">> -> !pyarray.timedelta<"D">
  %one = pyarray.constant #pyarray.ticks<1 : !pyarray.timedelta<"D">> -> !pyarray.timedelta<"D">
  %0 = pyarray.truth %zero : !pyarray.timedelta<"D">
  %1 = pyarray.truth %one : !pyarray.timedelta<"D">
  return %0, %1 : i1, i1
}
