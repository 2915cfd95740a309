// Of pyarray-expand-broadcasting: reductions get inputs of one loop shape, and outputs.
//
//   %r = pyarray.reduce ["add"] axes [1] ins(%a, %b : ...) { ... } -> !pyarray.array<?xf64, C>
// becomes
//   %n:2 = pyarray.ufunc_shape "(),()->()" ins(%a, %b : ...) : si64, si64
//   %x = pyarray.broadcast_to %a to (%n#0, %n#1) : ...
//   %y = pyarray.broadcast_to %b to (%n#0, %n#1) : ...
//   %r = pyarray.builtin "numpy.empty"(%n#0) : (si64) -> !pyarray.array<?xf64, C>
//   pyarray.reduce ["add"] axes [1] ins(%x, %y : ...) outs(%r : ...) expanded { ... }
//
// Outputs that were given are written afterwards: they may share memory with inputs. In kernels, which have no memory
// for results, they are written at once, and so is what the result is stored to. With `shapes` inputs that the body
// does not read are left out.
#include "expand.h"
#include "pyarray-c/Effects.h"

typedef struct reduction {
  const pa_names *names;
  pa_arena *arena;
  pa_builder at;
  MlirOperation op;
  int inputs, starts, outputs, words;
  int rank; // of the loop
  bool folded[PA_MAX_VIEW_RANK];
  bool *left_out; // of the inputs
  MlirValue sizes[PA_MAX_VIEW_RANK];
} reduction;

static MlirValue operand(const reduction *r, intptr_t i) { return mlirOperationGetOperand(r->op, i); }
static int rank_of(MlirType type) { return pyarrayTypeIsArray(type) ? (int)pyarrayArrayTypeGetRank(type) : 0; }

static reduction read_reduce(pa_arena *arena, const pa_names *names, MlirOperation op) {
  MlirAttribute segments = pa_get_attr(op, "operandSegmentSizes"), axes = pa_get_attr(op, "axes");
  reduction r = {.arena = arena,
                 .op = op,
                 .names = names,
                 .at = {.context = names->context,
                        .location = mlirOperationGetLocation(op),
                        .block = mlirOperationGetBlock(op),
                        .before = op},
                 .inputs = mlirDenseI32ArrayGetElement(segments, 0),
                 .starts = mlirDenseI32ArrayGetElement(segments, 1),
                 .outputs = mlirDenseI32ArrayGetElement(segments, 2),
                 .words = (int)mlirArrayAttrGetNumElements(pa_get_attr(op, "words"))};
  for (int i = 0; i < r.inputs; ++i) {
    int rank = rank_of(mlirValueGetType(operand(&r, i)));
    r.rank = rank > r.rank ? rank : r.rank;
  }
  for (intptr_t k = 0; k < mlirDenseArrayGetNumElements(axes); ++k)
    r.folded[mlirDenseI64ArrayGetElement(axes, k)] = true;
  return r;
}

//===-- Shapes ------------------------------------------------------------------------------------===//

static void emit_shape(reduction *r) {
  int only = pa_only_shape(r->op);
  if (only >= 0 && pa_given_extents(r->names, operand(r, only), r->rank, r->sizes)) return;
  MlirAttribute shapes = pa_get_attr(r->op, "shapes");
  int count = mlirAttributeIsNull(shapes) ? r->inputs : (int)mlirDenseArrayGetNumElements(shapes);
  MlirValue *operands = PA_NEW_ARRAY(r->arena, MlirValue, count + 1);
  MlirType types[PA_MAX_VIEW_RANK];
  const char *signature = "";
  for (int i = 0; i < count; ++i) {
    operands[i] = operand(r, mlirAttributeIsNull(shapes) ? i : (intptr_t)mlirDenseI64ArrayGetElement(shapes, i));
    signature = pa_arena_format(r->arena, "%s%s()", signature, i ? "," : "");
  }
  for (int d = 0; d < r->rank; ++d) types[d] = mlirIntegerTypeSignedGet(r->at.context, 64);
  int32_t segments[] = {count, 0};
  MlirOperation shape =
      pa_op(&r->at, PA_OP_NAME(UFUNC_SHAPE), PA_OPERAND_ARRAY(operands, count), PA_RESULT_ARRAY(types, r->rank),
            PA_ATTRS({"signature", pa_string_attr(r->at.context, pa_arena_format(r->arena, "%s->()", signature))},
                     {"operandSegmentSizes", mlirDenseI32ArrayGet(r->at.context, 2, segments)},
                     {"pyarray.name", pa_get_attr(r->op, "pyarray.name")}));
  for (int d = 0; d < r->rank && !mlirOperationIsNull(shape); ++d) r->sizes[d] = mlirOperationGetResult(shape, d);
}

static bool has_one_array(const reduction *r) {
  int arrays = 0;
  for (int i = 0; i < r->inputs; ++i) arrays += pyarrayTypeIsArray(mlirValueGetType(operand(r, i)));
  return arrays == 1;
}

static MlirValue broadcast(reduction *r, int number) {
  MlirValue value = operand(r, number);
  MlirType type = mlirValueGetType(value);
  int whole = pa_only_shape(r->op);
  if (!pyarrayTypeIsArray(type) || has_one_array(r) || (whole >= 0 && mlirValueEqual(operand(r, whole), value)))
    return value;
  MlirType view = pa_array_type(r->at.context, r->rank, pyarrayArrayTypeGetElement(type), PYARRAY_LAYOUT_A,
                                pyarrayArrayTypeIsReadonly(type));
  MlirValue operands[PA_MAX_VIEW_RANK + 1] = {value};
  for (int d = 0; d < r->rank; ++d) operands[1 + d] = r->sizes[d];
  return pa_value(&r->at, PA_OP_NAME(BROADCAST_TO), PA_OPERAND_ARRAY(operands, r->rank + 1), PA_RESULTS(view));
}

//===-- Inputs ------------------------------------------------------------------------------------===//

static bool is_read(const reduction *r, int i) {
  return !mlirOpOperandIsNull(mlirValueGetFirstUse(mlirBlockGetArgument(pa_body(r->op, 0), i)));
}

// Those of which only the shape counts; one array stays, for the extents.
static void leave_out(reduction *r) {
  bool has_array = false;
  r->left_out = PA_NEW_ARRAY(r->arena, bool, r->inputs + 1);
  if (mlirAttributeIsNull(pa_get_attr(r->op, "shapes"))) return;
  for (int i = 0; i < r->inputs; ++i) {
    r->left_out[i] = !is_read(r, i);
    has_array = has_array || (!r->left_out[i] && pyarrayTypeIsArray(mlirValueGetType(operand(r, i))));
  }
  for (int i = 0; i < r->inputs && !has_array; ++i)
    if (pyarrayTypeIsArray(mlirValueGetType(operand(r, i)))) has_array = true, r->left_out[i] = false;
}

static MlirRegion take_body(reduction *r) {
  MlirBlock block = pa_body(r->op, 0);
  for (int i = r->inputs - 1; i >= 0; --i)
    if (r->left_out[i]) mlirBlockEraseArgument(block, (unsigned)i);
  MlirRegion body = mlirRegionCreate();
  mlirRegionTakeBody(body, mlirOperationGetRegion(r->op, 0));
  return body;
}

//===-- Results -----------------------------------------------------------------------------------===//

static MlirValue new_result(reduction *r, MlirType type) {
  MlirValue extents[PA_MAX_VIEW_RANK];
  int count = 0;
  for (int d = 0; d < r->rank; ++d)
    if (!r->folded[d]) extents[count++] = r->sizes[d];
  return pa_value(&r->at, PA_OP_NAME(BUILTIN), PA_OPERAND_ARRAY(extents, count), PA_RESULTS(type),
                  PA_ATTRS({"name", pa_string_attr(r->at.context, "numpy.empty")}));
}

// Checks the extents of an output that was given, and stores.
static void store(reduction *r, MlirValue result, MlirValue output) {
  int rank = rank_of(mlirValueGetType(output));
  MlirType types[PA_MAX_VIEW_RANK];
  for (int d = 0; d < rank; ++d) types[d] = mlirIntegerTypeSignedGet(r->at.context, 64);
  int32_t segments[] = {1, 1};
  pa_op(&r->at, PA_OP_NAME(UFUNC_SHAPE), PA_OPERANDS(result, output), PA_RESULT_ARRAY(types, rank),
        PA_ATTRS({"signature", pa_string_attr(r->at.context, "()->()")},
                 {"operandSegmentSizes", mlirDenseI32ArrayGet(r->at.context, 2, segments)},
                 {"pyarray.name", pa_get_attr(r->op, "pyarray.name")}));
  pa_op(&r->at, PA_OP_NAME(SETITEM), PA_OPERANDS(output, result));
}

//===-- In kernels --------------------------------------------------------------------------------===//

// What the operations from behind |op| up to |end|, of one block, do not change, nor ask for.
static bool has_no_effects_until(MlirOperation op, MlirOperation end) {
  for (op = mlirOperationGetNextInBlock(op); !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (mlirOperationEqual(op, end)) return true;
    pyarray_effects effects = pyarrayOperationGetEffects(op);
    if (effects.reads | effects.writes | effects.allocates | effects.frees) return false;
  }
  return false;
}

// A ufunc that copies its one input to an output: np.sum(a, axis=0, out=o).
static bool is_copy(const reduction *r, MlirOperation op) {
  if (pa_kind(r->names, op) != PA_OP_UFUNC || mlirOperationGetNumOperands(op) != 2 || mlirOperationGetNumResults(op) ||
      !mlirAttributeIsNull(pa_get_attr(op, "expanded")))
    return false;
  MlirOperation yield = mlirBlockGetFirstOperation(pa_body(op, 0));
  return pa_kind(r->names, yield) == PA_OP_YIELD && mlirOperationGetNumOperands(yield) == 1 &&
         mlirValueEqual(mlirOperationGetOperand(yield, 0), mlirBlockGetArgument(pa_body(op, 0), 0));
}

// The store of the result, where nothing else is done with it: a kernel has no memory for it.
static MlirOperation only_store(const reduction *r) {
  MlirValue result = mlirOperationGetResult(r->op, 0);
  MlirOpOperand use = mlirValueGetFirstUse(result);
  const MlirOperation none = {NULL};
  if (r->words != 1 || mlirOpOperandIsNull(use) || !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use))) return none;
  MlirOperation store = mlirOpOperandGetOwner(use);
  intptr_t last = mlirOperationGetNumOperands(store) - 1;
  bool copies = mlirOpOperandGetOperandNumber(use) == 0 && is_copy(r, store);
  bool stores = copies || (pa_kind(r->names, store) == PA_OP_SETITEM && mlirOpOperandGetOperandNumber(use) == last);
  return stores && has_no_effects_until(r->op, store) ? store : none;
}

// The elements that |store| changes, as an array of the shape of the result; null where it is none.
static MlirValue stored_part(reduction *r, MlirOperation store) {
  bool sets = pa_kind(r->names, store) == PA_OP_SETITEM;
  MlirValue array = mlirOperationGetOperand(store, sets ? 0 : 1), none = {NULL};
  MlirType type = mlirValueGetType(array), result = mlirValueGetType(mlirOperationGetResult(r->op, 0));
  intptr_t indices = sets ? mlirOperationGetNumOperands(store) - 2 : 0;
  if (!pyarrayTypeIsArray(type) || !mlirTypeEqual(pyarrayArrayTypeGetElement(type), pyarrayArrayTypeGetElement(result)))
    return none;
  MlirValue *operands = PA_NEW_ARRAY(r->arena, MlirValue, indices + 1);
  int rank = rank_of(type);
  operands[0] = array;
  for (intptr_t i = 1; i <= indices; ++i) {
    operands[i] = mlirOperationGetOperand(store, i);
    MlirType index = mlirValueGetType(operands[i]);
    if (!pyarrayTypeIsSlice(index) && !pa_is_integer(pa_scalar_of(index))) return none;
    rank -= !pyarrayTypeIsSlice(index);
  }
  if (rank != rank_of(result)) return none;
  r->at.block = mlirOperationGetBlock(store);
  r->at.before = store;
  if (!indices) return array;
  MlirType view = pa_array_type(r->at.context, rank, pyarrayArrayTypeGetElement(type), PYARRAY_LAYOUT_A, false);
  return pa_value(&r->at, PA_OP_NAME(GETITEM), PA_OPERAND_ARRAY(operands, indices + 1), PA_RESULTS(view));
}

// Where the results go without memory of their own: they may not overlap with what is read.
static void require_apart(reduction *r, const MlirValue *outputs) {
  MlirValue *operands = PA_NEW_ARRAY(r->arena, MlirValue, r->inputs + r->words);
  int32_t segments[] = {0, r->words};
  for (int i = 0; i < r->inputs; ++i)
    if (!r->left_out[i] && pyarrayTypeIsArray(mlirValueGetType(operand(r, i)))) operands[segments[0]++] = operand(r, i);
  for (int k = 0; k < r->words; ++k) operands[segments[0] + k] = outputs[k];
  pa_value(&r->at, PA_OP_NAME(INDEPENDENT), PA_OPERAND_ARRAY(operands, segments[0] + r->words),
           PA_RESULTS(mlirIntegerTypeGet(r->at.context, 1)),
           PA_ATTRS({"operandSegmentSizes", mlirDenseI32ArrayGet(r->at.context, 2, segments)},
                    {"apart", pa_unit_attr(r->at.context)}, {"pyarray.required", pa_unit_attr(r->at.context)}));
}

// The memory that is given for the results of a reduction in a kernel; false where there is none.
static bool find_given(reduction *r, int kept, MlirValue *out_outputs, MlirOperation *out_store) {
  if (!kept || !pa_is_in_kernel(r->names, r->op)) return false;
  for (int k = 0; r->outputs && k < r->words; ++k) {
    out_outputs[k] = operand(r, r->inputs + r->starts + k);
    if (rank_of(mlirValueGetType(out_outputs[k])) != kept) return false;
  }
  if (r->outputs) return true;
  *out_store = only_store(r);
  out_outputs[0] = mlirOperationIsNull(*out_store) ? (MlirValue){NULL} : stored_part(r, *out_store);
  return !mlirValueIsNull(out_outputs[0]);
}

//===-- The operation -----------------------------------------------------------------------------===//

static MlirType result_type(const reduction *r, int word) {
  if (!r->outputs) return mlirValueGetType(mlirOperationGetResult(r->op, word));
  MlirType type = mlirValueGetType(operand(r, r->inputs + r->starts + word)),
           element = pyarrayArrayTypeGetElement(type);
  int rank = rank_of(type);
  return rank ? pa_array_type(r->at.context, rank, element, PYARRAY_LAYOUT_C, false) : element;
}

pa_status pa_expand_reduce(pa_arena *arena, const pa_names *names, MlirOperation op, pa_op_list *gone) {
  reduction r = read_reduce(arena, names, op);
  intptr_t kept = r.rank - mlirDenseArrayGetNumElements(pa_get_attr(op, "axes"));
  int count = 0, inputs, given = r.inputs + r.starts;
  MlirValue *operands = PA_NEW_ARRAY(arena, MlirValue, given + r.words + 1),
            *results = PA_NEW_ARRAY(arena, MlirValue, r.words + 1);
  MlirType *types = PA_NEW_ARRAY(arena, MlirType, r.words + 1);
  MlirOperation stored = {NULL};
  bool direct = find_given(&r, (int)kept, results, &stored);
  if (!has_one_array(&r) || (kept && !direct)) emit_shape(&r);
  leave_out(&r);
  if (direct) require_apart(&r, results);
  for (int i = 0; i < r.inputs; ++i)
    if (!r.left_out[i]) operands[count++] = broadcast(&r, i);
  inputs = count;
  for (int i = 0; i < r.starts; ++i) operands[count++] = operand(&r, r.inputs + i);
  for (int k = 0; k < r.words; ++k) {
    types[k] = result_type(&r, k);
    if (kept && !direct) results[k] = new_result(&r, types[k]);
    if (kept) operands[count + k] = results[k];
  }
  if (pa_failed(&r.at)) return r.at.failure;
  MlirRegion body = take_body(&r);
  int32_t segments[] = {inputs, r.starts, kept ? r.words : 0};
  MlirOperation made = pa_op(&r.at, PA_OP_NAME(REDUCE), PA_OPERAND_ARRAY(operands, count + (kept ? r.words : 0)),
                             PA_RESULT_ARRAY(types, kept ? 0 : r.words), PA_REGIONS(body),
                             PA_ATTRS({"words", pa_get_attr(op, "words")}, {"axes", pa_get_attr(op, "axes")},
                                      {"order", pa_get_attr(op, "order")}, {"buffered", pa_get_attr(op, "buffered")},
                                      {"expanded", pa_unit_attr(r.at.context)},
                                      {"operandSegmentSizes", mlirDenseI32ArrayGet(r.at.context, 3, segments)},
                                      {"pyarray.name", pa_get_attr(op, "pyarray.name")},
                                      {"pyarray.nonempty", pa_get_attr(op, "pyarray.nonempty")},
                                      {"pyarray.options", pa_get_attr(op, "pyarray.options")}));
  if (!mlirOperationIsNull(stored)) {
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), results[0]);
    pa_op_list_add(gone, stored);
  }
  for (int k = 0; k < r.words && !mlirOperationIsNull(made) && !direct; ++k) {
    if (!kept) results[k] = mlirOperationGetResult(made, k);
    if (r.outputs)
      store(&r, results[k], operand(&r, given + k));
    else
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, k), results[k]);
  }
  if (pa_failed(&r.at)) return r.at.failure;
  return mlirOperationDestroy(op), PA_OK;
}
