// Values as sums of others with constant factors, for pyarray-hoist-checks.
#ifndef PYARRAY_LIB_PASSES_LINEAR_H
#define PYARRAY_LIB_PASSES_LINEAR_H

#include "ir/ir.h"

enum {
  PA_MAX_TERMS = 8,
  PA_MAX_COEFFICIENT_BITS = 20, // with leaves below 2^38 and eight terms, no sum leaves 64 bits
  PA_MAX_LEAF_BITS = 38,
  PA_MAX_DEPTH = 16, // of an index expression
};

// A value that is not taken apart: an SSA value, or the extent of an array along an axis (axis >= 0).
typedef struct pa_leaf {
  MlirValue value;
  intptr_t axis;
} pa_leaf;

// constant + sum of coefficient * leaf. |failed|: not linear, or too large.
typedef struct pa_linear {
  int64_t constant;
  int count;
  struct {
    pa_leaf leaf;
    int64_t coefficient;
  } terms[PA_MAX_TERMS];
  bool failed;
} pa_linear;

MlirOperation pa_defining_op(MlirValue value);                              // null of a block's argument
bool pa_linear_known(const pa_names *names, MlirValue value, int64_t *out); // a literal
pa_linear pa_linear_of(const pa_names *names, MlirValue value,
                       int depth); // |depth|: of the expression so far; 0 at first
pa_linear pa_linear_constant(int64_t value);
pa_linear pa_linear_leaf(MlirValue value, intptr_t axis);
pa_linear pa_add_scaled(pa_linear a, pa_linear b, int64_t factor); // a + factor * b
void pa_add_term(pa_linear *sum, pa_leaf leaf, int64_t coefficient);

bool pa_same_leaf(pa_leaf a, pa_leaf b);
bool pa_same_terms(const pa_linear *a, const pa_linear *b); // they differ in their constant only
bool pa_is_never_negative(const pa_linear *e);              // whatever its leaves are: extents are never negative
bool pa_is_always_negative(const pa_linear *e);

#endif // PYARRAY_LIB_PASSES_LINEAR_H
