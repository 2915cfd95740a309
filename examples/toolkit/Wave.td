// A dialect of one operation: a sine wave at a point in time.
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Wave_Dialect : Dialect {
  let name = "wave";
  let cppNamespace = "::wave";
  let summary = "Waves, lowered to the pyarray dialect";
}

def Wave_SineOp : Op<Wave_Dialect, "sine", [Pure]> {
  let summary = "amplitude * sin(time)";
  let arguments = (ins F64:$time, F64Attr:$amplitude);
  let results = (outs F64:$result);
  let assemblyFormat = "$time `amplitude` $amplitude attr-dict";
}
