// Private to lib/codegen: LLVM IR as NVIDIA's libNVVM takes it, which makes code for link-time optimisation of it.
//
// For devices before Blackwell that is the IR of LLVM 7, with the conventions of NVVM IR 2.0: pointers have the types
// of what they point to, kernels are named in metadata, atomics have no scopes.
//
//   %v = load float, ptr addrspace(1) %p, align 4
// becomes
//   %v3.p = bitcast i8 addrspace(1)* %v2 to float addrspace(1)*
//   %v3 = load float, float addrspace(1)* %v3.p, align 4
//
// For newer ones it is nearly what we have.
#ifndef PYARRAY_LIB_CODEGEN_NVVM_IR_H
#define PYARRAY_LIB_CODEGEN_NVVM_IR_H

#include "llvm_module.h"

// Appends the text for compute capability |architecture| (90). The module, which is optimised, is changed: only to be
// disposed of afterwards. PA_CODE_UNSUPPORTED: it has something that libNVVM has not.
pa_status pa_print_nvvm_ir(pa_llvm_module *llvm, int architecture, pa_string *out_text);

// The parts, of LLVM 7.

typedef struct pa_nvvm_printer {
  pa_string *text;
  pa_string declarations; // which come at the end
  pa_string refused;      // what cannot be said; empty: everything could
} pa_nvvm_printer;

void pa_nvvm_refuse(pa_nvvm_printer *p, const char *what);
void pa_nvvm_type(pa_nvvm_printer *p, LLVMTypeRef type);
void pa_nvvm_function_type(pa_nvvm_printer *p, LLVMTypeRef type);           // with parameters
void pa_nvvm_address(pa_nvvm_printer *p, LLVMTypeRef type, unsigned space); // the type of a pointer to it
void pa_nvvm_value(pa_nvvm_printer *p, LLVMValueRef value);
void pa_nvvm_typed(pa_nvvm_printer *p, LLVMValueRef value); // behind its type
void pa_nvvm_gep(pa_nvvm_printer *p, LLVMValueRef gep);     // its operands; of an instruction without the first one
LLVMTypeRef pa_nvvm_gep_element(LLVMValueRef gep);          // what it points to
unsigned pa_nvvm_space(LLVMTypeRef pointer);
unsigned pa_nvvm_global_space(LLVMValueRef global); // variables are in no generic memory there
void pa_nvvm_instruction(pa_nvvm_printer *p, LLVMValueRef instruction);
// Of an intrinsic, in the place of which something else is written. False: it is called like any function.
bool pa_nvvm_intrinsic(pa_nvvm_printer *p, LLVMValueRef call, const char *name);
void pa_nvvm_intrinsic_name(pa_nvvm_printer *p, const char *name);
// A declaration at the end of the text, once.
void pa_nvvm_declare(pa_nvvm_printer *p, const char *declaration);
void pa_nvvm_declare_function(pa_nvvm_printer *p, LLVMValueRef function);

#endif // PYARRAY_LIB_CODEGEN_NVVM_IR_H
