// Second phase of pyarray-infer-types: calls that put what they iterate over into a container one by one.
#include <string.h>

#include "infer_emit.h"

// An empty deque; the plan's only operand is its most length.
static MlirValue emit_deque(pa_instance_emitter *e, const pa_resolved_call *call, MlirType type) {
  pa_source source = call->plan.sources[0];
  MlirValue limit = source.argument < 0
                        ? pa_emit_literal(e, source.constant)
                        : pa_emitter_use_as(e, call->arguments[source.argument], call->plan.operands[0]);
  return pa_value(e->builder, PA_OP_NAME(BUILTIN), PA_OPERANDS(limit), PA_RESULTS(type),
                  PA_ATTRS({"name", pa_string_attr(pa_emitter_context(e), call->plan.builtin->name)}));
}

pa_status pa_emit_filled(pa_instance_emitter *e, MlirOperation op, const pa_resolved_call *call) {
  bool deque = call->plan.builtin && call->plan.builtin->lowering == PA_LOWERING_DEQUE_NEW,
       makes = call->count == 1 || deque;
  MlirType type = pa_emitter_type(e, pa_emitter_fact(e, makes ? mlirOperationGetResult(op, 0) : call->arguments[0]));
  const char *name = pyarrayTypeIsList(type) ? "pyarray.list" : pyarrayTypeIsSet(type) ? "pyarray.set" : "pyarray.dict";
  MlirValue container = deque   ? emit_deque(e, call, type)
                        : makes ? pa_value(e->builder, name, PA_RESULTS(type))
                                : pa_emitter_use(e, call->arguments[0]);
  MlirValue source = call->arguments[deque ? 0 : call->count - 1];
  pa_emitter_map(e, mlirOperationGetResult(op, 0),
                 makes ? container : pa_emit_literal(e, pa_unit_attr(pa_emitter_context(e))));
  return pa_emit_put_all(e, container, pa_emitter_use(e, source), pa_emitter_fact(e, source).type);
}

bool pa_is_filled_in_loop(pa_instance_emitter *e, MlirOperation op, const pa_resolved_call *call) {
  if (!call->plan.builtin) return false;
  pa_builtin_lowering rule = call->plan.builtin->lowering;
  if (rule == PA_LOWERING_DEQUE_NEW) return !mlirValueIsNull(call->arguments[0]);
  bool list = rule == PA_LOWERING_LIST_NEW || rule == PA_LOWERING_LIST_EXTEND;
  if (!list && rule != PA_LOWERING_DICT_NEW && rule != PA_LOWERING_DICT_UPDATE) return false;
  if (!call->count || mlirValueIsNull(call->arguments[call->count - 1])) return false;
  MlirType source = pa_emitter_fact(e, call->arguments[call->count - 1]).type;
  if (pyarrayTypeIsGenerator(source)) return true;
  MlirType type =
      pa_emitter_type(e, pa_emitter_fact(e, call->count == 1 ? mlirOperationGetResult(op, 0) : call->arguments[0]));
  if (list && pyarrayTypeIsList(source) && pyarrayTypeIsNone(pyarrayTypeGetItem(source)) &&
      !pyarrayTypeIsNone(pyarrayTypeGetItem(type)))
    return true; // of nothing
  if (list) return pa_is_iterable_tag(pa_iterator_type(source)) && !pyarrayTypeIsDeque(source);
  return !mlirTypeEqual(pa_erased_type(source), type);
}
