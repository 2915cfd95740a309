// pyarray-wrap-cfunc: a function with the C calling convention, for callbacks.
//
// In:  a module of the llvm dialect, whose entry has the attribute pyarray.cfunc, a type code with result, "id>d":
//
//   llvm.func @f$0(%n: i32, %x: f64) -> !llvm.struct<(i32, f64)> attributes {pyarray.entry, pyarray.cfunc = "id>d"}
//
// Out: that function without the mark of the entry, so that no pyarray_entry is made, and
//
//   llvm.mlir.global external @pyarray_cfunc_context(0 : i64) : i64
//   llvm.func @pyarray_cfunc(%n: i32, %x: f64) -> f64 {
//     %r = llvm.call @f$0(%n, %x)
//     llvm.cond_br (status of %r is not 0), ^failed, ^done
//   ^done:   llvm.return (value of %r)
//   ^failed: llvm.call @pyarray_rt_report_unraisable(value of @pyarray_cfunc_context)
//            llvm.return 0
//   }
//
// Whoever loads the object stores in pyarray_cfunc_context what its report is to be called with. The convention is that
// of the System V ABI for x86-64 as LLVM's IR expresses it (and clang emits it): small integers are extended to 32
// bits, complex64 travels as a vector of two floats, complex128 as two doubles.
#include <string.h>

#include "ir/ir.h"
#include "mlir-c/Dialect/LLVM.h"
#include "pass.h"
#include "support/type_code.h"

enum { SSE_REGISTERS = 8 }; // for arguments

typedef struct wrapping {
  pa_arena *arena;
  MlirContext context;
  MlirOperation module, function;
  const char *code;     // "id>d"
  MlirType lowered;     // type of the function
  MlirType *parameters; // of the C function
  MlirAttribute *attributes;
  intptr_t parameter_count;
  struct c_argument *arguments;
  intptr_t argument_count;
  MlirType result; // of the C function
  MlirAttribute result_attributes;
} wrapping;

//===-- Types of C --------------------------------------------------------------------------------===//

typedef struct c_type {
  char code;            // a scalar's, '*' for pointers, 'n' for a result that is void
  const char *parts[2]; // parameters that it takes
  const char *result;
  const char *extension; // attribute of parameter and result, or NULL
  int sse;               // registers that an argument takes
} c_type;

// How a parameter of C comes: an argument that fits the registers left only in part, which only complex numbers do,
// lies on the stack as a whole, which LLVM's IR says by a pointer with the attribute byval.
typedef struct c_argument {
  const c_type *type;
  bool on_stack;
} c_argument;

static const c_type c_types[] = {
    {'?', {"i8"}, "i8", "llvm.zeroext", 0},
    {'b', {"i8"}, "i8", "llvm.signext", 0},
    {'h', {"i16"}, "i16", "llvm.signext", 0},
    {'i', {"i32"}, "i32", NULL, 0},
    {'q', {"i64"}, "i64", NULL, 0},
    {'B', {"i8"}, "i8", "llvm.zeroext", 0},
    {'H', {"i16"}, "i16", "llvm.zeroext", 0},
    {'I', {"i32"}, "i32", NULL, 0},
    {'Q', {"i64"}, "i64", NULL, 0},
    {'e', {"f16"}, "f16", NULL, 1},
    {'f', {"f32"}, "f32", NULL, 1},
    {'d', {"f64"}, "f64", NULL, 1},
    {'F', {"vector<2xf32>"}, "vector<2xf32>", NULL, 1},
    {'D', {"f64", "f64"}, "!llvm.struct<(f64, f64)>", NULL, 2},
    {'*', {"!llvm.ptr"}, "!llvm.ptr", NULL, 0},
    {'n', {NULL}, "!llvm.void", NULL, 0},
};

// The row of the type at |*code|, which moves past it; NULL for a type that C does not have.
static const c_type *next_type(const char **code) {
  pa_type type;
  const char *next = pa_type_next(*code, &type);
  char wanted = type.kind == PA_TYPE_SCALAR ? type.dtype : **code;
  if (!next || (type.kind == PA_TYPE_POINTER && type.dtype == ':'))
    return NULL; // a value of a FunctionType is no address of a C function
  for (size_t i = 0; i < sizeof c_types / sizeof *c_types; ++i)
    if (c_types[i].code == wanted) return *code = next, &c_types[i];
  return NULL;
}

static MlirType parse_type(const wrapping *w, const char *text) { return mlirTypeParseGet(w->context, pa_ref(text)); }

static MlirAttribute parameter_attributes(const wrapping *w, const c_type *type) {
  if (!type->extension) return mlirDictionaryAttrGet(w->context, 0, NULL);
  MlirIdentifier name = mlirIdentifierGet(w->context, pa_ref(type->extension));
  MlirNamedAttribute extension = mlirNamedAttributeGet(name, pa_unit_attr(w->context));
  return mlirDictionaryAttrGet(w->context, 1, &extension);
}

//===-- The signature -----------------------------------------------------------------------------===//

static pa_status fail(const wrapping *w, const char *text) {
  return pa_fail_at(PA_CODE_UNSUPPORTED, mlirOperationGetLocation(w->function), "%s", text);
}

static const char *name_at(const wrapping *w, const char *code) {
  MlirType type = pa_type_from_code(w->context, &code);
  return mlirTypeIsNull(type) ? "this" : pa_type_text(w->arena, type);
}

static pa_status fail_at_type(const wrapping *w, const char *what, const char *code) {
  return fail(w,
              pa_arena_format(w->arena,
                              "%s of a C callback cannot have type %s\nhint: pass arrays as CPointer(dtype), and their "
                              "extents as integers; carray(pointer, shape) makes an array of them",
                              what, name_at(w, code)));
}

// A struct of the two parts, where the caller has put it.
static MlirAttribute on_stack_attributes(const wrapping *w, const c_type *type) {
  const char *text = type->code == 'F' ? "{llvm.byval = !llvm.struct<(f32, f32)>, llvm.align = 8 : i64}"
                                       : "{llvm.byval = !llvm.struct<(f64, f64)>, llvm.align = 8 : i64}";
  return mlirAttributeParseGet(w->context, pa_ref(text));
}

static void add_parameter(wrapping *w, MlirType type, MlirAttribute attributes) {
  w->attributes[w->parameter_count] = attributes;
  w->parameters[w->parameter_count++] = type;
}

static pa_status read_parameters(wrapping *w, const char **code) {
  size_t most = 2 * strlen(w->code) + 1;
  w->parameters = PA_NEW_ARRAY(w->arena, MlirType, most);
  w->attributes = PA_NEW_ARRAY(w->arena, MlirAttribute, most);
  w->arguments = PA_NEW_ARRAY(w->arena, c_argument, most);
  int registers = 0;
  for (int number = 1; **code && **code != '>'; ++number) {
    const char *start = *code;
    const c_type *type = next_type(code);
    if (!type || type->code == 'n') return fail_at_type(w, pa_arena_format(w->arena, "argument %d", number), start);
    bool complex = type->code == 'F' || type->code == 'D', on_stack = complex && registers + type->sse > SSE_REGISTERS;
    w->arguments[w->argument_count++] = (c_argument){type, on_stack};
    if (on_stack) {
      add_parameter(w, mlirLLVMPointerTypeGet(w->context, 0), on_stack_attributes(w, type));
      continue;
    }
    registers += type->sse;
    for (int part = 0; part < 2 && type->parts[part]; ++part)
      add_parameter(w, parse_type(w, type->parts[part]), parameter_attributes(w, type));
  }
  return PA_OK;
}

static pa_status read_signature(wrapping *w) {
  const char *code = w->code;
  if (!pa_signature_result(code))
    return pa_fail_at(PA_CODE_INVALID, mlirOperationGetLocation(w->function),
                      "pyarray.cfunc holds a type code with a result");
  PA_TRY(read_parameters(w, &code));
  const char *start = ++code;
  const c_type *result = next_type(&code);
  if (!result) return fail_at_type(w, "the result", start);
  w->result = parse_type(w, result->result);
  w->result_attributes = parameter_attributes(w, result);
  return PA_OK;
}

//===-- Values ------------------------------------------------------------------------------------===//

static MlirType integer_type(const wrapping *w, unsigned bits) { return mlirIntegerTypeGet(w->context, bits); }

static MlirAttribute position(const wrapping *w, int64_t index) { return mlirDenseI64ArrayGet(w->context, 1, &index); }

static MlirValue is_nonzero(const wrapping *w, pa_builder *builder, MlirValue value) {
  MlirValue zero = pa_llvm_constant(builder, mlirValueGetType(value), 0);
  return pa_value(builder, "llvm.icmp", PA_OPERANDS(value, zero), PA_RESULTS(integer_type(w, 1)),
                  PA_ATTRS({"predicate", pa_i64_attr(w->context, 1)}));
}

static MlirValue extract_field(const wrapping *w, pa_builder *builder, MlirValue aggregate, MlirType type,
                               int64_t field) {
  return pa_value(builder, "llvm.extractvalue", PA_OPERANDS(aggregate), PA_RESULTS(type),
                  PA_ATTRS({"position", position(w, field)}));
}

// A complex number of its two parts.
static MlirValue join_parts(const wrapping *w, pa_builder *builder, MlirValue real, MlirValue imag, MlirType type) {
  MlirValue number = pa_value(builder, "llvm.mlir.poison", PA_RESULTS(type));
  number = pa_value(builder, "llvm.insertvalue", PA_OPERANDS(number, real), PA_RESULTS(type),
                    PA_ATTRS({"position", position(w, 0)}));
  return pa_value(builder, "llvm.insertvalue", PA_OPERANDS(number, imag), PA_RESULTS(type),
                  PA_ATTRS({"position", position(w, 1)}));
}

static MlirValue complex_of_vector(const wrapping *w, pa_builder *builder, MlirValue vector, MlirType type) {
  MlirType single = mlirF32TypeGet(w->context);
  MlirValue parts[2];
  for (int i = 0; i < 2; ++i)
    parts[i] = pa_value(builder, "llvm.extractelement",
                        PA_OPERANDS(vector, pa_llvm_constant(builder, integer_type(w, 32), i)), PA_RESULTS(single));
  return join_parts(w, builder, parts[0], parts[1], type);
}

static MlirValue vector_of_complex(const wrapping *w, pa_builder *builder, MlirValue number) {
  MlirType single = mlirF32TypeGet(w->context);
  MlirValue vector = pa_value(builder, "llvm.mlir.poison", PA_RESULTS(w->result));
  for (int i = 0; i < 2; ++i) {
    MlirValue part = extract_field(w, builder, number, single, i),
              index = pa_llvm_constant(builder, integer_type(w, 32), i);
    vector = pa_value(builder, "llvm.insertelement", PA_OPERANDS(vector, part, index), PA_RESULTS(w->result));
  }
  return vector;
}

// The function's argument of type |type|, of C parameters from |at| on.
static MlirValue from_c(const wrapping *w, pa_builder *builder, const c_argument *argument, const MlirValue *at,
                        MlirType type) {
  if (argument->on_stack)
    return pa_value(builder, "llvm.load", PA_OPERANDS(at[0]), PA_RESULTS(type),
                    PA_ATTRS({"alignment", pa_i64_attr(w->context, 4)}));
  switch (argument->type->code) {
  case '?': return is_nonzero(w, builder, at[0]);
  case 'F': return complex_of_vector(w, builder, at[0], type);
  case 'D': return join_parts(w, builder, at[0], at[1], type);
  default: return at[0];
  }
}

static MlirValue to_c(const wrapping *w, pa_builder *builder, MlirValue value) {
  char code = strchr(w->code, '>')[1];
  if (code == '?') return pa_value(builder, "llvm.zext", PA_OPERANDS(value), PA_RESULTS(w->result));
  return code == 'F' ? vector_of_complex(w, builder, value) : value;
}

//===-- The C function ----------------------------------------------------------------------------===//

static const char context_name[] = "pyarray_cfunc_context", report_name[] = "pyarray_rt_report_unraisable";

static pa_builder in_block(const wrapping *w, MlirBlock block) {
  return (pa_builder){.context = w->context, .block = block, .location = mlirOperationGetLocation(w->function)};
}

static MlirOperation emit_call(const wrapping *w, pa_builder *builder, const char *callee, MlirValue *operands,
                               intptr_t count, const MlirType *results, intptr_t result_count) {
  int32_t segments[] = {(int32_t)count, 0};
  return pa_op(builder, "llvm.call", PA_OPERAND_ARRAY(operands, count), PA_RESULT_ARRAY(results, result_count),
               PA_ATTRS({"callee", pa_symbol_attr(w->context, callee)},
                        {"operandSegmentSizes", mlirDenseI32ArrayGet(w->context, 2, segments)},
                        {"op_bundle_sizes", mlirDenseI32ArrayGet(w->context, 0, NULL)}));
}

// What the function returns: its status, or a struct that begins with it.
static pa_status call_function(const wrapping *w, pa_builder *builder, MlirBlock entry, MlirValue *out_returned) {
  intptr_t expected = mlirLLVMFunctionTypeGetNumInputs(w->lowered), count = 0, at = 0;
  MlirValue *arguments = PA_NEW_ARRAY(w->arena, MlirValue, expected + 1);
  for (; count < w->argument_count && count < expected; ++count) {
    const c_argument *argument = &w->arguments[count];
    MlirValue parts[2] = {mlirBlockGetArgument(entry, at++)};
    if (argument->type->parts[1] && !argument->on_stack) parts[1] = mlirBlockGetArgument(entry, at++);
    arguments[count] = from_c(w, builder, argument, parts, mlirLLVMFunctionTypeGetInput(w->lowered, count));
  }
  if (count != expected || count != w->argument_count)
    return pa_fail_at(PA_CODE_INVALID, builder->location,
                      "pyarray.cfunc does not fit the parameters of the entry function");
  MlirType type = mlirLLVMFunctionTypeGetReturnType(w->lowered);
  const char *callee = pa_attr_text(w->arena, pa_get_attr(w->function, "sym_name"));
  MlirOperation call = emit_call(w, builder, callee, arguments, count, &type, 1);
  if (!pa_failed(builder)) *out_returned = mlirOperationGetResult(call, 0);
  return builder->failure;
}

static void emit_branch(const wrapping *w, pa_builder *builder, MlirValue condition, MlirBlock then,
                        MlirBlock otherwise) {
  int32_t segments[] = {1, 0, 0};
  MlirNamedAttribute attribute = mlirNamedAttributeGet(mlirIdentifierGet(w->context, pa_ref("operandSegmentSizes")),
                                                       mlirDenseI32ArrayGet(w->context, 3, segments));
  MlirOperationState state = mlirOperationStateGet(pa_ref("llvm.cond_br"), builder->location);
  mlirOperationStateAddOperands(&state, 1, &condition);
  mlirOperationStateAddSuccessors(&state, 2, (MlirBlock[]){then, otherwise});
  mlirOperationStateAddAttributes(&state, 1, &attribute);
  MlirOperation branch = mlirOperationCreate(&state);
  if (mlirOperationIsNull(branch))
    builder->failure = pa_fail(PA_CODE_INTERNAL, NULL, "llvm.cond_br could not be made");
  else
    mlirBlockAppendOwnedOperation(builder->block, branch);
}

static void emit_return(pa_builder *builder, const MlirValue *value) {
  pa_op(builder, "llvm.return", PA_OPERAND_ARRAY(value, value ? 1 : 0));
}

static pa_status emit_done(const wrapping *w, MlirBlock block, MlirValue returned) {
  pa_builder builder = in_block(w, block);
  MlirType type = mlirValueGetType(returned);
  if (!mlirTypeIsALLVMStructType(type)) return emit_return(&builder, NULL), builder.failure;
  MlirValue value = extract_field(w, &builder, returned, mlirLLVMStructTypeGetElementType(type, 1), 1);
  value = to_c(w, &builder, value);
  return emit_return(&builder, &value), builder.failure;
}

static pa_status emit_failed(const wrapping *w, MlirBlock block, bool returns) {
  pa_builder builder = in_block(w, block);
  MlirType i64 = integer_type(w, 64);
  MlirValue address = pa_value(&builder, "llvm.mlir.addressof", PA_RESULTS(mlirLLVMPointerTypeGet(w->context, 0)),
                               PA_ATTRS({"global_name", pa_symbol_attr(w->context, context_name)}));
  MlirValue context = pa_value(&builder, "llvm.load", PA_OPERANDS(address), PA_RESULTS(i64));
  emit_call(w, &builder, report_name, &context, 1, NULL, 0);
  MlirValue zero = {NULL};
  if (returns) zero = pa_value(&builder, "llvm.mlir.zero", PA_RESULTS(w->result));
  return emit_return(&builder, returns ? &zero : NULL), builder.failure;
}

static MlirOperation declare(const wrapping *w, pa_builder *builder, const char *name, MlirType type, MlirRegion body) {
  return pa_op(builder, "llvm.func", PA_REGIONS(body),
               PA_ATTRS({"sym_name", pa_string_attr(w->context, name)}, {"function_type", mlirTypeAttrGet(type)},
                        {"linkage", mlirLLVMLinkageAttrGet(w->context, MlirLLVMLinkageExternal)},
                        {"CConv", mlirLLVMCConvAttrGet(w->context, MlirLLVMCConvC)},
                        {"no_unwind", pa_unit_attr(w->context)}));
}

static pa_status fill_body(const wrapping *w, MlirRegion region) {
  MlirLocation *locations = PA_NEW_ARRAY(w->arena, MlirLocation, w->parameter_count + 1);
  for (intptr_t i = 0; i < w->parameter_count; ++i) locations[i] = mlirOperationGetLocation(w->function);
  MlirBlock entry = mlirBlockCreate(w->parameter_count, w->parameters, locations);
  MlirBlock done = mlirBlockCreate(0, NULL, NULL), failed = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, entry);
  mlirRegionAppendOwnedBlock(region, done);
  mlirRegionAppendOwnedBlock(region, failed);
  pa_builder builder = in_block(w, entry);
  MlirValue returned;
  PA_TRY(call_function(w, &builder, entry, &returned));
  bool returns = mlirTypeIsALLVMStructType(mlirValueGetType(returned));
  MlirValue status = returns ? extract_field(w, &builder, returned, integer_type(w, 32), 0) : returned;
  emit_branch(w, &builder, is_nonzero(w, &builder, status), failed, done);
  PA_TRY(builder.failure);
  PA_TRY(emit_done(w, done, returned));
  return emit_failed(w, failed, returns);
}

static pa_status emit_function(const wrapping *w) {
  pa_builder builder = in_block(w, pa_module_body(w->module));
  MlirType i64 = integer_type(w, 64);
  pa_op(&builder, "llvm.mlir.global", PA_REGIONS(mlirRegionCreate()),
        PA_ATTRS({"sym_name", pa_string_attr(w->context, context_name)}, {"global_type", mlirTypeAttrGet(i64)},
                 {"linkage", mlirLLVMLinkageAttrGet(w->context, MlirLLVMLinkageExternal)},
                 {"value", mlirIntegerAttrGet(i64, 0)}));
  MlirType reports = mlirLLVMFunctionTypeGet(mlirLLVMVoidTypeGet(w->context), 1, &i64, false);
  MlirOperation report = declare(w, &builder, report_name, reports, mlirRegionCreate());
  MlirType type = mlirLLVMFunctionTypeGet(w->result, w->parameter_count, w->parameters, false);
  MlirOperation function = declare(w, &builder, "pyarray_cfunc", type, mlirRegionCreate());
  PA_TRY(builder.failure);
  MlirAttribute cold = pa_string_attr(w->context, "cold");
  pa_set_attr(report, "passthrough", mlirArrayAttrGet(w->context, 1, &cold));
  if (w->parameter_count)
    pa_set_attr(function, "arg_attrs", mlirArrayAttrGet(w->context, w->parameter_count, w->attributes));
  if (!mlirTypeEqual(w->result, mlirLLVMVoidTypeGet(w->context)))
    pa_set_attr(function, "res_attrs", mlirArrayAttrGet(w->context, 1, &w->result_attributes));
  return fill_body(w, mlirOperationGetRegion(function, 0));
}

//===-- The pass ----------------------------------------------------------------------------------===//

static pa_status wrap(pa_pass_context *context, MlirOperation module, MlirOperation function) {
  wrapping w = {.arena = context->arena, .context = context->context, .module = module, .function = function};
  w.code = pa_attr_text(context->arena, pa_get_attr(function, "pyarray.cfunc"));
  if (!w.code) w.code = "";
  w.lowered = mlirTypeAttrGetValue(pa_get_attr(function, "function_type"));
  PA_TRY(read_signature(&w));
  PA_TRY(emit_function(&w));
  static const char *const marks[] = {"pyarray.entry", "pyarray.entry_type", "pyarray.cfunc"};
  for (int i = 0; i < 3; ++i) mlirOperationRemoveAttributeByName(function, pa_ref(marks[i]));
  return PA_OK;
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  MlirIdentifier function_name = mlirIdentifierGet(context->context, pa_ref("llvm.func"));
  PA_FOR_EACH_OP(op, pa_module_body(module)) {
    if (!mlirIdentifierEqual(mlirOperationGetName(op), function_name)) continue;
    bool wanted = !mlirAttributeIsNull(pa_get_attr(op, "pyarray.entry")) &&
                  !mlirAttributeIsNull(pa_get_attr(op, "pyarray.cfunc"));
    if (wanted) return wrap(context, module, op);
  }
  return PA_OK;
}

const pa_pass pa_pass_wrap_cfunc = {
    .argument = "pyarray-wrap-cfunc",
    .summary = "Give the entry function the C calling convention, for callbacks",
    .dependent_dialects = (const char *const[]){"llvm", NULL},
    .run = run,
};
