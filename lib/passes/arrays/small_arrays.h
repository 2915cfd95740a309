// Small arrays: what is known of their extents, and operations on them that become operations on numbers.
//
//   small_extents.c   extents that are constants
//   small_unroll.c    reductions and products of few numbers
//   small_carried.c   what loops carry
//   small_products.c  products that are added to an array
//   use_stack.c       the pass, and where such arrays are
#ifndef PYARRAY_LIB_PASSES_ARRAYS_SMALL_ARRAYS_H
#define PYARRAY_LIB_PASSES_ARRAYS_SMALL_ARRAYS_H

#include "ir/ir.h"
#include "support/map.h"

enum {
  PA_MOST_SMALL_RANK = 4,
  PA_MOST_ARRAY_BYTES = 2048,
  PA_MOST_UNROLLED = 32, // points of a loop
};

typedef struct pa_extents {
  int rank;
  int64_t sizes[PA_MOST_SMALL_RANK];
} pa_extents;

typedef struct pa_small_arrays {
  bool in_kernel; // of a GPU, where copies may be in stack memory, too
  pa_arena *arena;
  pa_names names;
  pa_map known;   // of arrays: pa_extents
  pa_map refused; // block arguments whose extents are those of the first iteration alone
  pa_map places;  // of operations, in the order of the text
} pa_small_arrays;

//===-- Extents (small_extents.c) -----------------------------------------------------------------===//

// NULL where they are not known, or of more dimensions.
const pa_extents *pa_known_extents(const pa_small_arrays *small, MlirValue array);
bool pa_extents_are_equal(const pa_extents *a, const pa_extents *b);
// Notes what is known of the result of |op|, whose operands have been read.
void pa_read_extents(pa_small_arrays *small, MlirOperation op);
// What is known of all arrays of a function, and of those that its loops carry and its branches give.
void pa_read_all_extents(pa_small_arrays *small, MlirOperation function);
// Of an array; 0: too many, none, or not of numbers.
int64_t pa_small_bytes(MlirType array, const pa_extents *known);
// The results of a pyarray.ufunc_shape, where all arrays are known and fit.
bool pa_known_shape(const pa_small_arrays *small, MlirOperation op, int64_t *out_sizes);

//===-- Loops (small_carried.c) -------------------------------------------------------------------===//

// Gives a pyarray.for memory of its own for the arrays of known extents that it carries, where nobody can tell.
// |*out_changed|: it has, and |loop| is gone.
pa_status pa_copy_carried(pa_small_arrays *small, MlirOperation loop, bool *out_changed);

//===-- Numbers (small_unroll.c) ------------------------------------------------------------------===//

// The element at |place|, and a store there.
MlirValue pa_small_load(pa_builder *at, MlirValue array, const int64_t *place, int rank, MlirType type);
void pa_small_store(pa_builder *at, MlirValue array, const int64_t *place, int rank, MlirValue value);
// Puts operations on elements in the place of an expanded reduction or product of few numbers. |*out_done|: then |op|
// is gone.
pa_status pa_unroll(pa_small_arrays *small, MlirOperation op, bool *out_done);

//===-- Products (small_products.c) ---------------------------------------------------------------===//

// Adds small products where they belong, of all extents that are not known.
pa_status pa_add_products(pa_small_arrays *small, MlirOperation function);

#endif // PYARRAY_LIB_PASSES_ARRAYS_SMALL_ARRAYS_H
