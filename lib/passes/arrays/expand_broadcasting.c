// pyarray-expand-broadcasting: gives every operand of a ufunc or reduction all loop dimensions, and makes the outputs.
//
// Enters and leaves: level 2.
//
//   %r = pyarray.ufunc "(),()->()" ins(%a, %b : !pyarray.array<?x?xf64, C>, !pyarray.array<?xf64, C>) { ... }
// becomes
//   %n:2 = pyarray.ufunc_shape "(),()->()" ins(%a, %b : ...) : si64, si64
//   %x = pyarray.broadcast_to %a to (%n#0, %n#1) : ... -> !pyarray.array<?x?xf64, A>
//   %y = pyarray.broadcast_to %b to (%n#0, %n#1) : ... -> !pyarray.array<?x?xf64, A>
//   %r = pyarray.builtin "numpy.empty"(%n#0, %n#1) : (si64, si64) -> !pyarray.array<?x?xf64, C>
//   pyarray.ufunc "(),()->()" ins(%x, %y : ...) outs(%r : ...) expanded { ... }
//
// Outputs that were given and share memory with inputs are computed apart and then stored, some rows at a time where
// they are likely to (expand_parts.c). With `shapes` only these inputs have a say in the shape, and inputs that the
// body does not read are left out. Reductions: expand_reduce.c.
#include <string.h>

#include "expand.h"
#include "pass.h"
#include "support/core_signature.h"

typedef struct expansion {
  pa_arena *arena;
  pa_names names;
  MlirOperation op;
  pa_core_signature core;
  MlirAttribute signature;
  int rank;          // of the loop
  int operand_count; // inputs, and outputs where given
  bool given;        // outputs that may be any memory
  bool reuses;       // one that is an input's
  bool independent;  // given ones that share no memory with inputs but point by point
  bool in_kernel;
  bool parts; // given ones are computed and stored some rows at a time
  pa_op_list gone;
  MlirValue *sizes;  // loop extents, core sizes
  MlirValue *inputs; // broadcast
  int input_count;   // of these
} expansion;

static int output_of(const expansion *x, int number) { return x->core.input_count + number; }

//===-- Reading -----------------------------------------------------------------------------------===//

static pa_status read_ufunc(expansion *x) {
  x->signature = pa_get_attr(x->op, "signature");
  MlirStringRef text = mlirStringAttrGetValue(x->signature);
  if (pa_core_signature_parse(text.data, text.length, &x->core))
    return pa_fail_at(PA_CODE_INVALID, mlirOperationGetLocation(x->op), "malformed signature");
  x->operand_count = (int)mlirOperationGetNumOperands(x->op);
  x->reuses = !mlirAttributeIsNull(pa_get_attr(x->op, "reuses"));
  if (x->reuses) x->operand_count = x->core.input_count;
  x->given = x->operand_count > x->core.input_count;
  x->independent = !mlirAttributeIsNull(pa_get_attr(x->op, "independent"));
  x->rank = 0;
  for (int i = 0; i < x->operand_count; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(x->op, i));
    int loop = pyarrayTypeIsArray(type) ? (int)pyarrayArrayTypeGetRank(type) - x->core.operands[i].rank : 0;
    if (loop > x->rank) x->rank = loop;
  }
  for (int i = 0; i < x->core.input_count + x->core.output_count; ++i)
    if (x->rank + x->core.operands[i].rank > PA_MAX_VIEW_RANK)
      return pa_fail_at(PA_CODE_UNSUPPORTED, mlirOperationGetLocation(x->op), "a ufunc over more than %d dimensions",
                        PA_MAX_VIEW_RANK);
  return PA_OK;
}

//===-- Emission ----------------------------------------------------------------------------------===//

static MlirAttribute segments(const expansion *x, int inputs, bool outputs) {
  int32_t sizes[] = {inputs, outputs ? x->core.output_count : 0};
  return mlirDenseI32ArrayGet(x->names.context, 2, sizes);
}

// Of elementwise operands.
static MlirAttribute signature_of(const expansion *x, int inputs) {
  if (inputs == x->core.input_count) return x->signature;
  const char *text = "";
  for (int i = 0; i < inputs; ++i) text = pa_arena_format(x->arena, "%s%s()", text, i ? "," : "");
  for (int i = 0; i < x->core.output_count; ++i) text = pa_arena_format(x->arena, "%s%s()", text, i ? "," : "->");
  return pa_string_attr(x->names.context, text);
}

// The input that has the loop shape for certain, or -1.
static int whole_input(const expansion *x) {
  int only = x->given || x->core.dimension_count ? -1 : pa_only_shape(x->op);
  MlirType type = only < 0 ? (MlirType){NULL} : mlirValueGetType(mlirOperationGetOperand(x->op, only));
  return only >= 0 && pyarrayTypeIsArray(type) && pyarrayArrayTypeGetRank(type) == x->rank ? only : -1;
}

// All inputs that are arrays have been given the same extents: nothing is left to be checked. These then.
static bool have_given_extents(const expansion *x, MlirValue *out_extents) {
  MlirValue *extents = PA_NEW_ARRAY(x->arena, MlirValue, x->rank + 1);
  int arrays = 0;
  for (int i = 0; i < x->operand_count; ++i) {
    MlirValue input = mlirOperationGetOperand(x->op, i);
    if (!pyarrayTypeIsArray(mlirValueGetType(input))) continue;
    if (!pa_given_extents(&x->names, input, x->rank, arrays++ ? extents : out_extents)) return false;
    for (int d = 0; arrays > 1 && d < x->rank; ++d)
      if (!mlirValueEqual(extents[d], out_extents[d])) return false;
  }
  return arrays > 0 && !x->given && !x->core.dimension_count && mlirAttributeIsNull(pa_get_attr(x->op, "shapes"));
}

static void emit_shape(expansion *x, pa_builder *at) {
  int count = x->rank + x->core.dimension_count, inputs = x->core.input_count, used = 0;
  MlirAttribute shapes = pa_get_attr(x->op, "shapes");
  MlirType *types = PA_NEW_ARRAY(x->arena, MlirType, count + 1);
  MlirValue *operands = PA_NEW_ARRAY(x->arena, MlirValue, x->operand_count + 1);
  for (int i = 0; i < count; ++i) types[i] = mlirIntegerTypeSignedGet(at->context, 64);
  x->sizes = PA_NEW_ARRAY(x->arena, MlirValue, count + 1);
  if (whole_input(x) >= 0 &&
      pa_given_extents(&x->names, mlirOperationGetOperand(x->op, whole_input(x)), x->rank, x->sizes))
    return;
  if (have_given_extents(x, x->sizes)) return;
  if (!mlirAttributeIsNull(shapes)) inputs = (int)mlirDenseArrayGetNumElements(shapes);
  for (int i = 0; i < inputs; ++i)
    operands[used++] = mlirOperationGetOperand(
        x->op, mlirAttributeIsNull(shapes) ? i : (intptr_t)mlirDenseI64ArrayGetElement(shapes, i));
  for (int i = x->core.input_count; i < x->operand_count; ++i) operands[used++] = mlirOperationGetOperand(x->op, i);
  MlirOperation shape =
      pa_op(at, PA_OP_NAME(UFUNC_SHAPE), PA_OPERAND_ARRAY(operands, used), PA_RESULT_ARRAY(types, count),
            PA_ATTRS({"signature", signature_of(x, inputs)}, {"operandSegmentSizes", segments(x, inputs, x->given)},
                     {"assigns", pa_get_attr(x->op, "assigns")}, {"pyarray.name", pa_get_attr(x->op, "pyarray.name")}));
  for (int i = 0; i < count && !mlirOperationIsNull(shape); ++i) x->sizes[i] = mlirOperationGetResult(shape, i);
}

// An output that was given has the loop shape once that is checked.
static bool is_output(const expansion *x, MlirValue value) {
  bool is = false;
  for (int i = x->core.input_count; i < x->operand_count && !x->core.dimension_count && !is; ++i)
    is = mlirValueEqual(mlirOperationGetOperand(x->op, i), value);
  return is && pyarrayArrayTypeGetRank(mlirValueGetType(value)) == x->rank;
}

static MlirValue broadcast(expansion *x, pa_builder *at, int number) {
  MlirValue value = mlirOperationGetOperand(x->op, number);
  MlirType type = mlirValueGetType(value);
  int whole = whole_input(x);
  if (!pyarrayTypeIsArray(type) || (whole >= 0 && mlirValueEqual(mlirOperationGetOperand(x->op, whole), value)) ||
      is_output(x, value))
    return value;
  MlirType view = pa_array_type(at->context, x->rank + x->core.operands[number].rank, pyarrayArrayTypeGetElement(type),
                                PYARRAY_LAYOUT_A, pyarrayArrayTypeIsReadonly(type));
  MlirValue *operands = PA_NEW_ARRAY(x->arena, MlirValue, x->rank + 1);
  operands[0] = value;
  for (int d = 0; d < x->rank; ++d) operands[1 + d] = x->sizes[d];
  return pa_value(at, PA_OP_NAME(BROADCAST_TO), PA_OPERAND_ARRAY(operands, x->rank + 1), PA_RESULTS(view));
}

static MlirValue new_output(expansion *x, pa_builder *at, int number, MlirType type) {
  const pa_core_operand *core = &x->core.operands[output_of(x, number)];
  MlirValue *extents = PA_NEW_ARRAY(x->arena, MlirValue, x->rank + core->rank + 1);
  for (int d = 0; d < x->rank; ++d) extents[d] = x->sizes[d];
  for (int k = 0; k < core->rank; ++k) extents[x->rank + k] = x->sizes[x->rank + core->dimensions[k]];
  return pa_value(at, PA_OP_NAME(BUILTIN), PA_OPERAND_ARRAY(extents, x->rank + core->rank), PA_RESULTS(type),
                  PA_ATTRS({"name", pa_string_attr(at->context, "numpy.empty")}));
}

// The ufunc on |outputs|, with the body of |source|. |fresh|: they are new memory, made after all inputs.
static void emit_expanded(expansion *x, pa_builder *at, MlirOperation source, const MlirValue *outputs, bool fresh) {
  int inputs = x->input_count, count = inputs + x->core.output_count;
  MlirValue *operands = PA_NEW_ARRAY(x->arena, MlirValue, count);
  memcpy(operands, x->inputs, (size_t)inputs * sizeof *operands);
  memcpy(operands + inputs, outputs, (size_t)x->core.output_count * sizeof *operands);
  MlirRegion body = mlirRegionCreate();
  mlirRegionTakeBody(body, mlirOperationGetRegion(source, 0));
  pa_op(at, PA_OP_NAME(UFUNC), PA_OPERAND_ARRAY(operands, count), PA_REGIONS(body),
        PA_ATTRS({"signature", signature_of(x, inputs)}, {"operandSegmentSizes", segments(x, inputs, true)},
                 {"expanded", pa_unit_attr(at->context)}, {"seldom", pa_get_attr(x->op, "seldom")},
                 {"pyarray.fresh", fresh ? pa_unit_attr(at->context) : mlirAttributeGetNull()}));
}

// Each point is read before it is written.
static void emit_in_place(expansion *x, pa_builder *at) {
  MlirValue *outputs = PA_NEW_ARRAY(x->arena, MlirValue, x->core.output_count);
  for (int i = 0; i < x->core.output_count; ++i) outputs[i] = mlirOperationGetOperand(x->op, x->core.input_count + i);
  emit_expanded(x, at, x->op, outputs, false);
}

static void emit_with_new_outputs(expansion *x, pa_builder *at) {
  MlirValue *outputs = PA_NEW_ARRAY(x->arena, MlirValue, x->core.output_count);
  for (int i = 0; i < x->core.output_count; ++i) {
    MlirValue result = mlirOperationGetResult(x->op, i);
    outputs[i] = new_output(x, at, i, mlirValueGetType(result));
    if (pa_failed(at)) return;
    mlirValueReplaceAllUsesOfWith(result, outputs[i]);
  }
  emit_expanded(x, at, x->op, outputs, true);
}

// A body that sees more than one element may read an input after it has written to an output.
static bool has_core_dimensions(const expansion *x) { return x->core.dimension_count > 0; }

static MlirType written_type(const expansion *x, MlirValue output) {
  MlirType type = mlirValueGetType(output);
  bool contiguous = pyarrayArrayTypeGetLayout(type) == PYARRAY_LAYOUT_C; // as new memory is
  return pa_array_type(x->names.context, pyarrayArrayTypeGetRank(type), pyarrayArrayTypeGetElement(type),
                       contiguous ? PYARRAY_LAYOUT_C : PYARRAY_LAYOUT_A, false);
}

static void yield_as(pa_builder *at, pa_builder *inside, MlirValue array, MlirType type) {
  if (!pa_failed(inside) && !mlirTypeEqual(mlirValueGetType(array), type))
    array = pa_value(inside, PA_OP_NAME(CAST), PA_OPERANDS(array), PA_RESULTS(type));
  pa_op(inside, PA_OP_NAME(SCF_YIELD), PA_OPERANDS(array));
  if (inside->failure) at->failure = inside->failure;
}

// Output |number|, or new memory, of as many rows as are written at a time, where it is not independent of the inputs.
static MlirValue destination(expansion *x, pa_builder *at, const pa_parts *p, int number) {
  MlirValue output = p->outputs[number];
  MlirType type = written_type(x, output),
           fresh = pa_array_type(at->context, pyarrayArrayTypeGetRank(type), pyarrayArrayTypeGetElement(type),
                                 PYARRAY_LAYOUT_C, false);
  MlirRegion then, otherwise;
  pa_builder inside = pa_open_branch(at, &then);
  yield_as(at, &inside, output, type);
  inside = pa_open_branch(at, &otherwise);
  if (x->parts) x->sizes[0] = pa_rows_in_parts(&inside, p);
  yield_as(at, &inside, new_output(x, &inside, number, fresh), type);
  if (x->parts) x->sizes[0] = p->count;
  return pa_value(at, PA_OP_NAME(SCF_IF), PA_OPERANDS(p->independent), PA_RESULTS(type), PA_REGIONS(then, otherwise));
}

static void store_apart(pa_builder *at, const pa_parts *p) {
  MlirRegion then, otherwise;
  pa_builder inside = pa_open_branch(at, &then);
  pa_close_branch(at, &inside);
  inside = pa_open_branch(at, &otherwise);
  for (int i = 0; i < p->output_count; ++i)
    pa_op(&inside, PA_OP_NAME(SETITEM), PA_OPERANDS(p->outputs[i], p->written[i]),
          PA_ATTRS({"pyarray.fresh", pa_unit_attr(at->context)}));
  pa_close_branch(at, &inside);
  pa_op(at, PA_OP_NAME(SCF_IF), PA_OPERANDS(p->independent), PA_REGIONS(then, otherwise));
}

static void ask_independence(const expansion *x, pa_builder *at, const MlirValue *operands, int arrays, pa_parts *out) {
  MlirAttribute unit = pa_unit_attr(at->context), none = mlirAttributeGetNull();
  int32_t sizes[] = {arrays, x->core.output_count};
  MlirType types[] = {mlirIntegerTypeGet(at->context, 1), mlirIntegerTypeSignedGet(at->context, 64)};
  MlirOperation op = pa_op(
      at, x->parts ? PA_OP_NAME(ROWS_APART) : PA_OP_NAME(INDEPENDENT),
      PA_OPERAND_ARRAY(operands, arrays + x->core.output_count), PA_RESULT_ARRAY(types, 1 + x->parts),
      PA_ATTRS({"operandSegmentSizes", mlirDenseI32ArrayGet(at->context, 2, sizes)},
               {"apart", has_core_dimensions(x) ? unit : none}, {"pyarray.required", x->in_kernel ? unit : none}));
  if (mlirOperationIsNull(op)) return;
  out->independent = mlirOperationGetResult(op, 0);
  if (x->parts) out->rows = mlirOperationGetResult(op, 1);
}

static void emit_in_parts(expansion *x, pa_builder *at, pa_parts *p) {
  MlirValue *rows = PA_NEW_ARRAY(x->arena, MlirValue, x->core.output_count);
  pa_builder inside = pa_open_parts(at, p, x->inputs, x->input_count, rows);
  if (!pa_failed(&inside)) emit_expanded(x, &inside, x->op, rows, false);
  pa_close_parts(at, &inside, p);
}

// One loop, which writes to the outputs, or to new memory that is stored afterwards.
static void emit_with_given_outputs(expansion *x, pa_builder *at) {
  int inputs = x->core.input_count, count = x->core.output_count, arrays = 0;
  MlirValue *operands = PA_NEW_ARRAY(x->arena, MlirValue, inputs + count),
            *outputs = PA_NEW_ARRAY(x->arena, MlirValue, count), *written = PA_NEW_ARRAY(x->arena, MlirValue, count);
  for (int i = 0; i < x->input_count; ++i)
    if (pyarrayTypeIsArray(mlirValueGetType(x->inputs[i]))) operands[arrays++] = x->inputs[i];
  for (int i = 0; i < count; ++i) operands[arrays + i] = outputs[i] = mlirOperationGetOperand(x->op, inputs + i);
  pa_parts p = {.outputs = outputs, .written = written, .output_count = count};
  x->parts = !x->in_kernel && !has_core_dimensions(x) && pa_takes_parts(&x->names, x->op, inputs);
  if (x->parts) p.count = x->sizes[0];
  ask_independence(x, at, operands, arrays, &p);
  if (x->in_kernel) { // which has no memory to compute apart in
    emit_expanded(x, at, x->op, outputs, false);
    return;
  }
  for (int i = 0; i < count && !pa_failed(at); ++i) written[i] = destination(x, at, &p, i);
  if (pa_failed(at)) return;
  if (x->parts) {
    emit_in_parts(x, at, &p);
  } else {
    emit_expanded(x, at, x->op, written, false);
    store_apart(at, &p);
  }
}

//===-- The pass ----------------------------------------------------------------------------------===//

// Of the operation with `shapes`.
static bool is_left_out(const expansion *x, int number) {
  if (mlirAttributeIsNull(pa_get_attr(x->op, "shapes"))) return false;
  return mlirOpOperandIsNull(mlirValueGetFirstUse(mlirBlockGetArgument(pa_body(x->op, 0), number)));
}

static void broadcast_inputs(expansion *x, pa_builder *at) {
  int left_out = 0;
  x->inputs = PA_NEW_ARRAY(x->arena, MlirValue, x->core.input_count + 1);
  x->input_count = 0;
  for (int i = 0; i < x->core.input_count; ++i)
    if (!is_left_out(x, i)) x->inputs[x->input_count++] = broadcast(x, at, i);
  for (int i = 0; i < x->core.input_count; ++i) {
    if (!is_left_out(x, i - left_out)) continue;
    mlirBlockEraseArgument(pa_body(x->op, 0), (unsigned)(i - left_out));
    ++left_out;
  }
}

static pa_status expand(expansion *x) {
  PA_TRY(read_ufunc(x));
  pa_builder builder = {.context = x->names.context,
                        .location = mlirOperationGetLocation(x->op),
                        .block = mlirOperationGetBlock(x->op),
                        .before = x->op};
  emit_shape(x, &builder);
  broadcast_inputs(x, &builder);
  if (pa_failed(&builder)) return builder.failure;
  if (x->reuses || x->independent)
    emit_in_place(x, &builder);
  else if (x->given)
    emit_with_given_outputs(x, &builder);
  else
    emit_with_new_outputs(x, &builder);
  if (pa_failed(&builder)) return builder.failure;
  mlirOperationDestroy(x->op);
  return PA_OK;
}

static pa_status visit(void *data, MlirOperation op) {
  expansion *x = data;
  x->op = op;
  x->in_kernel = pa_is_in_kernel(&x->names, op);
  pa_op_kind kind = pa_kind(&x->names, op);
  if ((kind != PA_OP_UFUNC && kind != PA_OP_REDUCE) || !mlirAttributeIsNull(pa_get_attr(op, "expanded"))) return PA_OK;
  if (kind == PA_OP_REDUCE) return pa_expand_reduce(x->arena, &x->names, op, &x->gone);
  for (size_t i = 0; i < x->gone.count; ++i)
    if (mlirOperationEqual(x->gone.items[i], op)) return PA_OK;
  return expand(x);
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  expansion x = {.arena = context->arena, .gone = {.arena = context->arena}};
  pa_names_init(&x.names, context->context);
  PA_TRY(pa_walk(pa_module_body(module), visit, &x));
  for (size_t i = 0; i < x.gone.count; ++i) mlirOperationDestroy(x.gone.items[i]);
  return PA_OK;
}

const pa_pass pa_pass_expand_broadcasting = {
    .argument = "pyarray-expand-broadcasting",
    .summary = "Give every operand of a ufunc or reduction all loop dimensions, and make its outputs",
    .dependent_dialects = (const char *const[]){"pyarray", "scf", NULL},
    .run = run,
};
