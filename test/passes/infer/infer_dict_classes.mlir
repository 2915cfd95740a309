// RUN: split-file %s %t
// RUN: pyarray-opt %t/counter.mlir --pyarray-infer-types | pyarray-opt | FileCheck %s --check-prefix=COUNTER
// RUN: pyarray-opt %t/default.mlir --pyarray-infer-types | pyarray-opt | FileCheck %s --check-prefix=DEFAULT
// RUN: not pyarray-opt %t/factory.mlir --pyarray-infer-types 2>&1 | FileCheck %s --check-prefix=FACTORY
// Counter and defaultdict are dicts; what their classes have of their own are functions of the library.

//--- counter.mlir
// COUNTER: func.func @f$0(%[[S:.*]]: !pyarray.str) -> !pyarray.dict<!pyarray.str, si64>
// COUNTER: %[[D:.*]] = pyarray.dict : () -> !pyarray.dict<!pyarray.str, si64>
// COUNTER: %[[C:.*]] = pyarray.call @counter.filled$[[N:[0-9]+]](%[[D]], %[[S]], %{{.*}})
// COUNTER: pyarray.call @counter.item$[[M:[0-9]+]](%[[C]], %[[S]]) : (!pyarray.dict<!pyarray.str, si64>, !pyarray.str) -> si64
// COUNTER: pyarray.setitem %[[C]]
func.func @f(%s: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.str) -> ()]} {
  %Counter = pyarray.callable "collections.Counter" -> !pyarray.any
  %c = pyarray.apply %Counter(%s) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %n = pyarray.getitem %c[%s] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  pyarray.setitem %c[%s] = %n : (!pyarray.any, !pyarray.any, !pyarray.any) -> ()
  return %c : !pyarray.any
}

//--- default.mlir
// DEFAULT: %[[D:.*]] = pyarray.dict : () -> !pyarray.dict<si64, !pyarray.list<f64>>
// DEFAULT: %[[I:.*]] = pyarray.call @defaultdict.item$[[N:[0-9]+]](%{{.*}}, %{{.*}}) : (!pyarray.dict<si64, !pyarray.list<f64>>, si64) -> !pyarray.list<f64>
// DEFAULT: pyarray.builtin "list.append"(%[[I]], %{{.*}})
func.func @f(%k: !pyarray.any, %x: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(si64, f64) -> ()]} {
  %defaultdict = pyarray.callable "collections.defaultdict" -> !pyarray.any
  %list = pyarray.callable "builtins.list" -> !pyarray.any
  %d = pyarray.apply %defaultdict(%list) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %l = pyarray.getitem %d[%k] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %0 = pyarray.method %l "append"(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %0 : !pyarray.any
}

//--- factory.mlir
// FACTORY: error: the first argument of defaultdict() is a value of type int64
func.func @f(%k: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(si64) -> ()]} {
  %defaultdict = pyarray.callable "collections.defaultdict" -> !pyarray.any
  %d = pyarray.apply %defaultdict(%k) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %d : !pyarray.any
}
