// Python's own exception classes.
#ifndef PYARRAY_LIB_IR_EXCEPTIONS_H
#define PYARRAY_LIB_IR_EXCEPTIONS_H

#include <stdbool.h>

#include "ir.h"

// Whether the class |name| is the class |base|, or a builtin one that derives from it.
bool pa_exception_is(const char *name, const char *base);

// Whether the class |name|, which has these |bases| (or null) where it is not builtin, derives from one of |classes|.
// "=ValueError" among these is that class itself, and none that derives from it.
bool pa_exception_is_any(pa_arena *arena, const char *name, MlirAttribute bases, MlirAttribute classes);

// The name of a callable that stands for exception classes: this, and their names with commas between.
#define PA_EXCEPTION_CLASSES "except "

#endif // PYARRAY_LIB_IR_EXCEPTIONS_H
