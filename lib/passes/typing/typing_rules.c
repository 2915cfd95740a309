// The call of a builtin: finds the typing rule of its row, which fills in the plan, and what holds for all of them.
#include <string.h>

#include "typing_rules.h"

//===-- What rules share --------------------------------------------------------------------------===//

pa_status pa_rule_wrong_type(const pa_rule_call *call, int i, const char *expected) {
  MlirType type = call->arguments[i].type;
  bool array = pyarrayTypeIsArray(type);
  if (strncmp(call->builtin->name, "pyarray.library.", 16) == 0) // of the library's own: no name that a user knows
    return pa_typing_fail(call->typing, PA_CODE_TYPING, "a value of type %s; expected %s", pa_rule_text_of(call, type),
                          expected);
  return pa_typing_fail(call->typing, array ? PA_CODE_UNSUPPORTED : PA_CODE_TYPING,
                        "%s: argument %d has type %s; expected %s%s", call->builtin->name, i + 1,
                        pa_rule_text_of(call, type), expected,
                        array ? "\nhint: functions of whole arrays are not compiled yet; loop over the elements"
                        : pa_is_record(type) || pa_is_records(type) ? "\nhint: name a field of the records: r['x']"
                                                                    : "");
}

pa_status pa_rule_need_real(const pa_rule_call *call, int i) {
  pa_scalar scalar = pa_rule_scalar_of(call, i);
  return scalar == PA_NOT_SCALAR || pa_is_complex(scalar) ? pa_rule_wrong_type(call, i, "a real number") : PA_OK;
}

pa_status pa_rule_need_number(const pa_rule_call *call, int i) {
  return pa_rule_scalar_of(call, i) == PA_NOT_SCALAR ? pa_rule_wrong_type(call, i, "a number") : PA_OK;
}

pa_status pa_rule_need_integer(const pa_rule_call *call, int i) {
  pa_scalar scalar = pa_rule_scalar_of(call, i);
  return scalar == PA_BOOL || pa_is_integer(scalar) ? PA_OK : pa_rule_wrong_type(call, i, "an integer");
}

// The float type in which |count| real arguments are computed: float32 if all are, float16 and bfloat16 likewise.
pa_scalar pa_rule_real_of(const pa_rule_call *call, int count) {
  pa_scalar result = pa_rule_scalar_of(call, 0);
  for (int i = 1; i < count; ++i) result = pa_promote(result, pa_rule_scalar_of(call, i));
  return pa_is_half(result) || result == PA_F32 ? result : PA_F64;
}

pa_status pa_rule_finish_as(pa_rule_call *call, int count, pa_scalar scalar) {
  for (int i = 0; i < count; ++i) pa_rule_add_argument(call, i, pa_rule_scalar_type(call, scalar));
  return pa_rule_finish_scalar(call, scalar);
}

static bool holds_any(MlirType type) {
  if (pyarrayTypeIsAny(type)) return true;
  if (pyarrayTypeIsList(type)) return holds_any(pyarrayTypeGetItem(type));
  intptr_t count = mlirTypeIsATuple(type) ? mlirTupleTypeGetNumTypes(type) : 0;
  for (intptr_t i = 0; i < count; ++i)
    if (holds_any(mlirTupleTypeGetType(type, i))) return true;
  return false;
}

bool pa_rule_awaits_items(const pa_rule_call *call) {
  return !call->typing->guesses && holds_any(call->arguments[0].type);
}

pa_status pa_type_real(pa_rule_call *call, int count) {
  for (int i = 0; i < count; ++i) PA_TRY(pa_rule_need_real(call, i));
  return pa_rule_finish_as(call, count, pa_rule_real_of(call, count));
}

pa_status pa_type_ints(pa_rule_call *call, int count) {
  for (int i = 0; i < count; ++i) PA_TRY(pa_rule_need_integer(call, i));
  return pa_rule_finish_as(call, count, PA_I64);
}

int pa_elementwise_inputs(const pa_builtin *builtin) {
  const char *parameters = builtin->parameters;
  if (builtin->typing == PA_TYPING_NORM) return 1; // of the library, but of each element too
  if (strncmp(builtin->name, "numpy.", 6) != 0) return 0;
  return strcmp(parameters, "x") == 0               ? 1
         : strcmp(parameters, "x1,x2") == 0         ? 2
         : strcmp(parameters, "condition,x,y") == 0 ? 3
                                                    : 0;
}

//===-- Dispatch ----------------------------------------------------------------------------------===//

static pa_typing_rule find_rule(pa_builtin_typing rule) {
  const pa_typing_rule_row *tables[] = {
      pa_python_typing, pa_family_typing,  pa_new_array_typing, pa_math_typing,       pa_complex_typing,
      pa_numpy_typing,  pa_time_typing,    pa_device_typing,    pa_library_typing,    pa_list_typing,
      pa_dict_typing,   pa_iterate_typing, pa_text_typing,      pa_memoryview_typing, pa_dtype_typing,
      pa_native_typing, pa_typed_typing,   pa_equality_typing,  pa_numpy_loop_typing, pa_view_typing,
      pa_einsum_typing, pa_random_typing,  pa_item_typing};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; ++i)
    for (const pa_typing_rule_row *row = tables[i]; row->function; ++row)
      if (row->rule == rule) return row->function;
  return NULL;
}

static int operand_bound(const pa_fact *arguments, int count) {
  int bound = 4 + 2 * count;
  for (int i = 0; i < count; ++i)
    if (!pa_is_bottom(arguments[i]) && mlirTypeIsATuple(arguments[i].type))
      bound += (int)mlirTupleTypeGetNumTypes(arguments[i].type);
  return bound;
}

// Lowering rules of functions that are computed in float32 where their operands are float16 or bfloat16; what they give
// is rounded.
static const pa_builtin_lowering single_rules[] = {
    PA_LOWERING_MATH,     PA_LOWERING_LIBM,  PA_LOWERING_BY_PARTS,    PA_LOWERING_SCALE,     PA_LOWERING_LOG,
    PA_LOWERING_MATH_POW, PA_LOWERING_HYPOT, PA_LOWERING_LDEXP,       PA_LOWERING_LOGADDEXP, PA_LOWERING_POWER,
    PA_LOWERING_FMOD,     PA_LOWERING_RECT,  PA_LOWERING_DEVICE_CALL, PA_LOWERING_MATCH_ALL};
// Save those of them that have one exact value, which rounding twice might miss.
static const char *const exact_targets[] = {"math.fma", "nextafter"};

static bool is_single(const pa_builtin *builtin) {
  for (size_t i = 0; i < sizeof exact_targets / sizeof *exact_targets; ++i)
    if (strcmp(builtin->target, exact_targets[i]) == 0) return false;
  for (size_t i = 0; i < sizeof single_rules / sizeof *single_rules; ++i)
    if (builtin->lowering == single_rules[i]) return true;
  return false;
}

static void widen_halves(pa_call_plan *plan) {
  const pa_builtin *builtin = plan->builtin;
  if (plan->kind != PA_PLAN_BUILTIN || !is_single(builtin)) return;
  for (int i = 0; i < plan->operand_count; ++i)
    if (pa_is_half(pa_scalar_of(plan->operands[i])))
      plan->operands[i] = mlirF32TypeGet(mlirTypeGetContext(plan->operands[i]));
  if (pa_is_half(pa_scalar_of(plan->result))) plan->computed = mlirF32TypeGet(mlirTypeGetContext(plan->result));
}

// Those that were adopted with another value.
static void take_literals(const pa_rule_call *call, const pa_fact *given_arguments) {
  for (int i = 0; call->arguments != given_arguments && i < call->plan->operand_count; ++i) {
    int argument = call->plan->sources[i].argument;
    if (argument < 0 || mlirAttributeEqual(call->arguments[argument].literal, given_arguments[argument].literal))
      continue;
    call->plan->sources[i] = (pa_source){-1, -1, call->arguments[argument].literal};
  }
}

pa_status pa_type_builtin(const pa_typing *typing, const pa_builtin *builtin, const pa_fact *arguments, int count,
                          pa_call_plan *out_plan) {
  int bound = operand_bound(arguments, count);
  *out_plan = (pa_call_plan){.kind = PA_PLAN_BUILTIN, .builtin = builtin};
  out_plan->sources = PA_NEW_ARRAY(typing->arena, pa_source, bound);
  out_plan->operands = PA_NEW_ARRAY(typing->arena, MlirType, bound);
  pa_rule_call call = {typing, builtin, arguments, count, out_plan};
  pa_typing_rule rule = pa_find_time_rule(&call);
  if (!rule) {
    rule = find_rule(builtin->typing);
    PA_TRY(pa_adopt_literals(&call, &call.arguments));
  }
  if (rule) {
    PA_TRY(rule(&call));
    take_literals(&call, arguments);
    return widen_halves(out_plan), PA_OK;
  }
  return pa_typing_fail(typing, PA_CODE_INTERNAL, "builtin %s has no typing rule", builtin->name);
}
