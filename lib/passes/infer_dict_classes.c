// collections.Counter and collections.defaultdict in pyarray-infer-types: dicts whose facts are tagged with their class. A subscript, and what else
// the class has of its own, is a function of the library; for all that is not said here they are the dict (pa_open_optionals).
//
//   %c = pyarray.apply %Counter(%text)      %d = pyarray.dict; %c = @counter.filled with (%d, %text)
//   %n = pyarray.getitem %c[%key]           @counter.item with (%c, %key)
//   tagged<"counter", unit, dict<!pyarray.str, si64>>, tagged<"defaultdict", type of the factory, dict<...>>
#include <string.h>

#include "infer_internal.h"

static MlirValue operand_of(const pa_class_operation *o, intptr_t i) { return mlirOperationGetOperand(o->op, i); }
static MlirType type_of(const pa_class_operation *o, intptr_t i) { return pa_fact_get(o->inference, o->instance, operand_of(o, i)).type; }
static bool is_counter(MlirType type) { return pa_is_tagged(type, "counter"); }

static pa_status call(pa_class_operation *o, const char *function, const MlirValue *arguments, intptr_t count) {
  return pa_plan_function(o, pa_symbol_attr(o->inference->context, function), arguments, count);
}

static MlirStringRef callee_name(MlirType callee) {
  MlirAttribute name = !mlirTypeIsNull(callee) && pyarrayTypeIsCallable(callee) ? pyarrayCallableTypeGetName(callee) : mlirAttributeGetNull();
  return !mlirAttributeIsNull(name) && mlirAttributeIsAString(name) ? mlirStringAttrGetValue(name) : pa_ref("");
}

//===-- New ones ----------------------------------------------------------------------------------===//

// An empty one of |kind|, made here.
static MlirValue make_empty(pa_class_operation *o, const char *kind, MlirAttribute tag) {
  pa_fact fact = pa_container_here(&o->typing, PA_DICT);
  fact.type = pyarrayTaggedTypeGet(pa_ref(kind), tag, fact.type);
  return pa_make_dict(o->inference, o->instance, o->op, fact);
}

// The factory as the tag of the type.
static pa_status factory_tag(pa_class_operation *o, MlirType type, MlirAttribute *out_tag) {
  bool nested = pa_is_tagged(type, "function") && mlirTupleTypeGetNumTypes(pyarrayTaggedTypeGetItem(type)) == 0;
  if (nested) type = pyarrayCallableTypeGet(pyarrayTaggedTypeGetTag(type));
  if (pyarrayTypeIsCallable(type)) return *out_tag = mlirTypeAttrGet(type), PA_OK;
  return pa_typing_fail(&o->typing, PA_CODE_UNSUPPORTED, "the first argument of defaultdict() is a value of type %s\nhint: give it a class such as int or list, a compiled function, or a lambda that uses no variables",
                        pa_type_text(o->inference->arena, type));
}

static pa_status decide_new(pa_class_operation *o, bool counter) {
  PA_TRY(pa_take_operands(o->inference, o->instance, o->op));
  intptr_t count = o->inference->given_count - 1, first = counter ? 0 : 1;
  if (!mlirAttributeIsNull(o->inference->keywords))
    return pa_typing_fail(&o->typing, PA_CODE_UNSUPPORTED, "%s() with keyword arguments is not compiled\nhint: give it a dict", counter ? "Counter" : "defaultdict");
  if (count < first || count > first + 1)
    return pa_typing_fail(&o->typing, PA_CODE_TYPING, counter ? "Counter() takes at most 1 argument" : "defaultdict() takes a factory, and at most 1 other argument");
  MlirValue given[] = {o->inference->given[count ? 1 : 0], o->inference->given[count]};
  MlirAttribute tag = pa_unit_attr(o->inference->context);
  if (!counter) PA_TRY(factory_tag(o, pa_fact_get(o->inference, o->instance, given[0]).type, &tag));
  MlirValue arguments[] = {make_empty(o, counter ? "counter" : "defaultdict", tag), given[1]};
  return call(o, counter ? "counter.filled" : "defaultdict.filled", arguments, 1 + count - first);
}

//===-- Operations --------------------------------------------------------------------------------===//

// A method that the class has of its own; |copies|: it gives a new one, which comes before the others.
static const struct {
  const char *name, *function;
  bool of_counters, copies;
} methods[] = {
    {"copy", "counter.filled", true, true},       {"copy", "defaultdict.filled", false, true},
    {"elements", "counter.elements", true, false},   {"most_common", "counter.most_common", true, false}, {"subtract", "counter.subtract", true, false},
    {"total", "counter.total", true, false},         {"update", "counter.update", true, false},
};

static pa_status decide_method(pa_class_operation *o, MlirType type) {
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(o->op, "name"));
  for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
    if (!pa_ref_equal(name, methods[i].name) || methods[i].of_counters != is_counter(type)) continue;
    PA_TRY(pa_take_operands(o->inference, o->instance, o->op));
    if (!methods[i].copies) return call(o, methods[i].function, o->inference->given, o->inference->given_count);
    MlirValue self = o->inference->given[0], arguments[] = {make_empty(o, is_counter(type) ? "counter" : "defaultdict", pyarrayTaggedTypeGetTag(type)), self};
    return call(o, methods[i].function, arguments, 2);
  }
  return PA_OK;
}

static pa_status decide_binary(pa_class_operation *o) {
  static const struct { pyarray_binary_kind kind; const char *function; } rows[] = {
      {PYARRAY_BINARY_ADD, "counter.added"}, {PYARRAY_BINARY_SUB, "counter.subtracted"}, {PYARRAY_BINARY_AND, "counter.least"}, {PYARRAY_BINARY_OR, "counter.greatest"}};
  pyarray_binary_kind kind = (pyarray_binary_kind)pyarrayBinaryKindAttrGetValue(pa_get_attr(o->op, "kind"));
  bool in_place = !mlirAttributeIsNull(pa_get_attr(o->op, "inplace"));
  for (size_t i = 0; i < sizeof rows / sizeof *rows && is_counter(type_of(o, 0)) && is_counter(type_of(o, 1)); ++i) {
    if (rows[i].kind != kind) continue;
    MlirValue arguments[] = {make_empty(o, "counter", pyarrayTaggedTypeGetTag(type_of(o, 0))), operand_of(o, 0), operand_of(o, 1)};
    if (!in_place) return call(o, rows[i].function, arguments, 3);
    return call(o, pa_arena_format(o->inference->arena, "%s_in_place", rows[i].function), arguments, 3);
  }
  return PA_OK;
}

static pa_status decide_compare(pa_class_operation *o) {
  pyarray_compare_kind kind = (pyarray_compare_kind)pyarrayCompareKindAttrGetValue(pa_get_attr(o->op, "kind"));
  bool equality = kind == PYARRAY_COMPARE_EQ || kind == PYARRAY_COMPARE_NE;
  if (!equality || !is_counter(type_of(o, 0)) || !is_counter(type_of(o, 1))) return PA_OK;
  o->plan->truth = true;
  o->plan->negated = kind == PYARRAY_COMPARE_NE;
  return call(o, "counter.equal", (MlirValue[]){operand_of(o, 0), operand_of(o, 1)}, 2);
}

static pa_status decide_item(pa_class_operation *o, MlirType type) {
  intptr_t count = mlirOperationGetNumOperands(o->op) - 1;
  MlirValue *parts = PA_NEW_ARRAY(o->inference->arena, MlirValue, count + 1);
  for (intptr_t i = 0; i < count; ++i) parts[i] = operand_of(o, 1 + i);
  MlirValue key = count == 1 ? parts[0] : pa_make_tuple(o->inference, o->instance, o->op, parts, (int)count);
  const char *function = o->kind == PA_OP_DELITEM ? "counter.delete" : is_counter(type) ? "counter.item" : "defaultdict.item";
  return call(o, function, (MlirValue[]){operand_of(o, 0), key}, 2);
}

pa_status pa_plan_dict_class_operation(pa_class_operation *o) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(o->op); ++i)
    if (mlirTypeIsNull(type_of(o, i))) return PA_OK;
  MlirType first = type_of(o, 0);
  MlirStringRef callee = callee_name(first);
  if (o->kind == PA_OP_APPLY && (pa_ref_equal(callee, "collections.Counter") || pa_ref_equal(callee, "collections.defaultdict")))
    return decide_new(o, pa_ref_equal(callee, "collections.Counter"));
  if (o->kind == PA_OP_BINARY) return decide_binary(o);
  if (o->kind == PA_OP_COMPARE) return decide_compare(o);
  if (!pa_is_dict_class(first)) return PA_OK;
  if (o->kind == PA_OP_METHOD) return decide_method(o, first);
  return o->kind == PA_OP_GETITEM || (o->kind == PA_OP_DELITEM && is_counter(first)) ? decide_item(o, first) : PA_OK;
}
