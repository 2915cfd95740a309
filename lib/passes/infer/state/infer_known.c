// Tuples whose elements are known, since they were made in the same function.
#include "infer_internal.h"

// Without keyword arguments, and nothing spread.
bool pa_is_plain_call(MlirOperation op) {
  MlirAttribute names = pa_get_attr(op, "kw");
  return (mlirAttributeIsNull(names) || mlirArrayAttrGetNumElements(names) == 0) &&
         mlirAttributeIsNull(pa_get_attr(op, "spread"));
}

static const char *const unroll = "pyarray.literal_unroll";

bool pa_is_literal_unroll(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  return pa_ref_equal(pa_called_builtin(inference, instance, op), unroll) && mlirOperationGetNumOperands(op) == 2 &&
         pa_is_plain_call(op);
}

MlirOperation pa_maker_of(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : (MlirOperation){NULL};
}

pa_known_tuple *pa_make_known(pa_inference *inference, intptr_t count) {
  pa_known_tuple *made = PA_NEW(inference->arena, pa_known_tuple);
  *made = (pa_known_tuple){count, PA_NEW_ARRAY(inference->arena, pa_fact, count + 1),
                           PA_NEW_ARRAY(inference->arena, MlirValue, count + 1)};
  return made;
}

static const pa_known_tuple *operands_of(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  pa_known_tuple *made = pa_make_known(inference, mlirOperationGetNumOperands(op));
  for (intptr_t i = 0; i < made->count; ++i) {
    made->sources[i] = mlirOperationGetOperand(op, i);
    made->facts[i] = pa_fact_get(inference, instance, made->sources[i]);
  }
  return made;
}

const pa_known_tuple *pa_known_elements(pa_inference *inference, pa_instance *instance, MlirValue tuple) {
  const pa_known_tuple *known = pa_value_entry_of(inference, instance, tuple)->known;
  MlirOperation op = pa_maker_of(tuple);
  if (known || mlirOperationIsNull(op)) return known;
  pa_op_kind kind = pa_kind(&inference->names, op);
  if (kind == PA_OP_TUPLE) return operands_of(inference, instance, op);
  if (pa_is_literal_unroll(inference, instance, op))
    return pa_known_elements(inference, instance, mlirOperationGetOperand(op, 1));
  int64_t number;
  if (kind == PA_OP_UNPACK)
    number = mlirOpResultGetResultNumber(tuple);
  else if (kind != PA_OP_GETITEM || mlirOperationGetNumOperands(op) != 2 ||
           !pa_literal_int(pa_fact_get(inference, instance, mlirOperationGetOperand(op, 1)), &number))
    return NULL;
  MlirType outer = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0)).type;
  known = !mlirTypeIsNull(outer) && mlirTypeIsATuple(outer)
              ? pa_known_elements(inference, instance, mlirOperationGetOperand(op, 0))
              : NULL;
  if (known && number < 0) number += known->count;
  bool there = known && number >= 0 && number < known->count && !mlirValueIsNull(known->sources[number]);
  return there ? pa_known_elements(inference, instance, known->sources[number]) : NULL;
}

pa_fact pa_known_element(pa_inference *inference, pa_instance *instance, MlirValue tuple, int64_t position,
                         pa_fact fact) {
  const pa_known_tuple *known = pa_known_elements(inference, instance, tuple);
  if (known && position < 0) position += known->count;
  if (!known || position < 0 || position >= known->count) return fact;
  fact.site = known->facts[position].site; // an empty container learns what its items are where it is taken out
  if (mlirTypeEqual(known->facts[position].type, fact.type)) fact.literal = known->facts[position].literal;
  return fact;
}
