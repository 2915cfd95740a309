// RUN: split-file %s %t
// RUN: pyarray-opt %t/loop.mlir --pyarray-infer-types | pyarray-opt | FileCheck %s --check-prefix=LOOP
// RUN: pyarray-opt %t/early.mlir --pyarray-infer-types | pyarray-opt | FileCheck %s --check-prefix=EARLY
// RUN: pyarray-opt %t/list.mlir --pyarray-infer-types | pyarray-opt | FileCheck %s --check-prefix=LIST
// RUN: not pyarray-opt %t/none.mlir --pyarray-infer-types 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: pyarray-opt %t/unpack.mlir --pyarray-infer-types | pyarray-opt | FileCheck %s --check-prefix=UNPACK
// What has a method __iter__, or __getitem__, is gone over by a generator of the library.

//--- unpack.mlir
// UNPACK: %[[G:.*]] = pyarray.call @builtins.items_by_position$0(%arg0)
// UNPACK: %{{.*}}, %[[A:.*]] = pyarray.iter_next %[[G]]
// UNPACK: %{{.*}}, %[[B:.*]] = pyarray.iter_next %[[G]]
// UNPACK: not enough values to unpack (expected 2, got 1)
// UNPACK: too many values to unpack (expected 2)
// UNPACK: pyarray.tuple %[[A]], %[[B]]
module attributes {pyarray.classes = {"m:Row#0" = {fields = ["x"], types = tuple<si64>, methods = {__getitem__ = @item}}}} {
  func.func @item(%r: !pyarray.any, %i: !pyarray.any) -> !pyarray.any {
    %x = pyarray.getattr %r "x" : (!pyarray.any) -> !pyarray.any
    return %x : !pyarray.any
  }
  func.func @f(%r: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.object<"m:Row#0">) -> ()]} {
    %a, %b = pyarray.unpack %r : (!pyarray.any) -> (!pyarray.any, !pyarray.any)
    %t = pyarray.tuple %a, %b : (!pyarray.any, !pyarray.any) -> !pyarray.any
    return %t : !pyarray.any
  }
}

//--- loop.mlir
// LOOP: func.func @f$0(%[[F:.*]]: si64)
// LOOP: %[[G:.*]] = pyarray.call @builtins.items_of$0(%[[F]]) : (si64) -> !pyarray.generator<si64>
// LOOP: pyarray.for ({{.*}}) in %[[G]]
// LOOP: func.func private @builtins.items_of$0
// LOOP: call @bits$0
module attributes {pyarray.classes = {"m:Mode#0" = {kind = "flag", members = {R = 1 : si64}, numbers = [1 : si64], names = ["R"], values = [1 : si64], methods = {__iter__ = @bits}}}} {
  func.func @bits(%m: !pyarray.any) -> !pyarray.any attributes {pyarray.generator} {
    pyarray.suspend %m : !pyarray.any
    %none = pyarray.constant unit -> !pyarray.any
    return %none : !pyarray.any
  }
  func.func @f(%m: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.tagged<"flag", "m:Mode#0", si64>) -> ()]} {
    %0 = pyarray.constant 0 : si64 -> !pyarray.any
    %r = pyarray.for (%x: !pyarray.any, %s: !pyarray.any) in %m : !pyarray.any iter(%0) {
      pyarray.yield %s : !pyarray.any
    }
    return %r : !pyarray.any
  }
}

//--- early.mlir
// EARLY: %[[G:.*]] = pyarray.call @builtins.items_of$0
// EARLY: pyarray.iter_next %[[G]]
module attributes {pyarray.classes = {"m:Mode#0" = {kind = "flag", members = {R = 1 : si64}, numbers = [1 : si64], names = ["R"], values = [1 : si64], methods = {__iter__ = @bits}}}} {
  func.func @bits(%m: !pyarray.any) -> !pyarray.any attributes {pyarray.generator} {
    pyarray.suspend %m : !pyarray.any
    %none = pyarray.constant unit -> !pyarray.any
    return %none : !pyarray.any
  }
  func.func @f(%m: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.tagged<"flag", "m:Mode#0", si64>) -> ()]} {
    %0 = pyarray.constant 0 : si64 -> !pyarray.any
    %it = pyarray.iterator %m : (!pyarray.any) -> !pyarray.any
    %more = pyarray.iter_more %it, %0 : (!pyarray.any, !pyarray.any) -> !pyarray.any
    return %more : !pyarray.any
  }
}

//--- list.mlir
// LIST: %[[G:.*]] = pyarray.call @builtins.items_of$0
// LIST: %[[L:.*]] = pyarray.list : () -> !pyarray.list<si64>
module attributes {pyarray.classes = {"m:Mode#0" = {kind = "flag", members = {R = 1 : si64}, numbers = [1 : si64], names = ["R"], values = [1 : si64], methods = {__iter__ = @bits}}}} {
  func.func @bits(%m: !pyarray.any) -> !pyarray.any attributes {pyarray.generator} {
    pyarray.suspend %m : !pyarray.any
    %none = pyarray.constant unit -> !pyarray.any
    return %none : !pyarray.any
  }
  func.func @f(%m: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.tagged<"flag", "m:Mode#0", si64>) -> ()]} {
    %list = pyarray.callable "builtins.list" -> !pyarray.any
    %r = pyarray.apply %list(%m) : (!pyarray.any, !pyarray.any) -> !pyarray.any
    return %r : !pyarray.any
  }
}

//--- none.mlir
// NONE: error: a value of type Color cannot be iterated over
module attributes {pyarray.classes = {"m:Color#0" = {kind = "enum", members = {RED = 0 : si64}, numbers = [0 : si64], names = ["RED"], values = [1 : si64]}}} {
  func.func @f(%c: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.tagged<"enum", "m:Color#0", si64>) -> ()]} {
    %it = pyarray.iterator %c : (!pyarray.any) -> !pyarray.any
    %0 = pyarray.constant 0 : si64 -> !pyarray.any
    %more = pyarray.iter_more %it, %0 : (!pyarray.any, !pyarray.any) -> !pyarray.any
    return %more : !pyarray.any
  }
}
