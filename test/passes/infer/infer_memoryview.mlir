// RUN: pyarray-opt %s --pyarray-infer-types --split-input-file | FileCheck %s

// An item is what a function of the Python library gives; the array that a memoryview shows has the attributes.
// CHECK-LABEL: func.func @f$0(%arg0: !pyarray.array<?xui8, C, readonly>)
// CHECK-SAME: pyarray.signature = (!pyarray.tagged<"memoryview", "B", !pyarray.array<?xui8, C, readonly>>)
// CHECK: pyarray.call @memoryview.item$0(%arg0, %{{.*}}) : (!pyarray.array<?xui8, C, readonly>, si64) -> si64
// CHECK: pyarray.getattr %arg0 "nbytes" : (!pyarray.array<?xui8, C, readonly>) -> si64
func.func @f(%m: !pyarray.any) -> !pyarray.any attributes {
    pyarray.params = ["m"], pyarray.qualname = "f", pyarray.instantiate = [(!pyarray.tagged<"memoryview", "B", !pyarray.array<?xui8, C, readonly>>) -> ()],
    pyarray.options = {boundscheck = true, fastmath = false, error_model = "python", inline = "auto", parallel = false}} {
  %0 = pyarray.constant 0 : si64 -> !pyarray.any
  %x = pyarray.getitem %m[%0] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %n = pyarray.getattr %m "nbytes" : (!pyarray.any) -> !pyarray.any
  %both = pyarray.tuple %x, %n : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %both : !pyarray.any
}

// -----

// A loop reads the array; its items are Python's numbers.
// CHECK-LABEL: func.func @loop$0(%arg0: !pyarray.array<?xf32, C>)
// CHECK: %[[ITEM:.*]] = pyarray.iter_item %arg0, %{{.*}} : (!pyarray.array<?xf32, C>, si64) -> f32
// CHECK: pyarray.cast %[[ITEM]] : f32 to f64
func.func @loop(%m: !pyarray.any) -> !pyarray.any attributes {
    pyarray.params = ["m"], pyarray.qualname = "loop", pyarray.instantiate = [(!pyarray.tagged<"memoryview", "f", !pyarray.array<?xf32, C>>) -> ()],
    pyarray.options = {boundscheck = true, fastmath = false, error_model = "python", inline = "auto", parallel = false}} {
  %zero = pyarray.constant 0.0 : f64 -> !pyarray.any
  %sum = pyarray.for (%x: !pyarray.any, %s: !pyarray.any) in %m : !pyarray.any iter(%zero) {
    %t = pyarray.binary add %s, %x : (!pyarray.any, !pyarray.any) -> !pyarray.any
    pyarray.yield %t : !pyarray.any
  }
  return %sum : !pyarray.any
}
