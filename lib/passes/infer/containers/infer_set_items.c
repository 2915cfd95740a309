// Stores of tuples, lists and ranges to several elements of an array in pyarray-infer-types, and of arrays whose
// elements are times in other units, or times beside numbers, and of text to times: a function of the Python library.
//
//   pyarray.setitem %a[%slice] = %tuple        @numpy.arrays.set_items with (%a, %slice, %tuple)
//   pyarray.setitem %days[%slice] = %hours     @numpy.times.set_times with (%days, %slice, %hours)
#include "infer_calls.h"
#include "infer_containers.h"

// What has items and is no array.
static bool is_sequence(MlirType type) {
  if (mlirTypeIsNull(type)) return false;
  pa_container kind = pa_container_of(type);
  return mlirTypeIsATuple(type) || pa_is_tagged(type, "namedtuple") || kind == PA_LIST || kind == PA_DEQUE ||
         pyarrayTypeIsRange(type);
}

// An array whose elements are no bytes of those of |array|, since one of both has times.
static bool has_other_times(MlirType array, MlirType value) {
  if (mlirTypeIsNull(value) || !pyarrayTypeIsArray(value)) return false;
  MlirType own = pyarrayArrayTypeGetElement(array), other = pyarrayArrayTypeGetElement(value);
  bool known = (pa_is_time(own) || pa_scalar_of(own) != PA_NOT_SCALAR) &&
               (pa_is_time(other) || pa_scalar_of(other) != PA_NOT_SCALAR);
  return known && (pa_is_time(own) || pa_is_time(other)) && !mlirTypeEqual(own, other);
}

// Text beside datetimes, of which one is read.
static bool is_text_of_time(MlirType array, MlirType value) {
  MlirType element = pyarrayArrayTypeGetElement(array);
  return !mlirTypeIsNull(value) && pyarrayTypeIsStr(value) && pyarrayTypeIsDatetime(element);
}

pa_status pa_plan_set_items(pa_class_operation *o) {
  intptr_t count = mlirOperationGetNumOperands(o->op) - 2;
  if (o->kind != PA_OP_SETITEM || count < 1) return PA_OK;
  MlirValue array = mlirOperationGetOperand(o->op, 0), value = mlirOperationGetOperand(o->op, count + 1),
            index = mlirOperationGetOperand(o->op, 1);
  pa_fact object = pa_fact_get(o->inference, o->instance, array), target = {0};
  if (pa_is_bottom(object) || !pyarrayTypeIsArray(object.type) || pyarrayArrayTypeIsReadonly(object.type)) return PA_OK;
  bool text = is_text_of_time(object.type, pa_value_type(o, value)),
       times = text || has_other_times(object.type, pa_value_type(o, value));
  if (!times && !is_sequence(pa_value_type(o, value))) return PA_OK;
  bool spread, bottom;
  intptr_t index_count;
  const pa_fact *indices = pa_index_facts(o->inference, o->instance, o->op, object, &index_count, &spread, &bottom);
  if (bottom) return PA_OK;
  pa_status failure = pa_type_getitem(&o->typing, object, indices, index_count, &target);
  bool several = !failure && (text || pyarrayTypeIsArray(target.type));
  pa_status_free(failure); // which is said of the store
  if (!several) return PA_OK;
  if (count > 1) {
    MlirValue *parts = PA_NEW_ARRAY(o->inference->arena, MlirValue, count);
    for (intptr_t i = 0; i < count; ++i) parts[i] = mlirOperationGetOperand(o->op, 1 + i);
    index = pa_make_tuple(o->inference, o->instance, o->op, parts, (int)count);
  }
  bool device = pa_is_device_function(o->instance->function);
  if (times && device) return PA_OK; // which would need memory
  const char *function = times    ? "numpy.times.set_times"
                         : device ? "numpy.arrays.set_items_of_kernel"
                                  : "numpy.arrays.set_items";
  return pa_plan_function(o, pa_symbol_attr(o->inference->context, function), (MlirValue[]){array, index, value}, 3);
}
