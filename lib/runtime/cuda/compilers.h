// NVIDIA's compilers and linker as libraries (libraries.def): none needs a GPU. Each must have been opened.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_COMPILERS_H
#define PYARRAY_LIB_RUNTIME_CUDA_COMPILERS_H

#include "kernel.h"
#include "libraries.h"

// What a compiler gives; each part is malloc's, and NULL where there is none.
typedef struct pa_compiled_code {
  char *bytes;
  size_t size;
  char *text; // the same as PTX
} pa_compiled_code;

void pa_compiled_code_free(pa_compiled_code *code);

// CUDA C++ by NVRTC to a cubin, or with the option -dlto to code for link-time optimisation, for the architecture that
// |options| name ("--gpu-architecture=sm_90"). PA_CODE_LINK with the compiler's log where the source does not compile.
pa_status pa_nvrtc_compile(const char *source, const char *name, const char *const *options, int option_count,
                           pa_compiled_code *out_code);

// LLVM IR by libNVVM; PA_CODE_LINK, likewise.
pa_status pa_nvvm_compile(const char *bytes, size_t size, const char *name, const char *const *options,
                          int option_count, pa_compiled_code *out_code);

// What to say behind the failure of an input: binary code is for one architecture. In |text|, of |size| bytes.
const char *pa_input_hint(int type, int capability, char *text, size_t size);

// Whether there is code for link-time optimisation among the inputs.
bool pa_has_lto_input(const pa_kernel_options *options);

// PTX of a kernel and its inputs by nvJitLink, for |capability|, 90. Where the inputs have the kernel's IR, and libNVVM
// is open and takes it, that is linked in place of the PTX. The caller frees |*out_binary|.
pa_status pa_nvjitlink_kernel(const char *ptx, size_t size, const pa_kernel_options *options, int capability,
                              void **out_binary, size_t *out_size);

#endif // PYARRAY_LIB_RUNTIME_CUDA_COMPILERS_H
