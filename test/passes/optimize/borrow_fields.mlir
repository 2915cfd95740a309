// RUN: pyarray-opt %s --pyarray-insert-ownership | FileCheck %s
// RUN: pyarray-opt %s --pyarray-insert-ownership | pyarray-opt --pyarray-insert-ownership | FileCheck %s

!point = !pyarray.object<"m:P#0">
!array = !pyarray.array<?xf64, A>

module attributes {pyarray.classes = {"m:P#0" = {fields = ["xs", "next", "n"], methods = {}, new = @P, types = tuple<!array, !pyarray.optional<!point>, si64>}}} {

// The instance holds it while an item is read, and another one written.
// CHECK-LABEL: func.func @borrowed
// CHECK:         getfield %{{.*}} "xs" borrowed
// CHECK-NEXT:    getitem
// CHECK-NEXT:    binary
// CHECK-NEXT:    setitem
// CHECK-NEXT:    return
func.func @borrowed(%p: !point, %i: si64) -> f64 attributes {pyarray.params = ["p", "i"]} {
  %a = pyarray.getfield %p "xs" : (!point) -> !array
  %x = pyarray.getitem %a[%i] : (!array, si64) -> f64
  %y = pyarray.binary add %x, %x : (f64, f64) -> f64
  pyarray.setitem %a[%i] = %y : (!array, si64, f64) -> ()
  func.return %x : f64
}

// An instance that is owned is released behind it.
// CHECK-LABEL: func.func @of_a_new_instance
// CHECK:         %[[P:.*]] = pyarray.call @P
// CHECK-NEXT:    getfield %[[P]] "xs" borrowed
// CHECK-NEXT:    getattr
// CHECK-NEXT:    release %[[P]]
func.func @of_a_new_instance() -> si64 attributes {pyarray.params = []} {
  %p = pyarray.call @P() : () -> !point
  %a = pyarray.getfield %p "xs" : (!point) -> !array
  %n = pyarray.getattr %a "size" : (!array) -> si64
  func.return %n : si64
}

// So it does while functions of numbers are called, which change nothing.
// CHECK-LABEL: func.func @beside_functions
// CHECK:         getfield %{{.*}} "xs" borrowed
func.func @beside_functions(%p: !point, %i: si64) -> f64 attributes {pyarray.params = ["p", "i"]} {
  %a = pyarray.getfield %p "xs" : (!point) -> !array
  %x = pyarray.getitem %a[%i] : (!array, si64) -> f64
  %y = pyarray.builtin "math.sqrt"(%x) : (f64) -> f64
  pyarray.setitem %a[%i] = %y : (!array, si64, f64) -> ()
  func.return %y : f64
}

// Its address is known elsewhere behind its last use here.
// CHECK-LABEL: func.func @address
// CHECK:         getfield %{{.*}} "xs" : (
func.func @address(%p: !point) -> !pyarray.pointer<f64> attributes {pyarray.params = ["p"]} {
  %a = pyarray.getfield %p "xs" : (!point) -> !array
  %0 = pyarray.builtin "pyarray.data_address"(%a) : (!array) -> !pyarray.pointer<f64>
  func.return %0 : !pyarray.pointer<f64>
}

// What is called may store to the field.
// CHECK-LABEL: func.func @called
// CHECK:         %[[A:.*]] = pyarray.getfield %{{.*}} "xs" : (
// CHECK:         pyarray.call @P
// CHECK:         release %[[A]]
func.func @called(%p: !point, %i: si64) -> f64 attributes {pyarray.params = ["p", "i"]} {
  %a = pyarray.getfield %p "xs" : (!point) -> !array
  %q = pyarray.call @P() : () -> !point
  %x = pyarray.getitem %a[%i] : (!array, si64) -> f64
  func.return %x : f64
}

// So does a store.
// CHECK-LABEL: func.func @stored
// CHECK:         %[[A:.*]] = pyarray.getfield %{{.*}} "xs" : (
// CHECK:         setattr
// CHECK:         release %[[A]]
func.func @stored(%p: !point, %b: !array, %i: si64) -> f64 attributes {pyarray.params = ["p", "b", "i"]} {
  %a = pyarray.getfield %p "xs" : (!point) -> !array
  pyarray.setattr %p "xs" = %b : (!point, !array) -> ()
  %x = pyarray.getitem %a[%i] : (!array, si64) -> f64
  func.return %x : f64
}

// And so does the end of a generator, which a list of the caller's does not come to.
// CHECK-LABEL: func.func @ends
// CHECK:         %[[A:.*]] = pyarray.getfield %{{.*}} "xs" : (
// CHECK:         release %{{.*}} : !pyarray.list<!pyarray.generator<f64>>
// CHECK:         release %[[A]]
// CHECK-LABEL: func.func @does_not_end
// CHECK:         getfield %{{.*}} "xs" borrowed
func.func @ends(%p: !point, %g: !pyarray.generator<f64>) -> f64 attributes {pyarray.params = ["p", "g"]} {
  %list = pyarray.list %g : (!pyarray.generator<f64>) -> !pyarray.list<!pyarray.generator<f64>>
  %a = pyarray.getfield %p "xs" : (!point) -> !array
  %n = pyarray.builtin "builtins.len"(%list) : (!pyarray.list<!pyarray.generator<f64>>) -> si64
  %x = pyarray.getitem %a[%n] : (!array, si64) -> f64
  func.return %x : f64
}
func.func @does_not_end(%p: !point, %list: !pyarray.list<!pyarray.generator<f64>>) -> f64 attributes {pyarray.params = ["p", "list"]} {
  %a = pyarray.getfield %p "xs" : (!point) -> !array
  %n = pyarray.builtin "builtins.len"(%list) : (!pyarray.list<!pyarray.generator<f64>>) -> si64
  %x = pyarray.getitem %a[%n] : (!array, si64) -> f64
  func.return %x : f64
}

// What leaves the block, and what a view is made of, is held on its own.
// CHECK-LABEL: func.func @kept
// CHECK:         %[[A:.*]] = pyarray.getfield %{{.*}} "xs" : (
// CHECK:         %[[B:.*]] = pyarray.getfield %{{.*}} "xs" : (
// CHECK:         release %[[B]]
func.func @kept(%p: !point, %i: si64) -> !array attributes {pyarray.params = ["p", "i"]} {
  %a = pyarray.getfield %p "xs" : (!point) -> !array
  %b = pyarray.getfield %p "xs" : (!point) -> !array
  %none = pyarray.constant unit -> !pyarray.none
  %s = pyarray.slice %i, %none, %none : (si64, !pyarray.none, !pyarray.none) -> !pyarray.slice<si64, !pyarray.none, !pyarray.none>
  %view = pyarray.getitem %b[%s] : (!array, !pyarray.slice<si64, !pyarray.none, !pyarray.none>) -> !array
  %n = pyarray.getattr %view "size" : (!array) -> si64
  func.return %a : !array
}

func.func private @P() -> !point attributes {pyarray.params = []} {
  %p = pyarray.new "m:P#0" : !point
  func.return %p : !point
}
}
