// Literals in pyarray-infer-types: comparisons of strings that decide branches, and tuples among an exception's
// arguments.
//
//   pyarray.compare eq %a, %b                  with the literals "fast" and "fast": true, so that only one branch is
//   walked pyarray.tuple %a, %b; pyarray.raise (%t)   %t becomes the constant "('fast',1,)" : tuple<!pyarray.str, si64>
#include "infer_signs.h"

//===-- Comparisons -------------------------------------------------------------------------------===//

static bool is_str_literal(pa_fact fact) { return pyarrayTypeIsStr(fact.type) && !mlirAttributeIsNull(fact.literal); }

const pa_fact *pa_element_facts(pa_inference *inference, pa_instance *instance, MlirValue tuple, intptr_t *out_count) {
  MlirType type = pa_fact_get(inference, instance, tuple).type;
  uint64_t signs = pa_fact_get(inference, instance, tuple).signs;
  if (pyarrayTypeIsTagged(type)) type = pyarrayTaggedTypeGetItem(type);
  intptr_t count = *out_count = mlirTupleTypeGetNumTypes(type);
  pa_fact *facts = PA_NEW_ARRAY(inference->arena, pa_fact, count + 1);
  const pa_known_tuple *known = pa_known_elements(inference, instance, tuple);
  if (known && known->count == count) return known->facts;
  for (intptr_t i = 0; i < count; ++i) facts[i] = pa_sign_element(type, signs, i);
  return facts;
}

static bool is_equal(pa_fact a, pa_fact b) {
  return mlirStringRefEqual(mlirStringAttrGetValue(a.literal), mlirStringAttrGetValue(b.literal));
}

static pa_fact known(pa_inference *inference, bool value) {
  MlirAttribute literal = mlirBoolAttrGet(inference->context, value);
  return pa_fact_known(mlirAttributeGetType(literal), literal);
}

// 1 where the item is in the tuple, 0 where it is not; -1 where that is seen at run time only.
static int find_string(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_fact item) {
  intptr_t count;
  const pa_fact *elements = pa_element_facts(inference, instance, mlirOperationGetOperand(op, 1), &count);
  int found = 0;
  for (intptr_t i = 0; i < count && found != 1; ++i) {
    if (!pyarrayTypeIsStr(elements[i].type)) continue;
    bool known_now = is_str_literal(item) && is_str_literal(elements[i]);
    if (!known_now || is_equal(item, elements[i])) found = known_now ? 1 : -1;
  }
  return found;
}

pa_status pa_compare_strings(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_fact *out_result) {
  *out_result = (pa_fact){0};
  pyarray_compare_kind kind = (pyarray_compare_kind)pyarrayCompareKindAttrGetValue(pa_get_attr(op, "kind"));
  pa_fact lhs = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0));
  pa_fact rhs = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 1));
  bool equal = kind == PYARRAY_COMPARE_EQ || kind == PYARRAY_COMPARE_IS;
  if (pyarrayTypeIsCallable(lhs.type) && pyarrayTypeIsCallable(rhs.type) &&
      (equal || kind == PYARRAY_COMPARE_NE || kind == PYARRAY_COMPARE_ISNOT))
    return *out_result = known(inference, mlirTypeEqual(lhs.type, rhs.type) == equal), PA_OK;
  if (kind == PYARRAY_COMPARE_EQ || kind == PYARRAY_COMPARE_NE) {
    if (!is_str_literal(lhs) || !is_str_literal(rhs)) return PA_OK;
    return *out_result = known(inference, is_equal(lhs, rhs) == (kind == PYARRAY_COMPARE_EQ)), PA_OK;
  }
  if (kind != PYARRAY_COMPARE_IN && kind != PYARRAY_COMPARE_NOTIN) return PA_OK;
  if (!pyarrayTypeIsStr(lhs.type) || !mlirTypeIsATuple(rhs.type)) return PA_OK;
  int found = find_string(inference, instance, op, lhs);
  if (found >= 0) *out_result = known(inference, found == (kind == PYARRAY_COMPARE_IN));
  return PA_OK;
}

//===-- Tuples ------------------------------------------------------------------------------------===//

static bool append_tuple(pa_inference *inference, pa_instance *instance, MlirValue tuple, pa_string *out) {
  if (mlirValueIsABlockArgument(tuple)) return false;
  MlirOperation op = mlirOpResultGetOwner(tuple);
  if (pa_kind(&inference->names, op) != PA_OP_TUPLE) return false;
  pa_string_puts(out, "(");
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    pa_fact fact = pa_fact_get(inference, instance, mlirOperationGetOperand(op, i));
    if (mlirTypeIsATuple(fact.type)) {
      if (!append_tuple(inference, instance, mlirOperationGetOperand(op, i), out)) return false;
    } else if (mlirAttributeIsNull(fact.literal)) {
      return false;
    } else {
      pa_python_literal(out, fact.literal);
    }
    pa_string_puts(out, ",");
  }
  return pa_string_puts(out, ")"), true;
}

MlirAttribute pa_tuple_literal(pa_inference *inference, pa_instance *instance, MlirValue tuple) {
  MlirType type = pa_fact_get(inference, instance, tuple).type;
  pa_string text = {0};
  MlirAttribute literal = {NULL};
  if (mlirTypeIsATuple(type) && append_tuple(inference, instance, tuple, &text))
    literal = mlirStringAttrTypedGet(type, pa_ref(pa_string_text(&text)));
  pa_string_free(&text);
  return literal;
}
