// The mapping of a parameter **kwargs in pyarray-infer-types: a tuple of the values, whose names the fact has. What
// depends on a name is decided when the function is compiled.
//
//   %kwargs : tagged<"keywords", ["scale", "n"], tuple<f64, si64>>
//   %0 = pyarray.getitem %kwargs["scale"]             element 0
//   %1 = pyarray.compare in "n", %kwargs              true
#include "infer_calls.h"
#include "infer_emit.h"

static bool is_mapping(MlirType type) { return pa_is_tagged(type, "keywords"); }

static intptr_t find_name(MlirType mapping, MlirAttribute name) {
  MlirAttribute names = pyarrayTaggedTypeGetTag(mapping);
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(names); ++i)
    if (mlirAttributeEqual(mlirArrayAttrGetElement(names, i), name)) return i;
  return -1;
}

// The literal that operand |i| is. Fails where it is none.
static pa_status literal_key(pa_class_operation *o, intptr_t i, MlirAttribute *out_name) {
  pa_fact key = pa_fact_get(o->inference, o->instance, mlirOperationGetOperand(o->op, i));
  *out_name = key.literal;
  if (pyarrayTypeIsStr(key.type) && !mlirAttributeIsNull(key.literal)) return PA_OK;
  return pa_typing_fail(
      &o->typing, PA_CODE_TYPING,
      "keyword arguments are found by names that are known when the function is compiled, not by a value of type %s\n"
      "hint: write the name as a literal, or go over kwargs.items()",
      pa_type_text(o->inference->arena, key.type));
}

static pa_status plan_element(pa_class_operation *o, MlirType mapping, intptr_t element) {
  o->plan->kind = PA_CLASS_ELEMENT;
  o->plan->object = mlirOperationGetOperand(o->op, 0);
  o->plan->element = element;
  return o->plan->result = mlirTupleTypeGetType(pyarrayTaggedTypeGetItem(mapping), element), PA_OK;
}

static pa_status decide_item(pa_class_operation *o, MlirType mapping) {
  MlirAttribute name;
  PA_TRY(literal_key(o, 1, &name));
  intptr_t element = find_name(mapping, name);
  if (element >= 0) return plan_element(o, mapping, element);
  MlirStringRef text = mlirStringAttrGetValue(name);
  return pa_typing_fail(&o->typing, PA_CODE_TYPING,
                        "KeyError: '%.*s'\nhint: the call has no keyword argument of that name; use kwargs.get, or ask "
                        "whether it is in kwargs",
                        (int)text.length, text.data);
}

static pa_status decide_in(pa_class_operation *o, MlirType mapping, bool negated) {
  MlirAttribute name;
  PA_TRY(literal_key(o, 0, &name));
  o->plan->kind = PA_CLASS_CONSTANT;
  return o->plan->constant = mlirBoolAttrGet(o->inference->context, (find_name(mapping, name) >= 0) != negated), PA_OK;
}

// "x" -> value, or keys and values, as tuples.
static MlirType view_type(pa_inference *inference, MlirType mapping, bool pairs) {
  MlirType values = pyarrayTaggedTypeGetItem(mapping), str = pyarrayStrTypeGet(inference->context);
  intptr_t count = mlirTupleTypeGetNumTypes(values);
  MlirType *types = PA_NEW_ARRAY(inference->arena, MlirType, count + 1);
  for (intptr_t i = 0; i < count; ++i)
    types[i] =
        pairs ? mlirTupleTypeGet(inference->context, 2, (MlirType[]){str, mlirTupleTypeGetType(values, i)}) : str;
  return mlirTupleTypeGet(inference->context, count, types);
}

MlirType pa_keyword_names_type(pa_inference *inference, MlirType mapping) {
  return view_type(inference, mapping, false);
}

static pa_status decide_get(pa_class_operation *o, MlirType mapping) {
  intptr_t count = mlirOperationGetNumOperands(o->op);
  MlirAttribute name;
  if (count < 2 || count > 3)
    return pa_typing_fail(&o->typing, PA_CODE_TYPING, "get expected 1 or 2 arguments, got %d", (int)count - 1);
  PA_TRY(literal_key(o, 1, &name));
  intptr_t element = find_name(mapping, name);
  if (element >= 0) return plan_element(o, mapping, element);
  if (count == 2)
    return o->plan->kind = PA_CLASS_CONSTANT, o->plan->constant = pa_unit_attr(o->inference->context), PA_OK;
  pa_fact otherwise = pa_fact_get(o->inference, o->instance, mlirOperationGetOperand(o->op, 2));
  o->plan->object = mlirOperationGetOperand(o->op, 2);
  o->plan->kind = mlirAttributeIsNull(otherwise.literal) ? PA_CLASS_VALUE : PA_CLASS_CONSTANT;
  o->plan->constant = otherwise.literal;
  return o->plan->result = otherwise.type, PA_OK;
}

static pa_status decide_method(pa_class_operation *o, MlirType mapping) {
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(o->op, "name"));
  bool items = pa_ref_equal(name, "items"), keys = pa_ref_equal(name, "keys"), values = pa_ref_equal(name, "values");
  o->plan->object = mlirOperationGetOperand(o->op, 0);
  if (pa_ref_equal(name, "get")) return decide_get(o, mapping);
  if (!items && !keys && !values)
    return pa_typing_fail(&o->typing, PA_CODE_UNSUPPORTED,
                          "the method '%.*s' of keyword arguments is not compiled\nhint: they have get, keys, values "
                          "and items, and are not changed",
                          (int)name.length, name.data);
  o->plan->kind = values ? PA_CLASS_VALUE : items ? PA_CLASS_KEYWORD_ITEMS : PA_CLASS_KEYWORD_NAMES;
  return o->plan->result = values ? pyarrayTaggedTypeGetItem(mapping) : view_type(o->inference, mapping, items), PA_OK;
}

// a | b: the values of b for the names that both have.
static pa_status decide_union(pa_class_operation *o, MlirType a, MlirType b) {
  MlirType types[] = {a, b};
  intptr_t most = mlirArrayAttrGetNumElements(pyarrayTaggedTypeGetTag(a)) +
                  mlirArrayAttrGetNumElements(pyarrayTaggedTypeGetTag(b)),
           count = 0;
  MlirAttribute *names = PA_NEW_ARRAY(o->inference->arena, MlirAttribute, most + 1);
  MlirValue *values = PA_NEW_ARRAY(o->inference->arena, MlirValue, most + 1);
  MlirType *elements = PA_NEW_ARRAY(o->inference->arena, MlirType, most + 1);
  for (int side = 0; side < 2; ++side) {
    MlirAttribute all = pyarrayTaggedTypeGetTag(types[side]);
    for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(all); ++i) {
      names[count] = mlirArrayAttrGetElement(all, i);
      elements[count] = mlirTupleTypeGetType(pyarrayTaggedTypeGetItem(types[side]), i);
      if (!side && find_name(b, names[count]) >= 0) continue;
      values[count] = pa_make_element(o->inference, o->instance, o->op, mlirOperationGetOperand(o->op, side), (int)i,
                                      pa_fact_of(elements[count]));
      ++count;
    }
  }
  o->plan->kind = PA_CLASS_TUPLE;
  o->plan->values = values;
  o->plan->element = count;
  MlirType tuple = mlirTupleTypeGet(o->inference->context, count, elements);
  return o->plan->result =
             pyarrayTaggedTypeGet(pa_ref("keywords"), mlirArrayAttrGet(o->inference->context, count, names), tuple),
         PA_OK;
}

pa_status pa_plan_keywords_operation(pa_class_operation *o) {
  MlirType first = pa_operand_type(o, 0),
           second = mlirOperationGetNumOperands(o->op) > 1 ? pa_operand_type(o, 1) : (MlirType){NULL};
  int compare = o->kind == PA_OP_COMPARE ? (int)pyarrayCompareKindAttrGetValue(pa_get_attr(o->op, "kind")) : -1;
  if ((compare == PYARRAY_COMPARE_IN || compare == PYARRAY_COMPARE_NOTIN) && is_mapping(second))
    return decide_in(o, second, compare == PYARRAY_COMPARE_NOTIN);
  if (!is_mapping(first)) return PA_OK;
  switch (o->kind) {
  case PA_OP_GETITEM: return decide_item(o, first);
  case PA_OP_METHOD: return decide_method(o, first);
  case PA_OP_BINARY:
    return is_mapping(second) && pyarrayBinaryKindAttrGetValue(pa_get_attr(o->op, "kind")) == PYARRAY_BINARY_OR
               ? decide_union(o, first, second)
               : PA_OK;
  case PA_OP_SETITEM:
  case PA_OP_DELITEM:
    return pa_typing_fail(
        &o->typing, PA_CODE_UNSUPPORTED,
        "keyword arguments cannot be changed in compiled code\nhint: make a dict of those that have one type");
  default: return PA_OK;
  }
}

//===-- Emission ----------------------------------------------------------------------------------===//

MlirValue pa_emit_keywords(pa_instance_emitter *e, MlirValue object, MlirType mapping, bool pairs) {
  MlirAttribute names = pyarrayTaggedTypeGetTag(mapping);
  intptr_t count = mlirArrayAttrGetNumElements(names), elements;
  MlirValue *parts = pa_emitter_values(e, count),
            *values = pairs ? pa_emit_elements(e, pa_emitter_use(e, object), &elements) : NULL;
  MlirType type = pa_erased_type(view_type(e->inference, mapping, pairs));
  for (intptr_t i = 0; i < count; ++i) {
    parts[i] = pa_emit_literal(e, mlirArrayAttrGetElement(names, i));
    if (pairs)
      parts[i] = pa_value(e->builder, PA_OP_NAME(TUPLE), PA_OPERANDS(parts[i], values[i]),
                          PA_RESULTS(mlirTupleTypeGetType(type, i)));
  }
  return pa_value(e->builder, PA_OP_NAME(TUPLE), PA_OPERAND_ARRAY(parts, count), PA_RESULTS(type));
}
