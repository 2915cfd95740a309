// Instances of classes, records.
#ifndef PYARRAY_LIB_PASSES_LOWER_OBJECTS_H
#define PYARRAY_LIB_PASSES_LOWER_OBJECTS_H

#include "lower_internal.h"

// lower_records.c
// Operand |i| of a builtin is a record, an array of bytes of known extent; false after a failure. The pointer |bytes|
// behind its first byte.
bool pa_record_operand(pa_lowering *lower, const pa_builtin_call *call, int i, pa_array *out_record);
MlirValue pa_record_pointer(pa_lowering *lower, const pa_array *record, int64_t bytes);
void pa_lower_field(pa_lowering *lower, MlirOperation op);

// lower_instance.c
void pa_lower_new(pa_lowering *lower, MlirOperation op);
void pa_lower_getfield(pa_lowering *lower, MlirOperation op);
void pa_lower_setattr(pa_lowering *lower, MlirOperation op);

#endif // PYARRAY_LIB_PASSES_LOWER_OBJECTS_H
