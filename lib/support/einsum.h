// The plan of an np.einsum, "ij,jk->ik": what is summed within each operand, then which two of them are multiplied, one
// pair after the other, as products of matrices.
//
// A label is a letter, or a dimension of "...". Labels of one operand alone that the result lacks are summed at once.
// Of the pairs the one is next whose product has the fewest dimensions for what it sums over; extents are not known.
#ifndef PYARRAY_LIB_SUPPORT_EINSUM_H
#define PYARRAY_LIB_SUPPORT_EINSUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PA_MOST_EINSUM_OPERANDS = 24, PA_MOST_EINSUM_RANK = 32 };

typedef struct pa_einsum_term {
  int rank;
  uint8_t labels[PA_MOST_EINSUM_RANK];
} pa_einsum_term;

// A product of two terms of those that are left: of the dimensions of both (batch), of one, of those that are summed.
// Axes of the left one are in the order batch, left, shared; of the right one batch, shared, right. Where nothing is
// summed all count as batch, -1 where a term lacks one.
typedef struct pa_einsum_step {
  int first, second, batch, left, shared, right;
  int8_t left_axes[PA_MOST_EINSUM_RANK], right_axes[PA_MOST_EINSUM_RANK];
} pa_einsum_step;

typedef struct pa_einsum {
  int operands;
  pa_einsum_term given[PA_MOST_EINSUM_OPERANDS], result;
  // Of each operand its labels, once each, those that it alone has at the end; how many these are.
  pa_einsum_term distinct[PA_MOST_EINSUM_OPERANDS];
  int summed[PA_MOST_EINSUM_OPERANDS];
  pa_einsum_step steps[PA_MOST_EINSUM_OPERANDS];
  int8_t final_axes[PA_MOST_EINSUM_RANK]; // of the last product, in the order of the result
} pa_einsum;

// NULL on success, else NumPy's text of what is wrong, in |buffer| of 200 characters.
const char *pa_einsum_plan(const char *text, size_t length, const int *ranks, int operands, pa_einsum *out_plan,
                           char *buffer);
// A number of the plan by its name (einsum.c); -1: there is no such name.
int64_t pa_einsum_number(const pa_einsum *plan, const char *name, int number, int place);

#endif // PYARRAY_LIB_SUPPORT_EINSUM_H
