// RUN: split-file %s %t
// RUN: pyarray-opt %t/new.mlir --pyarray-infer-types | pyarray-opt | FileCheck %s --check-prefix=NEW
// RUN: not pyarray-opt %t/no_struct.mlir --pyarray-infer-types 2>&1 | FileCheck %s --check-prefix=NO-STRUCT
// RUN: not pyarray-opt %t/no_method.mlir --pyarray-infer-types 2>&1 | FileCheck %s --check-prefix=NO-METHOD
// structref.new(T) is an instance of a class without functions.

//--- new.mlir
// NEW: func.func @f$0(%[[X:.*]]: si64) -> f64
// NEW: %[[S:.*]] = pyarray.new "m:Pair#0(a:d,)" : !pyarray.object<"m:Pair#0(a:d,)">
// NEW: %[[D:.*]] = pyarray.cast %[[X]] : si64 to f64
// NEW: pyarray.setattr %[[S]] "a" = %[[D]]
// NEW: pyarray.getfield %[[S]] "a"
module attributes {pyarray.classes = {"m:Pair#0(a:d,)" = {fields = ["a"], types = tuple<f64>}}} {
  func.func @f(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(si64) -> ()]} {
    %new = pyarray.callable "pyarray.experimental.structref.new" -> !pyarray.any
    %type = pyarray.callable "type:J[m:Pair#0(a:d,)]" -> !pyarray.any
    %s = pyarray.apply %new(%type) : (!pyarray.any, !pyarray.any) -> !pyarray.any
    pyarray.setattr %s "a" = %x : (!pyarray.any, !pyarray.any) -> ()
    %a = pyarray.getattr %s "a" : (!pyarray.any) -> !pyarray.any
    return %a : !pyarray.any
  }
}

//--- no_struct.mlir
// NO-STRUCT: pyarray.experimental.structref.new: argument 1 has type {{.*}}; expected a type of structs
func.func @f() -> !pyarray.any attributes {pyarray.instantiate = [() -> ()]} {
  %new = pyarray.callable "pyarray.experimental.structref.new" -> !pyarray.any
  %type = pyarray.callable "type:Lq" -> !pyarray.any
  %s = pyarray.apply %new(%type) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %s : !pyarray.any
}

//--- no_method.mlir
// NO-METHOD: 'Pair' object has no attribute 'total'
module attributes {pyarray.classes = {"m:Pair#0(a:d,)" = {fields = ["a"], types = tuple<f64>}}} {
  func.func @f(%s: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.object<"m:Pair#0(a:d,)">) -> ()]} {
    %a = pyarray.method %s "total"() : (!pyarray.any) -> !pyarray.any
    return %a : !pyarray.any
  }
}
