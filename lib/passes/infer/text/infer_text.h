// Text, bytearrays, memoryviews.
#ifndef PYARRAY_LIB_PASSES_INFER_TEXT_H
#define PYARRAY_LIB_PASSES_INFER_TEXT_H

#include "infer_resolved.h"

// infer_bytearray.c
pa_status pa_plan_bytearray_operation(pa_class_operation *o);

// infer_memoryview.c
pa_status pa_plan_memoryview_operation(pa_class_operation *o);
// The array that operand |i|, a memoryview, shows, where the operation takes that instead; null where it does not.
MlirType pa_memoryview_as_array(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_op_kind kind,
                                intptr_t i);
// A method of bytes gets bytes for memoryviews, and for a number that it looks for.
pa_status pa_take_buffers(pa_inference *inference, pa_instance *instance, MlirOperation op, const pa_builtin *builtin,
                          intptr_t skip, bool self, bool *out_bottom);

// infer_text.c
// Whether text of a value cannot be made of its representation alone; |within|: of an item of a container, or with
// conversions such as %r.
bool pa_is_text_by_numpy(MlirType type); // of arrays, records and times NumPy makes the text
bool pa_has_own_text(const pa_inference *inference, MlirType type, bool within);
// What templates show of such a value; bottom where that is not known yet.
pa_status pa_describe(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirValue value,
                      MlirValue *out_description);
pa_status pa_plan_percent_operation(pa_class_operation *o);

#endif // PYARRAY_LIB_PASSES_INFER_TEXT_H
