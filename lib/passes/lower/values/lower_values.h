// Values of any kind: comparison, truth, attributes, builtins, constants.
#ifndef PYARRAY_LIB_PASSES_LOWER_VALUES_H
#define PYARRAY_LIB_PASSES_LOWER_VALUES_H

#include "lower_internal.h"

// lower_access.c
void pa_lower_unary(pa_lowering *lower, MlirOperation op);
void pa_lower_truth(pa_lowering *lower, MlirOperation op);
void pa_lower_getitem(pa_lowering *lower, MlirOperation op);
void pa_lower_setitem(pa_lowering *lower, MlirOperation op);
void pa_lower_getattr(pa_lowering *lower, MlirOperation op);

// lower_compare.c
void pa_lower_compare(pa_lowering *lower, MlirOperation op);

// lower_foreign.c
void pa_lower_foreign(pa_lowering *lower, MlirOperation op);

// lower_constants.c
void pa_lower_constant(pa_lowering *lower, MlirOperation op);
void pa_lower_unbound(pa_lowering *lower, MlirOperation op);

// lower_builtins.c
void pa_lower_builtin(pa_lowering *lower, MlirOperation op);

#endif // PYARRAY_LIB_PASSES_LOWER_VALUES_H
