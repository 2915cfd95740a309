// The containers of pyarray.typed that compiled code makes, in pyarray-infer-types. They are the lists, dicts and sets
// that [] and {} make, with a mark by which Python gets them as typed.List, Dict or Set; where types are declared, the
// items have those.
//
//   %d = pyarray.apply %Dict.empty(%int64, %float64)      %d = pyarray.dict : !pyarray.dict<si64, f64>
//                                                         pyarray.builtin "object.mark_typed"(%d)
//
//   %s = pyarray.apply %structref.new(%T)             %s = pyarray.new "m:T#0.1f" : !pyarray.object<"m:T#0.1f">
//
// A type is the value `!pyarray.callable<"type:Lq">`, by its type code; of a number it is its dtype too.
#include <string.h>

#include "infer_emit.h"

//===-- Emission ----------------------------------------------------------------------------------===//

bool pa_emit_typed_empty(pa_instance_emitter *e, MlirOperation op, const pa_resolved_call *call) {
  if (!call->plan.builtin || call->plan.builtin->lowering != PA_LOWERING_EMPTY) return false;
  MlirType type = pa_erased_type(call->plan.result);
  bool object = pyarrayTypeIsObject(type);
  const char *name = object                    ? PA_OP_NAME(NEW)
                     : pyarrayTypeIsList(type) ? PA_OP_NAME(LIST)
                     : pyarrayTypeIsSet(type)  ? PA_OP_NAME(SET)
                                               : PA_OP_NAME(DICT);
  MlirAttribute of =
      object ? mlirStringAttrGet(pa_emitter_context(e), pyarrayObjectTypeGetName(type)) : mlirAttributeGetNull();
  pa_emitter_map(e, mlirOperationGetResult(op, 0),
                 pa_value(e->builder, name, PA_RESULTS(type), PA_ATTRS({"name", of})));
  return true;
}

void pa_emit_typed_mark(pa_instance_emitter *e, MlirOperation op, const pa_resolved_call *call) {
  if (!call->typed) return;
  MlirContext context = pa_emitter_context(e);
  pa_value(e->builder, PA_OP_NAME(BUILTIN), PA_OPERANDS(pa_emitter_use(e, mlirOperationGetResult(op, 0))),
           PA_RESULTS(pyarrayNoneTypeGet(context)), PA_ATTRS({"name", pa_string_attr(context, "object.mark_typed")}));
}
