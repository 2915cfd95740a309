// RUN: split-file %s %t
// RUN: pyarray-opt %t/range.mlir --pyarray-infer-types | pyarray-opt | FileCheck %s --check-prefix=RANGE
// RUN: pyarray-opt %t/slice.mlir --pyarray-infer-types | pyarray-opt | FileCheck %s --check-prefix=SLICE
// RUN: not pyarray-opt %t/index.mlir --pyarray-infer-types 2>&1 | FileCheck %s --check-prefix=INDEX
// Operations on ranges are calls of the library; attributes are read in place, and those of a slice that are None are known.

//--- range.mlir
// RANGE: func.func @f$0(%[[R:.*]]: !pyarray.range, %[[X:.*]]: si64) -> tuple<i1, si64, si64>
// RANGE: %[[IN:.*]] = pyarray.call @range.contains$0(%[[R]], %[[X]])
// RANGE: %[[ITEM:.*]] = pyarray.call @range.item$0(%[[R]], %[[X]])
// RANGE: %[[STEP:.*]] = pyarray.getattr %[[R]] "step" : (!pyarray.range) -> si64
func.func @f(%r: !pyarray.any, %x: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.range, si64) -> ()]} {
  %in = pyarray.compare in %x, %r : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %item = pyarray.getitem %r[%x] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %step = pyarray.getattr %r "step" : (!pyarray.any) -> !pyarray.any
  %t = pyarray.tuple %in, %item, %step : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  return %t : !pyarray.any
}

//--- slice.mlir
// SLICE: func.func @f$0(%[[S:.*]]: !pyarray.slice<si64, !pyarray.none, !pyarray.none>, %[[N:.*]]: si64) -> tuple<!pyarray.none, tuple<si64, si64, si64>>
// SLICE: pyarray.constant unit
// SLICE: pyarray.call @slice.indices$0(%[[S]], %[[N]])
func.func @f(%s: !pyarray.any, %n: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.slice<si64, !pyarray.none, !pyarray.none>, si64) -> ()]} {
  %stop = pyarray.getattr %s "stop" : (!pyarray.any) -> !pyarray.any
  %indices = pyarray.method %s "indices"(%n) kw [] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %t = pyarray.tuple %stop, %indices : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %t : !pyarray.any
}

//--- index.mlir
// INDEX: error: range indices must be integers or slices, not float64
func.func @f(%r: !pyarray.any, %x: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.range, f64) -> ()]} {
  %item = pyarray.getitem %r[%x] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %item : !pyarray.any
}
