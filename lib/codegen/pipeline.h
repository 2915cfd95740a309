// Private to lib/codegen: the chosen LLVM pass pipelines.
#ifndef PYARRAY_LIB_CODEGEN_PIPELINE_H
#define PYARRAY_LIB_CODEGEN_PIPELINE_H

#include <stdbool.h>

// What a module has: one function body; several, so that there may be something to inline; coroutines among them.
typedef enum pa_module_shape { PA_ONE_FUNCTION, PA_SEVERAL_FUNCTIONS, PA_COROUTINES } pa_module_shape;

// ORDER CHECKS How often one value is compared, with what takes time in the square of that left out.
typedef enum pa_checks {
  PA_FEW_CHECKS,
  PA_MANY_BOUNDS, // with values that are not known: no indvars, which asks of every exit of a loop how often it runs
  PA_MANY_CHECKS, // nor instcombine
} pa_checks;

// In LLVM's textual form.
const char *pa_llvm_pipeline(int opt_level, pa_module_shape shape, pa_checks checks);

// The same in two parts, at level 2: up to the passes on loops, and from there on, where loops may have become
// functions (outline_loops.h).
const char *pa_llvm_pipeline_part(bool loops, pa_module_shape shape, pa_checks checks);

#endif // PYARRAY_LIB_CODEGEN_PIPELINE_H
