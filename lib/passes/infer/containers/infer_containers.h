// Dicts, ranges, sets, mixed and global containers; numbers of which one is an int64 and one a uint64.
#ifndef PYARRAY_LIB_PASSES_INFER_CONTAINERS_H
#define PYARRAY_LIB_PASSES_INFER_CONTAINERS_H

#include "infer_resolved.h"

// infer_dict_classes.c
// Counter and defaultdict
pa_status pa_plan_dict_class_operation(pa_class_operation *o);
bool pa_dict_class_has_method(MlirType type, const char *name); // of its own

// infer_ranges.c
pa_status pa_plan_range_operation(pa_class_operation *o);

// infer_mixed.c
pa_status pa_plan_mixed_operation(pa_class_operation *o);

// infer_views.c
pa_status pa_plan_view_operation(pa_class_operation *o);

// infer_set_items.c
pa_status pa_plan_set_items(pa_class_operation *o);

// infer_frozen.c
pa_status pa_check_frozen(pa_class_operation *o); // fails where the operation changes a global container
bool pa_reads_frozen(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_op_kind kind, intptr_t i);

// infer_whole.c
pa_status pa_plan_whole_division(pa_class_operation *o);    // of a uint64 of bits and a signed integer
pa_status pa_plan_unsigned_function(pa_class_operation *o); // gcd and others of a uint64
// pa_type_binary for |op|, a pyarray.binary.
pa_status pa_type_binary_at(pa_inference *inference, MlirOperation op, pa_fact lhs, pa_fact rhs,
                            pa_operator *out_operator, pa_fact *out_result);
// |op| failed. Whether it is an operator of bits on what comes from meetings, which are uint64 in the next round.
bool pa_make_whole(pa_inference *inference, pa_instance *instance, MlirOperation op);

#endif // PYARRAY_LIB_PASSES_INFER_CONTAINERS_H
