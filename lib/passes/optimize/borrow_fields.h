// Which reads of fields pyarray-insert-ownership leaves without a retain (borrow_fields.c).
#ifndef PYARRAY_LIB_PASSES_BORROW_FIELDS_H
#define PYARRAY_LIB_PASSES_BORROW_FIELDS_H

#include "ir/ir.h"

// Whether the instance holds the value of |getfield|, which is managed, until its last use is over.
bool pa_can_borrow_field(const pa_names *names, MlirOperation getfield);

#endif // PYARRAY_LIB_PASSES_BORROW_FIELDS_H
