// The operands of ufunc calls in pyarray-infer-types: inputs, outputs, dtype=, keepdims=, and the type that a method
// computes in.
#include <string.h>

#include "infer_ufunc.h"
#include "support/type_code.h"
#include "typing_rules.h"

//===-- Optional dimensions -----------------------------------------------------------------------===//

// Marks the optional dimensions that arguments have too few dimensions for. As in NumPy, one that an argument lacks is
// left out of all operands.
static bool find_missing(const pa_ufunc_call *call, bool *out_missing) {
  int ranks[PA_MAX_OPERANDS];
  bool any = false;
  for (int i = 0; i < pa_operand_count(call); ++i) ranks[i] = call->full.operands[i].rank;
  for (int i = 0; i < pa_operand_count(call); ++i) {
    const pa_core_operand *own = &call->full.operands[i];
    if (pa_is_bottom(call->facts[i])) continue;
    for (int k = 0; k < own->rank && pa_rank_of(call->facts[i].type) < ranks[i]; ++k) {
      int dimension = own->dimensions[k];
      if (!call->full.dimensions[dimension].optional || out_missing[dimension]) continue;
      any = out_missing[dimension] = true;
      for (int other = 0; other < pa_operand_count(call); ++other)
        for (int at = 0; at < call->full.operands[other].rank; ++at)
          ranks[other] -= call->full.operands[other].dimensions[at] == dimension;
    }
  }
  return any;
}

// The text of the signature without the dimensions |missing|.
static const char *text_without(pa_arena *arena, const pa_core_signature *full, const bool *missing) {
  const char *text = "";
  for (int i = 0; i < full->input_count + full->output_count; ++i) {
    const char *separator = i == full->input_count ? "->(" : i ? ",(" : "(";
    for (int k = 0; k < full->operands[i].rank; ++k) {
      int dimension = full->operands[i].dimensions[k];
      if (missing[dimension]) continue;
      text = pa_arena_format(arena, "%s%s%.*s%s", text, separator, (int)full->dimensions[dimension].length,
                             full->dimensions[dimension].name, full->dimensions[dimension].optional ? "?" : "");
      separator = ",";
    }
    text = pa_arena_format(arena, "%s%s)", text, *separator == ',' && !separator[1] ? "" : separator);
  }
  return text;
}

static void leave_out_missing(pa_inference *inference, pa_ufunc_call *call) {
  bool missing[PA_MAX_CORE_DIMENSIONS] = {false};
  if (!find_missing(call, missing)) return;
  const char *text = text_without(inference->arena, &call->full, missing);
  if (pa_core_signature_parse(text, strlen(text), &call->core)) return; // cannot be
  call->called = pa_string_attr(inference->context, text);
}

//===-- Casts -----------------------------------------------------------------------------------===//

static bool holds(pa_scalar type, pa_fact literal) {
  int64_t value;
  if (!pa_is_integer(type) || !pa_literal_int(literal, &value)) return true;
  int bits = 8 * pa_scalar_bytes(type) - pa_is_signed(type); // of the largest value
  return bits < 63 ? value >> bits == 0 || (pa_is_signed(type) && value >> bits == -1)
                   : pa_is_signed(type) || value >= 0;
}

bool pa_can_cast_operand(pa_fact fact, MlirType to) {
  pa_scalar from = pa_scalar_of(pa_element_of(fact.type)), target = pa_scalar_of(pa_element_of(to));
  if (pa_is_time(pa_element_of(to))) return pa_can_cast_time(pa_element_of(fact.type), pa_element_of(to));
  if (from == PA_NOT_SCALAR || target == PA_NOT_SCALAR) return false;
  if (mlirAttributeIsNull(fact.literal) || from == PA_BOOL) return pa_promote(from, target) == target;
  if (pa_is_integer(from)) return target != PA_BOOL && holds(target, fact);
  return pa_is_complex(from) ? pa_is_complex(target) : pa_is_complex(target) || pa_is_float(target);
}

//===-- Arguments ---------------------------------------------------------------------------------===//

static pa_status check_operand(const pa_typing *typing, pa_ufunc_call *call, const char *name, int number) {
  MlirType type = call->facts[number].type;
  int core = call->core.operands[number].rank;
  bool output = number >= call->core.input_count;
  if (!pa_is_element(pa_element_of(type)) || (output && !pyarrayTypeIsArray(type)))
    return pa_typing_fail(typing, PA_CODE_TYPING, "%s(): %s %d has type %s; expected %s", name,
                          output ? "output" : "argument", output ? number - call->core.input_count + 1 : number + 1,
                          pa_type_text(typing->arena, type), output ? "an array" : "a number or an array of numbers");
  if (output && pyarrayArrayTypeIsReadonly(type))
    return pa_typing_fail(typing, PA_CODE_TYPING, "%s(): output array is read-only", name);
  if (pa_rank_of(type) < core)
    return pa_typing_fail(
        typing, PA_CODE_TYPING,
        "%s: %s operand %d does not have enough dimensions (has %d, gufunc core with signature %s requires %d)",
        call->name, output ? "Output" : "Input", output ? number - call->core.input_count : number, pa_rank_of(type),
        pa_attr_text(typing->arena, call->signature), core);
  int loop = pa_rank_of(type) - core;
  if (loop > call->rank) call->rank = loop;
  return PA_OK;
}

// An output has all loop dimensions: it is not stretched.
static pa_status check_output_ranks(const pa_typing *typing, const pa_ufunc_call *call, const char *name) {
  for (int i = call->core.input_count; i < pa_operand_count(call); ++i) {
    if (pa_is_bottom(call->facts[i])) continue;
    int rank = pa_rank_of(call->facts[i].type), wanted = call->rank + call->core.operands[i].rank;
    if (rank != wanted)
      return pa_typing_fail(
          typing, PA_CODE_TYPING,
          "%s(): non-broadcastable output operand: it has %d dimensions, but the broadcast shape has %d", name, rank,
          wanted);
  }
  return PA_OK;
}

// What a call gives besides inputs: outputs, and of methods also axis and dtype, in this order; of reduce, by name,
// keepdims and its second input, initial.
static const char *const method_parameters[] = {"axis", "dtype", "out"};

typedef struct given_values {
  MlirValue axis, dtype, keepdims;
  MlirValue *operands;
} given_values;

static intptr_t positional_inputs(const pa_ufunc_call *call) { return pa_is_reduce(call) ? 1 : call->core.input_count; }

static intptr_t most_positional(const pa_ufunc_call *call) {
  return pa_is_method(call) ? positional_inputs(call) + (intptr_t)PA_COUNT(method_parameters) : pa_operand_count(call);
}

// False where there is no such argument, or it is there already.
static bool give(const pa_ufunc_call *call, given_values *out, MlirStringRef name, MlirValue value) {
  MlirValue *place =
      pa_ref_equal(name, "axis")                                                           ? &out->axis
      : pa_ref_equal(name, "dtype") && pa_is_method(call)                                  ? &out->dtype
      : pa_ref_equal(name, "keepdims") && pa_is_reduce(call)                               ? &out->keepdims
      : pa_ref_equal(name, "initial") && pa_is_reduce(call) && call->core.input_count == 2 ? &out->operands[1]
      : pa_ref_equal(name, "out") && call->core.output_count == 1 ? &out->operands[call->core.input_count]
                                                                  : NULL;
  if (!place || !mlirValueIsNull(*place)) return false;
  return *place = value, true;
}

// The callee comes before the arguments, of which some may be elements of a tuple that the call spreads.
static pa_status read_positions(const pa_inference *inference, const pa_typing *typing, const char *name,
                                const pa_ufunc_call *call, given_values *out) {
  MlirAttribute keywords = inference->keywords;
  intptr_t named = mlirAttributeIsNull(keywords) ? 0 : mlirArrayAttrGetNumElements(keywords),
           inputs = positional_inputs(call);
  intptr_t positional = inference->given_count - 1 - named;
  if (positional < inputs || positional > most_positional(call))
    return pa_typing_fail(typing, PA_CODE_TYPING, "%s() takes from %d to %d positional arguments but %d were given",
                          name, (int)inputs, (int)most_positional(call), (int)positional);
  for (intptr_t i = 0; i < positional; ++i) {
    MlirValue value = inference->given[1 + i];
    if (pa_is_method(call) && i >= inputs)
      give(call, out, pa_ref(method_parameters[i - inputs]), value);
    else
      out->operands[i] = value;
  }
  for (intptr_t k = 0; k < named; ++k) {
    MlirStringRef keyword = mlirStringAttrGetValue(mlirArrayAttrGetElement(keywords, k));
    if (pa_is_reduce(call) && inputs == call->core.input_count && pa_ref_equal(keyword, "initial")) continue; // None
    if (!give(call, out, keyword, inference->given[1 + positional + k]))
      return pa_typing_fail(typing, PA_CODE_UNSUPPORTED,
                            "%s(): the keyword argument '%.*s' is not supported in compiled code", name,
                            (int)keyword.length, keyword.data);
  }
  return PA_OK;
}

// The operands' facts; those that are None, as in out=None, count as not given.
static void read_facts(pa_inference *inference, pa_instance *instance, pa_ufunc_call *call, MlirValue *values,
                       bool *out_bottom) {
  for (int i = 0; i < pa_operand_count(call); ++i) {
    if (mlirValueIsNull(values[i])) continue;
    call->facts[i] = pa_fact_get(inference, instance, values[i]);
    if (pa_is_bottom(call->facts[i]))
      *out_bottom = true;
    else if (i >= call->core.input_count && pyarrayTypeIsNone(call->facts[i].type)) {
      values[i] = (MlirValue){NULL};
      call->facts[i] = (pa_fact){0};
    } else {
      call->elements[i] = pa_element_of(call->facts[i].type);
    }
  }
}

//===-- dtype= and keepdims= ------------------------------------------------------------------------===//

static pa_status read_dtype(pa_inference *inference, pa_instance *instance, const pa_typing *typing, const char *name,
                            MlirValue value, pa_ufunc_call *call) {
  if (mlirValueIsNull(value)) return PA_OK;
  pa_fact fact = pa_fact_get(inference, instance, value);
  if (pyarrayTypeIsNone(fact.type)) return PA_OK;
  pa_builtin self = {.name = name};
  pa_rule_call rule = {.typing = typing, .builtin = &self, .arguments = &fact, .count = 1};
  return pa_dtype_argument(&rule, 0, &call->dtype);
}

static pa_status read_keepdims(pa_inference *inference, pa_instance *instance, const pa_typing *typing, MlirValue value,
                               pa_ufunc_call *call) {
  int64_t keeps = 0;
  if (mlirValueIsNull(value)) return PA_OK;
  if (!pa_literal_int(pa_fact_get(inference, instance, value), &keeps))
    return pa_typing_fail(typing, PA_CODE_TYPING, "%s(): keepdims must be a constant in compiled code", call->name);
  call->keeps_axes = keeps;
  if (!keeps || pa_is_bottom(call->facts[call->core.input_count])) return PA_OK;
  return pa_typing_fail(typing, PA_CODE_UNSUPPORTED,
                        "%s(): out together with keepdims is not supported in compiled code", call->name);
}

//===-- Methods -----------------------------------------------------------------------------------===//

// Of loops given by signatures that can go on with their own result: the one for |element|, or the first that it can be
// cast to.
static pa_status declared_fold(const pa_typing *typing, const pa_ufunc_call *call, MlirAttribute loops,
                               MlirType element, MlirType *out) {
  pa_fact fact = pa_fact_of(element);
  intptr_t count = mlirAttributeIsAArray(loops) ? mlirArrayAttrGetNumElements(loops) : 0;
  for (intptr_t i = 0; i < count; ++i) {
    MlirAttribute attribute = mlirArrayAttrGetElement(loops, i);
    MlirType loop = mlirAttributeIsAType(attribute) ? mlirTypeAttrGetValue(attribute) : (MlirType){NULL};
    if (mlirTypeIsNull(loop) || !mlirTypeIsAFunction(loop) || mlirFunctionTypeGetNumInputs(loop) != 2 ||
        mlirFunctionTypeGetNumResults(loop) != 1)
      continue;
    MlirType first = mlirFunctionTypeGetInput(loop, 0), second = mlirFunctionTypeGetInput(loop, 1);
    if (!mlirTypeEqual(first, mlirFunctionTypeGetResult(loop, 0)) || !pa_can_cast_operand(fact, second)) continue;
    if (mlirTypeIsNull(*out)) *out = first;
    if (mlirTypeEqual(second, element)) return *out = first, PA_OK;
  }
  if (!mlirTypeIsNull(*out)) return PA_OK;
  return pa_typing_fail(typing, PA_CODE_TYPING,
                        "%s(): no loop of the ufunc takes its own result and elements of type %s", call->name,
                        pa_type_text(typing->arena, element));
}

// The result of the ufunc for two numbers of the type |element|; null while it is not known.
static pa_status fold_once(pa_inference *inference, pa_instance *instance, MlirOperation op, const pa_ufunc_call *call,
                           MlirType element, MlirType *out) {
  pa_fact facts[] = {pa_fact_of(element), pa_fact_of(element)};
  pa_instance *made = pa_instance_get(inference, call->folds, facts, 2);
  pa_status status = pa_infer_instance(inference, made);
  if (status) return pa_add_call_site(inference, status, made, instance, op);
  if (made->lowest < instance->lowest) instance->lowest = made->lowest;
  return *out = made->result.type, PA_OK;
}

// Where it differs from the elements' type, the type of the result is what the method computes in.
static pa_status made_fold(pa_inference *inference, pa_instance *instance, MlirOperation op, const pa_ufunc_call *call,
                           MlirType element, MlirType *out) {
  MlirType again = {NULL};
  PA_TRY(fold_once(inference, instance, op, call, element, out));
  if (mlirTypeIsNull(*out) || mlirTypeEqual(*out, element) || !pa_is_element(*out)) return PA_OK;
  PA_TRY(fold_once(inference, instance, op, call, *out, &again));
  if (mlirTypeIsNull(again) || mlirTypeEqual(*out, again)) return PA_OK;
  pa_typing typing = pa_typing_at(inference, op);
  return pa_typing_fail(&typing, PA_CODE_TYPING,
                        "%s(): the ufunc makes %s of two numbers of type %s, and cannot go on with that", call->name,
                        pa_type_text(inference->arena, again), pa_type_text(inference->arena, *out));
}

// The type that the method computes in, where neither out= nor dtype= says so.
static pa_status fold_type(pa_inference *inference, pa_instance *instance, MlirOperation op, const pa_ufunc_call *call,
                           MlirType *out, bool *out_bottom) {
  pa_typing typing = pa_typing_at(inference, op);
  MlirAttribute loops = pa_get_attr(call->folds, "pyarray.loops");
  if (mlirAttributeIsNull(loops))
    PA_TRY(made_fold(inference, instance, op, call, call->elements[0], out));
  else
    PA_TRY(declared_fold(&typing, call, loops, call->elements[0], out));
  if (mlirTypeIsNull(*out)) return *out_bottom = true, PA_OK;
  if (pa_is_element(*out)) return PA_OK;
  return pa_typing_fail(&typing, PA_CODE_TYPING, "%s(): the ufunc returns %s", call->name,
                        pa_type_text(inference->arena, *out));
}

static pa_status choose_output(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_ufunc_call *call,
                               bool *out_bottom) {
  pa_typing typing = pa_typing_at(inference, op);
  MlirType *output = &call->elements[call->core.input_count];
  if (pa_is_time(call->elements[0]))
    return pa_typing_fail(&typing, PA_CODE_UNSUPPORTED,
                          "%s() of datetimes and timedeltas is not supported in compiled code", call->name);
  if (!mlirTypeIsNull(call->dtype) && !mlirTypeIsNull(*output) && !mlirTypeEqual(call->dtype, *output))
    return pa_typing_fail(&typing, PA_CODE_UNSUPPORTED,
                          "%s(): an out of another type than dtype is not supported in compiled code", call->name);
  if (!mlirTypeIsNull(*output)) return PA_OK;
  if (!mlirTypeIsNull(call->dtype)) return *output = call->dtype, PA_OK;
  return fold_type(inference, instance, op, call, output, out_bottom);
}

static pa_status check_positions(const pa_typing *typing, const pa_ufunc_call *call) {
  if (call->core.input_count < 2 || pa_rank_of(call->facts[1].type) == !pa_is_reduce(call)) return PA_OK;
  if (pa_is_reduce(call)) return pa_typing_fail(typing, PA_CODE_TYPING, "%s(): initial must be a number", call->name);
  return pa_typing_fail(typing, PA_CODE_TYPING, "%s(): the indices have %d dimensions; they must be a 1-D array",
                        call->name, pa_rank_of(call->facts[1].type));
}

//===-- All of them -------------------------------------------------------------------------------===//

pa_status pa_read_ufunc_arguments(pa_inference *inference, pa_instance *instance, MlirOperation op, const char *name,
                                  pa_ufunc_call *call, MlirValue *out_values, bool *out_bottom) {
  pa_typing typing = pa_typing_at(inference, op);
  given_values all = {.operands = out_values};
  PA_TRY(read_positions(inference, &typing, name, call, &all));
  read_facts(inference, instance, call, out_values, out_bottom);
  if (*out_bottom) return PA_OK;
  leave_out_missing(inference, call);
  for (int i = 0; i < pa_operand_count(call); ++i)
    if (!pa_is_bottom(call->facts[i])) PA_TRY(check_operand(&typing, call, name, i));
  PA_TRY(pa_read_ufunc_axis(inference, instance, &typing, name, all.axis, call));
  PA_TRY(read_dtype(inference, instance, &typing, name, all.dtype, call));
  PA_TRY(read_keepdims(inference, instance, &typing, all.keepdims, call));
  if (pa_is_method(call)) PA_TRY(check_positions(&typing, call));
  if (pa_is_method(call)) PA_TRY(choose_output(inference, instance, op, call, out_bottom));
  return *out_bottom ? PA_OK : check_output_ranks(&typing, call, name);
}
