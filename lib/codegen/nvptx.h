// Private to lib/codegen: modules with a gpu.module.
#ifndef PYARRAY_LIB_CODEGEN_NVPTX_H
#define PYARRAY_LIB_CODEGEN_NVPTX_H

#include "codegen.h"
#include "llvm-c/TargetMachine.h"

// nvptx_target.c
extern const char pa_nvptx_triple[];
// |has_points|: its code is straight, and emission may leave things out. |*out_version|: of PTX, 63 for 6.3.
pa_status pa_nvptx_machine(const pa_codegen_options *options, bool has_points, const char **out_cpu, int *out_version,
                           LLVMTargetMachineRef *out_machine);

// nvptx.c
bool pa_has_gpu_module(MlirOperation module);
pa_status pa_codegen_gpu_llvm_ir(MlirOperation module, const pa_codegen_options *options, bool optimized,
                                 pa_string *out_text);

#endif // PYARRAY_LIB_CODEGEN_NVPTX_H
