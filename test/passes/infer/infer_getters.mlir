// RUN: split-file %s %t
// RUN: pyarray-opt %t/item.mlir --pyarray-infer-types | pyarray-opt | FileCheck %s --check-prefix=ITEM
// RUN: pyarray-opt %t/attribute.mlir --pyarray-infer-types | pyarray-opt | FileCheck %s --check-prefix=ATTRIBUTE
// RUN: pyarray-opt %t/method.mlir --pyarray-infer-types | pyarray-opt | FileCheck %s --check-prefix=METHOD
// RUN: not pyarray-opt %t/unknown.mlir --pyarray-infer-types 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// A getter whose arguments are literals is a function of the module, with those in it.

//--- item.mlir
// ITEM: pyarray.call @"operator.itemgetter(1 : si64, 0 : si64)$0"(%{{.*}}) : (tuple<si64, f64>) -> tuple<f64, si64>
// ITEM: func.func private @"operator.itemgetter(1 : si64, 0 : si64)$0"(%[[T:.*]]: tuple<si64, f64>) -> tuple<f64, si64>
// ITEM: pyarray.getitem %[[T]]
func.func @f(%t: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(tuple<si64, f64>) -> ()]} {
  %itemgetter = pyarray.callable "operator.itemgetter" -> !pyarray.any
  %1 = pyarray.constant 1 : si64 -> !pyarray.any
  %0 = pyarray.constant 0 : si64 -> !pyarray.any
  %g = pyarray.apply %itemgetter(%1, %0) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  %r = pyarray.apply %g(%t) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %r : !pyarray.any
}

//--- attribute.mlir
// ATTRIBUTE: func.func private @"operator.attrgetter(\22real.imag\22)$0"(%[[Z:.*]]: complex<f64>) -> f64
// ATTRIBUTE: %[[R:.*]] = pyarray.getattr %[[Z]] "real"
// ATTRIBUTE: pyarray.getattr %[[R]] "imag"
func.func @f(%z: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(complex<f64>) -> ()]} {
  %attrgetter = pyarray.callable "operator.attrgetter" -> !pyarray.any
  %path = pyarray.constant "real.imag" -> !pyarray.any
  %g = pyarray.apply %attrgetter(%path) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %r = pyarray.apply %g(%z) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %r : !pyarray.any
}

//--- method.mlir
// METHOD: func.func private @"operator.methodcaller(\22pop\22, 0 : si64)$0"(%[[L:.*]]: !pyarray.list<f64>) -> f64
// METHOD: pyarray.builtin "list.pop"(%[[L]], %{{.*}})
func.func @f(%l: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.list<f64>) -> ()]} {
  %methodcaller = pyarray.callable "operator.methodcaller" -> !pyarray.any
  %pop = pyarray.constant "pop" -> !pyarray.any
  %0 = pyarray.constant 0 : si64 -> !pyarray.any
  %g = pyarray.apply %methodcaller(%pop, %0) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  %r = pyarray.apply %g(%l) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %r : !pyarray.any
}

//--- unknown.mlir
// UNKNOWN: error: the arguments of operator.methodcaller() must be known when the function is compiled
func.func @f(%l: !pyarray.any, %i: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.list<f64>, si64) -> ()]} {
  %methodcaller = pyarray.callable "operator.methodcaller" -> !pyarray.any
  %pop = pyarray.constant "pop" -> !pyarray.any
  %g = pyarray.apply %methodcaller(%pop, %i) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  %r = pyarray.apply %g(%l) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %r : !pyarray.any
}
