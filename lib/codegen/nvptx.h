// Private to lib/codegen: modules with a gpu.module.
#ifndef PYARRAY_LIB_CODEGEN_NVPTX_H
#define PYARRAY_LIB_CODEGEN_NVPTX_H

#include "codegen.h"

bool pa_has_gpu_module(MlirOperation module);
pa_status pa_codegen_gpu_llvm_ir(MlirOperation module, const pa_codegen_options *options, bool optimized,
                                 pa_string *out_text);

#endif // PYARRAY_LIB_CODEGEN_NVPTX_H
