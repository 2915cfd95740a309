// pyarray-wrap-ufunc: makes the inner loop of a NumPy ufunc of a kernel.
//
// Enters: a typed entry function (the kernel) with attribute `pyarray.ufunc`, a gufunc signature. Leaves: the kernel,
// private, and a new entry whose arguments are the operands, inputs and outputs, with one loop dimension each.
//
//   func.func @f$0(%x: f64, %y: f64) -> f64 attributes {pyarray.entry, pyarray.ufunc = "(),()->()"} { ... }
// becomes
//   func.func @f$0.loop(%a: !pyarray.array<?xf64, A>, %b: !pyarray.array<?xf64, A>, %o: !pyarray.array<?xf64, A>)
//       -> !pyarray.none attributes {pyarray.entry} {
//     %ok = pyarray.independent ins(%a, %b : ...) outs(%o : ...) : i1
//     scf.if %ok { pyarray.ufunc "(),()->()" ins(%a, %b : ...) outs(%o : ...) { ... pyarray.call @f$0 ... } }
//     else { pyarray.ufunc ... sequential { ... } }
//
// The sequential copy is for ufunc.accumulate and reduce, where a point reads what the one before it wrote. Gufuncs have
// neither, and NumPy makes copies of their operands where these overlap.
#include "ir/ir.h"
#include "pass.h"
#include "support/core_signature.h"

typedef struct wrapping {
  pa_arena *arena;
  MlirContext context;
  MlirOperation kernel;
  MlirAttribute signature;
  pa_core_signature core;
  int count;             // operands
  bool returns;          // the kernel returns its outputs, else it writes to parameters
  MlirType *arguments;   // of the body
  MlirType *operands;    // of the new entry
  MlirType type, result; // the kernel's
} wrapping;

//===-- Checks ------------------------------------------------------------------------------------===//

static const char *signature_text(const wrapping *w) { return pa_attr_text(w->arena, w->signature); }

static pa_status fail(const wrapping *w, const char *what) {
  return pa_fail_at(PA_CODE_TYPING, mlirOperationGetLocation(w->kernel), "the signature is %s, but %s", signature_text(w),
                    what);
}

static pa_status read_signature(wrapping *w) {
  const char *text = signature_text(w);
  if (!text) return pa_fail_at(PA_CODE_INVALID, mlirOperationGetLocation(w->kernel), "pyarray.ufunc holds a string");
  MlirStringRef ref = mlirStringAttrGetValue(w->signature);
  const char *error = pa_core_signature_parse(ref.data, ref.length, &w->core);
  if (error) return pa_fail_at(PA_CODE_INVALID, mlirOperationGetLocation(w->kernel), "malformed signature '%s': %s", text, error);
  w->count = w->core.input_count + w->core.output_count;
  return PA_OK;
}

// A parameter for a core operand is an array of its rank; without core dimensions a number or an array of one element.
static pa_status check_parameter(const wrapping *w, int number) {
  int rank = w->core.operands[number].rank;
  MlirType type = w->arguments[number];
  bool scalar = pa_scalar_of(type) != PA_NOT_SCALAR;
  if (scalar ? rank == 0 : pyarrayTypeIsArray(type) && pyarrayArrayTypeGetRank(type) == (rank ? rank : 1)) {
    if (scalar || pyarrayArrayTypeGetLayout(type) == PYARRAY_LAYOUT_A) return PA_OK;
    return fail(w, pa_arena_format(w->arena, "argument %d of the function is %s; core dimensions have layout A", number + 1,
                                   pa_type_text(w->arena, type)));
  }
  return fail(w, pa_arena_format(w->arena, "argument %d of the function is %s", number + 1, pa_type_text(w->arena, type)));
}

static intptr_t result_count(MlirType type) { return mlirTypeIsATuple(type) ? mlirTupleTypeGetNumTypes(type) : 1; }

static MlirType result_type(const wrapping *w, int number) {
  return mlirTypeIsATuple(w->result) ? mlirTupleTypeGetType(w->result, number) : w->result;
}

static pa_status check_results(const wrapping *w) {
  if (result_count(w->result) != w->core.output_count)
    return fail(w, pa_arena_format(w->arena, "the function returns %s", pa_type_text(w->arena, w->result)));
  for (int i = 0; i < w->core.output_count; ++i) {
    if (w->core.operands[w->core.input_count + i].rank) return fail(w, "outputs with core dimensions are written to parameters, not returned");
    if (pa_scalar_of(result_type(w, i)) == PA_NOT_SCALAR)
      return fail(w, pa_arena_format(w->arena, "the function returns %s", pa_type_text(w->arena, w->result)));
  }
  return PA_OK;
}

static pa_status read_kernel(wrapping *w) {
  MlirAttribute type = pa_get_attr(w->kernel, "function_type");
  w->type = mlirAttributeIsNull(type) || !mlirAttributeIsAType(type) ? (MlirType){NULL} : mlirTypeAttrGetValue(type);
  if (mlirTypeIsNull(w->type) || !mlirTypeIsAFunction(w->type) || mlirFunctionTypeGetNumResults(w->type) != 1)
    return pa_fail_at(PA_CODE_INVALID, mlirOperationGetLocation(w->kernel), "pyarray.ufunc belongs to a function with one result");
  w->result = mlirFunctionTypeGetResult(w->type, 0);
  intptr_t parameters = mlirFunctionTypeGetNumInputs(w->type);
  w->returns = !pyarrayTypeIsNone(w->result);
  if (parameters != (w->returns ? w->core.input_count : w->count))
    return fail(w, pa_arena_format(w->arena, w->returns ? "the function has %d parameters and returns %s" : "the function has %d parameters and returns nothing",
                                   (int)parameters, pa_type_text(w->arena, w->result)));
  w->arguments = PA_NEW_ARRAY(w->arena, MlirType, w->count + 1);
  w->operands = PA_NEW_ARRAY(w->arena, MlirType, w->count + 1);
  for (int i = 0; i < parameters; ++i) {
    w->arguments[i] = mlirFunctionTypeGetInput(w->type, i);
    PA_TRY(check_parameter(w, i));
  }
  if (w->returns) PA_TRY(check_results(w));
  for (int i = 0; i < w->count; ++i) {
    MlirType type = i < parameters ? w->arguments[i] : result_type(w, i - w->core.input_count);
    MlirType element = pyarrayTypeIsArray(type) ? pyarrayArrayTypeGetElement(type) : type;
    w->operands[i] = pa_array_type(w->context, 1 + w->core.operands[i].rank, element, PYARRAY_LAYOUT_A, false);
  }
  return PA_OK;
}

//===-- The new entry -----------------------------------------------------------------------------===//

static pa_builder inside(const pa_builder *outer, MlirBlock block) {
  pa_builder builder = *outer;
  builder.block = block;
  return builder;
}

// The kernel's outputs as |out_values|; how many there are.
static intptr_t emit_call(const wrapping *w, pa_builder *builder, MlirBlock block, MlirValue *out_values) {
  intptr_t parameters = mlirBlockGetNumArguments(block), count = w->returns ? w->core.output_count : 0;
  MlirValue *values = PA_NEW_ARRAY(w->arena, MlirValue, parameters + 1);
  for (intptr_t i = 0; i < parameters; ++i) values[i] = mlirBlockGetArgument(block, i);
  MlirAttribute callee = mlirFlatSymbolRefAttrGet(w->context, mlirStringAttrGetValue(pa_get_attr(w->kernel, "sym_name")));
  out_values[0] = pa_value(builder, "pyarray.call", PA_OPERAND_ARRAY(values, parameters), PA_RESULTS(w->result), PA_ATTRS({"callee", callee}));
  if (!mlirTypeIsATuple(w->result) || !count) return count;
  MlirType *types = PA_NEW_ARRAY(w->arena, MlirType, count);
  for (int i = 0; i < count; ++i) types[i] = result_type(w, i);
  MlirOperation unpack = pa_op(builder, "pyarray.unpack", PA_OPERANDS(out_values[0]), PA_RESULT_ARRAY(types, count));
  for (int i = 0; i < count && !mlirOperationIsNull(unpack); ++i) out_values[i] = mlirOperationGetResult(unpack, i);
  return count;
}

static MlirRegion make_body(const wrapping *w, pa_builder *outer) {
  MlirBlock block;
  MlirRegion region = pa_region(outer->location, w->arguments, mlirFunctionTypeGetNumInputs(w->type), &block);
  pa_builder builder = inside(outer, block);
  MlirValue *values = PA_NEW_ARRAY(w->arena, MlirValue, w->count + 1);
  intptr_t count = emit_call(w, &builder, block, values);
  pa_op(&builder, "pyarray.yield", PA_OPERAND_ARRAY(values, count));
  outer->failure = builder.failure;
  return region;
}

static MlirAttribute segments(const wrapping *w) {
  int32_t sizes[] = {w->core.input_count, w->core.output_count};
  return mlirDenseI32ArrayGet(w->context, 2, sizes);
}

static void emit_ufunc(const wrapping *w, pa_builder *builder, MlirValue *operands, bool sequential) {
  pa_op(builder, "pyarray.ufunc", PA_OPERAND_ARRAY(operands, w->count), PA_REGIONS(make_body(w, builder)),
        PA_ATTRS({"signature", w->signature}, {"operandSegmentSizes", segments(w)},
                 {"expanded", pa_unit_attr(w->context)}, {"sequential", sequential ? pa_unit_attr(w->context) : mlirAttributeGetNull()}));
}

static MlirRegion branch(const wrapping *w, pa_builder *outer, MlirValue *operands, bool sequential) {
  MlirBlock block;
  MlirRegion region = pa_region(outer->location, NULL, 0, &block);
  pa_builder builder = inside(outer, block);
  emit_ufunc(w, &builder, operands, sequential);
  pa_op(&builder, "scf.yield", PA_OPERAND_ARRAY(NULL, 0));
  outer->failure = builder.failure;
  return region;
}

static bool is_elementwise(const wrapping *w) {
  for (int i = 0; i < w->count; ++i)
    if (w->core.operands[i].rank) return false;
  return w->returns;
}

static void fill_entry(const wrapping *w, pa_builder *builder, MlirValue *operands) {
  if (is_elementwise(w)) {
    MlirValue independent = pa_value(builder, "pyarray.independent", PA_OPERAND_ARRAY(operands, w->count),
                                     PA_RESULTS(mlirIntegerTypeGet(w->context, 1)), PA_ATTRS({"operandSegmentSizes", segments(w)}));
    MlirRegion then = branch(w, builder, operands, false), otherwise = branch(w, builder, operands, true);
    pa_op(builder, "scf.if", PA_OPERANDS(independent), PA_REGIONS(then, otherwise));
  } else {
    emit_ufunc(w, builder, operands, false);
  }
  MlirValue none = pa_value(builder, "pyarray.constant", PA_RESULTS(pyarrayNoneTypeGet(w->context)), PA_ATTRS({"value", pa_unit_attr(w->context)}));
  pa_op(builder, "func.return", PA_OPERANDS(none));
}

static pa_status make_entry(const wrapping *w, MlirOperation module) {
  MlirBlock block;
  MlirLocation location = mlirOperationGetLocation(w->kernel);
  MlirRegion region = pa_region(location, w->operands, w->count, &block);
  pa_builder builder = {.context = w->context, .location = location, .block = block};
  MlirValue *operands = PA_NEW_ARRAY(w->arena, MlirValue, w->count + 1);
  for (int i = 0; i < w->count; ++i) operands[i] = mlirBlockGetArgument(block, i);
  fill_entry(w, &builder, operands);
  MlirType none = pyarrayNoneTypeGet(w->context);
  MlirType type = mlirFunctionTypeGet(w->context, w->count, w->operands, 1, &none);
  const char *name = pa_arena_format(w->arena, "%s.loop", pa_attr_text(w->arena, pa_get_attr(w->kernel, "sym_name")));
  builder.block = pa_module_body(module);
  pa_op(&builder, "func.func", PA_REGIONS(region),
        PA_ATTRS({"sym_name", pa_string_attr(w->context, name)}, {"function_type", mlirTypeAttrGet(type)},
                 {"pyarray.entry", pa_unit_attr(w->context)}, {"pyarray.options", pa_get_attr(w->kernel, "pyarray.options")},
                 {"pyarray.qualname", pa_get_attr(w->kernel, "pyarray.qualname")}));
  mlirOperationRemoveAttributeByName(w->kernel, pa_ref("pyarray.entry"));
  mlirOperationRemoveAttributeByName(w->kernel, pa_ref("pyarray.ufunc"));
  pa_set_attr(w->kernel, "sym_visibility", pa_string_attr(w->context, "private"));
  return builder.failure;
}

//===-- The pass ----------------------------------------------------------------------------------===//

static pa_status wrap(pa_pass_context *context, MlirOperation module, MlirOperation kernel) {
  wrapping w = {.arena = context->arena, .context = context->context, .kernel = kernel, .signature = pa_get_attr(kernel, "pyarray.ufunc")};
  if (mlirAttributeIsNull(w.signature)) return PA_OK;
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
