// Of pyarray-fuse: a new array takes the memory of a value that is read for the last time.
//
//   %e = pyarray.ufunc ins(%x) { exp } -> !pyarray.array<?x?xf64, C>
//   %s = pyarray.reduce ["add"] axes [1] ins(%e) { yield } ...
//   %r = pyarray.ufunc ins(%e, %v) { divide } -> !pyarray.array<?x?xf64, C>      %v is %s with its axis
// becomes
//   pyarray.ufunc ins(%e, %v) outs(%e) { divide } {reuses}                       and %e is what %r was
//
// The value must be of one type and, for certain, of one shape with the result, all of its uses must be known and stand
// before, and no other input may be a view of it.
#include "fuse_internal.h"
#include "ir/builtins.h"
#include "support/core_signature.h"

enum { PA_MOST_READERS = 64 }; // of a value: what is looked at

static MlirValue operand(MlirOperation op, intptr_t i) { return mlirOperationGetOperand(op, i); }

static bool is_unread(MlirOperation ufunc, intptr_t at) {
  return mlirOpOperandIsNull(mlirValueGetFirstUse(mlirBlockGetArgument(pa_body(ufunc, 0), at)));
}

// New memory, of which |value| is all.
static bool is_whole_value(const pa_names *names, MlirValue value) {
  if (!mlirValueIsAOpResult(value)) return false;
  MlirOperation op = mlirOpResultGetOwner(value);
  pa_op_kind kind = pa_kind(names, op);
  const pa_builtin *row =
      kind == PA_OP_BUILTIN ? pa_builtin_find(mlirStringAttrGetValue(pa_get_attr(op, "name"))) : NULL;
  return kind == PA_OP_UFUNC || kind == PA_OP_REDUCE || kind == PA_OP_CONTRACT ||
         (row && (row->lowering == PA_LOWERING_NEW_ARRAY || row->lowering == PA_LOWERING_NEW_ARRAY_LIKE));
}

// Every use of |value| and of its views stands before |op|, or is |op|.
static bool ends_at(pa_fusing *f, MlirValue value, MlirOperation op, int *readers) {
  int64_t end = pa_place_of(&f->memory, op);
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    int64_t place = pa_place_of(&f->memory, user);
    if (++*readers > PA_MOST_READERS || !place || place > end) return false;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(user); ++i) {
      MlirValue result = mlirOperationGetResult(user, i);
      bool view = pyarrayTypeIsArray(mlirValueGetType(result)) && pa_shares_memory(&f->names, user);
      if (view && !ends_at(f, result, op, readers)) return false;
    }
  }
  return true;
}

static bool shares_with_another(pa_fusing *f, MlirOperation op, MlirValue value) {
  for (int i = 0; i < pa_input_count(op); ++i) {
    MlirValue input = operand(op, i);
    if (mlirValueEqual(input, value) || is_unread(op, i)) continue;
    if (pyarrayTypeIsArray(mlirValueGetType(input)) && pa_is_same_memory(&f->memory, input, value)) return true;
  }
  return false;
}

static bool may_take(pa_fusing *f, MlirOperation op, int i) {
  MlirValue value = operand(op, i), result = mlirOperationGetResult(op, 0);
  int readers = 0;
  return !is_unread(op, i) && mlirTypeEqual(mlirValueGetType(value), mlirValueGetType(result)) &&
         is_whole_value(&f->names, value) && pa_is_own_memory(&f->memory, value) &&
         mlirBlockEqual(mlirOperationGetBlock(mlirOpResultGetOwner(value)), mlirOperationGetBlock(op)) &&
         pa_shape_of(&f->shapes, value) == pa_shape_of(&f->shapes, result) && !shares_with_another(f, op, value) &&
         ends_at(f, value, op, &readers);
}

// The ufunc that writes to input |i|.
static pa_status take(pa_fusing *f, MlirOperation op, int i) {
  static const char *const kept[] = {"signature", "shapes", "pyarray.name", "pyarray.options"};
  pa_builder builder = {.context = f->names.context,
                        .location = mlirOperationGetLocation(op),
                        .block = mlirOperationGetBlock(op),
                        .before = op};
  MlirValue operands[2 * PA_MAX_OPERANDS], value = operand(op, i), result = mlirOperationGetResult(op, 0);
  int inputs = pa_input_count(op);
  for (int k = 0; k < inputs; ++k) operands[k] = operand(op, k);
  operands[inputs] = value;
  MlirRegion body = mlirRegionCreate();
  mlirRegionTakeBody(body, mlirOperationGetRegion(op, 0));
  int32_t segments[] = {inputs, 1};
  MlirOperation made = pa_op(&builder, PA_OP_NAME(UFUNC), PA_OPERAND_ARRAY(operands, inputs + 1), PA_REGIONS(body),
                             PA_ATTRS({"operandSegmentSizes", mlirDenseI32ArrayGet(f->names.context, 2, segments)},
                                      {"reuses", pa_unit_attr(f->names.context)}));
  if (mlirOperationIsNull(made)) return builder.failure;
  for (size_t k = 0; k < sizeof kept / sizeof *kept; ++k)
    if (!mlirAttributeIsNull(pa_get_attr(op, kept[k]))) pa_set_attr(made, kept[k], pa_get_attr(op, kept[k]));
  pa_set_place(&f->memory, made, pa_place_of(&f->memory, op));
  pa_note_reuse(f, op, mlirOpResultGetOwner(value));
  pa_memory_view(&f->memory, value, result);
  mlirValueReplaceAllUsesOfWith(result, value);
  return pa_remove(f, op), PA_OK;
}

pa_status pa_reuse(pa_fusing *f, MlirOperation op) {
  if (!pa_is_elementwise(&f->names, op) || mlirOperationGetNumResults(op) != 1 ||
      !pa_is_array_with_axes(mlirOperationGetResult(op, 0)) || !pa_has_no_effects(pa_body(op, 0)))
    return PA_OK;
  for (int i = 0; i < pa_input_count(op); ++i)
    if (pyarrayTypeIsArray(mlirValueGetType(operand(op, i))) && may_take(f, op, i)) return take(f, op, i);
  return PA_OK;
}
