// What the files of pyarray-expand-broadcasting share.
#ifndef PYARRAY_LIB_PASSES_ARRAYS_EXPAND_H
#define PYARRAY_LIB_PASSES_ARRAYS_EXPAND_H

#include "ir/ir.h"

enum { PA_MAX_VIEW_RANK = 32 }; // what pyarray-lower takes

// expand_reduce.c
pa_status pa_expand_reduce(pa_arena *arena, const pa_names *names, MlirOperation op);

#endif // PYARRAY_LIB_PASSES_ARRAYS_EXPAND_H
