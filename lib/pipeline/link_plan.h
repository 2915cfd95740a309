// Private to lib/pipeline: code of others that a kernel is linked with (cuda.jit(link=[...]), cuda.declare_device).
#ifndef PYARRAY_LIB_PIPELINE_LINK_PLAN_H
#define PYARRAY_LIB_PIPELINE_LINK_PLAN_H

#include "codegen/codegen.h"
#include "pyarray-c/Core.h"

typedef struct pa_link_plan {
  pa_codegen_bitcode *bitcode; // what becomes part of the module; in the arena
  size_t bitcode_count;
  pa_string inputs; // what the driver links, as pyarray_compile_result.linked; to be freed
  // Where the kernel is optimised together with what it is linked with, by NVIDIA's libraries: their options, parted by
  // spaces. Else NULL.
  const char *nvvm_options;
  const char *shown; // text for who asks to see the PTX, or NULL; in the arena
} pa_link_plan;

// Asks Python, with the GIL, for what the request names and what the functions that |module| declares need. After type
// inference.
pa_status pa_plan_links(MlirOperation module, const pyarray_compile_request *request, pa_arena *arena,
                        pa_link_plan *out_plan);

#endif // PYARRAY_LIB_PIPELINE_LINK_PLAN_H
