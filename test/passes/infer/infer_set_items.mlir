// RUN: pyarray-opt %s --pyarray-infer-types | pyarray-opt | FileCheck %s
// A tuple that is stored to several elements is a call of the library.

// CHECK: func.func @f$0(%[[A:.*]]: !pyarray.array<?xf64, C>)
// CHECK: pyarray.call @numpy.arrays.set_items${{.*}}(%[[A]], %{{.*}}, %{{.*}})
// CHECK: func.func private @numpy.arrays.set_items$
func.func @f(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.array<?xf64, C>) -> ()]} {
  %none = pyarray.constant unit -> !pyarray.any
  %two = pyarray.constant 2 : si64 -> !pyarray.any
  %slice = pyarray.slice %none, %two, %none : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  %pair = pyarray.tuple %two, %two : (!pyarray.any, !pyarray.any) -> !pyarray.any
  pyarray.setitem %a[%slice] = %pair : (!pyarray.any, !pyarray.any, !pyarray.any) -> ()
  return %none : !pyarray.any
}
