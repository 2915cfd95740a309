// Private to lib/codegen: what LLVM's passes say, and how long they take.
#ifndef PYARRAY_LIB_CODEGEN_OBSERVE_H
#define PYARRAY_LIB_CODEGEN_OBSERVE_H

#include "pyarray-c/Target.h"
#include "support/support.h"

// For pyarrayNoteRemarks; |out| is a pa_string to which a row is added (pa_codegen_options).
void pa_add_remark(const pyarray_remark *remark, void *out);

// Around passes that this thread runs; then a row for each pass, in the order in which they first began.
void pa_pass_times_begin(void);
void pa_pass_times_end(pa_string *out);

#endif // PYARRAY_LIB_CODEGEN_OBSERVE_H
