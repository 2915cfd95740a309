// pyarray-specialize-strides: how elementwise ufuncs read operands that are not contiguous.
//
// Enters and leaves: level 3. Where a point is expensive, operands are copied to contiguous blocks first (`packed`), so
// that one vectorised loop serves every stride. A cheap one gets two copies: for inputs that are contiguous or constant
// and contiguous outputs, and for any strides. A body with loops, calls or other effects is left alone: it is not
// vectorised, and what raises does so at its point, with those before it written.
//
// Where an operand has gaps whatever the program does, as columns have, the second copy is all.
//
// What is known of operands without a test (inner_step.c), or by the test in the copy behind it, pyarray.steps says: 0
// is one element for each row, 1 contiguous elements, -1 any. Where it is known of all, the second copy is one that
// seldom runs.
//
//   pyarray.ufunc "(),()->()" ins(%a, %b : ...) outs(%o : ...) expanded { ... }
// becomes
//   %0 = pyarray.inner_strides ins(%a, %b : ...) outs(%o : ...) : i1
//   scf.if %0 { pyarray.ufunc "(),()->()" ins(%a, %b : ...) outs(%o : ...) unit_strides expanded { ... } }
//   else { pyarray.ufunc "(),()->()" ins(%a, %b : ...) outs(%o : ...) expanded { ... } }
#include "expand.h"
#include "pass.h"
#include "pyarray-c/Effects.h"
#include "support/core_signature.h"
#include "ufunc_cost.h"

typedef struct specializing {
  pa_arena *arena;
  pa_names names;
  MlirOperation op;
  int input_count, count;
  bool arrays[PA_MAX_OPERANDS];       // which operands are arrays, not numbers
  MlirValue sources[PA_MAX_OPERANDS]; // of which inputs are views; null where that is not contiguous by its type
  int64_t steps[PA_MAX_OPERANDS];     // of operands along the last dimension: pyarray.steps
  bool constant;                      // some step is 0
  bool certain;                       // the others are 1, whatever the program does
  bool dense;                         // all arrays are contiguous where nothing was stretched
} specializing;

//===-- Which ufuncs ------------------------------------------------------------------------------===//

static bool has_loops(const pa_names *names, MlirBlock block) {
  PA_FOR_EACH_OP(op, block) {
    pa_op_kind kind = pa_kind(names, op);
    if (kind == PA_OP_FOR || kind == PA_OP_SCF_WHILE) return true;
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(pa_body(op, r)) && has_loops(names, pa_body(op, r))) return true;
  }
  return false;
}

static bool has_effects(MlirBlock body) {
  MlirOperation end = mlirBlockGetTerminator(body);
  PA_FOR_EACH_OP(op, body)
  if (!mlirOperationEqual(op, end) && !pyarrayOperationOnlyComputes(op)) return true;
  return false;
}

// Elementwise, not specialised yet, with one loop dimension at least.
static bool read_ufunc(specializing *s) {
  pa_core_signature core;
  MlirStringRef text = mlirStringAttrGetValue(pa_get_attr(s->op, "signature"));
  if (pa_core_signature_parse(text.data, text.length, &core)) return false;
  s->input_count = core.input_count;
  s->count = core.input_count + core.output_count;
  if (mlirOperationGetNumResults(s->op)) return false;
  for (int i = 0; i < s->count; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(s->op, i));
    s->arrays[i] = pyarrayTypeIsArray(type);
    if (core.operands[i].rank || (s->arrays[i] && pyarrayArrayTypeGetRank(type) == 0)) return false;
    if (i < s->input_count && pyarrayTypeIsArray(mlirValueGetType(mlirBlockGetArgument(pa_body(s->op, 0), i))))
      return false;
  }
  return true;
}

static bool is_candidate(specializing *s) {
  static const char *const done[] = {"packed", "unit_strides", "strided", "seldom", "carried", "grid"};
  if (pa_kind(&s->names, s->op) != PA_OP_UFUNC) return false;
  for (intptr_t i = 0; i < PA_COUNT(done); ++i)
    if (!mlirAttributeIsNull(pa_get_attr(s->op, done[i]))) return false;
  MlirBlock body = pa_body(s->op, 0);
  return mlirOperationGetNumOperands(mlirBlockGetTerminator(body)) && read_ufunc(s) && !has_effects(body) &&
         !has_loops(&s->names, body);
}

//===-- Copies ------------------------------------------------------------------------------------===//

static bool is_row(MlirValue array) {
  MlirType type = mlirValueGetType(array);
  return pyarrayArrayTypeGetRank(type) == 1 && pyarrayArrayTypeGetLayout(type) == PYARRAY_LAYOUT_C;
}

// What is broadcast along one dimension has stride 1 where it has all points, and is that array.
static MlirValue source_of(const specializing *s, MlirValue view) {
  const MlirValue none = {NULL};
  if (is_row(view)) return view;
  if (!mlirValueIsAOpResult(view)) return none;
  MlirOperation op = mlirOpResultGetOwner(view);
  bool broadcasts = pa_kind(&s->names, op) == PA_OP_BROADCAST_TO && mlirOperationGetNumOperands(op) == 2;
  return broadcasts && is_row(mlirOperationGetOperand(op, 0)) ? mlirOperationGetOperand(op, 0) : none;
}

static void read_sources(specializing *s) {
  for (int i = 0; i < s->count; ++i)
    if (s->arrays[i]) s->sources[i] = source_of(s, mlirOperationGetOperand(s->op, i));
}

static int loop_rank(const specializing *s) {
  return (int)pyarrayArrayTypeGetRank(mlirValueGetType(mlirOperationGetOperand(s->op, s->input_count)));
}

// Where order_dimensions has moved nothing. One dimension of one element is no row.
static void read_steps(specializing *s) {
  s->dense = s->certain = true;
  s->constant = false;
  for (int i = 0; i < s->count; ++i) {
    s->steps[i] = PA_ANY_STEP;
    if (!s->arrays[i]) continue;
    pa_step_kind kind = pa_inner_step(&s->names, mlirOperationGetOperand(s->op, i)).kind;
    bool constant = kind == PA_STEP_NONE && i < s->input_count && loop_rank(s) > 1;
    if (constant) s->steps[i] = 0;
    if (kind == PA_STEP_ONE || kind == PA_STEP_ONE_OR_NONE) s->steps[i] = 1;
    s->constant = s->constant || constant;
    s->certain = s->certain && (constant || kind == PA_STEP_ONE);
    s->dense = s->dense && s->steps[i] != PA_ANY_STEP;
  }
}

// What is known of a copy, in which the strides of all are |known|, or of one for any. Types say it of arrays in C
// order.
static void set_steps(const specializing *s, MlirOperation copy, bool known) {
  int64_t steps[PA_MAX_OPERANDS];
  bool says = s->constant;
  for (int i = 0; i < s->count; ++i) {
    steps[i] = s->steps[i] && !known ? PA_ANY_STEP : s->steps[i];
    MlirType type = mlirValueGetType(mlirOperationGetOperand(copy, i));
    says = says || (steps[i] == 1 && pyarrayArrayTypeGetLayout(type) != PYARRAY_LAYOUT_C);
  }
  if (says) pa_set_attr(copy, "pyarray.steps", mlirDenseI64ArrayGet(s->names.context, s->count, steps));
}

// Where all arrays are rows, the second copy is for those of one element beside longer ones.
static void move_copy(specializing *s, pa_builder *at, bool first) {
  const char *attribute = first ? "unit_strides" : s->dense ? "seldom" : NULL;
  MlirOperation copy = mlirOperationClone(s->op);
  for (int i = 0; first && s->dense && i < s->count; ++i)
    if (s->arrays[i] && !mlirValueIsNull(s->sources[i])) mlirOperationSetOperand(copy, i, s->sources[i]);
  if (attribute) pa_set_attr(copy, attribute, pa_unit_attr(at->context));
  set_steps(s, copy, first && s->dense);
  mlirBlockAppendOwnedOperation(at->block, copy);
}

static MlirValue test_strides(specializing *s, pa_builder *at) {
  MlirValue arrays[PA_MAX_OPERANDS];
  int count = 0, inputs = 0;
  for (int i = 0; i < s->count; ++i) {
    if (!s->arrays[i] || s->steps[i] == 0) continue;
    arrays[count++] = mlirOperationGetOperand(s->op, i);
    inputs += i < s->input_count && !s->dense; // of which a stride of 0 will do
  }
  int32_t segments[] = {inputs, count - inputs};
  return pa_value(at, PA_OP_NAME(INNER_STRIDES), PA_OPERAND_ARRAY(arrays, count),
                  PA_RESULTS(mlirIntegerTypeGet(at->context, 1)),
                  PA_ATTRS({"operandSegmentSizes", mlirDenseI32ArrayGet(at->context, 2, segments)}));
}

static MlirRegion branch(specializing *s, pa_builder *outer, bool first) {
  MlirRegion region;
  pa_builder inside = pa_open_branch(outer, &region);
  move_copy(s, &inside, first);
  pa_close_branch(outer, &inside);
  return region;
}

// An array in C order by its type, broadcast perhaps, in the order of dimensions that was chosen when the program runs.
static bool is_in_order(const specializing *s, MlirValue array) {
  static const pa_op_kind views[] = {PA_OP_ORDER_DIMENSIONS, PA_OP_BROADCAST_TO};
  for (int k = 0; k < PA_COUNT(views) && mlirValueIsAOpResult(array); ++k) {
    MlirOperation op = mlirOpResultGetOwner(array);
    if (pa_kind(&s->names, op) != views[k]) continue;
    array = mlirOperationGetOperand(op, views[k] == PA_OP_ORDER_DIMENSIONS ? mlirOpResultGetResultNumber(array) : 0);
  }
  return pyarrayArrayTypeGetLayout(mlirValueGetType(array)) == PYARRAY_LAYOUT_C;
}

// Of several dimensions that are ordered: where all arrays lie in C order that order stays, and along the last one
// outputs have a stride of 1, inputs that or 0.
static bool are_in_order(const specializing *s) {
  bool ordered = true;
  for (int i = 0; i < s->count && ordered; ++i) {
    if (!s->arrays[i]) continue;
    MlirValue array = mlirOperationGetOperand(s->op, i);
    ordered = mlirValueIsAOpResult(array) &&
              pa_kind(&s->names, mlirOpResultGetOwner(array)) == PA_OP_ORDER_DIMENSIONS && is_in_order(s, array);
  }
  return ordered;
}

// Threads share rows, and a GPU points: they see dimensions.
static bool is_shared(MlirOperation op) {
  while (!mlirOperationIsNull(op) && mlirAttributeIsNull(pa_get_attr(op, "function_type")))
    op = mlirOperationGetParentOperation(op);
  return mlirOperationIsNull(op) || pa_is_device_function(op) ||
         pa_option_bool(op, "pyarray.options", "parallel", false);
}

// Whoever goes over the blocks of such arrays merges their dimensions.
static void leave_order(specializing *s) {
  MlirOperation order = {NULL};
  for (int i = 0; i < s->count; ++i) {
    if (!s->arrays[i]) continue;
    MlirValue view = mlirOperationGetOperand(s->op, i);
    order = mlirOpResultGetOwner(view);
    mlirOperationSetOperand(s->op, i, mlirOperationGetOperand(order, mlirOpResultGetResultNumber(view)));
  }
  bool used = false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(order); ++i)
    used = used || !mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(order, i)));
  if (!used) mlirOperationDestroy(order);
}

static bool has_gaps(const specializing *s) {
  for (int i = 0; i < s->count; ++i)
    if (s->arrays[i] && pa_has_gaps(&s->names, mlirOperationGetOperand(s->op, i))) return true;
  return false;
}

static pa_status specialize(specializing *s) {
  bool expensive = pa_ufunc_cost(&s->names, pa_body(s->op, 0)) >= PA_EXPENSIVE_POINT;
  read_steps(s);
  bool blocks = !s->certain && !is_shared(s->op) && are_in_order(s);
  if (blocks) leave_order(s);
  bool contiguous = s->certain || blocks || (!expensive && are_in_order(s));
  if (expensive || contiguous) {
    pa_set_attr(s->op, contiguous ? "unit_strides" : "packed", pa_unit_attr(s->names.context));
    set_steps(s, s->op, s->certain);
    return PA_OK;
  }
  if (has_gaps(s)) {
    set_steps(s, s->op, false);
    return PA_OK;
  }
  pa_builder at = {.context = s->names.context,
                   .location = mlirOperationGetLocation(s->op),
                   .block = mlirOperationGetBlock(s->op),
                   .before = s->op};
  read_sources(s);
  MlirValue fits = test_strides(s, &at);
  MlirRegion then = branch(s, &at, true), otherwise = branch(s, &at, false);
  pa_op(&at, PA_OP_NAME(SCF_IF), PA_OPERANDS(fits), PA_REGIONS(then, otherwise));
  mlirOperationDestroy(s->op);
  return at.failure;
}

//===-- The pass ----------------------------------------------------------------------------------===//

static pa_status visit(void *data, MlirOperation op) {
  specializing *s = data;
  s->op = op;
  return is_candidate(s) ? specialize(s) : PA_OK;
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  specializing s = {.arena = context->arena};
  pa_names_init(&s.names, context->context);
  return pa_walk(pa_module_body(module), visit, &s);
}

const pa_pass pa_pass_specialize_strides = {
    .argument = "pyarray-specialize-strides",
    .summary = "Choose how elementwise ufuncs read operands that are not contiguous",
    .dependent_dialects = (const char *const[]){"pyarray", "scf", NULL},
    .run = run,
};
