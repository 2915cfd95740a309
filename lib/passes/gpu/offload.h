// What the files of pyarray-offload share: offload.c decides what runs where, offload_kernels.c makes kernels and
// launches, offload_folds.c makes those of reductions, offload_products.c of products, offload_rows.c those of rows.
#ifndef PYARRAY_LIB_PASSES_OFFLOAD_H
#define PYARRAY_LIB_PASSES_OFFLOAD_H

#include "ir/ir.h"

enum { PA_OFFLOAD_RANK = 32 };

typedef struct pa_offloading {
  pa_arena *arena;
  pa_names names;
  MlirContext context;
  MlirOperation module;
  MlirOperation function; // being offloaded
  MlirType si64;
  int kernels, made;                  // in the module; of them, made by this pass
  const char **texts, **kernel_names; // of those made: without a name; what they are called
  size_t capacity;
} pa_offloading;

pa_builder pa_offload_before(const pa_offloading *o, MlirOperation op);
MlirValue pa_offload_constant(pa_offloading *o, pa_builder *at, int64_t value); // si64
// A builtin of one result, or of none where |result| is null.
MlirValue pa_offload_builtin(pa_offloading *o, pa_builder *at, const char *name, const MlirValue *operands,
                             intptr_t count, MlirType result);
MlirValue pa_offload_extent(pa_offloading *o, pa_builder *at, MlirValue array, int axis); // si64
MlirValue pa_offload_empty(pa_offloading *o, pa_builder *at, MlirType type, const MlirValue *extents, intptr_t rank);

//===-- offload_kernels.c -------------------------------------------------------------------------===//

// An operation with `outs` becomes a kernel, with the unit attribute |form| there, and its launch. Operands from
// |outputs| on are written; |points| is the one whose points the grid is made for.
typedef struct pa_kernel_form {
  intptr_t outputs, points;
  bool fold;
} pa_kernel_form;

pa_status pa_offload_operation(pa_offloading *o, MlirOperation op, const pa_kernel_form *form);
pa_status pa_offload_ufunc(pa_offloading *o, MlirOperation op);
// Takes away what was computed of numbers on the device and nobody needs on the host.
void pa_offload_drop_fetched(const pa_offloading *o, MlirBlock block);

//===-- offload_rows.c ----------------------------------------------------------------------------===//

// Whether a ufunc over rows (pyarray.rows) is one that a kernel does.
bool pa_are_rows_done(const pa_offloading *o, MlirOperation op);
pa_status pa_offload_rows(pa_offloading *o, MlirOperation op);
// offload.c
bool pa_is_reduction_done(MlirOperation op);
bool pa_has_hosts_code(MlirOperation op);

//===-- offload_folds.c ---------------------------------------------------------------------------===//

pa_status pa_offload_reduce(pa_offloading *o, MlirOperation op);

//===-- offload_products.c ------------------------------------------------------------------------===//

pa_status pa_offload_contract(pa_offloading *o, MlirOperation op);

#endif // PYARRAY_LIB_PASSES_OFFLOAD_H
