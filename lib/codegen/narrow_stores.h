// Stores in PTX that write less than the whole of a register.
#ifndef PYARRAY_LIB_CODEGEN_NARROW_STORES_H
#define PYARRAY_LIB_CODEGEN_NARROW_STORES_H

#include "support/support.h"

// Appends to |out_text| a move for each register that |instruction|, up to |end|, stores a part of.
void pa_guard_store(const char *instruction, const char *end, pa_string *out_text);

#endif // PYARRAY_LIB_CODEGEN_NARROW_STORES_H
