// Values and failures while operations are emitted.
#include <Python.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emitter.h"

static bool is_told(pa_status refusals, pa_status refusal) {
  const pa_location *at = pa_status_location(refusal);
  for (; refusals; refusals = pa_status_next(refusals)) {
    const pa_location *place = pa_status_location(refusals);
    if (place->line == at->line && place->column == at->column &&
        strcmp(pa_status_message(refusals), pa_status_message(refusal)) == 0)
      return true;
  }
  return false;
}

MlirValue pa_emit_refused(pa_emitter *e, pa_status refusal) {
  pa_importer *importer = e->importer;
  if (!pa_is_refusal(refusal)) return pa_set_failure(e, refusal), (MlirValue){NULL};
  if (importer->refusals && !pa_status_may_go_on(importer->refusals))
    return pa_set_failure(e, refusal), (MlirValue){NULL};
  if (is_told(importer->refusals, refusal))
    pa_status_free(refusal);
  else
    importer->refusals = pa_status_join(importer->refusals, refusal);
  return pa_emit_unbound(e, e->any);
}

void pa_at(pa_emitter *e, pa_place place) {
  e->builder.location = mlirLocationFileLineColGet(e->importer->context, pa_ref(e->function->file),
                                                   (unsigned)place.line, (unsigned)place.column);
}

MlirValue pa_emit_constant(pa_emitter *e, MlirAttribute value) {
  if (mlirAttributeIsAType(value)) // ...
    return pa_value(&e->builder, PA_OP_NAME(CALLABLE), PA_RESULTS(e->any),
                    PA_ATTRS({"name", pyarrayCallableTypeGetName(mlirTypeAttrGetValue(value))}));
  return pa_value(&e->builder, PA_OP_NAME(CONSTANT), PA_RESULTS(e->any), PA_ATTRS({"value", value}));
}

MlirValue pa_emit_int(pa_emitter *e, int64_t value) {
  return pa_emit_constant(e, mlirIntegerAttrGet(pa_scalar_type(e->importer->context, PA_I64), value));
}

MlirValue pa_emit_bool(pa_emitter *e, bool value) { return pa_emit_constant(e, mlirIntegerAttrGet(e->i1, value)); }

MlirValue pa_emit_unbound(pa_emitter *e, MlirType type) {
  return pa_value(&e->builder, PA_OP_NAME(UNBOUND), PA_RESULTS(type));
}

MlirValue pa_emit_truth(pa_emitter *e, MlirValue value) {
  return pa_value(&e->builder, PA_OP_NAME(TRUTH), PA_OPERANDS(value), PA_RESULTS(e->i1));
}

MlirValue pa_emit_compare(pa_emitter *e, int kind, MlirValue left, MlirValue right) {
  MlirAttribute attr = pyarrayCompareKindAttrGet(e->importer->context, (pyarray_compare_kind)kind);
  return pa_value(&e->builder, PA_OP_NAME(COMPARE), PA_OPERANDS(left, right), PA_RESULTS(e->any),
                  PA_ATTRS({"kind", attr}));
}

// Of a row of builtins.def.
MlirValue pa_emit_builtin_call(pa_emitter *e, const char *name, const MlirValue *arguments, int count) {
  MlirValue *operands = PA_NEW_ARRAY(e->arena, MlirValue, count + 1);
  operands[0] = pa_value(&e->builder, PA_OP_NAME(CALLABLE), PA_RESULTS(e->any),
                         PA_ATTRS({"name", pa_string_attr(e->importer->context, name)}));
  for (int i = 0; i < count; ++i) operands[i + 1] = arguments[i];
  return pa_value(&e->builder, PA_OP_NAME(APPLY), PA_OPERAND_ARRAY(operands, count + 1), PA_RESULTS(e->any));
}

void pa_set_failure(pa_emitter *e, pa_status failure) {
  if (e->builder.failure)
    pa_status_free(failure);
  else
    e->builder.failure = failure;
}

void pa_fail_emission(pa_emitter *e, pa_code code, pa_place place, const char *format, ...) {
  pa_string text = {0};
  va_list arguments;
  va_start(arguments, format);
  char *formatted = NULL;
  if (vasprintf(&formatted, format, arguments) >= 0) pa_string_puts(&text, formatted);
  va_end(arguments);
  pa_location location = pa_locate(e->function, place);
  pa_set_failure(e, pa_fail(code, &location, "%s", pa_string_text(&text)));
  pa_string_free(&text);
  free(formatted);
}
