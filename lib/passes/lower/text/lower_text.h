// str and bytes.
#ifndef PYARRAY_LIB_PASSES_LOWER_TEXT_H
#define PYARRAY_LIB_PASSES_LOWER_TEXT_H

#include "lower_internal.h"

// lower_text.c
MlirValue pa_text_length(pa_lowering *lower, MlirValue text); // i64
MlirValue pa_text_truth(pa_lowering *lower, MlirValue text);
// Gives the level-3 |result| item |index| (i64, within bounds).
void pa_text_item_at(pa_lowering *lower, MlirValue result, MlirValue text, MlirValue index);
void pa_lower_text_getitem(pa_lowering *lower, MlirOperation op);
void pa_lower_text_unpack(pa_lowering *lower, MlirOperation op);
MlirValue pa_text_equal(pa_lowering *lower, MlirValue a, MlirValue b); // of two handles
MlirValue pa_compare_text(pa_lowering *lower, pyarray_compare_kind kind, MlirValue a, MlirValue b);

#endif // PYARRAY_LIB_PASSES_LOWER_TEXT_H
