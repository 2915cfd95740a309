// RUN: split-file %s %t
// RUN: pyarray-opt %t/tuple.mlir --pyarray-infer-types | pyarray-opt | FileCheck %s --check-prefix=TUPLE
// RUN: pyarray-opt %t/enum.mlir --pyarray-infer-types | pyarray-opt | FileCheck %s --check-prefix=ENUM
// RUN: pyarray-opt %t/replace.mlir --pyarray-infer-types | pyarray-opt | FileCheck %s --check-prefix=REPLACE
// RUN: pyarray-opt %t/keys.mlir --pyarray-infer-types | pyarray-opt | FileCheck %s --check-prefix=KEYS
// RUN: not pyarray-opt %t/order.mlir --pyarray-infer-types 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not pyarray-opt %t/field.mlir --pyarray-infer-types 2>&1 | FileCheck %s --check-prefix=FIELD
// Named tuples are tuples, members of enums are numbers; the entry keeps the types that Python sees.

//--- tuple.mlir
// TUPLE: func.func @f$0(%[[P:.*]]: tuple<f64, si64>) -> tuple<f64, si64>
// TUPLE-SAME: pyarray.signature = (!pyarray.tagged<"namedtuple", "m:Point#0", tuple<f64, si64>>) -> !pyarray.tagged<"namedtuple", "m:Point#0", tuple<f64, si64>>
// TUPLE: %[[E:.*]]:2 = pyarray.unpack %[[P]]
// TUPLE: %[[T:.*]] = pyarray.constant 7 : si64 -> si64
// TUPLE: pyarray.tuple %[[E]]#0, %[[T]]
module attributes {pyarray.classes = {"m:Point#0" = {kind = "namedtuple", fields = ["x", "y"], defaults = [7 : si64]}}} {
  func.func @f(%p: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.tagged<"namedtuple", "m:Point#0", tuple<f64, si64>>) -> ()]} {
    %class = pyarray.callable "m:Point#0" -> !pyarray.any
    %x = pyarray.getattr %p "x" : (!pyarray.any) -> !pyarray.any
    %q = pyarray.apply %class(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
    return %q : !pyarray.any
  }
}

//--- enum.mlir
// ENUM: func.func @f$0(%[[C:.*]]: si64) -> tuple<i1, !pyarray.str, si64>
// ENUM: %[[GREEN:.*]] = pyarray.constant 1 : si64 -> si64
// ENUM: pyarray.compare eq %[[C]], %[[GREEN]]
// ENUM: pyarray.constant "GREEN" -> !pyarray.str
module attributes {pyarray.classes = {"m:Color#0" = {kind = "enum", members = {RED = 0 : si64, GREEN = 1 : si64}, numbers = [0 : si64, 1 : si64], names = ["RED", "GREEN"], values = [3 : si64, #pyarray.opaque]}}} {
  func.func @f(%c: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.tagged<"enum", "m:Color#0", si64>) -> ()]} {
    %class = pyarray.callable "m:Color#0" -> !pyarray.any
    %green = pyarray.getattr %class "GREEN" : (!pyarray.any) -> !pyarray.any
    %is = pyarray.compare is %c, %green : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %name = pyarray.getattr %green "name" : (!pyarray.any) -> !pyarray.any
    %t = pyarray.tuple %is, %name, %green : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
    return %t : !pyarray.any
  }
}

//--- replace.mlir
// REPLACE: %[[E:.*]]:2 = pyarray.unpack %{{.*}} : (tuple<si64, si64>)
// REPLACE: pyarray.tuple %[[E]]#0, %{{.*}} : (si64, f64) -> tuple<si64, f64>
module attributes {pyarray.classes = {"m:Point#0" = {kind = "namedtuple", fields = ["x", "y"], defaults = []}}} {
  func.func @f(%p: !pyarray.any, %y: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.tagged<"namedtuple", "m:Point#0", tuple<si64, si64>>, f64) -> ()]} {
    %q = pyarray.method %p "_replace"(%y) kw ["y"] : (!pyarray.any, !pyarray.any) -> !pyarray.any
    return %q : !pyarray.any
  }
}

//--- order.mlir
// ORDER: error: '<' not supported between values of types Color and Color
module attributes {pyarray.classes = {"m:Color#0" = {kind = "enum", members = {RED = 0 : si64}, numbers = [0 : si64], names = ["RED"], values = [1 : si64]}}} {
  func.func @f(%c: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.tagged<"enum", "m:Color#0", si64>) -> ()]} {
    %r = pyarray.compare lt %c, %c : (!pyarray.any, !pyarray.any) -> !pyarray.any
    return %r : !pyarray.any
  }
}

//--- field.mlir
// FIELD: error: 'Point' object has no attribute 'z' that compiled code knows
module attributes {pyarray.classes = {"m:Point#0" = {kind = "namedtuple", fields = ["x"], defaults = []}}} {
  func.func @f(%p: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.tagged<"namedtuple", "m:Point#0", tuple<si64>>) -> ()]} {
    %z = pyarray.getattr %p "z" : (!pyarray.any) -> !pyarray.any
    return %z : !pyarray.any
  }
}

//--- keys.mlir
// KEYS: func.func @f$0(%[[K:.*]]: si64) -> !pyarray.dict<si64, si64>
// KEYS-SAME: pyarray.signature = (!pyarray.tagged<"int enum", "m:Colour#0", si64>) -> !pyarray.dict<!pyarray.tagged<"int enum", "m:Colour#0", si64>, si64>
// KEYS: pyarray.setitem %{{.*}}[%[[K]]]
module attributes {pyarray.classes = {"m:Colour#0" = {kind = "int enum", members = {RED = 1 : si64}, names = ["RED"], numbers = [1 : si64], values = [1 : si64]}}} {
  func.func @f(%k: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.tagged<"int enum", "m:Colour#0", si64>) -> ()]} {
    %d = pyarray.dict : () -> !pyarray.any
    %v = pyarray.constant 3 : si64 -> !pyarray.any
    pyarray.setitem %d[%k] = %v : (!pyarray.any, !pyarray.any, !pyarray.any) -> ()
    return %d : !pyarray.any
  }
}
