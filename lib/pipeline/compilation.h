// What the files of compile.c share: a compilation under way.
#ifndef PYARRAY_LIB_PIPELINE_COMPILATION_H
#define PYARRAY_LIB_PIPELINE_COMPILATION_H

#include <string.h>

#include "codegen/codegen.h"
#include "compile.h"
#include "frontend/frontend.h"
#include "kernel_jobs.h"
#include "link_plan.h"
#include "pass/pass.h"
#include "pipelines.h"
#include "progress.h"

// What is under way. Its later part may outlive the caller (background.h), so nothing in it is the caller's, save the
// objects of Python in the request.
typedef struct pa_compilation {
  pyarray_compile_request request;
  pyarray_compile_result result;
  pa_session *session;
  pa_arena arena;
  MlirModule module;
  const pa_stage *stage; // the next one
  const char *level;     // that is shown; NULL: an object is made
  bool located;          // with the places of its operations in Python
  pa_string shown;
  pa_string kernels;           // with |request.offload|
  pa_kernel_jobs *kernel_jobs; // those under way; or NULL
  pa_status status, refusals;  // refusals: of the frontend, which types are looked at in spite of
  double imported, lowered, start;
  pa_progress progress;
  pa_link_plan links;
} pa_compilation;

static inline bool pa_is_ptx(const pa_compilation *c) {
  return c->request.target && strcmp(c->request.target, "cuda") == 0;
}
// Also where the CPU emulates one.
static inline bool pa_is_gpu(const pa_compilation *c) {
  return c->request.target && strncmp(c->request.target, "cuda", 4) == 0;
}

bool pa_is_verified(const pyarray_compile_request *request);

// compile_request.c

pa_status pa_malformed_type_code(const pa_compilation *c);
pa_status pa_import_requested(pa_compilation *c); // the function: level 1
// For type inference: whether instances of the library may be called that are machine code already, or one becomes
// that.
void pa_mark_precompiled(const pa_compilation *c);
// For pyarray-wrap-export, where the request has a form: |type_code| is complete.
void pa_mark_export(const pa_compilation *c, const char *type_code);
// At level 1 any signature will do; from there on it has to fit.
pa_status pa_check_argument_count(pa_compilation *c);
MlirOperation pa_entry_of(const pa_compilation *c); // null at level 1
// The type code of the typed entry function.
pa_status pa_complete_type_code(pa_compilation *c, pa_string *out);
// Which parameters the failure was for: a '1' for each whose value is asked for, a '0' for each other one.
void pa_tell_wanted(pa_compilation *c);

// precompile.c: after type inference, what is left of the module is the instance of the library that the function
// calls.
pa_status pa_leave_instance(pa_compilation *c);

// compile_object.c

pa_codegen_options pa_codegen_options_of(const pa_compilation *c);
pa_status pa_emit_requested(pa_compilation *c);

// offload.c: at level 4; takes the kernels out of the module, and begins to compile them.
pa_status pa_emit_kernels(pa_compilation *c);
pa_status pa_finish_kernels(pa_compilation *c); // puts them into the result
void pa_drop_kernels(pa_compilation *c);        // without making anything of them
void pa_note_written(pa_compilation *c);

// explain.c: levels for fn.explain(). "located:LEVEL" is a level with the places of its operations; "remarks" are rows
// of what LLVM's passes say; "times" rows of how long each pass takes, "level<TAB>pass<TAB>seconds".

void pa_explain_begin(pa_compilation *c);
bool pa_is_explained(const pa_compilation *c); // the level is one of the latter two: code is made for it
pa_status pa_explain(pa_compilation *c);       // that one, of the last level
void pa_print_module(pa_compilation *c);       // as MLIR text

// compile_result.c

char *pa_take_result_text(pa_string *text, size_t *out_size); // the caller frees it
void pa_tell_failure(pyarray_compile_result *result, pa_status status);
void pa_free_result(pyarray_compile_result *result);

#endif // PYARRAY_LIB_PIPELINE_COMPILATION_H
