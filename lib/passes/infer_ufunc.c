// Calls of ufuncs in pyarray-infer-types: which loop serves the arguments, and the pyarray.ufunc that the call becomes.
//
// A ufunc is an untyped function with attribute pyarray.ufunc, its signature, and perhaps pyarray.loops, the types that it
// was declared for. As in NumPy, the loop for exactly the types of the inputs serves, or else the first to whose types all arguments
// can be cast safely; Python literals adapt to the others. Without declared loops the kernel is compiled for exactly the types of the arguments.
#include <string.h>

#include "infer_internal.h"
#include "support/core_signature.h"

struct pa_ufunc_call {
  pa_core_signature full, core; // of the function; without the dimensions that this call leaves out
  MlirAttribute signature;      // the text of |full|
  MlirAttribute called;         // of |core|
  const char *name;             // for errors at run time
  pa_fact *facts;     // of all operands; bottom: an output that was not given
  MlirType *elements; // of the operands: what arrays hold, or the number's own type
  pa_instance *kernel;
  MlirType declared; // what the loop returns, where it says so
  int rank;          // of the loop
};

static int operand_count(const pa_ufunc_call *call) { return call->core.input_count + call->core.output_count; }

static MlirType element_of(MlirType type) { return pyarrayTypeIsArray(type) ? pyarrayArrayTypeGetElement(type) : type; }
static int rank_of(MlirType type) { return pyarrayTypeIsArray(type) ? (int)pyarrayArrayTypeGetRank(type) : 0; }

static bool is_element(MlirType type) { return pa_scalar_of(type) != PA_NOT_SCALAR || pa_is_time(type); }

//===-- Optional dimensions -----------------------------------------------------------------------===//

// Marks the optional dimensions that arguments have too few dimensions for. As in NumPy, one that an argument lacks is left out
// of all operands.
static bool find_missing(const pa_ufunc_call *call, bool *out_missing) {
  int ranks[PA_MAX_OPERANDS];
  bool any = false;
  for (int i = 0; i < operand_count(call); ++i) ranks[i] = call->full.operands[i].rank;
  for (int i = 0; i < operand_count(call); ++i) {
    const pa_core_operand *own = &call->full.operands[i];
    if (pa_is_bottom(call->facts[i])) continue;
    for (int k = 0; k < own->rank && rank_of(call->facts[i].type) < ranks[i]; ++k) {
      int dimension = own->dimensions[k];
      if (!call->full.dimensions[dimension].optional || out_missing[dimension]) continue;
      any = out_missing[dimension] = true;
      for (int other = 0; other < operand_count(call); ++other)
        for (int at = 0; at < call->full.operands[other].rank; ++at) ranks[other] -= call->full.operands[other].dimensions[at] == dimension;
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
      text = pa_arena_format(arena, "%s%s%.*s%s", text, separator, (int)full->dimensions[dimension].length, full->dimensions[dimension].name,
                             full->dimensions[dimension].optional ? "?" : "");
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

//===-- Arguments ---------------------------------------------------------------------------------===//

static pa_status check_operand(const pa_typing *typing, pa_ufunc_call *call, const char *name, int number) {
  MlirType type = call->facts[number].type;
  int core = call->core.operands[number].rank;
  bool output = number >= call->core.input_count;
  if (!is_element(element_of(type)) || (output && !pyarrayTypeIsArray(type)))
    return pa_typing_fail(typing, PA_CODE_TYPING, "%s(): %s %d has type %s; expected %s", name, output ? "output" : "argument",
                          output ? number - call->core.input_count + 1 : number + 1, pa_type_text(typing->arena, type),
                          output ? "an array" : "a number or an array of numbers");
  if (output && pyarrayArrayTypeIsReadonly(type)) return pa_typing_fail(typing, PA_CODE_TYPING, "%s(): output array is read-only", name);
  if (rank_of(type) < core)
    return pa_typing_fail(typing, PA_CODE_TYPING, "%s: %s operand %d does not have enough dimensions (has %d, gufunc core with signature %s requires %d)",
                          call->name, output ? "Output" : "Input", output ? number - call->core.input_count : number, rank_of(type), pa_attr_text(typing->arena, call->signature), core);
  int loop = rank_of(type) - core;
  if (loop > call->rank) call->rank = loop;
  return PA_OK;
}

// An output has all loop dimensions: it is not stretched.
static pa_status check_output_ranks(const pa_typing *typing, const pa_ufunc_call *call, const char *name) {
  for (int i = call->core.input_count; i < operand_count(call); ++i) {
    if (pa_is_bottom(call->facts[i])) continue;
    int rank = rank_of(call->facts[i].type), wanted = call->rank + call->core.operands[i].rank;
    if (rank != wanted)
      return pa_typing_fail(typing, PA_CODE_TYPING, "%s(): non-broadcastable output operand: it has %d dimensions, but the broadcast shape has %d",
                            name, rank, wanted);
  }
  return PA_OK;
}

// Positional arguments are inputs, then outputs; |out| may be given by name where there is one output.
static pa_status read_arguments(pa_inference *inference, pa_instance *instance, MlirOperation op, const char *name,
                                pa_ufunc_call *call, MlirValue *out_values, bool *out_bottom) {
  pa_typing typing = pa_typing_at(inference, op);
  MlirAttribute keywords = pa_get_attr(op, "kw");
  intptr_t named = mlirAttributeIsNull(keywords) ? 0 : mlirArrayAttrGetNumElements(keywords);
  intptr_t positional = mlirOperationGetNumOperands(op) - 1 - named;
  if (positional < call->core.input_count || positional > operand_count(call))
    return pa_typing_fail(&typing, PA_CODE_TYPING, "%s() takes from %d to %d positional arguments but %d were given", name,
                          call->core.input_count, operand_count(call), (int)positional);
  for (intptr_t i = 0; i < positional; ++i) out_values[i] = mlirOperationGetOperand(op, 1 + i);
  for (intptr_t k = 0; k < named; ++k) {
    MlirStringRef keyword = mlirStringAttrGetValue(mlirArrayAttrGetElement(keywords, k));
    if (!pa_ref_equal(keyword, "out") || call->core.output_count != 1 || positional > call->core.input_count)
      return pa_typing_fail(&typing, PA_CODE_UNSUPPORTED, "%s(): the keyword argument '%.*s' is not supported in compiled code", name,
                            (int)keyword.length, keyword.data);
    out_values[call->core.input_count] = mlirOperationGetOperand(op, 1 + positional + k);
  }
  for (int i = 0; i < operand_count(call); ++i) {
    if (mlirValueIsNull(out_values[i])) continue;
    call->facts[i] = pa_fact_get(inference, instance, out_values[i]);
    if (pa_is_bottom(call->facts[i])) return *out_bottom = true, PA_OK;
    if (i >= call->core.input_count && pyarrayTypeIsNone(call->facts[i].type)) { // out=None
      out_values[i] = (MlirValue){NULL};
      call->facts[i] = (pa_fact){{NULL}, {NULL}};
      continue;
    }
    call->elements[i] = element_of(call->facts[i].type);
  }
  leave_out_missing(inference, call);
  for (int i = 0; i < operand_count(call); ++i)
    if (!pa_is_bottom(call->facts[i])) PA_TRY(check_operand(&typing, call, name, i));
  return check_output_ranks(&typing, call, name);
}

//===-- Loops -------------------------------------------------------------------------------------===//

static bool holds(pa_scalar type, pa_fact literal) {
  int64_t value;
  if (!pa_is_integer(type) || !pa_literal_int(literal, &value)) return true;
  int bits = 8 * pa_scalar_bytes(type) - pa_is_signed(type); // of the largest value
  return bits < 63 ? value >> bits == 0 || (pa_is_signed(type) && value >> bits == -1) : pa_is_signed(type) || value >= 0;
}

// A literal of the source fits every type that holds its value, exactly or rounded.
static bool can_cast(pa_fact fact, MlirType to) {
  pa_scalar from = pa_scalar_of(element_of(fact.type)), target = pa_scalar_of(element_of(to));
  if (pa_is_time(element_of(to))) return pa_can_cast_time(element_of(fact.type), element_of(to));
  if (from == PA_NOT_SCALAR || target == PA_NOT_SCALAR) return false;
  if (mlirAttributeIsNull(fact.literal) || from == PA_BOOL) return pa_promote(from, target) == target;
  if (pa_is_integer(from)) return target != PA_BOOL && holds(target, fact);
  return pa_is_complex(from) ? pa_is_complex(target) : pa_is_complex(target) || pa_is_float(target);
}

static bool loop_fits(const pa_ufunc_call *call, MlirType loop) {
  intptr_t count = mlirFunctionTypeGetNumInputs(loop);
  for (int i = 0; i < operand_count(call) && i < count; ++i) {
    if (pa_is_bottom(call->facts[i])) continue;
    MlirType type = mlirFunctionTypeGetInput(loop, i);
    // Whole views are handed on as they are.
    if (pyarrayTypeIsArray(type) ? !mlirTypeEqual(element_of(type), call->elements[i]) : !can_cast(call->facts[i], type)) return false;
  }
  return true;
}

// A literal of the source has no type of its own.
static bool is_exact_loop(const pa_ufunc_call *call, MlirType loop) {
  for (int i = 0; i < call->core.input_count; ++i)
    if (!mlirAttributeIsNull(call->facts[i].literal) || !mlirTypeEqual(element_of(mlirFunctionTypeGetInput(loop, i)), call->elements[i])) return false;
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
  bool adapts = !mlirAttributeIsNull(call->facts[number].literal) && !pa_is_time(call->elements[number]) && common != PA_NOT_SCALAR && common != PA_BOOL &&
                can_cast(call->facts[number], pa_scalar_type(inference->context, common));
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
    text = pa_arena_format(inference->arena, "%s%s%s", text, i ? ", " : "", pa_type_text(inference->arena, call->facts[i].type));
  return text;
}

// Views of core dimensions have any strides, whatever layout was declared.
static MlirType core_type(pa_inference *inference, MlirType type) {
  if (!pyarrayTypeIsArray(type)) return type;
  return pa_array_type(inference->context, rank_of(type), element_of(type), PYARRAY_LAYOUT_A, false);
}

// A function type with |capacity| parameters, and one number for each output if it has a result.
static bool is_loop(const pa_ufunc_call *call, MlirType loop, int capacity) {
  if (mlirTypeIsNull(loop) || !mlirTypeIsAFunction(loop) || mlirFunctionTypeGetNumInputs(loop) != capacity) return false;
  if (!mlirFunctionTypeGetNumResults(loop)) return true;
  MlirType result = mlirFunctionTypeGetResult(loop, 0);
  if (pyarrayTypeIsNone(result)) return capacity == operand_count(call);
  intptr_t count = mlirTypeIsATuple(result) ? mlirTupleTypeGetNumTypes(result) : 1;
  bool fits = count == call->core.output_count;
  for (intptr_t i = 0; fits && i < count; ++i)
    fits = is_element(mlirTypeIsATuple(result) ? mlirTupleTypeGetType(result, i) : result);
  return fits;
}

static pa_status take_loop(pa_inference *inference, pa_ufunc_call *call, MlirType loop, pa_fact *out_parameters, int *out_count) {
  if (mlirFunctionTypeGetNumResults(loop)) call->declared = mlirFunctionTypeGetResult(loop, 0);
  *out_count = (int)mlirFunctionTypeGetNumInputs(loop);
  for (int k = 0; k < *out_count; ++k) out_parameters[k] = pa_fact_of(core_type(inference, mlirFunctionTypeGetInput(loop, k)));
  return PA_OK;
}

static pa_status choose_loop(pa_inference *inference, const pa_typing *typing, MlirOperation function, const char *name,
                             pa_ufunc_call *call, pa_fact *out_parameters, int *out_count) {
  MlirAttribute loops = pa_get_attr(function, "pyarray.loops");
  int capacity = (int)mlirBlockGetNumArguments(pa_body(function, 0));
  if (!mlirAttributeIsNull(loops) && !mlirAttributeIsAArray(loops)) return pa_typing_fail(typing, PA_CODE_INVALID, "pyarray.loops holds an array of types");
  intptr_t count = mlirAttributeIsNull(loops) ? 0 : mlirArrayAttrGetNumElements(loops);
  MlirType chosen = {NULL};
  bool is_exact = false;
  for (intptr_t i = 0; i < count && !is_exact; ++i) {
    MlirAttribute element = mlirArrayAttrGetElement(loops, i);
    MlirType loop = mlirAttributeIsAType(element) ? mlirTypeAttrGetValue(element) : (MlirType){NULL};
    if (!is_loop(call, loop, capacity)) return pa_typing_fail(typing, PA_CODE_INVALID, "a loop of '%s' does not fit its function", name);
    if (!loop_fits(call, loop)) continue;
    is_exact = is_exact_loop(call, loop);
    if (is_exact || mlirTypeIsNull(chosen)) chosen = loop;
  }
  if (!mlirTypeIsNull(chosen)) return take_loop(inference, call, chosen, out_parameters, out_count);
  if (count)
    return pa_typing_fail(typing, PA_CODE_TYPING, "ufunc '%s' did not contain a loop with signature matching types (%s)", name,
                          types_text(inference, call));
  *out_count = capacity;
  for (int k = 0; k < *out_count; ++k) {
    if (mlirTypeIsNull(call->elements[k]))
      return pa_typing_fail(typing, PA_CODE_TYPING, "%s(): without signatures the output %d must be given, since the function writes to it",
                            name, k - call->core.input_count + 1);
    out_parameters[k] = pa_fact_of(exact_parameter(inference, call, k));
  }
  return PA_OK;
}

// New outputs have core dimensions that inputs have too, or of fixed size.
static pa_status check_new_outputs(const pa_typing *typing, const pa_ufunc_call *call, const char *name) {
  bool known[PA_MAX_CORE_DIMENSIONS] = {false};
  for (int i = 0; i < operand_count(call); ++i) {
    const pa_core_operand *core = &call->core.operands[i];
    for (int k = 0; k < core->rank; ++k) {
      int d = core->dimensions[k];
      if (i < call->core.input_count || call->core.dimensions[d].size >= 0) known[d] = true;
      if (!known[d] && pa_is_bottom(call->facts[i]))
        return pa_typing_fail(typing, PA_CODE_TYPING, "%s(): output operand %d has core dimension %.*s unspecified, with gufunc signature %s", name,
                              i - call->core.input_count, (int)call->core.dimensions[d].length, call->core.dimensions[d].name,
                              pa_attr_text(typing->arena, call->signature));
    }
  }
  return PA_OK;
}

// As its Python function is called.
static const char *plain_name(pa_inference *inference, MlirOperation function, const char *otherwise) {
  const char *name = pa_attr_text(inference->arena, pa_get_attr(function, "pyarray.qualname")), *dot = name ? strrchr(name, '.') : NULL;
  return dot ? dot + 1 : name ? name : otherwise;
}

pa_status pa_resolve_ufunc(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirOperation function,
                           pa_resolved_call *out) {
  pa_typing typing = pa_typing_at(inference, op);
  pa_ufunc_call *call = PA_NEW(inference->arena, pa_ufunc_call);
  call->signature = pa_get_attr(function, "pyarray.ufunc");
  const char *name = pa_attr_text(inference->arena, pa_get_attr(function, "sym_name"));
  if (!mlirAttributeIsAString(call->signature)) return pa_typing_fail(&typing, PA_CODE_INVALID, "pyarray.ufunc holds a string");
  MlirStringRef text = mlirStringAttrGetValue(call->signature);
  if (pa_core_signature_parse(text.data, text.length, &call->full))
    return pa_typing_fail(&typing, PA_CODE_INVALID, "malformed signature '%.*s'", (int)text.length, text.data);
  call->core = call->full;
  call->called = call->signature;
  call->name = plain_name(inference, function, name);
  int count = operand_count(call), parameters;
  call->facts = PA_NEW_ARRAY(inference->arena, pa_fact, count + 1);
  call->elements = PA_NEW_ARRAY(inference->arena, MlirType, count + 1);
  MlirValue *values = PA_NEW_ARRAY(inference->arena, MlirValue, count + 1);
  *out = (pa_resolved_call){.arguments = values, .count = count, .ufunc = call};
  PA_TRY(read_arguments(inference, instance, op, name, call, values, &out->bottom));
  if (out->bottom) return PA_OK;
  int capacity = (int)mlirBlockGetNumArguments(pa_body(function, 0));
  if (capacity != count && capacity != call->core.input_count)
    return pa_typing_fail(&typing, PA_CODE_TYPING, "the function of '%s' has %d parameters, but its signature is %.*s", name, capacity,
                          (int)text.length, text.data);
  pa_fact *types = PA_NEW_ARRAY(inference->arena, pa_fact, count + 1);
  PA_TRY(check_new_outputs(&typing, call, name));
  PA_TRY(choose_loop(inference, &typing, function, name, call, types, &parameters));
  out->instance = call->kernel = pa_instance_get(inference, function, types, parameters);
  return PA_OK;
}

//===-- Results -----------------------------------------------------------------------------------===//

static bool kernel_returns(const pa_ufunc_call *call) { return call->kernel->argument_count == call->core.input_count; }

static MlirType kernel_output(const pa_ufunc_call *call, int number) {
  if (!kernel_returns(call)) return element_of(call->kernel->arguments[call->core.input_count + number]);
  MlirType result = mlirTypeIsNull(call->declared) ? call->kernel->result.type : call->declared;
  return mlirTypeIsATuple(result) ? mlirTupleTypeGetType(result, number) : result;
}

static bool is_scalar_call(const pa_ufunc_call *call) {
  for (int i = 0; i < operand_count(call); ++i)
    if ((!pa_is_bottom(call->facts[i]) && pyarrayTypeIsArray(call->facts[i].type)) || call->full.operands[i].rank) return false;
  return kernel_returns(call);
}

static MlirType output_type(pa_inference *inference, const pa_ufunc_call *call, int number) {
  int operand = call->core.input_count + number;
  if (!pa_is_bottom(call->facts[operand])) return call->facts[operand].type;
  if (call->rank + call->core.operands[operand].rank == 0) return kernel_output(call, number); // as NumPy's scalars
  return pa_array_type(inference->context, call->rank + call->core.operands[operand].rank, kernel_output(call, number), PYARRAY_LAYOUT_C, false);
}

static pa_status check_kernel_result(pa_inference *inference, MlirOperation op, const pa_ufunc_call *call) {
  pa_typing typing = pa_typing_at(inference, op);
  MlirType result = call->kernel->result.type;
  if (!kernel_returns(call)) return PA_OK;
  intptr_t count = mlirTypeIsATuple(result) ? mlirTupleTypeGetNumTypes(result) : 1;
  bool fits = count == call->core.output_count;
  for (int i = 0; fits && i < count; ++i)
    fits = is_element(kernel_output(call, i)) && !call->core.operands[call->core.input_count + i].rank;
  if (fits) return PA_OK;
  return pa_typing_fail(&typing, PA_CODE_TYPING, "the signature is %s, but the function returns %s",
                        pa_attr_text(inference->arena, call->signature), pa_type_text(inference->arena, result));
}

pa_status pa_ufunc_result(pa_inference *inference, MlirOperation op, const pa_ufunc_call *call, pa_fact *out_result) {
  *out_result = (pa_fact){{NULL}, {NULL}};
  if (pa_is_bottom(call->kernel->result)) return PA_OK;
  PA_TRY(check_kernel_result(inference, op, call));
  int count = call->core.output_count;
  MlirType *types = PA_NEW_ARRAY(inference->arena, MlirType, count + 1);
  for (int i = 0; i < count; ++i) types[i] = output_type(inference, call, i);
  *out_result = pa_fact_of(count == 1 ? types[0] : mlirTupleTypeGet(inference->context, count, types));
  return PA_OK;
}

//===-- Emission ----------------------------------------------------------------------------------===//

static MlirValue cast(pa_builder *at, MlirValue value, MlirType type) {
  if (mlirValueIsNull(value) || mlirTypeEqual(mlirValueGetType(value), type)) return value;
  return pa_value(at, "pyarray.cast", PA_OPERANDS(value), PA_RESULTS(type));
}

// The kernel's results for |arguments|, each cast to the type |outputs| says; how many.
static intptr_t emit_kernel(pa_inference *inference, pa_builder *at, const pa_ufunc_call *call, MlirValue *arguments,
                            const MlirType *outputs, MlirValue *out_values) {
  const pa_instance *kernel = call->kernel;
  for (intptr_t i = 0; i < kernel->argument_count; ++i) arguments[i] = cast(at, arguments[i], kernel->arguments[i]);
  MlirType type = kernel->result.type;
  out_values[0] = pa_value(at, "pyarray.call", PA_OPERAND_ARRAY(arguments, kernel->argument_count), PA_RESULTS(type),
                           PA_ATTRS({"callee", pa_symbol_attr(inference->context, kernel->name)}));
  if (!kernel_returns(call)) return 0;
  if (mlirTypeIsATuple(type)) {
    intptr_t count = mlirTupleTypeGetNumTypes(type);
    MlirType *types = PA_NEW_ARRAY(inference->arena, MlirType, count + 1);
    for (intptr_t i = 0; i < count; ++i) types[i] = mlirTupleTypeGetType(type, i);
    MlirOperation unpack = pa_op(at, "pyarray.unpack", PA_OPERANDS(out_values[0]), PA_RESULT_ARRAY(types, count));
    for (intptr_t i = 0; i < count && !mlirOperationIsNull(unpack); ++i) out_values[i] = mlirOperationGetResult(unpack, i);
  }
  for (int i = 0; i < call->core.output_count; ++i) out_values[i] = cast(at, out_values[i], outputs[i]);
  return call->core.output_count;
}

// The view that the kernel takes for parameter |number|, of the one without the dimensions that the call leaves out.
static MlirValue whole_view(pa_inference *inference, pa_builder *at, const pa_ufunc_call *call, int number, MlirValue view) {
  MlirType type = call->kernel->arguments[number];
  int64_t axes[PA_MAX_CORE_DIMENSIONS];
  int count = 0, given = 0, own = call->core.operands[number].rank, whole = call->full.operands[number].rank;
  if (own == whole || whole < 2) return view;
  for (int k = 0; k < whole; ++k) {
    const char *name = call->full.dimensions[call->full.operands[number].dimensions[k]].name;
    size_t length = call->full.dimensions[call->full.operands[number].dimensions[k]].length;
    bool kept = given < own && call->core.dimensions[call->core.operands[number].dimensions[given]].length == length &&
                memcmp(call->core.dimensions[call->core.operands[number].dimensions[given]].name, name, length) == 0;
    if (kept)
      ++given;
    else if (own || k < whole - 1) // an operand without core dimensions comes with one of extent 1
      axes[count++] = k;
  }
  return pa_value(at, "pyarray.insert_axes", PA_OPERANDS(view), PA_RESULTS(type), PA_ATTRS({"axes", mlirDenseI64ArrayGet(inference->context, count, axes)}));
}

// The type of the body's argument for that parameter.
static MlirType argument_type(pa_inference *inference, const pa_ufunc_call *call, int number) {
  MlirType parameter = call->kernel->arguments[number];
  if (!pyarrayTypeIsArray(parameter)) return call->elements[number];
  int own = call->core.operands[number].rank;
  if (own == call->full.operands[number].rank) return parameter;
  return pa_array_type(inference->context, own ? own : 1, element_of(parameter), PYARRAY_LAYOUT_A, false);
}

static MlirRegion emit_body(pa_inference *inference, pa_builder *outer, const pa_ufunc_call *call, const MlirType *outputs) {
  intptr_t count = call->kernel->argument_count;
  MlirType *types = PA_NEW_ARRAY(inference->arena, MlirType, count + 1);
  for (intptr_t i = 0; i < count; ++i) types[i] = argument_type(inference, call, (int)i);
  pa_builder inside = *outer;
  inside.before = (MlirOperation){NULL};
  MlirRegion region = pa_region(outer->location, types, count, &inside.block);
  MlirValue *values = PA_NEW_ARRAY(inference->arena, MlirValue, operand_count(call) + 1);
  MlirValue *results = PA_NEW_ARRAY(inference->arena, MlirValue, operand_count(call) + 1);
  for (intptr_t i = 0; i < count; ++i) values[i] = whole_view(inference, &inside, call, (int)i, mlirBlockGetArgument(inside.block, i));
  intptr_t yielded = emit_kernel(inference, &inside, call, values, outputs, results);
  pa_op(&inside, "pyarray.yield", PA_OPERAND_ARRAY(results, yielded));
  if (inside.failure) outer->failure = inside.failure;
  return region;
}

static MlirValue tuple_of(pa_inference *inference, pa_builder *at, MlirValue *values, int count) {
  if (count == 1) return values[0];
  MlirType *types = PA_NEW_ARRAY(inference->arena, MlirType, count + 1);
  for (int i = 0; i < count; ++i) types[i] = pa_failed(at) ? (MlirType){NULL} : mlirValueGetType(values[i]);
  if (pa_failed(at)) return (MlirValue){NULL};
  return pa_value(at, "pyarray.tuple", PA_OPERAND_ARRAY(values, count), PA_RESULTS(mlirTupleTypeGet(inference->context, count, types)));
}

static MlirValue scalar_of_0d(pa_builder *at, MlirValue array) {
  MlirType type = mlirValueGetType(array);
  if (pyarrayArrayTypeGetRank(type)) return array;
  return pa_value(at, "pyarray.getitem", PA_OPERANDS(array), PA_RESULTS(pyarrayArrayTypeGetElement(type)));
}

// A new output as the call gives it: stored in the array that was given for it, if any.
static MlirValue finish_output(pa_builder *at, const pa_ufunc_call *call, const MlirValue *operands, int number, MlirValue value) {
  int operand = call->core.input_count + number;
  if (pa_is_bottom(call->facts[operand])) return scalar_of_0d(at, value);
  pa_op(at, "pyarray.setitem", PA_OPERANDS(operands[operand], value));
  return operands[operand];
}

// All outputs given, or none: given ones are written by a copy otherwise.
static bool are_outputs_given(const pa_ufunc_call *call) {
  for (int i = call->core.input_count; i < operand_count(call); ++i)
    if (pa_is_bottom(call->facts[i])) return false;
  return true;
}

MlirValue pa_emit_ufunc(pa_inference *inference, pa_builder *at, const pa_ufunc_call *call, MlirValue *operands) {
  int inputs = call->core.input_count, count = call->core.output_count;
  MlirType *types = PA_NEW_ARRAY(inference->arena, MlirType, count + 1), *elements = PA_NEW_ARRAY(inference->arena, MlirType, count + 1);
  MlirValue *results = PA_NEW_ARRAY(inference->arena, MlirValue, count + 1);
  for (int i = 0; i < count; ++i) elements[i] = element_of(types[i] = output_type(inference, call, i));
  if (is_scalar_call(call)) {
    emit_kernel(inference, at, call, operands, elements, results);
    return tuple_of(inference, at, results, count);
  }
  bool given = are_outputs_given(call);
  for (int i = 0; i < count; ++i) types[i] = pa_array_type(inference->context, rank_of(types[i]), elements[i], PYARRAY_LAYOUT_C, false);
  int32_t segments[] = {inputs, given ? count : 0};
  MlirOperation op = pa_op(at, "pyarray.ufunc", PA_OPERAND_ARRAY(operands, given ? inputs + count : inputs),
                           PA_RESULT_ARRAY(types, given ? 0 : count), PA_REGIONS(emit_body(inference, at, call, elements)),
                           PA_ATTRS({"signature", call->called}, {"operandSegmentSizes", mlirDenseI32ArrayGet(inference->context, 2, segments)},
                                    {"pyarray.name", pa_string_attr(inference->context, call->name)}));
  for (int i = 0; i < count && !mlirOperationIsNull(op); ++i)
    results[i] = given ? operands[inputs + i] : finish_output(at, call, operands, i, mlirOperationGetResult(op, i));
  return tuple_of(inference, at, results, count);
}
