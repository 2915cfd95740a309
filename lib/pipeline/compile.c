// The requests of Python (compile.h), and the table of functions that libpyarray_core.so offers (pyarray-c/Core.h).
#include <Python.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "background.h"
#include "codegen/codegen.h"
#include "compile.h"
#include "frontend/frontend.h"
#include "ir/builtins.h"
#include "link_plan.h"
#include "pass/pass.h"
#include "path.h"
#include "support/core_signature.h"
#include "support/stop.h"
#include "support/type_code.h"

// What is under way. Its later part may outlive the caller (background.h), so nothing in it is the caller's, save the
// objects of Python in the request.
typedef struct compilation {
  pyarray_compile_request request;
  pyarray_compile_result result;
  pa_session *session;
  pa_arena arena;
  MlirModule module;
  const pa_stage *stage; // the next one
  const char *level;     // that is shown; NULL: an object is made
  pa_string shown;
  pa_status status, refusals; // refusals: of the frontend, which types are looked at in spite of
  double imported, lowered, start;
  pa_link_plan links;
} compilation;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

//===-- Stages ------------------------------------------------------------------------------------===//

static bool is_ptx(const compilation *c) { return c->request.target && strcmp(c->request.target, "cuda") == 0; }
// Also where the CPU emulates one.
static bool is_gpu(const compilation *c) { return c->request.target && strncmp(c->request.target, "cuda", 4) == 0; }

static pa_status malformed_type_code(const compilation *c) {
  return pa_fail(PA_CODE_UNSUPPORTED, NULL,
                 "types of the signature are malformed, or nested more than %d levels deep: '%.120s'",
                 PA_TYPE_MAX_DEPTH, c->request.type_code);
}

static MlirAttribute known_text(compilation *c, const char *digits, size_t count) {
  char *text = PA_NEW_ARRAY(&c->arena, char, count / 2 + 1);
  for (size_t i = 0; i < count / 2; ++i)
    text[i] = (char)strtol((char[]){digits[2 * i], digits[2 * i + 1], 0}, NULL, 16);
  return mlirStringAttrGet(c->session->context, mlirStringRefCreate(text, count / 2));
}

static MlirAttribute known_value(compilation *c, const char *code) {
  if (code[1] == 'U') return known_text(c, code + 2, strcspn(code + 2, ";"));
  int64_t value = strtoll(code + 2, NULL, 10);
  return code[1] == '?' ? mlirBoolAttrGet(c->session->context, (int)value)
                        : mlirIntegerAttrGet(pa_scalar_type(c->session->context, PA_I64), value);
}

// An argument may be the default of a parameter that was left out, if that is a str, or a known value: !pyarray.any
// stands for it.
static MlirType argument_type(compilation *c, const char **code, MlirAttribute *out_value) {
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
static MlirType core_type(compilation *c, MlirType type, const pa_core_operand *core,
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
static bool fixed_signature(const compilation *c, pa_core_signature *out_signature) {
  const char *text = c->request.ufunc, *form = c->request.loop_form;
  if (!text || !form || (strcmp(form, "fixed") != 0 && strcmp(form, "dense") != 0) ||
      pa_core_signature_parse(text, strlen(text), out_signature))
    return false;
  for (int i = 0; i < out_signature->dimension_count; ++i)
    if (out_signature->dimensions[i].size < 0) return false;
  return true;
}

// Sets pyarray.instantiate on |function| from the request's type code, "dq>" or "dq>d".
static pa_status request_instance(compilation *c, MlirOperation function) {
  const char *code = c->request.type_code;
  MlirType *arguments = PA_NEW_ARRAY(&c->arena, MlirType, strlen(code) + 1), result;
  MlirAttribute *values = PA_NEW_ARRAY(&c->arena, MlirAttribute, strlen(code) + 1);
  intptr_t count = 0, results = 0;
  pa_core_signature core;
  bool fixed = fixed_signature(c, &core);
  while (*code && *code != '>') {
    arguments[count] = argument_type(c, &code, &values[count]);
    if (mlirTypeIsNull(arguments[count])) return malformed_type_code(c);
    bool is_operand = fixed && count < core.input_count + core.output_count;
    if (c->request.ufunc)
      arguments[count] =
          core_type(c, arguments[count], &core.operands[is_operand ? count : 0], is_operand ? &core : NULL);
    ++count;
  }
  if (*code++ != '>') return malformed_type_code(c);
  if (*code) {
    result = pa_type_from_code(c->session->context, &code);
    if (mlirTypeIsNull(result) || *code) return malformed_type_code(c);
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
static pa_status request_operands(compilation *c, MlirOperation function) {
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

// At level 1 any signature will do; from there on it has to fit.
static pa_status check_argument_count(compilation *c) {
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

static pa_status import_function(compilation *c) {
  const pyarray_compile_request *request = &c->request;
  MlirOperation module = mlirModuleGetOperation(c->module);
  pa_frontend_options options = {.error_model = request->error_model,
                                 .inline_policy = request->inline_policy,
                                 .boundscheck = request->boundscheck,
                                 .fastmath = request->fastmath,
                                 .parallel = request->parallel,
                                 .target = is_gpu(c) ? "cuda" : NULL,
                                 .locals = request->locals,
                                 .declared = request->declared,
                                 .signature = request->type_code,
                                 .refusals = &c->refusals};
  if (request->lineinfo) pa_set_attr(module, "pyarray.line_tables", pa_unit_attr(c->session->context));
  if (request->debug) pa_set_attr(module, "pyarray.debug", pa_unit_attr(c->session->context));
  const char *races = c->request.target && !is_ptx(c) && is_gpu(c) ? getenv("PYARRAY_CUDA_RACES") : NULL;
  if (races && *races && strcmp(races, "0") != 0)
    pa_set_attr(module, "pyarray.races", pa_unit_attr(c->session->context));
  const char *symbol;
  PA_TRY(pa_frontend_import(module, request->function, &options, &c->arena, &symbol));
  MlirOperation function = pa_lookup(module, pa_ref(symbol));
  if (request->ufunc) pa_set_attr(function, "pyarray.ufunc", pa_string_attr(c->session->context, request->ufunc));
  if (request->loop_form)
    pa_set_attr(function, "pyarray.loop_form", pa_string_attr(c->session->context, request->loop_form));
  if (request->cfunc) pa_set_attr(function, "pyarray.cfunc", pa_string_attr(c->session->context, request->type_code));
  if (is_gpu(c) && !request->device) pa_set_attr(function, "pyarray.kernel", pa_unit_attr(c->session->context));
  if (request->export_name)
    pa_set_attr(function, "pyarray.export_name", pa_string_attr(c->session->context, request->export_name));
  if (request->operands) PA_TRY(request_operands(c, function));
  return request_instance(c, function);
}

// PYARRAY_VERIFY=1 checks each level too: tests set it.
static bool checks_levels(void) {
  const char *wanted = getenv("PYARRAY_VERIFY");
  return wanted && *wanted && strcmp(wanted, "0") != 0;
}

static bool is_verified(const pyarray_compile_request *request) {
  return request->verify || request->debug || checks_levels();
}

// Fails where the module breaks the contract of |level|.
static pa_status check_level(compilation *c, const char *level) {
  if (!checks_levels() || strcmp(level, "linalg") == 0) return PA_OK; // that stage ends in pyarray-check-lowered
  return pa_session_run(c->session, mlirModuleGetOperation(c->module),
                        pa_arena_format(&c->arena, "pyarray-check-%s", level), true);
}

static pa_status run_stage(compilation *c) {
  const pa_stage *stage = c->stage++;
  PA_TRY(pa_check_stop());
  PA_TRY(pa_session_run(c->session, mlirModuleGetOperation(c->module), stage->pipeline, is_verified(&c->request)));
  return check_level(c, stage->level);
}

// Up to the one that leads to |level|; NULL for all.
static pa_status run_stages(compilation *c, const char *level) {
  while (c->stage->level) {
    bool last = level && strcmp(c->stage->level, level) == 0;
    PA_TRY(run_stage(c));
    if (last) break;
  }
  return PA_OK;
}

static pa_status attempt_stage(void *data) { return run_stage(data); }

// The first stage, type inference, may call Python: it is done by the thread that holds the GIL, and asks for signals
// itself.
static pa_status infer_types(compilation *c) {
  pa_status status;
  bool left;
  PA_TRY(check_argument_count(c));
  PA_TRY(check_level(c, "untyped"));
  Py_BEGIN_ALLOW_THREADS status =
      pa_attempt(attempt_stage, c, &left); // an attempt of its own: one that is left has the GIL again
  if (left) pa_pass_capture_failure(NULL);
  Py_END_ALLOW_THREADS return status;
}

static MlirOperation find_entry(compilation *c) {
  PA_FOR_EACH_OP(op, pa_module_body(mlirModuleGetOperation(c->module)))
  if (!mlirAttributeIsNull(pa_get_attr(op, "pyarray.entry"))) return op;
  return (MlirOperation){NULL};
}

// The type code of the typed entry function.
static pa_status complete_type_code(compilation *c, pa_string *out) {
  MlirOperation entry = find_entry(c);
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

//===-- Objects -----------------------------------------------------------------------------------===//

static const char *own_text(pa_arena *arena, const char *text) {
  return text ? pa_arena_copy(arena, text, strlen(text)) : NULL;
}

static void own_request(compilation *c) {
  pyarray_compile_request *r = &c->request;
  const char **texts[] = {&r->type_code,   &r->target,        &r->cpu,      &r->features,
                          &r->error_model, &r->inline_policy, &r->ufunc,    &r->loop_form,
                          &r->operands,    &r->export_name,   &r->libdevice};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) *texts[i] = own_text(&c->arena, *texts[i]);
}

static pa_status open_compilation(void *data) {
  compilation *c = data;
  own_request(c);
  c->level = own_text(&c->arena, c->level);
  c->start = now();
  c->stage = pa_stages(c->request.target);
  c->session = pa_session_take();
  if (is_gpu(c)) pa_session_add_gpu(c->session);
  pa_frontend_offer_overloads();
  c->module = mlirModuleCreateEmpty(mlirLocationUnknownGet(c->session->context));
  return PA_OK;
}

static char *take_text(pa_string *text, size_t *out_size) {
  if (out_size) *out_size = text->length;
  if (!text->data) pa_string_puts(text, "");
  char *data = text->data;
  *text = (pa_string){0};
  return data;
}

static void tell_failure(pyarray_compile_result *result, pa_status status) {
  result->outcome = (pyarray_outcome)(pa_status_code(status) + 1);
  const pa_location *place = pa_status_location(status);
  result->message = strdup(pa_status_message(status));
  result->file = place->file ? strdup(place->file) : NULL;
  result->line = place->line;
  result->column = place->column;
  pa_string more = {0};
  for (pa_status next = pa_status_next(status); next; next = pa_status_next(next)) {
    place = pa_status_location(next);
    const char *file = place->file ? place->file : "";
    pa_append_field(&more, pa_status_message(next), strlen(pa_status_message(next)));
    pa_append_field(&more, file, strlen(file));
    for (int k = 0; k < 2; ++k) {
      pa_string_format(&more, "%d", k ? place->column : place->line);
      pa_append_field(&more, "", 0);
    }
  }
  result->more = take_text(&more, &result->more_size);
}

static void free_result(pyarray_compile_result *result) {
  free(result->object);
  free(result->entry);
  free(result->type_code);
  free(result->sites);
  free(result->linked);
  free(result->warnings);
  free(result->more);
  free(result->wanted);
  free(result->message);
  free(result->file);
  memset(result, 0, sizeof *result);
}

// Without the GIL. Where memory was short, IR may be half made: it is abandoned, with its context.
static void drop_compilation(void *data) {
  compilation *c = data;
  bool whole = !c->status || pa_status_code(c->status) != PA_CODE_MEMORY;
  if (whole) mlirModuleDestroy(c->module);
  pa_arena_free(&c->arena);
  if (whole) pa_session_give_back(c->session);
  pa_string_free(&c->shown);
  pa_string_free(&c->links.inputs);
  pa_status_free(c->status);
  pa_status_free(c->refusals);
  free_result(&c->result);
  free(c);
}

static pa_codegen_options codegen_options(const compilation *c) {
  pa_codegen_options options = PA_CODEGEN_DEFAULTS;
  options.cpu = c->request.cpu;
  options.features = c->request.features;
  options.fastmath = c->request.fastmath;
  options.accurate_math = c->request.accurate_math;
  options.verify = is_verified(&c->request);
  if (c->request.debug || c->request.no_opt) options.opt_level = PA_CODEGEN_DEBUG_LEVEL;
  options.no_fma = c->request.no_fma;
  options.max_registers = c->request.max_registers;
  options.max_threads = c->request.max_threads;
  options.min_blocks = c->request.min_blocks;
  options.max_cluster = c->request.max_cluster;
  options.cluster = c->request.cluster;
  options.libdevice = c->request.libdevice;
  options.bitcode = c->links.bitcode;
  options.bitcode_count = c->links.bitcode_count;
  return options;
}

static pa_status generate_ptx(compilation *c, const pa_codegen_options *options) {
  pa_string text = {0};
  pa_codegen_kernel kernel;
  PA_TRY(pa_check_clusters(mlirModuleGetOperation(c->module), c->request.cpu,
                           c->request.cluster || c->request.max_cluster));
  PA_TRY(pa_codegen_ptx(mlirModuleGetOperation(c->module), options, &kernel, &text));
  c->result.object = take_text(&text, &c->result.object_size);
  c->result.entry = kernel.name;
  c->result.shared_bytes = kernel.shared_bytes;
  c->result.points = kernel.points;
  return PA_OK;
}

// The kernel once more, for who optimises it together with other code; what cannot be said so is linked as PTX.
static pa_status add_nvvm_ir(compilation *c, const pa_codegen_options *options) {
  pa_string text = {0};
  pa_status status = pa_codegen_nvvm_ir(mlirModuleGetOperation(c->module), options, &text);
  pyarray_linked_code header = {PYARRAY_LINKED_NVVM_IR, (int64_t)text.length};
  if (!status) {
    pa_string_append(&c->links.inputs, (const char *)&header, sizeof header);
    pa_string_append(&c->links.inputs, c->links.nvvm_options, strlen(c->links.nvvm_options) + 1);
    pa_string_append(&c->links.inputs, pa_string_text(&text), text.length);
  }
  pa_string_free(&text);
  if (!status || pa_status_code(status) != PA_CODE_UNSUPPORTED) return status;
  return pa_status_free(status), PA_OK;
}

// What LLVM does not compile is, as a rule, in the text of an intrinsic: a failure names those that there are.
static pa_status blame_intrinsics(compilation *c, pa_status failure) {
  pa_string names = {0};
  PA_FOR_EACH_OP(op, pa_module_body(mlirModuleGetOperation(c->module))) {
    if (mlirAttributeIsNull(pa_get_attr(op, "pyarray.intrinsic"))) continue;
    const char *symbol = pa_attr_text(&c->arena, pa_get_attr(op, "sym_name"));
    pa_string_format(&names, "%s%.*s()", names.length ? ", " : "", (int)(strstr(symbol, ".intrinsic") - symbol),
                     symbol);
  }
  if (!names.length || pa_status_code(failure) == PA_CODE_MEMORY) return pa_string_free(&names), failure;
  pa_status named = pa_fail(PA_CODE_TYPING, NULL, "%s\nhint: see the MLIR text of the intrinsics that are called: %s",
                            pa_status_message(failure), pa_string_text(&names));
  pa_string_free(&names);
  return pa_status_free(failure), named;
}

static pa_status emit_object(compilation *c) {
  pa_codegen_options options = codegen_options(c);
  pa_status status = is_ptx(c) ? generate_ptx(c, &options)
                               : pa_codegen_object(mlirModuleGetOperation(c->module), &options, &c->result.object,
                                                   &c->result.object_size);
  if (!status && c->links.nvvm_options) status = add_nvvm_ir(c, &options);
  c->result.linked = take_text(&c->links.inputs, &c->result.linked_size);
  return status && pa_status_code(status) != PA_CODE_INTERRUPTED && pa_status_code(status) != PA_CODE_LINK
             ? blame_intrinsics(c, status)
             : status;
}

// Which parameters the failure was for: a '1' for each whose value is asked for, a '0' for each other one.
static void tell_wanted(compilation *c) {
  PA_FOR_EACH_OP(op, pa_module_body(mlirModuleGetOperation(c->module))) {
    MlirAttribute wanted = pa_get_attr(op, "pyarray.wanted");
    if (mlirAttributeIsNull(wanted)) continue;
    MlirStringRef text = mlirStringAttrGetValue(wanted);
    c->result.wanted = strndup(text.data, text.length);
  }
}

// Behind type inference.
static pa_status lower_and_emit(compilation *c) {
  pa_string sites = {0}, warnings = {0};
  PA_TRY(run_stages(c, NULL));
  c->result.cooperative = !mlirAttributeIsNull(pa_get_attr(mlirModuleGetOperation(c->module), "pyarray.cooperative"));
  pa_status status = pa_sites_blob(mlirModuleGetOperation(c->module), &sites);
  c->result.sites = take_text(&sites, &c->result.sites_size);
  PA_TRY(status);
  pa_warnings_blob(mlirModuleGetOperation(c->module), &warnings);
  c->result.warnings = take_text(&warnings, &c->result.warnings_size);
  c->lowered = now();
  return emit_object(c);
}

// With a failure that is the user's too.
static pa_status take_refusals(compilation *c, pa_status failure) {
  pa_status refusals = c->refusals;
  pa_code code = failure ? pa_status_code(failure) : PA_CODE_TYPING;
  c->refusals = PA_OK;
  if (code == PA_CODE_TYPING || code == PA_CODE_UNSUPPORTED) return pa_status_join(refusals, failure);
  return pa_status_free(refusals), failure;
}

// Levels of MLIR come before anything is linked.
static bool shows_mlir(const compilation *c) {
  static const char *const levels[] = {"asm", "llvm-ir", "llvm-ir-optimized", "nvvm-ir"};
  for (size_t i = 0; i < sizeof levels / sizeof *levels; ++i)
    if (!c->level || strcmp(c->level, levels[i]) == 0) return false;
  return true;
}

static pa_status import_and_infer(compilation *c) {
  if (!pa_signature_is_valid(c->request.type_code)) return malformed_type_code(c);
  PA_TRY(import_function(c));
  c->imported = now();
  if (c->level && strcmp(c->level, "untyped") == 0) return take_refusals(c, PA_OK);
  pa_status failure = infer_types(c);
  if (failure && pa_status_code(failure) == PA_CODE_TYPING && !c->refusals) tell_wanted(c);
  PA_TRY(take_refusals(c, failure));
  if (is_gpu(c) && !shows_mlir(c))
    PA_TRY(pa_plan_links(mlirModuleGetOperation(c->module), &c->request, &c->arena, &c->links));
  if (c->level) return PA_OK;
  pa_string code = {0};
  pa_status status = complete_type_code(c, &code);
  c->result.type_code = take_text(&code, NULL);
  return status;
}

static void note_times(compilation *c) {
  double end = now();
  memcpy(c->result.seconds,
         (double[]){c->imported - c->start, c->lowered - c->imported, end - c->lowered, end - c->start},
         4 * sizeof(double));
}

static void append_text(MlirStringRef text, void *out) { pa_string_append(out, text.data, text.length); }

// Levels that need Python, or no more than type inference.
static pa_status show_types(compilation *c, bool *out_done) {
  bool type = strcmp(c->level, "type") == 0;
  *out_done = type || strcmp(c->level, "types") == 0;
  if (!*out_done) return PA_OK;
  return type ? complete_type_code(c, &c->shown)
              : pa_annotate_types(mlirModuleGetOperation(c->module), &c->arena, &c->shown);
}

static pa_status show(compilation *c) {
  MlirOperation module = mlirModuleGetOperation(c->module);
  pa_codegen_options options = codegen_options(c);
  const char *level = c->level;
  if (strcmp(level, "parallel") == 0) {
    PA_TRY(run_stages(c, "optimized"));
    return pa_report_parallel(module, &c->arena, &c->shown);
  }
  if (strcmp(level, "nvvm") == 0) level = "llvm"; // of the target "cuda"
  if (strcmp(level, "untyped") != 0 && strcmp(level, "typed") != 0) PA_TRY(run_stages(c, level));
  if (is_ptx(c) && strcmp(level, "asm") == 0) {
    PA_TRY(pa_codegen_ptx(module, &options, NULL, &c->shown));
    if (c->links.shown) pa_string_puts(&c->shown, c->links.shown);
    return PA_OK;
  }
  if (strcmp(level, "llvm-ir") == 0) return pa_codegen_llvm_ir(module, &options, false, &c->shown);
  if (strcmp(level, "llvm-ir-optimized") == 0) return pa_codegen_llvm_ir(module, &options, true, &c->shown);
  if (strcmp(level, "nvvm-ir") == 0) return pa_codegen_nvvm_ir(module, &options, &c->shown);
  if (strcmp(level, "asm") == 0) return pa_codegen_assembly(module, &options, &c->shown);
  pa_path path = pa_path_of(&c->arena, c->request.target);
  pa_path_mark(&path, module, pa_path_begin(&path, c->stage)); // for tools that go on from there
  mlirOperationPrint(module, append_text, &c->shown);
  return PA_OK;
}

//===-- Requests ----------------------------------------------------------------------------------===//

// Memory may be short anywhere: each part is an attempt (support.h).
static pa_status attempt_rest(void *data) {
  compilation *c = data;
  return c->level ? show(c) : lower_and_emit(c);
}

static void work(void *data) {
  compilation *c = data;
  bool left;
  c->status = pa_attempt(attempt_rest, c, &left);
  if (left) pa_pass_capture_failure(NULL);
}

static MlirWalkResult count_operation(MlirOperation op, void *count) {
  (void)op;
  return ++*(int *)count, MlirWalkResultAdvance;
}

// Compiled within some 20 ms, so that Ctrl-C can wait.
static bool is_small(const compilation *c) {
  enum { FEW = 64 };
  int count = 0;
  mlirOperationWalk(mlirModuleGetOperation(c->module), count_operation, &count, MlirWalkPreOrder);
  return count < FEW;
}

static void give_interrupted(pyarray_compile_result *out_result) {
  pa_status status = pa_fail(PA_CODE_INTERRUPTED, NULL, "interrupted");
  tell_failure(out_result, status);
  pa_status_free(status);
}

static void give_result(compilation *c, pyarray_compile_result *out_result) {
  if (c->level)
    c->result.object = take_text(&c->shown, &c->result.object_size);
  else
    note_times(c);
  *out_result = c->result;
  c->result = (pyarray_compile_result){0};
  if (c->status) tell_failure(out_result, c->status);
  drop_compilation(c);
}

typedef struct beginning {
  compilation *c;
  bool done; // nothing is left for other threads to do
} beginning;

static pa_status attempt_beginning(void *data) {
  beginning *b = data;
  PA_TRY(open_compilation(b->c));
  PA_TRY(import_and_infer(b->c));
  return b->c->level && strcmp(b->c->level, "untyped") != 0 ? show_types(b->c, &b->done) : PA_OK;
}

// Signals are seen to from the beginning to the end: by pa_signals while this thread works, else by pa_background_run.
static void serve(const pyarray_compile_request *request, const char *level, pyarray_compile_result *out_result) {
  *out_result = (pyarray_compile_result){0};
  beginning b = {calloc(1, sizeof(compilation)), false};
  compilation *c = b.c;
  if (!c) return (void)(out_result->outcome = PYARRAY_MEMORY);
  c->request = *request;
  c->level = level;
  pa_arena_init(&c->arena);
  bool left;
  pa_signals signals;
  pa_signals_begin(&signals);
  c->status = pa_attempt(attempt_beginning, &b, &left);
  if (pa_signals_end(&signals)) return drop_compilation(c), give_interrupted(out_result);
  if (!c->status && !b.done) {
    bool (*run)(void (*)(void *), void (*)(void *), void *) = is_small(c) ? pa_foreground_run : pa_background_run;
    if (!run(work, drop_compilation, c)) return give_interrupted(out_result);
  }
  give_result(c, out_result);
}

static void compile_request(const pyarray_compile_request *request, pyarray_compile_result *out_result) {
  serve(request, NULL, out_result);
}
static void inspect_request(const pyarray_compile_request *request, const char *level,
                            pyarray_compile_result *out_result) {
  serve(request, level, out_result);
}

//===-- The core's face ---------------------------------------------------------------------------===//

static const char *const *builtin_names(void) {
  static const char *names[] = {
#define PA_BUILTIN(name, ...) name,
#include "ir/builtins.def"
#undef PA_BUILTIN
      NULL,
  };
  return names;
}

const pyarray_core_api *pyarray_core(void) {
  static const pyarray_core_api api = {
      .version = PYARRAY_CORE_VERSION,
      .compile = compile_request,
      .inspect = inspect_request,
      .free_result = free_result,
      .builtin_names = builtin_names,
      .host_cpu = pa_codegen_host_cpu,
      .host_features = pa_codegen_host_features,
  };
  return &api;
}
