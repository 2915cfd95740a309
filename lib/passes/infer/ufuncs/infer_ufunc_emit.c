// Calls of ufuncs in pyarray-infer-types: the pyarray.ufunc that a call becomes, or, on numbers, the call of its
// kernel.
#include <string.h>

#include "infer_ufunc.h"

//===-- Emission ----------------------------------------------------------------------------------===//

static MlirValue cast(pa_builder *at, MlirValue value, MlirType type) {
  if (mlirValueIsNull(value) || mlirTypeEqual(mlirValueGetType(value), type)) return value;
  return pa_value(at, PA_OP_NAME(CAST), PA_OPERANDS(value), PA_RESULTS(type));
}

// The kernel's results for |arguments|, each cast to the type |outputs| says; how many.
static intptr_t emit_kernel(pa_inference *inference, pa_builder *at, const pa_ufunc_call *call, MlirValue *arguments,
                            const MlirType *outputs, MlirValue *out_values) {
  const pa_instance *kernel = call->kernel;
  for (intptr_t i = 0; i < kernel->argument_count; ++i) arguments[i] = cast(at, arguments[i], kernel->arguments[i]);
  MlirType type = kernel->result.type;
  out_values[0] = pa_value(at, PA_OP_NAME(CALL), PA_OPERAND_ARRAY(arguments, kernel->argument_count), PA_RESULTS(type),
                           PA_ATTRS({"callee", pa_symbol_attr(inference->context, kernel->name)}));
  if (!pa_kernel_returns(call)) return 0;
  if (mlirTypeIsATuple(type)) {
    intptr_t count = mlirTupleTypeGetNumTypes(type);
    MlirType *types = PA_NEW_ARRAY(inference->arena, MlirType, count + 1);
    for (intptr_t i = 0; i < count; ++i) types[i] = mlirTupleTypeGetType(type, i);
    MlirOperation unpack = pa_op(at, PA_OP_NAME(UNPACK), PA_OPERANDS(out_values[0]), PA_RESULT_ARRAY(types, count));
    for (intptr_t i = 0; i < count && !mlirOperationIsNull(unpack); ++i)
      out_values[i] = mlirOperationGetResult(unpack, i);
  }
  for (int i = 0; i < call->core.output_count; ++i) out_values[i] = cast(at, out_values[i], outputs[i]);
  return call->core.output_count;
}

// The view that the kernel takes for parameter |number|, of the one without the dimensions that the call leaves out.
static MlirValue whole_view(pa_inference *inference, pa_builder *at, const pa_ufunc_call *call, int number,
                            MlirValue view) {
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
  return pa_value(at, PA_OP_NAME(INSERT_AXES), PA_OPERANDS(view), PA_RESULTS(type),
                  PA_ATTRS({"axes", mlirDenseI64ArrayGet(inference->context, count, axes)}));
}

// The type of the body's argument for that parameter.
static MlirType argument_type(pa_inference *inference, const pa_ufunc_call *call, int number) {
  MlirType parameter = call->kernel->arguments[number];
  if (!pyarrayTypeIsArray(parameter)) return call->elements[number];
  int own = call->core.operands[number].rank;
  if (own == call->full.operands[number].rank) return parameter;
  return pa_array_type(inference->context, own ? own : 1, pa_element_of(parameter), PYARRAY_LAYOUT_A, false);
}

static MlirRegion emit_body(pa_inference *inference, pa_builder *outer, const pa_ufunc_call *call,
                            const MlirType *outputs) {
  intptr_t count = call->kernel->argument_count;
  MlirType *types = PA_NEW_ARRAY(inference->arena, MlirType, count + 1);
  for (intptr_t i = 0; i < count; ++i) types[i] = argument_type(inference, call, (int)i);
  pa_builder inside = *outer;
  inside.before = (MlirOperation){NULL};
  MlirRegion region = pa_region(outer->location, types, count, &inside.block);
  MlirValue *values = PA_NEW_ARRAY(inference->arena, MlirValue, pa_operand_count(call) + 1);
  MlirValue *results = PA_NEW_ARRAY(inference->arena, MlirValue, pa_operand_count(call) + 1);
  for (intptr_t i = 0; i < count; ++i)
    values[i] = whole_view(inference, &inside, call, (int)i, mlirBlockGetArgument(inside.block, i));
  intptr_t yielded = emit_kernel(inference, &inside, call, values, outputs, results);
  pa_op(&inside, PA_OP_NAME(YIELD), PA_OPERAND_ARRAY(results, yielded));
  if (inside.failure) outer->failure = inside.failure;
  return region;
}

static MlirValue tuple_of(pa_inference *inference, pa_builder *at, MlirValue *values, int count) {
  if (count == 1) return values[0];
  MlirType *types = PA_NEW_ARRAY(inference->arena, MlirType, count + 1);
  for (int i = 0; i < count; ++i) types[i] = pa_failed(at) ? (MlirType){NULL} : mlirValueGetType(values[i]);
  if (pa_failed(at)) return (MlirValue){NULL};
  return pa_value(at, PA_OP_NAME(TUPLE), PA_OPERAND_ARRAY(values, count),
                  PA_RESULTS(mlirTupleTypeGet(inference->context, count, types)));
}

static MlirValue scalar_of_0d(pa_builder *at, MlirValue array) {
  MlirType type = mlirValueGetType(array);
  if (pyarrayArrayTypeGetRank(type)) return array;
  return pa_value(at, PA_OP_NAME(GETITEM), PA_OPERANDS(array), PA_RESULTS(pyarrayArrayTypeGetElement(type)));
}

// The view whose core dimension is the last axis, or the other way round.
static MlirValue move_axis(pa_inference *inference, pa_builder *at, const pa_ufunc_call *call, int operand,
                           MlirValue array, bool is_back) {
  bool has_axes = pa_has_moved_axis(call, operand) || (call->axis_count > 1 && !operand);
  if (pa_failed(at) || mlirValueIsNull(array) || !has_axes) return array;
  MlirType type = mlirValueGetType(array);
  int rank = pa_rank_of(type);
  MlirAttribute axes = pa_axes_attr(inference->context, call, operand, rank, is_back);
  if (mlirAttributeIsNull(axes)) return array;
  MlirType view =
      pa_array_type(inference->context, rank, pa_element_of(type), PYARRAY_LAYOUT_A, pyarrayArrayTypeIsReadonly(type));
  return pa_value(at, PA_OP_NAME(TRANSPOSE), PA_OPERANDS(array), PA_RESULTS(view), PA_ATTRS({"axes", axes}));
}

// A new output as the call gives it: stored in the array that was given for it, if any.
static MlirValue finish_output(pa_inference *inference, pa_builder *at, const pa_ufunc_call *call,
                               const MlirValue *operands, int number, MlirValue value) {
  int operand = call->core.input_count + number;
  if (call->keeps_axes)
    return pa_value(at, PA_OP_NAME(INSERT_AXES), PA_OPERANDS(value),
                    PA_RESULTS(pa_ufunc_output_type(inference, call, number)),
                    PA_ATTRS({"axes", mlirDenseI64ArrayGet(inference->context, call->axis_count, call->axes)}));
  if (pa_is_bottom(call->facts[operand])) return scalar_of_0d(at, value);
  pa_op(at, PA_OP_NAME(SETITEM), PA_OPERANDS(operands[operand], value));
  return operands[operand];
}

// All outputs given, or none: given ones are written by a copy otherwise.
static bool are_outputs_given(const pa_ufunc_call *call) {
  for (int i = call->core.input_count; i < pa_operand_count(call); ++i)
    if (pa_is_bottom(call->facts[i])) return false;
  return true;
}

MlirValue pa_emit_ufunc(pa_inference *inference, pa_builder *at, const pa_ufunc_call *call, MlirValue *operands) {
  int inputs = call->core.input_count, count = call->core.output_count;
  MlirType *types = PA_NEW_ARRAY(inference->arena, MlirType, count + 1),
           *elements = PA_NEW_ARRAY(inference->arena, MlirType, count + 1);
  MlirValue *results = PA_NEW_ARRAY(inference->arena, MlirValue, count + 1);
  for (int i = 0; i < count; ++i) elements[i] = pa_element_of(types[i] = pa_ufunc_output_type(inference, call, i));
  if (pa_is_scalar_call(call)) {
    emit_kernel(inference, at, call, operands, elements, results);
    return tuple_of(inference, at, results, count);
  }
  bool given = are_outputs_given(call);
  MlirValue *views = PA_NEW_ARRAY(inference->arena, MlirValue, pa_operand_count(call) + 1);
  for (int i = 0; i < pa_operand_count(call); ++i) views[i] = move_axis(inference, at, call, i, operands[i], false);
  for (int i = 0; i < count; ++i)
    types[i] = pa_array_type(inference->context, pa_rank_of(types[i]) - (call->keeps_axes ? call->axis_count : 0),
                             elements[i], PYARRAY_LAYOUT_C, false);
  int32_t segments[] = {inputs, given ? count : 0};
  MlirOperation op =
      pa_op(at, PA_OP_NAME(UFUNC), PA_OPERAND_ARRAY(views, given ? inputs + count : inputs),
            PA_RESULT_ARRAY(types, given ? 0 : count), PA_REGIONS(emit_body(inference, at, call, elements)),
            PA_ATTRS({"signature", call->called},
                     {"operandSegmentSizes", mlirDenseI32ArrayGet(inference->context, 2, segments)},
                     {"pyarray.name", pa_string_attr(inference->context, call->name)}));
  for (int i = 0; i < count && !mlirOperationIsNull(op); ++i)
    results[i] = given ? operands[inputs + i]
                       : finish_output(inference, at, call, operands, i,
                                       move_axis(inference, at, call, inputs + i, mlirOperationGetResult(op, i), true));
  return tuple_of(inference, at, results, count);
}
