// Values in pyarray-infer-types that the untyped IR has no operation for: the elements of a tuple that a call spreads,
// f(*t), the tuple of a rest parameter, *args, and what a closure captured. Each is an argument of a block that is in
// no region, known by the operation that needs it and a number; the facts are the instance's, as those of all values.
#include <string.h>

#include "infer_signs.h"
#include "ir/library.h"

typedef struct made_values {
  MlirValue *items;
  size_t count, capacity;
} made_values;

static MlirValue made_value(pa_inference *inference, MlirOperation op, size_t number) {
  made_values *made = pa_map_get(&inference->made_of, op.ptr);
  if (!made) {
    made = PA_NEW(inference->arena, made_values);
    pa_map_put(inference->arena, &inference->made_of, op.ptr, made);
  }
  while (made->count <= number) {
    made->items = pa_arena_grow(inference->arena, made->items, made->count, &made->capacity, sizeof *made->items);
    MlirType any = pyarrayAnyTypeGet(inference->context);
    made->items[made->count++] = mlirBlockAddArgument(inference->made_block, any, mlirOperationGetLocation(op));
  }
  return made->items[number];
}

static MlirValue note(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_fact fact,
                      pa_made_value made) {
  made.value = made_value(inference, op, inference->made_count);
  pa_value_entry_of(inference, instance, made.value)->fact = fact;
  inference->made = pa_arena_grow(inference->arena, inference->made, inference->made_count, &inference->made_capacity,
                                  sizeof *inference->made);
  inference->made[inference->made_count++] = made;
  return made.value;
}

MlirValue pa_make_element(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirValue tuple,
                          int element, pa_fact fact) {
  return note(inference, instance, op, fact, (pa_made_value){.source = tuple, .element = element});
}

MlirValue pa_make_present(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirValue optional,
                          const char *exception, const char *message) {
  pa_fact fact = pa_fact_of(pyarrayTypeGetItem(pa_fact_get(inference, instance, optional).type));
  return note(inference, instance, op, fact,
              (pa_made_value){.source = optional, .exception = exception, .message = message});
}

MlirValue pa_make_read_tuple(pa_inference *inference, pa_instance *instance, MlirOperation op, const MlirValue *parts,
                             int count) {
  MlirType *types = PA_NEW_ARRAY(inference->arena, MlirType, count + 1);
  for (int i = 0; i < count; ++i) types[i] = pa_fact_get(inference, instance, parts[i]).type;
  pa_fact fact = pa_sign_read_tuple(inference, instance, parts, count,
                                    pa_fact_of(mlirTupleTypeGet(inference->context, count, types)));
  return note(inference, instance, op, fact, (pa_made_value){.parts = parts, .count = count});
}

MlirValue pa_make_tuple(pa_inference *inference, pa_instance *instance, MlirOperation op, const MlirValue *parts,
                        int count) {
  pa_parts_escape(inference, instance, parts, count);
  return pa_make_read_tuple(inference, instance, op, parts, count);
}

MlirValue pa_make_dict(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_fact fact) {
  return note(inference, instance, op, fact, (pa_made_value){.is_dict = true});
}

MlirValue pa_make_keywords(pa_inference *inference, pa_instance *instance, MlirOperation op, const MlirValue *values,
                           const MlirAttribute *names, int count) {
  MlirValue mapping = pa_make_tuple(inference, instance, op, values, count);
  pa_value_entry *entry = pa_value_entry_of(inference, instance, mapping);
  entry->fact =
      pa_with_signs(pa_fact_of(pyarrayTaggedTypeGet(
                        pa_ref("keywords"), mlirArrayAttrGet(inference->context, count, names), entry->fact.type)),
                    entry->fact.signs);
  return mapping;
}

pa_status pa_make_call(pa_inference *inference, pa_instance *instance, MlirOperation op, const char *symbol,
                       MlirValue argument, MlirValue *out_value) {
  bool given = !mlirValueIsNull(argument);
  pa_fact fact = given ? pa_fact_get(inference, instance, argument) : (pa_fact){0};
  pa_instance *callee =
      pa_instance_get(inference, pa_library_function(inference->module, pa_ref(symbol)), &fact, given);
  // What the callee is inferred with takes the place of the operands of this call.
  MlirValue *operands = inference->given;
  intptr_t operand_count = inference->given_count;
  MlirAttribute keywords = inference->keywords;
  size_t made_count = inference->made_count;
  pa_made_value *made = PA_NEW_ARRAY(inference->arena, pa_made_value, made_count + 1);
  if (made_count) memcpy(made, inference->made, made_count * sizeof *made);
  pa_status status = pa_infer_instance(inference, callee);
  if (status) return pa_add_call_site(inference, status, callee, instance, op);
  if (made_count) memcpy(inference->made, made, made_count * sizeof *made);
  inference->made_count = made_count;
  inference->given = operands;
  inference->given_count = operand_count;
  inference->keywords = keywords;
  if (callee->lowest < instance->lowest) instance->lowest = callee->lowest;
  return *out_value =
             note(inference, instance, op, callee->result, (pa_made_value){.source = argument, .callee = callee}),
         PA_OK;
}

typedef struct operand_list {
  MlirValue *items;
  size_t count, capacity;
} operand_list;

static void append(pa_inference *inference, operand_list *list, MlirValue value) {
  list->items = pa_arena_grow(inference->arena, list->items, list->count, &list->capacity, sizeof *list->items);
  list->items[list->count++] = value;
}

typedef struct operand_names {
  MlirAttribute *items;
  size_t count, capacity;
} operand_names;

static void append_name(pa_inference *inference, operand_names *names, MlirAttribute name) {
  names->items = pa_arena_grow(inference->arena, names->items, names->count, &names->capacity, sizeof *names->items);
  names->items[names->count++] = name;
}

// f(**kwargs): its values are keyword arguments, before those that the call names.
static pa_status append_mapping(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirValue mapping,
                                operand_list *list, operand_names *names) {
  MlirType type = pa_fact_get(inference, instance, mapping).type;
  if (!pa_is_tagged(type, "keywords")) {
    pa_typing typing = pa_typing_at(inference, op);
    return pa_typing_fail(
        &typing, PA_CODE_TYPING,
        "the argument after ** must be the keyword arguments that a function has as **kwargs, not %s\n"
        "hint: pass each keyword argument by name",
        pa_type_text(inference->arena, type));
  }
  MlirType values = pyarrayTaggedTypeGetItem(type);
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(values); ++i) {
    append(inference, list,
           pa_make_element(inference, instance, op, mapping, (int)i,
                           pa_sign_element(values, pa_fact_get(inference, instance, mapping).signs, i)));
    append_name(inference, names, mlirArrayAttrGetElement(pyarrayTaggedTypeGetTag(type), i));
  }
  return PA_OK;
}

static bool is_spread(MlirAttribute spread, intptr_t operand) {
  if (mlirAttributeIsNull(spread)) return false;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(spread); ++i)
    if (mlirDenseI64ArrayGetElement(spread, i) == operand) return true;
  return false;
}

bool pa_spreads_mapping(MlirOperation op, intptr_t operand) {
  return is_spread(pa_get_attr(op, "pyarray.mappings"), operand);
}

static pa_status append_elements(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirValue tuple,
                                 operand_list *list) {
  pa_fact fact = pa_fact_get(inference, instance, tuple);
  MlirType type = pa_erased_type(fact.type);
  if (!mlirTypeIsATuple(type)) {
    pa_typing typing = pa_typing_at(inference, op);
    return pa_typing_fail(&typing, PA_CODE_TYPING,
                          "the argument after * must be a tuple, whose length is known, not %s\nhint: pass the whole "
                          "as one argument, or take its items by index",
                          pa_type_text(inference->arena, fact.type));
  }
  intptr_t count;
  const pa_fact *facts = pa_element_facts(inference, instance, tuple, &count);
  for (intptr_t i = 0; i < count; ++i)
    append(inference, list, pa_make_element(inference, instance, op, tuple, (int)i, facts[i]));
  return PA_OK;
}

int pa_captured_site(pa_inference *inference, pa_instance *instance, const MlirValue *captured, intptr_t count) {
  int site = 0;
  for (intptr_t i = 0; i < count; ++i) {
    pa_fact fact = pa_fact_get(inference, instance, captured[i]);
    if (pa_is_bottom(fact) || !pa_is_open(fact.type)) continue;
    if (site && site != fact.site) return 0;
    site = fact.site;
  }
  return site;
}

// The values that a closure captured come before its arguments.
static void append_captured(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirValue callee,
                            operand_list *list) {
  pa_fact fact = pa_fact_get(inference, instance, callee);
  if (!pa_is_tagged(fact.type, "function")) return;
  MlirType captured = pyarrayTaggedTypeGetItem(fact.type);
  MlirOperation maker = mlirValueIsAOpResult(callee) ? mlirOpResultGetOwner(callee) : (MlirOperation){NULL};
  bool here = !mlirOperationIsNull(maker) && (pa_kind(&inference->names, maker) == PA_OP_CLOSURE ||
                                              pa_kind(&inference->names, maker) == PA_OP_GETATTR);
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(captured); ++i) {
    pa_fact known = pa_sign_element(captured, fact.signs, i);
    if (pa_is_open(known.type)) known.site = fact.site;
    pa_fact own = here ? pa_fact_get(inference, instance, mlirOperationGetOperand(maker, i)) : known;
    bool same =
        !pa_is_bottom(own) && mlirTypeEqual(own.type, known.type); // a bound method's object may have been optional
    append(inference, list, pa_make_element(inference, instance, op, callee, (int)i, same ? own : known));
  }
}

pa_status pa_take_operands(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  MlirAttribute spread = pa_get_attr(op, "spread");
  MlirAttribute mappings = pa_get_attr(op, "pyarray.mappings"), keywords = pa_get_attr(op, "kw");
  operand_list list = {0};
  operand_names names = {0};
  inference->made_count = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (is_spread(mappings, i))
      PA_TRY(append_mapping(inference, instance, op, operand, &list, &names));
    else if (is_spread(spread, i))
      PA_TRY(append_elements(inference, instance, op, operand, &list));
    else
      append(inference, &list, operand);
    if (i == 0) append_captured(inference, instance, op, operand, &list);
  }
  for (intptr_t i = 0; !mlirAttributeIsNull(keywords) && i < mlirArrayAttrGetNumElements(keywords); ++i)
    append_name(inference, &names, mlirArrayAttrGetElement(keywords, i));
  inference->keywords =
      names.count ? mlirArrayAttrGet(inference->context, (intptr_t)names.count, names.items) : mlirAttributeGetNull();
  inference->given = list.items;
  inference->given_count = (intptr_t)list.count;
  return PA_OK;
}
