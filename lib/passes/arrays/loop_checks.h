// What strips and interchanged loops share: which loops they look at, and the operations of level 2 that ask about
// arrays before one is changed.
#ifndef PYARRAY_LIB_PASSES_ARRAYS_LOOP_CHECKS_H
#define PYARRAY_LIB_PASSES_ARRAYS_LOOP_CHECKS_H

#include "ir/ir.h"

MlirValue pa_si64(pa_builder *at, int64_t value);
// Of two values of one type.
MlirValue pa_binary_of(pa_builder *at, pyarray_binary_kind kind, MlirValue a, MlirValue b);
// |all| and the comparison; |all| may be null.
MlirValue pa_and_compare(pa_builder *at, MlirValue all, pyarray_compare_kind kind, MlirValue a, MlirValue b);
MlirValue pa_extent_of(pa_builder *at, MlirValue array, intptr_t axis);
// |all|, and that |index| is an index of |length| elements, perhaps from the end.
MlirValue pa_and_in_bounds(pa_builder *at, MlirValue all, MlirValue index, MlirValue length);
// |all|, and that |written| shares no memory with |other|.
MlirValue pa_and_apart(pa_builder *at, MlirValue all, MlirValue written, MlirValue other);

// The loops (pyarray.for) of a function that runs on one core of the host, the outer ones first; none of
// another one.
pa_op_list pa_loops_on_one_core(pa_arena *arena, const pa_names *names, MlirOperation function);

#endif // PYARRAY_LIB_PASSES_ARRAYS_LOOP_CHECKS_H
