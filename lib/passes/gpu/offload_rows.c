// Of pyarray-offload: ufuncs over rows that go through several operations at a time (lib/passes/arrays/fuse_rows.c), as
// kernels whose blocks have rows.
//
//   pyarray.ufunc "(n)->()" ins(%x) outs(%o) expanded {pyarray.rows = 1} {
//   ^bb0(%a: !pyarray.array<?xf32, C>, %b: !pyarray.array<?xf32, A>):
//     %t = numpy.empty(%n)                   a row that only the body reads
//     ...
//     pyarray.setitem %b[%c0] = %s
//   }
// becomes the same with a row of new memory of the device as one more output, in place of %t, and
//
//     pyarray.ufunc "()->()" ins(%s) outs(%b)
// which all threads of a row do together, like the others.
#include "ir/whole_arrays.h"
#include "offload.h"
#include "support/core_signature.h"

enum { MOST = 64 };

static bool is_new_row(const pa_offloading *o, MlirOperation op) {
  return pa_kind(&o->names, op) == PA_OP_BUILTIN &&
         pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(op, "name")), "numpy.empty");
}

static bool has_arrays(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (pyarrayTypeIsArray(mlirValueGetType(mlirOperationGetOperand(op, i)))) return true;
  return false;
}

static bool is_plain_ufunc(MlirOperation op) {
  pa_core_signature core;
  MlirStringRef text = mlirStringAttrGetValue(pa_get_attr(op, "signature"));
  if (pa_core_signature_parse(text.data, text.length, &core)) return false;
  for (int i = 0; i < core.input_count + core.output_count; ++i)
    if (core.operands[i].rank) return false;
  return !pa_has_attr(op, "carried");
}

static bool is_done(const pa_offloading *o, MlirOperation op) {
  switch (pa_kind(&o->names, op)) {
  case PA_OP_REDUCE: return pa_is_reduction_done(op) && !pa_has_hosts_code(op);
  case PA_OP_UFUNC: return is_plain_ufunc(op) && !pa_has_hosts_code(op);
  case PA_OP_SETITEM: return mlirOperationGetNumOperands(op) == 3;
  case PA_OP_BROADCAST_TO:
  case PA_OP_YIELD:
  case PA_OP_CONSTANT:
  case PA_OP_CAST: return true;
  case PA_OP_BUILTIN: return is_new_row(o, op) || !has_arrays(op);
  default: return !mlirOperationGetNumRegions(op) && !has_arrays(op);
  }
}

bool pa_are_rows_done(const pa_offloading *o, MlirOperation op) {
  int count = 0;
  PA_FOR_EACH_OP(inner, pa_body(op, 0)) {
    if (!is_done(o, inner)) return false;
    count += is_new_row(o, inner);
  }
  return count + mlirOperationGetNumOperands(op) < MOST;
}

//===-- New rows ----------------------------------------------------------------------------------===//

// Memory for the rows of all points; |row| takes it for its own.
static MlirValue new_rows(pa_offloading *o, MlirOperation op, MlirOperation row, intptr_t rank) {
  MlirValue extents[PA_OFFLOAD_RANK];
  pa_builder at = pa_offload_before(o, op);
  intptr_t folded = mlirOperationGetNumOperands(row);
  for (intptr_t d = 0; d < rank; ++d) extents[d] = pa_offload_extent(o, &at, mlirOperationGetOperand(op, 0), (int)d);
  for (intptr_t d = 0; d < folded; ++d) extents[rank + d] = mlirOperationGetOperand(row, d);
  MlirType own = mlirValueGetType(mlirOperationGetResult(row, 0)),
           all = pa_array_type(o->context, rank + folded, pyarrayArrayTypeGetElement(own), PYARRAY_LAYOUT_C, false);
  MlirValue made = pa_offload_empty(o, &at, all, extents, rank + folded);
  MlirValue argument = mlirBlockAddArgument(pa_body(op, 0), own, at.location);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(row, 0), argument);
  mlirOperationDestroy(row);
  return made;
}

// |op| with these outputs more.
static MlirOperation with_outputs(pa_offloading *o, MlirOperation op, const MlirValue *outputs, intptr_t count,
                                  const char *signature) {
  MlirAttribute segments = pa_get_attr(op, "operandSegmentSizes");
  intptr_t all = mlirOperationGetNumOperands(op);
  int32_t sizes[] = {mlirDenseI32ArrayGetElement(segments, 0),
                     mlirDenseI32ArrayGetElement(segments, 1) + (int32_t)count};
  MlirValue operands[MOST];
  for (intptr_t i = 0; i < all; ++i) operands[i] = mlirOperationGetOperand(op, i);
  for (intptr_t i = 0; i < count; ++i) operands[all++] = outputs[i];
  MlirRegion body = mlirRegionCreate();
  mlirRegionTakeBody(body, mlirOperationGetRegion(op, 0));
  pa_builder at = pa_offload_before(o, op);
  MlirOperation made =
      pa_op(&at, PA_OP_NAME(UFUNC), PA_OPERAND_ARRAY(operands, all), PA_REGIONS(body),
            PA_ATTRS({"signature", pa_string_attr(o->context, signature)},
                     {"operandSegmentSizes", mlirDenseI32ArrayGet(o->context, 2, sizes)},
                     {"expanded", pa_unit_attr(o->context)}, {"pyarray.rows", pa_get_attr(op, "pyarray.rows")}));
  mlirOperationDestroy(op);
  return made;
}

static MlirOperation take_out_rows(pa_offloading *o, MlirOperation op, intptr_t rank) {
  pa_op_list rows = {.arena = o->arena};
  MlirValue outputs[MOST];
  PA_FOR_EACH_OP(inner, pa_body(op, 0))
  if (is_new_row(o, inner)) pa_op_list_add(&rows, inner);
  if (!rows.count) return op;
  const char *text = pa_attr_text(o->arena, pa_get_attr(op, "signature"));
  for (size_t i = 0; i < rows.count; ++i) {
    text = pa_arena_format(o->arena, "%s,(", text);
    for (intptr_t d = 0; d < mlirOperationGetNumOperands(rows.items[i]); ++d)
      text = pa_arena_format(o->arena, "%s%st%d_%d", text, d ? "," : "", (int)i, (int)d);
    text = pa_arena_format(o->arena, "%s)", text);
    outputs[i] = new_rows(o, op, rows.items[i], rank);
  }
  return with_outputs(o, op, outputs, (intptr_t)rows.count, text);
}

//===-- Numbers of rows ---------------------------------------------------------------------------===//

static pa_status store_by_ufunc(pa_offloading *o, MlirOperation op) {
  int32_t segments[] = {1, 1};
  MlirValue target = mlirOperationGetOperand(op, 0), value = mlirOperationGetOperand(op, 2);
  pa_builder at = pa_offload_before(o, op);
  MlirType element = pyarrayArrayTypeGetElement(mlirValueGetType(target));
  pa_op(&at, PA_OP_NAME(UFUNC), PA_OPERANDS(value, target),
        PA_REGIONS(pa_cast_body(&at, mlirValueGetType(value), element)),
        PA_ATTRS({"signature", pa_string_attr(o->context, "()->()")}, {"expanded", pa_unit_attr(o->context)},
                 {"operandSegmentSizes", mlirDenseI32ArrayGet(o->context, 2, segments)}));
  mlirOperationDestroy(op);
  return at.failure;
}

pa_status pa_offload_rows(pa_offloading *o, MlirOperation op) {
  intptr_t rank = mlirIntegerAttrGetValueInt(pa_get_attr(op, "pyarray.rows"));
  op = take_out_rows(o, op, rank);
  pa_op_list stores = {.arena = o->arena};
  PA_FOR_EACH_OP(inner, pa_body(op, 0))
  if (pa_kind(&o->names, inner) == PA_OP_SETITEM) pa_op_list_add(&stores, inner);
  for (size_t i = 0; i < stores.count; ++i) PA_TRY(store_by_ufunc(o, stores.items[i]));
  intptr_t inputs = mlirDenseI32ArrayGetElement(pa_get_attr(op, "operandSegmentSizes"), 0);
  return pa_offload_operation(o, op, &(pa_kernel_form){inputs, 0, true});
}
