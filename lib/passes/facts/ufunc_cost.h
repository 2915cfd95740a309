// What a point of a ufunc costs, roughly, in simple operations. Shared by pyarray-specialize-strides and pyarray-lower.
#ifndef PYARRAY_LIB_PASSES_UFUNC_COST_H
#define PYARRAY_LIB_PASSES_UFUNC_COST_H

#include "ir/ir.h"

enum {
  PA_EXPENSIVE_POINT = 40, // from here on, copying an operand first costs little beside
};

int64_t pa_ufunc_cost(const pa_names *names, MlirBlock body);
// Whether it calls functions, as exp, which take several points at a time where there are several.
bool pa_calls_functions(const pa_names *names, MlirBlock body);

#endif // PYARRAY_LIB_PASSES_UFUNC_COST_H
