// Calls of the device.
#ifndef PYARRAY_LIB_PASSES_LOWER_CALLS_H
#define PYARRAY_LIB_PASSES_LOWER_CALLS_H

#include "lower_internal.h"

// lower_global_array.c
void pa_lower_global_array(pa_lowering *lower, const pa_builtin_call *call);

// lower_shown.c
void pa_lower_shown(pa_lowering *lower, const pa_builtin_call *call);

// lower_map_shared.c
void pa_lower_map_shared(pa_lowering *lower, const pa_builtin_call *call);

// lower_launch.c
void pa_lower_launch(pa_lowering *lower, MlirOperation op);

// lower_native.c
// An argument as C passes it: integers below 32 bits come as int, since callers extend them, arrays by their first
// element.
MlirValue pa_c_argument(pa_lowering *lower, MlirValue value);

#endif // PYARRAY_LIB_PASSES_LOWER_CALLS_H
