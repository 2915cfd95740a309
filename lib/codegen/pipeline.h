// Private to lib/codegen: the chosen LLVM pass pipelines.
#ifndef PYARRAY_LIB_CODEGEN_PIPELINE_H
#define PYARRAY_LIB_CODEGEN_PIPELINE_H

#include <stdbool.h>

// In LLVM's textual form. |several|: the module has more than one function body, so there may be something to inline.
const char *pa_llvm_pipeline(int opt_level, bool several);

#endif // PYARRAY_LIB_CODEGEN_PIPELINE_H
