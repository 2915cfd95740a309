// RUN: split-file %s %t
// RUN: pyarray-opt %t/empty.mlir --pyarray-infer-types | pyarray-opt | FileCheck %s --check-prefix=EMPTY
// RUN: pyarray-opt %t/filled.mlir --pyarray-infer-types | pyarray-opt | FileCheck %s --check-prefix=FILLED
// RUN: pyarray-opt %t/lower.mlir --pyarray-infer-types --pyarray-insert-ownership --pyarray-lower | FileCheck %s --check-prefix=LOWER
// RUN: not pyarray-opt %t/held.mlir --pyarray-infer-types 2>&1 | FileCheck %s --check-prefix=HELD
// RUN: not pyarray-opt %t/unhashable.mlir --pyarray-infer-types 2>&1 | FileCheck %s --check-prefix=UNHASHABLE
// RUN: not pyarray-opt %t/no_type.mlir --pyarray-infer-types 2>&1 | FileCheck %s --check-prefix=NO-TYPE
// Containers of pyarray.typed are the others with a mark; declared types are held to.

//--- empty.mlir
// EMPTY: func.func @f$0(%[[K:.*]]: si64) -> !pyarray.dict<si64, f64>
// EMPTY: %[[D:.*]] = pyarray.dict : () -> !pyarray.dict<si64, f64>
// EMPTY: pyarray.builtin "object.mark_typed"(%[[D]]) : (!pyarray.dict<si64, f64>) -> !pyarray.none
// EMPTY: %[[V:.*]] = pyarray.cast %[[K]] : si64 to f64
// EMPTY: pyarray.setitem %[[D]][%[[K]]] = %[[V]]
func.func @f(%k: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(si64) -> ()]} {
  %empty = pyarray.callable "pyarray.typed.Dict.empty" -> !pyarray.any
  %key = pyarray.callable "pyarray.int64" -> !pyarray.any
  %value = pyarray.callable "type:d" -> !pyarray.any
  %d = pyarray.apply %empty(%key, %value) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  pyarray.setitem %d[%k] = %k : (!pyarray.any, !pyarray.any, !pyarray.any) -> ()
  return %d : !pyarray.any
}

//--- filled.mlir
// FILLED: func.func @f$0(%[[R:.*]]: !pyarray.list<f64>) -> !pyarray.list<f64>
// FILLED: %[[L:.*]] = pyarray.builtin "builtins.list"(%[[R]])
// FILLED: pyarray.builtin "object.mark_typed"(%[[L]])
// FILLED-NOT: mark_typed
func.func @f(%r: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.list<f64>) -> ()]} {
  %List = pyarray.callable "pyarray.typed.List" -> !pyarray.any
  %list = pyarray.callable "builtins.list" -> !pyarray.any
  %l = pyarray.apply %List(%r) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %m = pyarray.apply %list(%l) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %m : !pyarray.any
}

//--- lower.mlir
// LOWER: %[[L:.*]] = {{.*}}call @pyarray_rt_list_new
// LOWER: call @pyarray_rt_set_typed(%[[L]], %c1_i32) : (i64, i32) -> ()
func.func @f() -> !pyarray.any attributes {pyarray.instantiate = [() -> ()]} {
  %empty = pyarray.callable "pyarray.typed.List.empty_list" -> !pyarray.any
  %item = pyarray.callable "type:U" -> !pyarray.any
  %l = pyarray.apply %empty(%item) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %l : !pyarray.any
}

//--- held.mlir
// HELD: error: a value of type float64 cannot be an item of ListType[int64]
func.func @f(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(f64) -> ()]} {
  %empty = pyarray.callable "pyarray.typed.List.empty_list" -> !pyarray.any
  %item = pyarray.callable "type:q" -> !pyarray.any
  %l = pyarray.apply %empty(%item) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %0 = pyarray.method %l "append"(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %l : !pyarray.any
}

//--- unhashable.mlir
// UNHASHABLE: error: unhashable type: ListType[int64]
func.func @f() -> !pyarray.any attributes {pyarray.instantiate = [() -> ()]} {
  %empty = pyarray.callable "pyarray.typed.Set.empty" -> !pyarray.any
  %item = pyarray.callable "type:Lq" -> !pyarray.any
  %s = pyarray.apply %empty(%item) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %s : !pyarray.any
}

//--- no_type.mlir
// NO-TYPE: error: pyarray.typed.List.empty_list: argument 1 has type int64; expected a type such as types.int64
func.func @f(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(si64) -> ()]} {
  %empty = pyarray.callable "pyarray.typed.List.empty_list" -> !pyarray.any
  %l = pyarray.apply %empty(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %l : !pyarray.any
}
