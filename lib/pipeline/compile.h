// From a Python function to an object file: the whole data path, in one call.
#ifndef PYARRAY_LIB_PIPELINE_COMPILE_H
#define PYARRAY_LIB_PIPELINE_COMPILE_H

#include "ir/ir.h"
#include "pyarray-c/Core.h"

//===-- Sessions (session.c) ----------------------------------------------------------------------===//

// An MLIR context with our dialects, used by one compilation at a time and then reused: making one takes as long as a
// small compilation. Diagnostics of MLIR go to |diagnostics|.
typedef struct pa_session {
  struct pa_session *next;
  MlirContext context;
  pa_string diagnostics;
  unsigned uses;
  bool gpu;          // has what pyarrayRegisterGpuDialects adds
  pa_string *times;  // where to add a row for each pass, "level<TAB>pass<TAB>seconds"; NULL: nowhere
  const char *stage; // the level that the passes under way lead to
  double since;      // when the last one ended
} pa_session;

pa_session *pa_session_take(void);
void pa_session_add_gpu(pa_session *session);
void pa_session_give_back(pa_session *session);

// Runs elements of a textual pipeline on |module|. A failing pass of ours gives its own status.
pa_status pa_session_run(pa_session *session, MlirOperation module, const char *pipeline, bool verify);
// Fails where |module|, which the passes to |level| have made, is not valid.
pa_status pa_session_verify(pa_session *session, MlirOperation module, const char *level);

//===-- Outputs -----------------------------------------------------------------------------------===//

// annotate.c: the source lines of the typed functions, each followed by its operations and their types. The GIL is
// held.
pa_status pa_annotate_types(MlirOperation module, pa_arena *arena, pa_string *out_text);

// What pyarray-fuse has noted of each operation on whole arrays, as rows "line<TAB>file<TAB>text".
pa_status pa_report_fusion(MlirOperation module, pa_arena *arena, pa_string *out_text);
// report_parallel.c: loops over prange and array operations, and whether they run on several threads; a row for each.
pa_status pa_report_parallel(MlirOperation module, pa_arena *arena, pa_string *out_text);

//===-- Targets -----------------------------------------------------------------------------------===//

// clusters.c: refuses kernels in the llvm dialect that use clusters where |cpu| ("sm_80"; NULL: the default) has none.
// |wanted|: by options.
pa_status pa_check_clusters(MlirOperation module, const char *cpu, bool wanted);

#endif // PYARRAY_LIB_PIPELINE_COMPILE_H
