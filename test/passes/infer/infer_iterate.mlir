// RUN: pyarray-opt --pyarray-infer-types --split-input-file %s | FileCheck %s
// enumerate, zip and reversed are tuples of what they hold; items are put together by position.

// CHECK-LABEL: func.func @array$0
// CHECK-SAME: (%[[A:.*]]: !pyarray.array<?xf64, C>)
// CHECK: %[[E:.*]] = pyarray.tuple %[[A]], %{{.*}} : (!pyarray.array<?xf64, C>, si64)
// CHECK: %[[PARTS:.*]]:2 = pyarray.unpack %[[E]]
// CHECK: %[[N:.*]] = pyarray.iter_length %[[PARTS]]#0
// CHECK: %[[RANGE:.*]] = pyarray.builtin "builtins.range"(%{{.*}}, %[[N]], %{{.*}})
// CHECK: pyarray.for (%[[K:.*]]: si64, %{{.*}}: f64) in %[[RANGE]]
// CHECK:   pyarray.binary add %{{.*}}#1, %[[K]]
// CHECK:   pyarray.iter_item %{{.*}}#0, %[[K]]
func.func @array(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.array<?xf64, C>) -> ()], pyarray.params = ["a"]} {
  %enumerate = pyarray.callable "builtins.enumerate" -> !pyarray.any
  %e = pyarray.apply %enumerate(%a) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %zero = pyarray.constant 0.0 : f64 -> !pyarray.any
  %s = pyarray.for (%item: !pyarray.any, %acc: !pyarray.any) in %e : !pyarray.any iter(%zero) {
    %i, %x = pyarray.unpack %item : (!pyarray.any) -> (!pyarray.any, !pyarray.any)
    %0 = pyarray.binary mul %i, %x : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %1 = pyarray.binary add %acc, %0 : (!pyarray.any, !pyarray.any) -> !pyarray.any
    pyarray.yield %1 : !pyarray.any
  }
  return %s : !pyarray.any
}

// -----

// The length of a list is read anew before each item.
// CHECK-LABEL: func.func @list$0
// CHECK: scf.while
// CHECK:   %[[N:.*]] = pyarray.iter_length
// CHECK:   %[[M:.*]] = pyarray.iter_length
// CHECK:   %[[LEAST:.*]] = pyarray.builtin "builtins.min"(%[[N]], %[[M]])
// CHECK:   pyarray.compare lt %{{.*}}, %[[LEAST]]
func.func @list(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.list<si64>, !pyarray.range) -> ()], pyarray.params = ["a", "b"]} {
  %zip = pyarray.callable "builtins.zip" -> !pyarray.any
  %e = pyarray.apply %zip(%a, %b) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  %zero = pyarray.constant 0 : si64 -> !pyarray.any
  %s = pyarray.for (%item: !pyarray.any, %acc: !pyarray.any) in %e : !pyarray.any iter(%zero) {
    %x, %y = pyarray.unpack %item : (!pyarray.any) -> (!pyarray.any, !pyarray.any)
    %1 = pyarray.binary add %acc, %y : (!pyarray.any, !pyarray.any) -> !pyarray.any
    pyarray.yield %1 : !pyarray.any
  }
  return %s : !pyarray.any
}

// -----

// The body once for each element of a tuple of several types.
// CHECK-LABEL: func.func @mixed$0
// CHECK-SAME: -> f64
// CHECK-NOT: pyarray.for
// CHECK: pyarray.binary mul %{{.*}} : (si64, si64) -> si64
// CHECK: pyarray.binary mul %{{.*}} : (f64, f64) -> f64
func.func @mixed(%t: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(tuple<si64, f64>) -> ()], pyarray.params = ["t"]} {
  %zero = pyarray.constant 0 : si64 -> !pyarray.any
  %s = pyarray.for (%x: !pyarray.any, %acc: !pyarray.any) in %t : !pyarray.any iter(%zero) {
    %0 = pyarray.binary mul %x, %x : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %1 = pyarray.binary add %acc, %0 : (!pyarray.any, !pyarray.any) -> !pyarray.any
    pyarray.yield %1 : !pyarray.any
  }
  return %s : !pyarray.any
}
