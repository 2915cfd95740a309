// Python's own exception classes.
#ifndef PYARRAY_LIB_IR_EXCEPTIONS_H
#define PYARRAY_LIB_IR_EXCEPTIONS_H

#include <stdbool.h>

// Whether the class |name| is the class |base|, or a builtin one that derives from it.
bool pa_exception_is(const char *name, const char *base);

// The name of a callable that stands for exception classes: this, and their names with commas between.
#define PA_EXCEPTION_CLASSES "except "

#endif // PYARRAY_LIB_IR_EXCEPTIONS_H
