// RUN: split-file %s %t
// RUN: pyarray-opt %t/list.mlir --pyarray-infer-types | pyarray-opt | FileCheck %s --check-prefix=LIST
// RUN: pyarray-opt %t/tuple.mlir --pyarray-infer-types | pyarray-opt | FileCheck %s --check-prefix=TUPLE
// RUN: not pyarray-opt %t/captured.mlir --pyarray-infer-types 2>&1 | FileCheck %s --check-prefix=CAPTURED
// One of several functions is a number, and a call of it a branch for each of them.

//--- list.mlir
// LIST: func.func @f$0
// LIST: %[[L:.*]] = pyarray.list {{.*}} -> !pyarray.list<si64>
// LIST: %[[N:.*]] = pyarray.getitem %[[L]]
// LIST: %[[IS:.*]] = pyarray.compare eq %[[N]], %{{.*}} : (si64, si64) -> i1
// LIST: scf.if %[[IS]] -> (f64)
// LIST: pyarray.call @one$0(%{{.*}}) : (f64) -> f64
// LIST: else
// LIST: %[[I:.*]] = pyarray.call @two$0(%{{.*}}) : (f64) -> si64
// LIST: pyarray.cast %[[I]] : si64 to f64
module {
  func.func @one(%x: !pyarray.any) -> !pyarray.any {
    return %x : !pyarray.any
  }
  func.func @two(%x: !pyarray.any) -> !pyarray.any {
    %2 = pyarray.constant 2 : si64 -> !pyarray.any
    return %2 : !pyarray.any
  }
  func.func @f(%x: !pyarray.any, %i: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(f64, si64) -> ()]} {
    %one = pyarray.callable @one -> !pyarray.any
    %two = pyarray.callable @two -> !pyarray.any
    %fs = pyarray.list %one, %two : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %g = pyarray.getitem %fs[%i] : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %r = pyarray.apply %g(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
    return %r : !pyarray.any
  }
}

//--- tuple.mlir
// TUPLE: %[[T:.*]] = pyarray.tuple %{{.*}}, %{{.*}} : (si64, si64) -> tuple<si64, si64>
// TUPLE: pyarray.getitem %[[T]][%{{.*}}] : (tuple<si64, si64>, si64) -> si64
module {
  func.func @one(%x: !pyarray.any) -> !pyarray.any {
    return %x : !pyarray.any
  }
  func.func @f(%x: !pyarray.any, %i: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(f64, si64) -> ()]} {
    %one = pyarray.callable @one -> !pyarray.any
    %sin = pyarray.callable "math.sin" -> !pyarray.any
    %fs = pyarray.tuple %one, %sin : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %g = pyarray.getitem %fs[%i] : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %r = pyarray.apply %g(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
    return %r : !pyarray.any
  }
}

//--- captured.mlir
// CAPTURED: error: different functions in one list or variable
module {
  func.func private @one(%c: !pyarray.any, %x: !pyarray.any) -> !pyarray.any attributes {pyarray.kinds = "cp"} {
    return %x : !pyarray.any
  }
  func.func private @two(%c: !pyarray.any, %x: !pyarray.any) -> !pyarray.any attributes {pyarray.kinds = "cp"} {
    return %c : !pyarray.any
  }
  func.func @f(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(f64) -> ()]} {
    %one = pyarray.closure @one(%x) : (!pyarray.any) -> !pyarray.any
    %two = pyarray.closure @two(%x) : (!pyarray.any) -> !pyarray.any
    %fs = pyarray.list %one, %two : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %r = pyarray.apply %one(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
    return %r : !pyarray.any
  }
}
