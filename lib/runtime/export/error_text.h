// The text of an error that compiled code left with, without Python.
#ifndef PYARRAY_LIB_RUNTIME_ERROR_TEXT_H
#define PYARRAY_LIB_RUNTIME_ERROR_TEXT_H

#include "runtime.h"
#include "support/support.h"

// Of the placeholder "{1}" (a number) or "{1:2}" (a shape of two extents from number 1 on) at |text| the length, with
// what it stands for appended to |out|; 0 where there is none.
size_t pa_put_placeholder(pa_string *out, const char *text, const pa_raised *raised);

// Appends str() of the exception whose arguments are the tuple literal |arguments|, with computed values of the types
// |codes| (lib/ir/sites.c).
void pa_put_exception_text(pa_string *out, const char *arguments, const char *codes, const pa_raised *raised);

#endif // PYARRAY_LIB_RUNTIME_ERROR_TEXT_H
