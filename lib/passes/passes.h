// The table of all passes: passes.def.
#ifndef PYARRAY_LIB_PASSES_PASSES_H
#define PYARRAY_LIB_PASSES_PASSES_H

#include "pass/pass.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pa_pass_row {
  const pa_pass *pass;
  const char *file; // in lib/passes, "infer/infer_types.c"
} pa_pass_row;

// In pipeline order; NULL at the end.
extern const pa_pass_row pa_passes[];
#define PA_PASS(room, stem) extern const pa_pass pa_pass_##stem;
#include "passes.def"
#undef PA_PASS

#ifdef __cplusplus
}
#endif

#endif // PYARRAY_LIB_PASSES_PASSES_H
