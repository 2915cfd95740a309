// Whole arrays: ufuncs, reductions, broadcasting.
#ifndef PYARRAY_LIB_PASSES_LOWER_WHOLE_ARRAYS_H
#define PYARRAY_LIB_PASSES_LOWER_WHOLE_ARRAYS_H

#include "lower_internal.h"

// lower_contract.c
void pa_lower_contract(pa_lowering *lower, MlirOperation op);

// lower_broadcast.c
void pa_lower_ufunc_shape(pa_lowering *lower, MlirOperation op);
void pa_lower_broadcast_to(pa_lowering *lower, MlirOperation op);
void pa_lower_insert_axes(pa_lowering *lower, MlirOperation op);
void pa_lower_transpose(pa_lowering *lower, MlirOperation op);
void pa_lower_order_dimensions(pa_lowering *lower, MlirOperation op);

// lower_ufunc.c
void pa_lower_ufunc(pa_lowering *lower, MlirOperation op);

// lower_fold.c
void pa_lower_reduce(pa_lowering *lower, MlirOperation op);

// lower_overlap.c
void pa_lower_independent(pa_lowering *lower, MlirOperation op);
void pa_lower_rows_apart(pa_lowering *lower, MlirOperation op);
void pa_lower_inner_strides(pa_lowering *lower, MlirOperation op);

#endif // PYARRAY_LIB_PASSES_LOWER_WHOLE_ARRAYS_H
