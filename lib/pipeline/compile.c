// The requests of Python (compile.h), and the table of functions that libpyarray_core.so offers (pyarray-c/Core.h).
#include <Python.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "background.h"
#include "compilation.h"
#include "ir/builtins.h"
#include "path.h"
#include "support/fork.h"
#include "support/stop.h"
#include "support/type_code.h"

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

//===-- Stages ------------------------------------------------------------------------------------===//

bool pa_is_verified(const pyarray_compile_request *request) {
  return request->verify || request->debug || pa_checks_levels();
}

static bool verifies_passes(const pyarray_compile_request *request) {
  return request->verify || request->debug || pa_checks_passes();
}

// Fails where the module is not valid, or breaks the contract of |level|.
static pa_status check_level(pa_compilation *c, const char *level) {
  MlirOperation module = mlirModuleGetOperation(c->module);
  if (!pa_checks_levels()) return PA_OK;
  PA_TRY(pa_session_verify(c->session, module, level));
  const char *check = pa_level_check(&c->arena, level);
  return check ? pa_session_run(c->session, module, check, false) : PA_OK;
}

static pa_status run_stage(pa_compilation *c) {
  const pa_stage *stage = c->stage++;
  PA_TRY(pa_check_stop());
  c->session->stage = stage->level;
  atomic_store(&c->progress.towards, stage->level);
  PA_TRY(pa_session_run(c->session, mlirModuleGetOperation(c->module), stage->pipeline, verifies_passes(&c->request)));
  return check_level(c, stage->level);
}

// Up to the one that leads to |level|; NULL for all.
static pa_status run_stages(pa_compilation *c, const char *level) {
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
static pa_status infer_types(pa_compilation *c) {
  pa_status status;
  bool left;
  PA_TRY(pa_check_argument_count(c));
  PA_TRY(check_level(c, "untyped"));
  Py_BEGIN_ALLOW_THREADS pa_fork_begin();
  status = pa_attempt(attempt_stage, c, &left); // an attempt of its own: one that is left has the GIL again
  pa_fork_end();
  if (left) pa_pass_capture_failure(NULL);
  Py_END_ALLOW_THREADS return status;
}

//===-- Objects -----------------------------------------------------------------------------------===//

static const char *own_text(pa_arena *arena, const char *text) {
  return text ? pa_arena_copy(arena, text, strlen(text)) : NULL;
}

static void own_request(pa_compilation *c) {
  pyarray_compile_request *r = &c->request;
  const char **texts[] = {&r->type_code,        &r->target,        &r->cpu,         &r->features,
                          &r->error_model,      &r->inline_policy, &r->ufunc,       &r->loop_form,
                          &r->operands,         &r->export_name,   &r->libdevice,   &r->opt_level,
                          &r->kernel_target,    &r->kernel_cpu,    &r->export_form, &r->export_parameters,
                          &r->export_signature, &r->export_module};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) *texts[i] = own_text(&c->arena, *texts[i]);
}

static pa_status open_compilation(void *data) {
  pa_compilation *c = data;
  own_request(c);
  c->level = own_text(&c->arena, c->level);
  c->start = c->progress.start = now();
  c->progress.function = c->request.function;
  c->stage = pa_stages(c->request.target);
  c->session = pa_session_take();
  if (pa_is_gpu(c) || c->request.offload) pa_session_add_gpu(c->session);
  pa_explain_begin(c);
  pa_frontend_offer_overloads();
  c->module = mlirModuleCreateEmpty(mlirLocationUnknownGet(c->session->context));
  return PA_OK;
}

// Without the GIL. Where memory was short, IR may be half made: it is abandoned, with its context.
static void drop_compilation(void *data) {
  pa_compilation *c = data;
  pa_status_free(pa_kernel_jobs_end(c->kernel_jobs, NULL)); // of a compilation that failed
  bool whole = !c->status || pa_status_code(c->status) != PA_CODE_MEMORY;
  if (whole) mlirModuleDestroy(c->module);
  pa_arena_free(&c->arena);
  if (whole) pa_session_give_back(c->session);
  pa_string_free(&c->shown);
  pa_string_free(&c->kernels);
  pa_string_free(&c->links.inputs);
  pa_status_free(c->status);
  pa_status_free(c->refusals);
  pa_free_result(&c->result);
  free(c);
}

// Behind type inference.
static pa_status lower_and_emit(pa_compilation *c) {
  pa_string sites = {0}, warnings = {0};
  if (c->request.offload) {
    PA_TRY(run_stages(c, "linalg"));
    pa_note_written(c);
    PA_TRY(pa_emit_kernels(c));
  }
  PA_TRY(run_stages(c, NULL));
  c->result.cooperative = !mlirAttributeIsNull(pa_get_attr(mlirModuleGetOperation(c->module), "pyarray.cooperative"));
  c->result.fixed = !mlirAttributeIsNull(pa_get_attr(mlirModuleGetOperation(c->module), "pyarray.fixed"));
  pa_status status = pa_raise_sites_blob(mlirModuleGetOperation(c->module), &sites);
  c->result.sites = pa_take_result_text(&sites, &c->result.sites_size);
  PA_TRY(status);
  pa_warnings_blob(mlirModuleGetOperation(c->module), &warnings);
  c->result.warnings = pa_take_result_text(&warnings, &c->result.warnings_size);
  c->lowered = now();
  PA_TRY(pa_emit_requested(c));
  return c->request.offload ? pa_finish_kernels(c) : PA_OK;
}

// With a failure that is the user's too.
static pa_status take_refusals(pa_compilation *c, pa_status failure) {
  pa_status refusals = c->refusals;
  pa_code code = failure ? pa_status_code(failure) : PA_CODE_TYPING;
  c->refusals = PA_OK;
  if (code == PA_CODE_TYPING || code == PA_CODE_UNSUPPORTED) return pa_status_join(refusals, failure);
  return pa_status_free(refusals), failure;
}

// Levels of MLIR come before anything is linked.
static bool shows_mlir(const pa_compilation *c) {
  static const char *const levels[] = {"asm", "llvm-ir", "llvm-ir-optimized", "nvvm-ir", "remarks", "times"};
  for (size_t i = 0; i < sizeof levels / sizeof *levels; ++i)
    if (!c->level || strcmp(c->level, levels[i]) == 0) return false;
  return true;
}

static pa_status import_and_infer(pa_compilation *c) {
  if (!pa_signature_is_valid(c->request.type_code)) return pa_malformed_type_code(c);
  PA_TRY(pa_import_requested(c));
  c->imported = now();
  if (c->session->times) pa_string_format(c->session->times, "untyped\tPython to IR\t%.9f\n", c->imported - c->start);
  if (c->level && strcmp(c->level, "untyped") == 0) return take_refusals(c, PA_OK);
  pa_mark_precompiled(c);
  pa_status failure = infer_types(c);
  if (failure && pa_status_code(failure) == PA_CODE_TYPING && !c->refusals) pa_tell_wanted(c);
  PA_TRY(take_refusals(c, failure));
  if (c->request.precompiled_number) return pa_leave_instance(c);
  if (pa_is_gpu(c) && !shows_mlir(c))
    PA_TRY(pa_plan_links(mlirModuleGetOperation(c->module), &c->request, &c->arena, &c->links));
  if (c->level) return PA_OK;
  pa_string code = {0};
  pa_status status = pa_complete_type_code(c, &code);
  if (!status) pa_mark_export(c, pa_string_text(&code));
  c->result.type_code = pa_take_result_text(&code, NULL);
  return status;
}

static void note_times(pa_compilation *c) {
  double end = now();
  memcpy(c->result.seconds,
         (double[]){c->imported - c->start, c->lowered - c->imported, end - c->lowered, end - c->start},
         4 * sizeof(double));
}

// Levels that need Python, or no more than type inference.
static pa_status show_types(pa_compilation *c, bool *out_done) {
  bool type = strcmp(c->level, "type") == 0;
  *out_done = type || strcmp(c->level, "types") == 0;
  if (!*out_done) return PA_OK;
  return type ? pa_complete_type_code(c, &c->shown)
              : pa_annotate_types(mlirModuleGetOperation(c->module), &c->arena, &c->shown);
}

static pa_status show(pa_compilation *c) {
  MlirOperation module = mlirModuleGetOperation(c->module);
  pa_codegen_options options = pa_codegen_options_of(c);
  const char *level = c->level;
  if (strcmp(level, "parallel") == 0) {
    PA_TRY(run_stages(c, "optimized"));
    return pa_report_parallel(module, &c->arena, &c->shown);
  }
  if (strcmp(level, "fusion") == 0) {
    pa_set_attr(module, "pyarray.fusion", mlirArrayAttrGet(mlirOperationGetContext(module), 0, NULL));
    PA_TRY(run_stages(c, "optimized"));
    return pa_report_fusion(module, &c->arena, &c->shown);
  }
  static const char *const behind[] = {"target", "llvm", "asm", "llvm-ir", "llvm-ir-optimized", "remarks", "times"};
  for (size_t i = 0; c->request.offload && i < sizeof behind / sizeof *behind; ++i)
    if (strcmp(level, behind[i]) == 0) {
      PA_TRY(run_stages(c, "linalg"));
      pa_drop_kernels(c);
      break;
    }
  if (pa_is_explained(c)) {
    PA_TRY(run_stages(c, NULL));
    return pa_explain(c);
  }
  if (strcmp(level, "nvvm") == 0) level = "llvm"; // of the target "cuda"
  if (strcmp(level, "untyped") != 0 && strcmp(level, "typed") != 0) PA_TRY(run_stages(c, level));
  if (pa_is_ptx(c) && strcmp(level, "asm") == 0) {
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
  pa_print_module(c);
  return PA_OK;
}

//===-- Requests ----------------------------------------------------------------------------------===//

// Memory may be short anywhere: each part is an attempt (support.h).
static pa_status attempt_rest(void *data) {
  pa_compilation *c = data;
  return c->level ? show(c) : lower_and_emit(c);
}

static void work(void *data) {
  pa_compilation *c = data;
  bool left;
  c->status = pa_attempt(attempt_rest, c, &left);
  if (left) pa_pass_capture_failure(NULL);
}

static MlirWalkResult count_operation(MlirOperation op, void *count) {
  (void)op;
  return ++*(int *)count, MlirWalkResultAdvance;
}

// Compiled within some 20 ms, so that Ctrl-C can wait.
static bool is_small(const pa_compilation *c) {
  enum { FEW = 64 };
  int count = 0;
  mlirOperationWalk(mlirModuleGetOperation(c->module), count_operation, &count, MlirWalkPreOrder);
  return count < FEW;
}

static void give_interrupted(pyarray_compile_result *out_result) {
  pa_status status = pa_fail(PA_CODE_INTERRUPTED, NULL, "interrupted");
  pa_tell_failure(out_result, status);
  pa_status_free(status);
}

static void give_result(pa_compilation *c, pyarray_compile_result *out_result) {
  if (c->level)
    c->result.object = pa_take_result_text(&c->shown, &c->result.object_size);
  else
    note_times(c);
  *out_result = c->result;
  c->result = (pyarray_compile_result){0};
  if (c->status) pa_tell_failure(out_result, c->status);
  drop_compilation(c);
}

typedef struct beginning {
  pa_compilation *c;
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
  beginning b = {calloc(1, sizeof(pa_compilation)), false};
  pa_compilation *c = b.c;
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
    bool ended = is_small(c) ? pa_foreground_run(work, drop_compilation, c)
                             : pa_background_run(work, drop_compilation, c, &c->progress);
    if (!ended) return give_interrupted(out_result);
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
      .free_result = pa_free_result,
      .builtin_names = builtin_names,
      .host_cpu = pa_codegen_host_cpu,
      .host_features = pa_codegen_host_features,
  };
  return &api;
}
