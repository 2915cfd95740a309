// Private to lib/codegen: functions of other code that a module calls (cuda.declare_device), and bitcode that defines
// them.
#ifndef PYARRAY_LIB_CODEGEN_LINKED_H
#define PYARRAY_LIB_CODEGEN_LINKED_H

#include "llvm_module.h"
#include "llvm-c/Target.h"

// The file that a function is from: on all that bitcode defines which is linked for the CPU, static ones too; and on
// what it declares for a GPU.
#define PA_LINKED_CODE "pyarray.linked_code"

// The name that a declared function has in the code that is linked; NULL for all others.
const char *pa_linked_name(LLVMValueRef function);
// The text of an attribute of a function, or NULL.
const char *pa_linked_attribute(LLVMValueRef function, const char *name);

// Links options->bitcode: what it defines serves declared functions of these names and other bitcode, and is internal;
// no function of ours takes its names. Before anything of ours is optimised. PA_CODE_LINK where files do not fit
// together: what two define, or none, with |host|, on the CPU, where nothing is linked later.
pa_status pa_link_bitcode(pa_llvm_module *llvm, const pa_codegen_options *options, bool host);

// Bytes that a call copies to the stack for the function that it calls.
int64_t pa_bytes_by_value(LLVMValueRef call, LLVMTargetDataRef layout);

// Of a function or variable that |file| declares.
pa_status pa_fail_undefined(const char *file, const char *name, bool function);

// Gives declared functions that are still not defined their names, for who links the code; on the CPU they are a
// failure.
pa_status pa_name_linked(pa_llvm_module *llvm, const pa_codegen_options *options, bool host);

// On the CPU, makes errors of what would end the process: overflows of the stack, traps, ends of functions without a
// return (linked_guards.c). Elsewhere, declared functions never fail so.
void pa_guard_linked(pa_llvm_module *llvm, bool host);

#endif // PYARRAY_LIB_CODEGEN_LINKED_H
