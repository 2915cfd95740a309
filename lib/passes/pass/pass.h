// What a pass is. Each pass is one file of a room of lib/passes ending in its descriptor, and one row of passes.def;
// the shim (capi/lib/shim.cpp) puts the descriptors into MLIR's pass registry, so that textual pipelines find them.
//
//   static pa_status run(pa_pass_context *context, MlirOperation module) { ... }
//
//   const pa_pass pa_pass_infer_types = {
//       .argument = "pyarray-infer-types",
//       .summary = "Give every value a concrete type",
//       .options = (const pa_pass_option[]){{"debug", PA_OPTION_BOOL, "false", "Print what is inferred"}, {0}},
//       .dependent_dialects = (const char *const[]){"scf", NULL},
//       .run = run,
//   };
#ifndef PYARRAY_LIB_PASSES_PASS_H
#define PYARRAY_LIB_PASSES_PASS_H

#include "mlir-c/IR.h"
#include "support/support.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pa_option_kind { PA_OPTION_BOOL, PA_OPTION_INT, PA_OPTION_STRING } pa_option_kind;

typedef struct pa_pass_option {
  const char *name; // NULL ends a list
  pa_option_kind kind;
  const char *otherwise; // the default, as text: "true", "16", "host"
  const char *help;
} pa_pass_option;

typedef struct pa_option_value {
  bool boolean;
  int64_t integer;
  const char *string;
} pa_option_value;

typedef struct pa_pass pa_pass;

// What a running pass is given besides the module.
typedef struct pa_pass_context {
  MlirContext context;
  pa_arena *arena; // dies when run returns
  const pa_pass *pass;
  const pa_option_value *values; // one per entry of pass->options
} pa_pass_context;

// Every pass works on one builtin.module. Immutable: the same descriptor serves several threads at once.
struct pa_pass {
  const char *argument;                  // "pyarray-infer-types"
  const char *summary;                   // one line, no full stop
  const pa_pass_option *options;         // NULL for none
  const char *const *dependent_dialects; // namespaces of dialects whose operations or types it makes; NULL at the end,
                                         // each a row of capi/lib/dialects.def
  // A failure becomes one diagnostic at its place. A pass that has emitted diagnostics itself returns
  // pa_pass_reported(): then nothing is added.
  pa_status (*run)(pa_pass_context *context, MlirOperation module);
};

// The value of an option that the pass declares; a name that it does not declare is a defect and ends the process.
bool pa_pass_option_bool(const pa_pass_context *context, const char *name);
int64_t pa_pass_option_int(const pa_pass_context *context, const char *name);
const char *pa_pass_option_string(const pa_pass_context *context, const char *name); // borrowed

pa_status pa_pass_reported(void);

// Runs the pass and reports its failure. Called by the shim.
bool pa_pass_execute(const pa_pass *pass, const pa_option_value *values, MlirOperation module);

// While |sink| is set in this thread, the first failure of a pass is stored there instead of becoming a diagnostic (the
// caller owns it), so that the code of a failure survives MLIR's pass manager. NULL restores diagnostics.
// Gives the sink before: type inference may ask Python, which may compile.
pa_status *pa_pass_capture_failure(pa_status *sink);

#ifdef __cplusplus
}
#endif

#endif // PYARRAY_LIB_PASSES_PASS_H
