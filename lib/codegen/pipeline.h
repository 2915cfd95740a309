// Private to lib/codegen: the chosen LLVM pass pipelines.
#ifndef PYARRAY_LIB_CODEGEN_PIPELINE_H
#define PYARRAY_LIB_CODEGEN_PIPELINE_H

#include <stdbool.h>

// What a module has: one function body; several, so that there may be something to inline; coroutines among them.
typedef enum pa_module_shape { PA_ONE_FUNCTION, PA_SEVERAL_FUNCTIONS, PA_COROUTINES } pa_module_shape;

// In LLVM's textual form. |many_checks|: one value is compared so often that instcombine would take time in the square of that.
const char *pa_llvm_pipeline(int opt_level, pa_module_shape shape, bool many_checks);

// The same in two parts, at level 2: up to the passes on loops, and from there on, where loops may have become functions (outline_loops.h).
const char *pa_llvm_pipeline_part(bool loops, pa_module_shape shape, bool many_checks);

#endif // PYARRAY_LIB_CODEGEN_PIPELINE_H
