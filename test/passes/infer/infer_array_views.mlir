// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file | FileCheck %s

// Axes that are known are attributes.
// CHECK-LABEL: func.func @ordered$0(
// CHECK: pyarray.transpose %arg0 [1, 2, 0] : (!pyarray.array<?x?x?xf64, C>) -> !pyarray.array<?x?x?xf64, A>
// CHECK: pyarray.getattr %arg0 "T" : (!pyarray.array<?x?x?xf64, C>) -> !pyarray.array<?x?x?xf64, F>
func.func @ordered(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.instantiate = [(!pyarray.array<?x?x?xf64, C>) -> ()]} {
  %moveaxis = pyarray.callable "numpy.moveaxis" -> !pyarray.any
  %transpose = pyarray.callable "numpy.transpose" -> !pyarray.any
  %zero = pyarray.constant 0 : si64 -> !pyarray.any
  %last = pyarray.constant -1 : si64 -> !pyarray.any
  %0 = pyarray.apply %moveaxis(%a, %zero, %last) : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  %1 = pyarray.apply %transpose(%a) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %2 = pyarray.tuple %0, %1 : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %2 : !pyarray.any
}

// -----

// New axes keep the order; a squeezed axis has one element, which is tested.
// CHECK-LABEL: func.func @widened$0(
// CHECK: %[[W:.*]] = pyarray.insert_axes %arg0 [0] : (!pyarray.array<?xf64, C>) -> !pyarray.array<?x?xf64, C>
// CHECK: pyarray.raise "ValueError"
// CHECK: %[[V:.*]] = pyarray.getitem %[[W]][%{{.*}}] : {{.*}} -> !pyarray.array<?xf64, A>
// CHECK: pyarray.cast %[[V]] : !pyarray.array<?xf64, A> to !pyarray.array<?xf64, C>
func.func @widened(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a"], pyarray.instantiate = [(!pyarray.array<?xf64, C>) -> ()]} {
  %expand = pyarray.callable "numpy.expand_dims" -> !pyarray.any
  %squeeze = pyarray.callable "numpy.squeeze" -> !pyarray.any
  %zero = pyarray.constant 0 : si64 -> !pyarray.any
  %0 = pyarray.apply %expand(%a, %zero) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  %1 = pyarray.apply %squeeze(%0, %zero) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %1 : !pyarray.any
}

// -----

// An axis that is an argument is seen at run time.
// CHECK-LABEL: func.func @at_run_time$0(
// CHECK: pyarray.call @numpy.views.swapaxes$0
func.func @at_run_time(%a: !pyarray.any, %i: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "i"], pyarray.instantiate = [(!pyarray.array<?x?xf64, C>, si64) -> ()]} {
  %swapaxes = pyarray.callable "numpy.swapaxes" -> !pyarray.any
  %zero = pyarray.constant 0 : si64 -> !pyarray.any
  %0 = pyarray.apply %swapaxes(%a, %zero, %i) : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}
