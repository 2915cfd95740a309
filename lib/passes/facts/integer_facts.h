// What is known at compile time of integers in typed functions (levels 2 and 3). "Known" answers are certain; the
// others are "no".
#ifndef PYARRAY_LIB_PASSES_INTEGER_FACTS_H
#define PYARRAY_LIB_PASSES_INTEGER_FACTS_H

#include "ir/ir.h"

// Of an integer or a bool; false where an int64 does not hold it.
bool pa_integer_of_attribute(MlirAttribute value, int64_t *out_value);
// The value of a constant, seen through casts.
bool pa_integer_known(const pa_names *names, MlirValue value, int64_t *out_value);
// What |value| is, seen through tuples that are taken apart where they are made.
MlirValue pa_item_of_tuple(const pa_names *names, MlirValue value);
// True only if the integer is at least 1: a constant, the extent of a block or a grid, a product of such.
bool pa_integer_positive(const pa_names *names, MlirValue value);
// True only if the integer is never negative; with |may_wrap|, unless a sum or product wrapped, which a bounds check
// finds.
bool pa_integer_not_negative(const pa_names *names, MlirValue value, bool may_wrap);

#endif // PYARRAY_LIB_PASSES_INTEGER_FACTS_H
