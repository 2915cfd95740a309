// What lower_ufunc.c, lower_generic.c and lower_carried.c share.
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
  bool grid;                           // for a GPU
  bool packed;                         // operands are read by blocks, though the operation does not say so
  bool sums;    // its points are added to the first element of each output, in NumPy's order: at most 128
  int64_t cost; // of a point
  pa_ufunc_operand *operands;
  MlirValue extents[PA_MAX_RANK]; // index type
  MlirValue indices[PA_MAX_RANK];
  // What is stored of the output |number|, of what it was, which is the last but as many inputs, and what the body
  // yields; NULL: that.
  MlirValue (*combine)(pa_lowering *lower, const void *data, int number, MlirValue before, MlirValue value);
  const void *data;
} pa_ufunc;

static inline bool pa_is_number(const pa_ufunc_operand *operand) { return mlirValueIsNull(operand->array.memref); }

// The array, whose stride along |axis| is known to be 1.
MlirValue pa_with_unit_stride(pa_lowering *lower, const pa_array *array, int axis);

// Attributes of the operation that the ufunc becomes; their number.
enum { PA_UFUNC_ATTRIBUTES = 4 };
int pa_ufunc_attributes(pa_lowering *lower, const pa_ufunc *u, pa_attr *out);

// Whether its points are numbers and its body only computes; linalg.generic then.
bool pa_is_generic(const pa_ufunc *u);
void pa_lower_generic(pa_lowering *lower, pa_ufunc *u);
// A ufunc whose first input is its output, one point later.
void pa_lower_carried(pa_lowering *lower, pa_ufunc *u);

#endif // PYARRAY_LIB_PASSES_LOWER_UFUNC_H
