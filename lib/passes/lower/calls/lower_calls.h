// Calls of the device.
#ifndef PYARRAY_LIB_PASSES_LOWER_CALLS_H
#define PYARRAY_LIB_PASSES_LOWER_CALLS_H

#include "lower_internal.h"

// lower_map_shared.c
void pa_lower_map_shared(pa_lowering *lower, const pa_builtin_call *call);

#endif // PYARRAY_LIB_PASSES_LOWER_CALLS_H
