// pyarray-wrap-ufunc: makes the inner loop of a NumPy ufunc of a kernel.
//
// Enters: a typed entry function (the kernel) with attribute `pyarray.ufunc`, a gufunc signature. Leaves: the kernel,
// private, and a new entry whose arguments are the operands, inputs and outputs, with one loop dimension each.
//
//   func.func @f$0(%x: f64, %y: f64) -> f64 attributes {pyarray.entry, pyarray.ufunc = "(),()->()"} { ... }
// becomes
//   func.func @f$0.loop(%a: !pyarray.array<?xf64, A>, %b: !pyarray.array<?xf64, A>, %o: !pyarray.array<?xf64, A>)
//       -> !pyarray.none attributes {pyarray.entry} {
//     pyarray.ufunc "(),()->()" ins(%a, %b : ...) outs(%o : ...) { ... pyarray.call @f$0 ... }
//   }
//
// Operands never share memory, except where they are the same elements. The attribute `pyarray.loop_form` asks for a
// copy of the loop that is for some operands alone; python/ext/ufunc/ufunc_loop.c chooses among them:
//
//   contiguous   every operand, of an elementwise kernel, is contiguous. The entry returns whether its points are so
//   cheap that
//                operands with other strides are better not copied for it.
//   constant vc  so they are, except for constant inputs: a letter for each input, c for a constant one
//   strided      an elementwise kernel whose operands have any strides
//   carried      ufunc.reduce and accumulate: the first input is the output, one point later
//   fixed        the core dimensions have the sizes in the signature, and are contiguous
//   dense        so are they, and the cores of one point after the other
//
// In kernels for a GPU (pyarray.kernel), the attribute `pyarray.operands` has the types of the operands: numbers, and
// arrays with all their loop dimensions. Elements that differ in type from the function's parameters and results are
// converted. The points are for the threads of a grid:
//
//   func.func @f$0.loop(%a: f64, %x: !pyarray.array<?xf32, C>, %o: !pyarray.array<?xf32, C>) -> !pyarray.none
//       attributes {pyarray.entry, pyarray.kernel} {
//     pyarray.ufunc "(),()->()" ins(%a, %x : ...) outs(%o : ...) grid expanded { ... pyarray.call @f$0 ... }
//   }
//
// A boolean operand behind the outputs is the mask of where=: the points where it is false are not computed, and keep
// what they have.
#include <string.h>

#include "ir/ir.h"
#include "ir/whole_arrays.h"
#include "pass.h"
#include "support/core_signature.h"
#include "ufunc_cost.h"

typedef struct wrapping {
  pa_arena *arena;
  MlirContext context;
  MlirOperation kernel;
  MlirAttribute signature;
  pa_core_signature core;
  int count;             // operands
  const char *form;      // "" where there is none
  bool returns;          // the kernel returns its outputs, else it writes to parameters
  MlirType *arguments;   // of the body
  MlirType *operands;    // of the new entry
  MlirType type, result; // the kernel's
  MlirType entry_result;
  MlirAttribute given; // pyarray.operands, or null
  bool is_masked;      // the operand behind the last is a mask
  const pa_names *names;
} wrapping;

//===-- Checks ------------------------------------------------------------------------------------===//

static const char *signature_text(const wrapping *w) { return pa_attr_text(w->arena, w->signature); }

static pa_status fail(const wrapping *w, const char *what) {
  return pa_fail_at(PA_CODE_TYPING, mlirOperationGetLocation(w->kernel), "the signature is %s, but %s",
                    signature_text(w), what);
}

static bool has_form(const wrapping *w, const char *form) { return strcmp(w->form, form) == 0; }

// Whether input |number| is, in the form "constant vc", which may have too few letters.
static bool is_constant(const wrapping *w, int number) {
  static const char prefix[] = "constant ";
  size_t length = sizeof prefix - 1;
  return strncmp(w->form, prefix, length) == 0 && strlen(w->form) > length + (size_t)number &&
         w->form[length + (size_t)number] == 'c';
}

static bool has_constants(const wrapping *w) {
  for (int i = 0; i < PA_MAX_OPERANDS; ++i)
    if (is_constant(w, i)) return true;
  return false;
}

// Of the form that is asked for, NULL for "".
static const char *attribute_of_form(const wrapping *w) {
  return has_form(w, "contiguous") || has_constants(w) ? "unit_strides"
         : has_form(w, "strided")                      ? "strided"
         : has_form(w, "carried")                      ? "carried"
                                                       : NULL;
}

static bool has_fixed_cores(const wrapping *w) { return has_form(w, "fixed") || has_form(w, "dense"); }

static pa_status read_form(wrapping *w) {
  MlirAttribute form = pa_get_attr(w->kernel, "pyarray.loop_form");
  w->form = mlirAttributeIsNull(form) ? "" : pa_attr_text(w->arena, form);
  if (w->form && (!*w->form || attribute_of_form(w) || has_fixed_cores(w))) return PA_OK;
  return pa_fail_at(
      PA_CODE_INVALID, mlirOperationGetLocation(w->kernel),
      "pyarray.loop_form is \"contiguous\", \"constant vc\", \"strided\", \"carried\", \"fixed\" or \"dense\"");
}

static pa_status read_signature(wrapping *w) {
  const char *text = signature_text(w);
  if (!text) return pa_fail_at(PA_CODE_INVALID, mlirOperationGetLocation(w->kernel), "pyarray.ufunc holds a string");
  MlirStringRef ref = mlirStringAttrGetValue(w->signature);
  const char *error = pa_core_signature_parse(ref.data, ref.length, &w->core);
  if (error)
    return pa_fail_at(PA_CODE_INVALID, mlirOperationGetLocation(w->kernel), "malformed signature '%s': %s", text,
                      error);
  w->count = w->core.input_count + w->core.output_count;
  return PA_OK;
}

// A parameter for a core operand is an array of its rank; without core dimensions a number or an array of one element.
static pa_status check_parameter(const wrapping *w, int number) {
  int rank = w->core.operands[number].rank;
  MlirType type = w->arguments[number];
  bool scalar = pa_scalar_of(type) != PA_NOT_SCALAR;
  if (scalar ? rank == 0 : pyarrayTypeIsArray(type) && pyarrayArrayTypeGetRank(type) == (rank ? rank : 1)) {
    if (scalar || pyarrayArrayTypeGetLayout(type) == PYARRAY_LAYOUT_A || (has_fixed_cores(w) && rank)) return PA_OK;
    return fail(w, pa_arena_format(w->arena, "argument %d of the function is %s; core dimensions have layout A",
                                   number + 1, pa_type_text(w->arena, type)));
  }
  return fail(w,
              pa_arena_format(w->arena, "argument %d of the function is %s", number + 1, pa_type_text(w->arena, type)));
}

// Where there are core dimensions, or the kernel writes its outputs, the forms for numbers do not exist.
static pa_status check_form(const wrapping *w) {
  bool is_elementwise = w->returns, has_scalars = true;
  for (int i = 0; i < w->count; ++i) is_elementwise = is_elementwise && !w->core.operands[i].rank;
  for (int i = 0; is_elementwise && i < w->core.input_count; ++i)
    has_scalars = has_scalars && !pyarrayTypeIsArray(w->arguments[i]);
  if (attribute_of_form(w) && !(is_elementwise && has_scalars))
    return fail(w, "the form of its loop is for functions of numbers");
  bool carries =
      w->core.output_count == 1 && w->core.input_count > 0 && mlirTypeEqual(w->operands[0], w->operands[w->count - 1]);
  return has_form(w, "carried") && !carries ? fail(w, "an output cannot be carried to the first input") : PA_OK;
}

static intptr_t result_count(MlirType type) { return mlirTypeIsATuple(type) ? mlirTupleTypeGetNumTypes(type) : 1; }

static MlirType result_type(const wrapping *w, int number) {
  return mlirTypeIsATuple(w->result) ? mlirTupleTypeGetType(w->result, number) : w->result;
}

static pa_status check_results(const wrapping *w) {
  if (result_count(w->result) != w->core.output_count)
    return fail(w, pa_arena_format(w->arena, "the function returns %s", pa_type_text(w->arena, w->result)));
  for (int i = 0; i < w->core.output_count; ++i) {
    if (w->core.operands[w->core.input_count + i].rank)
      return fail(w, "outputs with core dimensions are written to parameters, not returned");
    if (pa_scalar_of(result_type(w, i)) == PA_NOT_SCALAR)
      return fail(w, pa_arena_format(w->arena, "the function returns %s", pa_type_text(w->arena, w->result)));
  }
  return PA_OK;
}

static bool is_grid(const wrapping *w) { return !mlirAttributeIsNull(w->given); }

// Views of cores are of the parameter's own type; numbers are converted.
static bool takes_operand(const wrapping *w, int number, MlirType parameter, MlirType operand) {
  bool is_view = pyarrayTypeIsArray(parameter), is_array = pyarrayTypeIsArray(operand),
       is_output = number >= w->core.input_count;
  if (pa_scalar_of(pa_element_of(operand)) == PA_NOT_SCALAR ||
      (is_view && !mlirTypeEqual(pa_element_of(parameter), pa_element_of(operand))))
    return false;
  if (!is_array) return !is_output && !w->core.operands[number].rank;
  return pyarrayArrayTypeGetRank(operand) > w->core.operands[number].rank &&
         !(is_output && pyarrayArrayTypeIsReadonly(operand));
}

static pa_status read_mask(wrapping *w) {
  MlirAttribute type = mlirArrayAttrGetElement(w->given, w->count);
  w->operands[w->count] = mlirAttributeIsAType(type) ? mlirTypeAttrGetValue(type) : pyarrayNoneTypeGet(w->context);
  if (pa_scalar_of(pa_element_of(w->operands[w->count])) == PA_BOOL) return PA_OK;
  return pa_fail_at(PA_CODE_INVALID, mlirOperationGetLocation(w->kernel), "pyarray.operands: a mask is boolean");
}

static pa_status read_operands(wrapping *w) {
  intptr_t listed = mlirAttributeIsAArray(w->given) ? mlirArrayAttrGetNumElements(w->given) : 0;
  w->is_masked = listed == w->count + 1;
  if ((listed != w->count && !w->is_masked) || *w->form)
    return pa_fail_at(PA_CODE_INVALID, mlirOperationGetLocation(w->kernel),
                      "pyarray.operands has a type for each operand of a loop without form");
  int inputs = (int)mlirFunctionTypeGetNumInputs(w->type);
  for (int i = 0; i < w->count; ++i) {
    MlirAttribute type = mlirArrayAttrGetElement(w->given, i);
    if (mlirAttributeIsAType(type)) w->operands[i] = mlirTypeAttrGetValue(type);
    MlirType parameter = i < inputs ? w->arguments[i] : result_type(w, i - w->core.input_count);
    if (!mlirAttributeIsAType(type) || !takes_operand(w, i, parameter, w->operands[i]))
      return pa_fail_at(PA_CODE_INVALID, mlirOperationGetLocation(w->kernel),
                        "pyarray.operands: the type of operand %d does not fit the function", i + 1);
  }
  return w->is_masked ? read_mask(w) : PA_OK;
}

static MlirType operand_type(const wrapping *w, const pa_core_operand *core, MlirType element) {
  bool is_dense = has_form(w, "dense");
  int64_t shape[1 + PA_MAX_CORE_DIMENSIONS];
  for (int i = 0; i <= core->rank; ++i)
    shape[i] = is_dense && i ? w->core.dimensions[core->dimensions[i - 1]].size : mlirShapedTypeGetDynamicSize();
  pyarray_layout layout =
      is_dense || has_form(w, "contiguous") || has_constants(w) ? PYARRAY_LAYOUT_C : PYARRAY_LAYOUT_A;
  return pyarrayArrayTypeGet(w->context, 1 + core->rank, shape, element, layout, false);
}

static pa_status read_kernel(wrapping *w) {
  MlirAttribute type = pa_get_attr(w->kernel, "function_type");
  w->type = mlirAttributeIsNull(type) || !mlirAttributeIsAType(type) ? (MlirType){NULL} : mlirTypeAttrGetValue(type);
  if (mlirTypeIsNull(w->type) || !mlirTypeIsAFunction(w->type) || mlirFunctionTypeGetNumResults(w->type) != 1)
    return pa_fail_at(PA_CODE_INVALID, mlirOperationGetLocation(w->kernel),
                      "pyarray.ufunc belongs to a function with one result");
  w->result = mlirFunctionTypeGetResult(w->type, 0);
  intptr_t parameters = mlirFunctionTypeGetNumInputs(w->type);
  w->returns = !pyarrayTypeIsNone(w->result);
  if (!w->returns && parameters == w->core.input_count)
    return fail(w, pa_arena_format(w->arena, "the function returns nothing\nhint: return a number for each output (%d)",
                                   w->core.output_count));
  if (parameters != (w->returns ? w->core.input_count : w->count))
    return fail(w, pa_arena_format(w->arena,
                                   w->returns ? "the function has %d parameters and returns %s"
                                              : "the function has %d parameters and returns nothing",
                                   (int)parameters, pa_type_text(w->arena, w->result)));
  w->arguments = PA_NEW_ARRAY(w->arena, MlirType, w->count + 1);
  w->operands = PA_NEW_ARRAY(w->arena, MlirType, w->count + 1); // and a mask
  for (int i = 0; i < parameters; ++i) {
    w->arguments[i] = mlirFunctionTypeGetInput(w->type, i);
    PA_TRY(check_parameter(w, i));
  }
  if (w->returns) PA_TRY(check_results(w));
  for (int i = 0; i < w->count; ++i) {
    MlirType type = i < parameters ? w->arguments[i] : result_type(w, i - w->core.input_count);
    w->operands[i] = operand_type(w, &w->core.operands[i], pa_element_of(type));
  }
  return is_grid(w) ? read_operands(w) : check_form(w);
}

//===-- The new entry -----------------------------------------------------------------------------===//

static pa_builder inside(const pa_builder *outer, MlirBlock block) {
  pa_builder builder = *outer;
  builder.block = block;
  return builder;
}

static MlirValue convert(pa_builder *builder, MlirValue value, MlirType type) {
  if (mlirValueIsNull(value) || mlirTypeEqual(mlirValueGetType(value), type)) return value;
  return pa_value(builder, PA_OP_NAME(CAST), PA_OPERANDS(value), PA_RESULTS(type));
}

// The kernel's outputs for the parameters |values|, as |out_values|; how many there are.
static intptr_t emit_call(const wrapping *w, pa_builder *builder, MlirValue *values, MlirValue *out_values) {
  intptr_t parameters = mlirFunctionTypeGetNumInputs(w->type), count = w->returns ? w->core.output_count : 0;
  for (intptr_t i = 0; i < parameters; ++i) values[i] = convert(builder, values[i], w->arguments[i]);
  MlirAttribute callee =
      mlirFlatSymbolRefAttrGet(w->context, mlirStringAttrGetValue(pa_get_attr(w->kernel, "sym_name")));
  out_values[0] = pa_value(builder, PA_OP_NAME(CALL), PA_OPERAND_ARRAY(values, parameters), PA_RESULTS(w->result),
                           PA_ATTRS({"callee", callee}));
  if (mlirTypeIsATuple(w->result) && count) {
    MlirType *types = PA_NEW_ARRAY(w->arena, MlirType, count);
    for (int i = 0; i < count; ++i) types[i] = result_type(w, i);
    MlirOperation unpack =
        pa_op(builder, PA_OP_NAME(UNPACK), PA_OPERANDS(out_values[0]), PA_RESULT_ARRAY(types, count));
    for (int i = 0; i < count && !mlirOperationIsNull(unpack); ++i) out_values[i] = mlirOperationGetResult(unpack, i);
  }
  for (intptr_t i = 0; i < count; ++i)
    out_values[i] = convert(builder, out_values[i], pa_element_of(w->operands[w->core.input_count + i]));
  return count;
}

static MlirType body_argument(const wrapping *w, intptr_t number) {
  return pyarrayTypeIsArray(w->arguments[number]) ? w->arguments[number] : pa_element_of(w->operands[number]);
}

static MlirRegion make_body(const wrapping *w, pa_builder *outer) {
  MlirBlock block;
  intptr_t parameters = mlirFunctionTypeGetNumInputs(w->type);
  MlirType *arguments = PA_NEW_ARRAY(w->arena, MlirType, parameters + 1);
  MlirValue *values = PA_NEW_ARRAY(w->arena, MlirValue, parameters + 1),
            *outputs = PA_NEW_ARRAY(w->arena, MlirValue, w->count + 1);
  for (intptr_t i = 0; i < parameters; ++i) arguments[i] = body_argument(w, i);
  MlirRegion region = pa_region(outer->location, arguments, parameters, &block);
  pa_builder builder = inside(outer, block);
  for (intptr_t i = 0; i < parameters; ++i) values[i] = mlirBlockGetArgument(block, i);
  intptr_t count = emit_call(w, &builder, values, outputs);
  pa_op(&builder, PA_OP_NAME(YIELD), PA_OPERAND_ARRAY(outputs, count));
  outer->failure = builder.failure;
  return region;
}

static MlirValue zero(const wrapping *w, pa_builder *builder) {
  MlirType index = pa_scalar_type(w->context, PA_I64);
  return pa_value(builder, PA_OP_NAME(CONSTANT), PA_RESULTS(index), PA_ATTRS({"value", mlirIntegerAttrGet(index, 0)}));
}

// The body's arguments are inputs, the mask and views of the outputs.
static MlirRegion make_masked_body(const wrapping *w, pa_builder *outer) {
  MlirBlock block, then;
  int inputs = w->core.input_count, count = w->count + 1;
  int64_t dynamic = mlirShapedTypeGetDynamicSize();
  MlirType *arguments = PA_NEW_ARRAY(w->arena, MlirType, count);
  MlirValue *values = PA_NEW_ARRAY(w->arena, MlirValue, count), *outputs = PA_NEW_ARRAY(w->arena, MlirValue, count);
  for (int i = 0; i < inputs; ++i) arguments[i] = body_argument(w, i);
  arguments[inputs] = pa_element_of(w->operands[w->count]);
  for (int i = inputs; i < w->count; ++i)
    arguments[i + 1] = w->returns ? pyarrayArrayTypeGet(w->context, 1, &dynamic, pa_element_of(w->operands[i]),
                                                        PYARRAY_LAYOUT_A, false)
                                  : w->arguments[i];
  MlirRegion region = pa_region(outer->location, arguments, count, &block),
             branch = pa_region(outer->location, NULL, 0, &then);
  pa_builder builder = inside(outer, block), masked = inside(outer, then);
  for (int i = 0; i < w->count; ++i) values[i] = mlirBlockGetArgument(block, i + (i >= inputs));
  intptr_t made = emit_call(w, &masked, values, outputs);
  for (intptr_t i = 0; i < made; ++i)
    pa_op(&masked, PA_OP_NAME(SETITEM),
          PA_OPERANDS(mlirBlockGetArgument(block, inputs + 1 + i), zero(w, &masked), outputs[i]));
  pa_op(&masked, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(NULL, 0));
  if (!builder.failure) builder.failure = masked.failure;
  pa_op(&builder, PA_OP_NAME(SCF_IF), PA_OPERANDS(mlirBlockGetArgument(block, inputs)),
        PA_REGIONS(branch, mlirRegionCreate()));
  pa_op(&builder, PA_OP_NAME(YIELD), PA_OPERAND_ARRAY(NULL, 0));
  outer->failure = builder.failure;
  return region;
}

static MlirAttribute segments(const wrapping *w) {
  int32_t sizes[] = {w->core.input_count + w->is_masked, w->core.output_count};
  return mlirDenseI32ArrayGet(w->context, 2, sizes);
}

static MlirValue first_element(const wrapping *w, pa_builder *builder, MlirValue array) {
  return pa_value(builder, PA_OP_NAME(ITER_ITEM), PA_OPERANDS(array, zero(w, builder)),
                  PA_RESULTS(pa_element_of(mlirValueGetType(array))));
}

// The mask is the last input.
static MlirAttribute signature_of_operands(const wrapping *w, MlirValue *operands) {
  if (!w->is_masked) return w->signature;
  int inputs = w->core.input_count;
  MlirValue mask = operands[w->count];
  memmove(operands + inputs + 1, operands + inputs, (size_t)w->core.output_count * sizeof *operands);
  operands[inputs] = mask;
  const char *text = signature_text(w), *arrow = strstr(text, "->");
  return pa_string_attr(w->context, pa_arena_format(w->arena, "%.*s,()%s", (int)(arrow - text), text, arrow));
}

static void fill_entry(const wrapping *w, pa_builder *builder, MlirValue *operands) {
  const char *form = is_grid(w) ? "grid" : attribute_of_form(w);
  for (int i = 0; i < w->core.input_count; ++i)
    if (is_constant(w, i)) operands[i] = first_element(w, builder, operands[i]);
  MlirAttribute signature = signature_of_operands(w, operands);
  MlirRegion body = w->is_masked ? make_masked_body(w, builder) : make_body(w, builder);
  pa_op(builder, PA_OP_NAME(UFUNC), PA_OPERAND_ARRAY(operands, w->count + w->is_masked), PA_REGIONS(body),
        PA_ATTRS({"signature", signature}, {"operandSegmentSizes", segments(w)}, {"expanded", pa_unit_attr(w->context)},
                 {form ? form : "packed", form ? pa_unit_attr(w->context) : mlirAttributeGetNull()}));
  bool is_cheap = pa_ufunc_cost(w->names, pa_body(w->kernel, 0)) < PA_EXPENSIVE_POINT;
  MlirAttribute result =
      has_form(w, "contiguous") ? mlirIntegerAttrGet(w->entry_result, is_cheap) : pa_unit_attr(w->context);
  pa_op(builder, PA_OP_NAME(RETURN),
        PA_OPERANDS(pa_value(builder, PA_OP_NAME(CONSTANT), PA_RESULTS(w->entry_result), PA_ATTRS({"value", result}))));
}

// Inputs may be numbers in place of contiguous arrays (map_grid_numbers.c).
static MlirAttribute takes_numbers(const wrapping *w) {
  for (int i = 0; i < w->core.input_count + w->core.output_count; ++i)
    if (w->core.operands[i].rank) return mlirAttributeGetNull();
  return is_grid(w) ? pa_unit_attr(w->context) : mlirAttributeGetNull();
}

static pa_status make_entry(const wrapping *w, MlirOperation module) {
  MlirBlock block;
  MlirLocation location = mlirOperationGetLocation(w->kernel);
  int count = w->count + w->is_masked;
  MlirRegion region = pa_region(location, w->operands, count, &block);
  pa_builder builder = {.context = w->context, .location = location, .block = block};
  MlirValue *operands = PA_NEW_ARRAY(w->arena, MlirValue, count + 1);
  for (int i = 0; i < count; ++i) operands[i] = mlirBlockGetArgument(block, i);
  fill_entry(w, &builder, operands);
  MlirType type = mlirFunctionTypeGet(w->context, count, w->operands, 1, &w->entry_result);
  const char *name = pa_arena_format(w->arena, "%s.loop", pa_attr_text(w->arena, pa_get_attr(w->kernel, "sym_name")));
  builder.block = pa_module_body(module);
  pa_op(&builder, PA_OP_NAME(FUNC), PA_REGIONS(region),
        PA_ATTRS({"sym_name", pa_string_attr(w->context, name)}, {"function_type", mlirTypeAttrGet(type)},
                 {"pyarray.entry", pa_unit_attr(w->context)},
                 {"pyarray.options", pa_get_attr(w->kernel, "pyarray.options")},
                 {"pyarray.qualname", pa_get_attr(w->kernel, "pyarray.qualname")},
                 {"pyarray.kernel", pa_get_attr(w->kernel, "pyarray.kernel")},
                 {"pyarray.no_frame", is_grid(w) ? mlirAttributeGetNull() : pa_unit_attr(w->context)},
                 {"pyarray.numbers", takes_numbers(w)}));
  mlirOperationRemoveAttributeByName(w->kernel, pa_ref("pyarray.entry"));
  mlirOperationRemoveAttributeByName(w->kernel, pa_ref("pyarray.kernel"));
  mlirOperationRemoveAttributeByName(w->kernel, pa_ref("pyarray.operands"));
  mlirOperationRemoveAttributeByName(w->kernel, pa_ref("pyarray.ufunc"));
  mlirOperationRemoveAttributeByName(w->kernel, pa_ref("pyarray.loop_form"));
  pa_set_attr(w->kernel, "sym_visibility", pa_string_attr(w->context, "private"));
  return builder.failure;
}

//===-- The pass ----------------------------------------------------------------------------------===//

static pa_status wrap(pa_pass_context *context, MlirOperation module, MlirOperation kernel) {
  pa_names names;
  pa_names_init(&names, context->context);
  wrapping w = {.arena = context->arena,
                .context = context->context,
                .kernel = kernel,
                .signature = pa_get_attr(kernel, "pyarray.ufunc"),
                .names = &names,
                .given = pa_get_attr(kernel, "pyarray.operands")};
  if (mlirAttributeIsNull(w.signature)) return PA_OK;
  PA_TRY(read_form(&w));
  w.entry_result = has_form(&w, "contiguous") ? mlirIntegerTypeGet(w.context, 1) : pyarrayNoneTypeGet(w.context);
  PA_TRY(read_signature(&w));
  PA_TRY(read_kernel(&w));
  return make_entry(&w, module);
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  PA_FOR_EACH_OP(op, pa_module_body(module)) {
    if (!mlirAttributeIsNull(pa_get_attr(op, "pyarray.entry"))) return wrap(context, module, op);
  }
  return PA_OK;
}

const pa_pass pa_pass_wrap_ufunc = {
    .argument = "pyarray-wrap-ufunc",
    .summary = "Make the inner loop of a NumPy ufunc of a kernel",
    .dependent_dialects = (const char *const[]){"pyarray", "scf", "func", NULL},
    .run = run,
};
