// Literals in pyarray-infer-types that have no value at run time: strings, and tuples among an exception's arguments.
//
//   pyarray.compare eq %a, %b                  with the literals "fast" and "fast": true, so that only one branch is
//   walked pyarray.tuple %a, %b; pyarray.raise (%t)   %t becomes the constant "('fast',1,)" : tuple<!pyarray.str, si64>
#include "infer_internal.h"

//===-- Comparisons -------------------------------------------------------------------------------===//

static bool is_str_literal(pa_fact fact) { return pyarrayTypeIsStr(fact.type) && !mlirAttributeIsNull(fact.literal); }

// The elements of a tuple, with their literals where the tuple was built here; in arena memory.
static const pa_fact *element_facts(pa_inference *inference, pa_instance *instance, MlirValue tuple,
                                    intptr_t *out_count) {
  MlirType type = pa_fact_get(inference, instance, tuple).type;
  intptr_t count = *out_count = mlirTupleTypeGetNumTypes(type);
  pa_fact *facts = PA_NEW_ARRAY(inference->arena, pa_fact, count + 1);
  bool built =
      !mlirValueIsABlockArgument(tuple) && pa_kind(&inference->names, mlirOpResultGetOwner(tuple)) == PA_OP_TUPLE;
  for (intptr_t i = 0; i < count; ++i)
    facts[i] = built ? pa_fact_get(inference, instance, mlirOperationGetOperand(mlirOpResultGetOwner(tuple), i))
                     : pa_fact_of(mlirTupleTypeGetType(type, i));
  return facts;
}

static bool is_equal(pa_fact a, pa_fact b) {
  return mlirStringRefEqual(mlirStringAttrGetValue(a.literal), mlirStringAttrGetValue(b.literal));
}

static pa_fact known(pa_inference *inference, bool value) {
  MlirAttribute literal = mlirBoolAttrGet(inference->context, value);
  return (pa_fact){mlirAttributeGetType(literal), literal};
}

static pa_status find_string(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_fact item,
                             bool *out_found) {
  intptr_t count;
  const pa_fact *elements = element_facts(inference, instance, mlirOperationGetOperand(op, 1), &count);
  *out_found = false;
  for (intptr_t i = 0; i < count; ++i) {
    if (!pyarrayTypeIsStr(elements[i].type)) continue;
    if (is_str_literal(item) && is_str_literal(elements[i])) {
      *out_found = *out_found || is_equal(item, elements[i]);
      continue;
    }
    pa_typing typing = pa_typing_at(inference, op);
    return pa_typing_fail(&typing, PA_CODE_TYPING,
                          "strings are only compared where both are known when the function is compiled");
  }
  return PA_OK;
}

pa_status pa_compare_strings(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_fact *out_result) {
  *out_result = (pa_fact){{NULL}, {NULL}};
  pyarray_compare_kind kind = (pyarray_compare_kind)pyarrayCompareKindAttrGetValue(pa_get_attr(op, "kind"));
  pa_fact lhs = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0));
  pa_fact rhs = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 1));
  if (kind == PYARRAY_COMPARE_EQ || kind == PYARRAY_COMPARE_NE) {
    if (!is_str_literal(lhs) || !is_str_literal(rhs)) return PA_OK;
    return *out_result = known(inference, is_equal(lhs, rhs) == (kind == PYARRAY_COMPARE_EQ)), PA_OK;
  }
  if (kind != PYARRAY_COMPARE_IN && kind != PYARRAY_COMPARE_NOTIN) return PA_OK;
  if (!pyarrayTypeIsStr(lhs.type) || !mlirTypeIsATuple(rhs.type)) return PA_OK;
  bool found;
  PA_TRY(find_string(inference, instance, op, lhs, &found));
  return *out_result = known(inference, found == (kind == PYARRAY_COMPARE_IN)), PA_OK;
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
