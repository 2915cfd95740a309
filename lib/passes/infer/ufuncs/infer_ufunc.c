// Calls of ufuncs in pyarray-infer-types: which loop serves the arguments, and what comes out.
//
// A ufunc is an untyped function with attribute pyarray.ufunc, its signature, and perhaps pyarray.loops, the types that
// it was declared for. As in NumPy, the loop for exactly the types of the inputs serves, or else the first to whose
// types all arguments can be cast safely; Python literals adapt to the others. Without declared loops the kernel is
// compiled for exactly the types of the arguments.
//
// One with pyarray.folds, a ufunc, is that ufunc's method: reduce, accumulate or reduceat.
#include <string.h>

#include "infer_ufunc.h"

//===-- Loops -------------------------------------------------------------------------------------===//

static bool loop_fits(const pa_ufunc_call *call, MlirType loop) {
  intptr_t count = mlirFunctionTypeGetNumInputs(loop);
  for (int i = 0; i < pa_operand_count(call) && i < count; ++i) {
    if (pa_is_bottom(call->facts[i])) continue;
    MlirType type = mlirFunctionTypeGetInput(loop, i);
    // Whole views are handed on as they are.
    if (pyarrayTypeIsArray(type) ? !mlirTypeEqual(pa_element_of(type), call->elements[i])
                                 : !pa_can_cast_operand(call->facts[i], type))
      return false;
  }
  return true;
}

// A literal of the source has no type of its own.
static bool is_exact_loop(const pa_ufunc_call *call, MlirType loop) {
  for (int i = 0; i < call->core.input_count; ++i)
    if (!mlirAttributeIsNull(call->facts[i].literal) ||
        !mlirTypeEqual(pa_element_of(mlirFunctionTypeGetInput(loop, i)), call->elements[i]))
      return false;
  return true;
}

// What literals adapt to: the type that the other arguments have together, or PA_NOT_SCALAR.
static pa_scalar common_type(const pa_ufunc_call *call) {
  pa_scalar common = PA_NOT_SCALAR;
  for (int i = 0; i < call->core.input_count; ++i) {
    if (!mlirAttributeIsNull(call->facts[i].literal)) continue;
    pa_scalar scalar = pa_scalar_of(call->elements[i]);
    if (scalar == PA_NOT_SCALAR) continue; // a time: nothing adapts to it
    common = common == PA_NOT_SCALAR ? scalar : pa_promote(common, scalar);
  }
  return common;
}

static MlirType adapted(pa_inference *inference, const pa_ufunc_call *call, int number) {
  pa_scalar common = common_type(call);
  bool adapts = !mlirAttributeIsNull(call->facts[number].literal) && !pa_is_time(call->elements[number]) &&
                common != PA_NOT_SCALAR && common != PA_BOOL &&
                pa_can_cast_operand(call->facts[number], pa_scalar_type(inference->context, common));
  return adapts ? pa_scalar_type(inference->context, common) : call->elements[number];
}

// The type of a kernel's parameter for the arguments' own types.
static MlirType exact_parameter(pa_inference *inference, const pa_ufunc_call *call, int number) {
  int rank = call->full.operands[number].rank;
  if (rank == 0 && number < call->core.input_count) return adapted(inference, call, number);
  return pa_array_type(inference->context, rank ? rank : 1, call->elements[number], PYARRAY_LAYOUT_A, false);
}

static const char *types_text(pa_inference *inference, const pa_ufunc_call *call) {
  const char *text = "";
  for (int i = 0; i < call->core.input_count; ++i)
    text = pa_arena_format(inference->arena, "%s%s%s", text, i ? ", " : "",
                           pa_type_text(inference->arena, call->facts[i].type));
  return text;
}

// Views of core dimensions have any strides, whatever layout was declared.
static MlirType core_type(pa_inference *inference, MlirType type) {
  if (!pyarrayTypeIsArray(type)) return type;
  return pa_array_type(inference->context, pa_rank_of(type), pa_element_of(type), PYARRAY_LAYOUT_A, false);
}

// A function type with |capacity| parameters, and one number for each output if it has a result.
static bool is_loop(const pa_ufunc_call *call, MlirType loop, int capacity) {
  if (mlirTypeIsNull(loop) || !mlirTypeIsAFunction(loop) || mlirFunctionTypeGetNumInputs(loop) != capacity)
    return false;
  if (!mlirFunctionTypeGetNumResults(loop)) return true;
  MlirType result = mlirFunctionTypeGetResult(loop, 0);
  if (pyarrayTypeIsNone(result)) return capacity == pa_operand_count(call);
  intptr_t count = mlirTypeIsATuple(result) ? mlirTupleTypeGetNumTypes(result) : 1;
  bool fits = count == call->core.output_count;
  for (intptr_t i = 0; fits && i < count; ++i)
    fits = pa_is_element(mlirTypeIsATuple(result) ? mlirTupleTypeGetType(result, i) : result);
  return fits;
}

static pa_status take_loop(pa_inference *inference, pa_ufunc_call *call, MlirType loop, pa_fact *out_parameters,
                           int *out_count) {
  if (mlirFunctionTypeGetNumResults(loop)) call->declared = mlirFunctionTypeGetResult(loop, 0);
  *out_count = (int)mlirFunctionTypeGetNumInputs(loop);
  for (int k = 0; k < *out_count; ++k)
    out_parameters[k] = pa_fact_of(core_type(inference, mlirFunctionTypeGetInput(loop, k)));
  return PA_OK;
}

static pa_status choose_loop(pa_inference *inference, const pa_typing *typing, MlirOperation function, const char *name,
                             pa_ufunc_call *call, pa_fact *out_parameters, int *out_count) {
  MlirAttribute loops = pa_get_attr(function, "pyarray.loops");
  int capacity = (int)mlirBlockGetNumArguments(pa_body(function, 0));
  if (!mlirAttributeIsNull(loops) && !mlirAttributeIsAArray(loops))
    return pa_typing_fail(typing, PA_CODE_INVALID, "pyarray.loops holds an array of types");
  intptr_t count = mlirAttributeIsNull(loops) ? 0 : mlirArrayAttrGetNumElements(loops);
  MlirType chosen = {NULL};
  bool is_exact = false;
  for (intptr_t i = 0; i < count && !is_exact; ++i) {
    MlirAttribute element = mlirArrayAttrGetElement(loops, i);
    MlirType loop = mlirAttributeIsAType(element) ? mlirTypeAttrGetValue(element) : (MlirType){NULL};
    if (!is_loop(call, loop, capacity))
      return pa_typing_fail(typing, PA_CODE_INVALID, "a loop of '%s' does not fit its function", name);
    if (!loop_fits(call, loop)) continue;
    is_exact = is_exact_loop(call, loop);
    if (is_exact || mlirTypeIsNull(chosen)) chosen = loop;
  }
  if (!mlirTypeIsNull(chosen)) return take_loop(inference, call, chosen, out_parameters, out_count);
  if (count)
    return pa_typing_fail(typing, PA_CODE_TYPING,
                          "ufunc '%s' did not contain a loop with signature matching types (%s)", name,
                          types_text(inference, call));
  *out_count = capacity;
  for (int k = 0; k < *out_count; ++k) {
    if (mlirTypeIsNull(call->elements[k]))
      return pa_typing_fail(typing, PA_CODE_TYPING,
                            "%s(): without signatures the output %d must be given, since the function writes to it",
                            name, k - call->core.input_count + 1);
    out_parameters[k] = pa_fact_of(exact_parameter(inference, call, k));
  }
  return PA_OK;
}

// New outputs have core dimensions that inputs have too, or of fixed size.
static pa_status check_new_outputs(const pa_typing *typing, const pa_ufunc_call *call, const char *name) {
  bool known[PA_MAX_CORE_DIMENSIONS] = {false};
  for (int i = 0; i < pa_operand_count(call); ++i) {
    const pa_core_operand *core = &call->core.operands[i];
    for (int k = 0; k < core->rank; ++k) {
      int d = core->dimensions[k];
      if (i < call->core.input_count || call->core.dimensions[d].size >= 0) known[d] = true;
      if (!known[d] && pa_is_bottom(call->facts[i]))
        return pa_typing_fail(typing, PA_CODE_TYPING,
                              "%s(): output operand %d has core dimension %.*s unspecified, with gufunc signature %s",
                              name, i - call->core.input_count, (int)call->core.dimensions[d].length,
                              call->core.dimensions[d].name, pa_attr_text(typing->arena, call->signature));
    }
  }
  return PA_OK;
}

const char *pa_ufunc_name(pa_inference *inference, MlirOperation function, const char *otherwise) {
  const char *name = pa_attr_text(inference->arena, pa_get_attr(function, "pyarray.qualname")),
             *dot = name ? strrchr(name, '.') : NULL;
  return dot ? dot + 1 : name ? name : otherwise;
}

static pa_status find_folded(pa_inference *inference, const pa_typing *typing, MlirAttribute folds,
                             pa_ufunc_call *call) {
  if (mlirAttributeIsAFlatSymbolRef(folds))
    call->folds = pa_lookup(inference->module, mlirFlatSymbolRefAttrGetValue(folds));
  bool fits = !mlirOperationIsNull(call->folds) && mlirBlockGetNumArguments(pa_body(call->folds, 0)) == 2 &&
              call->core.output_count == 1;
  return fits ? PA_OK
              : pa_typing_fail(typing, PA_CODE_INVALID,
                               "pyarray.folds names a function of two parameters, and its method has one output");
}

static bool is_none(pa_fact fact) { return !pa_is_bottom(fact) && pyarrayTypeIsNone(fact.type); }

// The function that serves a call with initial=, where |function| names one: it has that input too. None is as if it
// were not there.
static MlirOperation with_initial(pa_inference *inference, pa_instance *instance, MlirOperation op,
                                  MlirOperation function) {
  MlirAttribute keywords = pa_get_attr(op, "kw"), other = pa_get_attr(function, "pyarray.with_initial");
  if (mlirAttributeIsNull(keywords) || mlirAttributeIsNull(other) || !mlirAttributeIsAFlatSymbolRef(other))
    return function;
  bool is_given = false;
  intptr_t named = mlirArrayAttrGetNumElements(keywords), first = mlirOperationGetNumOperands(op) - named;
  for (intptr_t i = 0; i < named; ++i)
    is_given = is_given || (pa_ref_equal(mlirStringAttrGetValue(mlirArrayAttrGetElement(keywords, i)), "initial") &&
                            !is_none(pa_fact_get(inference, instance, mlirOperationGetOperand(op, first + i))));
  MlirOperation found = is_given ? pa_lookup(inference->module, mlirFlatSymbolRefAttrGetValue(other)) : function;
  return mlirOperationIsNull(found) ? function : found;
}

pa_status pa_resolve_ufunc(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirOperation function,
                           pa_resolved_call *out) {
  pa_typing typing = pa_typing_at(inference, op);
  pa_ufunc_call *call = PA_NEW(inference->arena, pa_ufunc_call);
  function = with_initial(inference, instance, op, function);
  call->signature = pa_get_attr(function, "pyarray.ufunc");
  const char *name = pa_attr_text(inference->arena, pa_get_attr(function, "sym_name"));
  if (!mlirAttributeIsAString(call->signature))
    return pa_typing_fail(&typing, PA_CODE_INVALID, "pyarray.ufunc holds a string");
  MlirStringRef text = mlirStringAttrGetValue(call->signature);
  if (pa_core_signature_parse(text.data, text.length, &call->full))
    return pa_typing_fail(&typing, PA_CODE_INVALID, "malformed signature '%.*s'", (int)text.length, text.data);
  call->core = call->full;
  call->called = call->signature;
  call->name = pa_ufunc_name(inference, function, name);
  MlirAttribute folds = pa_get_attr(function, "pyarray.folds");
  MlirAttribute identity = pa_get_attr(function, "pyarray.identity");
  if (!mlirAttributeIsNull(folds) && !mlirAttributeIsNull(identity) && mlirAttributeIsAString(identity))
    call->identity = identity;
  if (!mlirAttributeIsNull(folds)) PA_TRY(find_folded(inference, &typing, folds, call));
  int count = pa_operand_count(call), parameters;
  call->facts = PA_NEW_ARRAY(inference->arena, pa_fact, count + 1);
  call->elements = PA_NEW_ARRAY(inference->arena, MlirType, count + 1);
  MlirValue *values = PA_NEW_ARRAY(inference->arena, MlirValue, count + 1);
  *out = (pa_resolved_call){.arguments = values, .count = count, .ufunc = call};
  PA_TRY(pa_read_ufunc_arguments(inference, instance, op, name, call, values, &out->bottom));
  if (out->bottom) return PA_OK;
  int capacity = (int)mlirBlockGetNumArguments(pa_body(function, 0));
  if (capacity != count && capacity != call->core.input_count)
    return pa_typing_fail(&typing, PA_CODE_TYPING, "the function of '%s' has %d parameters, but its signature is %.*s",
                          name, capacity, (int)text.length, text.data);
  pa_fact *types = PA_NEW_ARRAY(inference->arena, pa_fact, count + 1);
  PA_TRY(check_new_outputs(&typing, call, name));
  PA_TRY(choose_loop(inference, &typing, function, name, call, types, &parameters));
  out->instance = call->kernel = pa_instance_get(inference, function, types, parameters);
  return PA_OK;
}

//===-- Results -----------------------------------------------------------------------------------===//

bool pa_kernel_returns(const pa_ufunc_call *call) { return call->kernel->argument_count == call->core.input_count; }

static MlirType kernel_output(const pa_ufunc_call *call, int number) {
  if (!pa_kernel_returns(call)) return pa_element_of(call->kernel->arguments[call->core.input_count + number]);
  MlirType result = mlirTypeIsNull(call->declared) ? call->kernel->result.type : call->declared;
  return mlirTypeIsATuple(result) ? mlirTupleTypeGetType(result, number) : result;
}

bool pa_is_scalar_call(const pa_ufunc_call *call) {
  for (int i = 0; i < pa_operand_count(call); ++i)
    if ((!pa_is_bottom(call->facts[i]) && pyarrayTypeIsArray(call->facts[i].type)) || call->full.operands[i].rank)
      return false;
  return pa_kernel_returns(call);
}

MlirType pa_ufunc_output_type(pa_inference *inference, const pa_ufunc_call *call, int number) {
  int operand = call->core.input_count + number;
  if (!pa_is_bottom(call->facts[operand])) return call->facts[operand].type;
  int rank = call->rank + call->core.operands[operand].rank;
  if (call->keeps_axes)
    return pa_array_type(inference->context, rank + call->axis_count, kernel_output(call, number), PYARRAY_LAYOUT_A,
                         false);
  if (rank == 0) return kernel_output(call, number); // as NumPy's scalars
  bool is_view = pa_has_moved_axis(call, operand) && !pa_is_last_axis(call->axis, rank);
  return pa_array_type(inference->context, rank, kernel_output(call, number),
                       is_view ? PYARRAY_LAYOUT_A : PYARRAY_LAYOUT_C, false);
}

static pa_status check_kernel_result(pa_inference *inference, MlirOperation op, const pa_ufunc_call *call) {
  pa_typing typing = pa_typing_at(inference, op);
  MlirType result = call->kernel->result.type;
  if (!pa_kernel_returns(call)) return PA_OK;
  intptr_t count = mlirTypeIsATuple(result) ? mlirTupleTypeGetNumTypes(result) : 1;
  bool fits = count == call->core.output_count;
  for (int i = 0; fits && i < count; ++i)
    fits = pa_is_element(kernel_output(call, i)) && !call->core.operands[call->core.input_count + i].rank;
  if (fits) return PA_OK;
  return pa_typing_fail(&typing, PA_CODE_TYPING, "the signature is %s, but the function returns %s",
                        pa_attr_text(inference->arena, call->signature), pa_type_text(inference->arena, result));
}

pa_status pa_ufunc_result(pa_inference *inference, MlirOperation op, const pa_ufunc_call *call, pa_fact *out_result) {
  *out_result = (pa_fact){0};
  if (pa_is_bottom(call->kernel->result)) return PA_OK;
  PA_TRY(check_kernel_result(inference, op, call));
  int count = call->core.output_count;
  MlirType *types = PA_NEW_ARRAY(inference->arena, MlirType, count + 1);
  for (int i = 0; i < count; ++i) types[i] = pa_ufunc_output_type(inference, call, i);
  *out_result = pa_fact_of(count == 1 ? types[0] : mlirTupleTypeGet(inference->context, count, types));
  return PA_OK;
}
