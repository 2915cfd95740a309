// Raises that type inference puts in, where what an operation needs is seen at run time only.
#include "infer_emit.h"

void pa_emit_raise_if(pa_instance_emitter *e, MlirValue condition, const char *exception, const char *text) {
  MlirContext context = pa_emitter_context(e);
  MlirBlock raising;
  MlirRegion region = pa_region(e->builder->location, NULL, 0, &raising);
  pa_builder inner = {.context = context, .block = raising, .location = e->builder->location};
  MlirValue message = pa_value(&inner, PA_OP_NAME(CONSTANT), PA_RESULTS(pyarrayStrTypeGet(context)),
                               PA_ATTRS({"value", pa_string_attr(context, text)}));
  pa_op(&inner, PA_OP_NAME(RAISE), PA_OPERANDS(message), PA_ATTRS({"exception", pa_string_attr(context, exception)}));
  pa_op(&inner, PA_OP_NAME(SCF_YIELD), .operand_count = 0);
  if (inner.failure && !e->builder->failure) e->builder->failure = inner.failure;
  pa_op(e->builder, PA_OP_NAME(SCF_IF), PA_OPERANDS(condition), PA_REGIONS(region, mlirRegionCreate()));
}
