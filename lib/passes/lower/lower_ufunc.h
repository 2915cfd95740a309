// What lower_ufunc.c, lower_packed.c, lower_strided.c and lower_carried.c share.
#ifndef PYARRAY_LIB_PASSES_LOWER_UFUNC_H
#define PYARRAY_LIB_PASSES_LOWER_UFUNC_H

#include "lower_internal.h"

typedef struct pa_ufunc_operand {
  pa_array array; // a null memref: a number
  MlirValue number;
} pa_ufunc_operand;

typedef struct pa_ufunc {
  MlirOperation op;
  MlirBlock body;
  int input_count, output_count, rank; // of the loop
  bool packed, unit_strides, strided;
  int64_t cost; // of a point
  pa_ufunc_operand *operands;
  MlirValue extents[PA_MAX_RANK]; // index type
  MlirValue indices[PA_MAX_RANK];
} pa_ufunc;

static inline bool pa_is_number(const pa_ufunc_operand *operand) { return mlirValueIsNull(operand->array.memref); }

// The array, whose stride along |axis| is known to be 1.
MlirValue pa_with_unit_stride(pa_lowering *lower, const pa_array *array, int axis);

// scf.parallel from |low| to |high| (index type); the block argument is the index.
pa_scope pa_parallel_begin(pa_lowering *lower, MlirValue *out_index);
void pa_parallel_end(pa_lowering *lower, pa_scope scope, MlirValue low, MlirValue high, const char *marker);

// scf.parallel over |count| dimensions with these extents. |grain| of a loop for threads, or null: as its body costs.
pa_scope pa_grid_begin(pa_lowering *lower, int count);
void pa_grid_end(pa_lowering *lower, pa_scope scope, const MlirValue *extents, int count, const char *marker,
                 MlirAttribute grain);

// The operand along the last dimension, at the indices of the others: one dimension, any stride.
pa_array pa_ufunc_row(pa_lowering *lower, const pa_ufunc *u, const pa_array *array);
// The points [low, high) of that row, of an elementwise ufunc: one after the other, or by contiguous blocks.
void pa_lower_strided_row(pa_lowering *lower, pa_ufunc *u, MlirValue low, MlirValue high);
// A ufunc whose first input is its output, one point later.
void pa_lower_carried(pa_lowering *lower, pa_ufunc *u);
void pa_lower_packed_row(pa_lowering *lower, pa_ufunc *u, MlirValue low, MlirValue high);

#endif // PYARRAY_LIB_PASSES_LOWER_UFUNC_H
