// What the files of pyarray-offload share: offload.c decides what runs where, offload_kernels.c makes kernels and
// launches, offload_folds.c makes those of reductions, offload_products.c of products, offload_rows.c those of rows,
// offload_loops.c those of loops over prange.
#ifndef PYARRAY_LIB_PASSES_OFFLOAD_H
#define PYARRAY_LIB_PASSES_OFFLOAD_H

#include "ir/ir.h"
#include "pass/pass.h"

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

//===-- offload_loop_checks.c ---------------------------------------------------------------------===//

// Whether a pyarray.for is over prange and does what kernels do; what it calls is not looked at.
bool pa_may_be_kernel(const pa_names *names, MlirOperation loop);
// Whether one with pyarray.parallel is a kernel, with all that it reduces.
bool pa_is_kernel_loop(pa_offloading *o, MlirOperation loop);
bool pa_is_of_kernel(const pa_names *names, MlirOperation op); // apart from what is in its regions

//===-- offload_loop_updates.c --------------------------------------------------------------------===//

// Whether all that is done to a pyarray.private, whose word is `add`, can be done atomically, and doing so: on what it
// is a copy of.
bool pa_is_atomic_update(const pa_names *names, MlirOperation made);
pa_status pa_make_updates_atomic(pa_offloading *o, MlirOperation made);

//===-- offload_kernels.c -------------------------------------------------------------------------===//

// What a pass begins with, and into |out_functions| the functions whose arrays are a GPU's.
pa_offloading pa_offloading_begin(pa_pass_context *context, MlirOperation module, pa_op_list *out_functions);

MlirAttribute pa_kernel_options(const pa_offloading *o); // those of the function, for a GPU

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
