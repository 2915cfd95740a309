// Global containers of Python as part of compiled code (frozen.c).
#ifndef PYARRAY_LIB_RUNTIME_FROZEN_H
#define PYARRAY_LIB_RUNTIME_FROZEN_H

#include <stdbool.h>
#include <stdint.h>

#include "support.h"

// Appends the bytes that pyarray_rt_frozen takes, of a list, dict or set that was just made. False for what cannot be
// part of code: arrays, instances of classes.
bool pa_freeze(int64_t handle, pa_string *out);
// Compiled code in [begin, end) is about to go: its objects go too.
void pa_frozen_forget(const void *begin, const void *end);

#endif // PYARRAY_LIB_RUNTIME_FROZEN_H
