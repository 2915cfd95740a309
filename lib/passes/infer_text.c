// Operators on str and bytes in pyarray-infer-types: which builtin each becomes. Comparisons of two literals were decided before.
#include "infer_internal.h"

static bool is_integer(pa_fact fact) {
  pa_scalar scalar = pa_scalar_of(fact.type);
  return scalar == PA_BOOL || pa_is_integer(scalar);
}

static bool are_alike(pa_fact a, pa_fact b) { return pa_is_text(a.type) && mlirTypeEqual(a.type, b.type); }

static pa_status type_text_binary(const pa_typing *typing, MlirOperation op, pa_fact lhs, pa_fact rhs, pa_container_operator *out) {
  switch (pyarrayBinaryKindAttrGetValue(pa_get_attr(op, "kind"))) {
  case PYARRAY_BINARY_ADD:
    out->fits = are_alike(lhs, rhs);
    out->builtin = "str.concat";
    out->result = pa_fact_of(lhs.type);
    return PA_OK;
  case PYARRAY_BINARY_MUL:
    if (!is_integer(lhs) && !is_integer(rhs)) return PA_OK;
    out->fits = true;
    out->builtin = "str.repeat";
    out->swapped = is_integer(lhs);
    out->operands[!out->swapped] = pa_scalar_type(typing->context, PA_I64);
    out->result = pa_fact_of(out->swapped ? rhs.type : lhs.type);
    return PA_OK;
  case PYARRAY_BINARY_MOD:
    if (!pa_is_text(lhs.type)) return PA_OK;
    if (!pa_has_text(rhs.type))
      return pa_typing_fail(typing, PA_CODE_UNSUPPORTED, "a value of type %s is not formatted in compiled code yet", pa_type_text(typing->arena, rhs.type));
    out->fits = true;
    out->builtin = "str.percent";
    out->result = pa_fact_of(lhs.type);
    return PA_OK;
  default: return PA_OK;
  }
}

static pa_status type_text_compare(const pa_typing *typing, MlirOperation op, pa_fact lhs, pa_fact rhs, pa_container_operator *out) {
  pyarray_compare_kind kind = (pyarray_compare_kind)pyarrayCompareKindAttrGetValue(pa_get_attr(op, "kind"));
  out->result = pa_fact_of(mlirIntegerTypeGet(typing->context, 1));
  out->negated = kind == PYARRAY_COMPARE_NOTIN || kind == PYARRAY_COMPARE_ISNOT;
  if (kind == PYARRAY_COMPARE_IN || kind == PYARRAY_COMPARE_NOTIN) {
    bool code = pyarrayTypeIsBytes(rhs.type) && is_integer(lhs);
    out->fits = are_alike(rhs, lhs) || code;
    out->builtin = code ? "bytes.contains_code" : "str.contains";
    out->swapped = true;
    if (code) out->operands[0] = pa_scalar_type(typing->context, PA_I64);
    return PA_OK;
  }
  out->fits = are_alike(lhs, rhs);
  if (kind == PYARRAY_COMPARE_IS || kind == PYARRAY_COMPARE_ISNOT) out->builtin = "object.is";
  return PA_OK;
}

pa_status pa_type_text_operator(const pa_typing *typing, MlirOperation op, pa_op_kind kind, pa_fact lhs, pa_fact rhs,
                                pa_container_operator *out_operator) {
  if (kind == PA_OP_BINARY) return type_text_binary(typing, op, lhs, rhs, out_operator);
  return kind == PA_OP_COMPARE ? type_text_compare(typing, op, lhs, rhs, out_operator) : PA_OK;
}

//===-- translate --------------------------------------------------------------------------------===//

bool pa_has_no_items(pa_inference *inference, pa_instance *instance, intptr_t skip) {
  pa_fact table = inference->given_count > skip ? pa_fact_get(inference, instance, inference->given[skip]) : (pa_fact){0};
  if (mlirTypeIsNull(table.type) || pa_container_of(table.type) != PA_DICT) return false;
  pa_typing typing = {.context = inference->context, .arena = inference->arena, .sites = inference->sites};
  MlirType key = pa_container_item(&typing, table, 0).type;
  return mlirTypeIsNull(key) || pyarrayTypeIsNone(key);
}

//===-- template % values -------------------------------------------------------------------------===//

static pa_status plan_bottom(pa_class_operation *o) {
  o->plan->kind = PA_CLASS_CALL;
  return o->plan->call = (pa_resolved_call){.bottom = true}, PA_OK;
}

// The elements of the right operand, those with a text of their own described; any other value is the only element.
pa_status pa_plan_percent_operation(pa_class_operation *o) {
  if (o->kind != PA_OP_BINARY || pyarrayBinaryKindAttrGetValue(pa_get_attr(o->op, "kind")) != PYARRAY_BINARY_MOD) return PA_OK;
  MlirValue template = mlirOperationGetOperand(o->op, 0), values = mlirOperationGetOperand(o->op, 1);
  MlirType text = pa_fact_get(o->inference, o->instance, template).type, type = pa_fact_get(o->inference, o->instance, values).type;
  if (mlirTypeIsNull(text) || !pa_is_text(text) || !pa_has_own_text(o->inference, type, true)) return PA_OK;
  MlirType dict = pa_is_tagged(type, "frozen") ? pyarrayTaggedTypeGetItem(type) : type;
  if (pyarrayTypeIsDict(dict) && pa_has_own_text(o->inference, pyarrayDictTypeGetValue(dict), true))
    return pa_plan_function(o, pa_symbol_attr(o->inference->context, "text.percent_of_values"), (MlirValue[]){template, values}, 2);
  MlirType tuple = pa_is_tagged(type, "namedtuple") ? pyarrayTaggedTypeGetItem(type) : type;
  bool several = mlirTypeIsATuple(tuple);
  intptr_t count = several ? mlirTupleTypeGetNumTypes(tuple) : 1;
  MlirValue *elements = PA_NEW_ARRAY(o->inference->arena, MlirValue, count + 1);
  for (intptr_t i = 0; i < count; ++i) {
    MlirType element = several ? mlirTupleTypeGetType(tuple, i) : type;
    elements[i] = several ? pa_make_element(o->inference, o->instance, o->op, values, (int)i, pa_fact_of(element)) : values;
    if (pa_has_own_text(o->inference, element, true)) PA_TRY(pa_describe(o->inference, o->instance, o->op, elements[i], &elements[i]));
    if (pa_is_bottom(pa_fact_get(o->inference, o->instance, elements[i]))) return plan_bottom(o);
  }
  MlirValue described = pa_make_tuple(o->inference, o->instance, o->op, elements, (int)count);
  return pa_plan_function(o, pa_symbol_attr(o->inference->context, "text.percent"), (MlirValue[]){template, described}, 2);
}
