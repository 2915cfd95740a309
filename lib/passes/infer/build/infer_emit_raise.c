// Raises that type inference puts in, where what an operation needs is seen at run time only.
#include "infer_emit.h"

void pa_emit_raise_if(pa_instance_emitter *e, MlirValue condition, const char *exception, const char *text) {
  MlirContext context = pa_emitter_context(e);
  MlirBlock raising;
  MlirRegion region = pa_region(e->builder->location, NULL, 0, &raising);
  pa_builder inner = {.context = context, .block = raising, .location = e->builder->location};
  MlirValue message = pa_value(&inner, "pyarray.constant", PA_RESULTS(pyarrayStrTypeGet(context)),
                               PA_ATTRS({"value", pa_string_attr(context, text)}));
  pa_op(&inner, "pyarray.raise", PA_OPERANDS(message), PA_ATTRS({"exception", pa_string_attr(context, exception)}));
  pa_op(&inner, "scf.yield", .operand_count = 0);
  if (inner.failure && !e->builder->failure) e->builder->failure = inner.failure;
  pa_op(e->builder, "scf.if", PA_OPERANDS(condition), PA_REGIONS(region, mlirRegionCreate()));
}
