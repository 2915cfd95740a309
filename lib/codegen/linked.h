// Private to lib/codegen: functions of other code that a module calls (cuda.declare_device), and bitcode that defines
// them.
#ifndef PYARRAY_LIB_CODEGEN_LINKED_H
#define PYARRAY_LIB_CODEGEN_LINKED_H

#include "llvm_module.h"

// The name that a declared function has in the code that is linked; NULL for all others.
const char *pa_linked_name(LLVMValueRef function);

// Links options->bitcode: what it defines serves declared functions of these names and other bitcode, and is internal;
// no function of ours takes its names. Before anything of ours is optimised.
pa_status pa_link_bitcode(pa_llvm_module *llvm, const pa_codegen_options *options);

// Gives declared functions that are still not defined their names, for who links the code; with |refused|, on the CPU,
// they are a failure.
pa_status pa_name_linked(pa_llvm_module *llvm, bool refused);

#endif // PYARRAY_LIB_CODEGEN_LINKED_H
