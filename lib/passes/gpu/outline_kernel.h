// What the files of pyarray-outline-kernel share: outline_kernel.c makes the gpu.module and the kernel,
// kernel_parameters.c its parameters, kernel_shared.c its shared arrays.
#ifndef PYARRAY_LIB_PASSES_OUTLINE_KERNEL_H
#define PYARRAY_LIB_PASSES_OUTLINE_KERNEL_H

#include "ir/ir.h"
#include "pass.h"

enum { PA_SHARED_ALIGNMENT = 16 };

typedef struct pa_outliner {
  pa_arena *arena;
  MlirContext context;
  pa_names names;
  MlirOperation module, entry;
  MlirBlock kernels; // body of the gpu.module
  MlirType i1, i8, i32, i64, index, ptr;
} pa_outliner;

static inline pa_builder pa_outline_before(pa_outliner *o, MlirOperation op) {
  return (pa_builder){.context = o->context,
                      .block = mlirOperationGetBlock(op),
                      .before = op,
                      .location = mlirOperationGetLocation(op)};
}

// kernel_parameters.c

typedef struct pa_kernel_parameters {
  pa_outliner *o;
  pa_builder builder; // at the start of the body
  MlirBlock block;
  intptr_t count;   // slots so far: the block's first arguments
  int32_t *extents; // numbers of slots that hold an array's extents
  size_t extent_count, extent_capacity;
  bool numbers; // pyarray.numbers: strides are what the slots say, whatever the type
} pa_kernel_parameters;

// The next slots as a value of that type, in front of the arguments that are still to be replaced.
MlirValue pa_kernel_slot(pa_kernel_parameters *p, MlirType type);
MlirValue pa_kernel_constant(pa_kernel_parameters *p, int64_t value); // i64
MlirValue pa_kernel_memref(pa_kernel_parameters *p, MlirType type);
// Replaces the arguments of the body by slots, in order, and what is made of them.
pa_status pa_make_kernel_parameters(pa_kernel_parameters *p);

// kernel_shared.c

typedef struct pa_attributions {
  intptr_t count;            // the last arguments of the kernel's block
  MlirAttribute *attributes; // a dictionary for each
  int64_t moved;             // bytes that became dynamic
  int64_t alignment;         // of the dynamic memory
} pa_attributions;

// The shared arrays of a kernel become arguments at the end of its |block|, or dynamic memory.
pa_status pa_attribute_shared(pa_outliner *o, MlirOperation function, MlirBlock block, pa_attributions *out);
// Functions that are no kernels have no attributions: their shared arrays are globals.
pa_status pa_globalize_shared(pa_outliner *o, MlirOperation function);

#endif // PYARRAY_LIB_PASSES_OUTLINE_KERNEL_H
