// Stores in PTX that write less than the whole of a register.
#ifndef PYARRAY_LIB_CODEGEN_NARROW_STORES_H
#define PYARRAY_LIB_CODEGEN_NARROW_STORES_H

#include <stddef.h>

#include "support/support.h"

// Appends |text|, PTX of LLVM's, to |out_text|, with a move before each such store.
void pa_append_guarded_ptx(const char *text, size_t size, pa_string *out_text);

#endif // PYARRAY_LIB_CODEGEN_NARROW_STORES_H
