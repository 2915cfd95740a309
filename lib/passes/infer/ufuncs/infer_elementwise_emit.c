// Emission of what infer_elementwise.c plans: a pyarray.ufunc whose body computes one point; and the truth of an array.
#include <string.h>

#include "infer_elementwise.h"

//===-- Widths ------------------------------------------------------------------------------------===//

static bool is_narrow_float(pa_scalar scalar) { return scalar == PA_F32 || pa_is_half(scalar); }

static bool computes_in_float64(const pa_elementwise *x) {
  for (int k = 0; k < x->plan.operand_count; ++k)
    if (pa_scalar_of(x->plan.operands[k]) == PA_F64) return true;
  return false;
}

// Arrays of narrower floats alone, and a number that is a float64 and no literal, which would be narrow beside them.
static void warn_of_width(pa_instance_emitter *e, MlirOperation op, const pa_elementwise *x, const MlirValue *inputs) {
  if (!mlirAttributeIsNull(pa_get_attr(e->instance->function, "pyarray.no_frame"))) return; // not the user's
  pa_arena *arena = e->inference->arena;
  pa_scalar narrow = PA_NOT_SCALAR;
  bool wide = false;
  for (int i = 0; i < x->count; ++i) {
    bool array = !mlirValueIsNull(inputs[i]) && pyarrayTypeIsArray(mlirValueGetType(inputs[i]));
    pa_scalar scalar = pa_scalar_of(x->facts[i].type);
    if (array && !is_narrow_float(scalar)) return;
    if (array) narrow = scalar;
    wide = wide || (!array && scalar == PA_F64 && !(x->weak >> i & 1));
  }
  if (narrow == PA_NOT_SCALAR || !wide || !computes_in_float64(x)) return;
  const char *name = pa_scalar_name(narrow);
  pa_warn(e->inference->module, pa_source_location(arena, mlirOperationGetLocation(op)), "performance",
          pa_arena_format(arena,
                          "np.%s of a %s array and a float64 number is computed in float64\nhint: write np.%s(...) "
                          "around the number",
                          pa_elementwise_name(x), name, name));
}

//===-- A ufunc -----------------------------------------------------------------------------------===//

static MlirValue emit_integer(pa_instance_emitter *e, int64_t value) {
  return pa_emit_literal(e, mlirIntegerAttrGet(pa_scalar_type(pa_emitter_context(e), PA_I64), value));
}

static MlirValue emit_compare(pa_instance_emitter *e, pyarray_compare_kind kind, MlirValue a, MlirValue b) {
  return pa_value(e->builder, PA_OP_NAME(COMPARE), PA_OPERANDS(a, b),
                  PA_RESULTS(mlirIntegerTypeGet(pa_emitter_context(e), 1)),
                  PA_ATTRS({"kind", pyarrayCompareKindAttrGet(pa_emitter_context(e), kind)}));
}

// A Python int that is not known here, beside integers of another type.
static void check_bounds(pa_instance_emitter *e, MlirValue value, MlirType wanted) {
  pa_scalar scalar = pa_scalar_of(wanted);
  if (pa_scalar_of(mlirValueGetType(value)) != PA_I64 || !pa_is_integer(scalar) || scalar == PA_I64) return;
  int bits = 8 * pa_scalar_bytes(scalar) - pa_is_signed(scalar);
  const char *text =
      pa_arena_format(e->inference->arena, "Python integer out of bounds for %s", pa_scalar_name(scalar));
  pa_emit_raise_if(
      e, emit_compare(e, PYARRAY_COMPARE_LT, value, emit_integer(e, pa_is_signed(scalar) ? -((int64_t)1 << bits) : 0)),
      "OverflowError", text);
  if (bits < 63)
    pa_emit_raise_if(e, emit_compare(e, PYARRAY_COMPARE_GT, value, emit_integer(e, ((int64_t)1 << bits) - 1)),
                     "OverflowError", text);
}

// The type that the plan wants argument |i| in, null where it does not take it.
static MlirType wanted_type(const pa_elementwise *x, int i) {
  for (int k = 0; k < x->plan.operand_count; ++k)
    if (x->plan.sources[k].argument == i) return x->plan.operands[k];
  return (MlirType){NULL};
}

static bool compares(const pa_elementwise *x) { return x->builtin->lowering == PA_LOWERING_COMPARE; }

// What the ufunc takes for argument |i|: an array, or a number in the type that it is computed in. Literals are made in
// the body.
static MlirValue emit_input(pa_instance_emitter *e, const pa_elementwise *x, int i) {
  MlirValue value = pa_emitter_use(e, x->operands[i]);
  MlirType wanted = wanted_type(x, i);
  if (pa_failed(e->builder) || mlirTypeIsNull(wanted) || pyarrayTypeIsArray(mlirValueGetType(value))) return value;
  bool wraps = x->builtin->typing == PA_TYPING_WHERE;
  if (x->weak >> i & 1 && !compares(x) && !wraps) check_bounds(e, value, wanted);
  return pa_emit_cast(e, value, wanted);
}

static MlirValue emit_point(pa_instance_emitter *e, const pa_elementwise *x, const MlirValue *arguments) {
  const pa_call_plan *plan = &x->plan;
  MlirValue *operands = pa_emitter_values(e, plan->operand_count + 1);
  for (int k = 0; k < plan->operand_count; ++k) {
    pa_source source = plan->sources[k];
    bool literal = source.argument < 0 || mlirValueIsNull(arguments[source.argument]);
    operands[k] = !literal
                      ? arguments[source.argument]
                      : pa_emit_literal(e, source.argument < 0 ? source.constant : x->facts[source.argument].literal);
    operands[k] = pa_emit_cast(e, operands[k], plan->operands[k]);
  }
  if (plan->kind == PA_PLAN_CAST) return operands[0];
  MlirType type = mlirTypeIsNull(plan->computed) ? plan->result : plan->computed;
  MlirValue result =
      pa_value(e->builder, PA_OP_NAME(BUILTIN), PA_OPERAND_ARRAY(operands, plan->operand_count), PA_RESULTS(type),
               PA_ATTRS({"name", pa_string_attr(pa_emitter_context(e), plan->builtin->name)}));
  return pa_emit_cast(e, result, plan->result);
}

// Behind the inputs of the function, the mask and what is kept where it is false.
static MlirValue emit_masked(pa_instance_emitter *e, const pa_elementwise *x, MlirValue result,
                             const MlirValue *arguments) {
  MlirValue mask = arguments[x->count], old = arguments[x->count + 1];
  if (mlirValueIsNull(mask) || mlirValueIsNull(old) || pa_failed(e->builder)) return result;
  return pa_value(e->builder, PA_OP_NAME(BUILTIN), PA_OPERANDS(mask, result, old), PA_RESULTS(mlirValueGetType(result)),
                  PA_ATTRS({"name", pa_string_attr(pa_emitter_context(e), "numpy.where")}));
}

static MlirRegion emit_body(pa_instance_emitter *e, const pa_elementwise *x, const MlirValue *inputs,
                            MlirType element) {
  MlirType types[PA_MOST_ELEMENTWISE_INPUTS];
  MlirValue arguments[PA_MOST_ELEMENTWISE_INPUTS] = {{NULL}};
  int count = 0, most = x->count + 2;
  for (int i = 0; i < most; ++i) {
    if (mlirValueIsNull(inputs[i])) continue;
    MlirType type = mlirValueGetType(inputs[i]);
    types[count++] = pyarrayTypeIsArray(type) ? pyarrayArrayTypeGetElement(type) : type;
  }
  pa_builder inside = *e->builder, *outer = e->builder;
  inside.before = (MlirOperation){NULL};
  MlirRegion region = pa_region(outer->location, types, count, &inside.block);
  for (int i = 0, k = 0; i < most; ++i)
    if (!mlirValueIsNull(inputs[i])) arguments[i] = mlirBlockGetArgument(inside.block, k++);
  e->builder = &inside;
  MlirValue result = emit_masked(e, x, pa_emit_cast(e, emit_point(e, x, arguments), element), arguments);
  pa_op(&inside, PA_OP_NAME(YIELD), PA_OPERANDS(result));
  e->builder = outer;
  if (inside.failure) outer->failure = inside.failure;
  return region;
}

pa_status pa_emit_elementwise(pa_instance_emitter *e, MlirOperation op, const pa_elementwise *x) {
  MlirContext context = pa_emitter_context(e);
  MlirValue inputs[PA_MOST_ELEMENTWISE_INPUTS] = {{NULL}}, operands[PA_MOST_ELEMENTWISE_INPUTS + 1];
  int count = 0;
  const char *signature = "";
  bool given = !mlirValueIsNull(x->out);
  for (int i = 0; i < x->count; ++i) {
    // Of three operands, an output among them, an error tells all shapes; a += 1 makes none.
    bool in_place = given && mlirValueEqual(x->operands[1 - i % 2], x->out);
    if (!mlirAttributeIsNull(x->facts[i].literal) && x->count + (given && !in_place) < 3) continue;
    inputs[i] = emit_input(e, x, i);
  }
  if (!mlirValueIsNull(x->where)) inputs[x->count] = pa_emitter_use(e, x->where);
  if (!mlirValueIsNull(x->where) && given) inputs[x->count + 1] = pa_emitter_use(e, x->out);
  for (int i = 0; i < x->count + 2; ++i) {
    if (mlirValueIsNull(inputs[i])) continue;
    operands[count++] = inputs[i];
    signature = pa_arena_format(e->inference->arena, "%s%s()", signature, *signature ? "," : "");
  }
  if (pa_failed(e->builder)) return PA_OK;
  warn_of_width(e, op, x, inputs);
  MlirValue out = given ? pa_emitter_use(e, x->out) : (MlirValue){NULL};
  MlirType element = given ? pyarrayArrayTypeGetElement(x->result) : x->element;
  MlirType type = given || x->rank ? x->result : pa_array_type(context, 0, x->element, PYARRAY_LAYOUT_C, false);
  int32_t segments[] = {count, given};
  if (given) operands[count] = out;
  MlirRegion body = emit_body(e, x, inputs, element);
  MlirOperation made =
      pa_op(e->builder, PA_OP_NAME(UFUNC), PA_OPERAND_ARRAY(operands, count + given),
            PA_RESULT_ARRAY(&type, given ? 0 : 1), PA_REGIONS(body),
            PA_ATTRS({"signature", pa_string_attr(context, pa_arena_format(e->inference->arena, "%s->()", signature))},
                     {"operandSegmentSizes", mlirDenseI32ArrayGet(context, 2, segments)},
                     {"pyarray.name", pa_string_attr(context, pa_elementwise_name(x))}));
  if (mlirOperationIsNull(made)) return PA_OK;
  MlirValue result = given ? out : mlirOperationGetResult(made, 0);
  if (!given && !x->rank)
    result = pa_value(e->builder, PA_OP_NAME(GETITEM), PA_OPERANDS(result), PA_RESULTS(x->element));
  return pa_emitter_map(e, mlirOperationGetResult(op, 0), result), PA_OK;
}

//===-- Truth -------------------------------------------------------------------------------------===//

MlirValue pa_emit_array_truth(pa_instance_emitter *e, MlirValue array) {
  if (pa_failed(e->builder)) return array;
  MlirContext context = pa_emitter_context(e);
  MlirType type = mlirValueGetType(array), i64 = pa_scalar_type(context, PA_I64);
  intptr_t rank = pyarrayArrayTypeGetRank(type);
  if (rank) {
    MlirValue size = pa_value(e->builder, PA_OP_NAME(GETATTR), PA_OPERANDS(array), PA_RESULTS(i64),
                              PA_ATTRS({"name", pa_string_attr(context, "size")}));
    pa_emit_raise_if(e, emit_compare(e, PYARRAY_COMPARE_GT, size, emit_integer(e, 1)), "ValueError",
                     "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()");
    pa_emit_raise_if(
        e, emit_compare(e, PYARRAY_COMPARE_EQ, size, emit_integer(e, 0)), "ValueError",
        "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is not empty.");
  }
  MlirValue *operands = pa_emitter_values(e, rank + 1);
  operands[0] = array;
  for (intptr_t i = 0; i < rank; ++i) operands[1 + i] = emit_integer(e, 0);
  MlirValue item = pa_value(e->builder, PA_OP_NAME(GETITEM), PA_OPERAND_ARRAY(operands, rank + 1),
                            PA_RESULTS(pyarrayArrayTypeGetElement(type)));
  return pa_value(e->builder, PA_OP_NAME(TRUTH), PA_OPERANDS(item), PA_RESULTS(mlirIntegerTypeGet(context, 1)));
}
