// RUN: split-file %s %t
// RUN: pyarray-opt %t/call.mlir --pyarray-infer-types | pyarray-opt | FileCheck %s --check-prefix=CALL
// RUN: pyarray-opt %t/names.mlir --pyarray-infer-types | pyarray-opt | FileCheck %s --check-prefix=NAMES
// RUN: pyarray-opt %t/union.mlir --pyarray-infer-types | pyarray-opt | FileCheck %s --check-prefix=UNION
// RUN: not pyarray-opt %t/unknown.mlir --pyarray-infer-types 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// Keyword arguments without a parameter of their own are a tuple, whose names the type has.

//--- call.mlir
// CALL: func.func @f$0(%[[X:.*]]: f64)
// CALL: %[[N:.*]] = pyarray.constant 3 : si64 -> si64
// CALL: %[[T:.*]] = pyarray.tuple %[[X]], %[[N]] : (f64, si64) -> tuple<f64, si64>
// CALL: pyarray.call @g$0(%[[X]], %[[T]])
// CALL: func.func private @g$0(%{{.*}}: f64, %[[K:.*]]: tuple<f64, si64>) -> tuple<f64, i1, i1>
// CALL: %[[E:.*]]:2 = pyarray.unpack %[[K]]
// CALL-DAG: pyarray.constant true
// CALL-DAG: pyarray.constant false
// CALL: pyarray.tuple %[[E]]#0
func.func @f(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(f64) -> ()]} {
  %g = pyarray.callable @g -> !pyarray.any
  %n = pyarray.constant 3 : si64 -> !pyarray.any
  %r = pyarray.apply %g(%x, %x, %n) kw ["scale", "n"] : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %r : !pyarray.any
}
func.func @g(%a: !pyarray.any, %kwargs: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["a", "kwargs"], pyarray.kinds = "pw"} {
  %scale = pyarray.constant "scale" -> !pyarray.any
  %other = pyarray.constant "other" -> !pyarray.any
  %item = pyarray.getitem %kwargs[%scale] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %in = pyarray.compare in %scale, %kwargs : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %out = pyarray.compare in %other, %kwargs : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %t = pyarray.tuple %item, %in, %out : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %t : !pyarray.any
}

//--- names.mlir
// NAMES: func.func @f$0(%{{.*}}: tuple<f64>) -> tuple<!pyarray.str>
// NAMES: pyarray.constant "scale"
func.func @f(%kwargs: !pyarray.any) -> !pyarray.any attributes {pyarray.kinds = "w", pyarray.instantiate = [(!pyarray.tagged<"keywords", ["scale"], tuple<f64>>) -> ()]} {
  %r = pyarray.method %kwargs "keys"() kw [] : (!pyarray.any) -> !pyarray.any
  return %r : !pyarray.any
}

//--- union.mlir
// UNION: func.func @f$0(%[[A:.*]]: tuple<f64, si64>, %[[B:.*]]: tuple<i1, f32>)
// UNION-SAME: tagged<"keywords", ["x", "y", "z"], tuple<f64, i1, f32>>
// UNION: pyarray.tuple %{{.*}} : (f64, i1, f32) -> tuple<f64, i1, f32>
func.func @f(%a: !pyarray.any, %b: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.tagged<"keywords", ["x", "y"], tuple<f64, si64>>, !pyarray.tagged<"keywords", ["y", "z"], tuple<i1, f32>>) -> ()]} {
  %r = pyarray.binary or %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %r : !pyarray.any
}

//--- unknown.mlir
// UNKNOWN: error: KeyError: 'x'
func.func @f(%kwargs: !pyarray.any) -> !pyarray.any attributes {pyarray.kinds = "w", pyarray.instantiate = [(!pyarray.tagged<"keywords", ["scale"], tuple<f64>>) -> ()]} {
  %x = pyarray.constant "x" -> !pyarray.any
  %r = pyarray.getitem %kwargs[%x] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %r : !pyarray.any
}
