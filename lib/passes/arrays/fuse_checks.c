// Of pyarray-fuse: checks that stay where an operation stood, when it is computed elsewhere.
#include "fuse_internal.h"

pa_builder pa_builder_before(pa_fusing *f, MlirOperation op) {
  return (pa_builder){.context = f->names.context,
                      .location = mlirOperationGetLocation(op),
                      .block = mlirOperationGetBlock(op),
                      .before = op};
}

MlirValue *pa_leave_shape(pa_fusing *f, pa_builder *at, const MlirValue *arrays, int count, int rank,
                          MlirAttribute name, int64_t place) {
  MlirValue *extents = PA_NEW_ARRAY(f->arena, MlirValue, rank + 1);
  MlirType *types = PA_NEW_ARRAY(f->arena, MlirType, rank + 1);
  int32_t segments[] = {count, 0};
  pa_string text = {0};
  for (int i = 0; i < count; ++i) pa_string_puts(&text, i ? ",()" : "()");
  pa_string_puts(&text, "->()");
  MlirAttribute signature = pa_string_attr(at->context, pa_string_text(&text));
  pa_string_free(&text);
  for (int d = 0; d < rank; ++d) types[d] = mlirIntegerTypeSignedGet(at->context, 64);
  MlirOperation made =
      pa_op(at, PA_OP_NAME(UFUNC_SHAPE), PA_OPERAND_ARRAY(arrays, count), PA_RESULT_ARRAY(types, rank),
            PA_ATTRS({"signature", signature}, {"operandSegmentSizes", mlirDenseI32ArrayGet(at->context, 2, segments)},
                     {"pyarray.name", name}));
  for (int d = 0; d < rank && !mlirOperationIsNull(made); ++d) extents[d] = mlirOperationGetResult(made, d);
  if (!mlirOperationIsNull(made)) pa_set_place(&f->memory, made, place);
  return extents;
}

static void raise_if(pa_builder *at, MlirValue condition, const char *exception, const char *text) {
  pa_builder inner = *at;
  inner.before = (MlirOperation){NULL};
  MlirRegion region = pa_region(at->location, NULL, 0, &inner.block);
  MlirValue message = pa_value(&inner, PA_OP_NAME(CONSTANT), PA_RESULTS(pyarrayStrTypeGet(at->context)),
                               PA_ATTRS({"value", pa_string_attr(at->context, text)}));
  pa_op(&inner, PA_OP_NAME(RAISE), PA_OPERANDS(message),
        PA_ATTRS({"exception", pa_string_attr(at->context, exception)}));
  pa_op(&inner, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(NULL, 0));
  if (inner.failure && !at->failure) at->failure = inner.failure;
  pa_op(at, PA_OP_NAME(SCF_IF), PA_OPERANDS(condition), PA_REGIONS(region, mlirRegionCreate()));
}

void pa_leave_empty_check(pa_fusing *f, pa_builder *at, MlirOperation reduce, const MlirValue *extents) {
  const char *text = pa_empty_fold_text(f->arena, reduce);
  MlirAttribute equal = pyarrayCompareKindAttrGet(at->context, PYARRAY_COMPARE_EQ), axes = pa_get_attr(reduce, "axes");
  MlirType type = mlirIntegerTypeSignedGet(at->context, 64);
  if (!text || pa_failed(at)) return;
  MlirValue zero =
      pa_value(at, PA_OP_NAME(CONSTANT), PA_RESULTS(type), PA_ATTRS({"value", mlirIntegerAttrGet(type, 0)}));
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(axes) && !pa_failed(at); ++i) {
    MlirValue empty =
        pa_value(at, PA_OP_NAME(COMPARE), PA_OPERANDS(extents[mlirDenseI64ArrayGetElement(axes, i)], zero),
                 PA_RESULTS(mlirIntegerTypeGet(at->context, 1)), PA_ATTRS({"kind", equal}));
    raise_if(at, empty, "ValueError", text);
  }
}
