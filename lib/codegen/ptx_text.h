// Private to lib/codegen: PTX as LLVM writes it, with what NVIDIA's assembler makes better code of, sooner.
#ifndef PYARRAY_LIB_CODEGEN_PTX_TEXT_H
#define PYARRAY_LIB_CODEGEN_PTX_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "support/support.h"

// Appends |text| to |out_text|, with other instructions in place of some; only of such as the assembler gets wrong
// unless |optimize|.
void pa_append_ptx(const char *text, size_t size, bool optimize, pa_string *out_text);

#endif // PYARRAY_LIB_CODEGEN_PTX_TEXT_H
