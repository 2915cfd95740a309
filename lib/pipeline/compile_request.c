// Of compile.c: from a request to level 1, and the type code of what type inference has made of it.
#include <Python.h>

#include <stdlib.h>
#include <string.h>

#include "compilation.h"
#include "support/core_signature.h"
#include "support/precompiled.h"
#include "support/type_code.h"

pa_status pa_malformed_type_code(const pa_compilation *c) {
  return pa_fail(PA_CODE_UNSUPPORTED, NULL,
                 "types of the signature are malformed, or nested more than %d levels deep: '%.120s'",
                 PA_TYPE_MAX_DEPTH, c->request.type_code);
}

static MlirAttribute known_text(pa_compilation *c, const char *digits, size_t count) {
  char *text = PA_NEW_ARRAY(&c->arena, char, count / 2 + 1);
  for (size_t i = 0; i < count / 2; ++i)
    text[i] = (char)strtol((char[]){digits[2 * i], digits[2 * i + 1], 0}, NULL, 16);
  return mlirStringAttrGet(c->session->context, mlirStringRefCreate(text, count / 2));
}

static MlirAttribute known_value(pa_compilation *c, const char *code) {
  if (code[1] == 'U') return known_text(c, code + 2, strcspn(code + 2, ";"));
  int64_t value = strtoll(code + 2, NULL, 10);
  return code[1] == '?' ? mlirBoolAttrGet(c->session->context, (int)value)
                        : mlirIntegerAttrGet(pa_scalar_type(c->session->context, PA_I64), value);
}

// An argument may be the default of a parameter that was left out, if that is a str, or a known value: !pyarray.any
// stands for it.
static MlirType argument_type(pa_compilation *c, const char **code, MlirAttribute *out_value) {
  *out_value = pa_unit_attr(c->session->context);
  if (**code != PA_TYPE_OMITTED && **code != PA_TYPE_KNOWN) return pa_type_from_code(c->session->context, code);
  if (**code == PA_TYPE_KNOWN) *out_value = known_value(c, *code);
  *code = pa_argument_next(*code);
  return pyarrayAnyTypeGet(c->session->context);
}

static bool is_omitted(MlirOperation entry, intptr_t index) {
  MlirAttribute omitted = pa_get_attr(entry, "pyarray.omitted");
  for (intptr_t i = 0; !mlirAttributeIsNull(omitted) && i < mlirArrayAttrGetNumElements(omitted); ++i)
    if (mlirIntegerAttrGetValueInt(mlirArrayAttrGetElement(omitted, i)) == index) return true;
  return false;
}

// |requested|: what was asked for.
static void append_argument_code(pa_string *out, MlirOperation entry, intptr_t index, MlirType type,
                                 const char *requested) {
  if (is_omitted(entry, index))
    pa_string_append(out, requested, (size_t)(pa_argument_next(requested) - requested));
  else
    pa_type_to_code(out, type);
}

// Views of core dimensions may have any strides, whatever layout the signature declares. In the forms "fixed" and
// "dense" they are contiguous, and the signature has their extents.
static MlirType core_type(pa_compilation *c, MlirType type, const pa_core_operand *core,
                          const pa_core_signature *signature) {
  if (!pyarrayTypeIsArray(type)) return type;
  intptr_t rank = pyarrayArrayTypeGetRank(type);
  bool fixed = signature && core->rank == rank;
  int64_t *shape = PA_NEW_ARRAY(&c->arena, int64_t, rank + 1);
  for (intptr_t axis = 0; axis < rank; ++axis)
    shape[axis] = fixed ? signature->dimensions[core->dimensions[axis]].size : pyarrayArrayTypeGetExtent(type, axis);
  return pyarrayArrayTypeGet(c->session->context, rank, shape, pyarrayArrayTypeGetElement(type),
                             fixed ? PYARRAY_LAYOUT_C : PYARRAY_LAYOUT_A, pyarrayArrayTypeIsReadonly(type));
}

// Of the forms "fixed" and "dense"; false elsewhere.
static bool fixed_signature(const pa_compilation *c, pa_core_signature *out_signature) {
  const char *text = c->request.ufunc, *form = c->request.loop_form;
  if (!text || !form || (strcmp(form, "fixed") != 0 && strcmp(form, "dense") != 0) ||
      pa_core_signature_parse(text, strlen(text), out_signature))
    return false;
  for (int i = 0; i < out_signature->dimension_count; ++i)
    if (out_signature->dimensions[i].size < 0) return false;
  return true;
}

// Sets pyarray.instantiate on |function| from the request's type code, "dq>" or "dq>d".
static pa_status request_instance(pa_compilation *c, MlirOperation function) {
  const char *code = c->request.type_code;
  MlirType *arguments = PA_NEW_ARRAY(&c->arena, MlirType, strlen(code) + 1), result;
  MlirAttribute *values = PA_NEW_ARRAY(&c->arena, MlirAttribute, strlen(code) + 1);
  intptr_t count = 0, results = 0;
  pa_core_signature core;
  bool fixed = fixed_signature(c, &core);
  while (*code && *code != '>') {
    arguments[count] = argument_type(c, &code, &values[count]);
    if (mlirTypeIsNull(arguments[count])) return pa_malformed_type_code(c);
    bool is_operand = fixed && count < core.input_count + core.output_count;
    if (c->request.ufunc)
      arguments[count] =
          core_type(c, arguments[count], &core.operands[is_operand ? count : 0], is_operand ? &core : NULL);
    ++count;
  }
  if (*code++ != '>') return pa_malformed_type_code(c);
  if (*code) {
    result = pa_type_from_code(c->session->context, &code);
    if (mlirTypeIsNull(result) || *code) return pa_malformed_type_code(c);
    results = 1;
  }
  MlirAttribute type = mlirTypeAttrGet(mlirFunctionTypeGet(c->session->context, count, arguments, results, &result));
  pa_set_attr(function, "pyarray.instantiate", mlirArrayAttrGet(c->session->context, 1, &type));
  if (strchr(c->request.type_code, PA_TYPE_KNOWN))
    pa_set_attr(function, "pyarray.known", mlirArrayAttrGet(c->session->context, count, values));
  if (c->request.by_value) pa_set_attr(function, "pyarray.by_value", pa_unit_attr(c->session->context));
  return PA_OK;
}

// Sets pyarray.operands on |function|.
static pa_status request_operands(pa_compilation *c, MlirOperation function) {
  const char *code = c->request.operands;
  MlirAttribute *types = PA_NEW_ARRAY(&c->arena, MlirAttribute, strlen(code) + 1);
  intptr_t count = 0;
  while (*code && *code != '>') {
    MlirType type = pa_type_from_code(c->session->context, &code);
    if (mlirTypeIsNull(type))
      return pa_fail(PA_CODE_INVALID, NULL, "malformed type code '%.120s'", c->request.operands);
    types[count++] = mlirTypeAttrGet(type);
  }
  pa_set_attr(function, "pyarray.operands", mlirArrayAttrGet(c->session->context, count, types));
  return PA_OK;
}

pa_status pa_check_argument_count(pa_compilation *c) {
  PA_FOR_EACH_OP(function, pa_module_body(mlirModuleGetOperation(c->module))) {
    MlirAttribute requests = pa_get_attr(function, "pyarray.instantiate");
    if (mlirAttributeIsNull(requests)) continue;
    MlirType type = mlirTypeAttrGetValue(mlirArrayAttrGetElement(requests, 0));
    int count = (int)mlirFunctionTypeGetNumInputs(type),
        parameters = (int)mlirBlockGetNumArguments(pa_body(function, 0));
    if (count != parameters)
      return pa_fail_at(PA_CODE_TYPING, mlirOperationGetLocation(function),
                        "the signature has %d argument%s, but the function has %d parameter%s", count,
                        count == 1 ? "" : "s", parameters, parameters == 1 ? "" : "s");
  }
  return PA_OK;
}

// They are compiled without options, for a processor that is the host's or less.
static bool calls_precompiled(const pyarray_compile_request *request) {
  bool plain = !request->target && !request->cpu && !request->features && !request->fastmath &&
               !request->fastmath_flags && !request->parallel && !request->offload && !request->debug &&
               !request->accurate_math && !request->ufunc && !request->cfunc;
  return plain && request->precompiled && pa_precompiled_offer(request->precompiled, request->precompiled_size);
}

void pa_mark_precompiled(const pa_compilation *c) {
  MlirOperation module = mlirModuleGetOperation(c->module);
  MlirContext context = c->session->context;
  uint32_t number = c->request.precompiled_number;
  if (!number && !calls_precompiled(&c->request)) return;
  pa_set_attr(module, "pyarray.precompiled", pa_string_attr(context, number ? "note" : "call"));
  if (number) pa_set_attr(module, "pyarray.first_site", pa_i64_attr(context, pa_precompiled_first_site(number - 1)));
}

void pa_mark_export(const pa_compilation *c, const char *type_code) {
  const pyarray_compile_request *r = &c->request;
  MlirContext context = c->session->context;
  const char *const rows[][2] = {{"name", r->export_name},
                                 {"form", r->export_form},
                                 {"code", type_code},
                                 {"parameters", r->export_parameters},
                                 {"signature", r->export_signature},
                                 {"module", r->export_module}};
  MlirNamedAttribute attributes[sizeof rows / sizeof *rows];
  intptr_t count = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (rows[i][1])
      attributes[count++] =
          mlirNamedAttributeGet(mlirIdentifierGet(context, pa_ref(rows[i][0])), pa_string_attr(context, rows[i][1]));
  if (r->export_form)
    pa_set_attr(mlirModuleGetOperation(c->module), "pyarray.export", mlirDictionaryAttrGet(context, count, attributes));
}

pa_status pa_import_requested(pa_compilation *c) {
  const pyarray_compile_request *request = &c->request;
  MlirOperation module = mlirModuleGetOperation(c->module);
  pa_frontend_options options = {.error_model = request->error_model,
                                 .inline_policy = request->inline_policy,
                                 .boundscheck = request->boundscheck,
                                 .fastmath = request->fastmath,
                                 .fastmath_flags = request->fastmath_flags,
                                 .parallel = request->parallel,
                                 .offload = request->offload,
                                 .target = pa_is_gpu(c) ? "cuda" : NULL,
                                 .locals = request->locals,
                                 .declared = request->declared,
                                 .signature = request->type_code,
                                 .refusals = &c->refusals};
  if (request->lineinfo) pa_set_attr(module, "pyarray.line_tables", pa_unit_attr(c->session->context));
  if (request->debug) pa_set_attr(module, "pyarray.debug", pa_unit_attr(c->session->context));
  if (request->debug && pa_is_ptx(c)) pa_set_attr(module, "pyarray.variables", pa_unit_attr(c->session->context));
  const char *races = c->request.target && !pa_is_ptx(c) && pa_is_gpu(c) ? getenv("PYARRAY_CUDA_RACES") : NULL;
  if (races && *races && strcmp(races, "0") != 0)
    pa_set_attr(module, "pyarray.races", pa_unit_attr(c->session->context));
  const char *symbol;
  PA_TRY(pa_frontend_import(module, request->function, &options, &c->arena, &symbol));
  MlirOperation function = pa_lookup(module, pa_ref(symbol));
  if (request->ufunc) pa_set_attr(function, "pyarray.ufunc", pa_string_attr(c->session->context, request->ufunc));
  if (request->loop_form)
    pa_set_attr(function, "pyarray.loop_form", pa_string_attr(c->session->context, request->loop_form));
  if (request->cfunc) pa_set_attr(function, "pyarray.cfunc", pa_string_attr(c->session->context, request->type_code));
  if (pa_is_gpu(c) && !request->device) pa_set_attr(function, "pyarray.kernel", pa_unit_attr(c->session->context));
  if (request->export_name)
    pa_set_attr(function, "pyarray.export_name", pa_string_attr(c->session->context, request->export_name));
  if (request->operands) PA_TRY(request_operands(c, function));
  return request_instance(c, function);
}

MlirOperation pa_entry_of(const pa_compilation *c) {
  PA_FOR_EACH_OP(op, pa_module_body(mlirModuleGetOperation(c->module)))
  if (!mlirAttributeIsNull(pa_get_attr(op, "pyarray.entry"))) return op;
  return (MlirOperation){NULL};
}

pa_status pa_complete_type_code(pa_compilation *c, pa_string *out) {
  MlirOperation entry = pa_entry_of(c);
  if (mlirOperationIsNull(entry)) return pa_fail(PA_CODE_INTERNAL, NULL, "type inference left no entry function");
  if (c->request.operands) return pa_string_puts(out, c->request.operands), pa_string_puts(out, "n"), PA_OK;
  MlirAttribute signature = pa_get_attr(entry, "pyarray.signature");
  MlirType type =
      mlirTypeAttrGetValue(mlirAttributeIsNull(signature) ? pa_get_attr(entry, "function_type") : signature);
  const char *requested = c->request.type_code;
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i) {
    append_argument_code(out, entry, i, mlirFunctionTypeGetInput(type, i), requested);
    requested = pa_argument_next(requested);
  }
  pa_string_puts(out, ">");
  MlirType result = mlirFunctionTypeGetResult(type, 0);
  size_t start = out->length;
  if (pa_type_to_code(out, result)) {
    if (pa_type_is_valid(pa_string_text(out) + start)) return PA_OK;
    return pa_fail_at(PA_CODE_UNSUPPORTED, mlirOperationGetLocation(entry),
                      "a result whose type is nested more than %d levels deep cannot be returned to Python",
                      PA_TYPE_MAX_DEPTH);
  }
  return pa_fail_at(PA_CODE_UNSUPPORTED, mlirOperationGetLocation(entry),
                    "a value of type %s cannot be returned to Python", pa_type_text(&c->arena, result));
}

void pa_tell_wanted(pa_compilation *c) {
  PA_FOR_EACH_OP(op, pa_module_body(mlirModuleGetOperation(c->module))) {
    MlirAttribute wanted = pa_get_attr(op, "pyarray.wanted");
    if (mlirAttributeIsNull(wanted)) continue;
    MlirStringRef text = mlirStringAttrGetValue(wanted);
    c->result.wanted = strndup(text.data, text.length);
  }
}
