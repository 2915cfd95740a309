// pyarray-call-gathers: what is at arrays of integers, in one call of the runtime.
//
// Enters and leaves: level 2.
//
//   %p = pyarray.broadcast_to %a to(%n) : ...
//   %o = pyarray.builtin "numpy.empty"(%n, %m)
//   pyarray.ufunc "(n0,m0),()->(m0)" ins(%p, %x : ...) outs(%o : ...) expanded {                          a[x]
//   ^bb0(%part: ..., %i: si64, %to: ...):
//     %row = pyarray.getitem %part[%i]
//     pyarray.setitem %to[] = %row
//     pyarray.yield
//   } {pyarray.fresh}
// becomes
//   pyarray.builtin "pyarray.library._intrinsics.gather"(%o, %a, %x, %axis)
//
// Such loops do nothing but move: compiled for one program alone they would be no faster, and take a third of what a
// program with one takes to compile. What threads share, and what a GPU does, stays a loop; so does what has constant
// extents, as LLVM makes registers of that.
#include "ir/ir.h"
#include "pass.h"

typedef struct gathers {
  pa_arena *arena;
  pa_names names;
} gathers;

// A loop, and what it moves.
typedef struct gather {
  MlirOperation op, read; // the read of an element or a part
  MlirValue array, out;   // as the runtime gets them
  MlirBlock body;
  int inputs;
} gather;

static MlirValue operand(MlirOperation op, intptr_t i) { return mlirOperationGetOperand(op, i); }

static bool is_array(MlirValue value) { return pyarrayTypeIsArray(mlirValueGetType(value)); }

static bool is_kind(const gathers *g, MlirValue value, pa_op_kind kind) {
  return mlirValueIsAOpResult(value) && pa_kind(&g->names, mlirOpResultGetOwner(value)) == kind;
}

// What was broadcast: the runtime does that itself.
static MlirValue unstretched(const gathers *g, MlirValue value) {
  return is_kind(g, value, PA_OP_BROADCAST_TO) ? operand(mlirOpResultGetOwner(value), 0) : value;
}

// The argument of the body that a value is, or is cast from; -1: it is none.
static int argument_of(const gathers *g, MlirBlock body, MlirValue value) {
  while (is_kind(g, value, PA_OP_CAST)) value = operand(mlirOpResultGetOwner(value), 0);
  if (!mlirValueIsABlockArgument(value) || !mlirBlockEqual(mlirBlockArgumentGetOwner(value), body)) return -1;
  return (int)mlirBlockArgumentGetArgNumber(value);
}

static bool is_integer(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return pa_is_integer(pa_scalar_of(pyarrayTypeIsArray(type) ? pyarrayArrayTypeGetElement(type) : type));
}

static bool same_elements(MlirValue a, MlirValue b) {
  return mlirTypeEqual(pyarrayArrayTypeGetElement(mlirValueGetType(a)),
                       pyarrayArrayTypeGetElement(mlirValueGetType(b)));
}

//===-- What the body does ------------------------------------------------------------------------===//

// One read, the casts of its indices, and at most one store.
static bool read_body(const gathers *g, gather *x, MlirOperation *out_store) {
  *out_store = x->read = (MlirOperation){NULL};
  PA_FOR_EACH_OP(op, x->body) {
    MlirOperation *found = pa_kind(&g->names, op) == PA_OP_GETITEM   ? &x->read
                           : pa_kind(&g->names, op) == PA_OP_SETITEM ? out_store
                                                                     : NULL;
    if (found && mlirOperationIsNull(*found))
      *found = op;
    else if (found || (pa_kind(&g->names, op) != PA_OP_CAST && pa_kind(&g->names, op) != PA_OP_YIELD))
      return false;
  }
  return !mlirOperationIsNull(x->read) && mlirAttributeIsNull(pa_get_attr(x->read, "pyarray.clamped"));
}

static bool has_indices(const gathers *g, const gather *x) {
  for (intptr_t k = 1; k < mlirOperationGetNumOperands(x->read); ++k) {
    int argument = argument_of(g, x->body, operand(x->read, k));
    if (argument < 0 || argument >= x->inputs || !is_integer(operand(x->op, argument))) return false;
  }
  return mlirOperationGetNumOperands(x->read) > 1;
}

// An element of an array from outside is what the body yields.
static bool takes_elements(const gathers *g, gather *x) {
  x->array = operand(x->read, 0);
  MlirOperation yield = mlirBlockGetTerminator(x->body);
  return argument_of(g, x->body, x->array) < 0 && is_array(x->array) && mlirOperationGetNumOperands(yield) == 1 &&
         mlirValueEqual(operand(yield, 0), mlirOperationGetResult(x->read, 0)) &&
         pyarrayArrayTypeGetRank(mlirValueGetType(x->array)) == mlirOperationGetNumOperands(x->read) - 1;
}

// A part of the first input is stored to that of the output.
static bool takes_parts(const gathers *g, gather *x, MlirOperation store) {
  if (mlirBlockGetNumArguments(x->body) != x->inputs + 1) return false; // it is stored elsewhere
  MlirValue part = mlirBlockGetArgument(x->body, 0), to = mlirBlockGetArgument(x->body, x->inputs);
  x->array = unstretched(g, operand(x->op, 0));
  return mlirOperationGetNumOperands(store) == 2 && mlirValueEqual(operand(store, 0), to) &&
         mlirValueEqual(operand(store, 1), mlirOperationGetResult(x->read, 0)) &&
         mlirValueEqual(operand(x->read, 0), part) && is_array(x->array) &&
         pyarrayArrayTypeGetRank(mlirValueGetType(x->array)) == pyarrayArrayTypeGetRank(mlirValueGetType(part));
}

//===-- Where it is a call ------------------------------------------------------------------------===//

static bool has_constant_extents(const gathers *g, MlirValue out) {
  MlirOperation made = mlirOpResultGetOwner(out);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(made); ++i)
    if (!is_kind(g, operand(made, i), PA_OP_CONSTANT)) return false;
  return true;
}

static bool read_gather(const gathers *g, MlirOperation op, gather *out) {
  MlirOperation store;
  *out = (gather){.op = op};
  if (pa_kind(&g->names, op) != PA_OP_UFUNC || mlirAttributeIsNull(pa_get_attr(op, "expanded")) ||
      mlirAttributeIsNull(pa_get_attr(op, "pyarray.fresh")))
    return false;
  out->inputs = (int)mlirOperationGetNumOperands(op) - 1;
  out->body = pa_body(op, 0);
  out->out = operand(op, out->inputs);
  if (mlirBlockGetNumArguments(out->body) < out->inputs || !is_kind(g, out->out, PA_OP_BUILTIN) ||
      has_constant_extents(g, out->out) || !read_body(g, out, &store) || !has_indices(g, out))
    return false;
  return (mlirOperationIsNull(store) ? takes_elements(g, out) : takes_parts(g, out, store)) &&
         same_elements(out->array, out->out);
}

//===-- The call ----------------------------------------------------------------------------------===//

static MlirValue axis_of(pa_builder *at, MlirOperation read, int k) {
  MlirAttribute told = pa_get_attr(read, "pyarray.axes");
  MlirType type = mlirIntegerTypeSignedGet(at->context, 64);
  int64_t axis = mlirAttributeIsNull(told) ? k : mlirDenseI64ArrayGetElement(told, k);
  return pa_value(at, PA_OP_NAME(CONSTANT), PA_RESULTS(type), PA_ATTRS({"value", mlirIntegerAttrGet(type, axis)}));
}

static bool contains(const MlirValue *values, int count, MlirValue value) {
  for (int i = 0; i < count; ++i)
    if (mlirValueEqual(values[i], value)) return true;
  return false;
}

static void erase_unused(MlirValue view) {
  if (mlirOpOperandIsNull(mlirValueGetFirstUse(view))) mlirOperationDestroy(mlirOpResultGetOwner(view));
}

static pa_status call(gathers *g, const gather *x) {
  int count = (int)mlirOperationGetNumOperands(x->read) - 1, views = 0;
  MlirValue *operands = PA_NEW_ARRAY(g->arena, MlirValue, 2 + 2 * count),
            *stretched = PA_NEW_ARRAY(g->arena, MlirValue, x->inputs + 1);
  pa_builder at = {.context = g->names.context,
                   .location = mlirOperationGetLocation(x->op),
                   .block = mlirOperationGetBlock(x->op),
                   .before = x->op};
  operands[0] = x->out; // what is written comes first
  operands[1] = x->array;
  for (int k = 0; k < count; ++k) {
    operands[2 + k] = unstretched(g, operand(x->op, argument_of(g, x->body, operand(x->read, 1 + k))));
    operands[2 + count + k] = axis_of(&at, x->read, k);
  }
  pa_op(&at, PA_OP_NAME(BUILTIN), PA_OPERAND_ARRAY(operands, 2 + 2 * count), PA_RESULTS(pyarrayNoneTypeGet(at.context)),
        PA_ATTRS({"name", pa_string_attr(at.context, "pyarray.library._intrinsics.gather")}));
  if (pa_failed(&at)) return at.failure;
  for (int i = 0; i < x->inputs; ++i)
    if (is_kind(g, operand(x->op, i), PA_OP_BROADCAST_TO) && !contains(stretched, views, operand(x->op, i)))
      stretched[views++] = operand(x->op, i);
  mlirOperationDestroy(x->op);
  for (int i = 0; i < views; ++i) erase_unused(stretched[i]);
  return PA_OK;
}

//===-- The pass ----------------------------------------------------------------------------------===//

static pa_status visit(void *data, MlirOperation op) {
  gather found;
  return read_gather(data, op, &found) ? call(data, &found) : PA_OK;
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  gathers g = {.arena = context->arena};
  pa_names_init(&g.names, context->context);
  PA_FOR_EACH_OP(function, pa_module_body(module)) {
    if (pa_kind(&g.names, function) != PA_OP_FUNC || mlirBlockIsNull(pa_body(function, 0)) ||
        pa_is_device_function(function) || pa_option_bool(function, "pyarray.options", "parallel", false) ||
        pa_option_bool(function, "pyarray.options", "offload", false))
      continue;
    PA_TRY(pa_walk(pa_body(function, 0), visit, &g));
  }
  return PA_OK;
}

const pa_pass pa_pass_call_gathers = {
    .argument = "pyarray-call-gathers",
    .summary = "Take what is at arrays of integers in one call of the runtime",
    .dependent_dialects = (const char *const[]){"pyarray", NULL},
    .run = run,
};
